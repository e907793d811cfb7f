"""The CTC loss as Keras computes it, with gradients: python ctc.py (writes beside itself)."""
import numpy as np
import tensorflow as tf

from golden import array, keras, write

random = np.random.default_rng(23)
REDUCTIONS = ("sum_over_batch_size", "mean", "mean_with_sample_weight", "sum")


def case(name, labels, times, classes, reduction="sum_over_batch_size", size=1.0, has_gradient=True):
    labels = np.array(labels, np.int32)
    scores = tf.constant(random.normal(size=(len(labels), times, classes)) * size, tf.float32)
    with tf.GradientTape() as tape:
        tape.watch(scores)
        value = keras.losses.CTC(reduction=reduction)(labels, scores)
    case = {"name": name, "reduction": reduction, "y_true": array(labels), "y_pred": array(scores), "value": float(value)}
    if has_gradient:
        case["gradient"] = array(tape.gradient(value, scores))
    return case


# An impossible label weighs 1e-307 in TensorFlow, whose float32 then has a few digits less for the slopes.
def cases():
    for reduction in REDUCTIONS:
        yield case("labels of each length", [[1, 2, 3], [1, 1, 0], [2, 0, 0], [0, 0, 0]], 6, 4, reduction)
    yield case("one time", [[1], [2], [0]], 1, 3)
    yield case("more columns than times", [[1, 2, 0, 0, 0, 0, 0, 0], [2, 2, 1, 0, 0, 0, 0, 0]], 5, 3)
    yield case("just enough times", [[1, 1, 1], [2, 1, 2], [1, 2, 2]], 5, 3)
    yield case("large scores", [[3, 1, 4, 1, 5], [2, 2, 2, 0, 0]], 12, 6, size=5.0)
    yield case("impossible", [[1, 1, 0], [1, 2, 2], [1, 2, 0]], 2, 3)
    yield case("impossible by far", [[1, 2, 3, 1, 2], [1, 1, 1, 1, 1]], 2, 4, has_gradient=False)


write("ctc.json", list(cases()))
