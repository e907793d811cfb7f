// Runs, hosts, their load and the doctor's report between the wire (agent/proto/agent.proto) and the engine's values. Pure functions, safe
// from any thread. Texts that are too long for a message are shortened, bytes that are no UTF-8 replaced.
#pragma once

#include <vector>

#include "engine/run/files_progress.h"
#include "engine/run/host_info.h"
#include "engine/run/run_info.h"
#include "engine/spec/cluster/host_share.h"
#include "engine/spec/events/doctor_report.h"
#include "engine/spec/events/host_load.h"

namespace agent::proto {
class DoctorReply;
class HostInfo;
class HostLoad;
class RunInfo;
class ShareFilesReply;
class SubmitRequest;
}  // namespace agent::proto

namespace agent::convert {

void toProto(const engine::run::RunInfo& run, proto::RunInfo& message);
// Throws Error(kInvalidArgument) for a state that this program does not know.
engine::run::RunInfo fromProto(const proto::RunInfo& message);

void toProto(const std::vector<engine::spec::HostShare>& shares, proto::SubmitRequest& message);
// Throws Error(kInvalidArgument) for numbers of tasks that no host has.
std::vector<engine::spec::HostShare> sharesOf(const proto::SubmitRequest& message);

proto::ShareFilesReply toProto(const engine::run::FilesProgress& progress);
engine::run::FilesProgress fromProto(const proto::ShareFilesReply& message);

void toProto(const engine::run::HostInfo& host, proto::HostInfo& message);
engine::run::HostInfo fromProto(const proto::HostInfo& message);

void toProto(const engine::spec::DoctorReport& report, proto::DoctorReply& message);
// Throws Error(kInvalidArgument) for a row's state that this program does not know.
engine::spec::DoctorReport fromProto(const proto::DoctorReply& message);

void toProto(const engine::spec::HostLoad& load, proto::HostLoad& message);
engine::spec::HostLoad fromProto(const proto::HostLoad& message);

}  // namespace agent::convert
