"""Makes reversible.* with real Keras: `TF_ENABLE_ONEDNN_OPTS=0 python reversible.py` in this folder (Keras 3.15 on TensorFlow 2.21).

A ReversibleEmbedding with weights of its own for the way back, a GRU, a Dense, three steps of Adam, x and the model's y in reversible_io.json, and
a checkpoint of TensorFlow's in reversible_ckpt.
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
    keras.Input((5,), dtype="int32"),
    layers.ReversibleEmbedding(6, 3, tie_weights=False, mask_zero=True, reverse_dtype="float32", logit_soft_cap=30.0),
    layers.GRU(2),
    layers.Dense(3),
], name="reversible")
rng = np.random.default_rng(1)
x = rng.integers(0, 6, size=(6, 5)).astype("int32")
model.compile(keras.optimizers.Adam(0.01), keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
for _ in range(3):
    model.train_on_batch(x, np.array([0, 1, 2, 0, 1, 2]))
model.save("reversible.keras")
model.save("reversible_legacy.h5")
tf.train.Checkpoint(model=model, optimizer=model.optimizer).write("reversible_ckpt")
y = model.predict(x, verbose=0)
with open("reversible_io.json", "w") as file:
    json.dump({name: {"shape": list(a.shape), "values": [float(np.float32(v)) for v in a.ravel()]} for name, a in (("x", x), ("y", y))}, file)
