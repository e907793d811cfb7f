#!/usr/bin/env bash
# Fuzzes every target in turn, or those that are named:  tests/fuzz/run_all.sh [SECONDS [TARGET...]]   (60 seconds each)
# Needs the build of preset fuzz (cmake --preset fuzz && cmake --build --preset fuzz), or of the folder that TANDEM_FUZZ_BUILD names. What is
# learnt stays in BUILD/fuzz/corpus for the next time, an input that fails in BUILD/fuzz/failures: put it into tests/fuzz/regressions/TARGET.
# Exit code 1 when a target failed. On a machine with other work TANDEM_FUZZ_TIMEOUT sets how many seconds one input may take: libFuzzer counts
# the clock and not the processor.
set -uo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=${TANDEM_FUZZ_BUILD:-$source/../../build/fuzz}
seconds=${1:-60}
wanted=("${@:2}")
if [ ! -e "$build/tests/fuzz/targets.txt" ]; then
    echo "run_all.sh: expected the build of preset fuzz in $build, found none" >&2
    exit 2
fi
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1:strict_string_checks=1:detect_stack_use_after_return=0}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
if [ -z "${TMPDIR:-}" ] && [ -w /dev/shm ]; then
    export TMPDIR=/dev/shm  # targets that need folders write thousands of files a second
fi
if [ ! -d "$build/tests/fuzz/seeds/idx" ]; then
    "$build/bin/fuzz_seeds" "$build/tests/fuzz/seeds" || exit 2
fi
failures=$build/fuzz/failures
mkdir -p "$failures" "$build/fuzz/logs"
code=0
ran=0
while read -r name dictionary; do
    if [ ${#wanted[@]} -gt 0 ] && [[ " ${wanted[*]} " != *" $name "* ]]; then
        continue
    fi
    ran=$((ran + 1))
    corpus=$build/fuzz/corpus/$name
    log=$build/fuzz/logs/$name.log
    mkdir -p "$corpus"
    inputs=("$corpus" "$build/tests/fuzz/seeds/$name")
    [ -d "$source/regressions/$name" ] && inputs+=("$source/regressions/$name")
    timeout=${TANDEM_FUZZ_TIMEOUT:-10}
    case $name in
        hdf5|keras_file) timeout=$((timeout + 20)) ;;  # these wait for a process of their own, 10 seconds at most; its end is no failure
    esac
    "$build/bin/fuzz_$name" -max_total_time="$seconds" -timeout=$timeout -rss_limit_mb=2048 -malloc_limit_mb=512 -print_final_stats=1 \
        ${dictionary:+-dict="$dictionary"} -artifact_prefix="$failures/$name-" "${inputs[@]}" >"$log" 2>&1 </dev/null
    result=$?
    summary=$(grep -aE '^#[0-9]+.*(DONE|pulse|NEW|REDUCE)' "$log" | tail -n 1)
    if [ $result -eq 0 ]; then
        rm -f "$failures/$name"-*
        echo "$name: ${summary:-no input}"
    else
        echo "$name: FAILED (exit code $result), see $log; $(grep -aE 'SUMMARY|fuzz target:|Test unit written' "$log" | tail -n 2 | tr '\n' ' ')"
        tail -n 60 "$log"
        code=1
    fi
done <"$build/tests/fuzz/targets.txt"
if [ $ran -eq 0 ]; then
    echo "run_all.sh: no such target: ${wanted[*]}" >&2
    exit 2
fi
exit $code
