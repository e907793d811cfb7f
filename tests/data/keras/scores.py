"""Losses and metrics that came after those of losses.json and metrics.json, as Keras computes them: python scores.py (writes beside itself)."""
import numpy as np
import tensorflow as tf

from golden import array, keras, write

random = np.random.default_rng(11)
REDUCTIONS = ("sum_over_batch_size", "mean", "mean_with_sample_weight", "sum")


def shares(*shape):
    scores = np.exp(random.uniform(-2, 2, shape))
    return (scores / scores.sum(-1, keepdims=True)).astype(np.float32)


def unit(*shape):
    vectors = random.normal(size=shape)
    return (vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)).astype(np.float32)


def loss_inputs():
    return {
        "probs": shares(5, 3), "labels": np.array([0, 2, 1, 1, 0], np.float32), "onehot": np.eye(3, dtype=np.float32)[[0, 2, 1, 1, 0]],
        "soft": random.uniform(0, 1, (5, 3)).astype(np.float32), "said": random.uniform(0, 1, (5, 3)).astype(np.float32),
        "nothing": np.zeros((5, 3), np.float32), "maps": random.uniform(0, 1, (4, 3, 2, 2)).astype(np.float32),
        "true_maps": random.integers(0, 2, (4, 3, 2, 2)).astype(np.float32), "vectors": unit(6, 4),
        "names": np.array([7, 7, 100, 7, 100, 3], np.float32), "alone": np.array([1, 2, 3, 4, 5, 6], np.float32),
        "sample_weight": np.array([0.5, 2, 0, 1.25, 1, 3], np.float32),
    }


def loss_cases(inputs):
    rows = [("CategoricalGeneralizedCrossEntropy", {}, "labels", "probs"), ("CategoricalGeneralizedCrossEntropy", {"q": 0.9}, "labels", "probs")]
    for loss, settings in (("Dice", [{}]), ("Tversky", [{}, {"alpha": 0.3, "beta": 1.5}])):
        for kwargs in settings:
            for axis in (None, [0], [1], [-1], [0, 1]):
                rows.append((loss, kwargs | {"axis": axis}, "soft", "said"))
            rows += [(loss, kwargs, "onehot", "probs"), (loss, kwargs, "nothing", "said"), (loss, kwargs | {"axis": [1]}, "nothing", "nothing")]
            for axis in (None, [1, 2, 3], [1, 2], [0, 1, 2], [2], [-1], [0], [3, -2]):
                rows.append((loss, kwargs | {"axis": axis}, "true_maps", "maps"))
    for kwargs in ({}, {"gamma": 10.0, "margin": 0.25}, {"gamma": 20.0, "remove_diagonal": False}):
        rows += [("Circle", kwargs, "names", "vectors"), ("Circle", kwargs, "alone", "vectors")]
    for loss, kwargs, y_true, y_pred in rows:
        for reduction in REDUCTIONS:
            for weighted in (False, True):
                if weighted and (inputs[y_pred].ndim != 2 or (loss in ("Dice", "Tversky") and kwargs.get("axis") == [0])):
                    continue
                weights = inputs["sample_weight"][:len(inputs[y_pred])] if weighted else None
                function = getattr(keras.losses, loss)(reduction=reduction, **kwargs)
                scores = tf.constant(inputs[y_pred])
                with tf.GradientTape() as tape:
                    tape.watch(scores)
                    value = function(inputs[y_true], scores, sample_weight=weights)
                case = {"loss": loss, "kwargs": {name: value for name, value in kwargs.items() if value is not None}, "y_true": y_true,
                        "y_pred": y_pred, "reduction": reduction, "weighted": weighted, "value": float(value)}
                case["gradient"] = array(tape.gradient(value, scores))
                yield case


def metric_data(kind, batch):
    """Labels and predictions of a batch of six."""
    scores = random.uniform(0, 1, (6, 3)).astype(np.float32)
    classes = random.integers(0, 3, 6)
    if kind == "classes":
        return classes.astype(np.float32), scores
    if kind == "rows":
        return np.eye(3, dtype=np.float32)[classes], scores
    if kind == "numbers":  # of classes, some that there are not, and broken ones
        return random.integers(-1, 5, (6, 3)).astype(np.float32), random.uniform(-1.5, 4.5, (6, 3)).astype(np.float32)
    if kind == "binary":
        return random.integers(0, 2, (6, 3)).astype(np.float32), scores
    return random.uniform(-1, 1, (6, 3)).astype(np.float32), random.uniform(-1, 1, (6, 3)).astype(np.float32)


def metric_cases():
    rows = [("PearsonCorrelation", {}, "real"), ("ConcordanceCorrelation", {}, "real"), ("R2Score", {}, "real"),
            ("R2Score", {"class_aggregation": "variance_weighted_average"}, "real"), ("R2Score", {"num_regressors": 2}, "real"),
            ("R2Score", {"num_regressors": 40}, "real"), ("IoU", {"num_classes": 3, "target_class_ids": [0, 2], "sparse_y_pred": False}, "classes"),
            ("IoU", {"num_classes": 3, "target_class_ids": [1]}, "numbers"), ("IoU", {"num_classes": 4, "target_class_ids": [0, 3], "ignore_class": 2}, "numbers"),
            ("IoU", {"num_classes": 3, "target_class_ids": [0, 1], "sparse_y_true": False, "sparse_y_pred": False}, "rows"),
            ("MeanIoU", {"num_classes": 3, "sparse_y_pred": False}, "classes"), ("MeanIoU", {"num_classes": 3, "sparse_y_pred": False, "ignore_class": 1}, "classes"),
            ("MeanIoU", {"num_classes": 5}, "numbers"), ("OneHotIoU", {"num_classes": 3, "target_class_ids": [2]}, "rows"),
            ("OneHotMeanIoU", {"num_classes": 3}, "rows"), ("OneHotMeanIoU", {"num_classes": 2}, "rows"), ("BinaryIoU", {}, "binary"),
            ("BinaryIoU", {"target_class_ids": [1], "threshold": 0.3}, "binary")]
    for class_name, field in (("PrecisionAtRecall", "recall"), ("RecallAtPrecision", "precision"), ("SensitivityAtSpecificity", "specificity"),
                              ("SpecificityAtSensitivity", "sensitivity")):
        rows += [(class_name, {field: value, **more}, "binary") for value, more in
                 ((0.5, {}), (0.9, {}), (0.6, {"num_thresholds": 1}), (0.4, {"num_thresholds": 7}), (0.5, {"class_id": 1}), (1.0, {}), (0.0, {}))]
    for class_name, config, kind in rows:
        for weighted in (False, True):
            metric = getattr(keras.metrics, class_name)(**config)
            case = {"class_name": class_name, "config": config, "y_true": [], "y_pred": [], "result_after_each_batch": []}
            if weighted:
                case["sample_weight"] = []
            for batch in range(2):
                labels, scores = metric_data(kind, batch)
                weights = random.choice([0, 1.5, 1, 2], 6).astype(np.float32)
                elements = np.repeat(weights, scores.shape[1]) if kind in ("numbers", "binary") and class_name.endswith("IoU") else weights
                metric.update_state(labels, scores, elements if weighted else None)
                case["y_true"].append(array(labels))
                case["y_pred"].append(array(scores))
                if weighted:
                    case["sample_weight"].append(array(weights))
                case["result_after_each_batch"].append(float(metric.result()))
            yield case


def orthogonal_cases():
    for shape, config in (((3, 4), {}), ((3, 4), {"mode": "columns"}), ((5, 2), {"factor": 0.5}), ((1, 3), {"factor": 0.5, "mode": "columns"})):
        w = tf.constant(random.uniform(-1, 1, shape), tf.float32)
        with tf.GradientTape() as tape:
            tape.watch(w)
            value = keras.regularizers.OrthogonalRegularizer(**config)(w)
        yield {"config": config, "w": array(w), "value": float(value), "gradient": array(tape.gradient(value, w))}


inputs = loss_inputs()
write("orthogonal.json", list(orthogonal_cases()))
write("more_metrics.json", list(metric_cases()))
write("more_losses.json", {"inputs": {name: array(values) for name, values in inputs.items()}, "cases": list(loss_cases(inputs))})
