# %% two_lines [right]
def forward(self, x):
    x = x + self.attention(self.norm1(x))
    return x + self.feed_forward(self.norm2(x))


# %% both_read_the_input [one] attention and feed-forward side by side
def forward(self, x):
    return x + self.attention(self.norm1(x)) + self.feed_forward(self.norm2(x))


# %% norm_after_the_sum [one] as in 2017
def forward(self, x):
    x = self.norm1(x + self.attention(x))
    return self.norm2(x + self.feed_forward(x))


# %% same_norm_last_replaces [two] norm1 twice, feed-forward replaces the stream
def forward(self, x):
    x = x + self.attention(self.norm1(x))
    return self.feed_forward(self.norm1(x))
