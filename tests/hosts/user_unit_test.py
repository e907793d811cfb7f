"""The agent as a service of a real systemd: the unit that the package installs, and the one that `tandem-agent --locate` makes for a user who lingers."""
import contextlib
import json
import os
import pathlib
import shutil
import tempfile
import unittest

from hosts import wait_for
from user_manager import UserManager

BIN = pathlib.Path(os.environ.get("TANDEM_BIN", "build/dev/bin")).resolve()
SOURCE = pathlib.Path(os.environ.get("TANDEM_SOURCE", ".")).resolve()
UNIT = SOURCE / "installer" / "packages" / "tandem-agent.service"
MADE_UP = SOURCE / "tests" / "support" / "made_up_systemd.py"
LONG = ["--set", "fit.epochs=100000"]


class UserUnit(unittest.TestCase):
    def setUp(self):
        if why := UserManager.missing():
            self.skipTest(why)
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="tandem-unit-"))
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)
        units = self.home / ".config" / "systemd" / "user"
        units.mkdir(parents=True)
        text = UNIT.read_text(encoding="utf-8")
        self.assertIn("ExecStart=/usr/bin/tandem-agent\n", text)
        # The one thing that differs from an installed computer.
        (units / UNIT.name).write_text(text.replace("/usr/bin/tandem-agent", str(BIN / "tandem-agent")), encoding="utf-8")
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        try:
            self.manager = stack.enter_context(UserManager(self.home))
        except RuntimeError as error:
            self.skipTest(str(error))

    def told(self, *command, expected=0):
        done = self.manager.run(command)
        self.assertEqual(done.returncode, expected, f"{command}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def cli(self, *arguments, expected=0):
        return self.told(BIN / "tandem-cli", *arguments, expected=expected)

    def property(self, name, unit="tandem-agent"):
        return self.told("systemctl", "--user", "show", f"--property={name}", "--value", unit).strip()

    def programs(self, name):
        """Processes inside of a program, as systemd's groups have them."""
        return self.manager.run(["pgrep", "-f", f"^{BIN / name}( |$)"]).stdout.split()

    def start_run(self):
        training = self.manager.start([BIN / "tandem-cli", "train", "mnist_mlp", "--json", *LONG])
        self.addCleanup(training.communicate)
        self.addCleanup(training.kill)
        for line in training.stdout:
            if json.loads(line).get("event") == "step":
                return training
        self.fail("the run ended before its first step")

    def state(self):
        return json.loads(self.cli("runs", "--json").splitlines()[0])["state"]

    def test_a_stop_of_the_service_ends_runs_in_order(self):
        self.told("systemctl", "--user", "start", "tandem-agent")
        agent = self.property("MainPID")
        self.assertEqual(self.programs("tandem-agent"), [agent])
        self.start_run()
        self.assertEqual(self.programs("tandem-agent"), [agent], "the command line found the service")
        self.told("systemctl", "--user", "stop", "tandem-agent")
        self.assertEqual((self.property("ActiveState"), self.property("Result")), ("inactive", "success"))
        self.assertEqual((self.programs("tandem-agent"), self.programs("tandem-worker")), ([], []))
        self.told("systemctl", "--user", "start", "tandem-agent")
        self.assertEqual(self.state(), "Stopped")

    def test_an_agent_that_was_killed_is_started_again(self):
        self.told("systemctl", "--user", "start", "tandem-agent")
        before = self.property("MainPID")
        self.start_run()
        self.told("kill", "-KILL", before)
        wait_for(lambda: self.property("ActiveState") == "active" and self.property("MainPID") not in ("0", before), "the service's new process")
        self.assertEqual(self.property("NRestarts"), "1")
        # systemd ended the tasks with the agent: the run is over, and says so.
        wait_for(lambda: self.state() == "Failed", "the run's end")
        self.assertEqual(self.programs("tandem-worker"), [])

    def test_locate_makes_a_service_of_its_own(self):
        programs = self.home / "programs"
        programs.mkdir()
        (programs / "loginctl").symlink_to(MADE_UP)  # there is no logind here; the rest is real
        path = f"{programs}:{self.manager.env['PATH']}"
        words = ["env", f"PATH={path}", "MADE_UP_LINGER=yes", f"MADE_UP_NOTES={self.home / 'asked'}", BIN / "tandem-agent", "--locate"]
        agent = str(json.loads(self.told(*words))["pid"])
        names = self.told("systemctl", "--user", "list-units", "--plain", "--no-legend", "tandem-agent-*").split()
        self.assertTrue(names, "a unit of its own")
        self.assertEqual(self.property("MainPID", names[0]), agent)
        self.assertEqual(self.property("Type", names[0]), "notify")
        self.assertEqual(str(json.loads(self.told(*words))["pid"]), agent, "it is the same one")
        self.told("systemctl", "--user", "stop", names[0])
        self.assertEqual(self.programs("tandem-agent"), [])


if __name__ == "__main__":
    unittest.main()
