// A sweep at work: the agent trains its runs, each as any run, a few at a time.
//
// A trial's run keeps its folder through all rungs: to be promoted it goes on from its backup, as a further attempt of the same run (by
// Slurm as a branch, a job and a run of its own). The sweep's file is written before a run is submitted, and its folder says which run it
// is; so whoever goes on with a sweep that was killed finds at the agent what had begun, follows it, and starts nothing twice.
#pragma once

#include <functional>
#include <string>

#include "agent/client/agent_client.h"
#include "agent/client/sweep_folder.h"

namespace agent::client {

struct SweepOrder {
    const SweepFolder& folder;      // which it outlives
    engine::spec::RunSpec project;  // its files absolute: resolveFiles()
    std::string data_dir{};         // dataFolder() for an agent of this computer
    std::string programs{};         // of Slurm's jobs: the folder of Tandem's programs on the nodes; empty: where the agent's lie
    std::string ssh_agent{};        // as SubmitRequest's
};

// Each may be empty; all come from the thread that called runSweep().
struct SweepListener {
    // Something is new: a run began, ended, or went an epoch further.
    std::function<void(const engine::sweep::Sweep& sweep)> changed{};
    // Asked a few times a second how often the user has asked for an end by now: once, runs stop after their step; twice, at once; three
    // times, nobody waits for them, and they train on as they are: who goes on with the sweep finds them.
    std::function<int()> interrupts{};
};

enum class SweepEnd { kOver, kStopped };

// Begins the sweep or goes on with it, until it is over or was stopped; `sweep` and its file are then as it was left. Runs that were
// stopped come again when somebody goes on. A trial whose run fails fails with its reason, and the others go on. Blocks. Throws Error:
// kUnavailable when the agent is lost, kResourceExhausted when a disk is full; whoever goes on later finds everything.
SweepEnd runSweep(AgentClient& client, engine::sweep::Sweep& sweep, const SweepOrder& order, const SweepListener& listener);

}  // namespace agent::client
