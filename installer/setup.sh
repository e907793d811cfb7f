#!/usr/bin/env bash
# Installs what is missing to build Tandem (Debian 12). Changes nothing when everything is there.
#   bash installer/setup.sh           to build and run the programs
#   bash installer/setup.sh --tests   also what the tests need
set -euo pipefail

build=(
    ca-certificates g++ cmake ninja-build ccache pkg-config git
    libgrpc++-dev protobuf-compiler protobuf-compiler-grpc libprotobuf-dev
    libhdf5-dev libleveldb-dev libsnappy-dev libsqlite3-dev libssl-dev libzip-dev zlib1g-dev
    libcurl4-openssl-dev libpng-dev libjpeg62-turbo-dev libarchive-dev
    nlohmann-json3-dev libcli11-dev libspdlog-dev
    qt6-base-dev qt6-base-dev-tools qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools linguist-qt6 qt6-translations-l10n libqt6svg6-dev libqcustomplot-dev
    libgl-dev libvulkan-dev
    fonts-inter fonts-noto-cjk fonts-jetbrains-mono
)
tests=(
    libgtest-dev libgmock-dev libbenchmark-dev xvfb xauth python3
    poppler-utils libxml2-utils  # open what the studio exports
)

wanted=("${build[@]}")
[ "${1:-}" = "--tests" ] && wanted+=("${tests[@]}")

missing=()
for package in "${wanted[@]}"; do
    dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if ! command -v apt-get >/dev/null; then
    echo "Tandem's set-up knows Debian's apt-get only. Please install: ${missing[*]}" >&2
    exit 1
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "These packages are missing, and installing them needs root: ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
    echo "Tandem needs these packages and asks for your password to install them: ${missing[*]}"
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "Installing ${#missing[@]} packages …"
if ! { "${as_root[@]}" apt-get update -q &&
       "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "apt-get could not install: ${missing[*]}" >&2
    exit 1
fi
