"""The lesson `captioning`: a Transformer that describes pictures.

    explorer.py    choose a scene, change it, point at a word and see where it looks
    plots.py       the figures: pictures with captions, attention maps, scores
    looking.py     where a model looks: among its words, and on a picture
    scores.py      BLEU-4, and whether a caption is true of its scene
    pictures.py    the picture behind an address
    data.py        captioned pictures as one dictionary, minibatches, captions as text
    model.py       the model but for its `forward`, which you write
    stand_ins.py   layers in place of yours, so that one part is judged without the others
    layers.py      what you write (scaffolds), and the decoder that is built of it
    search.py      writing captions: greedily or with a beam, with or without the cache
    scaffolds.py   `install`: from then on everything is built with your class
    interface.py   what a captioning model must offer, whatever its class
    cache.py       keys and values that are kept while a caption grows

Arrows point down the list, and from it to `scenes/`, `coco/` and `common/`.
"""
