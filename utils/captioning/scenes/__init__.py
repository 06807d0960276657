"""Small pictures of coloured shapes with captions, so that captioning can be learned without a download.

    claims.py      what captions claim and what scenes hold, as numbers to compare
    dataset.py     the scenes written as files in COCO's form
    features.py    the 64 features of a picture, computed by a small trained network; features.npz holds its weights
    grammar.py     the sentences that can describe a scene, and whether one is true
    scene.py       what a scene is, which scenes the data set has, and drawing them

Arrows point down the list, and from `dataset.py` to `coco/`.
"""
