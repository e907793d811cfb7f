"""A run knows its own checkpoints wherever its callback puts them: by epoch, by name, the latest and the best, in every form."""
import json
import os
import re
import unittest

from programs import ProgramTest, free_ports


class Checkpoints(ProgramTest):
    def trained(self, filepath, **callback):
        project = self.project("mnist_mirrored", fit__epochs=3, data__take=1280, callbacks={"model_checkpoint": {"filepath": filepath, **callback}})
        out = self.home / "out"
        printed = self.run_cli("train", project, "--workers", 1, "--threads", 1, "--out", out)
        self.assertEqual(printed.returncode, 0, printed.stderr)
        self.assertNotIn("/./", printed.stdout + printed.stderr)
        return out, printed.stdout

    def evaluated(self, run, checkpoint=None):
        options = [] if checkpoint is None else ["--checkpoint", checkpoint]
        done = self.run_cli("evaluate", run, *options, "--json", "--threads", 1)
        self.assertEqual(done.returncode, 0, f"{checkpoint}: {done.stderr}")
        return json.loads(done.stdout)["test_loss"]

    def check(self, filepath, names, **callback):
        """`names`: those of the epochs 1 to 3, as a user would write them."""
        out, printed = self.trained(filepath, **callback)
        run = re.search(r"^Run (\S+): Done", printed, re.M)[1]
        by_epoch = [self.evaluated(out, str(epoch)) for epoch in (1, 2, 3)]
        self.assertEqual(len(set(by_epoch)), 3, "three epochs, three models")
        self.assertEqual([self.evaluated(run, name) for name in names], by_epoch)
        self.assertEqual(self.evaluated(run), by_epoch[2])
        self.assertEqual(self.evaluated(out, "latest"), by_epoch[2])
        self.assertIn(self.evaluated(out, "best"), by_epoch)
        told = re.search(r"^Checkpoint:\s+(.*)$", printed, re.M)[1]
        self.assertEqual(self.evaluated(out, told), by_epoch[2], "the path that train printed")
        refused = self.run_cli("evaluate", out, "--checkpoint", "nowhere")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("--checkpoint: ", refused.stderr)
        self.assertIn('got "nowhere"', refused.stderr)
        self.assertIn(names[0], refused.stderr)
        for verb in (["inspect", out], ["predict", out, "--out", self.home / "p.npy"], ["export", "keras", out, "--out", self.home / "m.keras"]):
            done = self.run_cli(*verb, "--checkpoint", "2")
            self.assertEqual(done.returncode, 0, f"{verb}: {done.stderr}")
        return out

    def test_where_the_first_document_puts_them(self):
        out = self.check("./training_checkpoints/ckpt_{epoch}", ["ckpt_1", "ckpt_2", "ckpt_3"])
        (out / "checkpoints.jsonl").unlink()
        self.assertEqual(self.evaluated(out, "1"), self.evaluated(out, "training_checkpoints/ckpt_1"), "a run from before the list")

    def test_whole_models_as_keras_3_asks_for(self):
        self.check("models/epoch-{epoch:02d}.keras", ["epoch-01", "epoch-02.keras", "models/epoch-03.keras"])

    def test_weights_as_keras_3_asks_for(self):
        self.check("w{epoch}.weights.h5", ["w1", "w2.weights.h5", "w3"], save_weights_only=True)

    def test_the_best_alone(self):
        out, _ = self.trained("best.keras", save_best_only=True, monitor="val_loss")
        self.assertEqual(self.evaluated(out, "best"), self.evaluated(out))

    def test_overwrite_takes_them_all(self):
        out, _ = self.trained("training_checkpoints/ckpt_{epoch}")
        self.assertTrue((out / "training_checkpoints" / "ckpt_3.index").exists())
        (out / "training_checkpoints" / "thesis.txt").write_text("mine")
        project = self.project("mnist_mirrored", fit__epochs=1, data__take=640)
        refused = self.run_cli("train", project, "--workers", 1, "--out", out)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("a finished run (3 checkpoints)", refused.stderr)
        self.train(project, "--workers", 1, "--out", out, "--overwrite")
        self.assertEqual([path.name for path in (out / "training_checkpoints").iterdir()], ["thesis.txt"])


class WorkingFolder(ProgramTest):
    def test_a_dot_is_no_part_of_a_printed_path(self):
        here = self.home / "here"
        here.mkdir()
        project = self.project("mnist_mirrored", fit__epochs=1, data__take=640,
                               callbacks={"model_checkpoint": {"filepath": "./w/ckpt_{epoch}"}, "csv_logger": {"filename": "./log.csv"},
                                          "tensor_board": {"log_dir": "./logs"}})
        by_hand = self.start("tandem-worker", project, "--threads", 1, "--out", here / ".").communicate(timeout=300)[0]
        by_agent = self.run_cli("train", project, "--workers", 1, "--out", ".", "--overwrite", cwd=here)
        for text in (by_hand, by_agent.stdout + by_agent.stderr):
            self.assertIn(str(here), text)
            self.assertNotIn("/./", text)
        self.assertEqual(by_agent.returncode, 0, by_agent.stderr)

    def test_files_of_a_setting_lie_in_the_working_folder(self):
        """--set data.train_files is the user's word where he stands, not the project's."""
        (self.home / "elsewhere").mkdir()
        project = self.project("mnist_mirrored", fit__epochs=1)
        project.rename(self.home / "elsewhere" / project.name)
        project = self.home / "elsewhere" / project.name
        here = self.home / "here"
        here.mkdir()
        rows = "".join(f"{i % 2},{i},{i + 1},{i + 2},{i + 3}\n" for i in range(64))
        (here / "mine.csv").write_text(rows)
        value = json.loads(project.read_text())
        value["data"] = {"dataset": "csv", "batch_size_per_replica": 8, "train_files": ["of_the_project.csv"], "csv": {"label": "0", "header": False}, "scale": 1}
        value["model"] = {"input_shape": [4], "layers": [{"class_name": "Dense", "config": {"units": 2, "name": "d"}}]}
        project.write_text(json.dumps(value))
        (project.parent / "of_the_project.csv").write_text(rows)
        done = self.run_cli("train", project, "--workers", 1, "--set", 'data.train_files=["mine.csv"]', cwd=here)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        done = self.run_cli("train", project, "--workers", 1, cwd=here)
        self.assertEqual(done.returncode, 0, "the project's own lies beside it: " + done.stdout + done.stderr)


class StartedByHand(ProgramTest):
    def tasks(self, project, strategy=None, workers=1):
        hosts = [f"localhost:{port}" for port in free_ports(workers)]
        for index in range(workers):
            config = {"cluster": {"worker": hosts}, "task": {"type": "worker", "index": index}}
            yield self.start("tandem-worker", project, "--threads", 1, "--out", self.home / f"out{index}",
                             *(["--set", f"strategy.name={strategy}"] if strategy else []), env=dict(self.env, TF_CONFIG=json.dumps(config)))

    def test_one_worker_with_a_strategy_of_one_computer_trains(self):
        project = self.project("mnist_mirrored", fit__epochs=1, data__take=640, callbacks={})
        for strategy in ("MirroredStrategy", "OneDeviceStrategy", "MultiWorkerMirroredStrategy"):
            [task] = list(self.tasks(project, strategy))
            output = task.communicate(timeout=300)[0]
            self.assertEqual(task.returncode, 0, f"{strategy}: {output}")
            self.assertIn("weights sha256", output)
            for file in (self.home / "out0").glob("finished.json"):
                file.unlink()

    def test_a_cluster_of_one_in_the_project_is_no_error_either(self):
        cluster = {"worker": [f"localhost:{free_ports(1)[0]}"]}
        project = self.project("mnist_mirrored", fit__epochs=1, data__take=640, cluster=cluster)
        done = self.run_cli("train", project)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("its one worker trains without the cluster", done.stderr)

    def test_a_worker_that_is_not_chief_leaves_no_folder(self):
        project = self.project("mnist_multi_worker", fit__epochs=1, data__take=640)
        tasks = list(self.tasks(project, workers=2))
        outputs = [task.communicate(timeout=300)[0] for task in tasks]
        for task, output in zip(tasks, outputs):
            self.assertEqual(task.returncode, 0, output)
        self.assertTrue((self.home / "out0" / "checkpoints").exists())
        self.assertIn("out0", outputs[0])
        self.assertFalse((self.home / "out1").exists(), os.listdir(self.home))
        self.assertNotIn("out1", outputs[1], "and speaks of none")


if __name__ == "__main__":
    unittest.main()
