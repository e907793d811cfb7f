"""Bad input ends with one clear message that names the object, the expectation and the fact; never with a crash or a hang."""
import gzip
import json
import shutil
import socket
import unittest

from programs import SOURCE, ProgramTest, free_ports

MNIST = SOURCE / "resources" / "datasets" / "mnist"


class BadProjects(ProgramTest):
    def refuse(self, path, *words, options=()):
        done = self.run_cli("train", path, *options, timeout=60)
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


class BadData(ProgramTest):
    def setUp(self):
        super().setUp()
        self.data = self.home / "mnist"
        shutil.copytree(MNIST, self.data)
        self.env["TANDEM_DATA_DIR"] = str(self.home)

    def expect_failure(self, *words):
        done = self.run_cli("train", "mnist_mirrored", "--set", "fit.epochs=1", "--set", "data.take=640", timeout=60)
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


class TakenPort(ProgramTest):
    def test_is_named(self):
        ports = free_ports(2)
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", ports[1]))
            taken.listen()
            project = self.project("mnist_multi_worker", cluster__worker=[f"localhost:{port}" for port in ports])
            done = self.run_cli("train", project, timeout=60)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn(str(ports[1]), done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
