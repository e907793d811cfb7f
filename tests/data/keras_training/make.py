"""Makes initial.weights.h5 and losses.json with real Keras: `TF_ENABLE_ONEDNN_OPTS=0 python make.py` in this folder (Keras 3.15 on TensorFlow
2.21, CPU, one thread).

The CNN of Keras' distributed training tutorial on the first 6400 training images of MNIST, in their order, batches of 64: the loss of each of
100 steps (of the batch alone, before its update) for SGD with momentum and for Adam.

The initial weights are Keras' own (GlorotUniform), in its layout, packed with shuffle and deflate. From this seed the training is well
conditioned: Keras' losses in float64 are within 5e-6 of those in float32. From others, or from weights on a coarse grid, sums that cancel put
a ReLU on its kink, and rounding decides where the training goes.
"""
import gzip
import json
import os
import pathlib

os.environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
import h5py
import keras
import numpy as np
import tensorflow as tf

tf.config.threading.set_intra_op_parallelism_threads(1)
tf.config.threading.set_inter_op_parallelism_threads(1)
HERE = pathlib.Path(__file__).resolve().parent
MNIST = pathlib.Path(os.environ.get("MNIST", HERE.parents[2] / "resources" / "datasets" / "mnist"))
STEPS, BATCH = 100, 64


def idx(name, header):
    with gzip.open(MNIST / name) as file:
        return np.frombuffer(file.read(), np.uint8)[header:]


def build():
    return keras.Sequential([
        keras.Input((28, 28, 1)),
        keras.layers.Conv2D(32, 3, activation="relu"),
        keras.layers.MaxPooling2D(),
        keras.layers.Flatten(),
        keras.layers.Dense(64, activation="relu"),
        keras.layers.Dense(10, activation="softmax"),
    ])


def write_initial(path):
    keras.utils.set_random_seed(5)
    weights = iter(build().get_weights())
    with h5py.File(path, "w") as file:
        for group in ["vars", "layers/max_pooling2d/vars", "layers/flatten/vars"]:
            file.create_group(group)
        for layer in ["conv2d", "dense", "dense_1"]:
            group = file.create_group(f"layers/{layer}/vars")
            group.create_dataset("0", data=next(weights), compression="gzip", compression_opts=9, shuffle=True)
            group.create_dataset("1", data=next(weights))


def train(optimizer, x, y):
    model = build()
    model.load_weights(HERE / "initial.weights.h5")
    model.compile(optimizer, keras.losses.SparseCategoricalCrossentropy(from_logits=False), jit_compile=False)
    losses = []
    for step in range(STEPS):
        model.reset_metrics()  # else train_on_batch gives the mean over the steps so far
        part = slice(step * BATCH, (step + 1) * BATCH)
        losses.append(float(model.train_on_batch(x[part], y[part])))
    return losses


def main():
    x = idx("train-images-idx3-ubyte.gz", 16).reshape(-1, 28, 28, 1)[:STEPS * BATCH].astype(np.float32) / np.float32(255)
    y = idx("train-labels-idx1-ubyte.gz", 8)[:STEPS * BATCH].astype(np.int32)
    write_initial(HERE / "initial.weights.h5")
    cases = {
        "sgd_momentum": {"class_name": "SGD", "config": {"learning_rate": 0.01, "momentum": 0.9}},
        "adam": {"class_name": "Adam", "config": {"learning_rate": 0.001}},
    }
    golden = {"keras": keras.__version__, "tensorflow": tf.__version__, "batch": BATCH, "cases": {}}
    for name, optimizer in cases.items():
        golden["cases"][name] = {"optimizer": optimizer, "losses": train(keras.optimizers.get(optimizer), x, y)}
    with open(HERE / "losses.json", "w") as file:
        json.dump(golden, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
