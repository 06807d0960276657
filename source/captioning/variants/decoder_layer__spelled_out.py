class TransformerDecoderLayer(layers.DecoderLayer):
    def forward(self, words, memory, tgt_mask=None):
        a = words + self.dropout1(self.self_attn(words, words, words, tgt_mask))
        b = nn.functional.layer_norm(a, a.shape[-1:], self.norm1.weight, self.norm1.bias, self.norm1.eps)
        c = self.norm2(b + self.dropout2(self.multihead_attn(b, memory, memory, None)))
        hidden = self.dropout(torch.relu(self.linear1(c)))
        return self.norm3(c + self.dropout3(self.linear2(hidden)))
