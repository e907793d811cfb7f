"""Sweeps: every value of some fields, by whole programs; killed in the middle they go on where they were, and ASHA finds what the grid finds."""
import json
import os
import signal
import subprocess
import time
import unittest

from programs import BIN, ProgramTest, processes, wait_for

RATE, UNITS, BATCH = "compile.optimizer.learning_rate", "model.layers[1].units", "data.batch_size_per_replica"
EPOCHS = 27


class Sweep(ProgramTest):
    def setUp(self):
        super().setUp()
        self.mlp = self.small(1500)

    def small(self, samples):
        return self.project("mnist_mlp", data__take=samples, data__shuffle=samples, fit__histogram_freq=0, callbacks={}, model__layers=[
            {"class_name": "Flatten", "name": "flatten", "config": {}},
            {"class_name": "Dense", "name": "dense", "config": {"units": 32, "activation": "relu"}},
            {"class_name": "Dense", "name": "pred", "config": {"units": 10, "activation": "softmax"}}])

    def sweep(self, *arguments, expect=0, timeout=900):
        began = time.monotonic()
        done = self.run_cli("sweep", *arguments, "--json", timeout=timeout)
        self.seconds = time.monotonic() - began
        self.assertEqual(done.returncode, expect, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
        return [json.loads(line) for line in done.stdout.splitlines()]

    def trials(self, events):
        """The last word on each, by number."""
        return {event["trial"]: event for event in events if event["event"] == "trial"}

    def runs(self):
        done = self.run_cli("runs", "--json")
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_asha_finds_the_grids_best_in_a_third_of_its_epochs(self):
        fields = ["--field", f"{RATE}=log:1e-4..1e-1:3", "--field", f"{UNITS}=16,32,64", "--field", f"{BATCH}=32,64,128"]
        usual = [self.small(20000), *fields, "--epochs", EPOCHS, "--at-once", 2]
        grid = self.sweep(*usual, "--method", "grid")
        grid_seconds, by_grid = self.seconds, grid[-1]
        asha = self.sweep(*usual, "--method", "asha")
        by_asha = asha[-1]
        print(f"grid {by_grid['epochs']} epochs, {grid_seconds:.1f} s, {by_grid['best']}\nasha {by_asha['epochs']} epochs, {self.seconds:.1f} s, "
              f"{by_asha['best']}", flush=True)
        self.assertEqual(asha[0]["rungs"], [1, 3, 9, 27])
        self.assertEqual(by_grid["epochs"], 27 * EPOCHS)
        self.assertEqual(len(self.trials(grid)), 27)
        self.assertTrue(all(trial["state"] == "done" for trial in self.trials(grid).values()))
        self.assertLessEqual(by_asha["epochs"], by_grid["epochs"] / 3)
        self.assertGreaterEqual(by_asha["best"]["value"], by_grid["best"]["value"] - 0.005)  # of a few, chance decides which a rung keeps
        self.assertEqual(sorted(by_grid["importance"]["fields"]), sorted([RATE, UNITS, BATCH]))
        self.assertEqual(len(self.runs()), 2 * 27, "a run a trial, whatever rungs it trained")
        # What was promoted three times has trained what the grid's run did, bit for bit.
        same = {json.dumps(trial["values"]): trial["value"] for trial in self.trials(grid).values()}
        whole = [trial for trial in self.trials(asha).values() if trial["epochs"] == EPOCHS]
        self.assertTrue(whole)
        for trial in whole:
            self.assertEqual(trial["value"], same[json.dumps(trial["values"])])

    def killed(self, out, *arguments, until):
        """Begins or goes on, and is killed when `until` is true of the events so far. Those."""
        cli = subprocess.Popen([BIN / "tandem-cli", "sweep", *map(str, arguments), "--json"], env=self.env, cwd=self.home, text=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        self.addCleanup(cli.stdout.close)
        self.addCleanup(lambda: cli.poll() is None and cli.kill())
        events = []
        for line in cli.stdout:
            events.append(json.loads(line))
            if until(events):
                break
        self.assertIsNone(cli.poll(), f"the sweep was over before it could be killed: {events[-1:]}")
        os.kill(cli.pid, signal.SIGKILL)
        cli.wait()
        self.assertTrue((out / "sweep.json").exists())
        return events

    def test_killed_in_the_middle_it_goes_on_where_it_was(self):
        asked = ["--field", f"{RATE}=log:1e-4..1e-1:9", "--method", "asha", "--epochs", 9]
        whole = self.sweep(self.mlp, *asked, "--out", self.home / "whole")
        out = self.home / "killed"
        ended = lambda events, count: sum(event["event"] == "trial" and event["state"] != "training" for event in events) >= count
        # In training, at first; then in the middle of the second rung.
        first = self.killed(out, self.mlp, *asked, "--out", out,
                            until=lambda events: ended(events, 2) and events[-1].get("state") == "training" and events[-1]["runs"][0])
        self.killed(out, "--resume", out, until=lambda events: any(event.get("rung") == 2 and event["runs"][0] for event in events))
        last = self.sweep("--resume", out)
        mine, theirs = self.trials(last), self.trials(whole)
        self.assertEqual(len(mine), 9)
        for number, trial in theirs.items():
            for key in ("values", "state", "rung", "epochs", "value"):
                self.assertEqual(mine[number][key], trial[key], f"{key} of trial {number}")
        self.assertEqual(last[-1]["epochs"], whole[-1]["epochs"], "nothing was trained twice")
        runs = self.runs()
        self.assertEqual(len(runs), 18, [run["id"] for run in runs])
        self.assertEqual(self.trials(first)[1]["runs"], mine[1]["runs"])
        again = self.sweep("--resume", out)
        self.assertEqual(again[-1]["state"], "over")
        self.assertEqual(len(self.runs()), 18, "one that is over trains nothing")

    def test_the_agent_is_killed_with_it(self):
        out = self.home / "both"
        asked = ["--field", f"{RATE}=0.01,0.001", "--epochs", 60]
        self.killed(out, self.mlp, *asked, "--out", out, until=lambda events: events[-1].get("epochs", 0) >= 3)
        for pid in processes(self.marker):
            os.kill(pid, signal.SIGKILL)
        wait_for(lambda: not processes(self.marker), "the agent to end")
        over = self.sweep("--resume", out)
        self.assertEqual(over[-1]["state"], "over")
        self.assertEqual(over[-1]["epochs"], 120)
        self.assertEqual(len(self.runs()), 2, "the run that was lost goes on as itself")

    def test_stops_with_ctrl_c_and_goes_on(self):
        out = self.home / "stopped"
        cli = self.start("tandem-cli", "sweep", self.mlp, "--field", f"{RATE}=0.01,0.001", "--epochs", 400, "--at-once", 2, "--out", out)
        wait_for(lambda: len(processes(self.marker, "tandem-worker")) == 2, "two runs at once")
        wait_for(lambda: out.joinpath("sweep.json").read_text().count('"run": "2') == 2, "their ids")
        cli.send_signal(signal.SIGINT)
        text = cli.communicate(timeout=300)[0]
        self.assertEqual(cli.returncode, 130, text)
        self.assertIn(f"To go on: tandem-cli sweep --resume {out}", text)
        wait_for(lambda: not processes(self.marker, "tandem-worker"), "the runs to end")
        before = json.loads((out / "sweep.json").read_text())
        self.assertEqual([trial["runs"][0]["state"] for trial in before["trials"]], ["waiting", "waiting"])
        done = self.run_cli("sweep", "--resume", out)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("The sweep is over: 2 of 2 trials ended, 800 epochs; best val_accuracy ", done.stdout)
        self.assertEqual(len(self.runs()), 2)

    def test_seeds_are_a_group(self):
        events = self.sweep(self.mlp, "--field", f"{RATE}=0.01,0.001", "--epochs", 2, "--seeds", 3, "--at-once", 3)
        trials = self.trials(events)
        self.assertEqual([len(trials[number]["runs"]) for number in (1, 2)], [3, 3])
        found = {run["id"]: run for run in self.runs()}
        self.assertEqual(len(found), 6)
        values = [found[run]["val_accuracy"] for run in trials[1]["runs"]]
        self.assertAlmostEqual(trials[1]["value"], sum(values) / 3, delta=1e-9)
        self.assertGreater(len(set(values)), 1, "each seed has weights of its own")

    def test_a_file_says_it_too(self):
        (self.home / "sweep.json").write_text(json.dumps({"project": str(self.mlp), "method": "random", "objective": "val_loss", "trials": 3, "max_epochs": 1,
                                                          "fields": {RATE: "log:1e-4..1e-1", "model.layers[1].activation": ["relu", "tanh"]}}))
        events = self.sweep("--file", self.home / "sweep.json", "--trials", 2)
        self.assertEqual(events[0]["direction"], "min")
        trials = self.trials(events)
        self.assertEqual(len(trials), 2, "options change the file's values")
        self.assertEqual(events[-1]["best"]["value"], min(trial["value"] for trial in trials.values()))

    def test_refuses_what_is_none(self):
        for arguments, words in (
            ([self.mlp], "fields: expected a field to vary, got none"),
            ([self.mlp, "--field", "a"], "field: expected PATH=VALUE,VALUE or PATH=log:LOW..HIGH, got a"),
            ([self.mlp, "--field", f"{RATE}=log:1e-4..1e-1"], "expected a number of points for a grid"),
            ([self.mlp, "--field", "model.layers[9].units=1,2"], "with the value 1: expected an index below 3"),
            ([self.mlp, "--field", f"{RATE}=-1,0.1"], "with the value -1: "),
            (["--resume", self.home], "expected the folder of a sweep, found no sweep.json in it"),
            (["no_such", "--field", f"{RATE}=1,2"], "no_such: expected a project file"),
            ([], "expected a project, a file that names one (--file) or a sweep to go on with (--resume), got none"),
            (["--file", self.home / "none.json"], "none.json"),
        ):
            done = self.run_cli("sweep", *arguments)
            self.assertEqual(done.returncode, 2, f"{arguments}: {done.stdout}{done.stderr}")
            self.assertIn(words, done.stderr)
        self.assertFalse(processes(self.marker, "tandem-worker"))


if __name__ == "__main__":
    unittest.main()
