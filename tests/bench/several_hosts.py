"""Two workers of the tutorial CNN: on two hosts over TLS, on one host over gRPC in plain, and PyTorch's DistributedDataParallel over Gloo, which
encrypts nothing. Images/s over the epochs after the first, one thread a worker, batches of 64.

The hosts are namespaces of this machine (tests/hosts/hosts.py), so all three share the same processors and a network without a limit: what
differs is the way between the workers. Programs take turns; medians are compared.
"""
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from processes import Quiet

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "hosts"))
from hosts import Hosts  # noqa: E402

BATCH, SAMPLES = 64, 60000
PORTS = (2222, 2223)
SETTINGS = {"fit.steps_per_epoch": None, "fit.validation_steps": 1, "callbacks": {}, "compile.optimizer": {"class_name": "Adam", "config": {"learning_rate": 1e-3}}}


def project(folder, epochs):
    value = json.loads((ROOT / "resources" / "templates" / "mnist_multi_worker.tandem").read_text())
    for path, new in {**SETTINGS, "fit.epochs": epochs, "data.batch_size_per_replica": BATCH}.items():
        *parents, last = path.split(".")
        at = value
        for name in parents:
            at = at[name]
        at[last] = new
    if value["fit"]["steps_per_epoch"] is None:
        del value["fit"]["steps_per_epoch"]
    path = folder / "tutorial.tandem"
    path.write_text(json.dumps(value))
    return path


def ours(args, over_tls, epochs):
    """Images/s of both workers, by when worker 0 printed that the second epoch began and that the last one was over."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tandem-bench-"))
    with Hosts(2, share=[folder]) as hosts:
        nodes = ("node1", "node2") if over_tls else ("node1", "node1")
        addresses = [f"{node if over_tls else 'localhost'}:{port}" for node, port in zip(nodes, PORTS)]
        arguments = [project(folder, epochs), "--threads", 1, "--transport", "grpc"]
        if over_tls:
            key = folder / "cluster.key"
            hosts.run("node1", [args.bin / "tandem-cli", "cluster-key", "--out", key], timeout=30)
            arguments += ["--cluster-key", key]
        tasks = []
        for index, node in enumerate(nodes):
            env = {"TF_CONFIG": json.dumps({"cluster": {"worker": addresses}, "task": {"type": "worker", "index": index}})}
            out = {"stdout": subprocess.PIPE, "text": True} if index == 0 else {"stdout": subprocess.DEVNULL}
            tasks.append(hosts.start(node, [args.bin / "tandem-worker", *arguments, "--out", folder / f"worker{index}"], env=env, **out))
        began, text = None, []
        for line in tasks[0].stdout:
            text.append(line)
            if line.startswith("Epoch 2/"):
                began = time.monotonic()
            elif began is not None and line.startswith(f"Epoch {epochs}/"):
                ended = time.monotonic()
        if any(task.wait(60) != 0 for task in tasks) or began is None:
            raise SystemExit("tandem-worker failed: " + "".join(text)[-800:])
        tasks[0].stdout.close()
        expected = "gRPC over TLS" if over_tls else "worker 0 <-> worker 1: gRPC\n"
        if expected not in "".join(text):
            raise SystemExit(f"expected the workers to meet over {expected.strip()}, got " + "".join(text)[:800])
        return (epochs - 2) * (SAMPLES // (2 * BATCH)) * 2 * BATCH / (ended - began)


def measure_and_print(args, peer):
    """`peer(script, *options)` runs a script of the peers: its lines, None where it can't."""
    if why := Hosts.missing():
        print("\nSeveral hosts were not measured: " + why)
        return
    rounds, epochs, quiet = 1 if args.quick else args.rounds, 4 if args.quick else 6, Quiet(args.any_load)
    samples = {}
    for _ in range(rounds):
        for name, over_tls in (("tls", True), ("plain", False)):
            samples.setdefault(name, []).append(quiet(lambda t=over_tls: ours(args, t, epochs)))
        lines = quiet(lambda: peer("torch_ddp.py", "--workers", "2", "--batch", str(BATCH), "--epochs", str(epochs - 1), "--threads", "1"))
        if lines and lines[-1].get("images_per_s"):
            samples.setdefault("ddp", []).append(lines[-1]["images_per_s"])
    medians = {name: statistics.median(values) for name, values in samples.items()}
    print("\n| two workers, tutorial CNN, batch 64 a worker, one thread each | images/s | against DDP |")
    print("| --- | --- | --- |")
    for name, label in (("tls", "Tandem, two hosts, gRPC over TLS 1.3"), ("plain", "Tandem, one host, gRPC"), ("ddp", "PyTorch DDP, Gloo, one host")):
        if name not in medians:
            print(f"| {label} | peer not installed | |")
            continue
        ratio = f"×{medians[name] / medians['ddp']:.1f}" if "ddp" in medians and name != "ddp" else ""
        print(f"| {label} | {medians[name]:,.0f} | {ratio} |")
    print("\n" + quiet.sentence())
