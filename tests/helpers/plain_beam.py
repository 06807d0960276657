"""Beam search as one would explain it: lists of sentences, in plain Python, for the tests of the quick ones."""

from collections.abc import Callable, Sequence

Scores = Callable[[tuple[int, ...]], Sequence[float]]


def plain_beam(log_p: Scores, width: int, length: int, end: int | None) -> tuple[tuple[int, ...], float]:
    """Keep the `width` beginnings with the best mean log-probability a word; return the best end, and its mean.

    `log_p` gives each next word's log-probability after the words so far.
    """
    beams: list[tuple[tuple[int, ...], float]] = [((), 0.0)]

    def ended(words: tuple[int, ...]) -> bool:
        return bool(words) and words[-1] == end

    for _ in range(length):
        grown = []
        for words, total in beams:
            if ended(words):
                grown.append((words, total))
            else:
                grown += [((*words, word), total + score) for word, score in enumerate(log_p(words))]
        beams = sorted(grown, key=lambda beam: beam[1] / len(beam[0]), reverse=True)[:width]
        if all(ended(words) for words, _ in beams):
            break
    words, total = beams[0]
    return words, total / len(words)
