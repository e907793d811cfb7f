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
WHY = f"onnx and onnxruntime are not installed in {ONNX_PYTHON}: TANDEM_ONNX_PYTHON names an interpreter that has them"

from programs import BIN, ProgramTest  # noqa: E402

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
            if kind == ".onnx" and len(x) > 1:  # any number of samples
                found["difference"] = max(found["difference"], worst(session.run(None, {"input": feed[:1]})[0], y[:1]))
        found["nodes"] = [node.op_type for node in onnx.load(base + ".onnx").graph.node]
    except Exception as error:
        found["error"] = str(error)
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
        self.assertEqual(sorted(set(self.listed["catalog"]) - seen), [])

    def test_layouts_change_at_the_edges_alone(self):
        transposes = {result["case"]["name"]: result.get("nodes", []).count("Transpose") for result in self.results
                      if result["case"]["group"] == "starter projects"}
        self.assertLessEqual(max(transposes.values()), 2, transposes)


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
