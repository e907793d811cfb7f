#!/usr/bin/env bash
# Builds an image with agent, worker and command line (installer/Containerfile) with podman, buildah or docker, whichever is there first.
#   bash installer/image.sh [cpu|cuda] [--tag NAME] [--base IMAGE]
# cpu, the default, trains on processors and is tagged tandem:latest, the image that `tandem-cli export launch` names by default. cuda also uses
# NVIDIA's GPUs and is tagged tandem:cuda; its build fetches a gigabyte of NVIDIA's wheels from PyPI. --base names another image of Debian 12 to
# begin with, such as a mirror's (default: debian:bookworm).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

refuse() {
    echo "image.sh: $1" >&2
    exit "${2:-1}"
}

target=
tag=
base=
while [ $# -gt 0 ]; do
    case "$1" in
        cpu|cuda) [ -z "$target" ] || refuse "expected one target, got $target and $1" 2; target=$1 ;;
        --tag) [ -n "${2:-}" ] || refuse "--tag: expected a name behind it" 2; tag=$2; shift ;;
        --base) [ -n "${2:-}" ] || refuse "--base: expected an image behind it" 2; base=$2; shift ;;
        -h|--help) sed -n '2,6s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
        -*) refuse "unknown option $1 (see --help)" 2 ;;
        *) refuse "expected cpu or cuda, got $1" 2 ;;
    esac
    shift
done
target=${target:-cpu}
if [ -z "$tag" ]; then
    case $target in cpu) tag=tandem:latest ;; cuda) tag=tandem:cuda ;; esac
fi

# Docker's program may be there without its daemon, which builds.
builder=
for tool in podman buildah docker; do
    command -v $tool >/dev/null || continue
    if [ $tool = docker ] && ! docker info >/dev/null 2>&1; then
        refuse "found docker alone, and its daemon does not answer (docker info says why)"
    fi
    builder=$tool
    break
done
[ -n "$builder" ] || refuse "expected podman, buildah or docker to build an image with, found none; on Debian: apt install podman"

options=(--file "$root/installer/Containerfile" --target "$target" --tag "$tag")
[ -z "$base" ] || options+=(--build-arg "BASE=$base")
$builder build "${options[@]}" "$root"
echo "$tag: built by $builder, target $target"
