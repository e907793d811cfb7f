// What a user lets go wrong in a run to see what it does.
#include "agent/server/supervision/supervised_run.h"

#include <algorithm>

#include "agent/server/supervision/task_kinds.h"
#include "engine/spec/error.h"

namespace agent::server {

namespace spec = engine::spec;
namespace chaos = engine::chaos;

SupervisedTask* SupervisedRun::find(const spec::TaskId& id) {
    const auto found = std::find_if(tasks_.begin(), tasks_.end(), [&id](const auto& task) { return task->id() == id; });
    return found == tasks_.end() ? nullptr : found->get();
}

// Returns why this run can't have the fault; empty: it can.
std::string SupervisedRun::obstacleTo(const chaos::Fault& fault) const {
    if (finished_) {
        return "is over";
    }
    if (stop_.asked) {
        return "is ending";
    }
    const bool is_of_links = fault.kind == chaos::FaultKind::kSlow || fault.kind == chaos::FaultKind::kCut;
    if (is_of_links && (kind_.tasks_are_independent || !trains(fault.task) || (fault.peer && !trains(*fault.peer)) ||
                        (launches_.size() < 2 && !kind_.is_part))) {
        return std::string(chaos::traits(fault.kind).word) + ": expected workers that sum with each other, " + toString(fault.task) +
               " does not";
    }
    return {};
}

void SupervisedRun::inject(const chaos::Fault& fault, SteadyTime now) {
    for (const std::optional<spec::TaskId>& named : {std::optional(fault.task), fault.peer}) {
        const bool is_here =
            named && std::any_of(launches_.begin(), launches_.end(), [&](const TaskLaunch& one) { return one.task == *named; });
        // A part has some tasks of the run alone; the peer of a fault may be elsewhere.
        if (named && !is_here && !(kind_.is_part && *named != fault.task)) {
            throw engine::Error(engine::ErrorCode::kNotFound, "run " + record_.id + ": has no task " + chaos::toText(*named));
        }
    }
    if (const std::string obstacle = obstacleTo(fault); !obstacle.empty()) {
        throw engine::Error(engine::ErrorCode::kFailedPrecondition, "run " + record_.id + ": " + obstacle);
    }
    SupervisedTask* const task = find(fault.task);
    if (!failures_.empty() || restart_ || task == nullptr || (task->exit() && !returns_.empty())) {
        throw engine::Error(engine::ErrorCode::kUnavailable,
                            "run " + record_.id + ": has lost a task; it ends, or is about to start again");
    }
    if (task->isFar()) {  // its agent does it, and tells of it
        if (!task->process().isReached() || !task->send(fault)) {
            throw engine::Error(engine::ErrorCode::kUnavailable, "run " + record_.id + ": " + task->process().host() + ", where " +
                                                                     toString(fault.task) + " runs, is out of reach");
        }
        return;
    }
    faults_.begin(fault, *task, now);
    tellFault({fault, false});
    publish(now);
}

void SupervisedRun::endFaults(SteadyTime now) {
    for (const chaos::Fault& fault : faults_.end([this](const spec::TaskId& id) { return find(id); }, now)) {
        tellFault({fault, true});
    }
}

void SupervisedRun::tellFault(const chaos::FaultLine& line) {
    add(line.fault.task, spec::LogLine{spec::LogLevel::kWarning, chaos::journalLine(line)});
    log_(spec::LogLevel::kInfo, record_.id + ": " + chaos::journalLine(line));
}

}  // namespace agent::server
