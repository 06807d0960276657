# %% [markdown]
# # Attention: whom should I look at?
#
# In a convolution, each point looks at its neighbours, always at the same distances. Attention looks wherever there is
# something of interest, and *learns* what is of interest. In this lesson you build both and set them two small tasks.
# **By the end you will be able to**
#
# - say which tasks a short stack of convolutions cannot solve, however long you train it;
# - write self-attention, $\mathrm{softmax}(\mathbf Q \mathbf K^\top)\,\mathbf V$, in six lines, and say what each
#   letter is for;
# - read an attention matrix as a table of who looks at whom;
# - explain what attention knows about order, and give it what it lacks.
#
# It takes about three and a half hours; times are given beside the headings, and optional parts take extra time. You
# need Python and PyTorch's tensors, and you should have trained a network before. Nothing is downloaded, and no
# graphics card is needed.

# %% [markdown]
# ## How a lesson works
#
# - **Run** each cell with Shift + Enter, from top to bottom; after a restart, begin at the top again.
# - **Write** where it says `# Your code goes here`. The cell below checks your code in a second, and says where a
#   mistake may be.
# - **Hand in** this notebook under its own name, `attention.ipynb`. Its last cell shows where you stand.
#
# The next two cells find the workbook's modules, and show in a drawing how a lesson works.

# %% show how_a_lesson_works
from utils.drawings.lesson import how_a_lesson_works

how_a_lesson_works("attention")

# %% given imports
import math

import torch
from torch import nn
from torch.utils.data import TensorDataset

from utils.attention import check, drawings, explorer, ground, patients, plots
from utils.attention.sequences import draw_shapes, generate, kind_and_slot
from utils.attention.training import mean_squared_error, predict, train
from utils.common.guesses import verdict
from utils.common.printing import print_table, say  # they print in the notebook's language

guesses = {}  # what you expect, written before each training

# %% [markdown]
# ## 1. Two tasks (about 10 minutes)
#
# A sequence has $T = 100$ points. Somewhere on it are two triangles and two rectangles, each 8 points wide and between
# 2 and 28 high, at random positions where they do not overlap. The problem comes from François Fleuret's [deep learning
# course](https://fleuret.org/dlc/), lecture 13.2.
#
# **Task 1.** Both triangles should end up at the mean height of the two triangles, and both rectangles at the mean
# height of the two rectangles. Positions do not change.
#
# **Task 2.** Now order matters, not kind: the two shapes on the left should take *their* mean height, and the two on
# the right theirs.

# %% [markdown]
# The next figure shows four sequences as grey areas and their targets in task 1 as orange lines. Find a pair of
# triangles, and check by eye that the orange line is halfway between their tops.

# %% show draw_task_1
plots.plot_sequences(*generate(4, task=1, seed=3))

# %% [markdown]
# **Be the network for a minute.** The next figure shows one shape from each of three new sequences, with eight points
# on either side of its middle, and hides the rest. How high should each of them be in the target of task 1? Run the
# next cell, decide, and then run the cell after it.

# %% show draw_keyholes
curious, answers = generate(3, task=1, seed=11)
plots.plot_keyholes(curious)

# %% show open_keyholes
plots.open_keyholes(curious, answers)

# %% [markdown]
# You could not know, and neither can a network that sees no more than you did. *What do you need to know that is not
# near you?* In task 1: how high the other shape of your kind is, wherever it may be. Keep that question in mind.

# %%
# Your own trials: other seeds, more sequences.

# %% [markdown]
# ## 2. Data sets (about 15 minutes)
#
# A network learns from one part of the sequences, the **training set**, and is judged on the others, the **test set**.
# It also learns faster from numbers of about 1 than from heights of up to 28. So we *standardise*: for each channel
# $c$,
#
# $$x'_{n,c,t} = \frac{x_{n,c,t} - \mu_c}{\sigma_c}$$
#
# with the mean $\mu_c$ and the standard deviation $\sigma_c$ of that channel over all positions of all **training**
# sequences. The test sequences are standardised with the *same* $\mu_c$ and $\sigma_c$: computing them from the test
# set would mean peeking at it.

# %% [markdown]
# **Write `make_datasets(inputs, targets, n_train)`.** The inputs are of shape $(N, C, T)$, for $N$ sequences of $T$
# points in $C$ channels (here one, the height); the targets are $(N, 1, T)$.
#
# 1. Standardise the inputs and, in the same way, the targets; inputs and targets have their own means and standard
#    deviations. The first `n_train` sequences are the training sequences.
# 2. Return two `TensorDataset`s of pairs (input, target): the first `n_train` sequences, then the others, in their
#    original order. Leave `inputs` and `targets` themselves unchanged: later figures draw the heights.
#
# `torch.mean` and `torch.std` accept several dimensions at once, and with `keepdim=True` the result has the right shape
# for subtraction and division.

# %% solution make_datasets
def make_datasets(inputs, targets, n_train):
    """inputs (N, C, T), targets (N, 1, T) -> TensorDatasets of the first n_train pairs and of the others."""

    ### BEGIN SOLUTION
    def standardise(x):
        known = x[:n_train]
        mean = known.mean(dim=(0, 2), keepdim=True)  # (1, C, 1)
        std = known.std(dim=(0, 2), keepdim=True)  # (1, C, 1)
        return (x - mean) / std

    inputs, targets = standardise(inputs), standardise(targets)
    training_set = TensorDataset(inputs[:n_train], targets[:n_train])
    test_set = TensorDataset(inputs[n_train:], targets[n_train:])
    return training_set, test_set
    ### END SOLUTION

# %% test make_datasets 2
check.make_datasets(make_datasets)
### BEGIN HIDDEN TESTS
exam.make_datasets(make_datasets)
### END HIDDEN TESTS

# %% [markdown]
# Stuck? `check.make_datasets.hint()` gives a first hint; call it again for a plainer one. Every check has three.
#
# Now the data for task 1: 50,000 sequences to learn from, 1,000 to judge by. The networks read and predict standardised
# heights, in which the flat ground is slightly below 0; figures and errors use the original heights.

# %% show data_task_1
N_TRAIN, N_TEST = 50_000, 1_000
sequences, targets = generate(N_TRAIN + N_TEST, task=1, seed=0)
height_variance = targets[:N_TRAIN].var().item()  # turns our errors back into squared heights
training_set, test_set = make_datasets(sequences, targets, N_TRAIN)
say("{train:,} pairs to learn from, {test:,} to judge by", train=len(training_set), test=len(test_set))

# %% [markdown]
# ### Two questions about your own code
#
# Can you say what your code does before you run it? When its check passes, the next cell asks two questions about
# *your* `make_datasets`. In both questions, $x$ stands for everything that `make_datasets` returns, put into one
# tensor: first the sequences of the training set, then those of the test set, each with its target as a last channel.
# If you change your code, the questions change as well.
#
# **Write `own_code()`.** Return two values. The first question changes one number of a small input: the first value is
# a list of the rows of $x$ that change then, each as a pair $(n, c)$ of sequence and channel; the second is one of the
# five words that the second question offers. For example: `[(0, 1), (0, 2)], "some"`. Predict first; then try it in a
# cell of your own. The check looks only at the form of your answers. You will learn whether they are right when the
# notebook is graded.

# %% show ask
check.own_code.ask(make_datasets)

# %% solution own_code
def own_code():
    """Return the rows that change with the number, and what the changed line gives."""
    ### BEGIN SOLUTION
    return [(4, 1)], "all"
    ### END SOLUTION

# %% test own_code 2
check.own_code(own_code, make_datasets)
### BEGIN HIDDEN TESTS
exam.own_code(own_code, make_datasets)
### END HIDDEN TESTS

# %% [markdown]
# ## The letters we use
#
# | letter | is the number of |
# | --- | --- |
# | $N$ | sequences in a batch |
# | $T$ | positions of a sequence, here 100 |
# | $C$ | channels of the input |
# | $D$ | channels that enter the attention layer (`in_dim`) |
# | $E$ | channels that leave it (`out_dim`) |
# | $d$ | components of a query and of a key (`key_dim`) |
# | $B$ | bits of the positional encoding |
#
# A sequence is a tensor (channels, positions) and a batch is a tensor (sequences, channels, positions), for instance
# $(N, C, T)$: this is the order that PyTorch's `Conv1d` expects. Write the shape beside each of your lines as a
# comment, `# (N, C, T)`. This is the cheapest way to find a mistake before it finds you.

# %% [markdown]
# ## 3. Convolutions, and their horizon (about 25 minutes)
#
# A one-dimensional convolution with kernel 5 computes each output from 5 neighbouring inputs. Two convolutions on top
# of each other see 9 points, four see 17. That is our network's horizon, its *receptive field*: anything more than 8
# points away does not exist for it.
#
# ```
# input (N, C, T) → conv → ReLU → conv → ReLU → conv → ReLU → conv → output (N, 1, T)
#                     64 channels   64 channels   64 channels   1 channel
# ```

# %% [markdown]
# **Write `conv_network(in_channels=1, channels=64)`.** It returns the network in the diagram above, as an
# `nn.Sequential` with its layers in that order. The first convolution takes `in_channels`, and where the diagram has 64
# there are `channels`. Each `nn.Conv1d` has kernel size 5 and a bias. The output should be as long as the input: choose
# the zero padding accordingly.

# %% solution conv_network
def conv_network(in_channels=1, channels=64):
    """The network of the diagram above: (N, in_channels, T) -> (N, 1, T)."""
    ### BEGIN SOLUTION
    return nn.Sequential(
        nn.Conv1d(in_channels, channels, kernel_size=5, padding=2),
        nn.ReLU(),
        nn.Conv1d(channels, channels, kernel_size=5, padding=2),
        nn.ReLU(),
        nn.Conv1d(channels, channels, kernel_size=5, padding=2),
        nn.ReLU(),
        nn.Conv1d(channels, 1, kernel_size=5, padding=2),
    )
    ### END SOLUTION

# %% test conv_network 2
check.conv_network(conv_network)
### BEGIN HIDDEN TESTS
exam.conv_network(conv_network)
### END HIDDEN TESTS

# %% [markdown]
# Training needs a number that says how bad a prediction is, the **loss**. The target is a height, a real number, at
# each position. We take the *mean squared error*: the mean, over all sequences and positions of a batch, of the squared
# difference between prediction and target. It is 0 only if the two agree everywhere, and an error that is twice as
# large costs four times as much. The square has a purpose: with such a loss, the best guess is the *mean* of all values
# that are possible, and this mean is what a network falls back on when it cannot know.
#
# A network learns by thousands of small corrections. Each of them takes one batch, computes the loss, asks of each
# parameter in which direction the loss grows (that is the gradient), and moves the parameter a little the other way.
# The last part is done by an object called the *optimizer*.

# %% [markdown]
# **Write `update(model, optimizer, inputs, targets)`**, one correction of the network `model` on one batch: inputs of
# shape $(N, C, T)$, targets of shape $(N, 1, T)$. Compute the loss, correct the network once, and return the loss (the
# one from before the correction) as a plain number, with `.item()`.
#
# You need three calls, each of them once. Their order is yours to find:
#
# - `optimizer.step()` moves each parameter a little, against the gradient that is kept with it;
# - `optimizer.zero_grad()` removes the gradients that are kept;
# - `loss.backward()` computes the gradients of this loss and *adds* them to those that are kept.

# %% solution update
def update(model, optimizer, inputs, targets):
    """Correct the model once, on inputs (N, C, T) and targets (N, 1, T); return the loss before it, a number."""
    ### BEGIN SOLUTION
    loss = nn.functional.mse_loss(model(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()
    ### END SOLUTION

# %% test update 2
check.update(update, nn, torch.optim.SGD)
### BEGIN HIDDEN TESTS
exam.update(update, nn, torch.optim.SGD)
### END HIDDEN TESTS

# %% [markdown]
# The rest of a training is a loop around your function, and here it is. All networks of this lesson are trained by it.
# A batch has 16 sequences, drawn at random; `schedule` sets the rate, that is, how long the steps are.

# %% given training_loop
def training_loop(model, optimizer, schedule, batches):
    """Correct the model once for each batch; return the loss on each."""
    losses = []
    for inputs, targets in batches:  # (16, C, T), (16, 1, T)
        losses.append(update(model, optimizer, inputs, targets))
        schedule.step()
    return losses

# %% [markdown]
# Ready to train. `train` prepares batches, optimizer and schedule and runs the loop, here for 2,000 batches. (The
# recipe has its reasons; `utils/attention/training.py` explains them, and section 6 says what they have to do with
# attention.) Training takes about 15 seconds.
#
# **Guess first.** A network that predicts the same height everywhere, the mean, has a mean squared error of 44 squared
# heights. How much of this error will four convolutions leave? Put your number in place of the three dots, and run the
# cell.

# %%
guesses["task 1: convolutions"] = ...  # squared heights

# %% show train_conv
torch.manual_seed(0)
conv_model = conv_network()
losses = {
    "convolutions": train(
        conv_model, training_set, training_loop, steps=2_000, unseen=test_set, description="convolutions"
    )
}
plots.plot_losses(losses)

# %% [markdown]
# The figure shows the loss over the steps, on a logarithmic scale: a solid line for the batches that the network learns
# from, a dashed one for test sequences, which it never learns from. See how far down the two lines go, and how far
# apart they are: learning by heart would lower only the solid one. What does the network predict? In the next figure
# the input is grey, the target orange, the prediction a dashed blue line, and a thin line marks 15, the mean height of
# all shapes. Where the blue line leaves the orange one, see where it goes instead.
#
# The table below the figure has three columns: the error on the test sequences (in squared heights), your guess, and
# the error as a multiple of the smallest error so far in the same task (1 while the task has only one network).

# %% show predict_conv
test_inputs, test_targets = test_set[:]
heights = sequences[N_TRAIN:], targets[N_TRAIN:]  # the same before they were standardised
plots.plot_predictions(test_inputs, test_targets, {"convolutions": predict(conv_model, test_inputs)}, heights=heights)
errors = {"task 1: convolutions": height_variance * mean_squared_error(conv_model, test_set)}
plots.print_errors(errors, guesses)
verdict(guesses, {"task 1: convolutions": errors["task 1: convolutions"]})

# %% [markdown]
# The positions are right, and so are the kinds. The heights are not: each shape moves halfway from its own height
# towards 15, the *average* height of all shapes. That is indeed the best that can be done without seeing the partner.
# (This holds for a shape on its own. If two shapes of the same kind nearly touch, they see each other; and if a shape
# has a close neighbour of the other kind, the predicted line may be tilted.) More steps will not help, nor will more
# channels: what the network needs to know never reaches it.
#
# You could stack layers until each point sees its partner (which may be 92 points away, so 46 layers), or make the
# kernels larger. But each weight of a convolution belongs to a fixed *distance*, and the partner is at a different
# distance in every sequence.

# %% [markdown]
# The picture shows the two ways of looking side by side. On the left are four convolutions on top of each other: the
# output at the top sees a cone of 17 points, and the partner is outside it. On the right is what you build next: one
# layer that connects the output to every point, and puts its weight on its own shape and on the partner, wherever that
# is.

# %% show draw_horizon
drawings.convolution_and_attention(layers=4)

# %% [markdown]
# ## 4. The table we would like to have (about 20 minutes)
#
# Let us first solve task 1 without learning anything, to see what we want. Let $A$ be a $T \times T$ table. It has a
# row for each position that looks, and the row has a weight $A_{ij}$ for each position $j$ that can be looked at; the
# weights of a row add up to 1. The new height of position $i$ is then the weighted mean
#
# $$y_i = \sum_j A_{ij}\, x_j .$$
#
# Take a point on the left slope of a triangle. Its weights would be ½ for itself, ½ for the corresponding point of the
# other triangle, and 0 for all others. That is the mean of the two triangles, point by point!

# %% [markdown]
# How could a computer fill in this table? Suppose that we know two whole numbers for each position: its **kind** (0 for
# the ground, 1 for a triangle, 2 for a rectangle) and its **slot**, which says which of the eight points of its shape
# it is (0 to 7 from left to right; always 0 on the ground). For example, a ground point, a whole triangle and another
# ground point have the kinds 0 1 1 1 1 1 1 1 1 0 and the slots 0 0 1 2 3 4 5 6 7 0. Two positions should look at each
# other if they agree in *both* numbers, and each position agrees with itself.
#
# Now describe each position $i$ by a vector $f_i$, such that the dot product of two descriptions answers the question
# whether the two positions agree. Call this answer the **score** of the pair; the weights of a row are its scores,
# divided by their sum:
#
# $$s_{ij} = f_i \cdot f_j = \begin{cases} 1 & \text{if } i \text{ and } j \text{ agree} \\
# 0 & \text{otherwise,} \end{cases} \qquad A_{ij} = \frac{s_{ij}}{\sum_l s_{il}} .$$

# %% [markdown]
# **Write `wished_attention(kind, slot)`.** It takes two tensors of $T$ whole numbers, the kinds `kind` and the slots
# `slot`, and returns the table $A$ as floats, $(T, T)$.
#
# 1. Give each position its description $f_i$. `nn.functional.one_hot(numbers, count)` makes a row of `count` entries
#    for each number $0 \le n <$ `count`: a 1 at index $n$, and zeros elsewhere. Which number should a position get, so
#    that two rows have their 1 in the same column exactly if the two positions agree in kind *and* in slot?
# 2. Compute all scores at once. Which product of matrices consists of the dot products of all pairs of rows?
# 3. Turn each row of scores into weights.

# %% solution wished_attention
def wished_attention(kind, slot):
    """kind (T,) from 0 to 2, slot (T,) from 0 to 7 -> the table A (T, T)."""
    ### BEGIN SOLUTION
    features = nn.functional.one_hot(8 * kind + slot, 24).float()  # (T, 24)
    scores = features @ features.T  # (T, T)
    return scores / scores.sum(dim=1, keepdim=True)
    ### END SOLUTION

# %% test wished_attention 3
check.wished_attention(wished_attention)
### BEGIN HIDDEN TESTS
exam.wished_attention(wished_attention)
### END HIDDEN TESTS

# %% [markdown]
# **Guess first.** A sequence has four shapes of eight points, and its table has $100 \cdot 100 = 10{,}000$ entries. How
# many per cent of the entries are not 0?

# %%
guesses["entries that are not 0"] = ...  # per cent

# %% [markdown]
# In the next figure your table is in the middle, with the sequence above it and on its left. Each bright stripe says
# "these eight points look at those eight points": a shape looks at itself (the stripe on the main diagonal) and at its
# partner (the stripe away from the main diagonal). The ground, that is, all points without a shape, looks at the whole
# ground with small weights: a faint carpet. The printed line says how far $A x$ is from the target.

# %% show wished_table
shapes = draw_shapes(1, torch.Generator().manual_seed(3))
sequence, target = generate(1, task=1, seed=3)
kind, slot = kind_and_slot(shapes)  # each (1, T)
wish = wished_attention(kind[0], slot[0]).float()
x = sequence[0].T  # (T, 1): a row for each position
difference = (wish @ x - target[0].T).abs().max()
say("largest difference between A x and the target: {difference:.6f}", difference=difference)
verdict(guesses, {"entries that are not 0": 100 * (wish > 0).float().mean().item()}, points=True)
plots.plot_attention(wish, sequence[0], "The attention matrix we would like to have")

# %% [markdown]
# ## 5. Self-attention (about 30 minutes)
#
# So the task is *one matrix product* away, if someone tells us kinds and slots. But nobody does: a network sees only
# heights. The idea of self-attention is to let the sequence compute its own descriptions, and from them its own table.
# Each position $j$ of the input $x$, which has $D$ channels, says three things, each a linear function of its $D$
# numbers (plus a bias):
#
# - its **query** $q_j$ ($d$ numbers): what am I looking for?
# - its **key** $k_j$ ($d$ numbers): what am I?
# - its **value** $v_j$ ($E$ numbers): what do I tell those who look at me?
#
# Where a query and a key agree, their dot product is large, and one position looks at the other. In your table, the
# description $f_j$ was both: each position looked for what it was itself. With two descriptions, a query and a key, a
# position can also look for something that it is not itself.

# %% [markdown]
# Now as a formula. The **softmax** turns scores into weights: it raises $e$ to the power of each score and divides by
# the sum over the row. So all weights are positive, the weights of a row sum to 1, and a score that is larger by 1 gets
# $e \approx 2.7$ times the weight:
#
# $$s_{ij} = q_i \cdot k_j, \qquad A_{ij} = \frac{e^{s_{ij}}}{\sum_{l} e^{s_{il}}}, \qquad y_i = \sum_j A_{ij}\, v_j .$$
#
# For a whole sequence, stack the queries and the keys as rows of $\mathbf Q$ and $\mathbf K$, both $T \times d$, and
# the values as rows of $\mathbf V$, $T \times E$:
#
# $$A = \mathrm{softmax}(\mathbf Q \mathbf K^\top) \quad (T \times T), \qquad
# Y = A \mathbf V \quad (T \times E),$$
#
# where the softmax runs along each row. That is how papers write it. `Conv1d`, however, expects a *column* for each
# position, so your layer will exchange the two axes on the way in, and again on the way out.
#
# Nothing here depends on distance. A partner 80 points away is as near as the point next door.

# %% [markdown]
# The picture shows the same computation from left to right, each tensor with its shape. Three layers compute queries,
# keys and values from $x$, and these are turned so that each position is a row; queries and keys give the scores; a
# softmax over each row turns the scores into the weights $A$; and the weights mix the values into $Y$. Follow the
# frame: row $i$ of $\mathbf Q$ is what position $i$ looks for, row $i$ of $A$ says where it looks, and row $i$ of $Y$
# is what it gets.

# %% show draw_layer
drawings.queries_keys_values()

# %% [markdown]
# Here is a small example by hand, with three positions. The query of position 0 matches the key of position 2:
# $q_0 = (3, 0)$, $k_0 = (0, 1)$, $k_1 = (0, 2)$, $k_2 = (1, 0)$. The scores of row 0 are $q_0 \cdot k_j = (0, 0, 3)$,
# and the weights are $(1, 1, e^3) / (2 + e^3) = (0.045, 0.045, 0.909)$. With the values $v = (10, 20, 30)$ position 0
# gets $0.045 \cdot 10 + 0.045 \cdot 20 + 0.909 \cdot 30 = 28.6$: nearly all of what position 2 has to say. The next
# cell does it in PyTorch.

# %% show by_hand
query_0 = torch.tensor([3.0, 0.0])
keys = torch.tensor([[0.0, 1.0], [0.0, 2.0], [1.0, 0.0]])  # (T, d): a row for each position
values = torch.tensor([10.0, 20.0, 30.0])  # (T,)
weights = torch.softmax(query_0 @ keys.T, dim=0)
say("weights {weights}, result {result:.1f}", weights=weights.numpy().round(3), result=weights @ values)

# %% [markdown]
# **Write `SelfAttentionLayer(in_dim, out_dim, key_dim)`**, an `nn.Module`.
#
# - `__init__(self, in_dim, out_dim, key_dim)` creates three layers named `query`, `key` and `value`. A linear function
#   of the channels that is the same at each position is a convolution with kernel size 1:
#   `nn.Conv1d(in_dim, …, kernel_size=1)`, with bias. Queries and keys have `key_dim` channels, values `out_dim`.
# - `forward(self, x, return_attention=False)` takes $x$ of shape $(N, D, T)$ and returns $Y$ of shape $(N, E, T)$. With
#   `return_attention=True` it returns the pair `(y, attention)`, where `attention[n, i, j]` is the weight with which
#   position $i$ of sequence $n$ looks at position $j$, shape $(N, T, T)$.
#
# For batches, `@` multiplies matrices over the last two dimensions, and `tensor.transpose(1, 2)` exchanges them: a
# convolution's output $(N, d, T)$ becomes $(N, T, d)$, a row for each position. The formula is the one above, with
# nothing added.
#
# What you write should also run on a GPU: create any new tensor on the device of the inputs, with `torch.zeros_like(x)`
# or `device=x.device`. The checks test this on a simulated GPU.

# %% [markdown]
# **Catch the mistakes first** (optional, no points). Before you write the layer, think of a test: which small example
# would show that a layer is wrong? Choose an example, run the cell, and read how many of the known mistakes it reveals.
# The sequence has two positions and one channel, with the numbers `x0` and `x1`, from 0 to 2. Each of the three
# convolutions turns a number of the sequence into `"x"`, `"2*x"` or `"x + 1"`. Queries and keys have two channels; the
# second is 1 if you chose `"x + 1"`, and 0 otherwise.

# %%
check.self_attention.catch(query="x", key="x", value="x", x0=0, x1=0)

# %% solution self_attention
class SelfAttentionLayer(nn.Module):
    """The layer of the formula above: (N, in_dim, T) -> (N, out_dim, T).

    SelfAttentionLayer(in_dim, out_dim, key_dim) has the 1x1 convolutions query, key and value;
    forward(x, return_attention=False) returns y, or (y, attention) with attention (N, T, T).
    """

    def __init__(self, in_dim, out_dim, key_dim):
        super().__init__()
        ### BEGIN SOLUTION
        self.query = nn.Conv1d(in_dim, key_dim, kernel_size=1)
        self.key = nn.Conv1d(in_dim, key_dim, kernel_size=1)
        self.value = nn.Conv1d(in_dim, out_dim, kernel_size=1)
        ### END SOLUTION

    def forward(self, x, return_attention=False):
        ### BEGIN SOLUTION
        query = self.query(x).transpose(1, 2)  # (N, T, d): a row for each position
        key = self.key(x).transpose(1, 2)  # (N, T, d)
        value = self.value(x).transpose(1, 2)  # (N, T, E)
        scores = query @ key.transpose(1, 2)  # (N, T, T): who looks, who is looked at
        attention = torch.softmax(scores, dim=2)
        y = (attention @ value).transpose(1, 2)  # (N, E, T)
        return (y, attention) if return_attention else y
        ### END SOLUTION

# %% test self_attention 14
check.self_attention(SelfAttentionLayer)
### BEGIN HIDDEN TESTS
exam.self_attention(SelfAttentionLayer)
### END HIDDEN TESTS

# %% [markdown]
# (If you know Transformers: they divide the scores by $\sqrt d$ before the softmax, so that queries with many
# components do not make the softmax extreme. The next lesson does the same. Here the layer's starting weights are small
# enough without it, and in our only comparison the plain formula learned faster.)

# %% [markdown]
# ## 6. The network with attention (about 30 minutes)
#
# Now put your layer into the middle of the network: two convolutions to find out "what am I?" (a point halfway up a
# triangle, say), attention to exchange heights with others of the same kind, and two convolutions to draw the result.
#
# ```
# input → conv → ReLU → conv → ReLU → attention → conv → ReLU → conv → output
# ```
#
# The next cell builds this network: the same four convolutions as in your `conv_network`, and between the second ReLU
# and the third convolution the module `attention`, which is passed in ready-made.

# %% given attention_network
def attention_network(attention, in_channels=1, channels=64):
    """(N, in_channels, T) -> (N, 1, T): the four convolutions of before, with `attention` in their middle."""
    widths, layers = [in_channels, channels, channels, channels, 1], []
    for i in range(4):
        layers += [nn.Conv1d(widths[i], widths[i + 1], kernel_size=5, padding="same"), nn.ReLU()]
    return nn.Sequential(*layers[:4], attention, *layers[4:-1])  # without the last ReLU

# %% [markdown]
# Same data, same loss, same number of steps. A step takes nearly twice as long, since each of the 100 positions now
# looks at all 100; the whole training takes about 25 seconds. What will be left of the error?

# %%
guesses["task 1: with attention"] = ...  # squared heights

# %% show train_attention
torch.manual_seed(0)
attention_model = attention_network(SelfAttentionLayer(64, 64, key_dim=64))
losses["with attention"] = train(
    attention_model, training_set, training_loop, steps=2_000, unseen=test_set, description="with attention"
)
plots.plot_losses(losses)
errors["task 1: with attention"] = height_variance * mean_squared_error(attention_model, test_set)
plots.print_errors(errors, guesses)
verdict(guesses, {"task 1: with attention": errors["task 1: with attention"]})

# %% [markdown]
# Follow the solid and the dashed lines of the network with attention: where do they cross the lines of the
# convolutions, and where do they end? The dashed one is the error on sequences that the network has never seen. The
# next figure shows both networks' predictions together.

# %% show predict_attention
plots.plot_predictions(
    test_inputs,
    test_targets,
    {"convolutions": predict(conv_model, test_inputs), "with attention": predict(attention_model, test_inputs)},
    heights=heights,
)

# %% [markdown]
# ### Is it the layer, or the size?
#
# The layer brought parameters with it. Is it attention that wins, or just size? The next cell puts a fifth convolution
# (and its ReLU) in the layer's place. This network has even more parameters than the one with attention, and a horizon
# of 21 points instead of 17. Same data, same recipe (it takes only a little longer than with four, about 17 seconds).
# What will its error be, compared with that of four convolutions?

# %%
guesses["task 1: five convolutions"] = ...  # squared heights

# %% show train_five
torch.manual_seed(0)
fifth = nn.Sequential(nn.Conv1d(64, 64, kernel_size=5, padding=2), nn.ReLU())
larger_model = attention_network(fifth)
train(larger_model, training_set, training_loop, steps=2_000, description="five convolutions")
errors["task 1: five convolutions"] = height_variance * mean_squared_error(larger_model, test_set)
networks = {"four convolutions": conv_model, "five convolutions": larger_model, "with attention": attention_model}
counts = [(name, str(sum(p.numel() for p in network.parameters()))) for name, network in networks.items()]
print_table(counts, heads=("network", "parameters"))
plots.print_errors(errors, guesses)
verdict(guesses, {"task 1: five convolutions": errors["task 1: five convolutions"]})

# %% [markdown]
# Compare the two tables, parameters and errors. Does the number of parameters explain the errors? If it is not size
# that makes the difference, what is it?

# %% [markdown]
# **Why this recipe?** At the start all scores are near 0, the softmax is nearly flat, and each position receives the
# same featureless average of everything. The network must discover, from the error alone, *whom* to look at. But while
# all attention weights are alike, each of them contributes only a hundredth of the result, and the error says little
# about any one of them. So we take many small steps (batches of 16) on many sequences. And we use
# [Muon](https://kellerjordan.github.io/posts/muon/) (in `utils/common/muon.py`), an optimizer that takes every
# direction of a weight matrix equally seriously: a plain gradient step goes almost entirely into the few directions in
# which the gradient is large, but a step of Muon is equally long in all directions, the faint ones too.
#
# The opposite danger is a softmax that is too sharp, with all its weight on one position: queries and keys then get no
# gradient, and the network cannot learn to look elsewhere. Large early steps can drive it there, so the learning rate
# starts small. It ends at zero, to average out the noise of small batches.

# %% [markdown]
# ### Many sequences, or few?
#
# We can draw as many sequences as we like. The exercise from which the tasks come has 750, and data that people have to
# collect is often scarce. What happens with few sequences? The next cell takes the first 100 of the training set and
# trains a new network with attention for 1,000 steps (about 12 seconds), so that it meets each of them 160 times. Then
# it measures two errors: on these 100 sequences, and on the test set.
#
# **Guess first.** How many times as large will the error be on new sequences as on the 100? (1 means that the network
# does equally well on sequences that it has never seen. The table also has both errors of the network that learned from
# 50,000 sequences.)

# %%
guesses["100 sequences"] = ...  # times

# %% show train_few
few = TensorDataset(*training_set[:100])
torch.manual_seed(0)
few_model = attention_network(SelfAttentionLayer(64, 64, key_dim=64))
few_losses = train(few_model, few, training_loop, steps=1_000, unseen=test_set, description="100 sequences")
plots.plot_losses({"100 sequences": few_losses})
rows, times = [], {}
for name, network in {"50,000 sequences": attention_model, "100 sequences": few_model}.items():
    known, new = (height_variance * mean_squared_error(network, part) for part in (few, test_set))
    times[name] = new / known
    rows.append((name, f"{known:.4f}", f"{new:.4f}", f"{new / known:.1f}"))
print_table(rows, heads=("learned from", "error on the 100", "error on new ones", "times as large"), guesses=guesses)
verdict(guesses, {"100 sequences": times["100 sequences"]})

# %% [markdown]
# The figure is drawn like those above: a solid line for the batches, a dashed one for test sequences. The two lines
# move apart when the network begins to learn its 100 sequences by heart: what it learns from then on is true of these
# sequences and of no others. This is called **overfitting**. The loss on the sequences that a network learns from does
# not show it, so every network in this lesson is judged on others.

# %% [markdown]
# ### What does it look at?
#
# This is what you wrote `return_attention` for. The attention layer comes right after the first four layers of the
# network. The next figure shows the matrix of one test sequence: row $i$ shows where position $i$ looks. Compare it
# with the table that we wished for. Find the rows of a triangle, and follow them to the right: which columns are
# bright?

# %% show attention_matrix
def attention_of(model, inputs):
    """Return the attention matrices (N, T, T) of a network whose fifth module is a SelfAttentionLayer."""
    layers = list(model.children())
    place = [isinstance(layer, SelfAttentionLayer) for layer in layers].index(True)
    with torch.no_grad():
        features = nn.Sequential(*layers[:place])(inputs)
        return layers[place](features, return_attention=True)[1]


plots.plot_attention(attention_of(attention_model, test_inputs[:1])[0], test_inputs[0])

# %% [markdown]
# Nobody told the network about triangles, rectangles or partners. It was told only heights, and it found out that
# looking at shapes of the same kind makes the error small.
#
# One more thing to look for: within a pair of triangles, do your bright streaks fall to the right, as in the table that
# we wished for, or do they rise? Either can happen; it depends on the run. A pair of rectangles may show single spots
# instead. Why do all three patterns give the right answer?

# %% essay reading_the_matrix 3 [markdown]
# **Question 1. Describe the attention matrix of your network in your own words: what do the rows of a triangle look at,
# what do those of a rectangle, and what those of the ground? How does it differ from the matrix that we wished for, and
# why does the network predict well all the same?** Four to six sentences.
#
# ### BEGIN SOLUTION
# *Model answer.* A row that belongs to a triangle has its large weights in the columns of both triangles (its own and
# the other's), and hardly any on rectangles or ground; likewise a row of a rectangle. The wished-for matrix has two
# sharp diagonals; the learned one is often blurred over the points of the two shapes, and the ground's rows look at
# other points of the ground, it hardly matters which. That does no harm: values and the later convolutions are learned
# together with the weights, so that any pattern will do from which the partners' mean height can be computed; and where
# all values are alike (on the ground, in task 1) it hardly matters how the weights are shared out.
#
# Streaks that rise look at the mirrored point of the partner, which has the same height, as all shapes are symmetric;
# and all points of a rectangle are equally high, so that any one of them will do.
#
# *Figures.* `attention_matrix`. Compare with the student's own matrix.
#
# *Points.*
#
# - `same_kind` 1: rows of a shape look at the shapes of the same kind, both of them. *Words:* same kind, same type,
#   both, triangle, rectangle.
# - `difference` 1: a true difference from the wished-for matrix (blur, more or fewer points, the ground). *Words:*
#   blur, wide, spread, sharp, diagonal, ground, noise.
# - `no_harm` 1: a reason why the difference does no harm (values and later layers are learned too, or weights between
#   equal values do not matter). *Words:* value, layer, learn, train, matter, mean, average.
# ### END SOLUTION

# %% [markdown]
# ## 7. The second task (about 10 minutes)
#
# Task 2: the two shapes on the left should take their mean height, and the two on the right theirs. The network is the
# same, with new weights and new targets, and we give it 5,000 steps, to be generous (about a minute). Will attention
# work as well as in task 1?

# %% [markdown]
# The next figure shows the sequences of section 1 again, now with their targets in task 2: the two neighbours on the
# left become equally high, and so do the two on the right.

# %% show draw_task_2
plots.plot_sequences(*generate(4, task=2, seed=3))

# %%
guesses["task 2: attention without position"] = ...  # squared heights

# %% show train_task_2
test_set_1 = test_set  # of task 1, for later
sequences, targets = generate(N_TRAIN + N_TEST, task=2, seed=0)
height_variance = targets[:N_TRAIN].var().item()
training_set, test_set = make_datasets(sequences, targets, N_TRAIN)
torch.manual_seed(0)
placeless_model = attention_network(SelfAttentionLayer(64, 64, key_dim=64))
losses_2 = {
    "without position": train(
        placeless_model, training_set, training_loop, steps=5_000, unseen=test_set, description="task 2"
    )
}
errors["task 2: attention without position"] = height_variance * mean_squared_error(placeless_model, test_set)
plots.plot_losses(losses_2)
plots.print_errors(errors, guesses)
verdict(guesses, {"task 2: attention without position": errors["task 2: attention without position"]})

# %% [markdown]
# Whatever the result, look at the formula again to see what the layer cannot know: $y_i$ is a sum over all $j$, and a
# sum does not care about the order of its terms. Shuffle the positions of $x$, and the $y_i$ are shuffled in the same
# way, but each of them is unchanged. The layer treats a sequence as a *bag*. The next cell shows this with your layer:
# it shuffles the input and compares.

# %% show shuffle
layer = SelfAttentionLayer(5, 7, key_dim=3)
x = torch.randn(1, 5, 100)
order = torch.randperm(100)
with torch.no_grad():
    difference = (layer(x[:, :, order]) - layer(x)[:, :, order]).abs().max()
say("shuffle then attend, or attend then shuffle: the largest difference is {difference:.1e}", difference=difference)

# %% [markdown]
# In task 1 that was a virtue: partners are found wherever they are. In task 2 it is fatal. "Am I one of the two on the
# left?" depends on where I am and where the others are, and nothing in $q$, $k$ or $v$ says where anything is. (Whether
# the convolutions around the layer know anything of places, question 3 will ask.)

# %% [markdown]
# ## 8. Positional encoding (about 25 minutes)
#
# The cure could hardly be simpler: *write the position beside the point.* We give each sequence $B$ extra channels that
# contain the number of each position in binary. The bits of position $t$ are zeros and ones that say which powers of
# two add up to $t$:
#
# $$t = \sum_{b=0}^{B-1} p_{b,t}\; 2^b, \qquad p_{b,t} \in \{0, 1\}, \qquad t = 0, \dots, T-1 .$$
#
# For example, $5 = 1 + 4$, so bits 0 and 2 of position 5 are ones, and all its other bits are zeros. $B$ is the
# smallest number of bits with $2^B \ge T$: for 100 positions $B = 7$, since $2^6 = 64 < 100 \le 128 = 2^7$.

# %% [markdown]
# **Write `positional_encoding(length)`.** It returns the bits $p_{b,t}$ of $T$ = `length` positions (2 or more) as a
# float tensor of shape $(B, T)$. How does one read off from $t$ alone whether $2^b$ is in its sum? You may put the
# lowest bit first or the highest: to the network it makes no difference, and the check accepts both.

# %% solution positional_encoding
def positional_encoding(length):
    """Return the encoding of the positions 0 to length - 1: (B, T), floats."""
    ### BEGIN SOLUTION
    bits = math.ceil(math.log2(length))
    positions = torch.arange(length)  # (T,)
    powers = 2 ** torch.arange(bits)  # (B,)
    return (positions // powers[:, None] % 2).float()  # (B, T)
    ### END SOLUTION

# %% test positional_encoding 5
check.positional_encoding(positional_encoding)
### BEGIN HIDDEN TESTS
exam.positional_encoding(positional_encoding)
### END HIDDEN TESTS

# %% [markdown]
# Each row of the next figure is a channel, black for 1. Read a column from bottom to top, and you read its position as
# a binary number: bit 0 changes at every step, bit 6 only once.

# %% show draw_encoding
plots.plot_encoding(positional_encoding(100))

# %% [markdown]
# How does the encoding enter the network? The picture shows it for a sequence of 8 points with one channel of heights
# and 3 bits: the rows of bits are placed below the heights, and together they are one input of $C + B$ channels. The
# bits are the same for every sequence.

# %% show draw_joined
drawings.positions_as_channels()

# %% [markdown]
# **Write `add_position(x, encoding)`.** It takes sequences $x$ of shape $(N, C, T)$ and an encoding of shape $(B, T)$,
# and returns the inputs in the picture, of shape $(N, C + B, T)$, with the channels in the picture's order, from top to
# bottom. With one channel and seven bits, that makes eight channels.

# %% solution add_position
def add_position(x, encoding):
    """x (N, C, T), encoding (B, T) -> sequences with their positions (N, C + B, T)."""
    ### BEGIN SOLUTION
    repeated = encoding.expand(len(x), -1, -1)  # (N, B, T)
    return torch.cat([x, repeated], dim=1)
    ### END SOLUTION

# %% test add_position 2
check.add_position(add_position)
### BEGIN HIDDEN TESTS
exam.add_position(add_position)
### END HIDDEN TESTS

# %% [markdown]
# Now task 2 again, with position. The network is the same, except that it takes 8 channels instead of 1. Each bit is
# standardised like the heights (by your `make_datasets`), so that it speaks as loudly as they do. (This takes about a
# minute: time to think about question 2, below.)

# %%
guesses["task 2: attention with position"] = ...  # squared heights

# %% show train_position
encoding = positional_encoding(sequences.shape[-1])
training_set_8, test_set_8 = make_datasets(add_position(sequences, encoding), targets, N_TRAIN)
torch.manual_seed(0)
position_model = attention_network(SelfAttentionLayer(64, 64, key_dim=64), in_channels=8)
losses_2["with position"] = train(
    position_model, training_set_8, training_loop, steps=5_000, unseen=test_set_8, description="with position"
)
errors["task 2: attention with position"] = height_variance * mean_squared_error(position_model, test_set_8)
plots.plot_losses(losses_2)
verdict(guesses, {"task 2: attention with position": errors["task 2: attention with position"]})

# %% [markdown]
# At which step do the two curves separate? Below are both networks' predictions for the same sequences. Which network
# settles for a compromise on all shapes, and which network's dashed line finds the orange one?

# %% show predict_position
test_inputs, test_targets = test_set[:]
test_inputs_8, _ = test_set_8[:]
plots.plot_predictions(
    test_inputs,
    test_targets,
    {
        "without position": predict(placeless_model, test_inputs),
        "with position": predict(position_model, test_inputs_8),
    },
    heights=(sequences[N_TRAIN:], targets[N_TRAIN:]),
)

# %% show attention_matrix_2
plots.plot_attention(attention_of(position_model, test_inputs_8[:1])[0], test_inputs_8[0])

# %% [markdown]
# The figure above is the attention matrix of the network with position. Kinds no longer matter. Compare the rows of the
# two shapes on the left with those of the two on the right: do they look at different columns? Neighbouring rows may
# look at quite different places, because bit 0 changes from each position to the next. This does no harm, since the
# convolution after the layer mixes neighbours again. So judge a shape by all of its rows. You may see bright vertical
# stripes as well: these are a few positions that the whole ground looks at.

# %% [markdown]
# ### Does it matter where the ground looks?
#
# The next cell finds out. It takes all points far from any shape and makes them look at the whole ground evenly, with
# equal weights; everything else stays as you trained it. By what factor does the error grow, in task 1 and in task 2
# with position? (1 means that it does not matter where the ground looks.)

# %%
guesses["task 1, ground even"] = ...  # times the error
guesses["task 2, ground even"] = ...

# %% show even_ground
times = {
    "task 1, ground even": ground.times_the_error(attention_model, SelfAttentionLayer, test_set_1, heights[0]),
    "task 2, ground even": ground.times_the_error(position_model, SelfAttentionLayer, test_set_8, sequences[N_TRAIN:]),
}
rows = [(name, f"{factor:.1f}") for name, factor in times.items()]
print_table(rows, heads=("rows of the ground", "times the error"), guesses=guesses)
verdict(guesses, times)

# %% [markdown]
# Why should the two differ? In task 1 the value of a point carries height and kind, and on the ground these are much
# the same everywhere. With position, a value carries more than a height, so it matters where the ground looks. Before
# you call something in a picture “noise”, take it away and measure.

# %% [markdown]
# ### Explore (optional)
#
# Now the sequence is yours: drag a shape, raise it, press T to turn a triangle into a rectangle, and all four networks
# answer at once, with the weights that you trained. Point at a position to see where it looks; open *One number* and
# follow a query and a key to their weight. The **temperature** divides all scores before the softmax. A high
# temperature makes all weights nearly equal; at a low one, only the largest score counts. What becomes of the
# prediction in each case? The switches show what a mistake in the layer would do to these answers. (Where the page
# cannot be shown, you get a figure instead: for each network with attention, it shows where the top of the highest
# shape looks.) In a cell of your own, `mine.save("mine.html")` keeps the page as a file, to open in any browser.

# %% show explore
mine = explorer.explore(
    {
        "task 1: convolutions": (conv_model, test_set_1),
        "task 1: with attention": (attention_model, test_set_1),
        "task 2: attention without position": (placeless_model, test_set),
        "task 2: attention with position": (position_model, test_set_8),
    }
)
mine

# %% [markdown]
# ## 9. The sick network (about 25 minutes)
#
# The page above can switch mistakes on, so that you see what they do. Now the other way round: a network behaves
# strangely, and you find out why. A network was trained on task 2 with position, as your last one was, but it is
# smaller and started from other weights; and eight copies of it fell ill. Your own `SelfAttentionLayer`, which is
# right, runs in these patients; but somebody has changed their *weights*. Each patient now behaves exactly as if one
# line of your code were wrong: in the layer, or in the code that makes its input.
#
# Your name decides which patient you get. Run the next cell; then write your name in the one below it. (Healthy
# networks of this kind read the heights first, then the bits, from the lowest to the highest.)

# %% given admit
whose = ""


def admitted(weights):
    """Return a network with these weights: your layer, with key_dim=16, between convolutions of 32 channels."""
    network = patients.network(SelfAttentionLayer(patients.CHANNELS, patients.CHANNELS, key_dim=patients.KEY_DIM))
    network.load_state_dict(weights)
    return network.eval()

# %%
whose = ""  # your name or number between the quotes

# %% [markdown]
# First, two tables examine your own network and the patient. One gives the mean squared error on the points of shapes
# and on the ground, and the number of positions that a point of a shape looks at (1 for a single position, 100 for all
# of them equally). Then come the shapes of two sequences, each with its position and its height, the height that it
# should get, and what each network predicts there.

# %% show examine
patient = admitted(patients.weights(patients.number_of(whose)))
both = {
    "task 2: your network": (position_model, test_set_8),
    "task 2: your patient": (patient, patients.test_set()),
}
print_table(patients.rows_of_errors(both), heads=("squared error", *patients.KINDS, "positions looked at"))
print_table(patients.rows_of_shapes(both), heads=("sequence: position", "height", "target", *both))

# %% [markdown]
# And here is the page of section 8, with both of them. Drag shapes, see where they look, switch mistakes on, and
# compare. (The temperature divides all scores.)

# %% show explore_patient
explorer.explore(both)

# %% [markdown]
# What does your patient have? It behaves as if
#
# 1. the scores were divided by $\sqrt d$;
# 2. the scores were divided by $\sqrt T$;
# 3. the scores were multiplied by $\sqrt d$;
# 4. queries and keys were exchanged;
# 5. the inputs were not divided by their standard deviations;
# 6. the inputs were divided by their variances instead of their standard deviations;
# 7. the bits of the positions were inverted, ones for zeros;
# 8. the channels of the encoding came before the heights.

# %% [markdown]
# **Write `heal(patient)`.** Change the patient's weights in place, under `torch.no_grad()`, so that it behaves as it
# did before it fell ill: a line or two will do. `patient.first` is the first convolution, whose `weight` has the shape
# (channels out, channels in, 5), and `patient.attention` is your layer; each layer in it has a `weight` and a `bias`.
# Training the patient, or using another network's weights, is not a cure. Then return two numbers: the number of the
# illness in the list above, and the patient's error on shapes before the cure, from the first table of this section.
# ($d$ is 16 here, and $T$ is 100; the standard deviations of heights and bits are nearly those of your own sequences in
# section 8.)
#
# Four of the illnesses affect the layer, the other four what enters the network. The cure is the proof: of the eight,
# only the right one brings the error back down. Wrong tries cost nothing, and each try begins with a fresh patient.

# %% solution heal
def heal(patient):
    """Heal a network in place; return the number of its illness, and its error on shapes before the cure."""
    ### BEGIN SOLUTION
    with torch.no_grad():
        patient.first.weight[:, 1:] *= -1  # the channels of the bits
    return 7, 14.1
    ### END SOLUTION

# %% test heal 3
check.heal(heal, admitted, whose)
### BEGIN HIDDEN TESTS
exam.heal(heal, admitted, whose)
### END HIDDEN TESTS

# %% [markdown]
# The next cell shows what your cure has done: the errors of your patient, of the same patient after `heal`, and of the
# network before it fell ill.

# %% show after_cure
ill, healed = (admitted(patients.weights(patients.number_of(whose))) for _ in range(2))
healthy = admitted(patients.weights(patients.HEALTHY))
heal(healed)
cases = {"your patient": ill, "after your cure": healed, "before it fell ill": healthy}
cases = {name: (network, patients.test_set()) for name, network in cases.items()}
print_table(patients.rows_of_errors(cases), heads=("squared error", *patients.KINDS, "positions looked at"))

# %% [markdown]
# ## 10. All together (about 20 minutes)
#
# Here are all five models in one table and one figure: the error on new sequences, in squared heights, on a logarithmic
# scale. You see convolutions limited by their horizon, and attention with and without a sense of order.

# %% show compare
plots.print_errors(errors, guesses)
plots.plot_errors(errors)

# %% [markdown]
# And what does it cost to see everything? Compare three layers that turn $T$ positions of $D$ channels into as many new
# ones (after Vaswani et al. 2017, table 1):
#
# | layer | multiplications | sequential steps | path from one end to the other |
# | --- | --- | --- | --- |
# | convolution, kernel $k$ | $k\,T D^2$ | 1 | $2\,(T - 1) / (k - 1)$ layers |
# | recurrent | $2\,T D^2$ | $T$ | $T - 1$ steps |
# | self-attention | $3\,T D^2 + 2\,T^2 D$ | 1 | 1 layer |
#
# The last column is what this lesson was about: how many times a message must be passed on before one end of the
# sequence knows about the other. And the price? Here, with $T = 100$ and $D = 64$, attention costs 2.5 million
# multiplications and a convolution 2.0 million: hardly any difference. But the table of who looks at whom grows with
# the *square* of the length. For a text of 10,000 words it has a hundred million entries in each layer, and most of the
# research on long texts is about ways not to store or compute them all.

# %% essay why_convolutions_fail 3 [markdown]
# **Question 2. The convolutional network fails in task 1. (a) What is its receptive field, and how do you get that
# number? (b) In your figure of the network's predictions, choose a shape with no close neighbours. Read off the shape's
# own height and the height predicted for it, and explain why this prediction, and no other, is the best answer under
# your loss. (c) With 46 layers each point would see 92 points on either side, and so every partner. Would these 46
# layers have solved the task as well as one attention layer? Give one reason for or against.**
#
# ### BEGIN SOLUTION
# *Model answer.* (a) Each convolution with kernel 5 adds 4 points: 1 + 4 · 4 = 17. (b) A shape of height 25 is drawn at
# about 20: it predicts the mean over all partners' heights, (h + 15)/2, half the way from its own height h to the
# partner's expected height 15. The squared error is smallest at the conditional mean. (c) 46 layers would see far
# enough, but the partner's distance changes, and the weights belong to distances; the network would have to carry each
# height through up to 45 layers to every place where it may be needed. It could get better, at many times the cost,
# with many more parameters.
#
# *Figures.* `predict_conv`. Compare with the student's own predictions.
#
# *Points.*
#
# - `receptive_field` 1: 17, with a reason. *Words:* 17, receptive, 1 + 4.
# - `mean` 1: why the shape read off is drawn at (h + 15)/2: it is the mean, where the squared error is smallest.
#   *Words:* mean, average, expect, square, MSE, L2, 15.
# - `depth` 1: a sound reason for or against 46 layers. *Words:* cost, parameter, distance, offset, deep, gradient,
#   train, fixed.
# ### END SOLUTION

# %% essay why_position 4 [markdown]
# **Question 3. (a) You shuffle the points of a sequence, let a network predict, and put the points of its output back
# into their old order. Is that what it would have predicted without all the shuffling? Answer for one self-attention
# layer alone, and for the whole network of section 6, and give reasons. (b) Without the encoding, our network never
# learned task 2, and yet its answers depended a little on where a shape was. What could it know about position? Think
# of the zero padding. (c) Why do we write the positions beside the heights instead of adding them to the heights, and
# what would be lost if the encoding were one channel with the number $t$ instead of seven with its bits?**
#
# ### BEGIN SOLUTION
# *Model answer.* (a) For the layer alone, yes: its output is shuffled in the same way and otherwise unchanged
# (equivariance), because each output is a sum over all positions of terms that depend on contents only. For the whole
# network, no: its convolutions look at neighbours, and shuffled points have others, so that no shape is left. (b) Not
# entirely: convolutions see the order within their horizon, so shapes that nearly touch know which of them is on the
# left, and at the ends zero padding differs from ground, so places within a few points of an end can be told. That
# helps only in some sequences. (c) Added to the only channel, a bit could not be told from height; in channels of its
# own, the first convolution can use both. A single channel with t tells everything in principle, but positions that
# differ by 1 out of 100 look almost alike, and "left of" must be computed from tiny differences; bits are easy to tell
# apart.
#
# *Points.*
#
# - `shuffled` 0.5: the layer alone predicts the same (equivariance). *Words:* equivarian, same way, permut.
# - `sum` 1: the layer does, because each output is a sum over all positions of terms that depend on contents only.
#   *Words:* sum, every position, all positions, content.
# - `network` 0.5: the whole network does not predict the same, because its convolutions look at neighbours. *Words:*
#   neighbour, convolution, whole network.
# - `padding` 1: what the network still knows about places: zero padding at the ends, or the order inside the
#   convolutions' horizon. *Words:* padding, border, edge, end, local, order.
# - `channels` 1: a sound reason for channels of their own, or against a single channel with the number $t$. *Words:*
#   channel, separate, bit, scale, distinguish, tell apart.
# ### END SOLUTION

# %% [markdown]
# ## Recap
#
# - A convolution looks at fixed distances; beyond its receptive field there is nothing. No training changes that.
# - Self-attention computes, from the sequence itself, a table $A = \mathrm{softmax}(\mathbf Q \mathbf K^\top)$ of who
#   looks at whom, and returns weighted means of values, $Y = A \mathbf V$.
# - It treats a sequence as a bag: shuffle in, shuffle out. Where order counts, position must be part of the input.
# - Where a softmax is flat, the error says little about each weight; where it is too sharp, no gradient comes through.
#   Attention needs many careful steps.
#
# The picture sums the lesson up. Take an output position above the left triangle: which of the points below does it
# look at? With convolutions it sees only its neighbours, so task 1 is not solved. Attention sees all points, and looks
# mostly at the two triangles, wherever they are: task 1 is solved, but task 2 is not. With positions, the numbers below
# the points, it can look at the two shapes on the left: task 2 is solved.

# %% show draw_in_one
drawings.in_one_picture()

# %% [markdown]
# In the next lesson several such layers work side by side, queries and keys come from different sources, and the whole
# model describes pictures.

# %%
# Your own trials: sequences of another length, more bits, attention without convolutions, ...
