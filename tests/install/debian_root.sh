#!/usr/bin/env bash
# Installs packages in a fresh minimal Debian 12, uses them as a new user does, upgrades them and takes them away again; by hand, as root:
#   bash tests/install/debian_root.sh PACKAGES [OLDER_PACKAGES]
# Both are folders with tandem_*.deb and its kin. It fails where a program does not run, where an upgrade loses a run or a setting, and where
# something is left behind; it prints the seconds from `apt install` to the first step. Needs debootstrap, and the mirror that apt uses here.
set -euo pipefail
[ $# -ge 1 ] && [ $# -le 2 ] || { sed -n '2,5s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2; }
new=$(cd "$1" && pwd)
old=${2:+$(cd "$2" && pwd)}
cache=${XDG_CACHE_HOME:-$HOME/.cache}/tandem-debian-root
mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 2>/dev/null | grep -m1 '/debian/*$' || true)
mirror=${mirror:-http://deb.debian.org/debian}
mkdir -p "$cache"
if [ ! -f "$cache/root.tar" ]; then
    made=$(mktemp -d "$cache/new.XXXX")
    debootstrap --variant=minbase bookworm "$made" "$mirror" >"$cache/debootstrap.log"
    tar -C "$made" -cf "$cache/root.tar.part" . && mv "$cache/root.tar.part" "$cache/root.tar"
    rm -rf "$made"
fi
root=$(mktemp -d "$cache/root.XXXX")
mounts=()
finish() {
    for mounted in "${mounts[@]}"; do umount -l "$mounted"; done
    rm -rf --one-file-system "$root"
}
trap finish EXIT
tar -C "$root" -xf "$cache/root.tar"
chmod 755 "$root"
for part in proc sys dev; do
    mount --bind "/$part" "$root/$part"
    mounts=("$root/$part" "${mounts[@]}")
done
cp /etc/resolv.conf /etc/hosts "$root/etc/"
cp -r /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/"
rm -f "$root"/etc/apt/apt.conf.d/{docker-clean,docker-gzip-indexes,20packagekit,50appstream}
mkdir -p "$root/etc/ssl/certs"
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/" 2>/dev/null || true
echo "deb $mirror bookworm main" >"$root/etc/apt/sources.list"
mkdir "$root/new" "$root/old"
cp "$new"/*.deb "$root/new/"
[ -z "$old" ] || cp "$old"/*.deb "$root/old/"

within() {  # a command as root in the new Debian
    chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive bash -c "$1"
}
as_user() {  # a command as a user who has just been made
    within "runuser -u ann -- env HOME=/home/ann LANG=C.UTF-8 bash -c $(printf '%q' "cd ~; $1")"
}
fail() {
    echo "debian_root.sh: $1" >&2
    exit 1
}

within 'apt-get update -q >/dev/null && useradd -m ann'
# What apt has to fetch is no work of ours: it is measured by itself.
first=$([ -n "$old" ] && echo old || echo new)
begin=$SECONDS
within "apt-get install -y -q --download-only --no-install-recommends /$first/tandem*.deb >/tmp/fetch.log 2>&1" || fail "apt can't fetch what the packages need: $(tail -3 "$root/tmp/fetch.log")"
echo "fetched what the packages need: $((SECONDS - begin)) s"
begin=$SECONDS
within "apt-get install -y -q --no-install-recommends /$first/tandem*.deb >/tmp/install.log 2>&1" || fail "apt can't install them: $(tail -3 "$root/tmp/install.log")"
echo "installed: $((SECONDS - begin)) s"
as_user 'tandem-cli train mnist_mlp --out run1 --set fit.epochs=1 --set fit.log_every=10 --json >train.log 2>train.err & task=$!
         until grep -qs "\"event\":\"step\"" train.log; do kill -0 $task 2>/dev/null || break; sleep 0.05; done; grep -q "\"event\":\"step\"" train.log' ||
    fail "the first run did not begin: $(tail -3 "$root/home/ann/train.err")"
echo "from apt install to the first step: $((SECONDS - begin)) s"
as_user 'for i in $(seq 600); do [ "$(tandem-cli runs --json | grep -c "\"Done\"")" = 1 ] && exit 0; sleep 0.1; done; exit 1' || fail "the first run did not end well"

within 'apt-get install -y -q --no-install-recommends xvfb xauth x11-utils >/tmp/x.log 2>&1' || fail "no display: $(tail -3 "$root/tmp/x.log")"
open_window() {  # on a display of its own, where it names itself
    as_user 'xvfb-run -a bash -c '\''tandem & for i in $(seq 300); do xwininfo -root -tree 2>/dev/null | grep -q "[Tt]andem" && found=1 && break; sleep 0.1; done; kill %1; [ "${found:-}" = 1 ]'\'' >window.log 2>&1' ||
        fail "the window did not open: $(tail -3 "$root/home/ann/window.log")"
}
as_user 'mkdir -p .config/tandem && printf "[General]\ntheme=2\n" >.config/tandem/tandem.conf'  # the studio's own file: a dark window
open_window
echo "the window opened"

if [ -n "$old" ]; then
    as_user 'tandem-cli runs --json >before'
    within 'apt-get install -y -q --no-install-recommends /new/tandem*.deb >/tmp/upgrade.log 2>&1' || fail "apt can't upgrade: $(tail -3 "$root/tmp/upgrade.log")"
    as_user 'for i in $(seq 100); do tandem-cli runs --json >after && cmp -s before after && exit 0; sleep 0.1; done; exit 1' || fail "the runs are not those from before the upgrade"
    as_user 'tandem-cli export data run1 --out points >/dev/null && [ "$(cat points/*.csv | wc -l)" -gt 2 ] && grep -qx theme=2 .config/tandem/tandem.conf' || fail "the run's points or the user's settings are lost"
    open_window
    echo "upgraded: $(within "dpkg-query -W -f '\${Version}' tandem-agent"), runs and settings kept"
fi

as_user 'pkill -u ann tandem || true' 2>/dev/null || true
within 'dpkg -L tandem tandem-agent >/tmp/files; apt-get purge -y -q "tandem*" >/tmp/purge.log 2>&1' || fail "apt can't take them away: $(tail -3 "$root/tmp/purge.log")"
left=$(within 'grep -i tandem /tmp/files | while read -r file; do [ ! -e "$file" ] || echo "$file"; done; find /usr /etc /var/lib /lib -xdev -iname "*tandem*" 2>/dev/null')
[ -z "$left" ] || fail "left behind: $left"
[ -e "$root/home/ann/run1" ] || fail "the user's run is gone"
echo "purged: nothing is left behind but what is the user's"
