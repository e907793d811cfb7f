#!/usr/bin/env bash
# Installs what is missing, builds everything with warnings as errors and runs every test.
#   bash installer/test.sh [ctest options]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# timed NAME COMMAND...: the seconds of a part are told when it is over, so that a check that becomes slow shows where.
timed() {
    local begin=$SECONDS code=0
    "${@:2}" || code=$?
    echo "test.sh: $1: $((SECONDS - begin)) s"
    return $code
}

timed "installing" bash installer/setup.sh --tests
cmake --preset ci
timed "building" cmake --build --preset ci
timed "testing" ctest --preset ci "$@"
