// What studio and command line ask of an agent. No gRPC type here; values are engine/spec's.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/client/watch.h"
#include "engine/chaos/fault.h"
#include "engine/launch/launch_job.h"
#include "engine/run/files_progress.h"
#include "engine/run/host_info.h"
#include "engine/run/run_archive.h"
#include "engine/run/run_info.h"
#include "engine/spec/cluster/host_share.h"
#include "engine/spec/events/doctor_report.h"
#include "engine/spec/events/engine_question.h"
#include "engine/spec/events/host_load.h"
#include "engine/spec/events/task_event.h"
#include "engine/spec/project/run_spec.h"

namespace agent::client {

struct SubmitRequest {
    engine::spec::RunSpec run;                      // with its cluster filled in, or empty for one task
    int local_workers = 0;                          // > 0: the agent reserves that many ports and makes the cluster itself
    int local_servers = 0;                          // > 0, with local_workers: that many ps tasks beside them
    std::string run_dir;                            // empty: below the agent's runs folder
    std::string data_dir;                           // dataFolder() for an agent of this computer; empty: its own
    std::string save_weights;                       // where the weights go after training, absolute: the user's word, not the project's
    bool overwrite = false;                         // begin anew in a folder that holds a run; else a finished one is refused
    std::optional<engine::spec::TaskId> only_task;  // the others are started by hand; empty: all tasks
    std::vector<engine::spec::HostShare> hosts;     // the computers of the run, in place of local_workers; the agent reaches the others
    std::string ssh_agent;                          // with which ssh-agent: the caller's SSH_AUTH_SOCK; empty: the agent's own
};

// A run that Slurm is to start, by the programs of the computer that takes it.
struct JobRequest {
    // Its run_folder is absolute, where every node sees it; empty: below the runs folder of that computer's agent. Its programs empty:
    // where that agent's lie. Its project is of no account: the run is kept in the folder.
    engine::launch::LaunchJob job;
    engine::spec::RunSpec run;
    std::string host;       // of the user's list; empty: this computer
    std::string ssh_agent;  // as in SubmitRequest
};

// A folder that is followed.
struct FolderRequest {
    std::string folder;     // absolute
    std::string host;       // of the user's list, that sees it; empty: this computer
    std::string ssh_agent;  // as in SubmitRequest
};

struct SubmittedJob {
    std::string job;                         // as Slurm numbers it
    std::vector<engine::run::RunInfo> runs;  // by seed
};

// Safe from any thread. Every call takes a deadline; failures throw engine::Error (kUnavailable when the agent does not answer).
class AgentClient {
public:
    virtual ~AgentClient() = default;

    virtual engine::run::HostInfo describe(std::chrono::milliseconds deadline) = 0;
    virtual engine::run::RunInfo submit(const SubmitRequest& request, std::chrono::milliseconds deadline) = 0;
    // Sends the run's own files to those of its other computers that lack them, which submit() expects. `progress` hears how far that is,
    // at least twice a second, and ends it with false: kCancelled.
    virtual void shareFiles(const SubmitRequest& request, const std::function<bool(const engine::run::FilesProgress&)>& progress) = 0;
    virtual void control(const std::string& run_id, const engine::spec::Control& control, std::chrono::milliseconds deadline) = 0;
    // Lets something go wrong in one task of a run that is live, whose journal tells of it (engine/chaos/fault_watch.h). Throws what
    // agent.proto says; kAborted for what can't be done now and may be in a moment.
    virtual void injectFault(const std::string& run_id, const engine::chaos::Fault& fault, std::chrono::milliseconds deadline) = 0;
    virtual std::vector<engine::run::RunInfo> listRuns(std::chrono::milliseconds deadline) = 0;
    virtual engine::run::RunInfo getRun(const std::string& run_id, std::chrono::milliseconds deadline) = 0;
    // Lets the agent follow a run whose tasks have no agent, in its folder (absolute): from here on it is a run like any other.
    virtual engine::run::RunInfo followFolder(const FolderRequest& request, std::chrono::milliseconds deadline) = 0;
    // Hands it to Slurm; from here on it is a run like any other, which waits in the queue. Another computer has to have the run's own
    // files: shareFiles().
    virtual SubmittedJob submitJob(const JobRequest& request, std::chrono::milliseconds deadline) = 0;
    // Lets the agent write a run that is over into one file, or make a run of such a file. `progress` hears how far that is, several times
    // a second, and ends it with false: kCancelled. Throw what agent/server/runs/run_archives.h says.
    using ArchiveProgress = std::function<bool(const engine::run::ArchiveProgress&)>;
    virtual engine::run::WrittenArchive archiveRun(const engine::run::ArchiveRequest& request, const ArchiveProgress& progress) = 0;
    virtual engine::run::ImportedRun importRun(const std::string& file, const ArchiveProgress& progress) = 0;  // absolute
    // Looks at what the run would need of this host and of the addresses in its cluster; starts nothing. Takes some seconds, and up to some
    // 80 where ways between computers are measured. `is_cancelled` is asked some 20 times a second and ends it with kCancelled; may be
    // empty.
    virtual engine::spec::DoctorReport doctor(const engine::spec::RunSpec& run, std::chrono::milliseconds deadline,
                                              const std::function<bool()>& is_cancelled) = 0;

    // Lets a tandem-worker of the agent's host answer and waits for it. Throws what the engine found wrong; kCancelled, kDeadlineExceeded,
    // kResourceExhausted (too many questions, too large an answer) and kInternal or kDataLoss for a worker that failed, with its last
    // words.
    virtual engine::spec::EngineAnswer ask(const engine::spec::EngineQuestion& question, const AskOptions& options) = 0;

    // Replays from `from_sequence` (1 = everything), then follows.
    virtual std::unique_ptr<Watch> watch(const std::string& run_id, std::uint64_t from_sequence, WatchHandler handler) = 0;

    // Tells what the host uses: readings of the last minutes that are later than `after_unix_ns` (0: all that the agent kept), then every
    // new one, about one a second.
    virtual std::unique_ptr<Watch> watchHost(std::int64_t after_unix_ns, HostHandler handler) = 0;

    // Asks the agent for a sign of life once a second until the watch ends. Streams go on by themselves when it answers again.
    virtual std::unique_ptr<Watch> watchPulse(PulseHandler handler) = 0;
};

// Returns the answer of the kind that `asked` wants; `question` says which project is meant. Throws as AgentClient::ask.
template <class Asked>
typename Asked::Answer ask(AgentClient& client, engine::spec::EngineQuestion question, Asked asked, const AskOptions& options) {
    question.asked = std::move(asked);
    return std::get<typename Asked::Answer>(client.ask(question, options));
}

class AgentChannel;
// An agent that is reached through `channel`, which need not have answered yet.
std::unique_ptr<AgentClient> makeAgentClient(std::shared_ptr<AgentChannel> channel);

// The agent of this computer: found by its address file, started when none answers. `agent_program` empty = beside this program.
// Throws engine::Error(kUnavailable) with the reason when it can't be reached by the deadline.
std::unique_ptr<AgentClient> connectLocalAgent(const std::string& agent_program, std::chrono::milliseconds deadline);

}  // namespace agent::client
