class AttentionDecoder(seq2seq.AttentionDecoder):
    def step(self, word, hidden, memory):
        e = self.dropout(self.embedding(word))
        states, keys, mask = memory
        _, w = self.attention(hidden, states, keys, mask)
        c = (w.unsqueeze(1) @ states).squeeze(1)
        s = self.cell(torch.hstack([e, c]), hidden)
        return self.output(torch.hstack([s, c, e])), s, w
