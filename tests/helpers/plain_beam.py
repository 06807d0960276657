"""Beam search in its simplest form, with lists of words: the oracle for tests of the fast implementations."""

from collections.abc import Callable, Sequence

Scores = Callable[[tuple[int, ...]], Sequence[float]]


def plain_beam(log_p: Scores, width: int, length: int, end: int | None) -> tuple[tuple[int, ...], float]:
    """Keep the `width` beginnings of best mean log-probability per word; return the best at the end, and its mean.

    `log_p` returns the log-probability of each next word after the words so far.
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
