"""MixUp and CutMix as Keras computes them once chance has spoken: python mixes.py (writes beside itself).

A case has images, labels, who is mixed with whom, a weight for each sample, and what becomes of both. Of CutMix also the two numbers from 0
to 1 that place a box, and the box's edges.
"""
import keras
import numpy as np

from golden import array, write

random = np.random.default_rng(47)


def batch(samples, rows, columns, channels, classes):
    images = random.integers(0, 256, (samples, rows, columns, channels)).astype(np.float32)
    labels = np.eye(classes, dtype=np.float32)[random.integers(0, classes, samples)]
    return images, labels, random.permutation(samples).astype(np.int64)


def result(layer, images, labels, transformation):
    return {"images_out": array(layer.transform_images(images, transformation)),
            "labels_out": array(layer.transform_labels(labels, transformation))}


def mix_up(*sizes):
    images, labels, order = batch(*sizes)
    weights = random.uniform(0, 1, len(images)).astype(np.float32)
    weights[0] = 1
    layer = keras.layers.MixUp()
    return {"class_name": "MixUp", "images": array(images), "labels": array(labels), "order": order.tolist(), "weights": array(weights),
            **result(layer, images, labels, {"mix_weight": weights, "permutation_order": order})}


def cut_mix(*sizes):
    images, labels, order = batch(*sizes)
    weights = random.uniform(0, 1, len(images)).astype(np.float32)
    weights[0], weights[1] = 1, 0
    layer = keras.layers.CutMix()
    ratio = np.sqrt(np.float32(1) - weights)
    # A seed that is a number gives the same numbers again.
    across, down = (np.asarray(keras.random.uniform([len(images)], seed=seed)) for seed in (5, 6))
    left, right = layer._compute_crop_bounds(len(images), images.shape[2], ratio, seed=5)
    top, bottom = layer._compute_crop_bounds(len(images), images.shape[1], ratio, seed=6)
    masks, shares = layer._generate_batch_mask(images.shape, (left, right, top, bottom))
    return {"class_name": "CutMix", "images": array(images), "labels": array(labels), "order": order.tolist(), "weights": array(weights),
            "across": array(across), "down": array(down), "left": array(left), "right": array(right), "top": array(top),
            "bottom": array(bottom), "shares": array(shares),
            **result(layer, images, labels, {"mix_weight": shares, "permutation_order": order, "batch_masks": masks})}


write("mixes.json", [mix_up(4, 3, 2, 3, 3), mix_up(3, 2, 2, 1, 2), cut_mix(6, 7, 5, 2, 3), cut_mix(5, 4, 9, 1, 4)])
