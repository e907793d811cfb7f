"""Makes cells.* with real Keras: `TF_ENABLE_ONEDNN_OPTS=0 python cells.py` in this folder (Keras 3.15 on TensorFlow 2.21).

RNN over one cell, a stack of several and a stack of one, three steps of Adam, x and the model's y in cells_io.json, and a checkpoint of
TensorFlow's in cells_ckpt.
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
    keras.Input((5, 3)),
    layers.RNN([layers.LSTMCell(4, kernel_initializer="he_normal"), layers.GRUCell(3, dropout=0.2), layers.LSTMCell(2)], return_sequences=True),
    layers.Dense(3),
    layers.RNN(layers.GRUCell(4, reset_after=False), return_sequences=True, go_backwards=True),
    layers.RNN(layers.StackedRNNCells([layers.SimpleRNNCell(3, kernel_regularizer="l2")]), unroll=True),
    layers.Dense(3),
], name="cells")
model.compile(keras.optimizers.Adam(0.01), keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
rng = np.random.default_rng(1)
x = rng.normal(size=(6, 5, 3)).astype("float32")
for _ in range(3):
    model.train_on_batch(x, np.array([0, 1, 2, 0, 1, 2]))
model.save("cells.keras")
model.save("cells_legacy.h5")
tf.train.Checkpoint(model=model, optimizer=model.optimizer).write("cells_ckpt")
y = model.predict(x, verbose=0)
with open("cells_io.json", "w") as file:
    json.dump({name: {"shape": list(a.shape), "values": [float(np.float32(v)) for v in a.ravel()]} for name, a in (("x", x), ("y", y))}, file)
