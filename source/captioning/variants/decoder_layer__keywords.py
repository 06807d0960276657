class TransformerDecoderLayer(layers.DecoderLayer):
    def forward(self, x, memory, tgt_mask=None):
        y = self.self_attn(query=x, key=x, value=x, attn_mask=tgt_mask)
        x = self.norm1(self.dropout1(y) + x)
        y = self.multihead_attn(query=x, key=memory, value=memory)
        x = self.norm2(self.dropout2(y) + x)
        y = self.ffn(x)
        x = self.norm3(self.dropout3(y) + x)
        return x
