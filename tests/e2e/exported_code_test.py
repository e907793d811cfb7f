"""Code that was kept with a project and that a change outside of it was brought into: Python runs it. Keras itself is not needed: what the
code asks of it is taken by stand-ins, so that only a name that nothing binds, or a text that is no Python, can fail."""
import json
import os
import subprocess
import sys
import types
import unittest
from unittest import mock

from programs import TEMPLATES, ProgramTest

MODEL = """
model = {0}Sequential([
    {0}layers.Flatten(input_shape=(28, 28, 1)), {0}layers.Dense(32, activation='relu'), {0}layers.Dense(10)])
model.compile(optimizer='sgd', loss={0}losses.SparseCategoricalCrossentropy(from_logits=True))
"""
TEXTS = {
    "keras alone": "import keras\n" + MODEL.format("keras."),
    "keras of TensorFlow": "import os\nimport tensorflow as tf\n" + MODEL.format("tf.keras."),
    "parts by their names": "from keras import Sequential, layers, losses\n" + MODEL.format(""),
    "a variable called layers": "import keras\nlayers = [32, 10]\n" + MODEL.format("keras."),
    "in a function": "import tensorflow.keras as k\ndef build():\n    return k.Sequential([k.layers.Flatten(input_shape=(28, 28, 1)), "
                     "k.layers.Dense(32, activation='relu'), k.layers.Dense(10)])\n"
                     "model = build()\nmodel.compile('sgd', 'mse')\n",
}


def stand_ins():
    """Modules whose every attribute is there and can be called."""
    modules = {}
    for name in ("keras", "tensorflow", "tensorflow.keras"):
        module = types.ModuleType(name)
        module.__path__ = []
        module.__getattr__ = lambda attribute: mock.MagicMock(name=attribute)
        modules[name] = module
    return modules


class ExportedCode(ProgramTest):
    def test_code_changed_from_outside_runs(self):
        for name, text in TEXTS.items():
            with self.subTest(name):
                project = json.loads((TEMPLATES / "mnist_mlp.tandem").read_text())
                project["code"] = text.split("\n")
                path = self.home / "project.tandem"
                path.write_text(json.dumps(project))
                code = self.run_cli("export", "code", path).stdout
                self.assertNotEqual(code, text, "the project's model differs from the text's")
                with mock.patch.dict(sys.modules, stand_ins()):
                    exec(compile(code, name, "exec"), {"train_dataset": []})  # noqa: S102

    def test_keras_takes_the_callbacks(self):
        """Keras 3 itself makes them, where TANDEM_KERAS_PYTHON or this Python has it; fit() is left out."""
        python = os.environ.get("TANDEM_KERAS_PYTHON", sys.executable)
        found = subprocess.run([python, "-c", "import keras, sys; sys.exit(not keras.__version__.startswith('3'))"], capture_output=True)
        if found.returncode != 0:
            self.skipTest(f"{python} has no Keras 3")
        for weights_only in (False, True):
            with self.subTest(save_weights_only=weights_only):
                project = json.loads((TEMPLATES / "mnist_mlp.tandem").read_text())
                project["callbacks"] = {"model_checkpoint": {"save_weights_only": weights_only}}
                path = self.home / "project.tandem"
                path.write_text(json.dumps(project))
                code = self.run_cli("export", "code", path).stdout
                script = "import keras\nkeras.Model.fit = lambda *_, callbacks, **__: print(*[one.filepath for one in callbacks])\n"
                made = subprocess.run([python, "-c", script + "train_dataset = []\n" + code], capture_output=True, text=True, timeout=300,
                                      env=dict(os.environ, CUDA_VISIBLE_DEVICES=""))
                self.assertEqual(made.returncode, 0, made.stderr)
                self.assertTrue(made.stdout.strip().endswith(".weights.h5" if weights_only else "ckpt_{epoch}.keras"), made.stdout)


if __name__ == "__main__":
    unittest.main()
