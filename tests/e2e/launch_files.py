"""What the tests of launch files have in common."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

try:
    import yaml
except ImportError:
    yaml = None

BIN = pathlib.Path(os.environ.get("TANDEM_BIN", "build/dev/bin")).resolve()
TEMPLATES = pathlib.Path(os.environ.get("TANDEM_SOURCE", ".")).resolve() / "resources" / "templates"
SERVERS = "book_parameter_servers"


class LaunchFilesCase(unittest.TestCase):
    """A project, and the files that `export launch` makes of it."""

    def setUp(self):
        if yaml is None:
            self.skipTest("YAML: expected Python's module yaml (bash installer/setup.sh --tests), found none")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tandem-launch-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.project = self.folder / "My mnist.tandem"
        shutil.copy(TEMPLATES / "mnist_multi_worker.tandem", self.project)

    def export(self, kind, *options, project=None):
        done = subprocess.run([BIN / "tandem-cli", "export", "launch", project or self.project, "--kind", kind, *map(str, options)], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=300, check=False, env={"PATH": os.environ["PATH"], "HOME": str(self.folder)})
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def documents(self, kind, *options, project=None):
        return list(yaml.safe_load_all(self.export(kind, *options, project=project)))

    def every_file(self, kind):
        """Files with all options, with none, of several GPUs a task, of servers, of a starter project, and of several seeds."""
        all_options = ["--nodes", 3, "--cpus-per-task", 2, "--gpus-per-task", 1, "--memory", "4G", "--image", "registry.example:5000/tandem:1",
                       "--set", "fit.epochs=3", *([] if kind == "compose" else ["--time", "1-12"])]
        yield from (self.export(kind), self.export(kind, *all_options), self.export(kind, "--gpus-per-task", 2), self.export(kind, project=SERVERS), self.export(kind, project="mnist_multi_worker"),
                    self.export(kind, "--seeds", 2))
