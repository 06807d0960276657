class TransformerDecoderLayer(layers.DecoderLayer):
    def forward(self, x, memory, tgt_mask=None):
        parts = (
            (lambda h: self.self_attn(h, h, h, tgt_mask), self.dropout1, self.norm1),
            (lambda h: self.multihead_attn(h, memory, memory), self.dropout2, self.norm2),
            (self.ffn, self.dropout3, self.norm3),
        )
        for part, dropout, norm in parts:
            x = norm(x + dropout(part(x)))
        return x
