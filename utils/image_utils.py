"""Pictures by address: the name that the field knows. How: `utils/captioning/pictures.py`."""

from utils.captioning.pictures import image_from_url

__all__ = ["image_from_url"]
