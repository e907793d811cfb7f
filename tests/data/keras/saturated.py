"""Losses and metrics of outputs that are nearly 0 and 1, which Keras takes from what goes into the model's last activation, and AUC where
predictions lie at its thresholds and outside of them: python saturated.py (writes beside itself)."""
import numpy as np
import tensorflow as tf

from golden import array, keras, write

LOGITS = np.array([[25, -25, 0.5], [-30, 2, 1], [18, -18, 17], [0, -0.25, 0.125], [-1, 40, -40]], np.float32)
INPUTS = {"logits": LOGITS, "binary": np.array([[1, 1, 0], [1, 0, 1], [0, 1, 0], [1, 0, 0], [1, 0, 1]], np.float32),
          "onehot": np.eye(3, dtype=np.float32)[[1, 0, 2, 1, 2]], "classes": np.array([1, 0, 2, 1, 2], np.float32)}
LOSSES = [("BinaryCrossentropy", {}, "sigmoid", "binary"), ("BinaryCrossentropy", {"label_smoothing": 0.1}, "sigmoid", "binary"),
          ("BinaryFocalCrossentropy", {}, "sigmoid", "binary"), ("BinaryFocalCrossentropy", {"from_logits": True}, "linear", "binary"),
          ("BinaryFocalCrossentropy", {"gamma": 1.0, "apply_class_balancing": True, "label_smoothing": 0.2}, "sigmoid", "binary"),
          ("CategoricalCrossentropy", {}, "softmax", "onehot"), ("CategoricalFocalCrossentropy", {}, "softmax", "onehot"),
          ("SparseCategoricalCrossentropy", {}, "softmax", "classes"),
          ("SparseCategoricalCrossentropy", {"ignore_class": 1}, "softmax", "classes"),
          ("SparseCategoricalCrossentropy", {"ignore_class": 1, "from_logits": True}, "softmax", "classes")]


def loss_cases():
    for loss, kwargs, activation, labels in LOSSES:
        for reduction in ("sum_over_batch_size", "sum"):
            logits = tf.constant(LOGITS)
            with tf.GradientTape() as tape:
                tape.watch(logits)
                value = getattr(keras.losses, loss)(reduction=reduction, **kwargs)(INPUTS[labels], keras.activations.get(activation)(logits))
            yield {"loss": loss, "kwargs": kwargs, "activation": activation, "y_true": labels, "y_pred": "logits", "reduction": reduction,
                   "weighted": False, "value": float(value), "gradient": array(tape.gradient(value, logits))}


def penalised_cases():
    """The same with a penalty of the output, of the layer that makes it or of a layer behind it."""
    for loss, kwargs, activation, labels in LOSSES:
        if activation == "linear" or kwargs.get("from_logits"):
            continue
        for reduction, behind in (("sum_over_batch_size", False), ("sum", True)):
            logits, penalty = tf.constant(LOGITS), 0.25
            layers = [keras.layers.Activation(activation, activity_regularizer=None if behind else keras.regularizers.L2(penalty))]
            if behind:
                layers.append(keras.layers.ActivityRegularization(l2=penalty))
            with tf.GradientTape() as tape:
                tape.watch(logits)
                output = logits
                for layer in layers:
                    output = layer(output)
                value = getattr(keras.losses, loss)(reduction=reduction, **kwargs)(INPUTS[labels], output)
                value += sum(sum(layer.losses) for layer in layers)
            yield {"loss": loss, "kwargs": kwargs, "activation": activation, "penalty": penalty, "behind": behind, "y_true": labels,
                   "y_pred": "logits", "reduction": reduction, "weighted": False, "value": float(value),
                   "gradient": array(tape.gradient(value, logits))}


def metric_case(class_name, config, batches, activation="linear"):
    metric = getattr(keras.metrics, class_name)(**config)
    case = {"class_name": class_name, "config": config, "activation": activation, "y_true": [], "y_pred": [], "result_after_each_batch": []}
    for labels, scores in batches:
        metric.update_state(labels, keras.activations.get(activation)(tf.constant(scores)))
        case["y_true"].append(array(labels))
        case["y_pred"].append(array(scores))
        case["result_after_each_batch"].append(float(metric.result()))
    return case


def entropy_cases():
    for class_name, config, activation, labels in [
            ("BinaryCrossentropy", {}, "sigmoid", "binary"), ("BinaryCrossentropy", {"from_logits": True}, "linear", "binary"),
            ("CategoricalCrossentropy", {"label_smoothing": 0.1}, "softmax", "onehot"),
            ("SparseCategoricalCrossentropy", {}, "softmax", "classes")]:
        yield metric_case(class_name, config, [(INPUTS[labels], LOGITS), (INPUTS[labels][::-1], LOGITS)], activation)


def curve_cases():
    random = np.random.default_rng(3)
    at_tenths = np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6], [0.7, 0.8, 0.9], [0, 1, 1.5], [-0.5, 0.25, 0.75], [1 / 3, 2 / 3, 0.05]], np.float32)
    at_more = np.array([[7, 14, 28], [29, 55, 57], [58, 69, 71], [81, 91, 97], [98, 1, 13], [27, 54, 83]], np.float32) / 100
    outside = random.uniform(-3, 4, (6, 3)).astype(np.float32)
    for class_name, config in [
            ("AUC", {"num_thresholds": 11}), ("AUC", {"num_thresholds": 101}), ("AUC", {}), ("AUC", {"curve": "PR"}),
            ("AUC", {"curve": "PR", "num_thresholds": 11, "summation_method": "majoring"}), ("AUC", {"num_thresholds": 2}),
            ("AUC", {"thresholds": [0.25, 0.5, 0.75]}), ("AUC", {"thresholds": [0.6, 0.3]}), ("AUC", {"thresholds": [0.333333, 0.666667]}),
            ("AUC", {"curve": "PR", "thresholds": [0.6, 0.3], "summation_method": "minoring"}),
            ("PrecisionAtRecall", {"recall": 0.5, "num_thresholds": 101}), ("RecallAtPrecision", {"precision": 0.6, "num_thresholds": 11}),
            ("SpecificityAtSensitivity", {"sensitivity": 0.5, "num_thresholds": 101})]:
        batches = [(random.integers(0, 2, (6, 3)).astype(np.float32), scores) for scores in (at_tenths, at_more, outside)]
        yield metric_case(class_name, config, batches)


write("saturated_losses.json", {"inputs": {name: array(values) for name, values in INPUTS.items()}, "cases": list(loss_cases())})
write("penalised_losses.json", {"inputs": {name: array(values) for name, values in INPUTS.items()}, "cases": list(penalised_cases())})
write("saturated_metrics.json", list(entropy_cases()) + list(curve_cases()))
