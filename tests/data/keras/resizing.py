"""Resizing and CenterCrop as Keras computes them: python resizing.py (writes beside itself)."""
import numpy as np

from golden import layer_case, write

random = np.random.default_rng(12)
SHAPE = (1, 5, 7, 2)


def cases():
    for interpolation in ("bilinear", "nearest"):
        for height, width in ((5, 7), (9, 10), (3, 4), (2, 13), (1, 1), (15, 3)):
            for aspect in ({}, {"crop_to_aspect_ratio": True}, {"pad_to_aspect_ratio": True, "fill_value": 0.75}):
                name = f"Resizing to {height} x {width}, {interpolation} {' '.join(aspect)}"
                yield layer_case(random, name, "Resizing", SHAPE, height=height, width=width, interpolation=interpolation, **aspect)
    for height, width in ((3, 4), (4, 3), (6, 7), (6, 3), (2, 9), (11, 12)):
        yield layer_case(random, f"CenterCrop to {height} x {width}", "CenterCrop", SHAPE, height=height, width=width)


write("resizing.json", list(cases()))
