"""Makes adapted.* with real Keras: `TF_ENABLE_ONEDNN_OPTS=0 python adapted.py` in this folder (Keras 3.15 on TensorFlow 2.21).

A Normalization that was adapted to samples and two whose numbers are given, a Dense, three steps of Adam, x and the model's y in
adapted_io.json, and a checkpoint of TensorFlow's in adapted_ckpt.
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
    layers.Normalization(),
    layers.Normalization(mean=[0.5, -1.0, 2.0], variance=[1.0, 0.25, 4.0]),
    layers.Normalization(axis=None, mean=0.5, variance=2.0, invert=True),
    layers.Flatten(),
    layers.Dense(3),
], name="adapted")
rng = np.random.default_rng(1)
x = rng.normal(3, 2, size=(6, 4, 3)).astype("float32")
model.layers[0].adapt(x)
model.compile(keras.optimizers.Adam(0.01), keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
for _ in range(3):
    model.train_on_batch(x, np.array([0, 1, 2, 0, 1, 2]))
model.save("adapted.keras")
model.save("adapted_legacy.h5")
tf.train.Checkpoint(model=model, optimizer=model.optimizer).write("adapted_ckpt")
y = model.predict(x, verbose=0)
with open("adapted_io.json", "w") as file:
    json.dump({name: {"shape": list(a.shape), "values": [float(np.float32(v)) for v in a.ravel()]} for name, a in (("x", x), ("y", y))}, file)
