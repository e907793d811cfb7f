#include "agent/server/supervision/injected_faults.h"

#include <algorithm>
#include <csignal>

#include "engine/spec/error.h"

namespace agent::server {

namespace chaos = engine::chaos;

void InjectedFaults::begin(const chaos::Fault& fault, SupervisedTask& task, SteadyTime now) {
    const std::string name = toString(task.id());
    if (task.exit() || task.terminated()) {
        throw engine::Error(engine::ErrorCode::kFailedPrecondition, name + ": expected a process that runs, it has ended");
    }
    const auto same = std::find_if(lasting_.begin(), lasting_.end(), [&](const Lasting& one) {
        return one.fault.kind == fault.kind && one.fault.task == fault.task && one.fault.peer == fault.peer;
    });
    if (same != lasting_.end()) {
        throw engine::Error(engine::ErrorCode::kFailedPrecondition, name + ": \"" + toText(same->fault) + "\" is not over yet");
    }
    switch (fault.kind) {
        case chaos::FaultKind::kKill:
            task.process().signalGroup(SIGKILL);
            return;
        case chaos::FaultKind::kStop:
            task.process().signalGroup(SIGSTOP);
            break;
        case chaos::FaultKind::kSlow:
        case chaos::FaultKind::kCut:
        case chaos::FaultKind::kFillDisk:
        case chaos::FaultKind::kSkew:
            if (!task.send(fault)) {
                throw engine::Error(engine::ErrorCode::kUnavailable, name + ": does not take orders");
            }
            break;
    }
    lasting_.push_back({fault, now + fault.lasting});
}

std::vector<chaos::Fault> InjectedFaults::end(const std::function<SupervisedTask*(const engine::spec::TaskId&)>& find, SteadyTime now) {
    std::vector<chaos::Fault> over;
    std::erase_if(lasting_, [&](const Lasting& one) {
        SupervisedTask* const task = find(one.fault.task);
        if (task == nullptr || task->exit()) {
            return true;
        }
        if (now < one.until) {
            return false;
        }
        if (one.fault.kind == chaos::FaultKind::kStop) {
            task->process().signalGroup(SIGCONT);
        }
        over.push_back(one.fault);
        return true;
    });
    return over;
}

SteadyTime InjectedFaults::nextEnd() const {
    SteadyTime next = SteadyTime::max();
    for (const Lasting& one : lasting_) {
        next = std::min(next, one.until);
    }
    return next;
}

}  // namespace agent::server
