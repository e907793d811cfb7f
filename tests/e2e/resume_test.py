"""A run that is killed and started again by the same command ends with the bytes of one that was left alone."""
import hashlib
import json
import os
import random
import re
import signal
import unittest

from programs import ProgramTest, free_ports, process_of, wait_for

KILLS = 3


def files_of(folder):
    """What a run leaves for others: checkpoints and the log."""
    files = sorted(folder.glob("checkpoints/*")) + sorted(folder.glob("*.csv"))
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def sha_of(text):
    return re.findall(r"weights sha256: ([0-9a-f]{64})", text)[-1]


class Resume(ProgramTest):
    def setUp(self):
        super().setUp()
        self.random = random.Random(os.environ.get("TANDEM_E2E_SEED", "4"))
        self.kills = 0

    def small_project(self, template, save_freq):
        return self.project(template, fit__epochs=3, data__take=6400, cluster__start_timeout_s=60,
                            callbacks={"model_checkpoint": {"filepath": "checkpoints/ckpt_{epoch}"}, "csv_logger": {"filename": "log.csv"},
                                       "backup_and_restore": {"save_freq": save_freq}})

    def kill_on_the_way(self, out, kill, ended):
        """Waits for a random number of backups and calls kill(); returns at once when the run ends before."""
        backup = out / "backup" / "latest.backup"

        def stamp():
            try:
                return backup.stat().st_mtime_ns
            except FileNotFoundError:
                return None

        seen = stamp()
        for _ in range(self.random.randint(1, 4)):
            wait_for(lambda: stamp() not in (None, seen) or ended(), "another backup")
            seen = stamp()
            if ended():
                return
        kill()
        self.kills += 1
        # What a kill in the middle of a write leaves; the process id is above any that Linux gives.
        for half in (backup, out / "checkpoints" / "ckpt_3.index"):
            half.parent.mkdir(exist_ok=True)
            half.with_name(half.name + ".tmp4194305").write_bytes(b"half of it")

    def train_without_agent(self, project, workers, name, kills):
        """Starts all workers until they are done, killing all of them `kills` times; the chief's last words and its files."""
        hosts = [f"localhost:{port}" for port in free_ports(workers)]
        out = self.home / name
        for attempt in range(kills + 1):
            tasks = []
            for index in range(workers):
                config = {"cluster": {"worker": hosts}, "task": {"type": "worker", "index": index}}
                env = dict(self.env, TF_CONFIG=json.dumps(config)) if workers > 1 else self.env
                tasks.append(self.start("tandem-worker", project, "--out", out if index == 0 else self.home / f"{name}{index}", "--threads", 1, env=env))
            if attempt < kills:
                self.kill_on_the_way(out, lambda: [task.kill() for task in tasks], lambda: tasks[0].poll() is not None)
            outputs = [task.communicate(timeout=300)[0] for task in tasks]
            if all(task.returncode == 0 for task in tasks):
                break  # done before it could be killed: a finished run is not begun again
        for task, output in zip(tasks, outputs):
            self.assertEqual(task.returncode, 0, output)
        return outputs[0], files_of(out)

    def check_without_agent(self, template, workers, save_freq):
        project = self.small_project(template, save_freq)
        alone, files = self.train_without_agent(project, workers, "alone", 0)
        disturbed, disturbed_files = self.train_without_agent(project, workers, "disturbed", KILLS)
        self.assertGreater(self.kills, 0)
        self.assertEqual(sha_of(disturbed), sha_of(alone))
        self.assertEqual(disturbed_files, files)
        self.assertRegex(disturbed, r"Resumed at epoch \d+, step \d+ \(\d+ steps done in all")
        self.assertRegex(disturbed, r"weights sha256 where it resumed: [0-9a-f]{64}, the same as saved")
        self.assertFalse((self.home / "disturbed" / "backup").exists(), "a run that is done keeps no backup")

    def test_one_worker_alone(self):
        self.check_without_agent("mnist_mirrored", 1, 7)

    def test_one_worker_from_the_last_epoch(self):
        self.check_without_agent("mnist_mirrored", 1, "epoch")

    def test_two_workers_alone(self):
        self.check_without_agent("mnist_multi_worker", 2, 5)

    def test_through_the_agent(self):
        project = self.small_project("mnist_multi_worker", 5)
        command = ["train", project, "--workers", 2, "--threads", 1, "--set", "cluster.on_task_lost=fail", "--json"]
        alone = self.train(*command[1:-1], "--out", self.home / "alone")
        out = self.home / "out"
        for _ in range(KILLS):
            cli = self.start("tandem-cli", *command, "--out", out)
            self.kill_on_the_way(out, lambda: [os.kill(pid, signal.SIGKILL) for pid in process_of(self.marker, "tandem-worker")],
                                 lambda: cli.poll() is not None)
            cli.communicate(timeout=300)
        self.assertGreater(self.kills, 0)
        events = self.train(*command[1:-1], "--out", out)
        self.assertEqual(events[-1]["weights_sha256"], alone[-1]["weights_sha256"])
        self.assertEqual(files_of(out), files_of(self.home / "alone"))
        self.assertIn("Resumed at epoch", json.dumps(events))
        self.check_one_run(out, self.kills + 1, "failed: ")

    def check_one_run(self, out, attempts, before):
        """However often it was started: one run, one journal, one curve, every checkpoint, in every form that shows it."""
        runs = [run for run in map(json.loads, self.run_cli("runs", "--json").stdout.splitlines()) if run["run_dir"] == str(out)]
        self.assertEqual(len(runs), 1, runs)
        self.assertEqual(runs[0]["attempts"], attempts)
        self.assertIn(f"{attempts} attempts", self.run_cli("runs").stdout)
        self.assertEqual([path.name for path in out.glob("journal*")], ["journal"])
        exported = self.home / "exported"
        self.assertEqual(self.run_cli("export", "data", out, "--format", "json", "--out", exported).returncode, 0)
        data = json.loads(next(exported.glob("*.json")).read_text())
        told = data["run"]["attempts"]
        self.assertEqual([one["attempt"] for one in told], list(range(2, attempts + 1)))
        self.assertTrue(all(one["by_hand"] and one["from_backup"] and one["resumed_step"] is not None for one in told), told)
        self.assertTrue(all(one["reason"].startswith(before) for one in told), told)
        loss = next(one for one in data["series"] if one["name"] == "loss")
        self.assertEqual(loss["step"], list(range(1, loss["step"][-1] + 1)), "one curve from the first step on, each step once")
        self.assertEqual(self.run_cli("export", "report", out, "--out", exported).returncode, 0)
        report = next(exported.glob("*.html")).read_text()
        self.assertIn(f"{attempts} attempts", report)
        self.assertIn(f"attempt {attempts}, started by hand; the one before: {before}", report)
        for checkpoint in out.glob("checkpoints/ckpt_*.index"):
            self.assertIn(f"checkpoints/{checkpoint.stem}", report)
        watched = [json.loads(line) for line in self.run_cli("watch", out, "--json").stdout.splitlines()]
        self.assertEqual(sum(event["event"] == "attempt" for event in watched), attempts - 1)
        self.assertEqual(watched[-1]["state"], "done")

    def test_a_stopped_run_goes_on(self):
        project = self.small_project("mnist_mirrored", "epoch")
        alone = self.train(project, "--workers", 1, "--out", self.home / "alone")
        cli = self.start("tandem-cli", "train", project, "--workers", 1, "--out", self.home / "out", "--set", "fit.log_every=1", "--json")
        for line in cli.stdout:
            if line.startswith("{") and json.loads(line).get("step", 0) >= 20:
                cli.send_signal(signal.SIGINT)
                break
        cli.communicate(timeout=300)
        wait_for(lambda: not process_of(self.marker, "tandem-worker"), "the worker to stop")
        self.assertTrue((self.home / "out" / "backup" / "latest.backup").exists())
        events = self.train(project, "--workers", 1, "--out", self.home / "out", "--set", "fit.log_every=1")
        self.assertIn("Resumed at epoch", json.dumps(events))
        self.assertEqual(events[0]["event"], "attempt", "what was told before is not told again")
        self.assertGreater(min(event["step"] for event in events if event["event"] == "step"), 1)
        self.check_one_run(self.home / "out", 2, "stopped")
        self.assertEqual(events[-1]["weights_sha256"], alone[-1]["weights_sha256"])


if __name__ == "__main__":
    unittest.main()
