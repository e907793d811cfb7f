"""Makes spectrograms.* with real Keras: `TF_ENABLE_ONEDNN_OPTS=0 python spectrograms.py` in this folder (Keras 3.15 on TensorFlow 2.21, with
SciPy).

A MelSpectrogram, its bands as one signal, two STFTSpectrogram, a Dense, three steps of Adam, x and the model's y in spectrograms_io.json, and a
checkpoint of TensorFlow's in spectrograms_ckpt.
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
    keras.Input((40,)),
    layers.MelSpectrogram(fft_length=16, sequence_stride=7, num_mel_bins=4, sampling_rate=1000, window="hamming", top_db=20.0),
    layers.Reshape((12, 2)),
    layers.STFTSpectrogram(mode="imag", frame_length=4, frame_step=1, window=None),
    layers.STFTSpectrogram(frame_length=3, scaling=None, padding="same", expand_dims=True),
    layers.Flatten(),
    layers.Dense(3),
], name="spectrograms")
rng = np.random.default_rng(1)
x = rng.normal(0, 1, size=(6, 40)).astype("float32")
model.compile(keras.optimizers.Adam(0.01), keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
for _ in range(3):
    model.train_on_batch(x, np.array([0, 1, 2, 0, 1, 2]))
model.save("spectrograms.keras")
model.save("spectrograms_legacy.h5")
tf.train.Checkpoint(model=model, optimizer=model.optimizer).write("spectrograms_ckpt")
y = model.predict(x, verbose=0)
with open("spectrograms_io.json", "w") as file:
    json.dump({name: {"shape": list(a.shape), "values": [float(np.float32(v)) for v in a.ravel()]} for name, a in (("x", x), ("y", y))}, file)
