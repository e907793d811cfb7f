"""N hosts on this machine, which exist as long as a `with` block:

    with Hosts(3, share=[folder]) as hosts:
        hosts.run("node1", ["ping", "-c1", "node2"], timeout=120)
        hosts.link("node2", "down")
        hosts.slow("node2", delay_s=0.05, loss=0.01)

Each host (node1 at 10.77.0.1 and fd77::1, node2, ...) has a name, a network with a loopback of its own, process ids, HOME, /tmp, /run, /dev/shm,
IPC, a boot id and a machine id of its own; programs, sources, clock, processors and memory are the machine's. Folders in `share` are seen
by all hosts at their own path. With ssh=True each host runs an sshd of its own, which lets root of node1 in (hosts.ssh: ssh_access.py), with
ssh_environment in its sessions. A frame on the cables holds no more than frame_bytes: with large ones a slow cable costs little processor time. The
hosts live in namespaces under one process that dies with the test, however the test ends: the kernel then removes all of them. What runs
inside: room.py (the switch and the hosts' first processes), link_shaper.py (a slow cable) and enter.py (a program in a host).
"""
import contextlib
import ctypes
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import ssh_access

FOLDER = pathlib.Path(__file__).resolve().parent
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
PROGRAMS = ("ip", "unshare", "mount")
PR_SET_PDEATHSIG = 1


def die_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def children_of(pid):
    return [int(name) for name in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def wait_for(fact, what, seconds=300):
    """What fact() returns once that is true; asked again and again until then."""
    end = time.monotonic() + seconds
    while not (found := fact()):
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds} s for {what}")
        time.sleep(0.02)
    return found


def without_codes(text):
    """What the command line says, without the codes behind its errors, "(TDM-C001)": where a test compares whole sentences."""
    return re.sub(r" \(TDM-[A-Z]\d{3}\)$", "", text, flags=re.MULTILINE)


class Capture:
    """Every frame that has passed a host's cable so far."""

    def __init__(self, file):
        self.file = file

    def bytes(self):
        return self.file.read_bytes()


class Hosts:
    def __init__(self, count, share=(), debian_names=False, ssh=False, ssh_environment=None, frame_bytes=1500):
        self.nodes = [f"node{index}" for index in range(1, count + 1)]
        self.share = [str(pathlib.Path(folder).resolve()) for folder in share]
        self.debian_names, self.with_ssh, self.ssh, self.ssh_environment = debian_names, ssh, None, ssh_environment
        self.frame_bytes = frame_bytes

    @staticmethod
    def missing(ssh=False):
        """None, or why hosts can't be made here."""
        for program in (*PROGRAMS, *((ssh_access.SERVER, "ssh", "ssh-keygen") if ssh else ())):
            if shutil.which(program, path=PATH) is None:
                return f"several hosts: expected the program {program}, found none"
        if os.geteuid() != 0:
            return "several hosts: expected root, which may make namespaces, got another user"
        tried = subprocess.run(["unshare", "--net", "--mount", "--pid", "--uts", "--ipc", "--fork", "sh", "-c", "mount -t tmpfs none /mnt && ip link add name one type veth peer name two"],
                               stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        return None if tried.returncode == 0 else "several hosts: this machine lets nobody make namespaces: " + tried.stderr.strip()[:200]

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tandem-room-"))
        for node in self.nodes:
            (self.folder / node / "home").mkdir(parents=True)
            (self.folder / node / "home").chmod(0o700)
        if self.with_ssh:
            self.ssh = ssh_access.SshAccess(self.folder, self.nodes, self.ssh_environment)
        settings = {"nodes": self.nodes, "share": self.share, "folder": str(self.folder), "debian_names": self.debian_names,
                    "frame_bytes": self.frame_bytes}
        # The kernel ends what lives in the room when the room's first process goes, and that goes with unshare, which goes with this process.
        self.room = subprocess.Popen(["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child=KILL", "--mount-proc", sys.executable, FOLDER / "room.py"],
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, preexec_fn=die_with_parent)
        self.room.stdin.write(json.dumps(settings) + "\n")
        self.room.stdin.flush()
        self._answer()
        self.room_pid = children_of(self.room.pid)[0]
        return self

    def __exit__(self, *_):
        self.room.kill()
        self.room.wait()
        for stream in (self.room.stdin, self.room.stdout):
            stream.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    # ---- what runs in a host -----------------------------------------------------------------------------------------

    def start(self, node, argv, env=None, **options):
        """A program in a host, as subprocess.Popen: a signal to it reaches the program, and it ends when the host does."""
        entered = [sys.executable, FOLDER / "enter.py", str(self._pid_of(node)), *map(str, argv)]
        options.setdefault("stdin", subprocess.DEVNULL)
        options.setdefault("stderr", subprocess.STDOUT if "stdout" in options else None)
        options.setdefault("cwd", self.folder / node)
        return subprocess.Popen(entered, env=self.environment(node, env), **options)

    def run(self, node, argv, timeout, env=None):
        entered = [sys.executable, FOLDER / "enter.py", str(self._pid_of(node)), *map(str, argv)]
        return subprocess.run(entered, env=self.environment(node, env), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout, check=False,
                              cwd=self.folder / node)

    def environment(self, node, more=None):
        """A small one: nothing of the test's own settings gets in."""
        return {"PATH": PATH, "HOME": "/run/home", "XDG_RUNTIME_DIR": "/run/user", "LANG": "C.UTF-8", "NODE": node, "NODES": " ".join(self.nodes), **(more or {})}

    def processes(self, node, program):
        """The ids, as seen from outside, of programs of that name in the host."""
        namespace = os.readlink(f"/proc/{self._pid_of(node)}/ns/pid")
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            if entry.name.isdigit():
                with contextlib.suppress(OSError):  # it may end while we look
                    if os.readlink(entry / "ns/pid") == namespace and os.path.basename(os.readlink(entry / "exe")) == program:
                        found.append(int(entry.name))
        return found

    # ---- what is outside of a host ------------------------------------------------------------------------------------

    def home(self, node):
        return self.folder / node / "home"

    @staticmethod
    def address(node):
        return "10.77.0." + node.removeprefix("node")

    def link(self, node, state):
        """"down" pulls the host's cable out, "up" puts it in again."""
        if state not in ("down", "up"):
            raise ValueError(f"link: expected down or up, got {state}")
        self._ask({"link": node, "state": state})

    def slow(self, node, delay_s=0.0, rate_bytes_s=None, loss=0.0):
        """What the host's cable does to each frame, in both directions alike: it arrives later, no more than so many bytes a second leave, and
        that part of the frames is lost. With none of them the cable is fast again. Frames that are under way are lost by the change."""
        shape = [delay_s, rate_bytes_s or 0, loss]
        self._ask({"slow": node, "shape": shape if any(shape) else None})

    def power(self, node, state):
        """"off" ends the host with nothing sent, "on" boots it again with the HOME that it had."""
        self._ask({"power": node, "state": state})

    @contextlib.contextmanager
    def capture(self, node):
        """Records what passes the host's cable, both ways."""
        file = self.folder / f"{node}.frames"
        self._ask({"capture": node, "file": str(file)})
        try:
            yield Capture(file)
        finally:
            self._ask({"capture": None})

    # ---- the room ------------------------------------------------------------------------------------------------------

    def _ask(self, question):
        self.room.stdin.write(json.dumps(question) + "\n")
        self.room.stdin.flush()
        self._answer()

    def _answer(self):
        line = self.room.stdout.readline()
        answer = json.loads(line) if line else {"error": "the room has ended"}
        if "error" in answer:
            raise OSError("hosts: " + answer["error"])
        self.first = answer["first"]  # of each host: its first process, as the room sees it

    def _pid_of(self, node):
        """The host's first process, as this process sees it."""
        wanted = self.first[node]
        if wanted is None:
            raise OSError(f"hosts: {node} is off")
        for keeper in children_of(self.room_pid):
            for first in children_of(keeper):
                status = pathlib.Path(f"/proc/{first}/status").read_text()
                ids = next(line.split() for line in status.splitlines() if line.startswith("NSpid:"))
                if int(ids[2]) == wanted:  # ids[1] is this process' number of it, ids[2] the room's
                    return first
        raise OSError(f"hosts: {node} has ended")
