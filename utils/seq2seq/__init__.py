"""The lesson `seq2seq`: a translator from French to English.

    cases.py            the small cases that a failed check draws
    case_stand_ins.py   modules in place of the lesson's other parts, for these
    check/              what each check does with your object
    drawings.py         the diagrams
    explorer.py         write a sentence, and see its translation, and where each word looks
    page/               the explorer's page: ES modules
    exporting.py        the translator as the explorer's page reads it
    plots.py            the figures: similarities, losses, quality by length, alignment maps
    training.py         batches, the training loop, translating many sentences, beam search
    scores.py           BLEU, and BLEU by length
    stand_ins.py        parts in place of yours, so that one part is judged without the others
    model.py            encoder, decoders and what ties them, with gaps for your attention
    interface.py        what a translator must offer, and how the functions that you write are called
    pairs.py            reading sentence pairs, those held out of training, and padding them into batches
    vocabulary.py       words as numbers
    normalise.py        lower case without accents, and the subset that trains in minutes
    made/               generated: the checks' answers and small cases, the outline, translations; the embedded pairs

A module imports only from lines below its own, and from `alive/`, `checks/`, `drawings/` and `common/`.
"""
