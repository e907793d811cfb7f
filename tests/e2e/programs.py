"""The shipped programs in a world of their own: what every end-to-end test starts from."""
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "hosts"))  # of the stopwatch
BIN = pathlib.Path(os.environ.get("TANDEM_BIN", "build/dev/bin")).resolve()
SOURCE = pathlib.Path(os.environ.get("TANDEM_SOURCE", ".")).resolve()
TEMPLATES = SOURCE / "resources" / "templates"


def wait_for(fact, what, seconds=120.0):
    """Polls until fact() is true and returns its value; fails with `what` at the deadline."""
    end = time.monotonic() + seconds
    while True:
        value = fact()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds:.0f} s for {what}")
        time.sleep(0.02)


def processes(marker, program=None):
    """Process ids of tandem programs (or of one of them) whose environment carries `marker`."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        with contextlib.suppress(OSError):  # it may end while we look
            name = os.path.basename(os.readlink(entry / "exe"))
            wanted = name == program if program else name == "tandem" or name.startswith("tandem-")
            if wanted and marker.encode() in (entry / "environ").read_bytes():
                found.append(int(entry.name))
    return found


def process_of(marker, program):
    return processes(marker, program)


def without_codes(text):
    """What the command line says, without the codes behind its errors, "(TDM-C001)": where a test compares whole sentences."""
    return re.sub(r" \(TDM-[A-Z]\d{3}\)$", "", text, flags=re.MULTILINE)


KEPT = []  # until the test's process ends


def free_ports(count):
    """Ports that this process keeps bound, not listening: a task may listen there, nobody else is given them."""
    sockets = [socket.socket() for _ in range(count)]
    for s in sockets:
        s.bind(("127.0.0.1", 0))
        s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # after the bind: before it, the system could give one port twice
    KEPT.extend(sockets)
    return [s.getsockname()[1] for s in sockets]


def unkept_ports(count):
    """Ports that are free now, for programs of others, which may refuse one that is bound."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for s in sockets:
            s.bind(("127.0.0.1", 0))
        return [s.getsockname()[1] for s in sockets]
    finally:
        for s in sockets:
            s.close()


class ProgramTest(unittest.TestCase):
    """One temporary home a test; whatever still runs in it at the end is an error, and is ended."""

    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="tandem-e2e-"))
        self.marker = f"TANDEM_E2E={self.home.name}"
        self.env = dict(os.environ, TANDEM_E2E=self.home.name, HOME=str(self.home), XDG_RUNTIME_DIR=str(self.home / "run"),
                        XDG_DATA_HOME=str(self.home / "data"), XDG_STATE_HOME=str(self.home / "state"),
                        XDG_CONFIG_HOME=str(self.home / "config"), XDG_CACHE_HOME=str(self.home / "cache"))
        self.env.pop("TF_CONFIG", None)
        (self.home / "run").mkdir(mode=0o700)

    def tearDown(self):
        told = set()

        def ended():
            """An agent that was being started, or was going into the background, has another process id on the next look."""
            for pid in set(process_of(self.marker, "tandem-agent")) - told:
                told.add(pid)
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGTERM)
            return not processes(self.marker)
        try:
            wait_for(ended, "the agent and its workers to end")
        except AssertionError:
            for pid in processes(self.marker):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            raise
        finally:
            shutil.rmtree(self.home, ignore_errors=True)

    def run_cli(self, *arguments, timeout=300, env=None, cwd=None):
        return subprocess.run([BIN / "tandem-cli", *map(str, arguments)], env=env or self.env, cwd=cwd or self.home, text=True,
                              capture_output=True, timeout=timeout, stdin=subprocess.DEVNULL)

    def start(self, program, *arguments, env=None, **options):
        return subprocess.Popen([BIN / program, *map(str, arguments)], env=env or self.env, cwd=self.home, text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)

    def train(self, *arguments, timeout=300, expect=0):
        """`tandem-cli train … --json`: the events, in order."""
        done = self.run_cli("train", *arguments, "--json", timeout=timeout)
        self.assertEqual(done.returncode, expect, f"{arguments}\n{done.stdout[-2000:]}\n{done.stderr[-3000:]}")
        return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]

    def project(self, template="mnist_multi_worker", **settings):
        """A copy of a starter project with values changed: fit__epochs=1 sets fit.epochs."""
        value = json.loads((TEMPLATES / f"{template}.tandem").read_text())
        for path, new in settings.items():
            *parents, last = path.split("__")
            at = value
            for name in parents:
                at = at.setdefault(name, {})
            at[last] = new
        path = self.home / f"{template}.tandem"
        path.write_text(json.dumps(value))
        return path
