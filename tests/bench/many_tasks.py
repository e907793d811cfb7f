"""Many tasks on one computer: what a run of a tiny model costs with 16, 64, 128 and 256 workers of one thread each.

    python3 tests/bench/many_tasks.py [--bin build/release/bin] [--tasks 16 64] [--transport auto] [--data rows] [--any-load]

Seconds from launch until every task has a process and until the first step is over; then, of a task, memory (its share of it and all that it
maps), network sockets, open descriptors and threads, with the processor time that all of them and the agent took until then; then
one worker is killed, and the seconds count until an event names it. The agent's start is within. The data are a CSV file of few rows, or MNIST,
which each task reads whole. A number of tasks for which the computer
has no memory is left out, and said so; the first one tells how much a task takes.
"""
import argparse
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import time

from processes import World, busy

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEMPLATE = ROOT / "resources" / "templates" / "mnist_multi_worker.tandem"
BATCH, ROWS = 4, 8192
PREDICTIONS = {"class_name": "Dense", "name": "pred", "config": {"units": 10}}
MNIST = {"model": {"layers": [{"class_name": "Flatten", "name": "flatten", "config": {}}, PREDICTIONS]}}
CSV = {"model": {"input_shape": [2], "layers": [PREDICTIONS]},
       "data": {"dataset": "csv", "auto_shard": "DATA", "train_files": ["rows.csv"], "csv": {"label": "label"}, "scale": 1, "validate_on_test": False}}
SETTINGS = {"data": {"batch_size_per_replica": BATCH}, "fit": {"epochs": 1000, "log_every": 1, "histogram_freq": 0}, "callbacks": {},
            "strategy": {"communication": "RING"}, "cluster": {"on_task_lost": "fail"}}
DATA = {"rows": CSV, "mnist": MNIST}
TASKS = (16, 64, 128, 256)
TRANSPORTS = ("auto", "grpc", "shm")
FIRST_STEP_WITHIN_S, NAMED_WITHIN_S, OVER_WITHIN_S = 600, 120, 120
KEPT_FREE_BYTES = 4 << 30
OWN_PRIORITY = -15  # of what looks at the tasks: it would wait its turn behind all of them
FIRST_GUESS_BYTES = 48 << 20  # of a task, until one was measured
TICKS_A_S = os.sysconf("SC_CLK_TCK")


def write_project(folder, data):
    project = json.loads(TEMPLATE.read_text())
    for part in (DATA[data], SETTINGS):
        for name, values in part.items():
            if name == "data" and "dataset" in values:
                project[name] = dict(values)
            elif values:
                project[name].update(values)
            else:
                project[name] = {}
    (folder / "many.tandem").write_text(json.dumps(project))
    (folder / "rows.csv").write_text("label,a,b\n" + "".join(f"{row % 10},{row % 10 / 10},{row % 7 / 7}\n" for row in range(ROWS)))
    return folder / "many.tandem"


def free_bytes():
    return next(int(line.split()[1]) << 10 for line in open("/proc/meminfo") if line.startswith("MemAvailable"))


def tasks_of(world, program, of_a_cluster=True):
    """The ids of that program's processes in the world; of workers, those that are tasks of a run's cluster, or all."""
    of_a_task = b"\0TF_CONFIG=" if program == "tandem-worker" and of_a_cluster else b""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and os.path.basename(os.readlink(entry / "exe")) == program:
                environment = b"\0" + (entry / "environ").read_bytes()
                if f"\0HOME={world.home}\0".encode() in environment and of_a_task in environment:
                    found.append(int(entry.name))
        except OSError:
            pass  # It has ended, or is not ours to look at.
    return found


def processor_s(pid):
    words = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / TICKS_A_S


def set_priority(value):
    """Of this process alone: what it has started keeps its own."""
    try:
        os.setpriority(os.PRIO_PROCESS, 0, value)
    except PermissionError:
        pass  # Only root may go first; the times then hold what this program waited.


def costs(pid):
    """What a process takes, by the kernel's account."""
    lines = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    kib = {line.split(":")[0]: int(line.split()[1]) for line in lines[1:]}
    opened = []
    for entry in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        try:
            opened.append(os.readlink(entry))
        except OSError:
            pass
    return {"pss_mib": kib["Pss"] / 1024, "rss_mib": kib["Rss"] / 1024, "descriptors": len(opened), "sockets": sum(name.startswith("socket:") for name in opened),
            "threads": len(list(pathlib.Path(f"/proc/{pid}/task").iterdir())), "processor_s": processor_s(pid)}


def costs_at_rest(pids):
    """What each takes, while all are stopped for an instant: a look at one that runs may wait until it has had its turn among the others."""
    try:
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        return [costs(pid) for pid in pids]
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


def index_of(pid):
    """A worker's number, from its TF_CONFIG."""
    for variable in pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
        if variable.startswith(b"TF_CONFIG="):
            return json.loads(variable.partition(b"=")[2])["task"]["index"]
    raise OSError(f"process {pid}: expected a TF_CONFIG, found none")


class Run:
    """One `tandem-cli train`, and what it has said so far."""

    def __init__(self, args, world, count):
        self.out, self.err = pathlib.Path(world.home) / "run.jsonl", pathlib.Path(world.home) / "run.errors"
        project = write_project(pathlib.Path(world.home), args.data)
        words = [args.bin / "tandem-cli", "train", project, "--workers", count, "--threads", 1, "--transport", args.transport, "--json"]
        self.began = time.monotonic()
        with open(self.out, "w", encoding="utf-8") as out, open(self.err, "w", encoding="utf-8") as err:
            self.process = subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=world.env)

    def events(self):
        whole = self.out.read_text(errors="replace").rpartition("\n")[0]
        return [json.loads(line) for line in whole.splitlines() if line.startswith("{")]

    def until(self, fact, what, seconds):
        """The seconds from now to the fact; raises OSError where it does not come."""
        began = time.monotonic()
        while not fact():
            if self.process.poll() is not None:
                if fact():
                    break
                raise OSError(f"it ended before {what}: {self.out.read_text(errors='replace')[-600:]}{self.err.read_text()[-600:]}")
            if time.monotonic() - began > seconds:
                raise OSError(f"{seconds} s passed without {what}: {self.out.read_text(errors='replace')[-300:]}{self.err.read_text()[-300:]}")
            time.sleep(0.02)
        return time.monotonic() - began

    def has_said(self, words):
        return words in self.out.read_text(errors="replace")


def measure(args, count):
    with World() as world:
        run = Run(args, world, count)
        set_priority(OWN_PRIORITY)
        try:
            run.until(lambda: len(tasks_of(world, "tandem-worker")) == count or run.has_said('"event":"step"'), "a process of each task", FIRST_STEP_WITHIN_S)
            started_s = time.monotonic() - run.began
            run.until(lambda: run.has_said('"event":"step"'), "a step", FIRST_STEP_WITHIN_S)
            first_s = time.monotonic() - run.began
            workers, agent = tasks_of(world, "tandem-worker"), costs(tasks_of(world, "tandem-agent")[0])
            tasks = costs_at_rest(workers)
            victim = max(workers)
            name = f"worker {index_of(victim)}"
            os.kill(victim, signal.SIGKILL)
            named = lambda: any(name in event.get("reason", "") or name in event.get("text", "") or name in event.get("detail", "")
                                or (event["event"] == "task_failed" and event["task"] == name) for event in run.events()[heard:])
            heard = len(run.events())
            named_s = run.until(named, f"a word of {name}", NAMED_WITHIN_S)
            over_s = named_s + run.until(lambda: run.process.poll() is not None and not tasks_of(world, "tandem-worker"), "the end", OVER_WITHIN_S)
            detail = run.events()[-1].get("detail", "")
            if not detail.startswith(f"{name}: killed by signal 9"):
                raise OSError(f"expected the run to fail of {name}, got: {detail}")
        finally:
            set_priority(0)
            run.process.kill()
            run.process.wait()
    middle = lambda field: statistics.median(task[field] for task in tasks)
    return {"tasks": count, "started_s": started_s, "first_step_s": first_s, **{field: middle(field) for field in ("pss_mib", "rss_mib", "descriptors", "sockets", "threads")},
            "most_sockets": max(task["sockets"] for task in tasks), "tasks_processor_s": sum(task["processor_s"] for task in tasks), "agent_processor_s": agent["processor_s"],
            "agent_pss_mib": agent["pss_mib"], "agent_descriptors": agent["descriptors"], "agent_threads": agent["threads"], "named_s": named_s, "over_s": over_s}


def measure_and_print(args):
    print(f"\n| workers, {args.data}, transport {args.transport} | all have a process, s | first step, s | memory a task (PSS), MiB | RSS, MiB | sockets a task (most) | descriptors | threads "
          "| processor time until then: tasks, s | agent, s | agent: PSS, MiB | descriptors | threads | a killed one is named after, s | all have ended after, s |")
    print("|" + " --- |" * 15)
    task_bytes, left_out = FIRST_GUESS_BYTES, []
    for count in args.tasks:
        if count * task_bytes + KEPT_FREE_BYTES > free_bytes():
            left_out.append(f"{count} workers were not measured: they take {count * task_bytes >> 20} MiB, and {free_bytes() >> 20} MiB are free, of which 4096 are left to others.")
            continue
        try:
            m = measure(args, count)
        except OSError as error:
            left_out.append(f"{count} workers: {error}")
            continue
        task_bytes = int(m["pss_mib"] * 1.2 * (1 << 20))
        print(f"| {count} | {m['started_s']:.1f} | {m['first_step_s']:.1f} | {m['pss_mib']:.1f} | {m['rss_mib']:.1f} | {m['sockets']:.0f} ({m['most_sockets']}) | {m['descriptors']:.0f} "
              f"| {m['threads']:.0f} | {m['tasks_processor_s']:.1f} | {m['agent_processor_s']:.1f} | {m['agent_pss_mib']:.0f} | {m['agent_descriptors']} | {m['agent_threads']} "
              f"| {m['named_s']:.2f} | {m['over_s']:.1f} |", flush=True)
    for line in left_out:
        print("\n" + line)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/release/bin")
    p.add_argument("--tasks", nargs="+", type=int, default=list(TASKS))
    p.add_argument("--transport", choices=TRANSPORTS, default="auto")
    p.add_argument("--data", choices=list(DATA), default="rows")
    p.add_argument("--any-load", action="store_true")
    args = p.parse_args()
    share = busy()
    if share > 0.15 and not args.any_load:
        sys.exit(f"others use {share:.0%} of this machine: not measured (--any-load overrides)")
    print(f"{os.cpu_count()} processors, others used {share:.0%} of them at the start")
    measure_and_print(args)


if __name__ == "__main__":
    main()
