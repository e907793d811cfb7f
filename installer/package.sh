#!/usr/bin/env bash
# Makes Debian packages of this tree: tandem (the studio), tandem-agent, libtandem-dev, tandem-mpi,
# and tandem-cuda where there is a CUDA toolkit.
#   bash installer/package.sh [OUT_DIR]
# They go to OUT_DIR (default: build/packages). The build has a folder of its own, build/package.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

case "${1:-}" in
    -h|--help) sed -n '2,5s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
    -*) echo "package.sh: unknown option $1 (see --help)" >&2; exit 2 ;;
esac
[ $# -le 1 ] || { echo "package.sh: expected one folder to write to, got $*" >&2; exit 2; }
out=${1:-$root/build/packages}
mkdir -p -- "$out"
out=$(cd "$out" && pwd)
cd "$root"

bash installer/setup.sh --packages
# Dates in the packages are those of the source, so that it gives the same packages another day.
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
cmake --preset package
cmake --build --preset package
# What `tandem-cli host add` sends to other computers. NVIDIA's libraries would make it two gigabytes.
rm -f build/package/share/tandem/bundle.tar.gz
bash installer/bundle.sh --build build/package --without-gpu build/package/share/tandem/bundle.tar.gz
made=$(mktemp -d -- "$out/.packages.XXXXXX")
trap 'rm -rf -- "$made"' EXIT
(cd build/package && cpack -B "$made")
for package in "$made"/*.deb; do
    mv -f -- "$package" "$out/"
    package=$out/$(basename "$package")
    echo "$package: $(du -h --apparent-size "$package" | cut -f 1), $(dpkg-deb -f "$package" Description | head -n 1)"
done
