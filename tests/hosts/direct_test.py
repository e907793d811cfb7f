"""Hosts that are reached directly: `tandem-agent --listen` there, paired with node1 by one line, and strangers who knock. No ssh server runs."""
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import unittest

from hosts import Hosts, wait_for
from train_test import BIN, QUICK, ENDLESS, RUNS, TrainTest, network_sockets

PORT = 7443
SILENT = 1000
# Connects to an address again and again, says nothing, and tells how many connections it has made.
KNOCK = f"""
import socket, sys, time
held = []
for _ in range({SILENT}):
    one = socket.create_connection((sys.argv[1], {PORT}), timeout=120)
    held.append(one)
print(len(held), flush=True)
time.sleep(600)
"""


class DirectTest(TrainTest):
    nodes = 2

    def setUp(self):
        if why := Hosts.missing():
            self.skipTest(why)
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        self.hosts = stack.enter_context(Hosts(self.nodes))
        self.agents = {}
        for node in self.hosts.nodes[1:]:
            self.listen(node)
            self.pair(node)

    # ---- the far side ----------------------------------------------------------------------------------------------------

    def listen(self, node):
        with open(self.hosts.home(node) / "agent.log", "ab") as log:
            self.agents[node] = self.hosts.start(node, [BIN / "tandem-agent", "--listen", f"{node}:{PORT}"], stdout=log)
        self.addCleanup(self.stop, self.agents[node])
        wait_for(lambda: self.is_listening(node), f"{node} to listen")

    @staticmethod
    def stop(agent):
        agent.kill()
        agent.wait()

    def is_listening(self, node):
        ready = self.hosts.run(node, ["ss", "-Hltn", f"sport = :{PORT}"], timeout=120).stdout
        running = self.hosts.home(node) / RUNS / "agent.json"
        return ready and running.exists() and json.loads(running.read_text()).get("listen")

    def log(self, node="node2"):
        return (self.hosts.home(node) / "agent.log").read_text(errors="replace")

    def agent_says(self, *words, node="node2"):
        return self.hosts.run(node, [BIN / "tandem-agent", *words], timeout=120)

    def invitation(self, node="node2"):
        done = self.agent_says("invite", node=node)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(done.stdout.splitlines()), 1)
        return done.stdout.strip()

    def pair(self, node):
        return self.done("host", "add", node, "--direct", self.invitation(node))

    def refusal_of(self, *words):
        done = self.cli(*words)
        self.assertNotEqual(done.returncode, 0, done.stdout)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        return done.stderr

    def expect_nothing_left(self, nodes=None):
        for node in nodes or self.hosts.nodes:
            wait_for(lambda: not self.workers(node), f"the end of the tasks on {node}")
        self.assertEqual(self.hosts.run("node1", ["ss", "-Hltn"], timeout=120).stdout, "", "home opens no port")

    def ports(self, node):
        """Where programs of the host listen."""
        return {line.split()[3] for line in self.hosts.run(node, ["ss", "-Hltn"], timeout=120).stdout.splitlines()}


class Direct(DirectTest):
    def test_a_run_is_the_same_as_on_one_computer(self):
        alone = self.train("--workers", "2", values=QUICK)
        with self.hosts.capture("node2") as capture:
            training = self.train("--hosts", "node1,node2", values=QUICK)
            seen = capture.bytes()
        self.assertEqual(training.last()["weights_sha256"], alone.last()["weights_sha256"])
        self.assertGreater(len(seen), 1_000_000, "gradients went by")
        tokens = [json.loads((self.hosts.home(node) / RUNS / "agent.json").read_text())["token"].encode() for node in self.hosts.nodes]
        for word in (b"dense/", b"kernel", b'"mnist"', b"Multi-worker", b"worker", b"PRI * HTTP/2", b"tandem direct", *tokens):
            self.assertNotIn(word, seen)
        self.expect_nothing_left()
        self.assertEqual(self.ports("node2"), {f"10.77.0.2:{PORT}"})
        there = self.train("--hosts", "node2:2", values=QUICK)
        self.assertEqual(there.last()["weights_sha256"], alone.last()["weights_sha256"], "a chief elsewhere brings its files home")

    def test_the_host_is_one_of_the_list(self):
        entry = json.loads(self.done("host", "list", "--json"))
        self.assertEqual((entry["name"], entry["direct"], len(entry["fingerprint"])), ("node2", f"node2:{PORT}", 64))
        self.assertIn("directly, certificate " + entry["fingerprint"][:16], self.done("host", "list"))
        checked = json.loads(self.done("host", "check", "node2", "--json"))
        self.assertTrue(checked["ok"])
        self.assertEqual(checked["host_name"], "node2")
        self.assertIn("node2", self.done("doctor", "mnist_multi_worker", "--hosts", "node1,node2"))
        updated = self.cli("host", "update", "node2")
        self.assertEqual(updated.returncode, 1)
        self.assertIn("expected a host that is reached over ssh, got one that is reached directly", updated.stderr)
        paired = self.agent_says("paired").stdout.split()
        self.assertEqual(paired[1], "node1")
        key = self.hosts.home("node1") / ".local/share/tandem/identity.pem"
        self.assertEqual(key.stat().st_mode & 0o777, 0o600)
        self.assertEqual(self.agent_says("unpair", "node1").returncode, 0)
        self.assertIn("it does not know this computer", self.cli("host", "check", "node2").stdout)
        self.assertIn("expected the name or the fingerprint", self.agent_says("unpair", "node1").stderr)
        self.done("host", "remove", "node2")
        self.assertEqual(self.done("host", "list", "--json"), "")
        self.assertTrue(self.pair("node2"))

    def test_a_far_agent_that_was_killed_knows_home_again(self):
        os.kill(self.agent("node2"), signal.SIGKILL)
        self.agents["node2"].wait()
        self.assertIn("the connection was refused: tandem-agent --listen starts one there", self.cli("host", "check", "node2").stdout)
        self.listen("node2")
        self.assertTrue(json.loads(self.done("host", "check", "node2", "--json"))["ok"])
        self.train("--hosts", "node1,node2", values=QUICK)


class Strangers(DirectTest):
    def test_a_line_is_good_once(self):
        line = self.invitation()
        self.done("host", "add", "first", "--direct", line)
        self.assertIn("got one that was used before", self.refusal_of("host", "add", "second", "--direct", line))
        self.assertIn("expected a name that is not in the list yet", self.refusal_of("host", "add", "first", "--direct", self.invitation()))

    def test_three_wrong_tries_end_it(self):
        line = self.invitation()
        for digit in "123":
            wrong = line[:-1] + next(one for one in (digit, "a", "b", "c", "d") if one != line[-1])
            self.assertIn("it knows none with this secret", self.refusal_of("host", "add", "other", "--direct", wrong))
        self.assertIn("three wrong tries have ended", self.refusal_of("host", "add", "other", "--direct", line))
        self.assertIn("refused 10.77.0.1:", self.log())

    def test_bad_lines_are_told_in_a_sentence(self):
        line = self.invitation()
        self.assertIn("got another text", self.refusal_of("host", "add", "other", "--direct", line[10:]))
        print_ = line.split("/")[3]
        self.assertIn("got one that begins with " + print_[:16], self.refusal_of("host", "add", "other", "--direct", line.replace(print_, print_[::-1])))
        self.assertIn("the connection was refused", self.refusal_of("host", "add", "other", "--direct", line.replace(f":{PORT}", ":7444")))
        self.assertIn("no computer goes by it", self.refusal_of("host", "add", "other", "--direct", line.replace("//node2:", "//nobody:")))
        done = self.agent_says("invite", node="node1")
        self.assertIn("expected a running agent that listens for other computers", done.stderr)
        for listen, why in ((f"node1:{PORT}", "expected an address of this computer to listen at"), ("nowhere", "expected HOST:PORT to listen at"),
                            (f"localhost:{PORT}", "other computers reach, got a name that means 127.0.0.1")):
            refused = self.hosts.run("node2", [BIN / "tandem-agent", "--listen", listen], timeout=60, env={"TANDEM_RUNS_DIR": "/run/home/other-runs"})
            self.assertEqual(refused.returncode, 1)
            self.assertIn(why, refused.stderr)
        refused = self.hosts.run("node2", [BIN / "tandem-agent", "--listen", f"node2:{PORT}"], timeout=60, env={"TANDEM_RUNS_DIR": "/run/home/other-runs"})
        self.assertIn("expected a free port to listen at, it is in use by another program", refused.stderr)

    def test_who_has_no_certificate_or_another_gets_nothing(self):
        knock = """
import socket, ssl, sys
context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
if len(sys.argv) > 2: context.load_cert_chain(sys.argv[2])
heard = b""
try:
    with context.wrap_socket(socket.create_connection((sys.argv[1], %d), timeout=120)) as one:
        one.sendall(b"tandem direct 1\\0" + b"\\1" + b"\\0" * 135)
        heard = one.recv(100)
except (ssl.SSLError, ConnectionError):
    pass
print(len(heard))
""" % PORT
        self.assertEqual(self.hosts.run("node1", ["python3", "-c", knock, "node2"], timeout=120).stdout.strip(), "0")
        wait_for(lambda: "it has no certificate" in self.log(), "the refusal")
        other = self.hosts.home("node1") / "other.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=Tandem", "-days", "1", "-keyout", other, "-out", f"{other}.crt"],
                       check=True, capture_output=True, timeout=120)
        with open(other, "a", encoding="ascii") as file:
            file.write(pathlib.Path(f"{other}.crt").read_text())
        self.assertEqual(self.hosts.run("node1", ["python3", "-c", knock, "node2", "/run/home/other.pem"], timeout=120).stdout.strip(), "0")
        wait_for(lambda: "is not paired" in self.log(), "the refusal")
        own = self.hosts.run("node1", ["python3", "-c", knock, "node2", "/run/home/.local/share/tandem/identity.pem"], timeout=120)
        self.assertNotEqual(own.stdout.strip(), "0", "who is paired gets an answer: " + own.stderr)

    def test_a_thousand_that_say_nothing_disturb_nobody(self):
        training = self.start_and_train("--hosts", "node1,node2", values={**ENDLESS, "fit.log_every": 10})
        knocking = self.hosts.start("node1", ["python3", "-c", KNOCK, "node2"], stdout=subprocess.PIPE)
        self.addCleanup(knocking.stdout.close)
        self.addCleanup(self.stop, knocking)
        self.assertEqual(knocking.stdout.readline().strip(), str(SILENT).encode())
        last = training.steps()[-1]
        wait_for(lambda: training.is_over() or training.steps()[-1] > last + 20, "the training to go on")
        self.assertFalse(training.is_over(), training.text()[-2000:])
        self.assertTrue(json.loads(self.done("host", "check", "node2", "--json"))["ok"])
        self.assertLess(len(network_sockets(self.agent("node2"))), 100)
        self.assertIn("too many called at once", self.log())
        self.assertLess(self.log().count("refused "), 200, "the log is not filled")
        self.assertEqual(self.cli("stop").returncode, 0)
        training.end()


if __name__ == "__main__":
    unittest.main()
