#!/usr/bin/env bash
# Gathers what a bare machine with a GPU lacks to build the engine's tests: GoogleTest's sources and two libraries of headers, from this system's
# packages (libgtest-dev, libgmock-dev, nlohmann-json3-dev, libcli11-dev). Take the folder along with the source tree.
#   bash tests/gpu/pack.sh [FOLDER]     default: build/gpu_third_party
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder=${1:-build/gpu_third_party}

for needed in /usr/src/googletest /usr/include/nlohmann /usr/include/CLI; do
    [ -e "$needed" ] || { echo "pack.sh: $needed is missing; bash installer/setup.sh --tests installs it" >&2; exit 1; }
done
rm -rf "$folder"
mkdir -p "$folder/googletest"
for part in googletest googlemock; do
    mkdir -p "$folder/googletest/$part"
    cp -rL /usr/src/googletest/$part/{CMakeLists.txt,cmake,include,src} "$folder/googletest/$part/" 2>/dev/null ||
        cp -rL /usr/src/googletest/$part/{CMakeLists.txt,include,src} "$folder/googletest/$part/"
done
cp -L /usr/src/googletest/CMakeLists.txt "$folder/googletest/"
cp -rL /usr/include/nlohmann /usr/include/CLI "$folder/"
du -sh "$folder"
