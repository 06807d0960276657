class AdditiveAttention(seq2seq.AdditiveAttention):
    def __init__(self, query_dim: int, state_dim: int, score_dim: int) -> None:
        super().__init__(query_dim, state_dim, score_dim)
        self.v = nn.Parameter(torch.rand(score_dim) - 0.5)

    def score(self, query: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
        q = self.query_layer(query)[:, None, :]
        return torch.einsum("nta,a->nt", torch.tanh(q + keys), self.v)

    def forward(self, query, states, keys, mask):
        return attend(self.score(query, keys), states, mask)
