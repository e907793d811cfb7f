"""Training steps of some models at some batch sizes beside TensorFlow, PyTorch and JAX: images/s, memory, and where our time goes.

Data lies in memory on all sides; a step gathers a random batch, runs forward and backward and updates with Adam. Programs take turns, and
rounds are added until the deadline: medians are compared. Two workers are two processes of one thread: Tandem's over shared memory, through its
agent and the whole pipeline from the same samples in a file; DistributedDataParallel and JAX over Gloo, MultiWorkerMirroredStrategy with RING.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from processes import World, json_lines

PEERS = pathlib.Path(__file__).resolve().parent / "peers"
sys.path.insert(0, str(PEERS))
import models  # noqa: E402
from models import MODELS, SAMPLES, is_text  # noqa: E402

SECONDS = 1.5
COPIES = 10  # of the samples in the file that two workers of ours read
MISSING = "not measured"
# How many times the best peer's rate ours is to be, at every batch size: of a model by its name, else of any.
FLOORS, FLOOR = {"tutorial": 6, "book": 3, "transformer": 1.5}, 2


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
        expected = models.parameters(MODELS[model].layers, MODELS[model].shape)
        if lines[-1]["parameters"] != expected:
            raise SystemExit(f"cpu_step, {model}: expected {expected:,} trained values as the peers have, got {lines[-1]['parameters']:,}")
        samples.add("Tandem", lines[-1])


def peer_steps(args, samples, script, model, modes, workers=1):
    command = [args.python, PEERS / script, "--model", model, "--seconds", SECONDS, "--modes", *modes, "--batches", *args.batches]
    if workers > 1:
        command += ["--workers", workers, "--threads", 1]
    env = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3")
    try:
        lines, error = json_lines(command, env=env, timeout=600, keep=True)
    except (OSError, subprocess.TimeoutExpired) as failure:
        lines, error = None, str(failure)
    for line in lines or []:
        samples.add(f"{line['peer']} {line['mode']}", line)
    if error:
        samples.errors[script, model] = error


CLASS_NAMES = {"Conv": "Conv2D", "Pool": "MaxPooling2D", "Lstm": "LSTM", "Sequence": "Reshape", "Relu": "Activation", "BatchNorm": "BatchNormalization",
               "LayerNorm": "LayerNormalization", "Positions": "PositionEmbedding", "Attention": "SelfAttention"}
STEMS = {"Conv2D": "conv2d", "MaxPooling2D": "max_pooling2d"}
CONFIGS = {
    "Conv": lambda v: {"filters": v.filters, "kernel_size": [v.size, v.size], "padding": v.padding, "activation": v.activation}
    | ({"strides": [v.stride, v.stride]} if v.stride > 1 else {}) | ({} if v.bias else {"use_bias": False}),
    "Sequence": lambda v: {"target_shape": [v.length, v.width]},
    "Dense": lambda v: {"units": v.units, "activation": v.activation},
    "Relu": lambda v: {"activation": "relu"},
    "BatchNorm": lambda v: {"momentum": models.BATCH_NORM_MOMENTUM, "epsilon": models.BATCH_NORM_EPSILON},
    "LayerNorm": lambda v: {"epsilon": models.LAYER_NORM_EPSILON},
    "Positions": lambda v: {"embeddings_initializer": {"class_name": "RandomNormal", "config": {"stddev": models.POSITIONS_DEVIATION}}},
    "Attention": lambda v: {"num_heads": v.heads, "key_dim": v.size},
    "Residual": lambda v: {key: [described(layer) for layer in chain] for key, chain in v._asdict().items() if chain},
    "Embedding": lambda v: {"input_dim": v.words, "output_dim": v.width},
    "Lstm": lambda v: {"units": v.units},
}


def described(layer):
    """A layer as project files have it, without the name that layers of a chain do not have either."""
    kind = type(layer).__name__
    name = f"GlobalAveragePooling{layer.dimensions}D" if kind == "Mean" else CLASS_NAMES.get(kind, kind)
    return {"class_name": name, "config": CONFIGS.get(kind, lambda v: {})(layer)}


def project(model, samples, batch, steps):
    """A starter project with another model and other samples in it."""
    layers, counts, made = [], {}, MODELS[model]
    for layer in made.layers:
        one = described(layer)
        stem = STEMS.get(one["class_name"], one["class_name"].lower())
        counts[stem] = counts.get(stem, 0) + 1
        layers.append({**one, "name": stem + (f"_{counts[stem] - 1}" if counts[stem] > 1 else "")})
    template = pathlib.Path(__file__).resolve().parents[2] / "resources/templates/mnist_mirrored.tandem"
    document = json.loads(template.read_text())
    document["model"].update(input_shape=list(made.shape), layers=layers)
    document["data"] = {"dataset": "npz", "train_files": [str(samples)], "scale": 1.0 if is_text(made) else 1 / 255,
                        "batch_size_per_replica": batch, "validate_on_test": False}
    document["compile"]["optimizer"] = {"class_name": "Adam", "config": {}}
    # The peers' loops report, save and look at nothing either.
    document["callbacks"] = {}
    document["fit"].update(epochs=2, steps_per_epoch=steps, histogram_freq=0)
    return document


class WorkersMemory:
    """The most that a worker of `world` has had resident, looked up while the run goes on: the kernel keeps each process' own maximum."""

    def __init__(self, world):
        self.mark, self.most, self.over = f"XDG_RUNTIME_DIR={world.home}".encode(), 0, threading.Event()
        self.thread = threading.Thread(target=self._watch)

    def _watch(self):
        while not self.over.wait(0.05):
            for entry in pathlib.Path("/proc").iterdir():
                try:
                    if entry.name.isdigit() and (entry / "comm").read_text().startswith("tandem-worker") and self.mark in (entry / "environ").read_bytes():
                        peak = next(line for line in (entry / "status").read_text().splitlines() if line.startswith("VmHWM"))
                        self.most = max(self.most, int(peak.split()[1]) * 1024)
                except (OSError, StopIteration):
                    pass  # it has just ended

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()


def tandem_two_workers(args, samples, model):
    with tempfile.TemporaryDirectory() as folder:
        archive, path = pathlib.Path(folder) / f"{model}.npz", pathlib.Path(folder) / f"{model}.tandem"
        done = subprocess.run([args.python, PEERS / "write_samples.py", "--model", model, "--copies", str(COPIES), "--out", archive],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            samples.errors["Tandem, two workers", model] = done.stderr
            return
        for batch in args.batches:
            # By what one worker was seen to do, else by a short run before. A peer tells its median step after the first ones; a run tells
            # its mean from the second epoch on, in which the first steps must not weigh: it takes three times as long.
            most = COPIES * SAMPLES // (2 * batch)
            steps, rate = 5, samples.rate("Tandem", model, batch, 1)
            for _ in range(1 if rate else 2):
                if rate:
                    steps = max(5, min(most, int(3 * SECONDS * rate / (2 * batch))))
                path.write_text(json.dumps(project(model, archive, batch, steps)))
                with World() as world, WorkersMemory(world) as memory:
                    lines, error = json_lines([args.bin / "tandem-cli", "train", path, "--json", "--workers", 2, "--threads", 1, "--transport", "shm"],
                                              env=world.env)
                if lines is None:
                    samples.errors["Tandem, two workers", model] = error
                    return
                rate = lines[-1]["images_per_s"]
            samples.add("Tandem", {"model": model, "batch": batch, "workers": 2, "images_per_s": rate, "peak_rss_bytes": memory.most})


def rounds(args):
    """Measurements in turn, the most wanted first."""
    for model in args.models if 1 in args.workers else []:
        yield lambda s, m=model: tandem_steps(args, s, m)
        yield lambda s, m=model: peer_steps(args, s, "torch_steps.py", m, ["eager", "channels_last"])
        yield lambda s, m=model: peer_steps(args, s, "tensorflow_steps.py", m, ["graph"])
        yield lambda s, m=model: peer_steps(args, s, "jax_steps.py", m, ["jit"])
        yield lambda s, m=model: tandem_steps(args, s, m)
    for model in args.models if 2 in args.workers else []:
        yield lambda s, m=model: tandem_two_workers(args, s, m)
        yield lambda s, m=model: peer_steps(args, s, "torch_steps.py", m, ["eager"], workers=2)
        yield lambda s, m=model: peer_steps(args, s, "tensorflow_steps.py", m, ["graph"], workers=2)
        yield lambda s, m=model: peer_steps(args, s, "jax_steps.py", m, ["jit"], workers=2)
    for model in args.models if 1 in args.workers else []:
        yield lambda s, m=model: peer_steps(args, s, "torch_steps.py", m, ["compiled"])
        yield lambda s, m=model: peer_steps(args, s, "tensorflow_steps.py", m, ["xla"])


def print_rates(args, samples, workers):
    wanted = [(m, b) for m in args.models for b in args.batches if any(k[1:] == (m, b, workers) for k in samples.rates)]
    if not wanted:
        return
    peers = sorted({key[0] for key in samples.rates if key[3] == workers and key[0] != "Tandem"})
    print(f"\n| {'one worker, all cores' if workers == 1 else 'two workers of one thread'}: images/s (peak memory) | Tandem | "
          + " | ".join(peers) + " | against the best | floor | verdict |")
    print("| --- |" + " --- |" * (len(peers) + 4))
    for model, batch in wanted:
        cells, ours = [], samples.rate("Tandem", model, batch, workers)
        for program in ["Tandem", *peers]:
            rate, memory = samples.rate(program, model, batch, workers), samples.memory.get((program, model, batch, workers))
            cells.append(MISSING if rate is None else f"{rate:,.0f}" + (f" ({memory / 2**20:,.0f} MiB)" if memory else ""))
        others = [r for r in (samples.rate(p, model, batch, workers) for p in peers) if r]
        ratio, floor = ours / max(others) if ours and others else None, FLOORS.get(model, FLOOR)
        cells += [f"×{ratio:.2f}" if ratio else "–", f"×{floor}", MISSING if ratio is None else "kept" if ratio >= floor else "missed"]
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
        print("\nmodels: cpu_step was not built (preset bench)")
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
