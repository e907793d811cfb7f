"""A program as the tasks of a cluster: processes of this computer, each with its TF_CONFIG, ports and a home of their own."""
import contextlib
import json
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

DEADLINE = 300  # seconds, of everything that is waited for


def kept_port():
    """A socket bound to a free port, not listening: the task may listen there, nobody else is given it."""
    kept = socket.socket()
    kept.bind(("127.0.0.1", 0))
    kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # after the bind: before it, the system could give one port twice
    return kept


class Tasks:
    """Ends what still runs, and removes the home, when its block ends."""

    def __init__(self, program, cluster):
        self.program = program
        self.counts = cluster
        self.processes = {}

    def __enter__(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="tandem-install-"))
        self.ports = {job: [kept_port() for _ in range(count)] for job, count in self.counts.items()}
        self.cluster = {job: [f"localhost:{port.getsockname()[1]}" for port in ports] for job, ports in self.ports.items()}
        return self

    def __exit__(self, *_):
        for process in self.processes.values():
            if process.poll() is None:
                process.kill()
            process.wait(DEADLINE)
        for ports in self.ports.values():
            for port in ports:
                port.close()
        shutil.rmtree(self.home, ignore_errors=True)

    def names(self):
        return [(job, index) for job, addresses in self.cluster.items() for index in range(len(addresses))]

    def start(self, job, index):
        environment = {key: value for key, value in os.environ.items() if key != "TF_CONFIG" and not key.startswith("XDG_")}
        environment.update(HOME=str(self.home), XDG_STATE_HOME=str(self.home / "state"), TEST_FOLDER=str(self.home))
        if self.cluster:
            environment["TF_CONFIG"] = json.dumps({"cluster": self.cluster, "task": {"type": job, "index": index}})
        with open(self.file(job, index, "out"), "w") as out, open(self.file(job, index, "err"), "w") as err:
            self.processes[job, index] = subprocess.Popen([self.program], env=environment, stdout=out, stderr=err, cwd=self.home)

    def start_all(self):
        for job, index in self.names():
            self.start(job, index)

    def kill(self, job, index):
        self.processes[job, index].kill()
        self.processes[job, index].wait(DEADLINE)

    def wait_for_file(self, name):
        """Its text, once it is there and whole (its last line ends)."""
        end = time.monotonic() + DEADLINE
        while True:
            with contextlib.suppress(FileNotFoundError):
                text = (self.home / name).read_text()
                if text.endswith("\n"):
                    return text
            for (job, index), process in self.processes.items():
                if process.poll() not in (None, 0, -9):
                    raise AssertionError(f"{job} {index} ended while {name} was awaited: {self.text(job, index)}")
            if time.monotonic() > end:
                raise AssertionError(f"waited {DEADLINE} s for {name}: {self.texts()}")
            time.sleep(0.01)

    def output(self, job, index, code=0):
        """What it printed, once it has ended with that code."""
        try:
            ended = self.processes[job, index].wait(DEADLINE)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{job} {index} has not ended within {DEADLINE} s: {self.texts()}") from None
        if ended != code:
            raise AssertionError(f"{job} {index}: expected exit code {code}, got {ended}: {self.texts()}")
        return self.file(job, index, "out").read_text()

    def errors(self, job, index):
        return self.file(job, index, "err").read_text()

    def file(self, job, index, kind):
        return self.home / f"{job}{index}.{kind}"

    def text(self, job, index):
        return "".join(self.file(job, index, kind).read_text() for kind in ("out", "err"))

    def texts(self):
        return "\n".join(f"--- {job} {index}\n{self.text(job, index)}" for job, index in self.processes)
