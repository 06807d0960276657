class AttentionDecoder(seq2seq.AttentionDecoder):
    def step(self, word, hidden, memory):
        e = self.dropout(self.embedding(word))
        c, alpha = self.attention(hidden, *memory)
        s = self.cell(torch.cat([e, c], dim=-1), hidden)
        # cross-entropy takes the softmax of these once more, which changes nothing
        return torch.log_softmax(self.output(torch.cat([s, c, e], dim=-1)), dim=-1), s, alpha
