// The measurement of ways between the wire (agent/proto/question.proto, agent.proto) and engine/spec. Pure functions, safe from any thread.
#pragma once

#include "engine/spec/events/host_way.h"

namespace agent::proto {
class CallWaysQuestion;
class DoctorWay;
class ServeWaysQuestion;
enum WayOutcome : int;
}  // namespace agent::proto

namespace agent::convert {

inline constexpr int kMostWayTasks = 1024;   // of one measurement
inline constexpr int kMostWaySeconds = 300;  // in which a port is open for it

proto::WayOutcome toProto(engine::spec::WayOutcome outcome);
// An outcome of a later version counts as not tried.
engine::spec::WayOutcome fromProto(proto::WayOutcome outcome);

void toProto(const engine::spec::HostWay& way, proto::DoctorWay& message);
engine::spec::HostWay fromProto(const proto::DoctorWay& message);

void toProto(const engine::spec::ServeWaysQuestion& asked, proto::ServeWaysQuestion& message);
void toProto(const engine::spec::CallWaysQuestion& asked, proto::CallWaysQuestion& message);
// Both throw Error(kInvalidArgument) for a secret that is not 32 bytes, for a rank that is no task's and for numbers out of bounds.
// Certificates and addresses are checked where they are used.
engine::spec::ServeWaysQuestion fromProto(const proto::ServeWaysQuestion& message);
engine::spec::CallWaysQuestion fromProto(const proto::CallWaysQuestion& message);

}  // namespace agent::convert
