"""Random models, trained for five steps by Tandem and by Keras from the same weights. Skipped where Keras is not installed: README.md.
TANDEM_CHAINS=FIRST:COUNT draws others than the first 300. Where COUNT is at least the number of classes, more are drawn until each class was trained."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

KERAS_PYTHON = os.environ.get("TANDEM_KERAS_PYTHON", sys.executable)
FOUND = subprocess.run([KERAS_PYTHON, "-c", "import keras; print(keras.__version__)"], capture_output=True, text=True)
MISSING = FOUND.returncode != 0 or FOUND.stdout.startswith("2.")
SOURCE, BIN = pathlib.Path(os.environ["TANDEM_SOURCE"]), pathlib.Path(os.environ["TANDEM_BIN"])
FIRST, COUNT = (int(part) for part in os.environ.get("TANDEM_CHAINS", "0:300").split(":"))

# Classes whose gradient in Keras is no number, or another one than their formula's: trainsInKeras() of random_chains.cpp has the reasons.
NOT_TRAINED = {"AdaptiveMaxPooling1D", "AdaptiveMaxPooling2D", "AdaptiveMaxPooling3D", "AutoContrast", "MelSpectrogram"}

# Three things that Keras does otherwise with TensorFlow than with JAX or PyTorch are done as with those. On a processor, a pooling over
# volumes gives the whole gradient to each of equal maxima: here to the first. Of an embedding's gradient, the rows of an id that stands
# several times in a batch are squared one by one: here they are added up before the optimizer sees them.
# The offsets of a projection that has one value for each head go along the times where there are as many of these as heads: here along the
# heads.
#
# Trains every chain of a folder, prints a line of JSON for each: the largest differences of losses and of weights, as parts of the larger of 1
# and the value, and the classes of its layers.
TRAIN = """
import json, os, sys
os.environ["TF_CPP_MIN_LOG_LEVEL"], os.environ["TF_ENABLE_ONEDNN_OPTS"], os.environ["CUDA_VISIBLE_DEVICES"] = "3", "0", ""
sys.path.insert(0, sys.argv[2])
import keras, numpy as np, tensorflow as tf
from exported_classes import CLASSES
def pool(self, x):
    if self.data_format == "channels_first":
        self.data_format = "channels_last"
        try:
            return tf.transpose(pool(self, tf.transpose(x, [0, 2, 3, 4, 1])), [0, 4, 1, 2, 3])
        finally:
            self.data_format = "channels_first"
    if self.padding == "same":
        over = [max(0, (-(-n // s) - 1) * s + k - n) for n, k, s in zip(x.shape[1:4], self.pool_size, self.strides)]
        x = tf.pad(x, [[0, 0], *([n // 2, n - n // 2] for n in over), [0, 0]], constant_values=x.dtype.min)
    cells = tf.extract_volume_patches(x, [1, *self.pool_size, 1], [1, *self.strides, 1], "VALID")
    cells = tf.reshape(cells, [*cells.shape[:4], -1, x.shape[-1]])
    return tf.reduce_sum(cells * tf.one_hot(tf.argmax(cells, axis=4), cells.shape[4], axis=4), axis=4)
keras.layers.MaxPooling3D.call = pool
def project(self, x, training=None):
    y = tf.einsum(self.equation, x, self.kernel.value)
    y = y if self.bias is None else y + self.bias.value
    return y if self.activation is None else self.activation(y)
keras.layers.EinsumDense.call = project
def apply(self, grads, variables=None, applied=keras.Optimizer.apply):
    return applied(self, [None if grad is None else tf.convert_to_tensor(grad) for grad in grads], variables)
keras.Optimizer.apply = apply
def apart(got, wanted):
    got, wanted = np.asarray(got, float), np.asarray(wanted, float)
    return float(np.max(np.abs(got - wanted) / np.maximum(1, np.abs(wanted)), initial=0))
for chain in json.load(open(sys.argv[1] + "/chains.json")):
    base = sys.argv[1] + "/" + chain["name"]
    found = {"name": chain["name"]}
    try:
        keras.backend.clear_session()
        model = keras.models.load_model(base + ".keras")
        found["classes"] = sorted({layer.__class__.__name__ for layer in model.layers})
        model.run_eagerly = True
        x, labels = np.load(base + ".x.npy"), np.load(base + ".labels.npy").astype("int32")
        x = x.astype(str(model.inputs[0].dtype))
        losses = []
        for _ in chain["losses"]:
            model.reset_metrics()
            losses.append(float(model.train_on_batch(x, labels)))
        found["loss"] = apart(losses, chain["losses"])
        after = keras.models.load_model(base + ".after.keras")
        found["weights"] = max([apart(a, b) for a, b in zip(model.get_weights(), after.get_weights())], default=0.0)
    except Exception as error:
        found["error"] = f"{type(error).__name__}: {error}"[:500]
    print(json.dumps(found), flush=True)
"""


class RandomChains(unittest.TestCase):
    @unittest.skipIf(MISSING, f"Keras 3 is not installed in {KERAS_PYTHON}: TANDEM_KERAS_PYTHON names an interpreter that has it")
    def test_train_in_keras_as_they_do_here(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([BIN / "random_chains", folder, str(FIRST), str(COUNT)], check=True)
            done = subprocess.run([KERAS_PYTHON, "-c", TRAIN, folder, SOURCE / "tests" / "data" / "keras"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr[-2000:])
            needed = set(json.loads((pathlib.Path(folder) / "classes.json").read_text()))
        found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        self.assertGreaterEqual(len(found), COUNT)
        for chain in found:
            with self.subTest(chain=chain["name"], classes=chain.get("classes")):
                self.assertNotIn("error", chain)
                self.assertLess(chain["loss"], 1e-4)
                self.assertLess(chain["weights"], 1e-4)
        classes = {name for chain in found for name in chain.get("classes", [])}
        if COUNT >= 300:
            self.assertEqual(needed - classes, NOT_TRAINED, "what chains hold beside what Keras has trained")
        print(f"{len(found)} chains of {len(classes)} classes of layers; largest difference of a loss "
              f"{max(chain.get('loss', 0) for chain in found):.1e}, of a weight {max(chain.get('weights', 0) for chain in found):.1e}")


if __name__ == "__main__":
    unittest.main()
