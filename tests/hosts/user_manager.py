"""A real systemd of a user, in namespaces of its own: services start, are stopped and are started again as on a desktop or a server.

    with UserManager(home) as manager:
        manager.run(["systemctl", "--user", "start", "tandem-agent"])

It needs root, systemd's programs and a hierarchy of cgroups that can be written; UserManager.missing() says what is not there. Nothing is left
behind: the end of its first process ends all others.
"""
import contextlib
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

MANAGER = pathlib.Path("/lib/systemd/systemd")
CGROUPS = pathlib.Path("/sys/fs/cgroup")
ANSWERS = 180  # seconds, on a loaded machine

# The first process of the namespaces: /run is empty, but for what says that systemd is there, and for the user's own folder. It isn't the
# manager itself, which as the first process would take itself for the computer's.
BEGIN = """
set -e
mount -t tmpfs -o mode=755 tmpfs /run
mkdir -p /run/systemd/system "$XDG_RUNTIME_DIR"
chmod 700 "$XDG_RUNTIME_DIR"
"$0" --user --log-level=info --log-target=console &
wait $!
"""


class UserManager:
    def __init__(self, home, variables=()):
        self.home = pathlib.Path(home)
        self.runtime = pathlib.Path("/run/user") / str(os.getuid())
        self.env = {"HOME": str(self.home), "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "XDG_RUNTIME_DIR": str(self.runtime), **dict(variables)}
        self.log = self.home / "systemd.log"
        self.groups = []
        self.first = None

    @staticmethod
    def hierarchies():
        named = [CGROUPS / name for name in ("systemd", "unified") if (CGROUPS / name / "cgroup.procs").exists()]
        return named or [CGROUPS]

    @staticmethod
    def missing():
        """Why there can be no manager here; empty where there can be one."""
        if os.getuid() != 0:
            return "a systemd in namespaces of its own needs root"
        for program in ("unshare", "nsenter", "systemctl", "systemd-run"):
            if not shutil.which(program):
                return f"there is no {program}"
        if not MANAGER.exists():
            return f"there is no {MANAGER}"
        for hierarchy in UserManager.hierarchies():
            if not os.access(hierarchy / "cgroup.procs", os.W_OK):
                return f"{hierarchy} can't be written"
        done = subprocess.run(["unshare", "--mount", "--pid", "--fork", "mount", "-t", "tmpfs", "tmpfs", "/run"], capture_output=True, text=True, timeout=60, check=False)
        return "" if done.returncode == 0 else f"namespaces can't be made: {done.stderr.strip()}"

    def __enter__(self):
        try:
            self._begin()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _begin(self):
        # One name in all hierarchies: with several of them systemd makes each of its groups in all.
        first, *others = self.hierarchies()
        self.groups.append(pathlib.Path(tempfile.mkdtemp(prefix="tandem-user-", dir=first)))
        for hierarchy in others:
            self.groups.append(hierarchy / self.groups[0].name)
            self.groups[-1].mkdir()
        with open(self.log, "w", encoding="utf-8") as log:
            self.first = subprocess.Popen(["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "bash", "-c", BEGIN, MANAGER], env=self.env,
                                          stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, preexec_fn=self._join)
        end = time.monotonic() + ANSWERS
        while self.run(["systemctl", "--user", "show-environment"]).returncode != 0:
            if self.first.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"systemd of the user does not answer: {self.log.read_text(errors='replace')[-2000:]}")
            time.sleep(0.1)

    def _join(self):
        for group in self.groups:
            (group / "cgroup.procs").write_text(str(os.getpid()), encoding="ascii")

    def pid(self):
        """The manager's process, seen from outside; None while there is none."""
        with contextlib.suppress(OSError, ValueError):
            children = pathlib.Path(f"/proc/{self.first.pid}/task/{self.first.pid}/children").read_text(encoding="ascii").split()
            return int(children[0]) if children else None
        return None

    def words(self, command):
        """`command` as words that run it inside."""
        return ["nsenter", f"--target={self.pid() or self.first.pid}", "--mount", "--pid", *map(str, command)]

    def run(self, command, timeout=300):
        return subprocess.run(self.words(command), env=self.env, cwd=self.home, text=True, capture_output=True, timeout=timeout, stdin=subprocess.DEVNULL, check=False)

    def start(self, command):
        return subprocess.Popen(self.words(command), env=self.env, cwd=self.home, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def __exit__(self, *_):
        if self.first is not None:
            self.first.kill()
            self.first.wait(timeout=60)
        for group in self.groups:
            self._remove(group)

    @staticmethod
    def _remove(group):
        """A group goes when its last process and its last group within are gone, which takes a moment after the end of the first process."""
        for _ in range(200):
            for folder in sorted((entry for entry in group.rglob("*") if entry.is_dir()), reverse=True):
                with contextlib.suppress(OSError):
                    folder.rmdir()
            with contextlib.suppress(OSError):
                group.rmdir()
            if not group.exists():
                return
            time.sleep(0.05)
