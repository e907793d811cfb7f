"""An Embedding whose batch names an id three times, after two steps of each optimizer, by backend: KERAS_BACKEND=jax python repeated_ids.py
(adds what this backend gives to repeated_ids.json). JAX and PyTorch square the sum of an id's gradients; TensorFlow sums their squares."""
import json
import os

import keras
import numpy as np

FILE = "repeated_ids.json"


def trained(optimizer):
    model = keras.Sequential([keras.Input((4,), dtype="int32"), keras.layers.Embedding(3, 1, embeddings_initializer="ones"), keras.layers.Flatten(),
                              keras.layers.Dense(1, use_bias=False, kernel_initializer="ones", trainable=False)])
    model.compile(optimizer, "mse")
    model.fit(np.array([[0, 0, 0, 1]]), np.array([[0.0]]), epochs=2, verbose=0)
    return np.asarray(model.layers[0].get_weights()[0]).ravel().tolist()


def main():
    found = {}
    if os.path.exists(FILE):
        with open(FILE) as file:
            found = json.load(file)
    rates = {"Adam": 0.1, "Adagrad": 0.1, "RMSprop": 0.1, "SGD": 0.01}
    found[keras.backend.backend()] = {name: trained(getattr(keras.optimizers, name)(rate)) for name, rate in rates.items()}
    with open(FILE, "w") as file:
        json.dump(found, file, indent=1)


main()
