"""Model files of Keras, opened and written by the programs. What only the real Keras can tell is skipped where it is not installed:
TANDEM_KERAS_PYTHON names an interpreter that has it."""
import array
import csv
import json
import os
import random
import re
import struct
import subprocess
import sys
import unittest
import zipfile

from programs import SOURCE, ProgramTest

FILES = SOURCE / "tests" / "data" / "keras_files"
KERAS_PYTHON = os.environ.get("TANDEM_KERAS_PYTHON", sys.executable)

# Prints the worst difference of the model's outputs from those in a .npy file, for images of an IDX file.
COMPARE = """
import sys, gzip, numpy as np, keras
model_file, weights, images, expected = sys.argv[1:5]
model = keras.models.load_model(model_file)
if weights != "-":
    model.load_weights(weights)
with gzip.open(images) as f:
    x = np.frombuffer(f.read(), np.uint8)[16:].reshape(-1, 28, 28, 1)[:512].astype("float32") / np.float32(255)
y = np.load(expected)
assert y.shape == (10000, 10) and y.dtype == np.float32, (y.shape, y.dtype)
print("worst", float(np.abs(model.predict(x, verbose=0) - y[:512]).max()))
print("iterations", int(model.optimizer.iterations))
"""


# The same for images of a .npz file, and a file whose model has classes that exported code defines.
COMPARE_BY_CODE = """
import sys, numpy as np, keras
code, model_file, images, expected = sys.argv[1:5]
exec(open(code).read().split("\\nstrategy = ")[0])
model = keras.models.load_model(model_file)
x = np.load(images)["x_test"].astype("float32") / np.float32(255)
y = np.load(expected)
assert y.shape == (len(x), 10) and y.dtype == np.float32, (y.shape, y.dtype)
print("worst", float(np.abs(model.predict(x, verbose=0) - y).max()))
print("iterations", int(model.optimizer.iterations))
"""


def has_keras():
    probe = subprocess.run([KERAS_PYTHON, "-c", "import importlib.util as u; exit(0 if u.find_spec('tensorflow') and u.find_spec('keras') else 1)"],
                           capture_output=True)
    return probe.returncode == 0


def write_idx(path, value):
    """An array of plain_cnn_io.json as an IDX file of float32."""
    shape = value["shape"]
    numbers = array.array("f", value["values"])
    numbers.byteswap()
    path.write_bytes(bytes([0, 0, 0x0D, len(shape)]) + struct.pack(f">{len(shape)}I", *shape) + numbers.tobytes())


def write_npz(path, images, labels):
    """Images of 32x32x3 bytes with a label each, as NumPy saves them: the same to train on and to test on."""
    def npy(shape, kind, values):
        header = str({"descr": kind, "fortran_order": False, "shape": shape}).ljust(117) + "\n"
        return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + values
    with zipfile.ZipFile(path, "w") as file:
        for part in ("train", "test"):
            file.writestr(f"x_{part}.npy", npy((len(labels), 32, 32, 3), "|u1", images))
            file.writestr(f"y_{part}.npy", npy((len(labels),), "|u1", bytes(labels)))


class OpenedFiles(ProgramTest):
    def predictions(self, project, checkpoint, samples):
        out = self.home / "y.csv"
        done = self.run_cli("predict", project, "--checkpoint", checkpoint, "--data", samples, "--set", "data.scale=1", "--out", out)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        with open(out, newline="") as file:
            return [[float(cell) for cell in row] for row in csv.reader(file)]

    def expect_same_outputs(self, model, weights, golden):
        io = json.loads((FILES / golden).read_text())
        samples = self.home / "x.idx"
        write_idx(samples, io["x"])
        project = self.home / f"{os.path.basename(model)}.tandem"
        project.unlink(missing_ok=True)
        done = self.run_cli("import", FILES / model, "--out", project)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        rows = self.predictions(project, FILES / weights, samples)
        flat = [value for row in rows for value in row]
        self.assertEqual([len(rows), len(rows[0])], io["y"]["shape"])
        for ours, theirs in zip(flat, io["y"]["values"]):
            self.assertAlmostEqual(ours, theirs, delta=1e-5 * max(1, abs(theirs)))

    def test_predict_as_keras_does(self):
        for model, weights in [("plain_cnn.keras", "plain_cnn.keras"), ("plain_cnn_legacy.h5", "plain_cnn_legacy.h5"),
                               ("plain_cnn.json", "plain_cnn.weights.h5")]:
            with self.subTest(model=model):
                self.expect_same_outputs(model, weights, "plain_cnn_io.json")

    def test_predict_with_layers_inside_layers(self):
        for model in ("wrapped.keras", "wrapped_legacy.h5"):
            with self.subTest(model=model):
                self.expect_same_outputs(model, model, "wrapped_io.json")
        value = json.loads((self.home / "wrapped.keras.tandem").read_text())
        self.assertEqual(value["compile"]["weighted_metrics"], ["accuracy"])
        self.assertEqual(value["model"]["layers"][3]["config"]["kernel_constraint"], {"class_name": "MaxNorm", "config": {"max_value": 1.5, "axis": 0}})

    def test_predict_with_spectrograms(self):
        for name in ("spectrograms.keras", "spectrograms_legacy.h5"):
            with self.subTest(model=name):
                self.expect_same_outputs(f"spectrograms/{name}", f"spectrograms/{name}", "spectrograms/spectrograms_io.json")

    def test_predict_with_spectral_normalization(self):
        for model, weights in (("spectral.keras", "spectral.keras"), ("spectral_legacy.h5", "spectral_legacy.h5"), ("spectral.keras", "spectral_ckpt")):
            with self.subTest(model=model, weights=weights):
                self.expect_same_outputs(model, weights, "spectral_io.json")

    def test_predict_with_masks_and_layers_on_every_time(self):
        for model in ("masked.keras", "masked_legacy.h5"):
            with self.subTest(model=model):
                self.expect_same_outputs(model, model, "masked_io.json")

    def test_predict_with_blocks_of_the_class_that_exported_code_defines(self):
        for name in ("residual", "attention", "cells"):
            for model, weights in ((f"{name}.keras", f"{name}.keras"), (f"{name}_legacy.h5", f"{name}_legacy.h5"),
                                   (f"{name}.keras", f"{name}_ckpt")):
                with self.subTest(model=model, weights=weights):
                    self.expect_same_outputs(model, weights, f"{name}_io.json")
        value = json.loads((self.home / "residual.keras.tandem").read_text())
        block = value["model"]["layers"][3]
        self.assertEqual(block["config"]["shortcut"], [{"class_name": "Conv2D", "config": {"filters": 4, "kernel_size": [1, 1], "strides": [2, 2], "padding": "same"}},
                                                       {"class_name": "BatchNormalization", "config": {}}])

    def test_predict_by_the_vocabulary_of_the_file(self):
        """The project has none, and its texts are others than those that the file's model has seen."""
        io = json.loads((FILES / "texts" / "texts_io.json").read_text())
        texts = [text for text in io["texts"] if text]
        (self.home / "x.txt").write_text("".join(text + "\n" for text in texts))
        (self.home / "t.tsv").write_text("0\tno such words\n1\tare in the file\n")
        for name in ("places", "rows", "lookup"):
            with self.subTest(model=name):
                file = FILES / "texts" / f"{name}.keras"
                project = self.home / f"{name}.tandem"
                done = self.run_cli("import", file, "--out", project)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                value = json.loads(project.read_text())
                config = value["model"]["layers"][0]["config"]
                self.assertTrue(config.pop("vocabulary"))
                config.pop("idf_weights", None)
                value["data"].update(dataset="text", train_files=["t.tsv"], test_files=["t.tsv"])
                project.write_text(json.dumps(value))
                wanted = [io[name]["values"][2 * i:2 * i + 2] for i, text in enumerate(io["texts"]) if text]
                for ours, theirs in zip(self.predictions(project, file, self.home / "x.txt"), wanted, strict=True):
                    for one, other in zip(ours, theirs, strict=True):
                        self.assertAlmostEqual(one, other, delta=1e-5)
                done = self.run_cli("export", "keras", project, "--checkpoint", file, "--out", self.home / "again.keras")
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                again = self.home / f"{name}-again.tandem"
                done = self.run_cli("import", self.home / "again.keras", "--out", again)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                vocabulary = json.loads(again.read_text())["model"]["layers"][0]["config"]["vocabulary"]
                self.assertEqual(vocabulary[-len(io[name]["vocabulary"]):], io[name]["vocabulary"])

    def project_of_texts(self, texts, words):
        """Of two classes in turn; the Embedding has a row for each of so many places."""
        (self.home / "t.tsv").write_text("".join(f"{i % 2}\t{text}\n" for i, text in enumerate(texts)))
        value = json.loads((SOURCE / "resources" / "templates" / "text_lstm.tandem").read_text())
        value["data"].update(train_files=["t.tsv"], test_files=["t.tsv"])
        del value["data"]["text"]
        value["fit"]["epochs"] = 1
        value["model"].update(input_shape=[1], input_dtype="string", layers=[
            {"class_name": "TextVectorization", "name": "words", "config": {"output_sequence_length": 3}},
            {"class_name": "Embedding", "name": "embedding", "config": {"input_dim": words, "output_dim": 4}},
            {"class_name": "Flatten", "name": "flatten", "config": {}},
            {"class_name": "Dense", "name": "dense", "config": {"units": 2, "activation": "softmax"}}])
        project = self.home / "words.tandem"
        project.write_text(json.dumps(value))
        return project

    def test_a_whole_model_of_texts_has_the_vocabulary_that_they_give(self):
        """A checkpoint has weights alone; the words of the project's training texts are those that it was trained with."""
        project = self.project_of_texts(["good good film", "bad film film"], words=5)
        self.train(project, "--out", self.home / "run")
        file, again = self.home / "words.keras", self.home / "words-again.tandem"
        done = self.run_cli("export", "keras", project, "--checkpoint", self.home / "run" / "checkpoints" / "ckpt_1", "--out", file)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        done = self.run_cli("import", file, "--out", again)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(json.loads(again.read_text())["model"]["layers"][0]["config"]["vocabulary"], ["film", "good", "bad"])
        done = self.run_cli("export", "keras", project, "--checkpoint", self.home / "run" / "checkpoints" / "ckpt_1", "--out", file,
                            "--set", 'data.dataset="mnist"')
        self.assertEqual(done.returncode, 1)
        self.assertIn("words: expected a vocabulary, got none", done.stderr)

    def test_a_vocabulary_may_be_larger_than_a_megabyte(self):
        """That of a run is in its project, which is handed to whoever predicts, evaluates and trains on."""
        count = 100_000
        texts = [" ".join(f"word{i:08}" for i in range(begin, begin + 100)) for begin in range(0, count, 100)]
        self.train(self.project_of_texts(texts, words=count + 2), "--out", self.home / "run")
        (self.home / "x.txt").write_text("word00000007 word00099999\n")
        for verb in (["predict", self.home / "run", "--data", self.home / "x.txt", "--out", self.home / "y.npy"], ["evaluate", self.home / "run"],
                     ["branch", self.home / "run", "--set", "fit.epochs=2", "--out", self.home / "branch"]):
            done = self.run_cli(*verb)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_vocabulary_that_no_project_holds_is_refused_before_training(self):
        count = 400_000
        texts = [" ".join(f"a-very-long-word-{i:08}" for i in range(begin, begin + 100)) for begin in range(0, count, 100)]
        project = self.project_of_texts(texts, words=2 * count)
        value = json.loads(project.read_text())
        value["model"]["layers"][0]["config"]["standardize"] = "lower"
        project.write_text(json.dumps(value))
        done = self.run_cli("train", project, "--out", self.home / "run")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        said = done.stdout + done.stderr
        self.assertRegex(said, r"expected a project of at most 8323072 bytes with the vocabulary of words, got \d+ bytes with its 400000 texts")
        self.assertFalse((self.home / "run" / "run.json").exists())
        places = int(re.search(r"Set max_tokens to (\d+)", said).group(1))
        self.train(project, "--out", self.home / "again", "--set", f"model.layers[0].max_tokens={places}")
        done = self.run_cli("evaluate", self.home / "again")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_predict_as_every_version_of_keras_does(self):
        for version in ("3.3.3", "3.10", "3.16"):
            name = f"keras_{version}_cnn"
            for model, weights in [(f"{name}.keras", f"{name}.keras"), (f"{name}_legacy.h5", f"{name}.weights.h5")]:
                with self.subTest(model=model):
                    self.expect_same_outputs(model, weights, "cnn_io.json")

    def test_import_keeps_compile_settings_and_weights(self):
        project = self.home / "p.tandem"
        done = self.run_cli("import", FILES / "plain_cnn.keras", "--out", project)
        self.assertEqual(done.returncode, 0, done.stderr)
        value = json.loads(project.read_text())
        self.assertEqual(value["compile"]["optimizer"]["class_name"], "Adam")
        self.assertEqual(value["compile"]["loss"]["config"]["from_logits"], True)
        self.assertEqual(value["fit"]["initial_weights"], str(FILES / "plain_cnn.keras"))
        again = self.run_cli("import", FILES / "plain_cnn.keras", "--out", project)
        self.assertEqual(again.returncode, 1)
        self.assertIn("p.tandem: expected the name of a new file", again.stderr)

    def test_import_names_what_it_cannot_represent(self):
        text = (FILES / "plain_cnn.json").read_text().replace('"class_name": "Flatten"', '"class_name": "Spectral"')
        model = self.home / "odd.json"
        model.write_text(text)
        done = self.run_cli("import", model, "--out", self.home / "odd.tandem")
        self.assertEqual(done.returncode, 1)
        self.assertIn("flatten: expected a layer of class", done.stderr)
        self.assertIn("got Spectral", done.stderr)
        self.assertFalse((self.home / "odd.tandem").exists())


class WeightsOfARun(ProgramTest):
    def refuse(self, *options, words):
        done = self.run_cli("train", "mnist_mirrored", "--set", "fit.epochs=1", "--set", "data.take=640", *options, timeout=300)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, done.stdout + done.stderr)

    def test_that_do_not_fit_are_named(self):
        self.refuse("--initial-weights", FILES / "plain_cnn.weights.h5", words=["layers/conv2d/vars/0", "(conv2d/kernel)", "got (3, 3, 1, 4)"])
        self.refuse("--initial-weights", self.home / "none.keras", words=["fit.initial_weights", "none.keras"])
        broken = self.home / "broken.keras"
        broken.write_bytes((FILES / "plain_cnn.keras").read_bytes()[:9000])
        self.refuse("--initial-weights", broken, words=["broken.keras", "expected a zip archive"])
        self.refuse("--save-weights", self.home / "out.npz", words=["fit.save_weights", "out.npz"])

    def test_go_on_where_they_were_saved(self):
        saved = self.home / "saved" / "after.weights.h5"
        out = self.home / "out"
        first = self.train("mnist_mirrored", "--set", "fit.epochs=1", "--set", "data.take=640", "--save-weights", saved, "--out", out)[-1]
        evaluated = []
        for target, checkpoint in [("mnist_mirrored", ["--checkpoint", saved]), (out, []), (out, ["--checkpoint", "ckpt_1"]), (first["run"], [])]:
            done = self.run_cli("evaluate", target, *checkpoint, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            evaluated.append(json.loads(done.stdout))
        for one in evaluated:
            self.assertEqual(one["samples"], 10000)
            self.assertAlmostEqual(one["test_loss"], first["test_loss"], places=5)

    @unittest.skipUnless(has_keras(), "TensorFlow is not installed (TANDEM_KERAS_PYTHON names an interpreter that has it)")
    def test_open_in_keras_with_the_same_outputs(self):
        out = self.home / "out"
        model = self.home / "model.keras"
        weights = self.home / "model.weights.h5"
        legacy = self.home / "model.h5"
        self.train("mnist_mirrored", "--set", "fit.epochs=1", "--set", "data.take=6400", "--save-weights", model, "--out", out)
        for file in (weights, legacy):
            done = self.run_cli("export", "keras", out, "--out", file)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        done = self.run_cli("predict", out, "--out", self.home / "y.npy")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        images = SOURCE / "resources" / "datasets" / "mnist" / "t10k-images-idx3-ubyte.gz"
        for file, more in [(model, "-"), (legacy, "-"), (model, weights)]:
            compared = subprocess.run([KERAS_PYTHON, "-c", COMPARE, file, more, images, self.home / "y.npy"], capture_output=True, text=True,
                                      timeout=500, env=dict(os.environ, CUDA_VISIBLE_DEVICES="", TF_CPP_MIN_LOG_LEVEL="3"))
            self.assertEqual(compared.returncode, 0, compared.stderr[-3000:])
            result = dict(line.split() for line in compared.stdout.splitlines() if line.startswith(("worst", "iterations")))
            self.assertLess(float(result["worst"]), 1e-5, file)
            self.assertEqual(int(result["iterations"]), 100, file)

    @unittest.skipUnless(has_keras(), "TensorFlow is not installed (TANDEM_KERAS_PYTHON names an interpreter that has it)")
    def test_of_starters_with_blocks_open_in_keras_with_the_same_outputs(self):
        """ResNet-20 and the vision transformer, trained for some steps on images that have CIFAR-10's form."""
        of_seed = random.Random(7)
        images = self.home / "images.npz"
        labels = [of_seed.randrange(10) for _ in range(256)]
        write_npz(images, b"".join(bytes((of_seed.randrange(160) + 9 * label) for _ in range(32 * 32 * 3)) for label in labels), labels)
        for name in ("cifar10_resnet20", "cifar10_transformer"):
            with self.subTest(name):
                value = json.loads((SOURCE / "resources" / "templates" / f"{name}.tandem").read_text())
                value["data"].update(dataset="npz", train_files=["images.npz"], batch_size_per_replica=32)
                value["fit"]["epochs"] = 2
                project, out, model = self.home / f"{name}.tandem", self.home / name, self.home / f"{name}.keras"
                project.write_text(json.dumps(value))
                self.train(project, "--save-weights", model, "--out", out)
                code, y = self.home / f"{name}.py", self.home / f"{name}.npy"
                code.write_text(self.run_cli("export", "code", project).stdout)
                done = self.run_cli("predict", out, "--out", y)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                compared = subprocess.run([KERAS_PYTHON, "-c", COMPARE_BY_CODE, code, model, images, y], capture_output=True, text=True,
                                          timeout=500, env=dict(os.environ, CUDA_VISIBLE_DEVICES="", TF_CPP_MIN_LOG_LEVEL="3"))
                self.assertEqual(compared.returncode, 0, compared.stderr[-3000:])
                result = dict(line.split() for line in compared.stdout.splitlines() if line.startswith(("worst", "iterations")))
                self.assertLess(float(result["worst"]), 1e-5, name)
                self.assertGreater(int(result["iterations"]), 0, name)


if __name__ == "__main__":
    unittest.main()
