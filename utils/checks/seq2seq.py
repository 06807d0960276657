"""Public checks of the lesson `seq2seq`: what students see while they work. No solution inside."""

import torch

from utils.checks.check import Check
from utils.checks.probe import NothingReturned
from utils.translation.vocabulary import EOS_token, PAD_token, SOS_token

# ---- what several questions need ----------------------------------------------------------------------


def lengths(probe, longest):
    """Lengths of N sentences, between 2 and `longest`; the first fills its row, the others do not."""
    rest = probe.integers(2, longest, probe["N"] - 1)
    return torch.cat([torch.tensor([longest]), rest])


def mask_of(lengths, longest):
    """(N,) -> bool (N, T), True at words."""
    return torch.arange(longest) < lengths.unsqueeze(1)


def padded(words, mask):
    """The words with PAD_token wherever the mask is False."""
    return words.masked_fill(~mask, PAD_token)


def ended(words, lengths):
    """The words (N, S) with EOS as the last of each sentence and PAD after it."""
    longest = words.shape[1]
    words = words.scatter(1, (lengths - 1).unsqueeze(1), EOS_token)
    return padded(words, mask_of(lengths, longest))


def or_nothing(probe, result):
    """The value, or that there is none: a gradient that did not arrive is an answer, too."""
    try:
        return probe.value(result)
    except NothingReturned:
        return "nothing"


# ---- similarity ---------------------------------------------------------------------------------------

dot_similarity = Check(
    "dot_similarity",
    title="Dot product of all pairs",
    sizes={"N": 5, "M": 3, "D": 7},
    hints=(
        "One matrix product computes all pairs at once: which of the two must be transposed?",
        "(N, D) times (D, M) is (N, M).",
        "`b.T` is (D, M), and `@` is the matrix product.",
    ),
)


@dot_similarity.test("the dot product of every row of a with every row of b")
def dots(probe, dot_similarity):
    N, M, D = probe["N M D"]
    return dot_similarity(probe.normal(N, D), probe.normal(M, D))


cosine_similarity = Check(
    "cosine_similarity",
    title="Cosine of all pairs",
    sizes={"N": 5, "M": 3, "D": 7},
    hints=(
        "Divide the dot products by the lengths of both rows, or give every row length 1 first.",
        "The length of a row is the root of the sum of its squares over the D components: one length for each row.",
        "`norm(dim=1, keepdim=True)` is (N, 1), which divides (N, D) row by row.",
    ),
)


@cosine_similarity.test("the cosine of every row of a with every row of b")
def cosines(probe, cosine_similarity):
    N, M, D = probe["N M D"]
    return cosine_similarity(probe.normal(N, D), probe.normal(M, D))


@cosine_similarity.test("a row that is five times as long has the same cosines")
def no_lengths(probe, cosine_similarity):
    N, M, D = probe["N M D"]
    a, b = probe.normal(N, D), probe.normal(M, D)
    return cosine_similarity(5 * a, b / 3)


tastes = Check(
    "tastes",
    title="People and films",
    sizes={"N": 5, "M": 3},
    hints=(
        "`similarity` compares rows. What are the rows of `ratings`, and of which table are films the rows?",
        "Compare the people with the people first; then the films with the films, in the transposed table.",
        "Two calls of `similarity`, the second with `ratings.T` twice.",
    ),
)


@tastes.test("people with people, then films with films")
def both_tables(probe, tastes, similarity):
    N, M = probe["N M"]
    return tastes(probe.normal(N, M), similarity)


# ---- everything through one vector --------------------------------------------------------------------

summarise = Check(
    "summarise",
    title="The sentence's vector",
    sizes={"N": 3, "T": 7, "K": 10, "K/2": 5},
    hints=(
        "The last word of sentence n is not at T - 1 but where its mask has the last True.",
        "The number of words of each sentence is `mask.sum(dim=1)`. The forward half is taken at the last word, the "
        "backward half at the first.",
        "Indexing with two vectors, `states[rows, last]`, takes one state of each sentence.",
    ),
)


def sentence_states(probe):
    """States with rubbish at the padding, and the mask."""
    N, T, K = probe["N T K"]
    return probe.normal(N, T, K), mask_of(lengths(probe, T), T)


@summarise.test("forward half at the last word, backward half at the first")
def vector(probe, summarise):
    return summarise(*sentence_states(probe))


@summarise.test("a batch of one sentence")
def one_sentence(probe, summarise):
    states, mask = sentence_states(probe)
    return summarise(states[1:2], mask[1:2])


sentence_loss = Check(
    "sentence_loss",
    title="The loss without padding",
    sizes={"N": 3, "S": 5, "V": 11},
    hints=(
        "Which places of `target` are words, and how many are there in the whole batch?",
        "`F.cross_entropy` expects (places, V) and (places,), and can leave out the places with a given target.",
        "Flatten the first two axes of the logits, flatten the target, and use `ignore_index`.",
    ),
)


def scored_sentences(probe):
    """Logits (N, S, V) and targets (N, S) that begin with a word, end with EOS, and are padded."""
    N, S, V = probe["N S V"]
    words = probe.integers(2, V, N, S)
    return probe.normal(N, S, V) * 2, ended(words, lengths(probe, S))


@sentence_loss.test("the mean cross-entropy of the words, EOS counted, PAD not")
def mean(probe, sentence_loss):
    return sentence_loss(*scored_sentences(probe))


@sentence_loss.test("more padding does not change it")
def more_padding(probe, sentence_loss):
    N, V = probe["N V"]
    logits, target = scored_sentences(probe)
    logits = torch.cat([logits, 9 * probe.normal(N, 4, V)], dim=1)
    return sentence_loss(logits, torch.cat([target, torch.full((N, 4), PAD_token)], dim=1))


@sentence_loss.test("SOS is a word like any other")
def sos_counts(probe, sentence_loss):
    N, S, V = probe["N S V"]
    logits = 2 * probe.normal(N, S, V)
    target = ended(probe.integers(0, V, N, S), torch.tensor([S, S - 1, S - 2]))
    target[:, 0] = 0
    return sentence_loss(logits, target)


teacher_forcing = Check(
    "teacher_forcing",
    title="Teacher forcing",
    sizes={"N": 3, "T": 7, "S": 5, "V": 11},
    hints=(
        "Follow one sentence by hand: which word goes in at step 0, at step 1, at the last step?",
        "SOS goes in at step 0; afterwards the target of the step before, or the argmax of the logits before. The "
        "state goes from each step to the next.",
        "Collect the logits in a list and `torch.stack` them with the step as axis 1.",
    ),
)


def translator_and_pairs(probe, Translator):
    """A stand-in translator in eval(), and a padded batch source, mask, target."""
    N, T, S, V = probe["N T S V"]
    model = probe.fill(Translator(V), scale=3.0)
    n_source, n_target = lengths(probe, T), lengths(probe, S)
    source = ended(probe.integers(2, V, N, T), n_source)
    return model, source, source != PAD_token, ended(probe.integers(2, V, N, S), n_target)


@teacher_forcing.test("ratio 1: SOS first, then always the target of the step before")
def always(probe, decode_with_teacher, Translator):
    model, source, mask, target = translator_and_pairs(probe, Translator)
    return decode_with_teacher(model, source, mask, target, 1.0)


@teacher_forcing.test("ratio 0: SOS first, then always the likeliest word of the step before")
def never(probe, decode_with_teacher, Translator):
    model, source, mask, target = translator_and_pairs(probe, Translator)
    return decode_with_teacher(model, source, mask, target, 0.0)


@teacher_forcing.test("ratio ½: sometimes the one, sometimes the other")
def sometimes(probe, decode_with_teacher, Translator):
    model, source, mask, target = translator_and_pairs(probe, Translator)
    target = target[:, :2]
    own = probe.value(decode_with_teacher(model, source, mask, target, 0.0))[:, 0].argmax(dim=1)
    target[:, 0] = 2 + (own - 1) % (probe["V"] - 2)  # never the model's own word, so that one sees which was fed
    forced = probe.value(decode_with_teacher(model, source, mask, target, 1.0))
    times = 20  # all 20 throws alike: once in 500,000
    total = 0.0
    for _ in range(times):
        logits = probe.value(decode_with_teacher(model, source, mask, target, 0.5))
        total += float(((logits - forced)[:, 1].abs().amax(dim=1) < 1e-3).double().mean())
    return [total > 0, total < times - 0.01]


@teacher_forcing.test("the gradient reaches the model through every step")
def through_steps(probe, decode_with_teacher, Translator):
    model, source, mask, target = translator_and_pairs(probe, Translator)
    decode_with_teacher(model, source, mask, target, 1.0).pow(2).sum().backward()
    return probe.value(model.table.grad)


training_step = Check(
    "training_step",
    title="One update",
    sizes={"W": 3},
    hints=(
        "There are five calls in the text, in this order: mode, old gradients, loss, gradients, update; clipping is "
        "between the last two.",
        "Clipping changes the gradients, so it must come after they are there and before they are used.",
        "`model.train()`, `optimizer.zero_grad()`, `loss.backward()`, `nn.utils.clip_grad_norm_(...)`, "
        "`optimizer.step()`, and return `loss.item()`.",
    ),
)


@training_step.test("three updates in a row: the losses and where the weights arrive")
def updates(probe, training_step, Model, SGD):
    model = probe.fill(Model(probe["W"])).train()
    optimizer = SGD(model.parameters(), lr=0.3)
    losses = [probe.value(training_step(model, optimizer, model.loss)) for _ in range(3)]
    return [torch.as_tensor(loss).double() for loss in losses], probe.value(model.weight)


@training_step.test("gradients are clipped to max_norm, no more")
def clipping(probe, training_step, Model, SGD):
    model = probe.fill(Model(probe["W"]))
    optimizer = SGD(model.parameters(), lr=0.01)
    loss = probe.value(training_step(model, optimizer, model.loss, max_norm=100.0))
    return torch.as_tensor(loss).double(), probe.value(model.weight)


@training_step.test("the model is in training mode, also after it was evaluated")
def mode(probe, training_step, Model, SGD):
    model = probe.fill(Model(probe["W"]))
    optimizer = SGD(model.parameters(), lr=0.01)
    training_step(model, optimizer, model.loss, 100.0)
    model.eval()
    loss = probe.value(training_step(model, optimizer, model.loss, 100.0))
    return torch.as_tensor(loss).double(), probe.value(model.weight)


greedy_decode = Check(
    "greedy_decode",
    title="Greedy decoding",
    sizes={"N": 5, "T": 7, "V": 11},
    hints=(
        "Follow one short sentence of a batch by hand: what is in its row after it has written EOS?",
        "The likeliest word of each step is the input of the next. Keep a vector of booleans (N,) that says who has "
        "written EOS; EOS itself still belongs to the row.",
        "`word.masked_fill(ended, PAD_token)` before you note the word, `ended | (word == EOS_token)` after; "
        "`model.eval()` at the beginning.",
    ),
)


def translator_and_sentences(probe, Translator):
    """A stand-in translator, sources of different lengths and their mask."""
    N, T, V = probe["N T V"]
    model = probe.fill(Translator(V), scale=3.0)
    source = ended(probe.integers(2, V, N, T), lengths(probe, T))
    return model, source, source != PAD_token


def without_tail(words):
    """The words less the last columns that are PAD in every row: to go on after all have ended does no harm."""
    words = torch.as_tensor(words)
    if words.ndim != 2:
        return words
    used = (words != PAD_token).any(dim=0).nonzero()
    return words[:, : int(used.max()) + 1 if len(used) else 0]


@greedy_decode.test("the likeliest words until EOS, EOS included, PAD after it")
def written(probe, greedy_decode, Translator):
    model, source, mask = translator_and_sentences(probe, Translator)
    result = greedy_decode(model, source, mask, 13)
    return without_tail(probe.value(result[0]))


@greedy_decode.test("at most max_length steps")
def at_most(probe, greedy_decode, Translator):
    model, source, mask = translator_and_sentences(probe, Translator)
    result = greedy_decode(model, source, mask, max_length=3)
    return without_tail(probe.value(result[0]))


@greedy_decode.test("the same words whether the model was left in training mode or not")
def in_evaluation_mode(probe, greedy_decode, Translator):
    model, source, mask = translator_and_sentences(probe, Translator)
    model.train()
    result = greedy_decode(model, source, mask, 13)
    return without_tail(probe.value(result[0]))


@greedy_decode.test("the weights of every step, with the step as axis 1")
def weights(probe, greedy_decode, Translator):
    model, source, mask = translator_and_sentences(probe, Translator)
    result = greedy_decode(model, source, mask, 13)
    words, looks = without_tail(probe.value(result[0])), or_nothing(probe, result[1])
    if not isinstance(looks, torch.Tensor) or looks.ndim != 3 or words.ndim != 2:
        return looks
    looks = looks[:, : words.shape[1]]
    if looks.shape[:2] != words.shape:
        return looks
    return looks * (words != PAD_token).unsqueeze(2)  # what follows EOS is nobody's


# ---- attention ----------------------------------------------------------------------------------------

attend = Check(
    "attend",
    title="Weights and context",
    sizes={"N": 3, "T": 7, "K": 5},
    hints=(
        "Softmax runs over the words of one sentence. Hide the padding before it, not after.",
        "Give the padded places the score −∞ in a new tensor; softmax over the axis of length T; then the mean of the "
        "states, each multiplied with its weight, summed over that same axis.",
        "`scores.masked_fill(~mask, float('-inf'))` returns a new tensor. (N, 1, T) times (N, T, K) is (N, 1, K), and "
        "`squeeze(1)` takes away that axis only.",
    ),
)


def scored_states(probe):
    """Scores (N, T), states (N, T, K) and mask (N, T); the padding holds rubbish."""
    N, T, K = probe["N T K"]
    return 2 * probe.normal(N, T), probe.normal(N, T, K), mask_of(lengths(probe, T), T)


@attend.test("the context is the weighted mean of the states")
def context(probe, attend, identity):
    return attend(*scored_states(probe))[0]


@attend.test("the weights are a softmax over the words of each sentence")
def attention_weights(probe, attend, identity):
    return attend(*scored_states(probe))[1]


@attend.test("without any padding")
def no_padding(probe, attend, identity):
    scores, states, mask = scored_states(probe)
    return attend(scores, states, torch.ones_like(mask))


@attend.test("padding weighs exactly nothing")
def exactly_zero(probe, attend, identity):
    scores, states, mask = scored_states(probe)
    weights = probe.value(attend(scores, states, mask)[1])
    if not isinstance(weights, torch.Tensor):
        return weights
    return bool((weights[~mask] == 0).all()) if weights.shape == mask.shape else weights


@attend.test("a batch of one sentence gives (1, K) and (1, T)")
def batch_of_one(probe, attend, identity):
    scores, states, mask = scored_states(probe)
    return attend(scores[1:2], states[1:2], mask[1:2])


@attend.test("the gradient reaches scores and states")
def gradient(probe, attend, identity):
    scores, states, mask = scored_states(probe)
    scores, states = identity(scores).requires_grad_(), identity(states).requires_grad_()
    attend(scores.clone(), states, mask)[0].pow(2).sum().backward()
    return or_nothing(probe, scores.grad), or_nothing(probe, states.grad)


@attend.test("the scores that it was given are left as they were")
def scores_unchanged(probe, attend, identity):
    scores, states, mask = scored_states(probe)
    given = identity(scores.clone())
    attend(given, states, mask)
    return given


concat_score = Check(
    "concat_score",
    title="Concat form of the score",
    sizes={"N": 3, "T": 7, "H": 5, "K": 2, "A": 11},
    hints=(
        "The query must stand beside every one of the T states before they are concatenated.",
        "`query.unsqueeze(1).expand(-1, T, -1)` is (N, T, H); with the states behind it, (N, T, H + K).",
        "The product with `W.T` gives (N, T, A), tanh keeps the shape, and the product with `v` takes A away.",
    ),
)


def compared(probe):
    """Query (N, H), states (N, T, K), W (A, H + K), v (A,)."""
    N, T, H, K, A = probe["N T H K A"]
    return probe.normal(N, H), probe.normal(N, T, K), probe.normal(A, H + K) / 2, probe.normal(A)


@concat_score.test("v · tanh(W [s ; h]) for every state of every sentence")
def concat_scores(probe, concat_score):
    return concat_score(*compared(probe))


@concat_score.test("a batch of one sentence")
def concat_one(probe, concat_score):
    query, states, W, v = compared(probe)
    return concat_score(query[:1], states[:1], W, v)


additive_attention = Check(
    "additive_attention",
    title="Additive attention",
    sizes={"N": 3, "T": 7, "H": 5, "K": 2, "A": 11},
    hints=(
        "The query has one vector for each sentence, the keys T: which axis is missing, and where?",
        "(N, 1, A) plus (N, T, A) is (N, T, A); tanh; then the product with v over the axis A.",
        "`self.query_layer(query).unsqueeze(1) + keys`; `self.v` is an `nn.Parameter` made in the constructor, with "
        "`uniform_` or `randn` times a small number.",
    ),
)


def additive(probe, AdditiveAttention):
    """A layer with seeded parameters. v counts as (A,), (1, A) or (A, 1), and in a Linear as well."""
    H, K, A = probe["H K A"]
    layer = probe.fill(AdditiveAttention(H, K, A))
    shapes = probe.parameters(layer)
    v = layer.v.weight if "v.weight" in shapes else layer.v
    shape = shapes.get("v.weight") or shapes.get("v") or [A]
    v.data.copy_(probe.parameter_values("v", (A,), 1.0).reshape(shape).to(torch.get_default_dtype()))
    return layer


def query_and_keys(probe):
    """Query (N, H), keys (N, T, A)."""
    N, T, H, A = probe["N T H A"]
    return probe.normal(N, H), probe.normal(N, T, A)


@additive_attention.test("v · tanh(B s + key) for every key of every sentence")
def scores(probe, AdditiveAttention):
    return additive(probe, AdditiveAttention).score(*query_and_keys(probe))


@additive_attention.test("a batch of one sentence with one word")
def one_word(probe, AdditiveAttention):
    query, keys = query_and_keys(probe)
    return additive(probe, AdditiveAttention).score(query[:1], keys[:1, :1])


@additive_attention.test("the gradient reaches v, B, the query and the keys")
def score_gradient(probe, AdditiveAttention):
    layer = additive(probe, AdditiveAttention)
    N, T, H, K = probe["N T H K"]
    layer.score(probe.normal(N, H), layer.keys(probe.normal(N, T, K))).pow(2).sum().backward()
    v = layer.v.weight if "v.weight" in probe.parameters(layer) else layer.v
    of_v = or_nothing(probe, v.grad)
    of_v = of_v.reshape(-1) if isinstance(of_v, torch.Tensor) else of_v
    return of_v, or_nothing(probe, layer.query_layer.weight.grad), or_nothing(probe, layer.key_layer.weight.grad)


@additive_attention.test("v is a parameter filled with small random numbers")
def v_filled(probe, AdditiveAttention):
    seen = []
    kept = []
    for _ in range(2):
        layer = AdditiveAttention(2, 2, 997)
        kept.append(layer)  # so that the second cannot be given the memory of the first
        v = probe.value(layer.v.weight if "v.weight" in probe.parameters(layer) else layer.v).reshape(-1).double()
        seen.append(v)
    spread = [float(v.std()) for v in seen]
    bounded = all(bool(torch.isfinite(v).all()) and 1e-4 < s < 3 for v, s in zip(seen, spread, strict=True))
    even = bounded and all(float(v.abs().max()) < 8 * s for v, s in zip(seen, spread, strict=True))
    return [even, even and not torch.equal(*seen), any(name[:1] == "v" for name in probe.parameters(kept[0]))]


# ---- the decoder --------------------------------------------------------------------------------------

decoder_step = Check(
    "decoder_step",
    title="The attention decoder's step",
    sizes={"N": 3, "T": 7, "V": 13, "E": 5, "H": 11, "K": 2},
    hints=(
        "The context comes first: ask the attention with the state that came in, not with the new one.",
        "Concatenate the word's vector and the context for the cell; the new state, the context and the word's vector "
        "for the output. Every concatenation is along the last axis.",
        "`self.attention(hidden, *memory)`, `self.cell(input, hidden)`, `self.output(...)`: each called once.",
    ),
)


def decoder_and_inputs(probe, AttentionDecoder, Attention, dropout=0.0, n=None):
    """A decoder with seeded parameters, word (N,), hidden (N, H) and its memory."""
    N, T, V, E, H, K = probe["N T V E H K"]
    N = n or N
    decoder = probe.fill(AttentionDecoder(V, E, H, K, Attention(), dropout))
    states, mask = probe.normal(N, T, K), mask_of(probe.integers(2, T + 1, N), T)
    memory = decoder.memory(states, mask, probe.normal(N, K))
    return decoder, probe.integers(2, V, N), probe.normal(N, H), memory


@decoder_step.test("the scores of the next word")
def logits(probe, AttentionDecoder, Attention):
    decoder, word, hidden, memory = decoder_and_inputs(probe, AttentionDecoder, Attention)
    return decoder.step(word, hidden, memory)[0]


@decoder_step.test("the new state")
def state(probe, AttentionDecoder, Attention):
    decoder, word, hidden, memory = decoder_and_inputs(probe, AttentionDecoder, Attention)
    return decoder.step(word, hidden, memory)[1]


@decoder_step.test("the attention's weights, asked for with the state that came in")
def weights_of_step(probe, AttentionDecoder, Attention):
    decoder, word, hidden, memory = decoder_and_inputs(probe, AttentionDecoder, Attention)
    return decoder.step(word, hidden, memory)[2]


@decoder_step.test("one sentence alone, and SOS as the word")
def alone(probe, AttentionDecoder, Attention):
    decoder, word, hidden, memory = decoder_and_inputs(probe, AttentionDecoder, Attention, n=1)
    return decoder.step(torch.full_like(word, SOS_token), hidden, memory)


@decoder_step.test("dropout falls on the word's vector, in training only")
def dropout(probe, AttentionDecoder, Attention):
    # p = 1 drops everything: what is left tells what was dropped, without any random number
    decoder, word, hidden, memory = decoder_and_inputs(probe, AttentionDecoder, Attention, dropout=1.0)
    evaluating = probe.value(decoder.step(word, hidden, memory))
    decoder.train()
    return evaluating, probe.value(decoder.step(word, hidden, memory))


@decoder_step.test("the gradient reaches every layer")
def every_layer(probe, AttentionDecoder, Attention):
    decoder, word, hidden, memory = decoder_and_inputs(probe, AttentionDecoder, Attention)
    result = decoder.step(word, hidden, memory)
    result[0].pow(2).sum().backward()
    return [or_nothing(probe, weight.grad) for weight in (decoder.embedding.weight, decoder.cell.weight_ih)]


# ---- where it looks -----------------------------------------------------------------------------------

alignment = Check(
    "alignment",
    title="Where it looks",
    sizes={"S": 5, "T": 7},
    hints=(
        "Row i of the weights belongs to word i written. Which axis do the words that are read stand on?",
        "The argmax of each row, over the axis of length T, is the index of a word in `read`.",
        "`weights.argmax(dim=1)` has S indices; pair each with its word of `written`.",
    ),
)

READ = ["elle", "porte", "une", "robe", "rouge", ".", "EOS"]
WRITTEN = ["she", "wears", "a", "red", "dress"]


@alignment.test("for each word written, the word at which most weight lies")
def pairs(probe, alignment):
    return alignment(probe.uniform(*probe["S T"]), READ, WRITTEN)
