# %% [markdown]
# # Attention: whom should I look at?
#
# In a convolution, each point looks at its neighbours, and always at the same distances. Attention looks wherever there
# is something of interest, and it *learns* what is of interest. In this lesson you will build both and set them two
# small tasks. **By the end you will be able to**
#
# - say which tasks a short stack of convolutions cannot solve, however long you train it;
# - write self-attention, $\mathrm{softmax}(\mathbf Q \mathbf K^\top)\,\mathbf V$, in six lines, and say what each
#   letter is for;
# - read an attention matrix as a table of who looks at whom;
# - explain what attention knows about order, and give it what it lacks.
#
# It takes about three and a half hours; times are given beside the headings, and optional parts take extra time. You
# should know Python and PyTorch's tensors, and you should have trained a network before. Nothing is downloaded, and you
# don't need a graphics card.

# %% [markdown]
# ## How a lesson works
#
# - **Run** each cell with Shift + Enter, from top to bottom; after a restart, begin at the top again.
# - **Write** where it says `# Your code goes here`. The cell below checks your code in a second, and says where a
#   mistake may be.
# - **Hand in** this notebook under its own name, `attention.ipynb`. Its last cell shows where you stand.
#
# The next two cells find the workbook's modules and draw a picture of how a lesson works.

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
# Each sequence has $T = 100$ points. Somewhere along it are two triangles and two rectangles, each 8 points wide and
# between 2 and 28 high, placed at random but never overlapping. The problem comes from lecture 13.2 of François
# Fleuret's [deep learning course](https://fleuret.org/dlc/).
#
# **Task 1.** Both triangles should end up at the triangles' mean height, and both rectangles at the rectangles' mean
# height. Their positions do not change.
#
# **Task 2.** Now order matters, not kind: the two shapes on the left should end up at *their* mean height, and the two
# on the right at theirs.

# %% [markdown]
# The next figure shows four sequences as grey areas, and their targets for task 1 as orange lines. Find a pair of
# triangles, and check by eye that both orange peaks are at the mean height of the two grey ones.

# %% show draw_task_1
plots.plot_sequences(*generate(4, task=1, seed=3))

# %% [markdown]
# **Be the network for a minute.** The next figure shows one shape from each of three new sequences, with eight points
# on either side of its middle, and hides everything else. How high should each shape be in the target for task 1? Run
# the next cell, make up your mind, and then run the one after it.

# %% show draw_keyholes
curious, answers = generate(3, task=1, seed=11)
plots.plot_keyholes(curious)

# %% show open_keyholes
plots.open_keyholes(curious, answers)

# %% [markdown]
# You couldn't know, and neither can a network that sees no more than you did. *What do you need to know that is not
# near you?* In task 1, you need the height of the other shape of your kind, wherever that shape may be. Keep the
# question in mind.

# %%
# Your own trials: other seeds, more sequences.

# %% [markdown]
# ## 2. Data sets (about 15 minutes)
#
# A network learns from some of the sequences, the **training set**, and is judged on the others, the **test set**. It
# also learns faster from numbers around 1 than from heights of up to 28, so we *standardise* them: for each channel
# $c$,
#
# $$x'_{n,c,t} = \frac{x_{n,c,t} - \mu_c}{\sigma_c}$$
#
# where $\mu_c$ and $\sigma_c$ are the mean and the standard deviation of that channel over all positions of all
# **training** sequences. The test sequences are standardised with the *same* $\mu_c$ and $\sigma_c$, because computing
# them from the test set would be peeking.

# %% [markdown]
# **Write `make_datasets(inputs, targets, n_train)`.** The inputs have shape $(N, C, T)$, for $N$ sequences of $T$
# points in $C$ channels (here just one, the height). The targets have shape $(N, 1, T)$.
#
# 1. Standardise the inputs and, in the same way, the targets, each with their own means and standard deviations. The
#    first `n_train` sequences are the training sequences.
# 2. Return two `TensorDataset`s of pairs (input, target): one with the first `n_train` sequences, and one with the
#    others, both in their original order. Leave `inputs` and `targets` themselves unchanged, because later figures draw
#    the original heights.
#
# `torch.mean` and `torch.std` accept several dimensions at once, and with `keepdim=True` their results have the right
# shape for the subtraction and the division.

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
# Now for the data of task 1: 50,000 sequences for the networks to learn from, and 1,000 to judge them by. The networks
# read and predict standardised heights, so for them the flat ground is slightly below 0; figures and errors use the
# original heights.

# %% show data_task_1
N_TRAIN, N_TEST = 50_000, 1_000
sequences, targets = generate(N_TRAIN + N_TEST, task=1, seed=0)
height_variance = targets[:N_TRAIN].var().item()  # turns our errors back into squared heights
training_set, test_set = make_datasets(sequences, targets, N_TRAIN)
say("{train:,} pairs to learn from, {test:,} to judge by", train=len(training_set), test=len(test_set))

# %% [markdown]
# ### Two questions about your own code
#
# Can you say what your code does before you run it? Once your code has passed its check, the next cell asks two
# questions about *your* `make_datasets`. In both questions, $x$ is everything that `make_datasets` returns, put into
# one tensor: first the sequences of the training set, then the sequences of the test set, each with its target as the
# last channel. If you change your code, the questions change as well.
#
# **Write `own_code()`.** Return two values, one for each question. The first question changes one number of a small
# input; your first value is a list of the rows of $x$ that change as a result, each given as a pair $(n, c)$ of
# sequence and channel. Your second value is one of the five words that the second question offers. For example:
# `[(0, 1), (0, 2)], "some"`. Predict first, and then try it out in a cell of your own. The check looks only at the form
# of your answers; you will learn whether they are right when the notebook is graded.

# %% show ask
check.own_code.ask(make_datasets)

# %% solution own_code
def own_code():
    """Return the rows that change with the number, and what the changed line gives."""
    ### BEGIN SOLUTION
    return [(6, 2)], "all"
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
# A sequence is a tensor of shape (channels, positions), and a batch is a tensor of shape (sequences, channels,
# positions), for instance $(N, C, T)$, which is the order that PyTorch's `Conv1d` expects. Beside each line of your
# code, write the shape of its result as a comment, `# (N, C, T)`. It is the cheapest way to find a mistake before it
# finds you.

# %% [markdown]
# ## 3. Convolutions, and their horizon (about 25 minutes)
#
# A one-dimensional convolution with kernel size 5 computes each output from 5 neighbouring inputs. Two stacked
# convolutions see 9 points, and four see 17. These 17 points are our network's horizon, its *receptive field*: anything
# more than 8 points away does not exist for the network.
#
# ```
# input (N, C, T) → conv → ReLU → conv → ReLU → conv → ReLU → conv → output (N, 1, T)
#                     64 channels   64 channels   64 channels   1 channel
# ```

# %% [markdown]
# **Write `conv_network(in_channels=1, channels=64)`.** It returns the network in the diagram above, as an
# `nn.Sequential` with its layers in that order. The first convolution takes `in_channels` channels, and `channels`
# replaces each 64 in the diagram. Each `nn.Conv1d` has kernel size 5 and a bias. The output should be as long as the
# input, so choose the zero padding accordingly.

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
# Training needs a number that says how bad a prediction is: the **loss**. Since the target at each position is a
# height, a real number, we take the *mean squared error*: the mean, over all sequences and positions of a batch, of the
# squared difference between prediction and target. It is 0 only if the two agree everywhere, and an error twice as
# large costs four times as much. The square has a purpose: with such a loss, the best guess is the *mean* of all
# possible values, and this mean is what a network falls back on when it cannot know the answer.
#
# A network learns through thousands of small corrections. Each correction takes one batch, computes the loss, works out
# for each parameter in which direction the loss grows (that is the gradient), and moves the parameter a little the
# other way. This last step is the job of an object called the *optimizer*.

# %% [markdown]
# **Write `update(model, optimizer, inputs, targets)`**, which corrects the network `model` once, on one batch of inputs
# of shape $(N, C, T)$ and targets of shape $(N, 1, T)$. Compute the loss, correct the network once, and return the loss
# from before the correction as a plain number, with `.item()`.
#
# You need three calls, each of them once; it is up to you to find their order:
#
# - `optimizer.step()` moves each parameter a little, against the gradient stored with it;
# - `optimizer.zero_grad()` clears the stored gradients;
# - `loss.backward()` computes the gradients of this loss and *adds* them to the stored ones.

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
# The rest of training is a loop around your function, and here it is. This loop trains every network in the lesson. A
# batch has 16 sequences, drawn at random; `schedule` sets the learning rate, that is, how long the steps are.

# %% given training_loop
def training_loop(model, optimizer, schedule, batches):
    """Correct the model once for each batch; return the loss on each."""
    losses = []
    for inputs, targets in batches:  # (16, C, T), (16, 1, T)
        losses.append(update(model, optimizer, inputs, targets))
        schedule.step()
    return losses

# %% [markdown]
# Now you are ready to train. `train` prepares the batches, the optimizer and the schedule, and then runs the loop, here
# for 2,000 batches. (There are reasons for this recipe: `utils/attention/training.py` explains them, and section 6 says
# what they have to do with attention.) Training takes about 15 seconds.
#
# **Guess first.** A network that predicts the same height everywhere, namely the mean, has a mean squared error of 44
# squared heights. How much of this error will be left with four convolutions? Put your number in place of the three
# dots, and run the cell.

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
# The figure shows the loss at each step, on a logarithmic scale: the solid line is for the batches that the network
# learns from, and the dashed one for test sequences, which it never learns from. See how far down the two lines go, and
# how far apart they are: learning by heart would lower only the solid one. And what does the network predict? In the
# next figure the input is grey, the target is orange and the prediction is a dashed blue line; a thin line marks 15,
# the mean height of all shapes. Where the blue line leaves the orange one, see where it goes instead.
#
# The table below the figure has three columns: the error on the test sequences (in squared heights), your guess, and
# the error as a multiple of the smallest error so far in the same task (which is 1 as long as the task has only one
# network).

# %% show predict_conv
test_inputs, test_targets = test_set[:]
heights = sequences[N_TRAIN:], targets[N_TRAIN:]  # the same before they were standardised
plots.plot_predictions(test_inputs, test_targets, {"convolutions": predict(conv_model, test_inputs)}, heights=heights)
errors = {"task 1: convolutions": height_variance * mean_squared_error(conv_model, test_set)}
plots.print_errors(errors, guesses)
verdict(guesses, {"task 1: convolutions": errors["task 1: convolutions"]})

# %% [markdown]
# The positions are right, and so are the kinds, but the heights are not: each shape moves halfway from its own height
# towards 15, the *average* height of all shapes. That is indeed the best that can be done without seeing the partner.
# (This is true of a shape on its own. Two shapes of the same kind that nearly touch do see each other, and if a shape
# has a close neighbour of the other kind, its predicted line may be tilted.) More steps won't help, and neither will
# more channels: what the network needs to know never reaches it.
#
# You could stack layers until each point sees its partner (which may be 92 points away, so 46 layers would be needed),
# or you could make the kernels larger. But each weight of a convolution belongs to a fixed *distance*, and the partner
# is at a different distance in every sequence.

# %% [markdown]
# The picture shows the two ways of looking side by side. On the left are four stacked convolutions: the output at the
# top sees a cone of 17 points, and its partner is outside this cone. On the right is what you will build next: a single
# layer that connects the output to every point, and puts the weight on the output's own shape and on its partner,
# wherever that may be.

# %% show draw_horizon
drawings.convolution_and_attention(layers=4)

# %% [markdown]
# ## 4. The table we would like to have (about 20 minutes)
#
# Let us first solve task 1 without any learning, to see what we want. Let $A$ be a $T \times T$ table with a row for
# each position that looks. Each row has a weight $A_{ij}$ for every position $j$ that can be looked at, and the weights
# of a row add up to 1. The new height of position $i$ is then the weighted mean
#
# $$y_i = \sum_j A_{ij}\, x_j .$$
#
# Take a point on the left slope of a triangle. It should give a weight of ½ to itself, ½ to the corresponding point of
# the other triangle, and 0 to all other points. The result is the mean of the two triangles, point by point!

# %% [markdown]
# How could a computer fill in this table? Suppose we know two whole numbers for each position: its **kind** (0 for the
# ground, 1 for a triangle, 2 for a rectangle) and its **slot**, which says which of the eight points of its shape it is
# (0 to 7 from left to right; always 0 on the ground). For example, a ground point, a whole triangle and another ground
# point have the kinds 0 1 1 1 1 1 1 1 1 0 and the slots 0 0 1 2 3 4 5 6 7 0. Two positions should look at each other if
# they agree in *both* numbers, and each position agrees with itself.
#
# Now describe each position $i$ by a vector $f_i$, chosen so that the dot product of two descriptions says whether the
# two positions agree. Call this dot product the **score** of the pair; the weights of a row are then its scores,
# divided by their sum:
#
# $$s_{ij} = f_i \cdot f_j = \begin{cases} 1 & \text{if } i \text{ and } j \text{ agree} \\
# 0 & \text{otherwise,} \end{cases} \qquad A_{ij} = \frac{s_{ij}}{\sum_l s_{il}} .$$

# %% [markdown]
# **Write `wished_attention(kind, slot)`.** It takes two tensors of $T$ whole numbers, the kinds `kind` and the slots
# `slot`, and returns the table $A$, a float tensor of shape $(T, T)$.
#
# 1. Give each position its description $f_i$. `nn.functional.one_hot(numbers, count)` turns each number $0 \le n <$
#    `count` into a row of `count` entries, with a 1 at index $n$ and zeros elsewhere. Which number should each position
#    get, so that two rows have their 1 in the same column exactly when the two positions agree in kind *and* in slot?
# 2. Compute all scores at once. Which matrix product gives the dot products of all pairs of rows?
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
# **Guess first.** A sequence has four shapes of eight points, and its table has $100 \cdot 100 = 10{,}000$ entries.
# What percentage of these entries are not 0?

# %%
guesses["entries that are not 0"] = ...  # per cent

# %% [markdown]
# The next figure has your table in the middle, with the sequence above it and to its left. Each bright stripe says
# "these eight points look at those eight points": a shape looks at itself (the stripe on the main diagonal) and at its
# partner (the stripe away from the main diagonal). The ground, that is, every point outside the shapes, looks at the
# whole ground with small weights, hence the faint carpet. The printed line says how far $A x$ is from the target.

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
# So the solution is only *one matrix product* away, if someone tells us the kinds and the slots. But nobody does: a
# network sees only heights. The idea of self-attention is to let the sequence compute its own descriptions and, from
# these, its own table. The input $x$ has $D$ channels, and every position $j$ says three things, each a linear function
# of the $D$ numbers at that position (plus a bias):
#
# - its **query** $q_j$ ($d$ numbers): what am I looking for?
# - its **key** $k_j$ ($d$ numbers): what am I?
# - its **value** $v_j$ ($E$ numbers): what do I tell those who look at me?
#
# Where the query of one position agrees with the key of another, their dot product is large, and the first position
# looks at the second. In your table, the description $f_j$ was query and key in one: each position looked for others
# like itself. With a query and a separate key, a position can also look for something unlike itself.

# %% [markdown]
# Now for the formula. The **softmax** turns scores into weights: it raises $e$ to the power of each score, and divides
# the results by their sum over the row. So all weights are positive, the weights of a row add up to 1, and a score that
# is larger by 1 gets $e \approx 2.7$ times the weight:
#
# $$s_{ij} = q_i \cdot k_j, \qquad A_{ij} = \frac{e^{s_{ij}}}{\sum_{l} e^{s_{il}}}, \qquad y_i = \sum_j A_{ij}\, v_j .$$
#
# For a whole sequence, stack the queries as the rows of $\mathbf Q$ and the keys as the rows of $\mathbf K$, both
# $T \times d$, and the values as the rows of $\mathbf V$, which is $T \times E$:
#
# $$A = \mathrm{softmax}(\mathbf Q \mathbf K^\top) \quad (T \times T), \qquad
# Y = A \mathbf V \quad (T \times E),$$
#
# where the softmax runs along each row. This is how papers write it. `Conv1d`, however, expects a *column* for each
# position, so your layer will swap the two axes on the way in, and swap them back on the way out.
#
# Nothing here depends on distance: a partner 80 points away is as near as the point next door.

# %% [markdown]
# The picture shows the same computation from left to right, with the shape of each tensor. Three layers compute
# queries, keys and values from $x$, and their outputs are transposed so that each position is a row. Queries and keys
# give the scores, a softmax over each row turns the scores into the weights $A$, and the weights mix the values into
# $Y$. Follow the frame: row $i$ of $\mathbf Q$ says what position $i$ looks for, row $i$ of $A$ says where it looks,
# and row $i$ of $Y$ is what it gets.

# %% show draw_layer
drawings.queries_keys_values()

# %% [markdown]
# Here is a small example worked by hand. It has three positions, and the query of position 0 matches the key of
# position 2: $q_0 = (3, 0)$, $k_0 = (0, 1)$, $k_1 = (0, 2)$, $k_2 = (1, 0)$. The scores of row 0 are
# $q_0 \cdot k_j = (0, 0, 3)$, and the weights are $(1, 1, e^3) / (2 + e^3) = (0.045, 0.045, 0.909)$. With the values
# $v = (10, 20, 30)$, position 0 gets $0.045 \cdot 10 + 0.045 \cdot 20 + 0.909 \cdot 30 = 28.6$, so position 2 has
# nearly all the say. The next cell does the same in PyTorch.

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
#   `return_attention=True` it returns the pair `(y, attention)`, where `attention` has shape $(N, T, T)$, and
#   `attention[n, i, j]` is the weight with which position $i$ of sequence $n$ looks at position $j$.
#
# For batches, `@` multiplies matrices over the last two dimensions, and `tensor.transpose(1, 2)` swaps these two: a
# convolution's output $(N, d, T)$ becomes $(N, T, d)$, with a row for each position. The formula is the one above, with
# nothing added.
#
# What you write should also run on a GPU: create any new tensor on the device of the inputs, with `torch.zeros_like(x)`
# or `device=x.device`. The checks test this on a simulated GPU.

# %% [markdown]
# **Catch the mistakes first** (optional, no points). Before you write the layer, think of a test: which small example
# would show that a layer is wrong? Choose an example, run the cell, and see how many of the known mistakes it reveals.
# The sequence has two positions and one channel; its numbers, `x0` and `x1`, are between 0 and 2. Each of the three
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
# (If you know Transformers, you may miss something: they divide the scores by $\sqrt d$ before the softmax, so that
# queries with many components don't make the softmax extreme. The next lesson does the same. Here the layer's initial
# weights are small enough without the division, and in our only comparison the plain formula learned faster.)

# %% [markdown]
# ## 6. The network with attention (about 30 minutes)
#
# Now your layer goes into the middle of the network: two convolutions find out "what am I?" (a point halfway up a
# triangle, say), attention exchanges heights between points of the same kind, and two more convolutions draw the
# result.
#
# ```
# input → conv → ReLU → conv → ReLU → attention → conv → ReLU → conv → output
# ```
#
# The next cell builds this network. It has the same four convolutions as your `conv_network` and, between the second
# ReLU and the third convolution, the module `attention`, which is passed in ready-made.

# %% given attention_network
def attention_network(attention, in_channels=1, channels=64):
    """(N, in_channels, T) -> (N, 1, T): the four convolutions of before, with `attention` in their middle."""
    widths, layers = [in_channels, channels, channels, channels, 1], []
    for i in range(4):
        layers += [nn.Conv1d(widths[i], widths[i + 1], kernel_size=5, padding="same"), nn.ReLU()]
    return nn.Sequential(*layers[:4], attention, *layers[4:-1])  # without the last ReLU

# %% [markdown]
# Same data, same loss, same number of steps. A step takes nearly twice as long, because each of the 100 positions now
# looks at all 100, and the whole training takes about 25 seconds. How much of the error will be left?

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
# Follow the solid line and the dashed line of the network with attention: where do they cross the lines of the
# convolutions, and where do they end? The dashed line is the error on sequences that the network has never seen. The
# next figure shows the predictions of both networks together.

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
# The layer brought extra parameters with it. Is it attention that makes the difference, or just size? The next cell
# puts a fifth convolution (and its ReLU) in the layer's place. This network has even more parameters than the one with
# attention, and a horizon of 21 points instead of 17. Same data, same recipe (training takes about 17 seconds, only a
# little longer than with four convolutions). How large will the error be, compared with the error of four convolutions?

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
# Compare the two tables, one of parameters and one of errors. Does the number of parameters explain the errors? If size
# does not make the difference, what does?

# %% [markdown]
# **Why this recipe?** At the start all scores are near 0, the softmax is nearly flat, and each position receives the
# same featureless average of everything. The network must discover, from the error alone, *whom* to look at. But while
# all attention weights are alike, each of them contributes only a hundredth of the result, and the error says little
# about any one of them. So we take many small steps (in batches of 16) on many sequences, and we use
# [Muon](https://kellerjordan.github.io/posts/muon/) (in `utils/common/muon.py`), an optimizer that takes every
# direction of a weight matrix equally seriously: a plain gradient step goes almost entirely into the few directions in
# which the gradient is large, whereas a step of Muon is equally long in all directions, even the faint ones.
#
# The opposite danger is a softmax that is too sharp, with all its weight on one position: queries and keys then get no
# gradient, and the network cannot learn to look elsewhere. Large early steps can lead to just that, which is why the
# learning rate starts small. It ends at zero, to average out the noise of the small batches.

# %% [markdown]
# ### Many sequences, or few?
#
# We can draw as many sequences as we like. But the exercise that our tasks come from has only 750, and data that people
# have to collect is often scarce. What happens with few sequences? The next cell takes the first 100 sequences of the
# training set and trains a new network with attention on them for 1,000 steps (about 12 seconds), so that the network
# meets each sequence 160 times. The cell then measures two errors, one on these 100 sequences and one on the test set.
#
# **Guess first.** By what factor will the error on new sequences exceed the error on the 100? (A factor of 1 means that
# the network does equally well on sequences that it has never seen. For comparison, the table also shows both errors of
# the network that learned from 50,000 sequences.)

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
# The figure is drawn like the ones above, with a solid line for the batches and a dashed one for test sequences. The
# two lines move apart when the network begins to learn its 100 sequences by heart: what it learns from then on is true
# of these sequences and of no others. This is called **overfitting**. It doesn't show in the loss on the sequences that
# a network learns from, so every network in this lesson is judged on others.

# %% [markdown]
# ### What does it look at?
#
# This is what you wrote `return_attention` for. The attention layer comes right after the first four layers of the
# network, and the next figure shows its matrix for one test sequence: row $i$ shows where position $i$ looks. Compare
# the matrix with the table that we wished for. Find the rows of a triangle and follow them to the right: which columns
# are bright?

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
# Nobody told the network about triangles, rectangles or partners. It was given only heights, and it found out for
# itself that looking at shapes of the same kind makes the error small.
#
# Here is one more thing to look for. Within a pair of triangles, do your bright streaks fall to the right, as they do
# in the table that we wished for, or do they rise? Either can happen, depending on the run. A pair of rectangles may
# show separate spots instead. Why do all three patterns give the right answer?

# %% essay reading_the_matrix 3 [markdown]
# **Question 1. Describe the attention matrix of your network in your own words: what do the rows of a triangle look at,
# what do the rows of a rectangle look at, and what about the rows of the ground? How does the matrix differ from the
# one that we wished for, and why does the network predict well all the same?** Four to six sentences.
#
# ### BEGIN SOLUTION
# *Model answer.* A row of a triangle has its large weights in the columns of both triangles (its own and the other
# one), and hardly any weight on rectangles or the ground; the rows of a rectangle do the same with rectangles. The
# wished-for matrix has two sharp diagonals, whereas the learned one is often blurred over the points of the two shapes.
# The ground's rows look at other points of the ground, and it hardly matters which. None of this does any harm, because
# the values and the later convolutions are learned together with the weights: any pattern will do, as long as the
# partners' mean height can be computed from it. And where all values are alike (on the ground, in task 1), it hardly
# matters how the weights are shared out.
#
# In a rising streak, each point looks at the mirrored point of its partner, which has the same height because all
# shapes are symmetric. And all points of a rectangle are equally high, so any one of them will do.
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
# In task 2, the two shapes on the left should end up at their mean height, and the two on the right at theirs. The
# network is the same as before, with new weights and new targets, and we give it 5,000 steps, to be generous (about a
# minute). Will attention work as well as it did in task 1?

# %% [markdown]
# The next figure shows the sequences of section 1 again, now with their targets for task 2: the two neighbours on the
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
# sum doesn't care about the order of its terms. Shuffle the positions of $x$, and the $y_i$ are shuffled in the same
# way, but each of them keeps its value. The layer treats a sequence as a *bag* of points. The next cell shows this with
# your own layer: it shuffles the input and compares the results.

# %% show shuffle
layer = SelfAttentionLayer(5, 7, key_dim=3)
x = torch.randn(1, 5, 100)
order = torch.randperm(100)
with torch.no_grad():
    difference = (layer(x[:, :, order]) - layer(x)[:, :, order]).abs().max()
say("shuffle then attend, or attend then shuffle: the largest difference is {difference:.1e}", difference=difference)

# %% [markdown]
# In task 1 that was a virtue, because partners are found wherever they are. In task 2 it is fatal. The answer to "Am I
# one of the two on the left?" depends on where I am and where the others are, and nothing in $q$, $k$ or $v$ says where
# anything is. (Do the convolutions around the layer know anything about places? Question 3 will ask.)

# %% [markdown]
# ## 8. Positional encoding (about 25 minutes)
#
# The cure could hardly be simpler: *write the position beside the point.* We give each sequence $B$ extra channels,
# which contain the number of each position in binary. The bits of position $t$ are zeros and ones that say which powers
# of two add up to $t$:
#
# $$t = \sum_{b=0}^{B-1} p_{b,t}\; 2^b, \qquad p_{b,t} \in \{0, 1\}, \qquad t = 0, \dots, T-1 .$$
#
# For example, $5 = 1 + 4$, so bits 0 and 2 of position 5 are ones, and all its other bits are zeros. $B$ is the
# smallest number of bits with $2^B \ge T$: for 100 positions $B = 7$, since $2^6 = 64 < 100 \le 128 = 2^7$.

# %% [markdown]
# **Write `positional_encoding(length)`.** It returns the bits $p_{b,t}$ of $T$ = `length` positions (2 or more) as a
# float tensor of shape $(B, T)$. How can you tell from $t$ alone whether $2^b$ is in its sum? You may put the lowest
# bit first or the highest: it makes no difference to the network, and the check accepts both.

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
# Each row of the next figure is a channel, with black for 1. Read a column from bottom to top, and you have its
# position as a binary number: bit 0 changes at every step, bit 6 only once.

# %% show draw_encoding
plots.plot_encoding(positional_encoding(100))

# %% [markdown]
# How does the encoding enter the network? The picture shows it for a sequence of 8 points with one channel of heights
# and 3 bits: the rows of bits are placed below the heights, and together they form one input of $C + B$ channels. The
# bits are the same for every sequence.

# %% show draw_joined
drawings.positions_as_channels()

# %% [markdown]
# **Write `add_position(x, encoding)`.** It takes sequences $x$ of shape $(N, C, T)$ and an encoding of shape $(B, T)$,
# and returns inputs like those in the picture, of shape $(N, C + B, T)$, with the channels in the picture's order, from
# top to bottom. With one channel and seven bits, that makes eight channels.

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
# Now back to task 2, this time with position. The network is the same, except that it takes 8 channels instead of 1.
# Each bit is standardised like the heights (by your `make_datasets`), so that it speaks as loudly as they do. (Training
# takes about a minute, which gives you time to think about question 2, below.)

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
# At which step do the two curves part? The next figure shows the predictions of both networks for the same sequences.
# Which network settles for a compromise on every shape, and whose dashed line finds the orange one?

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
# The figure above shows the attention matrix of the network with position. Kinds no longer matter. Compare the rows of
# the two shapes on the left with the rows of the two on the right: do they look at different columns? Neighbouring rows
# may look at quite different places, because bit 0 changes from each position to the next. This does no harm, since the
# convolution after the layer mixes neighbours again, but it means that you should judge a shape by all of its rows. You
# may also see bright vertical stripes: these are a few positions that the whole ground looks at.

# %% [markdown]
# ### Does it matter where the ground looks?
#
# The next cell finds out. It takes all points that are far from any shape and makes them look at the whole ground
# evenly, with equal weights; everything else stays as you trained it. By what factor will the error grow, in task 1 and
# in task 2 with position? (A factor of 1 means that it does not matter where the ground looks.)

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
# Why should the two tasks differ? In task 1, the value of a point carries its height and its kind, and on the ground
# these are much the same everywhere. With position, a value carries more than a height, so it matters where the ground
# looks. Before you call something in a picture “noise”, take it away and measure.

# %% [markdown]
# ### Explore (optional)
#
# Now the sequence is yours: drag a shape, raise it, or press T to turn a triangle into a rectangle, and all four
# networks answer at once, with the weights that you trained. Point at a position to see where it looks; open *One
# number* to follow a query and a key to their weight. The **temperature** divides all scores before the softmax: a high
# temperature makes all weights nearly equal, and at a low one only the largest score counts. What happens to the
# prediction in each case? The switches show what a mistake in the layer would do to these answers. (If the page cannot
# be shown, you get a figure instead: for each network with attention, it shows where the top of the highest shape
# looks.) In a cell of your own, `mine.save("mine.html")` saves the page as a file, which you can open in any browser.

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
# On the page above, you can switch on a mistake and see what it does. Now it is the other way round: a network behaves
# strangely, and you find out why. This network was trained on task 2 with position, as your last one was, but it is
# smaller and started from other weights. Eight copies of it fell ill. These patients run your own `SelfAttentionLayer`,
# which is correct, but somebody has changed their *weights*, so each patient now behaves exactly as if one line of your
# code were wrong, either in the layer or in the code that makes its input.
#
# Your name decides which patient you get. Run the next cell, and then write your name in the one below it. (Healthy
# networks of this kind read the heights first and then the bits, from the lowest to the highest.)

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
# The examination begins with two tables, for your own network and the patient. The first gives the mean squared error
# on the points of shapes and on the ground, and the number of positions that a point of a shape looks at (1 for a
# single position, 100 for all of them equally). The second lists the shapes of two sequences, each with its position
# and its height, the height that it should get, and what each network predicts there.

# %% show examine
patient = admitted(patients.weights(patients.number_of(whose)))
both = {
    "task 2: your network": (position_model, test_set_8),
    "task 2: your patient": (patient, patients.test_set()),
}
print_table(patients.rows_of_errors(both), heads=("squared error", *patients.KINDS, "positions looked at"))
print_table(patients.rows_of_shapes(both), heads=("sequence: position", "height", "target", *both))

# %% [markdown]
# And here is the page from section 8, now with these two networks. Drag shapes, see where they look, switch mistakes
# on, and compare. (The temperature divides all scores.)

# %% show explore_patient
explorer.explore(both)

# %% [markdown]
# What does your patient have? It behaves as if
#
# 1. the scores were divided by $\sqrt d$;
# 2. the scores were divided by $\sqrt T$;
# 3. the scores were multiplied by $\sqrt d$;
# 4. queries and keys were swapped;
# 5. the inputs were not divided by their standard deviations;
# 6. the inputs were divided by their variances instead of their standard deviations;
# 7. the bits of the positions were inverted, ones for zeros;
# 8. the channels of the encoding came before the heights.

# %% [markdown]
# **Write `heal(patient)`.** Change the patient's weights in place, under `torch.no_grad()`, so that it behaves as it
# did before it fell ill: a line or two will do. `patient.first` is the first convolution, whose `weight` has shape
# (channels out, channels in, 5), and `patient.attention` is your layer; each layer in it has a `weight` and a `bias`.
# Training the patient, or using another network's weights, is not a cure. Then return two numbers: the number of the
# illness in the list above, and the patient's error on shapes before the cure, from the first table of this section.
# ($d$ is 16 here, and $T$ is 100; the standard deviations of heights and bits are nearly those of your own sequences in
# section 8.)
#
# Four of the illnesses affect the layer, and the other four affect what enters the network. The cure is the proof: of
# the eight cures, only the right one brings the error back down. Wrong tries cost nothing, and each try begins with a
# fresh patient.

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
# The next cell shows what your cure has done. It lists the errors of your patient, of the same patient after `heal`,
# and of the network before it fell ill.

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
# Here are all five models in one table and one figure, with their errors on new sequences in squared heights, on a
# logarithmic scale. You see convolutions limited by their horizon, and attention with and without a sense of order.

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
# research on long texts is about ways to avoid storing or computing them all.

# %% essay why_convolutions_fail 3 [markdown]
# **Question 2. The convolutional network fails at task 1. (a) What is its receptive field, and how do you get that
# number? (b) In your figure of the network's predictions, choose a shape with no close neighbours. Read off the shape's
# own height and the height predicted for it, and explain why this prediction, and no other, is the best answer under
# your loss. (c) With 46 layers, each point would see 92 points on either side, and so would always see its partner.
# Would these 46 layers have solved the task as well as one attention layer? Give one reason for or against.**
#
# ### BEGIN SOLUTION
# *Model answer.* (a) Each convolution with kernel 5 adds 4 points: 1 + 4 · 4 = 17. (b) A shape of height 25 is drawn at
# about 20: the network predicts the mean over all possible heights of the partner, (h + 15)/2, which is halfway from
# the shape's own height h to its partner's expected height, 15. The squared error is smallest at the conditional mean.
# (c) 46 layers would see far enough, but the distance to the partner changes, whereas each weight belongs to one
# distance. The network would have to carry each height through up to 45 layers to every place where it may be needed.
# It could get better, but at many times the cost and with many more parameters.
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
# into their old order. Is the result what the network would have predicted without all the shuffling? Answer for one
# self-attention layer alone and for the whole network of section 6, and give reasons. (b) Without the encoding, our
# network never learned task 2, and yet its answers depended a little on where a shape was. What could it know about
# position? Think of the zero padding. (c) Why do we write the positions beside the heights instead of adding them to
# the heights? And what would be lost if the encoding were one channel with the number $t$ instead of seven channels
# with its bits?**
#
# ### BEGIN SOLUTION
# *Model answer.* (a) For the layer alone, yes: its output is shuffled in the same way and otherwise unchanged
# (equivariance), because each output is a sum over all positions of terms that depend on contents only. For the whole
# network, no: its convolutions look at neighbours, and shuffled points have different neighbours, so no shape is left.
# (b) It can know a little. Convolutions see the order within their horizon, so two shapes that nearly touch know which
# of them is on the left. And at the ends of a sequence, zero padding differs from ground, so the network can recognise
# places within a few points of an end. This helps only in some sequences. (c) If a bit were added to the only channel,
# it could not be told apart from a height; since the bits have channels of their own, the first convolution can use
# both. A single channel with t tells everything in principle, but positions that differ by 1 out of 100 look almost
# alike, and "left of" would have to be computed from tiny differences; bits are easy to tell apart.
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
# - A convolution looks at fixed distances, and sees nothing beyond its receptive field. No training changes that.
# - Self-attention computes, from the sequence itself, a table $A = \mathrm{softmax}(\mathbf Q \mathbf K^\top)$ of who
#   looks at whom, and returns weighted means of values, $Y = A \mathbf V$.
# - It treats a sequence as a bag: shuffle in, shuffle out. Where order counts, position must be part of the input.
# - Where a softmax is flat, the error says little about each weight; where it is too sharp, no gradient comes through.
#   Attention needs many careful steps.
#
# The picture sums up the lesson. Take an output position above the left triangle: which of the points below does it
# look at? With convolutions, it sees only its neighbours, so task 1 is not solved. With attention, it sees all points
# and looks mostly at the two triangles, wherever they are: task 1 is solved, but task 2 is not. With positions (the
# numbers below the points), it can also look at the two shapes on the left: task 2 is solved.

# %% show draw_in_one
drawings.in_one_picture()

# %% [markdown]
# In the next lesson, several such layers will work side by side, queries and keys will come from different sources, and
# the whole model will describe pictures.

# %%
# Your own trials: sequences of another length, more bits, attention without convolutions, ...
