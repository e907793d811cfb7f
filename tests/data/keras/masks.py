"""Masks as Keras computes them: models of layers with a mask on its way, their gradients, and steps with loss and metrics that a mask
weighs: python masks.py (writes beside itself)."""
from functools import partial

import numpy as np

import golden
from golden import array, inner, keras, write

random = np.random.default_rng(13)
IDS = np.array([[3, 1, 0, 0, 2], [0, 4, 2, 0, 0], [0, 0, 0, 5, 0], [1, 2, 3, 4, 5]], np.int32)
MASKED = -1.0


def sequences():
    x = random.uniform(-1, 1, (4, 5, 3)).astype(np.float32)
    x[IDS == 0] = MASKED
    x[3, 1, :2] = MASKED  # not all of its features
    return x


layers_case = partial(golden.layers_case, random)

EMBEDDING = inner("Embedding", input_dim=6, output_dim=3, mask_zero=True)
MASKING = inner("Masking", mask_value=MASKED)


def layer_cases():
    for source, x in ((EMBEDDING, IDS), (MASKING, sequences())):
        for cell in ("SimpleRNN", "LSTM", "GRU"):
            for config in ({}, {"return_sequences": True}, {"return_sequences": True, "zero_output_for_mask": True},
                           {"zero_output_for_mask": True}, {"return_sequences": True, "go_backwards": True}, {"go_backwards": True}):
                yield layers_case(f"{source['class_name']} {cell} {config}", x, [source, inner(cell, units=2, **config)])
        yield layers_case(f"{source['class_name']} GRU reset before", x, [source, inner("GRU", units=2, reset_after=False)])
        yield layers_case(f"{source['class_name']} two LSTMs", x,
                          [source, inner("LSTM", units=2, return_sequences=True), inner("Dropout", rate=0.0), inner("LSTM", units=2)])
        for mode in ("concat", "sum"):
            yield layers_case(f"{source['class_name']} Bidirectional {mode}", x,
                              [source, inner("Bidirectional", layer=inner("LSTM", units=2, return_sequences=True), merge_mode=mode),
                               inner("Bidirectional", layer=inner("GRU", units=2))])
        yield layers_case(f"{source['class_name']} turned", x,
                          [source, inner("Bidirectional", layer=inner("SimpleRNN", units=2, return_sequences=True, go_backwards=True),
                                         backward_layer=inner("GRU", units=3, return_sequences=True))])
        yield layers_case(f"{source['class_name']} passes", x,
                          [source, inner("Dense", units=4, activation="tanh"), inner("LayerNormalization", epsilon=0.1),
                           inner("TimeDistributed", layer=inner("Dense", units=3)), inner("PReLU"), inner("Activation", activation="softmax"),
                           inner("UnitNormalization"), inner("GroupNormalization", groups=1, epsilon=0.1), inner("Rescaling", scale=2.0),
                           inner("ELU"), inner("LeakyReLU"), inner("ReLU", negative_slope=0.25), inner("GRU", units=2)])
        for stops in (inner("Conv1D", filters=3, kernel_size=1), inner("MaxPooling1D", pool_size=1), inner("Reshape", target_shape=[5, 3]),
                      inner("Permute", dims=[1, 2]), inner("ZeroPadding1D", padding=1), inner("UpSampling1D", size=1)):
            yield layers_case(f"{source['class_name']} stopped by {stops['class_name']}", x, [source, stops, inner("SimpleRNN", units=2)])
    x = sequences()
    x[2, 2] = 0.5  # a mean of nothing is not a number
    yield layers_case("GlobalAveragePooling1D", x, [MASKING, inner("GlobalAveragePooling1D")])
    yield layers_case("GlobalAveragePooling1D keepdims", x, [MASKING, inner("Dense", units=2), inner("GlobalAveragePooling1D", keepdims=True)])
    for axis in (-1, 1):
        yield layers_case(f"BatchNormalization {axis}", x, [MASKING, inner("BatchNormalization", axis=axis, epsilon=0.1, momentum=0.75)])
    yield layers_case("BatchNormalization within", x,
                      [MASKING, inner("Dense", units=4), inner("BatchNormalization", epsilon=0.1), inner("LSTM", units=2)])
    yield layers_case("BatchNormalization not training", x, [MASKING, inner("BatchNormalization", epsilon=0.1)], training=False)
    yield layers_case("Masking of rows", random.choice([0.0, 1.0], (4, 2)).astype(np.float32), [inner("Masking"), inner("Dense", units=2)])
    yield layers_case("Masking twice", x, [MASKING, inner("Masking", mask_value=0.5), inner("SimpleRNN", units=2, return_sequences=True)])
    images = random.uniform(-1, 1, (2, 3, 4, 2)).astype(np.float32)
    images[0, 1, :2] = images[1, 0, 2:] = images[1, 2, 1] = MASKED
    for layer in (inner("LSTM", units=2), inner("GRU", units=2, return_sequences=True), inner("GlobalAveragePooling1D"),
                  inner("Conv1D", filters=2, kernel_size=2)):
        yield layers_case(f"TimeDistributed {layer['class_name']}", images, [MASKING, inner("TimeDistributed", layer=layer)])


def training_case(name, x, layers, y, loss, metrics):
    model = golden.started(random, x, layers)
    before = [array(weight) for weight in model.weights]
    model.compile(keras.optimizers.SGD(0.5), getattr(keras.losses, loss["class_name"])(**loss["config"]), metrics=metrics)
    result = model.train_on_batch(x, y, return_dict=True)
    after = [array(weight) for weight in model.weights]
    evaluated = model.test_on_batch(x, y, return_dict=True)
    return {"name": name, "layers": layers, "input": array(x), "ids": x.dtype == np.int32, "labels": array(y), "loss": loss,
            "metrics": metrics, "weights": before, "weights_after": after, "trained": {key: float(value) for key, value in result.items()},
            "evaluated": {key: float(value) for key, value in evaluated.items()}}


def training_cases():
    tagger = [EMBEDDING, inner("LSTM", units=4, return_sequences=True), inner("Dense", units=3, activation="softmax")]
    classes = random.integers(0, 3, IDS.shape).astype(np.int32)
    sparse = ["sparse_categorical_accuracy", "sparse_categorical_crossentropy", "sparse_top_k_categorical_accuracy"]
    for reduction in ("sum_over_batch_size", "mean_with_sample_weight", "sum"):
        yield training_case(f"tagger, {reduction}", IDS, tagger, classes, inner("SparseCategoricalCrossentropy", reduction=reduction), sparse)
    yield training_case("tagger that ignores a class", IDS, tagger, classes, inner("SparseCategoricalCrossentropy", ignore_class=1), [])
    x = sequences()
    regression = [MASKING, inner("GRU", units=3, return_sequences=True), inner("Dense", units=2)]
    values = random.uniform(-1, 1, (4, 5, 2)).astype(np.float32)
    yield training_case("regression", x, regression, values, inner("MeanSquaredError"),
                        ["mean_absolute_error", "mean_squared_error", "cosine_similarity", "root_mean_squared_error"])
    two_ways = [MASKING, inner("Bidirectional", layer=inner("SimpleRNN", units=2, return_sequences=True)),
                inner("TimeDistributed", layer=inner("Dense", units=1, activation="sigmoid"))]
    yield training_case("two ways", x, two_ways, (values[:, :, :1] > 0).astype(np.float32), inner("BinaryCrossentropy"),
                        ["binary_accuracy", "auc", "precision", "recall"])
    rows = np.array([[1, 2], [0, 0], [3, 1], [0, 1]], np.float32)
    yield training_case("rows", rows, [inner("Masking"), inner("Dense", units=3, activation="softmax")], np.array([0, 1, 2, 1], np.int32),
                        inner("SparseCategoricalCrossentropy"), ["sparse_categorical_accuracy"])
    yield training_case("classifier", IDS, [EMBEDDING, inner("LSTM", units=4), inner("Dense", units=3, activation="softmax")],
                        np.array([0, 1, 2, 1], np.int32), inner("SparseCategoricalCrossentropy"), ["sparse_categorical_accuracy"])


write("masks.json", {"layers": list(layer_cases()), "training": list(training_cases())})
