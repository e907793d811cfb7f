"""Normalization as Keras computes it, and what adapt() makes of samples: python standardize.py (writes beside itself)."""
import keras
import numpy as np
import tensorflow as tf

from golden import array, write

random = np.random.default_rng(31)


def layer_case(name, shape, **config):
    layer = keras.layers.Normalization(**config)
    x = tf.constant(random.uniform(-2, 3, shape), tf.float32)
    layer(x)
    for weight in layer.weights:
        weight.assign(random.uniform(-1, 1, weight.shape) if weight.name == "mean" else np.zeros(()) if weight.name == "count"
                      else random.uniform(0.2, 3, weight.shape))
    if layer.weights:
        layer.finalize_state()
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = layer(x)
        r = random.uniform(-1, 1, y.shape).astype(np.float32)
        loss = tf.reduce_sum(y * r)
    if config.get("axis", -1) is None:
        config["axis"] = []
    return {"name": name, "class_name": "Normalization", "config": config, "training": True, "input": array(x),
            "weights": [array(weight) for weight in layer.weights], "output": array(y), "r": array(r),
            "grad_input": array(tape.gradient(loss, x)), "grad_weights": []}


def layer_cases():
    for invert in (False, True):
        word = ", inverted" if invert else ""
        yield layer_case(f"by variables{word}", (3, 5), invert=invert)
        yield layer_case(f"by variables of a middle axis{word}", (2, 3, 4, 5), axis=2, invert=invert)
        yield layer_case(f"by variables of two axes{word}", (2, 3, 4, 5), axis=[1, 2], invert=invert)
        yield layer_case(f"by variables of no axis{word}", (4, 3, 2), axis=None, invert=invert)
        yield layer_case(f"by given numbers{word}", (3, 4), mean=[0.5, -1.0, 2.0, 0.0], variance=[0.25, 4.0, 1e-16, 0.0], invert=invert)
        yield layer_case(f"by one given number{word}", (2, 3, 4), mean=0.5, variance=2.0, invert=invert)
        yield layer_case(f"by one given number of no axis{word}", (2, 3, 4), axis=None, mean=0.5, variance=2.0, invert=invert)
        yield layer_case(f"by numbers of the last of two axes{word}", (2, 3, 4, 2), axis=[1, 2], mean=[1.0, 2.0, 3.0, 4.0],
                         variance=[1.5, 2.5, 3.5, 4.5], invert=invert)


def adapted_case(name, x, **config):
    layer = keras.layers.Normalization(**config)
    layer.adapt(x)
    if config.get("axis", -1) is None:
        config["axis"] = []
    return {"name": name, "config": config, "samples": array(x), "mean": array(layer.adapt_mean), "variance": array(layer.adapt_variance)}


def adapted_cases():
    draw = lambda *shape: random.normal(3, 2, shape).astype(np.float32)
    constant = draw(20, 4)
    constant[:, 2] = 7
    yield adapted_case("columns", draw(300, 4))
    yield adapted_case("a column that does not vary", constant)
    yield adapted_case("far from zero", draw(50, 3) + np.float32(1e4))
    yield adapted_case("channels of images", draw(7, 4, 3, 2))
    yield adapted_case("rows of images", draw(7, 4, 3, 2), axis=1)
    yield adapted_case("pixels", draw(9, 4, 3, 2), axis=[1, 2])
    yield adapted_case("all values", draw(11, 6), axis=None)


write("standardize.json", list(layer_cases()))
write("adapted.json", list(adapted_cases()))
