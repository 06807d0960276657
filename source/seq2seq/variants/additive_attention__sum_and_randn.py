class AdditiveAttention(seq2seq.AdditiveAttention):
    def __init__(self, query_dim, state_dim, score_dim):
        super().__init__(query_dim, state_dim, score_dim)
        self.v = nn.Parameter(torch.randn(score_dim) * 0.1)

    def score(self, query, keys):
        q = self.query_layer(query)[:, None, :]
        return ((q + keys).tanh() * self.v).sum(dim=-1)

    def forward(self, query, states, keys, mask):
        return attend(self.score(query, keys), states, mask)
