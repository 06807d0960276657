"""Near-copies are found in three languages, other answers are not taken for them."""

import numpy as np
import pytest

from autograder.essays.likeness import (
    COPIED,
    LEAST_WORDS,
    MAX_LETTERS,
    groups_of_copies,
    in_order,
    likenesses,
    near_copies,
    words,
)

ORIGINALS = {
    "en": "The receptive field is 17 because every convolution of width 5 adds four points. It predicts the mean of "
    "all possible partners, since the squared error is smallest there.",
    "fr": "Le champ réceptif vaut 17, car chaque convolution de largeur 5 ajoute quatre points. Le réseau prédit la "
    "moyenne des partenaires possibles, là où l'erreur quadratique est la plus petite.",
    "zh": "感受野是17，因为每个宽度为5的卷积增加四个点。网络预测所有可能伙伴的平均值，因为平方误差在那里最小。",
}
DISGUISED = {
    "en": "the receptive field is 17, because each convolution of width 5 adds 4 points; it predicts the MEAN of "
    "all possible partners since the squared error is smallest there",
    "fr": "Le champ receptif vaut 17 car chaque convolution de largeur 5 ajoute 4 points : le reseau predit la "
    "moyenne de tous les partenaires possibles, la ou l'erreur quadratique est la plus petite",
    "zh": "感受野为17,因为每个宽度为5的卷积都增加4个点。网络会预测所有可能伙伴的平均值,因为平方误差在那里最小",
}
OTHERS = {
    "en": "Four layers reach two places to either side each, so 17 in all. Without seeing the partner the network "
    "outputs the conditional expectation, the best guess under our loss.",
    "fr": "Quatre couches voient chacune deux places de chaque côté, donc 17. Sans voir l'autre forme, il sort "
    "l'espérance conditionnelle, la meilleure supposition pour cette perte.",
    "zh": "四层各向两边看两格，一共十七格。看不到另一个图形时，输出条件期望，这是该损失下最好的猜测。",
}


@pytest.mark.parametrize("language", ORIGINALS)
def test_a_disguised_copy_is_found_and_another_good_answer_is_none(language):
    texts = [ORIGINALS[language], OTHERS[language], DISGUISED[language]]
    cosines = likenesses(texts)
    assert cosines[0, 2] > COPIED > cosines[0, 1]
    assert near_copies(texts, cosines) == [0, 1, 0]
    assert in_order([0, 1, 0], cosines) == [0, 2, 1]


def test_words_are_compared_without_case_accents_and_width():
    assert words("Réceptif, ＭＳＥ!") == ["receptif", "mse"]
    assert words("感受野17") == ["感", "受", "野", "感受", "受野", "17"]
    assert words("<script>") == ["script"] and words(" \n") == []


def test_short_and_empty_answers_are_nobodys_copies():
    texts = ["17", "17", "I don't know.", "I don't know.", "", ""]
    assert near_copies(texts, likenesses(texts)) == list(range(6))


def test_copies_of_copies_are_one_group_and_the_order_has_every_answer_once():
    texts = [ORIGINALS["en"], OTHERS["en"], DISGUISED["en"], ORIGINALS["en"] + " That is all.", "", OTHERS["en"]]
    cosines = likenesses(texts)
    groups = near_copies(texts, cosines)
    assert groups[0] == groups[2] == groups[3] and groups[1] == groups[5] and groups[4] not in (groups[0], groups[1])
    order = in_order(groups, cosines)
    assert sorted(order) == list(range(6))
    assert [groups[one] for one in order[:3]] == [groups[0]] * 3


def test_copies_are_found_across_students_and_within_one():
    answers = {
        ("ada", "first"): ORIGINALS["en"],
        ("bob", "first"): DISGUISED["en"],
        ("bob", "second"): OTHERS["en"],
        ("chen", "first"): ORIGINALS["zh"],
        ("chen", "second"): ORIGINALS["zh"],
        ("dan", "first"): "",
        ("eve", "first"): "",
    }
    assert groups_of_copies(answers) == [[("ada", "first"), ("bob", "first")], [("chen", "first"), ("chen", "second")]]
    assert groups_of_copies({}) == []


def test_likeness_is_the_cosine_of_the_weights_that_scikit_learn_gives():
    texts = [*ORIGINALS.values(), *DISGUISED.values(), "mean mean mean squared", "mean squared", "", "field"]
    # Here, because each worker collects all tests, and scikit-learn takes three seconds to load.
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectors = TfidfVectorizer(analyzer=words, sublinear_tf=True).fit_transform(texts)
    np.testing.assert_allclose(likenesses(texts), (vectors @ vectors.T).toarray(), atol=1e-12)


def test_the_end_of_an_endless_answer_is_not_compared():
    assert words("a " * (MAX_LETTERS // 2 - 1) + "b c") == ["a"] * (MAX_LETTERS // 2 - 1) + ["b"]


@pytest.mark.parametrize(("number", "alike"), [(LEAST_WORDS, True), (LEAST_WORDS - 1, False)])
def test_copies_have_at_least_eight_words_both_of_them(number, alike):
    texts = [" ".join("abcdefghij"[:number]), " ".join("abcdefghij"), " ".join("jihgfedcba")]
    all_alike = np.ones((3, 3))
    assert near_copies(texts, all_alike) == ([0, 0, 0] if alike else [0, 1, 1])
    assert near_copies(texts[::-1], all_alike) == ([0, 0, 0] if alike else [0, 0, 2])


def test_answers_are_copies_above_the_threshold_and_not_at_it():
    texts = [" ".join("abcdefgh")] * 3
    cosines = np.array([[1, COPIED, 0.1], [COPIED, 1, COPIED + 1e-9], [0.1, COPIED + 1e-9, 1]])
    assert near_copies(texts, cosines) == [0, 1, 1]


def test_two_groups_that_a_third_answer_joins_become_one():
    texts = [" ".join("abcdefgh")] * 5
    pairs = {(0, 1), (2, 3), (1, 3)}
    cosines = np.array([[float((min(i, j), max(i, j)) in pairs) for i in range(5)] for j in range(5)])
    groups = near_copies(texts, cosines)
    assert len(set(groups[:4])) == 1 and groups[4] == 4


def test_the_order_begins_with_the_first_answer_and_goes_on_with_the_one_most_like_the_last():
    cosines = np.array(
        [
            # 0    1    2    3    4    5
            [1.0, 0.3, 0.9, 0.6, 0.1, 0.1],
            [0.3, 1.0, 0.2, 0.4, 0.4, 0.0],
            [0.9, 0.2, 1.0, 0.1, 0.1, 0.5],
            [0.6, 0.4, 0.1, 1.0, 0.3, 0.3],
            [0.1, 0.4, 0.1, 0.3, 1.0, 0.0],
            [0.1, 0.0, 0.5, 0.3, 0.0, 1.0],
        ]
    )
    # From 0 to 2, then 5 (0.5) and 3 (0.3); 1 (0.4) and at last 4.
    assert in_order(range(6), cosines) == [0, 2, 5, 3, 1, 4]
    # Copies follow at once, in their order; the way goes on from the last of them: from 4, 1 (0.4) is nearer than 3.
    assert in_order([0, 1, 2, 3, 0, 5], cosines) == [0, 4, 1, 3, 5, 2]
    # Of equals the first.
    assert in_order(range(4), np.ones((4, 4))) == [0, 1, 2, 3] and in_order([], np.ones((0, 0))) == []


def test_groups_are_told_the_largest_first_their_answers_in_order():
    pair, three = ORIGINALS["fr"], ORIGINALS["zh"]
    answers = {("b", "q"): pair, ("z", "q"): three, ("y", "q"): three, ("a", "q"): pair, ("x", "q"): three}
    assert groups_of_copies(answers) == [[("x", "q"), ("y", "q"), ("z", "q")], [("a", "q"), ("b", "q")]]
