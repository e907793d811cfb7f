"""Residual as exported code defines it, computed by Keras: python residual.py (writes beside itself). Layers with their gradients and what a
call that trains leaves in them, and five steps of a small net of such blocks."""
from functools import partial

import numpy as np

import golden
from golden import array, inner, keras, write

random = np.random.default_rng(29)
layers_case = partial(golden.layers_case, random)
NORM = {"epsilon": 0.1, "momentum": 0.75}


def conv(filters, size, **config):
    return inner("Conv2D", filters=filters, kernel_size=size, padding="same", **config)


def block(filters, strides=1):
    layers = [conv(filters, 3, strides=strides, use_bias=False), inner("BatchNormalization", **NORM), inner("Activation", activation="relu"),
              conv(filters, 3, use_bias=False), inner("BatchNormalization", **NORM)]
    if strides == 1:
        return inner("Residual", layers=layers)
    return inner("Residual", layers=layers, shortcut=[conv(filters, 1, strides=strides, use_bias=False), inner("BatchNormalization", **NORM)])


def sequences():
    x = random.uniform(-1, 1, (4, 5, 3)).astype(np.float32)
    for sample, length in enumerate((5, 3, 4, 1)):
        x[sample, length:] = 0
    return x


def layer_cases():
    images = random.uniform(-1, 1, (3, 6, 5, 2)).astype(np.float32)
    rows = random.uniform(-1, 1, (4, 3)).astype(np.float32)
    yield layers_case("identity", images, [conv(4, 3), block(4)])
    yield layers_case("strides", images, [block(4, 2), inner("Activation", activation="relu"), block(4)])
    yield layers_case("not training", images, [block(4, 2)], training=False)
    yield layers_case("both end in a bias", images, [inner("Residual", layers=[conv(3, 3, activation="tanh"), conv(5, 3)], shortcut=[conv(5, 1)])])
    yield layers_case("dense", rows, [inner("Residual", layers=[inner("Dense", units=4, activation="tanh"), inner("Dense", units=3)]),
                                      inner("Residual", layers=[inner("Dense", units=2)], shortcut=[inner("Dense", units=2)])])
    yield layers_case("no variables", rows, [inner("Dense", units=3), inner("Residual", layers=[inner("Activation", activation="tanh")])])
    yield layers_case("within another", rows,
                      [inner("Residual", layers=[inner("Dense", units=3, activation="tanh"),
                                                 inner("Residual", layers=[inner("Dense", units=3), inner("LayerNormalization", epsilon=0.1)])])])
    yield layers_case("frozen", images, [conv(4, 3), inner("Residual", trainable=False, layers=[conv(4, 3), inner("BatchNormalization", **NORM)])])
    yield layers_case("one frozen", images,
                      [inner("Residual", layers=[conv(2, 3, trainable=False), inner("BatchNormalization", **NORM), conv(2, 3)])])
    both = inner("Bidirectional", layer=inner("LSTM", units=3, return_sequences=True), merge_mode="sum")
    yield layers_case("masked", sequences(), [inner("Masking"), inner("Residual", layers=[both, inner("BatchNormalization", **NORM)]),
                                              inner("GRU", units=2)])


def training_case():
    images = random.uniform(-1, 1, (8, 8, 8, 3)).astype(np.float32)
    layers = [conv(4, 3, use_bias=False), inner("BatchNormalization"), inner("Activation", activation="relu"), block(4),
              inner("Activation", activation="relu"), block(6, 2), inner("Activation", activation="relu"), inner("GlobalAveragePooling2D"),
              inner("Dense", units=3, activation="softmax")]
    model = golden.started(random, images, layers)
    before = [array(weight) for weight in model.weights]
    labels = random.integers(0, 3, 8).astype(np.int32)
    model.compile(keras.optimizers.SGD(0.05, momentum=0.9), keras.losses.SparseCategoricalCrossentropy())
    losses = [float(model.train_on_batch(images, labels)) for _ in range(5)]
    return {"name": "five steps", "layers": layers, "input": array(images), "ids": False, "labels": array(labels), "weights": before,
            "losses": losses, "weights_after": [array(weight) for weight in model.weights]}


write("residual.json", {"layers": list(layer_cases()), "training": training_case()})
