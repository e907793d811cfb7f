"""`tandem-cli host` on node1 and real ssh servers on the others: who can be used, and for everybody else one sentence that says why."""
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import unittest

from hosts import Hosts, wait_for, without_codes

BIN = pathlib.Path(os.environ.get("TANDEM_BIN", "build/dev/bin")).resolve()
DEFAULT_FOLDER = ".local/share/tandem/bundle/current"
MADE_UP_SYSTEMD = pathlib.Path(__file__).resolve().parents[1] / "support" / "made_up_systemd.py"
WITHIN_S = 300
DEADLINE_S = 20  # of one look at a host; the verb adds some seconds at most
SERVER = "expected an ssh server that answers, "
RIGHT_KEY = "expected the host key that known_hosts has, the host key has changed"
ANY_KEY = "expected a host key that is known here, known_hosts has none of it"
LET_IN = r"expected to be let in, permission was denied: use a key of ssh-agent, or a terminal or SSH_ASKPASS for a password \(root@node2: Permission denied \(publickey\)\.\)"

# A server of another kind at port 2222.
SILENT = """
import socket, time
s = socket.create_server(("0.0.0.0", 2222), backlog=8)
print("listening", flush=True)
callers = []
while True:
    callers.append(s.accept()[0])
"""
CLOSING = """
import socket
s = socket.create_server(("0.0.0.0", 2222), backlog=8)
print("listening", flush=True)
while True:
    s.accept()[0].close()
"""

# A person at a terminal who knows two answers. Prints what the terminal showed, and ends as the program does.
PERSON = """
import os, pty, select, sys, time
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
shown, end = b"", time.monotonic() + 200
while time.monotonic() < end and select.select([terminal], [], [], 200)[0]:
    try:
        shown += os.read(terminal, 4096)
    except OSError:
        break
    for question, answer in ((b"(yes/no/[fingerprint])? ", b"yes"), (b"id_ed25519': ", b"open sesame")):
        if shown.endswith(question):
            os.write(terminal, answer + b"\\n")
sys.stdout.write(shown.decode(errors="replace"))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
"""


class HostCheck(unittest.TestCase):
    """Each test has three hosts of its own; Tandem lies on node2 and node3 where a bundle would be unpacked."""

    def setUp(self):
        if why := Hosts.missing(ssh=True):
            self.skipTest(why)
        self.stack = contextlib.ExitStack()
        self.addCleanup(self.stack.close)
        self.hosts = self.stack.enter_context(Hosts(3, ssh=True))
        for node in ("node2", "node3"):
            self.install(node)

    # ---- on a host -----------------------------------------------------------------------------------------------------

    def folder(self, node):
        return self.hosts.home(node) / DEFAULT_FOLDER

    def install(self, node):
        (self.folder(node) / "bin").mkdir(parents=True)
        for program in ("tandem-agent", "tandem-worker"):
            (self.folder(node) / "bin" / program).symlink_to(BIN / program)

    def install_instead(self, node, script):
        """A tandem-agent that is a shell script; $real is the one of this build."""
        program = self.folder(node) / "bin" / "tandem-agent"
        program.unlink()
        program.write_text(f"#!/bin/sh\nreal={BIN}/tandem-agent\n{script}\n")
        program.chmod(0o755)

    def shell(self, node, line):
        done = self.hosts.run(node, ["sh", "-c", line], timeout=WITHIN_S)
        self.assertEqual(done.returncode, 0, f"{node}: {line}\n{done.stdout}{done.stderr}")
        return done.stdout.strip()

    def restart(self, node):
        self.hosts.power(node, "off")
        self.hosts.power(node, "on")

    def agents(self, node):
        return self.hosts.processes(node, "tandem-agent")

    def serve(self, node, code):
        server = self.hosts.start(node, [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        self.addCleanup(server.wait, WITHIN_S)
        self.addCleanup(server.kill)
        self.addCleanup(server.stdout.close)
        self.assertEqual(server.stdout.readline(), "listening\n")

    # ---- tandem-cli on node1 ---------------------------------------------------------------------------------------------

    def cli(self, *words, env=None):
        return self.hosts.run("node1", [BIN / "tandem-cli", "host", *words], timeout=WITHIN_S, env=env)

    def done(self, *words, env=None):
        done = self.cli(*words, env=env)
        self.assertEqual(done.returncode, 0, f"{words}: {done.stdout}{done.stderr}")
        return done.stdout

    def add(self, name, *options):
        self.done("add", name, "--no-check", *options)

    def problem(self, name):
        """Why it can't be used: one line."""
        done = self.cli("check", name)
        self.assertEqual((done.returncode, done.stderr), (1, ""), done.stdout)
        self.assertEqual(done.stdout.count("\n"), 1, done.stdout)
        self.assertRegex(done.stdout, f"^{name}  error  ")
        return without_codes(done.stdout.split("  error  ", 1)[1]).rstrip("\n")

    def facts(self, name):
        done = self.cli("check", name, "--json")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return json.loads(done.stdout)

    def expect_nothing_left(self):
        """But an agent, which ends by itself: no ssh on node1, no session on the others, no socket of theirs on node1."""
        wait_for(lambda: not self.hosts.processes("node1", "ssh"), "the end of ssh on node1")
        for node in ("node2", "node3"):
            wait_for(lambda: len(self.hosts.processes(node, "sshd")) <= 1, f"the end of the sessions on {node}")
        self.assertEqual(self.shell("node1", "ls /run/user/tandem 2>/dev/null || true"), "")
        self.assertEqual(self.agents("node1"), [], "node1 itself needs none")

    # ---- the tests: first what works --------------------------------------------------------------------------------------

    def test_a_host_is_added_listed_looked_at_and_forgotten(self):
        added = self.done("add", "node2", "--ssh", "root@node2")
        self.assertRegex(added, r"^node2  Tandem \S+, \d+ cores?, memory \S+ GB free of \S+ GB, .*, disk \S+ GB free, clock [+-]\S+ ms\nAdded node2 to /run/home/.config/tandem/hosts.json\n$")
        self.assertEqual(self.done("list"), f"node2  root@node2  {DEFAULT_FOLDER}\n")
        agents = self.agents("node2")
        self.assertEqual(len(agents), 1, "it was started there")
        facts = self.facts("node2")
        self.assertEqual((facts["ok"], facts["host_name"], facts["runs_dir"]), (True, "node2", "/run/home/.local/share/tandem/runs"))
        self.assertEqual(facts["agent_version"], self.shell("node2", f"{BIN}/tandem-agent --version"))
        self.assertIn("10.77.0.2", facts["addresses"])
        self.assertLessEqual(abs(facts["clock_offset_ms"]), facts["round_trip_ms"], "it is the same clock")
        self.assertEqual(self.agents("node2"), agents, "it is the same one")
        again = self.cli("add", "node2")
        self.assertEqual(again.returncode, 1)
        self.assertIn("node2", again.stderr)
        self.assertEqual(self.done("remove", "node2"), "Removed node2\n")
        self.assertIn("No host yet", self.done("list"))
        gone = self.cli("check", "node2")
        self.assertEqual((gone.returncode, gone.stdout), (1, ""))
        self.assertIn("node2", gone.stderr)
        self.expect_nothing_left()
        self.assertEqual(self.shell("node1", "find $HOME/.config/tandem -type f -name 'hosts.json*' -not -name '*.lock'"), "/run/home/.config/tandem/hosts.json")

    def test_numbers_names_of_the_configuration_and_jump_hosts_lead_there(self):
        (self.hosts.ssh.of("node1") / "config").write_text("Host far\n  HostName node2\n  User root\nHost behind\n  HostName node3\n  ProxyJump node2\n")
        for name, options in (("six", ["--ssh", "root@[fd77::2]:22"]), ("four", ["--ssh", "10.77.0.2"]), ("far", []), ("behind", [])):
            self.done("add", name, *options)
        self.assertEqual([json.loads(line)["host_name"] for line in self.done("check", "--json").splitlines()], ["node2", "node2", "node2", "node3"])
        self.expect_nothing_left()

    def test_a_long_and_lossy_way_is_told_in_the_round_trip(self):
        self.hosts.slow("node2", delay_s=0.03, loss=0.005)
        self.done("add", "node2")
        facts = self.facts("node2")
        self.assertGreaterEqual(facts["round_trip_ms"], 60)
        self.assertLessEqual(abs(facts["clock_offset_ms"]), facts["round_trip_ms"] / 2)
        print(f"30 ms each way: round trip {facts['round_trip_ms']:.1f} ms, clock {facts['clock_offset_ms']:+.2f} ms", flush=True)
        self.expect_nothing_left()

    def test_several_at_once_meet_one_agent_and_write_one_list(self):
        names = [f"name{index}" for index in range(6)]
        looks = [self.hosts.start("node1", [BIN / "tandem-cli", "host", "add", name, "--ssh", "node2"], stdout=subprocess.PIPE, text=True) for name in names]
        for look in looks:
            self.addCleanup(look.kill)
        for look in looks:
            said = look.communicate(timeout=WITHIN_S)[0]
            self.assertEqual(look.returncode, 0, said)
        self.assertEqual(len(self.agents("node2")), 1)
        self.assertEqual(sorted(json.loads(line)["name"] for line in self.done("list", "--json").splitlines()), names)
        self.expect_nothing_left()

    def test_the_users_own_bin_and_the_path_count_where_no_bundle_lies(self):
        (self.folder("node2") / "bin").rename(self.hosts.home("node2") / ".local/bin")
        self.done("add", "node2")
        # This takes the place of the other variables, too: a computer where nobody sets XDG_RUNTIME_DIR.
        self.hosts.ssh.configure("node3", "SetEnv PATH=/run/home/programs:/usr/bin:/bin")
        self.restart("node3")
        (self.folder("node3") / "bin").rename(self.hosts.home("node3") / "programs")
        self.done("add", "node3")
        self.assertEqual(self.shell("node3", "ls -d $HOME/.local/state/tandem/agent-*.sock | wc -l"), "1")
        self.expect_nothing_left()

    def test_the_agent_is_a_service_where_the_user_has_a_systemd_that_outlives_the_session(self):
        programs = self.hosts.home("node2") / "programs"
        programs.mkdir()
        for name in ("systemctl", "loginctl", "systemd-run"):
            shutil.copy(MADE_UP_SYSTEMD, programs / name)
        self.hosts.ssh.configure("node2", "SetEnv PATH=/run/home/programs:/usr/bin:/bin MADE_UP_NOTES=/run/home/asked")
        self.restart("node2")
        self.done("add", "node2")
        for node, is_service in (("node2", True), ("node3", False)):
            self.facts(node) if is_service else self.done("add", node)
            agent, = self.agents(node)
            self.assertEqual(b"MADE_UP_UNIT=yes" in pathlib.Path(f"/proc/{agent}/environ").read_bytes(), is_service, node)
        self.assertEqual([json.loads(line)[0] for line in (self.hosts.home("node2") / "asked").read_text().splitlines()], ["systemctl", "loginctl", "systemd-run"])
        self.expect_nothing_left()

    def test_one_question_of_ssh_is_asked_through_askpass(self):
        self.hosts.ssh.give_key("open sesame")
        self.hosts.ssh.know(unknown=["node3"])
        answer = self.hosts.home("node1") / "answer"
        answer.write_text('#!/bin/sh\necho "$1" >>"$HOME/asked"\ncase "$1" in *"(yes/no"*) echo yes ;; *) echo open sesame ;; esac\n')
        answer.chmod(0o755)
        env = {"SSH_ASKPASS": "/run/home/answer", "SSH_ASKPASS_REQUIRE": "force"}
        self.done("add", "node2", env=env)
        self.done("add", "node3", env=env)
        asked = (self.hosts.home("node1") / "asked").read_text()
        self.assertIn("Enter passphrase for key '/run/home/.ssh/id_ed25519'", asked)
        self.assertIn("The authenticity of host 'node3", asked)
        self.assertIn("found", self.shell("node1", "ssh-keygen -F node3"), "the key that was confirmed is kept")
        self.expect_nothing_left()

    def test_a_jump_host_asks_nobody_where_a_run_starts(self):
        (self.hosts.ssh.of("node1") / "config").write_text("Host behind\n  HostName node3\n  ProxyJump node2\n")
        self.add("behind")
        self.hosts.ssh.give_key("open sesame")
        answer = self.hosts.home("node1") / "answer"
        answer.write_text('#!/bin/sh\necho "$1" >>"$HOME/asked"\necho open sesame\n')
        answer.chmod(0o755)
        env = {"SSH_ASKPASS": "/run/home/answer", "SSH_ASKPASS_REQUIRE": "force"}  # the agent that tandem-cli starts has it, too
        done = self.hosts.run("node1", [BIN / "tandem-cli", "train", "mnist_multi_worker", "--hosts", "behind"], timeout=WITHIN_S, env=env)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stderr, "behind.*(permission was denied|the connection was closed)")
        self.assertFalse((self.hosts.home("node1") / "asked").exists(), "ssh hands none of its options on to the one that it starts for the jump host")

    def test_a_person_at_the_terminal_is_asked(self):
        self.hosts.ssh.give_key("open sesame")
        self.hosts.ssh.know(unknown=["node2"])
        done = self.hosts.run("node1", [sys.executable, "-c", PERSON, BIN / "tandem-cli", "host", "add", "node2"], timeout=WITHIN_S)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        for shown in ("The authenticity of host 'node2", "Enter passphrase for key", "node2  Tandem ", "Added node2 to"):
            self.assertIn(shown, done.stdout)
        self.assertNotIn("open sesame", done.stdout)
        self.expect_nothing_left()

    def test_a_connection_that_the_user_has_already_keeps_no_socket(self):
        (self.hosts.ssh.of("node1") / "config").write_text("Host *\n  ControlPath ~/.ssh/master-%C\n")
        master = self.hosts.start("node1", ["ssh", "-M", "-N", "node2"])
        self.addCleanup(master.wait, WITHIN_S)
        self.addCleanup(master.kill)
        wait_for(lambda: list(self.hosts.ssh.of("node1").glob("master-*")), "the user's connection")
        self.done("add", "node2")
        self.assertEqual(self.shell("node1", f"find {self.hosts.folder} /run -name agent.sock"), "")
        self.assertIsNone(master.poll(), "it is the user's")
        master.kill()
        master.wait(WITHIN_S)
        self.assertTrue(list(self.hosts.ssh.of("node1").glob("master-*")), "its socket is left")
        self.assertTrue(self.facts("node2")["ok"])
        self.hosts.ssh.take_key()
        self.assertRegex(self.problem("node2"), f"^node2: {LET_IN}$")
        self.expect_nothing_left()

    def test_an_agent_that_was_killed_is_started_anew(self):
        self.done("add", "node2")
        before = self.agents("node2")
        for pid in before:
            os.kill(pid, signal.SIGKILL)
        wait_for(lambda: not self.agents("node2"), "the agent's end")
        self.assertTrue(self.facts("node2")["ok"])
        self.assertEqual(len(self.agents("node2")), 1)
        self.assertNotEqual(self.agents("node2"), before)
        self.hosts.power("node2", "off")
        self.assertRegex(self.problem("node2"), "^node2: " + SERVER)
        self.hosts.power("node2", "on")
        self.assertTrue(self.facts("node2")["ok"])
        self.expect_nothing_left()

    # ---- who can't be used -----------------------------------------------------------------------------------------------

    def test_host_keys_that_are_not_known_or_have_changed(self):
        self.add("node2")
        self.hosts.ssh.know(unknown=["node2"])
        self.assertRegex(self.problem("node2"), f"^node2: {ANY_KEY}: connect once with ssh by hand and confirm its key \\(Host key verification failed\\.\\)$")
        self.hosts.ssh.know(wrong=["node2"])
        self.assertRegex(self.problem("node2"), f"^node2: {RIGHT_KEY}: ask whoever .*; ssh-keygen -R forgets the former key \\(Offending ED25519 key in /run/home/.ssh/known_hosts:2\\)$")
        refused = self.cli("add", "again", "--ssh", "node2")
        self.assertEqual((refused.returncode, refused.stdout), (1, ""))
        self.assertRegex(without_codes(refused.stderr), rf"^error: again \(node2\): {RIGHT_KEY}.*; it was not added \(--no-check adds it all the same\)\n$")
        self.assertNotIn("again", self.done("list"))
        self.assertEqual(self.agents("node2"), [])
        self.expect_nothing_left()

    def test_keys_and_users_that_are_not_let_in(self):
        self.add("node2")
        self.hosts.ssh.give_key("a passphrase")
        self.assertRegex(self.problem("node2"), f"^node2: {LET_IN}$")
        self.hosts.ssh.take_key()
        self.assertRegex(self.problem("node2"), f"^node2: {LET_IN}$")
        self.hosts.ssh.give_key()
        self.assertTrue(self.facts("node2")["ok"])
        self.add("other", "--ssh", "somebody@node2")
        self.assertRegex(self.problem("other"), "^other \\(somebody@node2\\): " + LET_IN.replace("root@", "somebody@") + "$")
        self.expect_nothing_left()

    def test_nobody_there_or_somebody_else(self):
        self.add("refused", "--ssh", "node2:2200")
        self.assertEqual(self.problem("refused"), f"refused (node2:2200): {SERVER}the connection was refused (ssh: connect to host node2 port 2200: Connection refused)")
        self.add("nobody")
        self.assertRegex(self.problem("nobody"), r"^nobody: expected a name that is known here, no computer goes by it \(ssh: Could not resolve hostname nobody: .*\)$")
        self.add("elsewhere", "--ssh", "192.0.2.1")
        self.assertRegex(self.problem("elsewhere"), rf"^elsewhere \(192\.0\.2\.1\): {SERVER}no route leads to its network \(.*Network is unreachable\)$")
        self.add("absent", "--ssh", "10.77.0.77")
        self.assertRegex(self.problem("absent"), rf"^absent \(10\.77\.0\.77\): {SERVER}no route leads to the host \(.*No route to host\)$")
        self.serve("node3", CLOSING)
        self.add("closing", "--ssh", "node3:2222")
        self.assertRegex(self.problem("closing"), rf"^closing \(node3:2222\): {SERVER}the connection was closed \(.*\)$")
        self.serve("node2", SILENT)
        self.add("silent", "--ssh", "node2:2222")
        self.assertRegex(self.problem("silent"), rf"^silent \(node2:2222\): {SERVER}it did not answer in time \(.*timed out.*\)$")
        self.expect_nothing_left()

    def test_a_cable_that_is_out_or_is_pulled_out(self):
        self.done("add", "node2")
        self.hosts.link("node2", "down")
        began = time.monotonic()
        self.assertRegex(self.problem("node2"), f"^node2: {SERVER}(no route leads to the host|it did not answer in time) ")
        print(f"a host without a cable is given up after {time.monotonic() - began:.1f} s", flush=True)
        self.hosts.link("node2", "up")
        self.assertTrue(self.facts("node2")["ok"])
        for way, script in (("before the agent is found", "touch $HOME/here; sleep 600"),
                            ("after it", "line=$($real --locate); kill -STOP $(pidof tandem-agent); echo \"$line\"")):
            with self.subTest(way):
                self.install_instead("node2", f"[ \"$1\" != --locate ] || {{ {script}; exit; }}; exec $real \"$@\"")
                look = self.hosts.start("node1", [BIN / "tandem-cli", "host", "check", "node2"], stdout=subprocess.PIPE, text=True)
                self.addCleanup(look.kill)
                if way == "after it":
                    wait_for(lambda: self.shell("node1", "ls /run/user/tandem/far-*/agent.sock 2>/dev/null || true"), "the socket on node1")
                else:
                    wait_for((self.hosts.home("node2") / "here").exists, "the far program")
                self.hosts.link("node2", "down")
                began = time.monotonic()
                said = look.communicate(timeout=WITHIN_S)[0]
                print(f"cut {way}: {time.monotonic() - began:.1f} s", flush=True)
                self.assertEqual(look.returncode, 1, said)
                self.assertRegex(said, f"^node2  error  node2: (expected .* within {DEADLINE_S} s, got none|{SERVER}it does not answer any more|{SERVER}the connection was).*\n$")
                self.assertEqual(self.hosts.processes("node1", "ssh"), [])
                self.assertEqual(self.shell("node1", "ls /run/user/tandem"), "")
                self.hosts.link("node2", "up")

    def test_ctrl_c_ends_a_look_at_once(self):
        self.add("node2")
        self.install_instead("node2", "[ \"$1\" != --locate ] || { touch $HOME/here; sleep 600; }; exec $real \"$@\"")
        look = self.hosts.start("node1", [BIN / "tandem-cli", "host", "check", "node2"], stdout=subprocess.PIPE, text=True)
        self.addCleanup(look.kill)
        wait_for((self.hosts.home("node2") / "here").exists, "the far program")
        look.send_signal(signal.SIGINT)
        self.assertEqual((look.communicate(timeout=WITHIN_S)[0], look.returncode), ("", 130))
        self.assertEqual(self.hosts.processes("node1", "ssh"), [])
        self.assertEqual(self.shell("node1", "ls /run/user/tandem 2>/dev/null || true"), "")

    def test_no_tandem_there_or_one_of_another_version(self):
        self.add("node2")
        self.add("there", "--ssh", "node2", "--folder", "/opt/it's here")
        version = self.shell("node2", f"{BIN}/tandem-agent --version")
        for got, compared in (("0.0.1", "older"), ("99.0", "newer")):
            self.install_instead("node2", f"[ \"$1\" = --version ] && echo {got} || touch $HOME/started")
            self.assertEqual(self.problem("node2"), f"node2: expected Tandem {version} as on this computer, got /run/home/{DEFAULT_FOLDER}/bin/tandem-agent of version {got}, which is {compared}: tandem-cli host update node2 installs this one")
        self.install_instead("node2", "echo libprotobuf.so.32: cannot open shared object file >&2; exit 127")
        self.assertEqual(self.problem("node2"), f"node2: expected /run/home/{DEFAULT_FOLDER}/bin/tandem-agent to say its version, it said nothing (libprotobuf.so.32: cannot open shared object file)")
        self.assertFalse((self.hosts.home("node2") / "started").exists())
        (self.folder("node2") / "bin" / "tandem-agent").unlink()
        self.assertEqual(self.problem("node2"), f"node2: expected Tandem in the folder {DEFAULT_FOLDER} or on the PATH, found none")
        self.assertEqual(self.problem("there"), "there (node2): expected Tandem in the folder /opt/it's here or on the PATH, found none")
        self.expect_nothing_left()

    def test_a_banner_is_no_reason(self):
        self.add("node2")
        (self.hosts.folder / "node2" / "banner").write_text("Authorized users only\n")
        self.hosts.ssh.configure("node2", f"Banner {self.hosts.folder}/node2/banner")
        self.restart("node2")
        self.assertTrue(self.facts("node2")["ok"])
        self.hosts.ssh.take_key()
        self.assertRegex(self.problem("node2"), f"^node2: {LET_IN}$")
        self.hosts.ssh.give_key()
        (self.folder("node2") / "bin" / "tandem-agent").unlink()
        self.assertEqual(self.problem("node2"), f"node2: expected Tandem in the folder {DEFAULT_FOLDER} or on the PATH, found none")
        self.expect_nothing_left()

    def test_a_disk_that_is_full_there_or_here(self):
        self.add("node2")
        self.shell("node2", "mkdir -p $HOME/.local/share/tandem/runs && mount -t tmpfs -o size=256k tmpfs $HOME/.local/share/tandem/runs; "
                            "cat /dev/zero >$HOME/.local/share/tandem/runs/full 2>/dev/null || true")
        self.assertRegex(self.problem("node2"), rf"^node2: expected /run/home/{DEFAULT_FOLDER}/bin/tandem-agent to find or start its agent, it did not \(.*/run/home/.local/share/tandem/runs.*No space left on device.*\)$")
        self.shell("node2", "rm $HOME/.local/share/tandem/runs/full")
        self.assertTrue(self.facts("node2")["ok"], "there is room again")
        self.shell("node1", "mount -t tmpfs -o nr_inodes=2,mode=700 tmpfs /run/user")
        self.assertEqual(self.problem("node2"), "/run/user/tandem: expected to make a folder there, got: No space left on device")
        self.shell("node1", "umount /run/user")
        self.expect_nothing_left()

    def test_a_server_that_forwards_no_sockets(self):
        self.add("node2")
        self.hosts.ssh.configure("node2", "AllowStreamLocalForwarding no")
        self.restart("node2")
        self.assertRegex(self.problem("node2"), r"^node2: expected an ssh server that forwards the agent's socket, it did not: AllowStreamLocalForwarding in its sshd_config lets it; .* \(.*open failed.*\)$")
        self.expect_nothing_left()

    def test_an_agent_that_does_not_answer(self):
        self.done("add", "node2")
        for pid in self.agents("node2"):
            os.kill(pid, signal.SIGSTOP)
        self.assertRegex(self.problem("node2"), "^node2: expected .*tandem-agent to find or start its agent, it did not \\(.*no answer within 10 s")
        for pid in self.agents("node2"):
            os.kill(pid, signal.SIGCONT)
        self.assertTrue(self.facts("node2")["ok"])
        self.expect_nothing_left()

    def test_one_that_fails_hides_no_other(self):
        for name in ("node3", "nobody", "node2"):
            self.add(name)
        done = self.cli("check")
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertEqual([line.split()[:2] for line in done.stdout.splitlines()], [["node3", "ok"], ["nobody", "error"], ["node2", "ok"]])
        reports = [json.loads(line) for line in self.cli("check", "--json", "nobody", "node3").stdout.splitlines()]
        self.assertEqual([(report["name"], report["ok"], "problem" in report) for report in reports], [("nobody", False, True), ("node3", True, False)])
        for name in ("node3", "nobody", "node2"):
            self.done("remove", name)
        self.expect_nothing_left()


if __name__ == "__main__":
    unittest.main()
