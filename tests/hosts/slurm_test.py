"""Jobs of a real Slurm: the script that `export launch` writes trains, goes on after a lost node and after its time is over, and says what is wrong."""
import contextlib
import json
import os
import pathlib
import re
import shutil
import tempfile
import unittest

from hosts import Hosts, wait_for
from slurm import Slurm

BIN = pathlib.Path(os.environ.get("TANDEM_BIN", "build/dev/bin")).resolve()
PROJECT = "mnist_multi_worker"
EPOCHS = 5
SETTINGS = {"fit.epochs": EPOCHS, "fit.steps_per_epoch": 60, "fit.validation_steps": 1, "data.take": 6000}


def settings_of(values):
    return [word for path, value in values.items() for word in ("--set", f"{path}={json.dumps(value)}")]


class SlurmTest(unittest.TestCase):
    def setUp(self):
        if why := Hosts.missing() or Slurm.missing():
            self.skipTest(why)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tandem-slurm-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        self.hosts = stack.enter_context(Hosts(3, share=[self.folder]))
        self.slurm = stack.enter_context(Slurm(self.hosts, self.folder))

    def cli(self, *arguments, expected=0):
        done = self.hosts.run("node1", [BIN / "tandem-cli", *map(str, arguments)], timeout=300)
        self.assertEqual(done.returncode, expected, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done.stdout if expected == 0 else done.stderr

    def script(self, *options):
        path = self.folder / "job.sh"
        self.cli("export", "launch", PROJECT, "--kind", "slurm", "--out", path, *settings_of(SETTINGS), *options)
        return path

    def log(self, job):
        file = self.folder / f"{PROJECT}-{job}.log"
        return file.read_text(errors="replace") if file.exists() else ""

    def submit(self, *options):
        return self.slurm.submit(self.script(*options), path=[BIN])

    def until(self, job, text, count=1):
        wait_for(lambda: self.log(job).count(text) >= count, f"{text!r} in the log of job {job}")

    def ends(self, job):
        try:
            self.slurm.wait_for_state(job, "COMPLETED")
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.log(job)[-4000:]}") from error

    def digest(self, folder=f"{PROJECT}-run"):
        return json.loads((self.folder / folder / "finished.json").read_text())["weights_sha256"]

    def local_digest(self, workers):
        lines = self.cli("train", PROJECT, "--workers", workers, "--json", "--out", self.folder / "local", *settings_of(SETTINGS)).splitlines()
        return json.loads(lines[-1])["weights_sha256"]

    def test_a_job_ends_with_the_weights_of_local_workers(self):
        job = self.submit("--nodes", 3)
        self.ends(job)
        self.assertEqual(self.digest(), self.local_digest(3))
        self.assertIn("gRPC over TLS", self.log(job))
        for node in self.hosts.nodes:
            self.assertEqual(self.hosts.processes(node, "tandem-worker"), [], node)

    def test_a_lost_node_and_a_time_that_is_over_lose_no_step(self):
        expected = self.local_digest(2)
        job = self.submit("--nodes", 2)
        self.until(job, "saved checkpoints/ckpt_2")
        self.hosts.power("node2", "off")
        self.until(job, "Resumed at epoch ")
        self.assertIn("node[1,3]", self.slurm.run("scontrol", "show", "job", job), "on the nodes that are left")
        # As Slurm itself does some time before its limit.
        self.until(job, "Epoch 4/")
        self.slurm.run("scancel", "--signal=USR1", "--batch", job)
        self.until(job, "Resumed at epoch ", count=2)
        self.ends(job)
        self.assertEqual(self.digest(), expected)

    def test_an_array_has_a_seed_and_a_folder_for_each_run(self):
        job = self.submit("--nodes", 1, "--tasks-per-node", 2, "--seeds", 2)
        self.ends(job)
        digests = [self.digest(f"{PROJECT}-run/seed-{seed}") for seed in (0, 1)]
        self.assertNotEqual(digests[0], digests[1])

    def test_scancel_leaves_nothing_behind(self):
        job = self.submit("--nodes", 2)
        self.until(job, "Epoch 1/")
        self.slurm.run("scancel", job)
        self.slurm.wait_for_state(job, "CANCELLED")
        for node in self.hosts.nodes:
            wait_for(lambda node=node: not self.hosts.processes(node, "tandem-worker"), f"no worker on {node}")
        self.assertFalse((self.folder / f"{PROJECT}-run" / "finished.json").exists())

    def test_a_task_that_srun_did_not_start_is_refused(self):
        script = self.folder / "alone.sh"
        script.write_text(f"#!/bin/bash\n#SBATCH --output={self.folder}/alone.log\n{BIN}/tandem-worker --from-slurm {PROJECT} --out {self.folder}/alone\n")
        job = self.slurm.submit(script)
        self.slurm.wait_for_state(job, "FAILED")
        text = (self.folder / "alone.log").read_text()
        self.assertTrue(re.fullmatch(r"error: SLURM_STEP_\w+: expected what srun sets for the tasks of a step, got none; start the tasks with srun\n", text), text)
        self.assertFalse((self.folder / "alone").exists(), "nothing was begun")


if __name__ == "__main__":
    unittest.main()
