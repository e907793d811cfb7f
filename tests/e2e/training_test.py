"""Training, evaluation and what a run leaves on disk, on real MNIST with one worker."""
import csv
import json
import unittest

from programs import ProgramTest


class OneWorker(ProgramTest):
    def test_trains_and_reports_by_the_contract(self):
        out = self.home / "out"
        events = self.train("mnist_mirrored", "--set", "fit.epochs=2", "--set", "fit.log_every=200", "--out", out)
        steps = [e for e in events if e["event"] == "step"]
        epochs = [e for e in events if e["event"] == "epoch"]
        self.assertEqual([e["step"] for e in steps], list(range(200, 2 * 938 + 1, 200)))
        for e in steps:
            self.assertLessEqual({"event", "step", "epoch", "loss", "accuracy", "learning_rate"}, set(e))
        self.assertEqual(len(epochs), 2)
        for e in epochs:
            self.assertLessEqual({"loss", "accuracy", "val_loss", "val_accuracy"}, set(e))
        last = events[-1]
        self.assertEqual(last["event"], "finished")
        self.assertEqual(last["state"], "done")
        self.assertGreater(last["test_accuracy"], 0.97)
        self.assertGreater(last["images_per_s"], 0)
        self.assertGreater(last["first_step_s"], 0)
        self.assertEqual(len(last["weights_sha256"]), 64)
        self.assertTrue((out / "run.json").exists())
        self.assertTrue((out / "checkpoints" / "ckpt_2.index").exists())
        self.assertIn('model_checkpoint_path: "ckpt_2"', (out / "checkpoints" / "checkpoint").read_text())

        # The checkpoint holds what the run ended with.
        done = self.run_cli("evaluate", "mnist_mirrored", "--checkpoint", out / "checkpoints", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        evaluated = json.loads(done.stdout.splitlines()[-1])
        self.assertAlmostEqual(evaluated["test_accuracy"], last["test_accuracy"], places=6)
        self.assertAlmostEqual(evaluated["test_loss"], last["test_loss"], places=5)

        # Which class is taken for which, in the same numbers as a program that reads the predictions counts them.
        told = self.run_cli("evaluate", out, "--confusion", "--mistakes", "3", "--json")
        self.assertEqual(told.returncode, 0, told.stderr)
        told = json.loads(told.stdout)
        predictions = self.home / "predictions.csv"
        self.assertEqual(self.run_cli("predict", out, "--out", predictions).returncode, 0)
        rows = [[float(cell) for cell in line.split(",")] for line in predictions.read_text().splitlines()]
        guesses = [row.index(max(row)) for row in rows]
        self.assertEqual([sum(row[k] for row in told["confusion"]) for k in range(10)], [guesses.count(k) for k in range(10)])
        right = sum(told["confusion"][k][k] for k in range(10))
        self.assertAlmostEqual(right / told["samples"], told["test_accuracy"], places=6)
        self.assertEqual(len(told["mistakes"]), 3)
        for mistake in told["mistakes"]:
            self.assertEqual(guesses[mistake["sample"]], mistake["predicted"])
            self.assertNotEqual(mistake["label"], mistake["predicted"])
        self.assertGreaterEqual(told["mistakes"][0]["confidence"], told["mistakes"][2]["confidence"])
        seen = json.loads(self.run_cli("inspect", out, "--sample", told["mistakes"][0]["sample"], "--json").stdout)
        self.assertEqual(seen["top"][0]["index"], told["mistakes"][0]["predicted"])
        self.assertAlmostEqual(seen["top"][0]["probability"], told["mistakes"][0]["confidence"], places=5)
        self.assertEqual([layer["shape"] for layer in seen["layers"]], [[26, 26, 32], [13, 13, 32], [64], [10]])
        listed = json.loads(self.run_cli("runs", "--json").stdout.splitlines()[0])
        listed = listed[0] if isinstance(listed, list) else listed
        self.assertEqual(listed["best_val_accuracy"], max(e["val_accuracy"] for e in epochs))

    def test_a_loss_that_is_no_number_is_told_as_one(self):
        out = self.home / "diverged"
        done = self.run_cli("train", "mnist_mlp", "--out", out, "--set", "data.take=640", "--set", "fit.epochs=1",
                            "--set", 'compile.optimizer={"class_name":"SGD","config":{"learning_rate":1e30}}')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"Test loss: +nan\n")
        self.assertNotIn("-nan", done.stdout)
        told = self.run_cli("evaluate", out, "--json")
        self.assertEqual(told.returncode, 0, told.stderr)
        self.assertIsNone(json.loads(told.stdout)["test_loss"])

    def test_repeats_byte_for_byte_from_its_seed(self):
        short = ["mnist_mirrored", "--set", "fit.epochs=1", "--set", "data.take=6400"]
        shas = [self.train(*short, "--set", f"fit.seed={seed}")[-1]["weights_sha256"] for seed in (7, 7, 8)]
        self.assertEqual(shas[0], shas[1])
        self.assertNotEqual(shas[0], shas[2])

    def test_trains_on_logical_devices_as_on_one(self):
        def losses(devices, *settings):
            events = self.train("mnist_mirrored", "--set", "fit.epochs=1", "--set", "data.take=640", "--set", "fit.log_every=1",
                                "--set", f"strategy.logical_cpus={devices}", "--set", f"data.batch_size_per_replica={64 // devices}",
                                *settings)
            return [e["loss"] for e in events if e["event"] == "step"]
        one = losses(1)
        central = "strategy.name=CentralStorageStrategy"
        halves = "strategy.cross_device_ops=HierarchicalCopyAllReduce"
        for several in (losses(2), losses(4, "--set", halves), losses(2, "--set", central)):
            self.assertEqual(len(several), 10)
            for k, (a, b) in enumerate(zip(several, one)):
                self.assertAlmostEqual(a, b, delta=1e-5 * max(1, abs(b)), msg=f"step {k + 1}")

    def test_follows_the_decay_table(self):
        events = self.train("mnist_mirrored", "--set", "fit.epochs=9", "--set", "data.take=640", "--set", "fit.log_every=1")
        rates = {e["epoch"]: e["learning_rate"] for e in events if e["event"] == "step"}
        self.assertEqual(len(rates), 9)
        first = min(rates)
        for epoch, rate in rates.items():
            k = epoch - first
            self.assertAlmostEqual(rate, 1e-3 if k < 3 else 1e-4 if k < 7 else 1e-5, delta=1e-9, msg=f"epoch {k}")

    def test_writes_keras_csv_log(self):
        project = self.project("mnist_mirrored", callbacks={"csv_logger": {"filename": "log.csv"}}, fit__epochs=2, data__take=640)
        self.train(project, "--out", self.home / "out")
        with open(self.home / "out" / "log.csv", newline="") as f:
            text = f.read()
        self.assertIn("\r\n", text)
        rows = list(csv.DictReader(text.splitlines()))
        self.assertEqual([row["epoch"] for row in rows], ["0", "1"])
        self.assertLessEqual({"accuracy", "loss", "val_accuracy", "val_loss"}, set(rows[0]))

    def test_prints_progress_like_keras(self):
        done = self.run_cli("train", "mnist_mirrored", "--set", "fit.epochs=1", "--set", "data.take=6400")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Epoch 1/1", done.stdout)
        self.assertRegex(done.stdout, r"100/100 .*/step - accuracy: 0\.\d{4} - loss: \d\.\d{4}")

    def test_lists_its_runs(self):
        self.train("mnist_mirrored", "--set", "fit.epochs=1", "--set", "data.take=640")
        done = self.run_cli("runs")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Done", done.stdout)


if __name__ == "__main__":
    unittest.main()
