"""TensorBoard's own reader finds in the logs what Keras' callback would have written."""
import json
import os
import pathlib
import subprocess
import sys
import unittest

from programs import ProgramTest

READ = """
import json, sys
from tensorboard.backend.event_processing.plugin_event_accumulator import EventAccumulator
from tensorboard.util import tensor_util
out = {}
for run in ("train", "validation"):
    log = EventAccumulator(sys.argv[1] + "/" + run, size_guidance={"tensors": 0})
    log.Reload()
    out[run] = {}
    for tag in log.Tags()["tensors"]:
        events = log.Tensors(tag)
        value = tensor_util.make_ndarray(events[-1].tensor_proto)
        out[run][tag] = {"steps": [e.step for e in events], "plugin": log.SummaryMetadata(tag).plugin_data.plugin_name,
                         "shape": list(value.shape), "last": value.item() if value.dtype.kind == "f" and value.size == 1 else None,
                         "count": float(value[:, 2].sum()) if value.dtype.kind == "f" and value.ndim == 2 else None}
print(json.dumps(out))
"""


def python_with_tensorboard():
    """The interpreter in TANDEM_TENSORBOARD_PYTHON, or this one; None when it lacks TensorBoard."""
    python = os.environ.get("TANDEM_TENSORBOARD_PYTHON", sys.executable)
    if not pathlib.Path(python).exists():
        return None
    found = subprocess.run([python, "-c", "import tensorboard"], capture_output=True, check=False)
    return python if found.returncode == 0 else None


class TensorBoard(ProgramTest):
    def test_reads_what_a_run_logged(self):
        python = python_with_tensorboard()
        if python is None:
            self.skipTest("needs Python with TensorBoard (TANDEM_TENSORBOARD_PYTHON)")
        board = {"histogram_freq": 1, "write_images": True, "update_freq": 5}
        project = self.project("mnist_mirrored", fit__epochs=2, data__take=640, callbacks={"tensor_board": board})
        events = self.train(project, "--workers", 1, "--out", self.home / "out")
        read = subprocess.run([python, "-c", READ, self.home / "out" / "logs"], capture_output=True, text=True, check=False)
        self.assertEqual(read.returncode, 0, read.stderr[-3000:])
        logs = json.loads(read.stdout.splitlines()[-1])
        epochs = [e for e in events if e["event"] == "epoch"]
        train, validation = logs["train"], logs["validation"]
        for name in ("loss", "accuracy"):
            self.assertEqual(train[f"epoch_{name}"]["steps"], [0, 1])
            self.assertEqual(train[f"epoch_{name}"]["plugin"], "scalars")
            self.assertAlmostEqual(train[f"epoch_{name}"]["last"], epochs[1][name], places=5)
            self.assertEqual(train[f"batch_{name}"]["steps"], [5, 10, 15, 20])
            self.assertAlmostEqual(validation[f"epoch_{name}"]["last"], epochs[1][f"val_{name}"], places=5)
            self.assertEqual(validation[f"evaluation_{name}_vs_iterations"]["steps"], [10, 20])
        self.assertEqual(train["epoch_learning_rate"]["steps"], [0, 1])
        self.assertEqual(train["keras"]["plugin"], "graph_keras_model")
        kernel = train["sequential/conv2d/kernel/histogram"]
        self.assertEqual((kernel["plugin"], kernel["shape"], kernel["count"]), ("histograms", [30, 3], 288.0))
        self.assertEqual(train["sequential/conv2d/kernel/gradient/histogram"]["count"], 288.0)
        self.assertEqual((train["sequential/conv2d/kernel/image"]["plugin"], train["sequential/conv2d/kernel/image"]["shape"]), ("images", [34]))


if __name__ == "__main__":
    unittest.main()
