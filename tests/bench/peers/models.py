"""The models of the tables as data; every peer builds its own from them. tests/bench/cpu_step/bench_models.cpp has the same."""
import collections

Conv = collections.namedtuple("Conv", "filters size padding")  # with relu
Pool = collections.namedtuple("Pool", "")                      # 2x2 by 2, the maximum
Flatten = collections.namedtuple("Flatten", "")
Dense = collections.namedtuple("Dense", "units relu")
Embedding = collections.namedtuple("Embedding", "words width")
Lstm = collections.namedtuple("Lstm", "units")
Model = collections.namedtuple("Model", "shape layers")        # shape of one sample; the last layer's units are the classes


def _vgg(blocks, units):
    layers = []
    for block in blocks:
        layers += [Conv(filters, 3, "same") for filters in block] + [Pool()]
    return layers + [Flatten(), Dense(units, True), Dense(10, False)]


MODELS = {
    "tutorial": Model((28, 28, 1), [Conv(32, 3, "valid"), Pool(), Flatten(), Dense(64, True), Dense(10, False)]),
    "book": Model((28, 28, 1), [Conv(32, 5, "same"), Pool(), Conv(64, 5, "same"), Pool(), Flatten(), Dense(500, True), Dense(10, False)]),
    "vgg": Model((32, 32, 3), _vgg([(32, 32), (64, 64), (128, 128)], 128)),
    "vgg_wide": Model((32, 32, 3), _vgg([(64, 64), (128, 128), (256, 256, 256)], 512)),
    "lstm": Model((80,), [Embedding(10000, 64), Lstm(64), Dense(2, False)]),
}
SAMPLES = 4096


def is_text(model):
    return isinstance(model.layers[0], Embedding)


def samples(name, seed=1):
    """uint8 pictures (N, H, W, C) or int32 words (N, T), and int64 classes."""
    import numpy as np
    model, random = MODELS[name], np.random.default_rng(seed)
    top, kind = (model.layers[0].words, np.int32) if is_text(model) else (256, np.uint8)
    return (random.integers(0, top, (SAMPLES, *model.shape)).astype(kind),
            random.integers(0, model.layers[-1].units, SAMPLES).astype(np.int64))
