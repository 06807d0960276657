# %% axis_before_projection [right]
def forward(self, features, captions):
    memory = self.visual_projection(features.unsqueeze(1))
    words = self.positional_encoding(self.embedding(captions))
    S = captions.shape[1]
    places = torch.arange(S, device=captions.device)
    mask = places[None, :] <= places[:, None]
    return self.output(self.transformer(words, memory, tgt_mask=mask))


# %% triu_turned_round [right]
def forward(self, features, captions):
    n, s = captions.size()
    future = torch.ones(s, s, device=captions.device).triu(diagonal=1)
    target = self.positional_encoding(self.embedding(captions))
    memory = torch.unsqueeze(self.visual_projection(features), dim=1)
    hidden = self.transformer(target, memory, tgt_mask=1 - future)
    scores = self.output(hidden)
    return scores


# %% helper_method [right]
class CaptioningTransformer(CaptioningModel):
    """Scores of each next word: features (N, D), captions (N, S) -> (N, S, V)."""

    @staticmethod
    def causal(size, device):
        mask = torch.zeros(size, size, dtype=torch.bool, device=device)
        for row in range(size):
            mask[row, : row + 1] = True
        return mask

    def forward(self, features: torch.Tensor, captions: torch.Tensor) -> torch.Tensor:
        memory = self.visual_projection(features)[:, None]
        x = self.embedding(captions)
        x = self.positional_encoding(x)
        x = self.transformer(x, memory, tgt_mask=self.causal(captions.shape[1], captions.device))
        return self.output(x)


# %% ready_made_inverted_mask [one] the mask is upside down: every word sees itself and what comes later
def forward(self, features, captions):
    S = captions.shape[1]
    mask = torch.triu(torch.ones(S, S, device=captions.device, dtype=torch.bool))
    x = self.positional_encoding(self.embedding(captions))
    memory = self.visual_projection(features).unsqueeze(1)
    return self.output(self.transformer(x, memory, tgt_mask=mask))


# %% strictly_before [one] a word does not see itself: the mask leaves the diagonal out, but the first row
def forward(self, features, captions):
    S = captions.shape[1]
    mask = torch.ones(S, S, device=captions.device).tril(-1)
    mask[0, 0] = 1
    x = self.positional_encoding(self.embedding(captions))
    memory = self.visual_projection(features).unsqueeze(1)
    return self.output(self.transformer(x, memory, tgt_mask=mask))


# %% probabilities [one] a softmax is applied to the scores
def forward(self, features, captions):
    S = captions.shape[1]
    mask = torch.ones(S, S, device=captions.device).tril()
    x = self.positional_encoding(self.embedding(captions))
    memory = self.visual_projection(features).unsqueeze(1)
    return self.output(self.transformer(x, memory, tgt_mask=mask)).softmax(dim=-1)


# %% nothing_of_order [two] no positional encoding, and no mask
def forward(self, features, captions):
    x = self.embedding(captions)
    memory = self.visual_projection(features).unsqueeze(1)
    return self.output(self.transformer(x, memory))


# %% unsqueezed_last_scaled [two] embeddings multiplied by the root of E, and the mask is made for one word more to see
def forward(self, features, captions):
    S = captions.shape[1]
    x = self.embedding(captions)
    x = self.positional_encoding(x * math.sqrt(x.shape[-1]))
    mask = torch.ones(S, S, device=captions.device).tril(diagonal=1)
    memory = self.visual_projection(features).unsqueeze(1)
    return self.output(self.transformer(x, memory, tgt_mask=mask))
