"""The models of the tables as data; every peer builds its own from them. tests/bench/cpu_step/bench_models.cpp has the same."""
import collections
import math

Conv = collections.namedtuple("Conv", "filters size padding stride activation bias", defaults=(1, "relu", True))
Pool = collections.namedtuple("Pool", "")                      # 2x2 by 2, the maximum
Mean = collections.namedtuple("Mean", "dimensions")            # over all places of pictures (2) or of sequences (1)
Flatten = collections.namedtuple("Flatten", "")
Sequence = collections.namedtuple("Sequence", "length width")  # a picture's places one after the other
Dense = collections.namedtuple("Dense", "units activation")
Relu = collections.namedtuple("Relu", "")
BatchNorm = collections.namedtuple("BatchNorm", "")            # momentum 0.99, epsilon 0.001
LayerNorm = collections.namedtuple("LayerNorm", "")            # epsilon 1e-6
Positions = collections.namedtuple("Positions", "")            # a trained value for each place of a sequence, added
Attention = collections.namedtuple("Attention", "heads size")  # a sequence's to itself, with biases
Residual = collections.namedtuple("Residual", "layers shortcut", defaults=((),))
Embedding = collections.namedtuple("Embedding", "words width")
Lstm = collections.namedtuple("Lstm", "units")
Model = collections.namedtuple("Model", "shape layers")        # shape of one sample; the last layer's units are the classes

BATCH_NORM_MOMENTUM, BATCH_NORM_EPSILON, LAYER_NORM_EPSILON = 0.99, 1e-3, 1e-6
POSITIONS_DEVIATION = 0.02


def _vgg(blocks, units):
    layers = []
    for block in blocks:
        layers += [Conv(filters, 3, "same") for filters in block] + [Pool()]
    return layers + [Flatten(), Dense(units, "relu"), Dense(10, "linear")]


def _resnet(filters_of_stages, blocks):
    """The starter project's ResNet without its mirrored pictures and penalties, which no other model of the tables has either."""
    def conv(filters, size, stride=1):
        return [Conv(filters, size, "same", stride, "linear", False), BatchNorm()]

    layers, before = [*conv(filters_of_stages[0], 3), Relu()], filters_of_stages[0]
    for filters in filters_of_stages:
        for _ in range(blocks):
            stride = 1 if filters == before else 2
            main = (*conv(filters, 3, stride), Relu(), *conv(filters, 3))
            layers += [Residual(main, () if stride == 1 else tuple(conv(filters, 1, stride))), Relu()]
            before = filters
    return [*layers, Mean(2), Dense(10, "linear")]


def _transformer(patch, length, width, blocks, heads, hidden):
    """The starter project's vision transformer without its mirrored pictures and dropout."""
    layers = [Conv(width, patch, "valid", patch, "linear"), Sequence(length, width), Positions()]
    for _ in range(blocks):
        layers += [Residual((LayerNorm(), Attention(heads, width // heads))),
                   Residual((LayerNorm(), Dense(hidden, "gelu"), Dense(width, "linear")))]
    return [*layers, LayerNorm(), Mean(1), Dense(10, "linear")]


MODELS = {
    "tutorial": Model((28, 28, 1), [Conv(32, 3, "valid"), Pool(), Flatten(), Dense(64, "relu"), Dense(10, "linear")]),
    "book": Model((28, 28, 1), [Conv(32, 5, "same"), Pool(), Conv(64, 5, "same"), Pool(), Flatten(), Dense(500, "relu"), Dense(10, "linear")]),
    "vgg": Model((32, 32, 3), _vgg([(32, 32), (64, 64), (128, 128)], 128)),
    "vgg_wide": Model((32, 32, 3), _vgg([(64, 64), (128, 128), (256, 256, 256)], 512)),
    "lstm": Model((80,), [Embedding(10000, 64), Lstm(64), Dense(2, "linear")]),
    "resnet20": Model((32, 32, 3), _resnet((16, 32, 64), 3)),
    "transformer": Model((32, 32, 3), _transformer(4, 64, 64, 6, 4, 128)),
}
SAMPLES = 4096


def is_text(model):
    return isinstance(model.layers[0], Embedding)


def output_shape(layer, shape):
    """Of one sample that has `shape` before the layer."""
    kind = type(layer).__name__
    if kind == "Conv":
        lost = 0 if layer.padding == "same" else layer.size - 1
        return (*(-((lost - places) // layer.stride) for places in shape[:2]), layer.filters)
    if kind == "Pool":
        return (shape[0] // 2, shape[1] // 2, shape[2])
    if kind in ("Mean", "Lstm"):
        return (layer.units if kind == "Lstm" else shape[-1],)
    if kind == "Flatten":
        return (math.prod(shape),)
    if kind == "Sequence":
        return (layer.length, layer.width)
    if kind == "Dense":
        return (*shape[:-1], layer.units)
    if kind == "Embedding":
        return (*shape, layer.width)
    return behind(layer.layers, shape) if kind == "Residual" else shape


def behind(layers, shape):
    for layer in layers:
        shape = output_shape(layer, shape)
    return shape


def _own_parameters(layer, shape):
    kind, width = type(layer).__name__, shape[-1]
    if kind == "Conv":
        return (layer.size ** 2 * width + layer.bias) * layer.filters
    if kind == "Dense":
        return (width + 1) * layer.units
    if kind in ("BatchNorm", "LayerNorm"):
        return 2 * width
    if kind == "Positions":
        return math.prod(shape)
    if kind == "Attention":
        inner = layer.heads * layer.size
        return 3 * (width + 1) * inner + (inner + 1) * width
    if kind == "Residual":
        return parameters(layer.layers, shape) + parameters(layer.shortcut, shape)
    if kind == "Embedding":
        return layer.words * layer.width
    return 4 * layer.units * (width + layer.units + 1) if kind == "Lstm" else 0


def parameters(layers, shape):
    """Trained values of the layers on samples of `shape`: the same number for every peer and for ours."""
    count = 0
    for layer in layers:
        count, shape = count + _own_parameters(layer, shape), output_shape(layer, shape)
    return count


def expect_parameters(name, found):
    """Raises ValueError where a peer has built another model than the others."""
    expected = parameters(MODELS[name].layers, MODELS[name].shape)
    if found != expected:
        raise ValueError(f"{name}: expected {expected:,} trained values, got {found:,}")


def samples(name, seed=1):
    """uint8 pictures (N, H, W, C) or int32 words (N, T), and int64 classes."""
    import numpy as np
    model, random = MODELS[name], np.random.default_rng(seed)
    top, kind = (model.layers[0].words, np.int32) if is_text(model) else (256, np.uint8)
    return (random.integers(0, top, (SAMPLES, *model.shape)).astype(kind),
            random.integers(0, model.layers[-1].units, SAMPLES).astype(np.int64))
