class TransformerDecoderLayer(layers.DecoderLayer):
    def forward(self, tgt, memory, tgt_mask=None):
        shortcut = tgt
        tgt = self.self_attn(query=tgt, key=tgt, value=tgt, attn_mask=tgt_mask)
        tgt = self.dropout_self(tgt)
        tgt = tgt + shortcut
        tgt = self.norm_self(tgt)
        shortcut = tgt
        tgt = self.cross_attn(query=tgt, key=memory, value=memory)
        tgt = self.dropout_cross(tgt)
        tgt = self.norm_cross(tgt + shortcut)
        shortcut = tgt
        tgt = self.dropout_ffn(self.ffn(tgt))
        return self.norm_ffn(tgt + shortcut)
