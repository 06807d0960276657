class AdditiveAttention(seq2seq.AdditiveAttention):
    def __init__(self, query_dim, state_dim, score_dim):
        super().__init__(query_dim, state_dim, score_dim)
        self.v = nn.Parameter(torch.empty(1, score_dim))
        nn.init.xavier_uniform_(self.v)

    def score(self, query, keys):
        x = torch.tanh(torch.add(keys, self.query_layer(query).unsqueeze(1)))
        return torch.bmm(x, self.v.expand(len(x), -1).unsqueeze(2)).squeeze(2)

    def forward(self, query, states, keys, mask):
        return attend(self.score(query, keys), states, mask)
