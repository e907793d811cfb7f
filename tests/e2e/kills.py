"""Kills worker 0, worker 1, agent or command line at random moments of a run and looks what is left: every run ends with the weights and the
points of one that was left alone.

    python3 tests/e2e/kills.py --count 200 [--seed 1] [--verbose]

TANDEM_BIN names the folder of the programs. The last line says how many rounds were equal; the exit code is 0 only when all were.
"""
import argparse
import collections
import contextlib
import json
import os
import random
import signal
import sys
import time
import unittest

from programs import ProgramTest, process_of

VICTIMS = ("worker 0", "worker 1", "agent", "command line")
SETTINGS = dict(fit__epochs=3, fit__log_every=1000, data__take=24000, cluster__start_timeout_s=60,
                callbacks={"model_checkpoint": {"filepath": "checkpoints/ckpt_{epoch}"}, "backup_and_restore": {"save_freq": 40}})


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=int(os.environ.get("TANDEM_KILLS", "6")), help="rounds, a kill each")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("TANDEM_E2E_SEED", "1")))
    parser.add_argument("--verbose", action="store_true", help="a line a round")
    return parser.parse_known_args()


class Round:
    """What one run left behind."""

    def __init__(self, digest, points, attempts):
        self.digest, self.points, self.attempts = digest, points, attempts


class Kills(ProgramTest):
    def setUp(self):
        super().setUp()
        self.options, _ = options()
        self.random = random.Random(self.options.seed)
        self.file = self.project("mnist_multi_worker", **SETTINGS)

    def train(self, out):
        return self.start("tandem-cli", "train", self.file, "--workers", 2, "--out", out, "--json")

    def runs_in(self, out):
        listed = [json.loads(line) for line in self.run_cli("runs", "--json").stdout.splitlines()]
        return [run for run in listed if run["run_dir"] == str(out.resolve())]

    def victim(self, name, cli):
        if name == "command line":
            return [cli.pid]
        if name == "agent":
            return process_of(self.marker, "tandem-agent")
        workers = process_of(self.marker, "tandem-worker")
        chosen = []
        for pid in workers:
            with contextlib.suppress(OSError):
                with open(f"/proc/{pid}/environ", "rb") as environ:
                    config = next((entry for entry in environ.read().split(b"\0") if entry.startswith(b"TF_CONFIG=")), b"")
                if config and json.loads(config[10:])["task"]["index"] == int(name[-1]):
                    chosen.append(pid)
        return chosen

    def outcome(self, out, round_number):
        """The digest of the weights, and the loss of every step, over all runs of the folder."""
        points, digest = {}, None
        runs = sorted(self.runs_in(out), key=lambda run: run["created_unix_ns"])
        for run in runs:
            folder = self.home / f"export-{round_number}-{run['id']}"
            done = self.run_cli("export", "data", run["id"], "--format", "json", "--series", "loss", "--out", folder)
            if done.returncode != 0 and "none so far" in done.stderr:
                continue  # it was killed before its first step
            self.assertEqual(done.returncode, 0, done.stderr)
            for file in folder.glob("*.json"):
                for series in json.loads(file.read_text())["series"]:
                    if series["name"] != "loss":
                        continue
                    for step, value in zip(series["step"], series["value"]):
                        self.assertEqual(points.setdefault(step, value), value, f"step {step} was told twice, with two values")
            digest = run.get("weights_sha256") or digest
        return Round(digest, points, len(runs))

    def until_done(self, cli, out):
        """Waits for the run's end; starts the command again where its agent was killed. The number of starts."""
        starts = 1
        while True:
            cli.communicate(timeout=180)
            state = self.runs_in(out)
            newest = max(state, key=lambda run: run["created_unix_ns"], default=None)
            if newest and newest["state"].lower() in ("starting", "training", "paused"):
                self.run_cli("watch", newest["id"], timeout=180)  # the command line alone was killed
                newest = next(run for run in self.runs_in(out) if run["id"] == newest["id"])
            if newest and newest["state"].lower() == "done":
                return starts
            self.assertLess(starts, 4, f"the run does not get done: {newest}")
            starts += 1
            cli = self.train(out)

    def test_every_round_equals_the_run_left_alone(self):
        began = time.monotonic()
        alone = self.home / "alone"
        cli = self.train(alone)
        first = time.monotonic()
        output = cli.communicate(timeout=180)[0]
        length = time.monotonic() - first
        self.assertEqual(cli.returncode, 0, output[-3000:])
        expected = self.outcome(alone, "alone")
        self.assertEqual(sorted(expected.points), list(range(1, len(expected.points) + 1)))
        self.assertTrue(expected.digest)

        equal, killed = 0, collections.Counter()
        for number in range(1, self.options.count + 1):
            out = self.home / f"round-{number}"
            name = self.random.choice(VICTIMS)
            cli = self.train(out)
            self.addCleanup(cli.stdout.close)
            time.sleep(self.random.uniform(0.02, max(length, 0.2)))  # the moment is what is random here
            pids = self.victim(name, cli)
            hit = False
            for pid in pids:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                    hit = True
            killed[name if hit else "nobody was there"] += 1
            starts = self.until_done(cli, out)
            found = self.outcome(out, number)
            same = found.digest == expected.digest and found.points == expected.points
            equal += same
            if self.options.verbose or not same:
                missing = sorted(set(expected.points) - set(found.points))
                print(f"round {number}: {name}{'' if hit else ' (was not there)'}, {starts} starts, {found.attempts} runs, "
                      f"digest {'equal' if found.digest == expected.digest else 'DIFFERS'}, {len(found.points)} of {len(expected.points)} steps"
                      + (f", missing {missing[0]} to {missing[-1]}" if missing else ""), flush=True)
        print(f"{equal} of {self.options.count} rounds equal (digest and every point) in {time.monotonic() - began:.0f} s; killed: "
              + ", ".join(f"{name} {count}" for name, count in sorted(killed.items())), flush=True)
        self.assertEqual(equal, self.options.count)
        self.assertFalse(process_of(self.marker, "tandem-worker"), "a worker is left")


if __name__ == "__main__":
    _, rest = options()
    unittest.main(argv=[sys.argv[0], *rest])
