"""Event files of Tandem in the real TensorBoard, over HTTP, and those of TensorFlow, Keras and PyTorch in Tandem. Skipped where these are not
installed: README.md."""
import json
import os
import pathlib
import subprocess
import sys
import unittest
import urllib.parse
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))

from programs import ProgramTest, unkept_ports, wait_for  # noqa: E402

FOREIGN = pathlib.Path(__file__).resolve().parent / "foreign" / "event_writers.py"


def python_with(variable, *modules):
    """The interpreter that the variable names, or this one; None when it lacks a module."""
    python = os.environ.get(variable, sys.executable)
    if not pathlib.Path(python).exists():
        return None
    found = subprocess.run([python, "-c", "import importlib.util as u, sys; sys.exit(not all(u.find_spec(m) for m in sys.argv[1:]))", *modules],
                           check=False)
    return python if found.returncode == 0 else None


BOARD = python_with("TANDEM_TENSORBOARD_PYTHON", "tensorboard")


class Board:
    """A TensorBoard on a folder."""

    def __init__(self, test, folder):
        self.port = unkept_ports(1)[0]
        self.process = subprocess.Popen([BOARD, "-m", "tensorboard.main", "--logdir", str(folder), "--port", str(self.port), "--bind_all",
                                         "--load_fast=false", "--reload_interval=1"], env=dict(os.environ, HOME=str(test.home)),
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        test.addCleanup(self.end)
        wait_for(self.is_there, "TensorBoard to answer")

    def end(self):
        self.process.terminate()
        self.process.wait()

    def is_there(self):
        try:
            return self.get("runs") is not None
        except OSError:
            return False

    def get(self, what, body=None, **query):
        url = f"http://127.0.0.1:{self.port}/data/{what}"
        if query:
            url += "?" + urllib.parse.urlencode(query)
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url, data=data, headers={"Content-Type": "application/json"} if data else {})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read())

    def text(self, what, **query):
        url = f"http://127.0.0.1:{self.port}/data/{what}?" + urllib.parse.urlencode(query)
        with urllib.request.urlopen(url, timeout=30) as answer:
            return answer.read().decode()


@unittest.skipIf(BOARD is None, "TensorBoard is not installed: TANDEM_TENSORBOARD_PYTHON names an interpreter that has it")
class RealTensorBoard(ProgramTest):
    def train_one(self, name="run", **settings):
        board = {"histogram_freq": 1, "write_images": True, "update_freq": 5}
        project = self.project("mnist_mirrored", fit__epochs=2, data__take=640, callbacks={"tensor_board": board}, name=name, **settings)
        self.train(project, "--workers", 1, "--out", self.home / name)
        return self.home / name

    def test_every_plugin_has_what_a_run_logged(self):
        board = Board(self, self.train_one() / "logs")
        wait_for(lambda: {"train", "validation"} <= set(board.get("runs")), "both runs to be listed")
        wait_for(lambda: board.get("plugin/pr_curves/tags").get("validation"), "the PR curves to be loaded")

        self.assertIn("epoch_loss", board.get("plugin/scalars/tags")["train"])
        self.assertEqual(len(board.get("plugin/scalars/scalars", run="train", tag="batch_loss")), 4)
        histograms = board.get("plugin/histograms/tags")["train"]
        self.assertIn("sequential/conv2d/kernel/histogram", histograms)
        self.assertIn("sequential/conv2d/kernel/gradient/histogram", histograms)

        images = board.get("plugin/images/tags")
        self.assertIn("sequential/conv2d/kernel/image", images["train"])
        self.assertIn("wrong samples", images["validation"])
        texts = board.get("plugin/text/tags")["train"]
        self.assertEqual(sorted(texts), ["model", "project"])
        shown = board.get("plugin/text/text", run="train", tag="model")[-1]["text"]
        self.assertIn("<table>", shown)
        self.assertIn("conv2d", shown)

        graphs = board.get("plugin/graphs/info")["train"]
        self.assertTrue(graphs["run_graph"])
        self.assertTrue(graphs["tags"]["keras"]["conceptual_graph"])
        graph = board.text("plugin/graphs/graph", run="train", conceptual="false")
        self.assertIn("_output_shapes", graph)
        self.assertIn("conv2d/Conv2D", graph)
        self.assertIn("conv2d", board.text("plugin/graphs/graph", run="train", tag="keras", conceptual="true"))

        curves = board.get("plugin/pr_curves/pr_curves", run="validation", tag="class 3")["validation"]
        self.assertEqual([curve["step"] for curve in curves], [0, 1])
        self.assertTrue(all(0 <= value <= 1 for value in curves[-1]["precision"]))
        self.assertEqual(len(board.get("plugin/pr_curves/tags")["validation"]), 10)

        experiment = board.get("plugin/hparams/experiment", body={"experimentName": ""})
        names = {info["name"] for info in experiment["hparamInfos"]}
        self.assertLessEqual({"optimizer", "learning_rate", "batch_size_per_replica", "seed"}, names)
        groups = board.get("plugin/hparams/session_groups", body={
            "experimentName": "", "allowedStatuses": ["STATUS_SUCCESS", "STATUS_FAILURE", "STATUS_RUNNING", "STATUS_UNKNOWN"],
            "colParams": [], "startIndex": 0, "sliceSize": 10})
        self.assertEqual(groups["sessionGroups"][0]["sessions"][0]["status"], "STATUS_SUCCESS")

    def test_one_command_sets_runs_side_by_side(self):
        self.train_one("first")
        self.train(self.project("mnist_mlp", fit__epochs=1, data__take=640, name="second", callbacks={}), "--workers", 1)
        done = self.run_cli("export", "tensorboard", "--all", "--out", self.home / "board")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.splitlines()[-1], f"tensorboard --logdir {self.home / 'board'}")
        board = Board(self, self.home / "board")
        wanted = {"first/train", "first/validation", "second/train", "second/validation"}
        wait_for(lambda: wanted <= set(board.get("runs")), "all runs to be listed")
        tags = wait_for(lambda: (lambda t: t if wanted <= set(t) else None)(board.get("plugin/scalars/tags")), "their scalars")
        self.assertIn("epoch_loss", tags["second/train"])
        self.assertIn("epoch_loss", tags["second/validation"])
        self.assertEqual(sorted(board.get("plugin/text/tags")["second/train"]), ["model", "project"])
        self.assertTrue(board.get("plugin/graphs/info")["second/train"]["run_graph"])
        again = self.run_cli("export", "tensorboard", "--all", "--out", self.home / "board")
        self.assertEqual(again.returncode, 1)
        self.assertIn("expected a folder without event files", again.stderr)
        self.assertEqual(self.run_cli("export", "tensorboard", "--all", "--out", self.home / "board", "--overwrite").returncode, 0)


class ForeignRuns(ProgramTest):
    """Runs that Tandem did not make: trained in other programs, while Tandem looks on."""

    def writer(self, kind, variable, *modules):
        python = python_with(variable, *modules)
        if python is None:
            self.skipTest(f"{' and '.join(modules)} are not installed: {variable} names an interpreter that has them")
        return subprocess.Popen([python, FOREIGN, kind, self.home / "logs" / kind], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                stderr=subprocess.DEVNULL, env=dict(os.environ, HOME=str(self.home)))

    def runs(self):
        done = self.run_cli("runs", "--json", "--from", self.home / "logs")
        self.assertEqual(done.returncode, 0, done.stderr)
        return {run["name"]: run for run in map(json.loads, done.stdout.splitlines())}

    def series(self, run):
        done = self.run_cli("export", "data", run["id"], "--format", "json", "--out", self.home / "data")
        self.assertEqual(done.returncode, 0, done.stderr)
        data = json.loads(pathlib.Path(done.stdout.split()[0]).read_text())
        return {one["name"]: one for one in data["series"]}

    def watched(self, run, wanted):
        """The series once they are as wanted: the files are read on while the agent looks."""
        return wait_for(lambda: (lambda s: s if wanted(s) else None)(self.series(run)), "the points to come", 60)

    def test_keras_is_watched_live(self):
        writer = self.writer("keras", "TANDEM_TENSORFLOW_PYTHON", "tensorflow", "keras")
        self.addCleanup(writer.kill)
        self.assertEqual(writer.stdout.readline().strip(), "epoch 0")
        run = wait_for(lambda: self.runs().get("keras"), "the run to be listed")
        self.assertTrue(run["followed"])
        self.watched(run, lambda s: len(s["loss"]["value"]) >= 1 and "val_loss" in s)
        writer.stdin.write("\n" * 2)
        writer.stdin.flush()
        told = json.loads(writer.communicate()[0].splitlines()[-1])
        series = self.watched(run, lambda s: len(s["loss"]["value"]) == 3 and len(s["val_loss"]["value"]) == 3)
        for name in ("loss", "accuracy", "val_loss", "val_accuracy"):
            for got, wanted in zip(series[name]["value"], told[name]):
                self.assertAlmostEqual(got, wanted, places=5)

    def test_pytorch_is_watched_live(self):
        writer = self.writer("torch", "TANDEM_TORCH_PYTHON", "torch", "tensorboard")
        self.addCleanup(writer.kill)
        self.assertEqual(writer.stdout.readline().strip(), "epoch 0")
        run = wait_for(lambda: self.runs().get("torch"), "the run to be listed")
        self.watched(run, lambda s: len(s["Loss/train"]["value"]) >= 9)
        writer.stdin.write("\n" * 2)
        writer.stdin.flush()
        told = json.loads(writer.communicate()[0].splitlines()[-1])
        series = self.watched(run, lambda s: len([v for v in s["Loss/train"]["value"] if v is not None]) == 30)
        train = [value for value in series["Loss/train"]["value"] if value is not None]
        test = [value for value in series["Loss/test"]["value"] if value is not None]
        self.assertEqual(len(test), 3)
        for got, wanted in zip(train + test, told["train"] + told["test"]):
            self.assertAlmostEqual(got, wanted, places=5)


if __name__ == "__main__":
    unittest.main()
