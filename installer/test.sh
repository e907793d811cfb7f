#!/usr/bin/env bash
# Installs what is missing, builds everything with warnings as errors and runs every test.
#   bash installer/test.sh [ctest options]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

bash installer/setup.sh --tests
cmake --preset ci
cmake --build --preset ci
ctest --preset ci "$@"
