"""A long run in one file: every point of 100,000 steps and all twelve checkpoints, opened on a computer that has neither the run nor a network.

It prints what it took, as tests/bench/README.md tells.
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time
import unittest

from programs import BIN, ProgramTest, process_of, wait_for

EPOCHS, STEPS_PER_EPOCH, STEPS = 25, 4_000, 100_000
CHECKPOINT_STEPS, CHECKPOINTS = 8_000, 12
# A step of it takes some ten microseconds: the hundred thousand are over in seconds.
LAYERS = [{"class_name": "Flatten", "name": "flatten", "config": {}},
          {"class_name": "Dense", "name": "dense", "config": {"units": 10, "activation": "softmax"}}]


def told(text):
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def without_network():
    """The words before a command that give it a network of its own, in which nothing is reached; none where that is not allowed."""
    for words in (["unshare", "--net"], ["unshare", "--map-root-user", "--net"]):
        if shutil.which(words[0]) and subprocess.run([*words, "true"], stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
                                                     check=False).returncode == 0:
            return words
    return []


class LongRunArchive(ProgramTest):
    def setUp(self):
        super().setUp()
        self.file = self.home / "long.tandem-run"
        self.afar = self.home / "afar"
        (self.afar / "run").mkdir(mode=0o700, parents=True)
        self.afar_env = dict(self.env, HOME=str(self.afar), XDG_RUNTIME_DIR=str(self.afar / "run"), XDG_DATA_HOME=str(self.afar / "data"),
                             XDG_STATE_HOME=str(self.afar / "state"), XDG_CONFIG_HOME=str(self.afar / "config"),
                             XDG_CACHE_HOME=str(self.afar / "cache"))
        self.alone = without_network()
        self.seconds = {}

    def cli(self, *arguments, afar=False, timed=None):
        words = [*(self.alone if afar else []), BIN / "tandem-cli", *map(str, arguments)]
        begin = time.monotonic()
        done = subprocess.run(words, env=self.afar_env if afar else self.env, cwd=self.afar if afar else self.home, text=True, capture_output=True,
                              timeout=600, stdin=subprocess.DEVNULL, check=False)
        if timed:
            self.seconds[timed] = time.monotonic() - begin
        self.assertEqual(done.returncode, 0, f"{arguments}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        return done.stdout

    def shown(self, run, folder, afar=False):
        """All that a window draws of the run, with its checkpoints, whose folder has another name on each computer."""
        out = (self.afar if afar else self.home) / "shown"
        self.cli("export", "data", "--format", "json", "--out", out, afar=afar, timed="shown afar" if afar else "shown here")
        [file] = out.iterdir()
        texts = {"curves": file.read_text(), "events": self.cli("watch", run, "--json", afar=afar),
                 "evaluation": self.cli("evaluate", run, "--checkpoint", "24", afar=afar)}
        files = {str(path.relative_to(folder)): path.read_bytes() for path in folder.glob("checkpoints/*")}
        return {name: text.replace(str(folder), "FOLDER") for name, text in texts.items()}, files

    def forget_here(self):
        """Ends the agent that trained the run and removes all that it kept."""
        for pid in process_of(self.marker, "tandem-agent"):
            os.kill(pid, signal.SIGTERM)
        wait_for(lambda: not process_of(self.marker, "tandem-agent"), "the first computer's agent to end")
        for name in ("data", "state", "config", "cache"):
            shutil.rmtree(self.home / name, ignore_errors=True)

    def test_shows_every_point_where_neither_run_nor_network_is(self):
        project = self.project("mnist_mlp", model__layers=LAYERS, data__batch_size_per_replica=1, data__validate_on_test=False,
                               fit__steps_per_epoch=STEPS_PER_EPOCH, fit__epochs=EPOCHS,
                               callbacks__model_checkpoint={"filepath": "checkpoints/ckpt_{epoch}", "save_freq": CHECKPOINT_STEPS})
        begin = time.monotonic()
        self.train(project, "--threads", 1, timeout=900)
        self.seconds["trained"] = time.monotonic() - begin
        [run] = told(self.cli("runs", "--json"))
        folder = pathlib.Path(run.pop("run_dir"))
        self.assertEqual((run["state"], run["steps"]), ("Done", STEPS))
        own, checkpoints = self.shown(run["id"], folder)
        series = {one["name"]: one["step"] for one in json.loads(own["curves"])["series"]}
        for name in ("loss", "accuracy", "learning_rate"):
            self.assertEqual(series[name], list(range(1, STEPS + 1)), name)
        self.assertEqual(len([name for name in checkpoints if name.endswith(".index")]), CHECKPOINTS)

        self.assertIn(f"run {run['id']}, {CHECKPOINTS} checkpoints, ", self.cli("archive", run["id"], "--out", self.file, timed="archived"))
        self.forget_here()
        self.cli("import", self.file, afar=True, timed="opened")
        [there] = told(self.cli("runs", "--json", afar=True))
        folder = pathlib.Path(there.pop("run_dir"))
        self.assertTrue(folder.is_relative_to(self.afar), folder)
        self.assertTrue(there.pop("imported_from"))
        self.assertEqual(there, run)
        other, others_checkpoints = self.shown(run["id"], folder, afar=True)
        for name, text in own.items():
            self.assertTrue(other[name] == text, f"{name}: expected the same {len(text)} characters, got {len(other[name])}")  # no diff of 9 MB
        self.assertEqual(sorted(others_checkpoints), sorted(checkpoints))
        self.assertTrue(others_checkpoints == checkpoints, "the checkpoints' bytes")
        took = ", ".join(f"{what} in {seconds:.2f} s" for what, seconds in self.seconds.items())
        print(f"{STEPS:,} steps, {len(series)} curves, {CHECKPOINTS} checkpoints: {self.file.stat().st_size / 1e6:.1f} MB; {took}; "
              f"{'without a network' if self.alone else 'with the network: no namespace may be made here'}", flush=True)


if __name__ == "__main__":
    unittest.main()
