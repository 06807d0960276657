"""The lesson `seq2seq`: a translator from French to English.

    explorer.py     write a sentence, and see its translation, and where each word looks
    exporting.py    the translator as the explorer's page reads it
    plots.py        the figures: similarities, losses, quality by length, alignment maps
    training.py     batches, the training loop, translating many sentences, beam search
    scores.py       BLEU, and BLEU by length
    stand_ins.py    parts in place of yours, so that one part is judged without the others
    model.py        encoder, decoders and what ties them, with gaps for your attention
    interface.py    what a translator must offer, and how the functions that you write are called
    pairs.py        reading sentence pairs, and padding them into batches
    vocabulary.py   words as numbers

Arrows point down the list, and from it to `french/`, `alive/` and `common/`.
"""
