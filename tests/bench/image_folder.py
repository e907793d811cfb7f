"""Pictures a second from a folder of JPEGs: Tandem's reader beside PIL, on the same files and as many threads.

    python3 tests/bench/image_folder.py --bin build/bench/bin [--pictures 50000] [--side 32] [--threads 1]

Skips with a word when PIL is not installed.
"""
import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

try:
    from PIL import Image
except ImportError:
    sys.exit("SKIPPED: PIL is not installed for this Python")

CLASSES = 10


def make_folder(folder, pictures, side):
    """Noise over a gradient: about as many bytes as a photograph of that size."""
    rng = random.Random(1)
    for label in range(CLASSES):
        (folder / f"class{label}").mkdir()
    for index in range(pictures):
        small = Image.frombytes("RGB", (8, 8), rng.randbytes(192))
        small.resize((side, side), Image.BILINEAR).save(folder / f"class{index % CLASSES}" / f"{index:06}.jpg", quality=90)


def decode(path):
    with Image.open(path) as picture:
        return len(picture.convert("RGB").tobytes())


def pil_seconds(folder, threads):
    begin = time.perf_counter()
    files = sorted(str(path) for path in folder.glob("*/*.jpg"))
    if threads == 1:
        total = sum(map(decode, files))
    else:
        with ThreadPoolExecutor(threads) as pool:
            total = sum(pool.map(decode, files, chunksize=64))
    assert total > 0
    return time.perf_counter() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--pictures", type=int, default=50000)
    parser.add_argument("--side", type=int, default=32)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        make_folder(folder, options.pictures, options.side)
        os.sync()
        pil = pil_seconds(folder, options.threads)
        program = [options.bin / "image_folder", folder, str(options.side), str(options.side), str(options.threads)]
        ours = json.loads(subprocess.run(program, check=True, capture_output=True, text=True).stdout)
    rates = {
        "Tandem, first pass": options.pictures / (ours["list_s"] + ours["decode_s"]),
        "Tandem, later passes": options.pictures / ours["cached_s"],
        "PIL": options.pictures / pil,
    }
    print(f"| {options.pictures} JPEGs of {options.side} × {options.side}, {options.threads} thread(s) | pictures/s | against PIL |")
    print("| --- | --- | --- |")
    for name, rate in rates.items():
        print(f"| {name} | {rate:,.0f} | ×{rate / rates['PIL']:.1f} |")


if __name__ == "__main__":
    main()
