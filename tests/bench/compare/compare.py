"""Two builds against each other: fails when the new one's training step has lost more than 5 % beyond noise.

    python3 tests/bench/compare/compare.py --old main --new build/bench/bin [--models book vgg] [--batches 64] [--pairs 9] [--minutes 5]

Each side is a folder with cpu_step, or a revision of git, which is built aside first. The builds take turns (old new, new old, ...), short
runs of one thread pinned to a core; paired.py says how times are judged. Cases that stay unclear get more pairs while there is time.
Exit status: 0 nothing lost, 1 a loss, 2 the comparison did not run.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import paired

ROOT = pathlib.Path(__file__).resolve().parents[3]


def parse():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--old", required=True, help="folder or revision")
    p.add_argument("--new", required=True, help="folder or revision")
    p.add_argument("--models", nargs="+", default=["tutorial", "book", "vgg"])
    p.add_argument("--batches", nargs="+", type=int, default=[64])
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--pairs", type=int, default=9, help="before a case is judged for the first time")
    p.add_argument("--seconds", type=float, default=0.5, help="a run")
    p.add_argument("--minutes", type=float, default=5, help="unclear cases get more pairs until then")
    p.add_argument("--threshold", type=float, default=0.05)
    return p.parse_args()


def build(revision, folder):
    """cpu_step of a revision, in a work tree of its own."""
    tree = pathlib.Path(folder) / "tree"
    subprocess.run(["git", "-C", ROOT, "worktree", "add", "--detach", tree, revision], check=True)
    try:
        options = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DTANDEM_STUDIO=OFF", "-DTANDEM_TESTS=ON"]
        subprocess.run(["cmake", "-S", tree, "-B", tree / "build", *options], check=True)
        subprocess.run(["cmake", "--build", tree / "build", "--target", "cpu_step"], check=True)
        program = tree / "build/bin/cpu_step"
        kept = pathlib.Path(folder) / "cpu_step"
        kept.write_bytes(program.read_bytes())
        kept.chmod(0o755)
    finally:
        subprocess.run(["git", "-C", ROOT, "worktree", "remove", "--force", tree], check=False)
    return kept


def program_of(side, folder):
    given = pathlib.Path(side) / "cpu_step"
    if given.is_file():
        return given
    pathlib.Path(folder).mkdir()
    return build(side, folder)


def step_us(program, case, args):
    model, batch = case
    command = [program, "--model", model, "--batch", str(batch), "--threads", str(args.threads), "--seconds", str(args.seconds), "--json"]
    if args.threads == 1:
        command = ["taskset", "-c", str(max(os.sched_getaffinity(0))), *command]
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=300, check=True)
    return json.loads(done.stdout.splitlines()[-1])["median_us"]


def add_pair(programs, case, times, args):
    order = (0, 1) if len(times[0]) % 2 == 0 else (1, 0)
    pair = {side: step_us(programs[side], case, args) for side in order}
    for side in (0, 1):
        times[side].append(pair[side])


def judge(programs, args):
    cases = {(model, batch): ([], []) for model in args.models for batch in args.batches}
    for _ in range(args.pairs):
        for case, times in cases.items():
            add_pair(programs, case, times, args)
    deadline = time.monotonic() + 60 * args.minutes
    while time.monotonic() < deadline:
        unclear = [case for case, times in cases.items() if paired.compare(*times, args.threshold).word == "unclear"]
        if not unclear:
            break
        for case in unclear:
            add_pair(programs, case, cases[case], args)
    return {case: (times, paired.compare(*times, args.threshold)) for case, times in cases.items()}


def print_table(verdicts):
    print("| step | old, µs | new, µs | new / old | 95 % of it between | pairs | |\n| --- | --- | --- | --- | --- | --- | --- |")
    for (model, batch), ((old, new), v) in verdicts.items():
        print(f"| {model}, batch {batch} | {sorted(old)[len(old) // 2]:,.0f} | {sorted(new)[len(new) // 2]:,.0f} | {v.ratio:.3f} | "
              f"{v.low:.3f} and {v.high:.3f} | {len(old)} | {v.word} |")


def main():
    args = parse()
    with tempfile.TemporaryDirectory(prefix="tandem-compare-") as folder:
        try:
            programs = [program_of(side, f"{folder}/{name}") for side, name in ((args.old, "old"), (args.new, "new"))]
            verdicts = judge(programs, args)
        except (subprocess.SubprocessError, OSError) as failure:
            print(f"compare: {failure}\n{getattr(failure, 'stderr', '') or ''}", file=sys.stderr)
            return 2
    print_table(verdicts)
    return 1 if any(v.word == "lost" for _, v in verdicts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
