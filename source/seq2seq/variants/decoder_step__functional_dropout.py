class AttentionDecoder(seq2seq.AttentionDecoder):
    def step(self, word, hidden, memory):
        embedded = F.dropout(self.embedding(word), p=self.dropout.p, training=self.training)
        context, weights = self.attention.forward(hidden, *memory)
        new_hidden = self.cell(torch.cat((embedded, context), -1), hx=hidden)
        logits = self.output(torch.cat((new_hidden, context, embedded), -1))
        return logits, new_hidden, weights
