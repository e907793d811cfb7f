"""Makes *.keras with real Keras: `TF_ENABLE_ONEDNN_OPTS=0 python texts.py` in this folder (Keras 3.15 on TensorFlow 2.21).

Models that begin with a layer that was adapted to texts, two steps of Adam each, and the texts with each model's y in texts_io.json.
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
SEEN = np.array(["A fine film, a film to see", "Ünsagbar: no film!", "nobody saw the 映画", "see no evil"])
TEXTS = ["a film", "A 映画 nobody saw...", "", "Ünsagbar unseen evil evil", "see no evil"]
MODELS = {
    "places": ((1,), [layers.TextVectorization(max_tokens=12, output_sequence_length=4), layers.Embedding(12, 3),
                      layers.GlobalAveragePooling1D(), layers.Dense(2)]),
    "rows": ((), [layers.TextVectorization(output_mode="tf_idf", ngrams=2, max_tokens=15, pad_to_max_tokens=True), layers.Dense(2)]),
    "lookup": ((1,), [layers.StringLookup(output_mode="one_hot", num_oov_indices=2, max_tokens=8, pad_to_max_tokens=True), layers.Dense(2)]),
    # as long as what adapt() found, which the configuration does not say
    "open_rows": ((), [layers.TextVectorization(output_mode="tf_idf", split="character"), layers.Dense(2)]),
    "open_lookup": ((1,), [layers.StringLookup(output_mode="multi_hot"), layers.Dense(2)]),
}
told = {"texts": TEXTS}
for name, (shape, chain) in MODELS.items():
    seen = SEEN[:, None] if shape else SEEN
    chain[0].adapt(seen)
    model = keras.Sequential([keras.Input(shape, dtype="string")] + chain, name=name)
    model.compile(keras.optimizers.Adam(0.01), keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    for _ in range(2):
        model.train_on_batch(tf.constant(seen), np.array([0, 1, 1, 0]))
    model.save(f"{name}.keras")
    y = np.asarray(model(tf.constant(np.array(TEXTS)[:, None] if shape else np.array(TEXTS))))
    told[name] = {"shape": list(y.shape), "values": [float(np.float32(value)) for value in y.ravel()],
                  "vocabulary": [str(text) for text in chain[0].get_vocabulary(include_special_tokens=False)]}
with open("texts_io.json", "w") as file:
    json.dump(told, file)
