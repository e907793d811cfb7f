"""Tasks that are started by hand on several hosts: they meet over TLS, end with the weights of one host, and let nobody else in."""
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from hosts import Hosts, wait_for
from loads import Loads
from stopwatch import Stopwatch

BIN = pathlib.Path(os.environ.get("TANDEM_BIN", "build/dev/bin")).resolve()
PROJECT = "mnist_multi_worker"
PORT = 2222
QUICK = {"fit.epochs": 1, "fit.steps_per_epoch": 40, "fit.validation_steps": 1, "data.take": 6000}
ENDLESS = {"fit.epochs": 200, "fit.steps_per_epoch": 50, "data.take": 6000, "fit.validation_steps": 1}
NAMED_WITHIN_S = 5.0
SMALL = [{"class_name": "Flatten", "name": "flatten", "config": {}}, {"class_name": "Dense", "name": "pred", "config": {"units": 10}}]


def settings_of(values):
    return [word for path, value in values.items() for word in ("--set", f"{path}={json.dumps(value)}")]


class Task:
    """One tandem-worker in a node, and what it has printed."""

    def __init__(self, hosts, node, folder, name, argv, env, out=None):
        self.node, self.name, self.file = node, name, folder / f"{name}.txt"
        self.out = out or folder / name
        with open(self.file, "w", encoding="utf-8") as out:
            self.process = hosts.start(node, [BIN / "tandem-worker", *argv, "--out", self.out], env=env, stdout=out)

    def text(self):
        return self.file.read_text(errors="replace")

    def has_printed(self, text, after=0):
        try:
            wait_for(lambda: text in self.text()[after:], f"{text!r}")
        except AssertionError as late:
            raise AssertionError(f"{self.name} on {self.node}: {late}\n{self.text()[-3000:]}") from late

    def end(self, seconds=300):
        self.process.wait(seconds)
        return self.process.returncode

    def digest(self):
        return json.loads((self.out / "finished.json").read_text())["weights_sha256"]


class HostsTest(unittest.TestCase):
    nodes = 3
    options = {}

    def setUp(self):
        if why := Hosts.missing():
            self.skipTest(why)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tandem-hosts-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        self.hosts = stack.enter_context(Hosts(self.nodes, share=[self.folder], **self.options))
        self.key = self.folder / "cluster.key"
        self.run_on("node1", "tandem-cli", "cluster-key", "--out", self.key)

    def run_on(self, node, program, *arguments):
        done = self.hosts.run(node, [BIN / program, *map(str, arguments)], timeout=300)
        self.assertEqual(done.returncode, 0, f"{program} {arguments}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def start(self, node, cluster, job, index, values, key=True, name=None, folder=None, out=None):
        env = {"TF_CONFIG": json.dumps({"cluster": cluster, "task": {"type": job, "index": index}})}
        argv = [PROJECT, "--threads", "1", *settings_of(values)]
        if key:
            argv += ["--cluster-key", self.key if key is True else key]
        return Task(self.hosts, node, folder or self.folder, name or f"{job}{index}", argv, env, out)

    def ring(self, addresses, values, **options):
        """A worker on each of node1, node2, ... by those addresses."""
        return [self.start(f"node{index + 1}", {"worker": addresses}, "worker", index, values, **options) for index in range(len(addresses))]

    def expect_done(self, tasks):
        for task in tasks:
            self.assertEqual(task.end(), 0, f"{task.name} on {task.node}\n{task.text()[-3000:]}")

    def kill(self, tasks):
        for task in tasks:
            task.process.kill()
            task.process.wait()

    def on_one_host(self, count, values):
        """The digest of so many workers on node1 alone."""
        addresses = [f"localhost:{3000 + index}" for index in range(count)]
        folder = self.folder / "alone"
        folder.mkdir()
        tasks = [self.start("node1", {"worker": addresses}, "worker", index, values, key=False, folder=folder) for index in range(count)]
        self.expect_done(tasks)
        return tasks[0].digest()


class ByHand(HostsTest):
    def test_three_hosts_end_with_the_weights_of_one_and_say_nothing_in_plain(self):
        with self.hosts.capture("node2") as capture:
            tasks = self.ring([f"node{index}:{PORT}" for index in (1, 2, 3)], QUICK)
            self.expect_done(tasks)
        self.assertEqual(tasks[0].digest(), self.on_one_host(3, QUICK))
        seen = capture.bytes()
        self.assertGreater(len(seen), 1_000_000, "gradients went by")
        for word in (b"worker", b"node1:2222", b"agent.proto", b"PRI * HTTP/2", b"mnist", b"dense", b"conv2d", b"tandem 1"):
            self.assertNotIn(word, seen)
        self.assertIn("gRPC over TLS", tasks[0].text())

    def test_names_of_debian_and_numbers_of_ipv6(self):
        for addresses in ([f"{self.hosts.address(f'node{index}')}:{PORT}" for index in (1, 2, 3)], [f"[fd77::{index}]:{PORT}" for index in (1, 2, 3)]):
            folder = self.folder / addresses[0].strip("[]").replace(":", "-")
            folder.mkdir()
            self.expect_done(self.ring(addresses, QUICK, folder=folder))

    def test_a_task_listens_at_its_own_address_alone(self):
        tasks = self.ring([f"node{index}:{PORT}" for index in (1, 2, 3)], ENDLESS)
        tasks[0].has_printed("Epoch 2/")
        sockets = self.hosts.run("node1", ["ss", "-Hltn"], timeout=120).stdout
        listening = [line.split()[3] for line in sockets.splitlines()]
        self.assertNotIn(f"0.0.0.0:{PORT}", listening)
        self.assertNotIn(f"*:{PORT}", listening)
        self.kill(tasks)

    def test_without_a_key_or_with_another_one_nobody_gets_in(self):
        addresses = [f"node{index}:{PORT}" for index in (1, 2)]
        refused = self.start("node1", {"worker": addresses}, "worker", 0, QUICK, key=False, name="keyless")
        self.assertEqual(refused.end(), 1)
        self.assertIn("worker 1 at node2:2222 is on another computer", refused.text())
        self.assertIn("tandem-cli cluster-key --out FILE", refused.text())
        other = self.folder / "other.key"
        self.run_on("node2", "tandem-cli", "cluster-key", "--out", other)
        first = self.start("node1", {"worker": addresses}, "worker", 0, QUICK)
        stranger = self.start("node2", {"worker": addresses}, "worker", 1, QUICK, key=other, name="stranger")
        first.has_printed("what answers at node2:2222 has not proven the cluster's key")
        stranger.has_printed("turned away")
        stranger.process.kill()
        stranger.end()
        member = self.start("node2", {"worker": addresses}, "worker", 1, QUICK)
        self.expect_done([first, member])

    def test_a_lost_host_is_named_in_time(self):
        for way in ("killed", "off", "cut"):
            with self.subTest(way):
                folder = self.folder / way
                folder.mkdir()
                tasks = self.ring([f"node{index}:{PORT}" for index in (1, 2, 3)], ENDLESS, folder=folder)
                self.addCleanup(self.kill, tasks)
                tasks[0].has_printed("Epoch 2/")
                heard = len(tasks[0].text())
                watch = Stopwatch()
                if way == "killed":
                    tasks[2].process.kill()
                elif way == "off":
                    self.hosts.power("node3", "off")
                else:
                    self.hosts.link("node3", "down")
                tasks[0].has_printed("worker 2 at node3:2222", heard)
                print(f"{way}: named after {watch.seconds():.1f} s", flush=True)
                watch.expect(NAMED_WITHIN_S, f"a word of a host that was {way}")
                for task in tasks[:2]:
                    self.assertEqual(task.end(), 1, task.text()[-2000:])
                    self.assertRegex(task.text(), "worker 2 at node3:2222 (closed its connection|broke the data stream|sent no heartbeat)")
                if way == "off":
                    self.hosts.power("node3", "on")
                if way == "cut":
                    tasks[2].end()
                    self.assertTrue(re.search(r"worker [01] at node[12]:2222", tasks[2].text()), tasks[2].text()[-2000:])
                    self.hosts.link("node3", "up")
                self.kill(tasks)

    def test_a_task_that_is_killed_in_the_middle_of_a_step_is_named_by_the_other(self):
        tasks = self.ring([f"node{index}:{PORT}" for index in (1, 2)], dict(ENDLESS, **{"cluster.heartbeat_fatal_s": 600}))
        self.addCleanup(self.kill, tasks)
        tasks[0].has_printed("Epoch 2/")
        self.assertIn("gRPC over TLS", tasks[0].text())
        [victim] = self.hosts.processes("node2", "tandem-worker")
        os.kill(victim, signal.SIGSTOP)
        # Every step needs both: by then the other one waits in the middle of one, and goes on waiting.
        tasks[0].has_printed("worker 1 at node2:2222 has given no sign of life")
        heard = len(tasks[0].text())
        watch = Stopwatch()
        os.kill(victim, signal.SIGKILL)
        tasks[0].has_printed("worker 1 at node2:2222", heard)
        watch.expect(NAMED_WITHIN_S, "a word of a task that was killed")
        self.assertEqual(tasks[0].end(), 1, tasks[0].text()[-2000:])
        self.assertRegex(tasks[0].text()[heard:], "error: worker 1 at node2:2222 (closed its connection|broke the data stream)")

    def test_a_cable_that_is_out_for_two_seconds_changes_nothing(self):
        values = dict(QUICK, **{"fit.epochs": 5, "cluster.heartbeat_fatal_s": 60})  # on a loaded machine two seconds may be many
        tasks = self.ring([f"node{index}:{PORT}" for index in (1, 2, 3)], values)
        tasks[0].has_printed("Epoch 2/")
        self.hosts.link("node2", "down")
        time.sleep(2)
        self.hosts.link("node2", "up")
        self.expect_done(tasks)
        self.assertEqual(tasks[0].digest(), self.on_one_host(3, values))


class FollowedByHand(HostsTest):
    """Three hosts see one folder; the agent of the first follows the run in it."""

    def test_what_every_host_uses_and_who_waits_are_seen(self):
        out = self.folder / "run"
        tasks = self.ring([f"node{index}:{PORT}" for index in (1, 2, 3)], dict(ENDLESS, **{"cluster.heartbeat_fatal_s": 300}), out=out)
        self.addCleanup(self.kill, tasks)
        tasks[0].has_printed("Epoch 2/")
        watching = self.hosts.start("node1", [BIN / "tandem-cli", "watch", out, "--json"], stdout=subprocess.DEVNULL)
        self.addCleanup(self.kill_program, watching)
        run = wait_for(lambda: [json.loads(line)["id"] for line in self.run_on("node1", "tandem-cli", "runs", "--json").splitlines()], "the run in the list")[0]
        with Loads(self.hosts, "node1", self.folder / "loads.txt") as loads:
            wait_for(lambda: len(loads.tasks_of(run)) == 3, "a reading of every task")
            wait_for(lambda: all(task["exchange"] for _, task in loads.tasks_of(run).values()), "where every task is in its exchange")
            seen = wait_for(lambda: loads.measured(run), "what every computer has")
            self.assertEqual({task: load["host"] for task, (load, _) in seen.items()}, {"worker 0": "", "worker 1": "node2", "worker 2": "node3"})
            for load, task in seen.values():
                self.assertGreater(load["memory_bytes"], load["memory_used_bytes"], load)
                self.assertGreater(task["resident_bytes"], 1 << 20, task)
                self.assertLess(abs(load["time_unix_ns"] / 1e9 - time.time()), 60, "by the clock of who watches")
            wait_for(lambda: all(task["cpu_cores"] > 0 for _, task in loads.tasks_of(run).values()), "tasks that compute")
            [stopped] = self.hosts.processes("node3", "tandem-worker")
            os.kill(stopped, signal.SIGSTOP)
            self.addCleanup(os.kill, stopped, signal.SIGCONT)
            wait_for(lambda: max(loads.tasks_of(run)[task][1]["exchange"]["wait_s"] for task in ("worker 0", "worker 1")) > 2, "a task that waits")
            waiting = [task for task in loads.tasks_of(run).values() if task[1]["exchange"]["wait_s"] > 2]
            self.assertIn(waiting[0][1]["exchange"]["awaited"], ("worker 0", "worker 1", "worker 2"))

    @staticmethod
    def kill_program(program):
        program.kill()
        program.wait()


class ParameterServers(HostsTest):
    nodes = 4

    def test_one_server_and_three_workers_over_four_hosts(self):
        cluster = {"ps": [f"node1:{PORT}"], "worker": [f"node{index}:{PORT}" for index in (2, 3, 4)]}
        env = {}
        tasks = []
        values = {"fit.steps": 600, "data.take": 6000, "fit.log_every": 50, "model.layers": SMALL}
        for node, job, index in (("node1", "ps", 0), ("node2", "worker", 0), ("node3", "worker", 1), ("node4", "worker", 2)):
            flags = ["--ps_hosts=" + ",".join(cluster["ps"]), "--worker_hosts=" + ",".join(cluster["worker"]), f"--job_name={job}", f"--task_index={index}"]
            tasks.append(Task(self.hosts, node, self.folder, f"{job}{index}",
                              ["book_parameter_servers", *flags, "--threads", "1", *settings_of(values), "--cluster-key", self.key], env))
        self.expect_done(tasks)
        steps = re.findall(r"^global_step: (\d+)$", tasks[1].text(), re.M)
        self.assertGreaterEqual(int(steps[-1]), 600, tasks[1].text()[-2000:])
        for task, expected in zip(tasks, ("is connected over gRPC over TLS", *["<-> ps 0: gRPC over TLS"] * 3)):
            self.assertIn(expected, task.text())


# A model whose step is short, and epochs enough that nobody is at the end when its chief dies.
COORDINATED = {"fit.steps": 0, "fit.epochs": 1000, "data.take": 6000, "cluster.start_timeout_s": 30, "model.layers": SMALL}


class Coordinated(HostsTest):
    """A chief that coordinates parameter servers from a host of its own, which is lost."""
    nodes = 3

    def test_a_chief_whose_host_is_lost_between_epochs_is_named_by_all(self):
        for way in ("killed", "off"):
            with self.subTest(way):
                folder = self.folder / way
                folder.mkdir()
                cluster = {"chief": [f"node1:{PORT}"], "ps": [f"node2:{PORT}"], "worker": [f"node3:{PORT}"]}
                tasks = []
                for node, job in (("node1", "chief"), ("node2", "ps"), ("node3", "worker")):
                    env = {"TF_CONFIG": json.dumps({"cluster": cluster, "task": {"type": job, "index": 0}})}
                    tasks.append(Task(self.hosts, node, folder, f"{job}0",
                                      ["book_parameter_servers", "--threads", "1", *settings_of(COORDINATED), "--cluster-key", self.key], env))
                self.addCleanup(self.kill, tasks)
                chief, server, worker = tasks
                worker.has_printed("Epoch 2/")
                if way == "killed":
                    chief.process.kill()
                else:
                    self.hosts.power("node1", "off")
                worker.has_printed(f"chief 0 at node1:{PORT} is gone; it may come back within 30 s")
                for task in (worker, server):
                    self.assertEqual(task.end(), 1, task.text()[-2000:])
                    self.assertIn(f"error: chief 0 at node1:{PORT} is gone: expected it back within 30 s", task.text())
                if way == "off":
                    self.hosts.power("node1", "on")
                self.kill(tasks)


# A stranger on another host: first calls of every kind, then a thousand that stay and say nothing. Prints when all of them are there.
STRANGER = """
import os, resource, socket, sys, time
resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
where = ("node1", 2222)
first = [b"tandem 1" + os.urandom(48), b"PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n", bytes([22, 3, 1, 2, 0]) + os.urandom(512), b"GET / HTTP/1.1\\r\\n\\r\\n"]
heard = b""
for said in first:
    with socket.create_connection(where, timeout=120) as stranger:
        stranger.sendall(said)
        try:
            while piece := stranger.recv(4096):
                heard += piece
        except ConnectionError:
            pass
print("heard", heard.hex(), flush=True)
silent = [socket.create_connection(where, timeout=120) for _ in range(1000)]
print("all there", flush=True)
time.sleep(1000)
"""


class Strangers(HostsTest):
    nodes = 4

    def test_they_are_turned_away_and_disturb_nobody(self):
        flags = [f"--ps_hosts=node1:{PORT}", f"--worker_hosts=node2:{PORT},node3:{PORT}", "--cluster-key", self.key, "--threads", "1"]
        values = settings_of({"fit.steps": 4000, "data.take": 6000, "fit.log_every": 500, "model.layers": SMALL})
        server = Task(self.hosts, "node1", self.folder, "ps0", ["book_parameter_servers", "--job_name=ps", *flags, *values], {})
        self.addCleanup(server.process.kill)
        server.has_printed("listening at node1:2222")
        said = self.folder / "stranger.txt"
        with open(said, "w", encoding="utf-8") as out:
            stranger = self.hosts.start("node4", ["python3", "-c", STRANGER], stdout=out)
        self.addCleanup(stranger.kill)
        workers = [Task(self.hosts, f"node{index + 2}", self.folder, f"worker{index}",
                        ["book_parameter_servers", "--job_name=worker", f"--task_index={index}", *flags, *values], {}) for index in (0, 1)]
        wait_for(lambda: "all there" in said.read_text(), "a thousand strangers")
        self.expect_done([*workers, server])
        self.assertIn("not proven the cluster's key, the last one 10.77.0.4:", server.text())
        # A TLS alert is all that one of them was told.
        heard = re.search(r"heard ([0-9a-f]*)", said.read_text()).group(1)
        self.assertLess(len(heard) // 2, 64, heard)
        stranger.kill()
        stranger.wait()


class DebianNames(HostsTest):
    nodes = 2
    options = {"debian_names": True}

    def test_an_own_name_that_stands_for_the_loopback_is_no_trap(self):
        self.expect_done(self.ring([f"node{index}:{PORT}" for index in (1, 2)], QUICK))


if __name__ == "__main__":
    unittest.main()
