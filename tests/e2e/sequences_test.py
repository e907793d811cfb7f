"""Labels that are sequences: archives of NumPy with y of the shape (samples, length), trained with CTC, evaluated and read off."""
import io
import itertools
import json
import random
import struct
import unittest
import zipfile

from programs import ProgramTest

TIMES, FEATURES, LENGTH = 16, 4, 4
TRAINED, TESTED = 512, 88


def npy(descr, shape, values):
    """NPY 1.0; without numpy, which is no part of a build machine."""
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({', '.join(map(str, shape))},), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + values


def sample(chance):
    """A label of one to four symbols with zeros behind it, and its sound: each symbol some frames long, a pause in front of some of them
    and between equal ones."""
    frames = [0] * (TIMES + 1)
    while len(frames) > TIMES:
        label = [chance.randrange(1, FEATURES) for _ in range(chance.randint(1, LENGTH))]
        frames = []
        for k, symbol in enumerate(label):
            if (k and label[k - 1] == symbol) or chance.random() < 0.5:
                frames += [0] * chance.randint(1, 2)
            frames += [symbol] * chance.randint(1, 3)
    frames += [0] * (TIMES - len(frames))
    sound = [float(feature == frame) + chance.gauss(0, 0.1) for frame in frames for feature in range(FEATURES)]
    return sound, label + [0] * (LENGTH - len(label))


class Sequences(ProgramTest):
    def write(self, *, spoil=None, length=LENGTH):
        """sounds.npz; returns the labels of its test samples."""
        chance = random.Random(1)
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as file:
            for part, count in (("train", TRAINED), ("test", TESTED)):
                samples = [sample(chance) for _ in range(count)]
                labels = [label + [0] * (length - LENGTH) for _, label in samples]
                if spoil and part == "train":
                    labels[7] = spoil
                sounds = [value for sound, _ in samples for value in sound]
                columns = [symbol for label in labels for symbol in label]
                file.writestr(f"x_{part}.npy", npy("<f4", (count, TIMES, FEATURES), struct.pack(f"<{len(sounds)}f", *sounds)))
                file.writestr(f"y_{part}.npy", npy("<i4", (count, length), struct.pack(f"<{len(columns)}i", *columns)))
        (self.home / "sounds.npz").write_bytes(archive.getvalue())
        return [[symbol for symbol in label if symbol] for label in labels]

    def sounds(self, **parts):
        layers = [{"class_name": "Conv1D", "name": "conv", "config": {"filters": 16, "kernel_size": [3], "padding": "same", "activation": "relu"}},
                  {"class_name": "Dense", "name": "scores", "config": {"units": FEATURES}}]
        project = {"version": 1, "name": "sounds", "model": {"name": "sequential", "input_shape": [TIMES, FEATURES], "layers": layers},
                   "data": {"dataset": "npz", "train_files": ["sounds.npz"], "scale": 1.0, "shuffle": 1000, "batch_size_per_replica": 32,
                            "validate_on_test": True},
                   "compile": {"optimizer": {"class_name": "Adam", "config": {"learning_rate": 0.01}}, "loss": {"class_name": "CTC", "config": {}},
                               "metrics": []},
                   "fit": {"epochs": 12, "log_every": 1, "seed": 3}, "strategy": {"name": "MirroredStrategy"}, **parts}
        path = self.home / "sounds.tandem"
        path.write_text(json.dumps(project))
        return path

    def test_are_learnt_evaluated_and_read_off(self):
        wanted = self.write()
        out = self.home / "out"
        events = self.train(self.sounds(callbacks={"model_checkpoint": {"filepath": "checkpoints/ckpt_{epoch}", "save_weights_only": True}}), "--out", out)
        losses = [event["loss"] for event in events if event["event"] == "step"]
        self.assertGreater(losses[0], 4)
        epochs = [event for event in events if event["event"] == "epoch"]
        self.assertEqual(len(epochs), 12)
        self.assertLess(epochs[-1]["loss"], 0.5)
        self.assertLess(epochs[-1]["val_loss"], 0.5)
        done = self.run_cli("evaluate", out, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertAlmostEqual(json.loads(done.stdout.splitlines()[-1])["test_loss"], epochs[-1]["val_loss"], places=5)

        # The best class of each time, repeats merged and blanks left out, spells the labels.
        predictions = self.home / "predictions.csv"
        told = self.run_cli("predict", out, "--out", predictions)
        self.assertEqual(told.returncode, 0, told.stderr)
        right = 0
        for line, label in zip(predictions.read_text().splitlines(), wanted, strict=True):
            scores = [float(cell) for cell in line.split(",")]
            best = [max(range(FEATURES), key=lambda c: scores[t * FEATURES + c]) for t in range(TIMES)]
            right += [symbol for symbol, _ in itertools.groupby(best) if symbol] == label
        self.assertGreater(right, TESTED * 3 // 4)

        # inspect reads the same off.
        for sample, line in enumerate(predictions.read_text().splitlines()[:3]):
            scores = [float(cell) for cell in line.split(",")]
            best = [max(range(FEATURES), key=lambda c: scores[t * FEATURES + c]) for t in range(TIMES)]
            told = self.run_cli("inspect", out, "--sample", sample, "--json")
            self.assertEqual(told.returncode, 0, told.stderr)
            top = json.loads(told.stdout)["top"]
            self.assertEqual([entry["index"] for entry in top], [symbol for symbol, _ in itertools.groupby(best) if symbol])
            for entry in top:
                self.assertGreater(entry["probability"], 1 / FEATURES)
                self.assertLessEqual(entry["probability"], 1)

    def test_weigh_the_same_on_one_device_and_on_two_workers(self):
        """A sample's loss is its own: whoever has it. Columns of zeros change nothing, nor do more of them than the model has times."""
        def losses(*arguments, batch, length=LENGTH):
            self.write(length=length)
            project = self.sounds(fit={"epochs": 1, "log_every": 1, "seed": 3})
            events = self.train(project, "--threads", 1, "--set", f"data.batch_size_per_replica={batch}", "--set", "data.shuffle=0",
                                "--set", "data.take=256", *arguments)
            return [event["loss"] for event in events if event["event"] == "step"]
        one = losses(batch=32)
        self.assertEqual(len(one), 8)
        for others in (losses(batch=32, length=TIMES + 9),
                       losses("--workers", 2, batch=16),
                       losses("--set", "strategy.logical_cpus=2", batch=16)):
            self.assertEqual(len(others), 8)
            for k, (a, b) in enumerate(zip(others, one)):
                self.assertAlmostEqual(a, b, delta=1e-4 * max(1, abs(b)), msg=f"step {k + 1}")

    def refuse(self, project, *words):
        out = self.home / "refused"
        done = self.run_cli("train", project, "--out", out)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertFalse(out.exists(), "the run's folder was made")

    def test_that_are_none_are_refused_before_a_run_is_made(self):
        self.write(spoil=[1, 4, 0, 0])
        self.refuse(self.sounds(), "label 4 of sample 7 is out of range", "the model has 4 outputs")
        self.write(spoil=[1, 0, 2, 0])
        self.refuse(self.sounds(), "label 2 of sample 7 stands behind a zero, which ends a sequence of classes")
        self.write()
        plain = {"dataset": "npz", "train_files": ["sounds.npz"], "npz": {"train_samples": "x_train", "train_labels": "x_train"}}
        self.refuse(self.sounds(data=plain), "is no class index, the loss expects whole numbers from 0")


if __name__ == "__main__":
    unittest.main()
