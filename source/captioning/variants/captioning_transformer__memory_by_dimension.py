class CaptioningTransformer(CaptioningModel):
    def forward(self, features, captions):
        S = captions.shape[1]
        memory = self.visual_projection(features)
        if memory.dim() == 2:
            memory = memory.reshape(-1, 1, memory.shape[-1])
        mask = ~torch.ones((S, S), device=captions.device).triu(diagonal=1).bool()
        return self.output(
            self.transformer(self.positional_encoding(self.embedding(captions)), memory, tgt_mask=mask)
        )
