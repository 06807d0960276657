class AttentionDecoder(seq2seq.AttentionDecoder):
    def look(self, hidden, memory):
        return self.attention(query=hidden, states=memory[0], keys=memory[1], mask=memory[2])

    def step(self, word, hidden, memory):
        e = self.dropout(self.embedding(word))
        c, alpha = self.look(hidden, memory)
        # die Ausgabe sieht Zustand, Kontext und Wort
        s = self.cell(torch.cat([e, c], dim=1), hidden)
        return [self.output(torch.cat([s, c, e], dim=1)), s, alpha]
