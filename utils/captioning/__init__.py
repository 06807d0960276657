"""The lesson `captioning`: a Transformer that describes pictures.

    explorer.py    change a scene, and see what your model writes, and where each word looks
    exporting.py   the model as the explorer's page reads it
    plots.py       the figures: pictures with captions, attention maps, scores
    looking.py     where a model looks: among its words, and on a picture
    scores.py      BLEU-4, and whether a caption is true of its scene
    pictures.py    the picture at an address
    data.py        captioned pictures as one dictionary, minibatches, captions as text
    model.py       the model without its `forward`, which you write
    stand_ins.py   layers in place of yours, so that one part is judged without the others
    layers.py      the layers that you write (as scaffolds), and the decoder that consists of them
    search.py      writing captions: greedily or with a beam, with or without the cache
    scaffolds.py   `install`: all models made later are built with your class
    interface.py   the methods and attributes that every captioning model has
    cache.py       keys and values that are kept while a caption grows

Arrows point down the list, and from it to `scenes/`, `alive/`, `coco/` and
`common/`.
"""
