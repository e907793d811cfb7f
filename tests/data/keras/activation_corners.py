"""Activations and their layers at their corners, from which a derivative is one side's or another: python activation_corners.py (writes
beside itself)."""
import keras
import numpy as np
import tensorflow as tf

from golden import array, write

NAMES = ["relu", "relu6", "leaky_relu", "elu", "selu", "celu", "gelu", "sigmoid", "hard_sigmoid", "tanh", "hard_tanh", "softplus",
         "softsign", "silu", "swish", "hard_silu", "hard_swish", "mish", "exponential", "log_sigmoid", "tanh_shrink", "soft_shrink",
         "hard_shrink", "squareplus", "sparse_plus", "sparse_sigmoid"]
ROWS = ["softmax", "log_softmax", "sparsemax"]
POINTS = np.array([[-6, -3, -1, -0.5, -0.25, -0.0, 0, 0.25, 0.5, 1, 3, 6]], np.float32)
# Ties, a value that lies exactly as far below the largest as sparsemax looks, and zeros of both signs.
TIES = np.array([[1, 0, -0.0, 0], [0, 0, -0.0, 0], [0.5, 0.5, -0.5, 0.5], [3, 2, 3, 1]], np.float32)


def case(name, class_name, x, weights=(), **config):
    layer = getattr(keras.layers, class_name)(**config)
    layer.build(x.shape)
    layer.set_weights([np.asarray(weight, np.float32) for weight in weights])
    r = np.random.default_rng(59).uniform(0.5, 1, x.shape).astype(np.float32)
    x_tensor = tf.constant(x)
    with tf.GradientTape() as tape:
        tape.watch(x_tensor)
        y = layer(x_tensor)
        loss = tf.reduce_sum(y * r)
    gradient, of_weights = tape.gradient(loss, [x_tensor, [weight.value for weight in layer.trainable_weights]])
    return {"name": f"{class_name} {name}", "class_name": class_name, "config": config, "training": True, "input": array(x),
            "weights": [array(weight) for weight in layer.weights], "output": array(y), "r": array(r), "grad_input": array(gradient),
            "grad_weights": [array(one) for one in of_weights]}


def cases():
    for name in NAMES:
        yield case(name, "Activation", POINTS, activation=name)
    for name in ROWS:
        yield case(name, "Activation", TIES, activation=name)
    for config in ({}, {"max_value": 3.0}, {"max_value": 6.0}, {"max_value": 0.0}, {"threshold": 0.5}, {"negative_slope": 0.25},
                   {"negative_slope": 0.25, "threshold": 0.5}, {"negative_slope": 0.25, "max_value": 3.0},
                   {"negative_slope": 0.25, "max_value": 6.0}, {"threshold": 0.5, "max_value": 3.0}, {"threshold": 0.5, "max_value": 6.0},
                   {"threshold": 3.0, "max_value": 1.0}, {"threshold": 3.0, "max_value": 3.0},
                   {"negative_slope": 0.25, "threshold": 0.5, "max_value": 3.0}):
        yield case(" ".join(f"{field} {value}" for field, value in config.items()), "ReLU", POINTS, **config)
    yield case("0.25", "LeakyReLU", POINTS, negative_slope=0.25)
    yield case("0", "LeakyReLU", POINTS, negative_slope=0.0)
    yield case("0.5", "ELU", POINTS, alpha=0.5)
    yield case("0", "ELU", POINTS, alpha=0.0)
    yield case("", "PReLU", POINTS, weights=[np.linspace(-0.5, 0.6, POINTS.shape[1])])
    yield case("of rows", "Softmax", TIES)


write("activation_corners.json", list(cases()))
