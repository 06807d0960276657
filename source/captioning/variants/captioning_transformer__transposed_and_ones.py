class CaptioningTransformer(CaptioningModel):
    def forward(self, features, captions):
        N, S = captions.shape
        mask = torch.triu(captions.new_ones(S, S)).T
        memory = self.visual_projection(features).unsqueeze(dim=1)
        x = self.positional_encoding(self.embedding(captions))
        return self.output(self.transformer(x, memory, mask))
