"""Who may log in where among the hosts of a room, as files: every host has a server's key and configuration of its own, and lets root in with one
key. node1 has that key and knows the others, until a test changes it."""
import pathlib
import subprocess

SERVER = "/usr/sbin/sshd"
USER = "node1"
# PAM would ask the machine's accounts, and names of clients a server that isn't there.
CONFIGURATION = """HostKey {folder}/host_key
PidFile /run/sshd.pid
UsePAM no
UseDNS no
PermitRootLogin prohibit-password
PasswordAuthentication no
KbdInteractiveAuthentication no
PrintMotd no
PrintLastLog no
MaxStartups 100
SetEnv XDG_RUNTIME_DIR=/run/user LANG=C.UTF-8 NODE={node}{more}
Subsystem sftp internal-sftp
"""


def make_key(file, passphrase=""):
    for old in (file, file.with_name(file.name + ".pub")):
        old.unlink(missing_ok=True)
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-C", "tests", "-f", file], stdin=subprocess.DEVNULL, check=True, timeout=300)


def public_half(file):
    return file.with_name(file.name + ".pub").read_text()


class SshAccess:
    """Made before the hosts are: the server of each starts with it."""

    def __init__(self, folder, nodes, environment=None):
        self.folder, self.nodes = folder, nodes
        more = "".join(f" {name}={value}" for name, value in (environment or {}).items())
        for node in nodes:
            self._write_accounts(folder / node)
            (folder / node / "ssh").mkdir()
            make_key(self._host_key(node))
            (folder / node / "ssh" / "sshd_config").write_text(CONFIGURATION.format(folder=folder / node / "ssh", node=node, more=more))
            self.of(node).mkdir(mode=0o700)
        self.give_key()
        self.know()

    def of(self, node):
        """The folder .ssh of the user there."""
        return self.folder / node / "home" / ".ssh"

    def give_key(self, passphrase=""):
        """node1 gets a new key, which all hosts let in; no other is let in any more."""
        make_key(self.of(USER) / "id_ed25519", passphrase)
        for node in self.nodes:
            (self.of(node) / "authorized_keys").write_text(public_half(self.of(USER) / "id_ed25519"))

    def take_key(self):
        """node1 is left without a key."""
        for file in self.of(USER).glob("id_*"):
            file.unlink()

    def know(self, unknown=(), wrong=()):
        """node1 knows the keys of all hosts, but for those: none of the unknown, and another one of the wrong."""
        lines = []
        for index, node in enumerate(self.nodes, start=1):
            if node not in unknown:
                owner = self.nodes[index % len(self.nodes)] if node in wrong else node
                lines.append(f"{node},{node}-6,10.77.0.{index},fd77::{index} {public_half(self._host_key(owner))}")
        (self.of(USER) / "known_hosts").write_text("".join(lines))

    def configure(self, node, line):
        """A line of sshd_config before all others, for the next server that starts there (hosts.power)."""
        file = self.folder / node / "ssh" / "sshd_config"
        file.write_text(line + "\n" + file.read_text())

    def log(self, node):
        """What the server there has said."""
        file = self.folder / node / "ssh" / "log"
        return file.read_text(errors="replace") if file.exists() else ""

    def _host_key(self, node):
        return self.folder / node / "ssh" / "host_key"

    @staticmethod
    def _write_accounts(folder):
        """The machine's, but root lives in the host's HOME, where client and server look for .ssh, and has no password."""
        lines = [line for line in pathlib.Path("/etc/passwd").read_text().splitlines() if not line.startswith("root:")]
        if not any(line.startswith("sshd:") for line in lines):
            lines.append("sshd:x:65533:65534::/run/sshd:/usr/sbin/nologin")
        (folder / "passwd").write_text("\n".join(["root:x:0:0:root:/run/home:/bin/sh", *lines]) + "\n")
        (folder / "shadow").write_text("root:*:20000:0:99999:7:::\n")
        (folder / "shadow").chmod(0o600)
