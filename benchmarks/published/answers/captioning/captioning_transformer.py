# %% plain_steps [right]
def forward(self, features, captions):
    N, S = captions.shape
    mask = torch.tril(torch.ones(S, S, device=captions.device))
    words = self.positional_encoding(self.embedding(captions))
    memory = self.visual_projection(features)[:, None, :]
    return self.output(self.transformer(words, memory, tgt_mask=mask))


# %% compared_positions [right] column <= row
def forward(self, features, captions):
    i = torch.arange(captions.shape[1], device=captions.device)
    memory = self.visual_projection(features.unsqueeze(1))
    x = self.positional_encoding(self.embedding(captions))
    return self.output(self.transformer(x, memory, tgt_mask=i <= i[:, None]))


# %% upper_part_removed [right] what lies above the diagonal is hidden
def forward(self, features, captions):
    S = captions.size(1)
    future = torch.ones((S, S), dtype=torch.bool, device=captions.device).triu(diagonal=1)
    target = self.positional_encoding(self.embedding(captions))
    memory = self.visual_projection(features).unsqueeze(1)
    decoded = self.transformer(target, memory, tgt_mask=~future)
    scores = self.output(decoded)
    return scores


# %% rows_of_a_cumulative_sum [right]
def forward(self, features, captions):
    eye = torch.eye(captions.shape[1], device=captions.device)
    mask = eye.cumsum(dim=0)
    memory = self.visual_projection(features).unsqueeze(-2)
    return self.output(self.transformer(self.positional_encoding(self.embedding(captions)), memory, tgt_mask=mask))


# %% nothing_hidden [one] no mask is given
def forward(self, features, captions):
    words = self.positional_encoding(self.embedding(captions))
    memory = self.visual_projection(features).unsqueeze(1)
    return self.output(self.transformer(words, memory))


# %% future_shown [one] triu: each word sees itself and what comes after
def forward(self, features, captions):
    S = captions.shape[1]
    mask = torch.ones(S, S, device=captions.device).triu().bool()
    words = self.positional_encoding(self.embedding(captions))
    memory = self.visual_projection(features).unsqueeze(1)
    return self.output(self.transformer(words, memory, tgt_mask=mask))


# %% probabilities [one] softmax at the end
def forward(self, features, captions):
    S = captions.shape[1]
    mask = torch.ones(S, S, device=captions.device).tril().bool()
    words = self.positional_encoding(self.embedding(captions))
    memory = self.visual_projection(features).unsqueeze(1)
    return torch.softmax(self.output(self.transformer(words, memory, tgt_mask=mask)), dim=-1)


# %% no_places [one] positional_encoding is not called
def forward(self, features, captions):
    S = captions.shape[1]
    mask = torch.ones(S, S, device=captions.device).tril().bool()
    words = self.embedding(captions)
    memory = self.visual_projection(features).unsqueeze(1)
    return self.output(self.transformer(words, memory, tgt_mask=mask))


# %% mask_stays_at_home [one] the mask is made on the CPU
def forward(self, features, captions):
    S = captions.shape[1]
    mask = torch.tril(torch.ones(S, S))
    words = self.positional_encoding(self.embedding(captions))
    memory = self.visual_projection(features).unsqueeze(1)
    return self.output(self.transformer(words, memory, tgt_mask=mask))


# %% not_even_itself [one] tril(-1): a word does not see itself
def forward(self, features, captions):
    S = captions.shape[1]
    mask = torch.ones(S, S, device=captions.device).tril(-1)
    words = self.positional_encoding(self.embedding(captions))
    memory = self.visual_projection(features).unsqueeze(1)
    return self.output(self.transformer(words, memory, tgt_mask=mask))


# %% torch_mask [one] 0 and -inf, as torch's own decoder takes it
def forward(self, features, captions):
    S = captions.shape[1]
    mask = nn.Transformer.generate_square_subsequent_mask(S, device=captions.device)
    words = self.positional_encoding(self.embedding(captions))
    memory = self.visual_projection(features).unsqueeze(1)
    return self.output(self.transformer(words, memory, tgt_mask=mask))


# %% relu_on_the_picture [one] a ReLU after the projection
def forward(self, features, captions):
    S = captions.shape[1]
    mask = torch.ones(S, S, device=captions.device).tril()
    words = self.positional_encoding(self.embedding(captions))
    memory = torch.relu(self.visual_projection(features)).unsqueeze(1)
    return self.output(self.transformer(words, memory, tgt_mask=mask))


# %% picture_as_first_word [one] the picture stands before the words as well
def forward(self, features, captions):
    S = captions.shape[1]
    mask = torch.ones(S + 1, S + 1, device=captions.device).tril()
    memory = self.visual_projection(features).unsqueeze(1)
    words = torch.cat([memory, self.embedding(captions)], dim=1)
    x = self.transformer(self.positional_encoding(words), memory, tgt_mask=mask)
    return self.output(x)[:, 1:]


# %% last_word_cut [one] captions[:, :-1] inside forward
def forward(self, features, captions):
    captions = captions[:, :-1]
    S = captions.shape[1]
    mask = torch.ones(S, S, device=captions.device).tril()
    words = self.positional_encoding(self.embedding(captions))
    memory = self.visual_projection(features).unsqueeze(1)
    return self.output(self.transformer(words, memory, tgt_mask=mask))


# %% roles_exchanged [one] the picture is the target, the words are the memory
def forward(self, features, captions):
    S = captions.shape[1]
    mask = torch.ones(S, S, device=captions.device).tril()
    words = self.positional_encoding(self.embedding(captions))
    memory = self.visual_projection(features).unsqueeze(1)
    return self.output(self.transformer(memory, words, tgt_mask=mask))


# %% open_and_placeless [two] neither mask nor positions
def forward(self, features, captions):
    words = self.embedding(captions)
    memory = self.visual_projection(features).unsqueeze(1)
    return self.output(self.transformer(words, memory))


# %% future_as_probabilities [two] upper mask, softmax at the end
def forward(self, features, captions):
    S = captions.shape[1]
    mask = torch.triu(torch.ones(S, S, device=captions.device))
    words = self.positional_encoding(self.embedding(captions))
    memory = self.visual_projection(features).unsqueeze(1)
    return self.output(self.transformer(words, memory, tgt_mask=mask)).softmax(-1)


# %% placeless_probabilities [two] no positions, softmax at the end
def forward(self, features, captions):
    S = captions.shape[1]
    mask = torch.ones(S, S, device=captions.device).tril()
    memory = self.visual_projection(features).unsqueeze(1)
    h = self.transformer(self.embedding(captions), memory, tgt_mask=mask)
    return nn.functional.softmax(self.output(h), dim=2)


# %% scaled_mask_at_home [two] word vectors times sqrt(E), mask on the CPU
def forward(self, features, captions):
    S = captions.shape[1]
    mask = torch.ones(S, S).tril()
    words = self.embedding(captions)
    words = self.positional_encoding(words * math.sqrt(words.shape[-1]))
    memory = self.visual_projection(features).unsqueeze(1)
    return self.output(self.transformer(words, memory, tgt_mask=mask))


# %% open_placed_picture [two] no mask, and the picture gets a position too
def forward(self, features, captions):
    words = self.positional_encoding(self.embedding(captions))
    memory = self.positional_encoding(self.visual_projection(features).unsqueeze(1))
    return self.output(self.transformer(words, memory))


# %% relu_and_placeless [two] ReLU on the picture, no positions
def forward(self, features, captions):
    S = captions.shape[1]
    mask = torch.ones(S, S, device=captions.device).tril()
    memory = self.visual_projection(features).relu().unsqueeze(1)
    return self.output(self.transformer(self.embedding(captions), memory, tgt_mask=mask))


# %% placed_twice_open [two] positions are added twice, no mask
def forward(self, features, captions):
    words = self.positional_encoding(self.embedding(captions))
    memory = self.visual_projection(features).unsqueeze(1)
    return self.output(self.transformer(self.positional_encoding(words), memory))
