"""The public checks of the lesson `seq2seq`, which students run while they work. They hold no solution.

    similarity.py  dot_similarity, cosine_similarity, tastes
    reading.py     summarise
    training.py    sentence_loss, teacher_forcing
    decoding.py    greedy_decode
    attention.py   attend, own_code, concat_score, cut, additive_attention
    decoder.py     decoder_step, alignment
    inputs.py      sentences, masks and padding that several questions share

This package exports all questions, in the lesson's order, and the inputs that the hidden tests share with them.
"""

from utils.seq2seq.check.attention import (
    additive,
    additive_attention,
    attend,
    compared,
    concat_score,
    cut,
    own_code,
    query_and_keys,
    scored_states,
    uncut,
)
from utils.seq2seq.check.decoder import alignment, decoder_and_inputs, decoder_step, result_of
from utils.seq2seq.check.decoding import greedy_decode, translator_and_sentences, without_tail, words_and_weights
from utils.seq2seq.check.inputs import mask_of
from utils.seq2seq.check.reading import sentence_states, summarise
from utils.seq2seq.check.similarity import cosine_similarity, dot_similarity, tastes
from utils.seq2seq.check.training import (
    scored_sentences,
    sentence_loss,
    teacher_forcing,
    translator_and_pairs,
)

__all__ = [  # noqa: RUF022 - in the lesson's order
    "dot_similarity",
    "cosine_similarity",
    "tastes",
    "attend",
    "own_code",
    "summarise",
    "sentence_loss",
    "teacher_forcing",
    "greedy_decode",
    "concat_score",
    "cut",
    "additive_attention",
    "decoder_step",
    "alignment",
    # shared with the hidden tests
    "additive",
    "compared",
    "decoder_and_inputs",
    "mask_of",
    "query_and_keys",
    "result_of",
    "scored_sentences",
    "scored_states",
    "sentence_states",
    "translator_and_pairs",
    "translator_and_sentences",
    "uncut",
    "without_tail",
    "words_and_weights",
]
