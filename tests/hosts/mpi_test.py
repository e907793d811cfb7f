"""Ranks of a real Open MPI: the script that `export launch --kind mpirun` writes trains, names a rank that dies and goes on from the backup; ranks meet
without a script too, and say what is wrong. A project that asks for it sums through MPI, with the ring's numbers."""
import array
import contextlib
import json
import math
import os
import pathlib
import shutil
import signal
import tempfile
import unittest

import mpi
from hosts import PATH, Hosts, wait_for, without_codes

BIN = pathlib.Path(os.environ.get("TANDEM_BIN", "build/dev/bin")).resolve()
PROJECT = "mnist_multi_worker"
EPOCHS = 4
SETTINGS = {"fit.epochs": EPOCHS, "fit.steps_per_epoch": 60, "fit.validation_steps": 1, "data.take": 6000}


def settings_of(values):
    return [word for path, value in values.items() for word in ("--set", f"{path}={json.dumps(value)}")]


class MpiTest(unittest.TestCase):
    def setUp(self):
        if why := Hosts.missing(ssh=True) or mpi.missing():
            self.skipTest(why)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tandem-mpi-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        self.hosts = stack.enter_context(Hosts(3, share=[self.folder], ssh=True))
        self.log = self.folder / "log.txt"

    def cli(self, *arguments):
        done = self.hosts.run("node1", [BIN / "tandem-cli", *map(str, arguments)], timeout=300)
        self.assertEqual(done.returncode, 0, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def start(self, *argv):
        self.log.write_text("")
        with open(self.log, "a", encoding="utf-8") as out:
            process = mpi.start(self.hosts, self.folder, argv, stdout=out, env={"PATH": f"{BIN}:{PATH}", "TANDEM_WORKER": str(BIN / "tandem-worker"),
                                                                               "ASAN_OPTIONS": "detect_leaks=0"})  # Open MPI's own, at its end
        self.addCleanup(lambda: (process.kill(), process.wait()))
        return process

    def text(self):
        return self.log.read_text(errors="replace")

    def until(self, text):
        try:
            wait_for(lambda: text in self.text(), f"{text!r}")
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.text()[-4000:]}") from error

    def ends(self, process):
        try:
            wait_for(lambda: process.poll() is not None, "mpirun to end", 600)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.text()[-4000:]}") from error
        return process.returncode

    def digest(self, folder):
        return json.loads((self.folder / folder / "finished.json").read_text())["weights_sha256"]

    def local_digest(self, workers):
        lines = self.cli("train", PROJECT, "--workers", workers, "--json", "--out", self.folder / "local", *settings_of(SETTINGS)).splitlines()
        return json.loads(lines[-1])["weights_sha256"]

    def test_a_job_on_three_hosts_names_a_dead_rank_and_goes_on(self):
        script = self.folder / "train.sh"
        self.cli("export", "launch", PROJECT, "--kind", "mpirun", "--hosts", "node1,node2,node3", "--out", script, *settings_of(SETTINGS))
        job = self.start("bash", script)
        self.until("saved checkpoints/ckpt_1")
        [worker] = self.hosts.processes("node3", "tandem-worker")
        os.kill(worker, signal.SIGKILL)
        self.assertNotEqual(self.ends(job), 0)
        self.assertRegex(self.text(), r"(process rank 2 with PID \d+ on node node3 exited on signal 9|worker 2 at node3:8888 closed its connection)")
        for node in self.hosts.nodes:
            wait_for(lambda node=node: not self.hosts.processes(node, "tandem-worker"), f"no worker on {node}")
        job = self.start("bash", script)
        self.assertEqual(self.ends(job), 0, self.text()[-4000:])
        self.assertIn("Resumed at epoch ", self.text())
        self.assertIn("gRPC over TLS", self.text())
        self.assertEqual(list((self.folder / f"{PROJECT}-run").glob("meeting-*")), [])
        self.assertEqual(self.digest(f"{PROJECT}-run"), self.local_digest(3))

    def test_ranks_of_one_host_need_neither_key_nor_folder(self):
        job = self.start("mpirun", "-np", "2", BIN / "tandem-worker", PROJECT, "--from-mpi", "--out", "run", *settings_of(SETTINGS))
        self.assertEqual(self.ends(job), 0, self.text()[-4000:])
        self.assertEqual(list(self.folder.glob("tandem-meeting-*")), [])
        self.assertEqual(self.digest("run"), self.local_digest(2))

    def test_ctrl_c_stops_after_a_step(self):
        script = self.folder / "train.sh"
        self.cli("export", "launch", PROJECT, "--kind", "mpirun", "--hosts", "node1,node2", "--out", script, *settings_of({**SETTINGS, "fit.epochs": 500}))
        job = self.start("bash", script)
        self.until("Epoch 2/")
        job.send_signal(signal.SIGINT)
        self.assertEqual(self.ends(job), 130, self.text()[-4000:])
        self.assertIn("Stopped", self.text())
        for node in self.hosts.nodes:
            self.assertEqual(self.hosts.processes(node, "tandem-worker"), [], node)
        self.assertFalse((self.folder / f"{PROJECT}-run" / "finished.json").exists())

    def values(self, folder):
        """The bytes of the run's last checkpoint as float32; what is none stands at the same places in every run."""
        checkpoint = json.loads((self.folder / folder / "finished.json").read_text())["checkpoint"]
        [data] = (self.folder / folder).glob(f"{checkpoint}.data-*")
        content = data.read_bytes()
        return array.array("f", content[:len(content) // 4 * 4])

    def test_sums_go_through_mpi_and_a_dead_rank_is_named(self):
        by_mpi = {**SETTINGS, "strategy.communication": "MPI"}
        script = self.folder / "train.sh"
        self.cli("export", "launch", PROJECT, "--kind", "mpirun", "--hosts", "node1,node2,node3", "--out", script, *settings_of(by_mpi))
        job = self.start("bash", script)
        self.until("saved checkpoints/ckpt_1")
        self.assertRegex(self.text(), r"gradients: MPI, Open MPI v[\d.]+, TCP \(btl tcp\)")
        [worker] = self.hosts.processes("node3", "tandem-worker")
        os.kill(worker, signal.SIGKILL)
        self.assertNotEqual(self.ends(job), 0)
        self.assertRegex(self.text(), r"(process rank 2 with PID \d+ on node node3 exited on signal 9|worker 2 at node3:8888 closed its connection)")
        for node in self.hosts.nodes:
            wait_for(lambda node=node: not self.hosts.processes(node, "tandem-worker"), f"no worker on {node}")
        job = self.start("bash", script)
        self.assertEqual(self.ends(job), 0, self.text()[-4000:])
        self.assertIn("Resumed at epoch ", self.text())

    def test_numbers_are_the_rings(self):
        # Two ranks: to the bit.
        job = self.start("mpirun", "-np", "2", BIN / "tandem-worker", PROJECT, "--from-mpi", "--out", "two", *settings_of({**SETTINGS, "strategy.communication": "MPI"}))
        self.assertEqual(self.ends(job), 0, self.text()[-4000:])
        self.assertIn("shared memory", self.text())
        self.assertEqual(self.digest("two"), self.local_digest(2))
        # Three: but for the order of a sum. After few steps, before the roundings have grown.
        few = {**SETTINGS, "fit.epochs": 1, "fit.steps_per_epoch": 10}
        for how in ("RING", "MPI"):
            job = self.start("mpirun", "-np", "3", BIN / "tandem-worker", PROJECT, "--from-mpi", "--out", how, *settings_of({**few, "strategy.communication": how}))
            self.assertEqual(self.ends(job), 0, self.text()[-4000:])
        ring, mpi_values = self.values("RING"), self.values("MPI")
        self.assertEqual(len(mpi_values), len(ring))
        apart = [(a, b) for a, b in zip(ring, mpi_values) if a != b and not abs(a - b) <= 1e-6 * max(1, abs(a))]
        self.assertEqual([pair for pair in apart if not (math.isnan(pair[0]) and math.isnan(pair[1]))], [])

    def test_what_is_wrong_is_said(self):
        done = self.hosts.run("node1", [BIN / "tandem-worker", PROJECT, "--from-mpi", "--out", self.folder / "alone"], timeout=300)
        self.assertEqual((done.returncode, without_codes(done.stderr)), (2, "error: OMPI_COMM_WORLD_RANK, PMI_RANK, PMIX_RANK: expected one of them, as mpirun and srun --mpi=pmix "
                                                             "set it for their processes, got none; start the tasks with one of the two\n"))
        self.assertFalse((self.folder / "alone").exists(), "nothing was begun")
        # /tmp is another one on each host.
        job = self.start("mpirun", "-np", "2", "--host", "node1,node2", BIN / "tandem-worker", PROJECT, "--from-mpi", "--meet", "/tmp/meeting", "--wait-for-hosts", "2")
        self.assertNotEqual(self.ends(job), 0)
        self.assertRegex(self.text(), r"error: /tmp/meeting: expected all 2 ranks there within 2 s, got none of [01]; --meet must be a folder that every rank sees")


if __name__ == "__main__":
    unittest.main()
