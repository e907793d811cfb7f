#!/usr/bin/env bash
# Everything that only a GPU can show, on a machine with a driver, CUDA's toolkit and PyTorch and nothing of Debian's packages: builds the engine's
# computing parts there (-DTANDEM_BARE=ON), runs them, and writes results that can be read alone. Elsewhere it builds, and says SKIPPED and why.
#   bash tests/gpu/run.sh STAGE...
#     ops       every test of the GPU's back-end, of plan, collectives and the oracle
#     train     whole trainings beside the CPU's, T1 to its accuracy, a set that does not fit, 100 starts and kills with the memory watched
#     sanitize  memcheck and racecheck over the tests of ops
#     bench     our steps, then PyTorch's and JAX's, then the machine's own limits
#     all       the four in this order; `check` the first three
#   --out FOLDER      results (default: $OUT, else build/gpu/results): log.jsonl, one line a step with its last output, and gpu.md
#   --minutes N       no step begins later, and none runs longer (default 9.5)
#   --packages DIR    what tests/gpu/pack.sh gathered (default build/gpu_third_party)
#   --only-build      configure and compile, run nothing
# A step that fails or takes too long loses itself alone: the next one runs.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

stages=()
out=${OUT:-build/gpu/results}
minutes=9.5
packages=build/gpu_third_party
only_build=no
while [ $# -gt 0 ]; do
    case "$1" in
        ops|train|sanitize|bench) stages+=("$1") ;;
        check) stages+=(ops train sanitize) ;;
        all) stages+=(ops train sanitize bench) ;;
        --out) out=${2:?}; shift ;;
        --minutes) minutes=${2:?}; shift ;;
        --packages) packages=${2:?}; shift ;;
        --only-build) only_build=yes ;;
        -h|--help) sed -n '2,17s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
        *) echo "run.sh: unknown argument $1 (see --help)" >&2; exit 2 ;;
    esac
    shift
done
[ ${#stages[@]} -gt 0 ] || [ $only_build = yes ] || { sed -n '2,17s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 2; }

mkdir -p "$out"
out=$(realpath "$out")
build=$PWD/build/gpu
bin=$build/bin
end=$(python3 -c "import time; print(int(time.time() + 60 * $minutes))")
failed=0
left() { echo $((end - $(date +%s))); }

# step NAME SECONDS COMMAND...: in its own limit of time; its whole output in a file of its own, its end and verdict in log.jsonl.
step() {
    local name=$1 limit=$2 rc begin log
    shift 2
    [ "$limit" -gt "$(left)" ] && limit=$(left)
    log=$out/$name.log
    begin=$(date +%s.%N)
    if [ "$limit" -lt 5 ]; then
        echo "no time was left" >"$log"
        rc=125
    else
        timeout --kill-after=5 "$limit" "$@" >"$log" 2>&1
        rc=$?
    fi
    [ $rc -eq 0 ] || failed=1
    python3 - "$name" "$rc" "$begin" "$log" "$*" >>"$out/log.jsonl" <<'PYTHON'
import json, sys, time
name, rc, begin, log, command = sys.argv[1:6]
text = open(log, errors="replace").read()
words = {0: "passed", 124: "too slow", 125: "not begun", 137: "too slow"}
print(json.dumps({"step": name, "verdict": words.get(int(rc), "failed"), "rc": int(rc), "seconds": round(time.time() - float(begin), 1),
                  "command": command, "tail": text[-1500:]}))
PYTHON
    printf '%-28s rc %-4s %s\n' "$name" "$rc" "$(tail -n 1 "$log" | cut -c1-120)"
    return 0
}

configure_and_build() {
    local nvcc architecture=90
    nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null) || { echo "no nvcc here"; return 1; }
    command -v nvidia-smi >/dev/null && nvidia-smi >/dev/null 2>&1 && architecture=native
    cmake -S . -B "$build" -G "$(command -v ninja >/dev/null && echo Ninja || echo 'Unix Makefiles')" -DTANDEM_BARE=ON -DTANDEM_CUDA=ON \
        -DCMAKE_BUILD_TYPE=Release -DTANDEM_THIRD_PARTY="$(realpath -m "$packages")" -DCMAKE_CUDA_COMPILER="$nvcc" \
        -DCMAKE_CUDA_ARCHITECTURES=$architecture $(python_libraries) &&
        cmake --build "$build" -j "$(nproc)" --target gpu_checks
}

# PyTorch brings cuDNN and NCCL with it; a toolkit alone has neither.
python_libraries() {
    python3 - <<'PYTHON' 2>/dev/null
import glob, os, site, sys
roots = [os.path.join(place, "nvidia") for place in {*site.getsitepackages(), *sys.path} if os.path.isdir(os.path.join(place, "nvidia"))]
def first(*patterns):
    return next((found for root in roots for pattern in patterns for found in sorted(glob.glob(os.path.join(root, "*", pattern)))), None)
header, library, nccl = first("include/cudnn.h"), first("lib/libcudnn.so.9"), first("include/nccl.h")
print(*(f"-D{name}={value}" for name, value in (("TANDEM_CUDNN_INCLUDE_DIR", header and os.path.dirname(header)), ("TANDEM_CUDNN_LIBRARY", library),
                                               ("TANDEM_NCCL_HEADER", nccl and os.path.dirname(nccl))) if value))
PYTHON
}

# The folders of the libraries that are loaded at run time.
library_path() {
    python3 - <<'PYTHON' 2>/dev/null
import glob, os, site, sys
print(":".join(sorted({folder for place in {*site.getsitepackages(), *sys.path} for folder in glob.glob(os.path.join(place, "nvidia", "*", "lib"))})))
PYTHON
}

ops() {
    local program
    for program in engine_backend_gpu_test engine_distribute_test engine_plan_test engine_backend_test; do
        step "ops.$program" 200 "$bin/$program" --gtest_brief=1
    done
}

mnist() {
    mkdir -p "$build/mnist"
    local file
    for file in resources/datasets/mnist/*.gz; do
        gunzip -c "$file" >"$build/mnist/$(basename "${file%.gz}")"
    done
}

# Used bytes of the first GPU, by the driver.
used_mb() { nvidia-smi --query-gpu=memory.used --format=csv,noheader,nounits -i 0; }

starts_and_kills() {
    local before after i pid grown most=0
    "$bin/gpu_train" --data "$build/mnist" --steps 20 >/dev/null || return 1
    sleep 1
    before=$(used_mb)
    for i in $(seq 100); do
        "$bin/gpu_train" --data "$build/mnist" --steps 1000000 --quiet &
        pid=$!
        sleep "0.$((RANDOM % 9))$((RANDOM % 10))"
        kill -KILL $pid
        wait $pid 2>/dev/null
        grown=$(($(used_mb) - before))
        [ $grown -gt $most ] && most=$grown
    done
    sleep 1
    after=$(used_mb)
    echo "before $before MB, after 100 kills $after MB, at most $most MB above meanwhile"
    [ $((after - before)) -le 16 ]
}

out_of_memory() {
    local text
    text=$("$bin/gpu_step" --models vgg_wide --batches 4000000 --precisions float32 --steps 1 --repeats 1 2>&1) && { echo "it fit: $text"; return 1; }
    echo "$text"
    [[ $text =~ [0-9.]+\ ?[GM]i?B.*[0-9.]+\ ?[GM]i?B ]]  # what the plan needs, against what was free
}

train() {
    mnist
    step train.trajectories 200 "$bin/gpu_train" --data "$build/mnist" --compare --out "$out/trajectories.jsonl"
    step train.tutorial 120 "$bin/gpu_train" --data "$build/mnist" --epochs 5 --least-accuracy 0.985
    step train.deterministic 60 "$bin/gpu_train" --data "$build/mnist" --steps 200 --twice
    step train.out_of_memory 60 bash -c out_of_memory
    step train.starts_and_kills 170 bash -c starts_and_kills
}

sanitize() {
    local sanitizer tool
    sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null)
    if [ -z "$sanitizer" ]; then
        step sanitize 5 sh -c 'echo "SKIPPED: no compute-sanitizer here"'
        return
    fi
    for tool in memcheck racecheck; do
        step "sanitize.$tool" 260 "$sanitizer" --tool $tool --error-exitcode 9 --print-limit 20 "$bin/engine_backend_gpu_test" --gtest_brief=1 \
            --gtest_filter='-*Training*:*Trajectory*'
    done
}

bench() {
    local until
    step bench.peak 60 python3 tests/bench/peers/torch_gpu_steps.py --peak
    step bench.tandem 150 "$bin/gpu_step"
    until=$((end - 15))
    step bench.jax 150 env XLA_PYTHON_CLIENT_PREALLOCATE=false python3 tests/bench/peers/jax_gpu_steps.py --until $(($(date +%s) + 140)) --repeats 3
    step bench.torch 500 python3 tests/bench/peers/torch_gpu_steps.py --modes graph eager compile --repeats 3 --until $until
}

# `timeout` starts programs, no functions of this shell.
export -f used_mb starts_and_kills out_of_memory
export bin build

step build 400 bash -c "$(declare -f configure_and_build python_libraries); packages='$packages' build='$build' configure_and_build"
[ $only_build = yes ] && exit $failed
if ! nvidia-smi >/dev/null 2>&1; then
    reason="no NVIDIA driver here"
    if command -v nvidia-smi >/dev/null; then
        reason=$(nvidia-smi 2>&1 | head -n 1)
        [ -n "$reason" ] || reason="the NVIDIA driver does not answer"
    fi
    for stage in "${stages[@]}"; do
        echo "SKIPPED $stage: $reason"
        python3 -c "import json, sys; print(json.dumps({'step': sys.argv[1], 'verdict': 'SKIPPED', 'tail': sys.argv[2]}))" "$stage" "$reason" >>"$out/log.jsonl"
    done
else
    LD_LIBRARY_PATH=$(library_path):${LD_LIBRARY_PATH:-}
    export LD_LIBRARY_PATH
    for stage in "${stages[@]}"; do
        $stage
    done
fi
python3 tests/gpu/report.py "$out" >"$out/gpu.md"
tail -n 60 "$out/gpu.md"
exit $failed
