"""What the peers' scripts share: their options, the clock, the line that they print."""
import argparse
import json
import resource
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
