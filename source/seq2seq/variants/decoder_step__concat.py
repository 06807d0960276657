class AttentionDecoder(seq2seq.AttentionDecoder):
    def step(self, word, hidden, memory):
        looked = self.attention(hidden, *memory)
        vector = self.embedding(word)
        vector = self.dropout(vector)
        new = self.cell(torch.concat((vector, looked[0]), -1), hidden)
        return self.output(torch.concat((new, looked[0], vector), -1)), new, looked[1]
