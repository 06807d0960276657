# %% [markdown]
# # Recall: what a memory of fixed size forgets
#
# Attention keeps a key and a value for every word it has read, and looks through all of them every time. Must it keep
# everything? Delete one word from its formula, *softmax*, and attention becomes a recurrent network that keeps nothing
# but one small table. Here you build that memory, predict how much it can hold, and measure where it breaks. **By the
# end you will be able to**
#
# - write attention without softmax, and show that it is a recurrent network;
# - predict how many facts a table of $d \times d$ numbers can hold, and test your prediction;
# - use controls to tell whether a network fails because of its training or its size;
# - find the law by which such a memory forgets;
# - write the delta rule, with which a memory corrects itself;
# - say what a cache and a table each cost, and when you would choose which.
#
# It takes about two hours; times are given beside the headings. Section 8, in which you cure a sick porter, takes 25
# minutes more. You need Python, PyTorch's tensors, attention (lesson `attention`) and caches (lesson `gpt`). Nothing is
# downloaded, and all training together takes about a minute and a half.

# %% [markdown]
# ## How a lesson works
#
# - **Run** each cell with Shift + Enter, from top to bottom; after a restart, begin at the top again.
# - **Write** where it says `# Your code goes here`. The cell below checks your code in a second, and says where a
#   mistake may be.
# - **Guess** before each training: put a number in place of the dots. Tables show your guesses beside the results.
# - **Hand in** this notebook under its own name, `recall.ipynb`. Its last cell shows where you stand.
#
# Start with the next two cells: the first finds the workbook's modules, the second shows in a drawing how a lesson
# works.

# %% show how_a_lesson_works
from utils.drawings.lesson import how_a_lesson_works

how_a_lesson_works("recall")

# %% [markdown]
# ## The letters we use
#
# | letter | is the number of | | letter | is the number of |
# | --- | --- | --- | --- | --- |
# | $N$ | days in a batch | | $d$ | components of a key or a query |
# | $T$ | pairs that are stored (places looked at) | | $D$ | components of a value; our porter has $D = d$ |
# | $S$ | questions (places that look) | | $V$ | rooms of the hotel |
#
# A single query is a row $q$; a table is $M$.

# %% given imports
import math

import torch
from torch import nn
from torch.nn import functional as F

from utils.common.guesses import verdict
from utils.common.printing import print_table, say  # they print in the notebook's language
from utils.recall import check, costs, drawings, explorer, patients, plots, random_vectors
from utils.recall.hotel import days, name
from utils.recall.model import Porter, softmax_memory
from utils.recall.training import shares, train

guesses = {}  # what you expect, written before each training

# %% [markdown]
# ## 1. The porter (about 5 minutes)
#
# A hotel has 64 rooms, and 512 people stay there now and then. Each day the porter is told who is in which room:
# *Bagamo: 17. Kulipi: 3.* Then people ask, in any order, "Where is Kulipi?" Several guests may share a room, and
# tomorrow everything changes, so nothing about guests and rooms can be learned by heart: the porter has to **remember
# today**. The next cell shows one short day.

# %% show a_day
day = days(3, count=1, generator=torch.Generator().manual_seed(4))
for guest, room in zip(day.guests[0].tolist(), day.rooms[0].tolist(), strict=True):
    say("{name}: room {room}", name=name(guest), room=room)
for guest, room in zip(day.asked[0].tolist(), day.right[0].tolist(), strict=True):
    say("Where is {name}? In room {room}.", name=name(guest), room=room)

# %% [markdown]
# This task is called **associative recall**. It looks like a toy, yet it matters in practice. In 2023, Arora and others
# compared language models with and without attention on ordinary text. Those with attention did better, and 82% of
# their lead came from words that the text had already used: that is, from recall.
#
# A porter is a small network with an embedding for guests and one for rooms. These give it a key for each guest it is
# told about, a value for each room, and a query for each guest it is asked for. One more layer turns the answer of the
# **memory** into scores for the 64 rooms. The memory is the only part that we will swap. The picture shows two kinds of
# memory after four pairs.

# %% show draw_memories
drawings.two_memories()

# %% [markdown]
# ## 2. Attention without softmax (about 10 minutes)
#
# Attention as you know it gives a query $q$ a weighted mean of all values; the weights are a softmax of the scores
# $q \cdot k_t$. Leave out the softmax, and use the scores themselves as weights:
#
# $$y = \sum_{t=1}^{T} (q \cdot k_t)\, v_t , \qquad\text{for all questions at once}\qquad Y = (Q K^\top)\, V .$$
#
# These weights may be negative, and they no longer sum to one. Will that do? It will if $q$ equals one of the keys, has
# length 1, and is perpendicular to all other keys: then the score of that key is 1, the others are 0, and $y$ is
# exactly that key's value. So a porter with this memory divides every key and every query by its own length. The
# porter's code does this, so `read_all` must not; the checks also use longer vectors.

# %% [markdown]
# **Write `read_all(q, k, v)`**, attention without softmax and without a scale. `q` is $(N, S, d)$, `k` is $(N, T, d)$,
# and `v` is $(N, T, D)$; return $(N, S, D)$. Every question of a day reads all the pairs of that day.
#
# Stuck? `check.read_all.hint()` gives a first hint; call it again for a plainer one. Every check has three.

# %% solution read_all
def read_all(q, k, v):
    """q (N, S, d), k (N, T, d), v (N, T, D) -> what each question gets back (N, S, D), without softmax."""
    ### BEGIN SOLUTION
    scores = q @ k.transpose(1, 2)  # (N, S, T)
    return scores @ v
    ### END SOLUTION

# %% test read_all 3
check.read_all(read_all, nn)
### BEGIN HIDDEN TESTS
exam.read_all(read_all, nn)
### END HIDDEN TESTS

# %% [markdown]
# Now look at the brackets. Without a softmax in between, we may move them:
#
# $$(Q K^\top)\, V = Q\, (K^\top V) .$$
#
# The left side makes a matrix of $S \times T$ scores, and needs all the keys and values. The right side makes a matrix
# of $d \times D$ numbers, however many pairs there were. The next cell computes both sides and prints the largest
# difference between them, which is only rounding. In ordinary attention, a softmax comes between the two products, so
# there the brackets can't be moved.

# %% show move_the_brackets
q, k, v = (F.normalize(torch.randn(2, length, 16), dim=-1) for length in (5, 1000, 1000))
difference = (read_all(q, k, v) - q @ (k.transpose(1, 2) @ v)).abs().max()
say("they differ by {difference:.1e} at most", difference=difference)

# %% [markdown]
# ## 3. The same as a recurrence (about 15 minutes)
#
# The matrix in the brackets on the right is a sum over the pairs, $K^\top V = \sum_t k_t v_t^\top$, and a sum can be
# computed one term at a time. So this is the whole memory: a table $M$ of $d \times D$ numbers, all of them zero in the
# morning.
#
# $$\text{write:}\quad M \leftarrow M + k\, v^\top \qquad\qquad \text{read:}\quad y = q\, M$$
#
# The product $k v^\top$, a column times a row, has the entry $k_i v_j$ in row $i$ and column $j$. In the picture, a
# pair is written into an empty table and read back with the same key.

# %% show draw_table
drawings.one_pair()

# %% [markdown]
# **Write `write(table, k, v)`.** `table` is $(N, d, D)$, one table for each day; `k` is $(N, d)$ and `v` is $(N, D)$,
# one pair for each day. Return the new table. Leave the old one unchanged, because gradients will need it.

# %% solution write
def write(table, k, v):
    """A pair k (N, d), v (N, D) added to each table (N, d, D) -> the new tables (N, d, D)."""
    ### BEGIN SOLUTION
    return table + k.unsqueeze(2) * v.unsqueeze(1)
    ### END SOLUTION

# %% test write 2
check.write(write, nn)
### BEGIN HIDDEN TESTS
exam.write(write, nn)
### END HIDDEN TESTS

# %% [markdown]
# **Write `read(table, q)`.** `table` is $(N, d, D)$ and `q` is $(N, S, d)$: every question reads the table of its own
# day. Return $(N, S, D)$.

# %% solution read
def read(table, q):
    """table (N, d, D), questions q (N, S, d) -> what each question gets back (N, S, D)."""
    ### BEGIN SOLUTION
    return q @ table
    ### END SOLUTION

# %% test read 2
check.read(read, nn)
### BEGIN HIDDEN TESTS
exam.read(read, nn)
### END HIDDEN TESTS

# %% [markdown]
# Do the two forms agree? The next cell writes 100 pairs one at a time, throws each pair away as soon as it has been
# written, and then asks the table. It also asks `read_all`, which has kept every pair, and prints the largest
# difference between the answers.

# %% show one_after_the_other
q, k, v = F.normalize(torch.randn(3, 1, 100, 16), dim=-1)
table = torch.zeros(1, 16, 16)
for t in range(100):
    table = write(table, k[:, t], v[:, t])
say("they differ by {difference:.1e} at most", difference=(read(table, q) - read_all(q, k, v)).abs().max())

# %% [markdown]
# So attention without softmax *is* a recurrent network: it has a state, a rule for the next state, and a way to read
# the state. It trains like attention, on all places at once, and it runs like a GRU, with a state that never grows.
# Katharopoulos and others said as much in the title of their paper, *Transformers are RNNs* (2020). Here the state is a
# matrix rather than a vector, and it is written by a product rather than by gates. Such tables are older than
# attention: they have been known as correlation memories (Kohonen 1972) and as fast weights (Schmidhuber 1992).

# %% [markdown]
# ## 4. The wall, before any training (about 15 minutes)
#
# How much can a table hold? Keys can all be perpendicular to one another only if there are at most $d$ of them. If
# there are more, they overlap, and a question brings back a bit of every value. The picture shows this for two keys.

# %% show draw_overlap
drawings.overlap()

# %% [markdown]
# We can try this out without any network. Draw a random key for each of $T$ guests and a random vector for each room,
# all of length 1. Write all the pairs, ask for every guest, and let the answer be the room whose vector $w$ has the
# largest dot product with the vector that comes back.
#
# **Write `answers(keys, rooms, words)`.** `keys` is $(N, T, d)$; `rooms` is $(N, T)$, the number of each guest's room;
# `words` is $(V, d)$, a vector for each room, the same on all days. Ask for every guest, in the order in which the
# porter was told about them. For each guest, return the number of the room that the memory gives, $(N, T)$. You may use
# your `read_all`, or your `write` and `read`, or neither.
#
# From here on, what you write should also run on a GPU: create any new tensor on the device of the inputs, with
# `torch.zeros_like(x)` or `device=x.device`. The checks test this on a simulated GPU.

# %% solution answers
def answers(keys, rooms, words):
    """keys (N, T, d), rooms (N, T), words (V, d) -> the room that the table answers for each guest (N, T)."""
    ### BEGIN SOLUTION
    told = words[rooms]  # (N, T, d)
    table = keys.transpose(1, 2) @ told  # (N, d, d)
    returned = keys @ table  # (N, T, d)
    return (returned @ words.T).argmax(dim=-1)
    ### END SOLUTION

# %% test answers 4
check.answers(answers)
### BEGIN HIDDEN TESTS
exam.answers(answers)
### END HIDDEN TESTS

# %% [markdown]
# The next figure shows the share of right answers against the number of guests, for tables of five widths and random
# vectors: this is your prediction of what a network can do. (The axis for the guests is logarithmic. The dotted line is
# the share that you would get right by guessing, 1 in 64.) Where, would you say, does each curve break? And if you
# double the width, how many times as many guests can the table hold?

# %% show predict
WIDTHS = (8, 12, 16, 24, 32)
predicted = {f"d = {d}": random_vectors.shares(answers, d) for d in WIDTHS}
plots.recalled(predicted)

# %% [markdown]
# And what does a table look like? The next figure shows a table of 16 × 16 numbers after 1, 4, 16 and 64 random pairs:
# blue is positive, orange is negative, and zero has no colour. After one pair, all rows are multiples of the same row,
# and you can see the value in them. After 16 pairs you can't make out anything any more, although most answers are
# still right.

# %% show draw_tables
plots.tables(random_vectors.tables(write, d=16, after=(1, 4, 16, 64)))

# %% [markdown]
# ## 5. Trained (about 25 minutes)
#
# Random keys are a poor choice, you might say: a network will surely find better ones. So let us train porters. They
# get 600 batches of 32 days each, with 1 to 64 guests a day, which takes about half a minute in all; then they are
# asked on new days, with up to 256 guests.
#
# **Guess first.** At 32 guests, what percentage of the answers will be right with a table of 16 × 16, and what
# percentage with softmax? And what if the same table is trained four times as long? Your prediction above will help.

# %%
guesses["table"] = ...  # percent right at 32 guests
guesses["softmax"] = ...  # percent right at 32 guests
guesses["table, four times as long"] = ...  # percent right at 32 guests

# %% show train_tables
def trained_porter(memory, d=16, unit=True, description="training", **options):
    torch.manual_seed(0)
    porter = Porter(memory, d, unit=unit)
    train(porter, description=description, **options)
    return porter


porters = {f"d = {d}": trained_porter(read_all, d, description=f"d = {d}") for d in WIDTHS}
trained = {name: shares(porter) for name, porter in porters.items()}
plots.recalled(trained, predicted)
verdict(guesses, {"table": 100 * trained["d = 16"][32]}, points=True)

# %% [markdown]
# The solid lines are the trained porters, and the dashed ones are your prediction. Training helps: at 32 guests, a
# table of 16 × 16 gets about two thirds right instead of a little more than half. But training shifts each curve by
# less than a factor of two in the number of guests, and every curve still falls.
#
# What is to blame: the length of the training, the days on which the porter was trained, or the size of the table? To
# find out, we need **controls**. Two of them train the same table differently; the other two swap the table for another
# memory. One of these memories is a *window*, which keeps the last few pairs whole and nothing of the earlier ones.

# %% [markdown]
# **Write `window(q, k, v, width)`**, ordinary attention, $\mathrm{softmax}(q k^\top / \sqrt d)\, v$, in which every
# question looks only at the last `width` pairs, or at all pairs if there are fewer. The shapes are the same as in
# `read_all`.

# %% solution window
def window(q, k, v, width):
    """q (N, S, d), k (N, T, d), v (N, T, D) -> attention to the last `width` pairs (N, S, D)."""
    ### BEGIN SOLUTION
    k, v = k[:, -width:], v[:, -width:]
    scores = q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])  # (N, S, width)
    return scores.softmax(dim=-1) @ v
    ### END SOLUTION

# %% test window 3
check.window(window, nn)
### BEGIN HIDDEN TESTS
exam.window(window, nn)
### END HIDDEN TESTS

# %% [markdown]
# ### Two questions about your own code
#
# Can you say what your code does before you run it? Once the check above passes, the next cell asks you two questions
# about *your* `window`. Which rows of the result change if one number in the keys changes? And what does the function
# return if one line of your code is changed? If you change your code, the questions change with it.
#
# **Write `own_code()`.** Return two values. The first is a list of the rows that change, each given as a pair $(n, s)$
# of day and question; the second is one of the five words that the second question offers. For example:
# `[(0, 1), (0, 2)], "some"`. Predict first, and then try it out in a cell of your own. The check looks only at the form
# of your answers; you will learn whether they are right when the notebook is graded.

# %% show ask
check.own_code.ask(window)

# %% solution own_code
def own_code():
    """Return what changes with the number, and what the changed line gives."""
    ### BEGIN SOLUTION
    return [(0, 1), (0, 2), (0, 3)], "some"
    ### END SOLUTION

# %% test own_code 2
check.own_code(own_code, window)
### BEGIN HIDDEN TESTS
exam.own_code(own_code, window)
### END HIDDEN TESTS

# %% [markdown]
# Now we compare five porters with $d = 16$: softmax; a window of 16 pairs; the table; the table, trained four times as
# long; and the table, trained on days of at most 8 guests. Training them takes less than half a minute in all. (With a
# softmax, keys and queries keep whatever lengths training gives them; hence `unit=False`.)

# %% show train_controls
def last_16(q, k, v):
    return window(q, k, v, width=16)


softmax_porter = trained_porter(softmax_memory, unit=False, description="softmax")
controls = {
    "softmax": shares(softmax_porter),
    "window of 16": shares(trained_porter(last_16, unit=False, description="window of 16")),
    "table": trained["d = 16"],
    "table, four times as long": shares(trained_porter(read_all, steps=2400, description="table, four times as long")),
    "table, at most 8 guests": shares(trained_porter(read_all, most=8, description="table, at most 8 guests")),
}
plots.recalled(controls)
print_table(
    [(name, f"{100 * curve[32]:.0f}", f"{100 * curve[256]:.0f}") for name, curve in controls.items()],
    heads=("% right", "at 32 guests", "at 256 guests"),
    guesses=guesses,
)
verdict(guesses, {name: 100 * controls[name][32] for name in ("softmax", "table, four times as long")}, points=True)

# %% [markdown]
# The figure and the numbers below it give the answer. Softmax gets everything right, even with four times as many
# guests as it ever saw in training. The three tables are close together: four times the training changes next to
# nothing, and days of at most 8 guests teach nearly everything there is to learn. So training is not to blame for the
# wall. The window, which keeps 16 pairs whole, is perfect up to 16 guests and then loses one guest for each one added:
# a memory is limited by how much it *keeps*.
#
# To be fair to the table: the window keeps 2 · 16 · 16 = 512 numbers, and gets half of the answers right at 32 guests;
# the table gets more right, with only 256 numbers. The table forgets, but it is thrifty.

# %% [markdown]
# ## 6. A law (about 10 minutes)
#
# The five curves fan out, each with its own wall. But perhaps they are really *one* curve, drawn on the wrong axis: if
# the share depends on $T$ and $d$ only through a single number $x$, then all five will coincide when they are drawn
# against $x$. This is how physicists find a law in their data before they have a theory to explain it.
#
# **Write `axis(d, T)`**, which returns that number for a table of $d \times d$ and $T$ guests. Look at the solid lines
# in your first figure of section 5: up to how many guests does each width still get two thirds right? The check only
# compares pairs $(d, T)$ with one another, so any $x$ that puts them in the right order will do; if you expect the same
# share for two pairs, give them the same $x$. Your function takes two numbers and returns one, which must be larger for
# more guests.

# %% solution axis
def axis(d, T):
    """The number on which the share of right answers depends, for a table of d × d and T guests."""
    ### BEGIN SOLUTION
    return T / d**2
    ### END SOLUTION

# %% test axis 3
check.axis(axis)
### BEGIN HIDDEN TESTS
exam.axis(axis)
### END HIDDEN TESTS

# %% [markdown]
# The next figure draws your five trained curves against $T$, against $T / d$, and against your axis.

# %% show collapse
plots.collapsed(trained, axis)

# %% [markdown]
# The law can be explained, too. Suppose that you ask for guest $i$. The dot product of a room's vector $w$ with what
# comes back is
#
# $$w \cdot y = \underbrace{(w \cdot v_i)}_{\text{1 for the right room}} +
# \sum_{t \neq i} (k_i \cdot k_t)\,(w \cdot v_t) .$$
#
# The dot product of two random vectors of length 1 is 0 on average and has variance $1/d$. So each of the other $T - 1$
# guests adds noise of variance $1/d \cdot 1/d$, and all of them together add noise of variance
#
# $$\frac{T-1}{d^2} .$$
#
# The signal is 1, whatever $T$ and $d$ are. So the share of right answers depends only on the noise, and the noise
# depends on a single number, which is very nearly $T/d^2$. At $T = d^2/8$, the noise has a standard deviation of 0.35.
# That is so little that the right room nearly always beats any one wrong room, but it often loses to the best of 63.
# Schlag and others (2021) looked at the other extreme: if you allow no errors at all, a table can hold $d$ keys and no
# more, because no more than $d$ vectors can be perpendicular to one another.

# %% [markdown]
# ## 7. Told twice (about 15 minutes)
#
# Guests move. In the morning the porter is told *Kulipi: 3*, and in the afternoon *Kulipi: 40*; the right answer is the
# later room, 40. From now on, half of the guests move to another room during the day. The porter is told about each of
# these guests twice, and is asked only about them. There are at most 16 guests, and $d = 32$, so by your law the table
# has room for all of them many times over.
#
# **Guess first.** At 16 guests, what percentage will be right with the table, and what percentage with softmax?
# Training both takes about a quarter of a minute.

# %%
guesses["told twice: table"] = ...  # percent right at 16 guests
guesses["told twice: softmax"] = ...  # percent right at 16 guests

# %% show train_twice
def told_twice(memory, description, unit=True):
    return trained_porter(memory, d=32, unit=unit, description=description, steps=1200, most=16, moved=True)


def shares_of_moved(porter):
    return shares(porter, lengths=(2, 4, 8, 16, 32), moved=True)


twice_table, twice_softmax = told_twice(read_all, "table"), told_twice(softmax_memory, "softmax", unit=False)
twice = {
    "told twice: table": shares_of_moved(twice_table),
    "told twice: softmax": shares_of_moved(twice_softmax),
}
print_table(
    [(name, f"{100 * curve[16]:.0f}") for name, curve in twice.items()],
    heads=("% right", "at 16 guests"),
    guesses=guesses,
)
verdict(guesses, {name: 100 * curve[16] for name, curve in twice.items()}, points=True)

# %% [markdown]
# ### The delta rule
#
# A table that only adds has both rooms in it. To correct itself, a memory must first ask itself what it believes so
# far:
#
# $$\text{what it believes:}\quad \bar v = k\, M \qquad\qquad
# \text{write the difference:}\quad M \leftarrow M + \beta\; k\, (v - \bar v)^\top .$$
#
# (As before, $k$ is a row when it multiplies $M$ from the left, and a column in $k\,(v - \bar v)^\top$, which is a
# column times a row.) This is the **delta rule** (Widrow and Hoff 1960), which was used to train one of the first
# artificial neurons. It is a step of gradient descent on the error $\tfrac12 \lVert v - k M \rVert^2$, and the
# **strength** $\beta$ is the length of that step. With $\beta = 1$ and a key of length 1, the table afterwards answers
# $k$ with exactly $v$; with $\beta = 0$ it does not change. The picture follows one correction.

# %% show draw_delta
drawings.delta_rule()

# %% [markdown]
# **Write `delta(table, k, v, strength=1.0)`.** The shapes are the same as in `write`, keys have length 1, and
# `strength` is $\beta$, one number for all days. Return the new table, and leave the old one unchanged.

# %% solution delta
def delta(table, k, v, strength=1.0):
    """A pair k (N, d), v (N, D) corrected in each table (N, d, D) -> the new tables (N, d, D)."""
    ### BEGIN SOLUTION
    believed = (k.unsqueeze(1) @ table).squeeze(1)  # (N, D)
    return table + strength * k.unsqueeze(2) * (v - believed).unsqueeze(1)
    ### END SOLUTION

# %% test delta 5
check.delta(delta, nn)
### BEGIN HIDDEN TESTS
exam.delta(delta, nn)
### END HIDDEN TESTS

# %% [markdown]
# Now the same days again, with a porter who uses your `delta`. What is written for a pair now depends on what was
# written before, so the pairs go in one after the other, and training takes about a quarter of a minute. **Guess:**
# what percentage now?

# %% given delta_memory
def delta_memory(q, k, v):
    """Write all pairs with your `delta`, one after the other, then read."""
    table = q.new_zeros(len(k), k.shape[-1], v.shape[-1])
    for t in range(k.shape[1]):
        table = delta(table, k[:, t], v[:, t])
    return read(table, q)

# %%
guesses["told twice: delta rule"] = ...  # percent right at 16 guests

# %% show train_delta
twice_delta = told_twice(delta_memory, "delta rule")
twice["told twice: delta rule"] = shares_of_moved(twice_delta)
plots.recalled(twice)
print_table(
    [(name, f"{100 * curve[16]:.0f}") for name, curve in twice.items()],
    heads=("% right", "at 16 guests"),
    guesses=guesses,
)
verdict(guesses, {"told twice: delta rule": 100 * twice["told twice: delta rule"][16]}, points=True)

# %% [markdown]
# Schlag, Irie and Schmidhuber (2021) brought the delta rule back for exactly this purpose. Yang et al. (2024) then
# found a way to train it on many places at once, and now large models use it under the name *DeltaNet*. It has a price,
# though. In our own runs on days when nobody moved, porters with the delta rule did worse than porters with the plain
# table: with $d = 16$ and 16 guests they got about 70% right, against 90%. A correction that is exact for one key also
# changes the answers for all the keys that overlap with it. The earliest pairs suffer most, because they have the most
# corrections after them.

# %% [markdown]
# ### Explore (optional)
#
# On the page below, your own three porters are told the same pairs, one after the other. Choose a guest, and see what
# each memory keeps, what it answers, and how much of each value comes back. On the first day, the porters hear about
# *Kulipi*'s room first of all; then Kulipi moves, and the new room is the last thing they hear. From the table and from
# softmax, both rooms come back with the same weight. Let more guests move, fill the hotel, change the strength $\beta$,
# or switch a mistake on. (If the page can't be shown, you get a figure of the first day instead, with the right value
# in blue and the old one in orange.) `mine.save("mine.html")` saves the page as a file.

# %% show explore
mine = explorer.explore(softmax=twice_softmax, table=twice_table, delta=twice_delta)
mine

# %% [markdown]
# ## 8. The sick porter (about 25 minutes)
#
# On the page above you could switch mistakes on and see what they do. Now it is the other way round: a porter behaves
# strangely, and you find out why. (This section can wait for another day.) A porter was trained in the same way as
# yours with the delta rule, but from different initial weights, and eight copies of it fell ill. These patients use
# your own `delta` and `read`, which are right, but somebody has changed the patients' *weights*. Each of them now
# behaves exactly as if one line of these functions were wrong.
#
# Your name decides which patient you get. Run the next cell; then write your name in the one after it. (When the
# patients fell ill, their keys and queries already had length 1. `Porter` must not divide them by their lengths again;
# hence `unit=False`.)

# %% given admit
whose = ""


def admitted(weights):
    """Return a porter with these weights, who writes with your `delta` and reads with your `read`."""
    porter = Porter(delta_memory, d=32, unit=False)
    porter.load_state_dict(weights)
    return porter.eval()

# %%
whose = ""  # your name or number between the quotes

# %% [markdown]
# First, two tables compare your own porter with the patient. They show the nats per question and the share of right
# answers on three kinds of day: with 16 guests, none of whom move; with 16 guests, half of whom move (and only these
# are asked for); and with a full hotel of 32 guests. For the guests who move, you also see how often each porter names
# the old room. A third table shows each porter's answers, and how sure it is of them, on the first day of the explorer,
# when *Kulipi* moves from room 3 to room 40. (A porter who divides the probability evenly among the 64 rooms needs
# $\ln 64 = 4.16$ nats.)
#
# The last line of the first table shows the patient before it fell ill; your cure should bring those numbers back. An
# illness doesn't have to do harm on every kind of day: a patient may even do better than before in one column and worse
# in another.

# %% show examine
patient = admitted(patients.weights(patients.number_of(whose)))
both = {"your porter": twice_delta, "your patient": patient}
healthy = admitted(patients.weights(patients.HEALTHY))
with_healthy = both | {"before it fell ill": healthy}
print_table(patients.rows_of_losses(with_healthy), heads=("nats per question", *patients.KINDS))
print_table(patients.rows_of_shares(both), heads=("% right", *patients.KINDS, "the old room"))
print_table(patients.rows_of_answers(both), heads=("guest", "right", *both))

# %% [markdown]
# And here is the page from section 7 again, with both porters. Let guests move, fill the hotel, switch mistakes on, and
# compare.

# %% show explore_patient
explorer.compare(twice_delta, patient)

# %% [markdown]
# What is wrong with your patient? It behaves as if
#
# 1. nothing were subtracted: the table only adds;
# 2. the believed value were divided by $\sqrt d$ before it is subtracted;
# 3. only half of the correction were written;
# 4. twice the correction were written;
# 5. the answer were divided by $\sqrt d$;
# 6. the answer were divided by $d$;
# 7. the answer had the wrong sign;
# 8. the components of the question were in reverse order.

# %% [markdown]
# **Write `heal(patient)`.** Change the patient's weights in place, under `torch.no_grad()`, so that it behaves as it
# did before: a line or two will do. `patient.guest`, `patient.room`, `patient.query`, `patient.key`, `patient.value`
# and `patient.output` each have a `weight`, and `patient.keys(torch.arange(512))` returns the keys of all guests.
# Training the patient, or using another porter's weights, is not a cure. Then return two numbers: the number of the
# illness in the list above, and the patient's nats per question in the full hotel, as you measured them before the
# cure.
#
# (Even in a healthy porter, the dot product of a guest's query and key need not be 1. It may even be −1, because the
# last layer adapts to whatever comes back.) Where in the delta rule is each layer used, and how many times? A key is
# used twice: once to ask and once to write. The cure is the proof, because only one of the eight possible cures brings
# back all three losses of the healthy porter. Wrong tries cost nothing, and each try begins with a fresh patient.

# %% solution heal
def heal(patient):
    """Heal a porter in place; return the number of its illness, and its nats in the full hotel before the cure."""
    ### BEGIN SOLUTION
    with torch.no_grad():
        patient.guest.weight *= math.sqrt(2)  # half of the correction: keys and queries are too short
    return 3, 0.30
    ### END SOLUTION

# %% test heal 3
check.heal(heal, admitted, whose)
### BEGIN HIDDEN TESTS
exam.heal(heal, admitted, whose)
### END HIDDEN TESTS

# %% [markdown]
# The next cell shows what your cure has done: the losses of your patient, of the same patient after `heal`, and of the
# healthy porter that it once was.

# %% show after_cure
ill, healed = (admitted(patients.weights(patients.number_of(whose))) for _ in range(2))
heal(healed)
cases = {"your patient": ill, "after your cure": healed, "before it fell ill": healthy}
print_table(patients.rows_of_losses(cases), heads=("nats per question", *patients.KINDS))

# %% [markdown]
# ## 9. What it costs to keep (about 5 minutes)
#
# A cache keeps a key and a value for each pair. With a table, you keep only the table, however many pairs there were. A
# model has many heads, and each has its own memory.
#
# **Write `numbers_kept(T, d, heads=1)`**, which returns two whole numbers: how many numbers all heads together keep
# after $T$ pairs, with a cache and with tables. Keys and values have $d$ components each.

# %% solution numbers_kept
def numbers_kept(T, d, heads=1):
    """How many numbers are kept after T pairs: (in a cache, in tables of d × d)."""
    ### BEGIN SOLUTION
    return heads * T * 2 * d, heads * d * d
    ### END SOLUTION

# %% test numbers_kept 2
check.numbers_kept(numbers_kept)
### BEGIN HIDDEN TESTS
exam.numbers_kept(numbers_kept)
### END HIDDEN TESTS

# %% [markdown]
# All these numbers must also be *read*, over and over, once for each new word. For $d = 64$, the next cell prints what
# your function returns, and how long 64 questions take with each memory. (Each time is the shortest of several
# measurements.)

# %% show read_times
rows = []
for T in (64, 1024, 16384):
    cache, table = numbers_kept(T, 64)
    with_cache, with_table = costs.milliseconds(softmax_memory, read, T, d=64)
    rows.append((f"{T:,}", f"{cache:,}", f"{table:,}", f"{with_cache:.2f}", f"{with_table:.2f}"))
print_table(rows, heads=("pairs", "numbers in a cache", "in a table", "ms to ask a cache", "to ask a table"))

# %% [markdown]
# As the text grows, a cache takes more and more memory and time; a table doesn't. That is why memories of fixed size
# are built into large models today, under many names (linear attention, state spaces, Mamba, DeltaNet). But they
# forget, and that is why most of these models keep some layers of ordinary attention beside them.

# %% [markdown]
# ## 10. Think it over (about 15 minutes)
#
# A person will read your answers to the next questions. A few sentences are enough for each.

# %% essay the_wall 1 [markdown]
# **1. Whose fault?** A friend trains a porter with a table of 32 × 32, gets 39% at 256 guests, and asks for another
# hour on the computer. What do you tell your friend, and which two lines of your table of controls do you point to?
#
# ### BEGIN SOLUTION
# *Model answer.* It won't help: the share depends on $T/d^2$, which is 1/4 here, and at 1/4 a table of 16 × 16 gets
# much the same, 36%. Trained four times as long, the table had the same shares to within a point or two; trained on
# days of at most 8 guests, to within ten.
#
# *Figures.* `train_tables`, `train_controls`. Compare with the student's own.
#
# *Points.*
#
# - `size` 0.5: more training does not move the wall; the size decides. *Words:* size, training, same, wall.
# - `control` 0.5: the two lines of the student's own table of controls, with their numbers. *Words:* four times, at
#   most 8, control.
# ### END SOLUTION

# %% essay told_twice 1 [markdown]
# **2. Told twice.** The table and softmax got about the same share, although softmax keeps everything. Why this share,
# and what does the porter with softmax lack? Name one thing that you would add to this porter's keys.
#
# ### BEGIN SOLUTION
# *Model answer.* Half, because both memories are a sum over a set of pairs, and a set has no order. The two pairs of a
# guest have the same key, so both rooms come back with the same weight, and nothing says which came later: it is the
# toss of a coin. Softmax keeps both pairs, but not when they were told. Positions would show that, whether they are
# added to the keys or turn them.
#
# *Figures.* `train_delta`. Compare with the student's own.
#
# *Points.*
#
# - `order` 0.5: a sum over a set does not know which pair came later, so it tosses a coin. *Words:* order, set, coin,
#   half, later.
# - `position` 0.5: something that says when a pair was told, such as a position. *Words:* position, time, order.
# ### END SOLUTION

# %% essay which_memory 3 [markdown]
# **3. A large model.** One layer of a model has 32 heads with $d = 128$, and each fact is kept by one of them. (a) By
# your law, how many facts can the tables of this layer hold if two thirds of the answers must be right? And how many if
# nearly all must be right? Take the shares from your own figure. (b) How long must a text be before a cache keeps more
# numbers than the tables? (c) The model has 24 layers and is meant to read whole books. Which memory would you give to
# which layers, and what would you measure to find out whether you were right?
#
# ### BEGIN SOLUTION
# *Model answer.* (a) $d^2/8 = 2048$ pairs per head, or 65,536 in all if the heads share the work. If nearly all must be
# right, about $d^2/32 = 512$ per head, or 16,384 in all. (b) Longer than $T = d/2 = 64$ pairs, however many heads there
# are, because $2 T d > d^2$ from there on. (c) For example mostly tables, with a few layers of attention spread over
# the depth, some of them perhaps with a window: the tables carry style and grammar, while attention carries the names
# and numbers that must come back exactly. I would measure the loss on words that have occurred in the text before, and
# on words that have not, with more and with fewer layers of attention.
#
# *Figures.* `collapse`, `read_times`. Compare with the student's own.
#
# *Points.*
#
# - `facts` 1: a number of facts from the law, with the share it stands for. *Words:* 2048, 65,536, 512, heads.
# - `length` 1: from d/2 = 64 pairs on. *Words:* 64, half, d/2.
# - `mixture` 1: a choice of layers with a reason, and a measurement that could prove it wrong. *Words:* layers,
#   attention, recall, loss, measure, exact.
# ### END SOLUTION

# %% [markdown]
# ## 11. Forgetting on purpose (optional, about 15 minutes)
#
# There is another way for a table to make room: a **gate**, which makes everything in the table fade a little before
# each new pair:
#
# $$M \leftarrow \gamma\, M + k\, v^\top , \qquad 0 < \gamma \le 1 .$$
#
# Old pairs come back more and more faintly, and they also add less and less noise to the other answers. For the next
# figure, 64 guests and their rooms, as random vectors, are written into a table of 16 × 16. The figure shows, for three
# values of $\gamma$, the share of right answers against how long ago the guest was written. What will a smaller
# $\gamma$ gain, and what will it lose?

# %% show forget
def fading(gamma):
    return lambda table, k, v: write(gamma * table, k, v)


plots.by_age({f"γ = {gamma}": random_vectors.shares_by_age(fading(gamma), read) for gamma in (1.0, 0.97, 0.9)})

# %% [markdown]
# Without a gate, all guests are forgotten equally; with a gate, the latest are remembered well and the early ones not
# at all. The table hasn't become any larger: the early guests pay for the late ones. In Mamba (Gu and Dao 2023) and its
# relatives, $\gamma$ depends on what is being read, so the model can decide what may be forgotten; Gated DeltaNet (Yang
# et al. 2025) has both a gate and the delta rule.

# %% [markdown]
# ## 12. Back to `gpt` (optional, about 20 minutes)
#
# The second layer of your language model keeps a key and a value for each letter. Give it a table instead. In your
# `gpt` notebook, write a subclass of your `SelfAttention` whose `look` divides queries and keys by their lengths, turns
# them, and returns the plain scores, with zeros at later places; leave `forward` as it is. Then build `two_layers`
# again, set `two_layers.blocks[1].attention.__class__` to your class, and train the model as in section 5 of that
# lesson.
#
# We trained five such models. In a name that had occurred before (the kind *again*), a letter cost 0.6 to 0.9 nats, on
# every seed; with softmax it cost 0.05 to 0.14, and with only one layer 1.6 (`benchmarks/recall.md` and
# `benchmarks/gpt.md` in the workbook's repository). So the tables repeat part of each name and forget the rest. What
# does your law say about that? A row has 193 letters, and each of the four heads writes all of them into a table of 24
# × 24. (Your law holds for random vectors. A trained layer can choose what it writes, so here the law is only a hint.)

# %% [markdown]
# ## What you have learned
#
# - Without softmax, attention is a recurrent network whose state is a table of $d \times d$ numbers.
# - Such a table holds about $d^2/8$ pairs if two thirds of the answers must be right. The share depends only on
#   $T/d^2$: this is the wall, and no training moves it far. With softmax, which keeps everything, you saw no wall.
# - A memory that only adds cannot correct itself. The delta rule asks first, and then writes the difference.
# - A table costs the same however long the text is; a cache grows with every word.
#
# **Further reading.** Katharopoulos et al., [Transformers are RNNs](https://arxiv.org/abs/2006.16236) (2020). Schlag,
# Irie and Schmidhuber, [Linear Transformers Are Secretly Fast Weight Programmers](https://arxiv.org/abs/2102.11174)
# (2021), on the delta rule. Ba et al., [Using Fast Weights to Attend to the Recent
# Past](https://arxiv.org/abs/1610.06258) (2016). Arora et al., [Zoology: Measuring and Improving Recall in Efficient
# Language Models](https://arxiv.org/abs/2312.04927) (2023), and [Simple linear attention language models balance the
# recall-throughput tradeoff](https://arxiv.org/abs/2402.18668) (2024). Jelassi et al., [Repeat After
# Me](https://arxiv.org/abs/2402.01032) (2024), on what a state of fixed size cannot copy. Gu and Dao,
# [Mamba](https://arxiv.org/abs/2312.00752) (2023). Yang et al., [Parallelizing Linear Transformers with the Delta Rule
# over Sequence Length](https://arxiv.org/abs/2406.06484) (2024), and [Gated Delta
# Networks](https://arxiv.org/abs/2412.06464) (2025).

# %%
# Your own trials: keys of other lengths, a window of 32, a strength of 0.5, guests who move three times.
