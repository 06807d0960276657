class AdditiveAttention(seq2seq.AdditiveAttention):
    def __init__(self, query_dim, state_dim, score_dim):
        super().__init__(query_dim, state_dim, score_dim)
        self.v = nn.Linear(score_dim, 1, bias=False)

    def score(self, query, keys):
        return self.v(torch.tanh(self.query_layer(query.unsqueeze(1)) + keys)).squeeze(-1)

    def forward(self, query, states, keys, mask):
        return attend(self.score(query, keys), states, mask)
