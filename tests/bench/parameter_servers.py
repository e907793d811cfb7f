"""Asynchronous training with parameter servers: images/s of all workers together, seconds to the first step, and bytes a step.

Ours beside TensorFlow's ParameterServerStrategy (keras_ps.py of the peers) where TensorFlow is installed: tutorial CNN and book CNN, one ps
with three workers and two with two, batches of 50, one thread a task. Programs take turns; medians are compared. The bytes that the servers
counted must be what the plan of a step says: a measurement in which they are not ends the benchmark.
"""
import json
import pathlib
import statistics
import sys
import tempfile

from processes import Quiet, World, json_lines

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))
from programs import free_ports  # noqa: E402

SHAPES = [(1, 3), (2, 2)]  # (ps, workers)
BATCH = 50
STEPS = {"tutorial": 12000, "book": 1200}  # of all workers; the peer takes as many
MODELS = {"tutorial": ("mnist_mirrored", 1e-3), "book": ("book_parameter_servers", 1e-4)}  # starter that has the model, Adam's rate


def project(folder, model, servers, workers, steps):
    """A project file of that cluster on this computer."""
    templates = ROOT / "resources" / "templates"
    value = json.loads((templates / "book_parameter_servers.tandem").read_text())
    starter, rate = MODELS[model]
    source = json.loads((templates / f"{starter}.tandem").read_text())
    value["model"], value["compile"] = source["model"], source["compile"]
    value["compile"]["optimizer"] = {"class_name": "Adam", "config": {"learning_rate": rate}}
    value["data"]["batch_size_per_replica"] = BATCH
    value["fit"]["steps"] = steps
    value["callbacks"] = {}
    ports = [f"localhost:{port}" for port in free_ports(servers + workers)]
    value["cluster"] = {"ps": ports[:servers], "worker": ports[servers:], "transport": "auto"}
    path = pathlib.Path(folder) / f"{model}-{servers}-{workers}.tandem"
    path.write_text(json.dumps(value))
    return path


def check_bytes(lines):
    """Bytes a step as the servers counted them. Raises where they are not the plan's."""
    loads = [line for line in lines if line["event"] == "server_load"]
    steps = sum(load["steps"] for load in loads)
    moved = sum(load["pulled_bytes"] + load["pushed_bytes"] for load in loads)
    planned = int(lines[-1]["planned_bytes_per_step"])
    if not loads or moved != steps * planned:
        raise SystemExit(f"bytes on the wire: expected {planned:,} a step as the plan says, got {moved:,} in {steps:,} steps")
    return planned


def ours(args, model, servers, workers, steps, transport):
    with World() as world, tempfile.TemporaryDirectory(prefix="tandem-servers-") as folder:
        command = [args.bin / "tandem-cli", "train", project(folder, model, servers, workers, steps), "--json", "--threads", 1,
                   "--transport", transport, "--out", pathlib.Path(folder) / "out"]
        lines, error = json_lines(command, env=world.env)
        if lines is None:
            raise SystemExit(f"tandem-cli failed: {error}")
        last = lines[-1]
        if last["global_step"] < steps:
            raise SystemExit(f"expected {steps} steps, got {last['global_step']}")
        return {"images_per_s": last["images_per_s"], "first_step_s": last["first_step_s"], "staleness": last["mean_staleness"],
                "bytes": check_bytes(lines)}


def measure_and_print(args, peer):
    """`peer(script, *options)` runs a script of the peers: its lines, None where it can't."""
    rounds, quiet = 1 if args.quick else args.rounds, Quiet(args.any_load)
    samples, missing = {}, False
    shapes = [(model, *shape) for model in STEPS for shape in SHAPES]
    for _ in range(rounds):
        for model, servers, workers in shapes:
            steps = STEPS[model] // (6 if args.quick else 1)
            for transport in ("auto", "grpc"):
                taken = quiet(lambda m=model, s=servers, w=workers, n=steps, t=transport: ours(args, m, s, w, n, t))
                samples.setdefault((transport, model, servers, workers), []).append(taken)
            if missing:
                continue
            lines = quiet(lambda m=model, s=servers, w=workers, n=steps: peer("keras_ps.py", "--model", m, "--ps", str(s), "--workers", str(w),
                                                                              "--batch", str(BATCH), "--steps", str(n)))
            if lines and lines[-1].get("images_per_s"):
                samples.setdefault(("peer", model, servers, workers), []).append(lines[-1])
            else:
                missing = True
    print_table(samples, shapes, quiet)


def print_table(samples, shapes, quiet):
    median = lambda key, field: statistics.median(one[field] for one in samples[key])
    print(f"\n| parameter servers, batch {BATCH} a worker, one thread a task | images/s | against TensorFlow | first step, s | staleness | MB a step |")
    print("| --- | --- | --- | --- | --- | --- |")
    for model, servers, workers in shapes:
        theirs = ("peer", model, servers, workers)
        what = f"{model} CNN, {servers} ps + {workers} workers"
        for transport, label in (("auto", "shared memory"), ("grpc", "gRPC")):
            key = (transport, model, servers, workers)
            rate = median(key, "images_per_s")
            ratio = f"×{rate / median(theirs, 'images_per_s'):.1f}" if theirs in samples else "–"
            print(f"| Tandem, {what}, {label} | {rate:,.0f} | {ratio} | {median(key, 'first_step_s'):.2f} | {median(key, 'staleness'):.2f} | "
                  f"{median(key, 'bytes') / 2**20:.2f} |")
        if theirs in samples:
            print(f"| TensorFlow, {what} | {median(theirs, 'images_per_s'):,.0f} | | {median(theirs, 'first_step_s'):.2f} | | |")
        else:
            print(f"| TensorFlow, {what} | peer not installed | | | | |")
    print("\nThe bytes of every run were counted by its servers and are what the plan says. " + quiet.sentence())
