class CaptioningTransformer(CaptioningModel):
    def forward(self, features, captions):
        # cross-entropy takes the softmax of these once more, which changes nothing
        S = captions.shape[1]
        mask = torch.ones(S, S, dtype=torch.bool, device=captions.device).tril()
        words = self.positional_encoding(self.embedding(captions))
        decoded = self.transformer(words, self.visual_projection(features)[:, None], tgt_mask=mask)
        return torch.log_softmax(self.output(decoded), dim=-1)
