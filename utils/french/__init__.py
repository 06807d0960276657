"""French-English sentence pairs that a grammar writes, so that translation can be learned without a download.

    corpus.py      the pairs, in the form of Tatoeba's file, and which of them are held out of training
    sentences.py   what can be said: one generator per family of sentences
    grammar.py     how it is spelt: agreement, elision, contraction, negation
    lexicon.py     the words, as tables
    normalise.py   lower case without accents, and the subset that trains in minutes

Arrows point down the list.
"""
