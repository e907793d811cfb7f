"""Pictures a second from a folder of JPEGs: Tandem's reader beside PIL, tf.data and torchvision, on the same files and as many threads.

    python3 tests/bench/image_folder.py --bin build/bench/bin [--pictures 50000] [--stored 32x32] [--side 32] [--threads 1]
        [--tensorflow PYTHON] [--torchvision PYTHON]

`--stored`: rows and columns in the files, `--side`: of what a model takes. The peers are Pythons that have them; without one its row is left
out. Skips with a word when PIL is not installed.
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
DETAIL = 4  # pixels between the values that are drawn: a file has about as many bytes as a photograph of its size

TENSORFLOW = """
import sys, time, os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = ""
import tensorflow as tf
folder, side, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
tf.config.threading.set_intra_op_parallelism_threads(threads)
tf.config.threading.set_inter_op_parallelism_threads(threads)
files = sorted(tf.io.gfile.glob(folder + "/*/*.jpg"))
def read(path):
    return tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(path), channels=3), [side, side])
def data(paths):
    options = tf.data.Options()
    options.threading.private_threadpool_size = threads
    return tf.data.Dataset.from_tensor_slices(paths).map(read, num_parallel_calls=threads).batch(64).prefetch(2).with_options(options)
for batch in data(files[:64]):
    pass
begin = time.perf_counter()
for batch in data(files):
    pass
print(time.perf_counter() - begin)
"""

TORCHVISION = """
import sys, time, glob
import torch, torchvision
from torchvision.transforms.v2 import functional
folder, side, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
torch.set_num_threads(1)
files = sorted(glob.glob(folder + "/*/*.jpg"))
class Pictures(torch.utils.data.Dataset):
    def __len__(self):
        return len(files)
    def __getitem__(self, i):
        picture = torchvision.io.decode_jpeg(torchvision.io.read_file(files[i]), torchvision.io.ImageReadMode.RGB)
        return functional.resize(picture, [side, side], antialias=False)
workers = 0 if threads == 1 else threads
begin = time.perf_counter()
for batch in torch.utils.data.DataLoader(Pictures(), batch_size=64, num_workers=workers):
    pass
print(time.perf_counter() - begin)
"""


def make_folder(folder, pictures, rows, columns):
    """Smooth noise of about as many bytes as photographs of that size have. A hundred pictures, each stored many times: decoding does not notice."""
    rng = random.Random(1)
    for label in range(CLASSES):
        (folder / f"class{label}").mkdir()
    kinds = []
    for _ in range(min(pictures, 100)):
        small = (max(columns // DETAIL, 8), max(rows // DETAIL, 8))
        picture = Image.frombytes("RGB", small, rng.randbytes(3 * small[0] * small[1])).resize((columns, rows), Image.BICUBIC)
        file = folder / "kind.jpg"
        picture.save(file, quality=90)
        kinds.append(file.read_bytes())
        file.unlink()
    for index in range(pictures):
        (folder / f"class{index % CLASSES}" / f"{index:06}.jpg").write_bytes(kinds[index % len(kinds)])
    return sum(map(len, kinds)) / len(kinds)


def decode(path, side):
    with Image.open(path) as picture:
        return len(picture.convert("RGB").resize((side, side), Image.BILINEAR).tobytes())


def pil_seconds(folder, side, threads):
    begin = time.perf_counter()
    files = sorted(str(path) for path in folder.glob("*/*.jpg"))
    if threads == 1:
        total = sum(decode(file, side) for file in files)
    else:
        with ThreadPoolExecutor(threads) as pool:
            total = sum(pool.map(lambda file: decode(file, side), files, chunksize=64))
    assert total > 0
    return time.perf_counter() - begin


def peer_seconds(python, code, folder, side, threads):
    # A folder of its own: Python would look for modules where it is started.
    done = subprocess.run([python, "-c", code, folder, str(side), str(threads)], capture_output=True, text=True, check=False, cwd=folder)
    if done.returncode != 0:
        sys.exit(f"{python}: {done.stderr[-2000:]}")
    return float(done.stdout.split()[-1])


def size_of(text):
    rows, columns = text.split("x")
    return int(rows), int(columns)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--pictures", type=int, default=50000)
    parser.add_argument("--stored", type=size_of, default=(32, 32))
    parser.add_argument("--side", type=int, default=32)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--tensorflow", help="a Python with TensorFlow")
    parser.add_argument("--torchvision", help="a Python with torchvision")
    options = parser.parse_args()
    rows, columns = options.stored
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        bytes_each = make_folder(folder, options.pictures, rows, columns)
        os.sync()
        rates = {}
        program = [options.bin / "image_folder", folder, str(options.side), str(options.side), str(options.threads)]
        ours = json.loads(subprocess.run(program, check=True, capture_output=True, text=True).stdout)
        rates["Tandem, first pass"] = options.pictures / (ours["list_s"] + ours["decode_s"])
        rates["Tandem, later passes"] = options.pictures / ours["cached_s"]
        rates["PIL"] = options.pictures / pil_seconds(folder, options.side, options.threads)
        if options.tensorflow:
            rates["tf.data"] = options.pictures / peer_seconds(options.tensorflow, TENSORFLOW, folder, options.side, options.threads)
        if options.torchvision:
            rates["torchvision"] = options.pictures / peer_seconds(options.torchvision, TORCHVISION, folder, options.side, options.threads)
    best = max(rate for name, rate in rates.items() if not name.startswith("Tandem"))
    print(f"| {options.pictures} JPEGs of {rows} × {columns} ({bytes_each / 1e3:.0f} kB) to {options.side} × {options.side}, {options.threads} thread(s)"
          " | pictures/s | against the best |")
    print("| --- | --- | --- |")
    for name, rate in rates.items():
        print(f"| {name} | {rate:,.0f} | ×{rate / best:.2f} |")


if __name__ == "__main__":
    main()
