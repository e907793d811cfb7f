"""ONNX files of Tandem in onnxruntime, and files of other programs in Tandem. Skipped where ONNX is not installed: README.md."""
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
ONNX_PYTHON = os.environ.get("TANDEM_ONNX_PYTHON", sys.executable)
MISSING = subprocess.run([ONNX_PYTHON, "-c", "import onnx, onnxruntime, numpy"], capture_output=True).returncode != 0
REFUSED = ["Hashing", "StringLookup", "TextVectorization"]  # an op of theirs can't be told
WHY = f"onnx and onnxruntime are not installed in {ONNX_PYTHON}: TANDEM_ONNX_PYTHON names an interpreter that has them"

from programs import BIN, SOURCE, ProgramTest  # noqa: E402

# Checks every file of a folder that onnx_cases wrote, prints a line of JSON for each case: the largest differences, by kind of file.
RUN_CASES = """
import json, sys, numpy as np, onnx, onnxruntime as ort
folder = sys.argv[1]
ort.set_default_logger_severity(3)
for case in json.load(open(folder + "/cases.json"))["cases"]:
    found = {"case": case}
    base = folder + "/" + case["file"]
    x, y = np.load(base + ".x.npy"), np.load(base + ".y.npy")
    keras = np.load(base + ".keras.npy") if case["keras"] else None
    try:
        for kind in (".onnx", ".fixed.onnx"):
            onnx.checker.check_model(base + kind, full_check=True)
            session = ort.InferenceSession(base + kind, providers=["CPUExecutionProvider"])
            types = {"tensor(float)": np.float32, "tensor(int32)": np.int32, "tensor(int64)": np.int64, "tensor(uint8)": np.uint8}
            entry = session.get_inputs()[0]
            assert entry.name == "input" and session.get_outputs()[0].name == "output"
            assert entry.shape[0] == ("batch" if kind == ".onnx" else len(x)), entry.shape
            feed = x.astype(types[entry.type])
            def worst(got, wanted):
                assert got.shape == wanted.shape, (got.shape, wanted.shape)
                same = (got == wanted) | (np.isnan(got) & np.isnan(wanted))
                return float(np.max(np.where(same, 0, np.abs(got - wanted) / np.maximum(1, np.abs(wanted))), initial=0))
            got = session.run(None, {"input": feed})[0]
            found["difference"] = max(found.get("difference", 0), worst(got, y))
            if keras is not None:
                found["keras"] = max(found.get("keras", 0), worst(got, keras.reshape(got.shape)))
            # Any number of samples; but top_db of a MelSpectrogram counts from the loudest of all of them, as in Keras.
            if kind == ".onnx" and len(x) > 1 and "MelSpectrogram" not in json.dumps(case):
                found["difference"] = max(found["difference"], worst(session.run(None, {"input": feed[:1]})[0], y[:1]))
        found["nodes"] = [node.op_type for node in onnx.load(base + ".onnx").graph.node]
    except Exception as error:
        found["error"] = str(error)
    print(json.dumps(found))
"""


# The largest differences of NAME.y.npy from NAME.theirs.npy, as parts of the largest value; channels last where the other has them first.
COMPARE = """
import json, pathlib, sys, numpy as np
found = {}
for ours in pathlib.Path(sys.argv[1]).glob("*.y.npy"):
    name = ours.name[:-6]
    y, theirs = np.load(ours), np.load(ours.with_name(name + ".theirs.npy"))
    if y.shape != theirs.shape:
        theirs = np.moveaxis(theirs, 1, -1)
    assert y.shape == theirs.shape, (name, y.shape, theirs.shape)
    found[name] = float(np.abs(y - theirs).max() / max(1, np.abs(theirs).max()))
print(json.dumps(found))
"""


def run_python(script, *arguments):
    done = subprocess.run([ONNX_PYTHON, "-c", script, *map(str, arguments)], capture_output=True, text=True, timeout=1200)
    if done.returncode != 0:
        raise AssertionError(done.stdout[-2000:] + done.stderr[-4000:])
    return done.stdout


@unittest.skipIf(MISSING, WHY)
class WrittenFiles(unittest.TestCase):
    """All cases at once: the interpreter starts once."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        subprocess.run([BIN / "onnx_cases", cls.folder.name], check=True, timeout=600)
        cls.listed = json.loads((pathlib.Path(cls.folder.name) / "cases.json").read_text())
        cls.results = [json.loads(line) for line in run_python(RUN_CASES, cls.folder.name).splitlines()]

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_predict_the_same_in_onnxruntime(self):
        self.assertEqual(len(self.results), len(self.listed["cases"]))
        for result in self.results:
            case = result["case"]
            with self.subTest(group=case["group"], name=case["name"]):
                self.assertNotIn("error", result)
                self.assertLess(result["difference"], 1e-5)
                if case["keras"]:
                    self.assertLess(result["keras"], 2e-5)  # Keras' and Tandem's differ by up to 1e-5 themselves

    def test_every_layer_of_the_catalogue_is_among_them(self):
        seen = {name for result in self.results for name in result["case"]["classes"]}
        self.assertEqual(sorted(set(self.listed["catalog"]) - seen), sorted(REFUSED))

    def test_layouts_change_at_the_edges_alone(self):
        transposes = {result["case"]["name"]: result.get("nodes", []).count("Transpose") for result in self.results
                      if result["case"]["group"] == "starter projects"}
        self.assertEqual(transposes.pop("cifar10_transformer"), 2 + 6 * 4)  # an attention turns queries, keys, values and what it makes of them
        self.assertLessEqual(max(transposes.values()), 2, transposes)


@unittest.skipIf(MISSING, WHY)
class ReadFiles(unittest.TestCase):
    """What Tandem wrote reads back as the same model, or is refused by a node's name."""

    def test_own_files_read_back_or_are_no_chain(self):
        same = 0
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([BIN / "onnx_cases", folder], check=True, timeout=600)
            cases = json.loads((pathlib.Path(folder) / "cases.json").read_text())["cases"]
        for case in cases:
            read = case["read"]
            with self.subTest(group=case["group"], name=case["name"]):
                if "error" in read:
                    self.assertRegex(read["error"], r"node .+ \(\w+\): expected .+, got |expected at least one layer, got none|another shape")
                else:
                    self.assertLess(read["difference"], 1e-5)
                    same += 1
        self.assertGreater(same, 260)
        chains = {case["name"]: case["read"] for case in cases if case["group"] == "starter projects"}
        self.assertEqual(sorted(name for name, read in chains.items() if "error" in read), ["cifar10_resnet20", "cifar10_transformer", "text_lstm"],
                         "residual blocks branch, and a mask is no chain")

    def open_foreign(self, variable, module, script, refused):
        python = os.environ.get(variable, sys.executable)
        if subprocess.run([python, "-c", "import " + module], capture_output=True).returncode != 0:
            self.skipTest(f"{module} is not installed in {python}: {variable} names an interpreter that has it")
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([python, pathlib.Path(__file__).parent / "foreign" / script, folder], capture_output=True, text=True, timeout=900)
            self.assertEqual(done.returncode, 0, done.stderr[-3000:])
            subprocess.run([BIN / "onnx_cases", "--read", folder], check=True, timeout=300)
            found = json.loads((pathlib.Path(folder) / "read.json").read_text())
            differences = json.loads(run_python(COMPARE, folder))
        self.assertGreater(len(found), 5)
        for name, read in found.items():
            with self.subTest(name=name):
                if name in refused:
                    self.assertIn(": node ", read["error"])
                else:
                    self.assertNotIn("error", read)
                    self.assertLess(differences[name], 1e-5)

    def test_files_of_pytorch_open(self):
        # An unrolled loop; pads that are computed.
        self.open_foreign("TANDEM_TORCH_PYTHON", "torch", "torch_models.py", {"torch_rnn_dynamo", "torch_up_script"})

    def test_files_of_keras_open(self):
        # GRU is a loop in them.
        self.open_foreign("TANDEM_TF2ONNX_PYTHON", "tf2onnx", "keras_models.py", {"keras_gru", "keras_words"})


# The whole way of a user: a trained starter project as a file and back.
PREDICT = """
import sys, gzip, numpy as np, onnxruntime
model, images, out = sys.argv[1:4]
with gzip.open(images) as f:
    x = np.frombuffer(f.read(), np.uint8)[16:].reshape(-1, 28, 28, 1)[:256].astype(np.float32) / np.float32(255)
np.save(out + "/x.npy", x)
np.save(out + "/theirs.npy", onnxruntime.InferenceSession(model).run(None, {"input": x})[0])
"""
SAME = "import sys, numpy as np; print(float(np.abs(np.load(sys.argv[1]) - np.load(sys.argv[2])).max()))"


@unittest.skipIf(MISSING, WHY)
class OfARun(ProgramTest):
    def cli(self, *arguments):
        done = self.run_cli(*arguments, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_goes_out_and_comes_back(self):
        folder = self.home
        self.cli("train", "mnist_mirrored", "--set", "fit.epochs=1", "--set", "data.take=640", "--save-weights", folder / "w.weights.h5")
        written = self.cli("export", "onnx", "mnist_mirrored", "--checkpoint", folder / "w.weights.h5", "--out", folder / "m.onnx")
        self.assertRegex(written, r"m.onnx: \d+ bytes")
        images = SOURCE / "resources" / "datasets" / "mnist" / "t10k-images-idx3-ubyte.gz"
        run_python(PREDICT, folder / "m.onnx", images, folder)
        self.cli("predict", "mnist_mirrored", "--checkpoint", folder / "w.weights.h5", "--data", folder / "x.npy", "--set", "data.scale=1", "--out", folder / "ours.npy")
        self.assertLess(float(run_python(SAME, folder / "ours.npy", folder / "theirs.npy")), 1e-5)
        self.cli("import", folder / "m.onnx", "--out", folder / "back.tandem")
        value = json.loads((folder / "back.tandem").read_text())
        self.assertEqual(value["fit"]["initial_weights"], str(folder / "m.onnx"))
        self.cli("predict", folder / "back.tandem", "--checkpoint", folder / "m.onnx", "--data", folder / "x.npy", "--set", "data.scale=1", "--out", folder / "back.npy")
        self.assertLess(float(run_python(SAME, folder / "back.npy", folder / "theirs.npy")), 1e-5)


def table(results):
    """The largest difference by layer and by starter project, as Markdown."""
    layers, projects = collections.defaultdict(list), []
    for result in results:
        case = result["case"]
        if case["group"] == "starter projects":
            projects.append((case["name"], result))
        elif len(case["classes"]) == 1 or "TimeDistributed" in case["classes"] or "Bidirectional" in case["classes"]:
            layers[" of ".join(sorted(case["classes"], key=lambda c: c not in ("TimeDistributed", "Bidirectional")))].append(result)
    print("| layer | cases | onnxruntime and Tandem | onnxruntime and Keras |\n|---|---|---|---|")
    for name, found in sorted(layers.items()):
        keras = [result["keras"] for result in found if "keras" in result]
        print(f"| {name} | {len(found)} | {max(r.get('difference', 9) for r in found):.1e} | {f'{max(keras):.1e}' if keras else ''} |")
    print("\n| starter project | onnxruntime and Tandem |\n|---|---|")
    for name, result in sorted(projects, key=lambda one: one[0]):
        print(f"| {name} | {result.get('difference', 9):.1e} |")


if __name__ == "__main__":
    if "--table" in sys.argv:
        WrittenFiles.setUpClass()
        table(WrittenFiles.results)
        WrittenFiles.tearDownClass()
    else:
        unittest.main()
