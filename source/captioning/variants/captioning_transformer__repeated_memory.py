class CaptioningTransformer(CaptioningModel):
    def forward(self, features, captions):

        # the same memory at every position: attention to equal vectors is attention to one
        N, S = captions.shape
        memory = self.visual_projection(features).unsqueeze(1).repeat(1, S, 1)
        mask = torch.ones(S, S).tril().bool().to(captions.device)
        x = self.transformer(self.positional_encoding(self.embedding(captions)), memory, tgt_mask=mask)
        return self.output(x)
