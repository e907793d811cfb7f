#include "agent/wire/fault_convert.h"

#include <algorithm>

#include "agent/proto/task_event.pb.h"
#include "agent/wire/task_event_convert.h"
#include "engine/spec/error.h"

namespace agent::convert {

namespace chaos = engine::chaos;

namespace {

constexpr std::int64_t kLargestMs = std::chrono::milliseconds(std::chrono::hours(24)).count();

// faultProblem() says the rest.
std::chrono::milliseconds duration(std::int64_t ms) {
    return std::chrono::milliseconds(std::clamp(ms, -kLargestMs, kLargestMs));
}

engine::spec::TaskId knownTask(const proto::TaskId& message) {
    const engine::spec::TaskId task = convert::fromProto(message);
    if (!chaos::parseTask(chaos::toText(task))) {
        throw engine::Error(engine::ErrorCode::kInvalidArgument,
                            "fault: expected a task such as worker:1, got \"" + chaos::toText(task) + "\"");
    }
    return task;
}

}  // namespace

proto::TaskFault toProto(const chaos::Fault& fault) {
    proto::TaskFault message;
    message.set_kind(static_cast<proto::FaultKind>(static_cast<int>(fault.kind) + 1));
    *message.mutable_task() = convert::toProto(fault.task);
    if (fault.peer) *message.mutable_peer() = convert::toProto(*fault.peer);
    message.set_lasting_ms(fault.lasting.count());
    message.set_amount_ms(fault.amount.count());
    return message;
}

chaos::Fault fromProto(const proto::TaskFault& message) {
    const int kind = static_cast<int>(message.kind()) - 1;
    if (kind < 0 || kind >= static_cast<int>(chaos::faultKinds().size())) {
        throw engine::Error(engine::ErrorCode::kInvalidArgument,
                            "fault: expected a known kind, got " + std::to_string(static_cast<int>(message.kind())));
    }
    chaos::Fault fault{.kind = static_cast<chaos::FaultKind>(kind),
                       .task = knownTask(message.task()),
                       .peer = {},
                       .lasting = duration(message.lasting_ms()),
                       .amount = duration(message.amount_ms())};
    if (message.has_peer()) fault.peer = knownTask(message.peer());
    if (const std::string problem = chaos::faultProblem(fault); !problem.empty()) {
        throw engine::Error(engine::ErrorCode::kInvalidArgument, problem);
    }
    return fault;
}

}  // namespace agent::convert
