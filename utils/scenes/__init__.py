"""Small pictures of coloured shapes with captions, so that captioning can be learned without a download.

    dataset.py     the scenes laid down as files in the form of COCO's
    features.py    the 64 numbers that a small trained network sees in a picture; features.npz holds it
    grammar.py     the sentences that may be said of a scene, and whether one is true
    scene.py       what a scene is, which scenes there are, and drawing them

Arrows point down the list, and from `dataset.py` to `coco/`.
"""
