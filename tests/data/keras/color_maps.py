"""Writes color_maps.json beside itself: what Keras' layers of colours make of two images, with nothing left to chance.

TF_ENABLE_ONEDNN_OPTS=0 python color_maps.py (Keras 3.15 on TensorFlow 2.21). Most cases have a range of one number for their factor; those of
layers whose ranges can't be that have the `amount` (and `threshold`) that stands for what is drawn. TensorFlow has no gradient of HSVToRGB,
which hue and saturation go through: their cases have none.
"""
import json
import os

import keras
import numpy as np
import tensorflow as tf

HERE = os.path.dirname(os.path.abspath(__file__))
SHAPE = (2, 5, 4, 3)
RANGES = {"bytes": [0.0, 255.0], "parts": [0.0, 1.0], "signed": [-1.0, 1.0]}
# By the class: configurations without value_range.
LAYERS = {
    "RandomBrightness": [{"factor": [0.3, 0.3]}, {"factor": [-0.45, -0.45]}],
    "RandomSaturation": [{"factor": [0.3, 0.3]}, {"factor": [0.8, 0.8]}, {"factor": [0.0, 0.0]}, {"factor": [1.0, 1.0]},
                         {"factor": [-0.4, -0.4]}],
    "RandomColorDegeneration": [{"factor": [0.35, 0.35]}, {"factor": [-0.6, -0.6]}, {"factor": [1.0, 1.0]}],
    "RandomInvert": [{"factor": [1.0, 1.0]}, {"factor": [0.0, 0.0]}],
    "Solarization": [{}],
    "RandomPosterization": [{"factor": [1, 1]}, {"factor": [3, 3]}, {"factor": [6, 6]}, {"factor": [8, 8]}],
    "RandomGrayscale": [{"factor": 1.0}, {"factor": 0.0}],
    "RandomColorJitter": [{"brightness_factor": [0.2, 0.2], "contrast_factor": [0.0, 0.0]},
                          {"brightness_factor": [-0.1, -0.1], "saturation_factor": [0.6, 0.6]}],
}
# What these draw, under Keras' names, and some of it.
DRAWN = {
    "RandomContrast": (["contrast_factor"], [{"amount": 0.3}, {"amount": 1.7}]),
    "RandomHue": (["factor"], [{"amount": 0.2}, {"amount": -0.2}, {"amount": 0.5}, {"amount": -0.45}]),
    "Solarization": (["additions", "thresholds"], [{"amount": 20.0, "threshold": 90.0}, {"amount": 140.0, "threshold": 200.0}]),
}
RANKS = {"RandomContrast": (1, 1, 1), "RandomHue": (), "Solarization": (1, 1, 1)}


def array(values):
    values = np.asarray(values, np.float32)
    return {"shape": list(values.shape), "values": [float(f"{v:.9g}") for v in values.ravel()]}


def add(class_name, config, name, drawn):
    layer = getattr(keras.layers, class_name)(**config)
    x = tf.constant(images[name])
    assert np.array_equal(layer(x, training=False), x)
    case = {"class_name": class_name, "config": config, "images": name}
    with tf.GradientTape() as tape:
        tape.watch(x)
        if drawn:
            case.update(drawn)
            names = DRAWN[class_name][0]
            y = layer.transform_images(x, {n: tf.fill((len(x),) + RANKS[class_name], v) for n, v in zip(names, drawn.values())}, training=True)
        else:
            y = layer(x, training=True)
        loss = tf.reduce_sum(y * r)
    case["output"] = array(y)
    if class_name not in ("RandomSaturation", "RandomHue") and not config.get("saturation_factor"):
        gradient = tape.gradient(loss, x)
        case["gradient"] = array(tf.zeros_like(x) if gradient is None else gradient)
    cases.append(case)


random = np.random.default_rng(2)
parts = random.uniform(0, 1, SHAPE).astype(np.float32)
parts[0, 0] = [[0.5, 0.5, 0.5], [1, 0, 0], [0, 0, 0], [0.25, 0.75, 0.25]]
r = random.uniform(-1, 1, SHAPE).astype(np.float32)
images = {name: np.float32(low + (high - low) * parts) for name, (low, high) in RANGES.items()}
cases = []
for name, value_range in RANGES.items():
    for class_name, configs in LAYERS.items():
        for config in configs:
            add(class_name, config if class_name == "RandomGrayscale" else {**config, "value_range": value_range}, name, None)
    for class_name, (_, amounts) in DRAWN.items():
        config = {"value_range": value_range} if class_name == "Solarization" else {"factor": 0.5, "value_range": value_range}
        for drawn in amounts:
            add(class_name, config, name, drawn)
with open(os.path.join(HERE, "color_maps.json"), "w") as file:
    json.dump({"images": {name: array(values) for name, values in images.items()}, "r": array(r), "cases": cases}, file,
              separators=(",", ":"))
    file.write("\n")
