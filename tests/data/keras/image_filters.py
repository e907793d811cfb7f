"""Writes image_filters.json beside itself: what Keras' layers that blur, sharpen, stretch and equalize images make of some, with nothing left to chance.

TF_ENABLE_ONEDNN_OPTS=0 python image_filters.py (Keras 3.15 on TensorFlow 2.21). Most cases have a range of one number for what is drawn; a
window's two deviations differ only where `deviations` gives them to RandomGaussianBlur. A channel of equal values in an image has no number
for AutoContrast's gradient there: it has none of those.
"""
import json
import os

import keras
import numpy as np
import tensorflow as tf

HERE = os.path.dirname(os.path.abspath(__file__))
SHAPE = (2, 5, 4, 3)


def array(values):
    values = np.asarray(values, np.float32)
    return {"shape": list(values.shape), "values": [float(f"{v:.9g}") for v in values.ravel()]}


def add(class_name, config, name, deviations=None):
    layer = getattr(keras.layers, class_name)(**config)
    x = tf.constant(images[name])
    case = {"class_name": class_name, "config": config, "images": name}
    with tf.GradientTape() as tape:
        tape.watch(x)
        if deviations is None:
            y = layer(x, training=True)
        else:
            case["deviations"] = deviations
            y = layer.transform_images(x, {"should_apply_blur": tf.fill([len(x)], True), "blur_factor": tf.constant(deviations)}, training=True)
        loss = tf.reduce_sum(y * r)
    assert np.array_equal(layer(x, training=False), y if class_name == "AutoContrast" else x)
    case["output"] = array(y)
    gradient = tape.gradient(loss, x, unconnected_gradients="zero").numpy()
    is_number = class_name != "AutoContrast" or name != "flat"
    assert np.isfinite(gradient).all() == is_number
    if is_number:
        case["gradient"] = array(gradient)
    cases.append(case)


random = np.random.default_rng(7)
parts = random.uniform(0, 1, SHAPE)
r = random.uniform(-1, 1, SHAPE).astype(np.float32)
images = {"bytes": 255 * parts, "parts": parts, "signed": 2 * parts - 1, "few": np.round(4 * parts) * 50 + 20, "flat": 255 * parts, "one": np.round(255 * parts)}
images["flat"][0, :, :, 1], images["flat"][1, :, :, 2], images["flat"][1, :, :, 0] = 33, 0, 255
images["one"][..., 1] = 40
images = {name: np.float32(values) for name, values in images.items()}
cases = []
for name, value_range in {"bytes": [0.0, 255.0], "parts": [0.0, 1.0], "signed": [-0.6, 0.7]}.items():
    for factor in (0.0, 0.3, 0.5, 1.0):
        add("RandomSharpness", {"factor": [factor, factor], "value_range": value_range}, name)
    for config in ({"kernel_size": 3, "sigma": [0.7, 0.7]}, {"kernel_size": [5, 5], "sigma": [0.0, 0.0]}, {"kernel_size": [5, 5], "sigma": [1.0, 1.0]},
                   {"kernel_size": [3, 3], "factor": [0.0, 0.0]}):
        add("RandomGaussianBlur", {"factor": [1.0, 1.0], **config, "value_range": value_range}, name)
    add("AutoContrast", {"value_range": value_range}, name)
for size, deviations in (((3, 3), [0.5, 1.5]), ((3, 5), [0.6, 0.9]), ((5, 3), [2.0, 0.8]), ((1, 7), [0.4, 1.2]), ((9, 9), [1.0, 3.0])):
    add("RandomGaussianBlur", {"kernel_size": list(size), "value_range": [0.1, 0.9]}, "parts", deviations)
for value_range in ([0.0, 255.0], [0.0, 300.0], [-1.0, 1.0]):
    add("AutoContrast", {"value_range": value_range}, "few")
    add("AutoContrast", {"value_range": value_range}, "flat")
for bins in (256, 16, 2, 1):
    add("Equalization", {"bins": bins}, "bytes")
    add("Equalization", {"bins": bins, "value_range": [0.0, 1.0]}, "parts")
    add("Equalization", {"bins": bins, "value_range": [-0.6, 0.7]}, "signed")
    add("Equalization", {"bins": bins}, "one")
add("Equalization", {}, "few")
with open(os.path.join(HERE, "image_filters.json"), "w") as file:
    json.dump({"images": {name: array(values) for name, values in images.items()}, "r": array(r), "cases": cases}, file, separators=(",", ":"))
    file.write("\n")
