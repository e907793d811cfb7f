"""A Slurm cluster of the hosts of hosts.py, with Debian's own programs: slurmctld on node1, slurmd and munged on each.

    with Hosts(3, share=[folder]) as hosts, Slurm(hosts, folder) as slurm:
        job = slurm.submit("job.sh")
        slurm.wait_for_state(job, "COMPLETED")

The hosts' processors are this machine's: each says that it has two. A host that is off or out of reach is down after ten seconds, and a job
of its that may be requeued starts again on others.
"""
import os
import pathlib
import re
import secrets
import shutil
import signal

from hosts import PATH, wait_for

PROGRAMS = ("slurmctld", "slurmd", "munged", "sbatch", "srun", "scontrol")
SOCKET = "/run/munge.socket"
SETTINGS = """
ClusterName=tandem
SlurmctldHost=node1
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={socket},cred_expire=10
StateSaveLocation={folder}/state
SlurmdSpoolDir=/run/slurmd
SlurmctldPidFile=/run/slurmctld.pid
SlurmdPidFile=/run/slurmd.pid
MailProg=/bin/true
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=1
SlurmdParameters=config_overrides
SlurmctldTimeout=10
SlurmdTimeout=10
KillWait=5
ReturnToService=2
NodeName={nodes} CPUs=2 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


class Slurm:
    def __init__(self, hosts, folder):
        self.hosts, self.folder, self.daemons = hosts, pathlib.Path(folder) / "slurm", []
        self.conf = self.folder / "slurm.conf"

    @staticmethod
    def missing():
        absent = [name for name in PROGRAMS if shutil.which(name, path=PATH) is None]
        return f"Slurm: expected the programs {', '.join(absent)} (bash installer/setup.sh --tests), found none" if absent else None

    def __enter__(self):
        self.folder.mkdir(mode=0o700)
        (self.folder / "state").mkdir(mode=0o700)
        self.conf.write_text(SETTINGS.format(socket=SOCKET, folder=self.folder, nodes=",".join(self.hosts.nodes)))
        key = self.folder / "munge.key"
        key.touch(mode=0o600)
        key.write_bytes(secrets.token_bytes(128))
        for node in self.hosts.nodes:
            self._daemon(node, "munged", "--foreground", "--force", f"--key-file={key}", f"--socket={SOCKET}", "--pid-file=/run/munged.pid", "--seed-file=/run/munge.seed",
                         f"--log-file=/run/munged.log")
            wait_for(lambda node=node: self.hosts.run(node, ["munge", f"--socket={SOCKET}", "--no-input"], timeout=60).returncode == 0, f"munged on {node}")
        self._daemon("node1", "slurmctld", "-D", "-f", self.conf)
        for node in self.hosts.nodes:
            self._daemon(node, "slurmd", "-D", "-f", self.conf, "-N", node)
        wait_for(lambda: self.run("sinfo", "--noheader", "--format=%T %D").split() == ["idle", str(len(self.hosts.nodes))], "every node to be idle")
        return self

    def __exit__(self, *_):
        for daemon in self.daemons:
            daemon.send_signal(signal.SIGKILL)
            daemon.wait()

    def _daemon(self, node, program, *arguments):
        with open(self.folder / f"{program}.{node}.txt", "a", encoding="utf-8") as out:
            self.daemons.append(self.hosts.start(node, [program, *arguments], env={"SLURM_CONF": str(self.conf)}, stdout=out))

    def run(self, program, *arguments, cwd=None, errors=False):
        """What it prints, with `errors` beside that what it prints as such; empty where it fails: the daemons may not be there yet."""
        words = ["env", "-C", str(cwd or self.folder), program, *map(str, arguments)]
        done = self.hosts.run("node1", words, timeout=120, env={"SLURM_CONF": str(self.conf)})
        return done.stdout + (done.stderr if errors else "") if done.returncode == 0 else ""

    def submit(self, script, path=()):
        """The job's number; its log lies beside the script. `path` are folders of programs."""
        script = pathlib.Path(script)
        words = ["env", "-C", str(script.parent), f"PATH={os.pathsep.join([*map(str, path), PATH])}", "sbatch", "--parsable", script]
        done = self.hosts.run("node1", words, timeout=120, env={"SLURM_CONF": str(self.conf)})
        if done.returncode != 0:
            raise AssertionError(f"sbatch: {done.stderr}")
        return done.stdout.strip()

    def states(self, job):
        """Of the job, or of the jobs of an array."""
        return re.findall(r"JobState=(\w+)", self.run("scontrol", "--oneliner", "show", "job", job))

    def wait_for_state(self, job, state, seconds=300):
        """Raises AssertionError at once where the job has ended otherwise."""
        ends = {"COMPLETED", "FAILED", "CANCELLED", "TIMEOUT"} - {state}

        def is_there():
            states = self.states(job)
            if set(states) & ends:
                raise AssertionError(f"job {job}: expected {state}, it is {', '.join(states)}")
            return states and set(states) == {state}

        wait_for(is_there, f"job {job} to be {state}", seconds)
