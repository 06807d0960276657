# %% [markdown]
# # Captioning: a Transformer that describes pictures
#
# In this lesson you build the decoder of a Transformer, part by part, and teach it to describe pictures in words. **By
# the end you will be able to**
#
# - compute dot-product attention by hand, and say what queries, keys and values are for;
# - write multi-head attention, with scaling, masks and dropout, in a dozen lines;
# - explain why attention needs positions, and build the sinusoidal encoding;
# - assemble the parts into a model that writes a sentence word by word, and test that it cannot cheat;
# - judge captions honestly: by what they claim, on pictures that the model has never seen, and against a control.
#
# It takes about three and a half hours; times are given beside the headings, and optional parts take extra time. You
# need Python, PyTorch's tensors, and the idea of a softmax. Nothing is downloaded: without the COCO files, the lesson
# draws its own pictures.

# %% [markdown]
# ## How a lesson works
#
# - **Run** each cell with Shift + Enter, from top to bottom; after a restart, begin at the top again.
# - **Write** where it says `# Your code goes here`. The cell below checks your code in a second, and says where a
#   mistake may be.
# - **Hand in** this notebook under its own name, `captioning.ipynb`. Its last cell shows where you stand.
#
# Start with the next two cells: the first finds the workbook's modules, the second shows in a drawing how a lesson
# works.

# %% show how_a_lesson_works
from utils.drawings.lesson import how_a_lesson_works

how_a_lesson_works("captioning")

# %% given imports
import math
import time

import numpy as np
import torch
from torch import nn

from utils import transformer_layers as layers
from utils.captioning import check, drawings, explorer, plots
from utils.captioning import scores as caption_scores
from utils.captioning.scenes.claims import claims_of, facts_of, print_claims
from utils.captioning.stand_ins import StandInScore, stand_ins
from utils.captioning_solver_transformer import CaptioningSolverTransformer
from utils.coco_utils import decode_captions, load_coco_data, sample_coco_minibatch
from utils.common.guesses import verdict
from utils.common.optional import wanted
from utils.common.printing import print_table, said, say  # they print in the notebook's language
from utils.gradient_check import eval_numerical_gradient_array, rel_error
from utils.transformer import CaptioningModel

guesses = {}  # what you expect, written before each training

# %% [markdown]
# ## 1. Dot-product attention (about 20 minutes)
#
# Imagine a library. You come with a question, the **query**. Every book has a label on its spine, the **key**, and a
# text inside, the **value**. You compare your query with every key, and the better a label fits, the more you read of
# its book.
#
# Attention does this with vectors. Given one query $q \in \mathbb{R}^{d}$, keys $k_1 \ldots k_T$ and values
# $v_1 \ldots v_T$, it computes a score for each key, turns the scores into weights that sum to one, and returns the
# weighted mean of the values:
#
# $$e_t = q \cdot k_t, \qquad a_t = \frac{\exp e_t}{\sum_{u=1}^{T} \exp e_u}, \qquad y = \sum_{t=1}^{T} a_t v_t .$$
#
# Strictly speaking, nothing is looked up here. Every value contributes a little, so $y$ changes smoothly with $q$ and
# $k_t$, and gradients can tell the model where it should have looked.

# %% [markdown]
# Here is attention in numbers: three keys in the plane, and a query that points in almost the same direction as the
# second key. Predict the largest weight before you run the cell. Then turn the query, or make it twice as long, and run
# the cell again.

# %% show attention_by_hand
keys = torch.tensor([[1.0, 0.0], [0.6, 0.8], [-1.0, 0.0]])  # (T, d)
values = torch.tensor([[10.0], [20.0], [30.0]])  # (T, 1)
query = torch.tensor([1.0, 2.0])  # (d,)

scores = keys @ query  # (T,)
weights = scores.softmax(dim=0)  # (T,), sums to 1
say("scores: {scores}", scores=[round(s, 3) for s in scores.tolist()])
say("weights: {weights}", weights=[round(w, 3) for w in weights.tolist()])
say("result: {result:.2f}", result=(weights @ values).item())

# %% [markdown]
# ## 2. Heads (about 15 minutes)
#
# One softmax yields one set of weights, and so one answer to the question of where to look. But a word may need to look
# at several places at once, for different reasons: at its noun, at its verb, at the word before it. So the width $E$ of
# the vectors is divided among $H$ **heads**. Each head has its own $E/H$ components and its own softmax.

# %% [markdown]
# The code needs no loop over heads. The trick is an extra axis: **split** the width into two axes, (heads, width of a
# head), so that the first head gets the first $E/H$ components of each position's vector, the second head the next
# $E/H$, and so on. Then **exchange** the axes of positions and heads, and let batched matrix products do the rest, for
# all $N$ sentences of a batch at once.

# %% [markdown]
# The picture shows these steps for three positions and three heads. Follow the marked row, which is the vector of one
# position: the split cuts it into three pieces, the exchange gives each head its piece, and at the end the pieces are
# side by side again.

# %% show draw_heads
drawings.heads_as_axis()

# %% [markdown]
# **Your turn: the split.** Write `split_heads(x, num_heads)`, which does the first two steps. Its input $x$ has the
# shape $(N, S, E)$, with a vector of width $E$ for each of the $S$ positions. It returns what each of the $H$ =
# `num_heads` heads gets, $(N, H, S, E/H)$.
#
# Don't skip the exchange: going straight from $(N, S, E)$ to `view(N, H, S, E/H)` runs without complaint, but hands
# each head a mixture of positions.

# %% solution split_heads
def split_heads(x, num_heads):
    """x (N, S, E) -> what each head gets (N, H, S, E/H)."""
    ### BEGIN SOLUTION
    N, S, E = x.shape
    parts = x.reshape(N, S, num_heads, E // num_heads)  # (N, S, H, E/H)
    return parts.transpose(1, 2)
    ### END SOLUTION

# %% test split_heads 2
check.split_heads(split_heads)
### BEGIN HIDDEN TESTS
exam.split_heads(split_heads)
### END HIDDEN TESTS

# %% [markdown]
# ## The letters we use
#
# | letter | is the number of | | letter | is the number of |
# | --- | --- | --- | --- | --- |
# | $N$ | items in a batch | | $E$ | components of a vector, the width |
# | $S$ | positions that look (target) | | $H$ | heads |
# | $T$ | positions looked at (source) | | $D$ | features of a picture |
# | $d$ | components of a query and of a key (with heads: $E/H$) | | $V$ | words of the vocabulary |
#
# We write shapes as comments beside the code, such as `# (N, S, E)`. Do the same in your own code: most mistakes in
# this lesson are wrong shapes, and writing the shapes down helps you find most of the others.

# %% [markdown]
# ## 3. Multi-head attention (about 30 minutes)
#
# If we write the $S$ queries as the rows of $Q$, the keys as the rows of $K$ and the values as the rows of $V$,
# attention is a single line:
#
# $$Y = \mathrm{softmax}(Q K^\top)\, V, \qquad (S, E) = (S, T) \times (T, E),$$
#
# where the softmax runs along each row, over the $T$ sources.

# %% [markdown]
# ### Why divide by a square root?
#
# Suppose that the components of $q$ and $k$ are independent, with mean 0 and variance 1. Then $q \cdot k$ is a sum of
# $d$ products, each of variance 1, so its standard deviation is $\sqrt{d}$. Wide vectors therefore give large scores,
# and a softmax of large scores puts nearly all the weight on one key. When one weight is nearly 1 and the others are
# nearly 0, the softmax *saturates*: hardly any gradient gets through, and the model cannot learn to look elsewhere.
#
# Dividing the scores by $\sqrt d$ brings their spread back to 1, whatever the width (Vaswani et al. 2017, section
# 3.2.1). The figure shows this for random vectors. On the left, the standard deviation of the scores follows $\sqrt d$.
# On the right, the largest of ten weights climbs towards 1 without scaling, but stays flat with scaling.

# %% show scale_picture
plots.dot_products()

# %% [markdown]
# Attention is used in two ways, which differ only in where the queries, keys and values come from:
#
# - **self-attention**: queries, keys and values all come from *one* sequence, whose positions inform each other;
# - **cross-attention**: queries come from one sequence (the caption), keys and values from *another* (the picture).

# %% [markdown]
# ### Masks and dropout
#
# A **mask** $(S, T)$ says where looking is allowed: true (or any number except zero) makes a place visible, false (or
# zero) hides it. The weight of a hidden place must be exactly zero, and the other weights must still sum to one. So
# hide places *before* the softmax by giving them a score of $-\infty$, since $\exp(-\infty) = 0$. You may assume that
# every row leaves at least one place visible.
#
# **Dropout** acts on the attention weights, after the softmax: during training, each weight is set to zero with
# probability $p$, and the others are multiplied by $1/(1-p)$. This way, no position can rely on just one other
# position. `nn.Dropout` keeps track of whether the model is in training mode.

# %% [markdown]
# With dropout, and with hidden scores set to $-\infty$ before the softmax, this is all there is to multi-head
# attention:
#
# $$Q = X_q W_q + b_q, \quad K = X_k W_k + b_k, \quad V = X_v W_v + b_v,$$
# $$Y_i = \mathrm{dropout}\!\left(\mathrm{softmax}\!\left(\frac{Q_i K_i^\top}{\sqrt{E/H}}\right)\right) V_i
# \quad (i = 1 \ldots H),
# \qquad Y = [\,Y_1 \,\cdots\, Y_H\,]\, W_o + b_o .$$
#
# $X_q$ contains the vectors that ask, one in each row; $X_k$ and $X_v$ contain the vectors that are looked at. $Q_i$ is
# the share of the $i$-th head: columns $(i-1)E/H + 1$ to $iE/H$ of $Q$. And $[\,\cdots]$ puts the results of the heads
# side by side.

# %% [markdown]
# The picture shows all the steps from top to bottom, with their shapes. Beside them you can see what happens to one row
# of four scores: they are divided by 2, the last one is hidden, and they become weights that sum to one. In this
# example, dropout has removed the second weight.

# %% show draw_scaled_dot_product
drawings.scaled_dot_product()

# %% [markdown]
# And these are the steps in code, with the shape after each:
#
# | step | shape |
# | --- | --- |
# | project the query (key and value likewise, with $T$ in place of $S$) | $(N, S, E)$ |
# | split the last axis | $(N, S, H, E/H)$ |
# | exchange two axes | $(N, H, S, E/H)$ |
# | scores of every query with every key | $(N, H, S, T)$ |
# | softmax over the keys, dropout, times values | $(N, H, S, E/H)$ |
# | exchange back, join the heads, project | $(N, S, E)$ |

# %% [markdown]
# **Your turn.** Complete `forward`. The constructor is ready: four linear layers and a dropout. Keep its names and
# their order, so that the same seed gives everybody the same weights. You may use your `split_heads` for queries, keys
# and values. Your code should also run on a GPU: create any new tensor on the device of the inputs, with
# `torch.zeros_like(x)` or `device=x.device`. The checks test this on a simulated GPU.
#
# - Inputs: `query` $(N, S, E)$; `key` and `value` $(N, T, E)$; `attn_mask` $(S, T)$ or `None`. $S$ and $T$ may differ.
# - Output: $(N, S, E)$. The inputs stay unchanged.

# %% solution multi_head_attention
class MultiHeadAttention(nn.Module):
    """Scaled dot-product attention in H heads: (N, S, E), (N, T, E), (N, T, E) -> (N, S, E)."""

    def __init__(self, embed_dim, num_heads, dropout=0.1):
        super().__init__()
        layers.check_heads(embed_dim, num_heads)
        self.key = nn.Linear(embed_dim, embed_dim)
        self.query = nn.Linear(embed_dim, embed_dim)
        self.value = nn.Linear(embed_dim, embed_dim)
        self.proj = nn.Linear(embed_dim, embed_dim)
        self.attn_drop = nn.Dropout(dropout)
        self.num_heads = self.n_head = num_heads
        self.embed_dim = self.emd_dim = embed_dim
        self.head_dim = embed_dim // num_heads

    def forward(self, query, key, value, attn_mask=None):
        ### BEGIN SOLUTION
        N, S, E = query.shape
        T = key.shape[1]
        H, d = self.num_heads, self.head_dim
        q = self.query(query).view(N, S, H, d).transpose(1, 2)  # (N, H, S, d)
        k = self.key(key).view(N, T, H, d).transpose(1, 2)  # (N, H, T, d)
        v = self.value(value).view(N, T, H, d).transpose(1, 2)  # (N, H, T, d)
        scores = q @ k.transpose(2, 3) / math.sqrt(d)  # (N, H, S, T)
        if attn_mask is not None:
            scores = scores.masked_fill(attn_mask == 0, float("-inf"))
        weights = scores.softmax(dim=-1)
        weights = self.attn_drop(weights)
        context = weights @ v  # (N, H, S, d)
        context = context.transpose(1, 2).reshape(N, S, E)
        return self.proj(context)
        ### END SOLUTION

# %% [markdown]
# The check compares your layer with the formula on small random inputs and tells you, if it can, which step looks
# wrong. Stuck? `check.multi_head_attention.hint()` gives a first hint; call it again for a stronger one. The cell after
# the check hands your class on to the rest of the lesson, so if you change the class later, run that cell again as
# well.
#
# (A note for those who know the CS231n assignment that this lesson follows: the values that its notebook prints for
# comparison were computed *after dropout*, and which weights are dropped depends on the processor and on the version of
# PyTorch. Correct code does not reproduce these values here, and need not. Our check compares results in `eval()` mode,
# and judges dropout by its average effect.)

# %% test multi_head_attention 7
check.multi_head_attention(MultiHeadAttention)
### BEGIN HIDDEN TESTS
exam.multi_head_attention(MultiHeadAttention)
### END HIDDEN TESTS

# %% given use_multi_head_attention
# From here on, everything in utils that needs attention is built with your class.
layers.install(MultiHeadAttention)

# %% [markdown]
# ### Two questions about your own code
#
# Can you say what your code does before you run it? Once the check above has passed, the next cell asks two questions
# about *your* `MultiHeadAttention`: which rows of its result change when one number in the keys changes, and what the
# layer returns when one line of your code is changed. If you change your code, the questions change as well.
#
# **Write `own_code()`.** Return two values: the list of the rows that change, each as a pair $(n, s)$ of example and
# place, and one of the five words that the second question offers, for example `[(0, 1), (0, 2)], "some"`. Predict
# first; then try it out in a cell of your own. The check looks only at the form of your answers. You will learn whether
# they are right when the notebook is graded.

# %% show ask
check.own_code.ask(MultiHeadAttention)

# %% solution own_code
def own_code():
    """Return what changes with the number, and what the changed line gives."""
    ### BEGIN SOLUTION
    return [(0, 0), (0, 1)], "error"
    ### END SOLUTION

# %% test own_code 2
check.own_code(own_code, MultiHeadAttention)
### BEGIN HIDDEN TESTS
exam.own_code(own_code, MultiHeadAttention)
### END HIDDEN TESTS

# %% [markdown]
# ## 4. Second opinions (about 15 minutes)
#
# ### PyTorch's own, and a gradient by hand (optional)
#
# PyTorch has two versions of what you have just written. `scaled_dot_product_attention` does the part between the
# projections; `nn.MultiheadAttention` does everything, and stores the three input projections in a single matrix. Given
# your weights, both must produce your result, up to rounding. (Watch out for the mask of `nn.MultiheadAttention`:
# there, true *hides*.)

# %% show compare_with_torch
torch.manual_seed(0)
N, S, T, E, H = 2, 5, 7, 12, 3
mine = MultiHeadAttention(E, H).eval()
query, source = torch.randn(N, S, E), torch.randn(N, T, E)
mask = torch.rand(S, T) < 0.6
mask[:, 0] = True
with torch.no_grad():
    result = mine(query, source, source, mask)

    theirs = nn.MultiheadAttention(E, H, batch_first=True).eval()
    theirs.in_proj_weight.copy_(torch.cat([mine.query.weight, mine.key.weight, mine.value.weight]))
    theirs.in_proj_bias.copy_(torch.cat([mine.query.bias, mine.key.bias, mine.value.bias]))
    theirs.out_proj.load_state_dict(mine.proj.state_dict())
    whole = theirs(query, source, source, attn_mask=~mask)[0]

    q, k, v = (f(x).unflatten(-1, (H, -1)).transpose(1, 2) for f, x in
               ((mine.query, query), (mine.key, source), (mine.value, source)))
    core = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    core = mine.proj(core.transpose(1, 2).flatten(2))
for name, other in (("nn.MultiheadAttention", whole), ("scaled_dot_product_attention", core)):
    say("{name}: largest difference {difference:.1e}", name=name, difference=(result - other).abs().max())

# %% [markdown]
# Is the *gradient* right, too? Autograd computes it from your code, but we can also measure it. Move one input by a
# tiny $h$ in either direction ($e_i$ is 1 at place $i$ and 0 elsewhere) and see how much the output changes:
#
# $$\frac{\partial f}{\partial x_i} \approx \frac{f(x + h\,e_i) - f(x - h\,e_i)}{2h}.$$
#
# In double precision, with $h = 10^{-5}$, the two should agree to about $10^{-8}$. If your code detached the queries or
# the scores on the way, you would see it here at once.

# %% show gradient_check
torch.manual_seed(1)
small = MultiHeadAttention(6, 2).double().eval()
x, source = torch.randn(1, 3, 6).double(), torch.randn(1, 4, 6).double()
upstream = torch.randn(1, 3, 6).double()
x.requires_grad_()
small(x, source, source).backward(upstream)


def output(array):
    with torch.no_grad():
        return small(torch.from_numpy(array), source, source).numpy()


measured = eval_numerical_gradient_array(output, x.detach().numpy().copy(), upstream.numpy())
say("relative error of the gradient of the query: {error:.1e}", error=rel_error(x.grad.numpy(), measured))

# %% [markdown]
# ### Three questions
#
# A few sentences are enough for each, but give reasons.

# %% essay why_heads 3 [markdown]
# **Why several heads?** A model has written *a large red circle above a small*, and the next word should be a colour.
# Name two different things that the model has to find out at this position, from the words so far or from the picture.
# Why can't a single head pass on both? And if two heads share the work, what must each of them do without?
#
# ### BEGIN SOLUTION
# For instance, that the last word is a size, so a colour comes next; and that *above* has been said, so it is the
# colour of the second thing. (Or: which colour the second thing has in the picture.) One head has a single softmax, and
# so for each query a single distribution over the positions. To attend to two places for two different reasons, the
# head must mix them into one weighted mean, in which the two can no longer be told apart. Several heads have several
# distributions, and their results are side by side, each in its own part of the vector, where later layers can use them
# separately. Each head pays for this with narrower queries and keys ($E/H$ components): its notion of similarity has a
# lower rank.
#
# *Points.*
#
# - `one_average` 1: one head has one set of weights for each query, and so one average. *Words:* one softmax, single,
#   average, mean, mix, blur.
# - `several_places` 1: several heads attend to different places or relations at the same time, and their results stay
#   separate. *Words:* different, several, relation, separate, same time, concat.
# - `narrow` 1: the price: narrower heads (rank at most $E/H$). *Words:* narrow, rank, fewer, E/H, dimension, capacity.
# ### END SOLUTION

# %% essay why_scale 3 [markdown]
# **Which divisor?** A model of width $E = 512$ has 8 heads, and the components of its queries and keys have variance 1.
# Three programs divide the scores by different numbers: one by $1$, one by $\sqrt{512}$ and one by $64$. (a) What is
# the standard deviation of the scores in each? (b) What do the weights over ten words look like in each, before any
# training? (c) Which of the three can training repair most easily, and which least easily? How would training do so?
#
# ### BEGIN SOLUTION
# (a) The queries and keys of a head have $E/H = 64$ independent components of variance 1, so the standard deviation of
# their dot product is $\sqrt{64} = 8$. After the division, it is 8, $8/\sqrt{512} \approx 0.35$ and $8/64 = 0.125$. (b)
# At 8, one word takes nearly all the weight, and chance decides for each query which word that is. At 0.35, the ten
# weights are between about 0.05 and 0.2, at 0.125 between about 0.08 and 0.12, so every word gets nearly the plain mean
# of all values. (c) Where the weights are nearly equal, the derivative of the softmax, $a(1-a)$, is about 0.09. So
# gradients come through, and larger queries and keys can make up for a divisor that is too large: with $\sqrt{512}$ the
# scores are too small by a factor of $\sqrt 8 \approx 2.8$, with 64 by a factor of 8. Where one weight is near 1, the
# derivative nearly vanishes: the program that divides by 1 starts from chance choices, and hardly learns to look
# elsewhere. So $\sqrt{512}$ is the easiest to repair, and 1 the hardest.
#
# *Points.*
#
# - `spread` 1: the three numbers, 8, about 0.35 and 0.125, from the root of a head's width. *Words:* 8, 0.35, 0.354,
#   0.125, 1/8, 64, root.
# - `look` 1: large scores give nearly all the weight to one word, small scores give nearly equal weights. *Words:*
#   one-hot, one word, single, all, equal, uniform, mean, flat.
# - `mend` 1: small scores can grow, since gradients pass through the softmax; large scores saturate the softmax, and
#   hardly any gradient passes. *Words:* gradient, saturat, vanish, grow, larger, stuck.
# ### END SOLUTION

# %% essay why_projection 2 [markdown]
# **Why the output projection?** After the heads, `proj` multiplies their joined results by one more matrix, $W_o$, of
# shape $(E, E)$. (a) Fold this matrix into the heads. If we leave out the biases, head $i$ then adds $A_i X_v M_i$ to
# the result: the head's attention weights, times the input, times a matrix. Which matrix is $M_i$, what is its shape,
# and what rank can it have at most? (b) Without $W_o$, what could the heads no longer do?
#
# ### BEGIN SOLUTION
# (a) $M_i = W_{v,i} W_{o,i}$: the columns of $W_v$ that belong to head $i$, $(E, E/H)$, times the rows of $W_o$ that
# the head's result meets, $(E/H, E)$. So $M_i$ is $(E, E)$, of rank at most $E/H$. (b) Each head would always write
# into its own fixed $E/H$ components of the stream, in the coordinates of its values. With $W_o$, it writes in
# whichever directions suit the parts that read it, and several heads can write in the same direction, where their
# results add up. (The feed-forward part would still mix the heads, but only after the sum.)
#
# *Points.*
#
# - `folded` 1: $M_i$ is the head's columns of $W_v$ times its rows of $W_o$, $(E, E)$, of rank at most $E/H$. *Words:*
#   rank, E/H, columns, rows, product.
# - `where` 1: without it each head writes into fixed components of the stream; with it the head chooses where. *Words:*
#   direction, fixed, own part, components, where, add up.
# ### END SOLUTION

# %% [markdown]
# ## 5. Where am I? The sinusoidal encoding (about 25 minutes)
#
# Attention without a mask sees a *set*: shuffle the sources (keys and values in the same way), and the result stays the
# same. But "a circle above a square" is not "a square above a circle". So each word's vector must carry its position as
# well. In the last lesson, the position was written beside a single height. A word's vector is wide enough to hold both
# the word and its position, so we can simply add the position to the word. Vaswani et al. (2017, section 3.5) add a
# fixed pattern, $x_i + P_i$, with sines in the even columns and cosines in the odd ones. (Section 11 tests whether
# *this* model could do without positions.)
#
# $$P_{i,j} = \begin{cases} \sin\!\left(i \cdot 10000^{-j/E}\right) & j \text{ even} \\
# \cos\!\left(i \cdot 10000^{-(j-1)/E}\right) & j \text{ odd} \end{cases}
# \qquad i = 0, 1, 2, \ldots \quad j = 0 \ldots E-1 .$$
#
# Think of the hands of many clocks. Columns $2m$ and $2m+1$ are the two coordinates of one hand, and each hand has its
# own speed: the first turns by one radian per position, while the last takes nearly $2\pi \cdot 10000$ positions to go
# round once. Fast hands tell neighbours apart, and slow hands tell the beginning from the end, just as the lowest and
# the highest bits did in the last lesson. And a step of $k$ positions turns each hand by a fixed angle, wherever the
# hand starts, which is a relation that a linear layer can learn.

# %% [markdown]
# **Your turn.** Fill in the table in the constructor, and use it in `forward`.
#
# - The table `pe` has the shape $(1, M, E)$, $M$ = `max_len`. Store it with `self.register_buffer("pe", pe)`: a
#   **buffer** follows the model to a GPU or to another precision, but is not trained.
# - `forward`: $(N, S, E) \to (N, S, E)$, for any $S \le M$: add the first $S$ rows, then apply `self.dropout` to the
#   *sum*. The input stays unchanged.

# %% solution positional_encoding
class PositionalEncoding(nn.Module):
    """Adds P to a sequence, then applies dropout: (N, S, E) -> (N, S, E); E is even."""

    def __init__(self, embed_dim, dropout=0.1, max_len=5000):
        super().__init__()
        layers.check_even(embed_dim)
        self.dropout = nn.Dropout(dropout)
        ### BEGIN SOLUTION
        position = torch.arange(max_len).unsqueeze(1)  # (M, 1)
        even = torch.arange(0, embed_dim, 2)  # (E/2,)
        angle = position * 10000.0 ** (-even / embed_dim)  # (M, E/2)
        pe = torch.zeros(1, max_len, embed_dim)
        pe[0, :, 0::2] = torch.sin(angle)
        pe[0, :, 1::2] = torch.cos(angle)
        self.register_buffer("pe", pe)
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        S = x.shape[1]
        x = x + self.pe[:, :S]
        return self.dropout(x)
        ### END SOLUTION

# %% test positional_encoding 3
check.positional_encoding(PositionalEncoding)
### BEGIN HIDDEN TESTS
exam.positional_encoding(PositionalEncoding)
### END HIDDEN TESTS

# %% given use_positional_encoding
layers.install(PositionalEncoding)

# %% [markdown]
# Look at your table. On the left, each row is a position: the first columns flicker, while the last ones hardly change.
# On the right are the dot products of all pairs of rows. They are brightest on the main diagonal, fade in ripples away
# from it, and are *constant along each diagonal*: the product depends on the distance alone, since
# $\sin a \sin b + \cos a \cos b = \cos(a - b)$.

# %% show encoding_picture
plots.encoding(PositionalEncoding(64, max_len=60).pe.squeeze(0))

# %% [markdown]
# ## 6. Pictures and captions (about 10 minutes)
#
# A captioning data set has three parts: **features** of each picture, **captions** as rows of word numbers, and a
# **vocabulary** that translates between numbers and words. Ours follows the format of the Microsoft COCO captions of
# 2014, which many courses use. If you have downloaded those files (`python -m utils.download coco`), the next cell
# loads them. Otherwise, it draws *scenes*: coloured shapes, with captions from a small grammar, in exactly the same
# form.
#
# The model itself never sees a picture. A convolutional network has looked at each picture beforehand, and has boiled
# down what it saw to $D = 512$ numbers. For COCO, this network is VGG-16, trained on ImageNet; for the scenes, it is a
# small network of our own, which gives 64 numbers, and the rest is filled with zeros. What does the small network know?
# It was trained on 40,000 other scenes to name exactly what the captions talk about: each thing's size, colour and
# shape, the place or the relation, and the background. So everything that a caption can mention is already in the
# features, and the model has to learn to read it there and to put it into a sentence.
#
# The next cell loads everything and prints what there is. For each caption, `train_image_idxs` gives the number of its
# picture. This number is both the picture's row in the features and its place in `train_urls`, which tells you where to
# find the picture itself.

# %% show load_data
np.random.seed(231)
data = load_coco_data()
for key, value in data.items():
    if isinstance(value, np.ndarray):
        print(f"{key:18} {value.shape!s:16} {value.dtype}")
    else:
        say("{key:18} {count} words, such as {some}", key=key, count=len(value), some=list(value)[:6])

# %% [markdown]
# Every caption starts with `<START>`, ends with `<END>`, and is padded with `<NULL>` to 17 places; rare words are
# replaced by `<UNK>`. The next cell shows a few captions from the training set, each under its picture (scenes have a ✓
# and a green frame, because their captions are true), and then the first caption of the set, as numbers and as words.
#
# With COCO, some of the pictures stay empty, because those photographs have disappeared from the web since 2014. Their
# captions and features are still there.

# %% show look_at_data
plots.sampled_pictures(data)
print(data["train_captions"][0])
print(decode_captions(data["train_captions"][0], data["idx_to_word"]))

# %% [markdown]
# ## 7. The captioning Transformer (about 30 minutes)
#
# Now connect the parts. The decoder is a stack of identical layers, and each layer does three things in turn (Vaswani
# et al. 2017, figure 1, right half):
#
# 1. **self-attention**: every word of the caption looks at the words *before* it and at itself;
# 2. **cross-attention**: every word looks at the picture, called the **memory**;
# 3. a **feed-forward** network works on each word by itself.

# %% [markdown]
# The picture shows one layer, from bottom to top. Each of the three parts is followed by dropout; then a **skip
# connection** adds the input of the part to the result, and layer normalisation follows. So around each part $f$, the
# layer does the same with the words $x$ that reach the part:
#
# $$x \;\leftarrow\; \mathrm{norm}(x + \mathrm{dropout}(f(x))) .$$

# %% show draw_decoder_layer
drawings.decoder_layer()

# %% [markdown]
# **Your turn.** Write `forward(x, memory, tgt_mask)` of one layer, for words $x$ of shape $(N, S, E)$ and a memory
# $(N, T, E)$. It returns the words after the layer, $(N, S, E)$. The picture shows what goes into the two attentions.
# These parts are ready:
#
# | part | takes | is |
# | --- | --- | --- |
# | `self.self_attn` | query, key, value, mask | your attention, among the words |
# | `self.multihead_attn` | query, key, value | your attention, over the memory |
# | `self.ffn` | $(N, S, E)$ | the feed-forward network |
# | `self.dropout1`, `self.dropout2`, `self.dropout3` | $(N, S, E)$ | the dropout of each part |
# | `self.norm1`, `self.norm2`, `self.norm3` | $(N, S, E)$ | the normalisation after each part |
#
# `tgt_mask` $(S, S)$ is as in section 3, or `None`; it hides words, never places of the picture. Do not change `x` in
# place.

# %% solution decoder_layer
class TransformerDecoderLayer(layers.DecoderLayer):
    """One layer of the decoder: words (N, S, E), memory (N, T, E) -> words (N, S, E)."""

    def forward(self, x, memory, tgt_mask=None):
        ### BEGIN SOLUTION
        seen = self.self_attn(x, x, x, tgt_mask)
        x = self.norm1(x + self.dropout1(seen))
        read = self.multihead_attn(x, memory, memory)
        x = self.norm2(x + self.dropout2(read))
        return self.norm3(x + self.dropout3(self.ffn(x)))
        ### END SOLUTION

# %% test decoder_layer 3
check.decoder_layer(TransformerDecoderLayer)
### BEGIN HIDDEN TESTS
exam.decoder_layer(TransformerDecoderLayer)
### END HIDDEN TESTS

# %% given use_decoder_layer
# From here on, every decoder is a stack of your layers.
layers.install(TransformerDecoderLayer)

# %% [markdown]
# What do these few lines do?
#
# - **The residual stream.** Each part *adds* to `x` what it has found out, and the sum is normalised. (In the lesson
#   `gpt`, the normalisation will move to another place.) So a word's vector is like a sheet of notes that passes
#   through all the layers: heads write on it, and later parts read what they wrote. And because a sum passes its
#   gradient back to both of its terms, the error reaches even the first layer (He et al. 2015).
# - **Layer normalisation** brings each word's vector back to mean 0 and variance 1 over its $E$ components, then scales
#   and shifts the components by learned numbers, so that no part can drown out the others (Ba et al. 2016).
# - **The feed-forward part** is the only one that computes something new from a single vector, because attention only
#   averages. $E \to 2048 \to E$ looks modest in the picture, but it holds 80% of a layer's weights at our width of 128.

# %% [markdown]
# And this is the whole model. On the left, the words go up through the embedding, the positional encoding and two
# decoder layers to an output that scores each next word. On the right, the picture, which was turned into features long
# ago, is projected to the width $E$ and becomes the memory that every layer looks at.

# %% show draw_model
drawings.captioning_transformer()

# %% [markdown]
# ### No looking ahead
#
# The model learns to predict the *next* word, at all positions at once: position $i$ sees words $1 \ldots i$ and must
# name word $i+1$. If the model could see word $i+1$, it would simply copy it, reach a loss of zero, and be useless when
# it has to write by itself. The **causal mask** prevents this. It is an $(S, S)$ matrix that is true where column $\le$
# row:
#
# $$\begin{pmatrix} 1 & 0 & 0 \\ 1 & 1 & 0 \\ 1 & 1 & 1 \end{pmatrix}$$

# %% [markdown]
# In the picture, the rows and columns of such a mask are labelled with the words of a caption. Each row belongs to a
# word that looks. The word sees the columns where its row has a 1, while the columns with a 0 are hidden from it. The
# word that each row has to predict is on the right.

# %% show draw_causal_mask
drawings.causal_mask()

# %% [markdown]
# Training like this is called *teacher forcing*: the words that are fed in are the true ones, whatever the model itself
# would have said.

# %% [markdown]
# **Your turn.** Write `forward(features, captions)`. `CaptioningModel` has already built the parts; see
# `print(CaptioningModel.__doc__)`. Give the picture's vector an axis of length 1, with `unsqueeze(1)`: the result is a
# memory with a single place. In section 10 a picture has $T$ places, and its features are $(N, T, D)$. The same lines
# must work there, too. They can, because the decoder flattens all axes between the first and the last into one. The
# check tests this as well.
#
# | part | takes | gives |
# | --- | --- | --- |
# | `self.embedding` | words $(N, S)$ | $(N, S, E)$ |
# | `self.positional_encoding` | $(N, S, E)$ | $(N, S, E)$ |
# | `self.visual_projection` | features $(N, D)$ | $(N, E)$ |
# | `self.transformer(target, memory, tgt_mask=mask)` | $(N, S, E)$, $(N, T, E)$, $(S, S)$ | $(N, S, E)$ |
# | `self.output` | $(N, S, E)$ | $(N, S, V)$ |
#
# Return the scores as they are: the loss applies the softmax itself. Make the mask on the device of the captions.

# %% solution captioning_transformer
class CaptioningTransformer(CaptioningModel):
    """Scores of each next word: features (N, D), captions (N, S) -> (N, S, V)."""

    def forward(self, features, captions):
        ### BEGIN SOLUTION
        S = captions.shape[1]
        words = self.embedding(captions)  # (N, S, E)
        words = self.positional_encoding(words)
        memory = self.visual_projection(features).unsqueeze(1)  # (N, 1, E)
        mask = torch.tril(torch.ones(S, S, dtype=torch.bool, device=captions.device))
        decoded = self.transformer(words, memory, tgt_mask=mask)  # (N, S, E)
        return self.output(decoded)
        ### END SOLUTION

# %% [markdown]
# The check builds your model with stand-ins for the other parts, so only `forward` is judged here. It tests
# *properties*, as you should in your own work: changing a later word must not change earlier scores, while swapping two
# words, or using another picture, must change something.

# %% test captioning_transformer 5
check.captioning_transformer(CaptioningTransformer)
### BEGIN HIDDEN TESTS
exam.captioning_transformer(CaptioningTransformer)
### END HIDDEN TESTS

# %% given use_captioning_transformer
layers.install(CaptioningTransformer)

# %% [markdown]
# ## 8. First light: learn 50 captions by heart (about 10 minutes)
#
# Before training on everything, train on almost nothing. A model of this size must be able to memorise 50 captions; if
# it cannot, something is broken, and we find out after a minute or so instead of hours.
#
# Expect a final loss below **0.03** (per place and in *nats*, that is, with the natural logarithm). The exact value
# depends on the random start: our four runs ended between 0.01 and 0.02, and yours may well end at 0.04. A loss that
# stays above 0.2 is another matter: in that case, check the mask and the encoding first.
#
# **Guess first.** While the model learns these 50 captions, the cell also measures a second loss, on captions of other
# pictures. At the end of the training, how many times as high as the first loss will the second one be?

# %%
guesses["50 captions"] = ...  # times as high: the loss on captions of other pictures

# %% show overfit
np.random.seed(231)
torch.manual_seed(231)
few = load_coco_data(max_train=50)
overfit_model = CaptioningTransformer(few["word_to_idx"], input_dim=few["train_features"].shape[1],
                                      wordvec_dim=256, num_heads=2, num_layers=2, max_length=30)
solver = CaptioningSolverTransformer(overfit_model, few, idx_to_word=few["idx_to_word"], num_epochs=100, batch_size=25,
                                     learning_rate=0.001, description="50 captions")
solver.train()
plots.losses({"50 captions": solver.losses})
say("final loss {loss:.4f}", loss=solver.loss_history[-1])
for _, unseen in solver.losses.unseen[-1:]:  # the last one measured
    verdict(guesses, {"50 captions": unseen / solver.loss_history[-1]})

# %% [markdown]
# That is what *learning by heart* looks like. The solid line is the loss on the 50 captions. The dashed line, the loss
# on captions of other pictures, falls for a while, as long as there is grammar to learn, and then stays where it is.
# Whatever the model learns once the dashed line is flat is of no use for other pictures.

# %% [markdown]
# Now let the model write. `sample` starts with `<START>`, asks your `forward` for scores, takes the best word, appends
# it, and asks again, until it reaches `<END>`. The next cell does this first for pictures that the model was trained
# on, and then for pictures that it has never seen. What do you expect of the second row?

# %% show overfit_captions
for split in ("train", "val"):
    captions, features, urls = sample_coco_minibatch(few, split=split, batch_size=4)
    print(split)
    plots.pictures(urls, decode_captions(overfit_model.sample(features, max_length=30), few["idx_to_word"]))

# %% [markdown]
# The captions in the first row are perfect, and those in the second are hardly ever right. (✓ means true, ✗ false, and
# ? not a sentence at all; the next section says who judges.) The model has learned fifty sentences, but not how to
# describe a picture. For that, it needs more pictures.

# %% [markdown]
# ## 9. Learn to describe, and judge honestly (about 30 minutes)
#
# Now train on all 5,000 training scenes, with five captions each. Another 1,000 scenes are kept for validation, and the
# model has *never seen* them: none of them has the same shapes, colours, sizes, places and background as a scene that
# the model was trained on. (The network that made the features is another matter: 550 of our 1,000 scenes have a twin
# among the 40,000 that it was trained on, and the two differ only in small details of the drawing. But we judge the
# decoder, not that network.) Training takes less than a minute on two cores. (This cell uses the scenes even if you
# have the COCO files; on COCO, the same cell with more and longer epochs takes hours on a CPU.)
#
# Watch both losses: the solid line is the loss on the training scenes, the dashed line the loss on unseen scenes. They
# fall fast while the model learns the grammar, which is the same for all pictures, and then slowly while it learns to
# look. Neither loss can reach zero, because each picture has captions in several wordings, and nobody can know which
# wording comes next. The dashed line may run below the solid one, because dropout is off while it is measured.
#
# **Guess first:** out of a hundred captions of unseen scenes, how many will be true? And how many if each scene is
# given the features of a different scene?

# %%
guesses["own features"] = ...  # true captions, in per cent
guesses["shuffled features"] = ...

# %% show train_on_scenes
from utils.captioning.scenes.dataset import scenes_folder

scenes = load_coco_data(scenes_folder())


def train_captioner(data, steps, batch_size=64, seed=0, description="all scenes", feed_forward=None, **options):
    """A two-layer model of width 128, trained for `steps` minibatches; returns it and its losses."""
    np.random.seed(seed)
    torch.manual_seed(seed)
    options = {"num_heads": 4, "num_layers": 2} | options
    with stand_ins(feed_forward=feed_forward):
        model = CaptioningTransformer(data["word_to_idx"], data["train_features"].shape[-1], wordvec_dim=128, **options)
    solver = CaptioningSolverTransformer(model, data, data["idx_to_word"], batch_size=batch_size, learning_rate=0.001,
                                         description=description)
    solver.train(steps)
    return model, solver.losses


model, history = train_captioner(scenes, steps=300)
plots.losses({"all scenes": history})

# %% [markdown]
# What does the model say about pictures that it has never seen? A ✓ and a green frame mark a true caption. A red frame
# marks a false caption (✗), or one that is not a sentence of the grammar (?).

# %% show validation_captions
np.random.seed(4)
_, features, urls = sample_coco_minibatch(scenes, split="val", batch_size=8)
described = decode_captions(model.sample(features), scenes["idx_to_word"])
plots.pictures(urls, described)

# %% [markdown]
# ### When is a caption true?
#
# Who put the marks there? On COCO, people would have to judge. Here, the grammar reads each sentence and notes what it
# **claims**, as a row of nine numbers. The scene's **facts** are a second row, with the same nine columns. Among the
# claims, a 0 means that the caption says nothing on that point; among the facts, a 0 means that the scene has nothing
# there, for instance because it has no second thing. A sentence that cannot be read gets nine zeros.
#
# The next cell shows claims and facts, first in words for the first caption, then as numbers for all eight.

# %% show claims_and_facts
claims, facts = claims_of(described), facts_of(urls)
print_claims(described[0], urls[0])
print(claims, facts, sep="\n")

# %% [markdown]
# The rest is less obvious than it looks. Is a caption false because it leaves out the background? What about a caption
# with four right claims and one wrong claim? And what about a caption that claims nothing? We decide that a caption is
#
# - **true** if it claims something, and all its claims agree with the facts;
# - **false** if at least one of its claims disagrees with the facts;
# - **malformed** if it claims nothing at all.
#
# **Your turn.** Write `truth(claims, facts)`. Both are tensors $(N, C)$ of whole numbers, with a row for each caption;
# here $C = 9$. Return three numbers, in this order: the shares of all $N$ captions that are true, false and malformed.

# %% solution truth
def truth(claims, facts):
    """claims (N, C), facts (N, C) -> the shares of captions that are true, false, malformed."""
    ### BEGIN SOLUTION
    silent = claims == 0  # (N, C)
    malformed = silent.all(dim=1)  # (N,)
    right = (silent | (claims == facts)).all(dim=1) & ~malformed
    false = ~right & ~malformed
    return tuple(verdict.float().mean() for verdict in (right, false, malformed))
    ### END SOLUTION

# %% test truth 3
check.truth(truth)
### BEGIN HIDDEN TESTS
exam.truth(truth)
### END HIDDEN TESTS

# %% [markdown]
# ### How good is it, in numbers?
#
# **Truth**, then, is what we want to know. **BLEU-4** (Papineni et al. 2002) is what papers report, because nobody can
# compute the truth on COCO. BLEU-4 counts how many runs of one to four words also occur in the five reference captions,
# with a penalty for brevity; 1 is a perfect match (many papers, and our next lesson, multiply it by 100). So it rewards
# resemblance: "a red circle" and "a blue circle" share most of their words.
#
# We also need a **control**. A model that ignores the picture and says whatever is most common may sound fluent, too.
# So we caption the same pictures with *shuffled features*: each scene is given the features of another scene. If our
# model really describes the pictures, what must then happen to truth? And to BLEU? The next cell judges both kinds of
# captions with your function, prints a table with one row for each kind, and draws truth and BLEU as bars.

# %% show scores
honest = caption_scores.describe_split(model, scenes, truth_of=truth)
shuffled = scenes | {"val_features": np.random.RandomState(0).permutation(scenes["val_features"])}
control = caption_scores.describe_split(model, shuffled, truth_of=truth)
both = {"own features": honest, "shuffled features": control}
rows = [(name, *(f"{result[key]:.1%}" for key in ("true", "false", "malformed")), f"{result['bleu']:.2f}")
        for name, result in both.items()]
print_table(rows, heads=("captions with", "true", "false", "malformed", "BLEU-4"), guesses=guesses)
verdict(guesses, {name: 100 * result["true"] for name, result in both.items()}, points=True)
plots.comparison(both)

# %% [markdown]
# Compare the two rows. The BLEU in the second row is what fluent nonsense earns here. Keep that in mind when you read
# captioning results.

# %% [markdown]
# ### Beside a recurrent network
#
# Before there were Transformers, captions were written by *recurrent networks* (Vinyals et al. 2015), and you may have
# built one in an earlier exercise. Such a network reads a caption word by word and carries along a **state**, a vector
# that changes with each word. The first state is computed from the picture's features. The network cannot look back: at
# the tenth word, all it knows about the picture and the earlier words is what the state has kept.
#
# The next cell trains a recurrent network of the kind called GRU, with a state of 256 numbers
# (`utils/captioning/recurrent.py`), on the same scenes and for the same number of steps, 300. We chose its width and
# its learning rate so that it does well. It needs about a third of the Transformer's time. How many of its captions of
# unseen scenes will be true?

# %%
guesses["recurrent"] = ...  # true captions, in per cent

# %% show recurrent
from utils.captioning.recurrent import RecurrentCaptioner

np.random.seed(0)
torch.manual_seed(0)
recurrent = RecurrentCaptioner(scenes["word_to_idx"], input_dim=512, wordvec_dim=256)
solver = CaptioningSolverTransformer(recurrent, scenes, scenes["idx_to_word"], batch_size=64, learning_rate=0.003,
                                     description="recurrent")
solver.train(300)
plots.losses({"Transformer": history, "recurrent": solver.losses})
rival = caption_scores.describe_split(recurrent, scenes, truth_of=truth)
rows = [(name, f"{result['true']:.1%}", f"{result['bleu']:.2f}")
        for name, result in {"Transformer": honest, "recurrent": rival}.items()]
print_table(rows, heads=("model", "true", "BLEU-4"), guesses=guesses)
verdict(guesses, {"recurrent": 100 * rival["true"]}, points=True)

# %% [markdown]
# In each of our five runs, fewer captions of the recurrent network were true: 84% to 88%, against 95% to 99% for the
# Transformer. BLEU-4 hardly shows the difference, with 0.96 to 0.98 against 0.99 to 1.00: a caption with one wrong word
# is false, but most of its sequences of one to four words still occur in the references. This says nothing about larger
# networks: we compared two small ones, on one kind of picture.

# %% [markdown]
# Now make your own scene. Change the words below (the options are in `utils/captioning/scenes/scene.py`), and let the
# model write its caption. The features are computed from the picture by the same small network as before.

# %% show own_scene
from utils.captioning.scenes.features import features_of
from utils.captioning.scenes.scene import Scene, Thing, render

scene = Scene((Thing("small", "purple", "star"), Thing("large", "yellow", "ring")), "black", relation="above", jitter=5)
own = np.pad(features_of(render(scene)[None]), ((0, 0), (0, 512 - 64)))
print(decode_captions(model.sample(own), scenes["idx_to_word"])[0])

# %% [markdown]
# ## 10. Attention over a picture (about 25 minutes)
#
# ### Where does each word look?
#
# First, among the words. The diagram shows the self-attention of the first layer, with its heads side by side. In each
# head, the row of a word shows how the word distributes its attention over itself and the words before it. Everything
# above the diagonal is empty: that is your causal mask. A frame marks each place where a word puts much of its weight
# on another word.
#
# Often, most of a head's weight is on the diagonal, that is, on the word itself. The squares worth interpreting are
# those below the diagonal. Look for three kinds of heads; which of them you find, if any, depends on your training:
#
# - one that follows: the bright squares are just below the diagonal, so each word looks at the word before it;
# - one that knows which thing is meant: in the rows of all words for the second thing, the same column is bright,
#   namely the column of the word *and*, or of the relation;
# - one that joins: a colour looks at the size of the same thing, a shape at its colour.

# %% show word_attention
caption = scenes["val_captions"][0]
plots.word_attention(model, scenes["val_features"][scenes["val_image_idxs"][0]], caption, scenes["idx_to_word"])

# %% [markdown]
# And in the picture? The memory is a *single* vector, so the softmax of the cross-attention runs over one source, whose
# weight is always 1. This weight cannot tell us where a word looks. But an experiment can tell us what a word **depends
# on**: hide a patch of the picture, ask the model again for the probabilities of the same words, and subtract. The
# log-probability of each word $w_i$ of the caption falls by
#
# $$\Delta_i = \log p(w_i \mid \text{whole picture}) - \log p(w_i \mid \text{picture with the patch hidden}) .$$
#
# A large $\Delta_i$ means that the word needs what the patch shows. A value near 0 means that the word does not depend
# on the patch, and a value below 0 that it has become more probable. To *hide* a patch, we paint over it: all its
# points get the colour of the background.

# %% [markdown]
# **Your turn.** Write `depends_on(score, picture, patch, colour)` for a caption of $S$ words. It returns
# $\Delta_1 \ldots \Delta_S$, as a tensor $(S,)$.
#
# - `score` is a function: `score(picture)` returns the log-probabilities of the caption's words with this picture,
#   $(S,)$.
# - `picture` has the shape (height, width, 3): a red, a green and a blue number for each point. It must stay unchanged,
#   because it is used again for the next patch.
# - `patch` is `(top, left, size)`: a square of `size` times `size` points. Its first row is `top` and its first column
#   is `left`, both counted from 0.
# - `colour`, $(3,)$, is the colour of the background.

# %% solution depends_on
def depends_on(score, picture, patch, colour):
    """score, picture (height, width, 3), patch (top, left, size), colour (3,) -> Δ of each word (S,)."""
    ### BEGIN SOLUTION
    top, left, size = patch
    hidden = picture.clone()
    hidden[top : top + size, left : left + size] = colour
    return score(picture) - score(hidden)
    ### END SOLUTION

# %% test depends_on 2
check.depends_on(depends_on, StandInScore)
### BEGIN HIDDEN TESTS
exam.depends_on(depends_on, StandInScore)
### END HIDDEN TESTS

# %% [markdown]
# The next cell lets the model describe a scene, and calls your function for patches of 16 times 16 points, one every 6
# points. Each word gets a map: the stronger the colour at a place, the further the word's log-probability falls when
# the patch around that place is hidden (values below 0 are drawn as 0). For which words do you expect an empty map?
# Which words of the *second* thing will depend on the first?

# %% show picture_attention
plots.picture_attention(model, scenes["val_urls"][0], scenes["idx_to_word"], scenes["word_to_idx"], depends_on)

# %% [markdown]
# Begin with the words for the colour and the shape of the first thing: where do their maps light up? The first "a"
# hardly needs the picture, because the grammar alone puts it there. (The second "a" may depend on the picture, because
# only the picture shows whether there is a second thing, and what it is next to.) The words of the second thing may
# depend on that thing, on both things, or on the first alone. Why on the first? Once the first thing is hidden, the
# second is the only one in the picture, and the caption of a single thing has no place for words such as "above a large
# green". The colour of a large thing may light up nowhere, because no single patch hides all of it.

# %% [markdown]
# ### A picture of sixteen places
#
# Now let the model look. Before the small network sums up a picture in one vector, its last convolution gives 64
# numbers for each of $4 \times 4$ places. We use these numbers instead, as $T = 16$ sources for the cross-attention,
# and append to each source its position: four numbers for its row and four for its column, each time a single 1 and
# three zeros (positions as channels, as in the first lesson). The features are now $(N, T, D)$ with $D = 72$, and your
# `forward` accepts them as they are: `visual_projection` works on the last axis, and the decoder turns the axes in
# between into one row of places. (If the next cell stops in your `forward`, you probably reshaped or repeated the
# memory: `unsqueeze(1)` works in both cases.)
#
# The next cell trains the same model on these grids, with a feed-forward part of 512 units instead of 2048. The
# narrower part keeps the interactive page further down small, and in our three runs it gave about as many true captions
# as the wide one. Training takes less than a minute. The figure shows the losses of the new model beside those of the
# previous one. The previous model was handed the names of all things in one vector, whereas this model has to find the
# things first. Will its captions be better, worse, or just as good?

# %%
guesses["grid"] = ...  # true captions, in per cent

# %% show train_on_grid
from utils.captioning.scenes.dataset import scene_grids

grids = scenes | scene_grids()
say("features of the places: {shape}", shape=grids["train_features"].shape)
grid_model, grid_history = train_captioner(grids, steps=500, feed_forward=512, description="grids of features")
plots.losses({"one vector": history, "grid": grid_history})
truths = {"own features": honest["true"], "grid": caption_scores.describe_split(grid_model, grids)["true"]}
rows = [(name, f"{true:.1%}") for name, true in truths.items()]
print_table(rows, heads=("captions with", "true"), guesses=guesses)
verdict(guesses, {"grid": 100 * truths["grid"]}, points=True)

# %% [markdown]
# In the next figure, every word of a caption has two maps. You know the upper map already: it shows what the word
# depends on. The lower map shows where the word **looks**: the weights of the cross-attention in the last layer,
# averaged over the heads.

# %% show look_at_picture
plots.picture_attention(grid_model, scenes["val_urls"][0], scenes["idx_to_word"], scenes["word_to_idx"], depends_on,
                        grid=True)

# %% [markdown]
# Nobody told the model where the things are, and yet a word that names a size, a colour or a shape mostly looks at the
# thing that it describes, or right beside it. (The 64 numbers of a place are computed from a square of 37 × 37 points
# in a picture of 64 × 64, so the neighbouring places see the thing, too.) We measured this on 300 unseen scenes, with
# three seeds. In two of the three runs, about 59% of such a word's weight in the last layer is on the places of the
# thing that it names; chance would give 22%. Three more findings should keep you from taking a map for an explanation:
#
# - layers divide the work as they like: in those two runs, about 39% of the first layer's weight is on the thing; in
#   the third run, words for shapes look at their thing in the first layer (60%), but in the last layer they look at it
#   no more than chance would (21%);
# - heads differ: some heads of the last layer put 70% or more of their weight on the thing, others only half as much,
#   or less;
# - looking did not pay off here: in our four runs, the grid never gave more true captions than the single vector, in
#   which the small network had already done the naming. Compare the two rows of your own table.

# %% essay what_the_numbers_say 3 [markdown]
# **What the numbers say.** (a) A model ignores the picture and always writes *a large red circle above a small blue
# square*. Roughly what would `truth` return for it on the unseen scenes, and why? Would its BLEU-4 be nearer to what
# your model reached with its own features or with shuffled features? Give a reason that follows from how BLEU counts.
# (b) In your last figure, choose one word whose two maps differ: where does it look, and what does it depend on? A
# friend says that the lower map *explains* why the model wrote the word. Which of the two maps would you call an
# explanation, and what does the other one still tell you?
#
# ### BEGIN SOLUTION
# *Model answer.* (a) Nearly nothing is true: the sentence is right only for a scene with exactly these two things, in
# these sizes and colours and in this relation (the shares of true, false and malformed are about 0, 1 and 0, since the
# sentence does claim something). BLEU-4 is near that of shuffled features: the sentence shares the small words, the
# order of size, colour and shape, and some pairs of words with many references, so the score is not zero, but long runs
# rarely agree. (b) The student's own word. What a word depends on is an explanation in the sense of an experiment: the
# patch is hidden, and the probability falls. Where the word looks is where its values come from. These values may be
# useless, or the same information may be available elsewhere, so looking alone does not show that a place is needed.
# But it does show how the model finds things.
#
# *Figures.* `scores`, `look_at_picture`. Compare with the student's own table and maps.
#
# *Points.*
#
# - `constant` 1: hardly any caption is true, because a scene has to agree in everything that is claimed. *Words:*
#   nearly nothing, zero, all claims, exactly, rare.
# - `fluent` 1: BLEU is above zero, near that of the shuffled features, because short runs of words agree with the
#   references. *Words:* runs, n-gram, pairs, words, shuffled, above zero.
# - `needs` 1: the map of what a word depends on comes from an experiment and explains; looking alone does not show that
#   a place is needed. *Words:* depends, hide, experiment, needed, looks, explanation.
# ### END SOLUTION

# %% [markdown]
# ### Explore (optional)
#
# Now the scene is yours. Drag a thing or give it another colour or shape, and your model describes the scene at once.
# Choose a word to see where it looks, head by head, and which other words were candidates; then replace it with another
# word, and see how the sentence goes on. The switches show what a mistake in your code would have done: what becomes of
# the caption when the words lose their positions? (Where the page cannot be shown, you get a figure instead, which
# shows where the third and the eighth word of one scene's caption look.) `mine.save("mine.html")` saves the page as a
# file.
#
# The last part of the page follows the model, step by step, as it chooses one word: from the vector of the previous
# word, through query, key, score, weights and values, to the scores of all words. You see what each part adds to the
# score of the chosen word. You need this part of the page to answer the five questions below it.

# %% show explore
mine = explorer.explore(grid_model, scenes["val_urls"], scenes["idx_to_word"], scenes["word_to_idx"], heads=4)
mine

# %% [markdown]
# ## 11. Going further (optional, about 25 minutes)
#
# ### What does each part contribute?
#
# You wrote scaling, several heads, positions and a mask because the text said so. Now take them away, one at a time,
# and measure the effect. Each variant trains for the same short time, half as long as the model of section 9;
# `stand_ins` builds models with other classes in place of yours. All this takes two or three minutes, so it runs only
# if you write `OPTIONAL = True` below. Which removal will hurt most, and which not at all? A table and a bar chart will
# show the result for each variant.

# %%
guesses["one head"] = ...  # true captions, in per cent, where the complete model has about 80
guesses["no scaling"] = ...
guesses["no positions"] = ...
guesses["no mask"] = ...
OPTIONAL = False  # True trains the five models

# %% show ablation
class Unscaled(MultiHeadAttention):
    """Undoes the division by sqrt(E/H)."""

    def __init__(self, embed_dim, num_heads, dropout=0.1):
        super().__init__(embed_dim, num_heads, dropout)
        self.query.register_forward_hook(lambda layer, inputs, result: result * math.sqrt(embed_dim // num_heads))


class Peeking(MultiHeadAttention):
    """Ignores the mask."""

    def forward(self, query, key, value, attn_mask=None):
        return super().forward(query, key, value)


class NoPositions(nn.Module):
    """Leaves its input as it is."""

    def __init__(self, embed_dim, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.dropout(x)


def ablation(seed=0):
    """Truth, BLEU-4 and final loss of five models."""
    results = {}
    variants = {"complete": {}, "one head": {}, "no scaling": {"attention": Unscaled},
                "no positions": {"encoding": NoPositions}, "no mask": {"attention": Peeking}}
    for number, (name, replaced) in enumerate(variants.items(), start=1):
        with stand_ins(**replaced):
            trained, history = train_captioner(scenes, steps=300, batch_size=32, seed=seed,
                                               description=f"{said('ablation')} {number}/{len(variants)}, {said(name)}",
                                               num_heads=1 if name == "one head" else 4)
        loss = np.mean(history.training[-20:])
        results[name] = caption_scores.describe_split(trained, scenes, limit=300) | {"loss": loss}
    return results


if wanted(OPTIONAL):
    results = ablation()
    rows = [(name, f"{result['loss']:.3f}", f"{result['true']:.1%}", f"{result['malformed']:.1%}")
            for name, result in results.items()]
    print_table(rows, heads=("model", "loss", "true", "malformed"), guesses=guesses)
    verdict(guesses, {name: 100 * result["true"] for name, result in results.items()}, points=True)
    plots.comparison(results)

# %% [markdown]
# Find the model with the lowest loss, and read its other two numbers. This model has learned to copy the next word from
# its own input, but when it must write by itself, there is nothing to copy. If you remember one thing from this lesson,
# let it be this row.
#
# Don't read too much into the other bars: with only 300 captions, chance moves them by ±5 points, training is short,
# and another seed moves some models by more than ten points (try `ablation(seed=1)`). In each of our three runs, the
# model with one head did worse than the complete one; for scaling and positions, three runs are not enough to tell.
#
# It may surprise you that these two do so little. **Scaling** matters less where heads are only 32 wide, training is
# short, and initial weights are small: it is insurance for models that are wide and deep. And how can a model do
# without **positions** at all? The causal mask alone gives the order away: word 5 sees five words, word 6 sees six
# (Haviv et al. 2022, [*Transformer Language Models without Positional Encodings Still Learn Positional
# Information*](https://arxiv.org/abs/2203.16634)). An encoder, which has no causal mask, could not count like that.

# %% [markdown]
# ### No need to compute it twice: the cache
#
# To write word 30, your `forward` processes words 1 to 29 again, although their keys and values have not changed.
# `sample` therefore keeps them in a **cache**, and computes only one position per step (`utils/captioning/cache.py`).
# The captions must be the same, and they are; only the time differs. Large language models write in the same way.
#
# **Beam search** follows several beginnings instead of one: at each step it continues each of them with every word, and
# keeps the few that are most probable as a whole. So it can find a sentence that begins with a less likely word but
# turns out to be more probable in the end. On the scenes, greedy decoding, which always takes the best next word, is
# already nearly perfect; on COCO, beam search makes a difference of a few points of BLEU.

# %% show cache
long_model = CaptioningTransformer(scenes["word_to_idx"], 512, wordvec_dim=256, max_length=30)
long_model._end = None  # never stop before 30 words
features = scenes["val_features"][:32]
captions = {}
for cached in (False, True):
    started = time.perf_counter()
    captions[cached] = long_model.sample(features, max_length=30, cached=cached)
    seconds = time.perf_counter() - started
    say("with the cache: {seconds:.2f} s" if cached else "without the cache: {seconds:.2f} s", seconds=seconds)
say("captions that differ: {count}", count=(captions[False] != captions[True]).any(axis=1).sum())
beam = model.sample(features[:2], beam_width=4)
say("beam search: {captions}", captions=decode_captions(beam, scenes["idx_to_word"]))

# %% [markdown]
# ## What you take away
#
# The picture sums up the lesson in four questions about one word of a caption. Attention answers two of them: which
# words it sees, and where in the picture it looks. An experiment answers the third: what does it depend on? And a judge
# who knows the scene answers the fourth: is it true?

# %% show draw_four_questions
drawings.four_questions()

# %% [markdown]
# - Attention averages values, weighted by a softmax of dot products; self- and cross-attention differ in where keys and
#   values come from.
# - Heads are an extra axis: split, exchange, attend, exchange back, join, project. Divide by $\sqrt{E/H}$: without
#   this, wide heads saturate the softmax, while narrow ones hardly notice.
# - Without a mask, attention sees a set, so positions must be added to the vectors; a causal mask alone tells the model
#   how many words came before. Store the table of positions as a buffer.
# - Each part of a layer adds to a stream, and here the sum is normalised; most of a layer's weights are in the
#   feed-forward part.
# - Cross-attention over the places of a picture shows where a word looks; what the word depends on is another question,
#   which an experiment answers.
# - The causal mask is what makes training honest. A property test notices when it is missing. The loss does not:
#   without the mask, it looks better than ever.
# - A fluent caption may be false, so test on unseen pictures, and against a control that has no information about the
#   picture.
#
# Next, `seq2seq` goes back to where attention came from: translation with a recurrent network that learns to align
# words.

# %% [markdown]
# ### Sources
#
# Vaswani et al. 2017, [*Attention Is All You Need*](https://arxiv.org/abs/1706.03762): attention (3.2), encoding (3.5),
# decoder (figure 1). He et al. 2015, [*Deep Residual Learning*](https://arxiv.org/abs/1512.03385), and Ba et al. 2016,
# [*Layer Normalization*](https://arxiv.org/abs/1607.06450): the parts around attention. Vinyals et al. 2015, [*Show and
# Tell*](https://arxiv.org/abs/1411.4555): captioning from features of a convolutional network. Xu et al. 2015, [*Show,
# Attend and Tell*](https://arxiv.org/abs/1502.03044): attention over the places of a picture. Chen et al. 2015,
# [*Microsoft COCO Captions*](https://arxiv.org/abs/1504.00325). Papineni et al. 2002,
# [*BLEU*](https://aclanthology.org/P02-1040/). The lesson's plan follows the assignment on captioning with Transformers
# in Stanford's course CS231n; the text, code, scenes and tests are our own.
