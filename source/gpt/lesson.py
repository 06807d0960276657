# %% [markdown]
# # GPT: a name that no one has ever heard
#
# Take the picture away from the captioning Transformer and let it read nothing but its own words: what is left is a
# *language model*, a GPT. In this lesson you build a small one, and find heads in it that learn from what they have
# just read. **By the end you will be able to**
#
# - say what a language model is trained for, and measure its loss in nats;
# - write a block whose norms come before its parts, and explain what a residual stream is;
# - encode positions by rotation, and show that only distances matter;
# - find the heads that repeat a name they have never seen before, and the heads in the layer below that they need;
# - let a model write with a temperature and a nucleus, and judge what it writes;
# - keep keys and values in a cache, and say what this saves and what it costs;
# - find out what ails a trained model, and prove it with a cure.
#
# It takes about four and a half hours; times are given beside the headings, and optional parts take extra time. You
# need to know Python, PyTorch's tensors, and two things from the lesson `captioning`: multi-head attention with its
# causal mask, and the clocks that encode positions. Nothing is downloaded, and you don't need a graphics card.

# %% [markdown]
# ## How a lesson works
#
# - **Run** each cell with Shift + Enter, from top to bottom; after a restart, begin at the top again.
# - **Write** where it says `# Your code goes here`. The cell below checks your code in a second, and says where a
#   mistake may be.
# - **Hand in** this notebook under its own name, `gpt.ipynb`. Its last cell shows where you stand.
#
# Start with the next two cells: the first finds the workbook's modules, the second shows in a drawing how a lesson
# works.

# %% show how_a_lesson_works
from utils.drawings.lesson import how_a_lesson_works

how_a_lesson_works("gpt")

# %% [markdown]
# ## The letters we use
#
# | letter | is the number of | | letter | is the number of |
# | --- | --- | --- | --- | --- |
# | $N$ | rows of text in a batch | | $E$ | components of a vector, the width |
# | $S$ | letters of a row, places that look (target) | | $H$ | heads |
# | $T$ | places looked at (source) | | $d$ | components of one head, $E/H$ |
# | $L$ | layers | | $V$ | letters of the alphabet |

# %% given imports
import copy
import math

import torch
from torch import nn
from torch.nn import functional as F

from utils.common.devices import device_of
from utils.common.guesses import verdict
from utils.common.optional import wanted
from utils.common.printing import print_table, say  # they print in the notebook's language
from utils.common.progress import progress
from utils.gpt import check, drawings, explorer, looking, patients, plots, training, writing
from utils.gpt import model as scaffold
from utils.gpt.stand_in_attention import StandInAttention
from utils.gpt.stand_ins import StandInGPT, StandInLayers, nearest_to_minus_one, opposed, scores_of_stand_ins
from utils.gpt.tales.letters import END, LETTERS, decode, encode, training_rows, unseen_rows

guesses = {}  # what you expect, written before each training

# %% [markdown]
# ## 1. What comes next? (about 20 minutes)
#
# A language model reads a text and says, at every place, how likely each letter is to come next. That is all it is ever
# trained for. (Large models read *tokens*, which are pieces of words; ours reads letters.)
#
# Our texts are tales told by a small grammar, each about three people. The names are **invented anew for every tale**:
# each has three syllables, drawn as if by throwing dice. The next cell makes 8,000 tales to learn from, and some five
# hundred more whose names occur in none of the 8,000.

# %% show load_tales
rows = training_rows(8000, length=193, seed=1)
unseen = unseen_rows(600, length=193, seed=10_000, known=rows.names)
print(decode(rows.letters[0]).strip())
say("rows to learn from: {rows:,}; names in them: {names:,}", rows=len(rows), names=len(rows.names))
say("rows with none of these names: {unseen:,}", unseen=len(unseen))

# %% [markdown]
# ### Nats
#
# How good is a guess? Ask what probability $p$ it gave the letter that actually came. The **loss** of that letter is
# $-\ln p$, in *nats*: 0 for a letter that was certain, $\ln 2 \approx 0.69$ for the toss of a coin,
# $\ln 40 \approx 3.7$ for a blind guess among forty letters. Nats measure surprise, and surprises add up.
#
# After every letter, the model gives scores $z \in \mathbb{R}^V$ (*logits*). Softmax turns these scores into
# probabilities, so the loss of a letter $y$ is
#
# $$-\ln p_y = -\ln \frac{e^{z_y}}{\sum_v e^{z_v}} .$$

# %% [markdown]
# **Write `nats(logits, letters)`.** `letters` is $(N, S)$, one row of numbers per text. `logits` is $(N, S, V)$: the
# scores at place $s$ were given *after* letter $s$ and are about letter $s + 1$. So nobody has guessed the first
# letter, and the scores at the last place have no letter to be compared with. Return the loss of each letter from the
# second on, $(N, S-1)$, and not their mean, because we want to look at some kinds of letters separately.
#
# Stuck? `check.nats.hint()` gives a first hint; call it again for a plainer one. Every check has three.

# %% solution nats
def nats(logits, letters):
    """logits (N, S, V), letters (N, S) -> the loss of each letter from the second on (N, S - 1), in nats."""
    ### BEGIN SOLUTION
    log_p = logits[:, :-1].log_softmax(dim=-1)  # (N, S - 1, V)
    came = letters[:, 1:].unsqueeze(-1)  # (N, S - 1, 1)
    return -log_p.gather(-1, came).squeeze(-1)
    ### END SOLUTION

# %% test nats 2
check.nats(nats, nn)
### BEGIN HIDDEN TESTS
exam.nats(nats, nn)
### END HIDDEN TESTS

# %% [markdown]
# PyTorch has a function for the same loss. The next cell compares yours with it, on random scores:

# %% show second_opinion
logits, letters = torch.randn(2, 9, len(LETTERS)), torch.randint(len(LETTERS), (2, 9))
say("largest difference {difference:.1e}", difference=looking.far_from_torch(nats, logits, letters))

# %% [markdown]
# ### Four kinds of letters
#
# Not all letters are equally hard to guess, and the grammar can tell four kinds apart:
#
# - **plain**: letters of the words that all tales share, such as *met* or *by the river*;
# - **who**: a name's first letter, which says who is meant (no two names in a tale begin with the same letter);
# - **first**: a name's other letters when the name appears for the first time. They come from dice with 5 vowels and 14
#   consonants, so nobody can do better than $(3 \ln 5 + 2 \ln 14)/5 \approx 2.02$ nats on average;
# - **again**: a name's other letters when the name appears again. Anyone who remembers the tale knows them all.
#
# Our tables of losses have one column each for *plain*, *first* and *again*. (We leave out *who*: nobody can know for
# certain who comes next, so this loss says little.)
#
# How far can we get without any network? The next cell counts how often each pair of neighbouring letters occurs in all
# the rows, and puts the counts into a table of *pairs*. It then prints the loss, in nats, that this table reaches on
# each kind of letter. Such a table knows the habits of the alphabet. Will its loss be lower on *again* than on *first*,
# and how low will it be? Write down a number before you run the cell.

# %%
guesses["again, table of pairs"] = ...  # nats per letter

# %% show pair_table
pairs = looking.pair_table(rows)  # (V, V), the logarithm of how often one letter follows another
counted = looking.by_kind(nats(pairs[unseen.letters], unseen.letters), unseen)
print_table(looking.rows_by_kind({"table of pairs": counted}), heads=("nats per letter", *looking.KIND_NAMES))
verdict(guesses, {"again, table of pairs": counted.again})

# %% [markdown]
# Compare *first* with *again*. The table sees one letter and nothing before it, so it cannot know whether the tale has
# mentioned a name before. A model that does better on *again* than on *first* must remember what it has read. Keep an
# eye on these two numbers: much of this lesson is about the difference between them.

# %% [markdown]
# ## 2. The block (about 20 minutes)
#
# ### A stream
#
# A GPT is a stack of identical **blocks**. One vector for each place runs through all of them: the **residual stream**.
# No part ever replaces the stream. Instead, each part reads a copy of it, thinks, and *adds* what it has found:
#
# $$x \leftarrow x + \mathrm{attention}(\mathrm{norm}_1(x)), \qquad
# x \leftarrow x + \mathrm{feedforward}(\mathrm{norm}_2(x)).$$
#
# Attention is the only part that carries anything from one place to another. The feed-forward part works on each place
# by itself.

# %% [markdown]
# The picture shows a block: the stream runs straight up on the left, and each part takes a copy of it through a norm
# and adds its result at a plus sign.

# %% show draw_block
drawings.block()

# %% [markdown]
# In the decoder of the captioning lesson, the norm came *after* the sum, on the stream itself (as in the original
# Transformer of 2017). Here the norm comes **before** each part, on the copy. Nearly all large models since GPT-2 have
# made this small change. It leaves the stream a plain sum from bottom to top, so gradients run down it without being
# rescaled by every layer, and deep stacks learn without special care.

# %% [markdown]
# ### The norm
#
# The norm itself is simpler than the LayerNorm of the captioning lesson. **RMSNorm** (Zhang and Sennrich 2019) divides
# a vector by the root of its mean square and multiplies each component by a learned gain; it does not subtract the
# mean:
#
# $$y_j = g_j\, \frac{x_j}{\sqrt{\tfrac1E \sum_{k=1}^{E} x_k^2 + \varepsilon}} .$$
#
# The small $\varepsilon$ is under the root, so that a vector of zeros stays a vector of zeros.

# %% [markdown]
# **Write `RMSNorm.forward(x)`.** `x` has the shape $(\dots, E)$, with any number of axes in front; each vector along
# the last axis is divided by its own root. The gain is `self.gain`, $(E,)$, and $\varepsilon$ is `self.epsilon`. Write
# it with sums, means and roots, not with PyTorch's ready-made norm. Leave `x` itself unchanged: the stream needs it.

# %% solution rms_norm
class RMSNorm(scaffold.RMSNorm):
    """The norm of the formula above: vectors (..., E) -> vectors (..., E)."""

    def forward(self, x):
        ### BEGIN SOLUTION
        mean_square = x.pow(2).mean(dim=-1, keepdim=True)  # (..., 1)
        return self.gain * x / (mean_square + self.epsilon).sqrt()
        ### END SOLUTION

# %% test rms_norm 2
check.rms_norm(RMSNorm)
### BEGIN HIDDEN TESTS
exam.rms_norm(RMSNorm)
### END HIDDEN TESTS

# %% [markdown]
# **Write `Block.forward(x)`**, the two updates at the start of this section. `x` is $(N, S, E)$, and so is the result.
# The parts are already there: `self.norm1`, `self.attention`, `self.norm2` and `self.feed_forward`, each of which takes
# $(N, S, E)$ and returns $(N, S, E)$. Do not change the input in place: other code may still use it.

# %% solution block
class Block(scaffold.Block):
    """The stream before the block (N, S, E) -> the stream after it (N, S, E)."""

    def forward(self, x):
        ### BEGIN SOLUTION
        x = x + self.attention(self.norm1(x))
        x = x + self.feed_forward(self.norm2(x))
        return x
        ### END SOLUTION

# %% test block 4
check.block(Block)
### BEGIN HIDDEN TESTS
exam.block(Block)
### END HIDDEN TESTS

# %% [markdown]
# ## 3. Turn the hands (about 30 minutes)
#
# Attention sees only a set, so positions must come from somewhere else. The earlier lessons wrote a position *beside* a
# value, or *added* a pattern of clock hands. Since 2023, nearly all large language models have done something different
# with parts that you already know: they **turn** the hands.
#
# Take the $d$ components of a query or a key in pairs, $(x_0, x_1), (x_2, x_3), \dots$ Each pair is a point in the
# plane. At position $p$, turn pair $m$ by the angle $p\,\omega_m$, where the speeds are those of the clocks:
#
# $$\omega_m = 10000^{-2m/d}, \qquad
# \begin{pmatrix} y_{2m} \\ y_{2m+1} \end{pmatrix} =
# \begin{pmatrix} \cos p\,\omega_m & -\sin p\,\omega_m \\ \sin p\,\omega_m & \cos p\,\omega_m \end{pmatrix}
# \begin{pmatrix} x_{2m} \\ x_{2m+1} \end{pmatrix}, \qquad m = 0 \ldots d/2 - 1 .$$

# %% [markdown]
# The picture shows one pair of components, of a query at position 5 and of a key at position 3, before and after the
# turn. Both have been turned. Turning leaves their lengths as they are, so the dot product notices only the angle
# *between* them, and this angle has changed by two steps: the distance between the two positions.

# %% show draw_hands
drawings.turned_hands()

# %% [markdown]
# So the dot product of a turned query with a turned key depends on the positions only through $p_q - p_k$, wherever the
# two are. This is called **rotary position embedding**, RoPE (Su et al. 2021). Only queries and keys are turned,
# because they decide where to look. Values are the content that is carried, so they stay as they are, and no position
# is added to the stream.

# %% [markdown]
# **Write `rotate(x, start=0)`.** `x` is $(N, H, S, d)$, with an even $d$; its $S$ places are the positions `start`,
# `start + 1`, and so on (`start` will matter in section 9). Return a new tensor of the same shape; `x` itself stays
# unchanged. Each pair consists of two *neighbours*, as in the formula; some programs pair component $m$ with component
# $m + d/2$ instead, which works just as well, but only with weights that were trained that way.
#
# What you write should also run on a GPU: create any new tensor on the device of the inputs, with `device=x.device`.
# The checks test this on a simulated GPU.

# %% solution rotate
def rotate(x, start=0):
    """x (N, H, S, d), whose places are start, start + 1, ... -> each pair of components turned (N, H, S, d)."""
    ### BEGIN SOLUTION
    S, d = x.shape[-2:]
    position = torch.arange(start, start + S, device=x.device).unsqueeze(1)  # (S, 1)
    speed = 10000.0 ** (-torch.arange(0, d, 2, device=x.device) / d)  # (d/2,)
    angle = position * speed  # (S, d/2)
    cos, sin = angle.cos(), angle.sin()
    first, second = x[..., 0::2], x[..., 1::2]  # (N, H, S, d/2)
    turned = torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1)
    return turned.flatten(-2)
    ### END SOLUTION

# %% test rotate 5
check.rotate(rotate, nn)
### BEGIN HIDDEN TESTS
exam.rotate(rotate, nn)
### END HIDDEN TESTS

# %% [markdown]
# The figure shows the dot product of one query with one key against the distance between them, with the query at
# position 20, 60 and 100. If only the distance matters, how many lines will you be able to tell apart?

# %% show draw_distances
plots.products_by_distance(rotate)

# %% [markdown]
# ## 4. The language model (about 25 minutes)
#
# ### Attention with turned hands
#
# The attention is the one you know, with three changes: queries and keys are turned; the mask is always the causal one,
# so a place looks at itself and at what came before it; and a separate method computes the weights, because sections 6
# and 7 study them.
#
# $$A_i = \mathrm{softmax}\!\left(\frac{\mathrm{rotate}(Q_i)\,\mathrm{rotate}(K_i)^\top}{\sqrt d} + \text{mask}\right),
# \qquad Y = [\,A_1 V_1 \,\cdots\, A_H V_H\,]\, W_o .$$
#
# In the code, the matrix $W_o$, which mixes what the heads have found, is the layer `self.proj`.

# %% [markdown]
# **Write both methods of `SelfAttention`.** `look(x)` takes $x$, $(N, S, E)$, and returns the weights $(N, H, S, S)$:
# row $s$ says where place $s$ looks, sums to one, and is exactly zero at later places. `forward(x)` returns
# $(N, S, E)$.
#
# The layers `self.query`, `self.key`, `self.value` and `self.proj` are already there, without biases, and so are two
# methods that you know from `captioning`: `self.split(x)`, from $(N, S, E)$ to $(N, H, S, d)$, and `self.join(x)`, back
# again. `self.head_dim` is $d$. To turn queries and keys, call `self.rotate`: the check puts another function in its
# place, so that only this class is judged.

# %% solution self_attention
class SelfAttention(scaffold.SelfAttention):
    """Causal self-attention in H heads, whose queries and keys are turned by their positions."""

    def look(self, x):
        """x (N, S, E) -> where each place looks: weights (N, H, S, S)."""
        ### BEGIN SOLUTION
        query = self.rotate(self.split(self.query(x)))  # (N, H, S, d)
        key = self.rotate(self.split(self.key(x)))  # (N, H, S, d)
        scores = query @ key.transpose(2, 3) / math.sqrt(self.head_dim)  # (N, H, S, S)
        later = torch.ones_like(scores, dtype=torch.bool).triu(1)
        scores = scores.masked_fill(later, float("-inf"))
        return scores.softmax(dim=-1)
        ### END SOLUTION

    def forward(self, x):
        """x (N, S, E) -> what each place found there (N, S, E)."""
        ### BEGIN SOLUTION
        value = self.split(self.value(x))  # (N, H, S, d)
        context = self.look(x) @ value  # (N, H, S, d)
        return self.proj(self.join(context))
        ### END SOLUTION

# %% test self_attention 6
check.self_attention(SelfAttention)
### BEGIN HIDDEN TESTS
exam.self_attention(SelfAttention)
### END HIDDEN TESTS

# %% [markdown]
# ### Two questions about your own code
#
# Can you say what your code does without running it? When the check above passes, the next cell prints two questions
# about *your* `SelfAttention` and a small input $x$:
#
# 1. If one number in $x$ were different, which rows of the result $y$ of `forward` would change? $y$ is $(N, S, E)$,
#    and its row `y[n, s]` is the vector of text $n$ at place $s$.
# 2. If one line of your class were changed as shown, what would `forward` return for the same $x$? The question offers
#    five words to choose from.

# %% [markdown]
# **Write `own_code()`.** It returns both answers: first the list of all rows that change, each as a pair $(n, s)$; then
# one of the five words. For example, `return [(0, 1), (0, 2)], "some"` says that in text 0 the vectors of places 1 and
# 2 change with the number, and that the changed line changes some of the rows.
#
# Answer on paper first, then try it out in a cell of your own. The check only tests whether your answers have the right
# form. You will learn whether they are right when the notebook is graded. If you change your `SelfAttention`, the
# questions change as well, so ask again.

# %% show ask
check.own_code.ask(SelfAttention)

# %% solution own_code
def own_code():
    """Return the rows that change with the number, and what the changed line gives."""
    ### BEGIN SOLUTION
    return [(1, 0), (1, 1), (1, 2), (1, 3), (1, 4)], "error"
    ### END SOLUTION

# %% test own_code 2
check.own_code(own_code, SelfAttention)
### BEGIN HIDDEN TESTS
exam.own_code(own_code, SelfAttention)
### END HIDDEN TESTS

# %% [markdown]
# ### All of it
#
# The whole model is short. Letters become vectors, the stream runs through the blocks, and at the top a final norm and
# a linear layer turn each place's vector into scores for the next letter.

# %% [markdown]
# The picture shows the model from bottom to top, with two blocks. No positions are added anywhere, and there is nothing
# to look at except the text itself.

# %% show draw_gpt
drawings.whole_model()

# %% [markdown]
# Here is the same model in code, line by line from the bottom of the picture to its top. It is built from your own
# blocks, which contain your attention, your norm and your `rotate`.

# %% given language_model
class GPT(scaffold.GPT):
    """A language model: letters (N, S) -> scores of each next letter (N, S, V)."""

    def forward(self, letters):
        x = self.embedding(letters)  # (N, S, E)
        for block in self.blocks:  # the lowest first
            x = block(x)
        x = self.norm(x)
        return self.output(x)

# %% [markdown]
# The next cell builds a model of two blocks out of your classes and counts its weights. Its vectors have $E = 96$
# components, each of its $H = 4$ heads has $d = 24$ of them, and each feed-forward part has $2E = 192$ hidden units.
# Which part has the most weights? (In large models the feed-forward part is twice as wide, $4E$: what share of the
# weights would it have?)

# %% show count_weights
parts = GPT, Block, SelfAttention, RMSNorm, rotate
two_layers = scaffold.build(*parts, num_letters=len(LETTERS), layers=2)
print_table(scaffold.weights_by_part(two_layers), heads=("part", "weights"))
say("weights in all: {count:,}", count=nn.utils.parameters_to_vector(two_layers.parameters()).numel())

# %% [markdown]
# ## 5. One layer, and two (about 15 minutes)
#
# Two models learn from the same rows: one with a single block, one with two. Before you run anything, think about what
# each of them can learn. Which of the kinds *plain*, *first* and *again* will the model with one block get right? Will
# a second block help with any of them?

# %% essay guess 2 [markdown]
# **Your guess, before the training.** For each kind of letter, *plain*, *first* and *again*, guess the loss in nats for
# one layer and for two layers, and give a reason for one of your numbers. Any guess with a reason counts; it doesn't
# have to come true.
#
# ### BEGIN SOLUTION
# *Model answer.* Any numbers. For example: *plain* becomes small with either model, because the grammar is simple;
# *first* stays at 2.02, because dice cannot be guessed; *again* stays at 2 with one layer and falls with two, because a
# letter must learn what comes before it before another letter can look for it.
#
# *Points.*
#
# - `numbers` 1: a number for each kind of letter, for one layer and for two. *Words:* plain, first, again, nats.
# - `reason` 1: a reason for one of the numbers, right or wrong. *Words:* because, since, cannot, dice.
# ### END SOLUTION

# %% [markdown]
# ### How a model learns
#
# The next cell is folded. Open it and read it, because it is the whole training. It does the same thing a thousand
# times: take a batch of 10 rows at random; let the model score every next letter; take the mean of *your* `nats`; from
# this one number, work backwards to how each weight would have to change (its gradient); and change every weight a
# little. The rest is a matter of care: old gradients are set to zero, a gradient that is too long is shortened, and the
# steps are short at the beginning and at the end. Two *optimisers* turn gradients into steps: Adam, as in the earlier
# lessons, and *Muon* (Jordan et al. 2024) for the matrices of the blocks. Muon makes a step equally long in all
# directions of a matrix, so that a head also learns from the directions in which the gradient is weak.
#
# One thing is new. In some rows, chosen at random in each batch, the attention of the second layer is left out, and the
# rest of the model has to do without it. This is a kind of dropout, called *stochastic depth* (Huang et al. 2016). The
# model with one layer keeps its attention. With two layers, the model thus learns the words that all tales share even
# without that attention, so section 6 can show what else the attention is for.

# %% given train
@training.kept_for_next_time  # on this computer; change anything here, and the model is trained again
def train(model, rows, nats, *, steps=1000, measure=None, seed=0, description="training"):
    """Train `model` on `rows`; return what `measure(model)` says now and then, with the steps made."""
    optimisers = training.optimisers(model)  # Muon for the matrices of the blocks, Adam for all other weights
    schedules = [training.schedule(optimiser, steps) for optimiser in optimisers]
    chance = torch.Generator().manual_seed(seed)
    measured = []
    model.train()
    bar = progress(range(steps), description, total=steps)
    for step in bar:
        chosen = torch.randint(len(rows), (10,), generator=chance)
        letters = rows.letters[chosen].to(device_of(model))  # (N, S)
        with training.last_attention_left_out(model, chance):
            logits = model(letters)  # (N, S, V)
        loss = nats(logits, letters).mean()
        for optimiser in optimisers:
            optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for each in (*optimisers, *schedules):
            each.step()
        if measure is not None and training.is_measured(step + 1, steps):
            model.eval()
            measured.append((step + 1, measure(model)))
            model.train()
            bar.set_postfix(loss=f"{loss.item():.3f}", refresh=False)
    model.eval()
    return measured

# %% [markdown]
# Now train both models. One layer takes about three quarters of a minute, two layers a minute and a half. After every
# fiftieth batch, the cell measures the losses on rows with new names, and keeps a snapshot of the weights for the next
# section. First write down two numbers from the answer that you have just given.

# %%
guesses["one layer"] = ...  # nats of a letter of *again*
guesses["two layers"] = ...

# %% show train_both
one_layer = scaffold.build(*parts, num_letters=len(LETTERS), layers=1)
measure = looking.measure(nats, unseen)
history = {
    "one layer": train(one_layer, rows, nats, measure=measure, description="one layer"),
    "two layers": train(two_layers, rows, nats, measure=measure, description="two layers"),
}
reached = {name: losses for name, [*_, (_, (losses, _))] in history.items()}
verdict(guesses, {name: losses.again for name, losses in reached.items()})

# %% [markdown]
# The figure shows both models side by side, with three curves each: the nats of a *plain* letter, of a name's letters
# the *first* time, and of the same letters *again*. The dotted line is at 2.02, the best that anybody can do against
# the dice. Follow *again* on both sides. Then look closely at *first*: does either model end above 2.02, worse than
# somebody who knows only the dice?

# %% show draw_learning
plots.learning_curves(history)
print_table(
    looking.rows_by_kind(reached),
    heads=("nats per letter", *looking.KIND_NAMES),
)

# %% [markdown]
# Think about what this means. The names in these rows were in no training text, so no weight can have stored them. Yet
# after reading them *once*, the model with two layers spells them as if it had known them all its life: it has learned
# them while reading, without any training. This is called **in-context learning**.
#
# One layer has learned something as well: it knows *which* letters occur in this tale's names, but not in which order.
# A key of its attention knows its own letter and how far away it is, but not the letter before it, and section 6 shows
# what that costs. This is not because one layer is too small: we trained a single layer with as many weights as the two
# layers have, with five seeds, and it never came near the two layers (`benchmarks/gpt.md` in the workbook's
# repository).
#
# And *first*? Both models end a little *above* the 2.02 of the dice, with each of our five seeds. They seem to trust
# what they have read even where it cannot help. With two layers you can test this, because the next section takes away
# the heads that look for an earlier mention of a name. Watch *first* there, too.

# %% [markdown]
# ## 6. Catch the head (about 30 minutes)
#
# How do two layers do it? Elhage and others (2021) proposed an answer, and you can test it on your own model. Suppose
# the text contains *Nelako* and has just reached *Nel* again. To continue, the model has to find where *Nel* occurred
# before and see what came **after** it. A head that does this is called an **induction head**. (Olsson and others found
# such heads in large models in 2022. Their definition of an induction head uses random strings that occur twice; our
# heads have learned to copy *names*, but not such strings.)
#
# One layer cannot do this, because a place's key says which letter is there, but not which letters came before it. It
# takes two steps. In the first layer, every place looks at the few letters before it and writes what it has found into
# the stream. In the second layer, a place asks: where is a letter that comes *right after the letters that I have just
# seen*? It looks there and copies that letter. How many letters the first step looks back, and how its heads share the
# work, differ from one training to the next: you will measure both.

# %% [markdown]
# The picture shows both steps in a text that contains *Nelako* and later *Nel*. Below, in the first layer, the *a* of
# *Nelako* looks at the two letters before it, *e* and *l*. Above, in the second layer, the last *l*, which also has an
# *e* before it, looks at that *a*.

# %% show draw_induction
drawings.induction()

# %% [markdown]
# ### A score
#
# Let us measure how much of a head's weight is on *the letters that came right after earlier occurrences of this
# place's letter*. Here is a small example: three places with the numbers 7, 4, 7. Place 2 is like place 0, since both
# have a 7, and the place right after place 0 is place 1. So if row 2 of a head's weights is $(0.1, 0.8, 0.1)$, place 2
# scores 0.8; place 1 scores 0, because its 4 has not occurred before.
#
# In general, the score of place $i$ in row $n$ is the sum of its weights at **all** places $t \ge 1$ that come right
# after a place like $i$, not just at the last of them:
#
# $$\sum_{t \,:\, \text{letter}_{n,t-1} = \text{letter}_{n,i}} A_{n,h,i,t} .$$
#
# A head's score is the mean over the places that count; for us, these are the places at which the model has to guess a
# letter of *again*. And instead of single letters, which occur in many words, we will number *pairs*: a letter together
# with the one before it.

# %% [markdown]
# **Write `induction_score(weights, letters, asked)`**, which returns the score of each head, $(H,)$: one mean over all
# the places that count, in all rows together. `weights`, $(N, H, S, S)$, says for each head where each place looks.
# `letters` is $(N, S)$: two places are alike if their numbers are the same. `asked` is $(N, S)$: `True` at the places
# that count, of which there is at least one, and `False` elsewhere. (Places after $i$ need no special care, because
# their weights are zero.)

# %% solution induction_score
def induction_score(weights, letters, asked):
    """weights (N, H, S, S), letters (N, S), asked (N, S) -> the weight on what came after this, earlier (H,)."""
    ### BEGIN SOLUTION
    alike = letters.unsqueeze(2) == letters.unsqueeze(1)  # (N, S, S)
    after = torch.zeros_like(alike)
    after[:, :, 1:] = alike[:, :, :-1]  # place t counts if the letter before it is like letter i
    looked = (weights * after.unsqueeze(1)).sum(dim=-1)  # (N, H, S)
    return looked.transpose(1, 2)[asked].mean(dim=0)
    ### END SOLUTION

# %% test induction_score 4
check.induction_score(induction_score)
### BEGIN HIDDEN TESTS
exam.induction_score(induction_score)
### END HIDDEN TESTS

# %% [markdown]
# The next figure shows the score of each head at each snapshot of the training, and below it the loss of *again*. In
# which layer do heads reach a high score, and what does the loss do when they begin to score?

# %% show draw_scores
scores = looking.scores_by_step(two_layers, history["two layers"], induction_score, unseen)
plots.scores_and_losses(scores, history["two layers"])

# %% [markdown]
# And what does such a head look at? The next figure shows this for the head with the highest score. Each row is a piece
# of a tale, up to the letter in the frame; the stronger the colour of a letter, the more weight it has. Is the letter
# with the strongest colour the one that will come next?

# %% show draw_looks
layer, head = looking.best_head(scores)
plots.text_with_weights(looking.examples(two_layers, unseen, layer, head))

# %% [markdown]
# ### Take the head away
#
# A score alone proves nothing: the head might look there without anybody listening. So take the head away. When `proj`
# reads the heads' results, they are side by side. Because PyTorch stores `weight` as $(E, E)$ and computes $y = W x$,
# head $h$ enters through **columns** $h d$ to $(h+1) d - 1$ of `proj.weight`.
#
# **Write `without_heads(attention, heads)`.** `attention` is a layer such as yours, and `heads` is a list of head
# numbers, counted from 0. Return a *copy* of the layer (`copy.deepcopy`) in which these heads add nothing to the
# result, while everything else is as before. The layer itself must not change.

# %% solution without_heads
def without_heads(attention, heads):
    """Return a copy of an attention layer in which `heads` add nothing to the result."""
    ### BEGIN SOLUTION
    silenced = copy.deepcopy(attention)
    d = attention.head_dim
    with torch.no_grad():
        for head in heads:
            silenced.proj.weight[:, head * d : (head + 1) * d] = 0
    return silenced
    ### END SOLUTION

# %% test without_heads 2
check.without_heads(without_heads, StandInAttention)
### BEGIN HIDDEN TESTS
exam.without_heads(without_heads, StandInAttention)
### END HIDDEN TESTS

# %% [markdown]
# The next cell switches off the heads of the second layer that score at least a quarter. The first head to go is the
# one with the highest score, and each further row of the table switches off one more. In the last row these heads are
# on again, and all the *other* heads of the layer are off. What will the loss on *again* be when all the heads with a
# high score are off, and what will it be without the others?

# %%
guesses["without the named heads"] = ...  # nats of a letter of *again*
guesses["without the others"] = ...

# %% show switch_off
off = looking.switched_off(two_layers, scores, without_heads, nats, unseen)
print_table(looking.rows_by_kind(off), heads=("heads switched off", *looking.KIND_NAMES))
*_, others = off.values()
named = max(losses.again for losses in off.values())
verdict(guesses, {"without the named heads": named, "without the others": others.again})

# %% [markdown]
# When all the heads with a high score are off, the names are gone: the loss on *again* is nearly what it would be if
# the model had never read the name. *First* falls towards the 2.02 of the dice, which nobody can beat. *Plain* changes
# little. And without the others, the names mostly stay.
#
# The training is one reason why *plain* suffers so little: in some rows the model had to do without these heads. If the
# model never has to do without them, the same heads also copy the letters of common words that have occurred in the
# tale before, and *plain* suffers as well when the heads are switched off (`benchmarks/gpt.md`).
#
# How the heads share the work changes from one run to the next. In our five runs, three heads of the second layer
# shared it, so each of them alone matters less than you would think.

# %% [markdown]
# ## 7. Who feeds the heads? (about 25 minutes)
#
# ### Where the first layer looks
#
# No head of the first layer has a high score, and yet our explanation needs heads there that look at the letters just
# before. So measure this as well. The letter $k$ places back from place $i$ is at place $i - k$. The first $k$ places
# of a row have no such letter; the other $S - k$ places have one, and a head gives it a certain weight. The mean of
# these weights says how much the head looks $k$ places back.

# %% [markdown]
# **Write `back(weights, k)`.** `weights`, $(N, H, S, S)$, says for each head where each place looks, as above. Return
# this mean for each head, $(H,)$: one mean over the $S - k$ places that have such a letter, in all rows together. `k`
# is at least 1 and less than $S$ (we test no other $k$).

# %% solution back
def back(weights, k):
    """weights (N, H, S, S) -> each head's mean weight on the letter k places back (H,)."""
    ### BEGIN SOLUTION
    there = weights.diagonal(-k, dim1=2, dim2=3)  # (N, H, S - k): of place i on place i - k
    return there.mean(dim=(0, 2))
    ### END SOLUTION

# %% test back 2
check.back(back)
### BEGIN HIDDEN TESTS
exam.back(back)
### END HIDDEN TESTS

# %% [markdown]
# The next figure shows what your function finds in the first layer: each head's weight on the letters 1 to 8 places
# back. If a head spent all of its weight on the letter just before, its curve would be at 1 there and at 0 elsewhere.
# How large will the largest of these weights be, over all heads and distances?

# %%
guesses["largest weight, layer 1"] = ...  # between 0 and 1

# %% show draw_back
first_layer = looking.looks(two_layers, unseen.letters[: looking.MEASURED])[0]  # (N, H, S, S)
backs = {k: back(first_layer, k) for k in range(1, 9)}
plots.weights_back(backs)
verdict(guesses, {"largest weight, layer 1": float(torch.stack(list(backs.values())).max())})

# %% [markdown]
# ### Composition
#
# Weights show where a head looks, not whether anybody needs what it finds. So take heads away again, but now in the
# *first* layer, and watch the scores of the *second*. If these scores fall, the second layer's heads must have used
# what the missing head wrote into the stream. When heads of one layer build on heads of another, this is called
# **composition**.
#
# **Write `score_without(model, head, without_heads, scores_of)`**, which does this experiment with one head of the
# first layer, number `head`, and returns the scores that the heads of the second layer have while it is off, $(H,)$.
# The layers' attentions are `model.blocks[0].attention` and `model.blocks[1].attention`; you can assign another layer
# to either. The last two arguments are functions: `without_heads` is yours, and `scores_of(model)` returns the scores
# of all heads, $(L, H)$, the first layer first. (The check puts other functions in their place, so that only this one
# is judged.)
#
# Afterwards the model must be as it was before: the next head is tested with the same model. (We do not test what
# happens to the model if one of the functions raises an error.)

# %% solution score_without
def score_without(model, head, without_heads, scores_of):
    """The scores of the second layer's heads (H,) while one head of the first layer is off."""
    ### BEGIN SOLUTION
    block = model.blocks[0]
    whole = block.attention
    block.attention = without_heads(whole, [head])
    scores = scores_of(model)[1]  # (H,)
    block.attention = whole
    return scores
    ### END SOLUTION

# %% test score_without 2
check.score_without(score_without, StandInLayers, opposed, scores_of_stand_ins)
### BEGIN HIDDEN TESTS
exam.score_without(score_without, StandInLayers, opposed, scores_of_stand_ins)
### END HIDDEN TESTS

# %% [markdown]
# The next table has a row for each head of the first layer: its mean weight on the letters 1, 2 and 3 places back, as
# your `back` measures it, and the highest score that any head of the second layer still has without it, as your
# `score_without` measures it. What will this score be without the head that the second layer needs most?

# %%
guesses["score without the head needed most"] = ...  # between 0 and 1

# %% show first_layer
def scores_of(model):
    return looking.scores_of(model, induction_score, unseen)


best = {"no head": scores_of(two_layers)[1].max()}
for head in range(two_layers.blocks[0].attention.num_heads):
    best[str(head)] = score_without(two_layers, head, without_heads, scores_of).max()
print_table(
    looking.rows_of_first_layer(backs, best),
    heads=("head of layer 1 off", "1 back", "2 back", "3 back", "best score of layer 2"),
)
verdict(guesses, {"score without the head needed most": float(min(best.values()))})

# %% [markdown]
# In the first layer, you are unlikely to find a head that looks one letter back and does all the work. In each of our
# five runs, no head put more than a third of its weight on one distance: the weight is spread over the last three
# letters and over several heads, so none of them does the whole job. But the second layer needs what they write:
# without the head that it needs most, its best score fell by a quarter to a half in each of the five runs.
#
# The page at the end of section 9 shows these heads as well: point at a letter there to see where each head looks, and
# take one away while your model writes.

# %% [markdown]
# ## 8. Let it write (about 25 minutes)
#
# A language model writes by guessing: draw the next letter from its probabilities, append it, and guess again. Two
# numbers determine how bold it is.
#
# The **temperature** $\tau$ divides the scores before the softmax, as in the translation lesson; below 1, it makes the
# likely letters even more likely. The **nucleus** (Holtzman et al. 2020) then cuts off the tail: it keeps the most
# likely letters, but only as many as it takes for the sum of their probabilities to reach `top_p`. All other
# probabilities become exactly zero, and those that are left are divided by their sum.

# %% [markdown]
# **Write `nucleus(logits, temperature, top_p)`**, which applies both to the scores of several texts. `logits` is
# $(N, V)$; return the probabilities, $(N, V)$, from which the next letters are drawn. Each row has a nucleus of its
# own, and each letter stays in its own column. The letter with which the sum reaches `top_p` is kept, so there is
# always at least one.

# %% [markdown]
# **Catch the mistakes first** (optional, no points). Before you write `nucleus`, think of a small example that would
# expose a mistake in it. Choose the numbers, and see how many of the known mistakes your example reveals. `shares`
# gives the probabilities of three letters at a temperature of 1, in tenths: `[5, 3, 2]`, `[2, 5, 3]` or `[3, 2, 5]`.
# The temperature is 1, 0.5 or 2, and `top_p` is 0.3, 0.6, 0.9 or 1.

# %%
check.nucleus.catch(shares=[5, 3, 2], temperature=1, top_p=1)

# %% solution nucleus
def nucleus(logits, temperature=1.0, top_p=1.0):
    """logits (N, V) -> probabilities (N, V) of the likeliest letters that together have top_p; the others are 0."""
    ### BEGIN SOLUTION
    p = (logits / temperature).softmax(dim=-1)  # (N, V)
    likeliest, order = p.sort(dim=-1, descending=True)
    before = likeliest.cumsum(dim=-1) - likeliest  # the sum of all that are likelier
    likeliest = likeliest.masked_fill(before >= top_p, 0.0)
    kept = torch.zeros_like(p).scatter(-1, order, likeliest)
    return kept / kept.sum(dim=-1, keepdim=True)
    ### END SOLUTION

# %% test nucleus 4
check.nucleus(nucleus)
### BEGIN HIDDEN TESTS
exam.nucleus(nucleus)
### END HIDDEN TESTS

# %% [markdown]
# **Write `generate(language_model, letters, length, choose)`**, which lets a model write $N$ texts at once. `letters`,
# $(N, S)$, are their beginnings. Two of the arguments are functions: `language_model` takes letters and returns scores,
# as your model does; `choose` takes the scores for the next letter of each text, $(N, V)$, and returns the letters that
# it has chosen, $(N,)$. Return beginnings and continuations together, $(N, S + \text{length})$. To choose each new
# letter, let the model read everything before it, including the earlier new letters, and use the scores that it then
# gives for the next letter.

# %% solution generate
@torch.no_grad()
def generate(language_model, letters, length, choose):
    """Beginnings (N, S) -> texts (N, S + length); choose: scores (N, V) -> the next letters (N,)."""
    ### BEGIN SOLUTION
    for _ in range(length):
        logits = language_model(letters)[:, -1]  # (N, V)
        following = choose(logits)
        letters = torch.cat([letters, following.unsqueeze(1)], dim=1)
    return letters
    ### END SOLUTION

# %% test generate 3
check.generate(generate, StandInGPT, nearest_to_minus_one)
### BEGIN HIDDEN TESTS
exam.generate(generate, StandInGPT, nearest_to_minus_one)
### END HIDDEN TESTS

# %% [markdown]
# Now let the models start from nothing but a line end, at a temperature of 0.5: the model with one layer writes one
# tale, then the model with two layers writes three. Count the people in each tale.

# %% show write_tales
def choose(logits):
    return torch.multinomial(nucleus(logits, temperature=0.5), num_samples=1).squeeze(1)


torch.manual_seed(0)
start = encode(END).unsqueeze(0)  # (1, 1)
for language_model in (one_layer, two_layers, two_layers, two_layers):
    print(decode(generate(language_model, start, 180, choose)[0]).strip().split(END)[0])
    print()

# %% [markdown]
# The grammar of both models is nearly faultless. But with one layer, hardly anybody appears twice. With two, the same
# people meet again, and *their names are invented*: they are not copied from the training tales, but thrown with dice
# that the model has learned to imitate, and then remembered. Look for a name put together from the halves of two
# others: some runs write such chimeras. Why would heads that look only for the same last few letters produce such
# names?
#
# The grammar can judge all this. For each temperature, the next table gives the share of sentences that have the
# grammar's form; the share of these in which people meet *themselves*; the share of names that occur in no training
# tale (the dice alone would give 93%); and the number of different names in a tale (three would be right). How many
# names will a tale have at a temperature of 1.5?

# %%
guesses["names in a tale"] = ...  # at a temperature of 1.5

# %% show judge_tales
judged = writing.judged(two_layers, generate, nucleus, known=rows.names, temperatures=(0.5, 1.0, 1.5))
print_table(
    judged,
    heads=("temperature", "sentences well formed", "with oneself", "names never seen", "names in a tale"),
)
verdict(guesses, {"names in a tale": float(judged[-1][-1])})

# %% [markdown]
# The first column looks like a success. The second does not: in the training tales nobody ever meets himself, but your
# model writes such sentences all the time. It has learned to copy a name perfectly, but *not* whom to leave out. A
# measure that counts only the mistakes you have thought of says 100% and misses this one. (On the page at the end of
# section 9, one slider changes the temperature and another the nucleus, and the tale changes as you move them.)

# %%
# Your own trials: choose a top_p of 0.9 at a temperature of 1.5, or begin with a sentence of your own.
# print(decode(generate(two_layers, encode("\nDopima met Sirute. Nelako saw Do").unsqueeze(0), 60, choose)[0]))

# %% [markdown]
# ## 9. Not twice (about 25 minutes)
#
# `generate` is wasteful. For each new letter, it computes the keys and values of all earlier letters again, although
# nothing about those has changed: they cannot see what comes later. So keep them. A **cache** holds, for each layer,
# the keys and values of all places so far; a new letter computes its own key and value, appends them to the cache, and
# looks at all the places in it.

# %% [markdown]
# The picture shows one step: the cache holds the keys and values of four places; the new letter, at place 4, adds its
# own and looks at all five. Its query and its key are turned by *its* position, which the new letter alone does not
# reveal.

# %% show draw_cache
drawings.cache()

# %% [markdown]
# **Write `step(attention, x, cache)`.** `attention` is a layer such as yours, with `query`, `key`, `value`, `proj`,
# `split`, `join`, `head_dim` and `rotate`. `x`, $(N, S, E)$, holds the vectors of the $S$ letters that are new in this
# call: usually just one letter, but several when the beginning of a text is read in. `cache` is what your last call
# returned, or `None` at the start of a text. Return two things: the result for the new letters, $(N, S, E)$, and the
# new cache.
#
# The result must be the same, up to rounding, as if all letters had been given at once. Two things need care. New
# letters are not at position 0 (what is `start`?). And when $S$ new places look at $T \ge S$ places, the mask is no
# longer square: the *last* new place sees all $T$, but the first one sees only $T - S + 1$.

# %% solution step
def step(attention, x, cache=None):
    """New places x (N, S, E), cache of all before -> result (N, S, E), cache with the new places."""
    ### BEGIN SOLUTION
    start = 0 if cache is None else cache[0].shape[2]
    query = attention.rotate(attention.split(attention.query(x)), start)  # (N, H, S, d)
    key = attention.rotate(attention.split(attention.key(x)), start)
    value = attention.split(attention.value(x))
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)  # (N, H, T, d)
        value = torch.cat([cache[1], value], dim=2)
    S, T = query.shape[2], key.shape[2]
    later = torch.ones(S, T, dtype=torch.bool, device=x.device).triu(T - S + 1)
    scores = query @ key.transpose(2, 3) / math.sqrt(attention.head_dim)  # (N, H, S, T)
    weights = scores.masked_fill(later, float("-inf")).softmax(dim=-1)
    return attention.proj(attention.join(weights @ value)), (key, value)
    ### END SOLUTION

# %% test step 5
check.step(step, StandInAttention)
### BEGIN HIDDEN TESTS
exam.step(step, StandInAttention)
### END HIDDEN TESTS

# %% [markdown]
# What do we gain from the cache? The next figure plots the time that one more letter takes against the number of
# letters before it, with and without your `step`; both axes are logarithmic. Compare letter 1,025 with letter 65: how
# many times as long does it take without the cache, and how many with it?

# %%
guesses["without a cache"] = ...  # times as long as after 64 letters
guesses["with a cache"] = ...

# %% show time_letters
times = writing.times(two_layers, step, lengths=(64, 128, 256, 512, 1024))
plots.times_by_length(times)
first, last = times[0], times[-1]
verdict(guesses, {"without a cache": last.without / first.without, "with a cache": last.cached / first.cached})

# %% [markdown]
# We pay for speed with memory: one key and one value of $E$ components for each layer and each place. For our model,
# that is not much. The next cell prints the size of its cache in bytes for 1,024 letters, and then the same for a model
# as large as Llama 2 7B (32 layers, each with 32 heads of 128 components, two bytes per component) and *one* text of
# 4,096 tokens. The weights of that model take up thirteen gigabytes. How many will its cache take?
#
# And memory in turn costs time: *all* keys and values have to be read for each new letter, and it is this reading that
# large models wait for, not the arithmetic. So they let several heads **share** keys and values (Shazeer 2019; Ainslie
# et al. 2023): there are still 32 query heads, but only 8 key heads, or just 1.

# %% show cache_bytes
ours = ("2 × 4", f"{writing.cache_bytes(2, 4, 24, 1024, 4):,}")
large = [(f"32 × {heads}", f"{writing.cache_bytes(32, heads, 128, 4096, 2):,}") for heads in (32, 8, 1)]
print_table([ours, *large], heads=("layers × key heads", "bytes of the cache"))

# %% [markdown]
# ### Explore (optional)
#
# The page below runs your own two models while you play with them. Write a beginning, point at any letter, and see
# where each head looks from there and what may come next; choose another letter, and the tale goes on from it. Take
# away the heads with a high score, and watch the names go; raise the temperature, or switch on a mistake, for example a
# forgotten offset in the cache. (The first text is *Dopima met Sirute. Nelako saw Do*, and the page points at its last
# letter. Where the page cannot be shown, you get a figure instead, with some tales and the places where the best head
# looks.) `mine.save("mine.html")` saves the page as a file.
#
# The last part of the page leads one letter through the whole model, step by step: from its vector to query, key,
# score, weights and values, and on to the next letter. You see what each part adds to the next letter, and which head
# of the first layer feeds which head of the second. The five questions below it can be answered only with its help.

# %% show explore
mine = explorer.explore({"one layer": one_layer, "two layers": two_layers}, unseen, induction_score, nucleus)
mine

# %% [markdown]
# ## 10. The sick model (about 30 minutes)
#
# On the page above, you can switch on a mistake and see what it does. Now it is the other way round: a model behaves
# strangely, and you find out why. We trained a model like yours from other initial weights, and eight copies of it fell
# ill. These patients run on your own classes, which are right, but in each of them somebody has changed the weights of
# **one head**. This happens in practice, too: the weights of a large model are stored in pieces, and one piece may have
# been made by a different program from the one that reads it.
#
# Your name decides which patient you get. Run the next cell; then write your name in the one below it.

# %% given admit
whose = ""


def admitted(weights):
    """Return a model of your classes with these weights."""
    model = scaffold.build(GPT, Block, SelfAttention, RMSNorm, rotate, num_letters=len(LETTERS), layers=2)
    model.load_state_dict(weights)
    return model.eval()

# %%
whose = ""  # your name or number between the quotes

# %% [markdown]
# The next cell examines the patient and your own model. It first prints their losses, beside those of the patient
# before it fell ill, and how both models continue *Dopima met Sirute. Nelako saw Do*. Then it prints two tables, one
# for each model, with a row for each head (`1 / 0` is head 0 of layer 1). A row gives the *largest weight* of a place,
# as a mean over all places (near 1 if the head always looks at a single letter); the head's induction score; and the
# losses of *plain* and *again* when this head is taken away.

# %% show examine
patient = admitted(patients.weights(patients.number_of(whose)))
both = {"your model": two_layers, "your patient": patient}
cases = both | {"before it fell ill": admitted(patients.weights(patients.HEALTHY))}
examined = {name: looking.losses_of(each, nats, unseen) for name, each in cases.items()}
print_table(looking.rows_by_kind(examined), heads=("nats per letter", *looking.KIND_NAMES))
print()
print_table(writing.continued(both, generate), heads=("model", "text"))
for name, each in both.items():
    print()
    print_table(
        looking.rows_of_heads(each, induction_score, without_heads, nats, unseen),
        heads=(name, "largest weight", "score", "plain without it", "again without it"),
    )

# %% [markdown]
# Here is the page of section 9 again, with the patient in it. Point at letters, and see where each head looks; take
# heads away, and watch what the patient writes.

# %% show explore_patient
explorer.explore(both, unseen, induction_score, nucleus)

# %% [markdown]
# What is wrong with your patient? In one head of one layer, one of three things has happened:
#
# 1. the scores are multiplied by a number;
# 2. queries and keys are swapped in the product;
# 3. the hands turn the wrong way.
#
# With three illnesses, eight heads and a number that can be anything, there are too many cures to try them all. So
# first find out *where* the illness is. In a healthy model, the losses get worse when any head that has something to do
# is taken away. What would you expect of a head that is ill?
#
# Then find out *what* it is, and *how much*: change that head, measure the losses, and begin again with a fresh
# patient. Only the right cure brings the losses back. A number need not be exact: within a fifth of the right one is
# close enough.

# %%
# Your own trials: measure a patient after a cure.
# trial = admitted(patients.weights(patients.number_of(whose)))
# print(looking.losses_of(trial, nats, unseen))

# %% [markdown]
# **Write `heal(patient)`.** Change the patient's weights in place, under `torch.no_grad()`, so that it behaves as it
# did before it fell ill. Head $h$ of a layer has the **rows** $h d$ to $(h+1) d - 1$ of `query.weight` and of
# `key.weight`; the two components of a pair are neighbouring rows. Training the patient, or using another model's
# weights, is not a cure. Then return three numbers: the number of the illness in the list above, the number of the
# layer (1 or 2), and the number of the head (0 to 3), as in the tables.

# %% solution heal
def heal(patient):
    """Heal a model in place; return the number of its illness, of the layer (1 or 2) and of the head (0 to 3)."""
    ### BEGIN SOLUTION
    attention = patient.blocks[0].attention
    with torch.no_grad():
        attention.query.weight[25:48:2] *= -1  # the second row of each pair of head 1
        attention.key.weight[25:48:2] *= -1
    return 3, 1, 1
    ### END SOLUTION

# %% test heal 3
check.heal(heal, admitted, whose)
### BEGIN HIDDEN TESTS
exam.heal(heal, admitted, whose)
### END HIDDEN TESTS

# %% [markdown]
# The next cell shows what your cure has done: the losses of your patient, of the same patient after `heal`, and of the
# model before it fell ill.

# %% show after_cure
healed = admitted(patients.weights(patients.number_of(whose)))
heal(healed)
examined["after your cure"] = looking.losses_of(healed, nats, unseen)
in_order = ("your patient", "after your cure", "before it fell ill")
print_table(
    looking.rows_by_kind({name: examined[name] for name in in_order}),
    heads=("nats per letter", *looking.KIND_NAMES),
)

# %% [markdown]
# ## 11. Think it over (about 20 minutes)
#
# A person will read your answers to the next questions. A few sentences are enough for each.

# %% essay two_layers_why 3 [markdown]
# **1. Why two?** (a) No head of the first layer ever has a high induction score. A friend concludes that the first
# layer has nothing to do with names. Look at your table of the first layer. Without which head does the second layer's
# best score fall most, and how far? Is that the head with the most weight on the last three letters? What would you
# tell your friend? (b) Look at the table that you printed when you switched heads off. Which heads did your score pick
# out, and how much did *again* and *plain* rise without them? (c) Compare this with your guess in section 5. What
# surprised you, and what did you foresee?
#
# ### BEGIN SOLUTION
# *Model answer.* (a) The head without which the best score of the second layer falls most, with both scores and with
# its weights on the last letters from the student's own table; whether another head has more weight there. Without what
# it writes into the stream, the second layer can no longer tell which letters came before: a score says where a head
# looks, not what other heads need it for. (b) The student's own heads and numbers: *again* rises by more than one nat,
# *plain* by a tenth or so at most. (c) The student's own guess and figures.
#
# *Figures.* `switch_off`, `draw_back`, `first_layer`. Compare with the student's own tables.
#
# *Points.*
#
# - `first_layer` 1: the head of the first layer that the second needs most, with both scores, and that it writes into
#   the stream which letters came before. *Words:* first layer, before, back, score, without, stream.
# - `ablation` 1: the student's own heads, with the rise of *again* and of *plain*. *Words:* again, plain, nats, head.
# - `compared` 1: a comparison of the guess with what was measured. *Words:* guess, surprised, expected, foresaw.
# ### END SOLUTION

# %% essay own_numbers 3 [markdown]
# **2. Your own numbers.** (a) In the figure of section 9, how many times faster is a new letter with your cache, at
# 1,024 letters? How does the time for *one* letter grow with the number of letters before it, first without a cache,
# then with one? (b) A friend forgot `start`, so all new letters are at position 0. After *Nelako met Sirute. Sirute
# saw* your friend's model wrote *Si me ha mememe toltomemememememetha*. What has it lost, what does it still know, and
# why? (c) In your table, nearly all sentences are well formed at 0.5, and yet in many of them people meet themselves.
# What have the two layers learned, what have they not learned, and what would a head have to do to learn it?
#
# ### BEGIN SOLUTION
# *Model answer.* (a) The student's own factor, at least five or so. Without a cache, all places are computed again for
# one more letter: the time is at least linear in their number, and quadratic for the products of all queries with all
# keys. With a cache, only one place is computed, and it looks at $T$ places: the time is nearly constant, and linear in
# $T$ for long texts. (b) All keys and queries are at position 0, so every distance is 0: a place cannot tell its
# neighbour from any other, heads that look "one place back" find nothing of the kind, and names, words and sentences
# are lost. Whatever follows from the last letter itself still works, through the embedding and the feed-forward parts:
# a vowel comes after a consonant. (c) Two layers have learned the form of a sentence, and how to copy a name of this
# tale as soon as its first letter is chosen. They have not learned that the second name differs from the first. A head
# at the place before the second name would have to look back at the sentence's first name and lower the score of that
# name's first letter; nothing in the loss of *again* rewards this.
#
# *Figures.* `time_letters`, `judge_tales`. Compare with the student's own figure and table.
#
# *Points.*
#
# - `growth` 1: the factor read off the figure; growth with length without a cache, nearly none with it. *Words:*
#   linear, quadratic, constant, times, grows.
# - `offset` 1: distances become wrong, so heads that look back by distance fail, while what follows a single letter
#   stays known. *Words:* distance, position, neighbour, previous, names.
# - `oneself` 1: copying is learned, leaving out is not, with the share from the student's own table. *Words:* himself,
#   oneself, same, copy, leave out, first name.
# ### END SOLUTION

# %% [markdown]
# ## 12. Going further (optional, about 25 minutes)
#
# All training in this section is optional: it takes about six minutes in all, and runs only if you write
# `OPTIONAL = True` below.
#
# ### Shared keys and values
#
# In section 9, several heads shared their keys and values to make the cache smaller. The picture shows three layers of
# four heads. The first has a key and a value for each query, the second for every two queries, and the third for all
# four.

# %% show draw_shared_keys
drawings.shared_keys()

# %%
OPTIONAL = False

# %% [markdown]
# `Grouped` is your attention with fewer keys and values; its `split` repeats each key and each value for the queries
# that share it, so your `look` and `forward` work as they are. The cache becomes smaller:
#
# | heads that look | heads looked at | weights | bytes of the cache for 1,024 letters |
# | --- | --- | --- | --- |
# | 4 | 4 | 156,192 | 1,572,864 |
# | 4 | 2 | 137,760 | 786,432 |
# | 4 | 1 | 128,544 | 393,216 |
#
# What does sharing cost in nats? The next cell trains the two smaller models, which takes a minute and a half each.

# %% show grouped
class Grouped(SelfAttention):
    """`num_heads` heads look at the keys and values of `key_heads`."""

    key_heads = 1

    def __init__(self, width, num_heads, rotate):
        super().__init__(width, num_heads, rotate)
        self.key = nn.Linear(width, self.key_heads * self.head_dim, bias=False)
        self.value = nn.Linear(width, self.key_heads * self.head_dim, bias=False)

    def split(self, x):
        x = x.unflatten(-1, (-1, self.head_dim)).transpose(1, 2)  # (N, H or key_heads, S, d)
        return x.repeat_interleave(self.num_heads // x.shape[1], dim=1)  # (N, H, S, d)


if wanted(OPTIONAL):
    losses = {f"{two_layers.blocks[0].attention.num_heads}": history["two layers"][-1][1][0]}
    for key_heads in (2, 1):
        Grouped.key_heads = key_heads
        grouped = scaffold.build(GPT, Block, Grouped, RMSNorm, rotate, num_letters=len(LETTERS), layers=2)
        losses[f"{key_heads}"] = train(grouped, rows, nats, measure=measure)[-1][1][0]
    print_table(looking.rows_by_kind(losses), heads=("heads looked at", *looking.KIND_NAMES))

# %% [markdown]
# ### Norm before, or after
#
# Your `Block` has its norms before its parts; in 2017 they came after each sum, on the stream. The more layers there
# are, the more this matters. So build models of eight narrow layers, and train both kinds for 100 batches, half a
# minute each. Which will learn faster? The figure shows the loss of *plain* letters for both.

# %% show norm_after
class NormAfter(Block):
    """The block of 2017: each sum is normalised, so the stream itself goes through every norm."""

    def forward(self, x):
        x = self.norm1(x + self.attention(x))
        return self.norm2(x + self.feed_forward(x))


if wanted(OPTIONAL):
    deep = {}
    for name, block in {"norm before": Block, "norm after": NormAfter}.items():
        eight_layers = scaffold.build(
            GPT, block, SelfAttention, RMSNorm, rotate, num_letters=len(LETTERS), layers=8, width=48, num_heads=2
        )
        found = train(eight_layers, rows, nats, steps=100, measure=measure, description=name)
        deep[name] = [(step, losses.plain) for step, (losses, _) in found]
    plots.plain_losses(deep, across="training step (batches)")

# %% [markdown]
# In our only run, the model with its norms before its parts was ahead, though not by much: our recipe has a warm-up,
# clips gradients, and gives every update of a weight matrix the same length. Without such care, a deep stack of the
# blocks of 2017 hardly trains at all. Xiong et al. (2020, [*On Layer Normalization in the Transformer
# Architecture*](https://arxiv.org/abs/2002.04745)) found the reason near the *output*: with the blocks of 2017, the
# gradients there are large at the start, so the first steps have to be short, and a warm-up makes them short. With the
# norms before the parts, these gradients are smaller, and the more layers there are, the smaller they become.

# %% [markdown]
# ### Longer than anything in training
#
# GPT-2 did not turn its queries: it *learned* a vector for each position and added it to the letter's vector. The next
# cell trains such a model, which takes a good minute. Then both models, the new one and yours, read rows of 385
# letters, twice as long as the rows they were trained on. What will each model do beyond letter 192?

# %% show longer
class WithPositions(nn.Module):
    """Adds a learned vector for each position to those of the letters."""

    def __init__(self, embedding, longest):
        super().__init__()
        self.embedding = embedding
        self.positions = nn.Parameter(0.5 * torch.randn(longest, embedding.embedding_dim))

    def forward(self, letters):
        return self.embedding(letters) + self.positions[: letters.shape[1]]


def unturned(x, start=0):
    return x


if wanted(OPTIONAL):
    long_rows = unseen_rows(600, length=385, seed=10_000, known=rows.names)
    learned = scaffold.build(GPT, Block, SelfAttention, RMSNorm, unturned, num_letters=len(LETTERS), layers=2)
    learned.embedding = WithPositions(learned.embedding, longest=385)
    train(learned, rows, nats, description="learned positions")
    read = {
        "turned hands": looking.plain_by_place(two_layers, nats, long_rows),
        "learned positions": looking.plain_by_place(learned, nats, long_rows),
    }
    with looking.window(two_layers, places=192):
        read["turned hands, window"] = looking.plain_by_place(two_layers, nats, long_rows)
    plots.plain_losses(read, across="place in the row", limit=192)

# %% [markdown]
# The learned vectors beyond position 192 are still as random as they were at the start, so the loss rises at once.
# Turned hands hold out for a few dozen letters more, because most distances there are known from training; then more
# and more distances are new, and turned hands fail as well. The third line is the proof. It is your own model, with
# turned hands, but here no letter may look back farther than 192 places, so no distance is new: it reads on as if
# nothing had happened. To read longer texts, a large model is trained a little more on such texts, with its hands
# slowed down (Chen et al. 2023, [*Extending Context Window of Large Language Models via Positional
# Interpolation*](https://arxiv.org/abs/2306.15595)).

# %% [markdown]
# ## What you have learned
#
# - A language model is trained to guess what comes next; its loss measures surprise, in nats.
# - In a block, every part reads a normalised copy of the stream and adds to it; nothing replaces it.
# - When queries and keys are turned, attention sees distances; the offset matters when letters come one by one.
# - Two layers learn a name in a single reading; one layer cannot, even if it has as many weights as the two together.
#   Induction heads do the work, by looking at the letters that came next on earlier occasions: switch them off, and the
#   names are gone. They need what heads of the first layer have written into the stream: that is composition.
# - Temperature and nucleus decide how boldly a model writes; a cache lets it write without computing anything twice.
# - A model with one sick head still works, only worse. The losses without each head show where it is ill, and a cure
#   that brings the losses back proves what was wrong.
#
# The picture puts it all together: a text is read from the bottom to the top, through two layers; at the top, the model
# draws the letter that it reads next. The numbers in brackets refer to the sections.

# %% show draw_recap
drawings.recap()

# %% [markdown]
# **Further reading.** Radford et al., [Language Models are Unsupervised Multitask
# Learners](https://cdn.openai.com/better-language-models/language_models_are_unsupervised_multitask_learners.pdf)
# (2019), GPT-2. Elhage et al., [A Mathematical Framework for Transformer
# Circuits](https://transformer-circuits.pub/2021/framework/index.html) (2021), and Olsson et al., [In-context Learning
# and Induction Heads](https://arxiv.org/abs/2209.11895) (2022). Su et al., [RoFormer](https://arxiv.org/abs/2104.09864)
# (2021), RoPE. Zhang and Sennrich, [Root Mean Square Layer Normalization](https://arxiv.org/abs/1910.07467) (2019).
# Holtzman et al., [The Curious Case of Neural Text Degeneration](https://arxiv.org/abs/1904.09751) (2020), the nucleus.
# Shazeer, [Fast Transformer Decoding](https://arxiv.org/abs/1911.02150) (2019), and Ainslie et al.,
# [GQA](https://arxiv.org/abs/2305.13245) (2023), shared keys. Huang et al., [Deep Networks with Stochastic
# Depth](https://arxiv.org/abs/1603.09382) (2016). Jordan et al., [Muon](https://kellerjordan.github.io/posts/muon/)
# (2024). Karpathy's [nanoGPT](https://github.com/karpathy/nanoGPT), GPT-2 at full size in code that you can read.

# %%
# Your own trials: three layers, eight heads, tales of four people, a vocabulary of pairs of letters.
