"""Bad input ends with one clear message that names the object, the expectation and the fact; never with a crash or a hang."""
import gzip
import json
import os
import shutil
import socket
import struct
import subprocess
import unittest

from programs import BIN, SOURCE, TEMPLATES, ProgramTest, free_ports

MNIST = SOURCE / "resources" / "datasets" / "mnist"


def write_npy(path, descr, shape, values):
    """NPY 1.0; without numpy, which is no part of a build machine."""
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({', '.join(map(str, shape))},), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + values)


class CodedTest(ProgramTest):
    """Whatever the command line says of bad input has a code that it can explain."""

    def run_cli(self, *arguments, **options):
        done = super().run_cli(*arguments, **options)
        if done.returncode in (1, 2):
            for line in (done.stdout + done.stderr).splitlines():
                if line.startswith("error: "):
                    self.assertRegex(line, r" \(TDM-(?!U004)[A-Z][0-9]{3}\)$")
        return done


class BadProjects(CodedTest):
    def refuse(self, path, *words, options=()):
        done = self.run_cli("train", path, *options, timeout=300)
        self.assertIn(done.returncode, (1, 2), done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, done.stdout + done.stderr)

    def layers(self, change):
        value = json.loads(self.project("mnist_mirrored").read_text())
        change(value["model"]["layers"])
        path = self.home / "changed.tandem"
        path.write_text(json.dumps(value))
        return path

    def test_unknown_layer(self):
        self.refuse(self.layers(lambda layers: layers[1].update(class_name="MaxPoolling2D")), "MaxPoolling2D", "model.layers[1]")

    def test_wrong_shapes(self):
        def swap(layers):
            layers[0], layers[2] = layers[2], layers[0]
        self.refuse(self.layers(swap), "expected", "got")

    def test_broken_json(self):
        path = self.home / "broken.tandem"
        path.write_text('{"version": 1,\n  "model": {]}')
        self.refuse(path, "line 2")

    def test_newer_version(self):
        self.refuse(self.project("mnist_mirrored", version=99), "99")

    def test_missing_file(self):
        self.refuse(self.home / "absent.tandem", "absent.tandem")

    def test_wrong_setting(self):
        self.refuse("mnist_mirrored", "fit.epoch", options=["--set", "fit.epoch=3"])
        self.refuse("mnist_mirrored", "fit.epochs", options=["--set", 'fit.epochs="many"'])
        self.refuse("mnist_mirrored", "version: expected a value of the project", options=["--set", "version=2"])
        self.refuse("mnist_mirrored", "data.scale: expected", "other than 0", options=["--set", "data.scale=0"])
        self.refuse("mnist_mlp", "strategy.devices[0]: expected CPU:0", "got CPU:5", options=["--device", "CPU:5"])
        self.refuse("mnist_mlp", 'got "foo"', options=["--device", "foo"])
        self.refuse("mnist_mlp", "--out: expected a folder", options=["--out", ""])

    def test_options_that_mean_something_else(self):
        for option in (["--port", "5000"], ["--fix"], ["--strategy", "estimator"], ["--from", "slurm"]):
            done = self.run_cli("check", "mnist_mlp", *option)
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertIn(f"{option[0]}: expected a TF_CONFIG, a hostfile or Slurm's variables", done.stderr)

    def test_a_slip_of_the_pen(self):
        self.refuse(self.layers(lambda layers: layers[1].update(class_name="maxpoling2D")), "Did you mean MaxPooling2D?")


class BadData(CodedTest):
    def setUp(self):
        super().setUp()
        self.data = self.home / "mnist"
        shutil.copytree(MNIST, self.data)
        self.env["TANDEM_DATA_DIR"] = str(self.home)

    def expect_failure(self, *words):
        done = self.run_cli("train", "mnist_mirrored", "--set", "fit.epochs=1", "--set", "data.take=640", timeout=300)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, done.stdout + done.stderr)

    def replace(self, name, change):
        path = self.data / name
        with gzip.open(path) as f:
            content = f.read()
        with gzip.open(path, "wb", compresslevel=1) as f:
            f.write(change(bytearray(content)))

    def test_truncated_images(self):
        self.replace("train-images-idx3-ubyte.gz", lambda b: b[:1000])
        self.expect_failure("train-images-idx3-ubyte.gz", "expected 47040000")

    def test_truncated_gzip(self):
        path = self.data / "train-images-idx3-ubyte.gz"
        path.write_bytes(path.read_bytes()[:100000])
        self.expect_failure("train-images-idx3-ubyte.gz")

    def test_label_out_of_range(self):
        def spoil(content):
            content[8 + 5] = 200
            return content
        self.replace("train-labels-idx1-ubyte.gz", spoil)
        self.expect_failure("train-labels-idx1-ubyte.gz", "200")


class OwnFiles(CodedTest):
    def own_files(self, labels, dtype, units, loss, samples=(4, 3), **settings):
        """A project of NPY files with one Dense layer."""
        write_npy(self.home / "x.npy", "<f4", samples, bytes(4 * samples[0] * samples[1]))
        write_npy(self.home / "y.npy", dtype, (samples[0],), labels)
        value = json.loads(self.project("mnist_mlp").read_text())
        value["model"].update(input_shape=[3], layers=[{"class_name": "Dense", "name": "dense", "config": {"units": units}}])
        value["data"] = {"dataset": "npy", "train_images": "x.npy", "train_labels": "y.npy", "scale": 1, **settings}
        value["compile"]["loss"] = {"class_name": loss, "config": {"from_logits": True}}
        value["compile"]["metrics"] = []
        path = self.home / "own.tandem"
        path.write_text(json.dumps(value))
        return path


class BadInputs(OwnFiles):
    """What can be known of a run's files is found before a task starts: no run is made."""

    def setUp(self):
        super().setUp()
        self.out = self.home / "out"

    def refuse(self, project, *words, options=()):
        done = self.run_cli("train", project, "--out", self.out, *options, timeout=300)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertFalse(self.out.exists(), "the run's folder was made")

    def test_labels_that_do_not_fit_the_loss(self):
        sparse = "SparseCategoricalCrossentropy"
        self.refuse(self.own_files(bytes([0, 1, 2, 7]), "|u1", 5, sparse), "y.npy", "label 7 of sample 3", "expected 0 to 4")
        self.refuse(self.own_files(struct.pack("<4f", 0, 1, 0.5, 2), "<f4", 5, sparse), "y.npy", "label 0.5 of sample 2")
        self.refuse(self.own_files(bytes([0, 1, 2, 3]), "|u1", 5, "CategoricalCrossentropy"), "y.npy", "(5,)", "data.one_hot=5")
        self.refuse(self.own_files(bytes([0, 1, 2, 3]), "|u1", 5, "CategoricalCrossentropy", one_hot=4), "y.npy", "(4,)", "(5,)")
        self.refuse(self.own_files(bytes([0, 1, 1, 2]), "|u1", 1, "BinaryCrossentropy"), "y.npy", "label 2 of sample 3", "0 to 1")

    def test_samples_of_another_shape(self):
        project = self.own_files(bytes([0, 1, 2, 3]), "|u1", 5, "SparseCategoricalCrossentropy", samples=(4, 6))
        self.refuse(project, "x.npy", "(6,)", "(3,)")

    def test_files_that_are_nowhere(self):
        project = self.own_files(bytes([0, 1, 2, 3]), "|u1", 5, "SparseCategoricalCrossentropy", train_labels="labels/nowhere.npy")
        self.refuse(project, "labels/nowhere.npy: expected a file beside the project", "found none")

    def test_what_fits_is_trained_with_files_beside_the_project(self):
        project = self.own_files(bytes([0, 1, 2, 3]), "|u1", 5, "SparseCategoricalCrossentropy")
        done = self.run_cli("train", project, "--out", self.out, "--set", "fit.epochs=1", timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_large_labels_without_their_samples(self):
        rows = 1 << 20  # 12 MiB of samples, which nobody reads here
        labels = bytearray(rows)
        labels[rows - 1] = 9
        project = self.own_files(bytes(labels), "|u1", 5, "SparseCategoricalCrossentropy", samples=(rows, 3))
        self.refuse(project, "y.npy", f"label 9 of sample {rows - 1}")

    def test_classes_of_a_named_set(self):
        value = json.loads(self.project("mnist_mlp").read_text())
        value["model"]["layers"][-1]["config"]["units"] = 5
        path = self.home / "few.tandem"
        path.write_text(json.dumps(value))
        self.refuse(path, "compile.loss", "10 classes of mnist", "(None, 5)")

    def test_pictures_of_another_size(self):
        for name in ("a", "b"):
            (self.home / "pictures" / name).mkdir(parents=True)
        project = self.project("mnist_mirrored", data__dataset="image_folder", data__train_files=["pictures"],
                               data__images={"size": [64, 64], "color_mode": "grayscale"})
        self.refuse(project, "data.images.size", "[28, 28]", "[64, 64]")

    def test_initial_weights(self):
        absent, damaged = self.home / "absent.weights.h5", self.home / "damaged.weights.h5"
        self.refuse("mnist_mlp", "fit.initial_weights", "absent.weights.h5", options=["--initial-weights", absent])
        saved = self.home / "saved.weights.h5"
        self.train("mnist_mlp", "--set", "fit.epochs=1", "--set", "data.take=640", "--save-weights", saved)
        damaged.write_bytes(saved.read_bytes()[:3000])
        self.refuse("mnist_mlp", "fit.initial_weights", "damaged.weights.h5", options=["--initial-weights", damaged])
        self.refuse("mnist_mirrored", "fit.initial_weights", "saved.weights.h5", "expected", options=["--initial-weights", saved])


    def test_places_where_nothing_can_be_written(self):
        (self.home / "file").write_text("")
        for place, word in ((self.home / "file" / "w.keras", "expected a folder to write to, found a file"),
                            (self.home / "folder.keras", "expected the name of a file, found a folder")):
            if place.suffix == ".keras" and place.parent == self.home:
                place.mkdir()
            self.refuse("mnist_mlp", "fit.save_weights: ", str(place), word, options=["--save-weights", place])

    def test_what_processors_lack(self):
        done = self.run_cli("agent", "--json")
        if json.loads(done.stdout).get("gpus"):
            self.skipTest("has a GPU")
        self.refuse("mnist_mlp", "model.dtype_policy: expected float32 or mixed_bfloat16 on a processor",
                    options=["--set", "model.dtype_policy=mixed_float16"])


class DataOfTheUser(CodedTest):
    def test_travels_with_the_launch(self):
        self.train("mnist_mlp", "--set", "data.take=640", "--set", "fit.epochs=1")  # the agent runs, without the variable
        (self.home / "mnist").mkdir()
        for name in ("train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz"):
            shutil.copy(MNIST / name, self.home / "mnist")
        self.env["TANDEM_DATA_DIR"] = str(self.home)
        done = self.run_cli("train", "mnist_mlp", "--set", "data.take=640", "--set", "fit.epochs=1", timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(f"mnist: expected test files beside {self.home}", done.stdout)


class FinishedRuns(CodedTest):
    def test_are_not_overwritten_by_accident(self):
        short = ["mnist_mlp", "--set", "data.take=640", "--set", "fit.epochs=1", "--out", self.home / "out"]
        first = self.train(*short)[-1]
        saved = {file.name: file.read_bytes() for file in (self.home / "out" / "checkpoints").iterdir()}
        done = self.run_cli("train", *short, "--set", "fit.seed=7")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        for word in (str(self.home / "out"), "finished run (1 checkpoint)", "--out", "--overwrite"):
            self.assertIn(word, done.stderr)
        by_hand = self.start("tandem-worker", TEMPLATES / "mnist_mlp.tandem", "--out", self.home / "out")
        self.assertIn("finished run", by_hand.communicate(timeout=300)[0])
        self.assertEqual(by_hand.returncode, 1)
        self.assertEqual(saved, {file.name: file.read_bytes() for file in (self.home / "out" / "checkpoints").iterdir()})
        second = self.train(*short, "--set", "fit.seed=7", "--overwrite")[-1]
        self.assertNotEqual(first["weights_sha256"], second["weights_sha256"])


class CheckedData(OwnFiles):
    def check(self, project, code, *words):
        done = self.run_cli("data", project, "--check")
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, done.stdout + done.stderr)

    def test_knows_the_classes_of_the_model(self):
        self.check(self.own_files(bytes([0, 1, 2, 7]), "|u1", 5, "SparseCategoricalCrossentropy"), 1, "label 7 of sample 3", "5 outputs")
        self.check(self.own_files(bytes([0, 1, 2, 4]), "|u1", 5, "SparseCategoricalCrossentropy"), 0)
        self.check(self.own_files(bytes([0, 1, 2, 4]), "|u1", 4, "CategoricalCrossentropy", one_hot=4), 1, "data.one_hot is 4")

    def test_counts_what_is_not_finite(self):
        project = self.own_files(bytes([0, 1, 2, 4]), "|u1", 5, "SparseCategoricalCrossentropy")
        write_npy(self.home / "x.npy", "<f4", (4, 3), struct.pack("<12f", *[1, 2, 3] * 2, float("nan"), *[0] * 4, float("inf")))
        self.check(project, 0, "not finite: 2", "sample 2 has nan as number 0")

    def test_fails_where_a_run_would(self):
        (self.home / "pictures" / "a").mkdir(parents=True)
        (self.home / "pictures" / "a" / "broken.png").write_text("no picture")
        project = self.project("mnist_mirrored", data__dataset="image_folder", data__train_files=["pictures"],
                               data__images={"size": [28, 28], "color_mode": "grayscale"})
        self.check(project, 1, "broken.png", "data.on_error=refuse")
        self.check(self.project("mnist_mirrored", data__dataset="image_folder", data__train_files=["pictures"], data__on_error="skip",
                                data__images={"size": [28, 28], "color_mode": "grayscale"}), 0, "broken.png")


class FilesOfARun(CodedTest):
    def test_a_foreign_backup_is_refused_before_anything_changes(self):
        out = self.home / "out"
        short = ["--out", out, "--set", "data.take=640"]
        keep = ["--set", 'callbacks.backup_and_restore={"delete_checkpoint":false}', "--set", "fit.epochs=1"]
        self.train("mnist_mlp", *short, *keep)
        files = ["project.tandem", "run.json", "journal"]
        before = [(out / name).read_bytes() for name in files]
        done = self.run_cli("train", "mnist_mirrored", *short)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("latest.backup: expected a backup of this project", done.stderr)
        self.assertEqual(before, [(out / name).read_bytes() for name in files])

    def steps_of(self, run):
        done = self.run_cli("export", "data", run, "--series", "loss", "--out", self.home / run)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [int(row.split(",")[0]) for row in next((self.home / run).glob("*.csv")).read_text().splitlines()[1:]]

    def ids(self):
        return [json.loads(line)["id"] for line in self.run_cli("runs", "--json").stdout.splitlines()]

    def test_a_run_that_goes_on_keeps_its_points_and_one_that_begins_anew_leaves_them(self):
        out = self.home / "out"
        again = ["mnist_mlp", "--out", out, "--set", "data.take=640", "--set", 'callbacks.backup_and_restore={"delete_checkpoint":false}']
        self.train(*again, "--set", "fit.epochs=1")
        self.train(*again, "--set", "fit.epochs=3")
        [first] = self.ids()
        self.assertEqual(self.steps_of(first), list(range(1, 16)), "one run, however often it was started")
        shutil.rmtree(self.home / first)
        self.train(*again, "--set", "fit.epochs=1", "--overwrite")
        second, earlier = self.ids()
        self.assertEqual(earlier, first)
        self.assertEqual(self.steps_of(first), list(range(1, 16)))
        self.assertEqual(self.steps_of(second), list(range(1, 6)))

    def test_files_of_others_outlive_overwrite(self):
        out = self.home / "out"
        short = ["mnist_mlp", "--set", "data.take=640", "--set", "fit.epochs=1", "--out", out]
        self.train(*short)
        (out / "checkpoints" / "notes.txt").write_text("mine")
        self.train(*short, "--overwrite")
        self.assertEqual((out / "checkpoints" / "notes.txt").read_text(), "mine")

    def test_names_of_the_runs_own_files(self):
        for name, word in (("run.json", "own files"), ("journal", "own files"), ("checkpoints/a.csv", "outside of checkpoints")):
            done = self.run_cli("train", "mnist_mlp", "--set", f'callbacks.csv_logger={{"filename":"{name}"}}')
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertIn("callbacks.csv_logger.filename: expected", done.stderr)
            self.assertIn(word, done.stderr)

    def test_output_that_can_not_be_written(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([BIN / "tandem-cli", "summary", "mnist_mlp"], env=self.env, stdout=full, stderr=subprocess.PIPE, text=True,
                                  timeout=300)
        self.assertEqual(done.returncode, 1)
        self.assertIn("standard output", done.stderr)


class NothingLeft(CodedTest):
    """Every record is skipped: that is no training, whatever the loss of nothing is."""

    def test_fails(self):
        for name in ("a", "b"):
            folder = self.home / "pictures" / name
            folder.mkdir(parents=True)
            for i in range(40):
                (folder / f"{i}.png").write_bytes(b"no picture")
        project = self.project("mnist_mirrored", data__dataset="image_folder", data__train_files=[str(self.home / "pictures")],
                               data__on_error="skip", data__images={"size": [28, 28], "color_mode": "grayscale"}, data__validate_on_test=False)
        done = self.run_cli("train", project, timeout=300)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout + done.stderr, r"none was left in epoch 1; 80 records skipped, the first: .*\.png")


class Pipes(CodedTest):
    """Opening a pipe waits for its writer: whatever takes a file by its name refuses one at once."""

    def refuse(self, *command):
        done = subprocess.run([str(part) for part in command], env=self.env, cwd=self.home, text=True, capture_output=True, timeout=120,
                              stdin=subprocess.DEVNULL)
        self.assertIn(done.returncode, (1, 2), done.stdout + done.stderr)
        self.assertIn("expected a file, got a pipe", done.stdout + done.stderr)

    def test_are_no_files(self):
        pipes = {ending: self.home / f"pipe{ending}" for ending in ("", ".tandem", ".py", ".h5", ".index", ".npy", ".csv")}
        for pipe in pipes.values():
            os.mkfifo(pipe)
        cli, worker, project = BIN / "tandem-cli", BIN / "tandem-worker", self.project("mnist_mlp")
        self.refuse(cli, "check", pipes[""])
        self.refuse(cli, "check", pipes[".tandem"])
        self.refuse(cli, "export", "tf-config", "--cluster", pipes[""], "--out", self.home)
        self.refuse(cli, "import", pipes[".py"], "--out", self.home / "new.tandem")
        self.refuse(worker, pipes[".tandem"])
        self.refuse(cli, "import", pipes[".h5"], "--out", self.home / "new.tandem")
        for checkpoint in (pipes[".h5"], pipes[""]):  # a Keras file; the prefix of a checkpoint
            self.refuse(cli, "evaluate", project, "--checkpoint", checkpoint)
        own = self.project("mnist_mlp", data__dataset="csv", data__train_files=[str(pipes[".csv"])], data__csv={"label": "0"},
                           data__validate_on_test=False)
        self.refuse(cli, "data", own)
        self.refuse(cli, "train", own)


class DamagedCheckpoints(CodedTest):
    def test_are_refused_wherever_the_damage_is(self):
        out = self.home / "out"
        self.train("mnist_mlp", "--set", "fit.epochs=1", "--set", "data.take=64", "--out", out)
        data = sorted((out / "checkpoints").glob("*.data-00000-of-00001"))[-1]
        whole = data.read_bytes()
        self.assertEqual(self.run_cli("evaluate", out, timeout=300).returncode, 0)
        for part in range(8):  # of weights, of the optimizer's slots, and of the graph at the end
            damaged = bytearray(whole)
            damaged[len(whole) * part // 8 + 100] ^= 16
            data.write_bytes(damaged)
            done = self.run_cli("evaluate", out, timeout=300)
            self.assertEqual(done.returncode, 1, f"part {part}: {done.stdout}{done.stderr}")
            self.assertRegex(done.stdout + done.stderr, r"checkpoint .*: expected the checksum 0x[0-9a-f]{8}, got 0x[0-9a-f]{8}")


class TakenPort(CodedTest):
    def test_is_named(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            ports = [*free_ports(1), taken.getsockname()[1]]
            project = self.project("mnist_multi_worker", cluster__worker=[f"localhost:{port}" for port in ports])
            done = self.run_cli("train", project, timeout=300)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn(str(ports[1]), done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
