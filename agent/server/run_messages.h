// What the service answers, made of the book's records.
#pragma once

namespace engine::spec {
struct DoctorReport;
struct HostLoad;
}  // namespace engine::spec

namespace agent::proto {
class DoctorReply;
class HostInfo;
class HostLoad;
class RunInfo;
}  // namespace agent::proto

namespace agent::history {
struct RunRecord;
}

namespace agent::server {

struct HostFacts;

void toMessage(const history::RunRecord& run, proto::RunInfo& message);
// agent_version and runs_dir stay as they are.
void toMessage(const HostFacts& facts, proto::HostInfo& message);
void toMessage(const engine::spec::DoctorReport& report, proto::DoctorReply& message);
void toMessage(const engine::spec::HostLoad& load, proto::HostLoad& message);

}  // namespace agent::server
