"""The lesson `captioning`: a Transformer that describes pictures.

    cases.py              the small cases that a failed check draws
    check/                what each check does with your object
    drawings.py           the diagrams
    decoder_drawings.py   one layer of the decoder, and the whole model
    explorer.py           change a scene, and see what your model writes, and where each word looks
    page/                 the explorer's page: ES modules
    exporting.py          the model as the explorer's page reads it
    plots.py              the figures: pictures with captions, attention maps, scores
    readings.py           what the figures show, in words, for readers who do not see them
    looking.py            where a model looks: among its words, and on a picture
    scores.py             BLEU-4, and whether a caption is true of its scene
    pictures.py           the picture at an address
    data.py               captioned pictures as one dictionary, minibatches, captions as text
    recurrent.py          a recurrent network, to compare the Transformer with
    model.py              the model without its `forward`, which you write
    stand_ins.py          layers in place of yours, so that one part is judged without the others
    layers.py             the layers that you write (as scaffolds), and the decoder that consists of them
    search.py             writing captions: greedily or with a beam, with or without the cache
    torch_attention.py    torch's attention, in place of yours
    scaffolds.py          `install`: all models made later are built with your class
    interface.py          the methods and attributes that every captioning model has
    cache.py              keys and values that are kept while a caption grows
    scenes/               pictures of coloured shapes with captions, drawn by this code
    coco/                 reading the files of COCO's captioned pictures
    made/                 generated: the checks' answers and small cases, the outline, translations

A module imports only from lines below its own, and from `alive/`, `checks/`, `drawings/` and `common/`.
"""
