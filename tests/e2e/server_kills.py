"""Kills ps tasks, workers, chiefs and evaluators of short parameter-server runs at random steps: every run ends with the full number of global steps, none
hangs, and nothing is left over.

    python3 tests/e2e/server_kills.py --count 30 [--seed 1] [--verbose]

Half of the runs are processes that were started by hand, where whoever killed a task starts it again; in the others the agent does. TANDEM_BIN
names the folder of the programs. The last line says how many runs ended well; the exit code is 0 only when all did.
"""
import argparse
import collections
import contextlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
import unittest

from programs import BIN, ProgramTest, free_ports, process_of, wait_for

STARTER = "book_parameter_servers"
STEPS = 2000
# A model whose step is short, a backup now and then, and data that are quickly read.
LAYERS = [{"class_name": "Flatten", "name": "flatten", "config": {}},
          {"class_name": "Dense", "name": "dense", "config": {"units": 64, "activation": "relu"}},
          {"class_name": "Dense", "name": "pred", "config": {"units": 10}}]
SETTINGS = {"fit.steps": STEPS, "fit.log_every": 1, "data.take": 6000, "callbacks.backup_and_restore.save_freq": 200, "model.layers": LAYERS}
DEADLINE_S = 300  # of a run that takes seconds: one that is not over by then hangs


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=int(os.environ.get("TANDEM_KILLS", "4")), help="runs")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("TANDEM_E2E_SEED", "1")))
    parser.add_argument("--verbose", action="store_true", help="a line a run")
    return parser.parse_known_args()


def settings():
    return [word for path, value in SETTINGS.items() for word in ("--set", f"{path}={json.dumps(value)}")]


def text_of(file):
    return file.read_text(errors="replace") if file.exists() else ""


class ByHand:
    """Tasks in shells of their own, by the book's flags. Each writes into a file, so that nobody waits for a reader."""
    name = "by hand"
    told_end = re.compile(r"^global_step: (\d+)$", re.M)

    def __init__(self, test, folder, servers, workers, _helpers):
        self.test, self.folder = test, folder
        ports = free_ports(servers + workers)
        self.hosts = ["--ps_hosts=" + ",".join(f"localhost:{port}" for port in ports[:servers]),
                      "--worker_hosts=" + ",".join(f"localhost:{port}" for port in ports[servers:])]
        self.names = [("ps", index) for index in range(servers)] + [("worker", index) for index in range(workers)]
        self.tasks, self.restarted = {}, {}  # a ps that was killed: how much it had written by then
        self.began, self.killed_at_end = {}, set()  # how much was written when a task was started last; workers that were not started again
        for task in self.names:
            self.launch(task)

    def output(self, task):
        return self.folder / f"{task[0]}{task[1]}.txt"

    def launch(self, task):
        job, index = task
        self.began[task] = len(text_of(self.output(task)))
        with open(self.output(task), "a", encoding="utf-8") as out:
            self.tasks[task] = subprocess.Popen(
                [BIN / "tandem-worker", STARTER, f"--job_name={job}", f"--task_index={index}", *self.hosts, "--out", str(self.folder / f"{job}{index}"),
                 "--threads", "1", *settings()], env=self.test.env, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)

    def step(self):
        """The last one that any worker has told."""
        found = [0]
        for task in self.names:
            found += map(int, re.findall(r"Step: (\d+)\.0", text_of(self.output(task))[-4000:]))
        return max(found)

    def over(self):
        return all(task.poll() is not None for task in self.tasks.values())

    def workers_run(self):
        return any(running.poll() is None for (job, _), running in self.tasks.items() if job == "worker")

    def kill(self, task):
        if self.tasks[task].poll() is not None or not self.workers_run() or (task[0] == "ps" and self.chief_is_over()):
            return False
        self.tasks[task].kill()
        self.tasks[task].wait()
        if task[0] == "ps":
            self.restarted[task] = len(text_of(self.output(task)))
        elif self.told_end.search(text_of(self.output(task))[self.began[task]:]):
            self.killed_at_end.add(task)  # it had done everything, and the servers may have heard so: another one might find none
            return True
        self.launch(task)
        return True

    def chief(self):
        return ("chief", 0) if ("chief", 0) in self.tasks else ("worker", 0)

    def chief_is_over(self):
        return self.tasks[self.chief()].poll() is not None

    def ended_well(self, task):
        return self.tasks[task].poll() == (-signal.SIGKILL if task in self.killed_at_end else 0)

    def tails(self):
        """The last lines of every task, for whoever reads only the output of a failed test."""
        return "\n".join(f"--- {job} {index}, exit code {self.tasks[job, index].poll()}\n{text_of(self.output((job, index)))[-1500:]}"
                         for job, index in self.names)

    def is_unseen_by_the_chief(self, server):
        """Whether a server came back when the chief had ended: nobody is left who would give it the variables."""
        return f"{' '.join(map(str, self.chief()))} is connected" not in text_of(self.output(server))[self.restarted[server]:]

    def end(self, deadline):
        """Empty when all tasks ended well with all their steps."""
        wait_for(lambda: self.chief_is_over() or time.monotonic() > deadline, "the chief's end", DEADLINE_S + 10)
        if self.ended_well(self.chief()) and any(map(self.is_unseen_by_the_chief, self.restarted)):
            self.clean_up()  # the run was over, and whoever waits for the chief does so for cluster.start_timeout_s
            return ""
        for task in sorted(self.names, key=lambda name: name[0] == "ps"):
            unseen = task in self.restarted and "is connected" not in text_of(self.output(task))[self.restarted[task]:]
            if unseen and not self.workers_run():
                self.tasks[task].terminate()  # all was over before it was there again, and nobody has told it so
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.tasks[task].wait(max(0.1, deadline - time.monotonic()))
        for task in self.names:
            code, text = self.tasks[task].poll(), text_of(self.output(task))
            if not self.ended_well(task):
                return f"{task[0]} {task[1]}: {'it hangs' if code is None else f'exit code {code}'}\n{self.tails()}"
            steps = self.told_end.findall(text)
            if task[0] == "worker" and (not steps or int(steps[-1]) < STEPS):
                return f"{task[0]} {task[1]}: expected {STEPS} steps, got {steps}\n{self.tails()}"
        return ""

    def clean_up(self):
        for task in self.tasks.values():
            if task.poll() is None:
                task.kill()
            task.wait()


class ByAgent:
    """One command; the agent starts again what was killed."""
    name = "by the agent"

    def __init__(self, test, folder, servers, workers, helpers):
        self.test, self.folder = test, folder
        ports = iter(f"localhost:{port}" for port in free_ports(servers + workers + len(helpers)))
        cluster = {"ps": [next(ports) for _ in range(servers)], "worker": [next(ports) for _ in range(workers)]}
        for job in helpers:
            cluster[job] = [next(ports)]
        evaluates = ["--set", "callbacks.model_checkpoint.save_freq=300"] if "evaluator" in helpers else []
        self.names = [(job, index) for job, tasks in cluster.items() for index in range(len(tasks))]
        project = test.project(STARTER, cluster=cluster)
        self.output = folder / "cli.txt"
        with open(self.output, "w", encoding="utf-8") as out:
            self.cli = subprocess.Popen([BIN / "tandem-cli", "train", project, "--json", "--threads", "1", "--out", folder / "out", *settings(), *evaluates],
                                        env=test.env, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)

    def events(self):
        whole = text_of(self.output).rpartition("\n")[0]  # without a line that is being written
        return [json.loads(line) for line in whole.splitlines() if line.startswith("{") and line.endswith("}")]

    def step(self):
        return max([0] + [event["step"] for event in self.events() if event["event"] == "step"])

    def over(self):
        return self.cli.poll() is not None

    def pid_of(self, task):
        mark = json.dumps({"type": task[0], "index": task[1]})[1:-1].encode()
        for pid in process_of(self.test.marker, "tandem-worker"):
            with contextlib.suppress(OSError):
                with open(f"/proc/{pid}/environ", "rb") as environ:
                    if mark in environ.read():
                        return pid
        return None

    def kill(self, task):
        pid = wait_for(lambda: self.over() or self.pid_of(task), f"{task[0]} {task[1]} to be there")
        if pid is True:
            return False
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
            return True
        return False

    def end(self, deadline):
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.cli.wait(max(0.1, deadline - time.monotonic()))
        code = self.cli.poll()
        if code != 0:
            return f"{'it hangs' if code is None else f'exit code {code}'}\n{self.tails()}"
        last = self.events()[-1]
        if last["state"] != "done" or last["global_step"] < STEPS:
            return f"expected {STEPS} steps, got {last}\n{self.tails()}"
        return ""

    def tails(self):
        return "\n".join(line for line in text_of(self.output).splitlines() if '"event":"step"' not in line)[-6000:]

    def clean_up(self):
        if self.cli.poll() is None:
            self.cli.kill()
        self.cli.wait()


class ServerKills(ProgramTest):
    def setUp(self):
        super().setUp()
        self.options, _ = options()
        self.random = random.Random(self.options.seed)

    def round(self, number):
        """(what was killed, why the run did not end well)"""
        folder = self.home / f"round-{number}"
        folder.mkdir()
        servers, workers = self.random.choice([(1, 3), (2, 2), (1, 2)])
        helpers, kills = self.random.choice([[], ["chief"], ["evaluator"], ["chief", "evaluator"]]), self.random.choice([1, 1, 2])
        run = self.random.choice([ByHand, ByAgent])(self, folder, servers, workers, helpers)
        self.addCleanup(run.clean_up)
        deadline, killed = time.monotonic() + DEADLINE_S, []
        for moment in sorted(self.random.randrange(STEPS) for _ in range(kills)):
            job = self.random.choice(sorted({name[0] for name in run.names}))
            victim = self.random.choice([name for name in run.names if name[0] == job])
            try:
                wait_for(lambda at=moment: run.over() or run.step() >= at, f"step {moment}", DEADLINE_S)
            except AssertionError as late:
                return self.told(run, servers, workers, killed), f"{late}\n{run.tails()}"
            if run.kill(victim):
                killed.append(f"{victim[0]} {victim[1]} after step {moment}")
        why = run.end(deadline)
        if not why and process_of(self.marker, "tandem-worker"):
            why = f"a task is left over\n{run.tails()}"
        run.clean_up()
        return self.told(run, servers, workers, killed), why

    @staticmethod
    def told(run, servers, workers, killed):
        return f"{run.name}, {servers} ps, {workers} workers: " + (", ".join(killed) or "nobody was there")

    def test_every_run_ends_with_all_its_steps(self):
        began, well, killed = time.monotonic(), 0, collections.Counter()
        for number in range(1, self.options.count + 1):
            start = time.monotonic()
            what, why = self.round(number)
            well += not why
            killed.update(re.findall(r"(ps|worker|chief|evaluator) \d+ after", what))
            if self.options.verbose or why:
                print(f"run {number}: {what}; {time.monotonic() - start:.0f} s{': ' + why if why else ''}", flush=True)
        print(f"{well} of {self.options.count} runs ended with all their steps in {time.monotonic() - began:.0f} s; killed: "
              + ", ".join(f"{name} {count}" for name, count in sorted(killed.items())), flush=True)
        self.assertEqual(well, self.options.count)


if __name__ == "__main__":
    _, rest = options()
    unittest.main(argv=[sys.argv[0], *rest])
