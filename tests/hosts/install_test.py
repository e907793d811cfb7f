"""`tandem-cli host add` and `host update` on node1, and real ssh servers on hosts that have no Tandem, or another one: the bundle of this build
gets there over ssh. TANDEM_BUILD names the build, TANDEM_SOURCE the tree."""
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from hosts import Hosts, wait_for, without_codes
from stopwatch import Stopwatch

BUILD = pathlib.Path(os.environ.get("TANDEM_BUILD", "build/dev")).resolve()
SOURCE = pathlib.Path(os.environ.get("TANDEM_SOURCE", ".")).resolve()
BASE = ".local/share/tandem/bundle"
WITHIN_S = 300
MEGABYTE = 1 << 20


@unittest.skipUnless(shutil.which("patchelf"), "patchelf is not installed")
class Install(unittest.TestCase):
    """The Tandem of node1 is an unpacked bundle that has its own archive beside it; node2 begins with an empty HOME."""

    @classmethod
    def setUpClass(cls):
        if why := Hosts.missing(ssh=True):
            raise unittest.SkipTest(why)
        cls.scratch = pathlib.Path(tempfile.mkdtemp(prefix="tandem-install-"))
        cls.addClassCleanup(shutil.rmtree, cls.scratch, ignore_errors=True)
        cls.archive = cls.scratch / "bundle.tar.gz"
        made = subprocess.run(["bash", SOURCE / "installer" / "bundle.sh", "--build", BUILD, "--without-gpu", cls.archive], text=True, capture_output=True,
                              timeout=600, check=False)
        if made.returncode != 0:
            raise AssertionError(made.stderr)
        cls.own = cls.scratch / "own"
        cls.own.mkdir()
        subprocess.run(["tar", "-xzf", cls.archive, "-C", cls.own], check=True)
        os.link(cls.archive, cls.own / "share" / "tandem" / "bundle.tar.gz")
        cls.version = json.loads((cls.own / "share" / "tandem" / "bundle.json").read_text())["version"]

    def setUp(self):
        self.stack = contextlib.ExitStack()
        self.addCleanup(self.stack.close)
        self.hosts = self.stack.enter_context(Hosts(2, share=[self.scratch], ssh=True))

    # ---- on node2 --------------------------------------------------------------------------------------------------------

    def base(self):
        return self.hosts.home("node2") / BASE

    def shell(self, line):
        done = self.hosts.run("node2", ["sh", "-c", line], timeout=WITHIN_S)
        self.assertEqual(done.returncode, 0, f"{line}\n{done.stdout}{done.stderr}")
        return done.stdout.strip()

    def agents(self):
        return self.hosts.processes("node2", "tandem-agent")

    def arrived(self):
        """Bytes of the archive that lie there."""
        return sum(part.stat().st_size for part in self.base().glob(".incoming/*.part"))

    def stand_in(self, version="0.0.1"):
        """A former version: a program that says no more than its number."""
        folder = self.base() / f"{version}-0123456789ab"
        (folder / "bin").mkdir(parents=True)
        (folder / "share" / "tandem").mkdir(parents=True)
        (folder / "share" / "tandem" / "bundle.json").write_text("{}\n")
        (folder / "bin" / "tandem-agent").write_text(f"#!/bin/sh\necho {version}\n")
        (folder / "bin" / "tandem-agent").chmod(0o755)
        (self.base() / "current").unlink(missing_ok=True)
        (self.base() / "current").symlink_to(folder.name)
        return folder

    def expect_one_version(self):
        """One folder and the link to it, and nothing that works on either side."""
        installed = os.readlink(self.base() / "current")
        self.assertRegex(installed, f"^{re.escape(self.version)}-[0-9a-f]{{12}}$")
        self.assertEqual(sorted(path.name for path in self.base().iterdir()), [installed, "current"])
        self.shell(f"cd $HOME/{BASE}/current && sha256sum --check --quiet share/tandem/bundle.sha256")
        self.expect_nothing_running()

    def expect_nothing_running(self):
        wait_for(lambda: not self.hosts.processes("node1", "ssh"), "the end of ssh on node1")
        wait_for(lambda: len(self.hosts.processes("node2", "sshd")) <= 1, "the end of the sessions on node2")
        for program in ("dash", "bash", "flock", "head", "tar", "sleep"):
            wait_for(lambda: not self.hosts.processes("node2", program), f"the end of {program} on node2")

    # ---- tandem-cli on node1 ---------------------------------------------------------------------------------------------

    def cli(self, *words):
        return self.hosts.run("node1", [self.own / "bin" / "tandem-cli", "host", *words], timeout=WITHIN_S)

    def done(self, *words):
        done = self.cli(*words)
        self.assertEqual((done.returncode, done.stderr), (0, ""), f"{words}: {done.stdout}{done.stderr}")
        return done.stdout

    def refused(self, *words):
        """One sentence, and nothing changed."""
        done = self.cli(*words)
        self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        return without_codes(done.stderr).removeprefix("error: ").rstrip("\n")

    def start_slowly(self):
        """An addition that has sent some megabytes of many."""
        self.hosts.slow("node2", rate_bytes_s=6 * MEGABYTE)
        adding = self.hosts.start("node1", [self.own / "bin" / "tandem-cli", "host", "add", "node2"], stdout=subprocess.PIPE, text=True)
        self.addCleanup(adding.kill)
        wait_for(lambda: self.arrived() > 6 * MEGABYTE, "the first megabytes")
        return adding

    def add_after_a_cut(self):
        """What has arrived is not sent again."""
        self.assertFalse((self.base() / "current").exists())
        had = self.arrived()
        self.assertGreater(had, 6 * MEGABYTE)
        self.hosts.slow("node2")
        lines = [json.loads(line) for line in self.done("add", "node2", "--json").splitlines()]
        self.assertTrue(lines[-1]["ok"])
        sent = [line["sent_bytes"] for line in lines[:-1]]
        self.assertEqual(sent[-1], self.archive.stat().st_size)
        self.assertGreater(sent[0], had)
        self.expect_one_version()

    # ---- the tests -------------------------------------------------------------------------------------------------------

    def test_a_host_without_tandem_gets_it(self):
        self.assertIn("found none; it was not added", self.refused("add", "node2", "--no-install"))
        began = time.monotonic()
        added = self.done("add", "node2")
        print(f"added with {self.archive.stat().st_size / MEGABYTE:.0f} MB in {time.monotonic() - began:.1f} s", flush=True)
        self.assertRegex(added, rf"^node2  Tandem {re.escape(self.version)} installed: /run/home/{BASE}/current/bin/tandem-agent\n"
                                rf"node2  Tandem {re.escape(self.version)}, .*\nAdded node2 to ")
        self.expect_one_version()
        agents = self.agents()
        self.assertEqual(len(agents), 1)
        self.assertEqual(self.shell(f"readlink /proc/$(pidof tandem-agent)/exe"), f"/run/home/{BASE}/{os.readlink(self.base() / 'current')}/bin/tandem-agent")
        watch = Stopwatch()
        again = self.done("add", "again", "--ssh", "node2")
        self.assertNotIn("installed", again)
        watch.expect(10, "adding a host where nothing is sent")
        self.assertEqual(self.agents(), agents, "it is the same one")
        self.assertEqual(self.done("update", "--all"), "".join(f"{name}  Tandem {self.version} is there: /run/home/{BASE}/current/bin/tandem-agent\n" for name in ("node2", "again")))
        trained = self.hosts.run("node2", [f"/run/home/{BASE}/current/bin/tandem-cli", "train", "mnist_mlp", "--set", "fit.epochs=1", "--set", "data.take=640", "--json"], timeout=WITHIN_S)
        self.assertEqual(json.loads(trained.stdout.splitlines()[-1])["state"], "done", trained.stderr)

    def test_another_version_gives_way(self):
        old = self.stand_in()
        self.assertRegex(self.refused("add", "node2"), "of version 0.0.1, which is older: tandem-cli host update node2 installs this one; it was not added")
        self.done("add", "node2", "--no-check")
        self.assertEqual(self.done("update", "node2"), f"node2  Tandem {self.version} installed: /run/home/{BASE}/current/bin/tandem-agent, in the place of 0.0.1\n")
        self.assertFalse(old.exists())
        self.expect_one_version()
        self.assertRegex(self.done("check"), "^node2  ok ")

    def test_an_agent_of_another_version_ends_unless_it_has_a_run(self):
        self.done("add", "node2")
        train = self.hosts.start("node2", [f"/run/home/{BASE}/current/bin/tandem-cli", "train", "mnist_mlp", "--set", "fit.epochs=1000"], stdout=subprocess.DEVNULL)
        self.addCleanup(train.wait, WITHIN_S)
        self.addCleanup(train.kill)
        wait_for(lambda: self.hosts.processes("node2", "tandem-worker"), "the task")
        agents = self.agents()
        # As far as can be told from outside, it is a former version, and so is what lies there.
        self.stand_in()
        told = self.hosts.home("node2") / ".local/share/tandem/runs/agent.json"
        told.write_text(told.read_text().replace(f'"version":"{self.version}"', '"version":"0.0.1"'))
        said = self.refused("update", "node2")
        self.assertRegex(said, rf"^node2: expected no run while Tandem {re.escape(self.version)} takes the place of 0\.0\.1, the agent there \(process \d+\) is busy with "
                               r"/run/home/.local/share/tandem/runs/\S+: wait for the end of its runs, or stop them there$")
        self.assertEqual(self.agents(), agents)
        self.assertEqual(os.readlink(self.base() / "current"), "0.0.1-0123456789ab")
        train.send_signal(signal.SIGINT)
        train.wait(WITHIN_S)
        wait_for(lambda: not self.hosts.processes("node2", "tandem-worker"), "the end of the run")
        self.done("update", "node2")
        self.assertEqual(self.agents(), [], "it ended when it was asked to")
        self.expect_one_version()
        self.assertRegex(self.done("check"), "^node2  ok ")

    def test_a_cable_that_is_pulled_out(self):
        adding = self.start_slowly()
        self.hosts.link("node2", "down")
        began = time.monotonic()
        said = adding.communicate(timeout=WITHIN_S)[0]
        print(f"given up after {time.monotonic() - began:.1f} s", flush=True)
        self.assertEqual(adding.returncode, 1, said)
        self.assertRegex(said, "^error: node2: expected an ssh server that answers, (it does not answer any more|the connection was).*; it was not added")
        self.hosts.link("node2", "up")
        self.add_after_a_cut()

    def test_ctrl_c_and_kill(self):
        adding = self.start_slowly()
        adding.send_signal(signal.SIGINT)
        self.assertEqual((adding.communicate(timeout=WITHIN_S)[0], adding.returncode), ("", 130))
        self.expect_nothing_running()
        before = self.arrived()
        adding = self.start_slowly()
        wait_for(lambda: self.arrived() > before + 2 * MEGABYTE, "more megabytes")
        for pid in self.hosts.processes("node1", "tandem-cli"):
            os.kill(pid, signal.SIGKILL)
        adding.communicate(timeout=WITHIN_S)
        self.expect_nothing_running()
        self.add_after_a_cut()

    def test_a_disk_that_is_full(self):
        share = "$HOME/.local/share/tandem"
        self.shell(f"mkdir -p {share} && mount -t tmpfs -o size=20m tmpfs {share}")
        self.assertRegex(self.refused("add", "node2"), rf"^node2: expected \d+\.\d MB of free disk for /run/home/{BASE}/current, got 20\.0 MB; it was not added")
        self.shell(f"umount {share} && mount -t tmpfs -o size=400m,nr_inodes=12 tmpfs {share}")
        self.assertRegex(self.refused("add", "node2"), rf"^node2: expected to unpack the archive in /run/home/{BASE}/\.incoming, that failed \(tar: .*\); it was not added")
        self.assertEqual(self.shell(f"ls -A {share}/bundle"), "", "what had been unpacked is gone")
        self.shell(f"umount {share} && mount -t tmpfs -o ro tmpfs {share}")
        self.assertRegex(self.refused("add", "node2"), rf"^node2: expected a folder that this user there may make or fill, /run/home/{BASE}/current is none: ")
        self.shell(f"umount {share}")
        self.done("add", "node2")
        self.expect_one_version()

    def test_a_folder_of_another_name(self):
        self.done("add", "node2", "--folder", "/run/home/it's here")
        self.assertEqual(sorted(path.name for path in (self.hosts.home("node2") / "it's here").iterdir()), ["bin", "lib", "share"])
        self.assertEqual([path.name for path in self.hosts.home("node2").glob("*incoming*")], [])
        (self.hosts.home("node2") / "mine").mkdir()
        (self.hosts.home("node2") / "mine" / "letter").write_text("dear")
        self.assertRegex(self.refused("add", "other", "--ssh", "node2", "--folder", "/run/home/mine"),
                         r"^other \(node2\): expected /run/home/mine to be missing, empty or a link called current, it holds something else")
        self.assertFalse(self.base().exists())
        self.expect_nothing_running()


if __name__ == "__main__":
    unittest.main()
