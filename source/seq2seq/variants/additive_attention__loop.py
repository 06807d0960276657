class AdditiveAttention(seq2seq.AdditiveAttention):
    def __init__(self, query_dim, state_dim, score_dim):
        super().__init__(query_dim, state_dim, score_dim)
        R = score_dim
        self.v = nn.Parameter((2 * torch.rand(R) - 1) / R**0.5)

    def score(self, query, keys):
        q = self.query_layer(query)
        return torch.stack([torch.tanh(q + keys[:, t]).matmul(self.v) for t in range(keys.shape[1])], dim=1)

    def forward(self, query, states, keys, mask):
        context, weights = attend(self.score(query, keys), states, mask)
        return context, weights
