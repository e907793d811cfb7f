"""What the GPU peers share: their options, the clock, the line that they print.

A repeat is `--steps` training steps with the device waited for once, at its end; the median of the repeats counts. Indices of every step's batch
lie on the device before the clock starts, as a data set that fits does.
"""
import argparse
import json
import statistics
import time

import models

PRECISIONS = ["float32", "tf32", "bfloat16"]


def parse(description, modes):
    p = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--models", nargs="+", choices=list(models.MODELS), default=["tutorial", "book", "vgg_wide"])
    p.add_argument("--batches", nargs="+", type=int, default=[64, 256, 1024, 4096])
    p.add_argument("--precisions", nargs="+", choices=PRECISIONS, default=PRECISIONS)
    p.add_argument("--modes", nargs="+", choices=modes, default=modes)
    p.add_argument("--steps", type=int, default=100)
    p.add_argument("--repeats", type=int, default=5)
    p.add_argument("--until", type=float, default=0, help="unix time after which no further combination is begun; 0 = never")
    return p.parse_args()


def combinations(args):
    """(model, batch, precision, mode), small batches of every model first: what a limit of time cuts off is the least telling."""
    for batch in args.batches:
        for model in args.models:
            for precision in args.precisions:
                for mode in args.modes:
                    yield model, batch, precision, mode


def measure(args, peer, make):
    """make(model, batch, precision, mode) gives repeat(), which runs args.steps steps and returns when the device has done them."""
    for model, batch, precision, mode in combinations(args):
        line = {"peer": peer, "model": model, "batch": batch, "precision": precision, "mode": mode}
        if args.until and time.time() > args.until:
            print(json.dumps({**line, "error": "no time was left"}), flush=True)
            continue
        try:
            begin = time.perf_counter()
            repeat = make(model, batch, precision, mode)
            repeat()
            line["first_s"] = time.perf_counter() - begin
            rates = []
            for _ in range(args.repeats):
                begin = time.perf_counter()
                repeat()
                rates.append(args.steps * batch / (time.perf_counter() - begin))
            line.update(images_per_s=statistics.median(rates), least=min(rates), most=max(rates))
        except Exception as error:  # one combination that fails must not hide the others
            line["error"] = f"{type(error).__name__}: {error}"[:300]
        print(json.dumps(line), flush=True)
