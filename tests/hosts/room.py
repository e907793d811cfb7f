"""The room that hosts.py makes: the switch, and the first process of each host. It reads one request a line and answers each with a line; it is
process 1 of its namespace, so that nothing outlives it."""
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import threading
import time
import uuid

SHAPER = pathlib.Path(__file__).resolve().parent / "link_shaper.py"
PACKETS_OF_ALL_KINDS = 3
SSH_LISTENS = ":0016 "  # the local port, in /proc/net/tcp
LISTENING = "0A"
SSH_WITHIN_S = 180
SHELL = r"""
set -e
mount --make-rprivate /
mount -t proc proc /proc
hostname "$NODE"
mount -t tmpfs -o mode=755 tmpfs /mnt
i=0
for folder in "$@"; do i=$((i+1)); mkdir /mnt/$i; mount --rbind "$folder" /mnt/$i; done
mkdir /mnt/room; mount --rbind "$ROOM" /mnt/room
mount -t tmpfs -o mode=1777 tmpfs /tmp
mount -t tmpfs -o mode=755 tmpfs /run
mount -t tmpfs -o mode=1777 tmpfs /dev/shm
mkdir -p "$ROOM" /run/home /run/user
chmod 700 /run/user
mount --rbind /mnt/room "$ROOM"
mount --bind "$ROOM/$NODE/home" /run/home
i=0
for folder in "$@"; do i=$((i+1)); mkdir -p "$folder"; mount --rbind /mnt/$i "$folder"; done
for file in hosts hostname machine-id passwd shadow; do [ -e /etc/$file ] && [ -e "$ROOM/$NODE/$file" ] && mount --bind "$ROOM/$NODE/$file" /etc/$file; done
mount --bind "$ROOM/$NODE/boot_id" /proc/sys/kernel/random/boot_id
ip link set lo up
echo ready
read -r cable
ssh="$ROOM/$NODE/ssh"
if [ -e "$ssh/sshd_config" ]; then
    mkdir -m 755 /run/sshd
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin /usr/sbin/sshd -f "$ssh/sshd_config" -E "$ssh/log"
fi
exec "$PYTHON" -c "import signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
while True: time.sleep(1000)"
"""


def ip(*words):
    done = subprocess.run(["ip", *words], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        raise OSError(f"ip {' '.join(words)}: {done.stderr.strip()}")


class Host:
    def __init__(self, room, index):
        self.room, self.index, self.name, self.first = room, index, f"node{index}", None
        self.shape = self.relay = None
        folder = pathlib.Path(room.folder) / self.name
        (folder / "hostname").write_text(self.name + "\n")
        (folder / "machine-id").write_text(uuid.uuid4().hex + "\n")
        lines = ["127.0.0.1 localhost", "::1 localhost ip6-localhost"]
        for other in range(1, len(room.names) + 1):
            own_loopback = room.debian_names and other == index
            lines += [f"{'127.0.1.1' if own_loopback else f'10.77.0.{other}'} node{other}", f"fd77::{other} node{other}-6"]
        self.log = open(folder / "boot.log", "a", encoding="utf-8")  # what its first process complains of
        (folder / "hosts").write_text("\n".join(lines) + "\n")
        self.boot()

    def boot(self):
        (pathlib.Path(self.room.folder) / self.name / "boot_id").write_text(str(uuid.uuid4()) + "\n")
        environment = dict(os.environ, NODE=self.name, ROOM=self.room.folder)
        # Two pipes: the host says that it is set up, and waits for its cable. Its first process then does nothing but reap.
        self.process = subprocess.Popen(["unshare", "--net", "--mount", "--pid", "--uts", "--ipc", "--fork", "--kill-child=KILL", "sh", "-c", SHELL, "sh", *self.room.share],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, env=dict(environment, PYTHON=sys.executable), text=True)
        if self.process.stdout.readline() != "ready\n":
            raise OSError(f"{self.name} does not boot: " + (pathlib.Path(self.room.folder) / self.name / "boot.log").read_text()[-300:])
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        self.first = int(children[0])
        # One hardware address for good: what the others remember of it stays true when it is booted again.
        hardware = f"02:00:0a:4d:00:{self.index:02x}"
        mtu = ["mtu", str(self.room.frame_bytes)]
        ip("link", "add", f"v{self.index}", *mtu, "type", "veth", "peer", "name", "eth0", "address", hardware, *mtu, "netns", str(self.first))
        ip("link", "set", f"v{self.index}", "master", "switch", "up")
        for words in (["addr", "add", f"10.77.0.{self.index}/24", "dev", "eth0"], ["addr", "add", f"fd77::{self.index}/64", "dev", "eth0", "nodad"], ["link", "set", "eth0", "up"]):
            subprocess.run(["nsenter", "--net", "--target", str(self.first), "ip", *words], check=True, stdin=subprocess.DEVNULL, capture_output=True)
        if self.shape:
            self.slow(self.shape)
        self.process.stdin.write("cable\n")
        self.process.stdin.flush()
        if (pathlib.Path(self.room.folder) / self.name / "ssh").exists():
            self.await_ssh()

    def await_ssh(self):
        end = time.monotonic() + SSH_WITHIN_S
        while not any(SSH_LISTENS in line and line.split()[3] == LISTENING for line in pathlib.Path(f"/proc/{self.first}/net/tcp").read_text().splitlines()):
            if time.monotonic() > end:
                folder = pathlib.Path(self.room.folder) / self.name
                raise OSError(f"{self.name}: no ssh server: " + (folder / "boot.log").read_text()[-300:] + (folder / "ssh" / "log").read_text()[-300:])
            time.sleep(0.01)

    def slow(self, shape):
        """The cable ends at the switch, or, with a shape, at a program whose other end does."""
        cable, inner, outer = (f"{kind}{self.index}" for kind in "vio")
        if self.relay:
            self.unplug_relay(inner)
            ip("link", "set", cable, "master", "switch")
        self.whole_frames("eth0", shape is not None, ["nsenter", "--net", "--target", str(self.first)])
        self.shape = shape
        if shape:
            mtu = ["mtu", str(self.room.frame_bytes)]
            ip("link", "add", inner, *mtu, "type", "veth", "peer", "name", outer, *mtu)
            self.whole_frames(outer, True)
            ip("link", "set", inner, "addrgenmode", "none", "up")
            ip("link", "set", outer, "master", "switch", "addrgenmode", "none", "up")
            ip("link", "set", cable, "nomaster", "addrgenmode", "none")
            self.relay = subprocess.Popen([sys.executable, SHAPER, cable, inner, *map(str, shape)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.log, text=True)
            if self.relay.stdout.readline() != "ready\n":
                raise OSError(f"{self.name}: its link can't be slowed: " + (pathlib.Path(self.room.folder) / self.name / "boot.log").read_text()[-300:])

    def unplug_relay(self, inner):
        self.relay.kill()
        self.relay.wait()
        self.relay.stdout.close()
        self.relay = None
        ip("link", "del", inner)

    @staticmethod
    def whole_frames(device, whole, prefix=()):
        subprocess.run([*prefix, sys.executable, SHAPER, device, "whole" if whole else "large"], check=True, stdin=subprocess.DEVNULL, capture_output=True)

    def off(self):
        # The cable goes first: nobody hears the last words of its sockets.
        if self.relay:
            self.unplug_relay(f"i{self.index}")
        ip("link", "del", f"v{self.index}")
        os.kill(self.first, signal.SIGKILL)
        self.process.wait()
        self.first = None


class Room:
    def __init__(self, settings):
        self.names, self.share, self.folder, self.debian_names = settings["nodes"], settings["share"], settings["folder"], settings["debian_names"]
        self.frame_bytes = settings["frame_bytes"]
        self.recording = None
        ip("link", "set", "lo", "up")
        ip("link", "add", "switch", "type", "bridge", "mcast_snooping", "0")
        ip("link", "set", "switch", "up")
        self.hosts = {f"node{index}": Host(self, index) for index in range(1, len(self.names) + 1)}

    def do(self, request):
        if "link" in request:
            ip("link", "set", f"v{self.hosts[request['link']].index}", request["state"])
        elif "slow" in request:
            self.hosts[request["slow"]].slow(request["shape"])
        elif "power" in request:
            host = self.hosts[request["power"]]
            host.off() if request["state"] == "off" else host.boot()
        elif "capture" in request:
            self.record(request)

    def record(self, request):
        if self.recording:
            wire, thread = self.recording
            self.recording = None
            thread.join()
            wire.close()
        if request["capture"] is None:
            return
        wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(PACKETS_OF_ALL_KINDS))
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 26)
        wire.bind((f"v{self.hosts[request['capture']].index}", 0))
        wire.settimeout(0.2)
        thread = threading.Thread(target=self.keep, args=(wire, request["file"]), daemon=True)
        self.recording = (wire, thread)
        thread.start()

    def keep(self, wire, file):
        with open(file, "wb", buffering=0) as out:
            while True:
                try:
                    out.write(wire.recv(1 << 17))
                except TimeoutError:
                    if self.recording is None or self.recording[0] is not wire:
                        return


def main():
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the test
    room = None
    for line in sys.stdin:
        try:
            if room is None:
                room = Room(json.loads(line))
            else:
                room.do(json.loads(line))
            answer = {"first": {name: host.first for name, host in room.hosts.items()}}
        except (OSError, subprocess.SubprocessError, KeyError) as error:
            answer = {"error": str(error)}
        print(json.dumps(answer), flush=True)


main()
