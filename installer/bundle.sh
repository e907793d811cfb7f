#!/usr/bin/env bash
# Makes one archive of a build, which other computers train with: agent, worker and command line, their libraries, data sets and starter projects.
# It is unpacked into any folder and runs there, without root and without packages, on Linux with the processors that it was built for and
# with the glibc that its share/tandem/bundle.json names, or a newer one. The same build gives the same bytes.
#   bash installer/bundle.sh [--build DIR] [--without-gpu] OUT.tar.gz
#   bash installer/bundle.sh [--build DIR] [--without-gpu] --list
# DIR is the folder of the build (default: build/release). --without-gpu leaves out the back-end for GPUs and NVIDIA's libraries, which are
# twenty times as large as the rest. --list writes nothing but a line for each library that would go in: its name, its file and its licence.
set -euo pipefail
export LC_ALL=C  # names are sorted, and programs speak, alike everywhere
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

refuse() {
    echo "bundle.sh: $1" >&2
    exit "${2:-1}"
}

build=$root/build/release
out=
gpu=yes
list_only=no
while [ $# -gt 0 ]; do
    case "$1" in
        --build) build=${2:?--build needs a folder}; shift ;;
        --without-gpu) gpu=no ;;
        --list) list_only=yes ;;
        -h|--help) sed -n '2,8s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
        -*) refuse "unknown option $1 (see --help)" 2 ;;
        *) [ -z "$out" ] || refuse "expected one archive to write, got $out and $1" 2; out=$1 ;;
    esac
    shift
done
if [ $list_only = yes ]; then
    [ -z "$out" ] || refuse "--list writes no archive, but one was named: $out" 2
else
    [ -n "$out" ] || refuse "expected the name of the archive to write (see --help)" 2
fi

programs=(tandem-agent tandem-worker tandem-cli)
headers=(nlohmann-json3-dev libcli11-dev)  # These packages have no library: the programs hold what they took from their headers.

for tool in patchelf readelf objdump strip ldd sha256sum gzip; do
    command -v $tool >/dev/null || refuse "$tool is missing; bash installer/setup.sh installs it"
done
[ -e "$build/CMakeCache.txt" ] || refuse "there is no build in $build; bash installer/run.sh makes one, or --build names another folder"
for program in "${programs[@]}"; do
    [ -x "$build/bin/$program" ] || refuse "$build/bin/$program is missing; the build is not complete"
done
for folder in datasets templates; do
    [ -d "$build/share/tandem/$folder" ] || refuse "$build/share/tandem/$folder is missing; the build is not complete"
done
if [ $list_only = no ]; then
    [ -d "$(dirname "$out")" ] || refuse "there is no folder $(dirname "$out") to write $(basename "$out") to"
    if [ -e "$out" ] || [ -L "$out" ]; then
        refuse "$out exists; remove it first or choose another name"
    fi
fi

# --- Libraries

declare -A libraries=()  # The loader's name of each library that goes in, and its file on this computer.

# The libraries of glibc stay the system's: they fit its loader and each other, and no others.
is_glibc() {
    case "$1" in
        ld-linux*|libc.so.6|libm.so.6|libmvec.so.1|libdl.so.2|libpthread.so.0|librt.so.1|libresolv.so.2|libutil.so.1|libanl.so.1) return 0 ;;
        *) return 1 ;;
    esac
}

# Adds what the program or library needs, and what that needs in turn.
add_needed() {
    local listing name file
    listing=$(env -u LD_PRELOAD ldd "$1" 2>&1) || refuse "ldd can't tell what $1 needs: $listing"
    while read -r name file; do
        is_glibc "$name" && continue
        [ -n "$file" ] || refuse "$name, which $1 needs, was not found on this computer"
        file=${file/\/glibc-hwcaps\/*\//\/}  # The loader prefers a library for this very processor; the one beside it is for all.
        [ "${libraries[$name]:-$file}" -ef "$file" ] || refuse "$1 needs $file, but ${libraries[$name]} goes by the same name"
        libraries[$name]=$file
    done < <(sed -nE 's/^\s*(\S+) => not found.*/\1/p; s/^\s*(\S+) => (\/.*) \(0x[0-9a-f]+\)$/\1 \2/p' <<<"$listing")
}

# cuDNN opens its parts and NVRTC by their names, and the back-end for GPUs opens NCCL so. They lie beside what it is linked with.
add_opened_by_name() {
    local linked=("${!libraries[@]}") name file
    for name in "${linked[@]}"; do
        case "$name" in libcudnn.so.*|libcublasLt.so.*) ;; *) continue ;; esac
        for file in "$(dirname "${libraries[$name]}")"/lib{cudnn_*,nvrtc,nvrtc-builtins,nccl}.so.*; do
            [ -e "$file" ] || continue
            libraries[$(patchelf --print-soname "$file")]=$file
            add_needed "$file"
        done
    done
}

modules=()
for module in "$build"/lib/libtandem-*.so; do
    [ -e "$module" ] || continue
    case "$(basename "$module")" in
        libtandem-cuda.so) [ $gpu = yes ] || continue ;;
        libtandem-mpi.so) continue ;;  # Open MPI must be that of the computer's mpirun.
    esac
    modules+=("$module")
done
for program in "${programs[@]}"; do
    add_needed "$build/bin/$program"
done
for module in "${modules[@]}"; do
    add_needed "$module"
done
add_opened_by_name
mapfile -t names < <(printf '%s\n' "${!libraries[@]}" | sort)

# --- Licences

# The licence of a library that no package owns: NVIDIA's wheels keep it beside the list of their files, its toolkit above its folders.
licence_above() {
    local folder record
    folder=$(dirname "$1")
    while [ "$folder" != / ]; do
        for record in "$folder"/dist-info/*/RECORD; do
            if [ -e "$record" ] && grep -qF "/$(basename "$1")," "$record"; then
                find "$(dirname "$record")" -type f -iname 'licen[cs]e*' | sort | sed -n 1p
                return
            fi
        done
        if [ -f "$folder/EULA.txt" ]; then
            echo "$folder/EULA.txt"
            return
        fi
        folder=$(dirname "$folder")
    done
}

declare -A packages=()  # The package of each file that one owns.
questions=()
for name in "${names[@]}"; do
    file=$(readlink -f "${libraries[$name]}")
    questions+=("$file" "${file#/usr}")  # A package may say /lib where the system says /usr/lib.
done
while IFS=: read -r package rest; do
    packages[/usr${rest#/usr}]=$package
done < <(dpkg-query -S "${questions[@]}" 2>/dev/null | sed -nE '/^diversion /d; s/^([^:, ]+)[^/]*: (\/.*)$/\1:\2/p')
declare -A licences=()  # The file with each library's licence, or nothing.
declare -A owners=()    # The name under which the bundle keeps it.
for name in "${names[@]}"; do
    file=$(readlink -f "${libraries[$name]}")
    package=${packages[/usr${file#/usr}]:-}
    licence=/usr/share/doc/$package/copyright
    if [ -z "$package" ]; then
        licence=$(licence_above "${libraries[$name]}")
        package=${name%%.so*}
    fi
    [ -f "$licence" ] || licence=
    licences[$name]=$licence
    owners[$name]=$package
done
if [ $list_only = yes ]; then
    for name in "${names[@]}"; do
        printf '%s\t%s\t%s\n' "$name" "$(readlink -f "${libraries[$name]}")" "${licences[$name]:-no licence was found}"
    done
    exit 0
fi

umask 022
work=$(mktemp -d -- "$(dirname "$out")/.bundle.XXXXXX")
trap 'rm -rf -- "$work"' EXIT
tree=$work/tree
mkdir -p "$tree/bin" "$tree/lib" "$tree/share/tandem/templates" "$tree/share/doc/tandem"

# --- Programs and libraries are copied. The programs have an RPATH, not a RUNPATH: it holds for the libraries of libraries, too, so that these
# stay as their packages have them, and no LD_LIBRARY_PATH of a cluster's set-up goes before it.

# shellcheck disable=SC2016
origin='$ORIGIN'  # The loader puts the folder of the file here.
copy_stripped() {
    cp -- "$(readlink -f "$1")" "$2"
    chmod u+w "$2"
    if [[ $(readelf -SW "$2") == *" .symtab "* ]]; then
        strip --strip-unneeded "$2"
    fi
}
for program in "${programs[@]}"; do
    copy_stripped "$build/bin/$program" "$tree/bin/$program"
    patchelf --force-rpath --set-rpath "$origin/../lib" "$tree/bin/$program"
done
for module in "${modules[@]}"; do
    copy_stripped "$module" "$tree/lib/$(basename "$module")"
    patchelf --force-rpath --set-rpath "$origin" "$tree/lib/$(basename "$module")"
done
for name in "${names[@]}"; do
    copy_stripped "${libraries[$name]}" "$tree/lib/$name"
    case "$(patchelf --print-rpath "$tree/lib/$name")" in
        ""|"$origin"|"$origin:"*) ;;
        *) patchelf --set-rpath "$origin" "$tree/lib/$name" ;;
    esac
done

# --- Data sets and starter projects are what agent, worker and command line look for; the rest of share/tandem is for the window.

cp -rL -- "$build/share/tandem/datasets" "$tree/share/tandem/"
cp -L -- "$build"/share/tandem/templates/*.tandem "$tree/share/tandem/templates/"

# --- Licences are copied

add_licence() {  # FILE FOLDER
    mkdir -p "$tree/share/doc/$2"
    cp -L -- "$1" "$tree/share/doc/$2/copyright"
}
for name in "${names[@]}"; do
    if [ -n "${licences[$name]}" ]; then
        add_licence "${licences[$name]}" "${owners[$name]}"
    else
        echo "bundle.sh: no licence of $name was found: look for it before you pass the bundle on" >&2
    fi
done
for package in "${headers[@]}"; do
    [ ! -f "/usr/share/doc/$package/copyright" ] || add_licence "/usr/share/doc/$package/copyright" "$package"
done
cp "$root/LICENSE.md" "$root/LICENSE-APACHE-2.0" "$tree/share/doc/tandem/"
# Packages name the longer licences by where Debian has them.
while read -r licence; do
    mkdir -p "$tree/share/doc/common-licenses"
    [ ! -f "$licence" ] || cp -L "$licence" "$tree/share/doc/common-licenses/"
done < <(grep -rhoE '/usr/share/common-licenses/[A-Za-z]+(-[0-9.]*[0-9])?' "$tree/share/doc" | sort -u)

# --- What the bundle says of itself

architecture=$(readelf -hW "$tree/bin/tandem-worker" | sed -nE 's/^ *Machine: *//p')
case "$architecture" in
    *X86-64) architecture=x86_64 ;;
    AArch64) architecture=aarch64 ;;
    *) refuse "the programs are for $architecture, which no bundle was made for" ;;
esac
# Relative relocations, which binutils calls GLIBC_ABI_DT_RELR, came with glibc 2.36.
glibc=$(find "$tree/bin" "$tree/lib" -type f -exec objdump -p {} + | sed 's/GLIBC_ABI_DT_RELR/GLIBC_2.36/' |
        sed -nE 's/^.* GLIBC_([0-9]+(\.[0-9]+)+)$/\1/p' | sort -uV | tail -n 1)
version=$("$tree/bin/tandem-cli" --version) || refuse "the tandem-cli of the bundle does not start"

find "$tree" -type d -exec chmod 755 {} +
find "$tree" -type f -exec chmod 644 {} +
chmod 755 "$tree"/bin/*
list=share/tandem/bundle.sha256
(cd "$tree" && find bin lib share -type f -print0 | sort -z | xargs -0 sha256sum) >"$work/list"
mv "$work/list" "$tree/$list"
unpacked=$(find "$tree" -type f -printf '%s\n' | { sum=0; while read -r size; do sum=$((sum + (size + 4095) / 4096 * 4096)); done; echo "$sum"; })
printf '{\n  "version": "%s",\n  "architecture": "%s",\n  "glibc": "%s",\n  "unpacked_bytes": %s,\n  "files": "%s",\n  "files_sha256": "%s"\n}\n' \
       "$version" "$architecture" "$glibc" "$unpacked" "$list" "$(sha256sum <"$tree/$list" | cut -d ' ' -f 1)" >"$tree/share/tandem/bundle.json"
chmod 644 "$tree/$list" "$tree/share/tandem/bundle.json"

# --- The archive. What it says of itself comes first: whoever installs it reads that without unpacking the rest.

facts=share/tandem/bundle.json
(cd "$tree" && echo $facts && find bin lib share ! -path $facts | sort) |
    tar -C "$tree" --format=ustar --no-recursion --owner=0 --group=0 --numeric-owner --mtime='2000-01-01 00:00:00Z' -T - -cf - |
    gzip "-n${TANDEM_BUNDLE_LEVEL:-9}" >"$work/archive"  # tests take 1: they measure no size
mv -nT -- "$work/archive" "$out"
[ ! -e "$work/archive" ] || refuse "$out exists; remove it first or choose another name"
echo "$out: $(du -h --apparent-size "$out" | cut -f 1), Tandem $version for $architecture with glibc $glibc or newer, ${#modules[@]} back-end modules"
