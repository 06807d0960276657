"""Exams of the lesson `seq2seq`: the public checks' tests with fresh seeds, and hidden tests."""

from typing import Any

import torch

from autograder.exams.exam import Exam
from utils.checks.engine.probe import Probe
from utils.seq2seq import check
from utils.seq2seq.vocabulary import EOS_token, PAD_token

dot_similarity = Exam.of(check.dot_similarity, weights={"dots_on_gpu": 0.3})


@dot_similarity.test("one row with one row")
def one_pair(probe: Probe, dot_similarity: Any) -> Any:
    return dot_similarity(probe.normal(1, probe["D"]), probe.normal(1, probe["D"]))


cosine_similarity = Exam.of(check.cosine_similarity, weights={"rows_kept": 0.5, "cosines_on_gpu": 0.3})


@cosine_similarity.test("the cosines of rows of very different lengths")
def own_length(probe: Probe, cosine_similarity: Any) -> Any:
    N, M, D = probe["N M D"]
    return cosine_similarity(probe.normal(N, D) * torch.arange(1.0, N + 1).unsqueeze(1) ** 3, probe.normal(M, D))


tastes = Exam.of(check.tastes, weights={"tastes_on_gpu": 0.3})

attend = Exam.of(check.attend, weights={"context": 2, "attention_weights": 2, "on_gpu": 0.3})


@attend.test("context and weights with more padding, and rubbish in it", weight=2)
def padding_length(probe: Probe, attend: Any, identity: Any) -> Any:
    scores, states, mask = check.scored_states(probe)
    N, T, D = probe["N T D"]
    scores = torch.cat([scores, 3 * probe.normal(N, 4)], dim=1)
    states = torch.cat([states, 50 * probe.normal(N, 4, D)], dim=1)
    mask = torch.cat([mask, torch.zeros(N, 4, dtype=torch.bool)], dim=1)
    context, weights = probe.several(attend(scores, states, mask), 2)
    return context, weights[:, :T] if weights.ndim == 2 else weights


@attend.test("the weights of every sentence sum to 1")
def sum_to_one(probe: Probe, attend: Any, identity: Any) -> Any:
    return probe.several(attend(*check.scored_states(probe)), 2)[1].sum(dim=-1)


@attend.test("context and weights of a sentence of a single word")
def single_word(probe: Probe, attend: Any, identity: Any) -> Any:
    scores, states, mask = check.scored_states(probe)
    mask = check.mask_of(torch.tensor([1, 2, 1]), probe["T"])
    return probe.several(attend(scores, states, mask), 2)


own_code = check.own_code.graded(Exam.of(check.own_code))

summarise = Exam.of(check.summarise, weights={"on_gpu": 0.3})


@summarise.test("the vector, whatever is at the padding")
def padding_ignored(probe: Probe, summarise: Any) -> Any:
    states, mask = check.sentence_states(probe)
    first = probe.value(summarise(states, mask))
    rubbish = torch.where(mask.unsqueeze(2), states, 100 * probe.normal(*states.shape))
    return first, summarise(rubbish, mask)


@summarise.test("the same vector with more padding")
def longer_rows(probe: Probe, summarise: Any) -> Any:
    states, mask = check.sentence_states(probe)
    N, D = probe["N D"]
    more = torch.cat([states, probe.normal(N, 4, D)], dim=1)
    return summarise(more, torch.cat([mask, torch.zeros(N, 4, dtype=torch.bool)], dim=1))


sentence_loss = Exam.of(check.sentence_loss, weights={"mean": 2, "on_gpu": 0.3})


@sentence_loss.test("the mean, whatever the logits at padding are")
def at_padding(probe: Probe, sentence_loss: Any, identity: Any) -> Any:
    logits, target = check.scored_sentences(probe)
    rubbish = logits + 5 * (target == PAD_token).unsqueeze(2) * probe.normal(*logits.shape)
    return sentence_loss(logits, target), sentence_loss(rubbish, target)


teacher_forcing = Exam.of(check.teacher_forcing, weights={"decoded_on_gpu": 0.3})


@teacher_forcing.test("a single sentence, with ratio 1 and with ratio 0")
def sentence_alone(probe: Probe, decode_with_teacher: Any, Translator: Any) -> Any:
    model, source, mask, target = check.translator_and_pairs(probe, Translator)
    return [
        probe.scores(decode_with_teacher(model, source[1:2], mask[1:2], target[1:2], ratio)) for ratio in (1.0, 0.0)
    ]


greedy_decode = Exam.of(
    check.greedy_decode, weights={"written": 2, "no_weights": 0.5, "stops": 0.5, "written_on_gpu": 0.3}
)


@greedy_decode.test("the most likely words of a single sentence")
def one_alone(probe: Probe, greedy_decode: Any, Translator: Any) -> Any:
    model, source, mask = check.translator_and_sentences(probe, Translator)
    return check.without_tail(check.words_and_weights(probe, greedy_decode(model, source[2:3], mask[2:3], 13))[0])


@greedy_decode.test("the most likely words with more padding to read")
def more_padding_read(probe: Probe, greedy_decode: Any, Translator: Any) -> Any:
    model, source, _ = check.translator_and_sentences(probe, Translator)
    N = len(source)
    source = torch.cat([source, torch.full((N, 3), PAD_token)], dim=1)
    return check.without_tail(check.words_and_weights(probe, greedy_decode(model, source, source != PAD_token, 13))[0])


@greedy_decode.test("EOS occurs once in each row that ended, as its last word")
def eos_once(probe: Probe, greedy_decode: Any, Translator: Any) -> Any:
    model, source, mask = check.translator_and_sentences(probe, Translator)
    words = check.words_and_weights(probe, greedy_decode(model, source, mask, 13))[0]
    return (words == EOS_token).sum(dim=-1), (words != PAD_token).sum(dim=-1)


concat_score = Exam.of(check.concat_score, weights={"concat_on_gpu": 0.3})


@concat_score.test("the scores with the queries in another order, each for its own sentence")
def own_query(probe: Probe, concat_score: Any, identity: Any) -> Any:
    query, states, W, v = check.compared(probe)
    return concat_score(query.flip(0), states, W, v)


@concat_score.test("the scores of large inputs, which tanh keeps bounded")
def bounded(probe: Probe, concat_score: Any, identity: Any) -> Any:
    query, states, W, v = check.compared(probe)
    return concat_score(10 * query, 10 * states, W, v)


cut = Exam.of(check.cut, weights={"parts": 2, "cut_on_gpu": 0.3})


@cut.test("W cut after its first column, and before its last")
def narrow_parts(probe: Probe, cut: Any, identity: Any) -> Any:
    W = check.uncut(probe)
    return probe.several(cut(W, 1), 2), probe.several(cut(W, W.shape[1] - 1), 2)


additive_attention = Exam.of(check.additive_attention, weights={"scores": 2, "as_a_whole": 0.5, "additive_on_gpu": 0.3})


@additive_attention.test("the scores of other queries, and of other keys")
def depends_on_both(probe: Probe, AdditiveAttention: Any) -> Any:
    layer = check.additive(probe, AdditiveAttention)
    query, keys = check.query_and_keys(probe)
    return layer.score(query.flip(0), keys), layer.score(query, keys.flip(1))


@additive_attention.test("the score agrees with the concat form")
def same_as_concat(probe: Probe, AdditiveAttention: Any) -> Any:
    layer = check.additive(probe, AdditiveAttention)
    N, T, G, D = probe["N T G D"]
    return layer.score(3 * probe.normal(N, G), layer.keys(3 * probe.normal(N, T, D)))


decoder_step = Exam.of(check.decoder_step, weights={"logits": 2, "state": 2, "step_on_gpu": 0.3})


@decoder_step.test("two steps in a row")
def two_steps(probe: Probe, AttentionDecoder: Any, Attention: Any) -> Any:
    decoder, word, hidden, memory = check.decoder_and_inputs(probe, AttentionDecoder, Attention)
    first = decoder.step(word, hidden, memory)
    return check.result_of(probe, decoder.step(probe.value(first[0]).argmax(dim=1), first[1], memory))


@decoder_step.test("the scores of another word, and of another state")
def both_count(probe: Probe, AttentionDecoder: Any, Attention: Any) -> Any:
    decoder, word, hidden, memory = check.decoder_and_inputs(probe, AttentionDecoder, Attention)
    others = decoder.step(word.flip(0), hidden, memory)[0], decoder.step(word, hidden.flip(0), memory)[0]
    return [probe.scores(logits) for logits in others]


alignment = Exam.of(check.alignment)


@alignment.test("as many words read as written")
def square(probe: Probe, alignment: Any) -> Any:
    weights = probe.uniform(5, 5)
    return alignment(weights, ["je", "ne", "dors", "pas", "."], ["i", "m", "not", "sleeping", "."])
