"""What the benchmarks share: the machine's load, programs that print JSON lines, folders of their own for Tandem's agent."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time


def busy():
    """Processor share that others use, from /proc/stat over one second."""
    def idle():
        values = [int(v) for v in open("/proc/stat").readline().split()[1:]]
        return values[3] + values[4], sum(values)
    a = idle()
    time.sleep(1)
    b = idle()
    return 1 - (b[0] - a[0]) / max(1, b[1] - a[1])


def stolen():
    """Clock ticks of this machine's processors that its host gave to others, and all of them, since it started."""
    values = [int(v) for v in open("/proc/stat").readline().split()[1:9]]
    return values[7], sum(values)


class Quiet:
    """Measures again what others disturbed. `limit`: the share of the processors that may have been taken, by the host while measuring or by
    other programs just before it; after `tries` the least disturbed result counts and `worst` tells how much that was."""

    def __init__(self, any_load, limit=0.03, tries=3):
        self.any_load, self.limit, self.tries = any_load, limit, tries
        self.worst, self.again = 0.0, 0

    def __call__(self, measure):
        best, least = None, 2.0
        for attempt in range(1 if self.any_load else self.tries):
            self.again += attempt > 0
            before = 0.0 if self.any_load else busy()
            a = stolen()
            result = measure()
            b = stolen()
            share = max((b[0] - a[0]) / max(1, b[1] - a[1]), before)
            if best is None or share < least:
                best, least = result, share
            if share <= self.limit:
                break
        self.worst = max(self.worst, least)
        return best

    def sentence(self):
        return f"Measured again because others took part of the machine: {self.again} times; at most {self.worst:.0%} was taken in what counts."


def json_lines(command, env=None, timeout=900, keep=False):
    """(lines, "") of a program that ended well; else (None, why), or with `keep` what it had measured before it failed, and why."""
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, env=env, timeout=timeout, check=False)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode != 0 or not lines:
        return lines if keep and lines else None, (done.stderr or done.stdout)[-400:]
    return lines, ""


class World:
    """Folders of its own, so that no agent of the user is used and first_step_s counts the agent's start."""

    def __enter__(self):
        self.home = tempfile.mkdtemp(prefix="tandem-bench-")
        self.env = dict(os.environ, HOME=self.home, XDG_RUNTIME_DIR=self.home, XDG_DATA_HOME=self.home + "/data", XDG_STATE_HOME=self.home + "/state")
        return self

    def __exit__(self, *_):
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and f"XDG_RUNTIME_DIR={self.home}".encode() in (entry / "environ").read_bytes():
                    os.kill(int(entry.name), 15)
            except OSError:
                pass
        shutil.rmtree(self.home, ignore_errors=True)
