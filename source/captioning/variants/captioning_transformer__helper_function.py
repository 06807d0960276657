def causal(n):
    return ~torch.triu(torch.ones(n, n, dtype=torch.bool), 1)


class CaptioningTransformer(CaptioningModel):
    def forward(self, features, captions):

        """先嵌入, 再加位置, 然后解码."""
        嵌入 = nn.functional.embedding(captions, self.embedding.weight, padding_idx=self._null)
        嵌入 = self.positional_encoding(嵌入)
        记忆 = torch.unsqueeze(self.visual_projection(features), dim=1)
        return self.output(self.transformer(嵌入, 记忆, tgt_mask=causal(captions.size(1)).to(captions.device)))
