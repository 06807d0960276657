class AttentionDecoder(seq2seq.AttentionDecoder):
    def step(self, word, hidden, memory):
        states, keys, mask = memory
        e = self.dropout(self.embedding(word.view(1, -1)))[0]
        c, w = self.attention(hidden, states, keys, mask)
        h = self.cell(torch.hstack((e, c)), hidden)
        return self.output(torch.hstack((h, c, e))), h, w
