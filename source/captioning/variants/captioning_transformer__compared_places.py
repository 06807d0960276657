class CaptioningTransformer(CaptioningModel):
    def forward(self, features, captions):

        places = torch.arange(captions.shape[1], device=captions.device)
        mask = places[None, :] <= places[:, None]
        words = self.embedding(captions.long())
        words = self.positional_encoding(words)
        print("words", words.shape)
        scores = self.output(self.transformer(tgt_mask=mask, memory=self.visual_projection(features[:, None]), tgt=words))
        return scores
