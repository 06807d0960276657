class TransformerDecoderLayer(layers.DecoderLayer):
    def forward(self, x, memory, tgt_mask=None):
        found = self.self_attn(x, x, x, tgt_mask)
        x = self.norm1(x + self.dropout1(found))
        found = self.multihead_attn(x, memory, memory)
        x = self.norm2(x + self.dropout1(found))
        found = self.ffn(x)
        x = self.norm3(x + self.dropout1(found))
        return x
