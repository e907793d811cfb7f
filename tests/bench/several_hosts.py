"""Two workers of the tutorial CNN: on two hosts over TLS, on one host over gRPC in plain, and PyTorch's DistributedDataParallel over Gloo, which
encrypts nothing. Images/s over the epochs after the first, one thread a worker, batches of 64. Then the same two over a link of 1 Gbit/s and
1 ms: how much of the sums' way is hidden behind what each computes.

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
BYTES_A_STEP = 347210 * 4  # that a member of a ring of two sends, and gets
LINK_BYTES_A_S = 125e6
DELAY_S = 0.001
# On kernels without netem a queue has the rate, and a program of the cable the delay. Frames are large, so that this program hardly
# takes processor time from the workers.
NETEM = "netem delay 1ms rate 1gbit limit 10000"
QUEUE = "tbf rate 1gbit burst 64kb latency 50ms"
FRAME_BYTES = 60000
LINK = "1 Gbit/s and 1 ms"
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


def narrow(hosts):
    """Makes the way between two hosts narrow and long; whether this kernel can."""
    def every_node_takes(words):
        return all(hosts.run(node, ["tc", "qdisc", "replace", "dev", "eth0", "root", *words.split()], timeout=30).returncode == 0 for node in hosts.nodes)
    if every_node_takes(NETEM):
        return True
    if not every_node_takes(QUEUE):
        return False
    hosts.slow(hosts.nodes[-1], delay_s=DELAY_S)  # its cable alone: every frame passes it once, either way
    return True


def ours(args, way, epochs, narrowed=False):
    """Images/s of all workers, by when worker 0 printed that the second epoch began and that the last one was over: two on two hosts ("tls"), two
    on one ("plain"), or one ("alone")."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tandem-bench-"))
    over_tls = way == "tls"
    with Hosts(2, share=[folder], frame_bytes=FRAME_BYTES if narrowed else 1500) as hosts:
        if narrowed:
            narrow(hosts)
        nodes = {"tls": ("node1", "node2"), "plain": ("node1", "node1"), "alone": ("node1",)}[way]
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
        expected = {"tls": "gRPC over TLS", "plain": "worker 0 <-> worker 1: gRPC\n", "alone": ""}[way]
        if expected not in "".join(text):
            raise SystemExit(f"expected the workers to meet over {expected.strip()}, got " + "".join(text)[:800])
        together = len(nodes) * BATCH
        return (epochs - 2) * (SAMPLES // together) * together / (ended - began)


def ddp_step(args, workers):
    """Milliseconds a step of PyTorch's, over a narrow link where there are two; None without PyTorch."""
    with Hosts(2, frame_bytes=FRAME_BYTES) as hosts:
        if workers > 1:
            narrow(hosts)
        tasks = [hosts.start(node, [args.python, ROOT / "tests/bench/ddp_task.py", "--rank", rank, "--workers", workers, "--device", "eth0", "--batch", BATCH,
                                    "--address", f"{hosts.address('node1')}:{PORTS[0]}"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
                 for rank, node in enumerate(hosts.nodes[:workers])]
        said = [task.communicate(timeout=600)[0] for task in tasks]
    return json.loads(said[0])["ms_a_step"] if said[0].startswith("{") else None


def print_link(args, quiet, rounds):
    with Hosts(2, frame_bytes=FRAME_BYTES) as hosts:
        can = narrow(hosts)
    if not can:
        print("\nA narrow link was not measured: this kernel has neither netem nor tbf.")
        return
    samples = {}
    for _ in range(rounds):
        for way in ("alone", "tls"):
            rate = quiet(lambda w=way: ours(args, w, 4, narrowed=True))
            samples.setdefault(("Tandem, TLS 1.3", way), []).append(1000 * BATCH * (2 if way == "tls" else 1) / rate)
        for workers, way in ((1, "alone"), (2, "tls")):
            samples.setdefault(("PyTorch DDP, Gloo", way), []).append(quiet(lambda n=workers: ddp_step(args, n)))
    wire = 1000 * BYTES_A_STEP / LINK_BYTES_A_S
    print(f"\n| two hosts over {LINK}, batch 64 a worker | computes alone | sends {BYTES_A_STEP / 1e6:.2f} MB alone | a step | against both, one after the other |")
    print("| --- | --- | --- | --- | --- |")
    for name in ("Tandem, TLS 1.3", "PyTorch DDP, Gloo"):
        if None in samples[name, "alone"] + samples[name, "tls"]:
            print(f"| {name} | peer not installed | | | |")
            continue
        alone, step = (statistics.median(samples[name, way]) for way in ("alone", "tls"))
        print(f"| {name} | {alone:.1f} ms | {wire:.1f} ms | {step:.1f} ms | ×{step / (alone + wire):.2f} |")


def measure_and_print(args, peer):
    """`peer(script, *options)` runs a script of the peers: its lines, None where it can't."""
    if why := Hosts.missing():
        print("\nSeveral hosts were not measured: " + why)
        return
    rounds, epochs, quiet = 1 if args.quick else args.rounds, 4 if args.quick else 6, Quiet(args.any_load)
    samples = {}
    for _ in range(rounds):
        for way in ("tls", "plain"):
            samples.setdefault(way, []).append(quiet(lambda w=way: ours(args, w, epochs)))
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
    print_link(args, quiet, rounds)
    print("\n" + quiet.sentence())
