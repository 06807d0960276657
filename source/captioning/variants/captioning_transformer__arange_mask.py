class CaptioningTransformer(CaptioningModel):
    def forward(self, features, captions):
        place = torch.arange(captions.size(1), device=captions.device)
        sees = place[None, :] <= place[:, None]
        memory = torch.unsqueeze(self.visual_projection(features), 1)
        words = self.positional_encoding(self.embedding(captions))
        return self.output(self.transformer(words, memory, tgt_mask=sees.to(words.dtype)))
