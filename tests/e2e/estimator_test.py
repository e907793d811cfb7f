"""Estimators: train_and_evaluate as TensorFlow's tutorial has it, by TF_CONFIG in shells and by one command, with an evaluator and without,
and what becomes of tasks that are lost."""
import json
import math
import os
import pathlib
import re
import signal
import subprocess
import unittest

from programs import BIN, ProgramTest, free_ports, process_of, wait_for

TUTORIAL, GUIDE = "tutorial_estimator", "guide_linear_regressor"
# A model whose step is short.
DENSE = ["--set", 'model.layers=[{"class_name":"Flatten","name":"flatten","config":{}},{"class_name":"Dense","name":"dense","config":{"units":10}}]',
         "--set", "compile.optimizer.config.learning_rate=0.1", "--threads", "1"]

DECAYS = """
import tensorflow as tf
config = tf.estimator.RunConfig(log_step_count_steps=1)
def input_fn():
    return tf.data.Dataset.from_tensors(({"feats": [1.]}, [1.])).repeat(1000).batch(10)
regressor = tf.estimator.LinearRegressor(
    feature_columns=[tf.feature_column.numeric_column('feats')],
    optimizer=lambda: tf.keras.optimizers.SGD(learning_rate=tf.compat.v1.train.exponential_decay(
        0.2, tf.compat.v1.train.get_global_step(), 2, 0.5, staircase=True)),
    config=config)
regressor.train(input_fn=input_fn, steps=6)
regressor.evaluate(input_fn=input_fn, steps=10)
"""


def texts(events, task=None):
    return [e["text"] for e in events if e["event"] == "log" and task in (None, e["task"])]


class Estimators(ProgramTest):
    def cluster(self, **jobs):
        ports = iter(free_ports(sum(jobs.values())))
        return {job: [f"localhost:{next(ports)}" for _ in range(count)] for job, count in jobs.items()}

    def in_shells(self, cluster, *settings, project=TUTORIAL, tasks=None):
        """Every task by TF_CONFIG; the evaluator looks into the folder of the chief."""
        started = {}
        for job, addresses in cluster.items():
            for index in range(len(addresses)):
                chief = "chief" if "chief" in cluster else "worker"
                folder = self.home / (f"{chief}0" if job == "evaluator" else f"{job}{index}")
                config = json.dumps({"cluster": cluster, "task": {"type": job, "index": index}})
                started[job, index] = self.start("tandem-worker", project, "--out", folder, *settings, env=dict(self.env, TF_CONFIG=config))
        told = {}
        for task, process in started.items():
            told[task] = process.communicate(timeout=300)[0]
            process.stdout.close()
            self.assertEqual(process.returncode, 0, f"{task}\n{told[task]}")
        return told

    def test_the_tutorial_in_two_shells(self):
        told = self.in_shells(self.cluster(worker=2), "--threads", "1", "--set", "data.take=12800")
        chief = told["worker", 0]
        folder = self.home / "worker0" / "checkpoints" / "model.ckpt"
        self.assertIn(f"Saving checkpoints for 0 into {folder}.", chief)
        self.assertIn(f"Saving checkpoints for 100 into {folder}.", chief, "half of 12800 samples for each worker, 64 in a batch")
        self.assertRegex(chief, r"(?m)^loss = [\d.]+, step = 0$")
        self.assertRegex(chief, r"(?m)^Loss for final step: [\d.]+\.$")
        self.assertNotIn("Saving checkpoints", told["worker", 1], "the chief alone saves")
        self.assertTrue((self.home / "worker0" / "checkpoints" / "model.ckpt-100.index").exists())
        self.assertFalse((self.home / "worker1").exists())

    def test_an_evaluator_in_a_third_shell(self):
        settings = ["--set", "estimator.run_config.save_checkpoints_steps=50", "--set", "estimator.eval_spec.start_delay_secs=0", "--set",
                    "estimator.eval_spec.throttle_secs=0", "--set", "estimator.eval_spec.name=mnist", "--set", "data.take=25600", *DENSE]
        told = self.in_shells(self.cluster(worker=2, evaluator=1), *settings)
        evaluator = told["evaluator", 0]
        steps = [int(step) for step in re.findall(r"Saving dict for global step (\d+): accuracy = [\d.]+, global_step = \1, loss = ", evaluator)]
        self.assertEqual(steps[-1], 200, evaluator)
        self.assertEqual(steps, sorted(set(steps)), "each checkpoint once")
        self.assertTrue(all(step % 50 == 0 for step in steps), steps)
        self.assertNotIn("Saving dict", told["worker", 0])
        self.assertTrue(list((self.home / "worker0" / "logs" / "eval_mnist").glob("events.out.tfevents.*")))

    def into_file(self, cluster, job, index, *settings):
        """A task in a shell of its own, whose lines go to a file; the evaluator looks into the folder of worker 0."""
        config = json.dumps({"cluster": cluster, "task": {"type": job, "index": index}})
        folder = self.home / ("worker0" if job == "evaluator" else f"{job}{index}")
        with open(self.home / f"{job}{index}.txt", "w", encoding="utf-8") as out:
            return subprocess.Popen([BIN / "tandem-worker", TUTORIAL, "--out", folder, *settings, *DENSE],
                                    env=dict(self.env, TF_CONFIG=config), cwd=self.home, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)

    def lines_of(self, task):
        return (self.home / f"{task}.txt").read_text(errors="replace")

    def test_an_evaluator_names_a_chief_that_is_gone(self):
        cluster = self.cluster(worker=2, evaluator=1)
        settings = ["--set", "estimator.run_config.save_checkpoints_steps=50", "--set", "estimator.eval_spec.start_delay_secs=0", "--set",
                    "estimator.eval_spec.throttle_secs=0", "--set", "estimator.train_spec.max_steps=10000000", "--set",
                    "estimator.train_spec.input_repeats=0", "--set", "cluster.start_timeout_s=30"]
        evaluator, chief, worker = [self.into_file(cluster, job, index, *settings) for job, index in (("evaluator", 0), ("worker", 0), ("worker", 1))]
        wait_for(lambda: "Saving dict for global step" in self.lines_of("evaluator0"), "the first evaluation", 300)
        chief.kill()
        chief.wait()
        self.assertEqual(worker.wait(300), 1, self.lines_of("worker1")[-3000:])
        self.assertEqual(evaluator.wait(300), 1, self.lines_of("evaluator0")[-3000:])
        name, told = f"worker 0 at {cluster['worker'][0]}", self.lines_of("evaluator0")
        self.assertIn(f"warning: {name} is gone; it may come back within 30 s", told)
        self.assertIn(f"error: {name} is gone: expected it back within 30 s, found no sign of life in {self.home / 'worker0'}", told)
        last = re.findall(r'"checkpoint": ?"[^"]*-(\d+)"', (self.home / "worker0" / "checkpoints.jsonl").read_text())[-1]
        self.assertIn(f"Saving dict for global step {last}:", told, "its last checkpoint is evaluated all the same")

    def test_an_evaluator_whose_chief_never_begins_gives_up(self):
        cluster = self.cluster(worker=1, evaluator=1)
        evaluator = self.into_file(cluster, "evaluator", 0, "--set", "cluster.start_timeout_s=3", "--set", "estimator.eval_spec.start_delay_secs=1")
        self.assertEqual(evaluator.wait(300), 1, self.lines_of("evaluator0")[-3000:])
        self.assertIn(f"error: gave up waiting for worker 0 at {cluster['worker'][0]} to begin after 4 s: found no sign of it in",
                      self.lines_of("evaluator0"))

    def test_one_command_with_chief_workers_and_evaluator(self):
        project = self.project(TUTORIAL, cluster=self.cluster(chief=1, worker=2, evaluator=1), estimator__run_config={"save_checkpoints_steps": 40,
                               "keep_checkpoint_max": 2}, estimator__eval_spec={"start_delay_secs": 0, "throttle_secs": 0, "steps": None},
                               estimator__train_spec={"max_steps": 200, "input_repeats": 0})
        events = self.train(project, *DENSE, "--out", self.home / "out")
        last = events[-1]
        self.assertEqual((last["state"], last["global_step"]), ("done", 200))
        self.assertGreater(last["test_accuracy"], 0.7, "the evaluator's word on the last checkpoint")
        measured = [e for e in events if e["event"] == "evaluation"]
        self.assertEqual(measured[-1]["step"], 200)
        self.assertAlmostEqual(measured[-1]["val_accuracy"], last["test_accuracy"], places=6)
        left = sorted(path.name for path in (self.home / "out" / "checkpoints").glob("model.ckpt-*.index"))
        self.assertEqual(left, ["model.ckpt-160.index", "model.ckpt-200.index"])
        shown = self.run_cli("evaluate", project, *[a for a in DENSE if a not in ("--threads", "1")], "--checkpoint",
                             self.home / "out" / "checkpoints", "--json")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertAlmostEqual(json.loads(shown.stdout.splitlines()[-1])["test_accuracy"], last["test_accuracy"], places=4)

    def test_an_evaluator_of_fit_validates_by_the_split_and_tests_by_the_test_set(self):
        project = self.project("mnist_two_workers", cluster=self.cluster(worker=2, evaluator=1), fit__epochs=2, fit__seed=1,
                               callbacks={"model_checkpoint": {}})
        settings = [*DENSE, "--set", "data.take=4000", "--set", "data.validation_split=0.25"]
        last = self.train(project, *settings, "--out", self.home / "out")
        shown = self.run_cli("evaluate", project, *[a for a in settings if a not in ("--threads", "1")], "--checkpoint",
                             self.home / "out" / "checkpoints", "--json")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertAlmostEqual(json.loads(shown.stdout.splitlines()[-1])["test_accuracy"], last[-1]["test_accuracy"], places=4)
        measured = [e for e in last if e["event"] == "evaluation"]
        self.assertTrue(measured)
        self.assertNotAlmostEqual(measured[-1]["val_accuracy"], last[-1]["test_accuracy"], places=6, msg="other samples")

    def test_an_estimator_on_parameter_servers(self):
        project = self.project(TUTORIAL, cluster=self.cluster(ps=1, worker=2, evaluator=1), strategy={"name": "ParameterServerStrategy"},
                               estimator__run_config={"save_checkpoints_steps": 50}, estimator__eval_spec={"start_delay_secs": 0, "throttle_secs": 0},
                               estimator__train_spec={"max_steps": 300, "input_repeats": 0})
        events = self.train(project, *DENSE, "--out", self.home / "out")
        last = events[-1]
        self.assertEqual(last["state"], "done")
        self.assertTrue(300 <= last["global_step"] <= 301, last)
        self.assertGreater(last["test_accuracy"], 0.7)
        self.assertTrue([e for e in events if e["event"] == "evaluation"])

    def test_a_lost_evaluator_comes_back_and_a_lost_worker_begins_at_the_last_checkpoint(self):
        project = self.project(TUTORIAL, cluster=self.cluster(worker=2, evaluator=1), estimator__run_config={"save_checkpoints_steps": 100},
                               estimator__eval_spec={"start_delay_secs": 0, "throttle_secs": 0},
                               estimator__train_spec={"max_steps": 3000, "input_repeats": 0})
        out = self.home / "out"
        training = self.start("tandem-cli", "train", project, *DENSE, "--out", out, "--json")
        for victim in ("evaluator", "worker"):
            seen = (out / "checkpoints.jsonl").read_text().count('"checkpoint"') if (out / "checkpoints.jsonl").exists() else 0
            wait_for(lambda seen=seen: (out / "checkpoints.jsonl").exists()
                     and (out / "checkpoints.jsonl").read_text().count('"checkpoint"') >= seen + 3, "three checkpoints", 300)
            self.kill_task(victim)
        text = training.communicate(timeout=300)[0]
        training.stdout.close()
        events = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
        self.assertEqual(events[-1]["state"], "done", text[-3000:])
        self.assertEqual(events[-1]["global_step"], 3000)
        resumed = [e for e in events if e["event"] == "resumed"]
        self.assertTrue(resumed and resumed[0]["step"] % 100 == 0 and resumed[0]["step"] > 0, resumed)
        self.assertEqual([e for e in events if e["event"] == "evaluation"][-1]["step"], 3000)

    def kill_task(self, job):
        mark = f'"type": "{job}"'.encode()
        found = [pid for pid in process_of(self.marker, "tandem-worker") if mark in pathlib.Path(f"/proc/{pid}/environ").read_bytes()]
        self.assertTrue(found, job)
        os.kill(found[-1], signal.SIGKILL)

    def test_the_guides_regressor_reports_what_the_guide_prints(self):
        events = self.train(GUIDE, "--out", self.home / "out")
        said = texts(events)
        self.assertIn("loss = 1, step = 0", said)
        self.assertEqual([text for text in said if text.startswith("Evaluation [")], [f"Evaluation [{k}/10]" for k in range(1, 11)])
        result = next(text for text in said if text.startswith("Saving dict for global step 10: "))
        self.assertRegex(result, r"average_loss = [\d.e-]+, global_step = 10, label/mean = 1\.0, loss = [\d.e-]+, prediction/mean = (1\.0|0\.9999\d+)$")
        self.assertLess(float(re.search(r"average_loss = (\S+),", result)[1]), 1e-13)
        self.assertEqual(events[-1]["global_step"], 10)

    def test_a_rate_of_the_global_step_halves_every_two_steps(self):
        """TensorFlow 1's function with a staircase, read from code, trains as its formula says, and goes out and in again."""
        code = self.home / "decays.py"
        code.write_text(DECAYS)
        project, again = self.home / "decays.tandem", self.home / "again.tandem"
        done = self.run_cli("import", code, "--out", project)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        losses = [float(found[1]) for text in texts(self.train(project, "--out", self.home / "out")) if (found := re.match(r"loss = (\S+), step", text))]
        weight = bias = 0.0
        self.assertEqual(len(losses), 6)
        for step, loss in enumerate(losses):
            error = weight + bias - 1
            self.assertAlmostEqual(loss, error * error, delta=1e-4 * error * error, msg=str(step))
            weight -= 0.2 * 0.5 ** (step // 2) * 2 * error
            bias -= 0.2 * 0.5 ** (step // 2) * 2 * error
        plain = json.loads(project.read_text())
        plain.pop("code")
        project.write_text(json.dumps(plain))
        code.write_text(self.run_cli("export", "code", project).stdout)
        self.assertIn("tf.keras.optimizers.schedules.ExponentialDecay(", code.read_text())
        self.assertEqual(self.run_cli("import", code, "--out", again).stderr, "")
        self.assertEqual(json.loads(again.read_text())["compile"], plain["compile"])

    def test_a_linear_regressor_on_a_table_follows_the_formulas_of_ftrl(self):
        rows = [(18 + 7 * i % 60, ("Seoul", "Berlin", "Paris")[i % 3], 0.5 * i % 11) for i in range(40)]
        table = self.home / "people.csv"
        table.write_text("age,city,wage\n" + "".join(f"{age},{city},{wage}\n" for age, city, wage in rows))
        columns = [{"class_name": "BucketizedColumn", "config": {"key": "age", "boundaries": [30, 50]}},
                   {"class_name": "CategoricalColumnWithVocabularyList", "config": {"key": "city", "vocabulary_list": ["Seoul", "Berlin"]}}]
        project = self.project(GUIDE, data={"dataset": "csv", "train_files": [str(table)], "test_files": [str(table)], "csv": {"label": "wage"},
                               "feature_columns": columns, "scale": 1.0, "shuffle": 0, "batch_size_per_replica": 40}, model__input_shape=[5],
                               compile__optimizer={"class_name": "Ftrl", "config": {"learning_rate": 0.2}}, strategy={"name": "OneDeviceStrategy"},
                               estimator__train_spec={"max_steps": 100, "input_repeats": 0}, estimator__eval_spec={"steps": None})
        events = self.train(project, "--out", self.home / "out")
        result = next(text for text in texts(events) if text.startswith("Saving dict for global step 100: "))

        features = [[age < 30, 30 <= age < 50, age >= 50, city == "Seoul", city == "Berlin", True] for age, city, _ in rows]  # the last: bias
        labels = [wage for _, _, wage in rows]
        weights, squares, linear = [0.0] * 6, [0.1] * 6, [0.0] * 6
        errors = lambda: [sum(w for w, on in zip(weights, row) if on) - label for row, label in zip(features, labels)]
        for _ in range(100):
            wrong = errors()
            for k in range(6):
                slope = sum(2 * error for error, row in zip(wrong, features) if row[k]) / len(rows)
                grown = squares[k] + slope * slope
                linear[k] += slope - (grown ** 0.5 - squares[k] ** 0.5) / 0.2 * weights[k]
                weights[k] = -linear[k] / (grown ** 0.5 / 0.2)
                squares[k] = grown
        loss = sum(error * error for error in errors()) / len(rows)
        self.assertAlmostEqual(float(re.search(r"average_loss = (\S+),", result)[1]), loss, delta=1e-5 * loss, msg=result)
        self.assertIn(f"label/mean = {sum(labels) / len(labels):.3f}"[:-2], result)

    def test_a_dnn_classifier_on_a_table_follows_the_formulas_of_adagrad(self):
        rows = [(18 + 7 * i % 60, ("Seoul", "Berlin", "Paris")[i % 3], int(i % 5 < 2 or i % 7 == 3)) for i in range(40)]
        table = self.home / "people.csv"
        table.write_text("age,city,moved\n" + "".join(f"{age},{city},{moved}\n" for age, city, moved in rows))
        columns = [{"class_name": "BucketizedColumn", "config": {"key": "age", "boundaries": [30, 50]}},
                   {"class_name": "CategoricalColumnWithVocabularyList", "config": {"key": "city", "vocabulary_list": ["Seoul", "Berlin"]}}]
        layers = [{"class_name": "Dense", "name": name, "config": {"units": units, "kernel_initializer": "Identity", **more}}
                  for name, units, more in (("dense", 5, {"activation": "relu"}), ("dense_1", 1, {}))]
        project = self.project(GUIDE, data={"dataset": "csv", "train_files": [str(table)], "test_files": [str(table)], "csv": {"label": "moved"},
                               "feature_columns": columns, "scale": 1.0, "shuffle": 0, "batch_size_per_replica": 40}, model__input_shape=[5],
                               model__layers=layers, estimator__name="DNNClassifier", strategy={"name": "OneDeviceStrategy"},
                               compile={"optimizer": {"class_name": "Adagrad", "config": {"learning_rate": 0.05}},
                                        "loss": {"class_name": "BinaryCrossentropy", "config": {"from_logits": True}}, "metrics": []},
                               estimator__train_spec={"max_steps": 100, "input_repeats": 0}, estimator__eval_spec={"steps": None})
        events = self.train(project, "--out", self.home / "out")
        result = next(text for text in texts(events) if text.startswith("Saving dict for global step 100: "))
        told = {name: float(value) for name, value in re.findall(r"([\w/]+) = ([^,\s]+)", result)}

        features = [[age < 30, 30 <= age < 50, age >= 50, city == "Seoul", city == "Berlin"] for age, city, _ in rows]
        labels, count = [moved for _, _, moved in rows], len(rows)
        hidden = [[float(i == k) for k in range(5)] for i in range(5)] + [[0.0] * 5]  # the last row: bias
        output = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
        sums = [[0.1] * 5 for _ in range(6)], [0.1] * 6

        def forward(row):
            units = [max(0.0, hidden[5][k] + sum(hidden[i][k] for i in range(5) if row[i])) for k in range(5)]
            return units, output[5] + sum(unit * weight for unit, weight in zip(units, output))

        def descend(slope, square):  # the step, and Adagrad's sum with it
            square += slope * slope
            return 0.05 * slope / square ** 0.5, square

        for _ in range(100):
            slopes, top = [[0.0] * 5 for _ in range(6)], [0.0] * 6
            for row, label in zip(features, labels):
                units, logit = forward(row)
                error = (1 / (1 + math.exp(-logit)) - label) / count
                for k in range(5):
                    top[k] += error * units[k]
                    through = error * output[k] * (units[k] > 0)
                    for i in [i for i in range(5) if row[i]] + [5]:
                        slopes[i][k] += through
                top[5] += error
            for k in range(6):
                step, sums[1][k] = descend(top[k], sums[1][k])
                output[k] -= step
                for i in range(6) if k < 5 else ():
                    step, sums[0][i][k] = descend(slopes[i][k], sums[0][i][k])
                    hidden[i][k] -= step
        logits = [forward(row)[1] for row in features]
        chances = [1 / (1 + math.exp(-logit)) for logit in logits]
        loss = -sum(math.log(chance if label else 1 - chance) for chance, label in zip(chances, labels)) / count
        self.assertAlmostEqual(told["average_loss"], loss, delta=1e-5 * loss, msg=result)
        self.assertEqual(told["loss"], told["average_loss"])

        hits = sum(label for logit, label in zip(logits, labels) if logit > 0)
        positive = sum(labels)
        expected = {"accuracy": sum((logit > 0) == label for logit, label in zip(logits, labels)) / count,
                    "accuracy_baseline": max(positive, count - positive) / count, "precision": hits / sum(logit > 0 for logit in logits),
                    "recall": hits / positive, "label/mean": positive / count, "prediction/mean": sum(chances) / count, "global_step": 100}
        for name, value in expected.items():
            self.assertAlmostEqual(told[name], value, delta=1e-5, msg=f"{name}: {result}")
        thresholds = [-1e-7] + [i / 199 for i in range(1, 199)] + [1 + 1e-7]
        right = [sum(label for chance, label in zip(chances, labels) if chance > at) / positive for at in thresholds]
        wrong = [sum(1 - label for chance, label in zip(chances, labels) if chance > at) / (count - positive) for at in thresholds]
        area = sum((wrong[i] - wrong[i + 1]) * (right[i] + right[i + 1]) / 2 for i in range(199))
        self.assertAlmostEqual(told["auc"], area, delta=1e-5, msg=result)
        self.assertTrue(0.3 < told["auc_precision_recall"] <= 1, result)

    def test_bad_input_is_one_sentence_before_anything_starts(self):
        for settings, sentence in (
            (["estimator.run_config={\"save_checkpoints_steps\": 5, \"save_checkpoints_secs\": 5}"],
             "estimator.run_config.save_checkpoints_secs: expected either steps or seconds between checkpoints, got 5 steps and 5.0 seconds"),
            (["fit.steps=100"], "fit.steps: expected 0 with MultiWorkerMirroredStrategy, whose epochs count the steps, got 100"),
            (["strategy.name=TPUStrategy"],
             "strategy.name: expected a strategy that trains here, got TPUStrategy: an estimator asked for a TPU, which no PJRT plug-in "
             "runs in this version, and whose script needs a TensorFlow that has tf.estimator"),
            (["estimator.train_spec.max_steps=0"], "estimator.train_spec.max_steps: expected at least 1, got 0"),
        ):
            done = self.run_cli("train", TUTORIAL, *[a for one in settings for a in ("--set", one)], "--out", self.home / "bad")
            self.assertNotEqual(done.returncode, 0, settings)
            self.assertIn(sentence, done.stdout + done.stderr)
            self.assertFalse((self.home / "bad").exists())


if __name__ == "__main__":
    unittest.main()
