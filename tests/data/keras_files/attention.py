"""Makes attention.* with real Keras: `TF_ENABLE_ONEDNN_OPTS=0 python attention.py` in this folder (Keras 3.15 on TensorFlow 2.21).

A small transformer of the classes that exported code defines, three steps of Adam, x and the model's y in attention_io.json, and a
checkpoint of TensorFlow's in attention_ckpt.
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

Residual, SelfAttention, PositionEmbedding = (CLASSES[name] for name in ("Residual", "SelfAttention", "PositionEmbedding"))

tf.config.threading.set_intra_op_parallelism_threads(1)
keras.utils.set_random_seed(7)
layers = keras.layers
model = keras.Sequential([
    keras.Input((6, 5)),
    PositionEmbedding(embeddings_initializer="he_normal"),
    Residual([layers.LayerNormalization(), SelfAttention(2, 3, dropout=0.2, kernel_regularizer="l2")]),
    SelfAttention(3, 2, value_dim=4, use_causal_mask=True, use_bias=False),
    layers.GlobalAveragePooling1D(),
    layers.Dense(3),
], name="attention")
model.compile(keras.optimizers.Adam(0.01), keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
rng = np.random.default_rng(1)
x = rng.normal(size=(6, 6, 5)).astype("float32")
for _ in range(3):
    model.train_on_batch(x, np.array([0, 1, 2, 0, 1, 2]))
model.save("attention.keras")
model.save("attention_legacy.h5")
tf.train.Checkpoint(model=model, optimizer=model.optimizer).write("attention_ckpt")
y = model.predict(x, verbose=0)
with open("attention_io.json", "w") as file:
    json.dump({name: {"shape": list(a.shape), "values": [float(np.float32(v)) for v in a.ravel()]} for name, a in (("x", x), ("y", y))}, file)
