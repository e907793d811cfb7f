"""Layers inside layers, constraints and weighted metrics as Keras computes them: python wrappers.py (writes beside itself)."""
from functools import partial

import numpy as np

import golden
from golden import array, inner, keras, write

random = np.random.default_rng(7)
layer_case = partial(golden.layer_case, random)


def layers():
    sequence = (2, 4, 3)
    for cell in ("SimpleRNN", "LSTM", "GRU"):
        yield layer_case(f"Bidirectional {cell}", "Bidirectional", sequence, layer=inner(cell, units=2))
    for mode in ("concat", "sum", "ave", "mul"):
        yield layer_case(f"Bidirectional {mode}", "Bidirectional", sequence, layer=inner("LSTM", units=2, return_sequences=True), merge_mode=mode)
    yield layer_case("Bidirectional mul of last states", "Bidirectional", sequence, layer=inner("GRU", units=3, reset_after=False), merge_mode="mul")
    yield layer_case("Bidirectional of two", "Bidirectional", sequence, layer=inner("LSTM", units=2, return_sequences=True),
                     backward_layer=inner("GRU", units=3, return_sequences=True, go_backwards=True))
    yield layer_case("Bidirectional turned", "Bidirectional", sequence, layer=inner("GRU", units=2, return_sequences=True, go_backwards=True),
                     backward_layer=inner("GRU", units=2, return_sequences=True), merge_mode="sum")
    yield layer_case("TimeDistributed Dense", "TimeDistributed", sequence, layer=inner("Dense", units=2, activation="tanh"))
    yield layer_case("TimeDistributed Dense of images", "TimeDistributed", (2, 3, 2, 4), layer=inner("Dense", units=3))
    yield layer_case("TimeDistributed LayerNormalization", "TimeDistributed", sequence, layer=inner("LayerNormalization", epsilon=0.1))
    yield layer_case("TimeDistributed softmax", "TimeDistributed", sequence, layer=inner("Activation", activation="softmax"))
    yield layer_case("TimeDistributed Flatten", "TimeDistributed", (2, 3, 2, 4), layer=inner("Flatten"))
    yield layer_case("TimeDistributed Reshape", "TimeDistributed", (2, 3, 2, 4), layer=inner("Reshape", target_shape=[4, 2]))


def constraints():
    for class_name, config in (("MaxNorm", {}), ("MaxNorm", {"max_value": 0.75, "axis": 1}), ("MaxNorm", {"max_value": 1.5, "axis": [0, 1]}),
                               ("NonNeg", {}), ("UnitNorm", {}), ("UnitNorm", {"axis": [-1]}), ("MinMaxNorm", {}),
                               ("MinMaxNorm", {"min_value": 1.25, "max_value": 1.75, "rate": 0.25, "axis": [0, 2]})):
        w = random.uniform(-1.5, 1.5, (4, 3, 2)).astype(np.float32)
        w[:, 1, 0] = 0
        yield {"class_name": class_name, "config": config, "w": array(w), "after": array(getattr(keras.constraints, class_name)(**config)(w))}


def weighted_metrics():
    for class_name, config in (("CategoricalAccuracy", {}), ("SparseCategoricalAccuracy", {}), ("BinaryAccuracy", {}), ("MeanAbsoluteError", {}),
                               ("RootMeanSquaredError", {}), ("CosineSimilarity", {}), ("AUC", {"num_thresholds": 20}), ("AUC", {"curve": "PR"}),
                               ("TruePositives", {}), ("FalseNegatives", {}), ("Precision", {}), ("Recall", {"thresholds": [0.3, 0.5, 0.7]}),
                               ("SparseTopKCategoricalAccuracy", {"k": 2})):
        metric = getattr(keras.metrics, class_name)(**config)
        case = {"class_name": class_name, "config": config, "y_true": [], "y_pred": [], "sample_weight": [], "result_after_each_batch": []}
        for _ in range(2):
            scores = random.uniform(0, 1, (6, 3)).astype(np.float32)
            classes = random.integers(0, 3, 6)
            labels = classes.astype(np.float32) if class_name.startswith("Sparse") else np.eye(3, dtype=np.float32)[classes]
            weights = random.choice([0, 0.5, 1, 2.5], 6).astype(np.float32)
            metric.update_state(labels, scores, weights)
            case["y_true"].append(array(labels))
            case["y_pred"].append(array(scores))
            case["sample_weight"].append(array(weights))
            case["result_after_each_batch"].append(np.asarray(metric.result()).tolist())
        yield case


write("wrappers.json", list(layers()))
write("constraints.json", list(constraints()))
write("weighted_metrics.json", list(weighted_metrics()))
