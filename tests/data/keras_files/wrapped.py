"""Makes wrapped.* with real Keras: `TF_ENABLE_ONEDNN_OPTS=0 python wrapped.py` in this folder (Keras 3.15 on TensorFlow 2.21).

Layers inside layers with constraints and weighted metrics, three steps of Adam, x and the model's y in wrapped_io.json.
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
    keras.Input((4, 3)),
    layers.Bidirectional(layers.LSTM(3, return_sequences=True, dropout=0.25)),
    layers.TimeDistributed(layers.Dense(2, activation="tanh")),
    layers.Bidirectional(layers.GRU(2), merge_mode="sum"),
    layers.Dense(3, kernel_constraint=keras.constraints.MaxNorm(1.5), bias_constraint=keras.constraints.NonNeg()),
], name="wrapped")
model.compile(keras.optimizers.Adam(0.01), keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"],
              weighted_metrics=["accuracy"])
rng = np.random.default_rng(1)
x = rng.normal(size=(6, 4, 3)).astype("float32")
for _ in range(3):
    model.train_on_batch(x, np.array([0, 1, 2, 0, 1, 2]))
model.save("wrapped.keras")
model.save("wrapped_legacy.h5")
y = model.predict(x, verbose=0)
with open("wrapped_io.json", "w") as file:
    json.dump({name: {"shape": list(a.shape), "values": [float(np.float32(v)) for v in a.ravel()]} for name, a in (("x", x), ("y", y))}, file)
