"""The script that `export launch --kind ssh` writes, over real ssh servers: it trains, ends all tasks when one fails, when it is interrupted and when it
is killed, goes on from the backup, and says what is wrong."""
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import tempfile
import unittest

from hosts import PATH, Hosts, wait_for, without_codes

BIN = pathlib.Path(os.environ.get("TANDEM_BIN", "build/dev/bin")).resolve()
TEMPLATES = pathlib.Path(os.environ.get("TANDEM_SOURCE", ".")).resolve() / "resources" / "templates"
NAME = "it's mnist"
PLAIN_NAME = "it_s_mnist"
EPOCHS = 4
SETTINGS = {"fit.epochs": EPOCHS, "fit.steps_per_epoch": 60, "fit.validation_steps": 1, "data.take": 6000, "name": "it's $HOME"}


def settings_of(values):
    return [word for path, value in values.items() for word in ("--set", f"{path}={json.dumps(value)}")]


class SshScriptTest(unittest.TestCase):
    def setUp(self):
        if why := Hosts.missing(ssh=True):
            self.skipTest(why)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tandem-ssh-script-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        self.hosts = stack.enter_context(Hosts(3, share=[self.folder], ssh=True))
        self.project = self.folder / f"{NAME}.tandem"
        shutil.copy(TEMPLATES / "mnist_multi_worker.tandem", self.project)
        self.log = self.folder / "log.txt"
        self.script = self.folder / "train.sh"

    def cli(self, *arguments, expected=0):
        done = self.hosts.run("node1", [BIN / "tandem-cli", *map(str, arguments)], timeout=300)
        self.assertEqual(done.returncode, expected, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done.stdout if expected == 0 else done.stderr

    def export(self, *options, expected=0):
        return self.cli("export", "launch", self.project, "--kind", "ssh", "--out", self.script, *settings_of(SETTINGS), *options, expected=expected)

    def start(self, worker=BIN / "tandem-worker"):
        self.log.write_text("")
        with open(self.log, "a", encoding="utf-8") as out:
            script = self.hosts.start("node1", ["env", "-C", self.folder, "bash", self.script], stdout=out,
                                      env={"PATH": f"{BIN}:{PATH}", "TANDEM_WORKER": str(worker)})
        self.addCleanup(lambda: (script.kill(), script.wait()))
        return script

    def text(self):
        return self.log.read_text(errors="replace")

    def until(self, text):
        try:
            wait_for(lambda: text in self.text(), f"{text!r}")
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.text()[-4000:]}") from error

    def ends(self, script, code):
        wait_for(lambda: script.poll() is not None, "the script to end", 600)
        self.assertEqual(script.returncode, code, self.text()[-4000:])

    def workers(self):
        return {node: found for node in self.hosts.nodes if (found := self.hosts.processes(node, "tandem-worker"))}

    def run_folder(self, node):
        return self.hosts.home(node) / "tandem-runs" / PLAIN_NAME

    def expect_the_weights_of_local_workers(self, node, workers):
        lines = self.cli("train", self.project, "--workers", workers, "--json", "--out", self.folder / "local", *settings_of(SETTINGS)).splitlines()
        self.assertEqual(json.loads((self.run_folder(node) / "run" / "finished.json").read_text())["weights_sha256"], json.loads(lines[-1])["weights_sha256"])

    def test_three_tasks_on_two_computers_train_to_the_end(self):
        self.export("--hosts", "node2:2,node3")
        script = self.start()
        self.ends(script, 0)
        for line in ("worker-0: Epoch 1/", "worker-2: ", "gRPC over TLS"):
            self.assertIn(line, self.text())
        self.assertEqual(self.workers(), {})
        self.assertEqual((self.run_folder("node3") / "cluster.key").stat().st_mode & 0o777, 0o600)
        self.assertEqual((self.run_folder("node3") / "project.tandem").read_text(), self.project.read_text())
        self.assertEqual(json.loads((self.run_folder("node2") / "run" / "run.json").read_text())["name"], SETTINGS["name"], "quoted through two shells")
        self.expect_the_weights_of_local_workers("node2", 3)

    def test_all_tasks_end_with_one_and_the_run_goes_on(self):
        self.export("--hosts", "node2,node3")
        script = self.start()
        self.until("saved checkpoints/ckpt_1")
        [worker] = self.hosts.processes("node3", "tandem-worker")
        os.kill(worker, signal.SIGKILL)
        wait_for(lambda: script.poll() is not None, "the script to end", 600)
        self.assertNotEqual(script.returncode, 0)
        self.assertIn("worker-1 on node3 ended with exit code 137", self.text())
        self.assertEqual(self.workers(), {})
        # Ctrl+C stops after a step, with a backup.
        script = self.start()
        self.until("Resumed at epoch ")
        self.until("Epoch 3/")
        script.send_signal(signal.SIGINT)
        self.ends(script, 130)
        self.assertIn("The tasks stop after their step. Ctrl+C again does not wait for them.", self.text())
        self.assertEqual(self.workers(), {})
        # Nor does a script that is killed leave tasks behind.
        script = self.start()
        self.until("Resumed at epoch ")
        script.kill()
        wait_for(lambda: not self.workers(), "the tasks to end with the script")
        script = self.start()
        self.ends(script, 0)
        self.expect_the_weights_of_local_workers("node2", 2)

    def test_what_is_wrong_is_said(self):
        self.assertEqual(without_codes(self.export(expected=2)), "error: --hosts: expected the computers on which the tasks are to run, such as node1,node2:2, since the project's "
                                                  "cluster has localhost:12345, got none\n")
        self.export("--hosts", "node2:2,node3")
        script = self.start("/no/such/worker")
        self.ends(script, 127)
        self.assertRegex(self.text(), r"worker-\d: .*/no/such/worker: not found")
        # 143: it was told to end before it had begun.
        self.assertEqual(len(re.findall(r"^worker-\d on node[23] ended with exit code (?:127|143)$", self.text(), re.M)), 3, self.text())
        self.hosts.ssh.know(unknown=["node3"])
        script = self.start()
        self.ends(script, 1)
        self.assertIn("node3: the key could not be copied there", self.text())
        self.assertEqual(self.workers(), {}, "nothing was begun")


if __name__ == "__main__":
    unittest.main()
