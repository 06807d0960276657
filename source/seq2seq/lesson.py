# %% [markdown]
# # Translation: where do I look for the next word?
#
# A translator reads a French sentence and writes an English one. The first neural translators had to squeeze the whole
# sentence into one vector. In 2014 Dzmitry Bahdanau, Kyunghyun Cho and Yoshua Bengio let the network *look back* at the
# source before writing each word, and that is where attention in neural translation began. You will build it here,
# piece by piece. **By the end you will be able to**
#
# - say what a dot product measures, what a cosine measures, and what softmax turns them into;
# - measure quality against sentence length, and say what fails when a single vector holds the sentence;
# - write additive attention in both its forms, with a weight of exactly zero on padding;
# - train a translator in a minute, decode greedily and with a beam, and score it with BLEU;
# - read an alignment map, and say why its bright squares swap places at *la voiture blanche*, the white car.
#
# It takes about three and a quarter hours; times are given beside the headings, and optional parts take extra time. You
# should know Python, PyTorch's tensors, and what a recurrent network does. Nothing has to be downloaded, and you don't
# need a graphics card.

# %% [markdown]
# ## How a lesson works
#
# - **Run** each cell with Shift + Enter, from top to bottom; after a restart, begin at the top again.
# - **Write** where it says `# Your code goes here`. The cell below checks your code in a second, and says where a
#   mistake may be.
# - **Hand in** this notebook under its own name, `seq2seq.ipynb`. Its last cell shows where you stand.
#
# Start with the next two cells: the first finds the workbook's modules, the second shows in a drawing how a lesson
# works.

# %% show how_a_lesson_works
from utils.drawings.lesson import how_a_lesson_works

how_a_lesson_works("seq2seq")

# %% [markdown]
# ## The letters we use
#
# | letter | is the number of |
# | --- | --- |
# | $N$ | sentences in a batch |
# | $T$ | words of the source sentence, which is read (French) |
# | $S$ | words of the target sentence, which is written (English) |
# | $V$ | words in the vocabulary of the target language |
# | $G$ | components of the decoder's state $s$ |
# | $D$ | components of an encoder state $h$ (each source word has one state), and of the vectors in section 1 |
# | $R$ | components of the hidden layer in which the additive score compares $s$ with $h$ |
# | $E$ | components of a word's vector |
#
# Write shapes beside your lines as comments, `# (N, T, D)`. It is the cheapest way to find a mistake before it finds
# you.

# %% given imports
import math
import random

import torch
from torch import nn
from torch.nn import functional as F

from utils.attention_utils import (
    MAX_LENGTH,
    EOS_token,
    PAD_token,
    SOS_token,
    corpus_file,
    filterPairs,
    pad_pairs,
    readLangs,
)
from utils.common.guesses import verdict
from utils.common.optional import wanted
from utils.common.printing import print_table, say  # they print in the notebook's language
from utils.seq2seq import check, drawings, explorer, plots
from utils.seq2seq import model as seq2seq
from utils.seq2seq.pairs import split_pairs
from utils.seq2seq.scores import bleu, bleu_by_length, right_by_length
from utils.seq2seq.stand_ins import StandInAttention, StandInTranslator, shared_points
from utils.seq2seq.training import beam_decode, train, translate

guesses = {}  # what you expect, written before each training

# %% [markdown]
# ## 1. Similarity (about 25 minutes)
#
# Attention compares vectors, so let us first compare some that we understand: five people, each described by what they
# think of six films, from −5 (hated it) to 5 (loved it). (If dot products and softmax are old friends, perhaps from the
# lesson `captioning`, just write the three functions, look at the figures, and move on to section 2 after ten minutes.)
#
# The next figure shows their ratings as a table with one row per person and one column per film. Ana and Bo like the
# same three films, though Bo doesn't show it much; Chloé likes the other three; Dev loves everything.

# %% given ratings
people = ["Ana", "Bo", "Chloé", "Dev", "Emma"]
films = ["Alien", "Amélie", "Blade Runner", "Intouchables", "Matrix", "Titanic"]
ratings = torch.tensor(
    [
        [4.0, -2.0, 5.0, -1.0, 4.0, -3.0],  # Ana
        [1.0, -1.0, 1.0, 0.0, 1.0, -1.0],  # Bo
        [-3.0, 5.0, -2.0, 4.0, -2.0, 5.0],  # Chloé
        [5.0, 5.0, 5.0, 5.0, 5.0, 5.0],  # Dev
        [-2.0, 1.0, -2.0, 2.0, -1.0, 1.0],  # Emma
    ]
)

# %% show draw_ratings
plots.similarity_maps({"ratings": ratings}, {"ratings": (people, films)}, unit="rating (−5 to 5)")

# %% [markdown]
# ### The dot product
#
# How alike are two people? Multiply their two ratings of each film, and add up the products:
#
# $$a \cdot b = \sum_{d=1}^{D} a_d\, b_d$$
#
# Two likes or two dislikes raise the sum, a like and a dislike lower it, and indifference counts for nothing. A single
# matrix product does this for all pairs at once: the dot products of the rows of $X$ with the rows of $Y$ are the
# entries of $X Y^\top$.

# %% [markdown]
# **Write `dot_similarity(a, b)`.** `a` is $(N, D)$ and `b` is $(M, D)$; the result is $(N, M)$, and its element
# $(n, m)$ is the dot product of row $n$ of `a` with row $m$ of `b`.
#
# Stuck? `check.dot_similarity.hint()` gives a first hint; call it again for a plainer one. Every check has three hints.

# %% solution dot_similarity
def dot_similarity(a, b):
    """Dot product of every row of a with every row of b: a (N, D), b (M, D) -> (N, M)."""
    ### BEGIN SOLUTION
    return a @ b.T  # (N, D) (D, M) -> (N, M)
    ### END SOLUTION

# %% test dot_similarity 1
check.dot_similarity(dot_similarity)
### BEGIN HIDDEN TESTS
exam.dot_similarity(dot_similarity)
### END HIDDEN TESTS

# %% [markdown]
# The next figure shows the dot products of all pairs of people. Look at Ana's row: Bo leans the same way as she does on
# nearly every film, yet Dev, who praises everything, gets nearly twice Bo's number. Now look at Bo's own row. He scores
# 5 with himself, but 18 with Ana: by the dot product, **someone else can be more like you than you are**.

# %% show draw_dots
table = dot_similarity(ratings, ratings)
plots.similarity_maps({"dot product": table}, {"dot product": (people, people)}, unit="dot product (ratings²)")

# %% [markdown]
# Geometry tells us why. If $\theta$ is the angle between the two vectors, then
#
# $$a \cdot b = \lVert a \rVert\, \lVert b \rVert \cos\theta .$$
#
# The dot product is **not normalised**: it grows with the lengths of the vectors as well as with their agreement. Dev's
# vector is long, and Ana's is longer than Bo's. Sometimes that is what you want, since a strong opinion may deserve to
# count for more, and the dot product is cheap to compute. But it does not measure *taste*.

# %% [markdown]
# ### The cosine
#
# Divide by both lengths, and only the angle is left:
#
# $$\cos(a, b) = \frac{a \cdot b}{\lVert a \rVert\, \lVert b \rVert}, \qquad
# \lVert a \rVert = \sqrt{\textstyle\sum_d a_d^2}.$$
#
# The cosine is always between −1 (opposite directions) and 1 (the same direction), however long the vectors are.

# %% [markdown]
# **Write `cosine_similarity(a, b)`.** `a` is $(N, D)$ and `b` is $(M, D)$; the result is $(N, M)$, the cosine of every
# row of `a` with every row of `b`. No row is zero. Write it with sums, roots or norms, not with PyTorch's ready-made
# cosine. Leave `a` and `b` unchanged: other code uses them, too.

# %% solution cosine_similarity
def cosine_similarity(a, b):
    """Cosine of every row of a with every row of b: a (N, D), b (M, D) -> (N, M)."""
    ### BEGIN SOLUTION
    a = a / a.norm(dim=1, keepdim=True)  # (N, D), each row of length 1
    b = b / b.norm(dim=1, keepdim=True)  # (M, D)
    return a @ b.T
    ### END SOLUTION

# %% test cosine_similarity 3
check.cosine_similarity(cosine_similarity)
### BEGIN HIDDEN TESTS
exam.cosine_similarity(cosine_similarity)
### END HIDDEN TESTS

# %% [markdown]
# ### By row or by column?
#
# One table, two questions. *"Ana and Bo have the same taste"* is a claim about **people**: it compares rows. *"People
# who like Alien also like Blade Runner"* is a claim about **films**: it compares columns. A program that compares along
# the wrong axis answers the other question, and no error message will tell you. So ask of every formula: which axis is
# summed away, and what is left?

# %% [markdown]
# **Write `tastes(ratings, similarity)`.** `ratings` is a table of ratings like the one above, $(N, M)$. `similarity` is
# a function like the two that you wrote. Return two tables: how alike the people are, $(N, N)$, and how alike the films
# are, $(M, M)$.

# %% solution tastes
def tastes(ratings, similarity):
    """ratings (N, M), a function -> people with people (N, N), films with films (M, M)."""
    ### BEGIN SOLUTION
    people_alike = similarity(ratings, ratings)  # (N, N)
    films_alike = similarity(ratings.T, ratings.T)  # (M, M)
    return people_alike, films_alike
    ### END SOLUTION

# %% test tastes 2
check.tastes(tastes, shared_points)
### BEGIN HIDDEN TESTS
exam.tastes(tastes, shared_points)
### END HIDDEN TESTS

# %% [markdown]
# The next figure shows both tables of cosines. On the left, Ana and Bo now reach 0.96, while Ana and Dev reach only
# 0.34. On the right, Alien, Blade Runner and Matrix are nearly one and the same film, as far as these five people can
# tell.

# %% show draw_cosines
people_alike, films_alike = tastes(ratings, cosine_similarity)
plots.similarity_maps(
    {"cosine of people (rows)": people_alike, "cosine of films (columns)": films_alike},
    {"cosine of people (rows)": (people, people), "cosine of films (columns)": (films, films)},
    unit="cosine",
)

# %% [markdown]
# ### From similarities to weights: softmax
#
# What will Ana think of a film that she has not seen? Ask the others, and give the most weight to those who resemble
# her. The weights should be positive and sum to 1, and softmax turns any numbers $x_1, x_2, \dots$ into such weights:
#
# $$\alpha_m = \frac{e^{x_m / \tau}}{\sum_j e^{x_j / \tau}}$$
#
# The temperature $\tau$ decides how sharp the weights are. The next figure shows Ana's weights for the four others at
# three temperatures: at 0.1, Bo gets nearly all the weight; at 10, all four count almost equally.

# %% show draw_softmax
others = [1, 2, 3, 4]
plots.softmax_bars(people_alike[0, others], [people[i] for i in others])

# %% [markdown]
# Now we can answer. A seventh film is out, and the others have seen it: Bo gives it 1, Chloé −2, Dev 5 and Emma −1. The
# next cell takes the mean of these ratings, weighted with Ana's weights at $\tau = 0.5$.

# %% show ask_the_others
new_film = torch.tensor([1.0, -2.0, 5.0, -1.0])  # what Bo, Chloé, Dev and Emma give it
weights = (people_alike[0, others] / 0.5).softmax(dim=0)
for i, weight in zip(others, weights, strict=True):
    print(f"{people[i]:6} {weight:.2f}")
guess = (weights * new_film).sum()
say("{name:6} {rating:.1f} (the plain mean is {mean:.1f})", name=people[0], rating=guess, mean=new_film.mean())

# %% [markdown]
# Bo, who thinks like Ana, has three quarters of the weight. Dev, who loves everything, has most of the rest, and his 5
# pulls the answer up. *What you have just computed is attention*, and its three parts have names that you will meet
# again. Ana asks the question, so she is the **query**. She is compared with the tastes of the others, which are the
# **keys**. What each of the others contributes is a **value**: the rating of the new film. The answer is the weighted
# mean of the values, and the weights are the softmax of the similarities. All that is missing is a similarity that is
# learned.

# %%
# Your own trials: add yourself to the table. Who resembles you?

# %% [markdown]
# ## 2. Sentences (about 10 minutes)
#
# Our pairs of sentences come from a small grammar that we wrote for this lesson: 13,371 statements about people, with
# the agreement, the elisions and the word order of French. The long sentences are short clauses joined by *et*, *mais*
# or *parce que* (and, but, because), so a longer sentence simply has more clauses. The grammar lets you work offline,
# and it lets us *hold out* combinations: if the combination of *elles* (they, feminine) and *courageuses* (brave,
# feminine plural) is held out, the two never meet in a training sentence, though each of them occurs with other words.
# What the translator makes of the held-out pairs shows what it has understood. (We dropped 57 held-out pairs that
# contain a word which never occurs in training.)
#
# If you have downloaded the real sentences of [Tatoeba](https://tatoeba.org) (`python -m utils.download tatoeba`), the
# cells of this lesson use them instead.

# %% show load_pairs
french, english, pairs = readLangs("eng", "fra", reverse=True)
pairs = filterPairs(pairs, max_length=33)  # words; the classic filter keeps those below MAX_LENGTH = 10
for source, target in pairs:
    french.addSentence(source)
    english.addSentence(target)
training_pairs, held_out_pairs = split_pairs(pairs)
say("{training:,} pairs to train on, {held_out:,} held out", training=len(training_pairs), held_out=len(held_out_pairs))
say("words, with SOS and EOS: {french:,} French, {english:,} English", french=french.n_words, english=english.n_words)
for source, target in random.Random(4).sample(training_pairs, 6):
    print(f"    {source}  →  {target}")

# %% [markdown]
# The text has been *normalised*: everything is in lower case, accents and apostrophes are gone, and the final
# punctuation mark is a word of its own. So `"Je n'ai pas faim."` becomes `je n ai pas faim .`, and `"I'm not hungry."`
# becomes `i m not hungry .`. The network reads French and writes English. The other direction is harder, because *you*
# may be *tu* or *vous*, and *tired* may be *fatigué* or *fatiguée*.

# %% [markdown]
# ### Padding and its mask
#
# A batch is a rectangle, but sentences have different lengths. So every sentence is given a last word, EOS (*end of
# sentence*), and is then filled up with PAD. `pad_pairs` returns four tensors: `source` $(N, T)$ and `target` $(N, S)$,
# and for each a **mask** that is `True` at words (EOS counts as a word) and `False` at PAD.
#
# Here PAD is −1, an index that no word has. If a program looks up a vector for PAD by mistake, `nn.Embedding` stops
# with an error instead of letting the program train on words that aren't there. (The lesson's own models know about
# PAD, and use a vector of zeros for it.)
#
# The next cell prints four sentences as numbers, with their masks below: just the first twelve places of each.

# %% show draw_batch
example = pad_pairs(training_pairs[:3] + training_pairs[-1:], french, english)
print(example.source[:, :12])
print(example.source_mask[:, :12])

# %% [markdown]
# One rule holds for the rest of this lesson: **nothing may depend on padding.** A sentence must be translated in the
# same way whether it is alone or in a batch with a longer one. The checks test this for each of your functions. Where a
# function needs the model, the check gives it a small stand-in, so that only your own part is judged.

# %% [markdown]
# ## 3. Attention over words (about 20 minutes)
#
# Back to Ana. Suppose that Dev has *not* seen the new film. The table still holds some number in his place, but the
# answer must not depend on that number. So Dev needs a weight of **exactly zero**, and the weights of the others must
# still sum to 1. With sentences this happens all the time, because PAD is a friend who has seen nothing.
#
# So let each word $t$ of a sentence have a vector, its **state** $h_t$, and let a query give the word a score $e_t$.
# (The states will come from section 4, the scores from section 6.) Attention now does what you did with the ratings: it
# turns the scores into weights, and takes the weighted mean of the states, which is called the **context** $c$:
#
# $$\alpha_t = \frac{e^{e_t}}{\sum_{t'} e^{e_{t'}}}, \qquad c = \sum_{t} \alpha_t\, h_t .$$
#
# Softmax gives *every* place a positive weight, even padding. But if the score of a place is $-\infty$ when softmax
# sees it, the weight of that place is exactly zero, since $e^{-\infty} = 0$, and the other weights sum to 1 on their
# own. (Setting weights to zero *after* softmax leaves a sum below 1.)

# %% [markdown]
# **Write `attend(scores, states, mask)`.** `scores` is $(N, T)$, `states` is $(N, T, D)$, and `mask` is $(N, T)$ and
# `True` where there is a word; each row has at least one word. Return
#
# - the context $c$ of each sentence, $(N, D)$,
# - the weights $\alpha$, $(N, T)$, which are exactly 0 where `mask` is `False` and sum to 1.
#
# Padded entries of `scores` and `states` must not affect the result, and `scores` itself must stay unchanged. Gradients
# must flow through the result. Try your function with a batch of one sentence, too.

# %% solution attend
def attend(scores, states, mask):
    """scores (N, T), states (N, T, D) and mask (N, T) -> context (N, D) and weights (N, T)."""
    ### BEGIN SOLUTION
    scores = scores.masked_fill(~mask, float("-inf"))
    weights = scores.softmax(dim=1)  # (N, T)
    context = torch.bmm(weights.unsqueeze(1), states)  # (N, 1, T) (N, T, D) -> (N, 1, D)
    return context.squeeze(1), weights
    ### END SOLUTION

# %% test attend 7
check.attend(attend, nn.Identity())
### BEGIN HIDDEN TESTS
exam.attend(attend, nn.Identity())
### END HIDDEN TESTS

# %% [markdown]
# ### Two questions about your own code
#
# Can you say what your code does before you run it? When the check above passes, the next cell asks two questions about
# *your* `attend`. In both, $y$ means the two results of `attend`, put side by side: row $n$ of $y$ holds the $T$
# weights of sentence $n$, followed by the $D$ numbers of its context. If you change your code, the questions change as
# well.
#
# **Write `own_code()`.** Return two values, one for each question. The first question changes one number of a small
# input: the first value is a list of the places in $y$ whose numbers then change, each as a pair $(n, i)$ of row and
# column. The second value is one of the five words that the second question offers. For example:
# `[(0, 1), (0, 2)], "some"`. Predict first; then try it in a cell of your own. The check looks only at the form of your
# answers. You will learn whether they are right when the notebook is graded.

# %% show ask
check.own_code.ask(attend)

# %% solution own_code
def own_code():
    """Return what changes with the number, and what the changed line gives."""
    ### BEGIN SOLUTION
    return [(1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (1, 5)], "error"
    ### END SOLUTION

# %% test own_code 2
check.own_code(own_code, attend)
### BEGIN HIDDEN TESTS
exam.own_code(own_code, attend)
### END HIDDEN TESTS

# %% [markdown]
# ## 4. Everything through one vector (about 30 minutes)
#
# Where do the states of the words come from? From a translator. We first build one without attention, but with all the
# other parts. An **encoder** reads the sentence with two recurrent networks, one from left to right and one from right
# to left. (They are GRUs, whose gates decide at each word how much of the old state to keep; Cho et al. 2014.) When
# they have read word $t$, their states are $\overrightarrow{h}_t$ and $\overleftarrow{h}_t$. Together, these two make
# up the state of that word:
#
# $$h_t = [\,\overrightarrow{h}_t\,;\,\overleftarrow{h}_t\,], \qquad t = 1, \dots, T.$$
#
# A **decoder**, a third GRU, writes the translation word by word. Its state is $s_i$, and all it knows about the French
# sentence is a single vector $c$.

# %% [markdown]
# ### The sentence's vector
#
# Which vector? Each network knows most when it has finished. The forward network finishes at the **last word**, and the
# backward network, which reads from the end, at the **first**:
#
# $$c = [\,\overrightarrow{h}_{T_n}\,;\,\overleftarrow{h}_1\,]$$
#
# Here $T_n$ is the length of sentence $n$ itself, not the length of the rectangle. Beyond the end of the sentence there
# is only padding.

# %% [markdown]
# **Write `summarise(states, mask)`.** `states` is $(N, T, D)$: the first $D/2$ components of each state are the forward
# half $\overrightarrow{h}_t$, the others the backward half $\overleftarrow{h}_t$. `mask` is $(N, T)$, `True` at words.
# Return the vector $c$ of each sentence, $(N, D)$.
#
# What you write should also run on a GPU: create any new tensor on the device of the inputs, with `torch.zeros_like(x)`
# or `device=x.device`. The checks test this on a simulated GPU.

# %% solution summarise
def summarise(states, mask):
    """states (N, T, D), mask (N, T) -> the vector c of each sentence (N, D)."""
    ### BEGIN SOLUTION
    half = states.shape[2] // 2
    last = mask.sum(dim=1) - 1  # (N,): index of each sentence's last word
    rows = torch.arange(len(states))
    forward = states[rows, last, :half]  # (N, D/2)
    backward = states[:, 0, half:]  # (N, D/2)
    return torch.cat([forward, backward], dim=1)
    ### END SOLUTION

# %% test summarise 3
check.summarise(summarise)
### BEGIN HIDDEN TESTS
exam.summarise(summarise)
### END HIDDEN TESTS

# %% [markdown]
# ### The decoder's step
#
# The decoder begins with $s_0 = \tanh(W_0\, c)$ and the word SOS, *start of sentence*. If $e(y)$ is the vector of word
# $y$, one step is
#
# $$s_i = \mathrm{GRU}\big([\,e(y_{i-1})\,;\,c\,],\; s_{i-1}\big), \qquad
# \text{scores of the next word} = W_o\,[\,s_i\,;\,c\,;\,e(y_{i-1})\,].$$
#
# ($W_o$ is in fact a product of two matrices, with an inner dimension of 128.) This decoder is ready-made:
# `seq2seq.PlainDecoder`. Encoder and decoder together form a `Translator`, which has two methods that your functions
# will call:
#
# - `hidden, memory = model.start(source, source_mask)` reads the sentences: `hidden` is $s_0$, and `memory` holds what
#   the decoder is given at every step, here $c$;
# - `logits, hidden, weights = model.step(word, hidden, memory)` takes the previous word, $(N,)$. It returns the scores
#   of the next word, `logits` $(N, V)$, and the new state, `hidden`. `weights` will matter later.

# %% [markdown]
# The picture shows the translator at work. On the left, the encoder reads in both directions, and its two final states
# make up the vector $c$. On the right, the decoder is given two things at each step: the previous word, and $c$, which
# is always the same.

# %% show draw_one_vector
drawings.one_vector()

# %% [markdown]
# ### The loss
#
# Softmax turns the scores into probabilities, and the loss of one word is the cross-entropy
# $-\log p(y_i \mid y_1, \dots, y_{i-1}, \text{French})$. Because the logarithm is the natural one, the unit of the loss
# is the *nat*. The loss of a batch is the mean over all its **words**, in which each word of every sentence has the
# same weight: EOS counts, because a translator must learn to stop, and PAD does not, because there is nothing to learn
# from it.

# %% [markdown]
# **Write `sentence_loss(logits, target)`.** `logits` is $(N, S, V)$, the scores before any softmax; `target` is
# $(N, S)$, with `PAD_token` after each sentence's end. Return the loss of the batch: one number, a tensor through which
# gradients can flow.

# %% solution sentence_loss
def sentence_loss(logits, target):
    """logits (N, S, V), target (N, S) -> the loss of the batch, one number."""
    ### BEGIN SOLUTION
    return F.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=PAD_token)
    ### END SOLUTION

# %% test sentence_loss 3
check.sentence_loss(sentence_loss, nn.Identity())
### BEGIN HIDDEN TESTS
exam.sentence_loss(sentence_loss, nn.Identity())
### END HIDDEN TESTS

# %% [markdown]
# ### Teacher forcing
#
# At step $i$ the decoder is given the previous word. But which word is that? When the decoder writes on its own, it is
# the word that the decoder has just chosen. In training, we can give it the *right* word instead, whatever it chose:
# this is **teacher forcing**. It keeps one early mistake from spoiling the rest. But a pupil who is always corrected
# never learns to recover from a mistake. So one can mix the right words with the decoder's own. A ratio sets the mix:
# it is the probability that a step is given the right word rather than the word that the previous step found most
# likely. (We train with ratio 1. We also tried 0.5, with five seeds: training took as long, and the scores were neither
# better nor worse, so here the ratio does not matter.)

# %% [markdown]
# The picture shows the same four steps twice, and both times the second word comes out wrong. Above, with the teacher,
# the third step is given the right word all the same, and the translation goes on as it should. Below, without the
# teacher, the third step is given the wrong word, which misleads all later steps.

# %% show draw_teacher_forcing
drawings.teacher_forcing()

# %% [markdown]
# **Write `decode_with_teacher(model, source, source_mask, target, ratio)`.** It starts the model and takes $S$ steps,
# the first of which is given SOS. Return the logits of all steps, $(N, S, V)$, so that position $i$ holds the scores
# for word `target[:, i]`.
#
# `ratio` is the probability of teacher forcing: with 1 a step is always given the right word, with 0 never. One coin
# flip per step (`random.random()`) is enough for the whole batch. Do not worry about PAD in `target`: the model uses a
# vector of zeros for it, and the loss leaves those places out.

# %% solution teacher_forcing
def decode_with_teacher(model, source, source_mask, target, ratio):
    """source (N, T), source_mask (N, T), target (N, S), ratio from 0 to 1 -> logits of all steps (N, S, V)."""
    ### BEGIN SOLUTION
    hidden, memory = model.start(source, source_mask)
    word = torch.full_like(target[:, 0], SOS_token)  # (N,)
    steps = []
    for i in range(target.shape[1]):
        logits, hidden, _ = model.step(word, hidden, memory)  # (N, V)
        steps.append(logits)
        forced = random.random() < ratio
        word = target[:, i] if forced else logits.argmax(dim=1)
    return torch.stack(steps, dim=1)  # (N, S, V)
    ### END SOLUTION

# %% test teacher_forcing 5
check.teacher_forcing(decode_with_teacher, StandInTranslator)
### BEGIN HIDDEN TESTS
exam.teacher_forcing(decode_with_teacher, StandInTranslator)
### END HIDDEN TESTS

# %% [markdown]
# The argmax is a whole number, and no gradient passes through it: the model gets its own choice back as a fact, not as
# something to improve.

# %% [markdown]
# ## 5. Train it, and let it write (about 15 minutes)
#
# ### One update
#
# The next cell, which you only have to read and run, is one update of the model: it clears the old gradients, computes
# the loss, propagates it back, and lets the optimiser take its step. (`train()` puts the model into training mode, in
# which dropout is active.) One line is new. The gradients of a recurrent network are products of many factors, and now
# and then they explode. So they are **clipped**: if the norm of all gradients together exceeds `max_norm`, they are
# scaled down to that norm (Pascanu, Mikolov and Bengio 2013).

# %% given training_step
def training_step(model, optimizer, compute_loss, max_norm=1.0):
    """One update of the model's parameters, gradients clipped to the norm max_norm; returns the loss before it."""
    model.train()
    optimizer.zero_grad()
    loss = compute_loss()  # runs the model on a batch
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()

# %% [markdown]
# ### Greedy decoding
#
# At last the model writes on its own: at each step it writes the most likely word, until that word is EOS. In a batch
# the sentences end at different steps, so those that have ended wait for the others.
#
# **Write the three lines in the middle of `greedy_decode`.** The rest is given: it puts the model into evaluation mode
# (no dropout), collects what each step writes, and stops when every sentence has ended. Your lines make one step. After
# them,
#
# - `hidden` is the new state, and `weights` is what the model's step returned with it;
# - `word`, $(N,)$, is what each sentence writes at this step: `PAD_token` if the sentence **had already ended** before
#   it. So EOS itself is still written;
# - `ended`, $(N,)$, is true for each sentence that has written EOS, at this step or before.

# %% solution greedy_decode
@torch.no_grad()
def greedy_decode(model, source, source_mask, max_length=MAX_LENGTH):
    """Greedy decoding: source (N, T), source_mask (N, T) -> words (N, S), weights (N, S, T) or None."""
    model.eval()
    hidden, memory = model.start(source, source_mask)
    word = torch.full_like(source[:, 0], SOS_token)  # (N,)
    ended = torch.zeros_like(word, dtype=torch.bool)  # (N,)
    words, looks = [], []
    for _ in range(max_length):
        ### BEGIN SOLUTION
        logits, hidden, weights = model.step(word, hidden, memory)
        word = logits.argmax(dim=1).masked_fill(ended, PAD_token)
        ended = ended | (word == EOS_token)
        ### END SOLUTION
        words.append(word)
        looks.append(weights)  # (N, T), or None where the model returns none
        if ended.all():
            break
    return torch.stack(words, dim=1), None if looks[0] is None else torch.stack(looks, dim=1)

# %% test greedy_decode 3
check.greedy_decode(greedy_decode, StandInTranslator)
### BEGIN HIDDEN TESTS
exam.greedy_decode(greedy_decode, StandInTranslator)
### END HIDDEN TESTS

# %% [markdown]
# ### Train it
#
# Now you have all the parts. `train` takes your functions, shuffles the pairs, puts sentences of similar length
# together in a batch, and lets Adam do the rest. Training takes about a minute.
#
# **Guess first.** Out of a hundred held-out sentences, how many will be right word for word? Make three guesses: for
# sentences of up to eight words, of nine to fourteen words, and of fifteen or more.

# %%
guesses["4 to 8 words"] = ...  # right word for word, in per cent
guesses["9 to 14 words"] = ...
guesses["15 words and more"] = ...

# %% show train_plain
torch.manual_seed(0)
random.seed(0)
EMBED, HIDDEN, STATE = 64, 128, 128  # widths: enough for this vocabulary, small enough for a laptop
EPOCHS = 8 if corpus_file() is None else 4  # the real sentences have seven times as many words
training_data = pad_pairs(training_pairs, french, english)
unseen = pad_pairs(held_out_pairs, french, english)
plain = seq2seq.Translator(
    seq2seq.Encoder(french.n_words, EMBED, STATE),
    seq2seq.PlainDecoder(english.n_words, EMBED, HIDDEN, STATE),
    summarise,
)
functions = {"decode": decode_with_teacher, "loss": sentence_loss, "step": training_step}
plain_losses = train(plain, training_data, unseen=unseen, epochs=EPOCHS, **functions)

# %% [markdown]
# ### Judge it
#
# **BLEU** counts, over the whole set, how many of the words, pairs, triples and quadruples of words in the translations
# also occur in the references, and it takes points off if the translations are too short (Papineni et al. 2002). A
# score of 100 means that every translation is identical to its reference (the last lesson used a scale from 0 to 1).
# But how good is 60? The next cell prints BLEU, a few translations, and then the share of sentences that are right word
# for word, by length. We judge the translator on the held-out pairs, whose combinations it has never seen. (With the
# sentences of Tatoeba, which people wrote, one pair in twenty is held out, and the numbers are lower: BLEU was 28 in
# our only run.)

# %% show judge_plain
sources = [source for source, _ in held_out_pairs]
references = [target for _, target in held_out_pairs]
plain_translations = translate(plain, sources, french, english, greedy_decode)
say("BLEU without attention: {bleu:.1f}", bleu=bleu(plain_translations, references))
for i in random.Random(2).sample(range(len(sources)), 6):
    print(f"\n    {sources[i]}\n    {plain_translations[i]}")
    say("    {sentence}  (reference)", sentence=references[i])
print()
shares = right_by_length(sources, plain_translations, references)
rows = [(name, str(number), f"{share:.0%}") for name, number, share in shares]
print_table(rows, heads=("length", "sentences", "right word for word"), guesses=guesses)
verdict(guesses, {name: 100 * share for name, _, share in shares}, points=True)

# %% [markdown]
# Would you call a translator with your BLEU score a good one? Compare the score with the last row of the table: how
# many long sentences are right word for word? The next figure shows BLEU against the length of the French sentence, for
# the held-out sentences and for a thousand of the sentences that the network was trained on. How much of the BLEU that
# the network reaches at five words is left at twenty-seven? Cho et al. (2014) found such a fall, too, with millions of
# sentences and a vector of a thousand components. (What this lesson says about lengths was measured with our own pairs.
# Tatoeba has few long sentences, so its curve is noisy at the right-hand end.)

# %% show plain_by_length
plain_curve = bleu_by_length(sources, plain_translations, references)
seen = random.Random(0).sample(training_pairs, 1_000)
seen_sources, seen_references = zip(*seen, strict=True)
seen_curve = bleu_by_length(
    seen_sources, translate(plain, seen_sources, french, english, greedy_decode), seen_references
)
plots.quality_by_length({"one vector": plain_curve}, training={"one vector": seen_curve})

# %% [markdown]
# The vector $c$ has $D$ components, however long the sentence is, and everything that the decoder learns about the
# French sentence has to pass through it: the vector is a **bottleneck**. But does the bottleneck explain the whole
# drop? Compare the two lines at about eleven words and at about twenty. At which length does the network fail even on
# sentences that it has seen again and again, and at which only on new ones? You will need the answer for question 2. No
# human translator, by the way, squeezes a whole sentence into one vector. People read a little, write a little, and
# look back.

# %% [markdown]
# ## 6. Looking back: a similarity that is learned (about 15 minutes)
#
# So let the decoder look back. Before it writes word $i$, it compares its state $s_{i-1}$, the query, with every state
# $h_t$ of the encoder. Each comparison gives a score; the decoder turns the scores into weights, and takes the weighted
# mean of the states:
#
# $$e_{it} = \mathrm{score}(s_{i-1}, h_t), \qquad
# \alpha_{it} = \frac{e^{e_{it}}}{\sum_{t'} e^{e_{it'}}}, \qquad c_i = \sum_{t} \alpha_{it}\, h_t .$$
#
# The second and third formulas are your `attend`, now applied once for each word that is written. As in section 1,
# there is a query, and there are keys and values: the query is $s_{i-1}$, the keys are the $h_t$, and here the values
# are the $h_t$ too. The vector $c$ has become $c_i$, a new vector at each step, which only has to hold what word $i$
# needs. All that is left to choose is the score.

# %% [markdown]
# The picture shows the moment when *red* is written. The previous state asks, and the state of each French word gets a
# weight. The larger the weight, the thicker the line from the state to the sum; the thickest line comes from *rouge*.
# The sum is the context, which goes into the next state.

# %% show draw_attention
drawings.with_attention()

# %% [markdown]
# ### The concat form
#
# For a dot product $s \cdot h$, both vectors would need the same width, and would have to speak the same language. A
# matrix between them solves both problems: $s^\top W h$ is the *general* score of Luong, Pham and Manning (2015), and
# with $W = W_q^\top W_k$ it is the $Q K^\top$ of the other lessons. Earlier, Bahdanau, Cho and Bengio had left the
# judging to a small network with one hidden layer. Its input is the two vectors joined end to end:
#
# $$\mathrm{score}(s, h) = v \cdot \tanh\!\big(W\,[\,s\,;\,h\,]\big),$$
#
# with a matrix $W$ of shape $(R, G + D)$ and a vector $v$ of $R$ components, both learned. This is the **concat form**.

# %% [markdown]
# **Write `concat_score(query, states, W, v)`.** `query` is $(N, G)$, `states` $(N, T, D)$, `W` $(R, G + D)$, `v`
# $(R,)$. The result is $(N, T)$: each query against all states of its sentence. (The query has no axis of length $T$;
# `unsqueeze` and `expand` give it one.)

# %% solution concat_score
def concat_score(query, states, W, v):
    """query (N, G), states (N, T, D), W (R, G + D), v (R,) -> scores (N, T)."""
    ### BEGIN SOLUTION
    T = states.shape[1]
    repeated = query.unsqueeze(1).expand(-1, T, -1)  # (N, T, G)
    both = torch.cat([repeated, states], dim=2)  # (N, T, G + D)
    return torch.tanh(both @ W.T) @ v
    ### END SOLUTION

# %% test concat_score 3
check.concat_score(concat_score, nn.Identity())
### BEGIN HIDDEN TESTS
exam.concat_score(concat_score, nn.Identity())
### END HIDDEN TESTS

# %% [markdown]
# ## 7. Cut W in two (about 20 minutes)
#
# Follow one row of $W$ through the product $W\,[\,s\,;\,h\,]$: some of its numbers meet numbers of $s$, and the others
# meet numbers of $h$. If you add up the two groups separately, in every row, one product becomes two:
#
# $$W\,[\,s\,;\,h\,] = W_s\, s + W_h\, h .$$

# %% [markdown]
# The picture shows the cut. On the left are the matrix $W$, with one of its rows outlined, and the two vectors, one
# above the other. On the right are two smaller products, which are added. Only the first of these has to wait for the
# decoder.

# %% show draw_cut
drawings.cut()

# %% [markdown]
# **Write `cut(W, G)`.** `W` is $(R, G + D)$, and `G` is a whole number, the number of components of $s$. Return $W_s$,
# $(R, G)$, and $W_h$, $(R, D)$, in this order, so that the equation holds for every $s$ and every $h$. Gradients must
# flow back to `W` through both.

# %% solution cut
def cut(W, G):
    """W (R, G + D), G -> W_s (R, G), W_h (R, D)."""
    ### BEGIN SOLUTION
    W_s = W[:, :G]
    W_h = W[:, G:]
    return W_s, W_h
    ### END SOLUTION

# %% test cut 3
check.cut(cut, nn.Identity())
### BEGIN HIDDEN TESTS
exam.cut(cut, nn.Identity())
### END HIDDEN TESTS

# %% [markdown]
# ### The additive form
#
# With the two parts the score becomes
#
# $$\mathrm{score}(s, h_t) = v \cdot \tanh(W_s\,s + W_h\,h_t).$$
#
# This form saves nearly all the work: $W_h h_t$ does not depend on the decoder, so it is computed **once** for each
# French word, rather than once for each pair of a French and an English word. From now on, the *keys* are the vectors
# $W_h h_t$, no longer the $h_t$ themselves.

# %% [markdown]
# **Write `score(self, query, keys)`** in the class below, and **give the class its vector `v`.** The two matrices are
# already there: the linear layer `self.query_layer` multiplies by $W_s$, so `self.query_layer(query)` is $W_s s$, and
# `self.key_layer` multiplies by $W_h$. The argument `keys` holds the $W_h h_t$, $(N, T, R)$, ready for use.
#
# - `self.v` is an `nn.Parameter` of shape $(R,)$ with $R$ = `score_dim`, filled with small random numbers: uniform
#   between $-1/\sqrt{R}$ and $1/\sqrt{R}$, for example. (`torch.empty` alone gives you whatever was in memory.)
# - `score` takes the query $(N, G)$ and the keys $(N, T, R)$ and returns the scores $(N, T)$.

# %% solution additive_attention
class AdditiveAttention(seq2seq.AdditiveAttention):
    """The additive form: self.query_layer multiplies by W_s, self.key_layer by W_h."""

    def __init__(self, query_dim, state_dim, score_dim):
        super().__init__(query_dim, state_dim, score_dim)
        ### BEGIN SOLUTION
        bound = 1 / math.sqrt(score_dim)
        self.v = nn.Parameter(torch.empty(score_dim).uniform_(-bound, bound))
        ### END SOLUTION

    def score(self, query, keys):
        """query (N, G), keys (N, T, R) -> scores (N, T)."""
        ### BEGIN SOLUTION
        compared = torch.tanh(self.query_layer(query).unsqueeze(1) + keys)  # (N, 1, R) + (N, T, R)
        return compared @ self.v
        ### END SOLUTION

    def forward(self, query, states, keys, mask):
        """query (N, G), states (N, T, D), keys (N, T, R), mask (N, T) -> context (N, D), weights (N, T)."""
        return attend(self.score(query, keys), states, mask)

# %% test additive_attention 6
check.additive_attention(AdditiveAttention)
### BEGIN HIDDEN TESTS
exam.additive_attention(AdditiveAttention)
### END HIDDEN TESTS

# %% [markdown]
# Do the two forms give the same scores? Test it with your own `concat_score`, `cut` and `score`. The next cell draws a
# random matrix $W$ for the concat form, puts the two parts that your `cut` makes of it into the additive layer, and
# compares the scores. Any difference that is left is rounding.

# %% show both_forms
with torch.no_grad():
    attention = AdditiveAttention(query_dim=5, state_dim=7, score_dim=11)
    query, states, W = torch.randn(2, 5), torch.randn(2, 3, 7), torch.randn(11, 5 + 7)
    W_s, W_h = cut(W, 5)
    attention.query_layer.weight.copy_(W_s)
    attention.key_layer.weight.copy_(W_h)
    one = concat_score(query, states, W, attention.v)
    other = attention.score(query, attention.keys(states))
    say("largest difference: {difference:.1e}", difference=(one - other).abs().max())

# %% [markdown]
# ## 8. The decoder that looks back (about 20 minutes)
#
# Only one thing changes in the decoder's step: $c$ becomes $c_i$, which is computed **first**, from the state *before*
# the step:
#
# $$c_i, \alpha_i = \mathrm{attention}(s_{i-1}), \qquad
# s_i = \mathrm{GRU}\big([\,e(y_{i-1})\,;\,c_i\,],\; s_{i-1}\big), \qquad
# \text{scores} = W_o\,[\,s_i\,;\,c_i\,;\,e(y_{i-1})\,].$$

# %% [markdown]
# The picture is the plan of your next function, with all the shapes, from the query at the top to the scores of the
# next word at the bottom.

# %% show draw_step
drawings.decoder_step()

# %% [markdown]
# Luong, Pham and Manning (2015) reverse the order: first the GRU, then the attention with the new state. Both orders
# work; we use Bahdanau's.

# %% [markdown]
# **Write `step(self, word, hidden, memory)`.** `word` is $(N,)$, the number of the previous word in each sentence;
# `hidden` is the previous state $s_{i-1}$, $(N, G)$. Return the scores $(N, V)$, the new state $(N, G)$ and the weights
# $(N, T)$. No softmax on the scores: the loss has its own. The layers are ready for use:
#
# - `self.embedding` looks up the vectors of words, and `self.dropout` is applied to these: $e(y_{i-1})$, $(N, E)$;
# - `self.attention(hidden, *memory)` returns a context $(N, D)$ and weights $(N, T)$ for the state it is given
#   (`memory` holds the states of the French words, the keys and the mask);
# - `self.cell` is the GRU, called with its input and the state, and `self.output` is $W_o$. Concatenate in the order of
#   the formulas.

# %% solution decoder_step
class AttentionDecoder(seq2seq.AttentionDecoder):
    """One word of the translation, with a context of its own."""

    def step(self, word, hidden, memory):
        """word (N,), hidden (N, G) -> logits (N, V), hidden (N, G), weights (N, T)."""
        ### BEGIN SOLUTION
        embedded = self.dropout(self.embedding(word))  # (N, E)
        context, weights = self.attention(hidden, *memory)  # (N, D), (N, T)
        hidden = self.cell(torch.cat([embedded, context], dim=1), hidden)  # (N, G)
        logits = self.output(torch.cat([hidden, context, embedded], dim=1))  # (N, V)
        return logits, hidden, weights
        ### END SOLUTION

# %% test decoder_step 7
check.decoder_step(AttentionDecoder, StandInAttention)
### BEGIN HIDDEN TESTS
exam.decoder_step(AttentionDecoder, StandInAttention)
### END HIDDEN TESTS

# %% [markdown]
# Train this translator as before, with the same encoder, the same widths, the same number of epochs and the same
# functions. This takes another minute. You know the BLEU of the translator with one vector: what will this one reach?

# %%
guesses["attention"] = ...  # BLEU of the held-out sentences

# %% show train_attention
torch.manual_seed(0)
random.seed(0)
translator = seq2seq.Translator(
    seq2seq.Encoder(french.n_words, EMBED, STATE),
    AttentionDecoder(english.n_words, EMBED, HIDDEN, STATE, AdditiveAttention(HIDDEN, STATE, score_dim=64)),
    summarise,
)
attention_losses = train(translator, training_data, unseen=unseen, epochs=EPOCHS, **functions)

# %% [markdown]
# The next figure shows the losses of both translators on a logarithmic scale: solid lines for the pairs they learn
# from, dashed lines for held-out pairs. Which translator ends lower, on both its lines? And where do the curves of the
# two part ways?

# %% show draw_losses
plots.loss_curves({"one vector": plain_losses, "attention": attention_losses})

# %% [markdown]
# And how do the two translate the held-out sentences? The next figure shows BLEU against length again, now for both
# translators. Read the values of both lines at five words and at twenty-seven.

# %% show compare_by_length
translations = translate(translator, sources, french, english, greedy_decode)
both = {"one vector": plain_translations, "attention": translations}
rows = [(name, f"{bleu(written, references):.1f}") for name, written in both.items()]
print_table(rows, heads=("model", "BLEU"), guesses=guesses)
verdict(guesses, {"attention": bleu(translations, references)}, points=True)
plots.quality_by_length(
    {"one vector": plain_curve, "attention": bleu_by_length(sources, translations, references)},
)

# %% [markdown]
# ## 9. Where it looks (about 25 minutes)
#
# ### Alignment maps
#
# The weights are there to be looked at. Each of the next three maps has a column for each French word and a row for
# each English word. A row is bright where the decoder looked when it wrote that English word. Mostly the bright squares
# run down a diagonal. At *la voiture blanche* (word by word: the car white) they cross: the adjective comes after its
# noun in French and before it in English. At *une robe rouge* (a dress red) they crossed in four of our five runs. In
# the third sentence the object, *te* (you), comes before its verb; whether the squares cross there depends on the run.
# (If you use the sentences of Tatoeba, one of our three sentences may contain a word that Tatoeba lacks. That sentence
# is then replaced by another; look for a crossing in the new one.)

# %% show draw_maps
sentences = ["elle porte une robe rouge .", "ils vont reparer la voiture blanche .", "il te cherche ."]
known = [sentence for sentence in sentences if all(word in french.word2index for word in sentence.split(" "))]
sentences = (known + random.Random(1).sample(sources, 3))[:3]  # the real sentences may lack some of these words
plots.alignment_maps(translator, sentences, french, english, greedy_decode)

# %% [markdown]
# Eyes are easily deceived, so turn the map into words. **Write `alignment(weights, read, written)`.** `weights` is
# $(S, T)$, one row per word written; `read` is the list of the $T$ French words, and `written` is the list of the $S$
# English ones. Return a list of $S$ pairs: each English word, and the French word to which it gives the most weight. It
# is easy to read the map along the wrong axis; the result would then say, for each French word, which English word
# looked at it most.

# %% solution alignment
def alignment(weights, read, written):
    """weights (S, T), T words read, S words written -> a list of S pairs of words."""
    ### BEGIN SOLUTION
    looked_at = weights.argmax(dim=1).tolist()  # S indices of words read
    return [(word, read[t]) for word, t in zip(written, looked_at, strict=True)]
    ### END SOLUTION

# %% test alignment 2
check.alignment(alignment)
### BEGIN HIDDEN TESTS
exam.alignment(alignment)
### END HIDDEN TESTS

# %% show put_into_words
for sentence in sentences:
    batch = pad_pairs([(sentence, training_pairs[0][1])], french, english)
    words, weights = greedy_decode(translator, batch.source, batch.source_mask, 40)
    written = [english.index2word[i] for i in words[0].tolist()]
    for word, looked_at in alignment(weights[0], [*sentence.split(" "), "EOS"], written):
        print(f"{word:>10} ← {looked_at}")
    print()

# %% [markdown]
# Nobody told the network which word belongs to which. It was only told what to write, and it found out for itself where
# to look.
#
# Don't read too much into single squares, though. A state $h_t$ is computed by recurrent networks, so it knows
# something of the neighbouring words as well. The decoder may therefore get what it needs from a neighbour, and at the
# full stop it may look anywhere. Look at the row of *she*, for example.

# %% [markdown]
# ### Explore (optional)
#
# Write a sentence of your own, and it is translated as you type. Point at a word of the translation to see where the
# decoder looked; replace the word with another and see what follows; sharpen or flatten the weights with the
# temperature, or switch on one of the mistakes that the checks look for. (Every word must be in the corpus; if one
# isn't, similar words are offered. Accents do not matter. The page opens with *elle porte une robe rouge .* and points
# at *red*, the fifth word of the translation; in four of our five runs the decoder looked at *rouge* when it wrote
# *red*. If the page cannot be shown, you get a figure of two sentences instead.) `mine.save("mine.html")` saves the
# page as a file.
#
# Your translator knows its corpus, not French. In our corpus, *belle* (beautiful) always comes before a noun, so try
# *elle est belle .*: one translator that we trained wrote *she s a beautiful beautiful .*, another one *she s alone .*
# What does your translator write?

# %% show explore
mine = explorer.explore(translator, sentences, french, english, greedy_decode)
mine

# %%
# Your own trials: choose your sentences from the words that the model knows, written without accents.
# mine = "nous n achetons pas cette vieille maison ."
# plots.alignment_maps(translator, [mine], french, english, greedy_decode)

# %% [markdown]
# ### Does it look?
#
# The decoder with attention is given every state instead of two half-states. Could that be enough, without any looking?
# To find out, we need a control: a translator in which only `score` is replaced, by a function that gives every word
# the same score. All its weights are then equal (**uniform weights**), and each context is the plain mean of all
# states. The next cell trains this translator in the same way as the others, which takes a minute. What BLEU will it
# reach, compared with the two that you know?
#
# A second control uses the **scaled dot product** of the last lesson, $(W_s s) \cdot (W_h h_t) / \sqrt R$, without
# $\tanh$ and $v$. To train it as well, set `OPTIONAL = True`.

# %%
guesses["uniform"] = ...  # BLEU of the held-out sentences
OPTIONAL = False  # True trains the other control, too: a minute more

# %% show controls
class UniformAttention(AdditiveAttention):
    """All words have the same score: the context is the mean of the states."""

    def score(self, query, keys):
        return torch.zeros_like(keys[:, :, 0])  # (N, T)


class ScaledDotProduct(AdditiveAttention):
    """score(s, h_t) = (W_s s) · (W_h h_t) / √R."""

    def score(self, query, keys):
        return (keys @ self.query_layer(query).unsqueeze(2)).squeeze(2) / math.sqrt(keys.shape[2])  # (N, T)


CONTROLS = {"uniform": UniformAttention}
if wanted(OPTIONAL):
    CONTROLS["dot product"] = ScaledDotProduct
curves = {"one vector": plain_curve, "additive": bleu_by_length(sources, translations, references)}
scores = {}
for name, attention_class in CONTROLS.items():
    torch.manual_seed(0)
    random.seed(0)
    control = seq2seq.Translator(
        seq2seq.Encoder(french.n_words, EMBED, STATE),
        AttentionDecoder(english.n_words, EMBED, HIDDEN, STATE, attention_class(HIDDEN, STATE, score_dim=64)),
        summarise,
    )
    train(control, training_data, epochs=EPOCHS, **functions)
    written = translate(control, sources, french, english, greedy_decode)
    scores[name], curves[name] = bleu(written, references), bleu_by_length(sources, written, references)
rows = [(name, *(f"{score:.0f}" for _, score in curve)) for name, curve in curves.items()]
print_table(rows, heads=("BLEU by length", *(f"{length:.0f}" for length, _ in plain_curve)))
verdict(guesses, scores, points=True)

# %% [markdown]
# Look at the table: which of the first two rows does the row with uniform weights resemble? Then say why attention
# helps here: is it because the decoder *has* all states, or because it *chooses* among them? (You will find the results
# of both controls, for five seeds each, in `benchmarks/seq2seq.md` in the workbook's repository.)

# %% [markdown]
# ### A beam
#
# Greedy decoding never takes a word back. A **beam** keeps the best few beginnings at each step (here four), continues
# all of them, and keeps the best few again. In the end it chooses the translation with the best mean log-probability
# per word. A beam of four costs four times as much as greedy decoding. How much is it worth?

# %% show try_beam
with_beam = translate(translator, sources, french, english, beam_decode)
say("BLEU, greedy: {bleu:.1f}", bleu=bleu(translations, references))
say("BLEU, beam of 4: {bleu:.1f}", bleu=bleu(with_beam, references))
differing = [i for i in range(len(sources)) if with_beam[i] != translations[i]]
say("translations that differ: {count} of {total}", count=len(differing), total=len(sources))
for i in differing[:2]:
    print(f"\n    {sources[i]}")
    say("    {sentence}  (greedy)", sentence=translations[i])
    say("    {sentence}  (beam)", sentence=with_beam[i])
    say("    {sentence}  (reference)", sentence=references[i])

# %% [markdown]
# If a model is nearly always sure of its next word, a beam can change little. How many of your translations differ? A
# beam is worth its price when several continuations are about equally likely, as with the real sentences of Tatoeba, or
# in large systems.

# %% [markdown]
# ## 10. Think it over (about 20 minutes)
#
# A person will read your answers to the next questions. A few sentences are enough for each.

# %% essay crossing 3 [markdown]
# **1. Crossing lines.** Find a crossing of bright squares in a map of your own, for a sentence other than *elle porte
# une robe rouge .*, made up of words that the model knows. (a) Write down the sentence, and say at which rows and
# columns the squares cross, and why. (b) Describe in words what you expect the map to show for *c est un bon medecin*
# (*bon* is *good*, *medecin* is *doctor*) → *he s a good doctor*, and why. (c) English *don't* and *aren't* become two
# words here (`aren t`), and French puts *ne … pas* around the verb: *ils ne sont pas* is *they are not*. Where would
# you expect the decoder to look when it writes `aren` and `t`?
#
# ### BEGIN SOLUTION
# *Model answer.* (a) For instance *il achete une voiture rouge .*: the adjective follows the noun in French and
# precedes it in English, so the row *red* is bright at *rouge*, and the row *car*, which comes next, is bright at
# *voiture*, further left. (b) *bon* precedes its noun in both languages, so the squares of *good* and *doctor* are on a
# diagonal, and nothing crosses. (c) At the negation, *n* or *pas* or both, for either word: one French expression of
# two words is translated by two English words, which cannot be paired one to one. (Answers that point out that
# neighbouring states carry the same information are right as well.)
#
# *Figures.* `draw_maps`, `put_into_words`. Compare with the student's own maps.
#
# *Points.*
#
# - `crossing` 1: a sentence of one's own, with the rows and columns at which the two orders differ. *Words:* adjective,
#   noun, row, column, before, after, order.
# - `diagonal` 1: *bon* precedes its noun in both languages, so that nothing crosses. *Words:* diagonal, same order,
#   bon, medecin, cross.
# - `negation` 1: at the negation, *n* or *pas* or both, for either word. *Words:* pas, negation, ne, both.
# ### END SOLUTION

# %% essay bottleneck 3 [markdown]
# **2. The bottleneck.** (a) In your own figure in section 5, read off BLEU at about 11 and at about 20 words, for
# training sentences and for held-out ones. What fails at the first length, what fails at the second, and why does
# attention, with the same encoder, help with both? (b) What would happen to the lines of the two translators, in the
# last figure of section 8, if $D$ were doubled? (c) A sentence and its translation have 30 words each; $R = 64$ and
# $G = D = 128$. How many multiplications do the products with $W$ cost in the concat form? How many do the products
# with $W_s$ and $W_h$ cost in the additive form? And which part of the work has to be done $S \cdot T$ times in both
# forms?
#
# ### BEGIN SOLUTION
# *Model answer.* (a) At 11 words, training sentences still reach about 95, held-out ones only 65 to 70: the vector is
# wide enough, but the decoder has learned whole sentences, not how to put new combinations together. At 20 words, even
# training sentences are below 60: everything that the decoder learns about a sentence passes through one vector of
# fixed size, and that leaves too little for each word. With attention, each step takes a new mean of the $T$ states.
# What is available therefore grows with $T$, and a word is translated from its own place, whatever is around it. (b)
# The line of the single vector falls later but still falls; the line of attention changes little. (c) Concat:
# $S T R (G + D) = 30 \cdot 30 \cdot 64 \cdot 256 \approx 14.7$ million. Additive:
# $S R G + T R D = 2 \cdot 30 \cdot 64 \cdot 128 \approx 0.49$ million, a thirtieth. In both forms, a tanh of $R$
# numbers and a product with $v$ are computed $S \cdot T$ times, and there are as many scores and weights to keep.
#
# *Figures.* `plain_by_length`. Compare with the student's own lines.
#
# *Points.*
#
# - `fixed_size` 1: the numbers read off show what fails: at 11 words new combinations, at 20 the vector of fixed size.
#   *Words:* fixed, one vector, combination, new, training, size.
# - `doubling` 1: the line of the single vector falls later but still falls; the line of attention changes little, since
#   attention takes a new mean of all states at each step. *Words:* later, still, hardly, little, double, longer, each
#   step, all states.
# - `cost` 1: about 14.7 million against 0.49 million, because each word's product is computed once; $S \cdot T$ tanh
#   and scores remain. *Words:* 14.7, 0.49, 30 times, once, ST, S·T.
# ### END SOLUTION

# %% essay by_hand 2 [markdown]
# **3. By hand.** A sentence has two words and one place of padding. Their states are $h_1 = (1, 0)$, $h_2 = (0, 2)$,
# $h_3 = (9, 9)$, and the scores are $(\ln 3,\ 0,\ 5)$. (a) Compute the weights and the context. (b) A friend applies
# softmax to all three scores and only then sets the third weight to zero. What do the three weights then sum to,
# roughly, and what is lost?
#
# ### BEGIN SOLUTION
# *Model answer.* (a) $e^{\ln 3} = 3$, $e^0 = 1$, so the weights are $(3/4, 1/4, 0)$ and the context is
# $3/4\,(1, 0) + 1/4\,(0, 2) = (0.75, 0.5)$. (b) $4 / (4 + e^5) \approx 0.03$. The context shrinks to almost nothing,
# and by an amount that depends on the scores that happen to be at the padding. (Dividing by the sum again would put it
# right.)
#
# *Points.*
#
# - `context` 1: the weights $(3/4, 1/4, 0)$ and the context $(0.75, 0.5)$. *Words:* 3/4, 0.75, 0,75, 1/4, 0.25, 0.5.
# - `masked_after` 1: the weights sum to about 0.03, and the context shrinks to almost nothing. *Words:* 0.03, 0,03, 3
#   %, 0.026, 0.027, small, shrink, almost, nothing, padding.
# ### END SOLUTION

# %% [markdown]
# ## What you have learned
#
# - A dot product measures agreement *and* length, a cosine measures agreement alone. What is compared depends on the
#   axis that is summed away.
# - Softmax turns scores into weights; a place gets a weight of exactly zero if its score is $-\infty$ before the
#   softmax.
# - One vector is too narrow for a long sentence, and makes new combinations hard even in much shorter ones. Attention
#   gives every step its own context, and quality then falls far less with length.
# - Additive attention is a small network, $v \cdot \tanh(W_s s + W_h h)$; the concat form gives the same scores for
#   many times the work.
# - The weights form an alignment that nobody taught.

# %% [markdown]
# The last picture puts all the parts together, at the moment when *red* is written. Each French word has a column, from
# its state down to its weight. On the right is the decoder's step, and at the bottom is the map, to which each step
# adds a row. The names in grey are those in your own code.

# %% show draw_summary
drawings.summary()

# %% [markdown]
# **Further reading.** Bahdanau, Cho and Bengio, [Neural Machine Translation by Jointly Learning to Align and
# Translate](https://arxiv.org/abs/1409.0473) (2015). Cho et al., [On the Properties of Neural Machine
# Translation](https://arxiv.org/abs/1409.1259) (2014), on the fall with length. Luong, Pham and Manning, [Effective
# Approaches to Attention-based Neural Machine Translation](https://arxiv.org/abs/1508.04025) (2015). Jain and Wallace,
# [Attention is not Explanation](https://arxiv.org/abs/1902.10186) (2019), and Wiegreffe and Pinter, [Attention is not
# not Explanation](https://arxiv.org/abs/1908.04626) (2019), on what maps can tell. The real sentences: Tatoeba
# contributors, as selected by [manythings.org](https://www.manythings.org/anki), CC BY 2.0 FR.

# %%
# Your own trials: a wider state, fewer epochs, a teacher forcing of 0.5, English to French.
