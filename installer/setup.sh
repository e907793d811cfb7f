#!/usr/bin/env bash
# Installs what is missing to build Tandem (Debian 12). Changes nothing when everything is there.
#   bash installer/setup.sh           to build and run the programs
#   bash installer/setup.sh --without-studio  to build agent, worker and command line alone, without Qt and fonts
#   bash installer/setup.sh --tests   also what the tests need
#   bash installer/setup.sh --packages also what makes and checks Debian packages (installer/package.sh)
#   bash installer/setup.sh --fuzz    also clang with its sanitizers and libFuzzer, for the preset fuzz
#   bash installer/setup.sh --cuda    also CUDA's toolkit, cuDNN and NCCL, to build the back-end for GPUs: those of an installation, else
#                                     NVIDIA's wheels from PyPI, unpacked below build/cuda (--cuda-wheels: the wheels whatever is installed)
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

build=(
    ca-certificates g++ cmake ninja-build ccache pkg-config
    libgrpc++-dev protobuf-compiler protobuf-compiler-grpc libprotobuf-dev
    libfarmhash-dev libhdf5-dev libleveldb-dev libonnx-dev libsnappy-dev libsqlite3-dev libssl-dev libzip-dev zlib1g-dev
    libcurl4-openssl-dev libpng-dev libjpeg62-turbo-dev libarchive-dev
    nlohmann-json3-dev libcli11-dev libspdlog-dev
    libopenmpi-dev  # libtandem-mpi.so; a build without it leaves that out
    patchelf  # installer/bundle.sh
)
studio=(
    qt6-base-dev qt6-base-dev-tools qt6-l10n-tools qt6-translations-l10n libqt6svg6-dev libqcustomplot-dev
    libgl-dev libvulkan-dev
    fonts-inter fonts-noto-cjk fonts-jetbrains-mono
)
tests=(
    libgtest-dev libgmock-dev libbenchmark-dev xvfb xauth python3 git
    openssh-client openssh-server iproute2 slurmctld slurmd slurm-client munge docker-compose python3-yaml openmpi-bin  # tests/hosts
    clang clang-format clang-tidy  # tests/app/style_test.py
    poppler-utils libxml2-utils chromium-headless-shell gnumeric graphviz  # open what the studio exports
    unzip  # opens archives of runs
    uidmap  # other users for tests/e2e/attack_test.py where a user who is not root runs it (with lines of theirs in /etc/subuid, /etc/subgid)
)
packages=(dpkg-dev file git lintian desktop-file-utils appstream man-db zsh fish)
fuzz=(clang libclang-rt-dev llvm libgtest-dev libgmock-dev)  # llvm names lines in what the sanitizers report

# Of one release of the toolkit; cuDNN and NCCL as they were built for it.
wheels=(
    nvidia-cuda-nvcc==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-cccl==13.0.85 nvidia-cuda-runtime==13.0.96
    nvidia-cublas==13.1.0.3 nvidia-cudnn-cu13==9.19.0.56 nvidia-nccl-cu13==2.28.9 nvidia-cuda-nvrtc==13.0.88
)

wanted=("${build[@]}")
with_studio=yes
cuda=no
for option in "$@"; do
    case "$option" in
        --without-studio) with_studio=no ;;
        --tests) wanted+=("${tests[@]}") ;;
        --packages) wanted+=("${packages[@]}") ;;
        --fuzz) wanted+=("${fuzz[@]}") ;;
        --cuda) cuda=maybe ;;
        --cuda-wheels) cuda=wheels ;;
        -h|--help) sed -n '2,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
        *) echo "setup.sh: unknown option $option (see --help)" >&2; exit 2 ;;
    esac
done
[ $with_studio = no ] || wanted+=("${studio[@]}")

# The folder of a toolkit of CUDA 13 or newer with cuDNN 9 and NCCL in it or beside the system's headers.
installed_cuda() {
    local nvcc place header found
    for nvcc in "${CUDA_PATH:-/nowhere}/bin/nvcc" "$(command -v nvcc || true)" /usr/local/cuda/bin/nvcc; do
        [ -x "$nvcc" ] || continue
        nvcc=$(readlink -f "$nvcc")
        [ "$("$nvcc" --version | sed -n 's/.*release \([0-9]*\)\..*/\1/p')" -ge 13 ] 2>/dev/null || continue
        for header in cudnn.h nccl.h; do
            found=no
            for place in "${nvcc%/bin/nvcc}/include" /usr/include /usr/include/x86_64-linux-gnu /usr/local/include; do
                [ -e "$place/$header" ] && found=yes
            done
            [ $found = yes ] || continue 2
        done
        echo "${nvcc%/bin/nvcc}"
        return 0
    done
    return 1
}
if [ $cuda = maybe ]; then
    if found=$(installed_cuda); then
        echo "CUDA, cuDNN and NCCL are installed: $found"
        cuda=no
    elif [ -e "$root/build/cuda/complete" ] && [ "$(cat "$root/build/cuda/complete")" = "${wheels[*]}" ]; then
        cuda=no
    else
        cuda=wheels
    fi
fi
if [ $cuda = wheels ] && ! python3 -m pip --version >/dev/null 2>&1; then
    wanted+=(python3 python3-pip)
fi

missing=()
for package in "${wanted[@]}"; do
    dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
done

install_missing() {
    [ ${#missing[@]} -eq 0 ] && return 0

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
    # The tests run servers of their own. The package must not make this computer one that others can log in to.
    if [[ " ${missing[*]} " == *" openssh-server "* ]] && [ -d /run/systemd/system ]; then
        echo "The ssh server of this computer stays off; to use it one day: systemctl unmask ssh.service ssh.socket"
        "${as_root[@]}" systemctl mask --quiet ssh.service ssh.socket
    fi
    echo "Installing ${#missing[@]} packages …"
    if ! { "${as_root[@]}" apt-get update -q &&
           "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        echo "apt-get could not install: ${missing[*]}" >&2
        exit 1
    fi
}
install_missing

# Wheels hold the libraries with their number alone, and lose what may be run. Their licences and lists of files are kept for installer/bundle.sh.
unpack_wheels() {
    local folder=$root/build/cuda packed
    rm -rf "$folder" "$folder.new"
    mkdir -p "$folder.new"
    packed=$(mktemp -d)
    trap 'rm -rf "$packed"' RETURN
    echo "Fetching NVIDIA's compiler and libraries (about 1 GB) …"
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: -d "$packed" "${wheels[@]}"
    local wheel
    for wheel in "$packed"/*.whl; do
        python3 -m zipfile -e "$wheel" "$packed/tree"
        rm "$wheel"
    done
    local part
    for part in "$packed"/tree/nvidia/*/; do
        cp -a "$part". "$folder.new/"
    done
    mkdir "$folder.new/dist-info"
    cp -a "$packed"/tree/*.dist-info "$folder.new/dist-info/"
    chmod +x "$folder.new"/bin/* "$folder.new"/nvvm/bin/*
    [ -e "$folder.new/lib64" ] || ln -s lib "$folder.new/lib64"
    local library
    for library in "$folder.new"/lib/lib*.so.*; do
        [ -e "${library%.so.*}.so" ] || ln -s "$(basename "$library")" "${library%.so.*}.so"
    done
    echo "${wheels[*]}" >"$folder.new/complete"
    mv "$folder.new" "$folder"
}
if [ $cuda = wheels ]; then
    unpack_wheels
    echo "CUDA, cuDNN and NCCL are in build/cuda"
fi
