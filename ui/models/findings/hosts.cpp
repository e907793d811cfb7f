// SPDX-License-Identifier: GPL-3.0-or-later
// Why another computer is out of reach, why Tandem is not installed there, and why an agent refuses a launch.
#include <QCoreApplication>

#include "ui/models/findings/sentences.h"

namespace ui::models::findings {
namespace {

constexpr const char* kHostsSentences[] = {
    // agent/hosts: behind "node2: "
    QT_TRANSLATE_NOOP("HostTexts",
                      "expected the host key that known_hosts has, the host key has changed: ask whoever looks after the host whether it "
                      "should have; ssh-keygen -R forgets the former key (%1)"),
    QT_TRANSLATE_NOOP("HostTexts", "expected a name that is known here, no computer goes by it (%1)"),
    QT_TRANSLATE_NOOP("HostTexts", "expected an ssh server that answers, no route leads to the host (%1)"),
    QT_TRANSLATE_NOOP("HostTexts", "expected an ssh server that answers, no route leads to its network (%1)"),
    QT_TRANSLATE_NOOP("HostTexts", "expected an ssh server that answers, the connection was refused (%1)"),
    QT_TRANSLATE_NOOP("HostTexts", "expected an ssh server that answers, it did not answer in time (%1)"),
    QT_TRANSLATE_NOOP("HostTexts", "expected an ssh server that answers, it does not answer any more (%1)"),
    QT_TRANSLATE_NOOP("HostTexts", "expected an ssh server that answers, the connection was closed (%1)"),
    QT_TRANSLATE_NOOP("HostTexts", "expected an ssh server that answers, the connection was cut (%1)"),
    QT_TRANSLATE_NOOP("HostTexts",
                      "expected a host key that is known here, known_hosts has none of it: connect once with ssh by hand and confirm its "
                      "key (%1)"),
    QT_TRANSLATE_NOOP("HostTexts",
                      "expected to be let in, permission was denied: use a key of ssh-agent, or a terminal or SSH_ASKPASS for a password "
                      "(%1)"),
    QT_TRANSLATE_NOOP("HostTexts", "expected to be let in, permission was denied (%1)"),
    QT_TRANSLATE_NOOP("HostTexts", "expected an ssh server with algorithms of this computer's ssh, they have none in common (%1)"),
    QT_TRANSLATE_NOOP("HostTexts", "expected a configuration that ssh can read, it can't (%1)"),
    QT_TRANSLATE_NOOP("HostTexts",
                      "expected an ssh server that forwards the agent's socket, it did not: AllowStreamLocalForwarding in its sshd_config "
                      "lets it; where it does so, the agent there has just ended: try again (%1)"),
    QT_TRANSLATE_NOOP("HostTexts", "expected ssh to connect, it failed (%1)"),
    QT_TRANSLATE_NOOP("HostTexts",
                      "expected Tandem %1 as on this computer, got %2 of version %3, which is older: tandem-cli host update %4 installs "
                      "this one"),
    QT_TRANSLATE_NOOP("HostTexts",
                      "expected Tandem %1 as on this computer, got %2 of version %3, which is newer: tandem-cli host update %4 installs "
                      "this one"),
    QT_TRANSLATE_NOOP("HostTexts", "expected a shell that runs sh, got none (%1)"),
    QT_TRANSLATE_NOOP("HostTexts", "expected a shell that runs sh, got none"),
    QT_TRANSLATE_NOOP("HostTexts", "expected a processor of the kind %1 as on this computer, got %2"),
    QT_TRANSLATE_NOOP("HostTexts", "expected Tandem in the folder %1 or on the PATH, found none (%2)"),
    QT_TRANSLATE_NOOP("HostTexts", "expected Tandem in the folder %1 or on the PATH, found none"),
    QT_TRANSLATE_NOOP("HostTexts", "expected %1 to say its version, it said nothing (%2)"),
    QT_TRANSLATE_NOOP("HostTexts", "expected %1 to say its version, it said nothing"),
    QT_TRANSLATE_NOOP("HostTexts", "expected %1 to find or start its agent, it did not (%2)"),
    QT_TRANSLATE_NOOP("HostTexts", "expected %1 to find or start its agent, it did not"),
    QT_TRANSLATE_NOOP("HostTexts", "expected an answer over ssh within %1 s, got none"),
    QT_TRANSLATE_NOOP("HostTexts", "expected an answer of the agent there within %1 s, got none"),
    QT_TRANSLATE_NOOP("HostTexts", "expected ssh to forward the agent's socket within %1 s, got none"),
    QT_TRANSLATE_NOOP("HostTexts", "expected an agent that listens on a socket, got one at %1"),
    QT_TRANSLATE_NOOP("HostTexts", "expected its sshd to say by which addresses it was reached (SSH_CONNECTION), it did not"),
    // agent/direct, agent/hosts/direct_way
    QT_TRANSLATE_NOOP("HostTexts",
                      "expected an agent that listens at %1, the connection was refused: tandem-agent --listen starts one there"),
    QT_TRANSLATE_NOOP("HostTexts", "expected an agent that listens at %1, no route leads to the host"),
    QT_TRANSLATE_NOOP("HostTexts", "expected an agent that listens at %1, no route leads to its network"),
    QT_TRANSLATE_NOOP("HostTexts", "expected an agent that listens at %1, it did not answer in time"),
    QT_TRANSLATE_NOOP("HostTexts", "expected an agent that listens at %1, it can't be reached (%2)"),
    QT_TRANSLATE_NOOP("HostTexts", "expected an agent that listens at %1, the connection was cut"),
    QT_TRANSLATE_NOOP("HostTexts",
                      "expected the line that tandem-agent invite prints, tandem://HOST:PORT/FINGERPRINT/SECRET, got another text"),
    QT_TRANSLATE_NOOP("HostTexts",
                      "expected a pairing line that is good, got one that was used before: tandem-agent invite there prints another"),
    QT_TRANSLATE_NOOP("HostTexts",
                      "expected a pairing line that is good, got one that has expired, since it is good for ten minutes and until the next "
                      "one is made: tandem-agent invite there prints another"),
    QT_TRANSLATE_NOOP("HostTexts",
                      "expected a pairing line that is good, got one that three wrong tries have ended: tandem-agent invite there prints "
                      "another"),
    QT_TRANSLATE_NOOP(
        "HostTexts",
        "expected a pairing line of the agent there, it knows none with this secret: tandem-agent invite there prints another"),
    QT_TRANSLATE_NOOP(
        "HostTexts",
        "expected Tandem %1 as on this computer, got an agent of version %2: update Tandem on either computer; the line stays "
        "good"),
    QT_TRANSLATE_NOOP("HostTexts", "expected at most %1 connections of this computer at once, the agent there takes no more"),
    QT_TRANSLATE_NOOP("HostTexts", "expected an answer of %1 in time, got none"),
    QT_TRANSLATE_NOOP("HostTexts", "expected an agent of Tandem that listens at %1, got something else (%2)"),
    QT_TRANSLATE_NOOP("HostTexts",
                      "expected the certificate that begins with %1, got one that begins with %2: another agent listens there, or somebody "
                      "is in between"),
    QT_TRANSLATE_NOOP("HostTexts",
                      "expected to be let in, the agent there closed the connection: it does not know this computer, unless it has just "
                      "ended; a new line of tandem-agent invite pairs the two again"),
    QT_TRANSLATE_NOOP(
        "HostTexts",
        "expected Tandem %1 as on this computer, got %2 of version %3, which is older: Tandem is updated there by hand, or over ssh"),
    QT_TRANSLATE_NOOP(
        "HostTexts",
        "expected Tandem %1 as on this computer, got %2 of version %3, which is newer: Tandem is updated there by hand, or over ssh"),
    QT_TRANSLATE_NOOP("HostTexts",
                      "expected a host that is reached over ssh, got one that is reached directly: Tandem is put there by hand, or after "
                      "tandem-cli host add with --ssh"),
    // agent/hosts/installation
    QT_TRANSLATE_NOOP("HostTexts", "expected a sign of life within %1 s while Tandem is installed, got none"),
    QT_TRANSLATE_NOOP("HostTexts",
                      "expected %1 to be missing, empty or a link called current, it holds something else: move that away, or name another "
                      "folder"),
    QT_TRANSLATE_NOOP("HostTexts", "expected a folder that this user there may make or fill, %1 is none: name another folder"),
    QT_TRANSLATE_NOOP("HostTexts", "expected %1 of free disk for %2, got %3"),
    QT_TRANSLATE_NOOP("HostTexts", "expected a processor of the kind %1 as the bundle is for, got %2"),
    QT_TRANSLATE_NOOP("HostTexts", "expected the programs that unpack a bundle, these are missing: %1"),
    QT_TRANSLATE_NOOP("HostTexts", "expected glibc %1 or a newer one, got %2"),
    QT_TRANSLATE_NOOP("HostTexts",
                      "expected no run while Tandem %1 takes the place of %2, the agent there (process %3) is busy with %4: wait for the "
                      "end of its runs, or stop them there"),
    QT_TRANSLATE_NOOP("HostTexts",
                      "expected an archive of Tandem for other computers, found none: in the source tree bash installer/bundle.sh "
                      "FILE.tar.gz makes one, and --bundle FILE.tar.gz names it"),
    // agent/home, agent/server/runs
    QT_TRANSLATE_NOOP("HostTexts", "expected %1 free on its disk for the run's files, got %2"),
    QT_TRANSLATE_NOOP("HostTexts", "expected %1 there, under the same path or sent before the run, got neither (%2 are lacking)"),
    QT_TRANSLATE_NOOP("HostTexts", "%1: was not sent in time"),
    QT_TRANSLATE_NOOP("HostTexts", "expected each computer under one name, got %1 and %2 for the same one"),
    QT_TRANSLATE_NOOP("HostTexts", "expected each computer once, got %1 and %2, both this one"),
    QT_TRANSLATE_NOOP("HostTexts", "expected a run whose %1 is on this computer, where it writes the weights, got it on %2"),
    QT_TRANSLATE_NOOP("HostTexts", "expected a run on this computer, where it writes the weights, got it on %1"),
    QT_TRANSLATE_NOOP("HostTexts", "expected it on %1, where the checkpoints of %2 are written, got it on %3"),
    QT_TRANSLATE_NOOP("HostTexts", "expected a chief on this computer beside an evaluator and parameter servers, got it on %1"),
    QT_TRANSLATE_NOOP("HostTexts",
                      "expected the backup that the run goes on from on the host of its worker 0 or chief, it was written on another one: "
                      "name the hosts in the same order, or begin anew (--overwrite)"),
    QT_TRANSLATE_NOOP("HostTexts", "the host is out of reach"),
    QT_TRANSLATE_NOOP("HostTexts", "expected an address of this computer (%1), got %2"),
    QT_TRANSLATE_NOOP("HostTexts", "%1: expected a free one, got one that another process uses"),
    QT_TRANSLATE_NOOP("HostTexts", "%1: expected a free one, got one that %2 uses"),
    QT_TRANSLATE_NOOP("HostTexts", "expected %1 GPUs for each task, this computer has %2 for %3 tasks"),
    QT_TRANSLATE_NOOP("HostTexts", "expected %1 GPUs for each task, this computer has %2 for 1 task"),
    QT_TRANSLATE_NOOP("HostTexts", "expected 1 GPU for each task, this computer has %1 for %2 tasks"),
    QT_TRANSLATE_NOOP("HostTexts", "expected 1 GPU for each task, this computer has %1 for 1 task"),
    QT_TRANSLATE_NOOP("HostTexts", "%1: %2 is using this folder"),
    QT_TRANSLATE_NOOP("HostTexts",
                      "expected a new folder or that of an unfinished run, got one with a finished run (%1), which would be overwritten; "
                      "give another folder with --out, or --overwrite to begin anew there"),
    QT_TRANSLATE_NOOP("HostTexts", "%1: can't be made a folder: %2"),
    QT_TRANSLATE_NOOP("HostTexts", "%1: can't be written: %2"),
    QT_TRANSLATE_NOOP("HostTexts", "%1: the end of its last attempt is not on disk yet, for there is no room; it can't go on before"),
    // agent/server/scheduled, engine/launch: a job that is submitted
    QT_TRANSLATE_NOOP("HostTexts", "Slurm took no job: %1"),
    QT_TRANSLATE_NOOP("HostTexts", "Slurm does not answer: sbatch took too long, and no job of it is in the queue"),
    QT_TRANSLATE_NOOP("HostTexts", "Slurm does not answer, so nobody knows whether it took the job; squeue --me will say"),
    QT_TRANSLATE_NOOP("HostTexts", "Slurm did not cancel job %1: %2"),
    QT_TRANSLATE_NOOP("HostTexts", "job %1 is gone from Slurm, so nothing is left to cancel"),
    QT_TRANSLATE_NOOP("HostTexts", "expected Slurm's program on the PATH that this computer's agent was started with, found none"),
    QT_TRANSLATE_NOOP("HostTexts", "expected an empty folder, or that of an earlier job, got one with other files"),
    QT_TRANSLATE_NOOP("HostTexts", "expected a folder whose run may go on, got run %1 of job %2, which is done"),
    QT_TRANSLATE_NOOP("HostTexts", "expected a folder whose run may go on, got run %1 of job %2, which goes on"),
    QT_TRANSLATE_NOOP("HostTexts", "%1: waits for job %2"),
    QT_TRANSLATE_NOOP("HostTexts", "expected minutes, hours:minutes:seconds or days-hours, such as 02:00:00, got %1"),
    QT_TRANSLATE_NOOP("HostTexts", "expected %1 minutes or more, since the tasks stop %2 minutes before the end, got %3"),
    QT_TRANSLATE_NOOP("HostTexts", "expected a number with K, M, G or T, such as 4G, got %1"),
    QT_TRANSLATE_NOOP("HostTexts", "expected the name of a partition, or several with commas, got %1"),
    QT_TRANSLATE_NOOP("HostTexts", "expected no setting of fit.seed beside it, which gives each run a seed of its own, got %1"),
    QT_TRANSLATE_NOOP("HostTexts", "expected as many tasks in all as the project's cluster has (%1), so that each has its job, got %2"),
    // engine/launch, engine/spec/cluster: a file by which something else starts the tasks
    QT_TRANSLATE_NOOP("HostTexts", "expected the name of an image, such as registry.example/tandem:latest, got %1"),
    QT_TRANSLATE_NOOP("HostTexts", "expected the name of a computer, such as node1, got %1"),
    QT_TRANSLATE_NOOP("HostTexts",
                      "expected the computers on which the tasks are to run, such as node1,node2:2, since the project's cluster has %1, "
                      "got none"),
    QT_TRANSLATE_NOOP("HostTexts", "expected the computers on which the tasks are to run, such as node1,node2:2, got none"),
    QT_TRANSLATE_NOOP("HostTexts", "expected names such as node1,node2:2, got an empty one"),
    QT_TRANSLATE_NOOP("HostTexts", "expected each host once, got %1 twice; \"%2:2\" gives it two workers"),
    QT_TRANSLATE_NOOP("HostTexts", "expected a number of workers, 0 to %1, got %2"),
    QT_TRANSLATE_NOOP("HostTexts", "expected as many tasks as the %1 has (%2), so that each has its job, got %3"),
    QT_TRANSLATE_NOOP("HostTexts", "expected one task or more, got none"),
    QT_TRANSLATE_NOOP("HostTexts", "expected at most %1 containers on one computer, got %2"),
    QT_TRANSLATE_NOOP("HostTexts", "expected at most %1 containers in one file, got %2"),
    QT_TRANSLATE_NOOP("HostTexts", "expected at most %1 GPUs, got %2"),
    QT_TRANSLATE_NOOP("HostTexts", "expected at most %1 pods, got %2"),
    QT_TRANSLATE_NOOP("HostTexts", "expected at most %1 runs in one file, got %2"),
    QT_TRANSLATE_NOOP("HostTexts", "expected at most %1 bytes, as a ConfigMap holds, got %2"),
    QT_TRANSLATE_NOOP("HostTexts", "expected the jobs chief, worker, ps and evaluator, as a TFJob has them, got %1"),
    QT_TRANSLATE_NOOP("HostTexts",
                      "expected mpirun for a project whose strategy.communication is MPI, got one that starts the tasks without it"),
    // agent/server/followed: a folder that is opened as a run's
    QT_TRANSLATE_NOOP("HostTexts", "expected the folder of a run, got none: %1"),
    QT_TRANSLATE_NOOP(
        "HostTexts",
        "expected the folder of a run that tells its events there (%1), or one with TensorBoard's event files, got one without "
        "them; a task tells them when tandem-worker trains without an agent"),
    QT_TRANSLATE_NOOP("HostTexts", "expected a file that begins with the start of its task, got none; its first line may be on its way"),
    QT_TRANSLATE_NOOP("HostTexts", "expected events of version %1, got version %2, of a newer Tandem"),
    QT_TRANSLATE_NOOP("HostTexts", "expected a run without an agent, got run %1, which an agent trains there"),
    QT_TRANSLATE_NOOP("HostTexts",
                      "expected a run that no agent of another computer or user follows, got run %1, whose journal such an agent writes; "
                      "watch it there, or here %2 minutes after that agent has ended"),
    QT_TRANSLATE_NOOP("HostTexts",
                      "expected a run that no agent of another computer or user follows, got run %1, whose journal %2 writes; watch it "
                      "there, or here once that program has ended"),
    QT_TRANSLATE_NOOP("HostTexts", "expected a journal that nobody else writes, got one that %1 writes"),
    QT_TRANSLATE_NOOP("HostTexts", "expected the folder of a scheduler's job, got a copy of %1, where run %2 is"),
    // agent/server/rpc, agent/server/supervision: a fault that a run can't have
    QT_TRANSLATE_NOOP("HostTexts", "expected a run whose tasks this agent started, got one that it only follows"),
    QT_TRANSLATE_NOOP("HostTexts", "expected workers that sum with each other, %1 does not"),
    QT_TRANSLATE_NOOP("HostTexts", "expected a process that runs, it has ended"),
    QT_TRANSLATE_NOOP("HostTexts", "%1: has no task %2"),
    QT_TRANSLATE_NOOP("HostTexts", "%1: has lost a task; it ends, or is about to start again"),
    QT_TRANSLATE_NOOP("HostTexts", "%1: %2, where %3 runs, is out of reach"),
    QT_TRANSLATE_NOOP("HostTexts", "%1: \"%2\" is not over yet"),
    QT_TRANSLATE_NOOP("HostTexts", "%1: does not take orders"),
    QT_TRANSLATE_NOOP("HostTexts", "%1: the supervisor did not answer in time"),
    QT_TRANSLATE_NOOP("HostTexts", "%1: is being started again"),
    QT_TRANSLATE_NOOP("HostTexts", "%1: its chief runs on another host"),
    QT_TRANSLATE_NOOP("HostTexts", "%1: not found on this host"),
    QT_TRANSLATE_NOOP("HostTexts", "%1: is not running"),
    QT_TRANSLATE_NOOP("HostTexts", "%1: is ending"),
    QT_TRANSLATE_NOOP("HostTexts", "%1: is over"),
    QT_TRANSLATE_NOOP("HostTexts", "%1: its event files are only read"),
};

}  // namespace

Sentences ofHosts() {
    return kHostsSentences;
}

}  // namespace ui::models::findings
