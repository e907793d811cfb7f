"""`tandem-cli train --hosts` on node1: one run whose tasks are on several hosts, each reached over ssh, and what becomes of it when a program,
a host or a cable goes."""
import contextlib
import ctypes
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import time
import unittest

from hosts import Hosts, wait_for, without_codes
from stopwatch import Stopwatch

SOURCE = pathlib.Path(os.environ.get("TANDEM_SOURCE", ".")).resolve()
BIN = pathlib.Path(os.environ.get("TANDEM_BIN", "build/dev/bin")).resolve()
DEFAULT_FOLDER = ".local/share/tandem/bundle/current"
RUNS = ".local/share/tandem/runs"
PROJECT = "mnist_multi_worker"
QUICK = {"fit.epochs": 1, "data.take": 6400, "fit.validation_steps": 1}
LASTING = {**QUICK, "fit.epochs": 4, "fit.log_every": 10, "cluster.on_task_lost": "fail"}
ENDLESS = {**LASTING, "fit.epochs": 1000}
SMALL = [{"class_name": "Flatten", "name": "flatten", "config": {}}, {"class_name": "Dense", "name": "pred", "config": {"units": 10}}]
WITHIN_S = 300
NAMED_WITHIN_S = 5.0
PIDFD_GETFD = 438  # the number of the call, the same on every processor


def settings_of(values):
    return [word for path, value in values.items() for word in ("--set", f"{path}={json.dumps(value)}")]


def network_sockets(pid):
    """The addresses of a process' network sockets, bound ones that do not listen among them, which no list of the kernel has."""
    libc = ctypes.CDLL(None, use_errno=True)
    found = []
    with contextlib.suppress(ProcessLookupError, FileNotFoundError):  # it may end while we look
        process = os.pidfd_open(pid)
        try:
            for entry in pathlib.Path(f"/proc/{pid}/fd").iterdir():
                with contextlib.suppress(FileNotFoundError):
                    if os.readlink(entry).startswith("socket:") and (own := libc.syscall(PIDFD_GETFD, process, int(entry.name), 0)) >= 0:
                        with socket.socket(fileno=own) as one:
                            if one.family in (socket.AF_INET, socket.AF_INET6):
                                found.append(one.getsockname())
        finally:
            os.close(process)
    return found


class Training:
    """One `tandem-cli train --json` on node1, and what it has said so far."""

    def __init__(self, hosts, name, argv):
        self.file, self.errors_file = hosts.home("node1") / f"{name}.jsonl", hosts.home("node1") / f"{name}.errors"
        with open(self.file, "w", encoding="utf-8") as out, open(self.errors_file, "w", encoding="utf-8") as err:
            self.process = hosts.start("node1", [BIN / "tandem-cli", "train", *argv, "--json"], stdout=out, stderr=err)

    def text(self):
        return self.file.read_text(errors="replace")

    def errors(self):
        return self.errors_file.read_text(errors="replace")

    def events(self, kind=None):
        whole = self.text().rpartition("\n")[0]
        found = [json.loads(line) for line in whole.splitlines() if line.startswith("{")]
        return [event for event in found if kind in (None, event["event"])]

    def steps(self):
        return [event["step"] for event in self.events("step")]

    def is_over(self):
        return self.process.poll() is not None

    def wait_for_step(self, after=0):
        wait_for(lambda: len(self.steps()) > after or self.is_over(), "a step")
        if self.is_over():
            raise AssertionError(f"it ended, with {self.process.returncode}, before it was to:\n{self.text()[-2000:]}{self.errors()}")

    def end(self, seconds=WITHIN_S):
        """The exit code."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired as late:
            raise AssertionError(f"waited {seconds} s for its end:\n{self.text()[-2000:]}{self.errors()}") from late

    def last(self):
        return (self.events() or [{}])[-1]

    def kill(self):
        self.process.kill()
        self.process.wait()


class TrainTest(unittest.TestCase):
    """Each test has hosts of its own; all but node1 are in its list."""

    nodes = 3
    started = 0

    def setUp(self):
        if why := Hosts.missing(ssh=True):
            self.skipTest(why)
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        self.hosts = stack.enter_context(Hosts(self.nodes, ssh=True))
        for node in self.hosts.nodes[1:]:
            folder = self.hosts.home(node) / DEFAULT_FOLDER / "bin"
            folder.mkdir(parents=True)
            for program in ("tandem-agent", "tandem-worker"):
                (folder / program).symlink_to(BIN / program)
            self.done("host", "add", node, "--no-check")

    # ---- tandem-cli ------------------------------------------------------------------------------------------------------

    def cli(self, *words, node="node1"):
        return self.hosts.run(node, [BIN / "tandem-cli", *words], timeout=WITHIN_S)

    def done(self, *words, node="node1"):
        done = self.cli(*words, node=node)
        self.assertEqual(done.returncode, 0, f"{words}: {done.stdout[-2000:]}{done.stderr}")
        return done.stdout

    def start(self, *words, values):
        self.started += 1
        training = Training(self.hosts, f"training{self.started}", [PROJECT, *words, *settings_of(values)])
        self.addCleanup(training.kill)
        return training

    def start_and_train(self, *words, values=ENDLESS):
        training = self.start(*words, values=values)
        training.wait_for_step()
        return training

    def expect_done(self, training):
        self.assertEqual(training.end(), 0, training.text()[-2000:] + training.errors())
        self.assertEqual(training.last()["state"], "done", training.last())

    def train(self, *words, values):
        training = self.start(*words, values=values)
        self.expect_done(training)
        return training

    def refusal(self, *words, project=PROJECT, values=QUICK):
        """Exit code and what is told of a training that does not start."""
        done = self.cli("train", project, *words, *settings_of(values), "--json")
        self.assertEqual(done.stdout, "", words)
        return done.returncode, done.stderr

    def runs(self, node="node1"):
        return [json.loads(line) for line in self.done("runs", "--json", node=node).splitlines()]

    # ---- what is on a host -----------------------------------------------------------------------------------------------

    def agent(self, node):
        found = self.hosts.processes(node, "tandem-agent")
        self.assertEqual(len(found), 1, f"{node}: {found}")
        return found[0]

    def workers(self, node):
        return self.hosts.processes(node, "tandem-worker")

    def worker(self, node):
        found = self.workers(node)
        self.assertEqual(len(found), 1, f"{node}: {found}")
        return found[0]

    def folder(self, training):
        """The run's folder on node1, as this process sees it."""
        return self.hosts.home("node1") / pathlib.Path(training.last()["run_dir"]).relative_to("/run/home")

    def expect_nothing_left(self, nodes=None):
        """No task, no port that is held or listened at by an agent, no way to another host: on the hosts that can be asked."""
        for node in nodes or self.hosts.nodes:
            wait_for(lambda: not self.workers(node), f"the end of the tasks on {node}")
            for agent in self.hosts.processes(node, "tandem-agent"):
                wait_for(lambda: not network_sockets(agent), f"{node}: the agent to have no port")
            self.assertEqual({line.split()[3] for line in self.hosts.run(node, ["ss", "-Hltn"], timeout=120).stdout.splitlines()}, {"0.0.0.0:22", "[::]:22"}, node)
        wait_for(lambda: not self.hosts.processes("node1", "ssh"), "the end of ssh on node1")
        self.assertEqual(self.hosts.run("node1", ["sh", "-c", "ls -d /run/user/tandem/far-* 2>/dev/null"], timeout=120).stdout, "")

    # ---- what a failed run says ------------------------------------------------------------------------------------------

    def expect_failure(self, training, detail):
        self.assertEqual(training.end(), 1, training.text()[-2000:] + training.errors())
        self.assertEqual(training.last()["state"], "failed")
        self.assertRegex(training.last()["detail"], detail)
        self.assertRegex(without_codes(training.errors()), "error: run .* failed: " + detail.removeprefix("^"))
        run = self.runs()[0]
        self.assertEqual((run["state"], run["detail"]), ("Failed", training.last()["detail"]))


class WellTrained(TrainTest):
    def expect_the_files_of(self, training):
        """What a run on this computer leaves: they are here, whole, and other verbs take them."""
        folder, run = self.folder(training), training.last()["run"]
        self.assertEqual(json.loads((folder / "finished.json").read_text())["weights_sha256"], training.last()["weights_sha256"])
        self.assertEqual(sorted(file.name for file in (folder / "checkpoints").iterdir()), ["checkpoint", "ckpt_1.data-00000-of-00001", "ckpt_1.index"])
        evaluated = json.loads(self.done("evaluate", run, "--json"))
        self.assertAlmostEqual(evaluated["test_accuracy"], training.last()["test_accuracy"], places=6)
        self.done("export", "keras", run, "--out", "/run/home/model.keras")
        self.assertGreater((self.hosts.home("node1") / "model.keras").stat().st_size, 100_000)
        watched = [json.loads(line) for line in self.done("watch", run, "--json").splitlines()]
        self.assertEqual(watched[-1]["weights_sha256"], training.last()["weights_sha256"])
        self.assertEqual([event["event"] for event in watched], [event["event"] for event in training.events()])

    def test_a_sweep_gives_each_run_a_host_of_its_own_and_its_rungs_too(self):
        rate = "compile.optimizer.learning_rate"
        values = {"data.take": 2000, "fit.validation_steps": 5, "fit.histogram_freq": 0}
        out = self.done("sweep", "mnist_mlp", *settings_of(values), "--field", f"{rate}=0.1,0.01,0.001,0.0001", "--method", "asha", "--epochs", "4",
                        "--reduction", "2", "--at-once", "2", "--hosts", "node2,node3", "--spread", "--out", "/run/home/sweep", "--json")
        over = json.loads(out.splitlines()[-1])
        self.assertEqual((over["state"], over["best"]["epochs"]), ("over", 4), over)
        kept = json.loads((self.hosts.home("node1") / "sweep" / "sweep.json").read_text())
        self.assertEqual({run["host"] for trial in kept["trials"] for run in trial["runs"]}, {"node2", "node3"})
        self.assertEqual([trial["error"] for trial in kept["trials"]], [""] * 4)
        self.assertEqual(len(self.runs()), 4, "a run a trial")
        alone = self.cli("train", "mnist_mlp", *settings_of({**values, "fit.epochs": 4, rate: json.loads(over["best"]["values"][rate])}), "--json")
        last = [json.loads(line) for line in alone.stdout.splitlines() if '"event":"epoch"' in line][-1]
        self.assertAlmostEqual(last["val_accuracy"], over["best"]["value"], delta=1e-9, msg="as if it had trained in one go")

    def test_three_hosts_end_with_the_weights_of_one_and_say_nothing_in_plain(self):
        alone = self.train("--workers", "3", values=QUICK)
        with self.hosts.capture("node2") as capture:
            training = self.train("--hosts", "node1,node2,node3", values=QUICK)
        self.assertEqual(training.last()["weights_sha256"], alone.last()["weights_sha256"])
        told = {(event["task"], event["host"]) for event in training.events() if event["event"] != "finished"}
        self.assertEqual(told, {("worker 0", "node1"), ("worker 1", "node2"), ("worker 2", "node3")})
        self.expect_nothing_left()
        self.expect_the_files_of(training)
        seen = capture.bytes()
        self.assertGreater(len(seen), 1_000_000, "gradients went by")
        self.assertIn(b"SSH-2.0", seen)
        tokens = [json.loads((self.hosts.home(node) / RUNS / "agent.json").read_text())["token"].encode() for node in self.hosts.nodes]
        for word in (b"dense/", b"kernel", b'"mnist"', b"Multi-worker", b"worker", b"PRI * HTTP/2", *tokens):
            self.assertNotIn(word, seen)
        two = self.train("--hosts", "node1,node2:2", values=QUICK)
        self.assertEqual(two.last()["weights_sha256"], alone.last()["weights_sha256"])

    def test_a_first_host_elsewhere_sends_its_files_home(self):
        alone = self.train("--workers", "2", values=QUICK)
        training = self.train("--hosts", "node2,node3", values=QUICK)
        self.assertEqual(training.last()["weights_sha256"], alone.last()["weights_sha256"])
        self.expect_nothing_left()
        self.expect_the_files_of(training)

    def test_a_cluster_of_the_projects_own_trains_where_its_addresses_say(self):
        alone = self.train("--workers", "3", values=QUICK)
        workers = ["node2:6001", "node1:6002", "node2:6003"]
        training = self.train(values={**QUICK, "cluster.worker": workers})
        self.assertEqual(training.last()["weights_sha256"], alone.last()["weights_sha256"])
        self.expect_nothing_left()
        self.expect_the_files_of(training)
        kept = json.loads((self.folder(training) / "project.tandem").read_text())
        self.assertEqual(kept["cluster"]["worker"], workers, "by their names")
        again = self.done("train", f"{training.last()['run_dir']}/project.tandem", "--out", training.last()["run_dir"], "--overwrite", "--json")
        self.assertEqual(json.loads(again.splitlines()[-1])["weights_sha256"], alone.last()["weights_sha256"])
        code, why = self.refusal(values={**QUICK, "cluster.worker": ["node1:6001", "10.77.0.3:6002"]})
        self.assertEqual(code, 1)
        self.assertIn("10.77.0.3: expected one of the list of hosts (node2, node3); tandem-cli host add 10.77.0.3 adds it", why)

    def test_home_shows_what_the_hosts_of_a_run_use(self):
        training = self.start_and_train("--hosts", "node1,node2,node3")
        file = self.hosts.home("node1") / "loads.jsonl"
        with open(file, "w", encoding="utf-8") as out:
            watch = self.hosts.start("node1", [BIN / "tandem-cli", "agent", "--follow", "--json"], stdout=out)
        self.addCleanup(watch.wait)
        self.addCleanup(watch.kill)

        def loads():
            return [json.loads(line) for line in file.read_text().rpartition("\n")[0].splitlines()]

        run = self.runs()[0]["id"]
        for host, task in (("", "worker 0"), ("node2", "worker 1"), ("node3", "worker 2")):
            load = wait_for(lambda: next((one for one in loads() if one["host"] == host and one["tasks"]), None), f"what {host or 'node1'} uses")
            self.assertEqual([(one["run"], one["task"]) for one in load["tasks"]], [(run, task)])
            self.assertGreater(load["tasks"][0]["cpu_cores"], 0)
            self.assertLess(abs(load["time_unix_ns"] / 1e9 - time.time()), 60)
        self.assertEqual(json.loads(self.done("agent", "--json"))["load"]["host"], "", "one computer alone")
        self.assertEqual(self.cli("stop").returncode, 0)
        training.end()
        self.expect_nothing_left()

    def test_agents_have_no_port_while_tasks_train(self):
        training = self.start_and_train("--hosts", "node1,node2,node3")
        for node in self.hosts.nodes:
            self.assertEqual(network_sockets(self.agent(node)), [], node)
            own = {self.hosts.address(node), "127.0.0.2"}
            self.assertEqual({address[0] for address in network_sockets(self.worker(node))} - own, set(), node)
        self.assertEqual(self.cli("stop").returncode, 0)
        training.end()
        self.expect_nothing_left()


class ParameterServers(TrainTest):
    nodes = 4

    def test_one_server_and_three_workers_over_four_hosts(self):
        training = self.train("--hosts", "node1,node2:0,node3,node4", "--servers", "1", values={**QUICK, "model.layers": SMALL})
        self.assertIsNotNone(training.last()["weights_sha256"])
        said = [event["text"] for event in training.events("log") if event["task"] == "ps 0"]
        for index in range(3):
            self.assertIn(f"worker {index} is connected over gRPC over TLS", said)
        self.expect_nothing_left()


class Faults(TrainTest):
    def test_a_task_or_an_agent_that_is_killed_is_named(self):
        self.train("--hosts", "node1,node2,node3", values=QUICK)
        # Where another agent has not come up there in three seconds, the host has not answered for so long.
        far_agent = r"^worker 2: node3( has not answered for 3 s|: the agent was killed while the run went on)$"
        for what, kill, detail in (("a far task", lambda: os.kill(self.worker("node3"), signal.SIGKILL), r"^worker 2: killed by signal 9 \(SIGKILL\) on node3$"),
                                   ("an own task", lambda: os.kill(self.worker("node1"), signal.SIGKILL), r"^worker 0: killed by signal 9 \(SIGKILL\)$"),
                                   ("a far agent", lambda: os.kill(self.agent("node3"), signal.SIGKILL), far_agent)):
            with self.subTest(what):
                training = self.start_and_train("--hosts", "node1,node2,node3")
                watch = Stopwatch()
                kill()
                self.expect_failure(training, detail)
                print(f"{what} killed: named after {watch.seconds():.1f} s", flush=True)
                watch.expect(NAMED_WITHIN_S, f"{what} that was killed")
                self.expect_nothing_left()

    def test_a_lost_host_is_named_in_time(self):
        for way in ("hung", "cut", "off"):
            with self.subTest(way):
                training = self.start_and_train("--hosts", "node1,node2,node3", values={**ENDLESS, "cluster.heartbeat_fatal_s": 8})
                watch = Stopwatch()
                if way == "hung":
                    os.kill(self.worker("node3"), signal.SIGSTOP)
                elif way == "cut":
                    self.hosts.link("node3", "down")
                else:
                    self.hosts.power("node3", "off")
                names = r"worker 2 at 10\.77\.0\.3:\d+ has given no sign of life" if way == "hung" else "^node3 has not answered for "
                wait_for(lambda: any(re.search(names, event["text"]) for event in training.events("log")), "a word of node3")
                named = watch.seconds()
                watch.expect(NAMED_WITHIN_S + 1, "a word of node3")
                self.expect_failure(training, r"^worker 2: no heartbeat for \d+ s on node3$" if way == "hung" else r"^worker 2: node3 has not answered for \d+ s$")
                print(f"{way}: named after {named:.1f} s, over after {watch.seconds():.1f} s", flush=True)
                if way == "cut":
                    self.hosts.link("node3", "up")
                self.expect_nothing_left(self.hosts.nodes[:2] if way == "off" else None)

    def test_a_cable_that_is_out_for_two_seconds_changes_nothing(self):
        values = {**LASTING, "cluster.heartbeat_fatal_s": 60}  # on a loaded machine two seconds may be many
        alone = self.train("--workers", "3", values=values)
        training = self.start_and_train("--hosts", "node1,node2,node3", values=values)
        self.hosts.link("node3", "down")
        time.sleep(2)
        self.assertFalse(training.is_over())
        self.hosts.link("node3", "up")
        self.expect_done(training)
        self.assertEqual(training.last()["weights_sha256"], alone.last()["weights_sha256"])
        self.assertEqual(training.steps(), alone.steps())
        self.expect_nothing_left()

    def test_a_home_that_is_cut_off_catches_up(self):
        alone = self.train("--workers", "2", values=LASTING)
        training = self.start_and_train("--hosts", "node2,node3", values=LASTING)
        self.hosts.link("node1", "down")
        heard = len(training.steps())
        time.sleep(8)
        self.assertLess(heard, len(alone.steps()))
        self.assertFalse(training.is_over())
        self.hosts.link("node1", "up")
        self.expect_done(training)
        self.assertEqual(training.last()["weights_sha256"], alone.last()["weights_sha256"])
        self.assertEqual(training.steps(), alone.steps())
        self.assertTrue((self.folder(training) / "finished.json").exists())
        said = [event["text"] for event in training.events("log")]
        for node in ("node2", "node3"):
            self.assertTrue(any(text.startswith(f"{node} has not answered for ") for text in said), said)
        self.expect_nothing_left()

    def test_an_ssh_that_is_killed_is_started_anew(self):
        alone = self.train("--workers", "2", values=LASTING)
        training = self.start_and_train("--hosts", "node1,node2", values=LASTING)
        for pid in wait_for(lambda: self.hosts.processes("node1", "ssh"), "ssh on node1"):
            os.kill(pid, signal.SIGKILL)
        self.expect_done(training)
        self.assertEqual(training.last()["weights_sha256"], alone.last()["weights_sha256"])
        self.assertEqual(training.steps(), alone.steps())
        self.expect_nothing_left()

    def test_a_home_whose_agent_is_killed_ends_the_run(self):
        training = self.start_and_train("--hosts", "node1,node2,node3")
        began = time.monotonic()
        os.kill(self.agent("node1"), signal.SIGKILL)
        self.assertEqual(training.end(), 3, training.errors())
        for node in self.hosts.nodes:
            wait_for(lambda: not self.workers(node), f"the end of the task on {node}")
        print(f"the agent at home killed: every task has ended after {time.monotonic() - began:.1f} s", flush=True)
        run = self.runs()[0]
        self.assertEqual((run["state"], run["detail"]), ("Failed", "the agent was killed while the run went on; what it had started may go on there: node2, node3"))
        lost = r"worker 0 at 10\.77\.0\.1:\d+ (closed its connection|broke the data stream: .+)"  # seen by itself, or heard of from the other one that saw it first
        self.assertRegex(self.runs("node2")[0]["detail"], rf"^worker 1: exit code 69: (worker 2 at 10\.77\.0\.3:\d+ gave up: )?{lost}$")
        self.done("host", "check", "node2")  # takes away what a process that was killed has left
        self.expect_nothing_left()

    def test_a_host_that_was_off_is_waited_for(self):
        values = {**LASTING, "cluster.on_task_lost": "restart", "cluster.heartbeat_fatal_s": 5}
        alone = self.train("--workers", "3", values=values)
        training = self.start_and_train("--hosts", "node1,node2,node3", values=values)
        self.hosts.power("node3", "off")
        waits = "node3: its tasks are started as soon as they can be: "
        wait_for(lambda: any(event["text"].startswith(waits) for event in training.events("log")) or training.is_over(), "home to wait for node3")
        self.hosts.power("node3", "on")
        self.expect_done(training)
        reasons = [event["reason"] for event in training.events("attempt")]
        self.assertEqual(len(reasons), 1, reasons)
        self.assertRegex(reasons[0], r"^node3 has not answered for \d+ s$")
        self.assertEqual(training.last()["weights_sha256"], alone.last()["weights_sha256"])
        self.expect_nothing_left()

    def test_a_run_goes_on_without_a_host_that_was_powered_off(self):
        values = {**LASTING, "cluster.on_task_lost": "continue", "cluster.heartbeat_fatal_s": 5}
        for where, off, left in (("node1,node2,node3", 1, ["node1", "node3"]),  # not the chief's
                                 ("node2,node1,node3", 0, ["node1", "node3"]),  # the next chief is at home
                                 ("node2,node3", 0, ["node3"])):  # the next one is elsewhere, too
            with self.subTest(where):
                training = self.start_and_train("--hosts", where, "--out", f"/run/home/{where}", values=values)
                folder = self.hosts.home("node1") / where
                wait_for(lambda: (folder / "backup" / "latest.backup").exists() or training.is_over(), "a backup at home")
                training.wait_for_step(after=len(training.steps()))
                self.hosts.power("node2", "off")
                wait_for(lambda: training.events("attempt") or training.is_over(), "another attempt")
                shutil.copytree(folder / "backup", self.hosts.home("node1") / f"hand-{where}" / "backup")
                self.expect_done(training)
                workers = len(where.split(","))
                reasons = [event["reason"] for event in training.events("attempt")]
                self.assertEqual(len(reasons), 1, reasons)
                self.assertRegex(reasons[0], rf"^node2 has not answered for \d+ s; the run goes on with {len(left)} of {workers} workers, without worker {off}$")
                events = training.events()
                behind = events[events.index(training.events("attempt")[0]):]
                places = {(event["task"], event["host"]) for event in behind if event["event"] == "log" and event["host"] != "node2"}
                self.assertEqual(places, {(f"worker {index}", host) for index, host in enumerate(left)})
                kept = json.loads((folder / "project.tandem").read_text())
                self.assertEqual([address.split(":")[0] for address in kept["cluster"]["worker"]], left)
                self.assertEqual(self.runs()[0]["tasks"], len(left))
                self.expect_nothing_left(["node1", "node3"])
                hand = self.train("--workers", str(len(left)), "--out", f"/run/home/hand-{where}", values=values)
                self.assertEqual(training.last()["weights_sha256"], hand.last()["weights_sha256"])
                self.hosts.power("node2", "on")

    def test_a_lost_task_is_started_again_where_it_was(self):
        values = {**LASTING, "cluster.on_task_lost": "restart"}
        alone = self.train("--workers", "3", values=values)
        training = self.start_and_train("--hosts", "node1,node2,node3", values=values)
        os.kill(self.worker("node3"), signal.SIGKILL)
        self.expect_done(training)
        self.assertEqual([event["reason"] for event in training.events("attempt")], ["killed by signal 9 (SIGKILL) on node3"])
        self.assertEqual(training.last()["weights_sha256"], alone.last()["weights_sha256"])
        self.expect_nothing_left()


class Stops(TrainTest):
    def test_after_a_step_and_at_once(self):
        for where in ("node1,node2,node3", "node2,node3"):
            for now in ((), ("--now",)):
                with self.subTest(where=where, now=now):
                    training = self.start_and_train("--hosts", where)
                    self.done("stop", *now)
                    self.assertEqual(training.end(), 0, training.text()[-2000:] + training.errors())
                    self.assertEqual(training.last()["state"], "stopped", training.last())
                    self.assertEqual(training.last()["weights_sha256"] is None, bool(now))
                    self.assertEqual(self.runs()[0]["state"], "Stopped")
                    self.expect_nothing_left()

    def test_a_stopped_run_goes_on_where_it_was(self):
        whole = self.train("--workers", "2", values=LASTING)
        for where in ("node1,node2", "node2,node3"):
            with self.subTest(where):
                words = ("--hosts", where, "--out", f"/run/home/{where}")
                training = self.start_and_train(*words, values=LASTING)
                self.done("stop")
                self.assertEqual(training.end(), 0, training.errors())
                steps = training.steps()
                self.assertLess(len(steps), len(whole.steps()))
                training = self.train(*words, values=LASTING)
                self.assertEqual(len(training.events("attempt")), 1)
                self.assertEqual(steps + training.steps(), whole.steps())
                self.assertEqual(training.last()["weights_sha256"], whole.last()["weights_sha256"])
        self.expect_nothing_left()

    def test_a_host_out_of_reach_holds_nobody(self):
        training = self.start_and_train("--hosts", "node1,node2,node3", values={**ENDLESS, "cluster.heartbeat_fatal_s": 100})
        self.hosts.link("node3", "down")
        wait_for(lambda: any(event["text"].startswith("node3 has not answered for ") for event in training.events("log")), "a word of node3")
        watch = Stopwatch()
        self.done("stop")
        self.assertEqual(training.end(), 0, training.text()[-2000:] + training.errors())
        print(f"a stop without a host that is out of reach: over after {watch.seconds():.1f} s", flush=True)
        watch.expect(15, "a stop without a host that is out of reach")
        self.assertEqual((training.last()["state"], training.last()["detail"]), ("stopped", "out of reach and not asked to stop: node3"))
        said = [event["text"] for event in training.events("log") if event["host"] == "node3"]
        self.assertIn("node3 is out of reach and was not asked to stop; the others end without it", said)
        self.hosts.link("node3", "up")
        self.expect_nothing_left()

    def test_two_interrupts_end_a_run_that_hangs(self):
        training = self.start_and_train("--hosts", "node1,node2,node3")
        os.kill(self.worker("node3"), signal.SIGSTOP)
        for said in ("Stopping after this step", "Stopping at once"):
            training.process.send_signal(signal.SIGINT)
            wait_for(lambda: said in training.errors(), said)
        began = time.monotonic()
        self.assertEqual(training.end(), 130, training.errors())
        print(f"a second interrupt: over after {time.monotonic() - began:.1f} s", flush=True)
        self.assertEqual(training.last()["state"], "stopped", training.last())
        self.expect_nothing_left()


class Refusals(TrainTest):
    def expect_nothing_started(self, nodes=("node2", "node3")):
        self.expect_nothing_left(["node1", *nodes])
        for node in nodes:
            self.assertEqual(self.runs(node), [], node)
        self.assertEqual(self.runs(), [])

    def test_words_that_make_no_sense(self):
        cluster = "Training on 2 workers of {} with MultiWorkerMirroredStrategy, global batch 128\n"
        for words, code, told in (
                (("--hosts", "node1,nobody"), 1, cluster.format("node1, nobody") + "error: nobody: expected .*node2, node3.*"),
                (("--hosts", "node1,node2,node2"), 2, 'error: hosts: expected each host once, got node2 twice; "node2:2" gives it two workers'),
                (("--hosts", "node1,localhost"), 1, cluster.format("node1, localhost") + "error: hosts: expected each computer once, got node1 and localhost, both this one"),
                (("--hosts", ""), 2, "error: hosts: expected names such as node1,node2:2, got an empty one"),
                (("--hosts", "node1,node2:x"), 2, 'error: hosts: node2: expected a number of workers, 0 to 256, got "x"'),
                (("--hosts", "node1:0,node2"), 2, r"error: hosts: node1: expected a worker or a parameter server there, got neither \(.*\)"),
                (("--hosts", "node1,node2", "--workers", "2"), 2, "error: --workers excludes --hosts\nRun with --help for more information."),
                (("--servers", "1"), 2, "error: --servers: expected --workers or --hosts beside it, got neither"),
                (("--hosts", "node2,node3", "--save-weights", "w.h5"), 1,
                 cluster.format("node2, node3") + "error: save_weights: expected a run whose worker 0 is on this computer, where it writes the weights, got it on node2")):
            with self.subTest(words):
                got, said = self.refusal(*words)
                self.assertRegex(without_codes(said), f"^{told}\n$")
                self.assertEqual(got, code)
        self.expect_nothing_started()

    def test_a_host_that_is_off_or_cut_off_before_the_start(self):
        self.done("host", "check", "node2")
        for way, reason in (("cut", r"(no route leads to the host|it did not answer in time)"), ("off", "no route leads to the host")):
            with self.subTest(way):
                if way == "cut":
                    self.hosts.link("node3", "down")
                else:
                    self.hosts.power("node3", "off")
                watch = Stopwatch()
                training = self.start("--hosts", "node1,node2,node3", values=QUICK)
                held = lambda: any(network_sockets(agent) for agent in self.hosts.processes("node2", "tandem-agent"))
                seen = wait_for(lambda: "held" if held() else "over" if training.is_over() else "", "node2 to hold a port")
                # It is held as long as node3 is asked, which takes seconds: a test that gets no processor so long can't see it.
                self.assertTrue(seen == "held" or watch.was_busy(), "node2 held no port")
                self.assertEqual(training.end(), 1)
                print(f"{way} before the start: refused after {watch.seconds():.1f} s", flush=True)
                self.assertRegex(without_codes(training.errors()), rf"\nerror: node3: expected an ssh server that answers, {reason} \(.*\)\n$")
                self.assertEqual(training.events(), [])
                if way == "cut":
                    self.hosts.link("node3", "up")
                self.expect_nothing_started(["node2"])

    def test_another_version_there(self):
        program = self.hosts.home("node2") / DEFAULT_FOLDER / "bin" / "tandem-agent"
        program.unlink()
        program.write_text(f'#!/bin/sh\n[ "$1" != --version ] || {{ echo 0.0.1; exit; }}\nexec {BIN}/tandem-agent "$@"\n')
        program.chmod(0o755)
        code, told = self.refusal("--hosts", "node1,node2,node3")
        self.assertRegex(without_codes(told), r"\nerror: node2: expected Tandem \S+ as on this computer, got \S+/bin/tandem-agent of version 0\.0\.1, which is older: tandem-cli host update node2 installs this one\n$")
        self.assertEqual(code, 1)
        self.expect_nothing_started(["node3"])


class OwnFiles(TrainTest):
    """Files of the project's own that lie on node1 alone."""

    CACHE = ".cache/tandem/files"

    def setUp(self):
        super().setUp()
        self.project_folder = self.hosts.home("node1") / "project"
        self.project_folder.mkdir()

    def project(self, rows, **data):
        lines = (f"{row % 2},{row},{row % 7},{row * 7919 % 1000003}\n" for row in range(rows))
        (self.project_folder / "own.csv").write_text("label,a,b,c\n" + "".join(lines))
        dense = {"class_name": "Dense", "name": "dense", "config": {"units": 2}}
        project = json.loads((SOURCE / "resources/templates" / f"{PROJECT}.tandem").read_text())
        project["model"] = {"name": "sequential", "input_shape": [3], "layers": [dense]}
        project["data"] = {"dataset": "csv", "batch_size_per_replica": 8, "auto_shard": "DATA", "train_files": ["own.csv"], "csv": {"label": "label"}, "scale": 1, **data}
        (self.project_folder / "own.tandem").write_text(json.dumps(project))
        return "/run/home/project/own.tandem"

    def train_own(self, project, *words, values=None):
        """The last event, and what was said of files."""
        done = self.cli("train", project, *words, "--json", *settings_of({"fit.epochs": 1, **(values or {})}))
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr)
        return json.loads(done.stdout.splitlines()[-1]), [line for line in done.stderr.splitlines() if "of the run's files" in line]

    def test_they_are_sent_once_and_train_as_here(self):
        own = self.project(20000)
        alone, told = self.train_own(own, "--workers", "3")
        self.assertEqual(told, [])
        first, told = self.train_own(own, "--hosts", "node1,node2,node3")
        size = f"{(self.project_folder / 'own.csv').stat().st_size / 1e6:.1f} MB"
        self.assertEqual(told, [f"node2: {size} of the run's files were sent", f"node3: {size} of the run's files were sent"])
        self.assertEqual(first["weights_sha256"], alone["weights_sha256"])
        again, told = self.train_own(own, "--hosts", "node1,node2,node3")
        self.assertEqual((again["weights_sha256"], told), (alone["weights_sha256"], []))
        # Other contents under the same name are other files; the same contents at the same path need no sending.
        own = self.project(10000)
        other = self.hosts.home("node2") / "project"
        other.mkdir()
        (other / "own.csv").write_bytes((self.project_folder / "own.csv").read_bytes())
        _, told = self.train_own(own, "--hosts", "node1,node2,node3")
        self.assertRegex("|".join(told), r"^node3: [\d.]+ MB of the run's files were sent$")
        kept = [file for file in (self.hosts.home("node3") / self.CACHE).rglob("*") if file.is_file()]
        self.assertTrue(kept)
        for file in kept:
            self.assertEqual(file.stat().st_mode & 0o077, 0, file)
        self.expect_nothing_left()

    def test_folders_patterns_and_weights_go_along(self):
        own = self.project(600, train_files=["part-*.csv"])
        text = (self.project_folder / "own.csv").read_text().splitlines(keepends=True)
        for part in range(3):
            (self.project_folder / f"part-{part}.csv").write_text(text[0] + "".join(text[1 + 200 * part:201 + 200 * part]))
        weights = "/run/home/first.weights.h5"
        self.done("train", own, "--workers", "2", "--json", "--save-weights", weights, *settings_of({"fit.epochs": 1}))
        values = {"fit.initial_weights": weights}
        alone, _ = self.train_own(own, "--workers", "2", values=values)
        there, told = self.train_own(own, "--hosts", "node1,node2", values=values)
        self.assertEqual(there["weights_sha256"], alone["weights_sha256"])
        self.assertEqual(len(told), 1)
        # What can't be read is refused by the name that it has here.
        (self.project_folder / "first.h5").write_bytes(b"weights")
        code, told = self.refusal("--hosts", "node1,node2", project=own, values={"fit.initial_weights": "/run/home/project/first.h5"})
        self.assertRegex(told, r"error: node2: fit\.initial_weights: /run/home/project/first\.h5: ")
        self.assertNotIn(self.CACHE, told)
        self.assertEqual(code, 1)
        self.expect_nothing_left()

    def test_what_was_cut_goes_on(self):
        own = self.project(600000)
        size = (self.project_folder / "own.csv").stat().st_size
        self.hosts.slow("node2", rate_bytes_s=2_000_000)
        values = {"fit.epochs": 1, "fit.steps_per_epoch": 5}
        cut = self.start_own(own, values)
        part = lambda: sum(file.stat().st_size for file in (self.hosts.home("node2") / self.CACHE).rglob("*.part"))
        wait_for(lambda: part() > 2_000_000 or cut.is_over(), "a part of the file on node2")
        os.kill(cut.process.pid, signal.SIGKILL)
        cut.process.wait()
        wait_for(lambda: not self.hosts.processes("node1", "ssh"), "the end of ssh on node1")
        has = part()
        self.assertGreater(has, 2_000_000)
        self.assertLess(has, size)
        self.hosts.slow("node2")
        done, told = self.train_own(own, "--hosts", "node1,node2", values=values)
        self.assertEqual(done["state"], "done")
        sent = float(re.fullmatch(r"node2: ([\d.]+) MB of the run's files were sent", told[0])[1])
        self.assertGreater(sent, 0)
        self.assertLess(sent, (size - has) / 1e6 + 0.1)

    def start_own(self, project, values):
        training = Training(self.hosts, "own", [project, "--hosts", "node1,node2", *settings_of(values)])
        self.addCleanup(training.kill)
        return training


if __name__ == "__main__":
    unittest.main()
