"""Models whose first layer took its table by adapt(), as Keras writes them: python taken.py (writes beside itself)."""
import os

os.environ["CUDA_VISIBLE_DEVICES"] = ""
import keras
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
random = np.random.default_rng(5)
for name, layer, samples, dtype in (
        ("taken_buckets", keras.layers.Discretization(num_bins=4), random.normal(0, 1, (20, 3)), "float32"),
        ("taken_words", keras.layers.IntegerLookup(max_tokens=6, num_oov_indices=2, pad_to_max_tokens=True, output_mode="tf_idf"),
         random.integers(0, 9, (20, 3)), "int32"),
        ("taken_open", keras.layers.IntegerLookup(output_mode="count"), random.integers(0, 9, (20, 3)), "int32")):
    layer.adapt(samples)
    model = keras.Sequential([keras.Input((3,), dtype=dtype), layer, keras.layers.Dense(2)])
    model.save(os.path.join(HERE, name + ".keras"))
