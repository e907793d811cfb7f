// The tasks that another computer has of a run, as the supervisor of the run's home sees them. Implementation: agent/home.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "agent/server/doctor/doctor.h"
#include "agent/server/host/load_sinks.h"
#include "agent/server/process/process.h"
#include "engine/run/files_progress.h"
#include "engine/spec/cluster/smaller_cluster.h"
#include "engine/spec/project/cluster_spec.h"

namespace agent::server {

struct PartPlan {
    std::string run_id;                       // at home
    std::string project_json;                 // with the whole cluster
    std::vector<engine::spec::TaskId> tasks;  // in the order of the ports
    // The run's chief, and the run's folder at home: the files of the chief's folder are brought into it where it is one of these tasks.
    engine::spec::TaskId chief{};
    std::filesystem::path folder{};
    bool goes_on = false;  // from a backup in that folder: the tasks start in the folders that they had there
    // The tasks start and end together; else each may be started again while the others go on.
    bool together = true;
    LoadSink loads{};                            // of that computer, while tasks are there; empty: nobody wants them
    std::chrono::milliseconds patience{600000};  // for a host out of reach, or a port that is taken, when tasks are started again
};

// The share of a computer in a run that goes on without some of its tasks.
struct PartChange {
    std::string project_json;                                // with the whole cluster, which is smaller
    std::vector<engine::spec::SmallerCluster::Kept> kept{};  // of the part's tasks: at least one
    engine::spec::TaskId chief{};                            // of the run, now
    // The chief is one of these tasks and the backup was written elsewhere: what home has of it is brought there before they start.
    bool lacks_backup = false;
};

// A part exists when the other computer has looked at the run and holds what its tasks need. A part without a plan() lets that go in the
// end.
class FarPart {
public:
    virtual ~FarPart() = default;
    // The name that the user gave the computer.
    virtual const std::string& host() const = 0;
    // Return where the part's tasks will listen: that computer's address, and a port for each of them, held there.
    virtual const std::string& address() const = 0;
    virtual const std::vector<int>& ports() const = 0;
    // Returns this computer's address, as that one sees it.
    virtual const std::string& addressOfHome() const = 0;
    virtual void plan(PartPlan plan) = 0;
    // Changes a planned part whose tasks start together and have all ended: the next launch() is of those that are kept, by their new
    // names, on the ports that they had.
    virtual void goOnWith(PartChange change) = 0;
    // Returns a process that stands for the task. The task starts there when the process has been handed its credentials; where the tasks
    // of the plan start together, they all start when each has them. What keeps them from starting is the processes' end. May be called
    // again for a task whose process has ended. Used by the supervisor's thread.
    virtual std::unique_ptr<Process> launch(const engine::spec::TaskId& task) = 0;
};

// Tasks of a run whose home was killed, which run there already: together they are one run of that computer's agent.
struct StandingPart {
    std::vector<engine::spec::TaskId> tasks;
    std::vector<int> ports;           // of the tasks
    std::string run, folder;          // there
    std::uint64_t next_sequence = 1;  // of its journal, from where home lacks something
    int skip_to_attempt = 0;          // what stands from there to the start of this attempt is of an earlier one; 0: nothing
    std::map<engine::spec::TaskId, std::uint64_t> told;  // the newest event of each that home has
};

struct PartRequest {
    std::string host;  // a name of the list of hosts, or where ssh goes for one of them
    int tasks = 0;
    std::vector<int> ports{};  // of each task; empty: any
    // When there are some, the tasks run there already, and the computer is reached when the supervisor has launched them.
    std::vector<StandingPart> standing{};
};

// Reaches all of these computers at once, with the user's ssh-agent at that socket (empty: as this process' environment says). Throws Error
// with a sentence for each that can't have its part, and then holds nothing anywhere.
using PartMaker = std::function<std::vector<std::shared_ptr<FarPart>>(const std::vector<PartRequest>& requests,
                                                                      const std::string& project_json, const std::string& ssh_agent)>;

// Looks at computers for a run, and measures the ways between them.
using FarDoctor = std::function<FarSight(const FarCase& asked)>;

struct ShareHandler {
    std::function<void(const engine::run::FilesProgress& progress)> progress;  // from any thread, one call at a time
    std::function<bool()> is_cancelled;
};

// Sends the project's own files to those of these computers that lack them. Throws Error with a sentence for each that can't get them, and
// kCancelled.
using FileSharer = std::function<void(const std::vector<std::string>& hosts, const std::string& project_json, const std::string& ssh_agent,
                                      const ShareHandler& handler)>;

}  // namespace agent::server
