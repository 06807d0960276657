"""The small cases of the lesson `seq2seq`."""

from typing import Any

import torch

from utils.checks.engine.cases import CaseBook
from utils.checks.engine.small import Small
from utils.common.messages import N_
from utils.seq2seq.case_stand_ins import Counting, RecordingCell, RecordingOutput, Summed
from utils.seq2seq.check.inputs import ended, mask_of
from utils.seq2seq.vocabulary import EOS_token, PAD_token, SOS_token

BOOK = CaseBook(
    {
        "N": N_("sentence {number}"),
        "T": N_("word {number}"),
        "S": N_("step {number}"),
        "D": N_("component {number}"),
        "G": N_("component {number}"),
        "R": N_("component {number}"),
        "a": N_("row {number} of a"),
        "b": N_("row {number} of b"),
        "person": N_("person {number}"),
        "film": N_("film {number}"),
        "V": N_("score of word {number}"),
    }
)
BOOK.way("cosine_similarity", "norm", N_("length of each row of a"), axes="a D")
BOOK.way("attend", "softmax", N_("scores, padding hidden"), axes="N T", into=True)
BOOK.way("additive_attention", "tanh", N_("tanh of query and key"), axes="N T R")
RESULT = N_("the result")

# ---- similarity --------------------------------------------------------------------------------------


@BOOK.case("dot_similarity", "N M D", "2 3 1", "2 3 2", "1 2 2")
def dots(small: Small, dot_similarity: Any) -> None:
    a, b = small.numbers("a", "N D", words=("a", "D")), small.numbers("b", "M D", words=("b", "D"))
    small.show(RESULT, small.call(dot_similarity, a, b), ("a", "b"))


@BOOK.case("cosine_similarity", "N M D", "2 3 2", "1 2 2", "2 1 2")
def cosines(small: Small, cosine_similarity: Any) -> None:
    a, b = small.numbers("a", "N D", 6, 1, ("a", "D")), small.numbers("b", "M D", 6, 1, ("b", "D"))
    kept = a.clone(), b.clone()
    small.show(RESULT, small.call(cosine_similarity, a, b), ("a", "b"))
    for name, before, after in ((N_("a afterwards"), kept[0], a), (N_("b afterwards"), kept[1], b)):
        small.show(name, N_("as before") if torch.equal(before, after) else N_("changed"))


@BOOK.case("tastes", "N M", "2 3", "3 2")
def both_tables(small: Small, tastes: Any, similarity: Any) -> None:
    small.say(N_("similarity adds up the smaller of each two numbers"))
    people, films = tastes(small.numbers("ratings", "N M", words=("person", "film")), similarity)
    small.show(N_("people with people"), people, ("person", "person"))
    small.show(N_("films with films"), films, ("film", "film"))


# ---- reading -----------------------------------------------------------------------------------------


def lengths(small: Small, longest: int) -> torch.Tensor:
    """Return the lengths (N,) of sentences; of several the first is the longest."""
    drawn = [longest - small.take(longest, 0.3) for _ in range(small["N"])]
    return torch.tensor(drawn if len(drawn) == 1 else [longest, *drawn[1:]])


def masked(small: Small) -> torch.Tensor:
    """Return a mask (N, T), true at words."""
    mask = mask_of(lengths(small, small["T"]), small["T"])
    return small.given_as("mask", mask, "N T")


@BOOK.case("summarise", "N T D", "2 3 2", "1 3 2", "2 2 2", "2 2 4")
def vectors(small: Small, summarise: Any) -> None:
    states = small.counted("states", "N T D")
    small.show(RESULT, small.call(summarise, states, masked(small)), "N D")


# ---- learning ----------------------------------------------------------------------------------------


def words(small: Small, name: str, axes: str, length: torch.Tensor, V: int = 5) -> torch.Tensor:
    """Return words (N, T or S), EOS and padding."""
    drawn = small.integers(name, axes, 3, V)
    small.given.pop()
    return small.given_as(name, ended(drawn, length), axes)


@BOOK.case("sentence_loss", "N S V", "1 2 4", "1 3 4", "2 2 4")
def loss_of_words(small: Small, sentence_loss: Any, identity: Any) -> None:
    logits = small.numbers("logits", "N S V")
    target = words(small, "target", "N S", lengths(small, small["S"]), 4)
    say_tokens(small)
    small.show(N_("the loss"), small.call(sentence_loss, logits, target))


def say_tokens(small: Small) -> None:
    values = {"pad": str(PAD_token), "sos": str(SOS_token), "eos": str(EOS_token)}
    small.say(N_("PAD is {pad}, SOS is {sos}, EOS is {eos}"), **values)


@BOOK.case("sentence_loss", "N S V", "1 2 4", "2 2 4", fallback=True)
def loss_gradient(small: Small, sentence_loss: Any, identity: Any) -> None:
    logits = small.numbers("logits", "N S V").requires_grad_()
    loss = sentence_loss(logits.clone(), words(small, "target", "N S", lengths(small, small["S"]), 4))
    if getattr(loss, "requires_grad", False):
        loss.backward()
    small.show_gradient(N_("the gradient of the loss with respect to the logits"), logits, "N S V")


def batch(small: Small) -> tuple[torch.Tensor, torch.Tensor]:
    """Return source (N, T) and mask (N, T)."""
    source = words(small, "source", "N T", lengths(small, small["T"]), 6)
    say_tokens(small)
    sentence = N_(
        "the model's most likely word after SOS is 3, after 3 it is 4, …; EOS after as many steps as words read"
    )
    small.say(sentence)
    return source, source != PAD_token


def as_table(fed: list[list[int]]) -> torch.Tensor:
    """Return the words fed at each step as (N, S)."""
    return torch.tensor(fed).T


@BOOK.case("teacher_forcing", "N T S", "1 2 2", "1 2 3", "1 3 3", "2 2 3")
def words_fed(small: Small, decode_with_teacher: Any, Translator: Any) -> None:
    """What goes into each step, with a teacher always, and never."""
    source, mask = batch(small)
    target = words(small, "target", "N S", lengths(small, small["S"]), 8)
    for name, ratio in ((N_("words fed, ratio 1"), 1.0), (N_("words fed, ratio 0"), 0.0)):
        model = Counting(9).eval()
        decode_with_teacher(model, source, mask, target, ratio)
        small.show(name, as_table(model.fed), "N S")


@BOOK.case("teacher_forcing", "N T S", "1 2 2", "1 2 3", "2 2 2", fallback=True)
def logits_of_steps(small: Small, decode_with_teacher: Any, Translator: Any) -> None:
    source, mask = batch(small)
    target = words(small, "target", "N S", lengths(small, small["S"]), 5)
    model = Counting(5).eval()
    logits = decode_with_teacher(model, source, mask, target, 1.0)
    small.show(N_("the logits, less their mean"), logits - logits.mean(dim=-1, keepdim=True), "N S V")
    small.show(N_("the model stays in its mode"), not model.training)
    if logits.requires_grad:
        logits.pow(2).sum().backward()
    small.show_gradient(N_("the gradient with respect to the number that scales the logits"), model.scale)


@BOOK.case("teacher_forcing", "N T S", "1 3 3", fallback=True)
def half_of_the_time(small: Small, decode_with_teacher: Any, Translator: Any) -> None:
    """A rule that holds whatever is drawn: with the ratio ½, 40 draws are not all the same."""
    source, mask = torch.tensor([[3, 4, EOS_token]]), torch.ones(1, 3, dtype=torch.bool)
    target = small.given_as("target", torch.tensor([[7, 7, EOS_token]]), "N S")
    small.say(N_("ratio ½, in {times} runs"), times="40")
    second = set()
    for _ in range(40):
        model = Counting(9).eval()
        decode_with_teacher(model, source, mask, target, 0.5)
        second.add(model.fed[1][0])
    small.show(N_("sometimes the target"), 7 in second)
    small.show(N_("sometimes the word that the model chose"), 3 in second)


@BOOK.case("greedy_decode", "N T", "1 2", "1 3", "2 3", "3 3")
def written(small: Small, greedy_decode: Any, Translator: Any) -> None:
    source, mask = batch(small)
    longest = small.number("max_length", 2, 6)
    words_written, looks = greedy_decode(Counting(9).train(), source, mask, longest)
    small.show(N_("words written"), words_written, "N S")
    small.show(
        N_("the weights"), looks[:, : words_written.shape[1]] * (words_written != PAD_token).unsqueeze(2), "N S T"
    )


@BOOK.case("greedy_decode", "N T", "1 2", "2 2", fallback=True)
def without_weights(small: Small, greedy_decode: Any, Translator: Any) -> None:
    source, mask = batch(small)
    without = greedy_decode(Counting(9, looks=False), source, mask, 3)[1]
    small.show(N_("the weights of a model that gives none"), str(without))


# ---- attention ---------------------------------------------------------------------------------------

ATTEND = ("N T D", "1 2 1", "1 3 1", "2 2 1", "1 2 2", "2 3 1")


def scored(small: Small, name: str = "scores") -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    return small.numbers(name, "N T"), small.numbers("states", "N T D"), small.truths("mask", "N T")


def show_both(small: Small, result: Any) -> None:
    context, weights = result
    small.show(N_("weights"), weights, "N T", sums="rows")
    small.show(N_("context"), context, "N D")


@BOOK.case("attend", *ATTEND)
def attended(small: Small, attend: Any, identity: Any) -> None:
    show_both(small, small.call(attend, *scored(small)))


@BOOK.case("attend", *ATTEND[:4], fallback=True)
def large_scores(small: Small, attend: Any, identity: Any) -> None:
    scores, states, mask = scored(small, N_("scores, in thousands"))
    show_both(small, attend(1000 * scores, states, mask))


@BOOK.case("attend", *ATTEND[:4], fallback=True)
def far_scores(small: Small, attend: Any, identity: Any) -> None:
    scores, states, mask = scored(small, N_("scores, in tens and with a minus"))
    show_both(small, attend(-10 * scores, states, mask))


@BOOK.case("attend", *ATTEND[:4], fallback=True)
def left_behind(small: Small, attend: Any, identity: Any) -> None:
    scores, states, mask = scored(small)
    scores, states = scores.requires_grad_(), states.requires_grad_()
    handed = scores.clone()
    context, _ = attend(handed, states, mask)
    small.show(N_("the scores afterwards"), handed, "N T")
    if context.requires_grad:
        context.pow(2).sum().backward()
    small.show_gradient("∂ Σcontext² / ∂ scores", scores, "N T")
    small.show_gradient("∂ Σcontext² / ∂ states", states, "N T D")


@BOOK.case("concat_score", "N T G D R H", "1 2 1 1 1 2", "1 2 1 2 2 3", "2 2 1 1 2 2", "2 1 2 1 1 3")
def concat_scores(small: Small, concat_score: Any, identity: Any) -> None:
    query, states = small.numbers("query", "N G"), small.numbers("states", "N T D")
    W, v = small.numbers("W", "R H", 3, -1, (N_("row {number}"), N_("column {number}"))), small.numbers("v", "R", 4, 1)
    small.show(N_("the scores"), small.call(concat_score, query, states, W, v), "N T")


@BOOK.case("concat_score", "N T G D R H", "1 2 1 1 1 2", fallback=True)
def concat_gradients(small: Small, concat_score: Any, identity: Any) -> None:
    query, states = small.numbers("query", "N G"), small.numbers("states", "N T D")
    W, v = small.numbers("W", "R H", 3, -1, (N_("row {number}"), N_("column {number}"))), small.numbers("v", "R", 4, 1)
    parts = {"query": query, "states": states, "W": W, "v": v}
    for part in parts.values():
        part.requires_grad_()
    scores = concat_score(*(part.clone() for part in parts.values()))
    if scores.requires_grad:
        scores.pow(2).sum().backward()
    for name, part in parts.items():
        small.show_gradient(f"∂ Σscores² / ∂ {name}", part)


W_WORDS = (N_("row {number}"), N_("column {number}"))


@BOOK.case("cut", "R G D H", "1 1 2 3", "2 1 2 3", "2 2 1 3", "3 2 1 3")
def parts(small: Small, cut: Any, identity: Any) -> None:
    W = small.numbers("W", "R H", 9, 1, W_WORDS)
    small.say(N_("G is {number}"), number=str(small["G"]))
    for name, part in zip(("W_s", "W_h"), cut(W, small["G"]), strict=True):
        small.show(name, part, W_WORDS)


@BOOK.case("cut", "R G D H", "1 1 2 3", "2 2 1 3", fallback=True)
def gradient_of_parts(small: Small, cut: Any, identity: Any) -> None:
    W = small.numbers("W", "R H", 9, 1, W_WORDS).requires_grad_()
    small.say(N_("G is {number}"), number=str(small["G"]))
    first, second = cut(W.clone(), small["G"])
    total = first.pow(2).sum() + second.pow(2).sum()
    if total.requires_grad:
        total.backward()
    small.show_gradient("∂ (ΣW_s² + ΣW_h²) / ∂ W", W, W_WORDS)


@BOOK.case("additive_attention", "N T G D R", "1 2 1 1 1", "1 2 2 1 2", "2 2 1 1 1", "2 1 1 1 2", "1 2 1 1 2")
def additive_scores(small: Small, AdditiveAttention: Any) -> None:
    # `key_layer` as well, for an answer that applies it to the keys once more.
    layer = small.layer(AdditiveAttention, small["G D R"], "query_layer key_layer", 2)
    query, keys, v = small.numbers("query", "N G"), small.numbers("keys", "N T R"), small.numbers("v", "R", 4, 1)
    with_v(layer, v)
    small.show(N_("the scores"), layer.score(query, keys), "N T")


def with_v(layer: Any, v: torch.Tensor) -> None:
    """Set the layer's vector, whose shape is the student's choice; it may be an `nn.Linear`."""
    vector = getattr(layer.v, "weight", layer.v)
    with torch.no_grad():
        vector.copy_(v.reshape(vector.shape))
        if getattr(layer.v, "bias", None) is not None:
            layer.v.bias.zero_()


@BOOK.case("additive_attention", "R", "40", fallback=True)
def vector_made(small: Small, AdditiveAttention: Any) -> None:
    layers = [AdditiveAttention(2, 2, small["R"]) for _ in range(2)]
    named = [name for name, _ in layers[0].named_parameters() if name.startswith("v")]
    first, second = (getattr(layer.v, "weight", layer.v).detach().reshape(-1) for layer in layers)
    small.say("AdditiveAttention(2, 2, {number})", number=str(small["R"]))
    small.show(N_("v is a parameter"), bool(named))
    small.show(N_("the number of its entries"), str(len(first)))
    small.show(N_("its entries are small and not all the same"), bool(1e-4 < first.std() < 3))
    small.show(N_("a second layer has different ones"), not torch.equal(first, second))


@BOOK.case("additive_attention", "N T G D R", "1 2 1 1 1", fallback=True)
def additive_gradients(small: Small, AdditiveAttention: Any) -> None:
    layer = small.layer(AdditiveAttention, small["G D R"], "query_layer key_layer", 2)
    with_v(layer, small.numbers("v", "R", 4, 1))
    scores = layer.score(small.numbers("query", "N G"), layer.keys(small.numbers("states", "N T D")))
    if scores.requires_grad:
        scores.pow(2).sum().backward()
    grad = getattr(layer.v, "weight", layer.v).grad
    small.show("∂ Σscores² / ∂ v", N_("no gradient") if grad is None else grad.reshape(-1))
    for name in ("query_layer", "key_layer"):
        small.show_gradient(f"∂ Σscores² / ∂ {name}.weight", layer.get_submodule(name).weight)


# ---- the decoder -------------------------------------------------------------------------------------


def one_step(small: Small, AttentionDecoder: Any, dropout: float = 0.0, training: bool = False) -> Any:
    """Return a decoder with our attention, cell and output, the state that goes in, and what its step returns."""
    D, G = small["D G"]
    decoder = AttentionDecoder(4, 1, G, D, Summed(), dropout)
    decoder.cell, decoder.output = RecordingCell(1 + D, G), RecordingOutput()
    with torch.no_grad():
        decoder.embedding.weight.copy_(10.0 * torch.arange(4).unsqueeze(1))
    states, hidden = small.numbers("states", "N T D"), small.numbers("hidden", "N G").requires_grad_()
    word, mask = small.integers("word", "N", 2, 4), small.truths("mask", "N T")
    small.say(N_("the vector of word w is 10·w; the keys are 2·states"))
    small.say(N_("weight of a place: the sums of its key and of the query; context: the states times their weights"))
    return decoder.train(training), hidden, decoder.step(word, hidden.clone(), (states, 2 * states, mask))


STEP = ("N T D G", "1 1 1 1", "1 2 1 1", "2 1 1 1", "1 2 1 2")


@BOOK.case("decoder_step", *STEP)
def into_the_layers(small: Small, AttentionDecoder: Any, Attention: Any) -> None:
    decoder, _, (_, new, weights) = one_step(small, AttentionDecoder)
    small.show(N_("input of the cell"), decoder.cell.noted, ("N", "G"))
    small.show(N_("input of the output"), decoder.output.noted, ("N", "G"))
    small.show(N_("the new state"), new, ("N", "G"))
    small.show(N_("the weights"), weights, "N T")


@BOOK.case("decoder_step", *STEP[:3], fallback=True)
def scores_of_words(small: Small, AttentionDecoder: Any, Attention: Any) -> None:
    _, hidden, (logits, new, _) = one_step(small, AttentionDecoder)
    small.show(N_("the scores, less their mean"), logits - logits.mean(dim=-1, keepdim=True), ("N", "V"))
    if new.requires_grad:
        new.sum().backward()
    small.show_gradient(N_("the gradient of the new state's sum with respect to the old state"), hidden, "N G")


@BOOK.case("decoder_step", *STEP[:2], fallback=True)
def dropped_in_training(small: Small, AttentionDecoder: Any, Attention: Any) -> None:
    decoder = one_step(small, AttentionDecoder, 1.0, training=True)[0]
    small.say(N_("dropout = 1, while training"))
    small.show(N_("input of the cell"), decoder.cell.noted, ("N", "G"))
    small.show(N_("input of the output"), decoder.output.noted, ("N", "G"))


@BOOK.case("decoder_step", *STEP[:2], fallback=True)
def dropped_outside_training(small: Small, AttentionDecoder: Any, Attention: Any) -> None:
    decoder = one_step(small, AttentionDecoder, 1.0)[0]
    small.say(N_("dropout = 1, outside training"))
    small.show(N_("input of the cell"), decoder.cell.noted, ("N", "G"))
    small.show(N_("input of the output"), decoder.output.noted, ("N", "G"))


@BOOK.case("alignment", "S T", "2 3", "3 2", "2 2")
def words_looked_at(small: Small, alignment: Any) -> None:
    S, T = small["S T"]
    read, wrote = ["la", "robe", "rouge"][:T], ["the", "red", "dress"][:S]
    weights = small.numbers("weights", "S T", words=(N_("word {number} written"), N_("word {number} read")))
    if any(len(set(row)) < T for row in weights.tolist()):
        weights = weights + torch.arange(T) / 10
        small.given.pop()
        small.given_as("weights", weights, "S T")
    small.show(N_("the pairs"), str([tuple(pair) for pair in small.call(alignment, weights, read, wrote)]))
