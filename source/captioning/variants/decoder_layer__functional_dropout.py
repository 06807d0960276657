class TransformerDecoderLayer(layers.DecoderLayer):
    def forward(self, x, memory, tgt_mask=None):
        def drop(found, p):
            return nn.functional.dropout(found, p, training=self.training)

        x = self.norm1(x + drop(self.self_attn(x, x, x, tgt_mask), self.dropout1.p))
        x = self.norm2(x + drop(self.multihead_attn(x, memory, memory), self.dropout2.p))
        return self.norm3(x + drop(self.ffn(x), self.dropout3.p))
