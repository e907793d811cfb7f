"""Makes masked.* with real Keras: `TF_ENABLE_ONEDNN_OPTS=0 python masked.py` in this folder (Keras 3.15 on TensorFlow 2.21).

Layers on every time of a sequence and a mask behind them, three steps of Adam, x and the model's y in masked_io.json.
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
    keras.Input((5, 4, 2)),
    layers.TimeDistributed(layers.Conv1D(3, 2, activation="relu", use_bias=False)),
    layers.TimeDistributed(layers.Flatten()),
    layers.Masking(),
    layers.Bidirectional(layers.LSTM(3, return_sequences=True)),
    layers.TimeDistributed(layers.Dense(2, activation="tanh")),
    layers.PReLU(shared_axes=[1], alpha_regularizer=keras.regularizers.L2(0.01), alpha_constraint=keras.constraints.NonNeg()),
    layers.GRU(2, zero_output_for_mask=True),
    layers.Dense(3),
], name="masked")
model.compile(keras.optimizers.Adam(0.01), keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
rng = np.random.default_rng(1)
x = rng.normal(size=(6, 5, 4, 2)).astype("float32")
x[0, 3:] = x[1, :2] = x[4, 2] = x[5, 4] = 0
for _ in range(3):
    model.train_on_batch(x, np.array([0, 1, 2, 0, 1, 2]))
model.save("masked.keras")
model.save("masked_legacy.h5")
y = model.predict(x, verbose=0)
with open("masked_io.json", "w") as file:
    json.dump({name: {"shape": list(a.shape), "values": [float(np.float32(v)) for v in a.ravel()]} for name, a in (("x", x), ("y", y))}, file)
