"""Makes residual.* with real Keras: `TF_ENABLE_ONEDNN_OPTS=0 python residual.py` in this folder (Keras 3.15 on TensorFlow 2.21).

Blocks of the class Residual as exported code defines it, with and without a shortcut of their own, three steps of Adam, x and the model's y
in residual_io.json, and a checkpoint of TensorFlow's in residual_ckpt.
"""
import json
import os
import sys

os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
import keras
import numpy as np
import tensorflow as tf

sys.path.insert(0, "../keras")
from exported_classes import CLASSES

Residual = CLASSES["Residual"]

tf.config.threading.set_intra_op_parallelism_threads(1)
keras.utils.set_random_seed(7)
layers = keras.layers
model = keras.Sequential([
    keras.Input((6, 5, 2)),
    layers.Conv2D(3, 3, padding="same"),
    Residual([layers.Conv2D(3, 3, padding="same", use_bias=False), layers.BatchNormalization(), layers.Activation("relu"), layers.Dropout(0.2),
              layers.Conv2D(3, 3, padding="same", kernel_initializer="he_normal")]),
    layers.Activation("relu"),
    Residual([layers.Conv2D(4, 3, strides=2, padding="same"), layers.BatchNormalization()],
             shortcut=[layers.Conv2D(4, 1, strides=2, padding="same"), layers.BatchNormalization()]),
    layers.Reshape((9, 4)),
    Residual([layers.Bidirectional(layers.LSTM(2, return_sequences=True))]),
    layers.GlobalAveragePooling1D(),
    layers.Dense(3),
], name="residual")
model.compile(keras.optimizers.Adam(0.01), keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
rng = np.random.default_rng(1)
x = rng.normal(size=(6, 6, 5, 2)).astype("float32")
for _ in range(3):
    model.train_on_batch(x, np.array([0, 1, 2, 0, 1, 2]))
model.save("residual.keras")
model.save("residual_legacy.h5")
tf.train.Checkpoint(model=model, optimizer=model.optimizer).write("residual_ckpt")
y = model.predict(x, verbose=0)
with open("residual_io.json", "w") as file:
    json.dump({name: {"shape": list(a.shape), "values": [float(np.float32(v)) for v in a.ravel()]} for name, a in (("x", x), ("y", y))}, file)
