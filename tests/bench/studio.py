"""The studio's budgets, measured on the programs as they are: a table of what, how much, budget, verdict.

The window's start and its memory are those of the real program on a display of its own (Xvfb), with folders of its own and a warm disk; frames
and the intake of events come from monitor_bench, the table's filter from run_table, a change of the Cluster page from cluster_page_bench.
"""
import contextlib
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import time

from processes import World, json_lines
from x11 import Display

START_S, FRAME_MS, TURN_MS, FILTER_MS, CHANGE_MS, MEMORY_MB = 0.5, 1000 / 60, 16, 50, 50, 150
POINTS = 100_000
LAYERS = [{"class_name": "Flatten", "name": "flatten", "config": {}},
          {"class_name": "Dense", "name": "dense", "config": {"units": 10, "activation": "softmax"}}]
SETTLE_S = 2
KEY_MONITOR = "5"


@contextlib.contextmanager
def screen():
    """A display of its own; gives its name."""
    reader, writer = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(writer), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"], pass_fds=[writer],
                              stderr=subprocess.DEVNULL)
    os.close(writer)
    try:
        with os.fdopen(reader) as lines:
            yield ":" + lines.readline().strip()
    finally:
        server.terminate()
        server.wait(10)


@contextlib.contextmanager
def studio(args, env, display, *options):
    """The program, its window once that is painted, and the seconds from exec until then."""
    with Display(display) as screen_:
        begin = time.monotonic()
        process = subprocess.Popen([args.bin / "tandem", *options], env=dict(env, DISPLAY=display, QT_QPA_PLATFORM="xcb"),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            window = screen_.wait_for_painted_window(30)
            yield process, screen_, window, time.monotonic() - begin
        finally:
            process.terminate()
            process.wait(10)


def start_seconds(args, display):
    """Each with folders of its own: nothing of an earlier start is there to be read. The first warms the disk."""
    samples = []
    for _ in range(args.rounds + 1):
        with World() as world, studio(args, world.env, display) as (_, _, _, seconds):
            samples.append(seconds)
    return samples[1:]


def memory(pid):
    """Resident and proportional megabytes (2^20)."""
    with open(f"/proc/{pid}/smaps_rollup") as lines:
        fields = {line.split(":")[0]: line.split()[1] for line in lines if line.endswith("kB\n")}
    return int(fields["Rss"]) / 1024, int(fields["Pss"]) / 1024


def memory_with_a_run(args, display):
    """MB of the studio while it shows a run of POINTS steps in Monitor."""
    with World() as world:
        settings = {"model.layers": json.dumps(LAYERS), "data.batch_size_per_replica": 1, "data.validate_on_test": "false",
                    "fit.steps_per_epoch": POINTS // 2, "fit.epochs": 2}
        changes = [part for path, value in settings.items() for part in ("--set", f"{path}={value}")]
        lines, error = json_lines([args.bin / "tandem-cli", "train", "mnist_mlp", "--json", "--threads", 1, *changes], env=world.env)
        if lines is None:
            raise SystemExit(f"tandem-cli failed: {error}")
        steps = max(line.get("step", 0) for line in lines)
        if steps != POINTS:
            raise SystemExit(f"expected a run of {POINTS} steps, got {steps}")
        folder = pathlib.Path(world.home) / ".config/tandem"
        folder.mkdir(parents=True)
        (folder / "tandem.conf").write_text("[tour]\nseen=true\n")
        with studio(args, world.env, display) as (process, screen_, window, _):
            time.sleep(SETTLE_S)
            screen_.press(window, KEY_MONITOR, control=True)
            before, settled = 0, memory(process.pid)
            while settled[0] > before + 0.5:  # until nothing more is read
                before = settled[0]
                time.sleep(SETTLE_S)
                settled = memory(process.pid)
            return settled


def bench(args, name, *options):
    program = (args.bench_bin or args.bin) / name
    if not program.exists():
        return None
    lines, error = json_lines([program, *options], env=dict(os.environ, QT_QPA_PLATFORM="offscreen"))
    if lines is None:
        raise SystemExit(f"{name} failed: {error}")
    return lines


class Table:
    def __init__(self):
        self.rows = []

    def add(self, what, figure, budget, kept):
        self.rows.append(f"| {what} | {figure} | {budget} | {'kept' if kept else 'missed'} |")

    def print(self):
        print("\n| the window | measured | budget | verdict |\n| --- | --- | --- | --- |")
        print("\n".join(self.rows))


def add_frames(table, args):
    for line in bench(args, "monitor_bench", "frames") or []:
        table.add(f"{line['series']} series of {line['points']:,} points, {line['bench']}, a frame",
                  f"p50 {line['wall_p50_ms']:.1f} ms, p99 {line['wall_p99_ms']:.1f} ms (window's thread {line['p50_ms']:.1f}, {line['p99_ms']:.1f})",
                  f"p99 under {FRAME_MS:.1f} ms", line["wall_p99_ms"] < FRAME_MS)


def add_intake(table, args, seconds):
    for options, name in (([], "mean"), (["--each"], "a curve a worker")):
        for line in bench(args, "monitor_bench", "ingest", "--seconds", str(seconds), *options) or []:
            missing = line["lost"] + line["dropped"]
            table.add(f"{line['tasks']} tasks × {line['rate']} events/s, {line['seconds']:.0f} s, {name}",
                      f"{line['sent']:,} points, {missing:,} lost; a turn p99 {line['wall_p99_ms']:.1f} ms, most {line['wall_most_ms']:.1f} ms "
                      f"(window's thread {line['p99_ms']:.1f}, {line['most_ms']:.1f})",
                      f"none lost, no turn over {TURN_MS} ms", missing == 0 and line["drawn"] and line["wall_most_ms"] <= TURN_MS)


def add_filter(table, args):
    lines = bench(args, "run_table")
    if lines:
        worst = lines[-1]["filter_ms"]
        table.add(f"{lines[-1]['runs']:,} runs, the slowest filter and back", f"{worst:.1f} ms", f"under {FILTER_MS} ms", worst < FILTER_MS)


def add_cluster(table, args):
    lines = bench(args, "cluster_page_bench")
    if lines:
        worst = lines[-1]["change_ms"]
        table.add(f"the Cluster page with {lines[-1]['tasks']:,} tasks, the slowest change", f"{worst:.1f} ms", f"under {CHANGE_MS} ms", worst < CHANGE_MS)


def measure_and_print(args):
    if shutil.which("Xvfb") is None:
        raise SystemExit("Xvfb: expected it to be installed, found none")
    table = Table()
    with screen() as display:
        starts = start_seconds(args, display)
        middle = statistics.median(starts)
        table.add("from exec to the painted window", f"{middle:.2f} s ({min(starts):.2f} to {max(starts):.2f})", f"under {START_S} s",
                  middle < START_S)
        add_frames(table, args)
        add_intake(table, args, 10 if args.quick else 60)
        add_filter(table, args)
        add_cluster(table, args)
        resident, proportional = memory_with_a_run(args, display)
        table.add(f"memory with a run of {POINTS:,} steps open", f"RSS {resident:.0f} MB, PSS {proportional:.0f} MB", f"RSS under {MEMORY_MB} MB",
                  resident < MEMORY_MB)
    table.print()
