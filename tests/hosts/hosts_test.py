"""The hosts that other tests stand on: apart from each other, joined by cables, and gone with their test."""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from hosts import FOLDER, Hosts, wait_for

SERVER = 'import socket\ns = socket.create_server(("{at}", 99), family=socket.AF_INET6 if ":" in "{at}" else socket.AF_INET)\nprint("listening", flush=True)\nc = s.accept()[0]\nprint(c.recv(100), flush=True)'
CALLER = 'import socket\nsocket.create_connection(("{at}", 99), timeout={within}).sendall(b"in plain words")'

# Answers each datagram with the time at which it came: all hosts have one clock. Hundreds wait there while it gets no processor.
ECHO = """
import socket, struct, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
s.bind(("0.0.0.0", 98))
print("listening", flush=True)
while True:
    number, caller = s.recvfrom(100)
    s.sendto(number + struct.pack("d", time.monotonic()), caller)
"""
# Prints of each ping its number and its times there and back. Those that are lost are missing; the last of all comes back.
PING = """
import select, socket, struct, sys, time
count, s, sent, back = int(sys.argv[2]), socket.socket(socket.AF_INET, socket.SOCK_DGRAM), {}, {}
def take(seconds):
    while select.select([s], [], [], seconds)[0]:
        number, there = struct.unpack("=Id", s.recv(100))
        back.setdefault(number, (there - sent[number], time.monotonic() - there))
        seconds = 0
def send(number):
    sent[number] = time.monotonic()
    s.sendto(struct.pack("=I", number), (sys.argv[1], 98))
for number in range(count):
    send(number)
    take(0.002)
last, end = count, time.monotonic() + 60
while not any(number >= count for number in back) and time.monotonic() < end:
    send(last)
    last += 1
    take(0.5)
for number in sorted(number for number in back if number < count):
    print(number, *back[number])
"""
SINK = """
import hashlib, socket
s = socket.create_server(("0.0.0.0", 97))
print("listening", flush=True)
while True:
    c, digest = s.accept()[0], hashlib.sha256()
    while piece := c.recv(1 << 20):
        digest.update(piece)
    c.sendall(digest.digest())
    c.close()
"""
# Sends so many bytes and prints the seconds until the other end has all of them.
SOURCE = """
import hashlib, os, socket, sys, time
block, digest = os.urandom(1 << 16), hashlib.sha256()
with socket.create_connection((sys.argv[1], 97), timeout=300) as c:
    began = time.monotonic()
    for _ in range(int(sys.argv[2]) >> 16):
        c.sendall(block)
        digest.update(block)
    c.shutdown(socket.SHUT_WR)
    assert c.recv(32, socket.MSG_WAITALL) == digest.digest(), "damaged on its way"
    print(time.monotonic() - began)
"""


class HostsItself(unittest.TestCase):
    def setUp(self):
        if why := Hosts.missing():
            self.skipTest(why)

    def shell(self, hosts, node, line):
        done = hosts.run(node, ["sh", "-c", line], timeout=120)
        self.assertEqual(done.returncode, 0, f"{node}: {line}\n{done.stdout}{done.stderr}")
        return done.stdout.strip()

    def serve(self, hosts, node, at="0.0.0.0"):
        server = hosts.start(node, [sys.executable, "-c", SERVER.format(at=at)], stdout=subprocess.PIPE, text=True)
        self.addCleanup(server.stdout.close)
        self.assertEqual(server.stdout.readline(), "listening\n")
        return server

    def call(self, hosts, node, at, within=60):
        return hosts.run(node, [sys.executable, "-c", CALLER.format(at=at, within=within)], timeout=120)

    def test_hosts_have_nothing_in_common_but_what_is_shared(self):
        shared = pathlib.Path(tempfile.mkdtemp(prefix="tandem-shared-"))
        self.addCleanup(shutil.rmtree, shared)
        with Hosts(2, share=[shared]) as hosts:
            for line in ("hostname", "cat /proc/sys/kernel/random/boot_id", "cat /etc/machine-id", "readlink /proc/self/ns/net", "readlink /proc/self/ns/ipc"):
                self.assertNotEqual(self.shell(hosts, "node1", line), self.shell(hosts, "node2", line), line)
            self.shell(hosts, "node1", f"touch /tmp/mine /run/mine /dev/shm/mine $HOME/mine {shared}/ours")
            self.assertEqual(self.shell(hosts, "node2", f"ls -d /tmp/mine /run/mine /dev/shm/mine $HOME/mine {shared}/ours 2>/dev/null || true"), f"{shared}/ours")
            self.assertTrue((hosts.home("node1") / "mine").exists())
            self.assertEqual(self.shell(hosts, "node1", "getent hosts node2 node2-6 | awk '{print $1}'"), "10.77.0.2\nfd77::2")
            self.assertEqual(hosts.run("node1", ["sh", "-c", "exit 7"], timeout=120).returncode, 7)
        with Hosts(2, debian_names=True) as hosts:
            self.assertEqual(self.shell(hosts, "node1", "getent hosts node1 node2 | awk '{print $1}'"), "127.0.1.1\n10.77.0.2")

    def test_cables_and_what_goes_over_them(self):
        with Hosts(3) as hosts:
            for address in (hosts.address("node2"), "node2", "node2-6"):
                server = self.serve(hosts, "node2", "::" if address == "node2-6" else "0.0.0.0")
                with hosts.capture("node2") as capture:
                    self.assertEqual(self.call(hosts, "node1", address).returncode, 0)
                    self.assertIn("in plain words", server.stdout.readline())
                self.assertIn(b"in plain words", capture.bytes())
                server.wait(120)
            server = self.serve(hosts, "node3")
            hosts.link("node3", "down")
            self.assertRegex(self.call(hosts, "node1", "node3", within=1).stderr, "timed out|No route to host")
            hosts.link("node3", "up")
            self.assertEqual(self.call(hosts, "node1", "node3").returncode, 0)
            server.wait(120)

    def start_server(self, hosts, node, code):
        server = hosts.start(node, [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        self.addCleanup(server.wait, 120)
        self.addCleanup(server.stdout.close)
        self.assertEqual(server.stdout.readline(), "listening\n")

    def pings(self, hosts, node, to, count):
        """Seconds there and back of each ping that was answered."""
        done = hosts.run(node, [sys.executable, "-c", PING, to, str(count)], timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [tuple(map(float, line.split()[1:])) for line in done.stdout.splitlines()]

    def seconds_for(self, hosts, node, to, size):
        done = hosts.run(node, [sys.executable, "-c", SOURCE, to, str(size)], timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        return float(done.stdout)

    def test_a_slow_cable_delays_both_ways_until_it_is_fast_again(self):
        with Hosts(3) as hosts:
            self.start_server(hosts, "node2", ECHO)
            self.start_server(hosts, "node3", ECHO)
            hosts.slow("node2", delay_s=0.05)
            there, back = zip(*self.pings(hosts, "node1", "node2", 50))
            print(f"50 ms: {min(there) * 1000:.1f} ms there, {min(back) * 1000:.1f} ms back", flush=True)
            for times in (there, back):
                self.assertEqual(len(times), 50)
                self.assertGreaterEqual(min(times), 0.05)
                self.assertLess(min(times), 0.5)
            self.assertLess(min(map(sum, self.pings(hosts, "node1", "node3", 50))), 0.1, "the others' cables are as they were")
            hosts.link("node2", "down")
            self.assertIn("NO-CARRIER", self.shell(hosts, "node2", "ip link show eth0"))
            hosts.link("node2", "up")
            self.assertTrue(all(min(both) >= 0.05 for both in self.pings(hosts, "node1", "node2", 5)), "it is as slow as before")
            hosts.power("node2", "off")
            hosts.power("node2", "on")
            self.start_server(hosts, "node2", ECHO)
            self.assertTrue(all(min(both) >= 0.05 for both in self.pings(hosts, "node1", "node2", 5)), "it is the cable, not the host")
            hosts.slow("node2", delay_s=0.2)
            self.assertGreaterEqual(min(map(min, self.pings(hosts, "node1", "node2", 5))), 0.2)
            hosts.slow("node2")
            self.assertLess(min(map(min, self.pings(hosts, "node1", "node2", 50))), 0.05)

    def test_a_lossy_cable_loses_its_part(self):
        with Hosts(2) as hosts:
            self.start_server(hosts, "node2", ECHO)
            self.assertEqual(len(self.pings(hosts, "node1", "node2", 400)), 400)
            hosts.slow("node2", loss=0.2)
            answered = len(self.pings(hosts, "node1", "node2", 400))
            print(f"a fifth lost each way: {answered} of 400 came back", flush=True)
            self.assertTrue(150 < answered < 350, f"expected about 0.8 * 0.8 * 400, got {answered}")

    def test_a_narrow_cable_takes_its_time_and_damages_nothing(self):
        with Hosts(2) as hosts:
            self.start_server(hosts, "node2", SINK)
            size = 100 << 20
            seconds = self.seconds_for(hosts, "node1", "node2", size)
            print(f"as it is: {size / seconds / 1e6:.0f} MB/s", flush=True)
            hosts.slow("node2", delay_s=0.0001)
            seconds = self.seconds_for(hosts, "node1", "node2", size >> 2)
            print(f"through the program: {(size >> 2) / seconds / 1e6:.0f} MB/s", flush=True)
            for source, to in (("node1", "node2"), ("node2", "node1")):
                if source == "node2":
                    self.start_server(hosts, to, SINK)
                hosts.slow("node2", rate_bytes_s=1e6)
                self.assertGreaterEqual(self.seconds_for(hosts, source, to, 2 << 20), 2.0)
            hosts.slow("node2", delay_s=0.002, loss=0.02)
            self.seconds_for(hosts, "node1", "node2", 1 << 20)
            hosts.slow("node2")
            seconds = self.seconds_for(hosts, "node1", "node2", size)
            print(f"as it was: {size / seconds / 1e6:.0f} MB/s", flush=True)

    def test_large_frames_cross_a_slow_cable(self):
        with Hosts(2, frame_bytes=60000) as hosts:
            self.start_server(hosts, "node2", SINK)
            hosts.slow("node2", delay_s=0.001)
            self.assertIn("mtu 60000", self.shell(hosts, "node1", "ip link show eth0"))
            self.seconds_for(hosts, "node1", "node2", 8 << 20)

    def ssh(self, hosts, node, to, line="hostname", ssh=("-o", "BatchMode=yes")):
        return hosts.run(node, ["ssh", *ssh, "-o", "ConnectTimeout=30", to, line], timeout=300)

    def test_node1_logs_in_to_the_others_until_its_keys_say_otherwise(self):
        if why := Hosts.missing(ssh=True):
            self.skipTest(why)
        with Hosts(3, ssh=True) as hosts:
            for to in ("node2", "node2-6", hosts.address("node2"), "root@node2"):
                done = self.ssh(hosts, "node1", to, "hostname; echo $NODE $HOME $XDG_RUNTIME_DIR")
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "node2\nnode2 /run/home /run/user\n", ""), hosts.ssh.log("node2"))
            refused = self.ssh(hosts, "node2", "node1", ssh=("-o", "BatchMode=yes", "-o", "StrictHostKeyChecking=no"))
            self.assertIn("Permission denied", refused.stderr, "the key is node1's")
            hosts.ssh.know(unknown=["node2"], wrong=["node3"])
            self.assertIn("Host key verification failed", self.ssh(hosts, "node1", "node2").stderr)
            self.assertIn("REMOTE HOST IDENTIFICATION HAS CHANGED", self.ssh(hosts, "node1", "node3").stderr)
            hosts.ssh.know()
            hosts.ssh.give_key("a passphrase")
            self.assertIn("Permission denied", self.ssh(hosts, "node1", "node2").stderr)
            hosts.ssh.take_key()
            self.assertIn("Permission denied", self.ssh(hosts, "node1", "node2").stderr)
            hosts.ssh.give_key()
            hosts.power("node2", "off")
            hosts.power("node2", "on")
            self.assertEqual(self.ssh(hosts, "node1", "node2").stdout, "node2\n")
            hosts.slow("node2", delay_s=0.02, rate_bytes_s=1e6, loss=0.05)
            self.assertEqual(self.ssh(hosts, "node1", "node2").stdout, "node2\n")
            servers = [pid for node in hosts.nodes for pid in hosts.processes(node, "sshd")]
            self.assertGreaterEqual(len(servers), 3)
        wait_for(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in servers), "the servers' end")

    def test_signals_reach_programs_and_a_host_that_ends_takes_them_with_it(self):
        with Hosts(2) as hosts:
            sleeper = hosts.start("node2", ["sleep", "1000"])
            wait_for(lambda: hosts.processes("node2", "sleep"), "the program")
            self.assertEqual(hosts.processes("node1", "sleep"), [])
            sleeper.terminate()
            self.assertEqual(sleeper.wait(120), -signal.SIGTERM)
            for kill in (lambda: sleeper.kill(), lambda: hosts.power("node2", "off")):
                sleeper = hosts.start("node2", ["sleep", "1000"])
                wait_for(lambda: hosts.processes("node2", "sleep"), "the program")
                ids = hosts.processes("node2", "sleep")
                kill()
                self.assertEqual(sleeper.wait(120), -signal.SIGKILL)
                wait_for(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in ids), "its end")
            self.shell(hosts, "node1", "true")
            with self.assertRaises(OSError):
                hosts.run("node2", ["true"], timeout=120)
            (hosts.home("node2") / "kept").touch()
            hosts.power("node2", "on")
            self.shell(hosts, "node2", "test -e $HOME/kept")
            server = self.serve(hosts, "node2")
            self.assertEqual(self.call(hosts, "node1", "node2").returncode, 0)
            server.wait(120)

    def test_two_rooms_do_not_disturb_each_other(self):
        with Hosts(2) as first, Hosts(2) as second:
            server = self.serve(first, "node2")
            self.assertIn("refused", self.call(second, "node1", "node2").stderr)
            self.assertEqual(self.call(first, "node1", "node2").returncode, 0)
            server.wait(120)

    def test_nothing_is_left_when_the_test_is_killed(self):
        code = f"import sys\nsys.path.insert(0, {str(FOLDER)!r})\nfrom hosts import Hosts\nimport time\nwith Hosts(2) as hosts:\n" \
               "    hosts.start('node1', ['sleep', '4711'])\n    print(hosts.room.pid, hosts.folder, flush=True)\n    time.sleep(1000)\n"
        owner = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        self.addCleanup(owner.stdout.close)
        room, folder = owner.stdout.readline().split()
        self.addCleanup(shutil.rmtree, folder, True)

        def mine():
            return [entry for entry in pathlib.Path("/proc").iterdir() if entry.name.isdigit() and self.command_of(entry) == b"sleep\x004711\x00"]

        wait_for(mine, "a program in a host")
        owner.kill()
        owner.wait()
        wait_for(lambda: not mine() and not os.path.exists(f"/proc/{room}"), "the end of all of it")

    @staticmethod
    def command_of(entry):
        try:
            return (entry / "cmdline").read_bytes()
        except OSError:
            return b""


if __name__ == "__main__":
    unittest.main()
