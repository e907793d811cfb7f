"""Whatever dies first: the run says so, keeps what it has, and leaves no process behind."""
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import time
import unittest

from programs import ProgramTest, process_of, processes, wait_for
from stopwatch import Stopwatch

LONG = ["mnist_multi_worker", "--set", "fit.epochs=200", "--set", "fit.log_every=10",
        "--set", "cluster.on_task_lost=fail"]


class Faults(ProgramTest):
    def launch(self, *extra, workers=2):
        """A long run that has done its first steps; the command line's process."""
        cli = self.start("tandem-cli", "train", *LONG, "--workers", workers, *extra, "--out", self.home / "out", "--json")
        self.addCleanup(cli.stdout.close)
        self.addCleanup(lambda: cli.poll() is None and cli.kill())
        for line in cli.stdout:
            if line.startswith("{") and json.loads(line)["event"] == "step":
                return cli
        raise AssertionError(f"the run ended before its first step: exit code {cli.wait()}")

    def rest(self, cli):
        return cli.communicate(timeout=300)[0]

    def test_a_killed_worker_fails_the_run_within_5_s(self):
        cli = self.launch()
        workers = process_of(self.marker, "tandem-worker")
        self.assertEqual(len(workers), 2)
        watch = Stopwatch()
        os.kill(workers[1], signal.SIGKILL)
        output = self.rest(cli)
        watch.expect(5, "the end of a run whose worker was killed")
        self.assertEqual(cli.returncode, 1, output[-2000:])
        last = json.loads([line for line in output.splitlines() if line.startswith("{")][-1])
        self.assertEqual(last["state"], "failed")
        self.assertIn("worker", json.dumps(last))
        self.assertRegex(output, "SIGKILL|signal 9")
        wait_for(lambda: not process_of(self.marker, "tandem-worker"), "the other worker to end")

    def test_a_killed_agent_leaves_no_worker(self):
        cli = self.launch()
        agent = process_of(self.marker, "tandem-agent")
        self.assertEqual(len(agent), 1)
        os.kill(agent[0], signal.SIGKILL)
        wait_for(lambda: not process_of(self.marker, "tandem-worker"), "the workers to end with their agent")
        self.rest(cli)
        self.assertNotEqual(cli.returncode, 0)
        # A new agent knows the run and says what became of it.
        done = self.run_cli("runs")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Failed", done.stdout)

    def test_closing_the_command_line_ends_no_training(self):
        cli = self.launch()
        cli.kill()
        cli.wait()
        self.assertEqual(len(process_of(self.marker, "tandem-worker")), 2)
        runs = self.run_cli("runs").stdout
        self.assertIn("Training", runs)
        run_id = next(line.split()[0] for line in runs.splitlines() if "Training" in line)
        watching = self.start("tandem-cli", "watch", run_id, "--json")
        self.addCleanup(watching.stdout.close)
        first = next(json.loads(line) for line in watching.stdout if line.startswith('{"event":"step"'))
        self.assertEqual(first["step"], 10, "a watcher gets every point from the first on")
        watching.kill()
        watching.wait()
        self.assertEqual(self.run_cli("stop", run_id).returncode, 0)
        wait_for(lambda: not process_of(self.marker, "tandem-worker"), "the workers to stop")
        # The agent tells of the end once it has seen the processes go.
        wait_for(lambda: "Stopped" in self.run_cli("runs").stdout, "the run to be told as stopped")

    def test_interrupting_the_command_line_stops_the_run(self):
        cli = self.launch()
        cli.send_signal(signal.SIGINT)
        self.rest(cli)
        self.assertNotIn(cli.returncode, (-signal.SIGKILL, -signal.SIGSEGV))
        wait_for(lambda: not process_of(self.marker, "tandem-worker"), "the workers to stop")

    def worker_of(self, index):
        """The process of a task, by its TF_CONFIG."""
        for pid in process_of(self.marker, "tandem-worker"):
            variables = pathlib.Path(f"/proc/{pid}/environ").read_text().split("\0")
            config = next(json.loads(one.removeprefix("TF_CONFIG=")) for one in variables if one.startswith("TF_CONFIG="))
            if config["task"]["index"] == index:
                return pid
        raise AssertionError(f"worker {index} has no process")

    def test_a_stopped_process_is_noticed_and_blamed(self):
        for index in (1, 0):
            with self.subTest(worker=index):
                cli = self.launch("--set", "cluster.heartbeat_fatal_s=8", "--overwrite")
                worker = self.worker_of(index)
                os.kill(worker, signal.SIGSTOP)
                try:
                    output = self.rest(cli)
                    self.assertEqual(cli.returncode, 1, output[-2000:])
                finally:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(worker, signal.SIGCONT)
                events = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
                self.assertRegex(events[-1]["detail"], f"^worker {index}: no heartbeat for ")
                blamed = [e["task"] for e in events if e["event"] == "task_failed"]
                self.assertEqual(blamed, [f"worker {index}"], "the other one has not failed")

    def load(self):
        return json.loads(self.run_cli("agent", "--json").stdout)["load"]

    def late_within(self, task, seconds):
        """The reading that names the task as late, for whom both others wait, and what it says of it."""
        watch = Stopwatch()
        follow = self.start("tandem-cli", "agent", "--follow", "--json")
        self.addCleanup(follow.stdout.close)
        self.addCleanup(follow.wait)
        self.addCleanup(follow.kill)
        last = None
        for line in follow.stdout:
            last = json.loads(line)
            named = [late for late in last["late"] if late["task"] == task and late["silent"] and late["waiting"] == 2]
            if named:
                watch.expect(seconds, f"naming {task} as late")
                return last, named[0]
            # On a loaded machine another one may be late for a moment; who is stopped is in the end.
            self.assertLess(watch.seconds(), 300, f"{task} is not named: {last['tasks']}")
        raise AssertionError(f"the agent ended: {last}")

    def test_the_others_name_a_stopped_worker_within_5_s(self):
        for transport in ("auto", "grpc"):
            with self.subTest(transport=transport):
                cli = self.launch("--set", "cluster.heartbeat_fatal_s=60", "--set", f"cluster.transport={transport}", "--overwrite", workers=3)
                wait_for(lambda: all(one["exchange"] for one in self.load()["tasks"]), "every task to tell where it is")
                wait_for(lambda: not self.load()["late"], "a reading in which nobody is late while all go on")
                worker = self.worker_of(1)
                os.kill(worker, signal.SIGSTOP)
                try:
                    load, _ = self.late_within("worker 1", 5)
                    waiting = [one["exchange"] for one in load["tasks"] if one["task"] != "worker 1"]
                    self.assertTrue(all(one["buckets"] > 0 and one["wait_s"] > 0 and one["awaited"] for one in waiting), waiting)
                finally:
                    os.kill(worker, signal.SIGCONT)
                # It goes on, and nobody is late any more.
                wait_for(lambda: not self.load()["late"], "all to go on")
                self.assertEqual(self.run_cli("stop", load["tasks"][0]["run"]).returncode, 0)
                self.rest(cli)

    def test_workers_name_a_stopped_server_within_5_s(self):
        cli = self.start("tandem-cli", "train", "mnist_mlp", "--workers", 2, "--servers", 1, "--set", "fit.epochs=200",
                         "--set", "cluster.heartbeat_fatal_s=60", "--out", self.home / "out", "--json")
        self.addCleanup(cli.stdout.close)
        self.addCleanup(lambda: cli.poll() is None and cli.kill())
        wait_for(lambda: (load := self.load()) and len(load["tasks"]) == 3 and all(one["exchange"] for one in load["tasks"]),
                 "every task to tell where it is")
        server = next(one["pid"] for one in self.load()["tasks"] if one["task"] == "ps 0")
        os.kill(server, signal.SIGSTOP)
        try:
            load, _ = self.late_within("ps 0", 5)
        finally:
            os.kill(server, signal.SIGCONT)
        wait_for(lambda: not self.load()["late"], "all to go on")
        self.assertEqual(self.run_cli("stop", load["tasks"][0]["run"]).returncode, 0)
        self.rest(cli)

    def test_a_process_that_is_stopped_for_less_goes_on(self):
        cli = self.launch("--set", "cluster.heartbeat_fatal_s=60", "--set", "fit.epochs=1")
        worker = self.worker_of(1)
        os.kill(worker, signal.SIGSTOP)
        time.sleep(7)  # longer than four seconds, after which it is named
        os.kill(worker, signal.SIGCONT)
        output = cli.communicate(timeout=300)[0]
        self.assertEqual(cli.returncode, 0, output[-2000:])
        self.assertNotIn('"event":"attempt"', output, "it is one attempt")

    def test_a_full_disk_keeps_the_last_checkpoint(self):
        small = self.home / "small"
        small.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=9m", "tmpfs", small], capture_output=True, check=False)
        if mounted.returncode != 0:
            self.skipTest("mounting a small file system needs root")
        try:
            done = self.run_cli("train", "mnist_mirrored", "--set", "fit.epochs=6", "--set", "data.take=1280", "--out", small / "run", "--json")
            text = done.stdout + done.stderr
            self.assertRegex(text, "No space left on device")
            indices = sorted((small / "run" / "checkpoints").glob("ckpt_*.index"))
            self.assertTrue(indices, text)
            checked = self.run_cli("evaluate", "mnist_mirrored", "--checkpoint", small / "run" / "checkpoints", "--json")
            self.assertEqual(checked.returncode, 0, checked.stderr)
            self.assertFalse(list((small / "run" / "checkpoints").glob("*.tmp*")))
        finally:
            for pid in processes(self.marker):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGTERM)
            wait_for(lambda: not processes(self.marker), "the agent to end")
            subprocess.run(["umount", "-l", small], check=False)


if __name__ == "__main__":
    unittest.main()
