"""Tandem beside its peers, in one run: ratios of medians, interleaved, on the same machine.

    python3 tests/bench/run.py [--bin build/release/bin] [--peers ../shared/bench/peers] [--rounds 3] [--quick] [--minutes 12]

Training speed of the tutorial CNN (one worker, two workers over shared memory and over gRPC), all-reduce bus bandwidth by size, seconds from
launch to the first finished step (--only training, all_reduce). Parameter servers with several workers (--only servers). Two workers on two
hosts over TLS (--only hosts). A tiny model with many workers on this computer: their start, memory and connections (--only tasks). How a step, the memory
and the start grow with layers, weights, batch, workers and samples (--only growth). Training steps of several models by batch size, with memory, and each op of ours against the machine's measured peak (--only models; these tables take
--minutes). The studio's budgets (--only studio). A peer whose Python package is missing is reported as 'peer not installed'. A machine that is busy with something else is refused, and a measurement in whose
time others took part of the processors is made again (--any-load to measure all the same). Prints Markdown tables.
"""
import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

import growth
import many_tasks
import parameter_servers
import several_hosts
import step_tables
import studio
from processes import Quiet, World, busy, json_lines

ROOT = pathlib.Path(__file__).resolve().parents[2]
KIB = [4, 64, 1356, 16384, 65536]


def parse():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/release/bin")
    p.add_argument("--bench-bin", type=pathlib.Path, help="where all_reduce_bench lies (default: --bin)")
    p.add_argument("--peers", type=pathlib.Path, default=ROOT.parent / "shared/bench/peers")
    p.add_argument("--python", default=sys.executable, help="the interpreter that has the peers' packages")
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--quick", action="store_true", help="one round, two epochs")
    p.add_argument("--any-load", action="store_true")
    p.add_argument("--only", choices=["training", "models", "all_reduce", "servers", "hosts", "tasks", "growth", "studio"])
    p.add_argument("--minutes", type=float, default=12, help="for the tables of models: rounds are added while time is left")
    p.add_argument("--models", nargs="+", choices=list(step_tables.MODELS), default=list(step_tables.MODELS))
    p.add_argument("--batches", nargs="+", type=int, default=[16, 64, 256, 1024])
    p.add_argument("--workers", nargs="+", type=int, choices=[1, 2], default=[1, 2], help="of the tables of models")
    p.add_argument("--tasks", nargs="+", type=int, default=list(many_tasks.TASKS), help="of the table of many tasks, which comes with --only tasks alone")
    p.add_argument("--transport", choices=many_tasks.TRANSPORTS, default="auto", help="of the table of many tasks")
    p.add_argument("--data", choices=list(many_tasks.DATA), default="rows", help="of the table of many tasks")
    growth.add_options(p)
    return p.parse_args()


def tandem(args, workers, transport, epochs):
    with World() as world:
        command = [args.bin / "tandem-cli", "train", "mnist_mirrored", "--json", "--set", f"fit.epochs={epochs}", "--workers", workers,
                   "--set", "data.batch_size_per_replica=64", "--transport", transport]
        command += ["--threads", 1] if workers > 1 else ["--threads", os.cpu_count()]
        lines, error = json_lines(command, env=world.env)
        if lines is None:
            raise SystemExit(f"tandem-cli failed: {error}")
        last = lines[-1]
        return {"images_per_s": last["images_per_s"], "first_step_s": last["first_step_s"], "test_accuracy": last["test_accuracy"]}


def one_thread_of_two(args):
    """images/s of one thread over the plan of two workers (gradients kept apart from their updates) with nobody to wait for, None without cpu_step."""
    program = (args.bench_bin or args.bin) / "cpu_step"
    if not program.exists():
        return None
    lines, error = json_lines([program, "--model", "tutorial", "--batch", 64, "--threads", 1, "--replicas", 2, "--seconds", 2, "--json"])
    if lines is None:
        raise SystemExit(f"cpu_step failed: {error}")
    return lines[-1]["images_per_s"]


def peer(args, script, *options):
    path = args.peers / script
    if not path.exists():
        return None
    env = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", OMP_NUM_THREADS=os.environ.get("OMP_NUM_THREADS", ""))
    if not env["OMP_NUM_THREADS"]:
        del env["OMP_NUM_THREADS"]
    env.setdefault("MNIST_DIR", str(ROOT / "resources/datasets/mnist"))
    try:
        lines, _ = json_lines([args.python, path, *options], env=env)
    except subprocess.TimeoutExpired:
        return None
    return lines


def training(args):
    epochs = 2 if args.quick else 3
    rounds = 1 if args.quick else args.rounds
    ours = {"one worker": (1, "auto"), "two workers, shared memory": (2, "shm"), "two workers, gRPC": (2, "grpc")}
    others = {
        "one worker": [("TensorFlow", "keras_fit.py", []), ("PyTorch", "torch_ddp.py", []), ("PyTorch channels last", "torch_ddp.py", ["--channels-last"]),
                       ("JAX", "jax_fit.py", [])],
        "two": [("TensorFlow", "keras_fit.py", ["--workers", "2"]), ("PyTorch DDP, Gloo", "torch_ddp.py", ["--workers", "2", "--threads", "1"])],
    }
    samples, missing, alone, together, quiet = {}, set(), [], [], Quiet(args.any_load)
    for _ in range(rounds):
        # Beside a warm step of one thread: long enough that the first epoch's caches and clocks do not count.
        alone.append(quiet(lambda: one_thread_of_two(args)))
        together.append(quiet(lambda: tandem(args, 2, "shm", 4 * epochs))["images_per_s"])
        for name, (workers, transport) in ours.items():
            samples.setdefault(("Tandem", name), []).append(quiet(lambda: tandem(args, workers, transport, epochs)))
        for group, list_ in others.items():
            for label, script, options in list_:
                if (label, group) in missing:
                    continue
                lines = quiet(lambda: peer(args, script, *options, "--epochs", str(epochs)))
                if not lines or lines[-1].get("images_per_s") is None:
                    missing.add((label, group))
                    continue
                samples.setdefault((label, group), []).append(lines[-1])
    median = lambda key, field: statistics.median(s[field] for s in samples[key])
    print("\n| training, tutorial CNN, batch 64 a worker | images/s | against the best peer | first step, s | against the fastest peer | test accuracy |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in ours:
        group = "one worker" if name == "one worker" else "two"
        rates = [median(k, "images_per_s") for k in samples if k[0] != "Tandem" and k[1] == group]
        firsts = [median(k, "first_step_s") for k in samples if k[0] != "Tandem" and k[1] == group]
        rate, first = median(("Tandem", name), "images_per_s"), median(("Tandem", name), "first_step_s")
        print(f"| Tandem, {name} | {rate:,.0f} | {'×%.1f' % (rate / max(rates)) if rates else '–'} | {first:.2f} | "
              f"{'×%.1f faster' % (min(firsts) / first) if firsts else '–'} | {median(('Tandem', name), 'test_accuracy'):.4f} |")
    for group, list_ in others.items():
        for label, _, _ in list_:
            what = f"{label}, {'one worker' if group == 'one worker' else 'two workers'}"
            if (label, group) in samples:
                print(f"| {what} | {median((label, group), 'images_per_s'):,.0f} | | {median((label, group), 'first_step_s'):.2f} | | "
                      f"{median((label, group), 'test_accuracy'):.4f} |")
            else:
                print(f"| {what} | peer not installed | | | | |")
    if None not in alone:
        base, two = statistics.median(alone), statistics.median(together)
        print(f"\nTwo workers of one thread over shared memory: {two:,.0f} images/s, ×{two / base:.2f} of the {base:,.0f} of one thread over the same plan "
              f"(`cpu_step --replicas 2 --threads 1`).")
    print("\n" + quiet.sentence())


def all_reduce(args):
    folder = args.bench_bin or args.bin
    program = folder / "all_reduce_bench"
    if not program.exists():
        print(f"\nall-reduce: {program.name} was not built (preset bench)")
        return
    rounds = 1 if args.quick else args.rounds
    samples, quiet = {}, Quiet(args.any_load)
    has_mpi = shutil.which("mpirun") is not None and (folder.parent / "lib/libtandem-mpi.so").exists()
    for _ in range(rounds):
        for transport in ("shm", "grpc", "mpi"):
            if transport == "mpi" and not has_mpi:
                continue
            lines, error = quiet(lambda: json_lines([program, "--workers", 2, "--transport", transport, "--kib", *KIB]))
            if lines is None:
                raise SystemExit(f"all_reduce_bench failed: {error}")
            for line in lines:
                samples.setdefault((transport, line["kib"]), []).append(line["bus_gb_per_s"])
        for line in quiet(lambda: peer(args, "gloo_allreduce.py")) or []:
            samples.setdefault(("gloo", line["kib"]), []).append(line["bus_gb_per_s"])
    print("\n| all-reduce, two processes, bus GB/s | " + " | ".join(f"{k} KiB" for k in KIB) + " |")
    print("| --- |" + " --- |" * len(KIB))
    for transport, label in (("shm", "Tandem, shared memory"), ("grpc", "Tandem, gRPC"), ("mpi", "Tandem, Open MPI"), ("gloo", "Gloo")):
        cells = []
        for k in KIB:
            if (transport, k) not in samples:
                cells.append("Open MPI not installed" if transport == "mpi" else "peer not installed")
                continue
            value = statistics.median(samples[transport, k])
            ratio = f" (×{value / statistics.median(samples['gloo', k]):.1f})" if transport != "gloo" and ("gloo", k) in samples else ""
            cells.append(f"{value:.2f}{ratio}")
        print(f"| {label} | " + " | ".join(cells) + " |")
    print("\n" + quiet.sentence())


def main():
    args = parse()
    share = busy()
    if share > 0.15 and not args.any_load:
        raise SystemExit(f"others use {share:.0%} of this machine: not measured (--any-load overrides)")
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown")
    print(f"{model}, {os.cpu_count()} cores, others used {share:.0%} of them at the start; medians of {1 if args.quick else args.rounds} "
          "interleaved rounds")
    if args.only in (None, "training"):
        training(args)
    if args.only in (None, "models"):
        step_tables.measure_and_print(args, time.monotonic() + 60 * args.minutes)
    if args.only in (None, "all_reduce"):
        all_reduce(args)
    if args.only in (None, "servers"):
        parameter_servers.measure_and_print(args, lambda script, *options: peer(args, script, *options))
    if args.only in (None, "hosts"):
        several_hosts.measure_and_print(args, lambda script, *options: peer(args, script, *options))
    if args.only == "tasks":  # It takes all of the memory for minutes.
        many_tasks.measure_and_print(args)
    if args.only == "growth":  # So does it, by 10^9 weights.
        growth.measure_and_print(args)
    if args.only in (None, "studio"):
        studio.measure_and_print(args)


if __name__ == "__main__":
    main()
