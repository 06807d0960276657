"""Captioned pictures: the names that the field knows. How: `utils/captioning/data.py`."""

from utils.captioning.data import decode_captions, load_coco_data, sample_coco_minibatch

__all__ = ["decode_captions", "load_coco_data", "sample_coco_minibatch"]
