"""French-English sentence pairs made by a grammar, so that translation can be learned without a download.

Students get the pairs as a file, `utils/seq2seq/made/eng-fra.txt`, which the build writes (`made`).

    corpus.py      which sentences, and which of them are held out of training
    sentences.py   the sentences: one generator per family
    grammar.py     their spelling: agreement, elision, contraction, negation
    lexicon.py     the words, as tables

A module imports only from lines below its own.
"""

from utils.seq2seq.pairs import EMBEDDED, HELD_OUT

from . import corpus


def made() -> dict[str, bytes]:
    """Return the lesson's data by file name: a pair per line, English, French, and a word if it is held out."""
    held = {True: f"\t{HELD_OUT}", False: ""}
    lines = (f"{s.english}\t{s.french}{held[corpus.is_held_out(s)]}\n" for s in corpus.corpus())
    return {EMBEDDED: "".join(lines).encode()}
