"""Random faults in runs on several hosts, one a run:

    python3 tests/hosts/chaos.py --count 60 [--seed 1] [--minutes 30] [--faults hang cut] [--verbose]
    python3 tests/hosts/chaos.py --seed 1 --only 17          the run with that number again

Runs of a tiny model go over four hosts of this machine (hosts.py), reached over ssh, with a backup after each epoch. Each is hit once, while it starts or
at a step. It has to end with the weights of a run that nothing has disturbed, or in a failure that names the host; and when it is over no task, no
port, no way to a host and no run that goes on may be left anywhere. A table tells how long it took until an event named the host. The exit code is 1
when a run ended otherwise; what the hosts had is kept then. Number and seed decide a run's fault, host and moment, not what threads do meanwhile.
"""
import argparse
import json
import os
import pathlib
import random
import re
import shutil
import signal
import statistics
import sys
import tempfile
import time

from hosts import Hosts, wait_for
from train_test import BIN, DEFAULT_FOLDER, PROJECT, RUNS, SMALL, Training, network_sockets, settings_of

PLACES = ("node1,node2,node3", "node2,node3", "node1,node2:2,node3", "node1,node2,node3,node4")
VALUES = {"fit.epochs": 30, "data.take": 6400, "fit.validation_steps": 1, "fit.log_every": 5, "fit.histogram_freq": 0, "model.layers": SMALL,
          "cluster.heartbeat_fatal_s": 8, "cluster.start_timeout_s": 120}
SHORT_CUT_S, LOSS, LOSS_FOR_S, DISK_BYTES = 3, 0.05, 8, 8 << 20
NAMED_WITHIN_S, OVER_WITHIN_S, LEFT_WITHIN_S = 5.0, 240, 60
STARTS_AGAIN = "its tasks are started as soon as they can be"
OVER = {"Done", "Failed", "Stopped"}
EQUAL, NAMED, WRONG = "equal weights", "named failure", "WRONG"


class Wrong(Exception):
    """What a run, or what is left of it, is not to be like."""


def workers_of(place):
    """{host: its workers' names}, in the order of the run."""
    found, number = {}, 0
    for word in place.split(","):
        node, _, count = word.partition(":")
        found[node] = [f"worker {number + index}" for index in range(int(count or 1))]
        number += len(found[node])
    return found


class TimedTraining(Training):
    """It knows when each line came, to the time between two looks."""

    def __init__(self, hosts, name, argv):
        self.lines, self.seen = [], {}
        super().__init__(hosts, name, argv)

    def look(self):
        over = self.is_over()
        now = time.monotonic()
        for file in (self.file, self.errors_file):
            text = file.read_text(errors="replace")
            whole = text if over else text[:text.rfind("\n") + 1]
            self.lines += [(now, line) for line in whole[self.seen.get(file, 0):].splitlines()]
            self.seen[file] = len(whole)
        return over

    def until(self, fact, what, seconds=OVER_WITHIN_S):
        """Waits for the fact; false where the run was over first."""
        end = time.monotonic() + seconds
        while True:
            over = self.look()
            if fact():
                return True
            if over:
                return False
            if time.monotonic() > end:
                raise Wrong(f"{seconds} s passed without {what}")
            time.sleep(0.01)

    def said(self, since=0.0):
        """(when, what) of each line that tells of something that went wrong or changed: what is said when tasks meet is left out."""
        for when, line in self.lines:
            if when < since:
                continue
            event = json.loads(line) if line.startswith("{") else {"event": "stderr", "text": line}
            kind = event["event"]
            if kind in ("task_failed", "attempt"):
                yield when, f"{event.get('task')}: {event['reason']}"
            elif kind == "log" and not re.match("no shared memory|AUTO takes", event["text"]):
                yield when, event["text"]
            elif kind == "finished" and event.get("detail"):
                yield when, event["detail"]
            elif kind == "stderr" and not line.startswith("Training on "):
                yield when, line


# ---- the faults ------------------------------------------------------------------------------------------------------------


class Blow:
    """One run, and the fault that hits it. `hit` begins it, `heal` ends it (once the run has told what it was to tell), `clean` leaves the host as it
    was. `far` faults hit a host that is not home; `recovers` ones end well even where a lost task fails the run."""

    far, recovers, refused, timed = True, False, False, True

    def __init__(self, world, dice):
        self.world, self.hosts, self.dice = world, world.hosts, dice
        self.place = dice.choice(self.places())
        self.tasks = workers_of(self.place)
        self.node = dice.choice([node for node in self.tasks if not self.far or node != "node1"]) if self.node_of() is None else self.node_of()
        self.restarts = dice.random() < 0.7
        self.moment = dice.choice(("start", "step", "step", "step"))
        self.fraction, self.delay_s = dice.uniform(0.0, 0.9), dice.uniform(0.0, 1.0)
        self.choose()

    def places(self):
        return PLACES

    def node_of(self):
        return None

    def choose(self):
        pass

    def describe(self):
        when = f"{self.delay_s:.2f} s after its start" if self.moment == "start" else f"at {self.fraction:.0%} of its steps"
        return f"{self.kind} {self.detail()}on {self.node} of {self.place}, {when}, {'restart' if self.restarts else 'fail'}"

    def detail(self):
        return ""

    def before(self):
        pass

    def hit(self, training):
        raise NotImplementedError

    def heal(self, training):
        pass

    def clean(self):
        pass

    def names(self, text):
        return any(re.search(rf"\b{re.escape(word)}\b", text) for word in (self.node, self.hosts.address(self.node), *self.tasks.get(self.node, ())))

    def worker(self, training):
        """A worker on the host; None where the run was over before."""
        training.until(lambda: self.hosts.processes(self.node, "tandem-worker"), f"a task on {self.node}")
        found = sorted(self.hosts.processes(self.node, "tandem-worker"))
        return self.dice.choice(found) if found else None

    def signal(self, pid, number):
        if pid is None:
            return False
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return False
        return True


class FarWorkerKilled(Blow):
    kind = "far worker killed"

    def hit(self, training):
        return self.signal(self.worker(training), signal.SIGKILL)


class HomeWorkerKilled(FarWorkerKilled):
    kind, far = "home's worker killed", False

    def places(self):
        return [place for place in PLACES if "node1" in place]

    def node_of(self):
        return "node1"


class Hang(FarWorkerKilled):
    kind, far = "worker hung", False

    def hit(self, training):
        return self.signal(self.worker(training), signal.SIGSTOP)


class FarAgentKilled(Blow):
    kind = "far agent killed"

    def hit(self, training):
        training.until(lambda: self.hosts.processes(self.node, "tandem-agent"), f"an agent on {self.node}")
        found = self.hosts.processes(self.node, "tandem-agent")
        return self.signal(found[0] if found else None, signal.SIGKILL)


class ShortCut(Blow):
    kind, recovers, timed = f"link cut for {SHORT_CUT_S} s", True, False

    def hit(self, training):
        self.hosts.link(self.node, "down")
        return True

    def heal(self, training):
        end = time.monotonic() + SHORT_CUT_S
        training.until(lambda: time.monotonic() > end, "time to pass")

    def clean(self):
        self.hosts.link(self.node, "up")


class Cut(ShortCut):
    kind, recovers, timed = "link cut, then back", False, True

    def choose(self):
        self.longer_s = self.dice.uniform(0.0, 4.0)

    def heal(self, training):
        """The cable is put in again after home has given the tasks up."""
        training.until(lambda: any(STARTS_AGAIN in text or "attempt" in text for _, text in training.said()) or training.events("attempt"), "tasks to be given up", 90)
        end = time.monotonic() + self.longer_s
        training.until(lambda: time.monotonic() > end, "time to pass")


class HomeCut(ShortCut):
    kind, far = "home's link cut", False

    def node_of(self):
        return "node1"

    def names(self, text):
        return "node" in text or "10.77.0." in text

    def places(self):
        return ["node2,node3"]

    def choose(self):
        self.moment, self.down_s = "step", self.dice.uniform(1.0, 10.0)

    def detail(self):
        return f"for {self.down_s:.1f} s "

    def heal(self, training):
        end = time.monotonic() + self.down_s
        training.until(lambda: time.monotonic() > end, "time to pass")


class Loss(ShortCut):
    kind = f"{LOSS:.0%} of packets lost"

    def hit(self, training):
        self.hosts.slow(self.node, loss=LOSS)
        return True

    def heal(self, training):
        end = time.monotonic() + LOSS_FOR_S
        training.until(lambda: time.monotonic() > end, "time to pass")

    def clean(self):
        self.hosts.slow(self.node)


class PowerOff(Cut):
    kind = "host powered off"

    def hit(self, training):
        self.hosts.power(self.node, "off")
        return True

    def clean(self):
        self.hosts.power(self.node, "on")


class FullDisk(Blow):
    kind, recovers, timed = "disk full", True, False

    def choose(self):
        self.first, self.full_s = self.dice.random() < 0.3, self.dice.uniform(0.5, 10.0)
        self.folder = f"/run/home/{RUNS}"

    def detail(self):
        return f"{'from the first on, ' if self.first else ''}for {self.full_s:.1f} s "

    def fill(self):
        self.hosts.run(self.node, ["sh", "-c", f"cat /dev/zero > {self.folder}/filler"], timeout=120)

    def before(self):
        self.world.end_agent(self.node)
        mounted = self.hosts.run(self.node, ["sh", "-c", f"mkdir -p {self.folder} && mount -t tmpfs -o mode=700,size={DISK_BYTES} tmpfs {self.folder}"], timeout=120)
        if mounted.returncode != 0:
            raise OSError(f"{self.node}: {mounted.stderr}")
        if self.first:
            self.fill()

    def hit(self, training):
        self.fill()
        return True

    def heal(self, training):
        end = time.monotonic() + self.full_s
        training.until(lambda: time.monotonic() > end, "time to pass")

    def clean(self):
        self.hosts.run(self.node, ["rm", "-f", f"{self.folder}/filler"], timeout=120)

    def after(self):
        self.world.end_agent(self.node)
        self.hosts.run(self.node, ["umount", "-l", self.folder], timeout=120)


class Refused(Blow):
    """The run does not start, and nothing of it does."""

    refused, timed = True, False

    def choose(self):
        self.moment, self.delay_s = "start", 0.0

    def describe(self):
        return f"{self.kind} {self.detail()}on {self.node} of {self.place}"

    def hit(self, training):
        return True

    def heal(self, training):
        training.until(lambda: False, "its end")


class OtherVersion(Refused):
    kind = "another version"

    def before(self):
        self.world.end_agent(self.node)
        self.program = self.hosts.home(self.node) / DEFAULT_FOLDER / "bin" / "tandem-agent"
        self.program.unlink()
        self.program.write_text(f'#!/bin/sh\n[ "$1" != --version ] || {{ echo 0.0.1; exit; }}\nexec {BIN}/tandem-agent "$@"\n')
        self.program.chmod(0o755)

    def clean(self):
        self.program.unlink()
        self.program.symlink_to(BIN / "tandem-agent")


class WrongKey(Refused):
    kind = "wrong key"

    def choose(self):
        super().choose()
        self.way = self.dice.choice(("not let in", "another server's key", "an unknown server"))

    def detail(self):
        return f"({self.way}) "

    def before(self):
        if self.way == "not let in":
            self.file = self.hosts.ssh.of(self.node) / "authorized_keys"
            self.text = self.file.read_text()
            self.file.write_text("")
        elif self.way == "an unknown server":
            self.hosts.ssh.know(unknown=(self.node,))
        else:
            self.hosts.ssh.know(wrong=(self.node,))

    def clean(self):
        if self.way == "not let in":
            self.file.write_text(self.text)
        else:
            self.hosts.ssh.know()


FAULTS = (FarWorkerKilled, HomeWorkerKilled, Hang, FarAgentKilled, ShortCut, Cut, HomeCut, Loss, PowerOff, FullDisk, OtherVersion, WrongKey)


# ---- the hosts, and what is left on them ------------------------------------------------------------------------------------


class World:
    """Four hosts with Tandem on each; `weights` outlive them."""

    def __init__(self, weights):
        self.weights, self.hosts, self.started = weights, Hosts(4, ssh=True), 0

    def __enter__(self):
        self.hosts.__enter__()
        for node in self.hosts.nodes[1:]:
            folder = self.hosts.home(node) / DEFAULT_FOLDER / "bin"
            folder.mkdir(parents=True)
            for program in ("tandem-agent", "tandem-worker"):
                (folder / program).symlink_to(BIN / program)
            self.cli("node1", "host", "add", node, "--no-check")
        return self

    def __exit__(self, *error):
        self.hosts.__exit__(*error)

    def cli(self, node, *words):
        done = self.hosts.run(node, [BIN / "tandem-cli", *words], timeout=300)
        if done.returncode != 0:
            raise Wrong(f"{node}: tandem-cli {' '.join(words)}: {done.stdout[-500:]}{done.stderr[-500:]}")
        return done.stdout

    def train(self, place, values):
        self.started += 1
        return TimedTraining(self.hosts, f"training{self.started}", [PROJECT, "--hosts", place, *settings_of(values)])

    def undisturbed(self, place):
        """(weights, number of step events) of a run that nothing happens to."""
        if place not in self.weights:
            training = self.train(place, VALUES)
            if training.end() != 0:
                raise Wrong(f"an undisturbed run on {place} fails: {training.errors()}")
            self.weights[place] = (training.last()["weights_sha256"], len(training.steps()))
        return self.weights[place]

    def end_agent(self, node):
        for pid in self.hosts.processes(node, "tandem-agent"):
            os.kill(pid, signal.SIGTERM)
        wait_for(lambda: not self.hosts.processes(node, "tandem-agent"), f"the end of the agent on {node}", LEFT_WITHIN_S)

    def expect_nothing_left(self):
        for node in self.hosts.nodes:
            for what, left in (("task", lambda: self.hosts.processes(node, "tandem-worker")),
                               ("agent's port", lambda: [own for pid in self.hosts.processes(node, "tandem-agent") for own in network_sockets(pid)]),
                               ("second agent", lambda: self.hosts.processes(node, "tandem-agent")[1:]),
                               ("port", lambda: self.hosts.run(node, ["ss", "-Hltn", "sport != :22"], timeout=120).stdout.split()),
                               ("ssh", lambda: self.hosts.processes(node, "ssh")),
                               ("way to a host", lambda: self.hosts.run(node, ["sh", "-c", "ls -d /run/user/tandem/far-* 2>/dev/null"], timeout=120).stdout.split()),
                               ("run", lambda: self.runs_that_go_on(node))):
                try:
                    wait_for(lambda: not left(), what, LEFT_WITHIN_S)
                except AssertionError:
                    raise Wrong(f"{node}: left after {LEFT_WITHIN_S} s: {what} {left()}") from None

    def runs_that_go_on(self, node):
        runs = [json.loads(line) for line in self.cli(node, "runs", "--json").splitlines()]
        return [(run["run"], run["state"], run["detail"]) for run in runs if run["state"] not in OVER]

    def keep(self, folder):
        """Journals and logs, without data sets and programs."""
        for node in self.hosts.nodes:
            shutil.copytree(self.hosts.home(node), folder / node, symlinks=True, ignore=shutil.ignore_patterns("bundle", "datasets", ".ssh", "checkpoints", "filler"),
                            ignore_dangling_symlinks=True)
            (folder / f"{node}.sshd").write_text(self.hosts.ssh.log(node))


# ---- one run -----------------------------------------------------------------------------------------------------------------


def ending(blow, training, hit, in_time, weights):
    """How the run ended, in one word; Wrong where it ended otherwise."""
    code, last = training.process.returncode, training.last()
    if code == 0:
        if blow.refused:
            raise Wrong("it trained, expected a refusal")
        if last.get("state") != "done" or last["weights_sha256"] != weights:
            raise Wrong(f"expected the weights {weights[:12]}, got {last}")
        if hit and in_time and blow.timed and blow.moment == "step" and not blow.restarts:  # earlier nothing of it may have been there to be lost
            raise Wrong("it went on, expected it to fail")
        return EQUAL
    told = last.get("detail") or training.errors().strip().splitlines()[-1]
    if code != 1 or not blow.names(told):
        raise Wrong(f"exit code {code}, expected a failure that names {blow.node}, got: {told}")
    if blow.refused and last:
        raise Wrong(f"expected a refusal before the start, got: {last}")
    if not blow.refused and blow.moment == "step" and hit and (blow.recovers or blow.restarts) and not isinstance(blow, FullDisk):
        raise Wrong(f"expected it to go on, got: {told}")
    return NAMED


def run_one(world, blow, verbose):
    """(how it ended, seconds until the host was named or None, what named it)."""
    weights, events = world.undisturbed(blow.place)
    blow.before()
    training, hit, hit_at, healed = None, False, 0.0, False
    try:
        began = time.monotonic()
        training = world.train(blow.place, {**VALUES, "cluster.on_task_lost": "restart" if blow.restarts else "fail"})
        if blow.moment == "start":
            end = time.monotonic() + blow.delay_s
            training.until(lambda: time.monotonic() > end, "time to pass")
        else:
            training.until(lambda: len(training.steps()) >= max(1, int(blow.fraction * events)), "its steps")
        if not training.is_over() or blow.refused:
            hit_at = began if blow.refused else time.monotonic()
            hit = blow.hit(training)
        in_time = len(training.steps()) < events - 2
        if hit:
            blow.heal(training)
        healed = True
        blow.clean()
        training.until(lambda: False, "its end")
        told = [(when - hit_at, text) for when, text in training.said(hit_at) if blow.names(text)]
        named, words = told[0] if hit and told else (None, "")
        if verbose:
            for when, text in training.said(hit_at):
                print(f"      {when - hit_at:6.2f} {text[:200]}")
        how = ending(blow, training, hit, in_time, weights)
        if hit and blow.timed and in_time and blow.moment == "step" and (named is None or named > NAMED_WITHIN_S):
            raise Wrong(f"{blow.node} was named after {named if named is None else round(named, 2)} s, expected {NAMED_WITHIN_S} s")
        world.expect_nothing_left()
        return how if hit else "over before", named, words
    finally:
        if not healed:
            blow.clean()
        if hasattr(blow, "after"):
            blow.after()
        if training is not None:
            training.kill()


def faults_of(seed, number, kinds):
    """Each kind comes once in as many runs as there are kinds, in an order of its own each time."""
    order = list(kinds)
    random.Random(f"{seed}:round {number // len(kinds)}").shuffle(order)
    return order[number % len(kinds)], random.Random(f"{seed}:{number}")


def table(results):
    print("\n| fault | count | named within, median | at most | equal weights | named failure | over before | WRONG |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    kinds = [kind.kind for kind in FAULTS if any(result[0] == kind.kind for result in results)]
    for kind in kinds:
        own = [result for result in results if result[0] == kind]
        times = [seconds for _, _, seconds in own if seconds is not None]
        cells = [f"{statistics.median(times):.2f} s", f"{max(times):.2f} s"] if times else ["–", "–"]
        print(f"| {kind} | {len(own)} | {' | '.join(cells)} | " + " | ".join(str(sum(how == wanted for _, how, _ in own)) for wanted in (EQUAL, NAMED, "over before", WRONG)) + " |")


def parse():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--count", type=int, default=12)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--minutes", type=float, default=600, help="no run starts later")
    p.add_argument("--only", type=int, help="the number of one run")
    p.add_argument("--faults", nargs="+", help="words of the faults that are wanted; numbers count those alone")
    p.add_argument("--verbose", action="store_true", help="what the runs said after the fault")
    return p.parse_args()


def main():
    args = parse()
    if why := Hosts.missing(ssh=True):
        print(f"OK (skipped=1): {why}")
        return 0
    kinds = [kind for kind in FAULTS if not args.faults or any(word in kind.kind for word in args.faults)]
    numbers = [args.only] if args.only is not None else range(args.count)
    left, results, weights, end = list(numbers), [], {}, time.monotonic() + 60 * args.minutes
    while left and time.monotonic() < end:
        with World(weights) as world:
            while left and time.monotonic() < end:
                number = left.pop(0)
                kind, dice = faults_of(args.seed, number, kinds)
                blow, began = kind(world, dice), time.monotonic()
                try:
                    how, named, words = run_one(world, blow, args.verbose)
                except (Wrong, AssertionError, OSError) as wrong:
                    kept = pathlib.Path(tempfile.mkdtemp(prefix=f"tandem-chaos-{args.seed}-{number}-"))
                    world.keep(kept)
                    results.append((blow.kind, WRONG, None))
                    print(f"{number:4} WRONG: {blow.describe()}: {wrong}\n     again: --seed {args.seed} --only {number}"
                          f"{' --faults ' + ' '.join(args.faults) if args.faults else ''}; kept: {kept}", flush=True)
                    break  # the next one gets hosts of its own
                results.append((blow.kind, how, named))
                after = f"{named:.2f} s: {words[:110]}" if named is not None else "not named"
                print(f"{number:4} {how}: {blow.describe()}: {after} ({time.monotonic() - began:.1f} s)", flush=True)
    table(results)
    return 1 if any(how == WRONG for _, how, _ in results) else 0


if __name__ == "__main__":
    sys.exit(main())
