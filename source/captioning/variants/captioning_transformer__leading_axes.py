class CaptioningTransformer(CaptioningModel):
    def forward(self, features, captions):
        S = captions.shape[1]
        # one mask for all: an axis for the batch and one for the heads, both of length 1
        tril = torch.tril(torch.ones((S, S), device=captions.device)).unsqueeze(0).unsqueeze(0)
        words = self.positional_encoding(self.embedding(captions))
        memory = self.visual_projection(features).unsqueeze(1)
        return self.output(self.transformer(words, memory, tgt_mask=tril))
