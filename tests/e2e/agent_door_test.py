"""The agent's door: a unix socket for its own user alone that no flood, no oversized text and no halt of the agent closes for good."""
import contextlib
import json
import os
import resource
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import unittest

from programs import BIN, ProgramTest, process_of, wait_for
from stopwatch import Stopwatch

FEW = 1024


def few_descriptors():
    resource.setrlimit(resource.RLIMIT_NOFILE, (FEW, FEW))


PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])


def talk(path):
    """What comes of saying HTTP/2's first words at a socket."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(120)
        try:
            connection.connect(path)
            connection.sendall(PREFACE)
            answer = connection.recv(100)
        except (PermissionError, BrokenPipeError, ConnectionResetError) as error:
            return f"refused: {error}"
        return f"answered {len(answer)} bytes" if answer else "closed"


class AgentDoor(ProgramTest):
    def runs_dir(self):
        return self.home / "data" / "tandem" / "runs"

    def address(self):
        return json.loads((self.runs_dir() / "agent.json").read_text())

    def socket_path(self):
        address = self.address()["address"]
        self.assertTrue(address.startswith("unix:"), address)
        return address.removeprefix("unix:")

    def connect(self):
        connection = socket.socket(socket.AF_UNIX)
        self.addCleanup(connection.close)
        connection.settimeout(120)
        connection.connect(self.socket_path())
        return connection

    def ok(self, *arguments, **options):
        done = self.run_cli(*arguments, **options)
        self.assertEqual(done.returncode, 0, f"{arguments}: {done.stdout}{done.stderr}")
        return done.stdout

    def start_agent(self, **options):
        started = subprocess.run([BIN / "tandem-agent", "--detach"], env=self.env, cwd=self.home, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120, check=False, **options)
        self.assertEqual(started.returncode, 0)
        wait_for(lambda: (self.runs_dir() / "agent.json").exists(), "the agent to listen")

    def as_another_user(self, action):
        """What `action` answers in a process of the user 65534."""
        ours, theirs = os.pipe()
        pid = os.fork()
        if pid == 0:
            with contextlib.suppress(BaseException):
                os.setgroups([])
                os.setresgid(65534, 65534, 65534)
                os.setresuid(65534, 65534, 65534)
                os.write(theirs, action().encode())
            os._exit(0)
        os.close(theirs)
        with os.fdopen(ours) as answer:
            text = answer.read()
        os.waitpid(pid, 0)
        return text

    def test_listens_on_no_port_and_for_nobody_else(self):
        self.ok("runs")
        agent, = process_of(self.marker, "tandem-agent")
        inodes = {os.readlink(f"/proc/{agent}/fd/{name}") for name in os.listdir(f"/proc/{agent}/fd")}
        for table in ("tcp", "tcp6", "udp", "udp6"):
            with open(f"/proc/{agent}/net/{table}", encoding="ascii") as rows:
                for row in list(rows)[1:]:
                    self.assertNotIn(f"socket:[{row.split()[9]}]", inodes, table)
        path = self.socket_path()
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        self.assertEqual(os.stat(os.path.dirname(path)).st_mode & 0o777, 0o700)
        self.assertEqual(os.stat(self.runs_dir() / "agent.json").st_mode & 0o777, 0o600)

    def test_another_user_cannot_connect(self):
        if os.geteuid() != 0:
            self.skipTest("another user's process needs root")
        self.ok("runs")
        path = self.socket_path()
        self.assertRegex(talk(path), "^answered")  # its own user
        # The folders stand open, so that only the door itself is in the way.
        for folder in (self.home, self.home / "run", os.path.dirname(path)):
            os.chmod(folder, 0o755)
        os.chmod(path, 0o666)
        said = self.as_another_user(lambda: talk(path))
        self.assertRegex(said, "^(refused|closed)")  # before a word was said
        self.ok("runs")
        self.assertEqual(os.stat(os.path.dirname(path)).st_mode & 0o777, 0o700, "the folder is closed again by whoever uses it")

    def test_a_burst_of_connections_leaves_it_answering(self):
        self.start_agent(preexec_fn=few_descriptors)
        resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
        idle, refused = [], 0
        for _ in range(1300):
            connection = socket.socket(socket.AF_UNIX)
            connection.settimeout(120)
            try:
                connection.connect(self.socket_path())
            except OSError:
                refused += 1
            idle.append(connection)
        self.ok("runs")  # with all of them open
        for connection in idle:
            connection.close()
        self.assertLess(refused, 1300)
        self.ok("runs")
        agent, = process_of(self.marker, "tandem-agent")
        wait_for(lambda: len(os.listdir(f"/proc/{agent}/fd")) < 100, "the agent to let them go")

    def test_connections_without_a_token_are_few_and_short(self):
        self.start_agent(preexec_fn=few_descriptors)
        resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
        agent, = process_of(self.marker, "tandem-agent")
        speaking = []
        for _ in range(1300):
            connection = socket.socket(socket.AF_UNIX)
            connection.settimeout(120)
            with contextlib.suppress(OSError):
                connection.connect(self.socket_path())
                connection.sendall(PREFACE)
            speaking.append(connection)
        self.ok("runs")
        self.assertLess(len(os.listdir(f"/proc/{agent}/fd")), 400)
        wait_for(lambda: len(os.listdir(f"/proc/{agent}/fd")) < 100, "those without a token to be sent away")
        for connection in speaking:
            connection.close()

    def test_refuses_more_tasks_than_it_has_descriptors_for(self):
        self.start_agent(preexec_fn=few_descriptors)
        done = self.run_cli("train", "mnist_multi_worker", "--workers", 256)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, r"256 tasks: expected \d+ free descriptors of tandem-agent, got \d+ of 1024")
        self.assertEqual(process_of(self.marker, "tandem-worker"), [])
        self.assertIn("No run", self.ok("runs"))

    def test_its_limit_is_the_hard_one_and_its_workers_have_the_users(self):
        def some():
            resource.setrlimit(resource.RLIMIT_NOFILE, (300, 2000))
        self.start_agent(preexec_fn=some)
        agent, = process_of(self.marker, "tandem-agent")
        self.assertEqual(resource.prlimit(agent, resource.RLIMIT_NOFILE), (2000, 2000))
        cli = self.start("tandem-cli", "train", "mnist_multi_worker", "--workers", 2, "--set", "fit.epochs=200")
        self.addCleanup(cli.stdout.close)
        self.addCleanup(lambda: cli.poll() is None and cli.kill())
        worker = wait_for(lambda: process_of(self.marker, "tandem-worker"), "a worker")[0]
        wait_for(lambda: resource.prlimit(worker, resource.RLIMIT_NOFILE) == (300, 2000), "its limits")
        self.ok("stop", "--now")
        cli.communicate(timeout=120)

    def test_is_found_by_programs_that_know_no_runtime_folder(self):
        cli = self.start("tandem-cli", "train", "mnist_multi_worker", "--workers", 2, "--set", "fit.epochs=200")
        self.addCleanup(cli.stdout.close)
        self.addCleanup(lambda: cli.poll() is None and cli.kill())
        wait_for(lambda: len(process_of(self.marker, "tandem-worker")) == 2, "the workers")
        other = {name: value for name, value in self.env.items() if name != "XDG_RUNTIME_DIR"}
        wait_for(lambda: "Training" in self.run_cli("runs", env=other).stdout, "the run to train, as seen from there")
        started = subprocess.run([BIN / "tandem-agent"], env=other, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(started.returncode, 1)
        self.assertIn("another agent of this user is running", started.stderr)
        self.assertEqual(len(process_of(self.marker, "tandem-agent")), 1)
        self.ok("stop", "--now", env=other)
        cli.communicate(timeout=120)
        self.assertIn("Stopped", self.ok("runs", env=other))

    def test_works_below_a_path_longer_than_a_sockets_address(self):
        deep = self.home / ("deep" * 30) / "run"
        deep.mkdir(parents=True, mode=0o700)
        self.env = dict(self.env, XDG_RUNTIME_DIR=str(deep))
        self.assertIn("Training on 2 workers", self.ok("train", "mnist_multi_worker", "--workers", 2, "--set", "fit.epochs=1", "--set",
                                                       "data.take=640"))
        self.assertGreater(len(self.socket_path()), 108)

    def test_a_name_of_3_mb_is_refused_and_the_rest_goes_on(self):
        project = self.project(name="n" * 3_000_000, fit__epochs=1, data__take=640)
        done = self.run_cli("train", project, "--workers", 2)
        self.assertEqual(done.returncode, 1)
        self.assertIn("name: expected at most 1000 bytes of text, got 3000000", done.stderr)
        self.assertLess(len(done.stderr), 10_000)
        small = self.project(fit__epochs=1, data__take=640)
        self.ok("train", small, "--workers", 2)
        self.assertIn("Done", self.ok("runs"))
        self.ok("watch")
        self.ok("export", "data", "--out", self.home / "points")

    def test_an_oversized_run_of_an_earlier_version_is_listed_watched_and_exported(self):
        small = self.project(fit__epochs=1, data__take=640)
        self.ok("train", small, "--workers", 2)
        for pid in process_of(self.marker, "tandem-agent"):
            os.kill(pid, signal.SIGTERM)
        wait_for(lambda: not process_of(self.marker, "tandem-agent"), "the agent to end")
        with contextlib.closing(sqlite3.connect(self.runs_dir() / "runs.sqlite")) as index:
            project = json.loads(index.execute("SELECT project_json FROM runs").fetchone()[0])
            project["name"] = "n" * 12_000_000
            index.execute("UPDATE runs SET name = ?, detail = ?, project_json = ?", ("n" * 6_000_000, "d" * 5_000_000, json.dumps(project)))
            index.commit()
        listed = self.ok("runs", "--json")
        self.assertLess(len(listed), 100_000)
        self.assertIn("(6000000 bytes in all)", listed)
        self.assertIn("loss", self.ok("watch"))
        self.ok("export", "data", "--out", self.home / "points")
        self.assertTrue(list((self.home / "points").iterdir()))
        self.ok("train", small, "--workers", 2)

    def test_a_stopped_agent_is_told_and_waited_for(self):
        # Long enough to go on after the halt; every step is told, so that a missing or a doubled one shows.
        cli = self.start("tandem-cli", "train", "mnist_multi_worker", "--workers", 2, "--set", "fit.epochs=3", "--set", "fit.log_every=1",
                         "--out", self.home / "out", "--json")
        self.addCleanup(cli.stdout.close)
        self.addCleanup(lambda: cli.poll() is None and cli.kill())
        steps, told = [], None
        agent = None
        try:
            for line in cli.stdout:
                event = json.loads(line) if line.startswith("{") else {}
                if event.get("event") == "step":
                    steps.append(event["step"])
                if agent is None and len(steps) == 20:
                    agent, = process_of(self.marker, "tandem-agent")
                    watch = Stopwatch()
                    os.kill(agent, signal.SIGSTOP)
                elif agent is not None and told is None and "the agent does not answer" in line:
                    told, was_busy = watch.seconds(), watch.was_busy()
                    time.sleep(max(0.0, 13 - told))  # longer than a task may be silent
                    os.kill(agent, signal.SIGCONT)
        finally:
            if agent is not None:
                os.kill(agent, signal.SIGCONT)
        self.assertEqual(cli.wait(timeout=120), 0)
        self.assertIsNotNone(told)
        if not was_busy:  # it is the command line's patience with an agent that may have been slow before
            self.assertGreater(told, 4)
            self.assertLess(told, 8)
        self.assertEqual(steps, list(range(1, len(steps) + 1)))
        self.assertGreater(len(steps), 20)
        self.assertIn("Done", self.ok("runs"))


if __name__ == "__main__":
    unittest.main()
