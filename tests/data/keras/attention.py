"""SelfAttention and PositionEmbedding as exported code defines them, computed by Keras: python attention.py (writes beside itself). Layers
with their gradients, and five steps of a small transformer."""
from functools import partial

import numpy as np

import golden
from golden import array, inner, keras, write

random = np.random.default_rng(31)
layers_case = partial(golden.layers_case, random)


def attention(heads, size, **config):
    return inner("SelfAttention", num_heads=heads, key_dim=size, **config)


def sequences():
    x = random.uniform(-1, 1, (4, 5, 3)).astype(np.float32)
    for sample, length in enumerate((5, 3, 4, 1)):
        x[sample, length:] = 0
    return x


def encoder(heads, size, width):
    return [inner("Residual", layers=[inner("LayerNormalization", epsilon=0.1), attention(heads, size)]),
            inner("Residual", layers=[inner("LayerNormalization", epsilon=0.1), inner("Dense", units=2 * width, activation="gelu"),
                                      inner("Dense", units=width)])]


def layer_cases():
    x = random.uniform(-1, 1, (3, 5, 4)).astype(np.float32)
    yield layers_case("one head", x, [attention(1, 3)])
    yield layers_case("heads", x, [inner("Dense", units=6), attention(3, 2)])
    yield layers_case("values of another size", x, [attention(2, 3, value_dim=5)])
    yield layers_case("without bias", x, [attention(2, 2, use_bias=False)])
    yield layers_case("causal", x, [attention(2, 3, use_causal_mask=True)])
    yield layers_case("one time", random.uniform(-1, 1, (3, 1, 4)).astype(np.float32), [attention(2, 3)])
    yield layers_case("many times", random.uniform(-1, 1, (2, 37, 9)).astype(np.float32), [attention(2, 17)])
    yield layers_case("not training", x, [attention(2, 3, dropout=0.5)], training=False)
    yield layers_case("frozen", x, [inner("Dense", units=4), attention(2, 3, trainable=False)])
    yield layers_case("places", x, [inner("PositionEmbedding"), inner("Dense", units=3)])
    yield layers_case("masked", sequences(), [inner("Masking"), attention(2, 3), inner("LSTM", units=2)])
    yield layers_case("masked and causal", sequences(), [inner("Masking"), attention(2, 3, use_causal_mask=True), inner("GRU", units=2)])
    yield layers_case("masked places are seen", sequences(), [inner("Masking"), attention(2, 3), inner("Flatten"), inner("Dense", units=2)])
    ids = random.integers(0, 4, (4, 6)).astype(np.int32)
    ids[:, 0] = 1
    yield layers_case("masked ids", ids, [inner("Embedding", input_dim=4, output_dim=4, mask_zero=True), inner("PositionEmbedding"),
                                          *encoder(2, 3, 4), inner("GlobalAveragePooling1D")])
    yield layers_case("encoder", x, [inner("PositionEmbedding"), *encoder(2, 3, 4), *encoder(1, 4, 4), inner("GlobalAveragePooling1D")])


def training_case():
    x = random.uniform(-1, 1, (8, 6, 5)).astype(np.float32)
    layers = [inner("Dense", units=8), inner("PositionEmbedding"), *encoder(2, 4, 8), *encoder(2, 4, 8), inner("LayerNormalization"),
              inner("GlobalAveragePooling1D"), inner("Dense", units=3, activation="softmax")]
    model = golden.started(random, x, layers)
    for weight in model.weights:
        weight.assign(weight * 0.5)
    before = [array(weight) for weight in model.weights]
    labels = random.integers(0, 3, 8).astype(np.int32)
    model.compile(keras.optimizers.SGD(0.05, momentum=0.9), keras.losses.SparseCategoricalCrossentropy())
    losses = [float(model.train_on_batch(x, labels)) for _ in range(5)]
    return {"name": "five steps", "layers": layers, "input": array(x), "ids": False, "labels": array(labels), "weights": before,
            "losses": losses, "weights_after": [array(weight) for weight in model.weights]}


write("attention.json", {"layers": list(layer_cases()), "training": training_case()})
