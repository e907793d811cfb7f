"""Metrics where they divide by nothing: python undefined.py (writes beside itself). A result that is no number stands as null."""
import math

import numpy as np

from golden import array, keras, write

SAME = np.full((4, 2), 0.75, np.float32)
OTHERS = np.array([[1, 0.5], [2, -1], [3, 0.25], [0, 4]], np.float32)
HALF = np.stack([SAME[:, 0], OTHERS[:, 0]], axis=1)
ZEROS = np.zeros(4, np.float32)


def cases():
    weighted_average = {"class_aggregation": "variance_weighted_average"}
    for class_name, config, batches in [
            ("R2Score", {}, [(SAME, OTHERS)]), ("R2Score", {}, [(SAME, SAME), (OTHERS, OTHERS)]), ("R2Score", {}, [(HALF, OTHERS)]),
            ("R2Score", {}, [(HALF, HALF)]), ("R2Score", weighted_average, [(SAME, OTHERS)]), ("R2Score", weighted_average, [(HALF, OTHERS)]),
            ("R2Score", {}, [(OTHERS, SAME, ZEROS)]), ("R2Score", {"num_regressors": 1}, [(SAME, OTHERS)]),
            ("PearsonCorrelation", {}, [(SAME, OTHERS)]), ("PearsonCorrelation", {}, [(OTHERS, OTHERS), (OTHERS, SAME)]),
            ("PearsonCorrelation", {}, [(OTHERS[:, :1], SAME[:, :1])]), ("ConcordanceCorrelation", {}, [(SAME, SAME)]),
            ("ConcordanceCorrelation", {}, [(OTHERS[:, :1], SAME[:, :1])]), ("CosineSimilarity", {}, [(SAME * 0, OTHERS)])]:
        metric = getattr(keras.metrics, class_name)(**config)
        case = {"class_name": class_name, "config": config, "y_true": [], "y_pred": [], "result_after_each_batch": []}
        for batch in batches:
            metric.update_state(*batch)
            case["y_true"].append(array(batch[0]))
            case["y_pred"].append(array(batch[1]))
            if len(batch) > 2:
                case.setdefault("sample_weight", []).append(array(batch[2]))
            result = float(metric.result())
            case["result_after_each_batch"].append(None if math.isnan(result) else result)
        yield case


write("undefined_metrics.json", list(cases()))
