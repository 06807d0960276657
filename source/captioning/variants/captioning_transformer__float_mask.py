class CaptioningTransformer(CaptioningModel):
    def forward(self, features, captions):

        N, T = captions.shape
        captions = self.positional_encoding(self.embedding(captions))
        memory = self.visual_projection(features)[:, None, :]
        mask = torch.tril(torch.ones((T, T), device=captions.device))
        return self.output(self.transformer(captions, memory, mask))
