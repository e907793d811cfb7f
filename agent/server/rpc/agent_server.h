// The agent of one runs folder on one host, assembled: lock, book of runs, supervisor, service behind its door, address file.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/direct/direct_door.h"
#include "agent/files/file_digests.h"
#include "agent/load/gpu_probe.h"
#include "agent/server/host/host_sampler.h"
#include "agent/server/process/process.h"
#include "agent/server/rpc/local_door.h"
#include "agent/server/rpc/question_desk.h"
#include "agent/server/runs/far_part.h"
#include "agent/server/runs/far_runs.h"
#include "agent/server/supervision/supervised_run.h"

namespace agent::server {

// Members that are left empty get the real thing.
struct AgentServerConfig {
    std::filesystem::path folder;          // of the socket; convert::agentFolder()
    std::filesystem::path runs_dir;        // of runs, lock and address file; convert::defaultRunsDir()
    std::filesystem::path program_dir;     // where this program lies, and tandem-worker beside it
    std::vector<std::string> environment;  // that tasks inherit; this process' own
    std::string version;
    int cores = 0;
    SupervisorOptions supervisor;
    QuestionLimits questions;
    HostSamplerOptions sampler;
    LocalDoorOptions door;
    load::GpuLibraries gpu_libraries;
    std::unique_ptr<ProcessLauncher> launcher;
    std::optional<direct::DirectDoorOptions> direct;  // but for agent and log; empty: other computers reach this agent over ssh alone
    PartMaker parts;                                  // empty: this agent reaches no other computers
    FarDoctor far_doctor;                             // the same
    FileSharer share;                                 // the same
    FarRunsMaker far_runs;                            // the same
    std::filesystem::path sent_files;                 // where files of other computers' projects are kept; files::sentFilesFolder()
    std::shared_ptr<files::FileDigests> digests;      // of files that were looked at; new ones
    LogSink log;
};

// Started by the constructor, stopped by the destructor: no new calls, every run stopped, address file gone, lock free.
class AgentServer {
public:
    // Throws Error(kAlreadyExists) when another agent runs for this runs folder (or one of an earlier version for this user), and what
    // opening the folders throws.
    explicit AgentServer(AgentServerConfig config);
    ~AgentServer();
    AgentServer(const AgentServer&) = delete;
    AgentServer& operator=(const AgentServer&) = delete;

    // "node2:7443", as other computers reach it; empty where they can't.
    std::string directAddress() const;
    const std::string& address() const;  // "unix:/run/user/1000/tandem/agent-fe01-2a.sock"
    int activeRuns() const;
    // Returns for how long nobody has asked for anything and no run of the agent's own has been active; zero while a run or a watch goes
    // on. Runs that are only followed go on without an agent, and the next one follows them on.
    std::chrono::steady_clock::duration idleFor() const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

// The folder that holds the running program. Throws Error(kInternal).
std::filesystem::path thisProgramDir();

}  // namespace agent::server
