"""What the peers' scripts share: their options, the clock, the line that they print."""
import argparse
import json
import multiprocessing
import os
import resource
import socket
import statistics
import time

import models

START = time.time()


def parse(description, modes):
    p = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--model", choices=list(models.MODELS), default="tutorial")
    p.add_argument("--batches", nargs="+", type=int, default=[64], help="per worker, in rising order")
    p.add_argument("--modes", nargs="+", choices=modes, default=modes[:1])
    p.add_argument("--seconds", type=float, default=2, help="a batch size and mode, after the first steps")
    p.add_argument("--threads", type=int, default=0, help="0 = the peer's default")
    p.add_argument("--workers", type=int, default=1)
    return p.parse_args()


def measure(args, peer, mode, batch, step):
    """Calls step(indices) for a while and prints the median. step returns when its work is done."""
    import numpy as np
    random = np.random.default_rng(7)
    draw = lambda: random.integers(0, models.SAMPLES, batch)
    step(draw())
    first = time.time() - START
    for _ in range(2):
        step(draw())
    times, end = [], time.perf_counter() + args.seconds
    while len(times) < 5 or time.perf_counter() < end:
        indices, begin = draw(), time.perf_counter()
        step(indices)
        times.append(time.perf_counter() - begin)
        if len(times) >= 3 and time.perf_counter() > end + 20:
            break
    print(json.dumps({"peer": peer, "mode": mode, "model": args.model, "batch": batch, "workers": args.workers,
                      "images_per_s": batch * args.workers / statistics.median(times), "first_step_s": first,
                      "peak_rss_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}), flush=True)


def measure_together(args, peer, mode, batch, rank, step):
    """measure() for processes that wait for one another: step(indices, go) hands rank 0's `go` to every rank and returns it, so all take as many
    steps as rank 0 finds time for. The last step, whose go is 0, is not timed."""
    import numpy as np
    random = np.random.default_rng(11 + rank)
    draw = lambda: random.integers(0, models.SAMPLES, batch)
    if rank == 0:
        measure(args, peer, mode, batch, lambda indices: step(indices, 1))
        step(draw(), 0)
        return
    while step(draw(), 0):
        pass


def ranks(args, work):
    """work(rank, args, ports) in a process a rank; ends with the worst exit status."""
    sockets = [socket.socket() for _ in range(args.workers)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    os.environ.setdefault("OMP_NUM_THREADS", str(args.threads or 1))
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=work, args=(rank, args, ports)) for rank in range(args.workers)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    raise SystemExit(max(abs(process.exitcode) for process in processes))
