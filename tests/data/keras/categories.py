"""CategoryEncoding, Discretization and IntegerLookup as Keras computes them: python categories.py (writes beside itself)."""
import keras
import numpy as np

from golden import array, write

random = np.random.default_rng(41)


def case(name, class_name, x, **config):
    layer = getattr(keras.layers, class_name)(**config)
    y = np.asarray(keras.ops.convert_to_numpy(layer(x)))
    return {"name": f"{class_name} {name}", "class_name": class_name, "config": config, "training": False, "ids": x.dtype == np.int32,
            "input": array(x), "weights": [], "output": array(y)}


def ids(*shape, low=0, high=6):
    return random.integers(low, high, shape).astype(np.int32)


def cases():
    for mode in ("multi_hot", "count", "one_hot"):
        yield case(mode, "CategoryEncoding", ids(4, 3), num_tokens=6, output_mode=mode)
        yield case(f"{mode} of one", "CategoryEncoding", ids(4, 1), num_tokens=6, output_mode=mode)
    yield case("one_hot of images", "CategoryEncoding", ids(2, 3, 2), num_tokens=6, output_mode="one_hot")
    yield case("one_hot beyond the last", "CategoryEncoding", ids(4, 3), num_tokens=4, output_mode="one_hot")
    numbers = random.uniform(-2, 3, (5, 4)).astype(np.float32)
    numbers[0] = [-1.0, 0.25, 2.0, -1.5]
    for mode in ("int", "one_hot", "multi_hot", "count"):
        yield case(mode, "Discretization", numbers, bin_boundaries=[-1.0, 0.25, 2.0], output_mode=mode)
    for mode in ("int", "one_hot", "multi_hot", "count"):
        for more in ({}, {"num_oov_indices": 3}, {"mask_token": 12}, {"max_tokens": 9, "pad_to_max_tokens": True}):
            words = " ".join(more)
            yield case(f"{mode} {words}", "IntegerLookup", ids(5, 4, low=-3, high=14), vocabulary=[12, 5, -2, 9] if "mask_token" not in more
                       else [5, -2, 9], output_mode=mode, **more)
    yield case("with its special tokens", "IntegerLookup", ids(5, 4, low=-3, high=14), vocabulary=[0, -1, 5, 9], mask_token=0)
    yield case("inverted", "IntegerLookup", ids(5, 4, low=0, high=8), vocabulary=[12, 5, 9], invert=True)
    yield case("inverted with a mask", "IntegerLookup", ids(5, 4, low=0, high=8), vocabulary=[12, 5, 9], mask_token=3, oov_token=7, invert=True)


write("categories.json", list(cases()))
