# %% pairs_of_norm_and_part [right]
def forward(self, x):
    for norm, part in [(self.norm1, self.attention), (self.norm2, self.feed_forward)]:
        x = x + part(norm(x))
    return x


# %% clone_then_in_place [right]
def forward(self, x: torch.Tensor) -> torch.Tensor:
    stream = x.clone()
    stream += self.attention(self.norm1(x))
    after = stream.clone()
    after += self.feed_forward(self.norm2(stream))
    return after


# %% one_return [right]
def forward(self, x):
    h = torch.add(x, self.attention(self.norm1(x)))
    return torch.add(h, self.feed_forward(self.norm2(h)))


# %% both_read_the_input [one] the feed-forward part reads the stream from before the attention
def forward(self, x):
    a = self.attention(self.norm1(x))
    f = self.feed_forward(self.norm2(x))
    return x + a + f


# %% added_to_the_norm [one] the attention's result is added to the normalised copy
def forward(self, x):
    x = self.norm1(x)
    x = x + self.attention(x)
    return x + self.feed_forward(self.norm2(x))


# %% after_and_one_norm [two] norms after the parts, and norm1 used twice
def forward(self, x):
    x = x + self.norm1(self.attention(x))
    return x + self.norm1(self.feed_forward(x))


# %% no_stream_order_exchanged [two] feed-forward first, and no skip around the attention
def forward(self, x):
    x = x + self.feed_forward(self.norm2(x))
    return self.attention(self.norm1(x))
