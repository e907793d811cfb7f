"""What a worker says on machines whose NVIDIA driver is too old, finds no GPU or does not answer: the real back-end and the real CUDA runtime over
a libcuda.so.1 of our own (driver.cpp)."""
import os
import pathlib
import subprocess
import tempfile
import unittest

BIN = pathlib.Path(os.environ["TANDEM_BIN"])
STAND_IN = pathlib.Path(os.environ["TANDEM_STAND_IN_DRIVER"])
PROJECT = pathlib.Path(os.environ["TANDEM_SOURCE"]) / "resources" / "templates" / "mnist_mirrored.tandem"
NO_DEVICE, UNKNOWN = 100, 999  # CUresult


class DriverTest(unittest.TestCase):
    def train(self, version, init, *options):
        with tempfile.TemporaryDirectory() as folder:
            libraries = ":".join(filter(None, [str(STAND_IN), os.environ.get("LD_LIBRARY_PATH")]))
            env = dict(os.environ, HOME=folder, XDG_DATA_HOME=folder, LD_LIBRARY_PATH=libraries, TANDEM_DRIVER_VERSION=str(version),
                       TANDEM_DRIVER_INIT=str(init))
            done = subprocess.run([BIN / "tandem-worker", PROJECT, "--out", pathlib.Path(folder) / "run", "--set", "fit.epochs=1", "--set",
                                   "fit.steps_per_epoch=3", "--set", "data.validate_on_test=false", *options],
                                  env=env, capture_output=True, text=True, timeout=120, check=False)
            return done.returncode, done.stdout + done.stderr

    def refuses(self, version, init, words):
        status, text = self.train(version, init, "--device", "gpu")
        self.assertNotEqual(status, 0, text)
        self.assertIn("strategy.devices: expected 1 GPU, found 0: ", text)
        for word in words:
            self.assertIn(word, text)

    def test_names_an_old_driver_and_what_is_needed(self):
        self.refuses(12040, 0, ["driver is too old", "CUDA 12.4", "CUDA 13.0 or newer"])

    def test_says_that_no_gpu_was_found(self):
        self.refuses(13000, NO_DEVICE, ["driver finds no GPU"])

    def test_says_that_the_driver_does_not_answer(self):
        self.refuses(13000, UNKNOWN, ["driver does not answer"])

    def test_trains_on_the_processor_where_no_gpu_was_asked_for(self):
        for version, init in ((12040, 0), (13000, NO_DEVICE), (13000, UNKNOWN)):
            with self.subTest(version=version, init=init):
                status, text = self.train(version, init)
                self.assertEqual(status, 0, text)
                self.assertIn("global batch 64, cpu", text)


if __name__ == "__main__":
    unittest.main()
