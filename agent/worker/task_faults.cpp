#include "agent/worker/task_faults.h"

#include <algorithm>

namespace agent::worker {

namespace chaos = engine::chaos;
namespace spec = engine::spec;

void TaskFaults::take(const chaos::Fault& fault, const Effects& effects) {
    const auto refuse = [&](const std::string& why) {
        effects.log({spec::LogLevel::kWarning, "\"" + toText(fault) + "\" was not done: " + why});
    };
    switch (fault.kind) {
        case chaos::FaultKind::kSlow:
            links_.slow(fault.amount, fault.lasting);
            return;
        case chaos::FaultKind::kCut: {
            const auto peer = std::find(members_.begin(), members_.end(), fault.peer.value_or(fault.task));
            if (peer == members_.end()) {
                refuse("expected one of the tasks that sum with this one, got another");
                return;
            }
            links_.cut(static_cast<int>(peer - members_.begin()), fault.lasting);
            return;
        }
        case chaos::FaultKind::kSkew:
            effects.skew(fault.amount, fault.lasting);
            return;
        case chaos::FaultKind::kFillDisk:
            if (!files_.hold(fault.lasting)) refuse("the system does not let this process limit its files");
            return;
        case chaos::FaultKind::kKill:
        case chaos::FaultKind::kStop:
            refuse("a task does not do that to itself");
            return;
    }
}

}  // namespace agent::worker
