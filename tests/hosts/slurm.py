"""A Slurm cluster of the hosts of hosts.py, with Debian's own programs: slurmctld on node1, slurmd and munged on each.

    with Hosts(3, share=[folder]) as hosts, Slurm(hosts, folder) as slurm:
        job = slurm.submit("job.sh")
        slurm.wait_for_state(job, "COMPLETED")

The hosts' processors are this machine's: each says that it has two. Slurm waits for its own programs as long as a loaded machine needs. With
loses_nodes=True a host that is off or out of reach is down after twenty seconds, and a job that may be requeued starts again as soon after it was.
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
AuthInfo=socket={socket},cred_expire={patience_s}
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
SlurmctldTimeout={patience_s}
SlurmdTimeout={patience_s}
MessageTimeout={answer_s}
BatchStartTimeout=300
MinJobAge=7200
KillWait=5
ReturnToService=2
NodeName={nodes} CPUs=2 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
# Seconds. A credential is good as long as a silent node is waited for, and what was requeued waits for its end. A node that is off is silent
# to each question, and lost when enough of them went by.
PATIENT = {"patience_s": 300, "answer_s": 60}
LOSES_NODES = {"patience_s": 20, "answer_s": 10}


class Slurm:
    def __init__(self, hosts, folder, loses_nodes=False):
        self.hosts, self.folder, self.daemons = hosts, pathlib.Path(folder) / "slurm", []
        self.times = LOSES_NODES if loses_nodes else PATIENT
        self.conf = self.folder / "slurm.conf"

    @staticmethod
    def missing():
        absent = [name for name in PROGRAMS if shutil.which(name, path=PATH) is None]
        return f"Slurm: expected the programs {', '.join(absent)} (bash installer/setup.sh --tests), found none" if absent else None

    def __enter__(self):
        self.folder.mkdir(mode=0o700)
        (self.folder / "state").mkdir(mode=0o700)
        self.conf.write_text(SETTINGS.format(socket=SOCKET, folder=self.folder, nodes=",".join(self.hosts.nodes), **self.times))
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
        done = self._call(program, *arguments, cwd=cwd)
        return done.stdout + (done.stderr if errors else "") if done.returncode == 0 else ""

    def _call(self, program, *arguments, cwd=None):
        words = ["env", "-C", str(cwd or self.folder), program, *map(str, arguments)]
        return self.hosts.run("node1", words, timeout=300, env={"SLURM_CONF": str(self.conf)})

    def cancel(self, job, *options):
        """Returns when Slurm has taken it; a controller that has much to do may not answer the first time."""
        said = []

        def is_taken():
            done = self._call("scancel", *options, job)
            said[:] = [done.stderr.strip()]
            return done.returncode == 0

        try:
            wait_for(is_taken, f"scancel of job {job}")
        except AssertionError as error:
            raise AssertionError(f"{error}: {said[0]}\n{self.story()}") from error

    def story(self):
        """What Slurm says of its nodes and jobs, and the last words of its daemons: of a test that has failed."""
        parts = [self.run(*words) for words in (("sinfo", "-N", "--long"), ("squeue", "--long"), ("scontrol", "show", "job"))]
        parts += [f"{log.name}:\n{log.read_text(errors='replace')[-1500:]}" for log in sorted(self.folder.glob("*.txt"))]
        return "\n".join(parts)

    def submit(self, script, path=()):
        """The job's number; its log lies beside the script. `path` are folders of programs."""
        script = pathlib.Path(script)
        words = ["env", "-C", str(script.parent), f"PATH={os.pathsep.join([*map(str, path), PATH])}", "sbatch", "--parsable", script]
        done = self.hosts.run("node1", words, timeout=300, env={"SLURM_CONF": str(self.conf)})
        if done.returncode != 0:
            raise AssertionError(f"sbatch: {done.stderr}\n{self.story()}")
        return done.stdout.strip()

    def states(self, job):
        """Of the job, or of the jobs of an array."""
        return re.findall(r"JobState=(\w+)", self.run("scontrol", "--oneliner", "show", "job", job))

    def wait_for_state(self, job, state, seconds=600):
        """Raises AssertionError at once where the job has ended otherwise."""
        ends = {"COMPLETED", "FAILED", "CANCELLED", "TIMEOUT"} - {state}

        def is_there():
            states = self.states(job)
            if set(states) & ends:
                raise AssertionError(f"job {job}: expected {state}, it is {', '.join(states)}")
            return states and set(states) == {state}

        try:
            wait_for(is_there, f"job {job} to be {state}", seconds)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.story()}") from error
