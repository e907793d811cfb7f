"""Makes losses_mixed_bfloat16.json and mixed_bfloat16_config.json with real Keras: `TF_ENABLE_ONEDNN_OPTS=0 python make_mixed.py` in this folder, where
make.py has left initial.weights.h5 (Keras 3.15 on TensorFlow 2.21, CPU, one thread).

The trainings of make.py under the policy mixed_bfloat16, with the last layer in float32 as Keras advises and without that; and the
configuration that Keras writes of the first of these models.
"""
import json

import make
import keras
import numpy as np
import tensorflow as tf


def build(last_dtype):
    keras.mixed_precision.set_global_policy("mixed_bfloat16")
    model = keras.Sequential([
        keras.Input((28, 28, 1), dtype="float32"),
        keras.layers.Conv2D(32, 3, activation="relu", name="conv2d"),
        keras.layers.MaxPooling2D(name="max_pooling2d"),
        keras.layers.Flatten(name="flatten"),
        keras.layers.Dense(64, activation="relu", name="dense"),
        keras.layers.Dense(10, activation="softmax", name="dense_1", dtype=last_dtype),
    ], name="sequential")
    keras.mixed_precision.set_global_policy("float32")
    return model


def main():
    x = make.idx("train-images-idx3-ubyte.gz", 16).reshape(-1, 28, 28, 1)[:make.STEPS * make.BATCH].astype(np.float32) / np.float32(255)
    y = make.idx("train-labels-idx1-ubyte.gz", 8)[:make.STEPS * make.BATCH].astype(np.int32)
    cases = {
        "sgd_momentum": ({"class_name": "SGD", "config": {"learning_rate": 0.01, "momentum": 0.9}}, "float32"),
        "adam": ({"class_name": "Adam", "config": {"learning_rate": 0.001}}, "float32"),
        "all_layers_low": ({"class_name": "SGD", "config": {"learning_rate": 0.01, "momentum": 0.9}}, "mixed_bfloat16"),
    }
    golden = {"keras": keras.__version__, "tensorflow": tf.__version__, "batch": make.BATCH, "cases": {}}
    for name, (optimizer, last_dtype) in cases.items():
        make.build = lambda: build(last_dtype)
        losses = make.train(keras.optimizers.get(optimizer), x, y)
        golden["cases"][name] = {"optimizer": optimizer, "last_dtype": last_dtype, "losses": losses}
    with open(make.HERE / "losses_mixed_bfloat16.json", "w") as file:
        json.dump(golden, file, indent=1)
        file.write("\n")
    (make.HERE / "mixed_bfloat16_config.json").write_text(build("float32").to_json() + "\n")


if __name__ == "__main__":
    main()
