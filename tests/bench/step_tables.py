"""Training steps of some models at some batch sizes beside TensorFlow, PyTorch and JAX: images/s, memory, and where our time goes.

Data lies in memory on all sides; a step gathers a random batch, runs forward and backward and updates with Adam. Programs take turns, and
rounds are added until the deadline: medians are compared. Two workers are two processes of one thread over shared memory (Tandem's through
its agent, on MNIST) against DistributedDataParallel over Gloo.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from processes import World, json_lines

PEERS = pathlib.Path(__file__).resolve().parent / "peers"
sys.path.insert(0, str(PEERS))
from models import MODELS  # noqa: E402

SECONDS = 1.5
MISSING = "not measured"


class Samples:
    """Values by (program, model, batch, workers)."""

    def __init__(self):
        self.rates, self.memory, self.reports, self.errors = {}, {}, {}, {}

    def add(self, program, line):
        key = (program, line["model"], line["batch"], line.get("workers", 1))
        self.rates.setdefault(key, []).append(line["images_per_s"])
        if line.get("peak_rss_bytes"):
            self.memory[key] = max(self.memory.get(key, 0), line["peak_rss_bytes"])
        if "ops" in line:
            best = self.reports.get(key)
            self.reports[key] = line if best is None or line["least_us"] < best["least_us"] else best

    def rate(self, *key):
        return statistics.median(self.rates[key]) if key in self.rates else None

    def programs(self, *rest):
        return [key[0] for key in self.rates if key[1:] == rest]


def tandem_steps(args, samples, model):
    """A process a batch size, so that its memory is that batch's."""
    program = (args.bench_bin or args.bin) / "cpu_step"
    for batch in args.batches:
        command = [program, "--model", model, "--batch", batch, "--threads", os.cpu_count(), "--seconds", SECONDS, "--json"]
        lines, error = json_lines(command)
        if lines is None:
            samples.errors["Tandem", model] = error
            return
        samples.add("Tandem", lines[-1])


def peer_steps(args, samples, script, model, modes, workers=1):
    command = [args.python, PEERS / script, "--model", model, "--seconds", SECONDS, "--modes", *modes, "--batches", *args.batches]
    if workers > 1:
        command += ["--workers", workers, "--threads", 1]
    env = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3")
    try:
        lines, error = json_lines(command, env=env, timeout=600)
    except (OSError, subprocess.TimeoutExpired) as failure:
        lines, error = None, str(failure)
    for line in lines or []:
        samples.add(f"{line['peer']} {line['mode']}", line)
    if lines is None:
        samples.errors[script, model] = error


def project(model, folder):
    """A starter project with another model in it: MNIST through the whole pipeline."""
    layers, names = [], {}
    for layer in MODELS[model].layers:
        kind = type(layer).__name__
        class_name = {"Conv": "Conv2D", "Pool": "MaxPooling2D"}.get(kind, kind)
        config = {"Conv": lambda v: {"filters": v.filters, "kernel_size": [v.size, v.size], "padding": v.padding, "activation": "relu"},
                  "Dense": lambda v: {"units": v.units, "activation": "relu" if v.relu else "linear"}}.get(kind, lambda v: {})(layer)
        stem = {"Conv2D": "conv2d", "MaxPooling2D": "max_pooling2d"}.get(class_name, class_name.lower())
        names[stem] = names.get(stem, -1) + 1
        layers.append({"class_name": class_name, "name": stem + (f"_{names[stem]}" if names[stem] else ""), "config": config})
    template = pathlib.Path(__file__).resolve().parents[2] / "resources/templates/mnist_mirrored.tandem"
    made = json.loads(template.read_text())
    made["model"]["layers"] = layers
    path = pathlib.Path(folder) / f"{model}.tandem"
    path.write_text(json.dumps(made))
    return path


def tandem_two_workers(args, samples, model, batch):
    with tempfile.TemporaryDirectory() as folder, World() as world:
        steps = max(10, min(400, 20000 // batch))
        command = [args.bin / "tandem-cli", "train", project(model, folder), "--json", "--workers", 2, "--threads", 1, "--transport", "shm",
                   "--set", "fit.epochs=2", "--set", f"fit.steps_per_epoch={steps}", "--set", f"data.batch_size_per_replica={batch}",
                   "--set", "data.validate_on_test=false", "--set", 'compile.optimizer={"class_name":"Adam","config":{}}']
        lines, error = json_lines(command, env=world.env)
    if lines is None:
        samples.errors["Tandem, two workers", model] = error
        return
    samples.add("Tandem", {"model": model, "batch": batch, "workers": 2, "images_per_s": lines[-1]["images_per_s"]})


def rounds(args):
    """Measurements in turn, the most wanted first. Text has no data set in the starter projects: it stays with one worker."""
    pictures = [m for m in args.models if m in ("tutorial", "book")]
    for model in args.models:
        yield lambda s, m=model: tandem_steps(args, s, m)
        yield lambda s, m=model: peer_steps(args, s, "torch_steps.py", m, ["eager", "channels_last"])
        yield lambda s, m=model: peer_steps(args, s, "tensorflow_steps.py", m, ["graph"])
        yield lambda s, m=model: peer_steps(args, s, "jax_steps.py", m, ["jit"])
        yield lambda s, m=model: tandem_steps(args, s, m)
    for model in pictures:
        for batch in args.batches:
            yield lambda s, m=model, b=batch: tandem_two_workers(args, s, m, b)
        yield lambda s, m=model: peer_steps(args, s, "torch_steps.py", m, ["eager"], workers=2)
    for model in args.models:
        yield lambda s, m=model: peer_steps(args, s, "torch_steps.py", m, ["compiled"])
        yield lambda s, m=model: peer_steps(args, s, "tensorflow_steps.py", m, ["xla"])


def print_rates(args, samples, workers):
    wanted = [(m, b) for m in args.models for b in args.batches if any(k[1:] == (m, b, workers) for k in samples.rates)]
    if not wanted:
        return
    peers = sorted({key[0] for key in samples.rates if key[3] == workers and key[0] != "Tandem"})
    print(f"\n| {'one worker, all cores' if workers == 1 else 'two workers of one thread'}: images/s (peak memory) | Tandem | "
          + " | ".join(peers) + " | against the best |")
    print("| --- |" + " --- |" * (len(peers) + 2))
    for model, batch in wanted:
        cells, ours = [], samples.rate("Tandem", model, batch, workers)
        for program in ["Tandem", *peers]:
            rate, memory = samples.rate(program, model, batch, workers), samples.memory.get((program, model, batch, workers))
            cells.append(MISSING if rate is None else f"{rate:,.0f}" + (f" ({memory / 2**20:,.0f} MiB)" if memory else ""))
        others = [r for r in (samples.rate(p, model, batch, workers) for p in peers) if r]
        cells.append(f"×{ours / max(others):.2f}" if ours and others else "–")
        print(f"| {model}, batch {batch} a worker | " + " | ".join(cells) + " |")


def print_ops(args, samples):
    for model in args.models:
        batch = 64 if 64 in args.batches else args.batches[0]
        report = samples.reports.get(("Tandem", model, batch, 1))
        if report is None:
            continue
        peak, bandwidth, step = report["peak_multiply_adds_per_s"], report["peak_bytes_per_s"], report["least_us"]
        print(f"\n| {model}, batch {batch}, {report['executor']}: least time {step:,.0f} µs; peak {2 * peak / 1e9:,.0f} GFLOP/s, "
              f"{bandwidth / 1e9:.0f} GB/s | µs | share | GFLOP/s | of the peak | MB | of the bandwidth |")
        print("| --- |" + " --- |" * 6)
        for op in sorted(report["ops"], key=lambda op: -op["us"]):
            if op["us"] < step * 0.005:
                continue
            work, moved = op["multiply_adds"] * 1e6 / op["us"], op["bytes"] * 1e6 / op["us"]
            print(f"| {op['name']} | {op['us']:,.0f} | {op['us'] / step:.0%} | {2 * work / 1e9:,.1f} | {work / peak:.0%} | "
                  f"{op['bytes'] / 1e6:.2f} | {moved / bandwidth:.0%} |")


def measure_and_print(args, deadline):
    if not ((args.bench_bin or args.bin) / "cpu_step").exists():
        print("\nmodels: cpu_step was not built (preset dev or ci)")
        return
    samples, done, skipped = Samples(), 0, 0
    while True:
        for measure in rounds(args):
            if time.monotonic() > deadline:
                skipped += 1
                continue
            measure(samples)
        done += 1
        if args.quick or time.monotonic() > deadline:
            break
    for workers in (1, 2):
        print_rates(args, samples, workers)
    print_ops(args, samples)
    print(f"\n{done} round{'s' if done > 1 else ''}, {skipped} measurements left out for want of time.")
    for (program, model), error in samples.errors.items():
        print(f"{program}, {model}: {error.strip().splitlines()[-1] if error.strip() else 'no output'}")
