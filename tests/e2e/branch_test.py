"""A branch of a run: a run of its own that goes on behind a checkpoint or the backup of another one."""
import json
import os
import re
import signal
import unittest

from programs import ProgramTest, process_of, wait_for

CHECKPOINTS = {"model_checkpoint": {"filepath": "checkpoints/at_{epoch}_{batch}", "save_freq": 250}}


class Branch(ProgramTest):
    def branch(self, *arguments, expect=0):
        """`tandem-cli branch … --json`: the events, in order, and what stands beside them."""
        done = self.run_cli("branch", *arguments, "--json")
        self.assertEqual(done.returncode, expect, f"{arguments}\n{done.stdout[-2000:]}\n{done.stderr[-3000:]}")
        return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")], done.stderr

    def runs(self):
        done = self.run_cli("runs", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return {run["id"]: run for run in map(json.loads, done.stdout.splitlines())}

    def parent(self, template="mnist_mlp", callbacks=None, **settings):
        """16 epochs of 100 steps with samples in a new order each: the last word of a run of 1,600 steps, and its folder."""
        project = self.project(template, fit__epochs=16, fit__steps_per_epoch=100, fit__validation_freq=16, data__take=12800,
                               callbacks=callbacks or CHECKPOINTS, **settings)
        out = self.home / "parent"
        return self.train(project, "--out", out)[-1], out

    def refuse(self, out, arguments, words):
        with self.subTest(arguments):
            done = self.run_cli("branch", out, *arguments)
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertRegex(done.stdout + done.stderr, re.escape(words))

    def test_a_parent_and_its_branches(self):
        last, out = self.parent()
        # With nothing changed it ends as its parent.
        events, told = self.branch(out, "--step", 1599, "--out", self.home / "child")
        self.assertIn("behind its step 1500", told)
        self.assertEqual(events[-1]["weights_sha256"], last["weights_sha256"])
        self.assertEqual(events[-1]["test_accuracy"], last["test_accuracy"])
        self.assertIn({"event": "resumed", "step": 1500}, events)
        # The list of runs knows where it came from.
        runs = self.runs()
        child = next(run for run in runs.values() if run["run_dir"].endswith("/child"))
        self.assertEqual(runs[child["branch_of"]]["run_dir"], str(out))
        self.assertIn(f"branch of {child['branch_of']}", self.run_cli("runs").stdout)
        # With changes it is another run.
        events, _ = self.branch(out, "--checkpoint", "latest", "--set", "fit.epochs=17", "--set", "compile.optimizer.learning_rate=0.1")
        self.assertNotEqual(events[-1]["weights_sha256"], last["weights_sha256"])
        self.assertIn({"event": "resumed", "step": 1500}, events)
        steps = [event["step"] for event in events if event["event"] == "step"]
        self.assertEqual((min(steps) > 1500, max(steps)), (True, 1700))
        # What can't be is refused before anything starts.
        self.refuse(out, ["--step", 100], "expected a checkpoint behind 100 steps or fewer, it has them behind step 250, 500")
        self.refuse(out, ["--checkpoint", "backup"], "expected a backup of this run, it holds none")
        self.refuse(out, ["--checkpoint", "latest", "--set", "fit.epochs=15"], "fit.epochs: expected more than the 15 epochs")
        self.refuse(out, ["--checkpoint", "latest", "--set", "model.layers[1].config.units=7"], "fit.initial_weights: ")

    def test_the_backup_of_a_run_of_two_workers_that_was_killed(self):
        callbacks = {"backup_and_restore": {"save_freq": 100, "delete_checkpoint": False}}
        whole, _ = self.parent("mnist_two_workers", callbacks)
        project = self.project("mnist_two_workers", fit__epochs=16, fit__steps_per_epoch=100, fit__validation_freq=16, data__take=12800,
                               callbacks=callbacks, cluster__max_restarts=0)
        out = self.home / "killed"
        training = self.start("tandem-cli", "train", project, "--out", out)
        wait_for((out / "backup" / "latest.backup").exists, "a backup")
        for pid in process_of(self.marker, "tandem-worker"):
            os.kill(pid, signal.SIGKILL)
        training.communicate(timeout=300)
        events, told = self.branch(out, "--out", self.home / "child")
        self.assertIn("latest.backup", told)
        self.assertEqual(events[-1]["weights_sha256"], whole["weights_sha256"])


if __name__ == "__main__":
    unittest.main()
