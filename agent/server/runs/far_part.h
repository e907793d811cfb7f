// The tasks that another computer has of a run, as the supervisor of the run's home sees them. Implementation: agent/home.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "agent/server/process/process.h"
#include "engine/spec/project/cluster_spec.h"

namespace agent::server {

struct PartPlan {
    std::string project_json;                 // with the whole cluster
    std::vector<engine::spec::TaskId> tasks;  // in the order of the ports
    // The run's chief, and the run's folder at home: the files of the chief's folder are brought into it where it is one of these tasks.
    engine::spec::TaskId chief{};
    std::filesystem::path folder{};
    bool goes_on = false;  // from a backup in that folder: the tasks start in the folders that they had there
    // The tasks start and end together; else each may be started again while the others go on.
    bool together = true;
    std::chrono::milliseconds patience{600000};  // for a host out of reach, or a port that is taken, when tasks are started again
};

// Made when the other computer has looked at the run and holds what its tasks need; without a plan() it lets that go again in the end.
class FarPart {
public:
    virtual ~FarPart() = default;
    // The name that the user gave the computer.
    virtual const std::string& host() const = 0;
    // Where its tasks will listen: that computer's address, and a port for each of them, held there.
    virtual const std::string& address() const = 0;
    virtual const std::vector<int>& ports() const = 0;
    // This computer's address, as that one sees it.
    virtual const std::string& addressOfHome() const = 0;
    virtual void plan(PartPlan plan) = 0;
    // A process that stands for the task, which starts there when it has been handed its credentials, and with it, of a plan whose tasks
    // start together, all others. What keeps them from starting is the processes' end. May be called again for a task whose process has
    // ended. Used by the supervisor's thread.
    virtual std::unique_ptr<Process> launch(const engine::spec::TaskId& task) = 0;
};

struct PartRequest {
    std::string host;
    int tasks = 0;
};

// Reaches all of these computers at once, with the user's ssh-agent at that socket (empty: as this process' environment says). Throws Error
// with a sentence for each that can't have its part, and then holds nothing anywhere.
using PartMaker = std::function<std::vector<std::shared_ptr<FarPart>>(const std::vector<PartRequest>& requests,
                                                                      const std::string& project_json, const std::string& ssh_agent)>;

}  // namespace agent::server
