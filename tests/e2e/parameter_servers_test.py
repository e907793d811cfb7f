"""Parameter servers: four processes by the flags of TensorFlow 1's programs, the same by TF_CONFIG and by one command, and tasks that are lost."""
import collections
import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import unittest

from programs import BIN, ProgramTest, free_ports, process_of, wait_for

STARTER = "book_parameter_servers"
SMALL = ["--set", "data.take=6000", "--threads", "1"]
# A model whose step is short, so that tests may take many of them.
DENSE = ["--set", 'model.layers=[{"class_name":"Flatten","name":"flatten","config":{}},{"class_name":"Dense","name":"dense","config":{"units":64,'
         '"activation":"relu"}},{"class_name":"Dense","name":"pred","config":{"units":10}}]', *SMALL]


class ParameterServers(ProgramTest):
    def setUp(self):
        super().setUp()
        ports = free_ports(6)
        self.ps_hosts = [f"localhost:{ports[0]}", f"localhost:{ports[1]}"]
        self.worker_hosts = [f"localhost:{port}" for port in ports[2:5]]
        self.tasks = {}

    def tearDown(self):
        self.kill_all()
        super().tearDown()

    def kill_all(self):
        for task in self.tasks.values():
            if task.poll() is None:
                task.kill()
            task.wait()
            if task.stdout is not None:
                task.stdout.close()
        self.tasks.clear()

    def launch(self, job, index, *arguments, servers=1, workers=3):
        """A task of a cluster, in the way of the book."""
        old = self.tasks.pop((job, index), None)
        if old is not None:
            old.stdout.close()
        self.tasks[job, index] = self.start(
            "tandem-worker", STARTER, f"--job_name={job}", f"--task_index={index}", "--ps_hosts=" + ",".join(self.ps_hosts[:servers]),
            "--worker_hosts=" + ",".join(self.worker_hosts[:workers]), "--out", self.home / f"{job}{index}", *arguments)

    def output(self, job, index):
        return self.tasks[job, index].communicate(timeout=300)[0]

    def last_step(self, job, index):
        """Reads lines until the task says at which step it is."""
        for line in self.tasks[job, index].stdout:
            if match := re.match(r"Worker : \d+, Step: (\d+)\.0", line):
                return int(match[1])
        raise AssertionError(f"{job} {index} ended")

    def test_four_processes_print_what_the_book_prints(self):
        settings = ["--set", "fit.steps=600", "--set", "fit.log_every=50", *SMALL]
        for job, index in (("ps", 0), ("worker", 0), ("worker", 1), ("worker", 2)):
            self.launch(job, index, *settings)
        told = set()
        for index in range(3):
            text = self.output("worker", index)
            self.assertEqual(self.tasks["worker", index].returncode, 0, text)
            lines = re.findall(rf"^Worker : {index}, Step: (\d+)\.0, Accuracy \(batch\): [01]\.\d+$", text, re.M)
            self.assertTrue(all(int(step) % 50 == 0 for step in lines), lines)
            told.update(map(int, lines))
            self.assertGreater(float(re.search(r"^Test-Accuracy: (\d\.\d+)$", text, re.M)[1]), 0.85)
            steps = int(re.search(r"^global_step: (\d+)$", text, re.M)[1])
            self.assertTrue(600 <= steps <= 602, steps)
        self.assertLessEqual(set(range(50, 601, 50)), told, "each step was one worker's")
        self.assertEqual(self.tasks["ps", 0].wait(300), 0)
        self.assertIn("Done", self.output("ps", 0))
        self.assertTrue((self.home / "worker0" / "checkpoints" / "checkpoint").exists(), "worker 0 is chief")
        self.assertFalse((self.home / "worker1").exists())

    def test_tf_config_says_the_same_and_shards_are_saved_as_one_tensor(self):
        cluster = {"ps": self.ps_hosts, "worker": self.worker_hosts[:2]}
        settings = ["--set", "fit.steps=100", "--set", 'strategy.variable_partitioner={"class_name":"FixedShardsPartitioner","config":{"num_shards":2}}',
                    *DENSE]
        for job, count in (("ps", 2), ("worker", 2)):
            for index in range(count):
                config = json.dumps({"cluster": cluster, "task": {"type": job, "index": index}})
                self.tasks[job, index] = self.start("tandem-worker", STARTER, "--out", self.home / f"{job}{index}", *settings,
                                                    env=dict(self.env, TF_CONFIG=config))
        for task in self.tasks:
            text = self.output(*task)
            self.assertEqual(self.tasks[task].returncode, 0, f"{task}\n{text}")
        done = self.run_cli("evaluate", STARTER, *[a for a in DENSE if a not in ("--threads", "1")], "--checkpoint", self.home / "worker0" / "checkpoints",
                            "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(json.loads(done.stdout.splitlines()[-1])["test_accuracy"], 0.2)

    def test_one_command_launches_them_all(self):
        events = self.train(STARTER, "--set", "fit.steps=300", *DENSE, "--out", self.home / "out")
        last = events[-1]
        self.assertEqual(last["state"], "done")
        self.assertTrue(300 <= last["global_step"] <= 302, last)
        self.assertGreater(last["images_per_s"], 0)
        self.assertGreaterEqual(last["largest_staleness"], last["mean_staleness"])
        self.assertGreater(last["test_accuracy"], 0.5)

    def test_one_worker_on_two_servers_is_one_that_trains_alone(self):
        ports = free_ports(3)
        cluster = {"ps": [f"localhost:{ports[0]}", f"localhost:{ports[1]}"], "worker": [f"localhost:{ports[2]}"]}
        settings = ["--set", "data.shuffle=0", "--set", "callbacks={}", *DENSE]
        served = self.train(self.project(STARTER, cluster=cluster, fit__steps=100, fit__log_every=1), *settings)
        alone = self.train(self.project(STARTER, cluster={}, strategy={"name": "OneDeviceStrategy"}, fit__steps=0, fit__epochs=1,
                                        fit__steps_per_epoch=100, fit__log_every=1), *settings)
        losses = [[e["loss"] for e in events if e["event"] == "step"] for events in (served, alone)]
        self.assertEqual(len(losses[0]), 100)
        for step, (a, b) in enumerate(zip(*losses, strict=True)):
            self.assertAlmostEqual(a, b, delta=1e-5 * max(1, abs(b)), msg=f"step {step + 1}")
        self.assertEqual(served[-1]["largest_staleness"], 0)

    def test_a_chief_coordinates_evaluates_and_saves(self):
        ports = free_ports(4)
        cluster = {"chief": [f"localhost:{ports[0]}"], "ps": [f"localhost:{ports[1]}"], "worker": [f"localhost:{port}" for port in ports[2:]]}
        for transport in ("shm", "grpc"):
            project = self.project(STARTER, cluster=cluster, fit__steps=0, fit__epochs=4, fit__log_every=1,
                                   callbacks={"model_checkpoint": {}, "reduce_lr_on_plateau": {"monitor": "val_loss", "min_delta": 1000, "patience": 1}})
            events = self.train(project, *DENSE, "--set", f"cluster.transport={transport}", "--out", self.home / transport)
            steps = [e for e in events if e["event"] == "step"]
            epochs = [e for e in events if e["event"] == "epoch"]
            self.assertEqual(len(epochs), 4, epochs)
            for epoch in epochs:
                self.assertTrue({"loss", "accuracy", "val_loss", "val_accuracy"} <= set(epoch), epoch)
            # Every step was one of the workers', and the epoch's loss is the mean of theirs.
            self.assertEqual([e["step"] // 120 for e in epochs], [1, 2, 3, 4], "the workers begin an epoch when the chief does")
            shown = self.run_cli("export", "data", events[-1]["run"], "--split", "--out", self.home / f"{transport}-data", *[
                a for worker in (0, 1) for name in ("loss", "learning_rate") for a in ("--series", f"worker {worker}/{name}")])
            self.assertEqual(shown.returncode, 0, shown.stderr)
            listed = self.run_cli("export", "data", events[-1]["run"], "--list").stdout
            self.assertIn("worker 0/throughput", listed)
            self.assertNotIn("chief 0/throughput", listed, "it trains nothing")
            told = collections.defaultdict(list)
            for file in (self.home / f"{transport}-data").iterdir():
                for row in file.read_text().splitlines()[1:]:
                    _, epoch, _, value = row.split(",")
                    told["loss" if file.stem.endswith("loss") else "rate", int(epoch)].append(float(value))
            losses = [told["loss", epoch] for epoch in range(4)]
            self.assertEqual(sum(map(len, losses)), events[-1]["global_step"], "every step was one of the workers', none the chief's")
            for epoch, of_workers in zip(epochs, losses):
                self.assertAlmostEqual(epoch["loss"], sum(of_workers) / len(of_workers), delta=1e-4)
            for epoch, rate in enumerate((1e-4, 1e-4, 1e-5, 1e-6)):
                for one in told["rate", epoch]:
                    self.assertAlmostEqual(one, rate, delta=1e-3 * rate, msg=f"epoch {epoch + 1}: the callback's rate is the workers'")
            last = events[-1]
            self.assertEqual(last["state"], "done")
            self.assertTrue(480 <= last["global_step"] <= 482, last)
            self.assertGreater(last["test_accuracy"], 0.5)
            self.assertTrue((self.home / transport / "checkpoints" / "checkpoint").exists())

    def test_a_chief_in_a_shell_of_its_own(self):
        ports = free_ports(4)
        cluster = {"chief": [f"localhost:{ports[0]}"], "ps": [f"localhost:{ports[1]}"], "worker": [f"localhost:{port}" for port in ports[2:]]}
        for job, addresses in cluster.items():
            for index in range(len(addresses)):
                config = json.dumps({"cluster": cluster, "task": {"type": job, "index": index}})
                self.tasks[job, index] = self.start("tandem-worker", STARTER, "--out", self.home / f"{job}{index}", "--set", "fit.steps=0", "--set",
                                                    "fit.epochs=2", *DENSE, env=dict(self.env, TF_CONFIG=config))
        told = {task: self.output(*task) for task in sorted(self.tasks, key=lambda task: task[0] == "ps")}
        for task, text in told.items():
            self.assertEqual(self.tasks[task].returncode, 0, f"{task}\n{text}")
        self.assertRegex(told["chief", 0], r"accuracy: 0\.\d+ - loss: \d+\.\d+ - val_accuracy", "the workers' means, and its own validation")
        self.assertTrue((self.home / "chief0" / "checkpoints" / "checkpoint").exists())
        self.assertFalse((self.home / "worker0").exists())

    def launch_into_file(self, cluster, job, index, *settings):
        """A task in a shell of its own, by TF_CONFIG, whose lines go to a file: whoever reads another's keeps nobody waiting."""
        config = json.dumps({"cluster": cluster, "task": {"type": job, "index": index}})
        with open(self.shells / f"{job}{index}.txt", "a", encoding="utf-8") as out:
            self.tasks[job, index] = subprocess.Popen(
                [BIN / "tandem-worker", STARTER, "--out", self.shells / f"{job}{index}", "--set", "fit.steps=0", *settings, *DENSE],
                env=dict(self.env, TF_CONFIG=config), cwd=self.home, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)

    def lines_of(self, job, index):
        return (self.shells / f"{job}{index}.txt").read_text(errors="replace")

    def coordinated_without_chief(self, folder, *settings):
        """Tasks by hand, whose chief is killed once a worker is behind its first epoch: the cluster and the chief's name."""
        self.shells = self.home / folder
        self.shells.mkdir()
        ports = free_ports(4)
        cluster = {"chief": [f"localhost:{ports[0]}"], "ps": [f"localhost:{ports[1]}"], "worker": [f"localhost:{port}" for port in ports[2:]]}
        for job, addresses in cluster.items():
            for index in range(len(addresses)):
                self.launch_into_file(cluster, job, index, *settings)
        wait_for(lambda: any(re.search(r"Epoch (?!1/)\d+/", self.lines_of("worker", index)) for index in (0, 1)), "the second epoch")
        self.tasks["chief", 0].kill()
        self.tasks["chief", 0].wait()
        return cluster, f"chief 0 at {cluster['chief'][0]}"

    def test_a_chief_that_dies_between_epochs_is_named_by_all(self):
        for transport in ("auto", "grpc"):
            with self.subTest(transport):
                _, chief = self.coordinated_without_chief(transport, "--set", "fit.epochs=1000", "--set", "cluster.start_timeout_s=30", "--set",
                                                          f"cluster.transport={transport}")
                for task in (("worker", 0), ("worker", 1), ("ps", 0)):
                    self.assertEqual(self.tasks[task].wait(300), 1, f"{task}\n{self.lines_of(*task)[-3000:]}")
                for index in (0, 1):
                    text = self.lines_of("worker", index)
                    self.assertIn(f"warning: {chief} is gone; it may come back within 30 s", text)
                    self.assertRegex(text, rf"error: {chief} is gone: expected it back within 30 s to begin epoch \d+")
                self.assertRegex(self.lines_of("ps", 0), rf"error: {chief} is gone: expected it back within 30 s")

    def test_a_chief_that_is_started_again_in_time_is_taken(self):
        settings = ("--set", "fit.epochs=40")
        for number in range(5):  # a run of some seconds: on a loaded machine it may be over before its chief is killed
            cluster, chief = self.coordinated_without_chief(f"again{number}", *settings)
            have_noticed = lambda: all(f"{chief} is gone; it may come back within" in self.lines_of("worker", index) for index in (0, 1))
            wait_for(lambda: have_noticed() or any(self.tasks["worker", index].poll() is not None for index in (0, 1)), "the workers to notice")
            if have_noticed():
                break
            self.kill_all()
        self.assertTrue(have_noticed(), "the run was over each time")
        self.launch_into_file(cluster, "chief", 0, *settings)
        for task in sorted(self.tasks, key=lambda task: task[0] == "ps"):
            self.assertEqual(self.tasks[task].wait(300), 0, f"{task}\n{self.lines_of(*task)[-3000:]}")
        self.assertIn("Epoch 40/40", self.lines_of("worker", 0) + self.lines_of("worker", 1))
        self.assertTrue((self.shells / "chief0" / "finished.json").exists())

    def said_when_lost(self, job, index, project, *settings, words):
        """All that a run says, in order, one of whose tasks is killed behind the first step that is told; `words` are in it. It takes seconds:
        on a loaded machine it may be over before the kill, and another one is begun."""
        mark = f'"type": "{job}", "index": {index}'.encode()
        for number in range(5):
            run = self.start("tandem-cli", "train", project, *settings, "--out", self.home / f"out{number}", "--json")
            self.addCleanup(run.stdout.close)
            lines = []
            for line in run.stdout:
                lines.append(line)
                if line.startswith("{") and json.loads(line)["event"] == "step":
                    break
            for pid in process_of(self.marker, "tandem-worker"):
                with contextlib.suppress(OSError):  # it may end meanwhile
                    if mark in pathlib.Path(f"/proc/{pid}/environ").read_bytes():
                        os.kill(pid, signal.SIGKILL)
            text = "".join(lines) + run.communicate(timeout=300)[0]
            self.assertEqual(run.returncode, 0, text[-3000:])
            if all(word in text for word in words):
                return text
        self.fail(f"expected {words}, or it was over each time: {text[-3000:]}")

    def test_a_chief_notices_whichever_server_is_lost(self):
        ports = free_ports(5)
        cluster = {"chief": [f"localhost:{ports[0]}"], "ps": [f"localhost:{port}" for port in ports[1:3]],
                   "worker": [f"localhost:{port}" for port in ports[3:]]}
        project = self.project(STARTER, cluster=cluster, fit__steps=20000, callbacks={"backup_and_restore": {"save_freq": 200}})
        text = self.said_when_lost("ps", 1, project, *DENSE, words=["the parameter servers were restored as they were after step"])
        last = json.loads(text.splitlines()[-1])
        self.assertEqual(last["state"], "done", text[-3000:])
        self.assertGreaterEqual(last["global_step"], 20000)

    def test_a_chief_ends_the_run_of_all(self):
        ports = free_ports(4)
        cluster = {"chief": [f"localhost:{ports[0]}"], "ps": [f"localhost:{ports[1]}"], "worker": [f"localhost:{port}" for port in ports[2:]]}
        project = self.project(STARTER, cluster=cluster, fit__steps=0, fit__epochs=100,
                               callbacks={"early_stopping": {"monitor": "loss", "min_delta": 1000, "patience": 1}})
        last = self.train(project, *DENSE)[-1]
        self.assertEqual(last["state"], "done")
        self.assertTrue(240 <= last["global_step"] < 12000, last)

    def test_any_task_may_be_killed_and_started_again(self):
        settings = ["--set", "fit.steps=6000", "--set", "fit.log_every=1", "--set", "callbacks.backup_and_restore.save_freq=200", *DENSE]
        for job, index in (("ps", 0), ("worker", 0), ("worker", 1), ("worker", 2)):
            self.launch(job, index, *settings)
        for victim, witness in ((("worker", 2), ("worker", 1)), (("ps", 0), ("worker", 1)), (("worker", 0), ("worker", 1))):
            wait_for(lambda: self.last_step(*witness) >= 250, "250 steps")
            self.tasks[victim].kill()
            self.tasks[victim].wait()
            self.launch(*victim, *settings)
        for index in range(3):
            text = self.output("worker", index)
            self.assertEqual(self.tasks["worker", index].returncode, 0, text[-3000:])
            self.assertGreaterEqual(int(re.search(r"^global_step: (\d+)$", text, re.M)[1]), 6000)
        self.assertEqual(self.tasks["ps", 0].wait(300), 0)

    def test_an_agent_starts_a_lost_task_again_while_the_others_go_on(self):
        text = self.said_when_lost("worker", 2, STARTER, "--set", "fit.steps=8000", "--set", "fit.log_every=100", *DENSE,
                                   words=["worker 2: killed by signal 9", "the others go on"])
        last = json.loads([line for line in text.splitlines() if line.startswith("{")][-1])
        self.assertEqual(last["state"], "done")
        self.assertGreaterEqual(last["global_step"], 8000)

    def test_what_is_wrong_is_said_before_anything_starts(self):
        def refused(*arguments, env=None):
            task = self.start("tandem-worker", *arguments, env=env)
            text = task.communicate(timeout=300)[0]
            self.assertEqual(task.returncode, 2, text)
            return text
        self.assertIn("--job_name, --task_index: expected a task of the cluster (1 ps, 3 worker), got worker 7",
                      refused(STARTER, "--job_name=worker", "--task_index=7"))
        self.assertIn("--worker_hosts: expected the workers' addresses beside --ps_hosts, got none",
                      refused(STARTER, "--job_name=ps", "--ps_hosts=localhost:1"))
        self.assertIn("--job_name: expected ps or worker beside the hosts, got none", refused(STARTER, "--worker_hosts=localhost:1"))
        self.assertIn("TF_CONFIG: expected none beside --job_name", refused(STARTER, "--job_name=ps", env=dict(self.env, TF_CONFIG="{}")))
        self.assertIn("error: fit.steps: expected either steps or epochs, got 5000 steps and 3 epochs",
                      refused(STARTER, "--job_name=ps", "--set", "fit.epochs=3"))
        self.assertIn("expected at least one ps for ParameterServerStrategy, got none",
                      refused(STARTER, "--job_name=worker", "--worker_hosts=localhost:1"))


if __name__ == "__main__":
    unittest.main()
