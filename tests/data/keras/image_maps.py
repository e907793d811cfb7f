"""Writes image_maps.json beside itself: Keras' matrices for one angle, zoom, shift and shear and for moved corners, and images read through them on TensorFlow.

TF_ENABLE_ONEDNN_OPTS=0 python image_maps.py (Keras 3.15 on TensorFlow 2.21).
"""
import json
import os

import keras
import numpy as np
from keras.src.backend.tensorflow.image import compute_homography_matrix

HERE = os.path.dirname(os.path.abspath(__file__))
HEIGHT, WIDTH, CHANNELS = 5, 7, 2
MOTIONS = {
    "turn": lambda v: keras.layers.RandomRotation((v, v)),
    "zoom": lambda v: keras.layers.RandomZoom((v, v), (v / 2, v / 2)),
    "shift": lambda v: keras.layers.RandomTranslation((v, v), (-v, -v)),
}


def matrix(motion, value, image):
    layer = MOTIONS[motion](value)
    drawn = layer.get_random_transformation(image, training=True)
    if motion == "turn":
        return drawn["rotation_matrix"]
    if motion == "zoom":
        zooms = np.concatenate([drawn["width_zoom"], drawn["height_zoom"]], axis=1)
        return layer._get_zoom_matrix(zooms, HEIGHT, WIDTH)
    return layer._get_translation_matrix(drawn["translations"])


def perspective(drawn, interpolation):
    """Corners as Keras has them, (column, row), and where those of the result are."""
    corners = np.float32([[[0, 0], [WIDTH - 1, 0], [0, HEIGHT - 1], [WIDTH - 1, HEIGHT - 1]]])
    moved = corners * (1 + np.float32(drawn))
    m = compute_homography_matrix(corners, moved)
    result = keras.ops.image.perspective_transform(image, corners, moved, interpolation, 0.25)
    return {"motion": "perspective", "value": 0, "fill_mode": "constant", "interpolation": interpolation, "corners": array(moved),
            "matrix": array(m), "output": array(result)}


def array(values):
    values = np.asarray(values, np.float32)
    return {"shape": list(values.shape), "values": [float(f"{v:.9g}") for v in values.ravel()]}


image = np.random.default_rng(1).uniform(-1, 1, (1, HEIGHT, WIDTH, CHANNELS)).astype(np.float32)
cases = []
for motion, values in {"turn": [0.05, -0.3], "zoom": [0.5, -0.4, 0.9], "shift": [0.23, -0.9]}.items():
    for value in values:
        m = matrix(motion, value, image)
        for fill in ["reflect", "constant", "wrap", "nearest"]:
            for interpolation in ["bilinear", "nearest"]:
                result = keras.ops.image.affine_transform(image, m, interpolation, fill, 0.25)
                cases.append({"motion": motion, "value": value, "fill_mode": fill, "interpolation": interpolation,
                              "matrix": array(m), "output": array(result)})
for value in [0.27, 0.83]:  # no cell lies halfway between two
    m = keras.layers.RandomShear()._get_shear_matrix(np.float32([[-value / 2, value]]))
    for fill in ["reflect", "constant", "wrap", "nearest"]:
        for interpolation in ["bilinear", "nearest"]:
            result = keras.ops.image.affine_transform(image, m, interpolation, fill, 0.25)
            cases.append({"motion": "shear", "value": value, "fill_mode": fill, "interpolation": interpolation, "matrix": array(m),
                          "output": array(result)})
for scale in [0.1, 0.5]:
    for interpolation in ["bilinear", "nearest"]:
        cases.append(perspective(np.random.default_rng(3).uniform(-scale, scale, (1, 4, 2)), interpolation))
with open(os.path.join(HERE, "image_maps.json"), "w") as file:
    json.dump({"image": array(image), "fill_value": 0.25, "cases": cases}, file, separators=(",", ":"))
    file.write("\n")
