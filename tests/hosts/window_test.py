#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole window on node1 with hosts over real ssh servers, by mouse and keys: hosts are added, tasks dragged to them, a run is launched on all
and watched, and the X-ray names who holds the others up. TANDEM_SHOTS names a folder for pictures."""

import contextlib
import os
import pathlib
import subprocess
import unittest

from hosts import Hosts, wait_for

BIN = pathlib.Path(os.environ.get("TANDEM_BIN", "build/dev/bin")).resolve()
DEFAULT_FOLDER = ".local/share/tandem/bundle/current"
STEP_DELAY_S = 0.05
WITHIN_S = 600


class Window(unittest.TestCase):
    def setUp(self):
        if why := Hosts.missing(ssh=True):
            self.skipTest(why)
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        self.hosts = stack.enter_context(Hosts(3, ssh=True))
        for node in self.hosts.nodes[1:]:
            folder = self.hosts.home(node) / DEFAULT_FOLDER / "bin"
            folder.mkdir(parents=True)
            for program in ("tandem-agent", "tandem-worker"):
                (folder / program).symlink_to(BIN / program)
        self.user = self.hosts.start("node1", [BIN / "tandem_window_user", "/run/home/studio", BIN / "tandem"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                     stderr=None, text=True)
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

    def waits_of_steps(self):
        """In seconds, as the X-ray's table has them."""
        cells = [row.split("|")[7] for row in self.tell("text xrayTable").split("; ")]
        return [float(cell.split()[0]) / (1000 if cell.endswith("ms") else 1) if cell[0].isdigit() else 0 for cell in cells]

    def add_host(self, name):
        self.do("click addHost", "click hostName", f"type {name}", "wait hostSightTitle Reached in", "click hostAdd", "wait hostSightTitle Ready")
        self.shoot(f"host-dialog-{name}")
        self.do("click hostUse")

    def test_three_hosts_train_and_the_x_ray_names_who_is_late(self):
        self.do("starter mnist_multi_worker", "page cluster", "add worker")
        self.add_host("node2")
        self.add_host("node3")
        self.do("move 1 node2", "move 2 node3", "fix in place of localhost", "wait launchButton Launch 3 workers")
        self.assertEqual(self.tell("tasks"), "node1 node2 node3")
        self.shoot("cluster-three-hosts")
        self.do("click launchButton", "page monitor", "wait monitorState Training")
        for node in self.hosts.nodes:
            wait_for(lambda: self.hosts.processes(node, "tandem-worker"), f"a worker on {node}")
        self.do("painted node3")
        self.shoot("monitor-three-hosts")

        self.do("segment monitorFaces 1", "wait xraySentence No task is late")
        self.hosts.slow("node3", delay_s=STEP_DELAY_S)
        wait_for(lambda: all(wait > 3 * STEP_DELAY_S for wait in self.waits_of_steps()), "steps that wait for node3's cable")
        self.shoot("xray-slow")
        self.hosts.link("node3", "down")
        self.do("wait xraySentence worker 2")
        self.shoot("xray-cut")
        self.hosts.link("node3", "up")
        self.hosts.slow("node3")
        self.do("wait xraySentence No task is late", "click monitorStop", "wait monitorState Stopped")
        for node in self.hosts.nodes:
            wait_for(lambda: not self.hosts.processes(node, "tandem-worker"), f"the end of the tasks on {node}")


if __name__ == "__main__":
    unittest.main()
