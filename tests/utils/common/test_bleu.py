"""BLEU agrees with sacrebleu on any texts."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from utils.common.bleu import bleu

TEXTS = st.lists(st.sampled_from("abc"), max_size=11).map(" ".join)
PAIRS = st.lists(st.tuples(TEXTS, st.lists(TEXTS, min_size=1, max_size=3)), min_size=1, max_size=5)


@settings(deadline=None, max_examples=300)
@given(PAIRS)
def test_as_sacrebleu(pairs):
    import sacrebleu

    texts, references = map(list, zip(*pairs, strict=True))
    most = max(map(len, references))
    columns = [[each[i] if i < len(each) else None for each in references] for i in range(most)]
    expected = sacrebleu.corpus_bleu(texts, columns, tokenize="none", force=True).score / 100
    assert bleu(texts, references) == pytest.approx(expected, abs=1e-12)
