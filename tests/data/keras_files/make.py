"""Makes plain_cnn.* with real Keras: `TF_ENABLE_ONEDNN_OPTS=0 python make.py` in this folder (Keras 3.15 on TensorFlow 2.21).

One small Sequential (no layer with variables that are not trained), compiled with Adam, three steps done so that the optimizer has a state;
in the three formats of Keras, with x and the model's y in plain_cnn_io.json. cnn_io.json is cnn_io.npz of the files keras_3*_cnn.* as JSON.
"""
import json
import os
import sys
import zipfile

os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
import keras
import numpy as np
import tensorflow as tf

tf.config.threading.set_intra_op_parallelism_threads(1)
keras.utils.set_random_seed(7)
model = keras.Sequential([
    keras.Input((8, 8, 1)),
    keras.layers.Conv2D(4, 3, activation="relu", padding="same"),
    keras.layers.MaxPooling2D(),
    keras.layers.Flatten(),
    keras.layers.Dense(5, activation="relu", bias_initializer=keras.initializers.Constant(0.1)),
    keras.layers.Dropout(0.5),
    keras.layers.Dense(3),
], name="plain")
model.compile(keras.optimizers.Adam(0.01), keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
rng = np.random.default_rng(1)
x = rng.normal(size=(6, 8, 8, 1)).astype("float32")
for _ in range(3):
    model.train_on_batch(x, np.array([0, 1, 2, 0, 1, 2]))
model.save("plain_cnn.keras")
model.save_weights("plain_cnn.weights.h5")
model.save("plain_cnn_legacy.h5")
with zipfile.ZipFile("plain_cnn.keras") as archive, open("plain_cnn_config.json", "wb") as file:
    file.write(archive.read("config.json"))
with open("plain_cnn.json", "w") as file:
    file.write(model.to_json())


def write_io(name, x, y):
    def array(a):
        return {"shape": list(a.shape), "values": [float(np.float32(v)) for v in a.ravel()]}
    with open(name, "w") as file:
        json.dump({"x": array(x), "y": array(np.asarray(y))}, file)


write_io("plain_cnn_io.json", x, model.predict(x, verbose=0))
if len(sys.argv) > 1:
    pair = np.load(sys.argv[1])
    write_io("cnn_io.json", pair["x"], pair["y"])
