"""Jobs of a real Slurm: the script that `export launch` writes trains, goes on after a lost node and after its time is over, and says what is wrong."""
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import tempfile
import unittest

from hosts import Hosts, wait_for, without_codes
from loads import Loads
from slurm import Slurm

BIN = pathlib.Path(os.environ.get("TANDEM_BIN", "build/dev/bin")).resolve()
PROJECT = "mnist_multi_worker"
EPOCHS = 5
SETTINGS = {"fit.epochs": EPOCHS, "fit.steps_per_epoch": 60, "fit.validation_steps": 1, "data.take": 6000}
LONGER = {**SETTINGS, "fit.epochs": 15}  # goes on while a test that has seen it train asks for the next thing
WITHIN_S = 900  # of one program that waits for a run


def settings_of(values):
    return [word for path, value in values.items() for word in ("--set", f"{path}={json.dumps(value)}")]


class SlurmTest(unittest.TestCase):
    """What all of them have; its own tests are those of the subclasses."""

    loses_nodes = False

    def setUp(self):
        if why := Hosts.missing() or Slurm.missing():
            self.skipTest(why)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tandem-slurm-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        self.hosts = stack.enter_context(Hosts(3, share=[self.folder]))
        self.slurm = stack.enter_context(Slurm(self.hosts, self.folder, loses_nodes=self.loses_nodes))

    def cli(self, *arguments, expected=0):
        done = self.hosts.run("node1", [BIN / "tandem-cli", *map(str, arguments)], timeout=WITHIN_S)
        self.assertEqual(done.returncode, expected, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done.stdout if expected == 0 else done.stderr

    def script(self, *options, values=None):
        path = self.folder / "job.sh"
        self.cli("export", "launch", PROJECT, "--kind", "slurm", "--out", path, *settings_of(values or SETTINGS), *options)
        return path

    def log(self, job):
        file = self.folder / f"{PROJECT}-{job}.log"
        return file.read_text(errors="replace") if file.exists() else ""

    def submit(self, *options, values=None):
        return self.slurm.submit(self.script(*options, values=values), path=[BIN])

    def until(self, job, text, count=1):
        try:
            wait_for(lambda: self.log(job).count(text) >= count, f"{text!r} in the log of job {job}", 600)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.log(job)[-4000:]}\n{self.slurm.story()}") from error

    def ends(self, job):
        try:
            self.slurm.wait_for_state(job, "COMPLETED")
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.log(job)[-4000:]}") from error

    def digest(self, folder=f"{PROJECT}-run"):
        return json.loads((self.folder / folder / "finished.json").read_text())["weights_sha256"]

    def local_digest(self, workers, values=None):
        lines = self.cli("train", PROJECT, "--workers", workers, "--json", "--out", self.folder / "local", *settings_of(values or SETTINGS)).splitlines()
        return json.loads(lines[-1])["weights_sha256"]

    def watched(self):
        """What somebody sees who follows the job's folder, from its first event to its last."""
        return [json.loads(line) for line in self.cli("watch", self.folder / f"{PROJECT}-run", "--json").splitlines()]

    def slurm_cli(self, *arguments, expected=0):
        """tandem-cli where Slurm's programs are, and with it the agent that it starts."""
        words = ["env", "-C", str(self.folder), f"SLURM_CONF={self.slurm.conf}", f"PATH={BIN}{os.pathsep}{os.environ['PATH']}", BIN / "tandem-cli", *map(str, arguments)]
        done = self.hosts.run("node1", words, timeout=WITHIN_S)
        self.assertEqual(done.returncode, expected, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done.stdout if expected == 0 else done.stderr

    def hand_over(self, *options, values=None):
        """The job's number and its runs, of `tandem-cli submit`."""
        said = json.loads(self.slurm_cli("submit", PROJECT, "--slurm", "--json", *settings_of(values or SETTINGS), *options))
        return said["job"], said["runs"]

    def row(self, run):
        rows = [json.loads(line) for line in self.slurm_cli("runs", "--json").splitlines()]
        return next(one for one in rows if one["id"] == run["id"])


class LostNodes(SlurmTest):
    """Slurm gives up a silent node soon, and soon starts again what it has requeued."""

    loses_nodes = True

    def test_a_lost_node_and_a_time_that_is_over_lose_no_step(self):
        expected = self.local_digest(2, LONGER)
        job = self.submit("--nodes", 2, values=LONGER)
        self.until(job, "saved checkpoints/ckpt_2")
        self.hosts.power("node2", "off")
        self.until(job, "Resumed at epoch ")
        wait_for(lambda: "node[1,3]" in self.slurm.run("scontrol", "show", "job", job), "the job on the nodes that are left")
        # As Slurm itself does some time before its limit.
        self.until(job, "Epoch 4/")
        self.slurm.cancel(job, "--signal=USR1", "--batch")
        self.until(job, "Resumed at epoch ", count=2)
        self.ends(job)
        self.assertEqual(self.digest(), expected)
        events = self.watched()
        self.assertEqual([e["attempt"] for e in events if e["event"] == "attempt"], [2, 3], "each start is an attempt of one run")
        self.assertEqual((events[-1]["state"], events[-1]["weights_sha256"]), ("done", expected))

    def test_a_time_that_is_over_for_one_of_an_array_is_so_for_no_other(self):
        job = self.submit("--nodes", 1, "--seeds", 2, "--set", "fit.epochs=5000")  # neither ends before it is told to
        logs = [f"{job}_{seed}" for seed in (0, 1)]
        for log in logs:
            self.until(log, "saved checkpoints/ckpt_1")
        for seed, log in enumerate(logs):  # one of the two has the array's own number
            self.slurm.cancel(log, "--signal=USR1", "--batch")
            self.until(log, "Resumed at epoch ")
            other = logs[1 - seed]
            self.assertEqual([self.log(other).count(text) for text in ("Stopped", "Resumed at epoch ")], [seed, seed], self.log(other)[-2000:])
        self.slurm.cancel(job)

    def test_a_submitted_run_goes_on_after_a_lost_node(self):
        job, (run,) = self.hand_over("--nodes", 2, "--out", self.folder / "handed", values=LONGER)
        log = self.folder / "handed" / f"slurm-{job}.log"
        wait_for(lambda: log.exists() and "saved checkpoints/ckpt_2" in log.read_text(errors="replace"), "a backup", 600)
        self.hosts.power("node2", "off")
        events = [json.loads(line) for line in self.slurm_cli("watch", run["id"], "--json").splitlines()]
        self.assertEqual((events[-1]["state"], events[-1]["weights_sha256"]), ("done", self.local_digest(2, LONGER)))
        self.assertEqual([e["attempt"] for e in events if e["event"] == "attempt"], [2])
        self.slurm.wait_for_state(job, "COMPLETED")


class Jobs(SlurmTest):
    def test_a_job_is_watched_and_ends_with_the_weights_of_local_workers(self):
        job = self.submit("--nodes", 3)
        first = self.folder / f"{PROJECT}-run" / "events" / "worker-0.events"
        wait_for(lambda: first.exists() and first.stat().st_size > 0, f"the first event of job {job}")
        events = self.watched()
        self.assertEqual(events[-1]["state"], "done")
        self.assertEqual([e["step"] for e in events if e["event"] == "step"][-1], EPOCHS * SETTINGS["fit.steps_per_epoch"])
        self.assertEqual([e for e in events if e["event"] == "attempt"], [])
        self.ends(job)
        self.assertEqual(events[-1]["weights_sha256"], self.digest())
        self.assertEqual(self.digest(), self.local_digest(3))
        self.assertIn("gRPC over TLS", self.log(job))
        for node in self.hosts.nodes:
            self.assertEqual(self.hosts.processes(node, "tandem-worker"), [], node)

    def test_an_array_has_a_seed_and_a_folder_for_each_run(self):
        job = self.submit("--nodes", 1, "--tasks-per-node", 2, "--seeds", 2)
        self.ends(job)
        digests = [self.digest(f"{PROJECT}-run/seed-{seed}") for seed in (0, 1)]
        self.assertNotEqual(digests[0], digests[1])

    def test_ranks_of_srun_with_pmix_meet(self):
        if "pmix" not in self.slurm.run("srun", "--mpi=list", errors=True) or not list(pathlib.Path("/usr/lib").glob("*/pmix*/lib/libpmix.so")):
            self.skipTest("PMIx: expected Slurm's plug-in for it and libpmix.so (of Debian's libpmix-dev), found none")
        script = self.folder / "ranks.sh"
        options = " ".join(settings_of(SETTINGS))
        script.write_text(f"#!/bin/bash\n#SBATCH --nodes=2 --output={self.folder}/ranks.log\ncd {self.folder}\n{BIN}/tandem-cli cluster-key --out key\n"
                          f"srun --mpi=pmix {BIN}/tandem-worker {PROJECT} --from-mpi --cluster-key key --out run {options}\n")
        job = self.slurm.submit(script)
        try:
            self.slurm.wait_for_state(job, "COMPLETED")
        except AssertionError as error:
            raise AssertionError(f"{error}\n{(self.folder / 'ranks.log').read_text()[-4000:]}") from error
        self.assertEqual(self.digest("run"), self.local_digest(2))
        self.assertEqual(list(self.folder.glob("tandem-meeting-*")), [])

    def test_scancel_leaves_nothing_behind(self):
        job = self.submit("--nodes", 2)
        self.until(job, "Epoch 1/")
        self.slurm.cancel(job)
        self.slurm.wait_for_state(job, "CANCELLED")
        for node in self.hosts.nodes:
            wait_for(lambda node=node: not self.hosts.processes(node, "tandem-worker"), f"no worker on {node}")
        self.assertFalse((self.folder / f"{PROJECT}-run" / "finished.json").exists())

    def test_a_submitted_run_waits_trains_and_ends(self):
        blocker = self.folder / "blocker.sh"
        blocker.write_text(f"#!/bin/bash\n#SBATCH --nodes=3 --exclusive --output={self.folder}/blocker.log\nsleep 10000\n")
        other = self.slurm.submit(blocker)
        self.slurm.wait_for_state(other, "RUNNING")
        job, (run,) = self.hand_over("--nodes", 2, "--out", self.folder / "handed")
        wait_for(lambda: re.fullmatch(rf"job {job} waits in Slurm's queue: \w+, place 1 of 1", self.row(run)["detail"]), "its place in the queue")
        self.assertEqual(self.row(run)["state"], "Starting")
        self.slurm.cancel(other)
        events = [json.loads(line) for line in self.slurm_cli("watch", run["id"], "--json").splitlines()]
        self.assertEqual(events[-1]["state"], "done")
        self.assertEqual([e["step"] for e in events if e["event"] == "step"][-1], EPOCHS * SETTINGS["fit.steps_per_epoch"])
        self.slurm.wait_for_state(job, "COMPLETED")
        self.assertEqual(events[-1]["weights_sha256"], self.local_digest(2))
        self.assertEqual(self.row(run)["state"], "Done")
        refused = self.slurm_cli("submit", PROJECT, "--slurm", "--out", self.folder / "handed", expected=1)
        self.assertIn("which is done", refused)

    def test_a_sweep_hands_each_rung_to_the_queue(self):
        rate = "compile.optimizer.learning_rate"
        out = self.slurm_cli("sweep", "mnist_mlp", *settings_of({"data.take": 2000, "fit.histogram_freq": 0, "fit.validation_steps": 5}), "--field",
                       f"{rate}=0.1,0.01,0.001,0.0001", "--method", "asha", "--epochs", 4, "--reduction", 2, "--at-once", 3, "--slurm", "--programs", BIN,
                       "--out", self.folder / "sweep", "--json")
        events = [json.loads(line) for line in out.splitlines()]
        over = events[-1]
        self.assertEqual(over["state"], "over", over)
        self.assertEqual(events[0]["rungs"], [1, 2, 4])
        self.assertEqual(over["best"]["epochs"], 4)
        trials = {event["trial"]: event for event in events if event["event"] == "trial"}
        self.assertEqual({trial["error"] for trial in trials.values()}, {None})
        self.assertEqual(over["epochs"], sum(trial["epochs"] for trial in trials.values()))
        best = self.folder / "sweep" / "trials" / f"{over['best']['trial']:03}-rung-3"
        self.assertTrue(json.loads((best / "submitted.tandem").read_text())["fit"]["initial_state"], "it goes on behind the rung before")
        here = self.slurm_cli("train", "mnist_mlp", *settings_of({"data.take": 2000, "fit.histogram_freq": 0, "fit.validation_steps": 5, "fit.epochs": 4,
                                                            rate: json.loads(over["best"]["values"][rate])}), "--json")
        epochs = [json.loads(line) for line in here.splitlines() if '"event":"epoch"' in line]
        self.assertAlmostEqual(epochs[-1]["val_accuracy"], over["best"]["value"], delta=1e-9, msg="as if it had trained in one go")

    def test_a_submitted_run_is_stopped_in_the_queue_and_as_it_trains(self):
        job, (run,) = self.hand_over("--nodes", 3, "--tasks-per-node", 2, "--out", self.folder / "first", "--set", "fit.epochs=1000")
        waiting, (later,) = self.hand_over("--nodes", 2, "--out", self.folder / "second")
        wait_for(lambda: self.row(run)["state"] == "Training", "the first one to train")
        self.assertEqual(self.row(later)["state"], "Starting")
        self.slurm_cli("stop", later["id"])
        wait_for(lambda: self.row(later)["state"] == "Stopped", "the end of the one that waits")
        self.assertEqual(self.row(later)["detail"], f"job {waiting} was cancelled")
        self.slurm.wait_for_state(waiting, "CANCELLED")
        self.slurm_cli("stop", run["id"])
        wait_for(lambda: self.row(run)["state"] == "Stopped", "the end of the one that trains")
        self.slurm.wait_for_state(job, "COMPLETED")
        # Handed over again, it goes on.
        job, (again,) = self.hand_over("--nodes", 3, "--tasks-per-node", 2, "--out", self.folder / "first", "--set", "fit.epochs=1000")
        self.assertEqual(again["id"], run["id"])
        wait_for(lambda: self.row(run)["state"] == "Training", "it to train again")
        self.slurm.cancel(job)
        wait_for(lambda: self.row(run)["state"] == "Stopped", "its end")
        self.assertEqual(self.row(run)["detail"], f"job {job} was cancelled")
        for node in self.hosts.nodes:
            wait_for(lambda node=node: not self.hosts.processes(node, "tandem-worker"), f"no worker on {node}")

    def test_what_slurm_does_not_take_is_said_and_leaves_nothing(self):
        said = self.slurm_cli("submit", PROJECT, "--slurm", "--partition", "nosuch", "--out", self.folder / "refused", expected=1)
        self.assertEqual(without_codes(said), "error: Slurm took no job: invalid partition specified: nosuch\n")
        self.assertFalse((self.folder / "refused").exists())
        # More nodes than there are: Slurm takes the job, and says in its queue why it waits.
        job, (run,) = self.hand_over("--nodes", 30, "--out", self.folder / "large")
        wait_for(lambda: re.fullmatch(rf"job {job} waits in Slurm's queue: Partition\w+, place 1 of 1", self.row(run)["detail"]), "its reason")
        self.slurm_cli("stop", run["id"])
        wait_for(lambda: self.row(run)["state"] == "Stopped", "its end")
        (self.folder / "full").mkdir()
        (self.folder / "full" / "notes.txt").write_text("mine")
        self.assertIn("expected an empty folder, or that of an earlier job", self.slurm_cli("submit", PROJECT, "--slurm", "--out", self.folder / "full", expected=1))
        self.assertEqual([one.name for one in (self.folder / "full").iterdir()], ["notes.txt"])

    def test_an_array_of_seeds_is_a_run_each(self):
        job, runs = self.hand_over("--nodes", 1, "--tasks-per-node", 2, "--seeds", 2, "--out", self.folder / "seeds")
        self.assertEqual([pathlib.Path(run["folder"]).name for run in runs], ["seed-0", "seed-1"])
        for run in runs:
            wait_for(lambda run=run: self.row(run)["state"] == "Done", "its end", 600)
        digests = [json.loads((pathlib.Path(run["folder"]) / "finished.json").read_text())["weights_sha256"] for run in runs]
        self.assertNotEqual(*digests)

    def test_a_task_that_srun_did_not_start_is_refused(self):
        script = self.folder / "alone.sh"
        script.write_text(f"#!/bin/bash\n#SBATCH --output={self.folder}/alone.log\n{BIN}/tandem-worker --from-slurm {PROJECT} --out {self.folder}/alone\n")
        job = self.slurm.submit(script)
        self.slurm.wait_for_state(job, "FAILED")
        text = (self.folder / "alone.log").read_text()
        self.assertTrue(re.fullmatch(r"error: SLURM_STEP_\w+: expected what srun sets for the tasks of a step, got none; start the tasks with srun\n", without_codes(text)), text)
        self.assertFalse((self.folder / "alone").exists(), "nothing was begun")


class LoginNodeTest(unittest.TestCase):
    """node1 has no Slurm and reaches node2, a login node, over ssh."""

    def setUp(self):
        if why := Hosts.missing(ssh=True) or Slurm.missing():
            self.skipTest(why)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tandem-login-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        # The nodes see what the login node's agent keeps, as they do where homes are shared.
        environment = {"SLURM_CONF": str(self.folder / "slurm" / "slurm.conf"), "XDG_DATA_HOME": str(self.folder / "data")}
        self.hosts = stack.enter_context(Hosts(3, share=[self.folder], ssh=True, ssh_environment=environment))
        self.slurm = stack.enter_context(Slurm(self.hosts, self.folder))
        self.cli("host", "add", "login", "--ssh", "node2", "--folder", BIN, "--no-check")

    def cli(self, *arguments, expected=0):
        done = self.hosts.run("node1", [BIN / "tandem-cli", *map(str, arguments)], timeout=WITHIN_S)
        self.assertEqual(done.returncode, expected, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done.stdout if expected == 0 else done.stderr

    def hand_over(self, *options, values=None):
        said = json.loads(self.cli("submit", PROJECT, "--slurm", "--ssh", "login", "--json", *settings_of(values or SETTINGS), *options))
        return said["job"], said["runs"]

    def row(self, run):
        return next(one for one in map(json.loads, self.cli("runs", "--json").splitlines()) if one["id"] == run["id"])

    def events_of(self, run):
        return [json.loads(line) for line in self.cli("watch", run["id"], "--json").splitlines()]

    def local_digest(self, workers, values=None):
        lines = self.cli("train", PROJECT, "--workers", workers, "--json", "--out", self.folder / "local", *settings_of(values or SETTINGS)).splitlines()
        return json.loads(lines[-1])["weights_sha256"]

    def expect_done(self, run, digest, values=None):
        events = self.events_of(run)
        self.assertEqual((events[-1]["state"], events[-1]["weights_sha256"]), ("done", digest), events[-3:])
        steps = [event["step"] for event in events if event["event"] == "step"]
        self.assertEqual(steps, sorted(set(steps)), "every step once")
        self.assertEqual(steps[-1], (values or SETTINGS)["fit.epochs"] * SETTINGS["fit.steps_per_epoch"])
        return events

    def test_a_job_is_handed_over_there_and_seen_here(self):
        job, (run,) = self.hand_over("--nodes", 2, "--out", self.folder / "there")
        digest = self.local_digest(2)
        self.expect_done(run, digest)
        self.slurm.wait_for_state(job, "COMPLETED")
        wait_for(lambda: self.row(run)["state"] == "Done", "its end")
        here = pathlib.Path(self.row(run)["run_dir"])
        self.assertNotEqual(here, self.folder / "there")
        found = self.hosts.run("node1", ["find", here, "-type", "f", "-printf", "%P\n"], timeout=60).stdout.split()
        self.assertIn("finished.json", found)
        self.assertTrue(any(name.startswith("checkpoints/") for name in found), found)
        self.assertEqual([name for name in found if name.startswith("events/") or name in ("cluster.key", "scheduler.json", "control.json")], [], "what only the cluster needs")
        self.assertIn("accuracy", self.cli("evaluate", run["id"]))
        # Somebody else's eye on the same folder, and the folder of an earlier job.
        self.assertEqual(json.loads(self.cli("watch", self.folder / "there", "--ssh", "login", "--json").splitlines()[-1])["weights_sha256"], digest)
        self.assertIn("login: ", refused := self.cli("submit", PROJECT, "--slurm", "--ssh", "login", "--out", self.folder / "there", expected=1))
        self.assertIn("which is done", refused)

    def test_what_its_nodes_use_is_seen_here(self):
        _, (run,) = self.hand_over("--nodes", 2, "--set", "fit.epochs=400", "--out", self.folder / "long")
        with Loads(self.hosts, "node1", self.folder / "loads.txt") as loads:
            wait_for(lambda: len(loads.tasks_of(run["id"])) == 2, "a reading of every task")
            wait_for(lambda: all(task["exchange"] for _, task in loads.tasks_of(run["id"]).values()), "where every task is in its exchange")
            for load, _ in wait_for(lambda: loads.measured(run["id"]), "what every computer has").values():
                self.assertIn(load["host"], ("login", "node1", "node3"))
        self.cli("stop", run["id"])
        wait_for(lambda: self.row(run)["state"] == "Stopped", "its end")

    def test_home_and_link_go_and_come_back(self):
        blocker = self.folder / "blocker.sh"
        blocker.write_text(f"#!/bin/bash\n#SBATCH --nodes=3 --exclusive --output={self.folder}/blocker.log\nsleep 10000\n")
        other = self.slurm.submit(blocker)
        self.slurm.wait_for_state(other, "RUNNING")
        job, (run,) = self.hand_over("--nodes", 2, values=LONGER)
        wait_for(lambda: re.fullmatch(rf"job {job} waits in Slurm's queue: \w+, place 1 of 1", self.row(run)["detail"]), "its place in the queue")
        for node in ("node1", "node2"):  # nobody is there while the job begins
            for agent in self.hosts.processes(node, "tandem-agent"):
                os.kill(agent, signal.SIGKILL)
        self.slurm.cancel(other)
        self.slurm.wait_for_state(job, "RUNNING")
        wait_for(lambda: self.row(run)["state"] == "Training", "it to train")
        seen = self.folder / "seen.txt"
        with open(seen, "w", encoding="utf-8") as out:
            watching = self.hosts.start("node1", [BIN / "tandem-cli", "watch", run["id"], "--json"], stdout=out)
        self.hosts.link("node1", "down")
        wait_for(lambda: "login has not answered for " in seen.read_text(), "the silence to be told")
        self.hosts.link("node1", "up")
        self.assertEqual(watching.wait(timeout=WITHIN_S), 0)
        self.assertIn("login answers again", seen.read_text())
        self.expect_done(run, self.local_digest(2, LONGER), LONGER)

    def test_stops_and_refusals_reach_the_other_end(self):
        job, (run,) = self.hand_over("--nodes", 2, "--set", "fit.epochs=1000")
        state = wait_for(lambda: (now := self.row(run)["state"]) != "Starting" and now, "it to train")
        self.assertEqual(state, "Training", self.row(run))
        self.cli("stop", run["id"])
        wait_for(lambda: self.row(run)["state"] == "Stopped", "its end")
        self.slurm.wait_for_state(job, "COMPLETED")
        self.assertEqual(without_codes(self.cli("submit", PROJECT, "--slurm", "--ssh", "login", "--partition", "nosuch", expected=1)),
                         "error: login: Slurm took no job: invalid partition specified: nosuch\n")
        self.assertIn("nobody: expected one of the list of hosts (login)", self.cli("submit", PROJECT, "--slurm", "--ssh", "nobody", expected=1))
        self.assertIn("login: ", self.cli("watch", self.folder, "--ssh", "login", expected=1))
        for node in self.hosts.nodes:
            wait_for(lambda node=node: not self.hosts.processes(node, "tandem-worker"), f"no worker on {node}")


if __name__ == "__main__":
    unittest.main()
