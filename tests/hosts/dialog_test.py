"""The window's host dialog on node1 and a real ssh server on node2: keys, passwords, the list, an installation. dialog_user works in the dialog."""
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from hosts import Hosts, wait_for

BIN = pathlib.Path(os.environ.get("TANDEM_BIN", "build/dev/bin")).resolve()
BUILD = pathlib.Path(os.environ.get("TANDEM_BUILD", "build/dev")).resolve()
SOURCE = pathlib.Path(os.environ.get("TANDEM_SOURCE", ".")).resolve()
CURRENT = ".local/share/tandem/bundle/current"
PASSWORD = "correct horse battery"
WITHIN_S = 600


class Dialog(unittest.TestCase):
    def setUp(self):
        if why := Hosts.missing(ssh=True):
            self.skipTest(why)
        self.stack = contextlib.ExitStack()
        self.addCleanup(self.stack.close)
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="tandem-dialog-"))
        self.addCleanup(shutil.rmtree, self.scratch, ignore_errors=True)
        self.hosts = self.stack.enter_context(Hosts(3, share=[self.scratch], ssh=True))

    # ---- who works in the dialog -------------------------------------------------------------------------------------------

    def open(self):
        self.user = self.hosts.start("node1", [BIN / "tandem_dialog_user", BIN / "tandem", self.scratch], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=None,
                                     text=True)
        self.addCleanup(self.user.stdout.close)
        self.addCleanup(self.user.wait, WITHIN_S)
        self.addCleanup(self.user.stdin.close)

    def tell(self, line):
        self.user.stdin.write(line + "\n")
        self.user.stdin.flush()
        return self.user.stdout.readline().rstrip("\n")

    def do(self, *lines):
        for line in lines:
            self.assertEqual(self.tell(line), "yes", line)

    def text(self, name):
        return self.tell(f"text {name}")

    def asking(self):
        """What the window keeps for ssh's questions, on node1."""
        return list((self.hosts.folder / "node1").glob("**/ask-*")) or self.shell("node1", "ls /run/user/tandem 2>/dev/null || true")

    def shell(self, node, line):
        done = self.hosts.run(node, ["sh", "-c", line], timeout=WITHIN_S)
        self.assertEqual(done.returncode, 0, f"{node}: {line}\n{done.stdout}{done.stderr}")
        return done.stdout.strip()

    def expect_no_ssh(self):
        wait_for(lambda: not self.hosts.processes("node1", "ssh") and not self.hosts.processes("node1", "tandem"), "the end of ssh on node1")
        wait_for(lambda: not self.asking(), "the end of what asks")

    # ---- the tests -----------------------------------------------------------------------------------------------------------

    @unittest.skipUnless(shutil.which("patchelf"), "patchelf is not installed")
    def test_an_unknown_host_is_trusted_added_and_gets_tandem(self):
        made = subprocess.run(["bash", SOURCE / "installer" / "bundle.sh", "--build", BUILD, "--without-gpu", self.scratch / "bundle.tar.gz"], text=True,
                              capture_output=True, timeout=WITHIN_S, check=False)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.hosts.ssh.know(unknown=["node2"])
        # Who looks after node1 wants no questions; the window asks all the same.
        (self.hosts.ssh.of("node1") / "config").write_text("Host *\n  StrictHostKeyChecking no\n")
        self.open()
        self.do("type hostName node2", "wait hostQuestionWords SHA256:")
        key = self.shell("node2", f"ssh-keygen -lf {self.hosts.folder}/node2/ssh/host_key.pub").split()[1]
        self.assertEqual(self.text("hostQuestionWords"), f"ED25519 {key}")
        self.assertRegex(self.text("hostQuestionTitle"), r"^The key of node2 \(\S+\) is not known here$")
        known = self.hosts.ssh.of("node1") / "known_hosts"
        self.assertNotIn("node2", known.read_text(), "nothing is known before the click")
        self.do("click hostDecline", "wait hostSightTitle Not connected")
        self.expect_no_ssh()
        self.assertNotIn("node2", known.read_text())
        self.do("click hostSightLink", "wait hostQuestionWords SHA256:", "click hostAnswer", "wait hostSightTitle Reached in")
        self.assertIn("found", self.shell("node1", "ssh-keygen -F node2"))
        self.do("type hostName", "enter", "wait hostSightSentence Install puts")
        listed = json.loads((self.hosts.home("node1") / ".config/tandem/hosts.json").read_text())["hosts"]
        self.assertEqual([(host["name"], host["ssh"]["host"]) for host in listed], [("node2", "node2")])
        self.assertFalse((self.hosts.home("node2") / ".local").exists(), "nothing was changed there so far")
        self.do("click hostInstall", "wait hostSightTitle Ready")
        self.assertTrue((self.hosts.home("node2") / CURRENT / "bin" / "tandem-agent").exists())
        self.assertEqual(len(self.hosts.processes("node2", "tandem-agent")), 1)
        self.do("esc")
        self.expect_no_ssh()

    def test_a_password_is_asked_for_until_it_is_right(self):
        self.hosts.ssh.take_key()
        self.hosts.ssh.configure("node2", "PasswordAuthentication yes\nPermitRootLogin yes")
        hashed = subprocess.run(["openssl", "passwd", "-6", PASSWORD], capture_output=True, text=True, check=True, timeout=300).stdout.strip()
        self.hosts.power("node2", "off")
        (self.hosts.folder / "node2" / "shadow").write_text(f"root:{hashed}:20000:0:99999:7:::\n")
        self.hosts.power("node2", "on")
        self.open()
        self.do("type hostName node2", "wait hostQuestionWords password", "type hostSecret wrong", "enter", "wait hostQuestionTitle asks again")
        self.do(f"type hostSecret {PASSWORD}", "enter", "wait hostSightTitle Reached in", "wait hostSightSentence ssh-copy-id node2")
        self.assertEqual(self.text("hostQuestionWords"), "-")
        self.expect_no_ssh()
        left = self.shell("node1", f"grep -rlF '{PASSWORD}' /run/home /run/user /tmp 2>/dev/null || true")
        self.assertEqual(left, "", "it is kept nowhere")

    def test_the_key_of_a_jump_host_is_named_as_its_own(self):
        self.hosts.ssh.know(unknown=["node2", "node3"])
        (self.hosts.ssh.of("node1") / "config").write_text("Host behind\n  HostName node3\n  ProxyJump node2\n")
        self.open()
        self.do("type hostName behind", "wait hostQuestionTitle The key of node2 (", "click hostAnswer", "wait hostQuestionTitle The key of node3", "click hostAnswer",
                "wait hostSightTitle Reached in")
        self.expect_no_ssh()

    def test_a_changed_key_is_an_error_that_says_what_to_do(self):
        self.hosts.ssh.know(wrong=["node2"])
        self.open()
        self.do("type hostName node2", "wait hostSightTitle Out of reach")
        self.assertRegex(self.text("hostSightSentence"), r"the host key has changed: .*ssh-keygen -R forgets the former key \(Offending .*known_hosts:2\)")
        self.assertEqual(self.text("hostQuestionWords"), "-", "there is nothing to trust")
        self.expect_no_ssh()

    def test_esc_ends_ssh_with_its_question(self):
        self.hosts.ssh.give_key("open sesame")
        self.open()
        self.do("type hostName node2", "wait hostQuestionWords Enter passphrase")
        self.assertTrue(self.asking())
        self.do("esc")
        self.expect_no_ssh()
        self.do("open", "type hostName node2", "wait hostQuestionWords Enter passphrase", "type hostSecret open sesame", "enter", "wait hostSightTitle Reached in")
        self.expect_no_ssh()


if __name__ == "__main__":
    unittest.main()
