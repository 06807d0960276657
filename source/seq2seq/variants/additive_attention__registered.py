class AdditiveAttention(seq2seq.AdditiveAttention):
    def __init__(self, query_dim, state_dim, score_dim):
        super().__init__(query_dim, state_dim, score_dim)
        self.register_parameter("v", nn.Parameter(0.1 * torch.randn(score_dim)))

    def score(self, query, keys):
        return torch.tanh(self.query_layer(query)[:, None] + keys) @ self.v

    def forward(self, query, states, keys, mask):
        return attend(self.score(query, keys), states, mask)
