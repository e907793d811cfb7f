"""What Discretization and IntegerLookup take from samples by adapt(), and what they compute with it; the places of values that a vocabulary
lacks, and weights by tf_idf: python taken.py (writes beside itself). Weights as Tandem keeps them: engine/spec/catalog/lookup_table.h."""
import keras
import numpy as np

from golden import array, write

random = np.random.default_rng(67)
NO_VALUE, NO_BOUNDARY, BATCH = 33554432.0, 9.9e29, 256


def batches(samples):
    return (samples[begin:begin + BATCH] for begin in range(0, len(samples), BATCH))


def entry(name, class_name, config, x, layer, weights, samples=None):
    y = np.asarray(keras.ops.convert_to_numpy(layer(x)))
    case = {"name": f"{class_name} {name}", "class_name": class_name, "config": config, "training": False, "ids": x.dtype == np.int32,
            "input": array(x), "weights": [array(weight) for weight in weights], "output": array(y)}
    return case if samples is None else case | {"samples": array(samples)}


def buckets(name, samples, x, **config):
    layer = keras.layers.Discretization(**config)
    layer.adapt(batches(samples))
    most = int(np.ceil(1.0 / (1.0 / config["num_bins"]))) - 1
    boundaries = layer.bin_boundaries + [NO_BOUNDARY] * (most - len(layer.bin_boundaries))
    return entry(name, "Discretization", config, x, layer, [boundaries], samples)


def table(layer, config):
    """values and places of the layer's vocabulary, the mask's among them; filled up."""
    first, mask = layer._token_start_index(), config.get("mask_token")
    pairs = {int(token): place for place, token in enumerate(layer.get_vocabulary(include_special_tokens=False), first)}
    if mask is not None:
        pairs[mask] = 0 if layer.output_mode == "int" else -1
    if config.get("invert"):
        pairs = {place: token for token, place in pairs.items()}
    otherwise = config.get("oov_token", -1) if config.get("invert") else first - layer.num_oov_indices
    rows = sorted(pairs.items())
    rows += [(NO_VALUE, otherwise)] * (config["max_tokens"] - first + (mask is not None) - len(rows))
    return [[row[0] for row in rows], [row[1] for row in rows]]


def lookup(name, samples, x, **config):
    layer = keras.layers.IntegerLookup(**config)
    layer.adapt(samples)
    weights = table(layer, config)
    if config.get("output_mode") == "tf_idf":
        weights.append(layer.idf_weights.numpy())
    return entry(name, "IntegerLookup", config, x, layer, weights, samples)


def given(name, x, weights=(), **config):
    return entry(name, "IntegerLookup", config, x, keras.layers.IntegerLookup(**config), weights)


def ids(*shape, low=-2, high=9):
    return random.integers(low, high, shape).astype(np.int32)


def cases():
    x = random.normal(0, 1.5, (4, 3)).astype(np.float32)
    yield buckets("of one batch", random.normal(0, 1, (60, 3)).astype(np.float32), x, num_bins=5)
    yield buckets("of three batches", random.normal(0, 1, (540, 2)).astype(np.float32), x[:, :2], num_bins=7, epsilon=0.02)
    yield buckets("coarse", random.normal(0, 1, (300, 1)).astype(np.float32), x[:, :1], num_bins=4, epsilon=0.3)
    yield buckets("of few", random.normal(0, 1, (2, 3)).astype(np.float32), x, num_bins=8)
    yield buckets("of whole numbers", ids(40, 3).astype(np.float32), np.rint(x), num_bins=4)
    yield buckets("of as many as rounding makes", random.normal(0, 1, (70, 3)).astype(np.float32), x, num_bins=49)
    yield buckets("count", random.normal(0, 1, (60, 3)).astype(np.float32), x, num_bins=5, output_mode="count")
    samples, x = ids(30, 4), ids(6, 4)
    yield lookup("of the samples", samples, x, max_tokens=20)
    yield lookup("cut off", samples, x, max_tokens=5)
    yield lookup("with a mask", samples, x, max_tokens=8, mask_token=3, num_oov_indices=2)
    yield lookup("inverted", samples, ids(6, 4, low=0, high=9), max_tokens=7, invert=True, mask_token=4, oov_token=5)
    for mode in ("one_hot", "multi_hot", "count", "tf_idf"):
        yield lookup(mode, samples, x, max_tokens=7, pad_to_max_tokens=True, output_mode=mode, mask_token=2)
    yield lookup("tf_idf of all", samples, x, max_tokens=16, pad_to_max_tokens=True, output_mode="tf_idf", num_oov_indices=2)
    yield lookup("without others", samples, samples[:5], max_tokens=12, num_oov_indices=0, oov_token=100)
    words = [12, 5, -2, 9]
    known = np.array([[12, 5, 9], [-2, -2, 12]], np.int32)
    yield given("without others", known, vocabulary=words, num_oov_indices=0)
    yield given("without others but a mask", np.array([[12, 7, 9], [-2, 7, 12]], np.int32), vocabulary=words, num_oov_indices=0, mask_token=7)
    yield given("without others multi_hot", known, vocabulary=words, num_oov_indices=0, output_mode="multi_hot")
    far = ids(5, 6, low=-999, high=99999)
    for more in ({}, {"salt": [133, 137]}, {"salt": 7}, {"mask_token": 5}):
        yield given("hashed " + " ".join(more), far, vocabulary=words if "mask_token" not in more else [12, -2, 9], num_oov_indices=4,
                    oov_method="farmhash", **more)
    yield given("hashed count", far, vocabulary=words, num_oov_indices=3, oov_method="farmhash", output_mode="count")
    idf = [0.25, 0.75, 0.6, 0.4]
    x = ids(5, 4, low=-3, high=14)
    yield given("tf_idf", x, [[0.5] + idf], vocabulary=words, idf_weights=idf, output_mode="tf_idf")
    yield given("tf_idf with its special token", x, [[0.9] + idf], vocabulary=[-1] + words, idf_weights=[0.9] + idf, output_mode="tf_idf")
    yield given("tf_idf padded", x, [[0.5, 0.5] + idf + [0, 0]], vocabulary=words, idf_weights=idf, output_mode="tf_idf", num_oov_indices=2,
                max_tokens=8, pad_to_max_tokens=True)


made = []
for case in cases():  # Tandem keeps one number as a list of one
    if isinstance(case["config"].get("salt"), int):
        case["config"]["salt"] = [case["config"]["salt"]]
    made.append(case)
write("taken.json", made)
