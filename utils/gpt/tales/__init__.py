"""Tales about people with invented names, written and judged by a grammar: a language model's data without a download.

    letters.py   letters as numbers, and tales as rows of them
    judge.py     whether a text's sentences are well formed, and which names it has
    grammar.py   the tales

Arrows point down the list.
"""
