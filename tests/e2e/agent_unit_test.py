"""`tandem-agent --locate`, as another computer asks for it over ssh: a service of the user's systemd where there is one that outlives the session,
else a process of its own. systemd is made up by three scripts on the PATH, which note their words in `asked`."""
import json
import os
import pathlib
import signal
import subprocess
import unittest

from programs import BIN, ProgramTest, process_of, wait_for

MADE_UP = pathlib.Path(__file__).resolve().parents[1] / "support" / "made_up_systemd.py"


class AgentUnit(ProgramTest):
    def make_up(self, manager="here", linger="yes", run="starts"):
        folder = self.home / "programs"
        folder.mkdir(exist_ok=True)
        for name in ("systemctl", "loginctl", "systemd-run"):
            (folder / name).unlink(missing_ok=True)
            (folder / name).symlink_to(MADE_UP)
        self.env.update(PATH=f"{folder}:/usr/bin:/bin", MADE_UP_MANAGER=manager, MADE_UP_LINGER=linger, MADE_UP_RUN=run, MADE_UP_NOTES=str(self.home / "asked"))

    def locate(self):
        done = subprocess.run([BIN / "tandem-agent", "--locate"], env=self.env, cwd=self.home, text=True, capture_output=True, timeout=120, stdin=subprocess.DEVNULL, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return json.loads(done.stdout)["pid"]

    def asked(self):
        return [json.loads(line) for line in (self.home / "asked").read_text().splitlines()]

    def variable(self, pid, name):
        entries = pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        return next((entry.split(b"=", 1)[1].decode() for entry in entries if entry.startswith(name.encode() + b"=")), None)

    def test_it_is_a_service_of_a_user_who_lingers(self):
        self.make_up()
        self.env["SECRET"] = "not for everybody"
        pid = self.locate()
        self.assertIsNotNone(self.variable(pid, "MADE_UP_UNIT"))
        words = self.asked()
        self.assertEqual(words[:2], [["systemctl", "--user", "show-environment"], ["loginctl", "show-user", str(os.getuid()), "--property=Linger", "--value"]])
        run = words[2]
        self.assertEqual(run[:2], ["systemd-run", "--user"])
        for word in ("--collect", "--service-type=notify", "--property=KillMode=mixed", "--property=Restart=on-failure", "--setenv=SECRET", "--setenv=XDG_RUNTIME_DIR"):
            self.assertIn(word, run)
        self.assertEqual(run[run.index("--") + 1:], [str(BIN / "tandem-agent"), "--idle-exit", "600"])
        self.assertFalse(any("not for everybody" in word for word in run), "arguments are there for everybody")
        log = next(word for word in run if word.startswith("--property=StandardError=append:")).split(":", 1)[1]
        self.assertIn("listens on", pathlib.Path(log).read_text())
        self.assertEqual(self.locate(), pid, "it is the same one")
        self.assertEqual(len(self.asked()), 3, "nobody is asked where an agent runs")

    def test_it_is_a_process_of_its_own_where_no_service_would_outlive_the_session(self):
        for what, made_up in (("no manager", {"manager": "none"}), ("a user who does not linger", {"linger": "no"}), ("a systemd that refuses", {"run": "refuses"})):
            with self.subTest(what):
                self.make_up(**made_up)
                pid = self.locate()
                self.assertIsNone(self.variable(pid, "MADE_UP_UNIT"))
                os.kill(pid, signal.SIGTERM)
                wait_for(lambda: not process_of(self.marker, "tandem-agent"), "the agent's end")

    def test_without_systemd_it_is_one_too(self):
        (self.home / "programs").mkdir()
        self.env["PATH"] = str(self.home / "programs")
        self.assertIsNone(self.variable(self.locate(), "MADE_UP_UNIT"))


if __name__ == "__main__":
    unittest.main()
