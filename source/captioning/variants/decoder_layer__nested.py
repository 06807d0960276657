class TransformerDecoderLayer(layers.DecoderLayer):
    def forward(self, x, memory, tgt_mask=None):
        one = self.norm1(x.clone() + self.dropout1(self.self_attn(x, x, x, tgt_mask)))
        two = self.norm2(one + self.dropout2(self.multihead_attn(one, memory, memory)))
        three = self.norm3(two + self.dropout3(self.ffn(two)))
        return three
