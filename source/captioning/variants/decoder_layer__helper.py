class TransformerDecoderLayer(layers.DecoderLayer):
    def sublayer(self, number, x, found):
        dropped = getattr(self, f"dropout{number}")(found)
        return getattr(self, f"norm{number}")(torch.add(x, dropped))

    def forward(self, x, memory, tgt_mask=None):
        x = self.sublayer(1, x, self.self_attn(x, x, x, attn_mask=tgt_mask))
        x = self.sublayer(2, x, self.multihead_attn(x, memory, memory))
        return self.sublayer(3, x, self.ffn(x))
