"""French-English sentence pairs made by a grammar, so that translation can be learned without a download.

    corpus.py      the pairs, in the form of Tatoeba's file, and which of them are held out of training
    sentences.py   the sentences: one generator per family
    grammar.py     their spelling: agreement, elision, contraction, negation
    lexicon.py     the words, as tables
    normalise.py   lower case without accents, and the subset that trains in minutes

Arrows point down the list.
"""
