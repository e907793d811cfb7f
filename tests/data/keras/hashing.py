"""Hashing as Keras computes it: python hashing.py (writes beside itself)."""
import keras
import numpy as np

from golden import array, write

random = np.random.default_rng(43)
FAR = [0, -0, 9, 10, 99, 100, 999, 1000, 9999, 10000, 99999, 100000, 999999, 1000000, 9999999, 10000000, 16777215, 16777216]


def case(name, x, **config):
    y = np.asarray(keras.ops.convert_to_numpy(keras.layers.Hashing(**config)(x)))
    return {"name": f"Hashing {name}", "class_name": "Hashing", "config": config, "training": False, "ids": x.dtype == np.int32,
            "input": array(x), "weights": [], "output": array(y)}


def ids(*shape):
    return random.integers(-40, 40, shape).astype(np.int32)


def cases():
    far = np.asarray([FAR, [-number for number in FAR]], np.int32)
    beyond = np.asarray([[2.0, 2.5, -2.5, 0.9, 1e7, 3e10, -3e12, 1e15, -7e17, 9e18, -9e18, 1e30, -1e30]], np.float32)
    for salt in ({}, {"salt": 133}, {"salt": [133, 137]}, {"salt": [-5, 9007199254740992]}):
        for mask in ({}, {"mask_value": 2}):
            more = salt | mask
            words = " ".join(f"{name} {value}" for name, value in more.items())
            yield case(f"of all lengths {words}", far, num_bins=1000003, **more)
            yield case(f"of numbers with a point {words}", beyond, num_bins=97, **more)
            yield case(f"one_hot {words}", ids(6, 1), num_bins=5, output_mode="one_hot", **more)
            yield case(f"one_hot of rows {words}", ids(2, 3, 1), num_bins=5, output_mode="one_hot", **more)
            yield case(f"multi_hot {words}", ids(4, 5), num_bins=7, output_mode="multi_hot", **more)
            yield case(f"count {words}", ids(4, 5), num_bins=3, output_mode="count", **more)
    yield case("in one place", ids(3, 4), num_bins=1, mask_value=2)
    yield case("of images", ids(2, 3, 2), num_bins=11)


write("hashing.json", list(cases()))
