"""How a step, the memory and the start grow with their causes: no line may grow faster than its cause.

    python3 tests/bench/growth.py [--bin build/bench/bin] [--lines layers weights batch workers samples all_shuffled] [--most 1e7] [--rounds 3] [--quick] [--any-load]

A line is a cause (layers, weights, a worker's batch, workers, samples) and the project that has just so much of it; the rest stays small. Of each:
the time of a step of an epoch behind the first, the memory of all workers (their shares, as the kernel counts them) and the seconds from exec to
the first step, the agent's start within. A worker has one thread. The samples are made when they are asked for (growth_samples), so that what
grows with them is what the engine keeps of each; `all_shuffled` draws them from a buffer that holds them all.

Each row is set against the one before it: growth divided by the growth of the cause, 1 where both grow alike. Below a size each line has a part
that does not grow, which is why it is neighbours that are compared. A row over 1.1 is said to grow faster. What the computer has no memory for is left
out, and said so.
"""
import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import threading
import time

from many_tasks import free_bytes, tasks_of
from processes import Quiet, World, busy, json_lines

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEMPLATE = ROOT / "resources" / "templates" / "mnist_mirrored.tandem"
CAUSES = {"layers": (10, 100, 1000, 3000), "weights": (10**4, 10**5, 10**6, 10**7, 10**8, 10**9), "batch": (1, 16, 256, 4096, 16384),
          "workers": (1, 2, 4, 16, 64), "samples": tuple(10**power for power in range(3, 9)), "all_shuffled": tuple(10**power for power in range(3, 9))}
NAMES = {"layers": "layers (Dense of 32)", "weights": "weights", "batch": "batch", "workers": "workers of one thread", "samples": "samples, shuffled in a buffer of 10,000",
         "all_shuffled": "samples, shuffled in a buffer of all"}
MEASURED = (("step_s", "step, ms", 1e3), ("memory_bytes", "memory, MiB", 1 / 2**20), ("start_s", "start, s", 1))
TOLERANCE = 1.1  # of growth against the cause's: what two measurements of the same differ by
CLASSES, FEATURES, ROWS = 10, 2, 2 * 16384  # rows: of two of the largest batches
BATCH, WIDTH = 16, 32
SECONDS, FEWEST_STEPS, MOST_STEPS = 3, 3, 50_000
RUN_WITHIN_S = 3600
LOOK_EVERY_S = 0.2
KEPT_FREE_BYTES = 3 << 30
BUFFER = 10_000


def dense(name, units, activation="relu"):
    return {"class_name": "Dense", "name": name, "config": {"units": units, "activation": activation}}


def width_of(weights):
    """Units of two Dense layers that have about so many weights with those before and behind them: w^2 + (features + classes + 2) w + classes."""
    linear = FEATURES + CLASSES + 2
    return max(1, round((math.sqrt(linear * linear + 4 * (weights - CLASSES)) - linear) / 2))


def weights_of(layers):
    """Kernels and biases of Dense layers on the samples' features."""
    count, inputs = 0, FEATURES
    for layer in layers:
        units = layer["config"]["units"]
        count, inputs = count + (inputs + 1) * units, units
    return count


def layers_of(line, cause):
    if line == "layers":
        hidden = [WIDTH] * (cause - 1)
    elif line == "weights":
        hidden = [width_of(cause)] * 2
    elif line == "batch":
        hidden = [256] * 2
    else:
        hidden = [WIDTH] * 2
    return [dense(f"hidden_{i}", units) for i, units in enumerate(hidden)] + [dense("scores", CLASSES, "linear")]


def project(line, cause, steps):
    """The project of a row, with two epochs of so many steps."""
    document = json.loads(TEMPLATE.read_text())
    document["model"].update(input_shape=[FEATURES], layers=layers_of(line, cause))
    document["data"] = {"dataset": "csv", "auto_shard": "DATA", "train_files": ["rows.csv"], "csv": {"label": "label"}, "scale": 1, "validate_on_test": False,
                        "batch_size_per_replica": cause if line == "batch" else BATCH}
    document["fit"].update(epochs=2, steps_per_epoch=steps, log_every=10**6, histogram_freq=0)
    document["callbacks"] = {}
    return document


def steps_for(step_s):
    """Of an epoch that takes as long as a measurement should."""
    return max(FEWEST_STEPS, min(MOST_STEPS, round(SECONDS / step_s)))


def growths(points):
    """Of each point but the first: by name, the growth since the one before it divided by that of the cause."""
    return [{name: (point[name] / before[name]) / (point["cause"] / before["cause"]) for name, _, _ in MEASURED} for before, point in zip(points, points[1:])]


def faster(growth):
    """The names of what has grown faster than its cause."""
    return [label.split(",")[0] for name, label, _ in MEASURED if growth[name] > TOLERANCE]


def verdict(growth):
    names = faster(growth)
    return "kept" if not names else f"missed: {', '.join(names)}"


def expected_bytes(points, cause):
    """What the next row may take: as much more than the one before it as there is more of the cause. 0 where nothing is known."""
    return points[-1]["memory_bytes"] * cause / points[-1]["cause"] if points else 0


def amount(value):
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def table(line, points):
    """The lines of a table of Markdown, with the line's whole growth at its end."""
    lines = [f"| {NAMES[line]} | " + " | ".join(label for _, label, _ in MEASURED) + " | " + " | ".join(f"{label.split(',')[0]} / cause" for _, label, _ in MEASURED) + " | verdict |",
             "|" + " --- |" * (2 * len(MEASURED) + 2)]
    for index, (point, growth) in enumerate(zip(points, [None, *growths(points)])):
        cells = [f"{point['cause']:,}", *(amount(point[name] * scale) for name, _, scale in MEASURED)]
        cells += [f"×{growth[name]:.2f}" for name, _, _ in MEASURED] + [verdict(growth)] if index else [""] * (len(MEASURED) + 1)
        lines.append("| " + " | ".join(cells) + " |")
    if len(points) > 2:
        whole = growths([points[0], points[-1]])[0]
        cells = [f"×{points[-1]['cause'] / points[0]['cause']:,.0f}", *(f"×{amount(points[-1][name] / points[0][name])}" for name, _, _ in MEASURED)]
        lines.append("| " + " | ".join([*cells, *(f"×{whole[name]:.2g}" for name, _, _ in MEASURED), verdict(whole)]) + " |")
    return lines


def bytes_each(points):
    """What the last row's memory has more than the first one's, for each of the cause."""
    return (points[-1]["memory_bytes"] - points[0]["memory_bytes"]) / (points[-1]["cause"] - points[0]["cause"])


def share_bytes(pid):
    """A process' share of the memory that it maps."""
    line = next(line for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines() if line.startswith("Pss:"))
    return int(line.split()[1]) << 10


class WorkersShare:
    """The most that the workers of `world` have had together, by a look from time to time."""

    def __init__(self, world):
        self.world, self.most, self.over = world, 0, threading.Event()
        self.thread = threading.Thread(target=self._watch)

    def _watch(self):
        while not self.over.wait(LOOK_EVERY_S):
            together = 0
            for pid in tasks_of(self.world, "tandem-worker", of_a_cluster=False):
                try:
                    together += share_bytes(pid)
                except (OSError, StopIteration):
                    pass  # It has just ended.
            self.most = max(self.most, together)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()


def train(args, line, cause, steps):
    """A run of the shipped programs. Raises OSError where it fails."""
    workers = cause if line == "workers" else 1
    with World() as world, WorkersShare(world) as memory:
        home = pathlib.Path(world.home)
        document = project(line, cause, steps)
        (home / "growth.tandem").write_text(json.dumps(document))
        (home / "rows.csv").write_text("label,a,b\n" + "".join(f"{row % CLASSES},{row % 10 / 10},{row % 7 / 7}\n" for row in range(ROWS)))
        lines, error = json_lines([args.bin / "tandem-cli", "train", home / "growth.tandem", "--json", "--workers", workers, "--threads", 1, "--out", home / "out"],
                                  env=world.env, timeout=RUN_WITHIN_S)
    if lines is None:
        raise OSError(error.strip())
    last = lines[-1]
    if not last.get("images_per_s") or not last.get("first_step_s"):
        raise OSError(f"expected the last line to tell images_per_s and first_step_s, got {last}")
    return {"cause": cause, "step_s": document["data"]["batch_size_per_replica"] * workers / last["images_per_s"], "memory_bytes": memory.most, "start_s": last["first_step_s"]}


def train_twice(args, line, cause):
    """A short run tells how long the one that counts must be; its start counts as well."""
    short = train(args, line, cause, FEWEST_STEPS)
    long = train(args, line, cause, steps_for(short["step_s"]))
    return {**long, "memory_bytes": max(short["memory_bytes"], long["memory_bytes"]), "start_s": min(short["start_s"], long["start_s"])}


def make_samples(args, line, cause):
    program = (args.bench_bin or args.bin) / "growth_samples"
    began = time.time()
    lines, error = json_lines([program, "--samples", cause, "--shuffle", cause if line == "all_shuffled" else BUFFER], timeout=RUN_WITHIN_S)
    if lines is None:
        raise OSError(error.strip())
    last = lines[-1]
    return {"cause": cause, "step_s": last["step_s"], "memory_bytes": last["memory_bytes"], "start_s": last["first_step_unix_s"] - began}


def measure(args, line, cause):
    return make_samples(args, line, cause) if line in ("samples", "all_shuffled") else train_twice(args, line, cause)


def middle(rounds):
    """The medians of a row's rounds."""
    return {name: statistics.median(one[name] for one in rounds) for name in rounds[0]}


def points_of(args, line, quiet):
    """(points, sentences on what was left out) of a line."""
    points, left_out, rounds = [], [], 1 if args.quick else args.rounds
    for cause in CAUSES[line]:
        if args.most is not None and cause > args.most:
            break
        wanted, free = expected_bytes(points, cause), free_bytes() - KEPT_FREE_BYTES
        if wanted > free:
            left_out.append(f"{NAMES[line]}: {cause:,} and more were not measured: they take {wanted / 2**20:,.0f} MiB, and {max(0, free) / 2**20:,.0f} MiB are free beside those that are left to others.")
            break
        try:
            points.append(middle([quiet(lambda: measure(args, line, cause)) for _ in range(rounds)]))
        except (OSError, subprocess.TimeoutExpired) as error:
            left_out.append(f"{NAMES[line]}, {cause:,}: {error}")
            break
    return points, left_out


def measure_and_print(args):
    quiet, left_out = Quiet(args.any_load), []
    for line in args.lines:
        if line in ("samples", "all_shuffled") and not ((args.bench_bin or args.bin) / "growth_samples").exists():
            print(f"\n{NAMES[line]}: growth_samples was not built (preset bench)")
            continue
        points, reasons = points_of(args, line, quiet)
        left_out += reasons
        print("\n" + "\n".join(table(line, points)), flush=True)
        if len(points) > 1:
            print(f"\nFrom the first row to the last: {amount(bytes_each(points))} bytes for each of the {NAMES[line].split(',')[0].split(' ')[0]}.", flush=True)
    for reason in left_out:
        print("\n" + reason)
    print("\n" + quiet.sentence())


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/bench/bin")
    p.add_argument("--bench-bin", type=pathlib.Path, help="where growth_samples lies (default: --bin)")
    add_options(p)
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--quick", action="store_true", help="one round")
    p.add_argument("--any-load", action="store_true")
    args = p.parse_args()
    share = busy()
    if share > 0.15 and not args.any_load:
        sys.exit(f"others use {share:.0%} of this machine: not measured (--any-load overrides)")
    print(f"{os.cpu_count()} processors, others used {share:.0%} of them at the start; medians of {1 if args.quick else args.rounds} rounds")
    measure_and_print(args)


def add_options(parser):
    parser.add_argument("--lines", nargs="+", choices=list(CAUSES), default=list(CAUSES), help="of the tables of growth")
    parser.add_argument("--most", type=float, help="of the tables of growth: larger causes are left out")


if __name__ == "__main__":
    main()
