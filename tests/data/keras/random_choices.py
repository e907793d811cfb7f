"""Writes random_choices.json beside itself: what Keras' RandAugment makes of images where the two layers that it draws are given.

TF_ENABLE_ONEDNN_OPTS=0 python random_choices.py (Keras 3.15 on TensorFlow 2.21). The factor has one number, and only layers stand here that
then leave nothing to chance: Solarization, RandomContrast and RandomShear do for 0 alone, RandomPosterization below 3/8. TensorFlow's
gradient of a moved image is none, but that of the image moved back: cases with such a layer have no gradient.
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


def add(first, second, factor, name, value_range, interpolation="bilinear"):
    config = {"num_ops": 2, "factor": [factor, factor], "value_range": value_range, "interpolation": interpolation}
    layer = keras.layers.RandAugment(**config)
    classes = [type(getattr(layer, attribute)).__name__ for attribute in layer._AUGMENT_LAYERS]
    x = tf.constant(images[name])
    outputs = []
    for seed in range(2):  # whatever is drawn
        keras.utils.set_random_seed(seed)
        transformation = layer.get_random_transformation(x, training=True)
        transformation["layer_idxes"] = tf.constant([classes.index(first), classes.index(second)])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = layer.transform_images(x, transformation, training=True)
            loss = tf.reduce_sum(y * r)
        outputs.append(y.numpy())
    assert np.array_equal(*outputs), (first, second)
    assert np.array_equal(layer(x, training=False), x)
    case = {"config": config, "layers": [first, second], "images": name, "output": array(outputs[0])}
    if not {first, second} & {"RandomTranslation", "RandomRotation"}:
        gradient = tape.gradient(loss, x).numpy()
        assert np.isfinite(gradient).all()
        case["gradient"] = array(gradient)
    cases.append(case)


random = np.random.default_rng(5)
parts = random.uniform(0, 1, SHAPE)
r = random.uniform(-1, 1, SHAPE).astype(np.float32)
images = {name: np.float32(values) for name, values in {"bytes": 255 * parts, "parts": parts, "signed": 2 * parts - 1}.items()}
cases = []
for name, value_range in {"bytes": [0.0, 255.0], "parts": [0.0, 1.0], "signed": [-0.6, 0.7]}.items():
    add("RandomTranslation", "RandomBrightness", 0.3, name, value_range)
    add("RandomColorDegeneration", "RandomRotation", 0.3, name, value_range)
    if name != "signed":  # beyond the range, bytes of Keras begin anew
        add("RandomPosterization", "RandomSharpness", 0.3, name, value_range)
    add("AutoContrast", "RandomTranslation", 0.25, name, value_range, "nearest")
    add("Equalization", "RandomColorDegeneration", 0.6, name, value_range)
    add("Solarization", "RandomShear", 0.0, name, value_range)
    add("RandomBrightness", "RandomBrightness", 0.1, name, value_range)
    add("RandomContrast", "RandomShear", 0.0, name, value_range)
    add("AutoContrast", "RandomBrightness", 0.3, name, value_range)
with open(os.path.join(HERE, "random_choices.json"), "w") as file:
    json.dump({"images": {name: array(values) for name, values in images.items()}, "r": array(r), "cases": cases}, file, separators=(",", ":"))
    file.write("\n")
