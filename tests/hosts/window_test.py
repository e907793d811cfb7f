#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole window on node1 by mouse and keys, with hosts over real ssh servers, or one that a line pairs: hosts are added, tasks dragged to
them, a run is launched on all and watched, and the X-ray names who holds the others up; or hosts of a real Slurm, to which a run is handed over.
TANDEM_SHOTS names a folder for pictures."""

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from hosts import Hosts, wait_for
from slurm import Slurm

BIN = pathlib.Path(os.environ.get("TANDEM_BIN", "build/dev/bin")).resolve()
DEFAULT_FOLDER = ".local/share/tandem/bundle/current"
STEP_DELAY_S = 0.05
WITHIN_S = 900
PORT = 7443
# The run ends when it is told to, and no silence does: on a loaded machine a cable that is out for two seconds is silent for many.
ENDLESS = ("value fit.epochs=10000", "value cluster.heartbeat_fatal_s=900")


class WindowTest(unittest.TestCase):
    def enter_hosts(self, count, ssh=False, **kind):
        if why := Hosts.missing(ssh=ssh):
            self.skipTest(why)
        self.stack = contextlib.ExitStack()
        self.addCleanup(self.stack.close)
        self.hosts = self.stack.enter_context(Hosts(count, ssh=ssh, **kind))

    def start_window(self, env=None):
        self.user = self.hosts.start("node1", [BIN / "tandem_window_user", "/run/home/studio", BIN / "tandem"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                     stderr=None, text=True, env=env)
        self.addCleanup(self.user.stdout.close)
        self.addCleanup(self.user.wait, WITHIN_S)
        self.addCleanup(self.user.stdin.close)

    def tell(self, line):
        self.user.stdin.write(line + "\n")
        self.user.stdin.flush()
        return self.user.stdout.readline().rstrip("\n")

    def do(self, *lines):
        for line in lines:
            self.assertEqual(self.tell(line), "yes", line)

    def shoot(self, name):
        if folder := os.environ.get("TANDEM_SHOTS"):
            self.do(f"shoot /run/home/{name}.png")
            (self.hosts.home("node1") / f"{name}.png").rename(pathlib.Path(folder) / f"{name}.png")

    def expect_workers(self):
        for node in self.hosts.nodes:
            wait_for(lambda: self.hosts.processes(node, "tandem-worker"), f"a worker on {node}")

    def expect_no_workers(self):
        for node in self.hosts.nodes:
            wait_for(lambda: not self.hosts.processes(node, "tandem-worker"), f"the end of the tasks on {node}")


class Window(WindowTest):
    def setUp(self):
        self.enter_hosts(3, ssh=True)
        for node in self.hosts.nodes[1:]:
            folder = self.hosts.home(node) / DEFAULT_FOLDER / "bin"
            folder.mkdir(parents=True)
            for program in ("tandem-agent", "tandem-worker"):
                (folder / program).symlink_to(BIN / program)
        self.start_window()

    def waits_of_steps(self):
        """In seconds, as the X-ray's table has them; 0 for one that it doesn't tell."""
        rows = [row.split("|") for row in self.tell("text xrayTable").split("; ")]
        cells = [row[7] if len(row) > 7 else "" for row in rows]
        return [float(cell.split()[0].replace(",", "")) / (1000 if cell.endswith("ms") else 1) if cell[:1].isdigit() else 0 for cell in cells]

    def is_reached(self):
        """A look at a host that is not in the list yet gives up after twenty seconds, and is repeated by who asked for it alone."""
        title = self.tell("text hostSightTitle")
        if title == "Out of reach":
            print(self.tell("text hostSightSentence"), flush=True)
            self.do("click hostSightLink")
        return title.startswith("Reached in")

    def add_host(self, name):
        self.do("click addHost", "click hostName", f"type {name}")
        wait_for(self.is_reached, f"a first look at {name}")
        self.do("click hostAdd", "wait hostSightTitle Ready")
        self.shoot(f"host-dialog-{name}")
        self.do("click hostUse")

    def test_three_hosts_train_and_the_x_ray_names_who_is_late(self):
        self.do("starter mnist_multi_worker", *ENDLESS, "page cluster", "add worker")
        self.add_host("node2")
        self.add_host("node3")
        self.do("move 1 node2", "move 2 node3", "fix in place of localhost", "wait launchButton Launch 3 workers")
        self.assertEqual(self.tell("tasks"), "node1 node2 node3")
        self.shoot("cluster-three-hosts")
        self.do("click launchButton", "page monitor", "wait monitorState Training")
        self.expect_workers()
        self.do("painted node3")
        self.shoot("monitor-three-hosts")

        # A run whose first step takes long has said that it trains, and is shown as one that waits, without faces.
        self.do("segment monitorFaces 1", "wait xraySentence No task is late")
        self.hosts.slow("node3", delay_s=STEP_DELAY_S)
        # What goes there and back while the gradients are still computed is not waited for, and a loaded machine computes for long.
        wait_for(lambda: all(wait > STEP_DELAY_S for wait in self.waits_of_steps()), "steps that wait for node3's cable")
        self.shoot("xray-slow")
        self.hosts.link("node3", "down")
        self.do("wait xraySentence worker 2")
        self.shoot("xray-cut")
        self.hosts.link("node3", "up")
        self.hosts.slow("node3")
        self.do("wait xraySentence No task is late", "click monitorStop", "wait monitorState Stopped")
        self.expect_no_workers()


class PairedWindow(WindowTest):
    """No ssh server runs: node2's agent listens, and what `tandem-agent invite` prints there is typed into the dialog."""

    def setUp(self):
        self.enter_hosts(2)
        agent = self.hosts.start("node2", [BIN / "tandem-agent", "--listen", f"node2:{PORT}"])
        self.addCleanup(agent.wait)
        self.addCleanup(agent.kill)
        running = self.hosts.home("node2") / ".local/share/tandem/runs/agent.json"
        wait_for(lambda: running.exists() and json.loads(running.read_text()).get("listen"), "node2 to listen")
        self.start_window()

    def test_a_host_is_paired_by_its_line_and_trains(self):
        invited = self.hosts.run("node2", [BIN / "tandem-agent", "invite"], timeout=60)
        self.assertEqual(invited.returncode, 0, invited.stderr)
        self.do("starter mnist_multi_worker", *ENDLESS, "page cluster", "click addHost", "click hostName", "type node2", "click hostDestination",
                f"type {invited.stdout.strip()}", "wait hostSightTitle A pairing line")
        self.shoot("pairing-line")
        self.do("click hostAdd", "wait hostSightTitle Ready")
        self.shoot("paired")
        self.assertIn("node1", self.hosts.run("node2", [BIN / "tandem-agent", "paired"], timeout=60).stdout)
        self.do("click hostUse", "move 1 node2", "fix in place of localhost", "wait launchButton Launch 2 workers")
        self.assertEqual(self.tell("tasks"), "node1 node2")
        self.do("click launchButton", "page monitor", "wait monitorState Training")
        self.expect_workers()
        self.do("click monitorStop", "wait monitorState Stopped")
        self.expect_no_workers()


class SlurmWindow(WindowTest):
    """The nodes of a real Slurm, whose programs node1 has."""

    def setUp(self):
        if why := Slurm.missing():
            self.skipTest(why)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tandem-submit-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.enter_hosts(4, share=[self.folder])
        self.slurm = self.stack.enter_context(Slurm(self.hosts, self.folder))
        self.start_window(env={"SLURM_CONF": str(self.slurm.conf)})

    def do(self, *lines):
        try:
            super().do(*lines)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.slurm.story()}\n{self.log_of_job()}") from error

    def log_of_job(self):
        return "\n".join(log.read_text(errors="replace")[-4000:] for log in (self.folder / "run").glob("slurm-*.log"))

    def test_a_job_of_four_nodes_is_handed_over_and_trains_as_four_workers_do(self):
        blocker = self.folder / "blocker.sh"
        blocker.write_text(f"#!/bin/bash\n#SBATCH --nodes=4 --exclusive --output={self.folder}/blocker.log\nsleep 10000\n")
        other = self.slurm.submit(blocker)
        self.slurm.wait_for_state(other, "RUNNING")
        values = ["fit.epochs=3", "fit.steps_per_epoch=30", "fit.validation_steps=1", "data.take=6000"]
        self.do("starter mnist_multi_worker", "action actionSubmit", "put submitNodes 4", f"put submitFolder {self.folder}/run", f"put submitSettings {values[0]}")
        for value in values[1:]:
            self.do("key Return", f"type {value}")
        self.do("wait submitUse Submit")
        self.shoot("submit")
        # The dialog closes with Slurm's answer, and lies over the pages until then.
        self.do("click submitUse", "page monitor", "wait monitorState Waiting for Slurm")
        wait_for(lambda: "PENDING" in self.slurm.run("squeue", "--noheader", "--format=%T"), "the job in the queue")
        self.do("painted waits in Slurm's queue")
        self.shoot("submitted")
        self.slurm.cancel(other)
        self.do("wait monitorState Done")
        self.shoot("submitted-done")
        local = self.hosts.run("node1", [BIN / "tandem-cli", "train", "mnist_multi_worker", "--workers", "4", "--json", "--out", self.folder / "local",
                                         *(word for value in values for word in ("--set", value))], timeout=WITHIN_S)
        self.assertEqual(local.returncode, 0, local.stderr)
        self.assertEqual(json.loads((self.folder / "run" / "finished.json").read_text())["weights_sha256"], json.loads(local.stdout.splitlines()[-1])["weights_sha256"])


if __name__ == "__main__":
    unittest.main()
