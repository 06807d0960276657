class AdditiveAttention(seq2seq.AdditiveAttention):
    """The concat form inside: [B | 1] times [s ; key]."""

    def __init__(self, query_dim, state_dim, score_dim):
        super().__init__(query_dim, state_dim, score_dim)
        self.v = nn.Parameter(torch.randn(score_dim) / math.sqrt(score_dim))

    def score(self, query, keys):
        A = keys.shape[2]
        W = torch.cat([self.query_layer.weight, torch.eye(A, device=keys.device)], dim=1)
        both = torch.cat([query.unsqueeze(1).expand(-1, keys.shape[1], -1), keys], dim=2)
        return (both @ W.T).tanh() @ self.v

    def forward(self, query, states, keys, mask):
        return attend(self.score(query, keys), states, mask)
