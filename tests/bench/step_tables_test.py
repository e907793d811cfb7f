import argparse
import contextlib
import io
import json
import os
import pathlib
import subprocess
import sys
import time
import unittest

import step_tables
import models  # step_tables has made its folder known


def report(least_us):
    return {"model": "book", "batch": 64, "images_per_s": 64e6 / least_us, "peak_rss_bytes": 50 << 20, "least_us": least_us,
            "executor": "cpu (AVX2, 2 threads)", "peak_multiply_adds_per_s": 5e10, "peak_bytes_per_s": 3e10,
            "ops": [{"name": "conv2d/FusedConvBlock", "us": least_us / 2, "multiply_adds": 10_000_000, "bytes": 3_000_000},
                    {"name": "input/Gather", "us": least_us / 1000, "multiply_adds": 0, "bytes": 1000}]}


def printed(call, *arguments):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        call(*arguments)
    return out.getvalue()


# What the models of the tables leave out of the starter projects' layers, or say where those have the default.
LEFT_OUT = {"RandomFlip", "Dropout"}
DEFAULTS = {"padding": "valid", "activation": "linear", "momentum": 0.99}
LEFT_OUT_FIELDS = {"kernel_initializer", "kernel_regularizer", "dropout"}


def essence(layers):
    """Class and settings of each layer, in which the two may not differ."""
    kept = []
    for layer in layers:
        if layer["class_name"] in LEFT_OUT:
            continue
        config = {key: essence(value) if key in ("layers", "shortcut") else value for key, value in layer["config"].items()
                  if key not in LEFT_OUT_FIELDS and value != DEFAULTS.get(key)}
        if layer["class_name"] == "BatchNormalization" and config.get("epsilon") == 1e-3:
            del config["epsilon"]
        kept.append((layer["class_name"], config))
    # The loss takes logits here.
    if kept and kept[-1][1].get("activation") == "softmax":
        del kept[-1][1]["activation"]
    return kept


class StepTables(unittest.TestCase):
    def setUp(self):
        self.args = argparse.Namespace(models=["tutorial", "book"], batches=[16, 64])
        self.samples = step_tables.Samples()
        for least in (1100.0, 1000.0, 2000.0):
            self.samples.add("Tandem", report(least))
        self.samples.add("JAX jit", {"model": "book", "batch": 64, "images_per_s": 20000.0, "peak_rss_bytes": 400 << 20})
        self.samples.add("PyTorch eager", {"model": "book", "batch": 64, "images_per_s": 29090.9, "workers": 2})

    def test_compares_medians_with_the_best_peer(self):
        text = printed(step_tables.print_rates, self.args, self.samples, 1)
        self.assertIn("| book, batch 64 a worker | 58,182 (50 MiB) | 20,000 (400 MiB) | ×2.91 | ×3 | missed |", text)
        self.assertNotIn("tutorial", text)

    def test_says_what_was_not_measured(self):
        text = printed(step_tables.print_rates, self.args, self.samples, 2)
        self.assertIn("| book, batch 64 a worker | not measured | 29,091 | – | ×3 | not measured |", text)

    def test_judges_each_model_by_its_own_floor(self):
        self.samples.add("Tandem", {"model": "transformer", "batch": 16, "images_per_s": 1600.0})
        self.samples.add("Tandem", {"model": "vgg", "batch": 16, "images_per_s": 1600.0})
        for model in ("transformer", "vgg"):
            self.samples.add("JAX jit", {"model": model, "batch": 16, "images_per_s": 1000.0})
        text = printed(step_tables.print_rates, argparse.Namespace(models=["transformer", "vgg"], batches=[16]), self.samples, 1)
        self.assertIn("| transformer, batch 16 a worker | 1,600 | 1,000 | ×1.60 | ×1.5 | kept |", text)
        self.assertIn("| vgg, batch 16 a worker | 1,600 | 1,000 | ×1.60 | ×2 | missed |", text)

    def test_sets_each_op_of_the_best_run_against_the_peak(self):
        text = printed(step_tables.print_ops, self.args, self.samples)
        self.assertIn("peak 100 GFLOP/s, 30 GB/s", text)
        self.assertIn("| conv2d/FusedConvBlock | 500 | 50% | 40.0 | 40% | 3.00 | 20% |", text)
        self.assertNotIn("Gather", text)

    def test_makes_a_project_of_each_model(self):
        made = step_tables.project("book", "book.npz", 16, 40)
        layers = made["model"]["layers"]
        self.assertEqual([layer["name"] for layer in layers],
                         ["conv2d", "max_pooling2d", "conv2d_1", "max_pooling2d_1", "flatten", "dense", "dense_1"])
        self.assertEqual(layers[2]["config"], {"filters": 64, "kernel_size": [5, 5], "padding": "same", "activation": "relu"})
        self.assertEqual((made["model"]["input_shape"], made["data"]["train_files"]), ([28, 28, 1], ["book.npz"]))
        self.assertEqual((made["data"]["batch_size_per_replica"], made["fit"]["steps_per_epoch"]), (16, 40))
        text = step_tables.project("lstm", "lstm.npz", 16, 40)
        self.assertEqual([layer["class_name"] for layer in text["model"]["layers"]], ["Embedding", "LSTM", "Dense"])
        self.assertEqual((text["model"]["input_shape"], text["data"]["scale"]), ([80], 1.0))

    def test_has_the_models_of_the_starter_projects(self):
        templates = pathlib.Path(__file__).resolve().parents[2] / "resources/templates"
        for model, template in (("resnet20", "cifar10_resnet20"), ("transformer", "cifar10_transformer")):
            theirs = json.loads((templates / f"{template}.tandem").read_text())["model"]
            ours = step_tables.project(model, "samples.npz", 16, 40)["model"]
            self.assertEqual(ours["input_shape"], theirs["input_shape"])
            self.assertEqual(essence(ours["layers"]), essence(theirs["layers"]), model)

    def test_counts_trained_values(self):
        counted = {name: models.parameters(model.layers, model.shape) for name, model in models.MODELS.items()}
        self.assertEqual(counted, {"tutorial": 347146, "book": 1625606, "vgg": 550570, "vgg_wide": 3838282, "lstm": 673154, "resnet20": 272474,
                                   "transformer": 208842})
        with self.assertRaisesRegex(ValueError, "lstm: expected 673,154 trained values, got 7"):
            models.expect_parameters("lstm", 7)

    def test_follows_shapes(self):
        self.assertEqual([models.behind(model.layers, model.shape) for model in models.MODELS.values()],
                         [(model.layers[-1].units,) for model in models.MODELS.values()])
        self.assertEqual(models.output_shape(models.Conv(16, 3, "same", 2), (33, 32, 3)), (17, 16, 16))
        self.assertEqual(models.output_shape(models.Conv(16, 4, "valid", 4), (33, 32, 3)), (8, 8, 16))

    def test_looks_up_the_most_that_a_worker_had_resident(self):
        world = argparse.Namespace(home="/nowhere/tandem-bench-of-a-test")
        code = "import ctypes, time; ctypes.CDLL(None).prctl(15, b'tandem-worker', 0, 0, 0); held = b'1' * (60 << 20); time.sleep(30)"
        with step_tables.WorkersMemory(world) as memory:
            worker = subprocess.Popen([sys.executable, "-c", code], env=dict(os.environ, XDG_RUNTIME_DIR=world.home))
            end = time.monotonic() + 20
            while memory.most < 60 << 20 and time.monotonic() < end:
                time.sleep(0.01)
            worker.kill()
            worker.wait()
        self.assertGreater(memory.most, 60 << 20)
        self.assertLess(memory.most, 200 << 20)


if __name__ == "__main__":
    unittest.main()
