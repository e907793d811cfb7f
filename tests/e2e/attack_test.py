"""What an attack on the programs tried, case by case: each is refused or survived. Loopback only, bounded in number and time.

Strangers are processes of another user (65534), which takes root: a user who is not root runs the cases in a user namespace of its own where
the system allows that, and leaves them out elsewhere.
"""
import contextlib
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import unittest

import agent_door_test
import planted_links_test
from programs import BIN, ProgramTest, process_of, processes, wait_for

STRANGER = 65534
RUN = dict(fit__epochs=2, data__take=12800, cluster__start_timeout_s=60, fit__log_every=20)
LONG = dict(fit__epochs=200, cluster__start_timeout_s=60, fit__log_every=20)
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\x00\x00\x00\x04\x00\x00\x00\x00\x00"


def as_stranger(action, seconds=120):
    """Runs action() in a process of another user; its exit code."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            signal.alarm(seconds)
            os.setgroups([])
            os.setgid(STRANGER)
            os.setuid(STRANGER)
            code = action() or 0
        except BaseException:  # the child must never come back into the test
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


class Attack(ProgramTest):
    def events(self, output):
        return [json.loads(line) for line in output.splitlines() if line.startswith("{")]

    def run_of(self, out):
        listed = [json.loads(line) for line in self.run_cli("runs", "--json").stdout.splitlines()]
        return [run for run in listed if run["run_dir"] == str(out.resolve())]

    def export(self, run_id, **options):
        folder = self.home / f"export-{run_id}-{random.random()}"
        done = self.run_cli("export", "data", run_id, "--format", "json", "--series", "loss", "--out", folder, **options)
        points = {}
        for file in folder.glob("*.json"):
            for series in json.loads(file.read_text())["series"]:
                points.update(zip(series["step"], series["value"]))
        return done, points

    def launch(self, project, out):
        """The command line of a run that has told its first step."""
        cli = self.start("tandem-cli", "train", project, "--workers", 2, "--out", out, "--json")
        self.addCleanup(cli.stdout.close)
        self.addCleanup(lambda: cli.poll() is None and cli.kill())
        for line in cli.stdout:
            if line.startswith("{") and json.loads(line)["event"] == "step":
                return cli
        raise AssertionError(f"the run ended before its first step: exit code {cli.wait()}")

    def ports(self):
        """Of the workers that run."""
        hosts = set()
        for pid in process_of(self.marker, "tandem-worker"):
            with contextlib.suppress(OSError, StopIteration):
                entries = pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
                config = next(entry for entry in entries if entry.startswith(b"TF_CONFIG="))
                hosts.update(json.loads(config[len(b"TF_CONFIG="):])["cluster"]["worker"])
        return sorted(int(host.rsplit(":", 1)[1]) for host in hosts)


@unittest.skipUnless(os.geteuid() == 0, "becoming another user takes root or a user namespace")
class Strangers(Attack):
    """Who has a port but no secret, and who is not the user."""

    def test_the_agents_folder_is_closed_to_others(self):
        self.assertEqual(self.run_cli("runs").returncode, 0)
        places = [path for path in (self.home / "run", self.home / "data", self.home / "state") if path.exists()]
        self.home.chmod(0o755)
        for place in places:
            place.chmod(0o755)  # what is closed is Tandem's own, not what lies around it

        def look():
            found = []
            for place in places:
                for path in place.rglob("*"):
                    with contextlib.suppress(PermissionError):
                        if path.is_socket():
                            with contextlib.suppress(PermissionError), socket.socket(socket.AF_UNIX) as way:
                                way.connect(str(path))
                                found.append(path)
                        elif path.is_file():
                            with contextlib.suppress(PermissionError):
                                path.read_bytes()
                                found.append(path)
            for path in found:
                print("a stranger reaches", path, file=sys.stderr)
            return 1 if found else 0

        self.assertEqual(as_stranger(look), 0)

    def test_noise_on_the_workers_ports_changes_no_weight(self):
        project = self.project("mnist_multi_worker", **dict(RUN, fit__epochs=6, data__take=25600))
        quiet = self.events(self.run_cli("train", project, "--workers", 2, "--out", self.home / "quiet", "--json").stdout)
        cli = self.launch(project, self.home / "noisy")
        ports = self.ports()
        self.assertEqual(len(ports), 2)
        "x".encode("idna")  # what the child needs of Python is loaded before it is somebody else

        def make_noise():
            noise = random.Random(3)
            kept = []
            end = time.monotonic() + 3
            for number in range(600):
                if time.monotonic() > end:
                    break
                with contextlib.suppress(OSError):
                    way = socket.create_connection(("127.0.0.1", ports[number % 2]), timeout=0.2)
                    kind = number % 4
                    if kind == 0:
                        way.sendall(noise.randbytes(noise.randrange(1, 5000)))
                    elif kind == 1:
                        way.sendall(PREFACE + noise.randbytes(2000))
                    elif kind == 2:
                        way.sendall(b"\xff" * 200000)
                    kept.append(way)
                if len(kept) > 200:
                    kept.pop(0).close()
            return 0

        self.assertEqual(as_stranger(make_noise), 0)
        output = cli.communicate(timeout=300)[0]
        self.assertEqual(cli.returncode, 0, output[-3000:])
        runs = {pathlib.Path(run["run_dir"]).name: run for name in ("quiet", "noisy") for run in self.run_of(self.home / name)}
        self.assertTrue(quiet)
        self.assertEqual(runs["noisy"]["weights_sha256"], runs["quiet"]["weights_sha256"])


class Folders(Attack):
    """Other names of one folder, and other indices that know it."""

    def test_a_slash_at_the_end_costs_nobody_his_points(self):
        out = self.home / "out"
        cli = self.launch(self.project("mnist_multi_worker", **LONG), out)
        cli.send_signal(signal.SIGINT)
        cli.communicate(timeout=300)
        first = self.run_of(out)[0]
        _, before = self.export(first["id"])
        self.assertTrue(before)
        cli = self.launch(self.project("mnist_multi_worker", **LONG), f"{out}/")
        cli.send_signal(signal.SIGINT)
        cli.communicate(timeout=300)
        [run] = self.run_of(out)
        self.assertEqual((run["id"], run["attempts"]), (first["id"], 2), "it went on")
        after = self.export(first["id"])[1]
        self.assertTrue(before.items() <= after.items(), "no point was lost, none has changed")
        self.assertGreater(max(after), max(before))

    def test_a_live_runs_folder_is_refused_under_every_name(self):
        out = self.home / "out"
        cli = self.launch(self.project("mnist_multi_worker", **LONG), out)
        (self.home / "link").symlink_to(out)
        names = [f"{out}/", self.home / "link", f"{self.home}/./out", f"{self.home}/link/"]
        for name in names:
            done = self.run_cli("train", "mnist_mirrored", "--set", "fit.epochs=1", "--out", name)
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertIn("is using this folder", done.stderr)
        by_hand = subprocess.run([BIN / "tandem-worker", self.project("mnist_mirrored"), "--out", f"{out}/"],
                                 env=self.env, cwd=self.home, capture_output=True, text=True, timeout=300)
        self.assertEqual(by_hand.returncode, 1, by_hand.stdout)
        self.assertIn("is using this folder", by_hand.stdout + by_hand.stderr)
        cli.send_signal(signal.SIGINT)
        cli.communicate(timeout=300)

    def test_a_folder_resumed_under_another_index_keeps_its_first_steps(self):
        out = self.home / "out"
        cli = self.launch(self.project("mnist_multi_worker", **LONG), out)
        cli.send_signal(signal.SIGINT)
        cli.communicate(timeout=300)
        first = self.run_of(out)[0]
        _, before = self.export(first["id"])
        for pid in process_of(self.marker, "tandem-agent"):
            os.kill(pid, signal.SIGTERM)
        wait_for(lambda: not processes(self.marker), "the agent to end")
        self.env["XDG_DATA_HOME"] = str(self.home / "other data")
        cli = self.launch(self.project("mnist_multi_worker", **LONG), out)
        cli.send_signal(signal.SIGINT)
        cli.communicate(timeout=300)
        after = self.export(first["id"])[1]
        self.assertTrue(before.items() <= after.items(), "no point was lost, none has changed")
        self.assertGreater(max(after), max(before))


class Damage(Attack):
    """Files that are not what they were."""

    def train_once(self):
        out = self.home / "out"
        done = self.run_cli("train", self.project("mnist_multi_worker", **RUN), "--workers", 2, "--out", out)
        self.assertEqual(done.returncode, 0, done.stderr)
        run = self.run_of(out)[0]
        return out, run, self.export(run["id"])[1]

    def end_agent(self):
        for pid in process_of(self.marker, "tandem-agent"):
            os.kill(pid, signal.SIGTERM)
        wait_for(lambda: not process_of(self.marker, "tandem-agent"), "the agent to end")

    def test_a_damaged_or_empty_index_shows_every_run(self):
        out, run, points = self.train_once()
        index = next(self.home.rglob("runs.sqlite"))
        for contents in (b"", b"x" * 9000, index.read_bytes()[:5000]):
            self.end_agent()
            index.write_bytes(contents)
            for log in index.parent.glob("runs.sqlite-*"):
                log.unlink()
            self.assertEqual([found["id"] for found in self.run_of(out)], [run["id"]])
            self.assertEqual(self.export(run["id"])[1], points)

    def test_a_flipped_bit_in_a_journal_is_named(self):
        out, run, points = self.train_once()
        journal = out / "journal"
        self.assertFalse(list(out.glob("journal-*")), "a finished journal is one file")
        whole = journal.read_bytes()
        flips = random.Random(7)
        with contextlib.closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as opened:
            events = [row[0] for row in opened.execute("SELECT event FROM events ORDER BY length(event) DESC LIMIT 6")]
        inside = [whole.index(event[:40]) + 20 for event in events]  # the longest: statistics of layers, points of steps
        missed = 0
        for at in inside + [flips.randrange(len(whole)) for _ in range(25)]:
            journal.write_bytes(whole[:at] + bytes([whole[at] ^ (1 << flips.randrange(8))]) + whole[at + 1:])
            done, found = self.export(run["id"])
            self.assertIn(done.returncode, (0, 1), done.stderr)
            self.assertTrue(set(found.items()) <= set(points.items()), f"byte {at}: a point has changed")
            if found != points or at in inside:
                self.assertIn("damaged", done.stderr, f"byte {at}: an event is missing in silence")
            missed += found != points
        self.assertGreaterEqual(missed, 1, "one of the damaged events had points of the loss")
        journal.write_bytes(whole)
        self.assertEqual(self.export(run["id"])[1], points)

    def test_a_record_from_before_there_were_limits_is_shown(self):
        out, run, points = self.train_once()
        self.end_agent()
        index = sqlite3.connect(next(self.home.rglob("runs.sqlite")))
        index.execute("UPDATE runs SET name = ?, detail = ? WHERE id = ?", ("n" * 3000000, "d" * 5000000, run["id"]))
        index.commit()
        index.close()
        listed = self.run_cli("runs")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        self.assertIn(run["id"], listed.stdout)
        self.assertEqual(self.export(run["id"])[1], points)


class FullDisk(Attack):
    def setUp(self):
        super().setUp()
        self.small = self.home / "small"
        self.small.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", self.small], capture_output=True, check=False).returncode != 0:
            self.skipTest("mounting a small file system takes root")

    def tearDown(self):
        try:
            super().tearDown()
        finally:
            subprocess.run(["umount", "-l", self.small], check=False)
            shutil.rmtree(self.home, ignore_errors=True)

    def fill(self):
        with open(self.small / "filler", "wb", buffering=0) as filler, contextlib.suppress(OSError):
            while True:
                filler.write(b"\0" * 65536)
        with open(self.small / "filler2", "wb", buffering=0) as filler, contextlib.suppress(OSError):
            while True:
                filler.write(b"\0")

    def empty(self):
        for name in ("filler", "filler2"):
            with contextlib.suppress(FileNotFoundError):
                (self.small / name).unlink()

    def test_a_full_disk_for_a_while_ends_no_run(self):
        project = self.project("mnist_multi_worker", **dict(LONG, fit__epochs=40, callbacks={"model_checkpoint": {"save_freq": 100000000}}))
        out = self.small / "run"
        cli = self.launch(project, out)
        self.fill()
        told = []
        for line in cli.stdout:
            told.append(line)
            if "events can't be kept on disk" in line:
                break
        self.assertIn("No space left on device", told[-1])
        run = self.run_of(out)[0]
        self.assertEqual(run["state"], "Training", run)
        self.empty()
        for line in cli.stdout:
            told.append(line)
            if "events are kept on disk again" in line:
                break
        self.assertEqual(self.run_cli("stop", run["id"]).returncode, 0)
        cli.communicate(timeout=300)
        done, points = self.export(run["id"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(points), list(range(1, max(points) + 1)), "no step is missing")


def load_tests(loader, tests, _pattern):
    """With those on the agent's door and on planted links, which have files of their own."""
    for module in (agent_door_test, planted_links_test):
        tests.addTests(loader.loadTestsFromModule(module))
    return tests


if __name__ == "__main__":
    if os.geteuid() != 0 and not os.environ.get("TANDEM_IN_NAMESPACE"):
        unshare = ["unshare", "--user", "--map-root-user", "--map-auto", "--mount"]
        if shutil.which("unshare") and subprocess.run([*unshare, "true"], capture_output=True, check=False).returncode == 0:
            os.environ["TANDEM_IN_NAMESPACE"] = "1"
            os.execvp(unshare[0], [*unshare, sys.executable, *sys.argv])
    unittest.main()
