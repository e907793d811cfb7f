"""The results of tests/gpu/run.sh as one page: verdicts of all steps, then our images/s beside the best peer and the floor.
    report.py FOLDER...        several folders of one machine are read as one run, later ones first where a step stands in both
The floor is what the machine's own limits leave: the larger of a step's multiply-adds and bytes over the measured peaks, and a graph's launch.
"""
import glob
import json
import os
import sys


def lines(path):
    """The JSON objects among a file's lines; everything else is what the programs said beside them."""
    found = []
    for line in open(path, errors="replace") if os.path.exists(path) else ():
        if line.startswith("{"):
            try:
                found.append(json.loads(line))
            except ValueError:
                pass  # cut off by a limit of time
    return found


def collect(folders):
    steps, rates, peak = {}, [], {}
    for folder in folders:
        for step in lines(os.path.join(folder, "log.jsonl")):
            steps[step["step"]] = step
        for path in sorted(glob.glob(os.path.join(folder, "bench.*.log"))):
            for line in lines(path):
                if "peak" in line:
                    peak = line["peak"]
                elif "model" in line:
                    rates.append(line)
    return steps, rates, peak


def floor_of(line, peak):
    """Images a second that the machine's limits allow for the work that our own line tells; None where one of them is not known."""
    arithmetic = peak.get("multiply_adds_per_s." + line["precision"])
    if not arithmetic or "multiply_adds" not in line or "bytes" not in line:
        return None
    seconds = max(line["multiply_adds"] / arithmetic, line["bytes"] / peak["bytes_per_s"], peak.get("graph_launch_s", 0))
    return line["batch"] / seconds


def speed_table(rates, peak):
    ours = [line for line in rates if line.get("peer") == "Tandem"]
    rows = ["| model | batch | precision | Tandem, images/s | best peer | images/s | against it | of the floor |", "| --- | --- | --- | --- | --- | --- | --- | --- |"]
    missed = []
    for line in ours:
        key = (line["model"], line["batch"], line["precision"])
        peers = [p for p in rates if p.get("peer") != "Tandem" and (p["model"], p["batch"], p["precision"]) == key and "images_per_s" in p]
        best = max(peers, key=lambda p: p["images_per_s"], default=None)
        rate = line.get("images_per_s")
        if rate is None:
            rows.append("| {} | {} | {} | {} | | | | |".format(*key, line.get("error", "?")[:80]))
            missed.append(key)
            continue
        ratio = rate / best["images_per_s"] if best else None
        floor = floor_of(line, peak)
        rows.append("| {} | {} | {} | {:,.0f} | {} | {} | {} | {} |".format(
            *key, rate, f'{best["peer"]} {best["mode"]}' if best else "not measured", f'{best["images_per_s"]:,.0f}' if best else "",
            f"×{ratio:.2f}" if ratio else "", f"{100 * rate / floor:.0f} %" if floor else ""))
        if ratio and ratio < (2 if line["batch"] == 64 else 1):
            missed.append(key)
    return (rows if ours else []), missed


def main():
    steps, rates, peak = collect(sys.argv[1:])
    print("# What the GPU shows\n")
    if peak:
        print(f"{peak['device']}: {peak['bytes_per_s'] / 1e9:,.0f} GB/s, " +
              ", ".join(f"{name.split('.')[1]} {value / 1e12:,.1f} T multiply-adds/s" for name, value in peak.items() if name.startswith("multiply")) +
              f", a graph of one kernel every {peak['graph_launch_s'] * 1e6:.1f} µs\n")
    print("| step | verdict | seconds | last line |\n| --- | --- | --- | --- |")
    for name, step in steps.items():
        last = (step.get("tail") or "").strip().splitlines()[-1:] or [""]
        print(f"| {name} | {step['verdict']} | {step.get('seconds', '')} | {last[0][:140].replace('|', '/')} |")
    table, missed = speed_table(rates, peak)
    if table:
        print("\n## Training steps\n")
        print("\n".join(table))
        print("\nGoals: ahead of the best peer everywhere, twice at batch 64. " +
              ("Missed at: " + ", ".join("{} {} {}".format(*key) for key in missed) if missed else "Reached at every point."))
    trouble = [step for step in steps.values() if step["verdict"] == "failed"]
    for step in trouble:
        print(f"\n## {step['step']}\n\n```\n{step['tail']}\n```")


if __name__ == "__main__":
    main()
