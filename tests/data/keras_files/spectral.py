"""Makes spectral.* with real Keras: `TF_ENABLE_ONEDNN_OPTS=0 python spectral.py` in this folder (Keras 3.15 on TensorFlow 2.21).

Layers within SpectralNormalization, one of them frozen, three steps of Adam, x and the model's y
in spectral_io.json, and a checkpoint of TensorFlow's in spectral_ckpt.
"""
import json
import os

os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
import keras
import numpy as np
import tensorflow as tf

tf.config.threading.set_intra_op_parallelism_threads(1)
keras.utils.set_random_seed(7)
layers = keras.layers
model = keras.Sequential([
    keras.Input((6, 5, 2)),
    layers.SpectralNormalization(layers.Conv2D(3, 3, activation="relu"), power_iterations=2),
    layers.SpectralNormalization(layers.DepthwiseConv2D(2), trainable=False),
    layers.Flatten(),
    layers.SpectralNormalization(layers.Dense(4, activation="tanh")),
    layers.Dense(3),
], name="spectral")
model.compile(keras.optimizers.Adam(0.01), keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
rng = np.random.default_rng(1)
x = rng.normal(size=(6, 6, 5, 2)).astype("float32")
for _ in range(3):
    model.train_on_batch(x, np.array([0, 1, 2, 0, 1, 2]))
model.save("spectral.keras")
model.save("spectral_legacy.h5")
tf.train.Checkpoint(model=model, optimizer=model.optimizer).write("spectral_ckpt")
y = model.predict(x, verbose=0)
with open("spectral_io.json", "w") as file:
    json.dump({name: {"shape": list(a.shape), "values": [float(np.float32(v)) for v in a.ravel()]} for name, a in (("x", x), ("y", y))}, file)
