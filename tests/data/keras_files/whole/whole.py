"""Makes adafactor* and muon* with real Keras: `TF_ENABLE_ONEDNN_OPTS=0 python whole.py` in this folder (Keras 3.15 on TensorFlow 2.21).

A small model after three steps of an optimizer whose variables have other shapes than the weights, or stand beside some of them alone; and a
checkpoint of TensorFlow's of each. Keras has no .h5 of Adafactor: two of its variables have one name there.
"""
import os

os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
import keras
import numpy as np
import tensorflow as tf

tf.config.threading.set_intra_op_parallelism_threads(1)
layers = keras.layers
for name, optimizer in (("adafactor", keras.optimizers.Adafactor(0.01, use_ema=True)), ("muon", keras.optimizers.Muon(0.01, exclude_layers=["out"]))):
    keras.utils.set_random_seed(7)
    model = keras.Sequential([keras.Input((4,)), layers.Embedding(5, 3, name="words"), layers.Conv1D(2, 2, name="conv"), layers.Flatten(),
                              layers.Dense(4, activation="relu", name="dense"), layers.Dense(3, name="out")], name="net")
    model.compile(optimizer, keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    for _ in range(3):
        model.train_on_batch(np.arange(12).reshape(3, 4) % 5, np.array([0, 1, 2]))
    model.save(f"{name}.keras")
    tf.train.Checkpoint(model=model, optimizer=model.optimizer).write(f"{name}_ckpt")
