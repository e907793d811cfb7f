"""A worker that is lost is started again by the agent, with all others and from the backup: one run, one curve, the weights of an undisturbed one."""
import json
import os
import pathlib
import signal
import unittest

from programs import ProgramTest, process_of, wait_for

SMALL = {"fit__epochs": 3, "fit__log_every": 1, "data__take": 6400, "cluster__start_timeout_s": 60}


class Restart(ProgramTest):
    def small_project(self, save_freq=5, **settings):
        callbacks = {"model_checkpoint": {"filepath": "checkpoints/ckpt_{epoch}"}, "csv_logger": {"filename": "log.csv"},
                     "backup_and_restore": {"save_freq": save_freq}}
        return self.project("mnist_multi_worker", **{**SMALL, "callbacks": callbacks, **settings})

    def command(self, project, out):
        return [project, "--workers", 2, "--threads", 1, "--out", out, "--json"]

    def undisturbed(self, project):
        return self.train(*self.command(project, self.home / "alone")[:-1])[-1]["weights_sha256"]

    def kill(self, *indices):
        """SIGKILL to the workers of these indices, all at once."""
        pids = {}
        for pid in process_of(self.marker, "tandem-worker"):
            for entry in pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
                if entry.startswith(b"TF_CONFIG="):
                    pids[json.loads(entry[len("TF_CONFIG="):])["task"]["index"]] = pid
        for index in indices:
            os.kill(pids[index], signal.SIGKILL)

    def run_with_kills(self, project, kills, at_step=30):
        """Trains and calls each of `kills` once the run has done `at_step` steps more (None: as soon as there are two workers). What is told
        may lie in the pipe for a while: the next one waits for the attempt that the one before has brought about."""
        cli = self.start("tandem-cli", "train", *self.command(project, self.home / "out"))
        self.addCleanup(cli.stdout.close)
        self.addCleanup(lambda: cli.poll() is None and cli.kill())
        left, events, next_step = list(kills), [], at_step
        if at_step is None:
            wait_for(lambda: len(process_of(self.marker, "tandem-worker")) == 2, "two workers")
            left.pop(0)()
        for line in cli.stdout:
            if not line.startswith("{"):
                continue
            events.append(json.loads(line))
            is_again = len(self.attempts(events)) == len(kills) - len(left)
            if left and is_again and next_step is not None and events[-1].get("event") == "step" and events[-1]["step"] >= next_step:
                left.pop(0)()
                next_step = events[-1]["step"] + 25
        self.assertEqual(left, [], "the run ended before it could be disturbed")
        return cli.wait(timeout=300), events

    def attempts(self, events):
        return [event for event in events if event["event"] == "attempt"]

    def check_same_as_undisturbed(self, kills, lost, at_step=30, **settings):
        project = self.small_project(**settings)
        expected = self.undisturbed(project)
        code, events = self.run_with_kills(project, kills, at_step)
        self.assertEqual(code, 0, json.dumps(events[-3:]))
        self.assertEqual(events[-1]["state"], "done")
        self.assertEqual(events[-1]["weights_sha256"], expected)
        attempts = self.attempts(events)
        self.assertEqual([attempt["attempt"] for attempt in attempts], list(range(2, 2 + len(kills))))
        for attempt in attempts:
            self.assertEqual(attempt["attempts"], 4)
            self.assertIn(attempt["task"], lost)
            self.assertIn("SIGKILL", attempt["reason"])
        self.check_one_run(len(kills))
        return events

    def check_one_run(self, restarts):
        """One row, one journal that tells of every attempt, one curve without a step twice."""
        rows = [line for line in self.run_cli("runs").stdout.splitlines() if "/out" in line or "Done" in line]
        self.assertEqual(len(rows), 2, rows)  # the undisturbed one and this
        watched = self.run_cli("watch", self.home / "out", "--json")
        told = [json.loads(line) for line in watched.stdout.splitlines() if line.startswith("{")]
        self.assertEqual(len(self.attempts(told)), restarts)
        exported = self.run_cli("export", "data", self.home / "out", "--format", "csv", "--series", "loss", "--out", self.home / "csv")
        self.assertEqual(exported.returncode, 0, exported.stderr)
        header, *lines = next((self.home / "csv").glob("*.csv")).read_text().splitlines()
        column = header.split(",").index("step")
        steps = [int(line.split(",")[column]) for line in lines]
        self.assertEqual(steps, list(range(1, len(steps) + 1)), "every step once")
        rows = [row.split(",")[0] for row in (self.home / "out" / "log.csv").read_text().splitlines()]
        self.assertEqual(rows, ["epoch", "0", "1", "2"], "the log has every epoch once")

    def test_worker_1(self):
        events = self.check_same_as_undisturbed([lambda: self.kill(1)], ["worker 1"])
        self.assertTrue(self.attempts(events)[0]["from_backup"])
        resumed = [event["step"] for event in events if event["event"] == "resumed"]
        self.assertEqual(len(resumed), 1)
        self.assertEqual(resumed[0] % 5, 0)

    def test_the_chief(self):
        self.check_same_as_undisturbed([lambda: self.kill(0)], ["worker 0"])

    def test_both_at_once(self):
        self.check_same_as_undisturbed([lambda: self.kill(0, 1)], ["worker 0", "worker 1"])

    def test_three_times(self):
        self.check_same_as_undisturbed([lambda: self.kill(1), lambda: self.kill(0), lambda: self.kill(1)], ["worker 0", "worker 1"])

    def test_before_the_first_step(self):
        events = self.check_same_as_undisturbed([lambda: self.kill(1)], ["worker 1"], at_step=None)
        self.assertFalse(self.attempts(events)[0]["from_backup"])

    def test_before_the_first_backup(self):
        events = self.check_same_as_undisturbed([lambda: self.kill(1)], ["worker 1"], at_step=10, save_freq="epoch")
        self.assertFalse(self.attempts(events)[0]["from_backup"])

    def test_more_often_than_restarts_are_allowed(self):
        project = self.small_project(cluster__max_restarts=1)
        code, events = self.run_with_kills(project, [lambda: self.kill(1), lambda: self.kill(1)])
        self.assertEqual(code, 1)
        self.assertEqual(events[-1]["state"], "failed")
        self.assertIn("worker 1: killed by signal 9 (SIGKILL), after 1 restart", events[-1]["detail"])
        self.assertEqual(len(self.attempts(events)), 1)

    def test_a_run_that_should_fail_does(self):
        code, events = self.run_with_kills(self.small_project(cluster__on_task_lost="fail"), [lambda: self.kill(1)])
        self.assertEqual(code, 1)
        self.assertEqual(self.attempts(events), [])
        self.assertEqual(events[-1]["detail"], "worker 1: killed by signal 9 (SIGKILL)")

    def test_without_a_backup_it_fails(self):
        project = self.small_project()
        value = json.loads(project.read_text())
        del value["callbacks"]["backup_and_restore"]
        project.write_text(json.dumps(value))
        code, events = self.run_with_kills(project, [lambda: self.kill(1)])
        self.assertEqual(code, 1)
        self.assertEqual(self.attempts(events), [])

    def test_a_stop_while_it_is_started_again(self):
        project = self.small_project(fit__epochs=100)
        cli = self.start("tandem-cli", "train", *self.command(project, self.home / "out"))
        self.addCleanup(cli.stdout.close)
        events = []
        for line in cli.stdout:
            events.append(json.loads(line) if line.startswith("{") else {})
            if events[-1].get("event") == "step" and events[-1]["step"] == 20:
                self.kill(1)
            if events[-1].get("event") == "attempt":
                cli.send_signal(signal.SIGINT)
        self.assertEqual(cli.wait(timeout=300), 130)
        self.assertEqual(events[-1]["state"], "stopped")
        wait_for(lambda: not process_of(self.marker, "tandem-worker"), "the workers to end")

    def test_people_are_told(self):
        project = self.small_project()
        cli = self.start("tandem-cli", "train", *self.command(project, self.home / "out")[:-1])
        self.addCleanup(cli.stdout.close)
        wait_for((self.home / "out" / "backup" / "latest.backup").exists, "a backup")
        self.kill(1)
        output = cli.communicate(timeout=300)[0]
        self.assertEqual(cli.returncode, 0, output)
        self.assertIn("worker 1: killed by signal 9 (SIGKILL); restarting from the backup (attempt 2 of 4)", output)


if __name__ == "__main__":
    unittest.main()
