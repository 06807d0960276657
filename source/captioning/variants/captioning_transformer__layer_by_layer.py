class CaptioningTransformer(CaptioningModel):
    def forward(self, features, captions):

        S = captions.shape[1]
        x = self.positional_encoding(self.embedding(captions))
        memory = self.visual_projection(features)[:, None]
        mask = torch.zeros(S, S, dtype=torch.int64, device=x.device)
        for i in range(S):
            mask[i, : i + 1] = 1
        for layer in self.transformer.layers:
            x = layer(x, memory, tgt_mask=mask)
        return x @ self.output.weight.T + self.output.bias
