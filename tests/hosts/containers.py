"""Containers as files for Compose and for Kubernetes describe them, as processes on the hosts of hosts.py: user, mounts, environment, command
and start again after a failure are the file's. A container has a host to itself, whose names others learn by name_host(), and is process 1 of a
namespace of its own, to which stop() sends what a runtime sends.

TANDEM_IMAGE names a folder with the files of an image that installer/image.sh built: its programs run then, on its files alone. Without it the
root is the machine's, and `path` says where the programs are.

    podman create --name made tandem:latest && mkdir ROOT && podman export made | tar -xC ROOT && TANDEM_IMAGE=ROOT python3 containers_test.py

    container = Container(hosts, "node1", folder / "worker-0", argv, env, mounts=[Mount(source, "/mnt/run")], path=[BIN])
"""
import dataclasses
import os
import pathlib
import shutil
import signal

from hosts import PATH, children_of

USER = 1000
IMAGE = os.environ.get("TANDEM_IMAGE", "")
PATH_IN_IMAGE = "/opt/tandem/bin"
# A file system of its own: / is read-only, and so is what is mounted where the file says so. /mnt is the host's own tmpfs.
SHELL = r"""
set -e
user=$1 image=$2 root=; shift 2
if [ -n "$image" ]; then
    root=/mnt/image
    mkdir -p "$root" /mnt/layer
    mount -t tmpfs tmpfs /mnt/layer
    mkdir /mnt/layer/upper /mnt/layer/work
    mount -t overlay -o "lowerdir=$image,upperdir=/mnt/layer/upper,workdir=/mnt/layer/work" overlay "$root"
    mount --rbind /dev "$root/dev"
    : >>"$root/etc/hosts"
    mount --bind /etc/hosts "$root/etc/hosts"
fi
while [ "$1" != -- ]; do
    source=$1 target=$root$2 mode=$3; shift 3
    if [ -d "$source" ]; then mkdir -p "$target"; else mkdir -p "$(dirname "$target")"; [ -e "$target" ] || : >"$target"; fi
    mount --bind "$source" "$target"
    [ "$mode" = rw ] || mount -o remount,bind,ro "$target"
done
shift
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
cat /proc/sys/kernel/random/boot_id >/mnt/boot_id  # the host's own
mount -t proc proc "$root/proc"
mount --bind /mnt/boot_id "$root/proc/sys/kernel/random/boot_id"
mount -o remount,bind,ro "$root/"
exec ${root:+chroot "$root"} setpriv --reuid "$user" --regid "$user" --clear-groups --no-new-privs --pdeathsig KILL "$@"
"""


@dataclasses.dataclass
class Mount:
    source: pathlib.Path
    target: str
    is_read_only: bool = False


def name_host(hosts, name, node):
    """From now on all hosts know `node` by that name too."""
    for other in hosts.nodes:
        with open(hosts.folder / other / "hosts", "a", encoding="utf-8") as file:
            file.write(f"{hosts.address(node)} {name}\n")


def owned(path):
    """The same path, its owner the containers' user."""
    for entry in [path, *(path.rglob("*") if path.is_dir() else [])]:
        os.chown(entry, USER, USER)
    return path


def as_secret(folder, key):
    """A Secret with one file as Kubernetes mounts it for a group: a link into a folder that root owns."""
    (folder / "..data").mkdir(parents=True)
    shutil.copy(key, folder / "..data" / key.name)
    os.chown(folder / "..data" / key.name, 0, USER)
    (folder / "..data" / key.name).chmod(0o440)
    (folder / key.name).symlink_to(f"..data/{key.name}")
    return folder


class Container:
    def __init__(self, hosts, node, log, argv, env, mounts, path=()):
        self.hosts, self.node, self.log, self.starts, self.process = hosts, node, log, 0, None
        words = [word for mount in mounts for word in (mount.source, mount.target, "ro" if mount.is_read_only else "rw")]
        self.argv = ["unshare", "--mount", "--pid", "--fork", "--kill-child=KILL", "sh", "-c", SHELL, "sh", USER, IMAGE, *words, "--", *argv]
        self.env = {"PATH": os.pathsep.join([*([PATH_IN_IMAGE] if IMAGE else map(str, path)), PATH]), **env}

    def start(self):
        self.starts += 1
        with open(self.log, "a", encoding="utf-8") as out:
            self.process = self.hosts.start(self.node, self.argv, env=self.env, stdout=out)

    def text(self):
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def code(self):
        """None while it runs."""
        return self.process.poll()

    def first(self):
        """The container's process 1, as this process sees it."""
        [unshare] = children_of(self.process.pid)
        [first] = children_of(unshare)
        return first

    def status(self):
        """What the kernel says of it: "Uid", "CapEff" and so on."""
        lines = pathlib.Path(f"/proc/{self.first()}/status").read_text().splitlines()
        return {name: value.split() for name, value in (line.split(":", 1) for line in lines)}

    def is_read_only(self, path):
        """The mount over exactly that path of its own."""
        lines = [line.split() for line in pathlib.Path(f"/proc/{self.first()}/mountinfo").read_text().splitlines()]
        return next("ro" in line[5].split(",") for line in reversed(lines) if line[4] == path)

    def stop(self):
        """As a runtime does that ends it: process 1 gets the signal, and the kernel drops it unless that process handles it."""
        os.kill(self.first(), signal.SIGTERM)

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
