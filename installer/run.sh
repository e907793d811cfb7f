#!/usr/bin/env bash
# Installs what is missing, builds the release and opens the studio on the two-worker starter project.
# Without a display, or with --headless, it builds what trains without the window (two thirds of the work) and trains that project on two
# local workers in the terminal.
#   bash installer/run.sh [--headless] [--epochs N]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

headless=no
epochs=
while [ $# -gt 0 ]; do
    case "$1" in
        --headless) headless=yes ;;
        --epochs) epochs=${2:?--epochs needs a number}; shift ;;
        -h|--help) sed -n '2,5s/^# //p' "${BASH_SOURCE[0]}"; exit 0 ;;
        *) echo "run.sh: unknown option $1 (see --help)" >&2; exit 2 ;;
    esac
    shift
done
[ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || headless=yes

bash installer/setup.sh
log=build/release.log
mkdir -p build
# What ninja says of each step, as a line that stays where it is on a terminal, else as a line each tenth.
progress() {
    local line percent folder told=0
    while IFS= read -r line; do
        [[ $line =~ ^\[\ *([0-9]+)%\]\ [^/]*\ ([a-z_]+(/[a-z_]+)?) ]] || continue
        percent=${BASH_REMATCH[1]} folder=${BASH_REMATCH[2]}
        if [ -t 1 ]; then
            printf '\r\033[K%3d %%  %s' "$percent" "$folder"
        elif [ "$percent" -ge $((told + 10)) ]; then
            told=$((percent / 10 * 10))
            echo "$told %"
        fi
    done
    if [ -t 1 ]; then printf '\r\033[K'; fi
}

# One build at a time: what an earlier call still builds beside its window is waited for.
exec 9>build/release.lock
if ! flock --nonblock 9; then
    echo "Waiting for a build that is not over yet …"
    flock 9
fi

# The window does without the command line, which is built beside it.
target=window
[ "$headless" = no ] || target=headless
echo "Building (the first time takes some minutes) …"
if ! { cmake --preset release && NINJA_STATUS='[%p] ' cmake --build --preset release --target "$target"; } 2>&1 | tee "$log" | progress; then
    tail -n 40 "$log" >&2
    echo "The build failed; the whole log is in $log" >&2
    exit 1
fi

# What `tandem-cli host add` sends to other computers; where it can't be made, the verb says so.
bundle() {
    if command -v patchelf >/dev/null && command -v readelf >/dev/null && command -v objdump >/dev/null; then
        cmake --build --preset release --target bundle >>"$log" 2>&1 || true
    fi
}

# What the open window does without: the command line, and the bundle until a host is added. Holds the lock until both are there.
rest() {
    if cmake --build --preset release --target programs >>"$log" 2>&1; then
        bundle
    else
        echo "The command line tandem-cli could not be built; the whole log is in $log" >&2
    fi
}

project=build/release/share/tandem/templates/mnist_two_workers.tandem
if [ "$headless" = no ]; then
    rest &
    exec build/release/bin/tandem "$project" 9>&-
fi

out=${XDG_DATA_HOME:-$HOME/.local/share}/tandem/first-run/$(date +%Y%m%d-%H%M%S)
mkdir -p "$out"
settings=()
[ -n "$epochs" ] && settings=(--set "fit.epochs=$epochs")
build/release/bin/tandem-cli export tf-config "$project" --format json --out "$out/tf_config"
build/release/bin/tandem-cli train "$project" --workers 2 "${settings[@]}" --out "$out/run"
echo "TF_CONFIG of both tasks: $out/tf_config"
echo "Checkpoints:             $out/run/checkpoints"
echo "Logs and settings:       $out/run"
[ -x build/release/bin/tandem ] || echo "The window:              built by \`bash installer/run.sh\` where there is a display"
echo "Packing what \`tandem-cli host add\` sends to other computers …"
bundle
