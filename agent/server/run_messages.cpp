#include "agent/server/run_messages.h"

#include <algorithm>

#include "agent/convert/gpu_convert.h"
#include "agent/convert/size_limits.h"
#include "agent/convert/task_event_convert.h"
#include "agent/history/run_store.h"
#include "agent/proto/agent.pb.h"
#include "agent/server/host_probe.h"
#include "engine/spec/doctor_report.h"
#include "engine/spec/host_load.h"

namespace agent::server {

namespace {

using history::RunState;

constexpr std::size_t kMostResults = 1000, kMostResultName = 256;

proto::RunState toMessage(RunState state) {
    switch (state) {
        case RunState::kStarting:
            return proto::RUN_STATE_STARTING;
        case RunState::kTraining:
            return proto::RUN_STATE_TRAINING;
        case RunState::kPaused:
            return proto::RUN_STATE_PAUSED;
        case RunState::kDone:
            return proto::RUN_STATE_DONE;
        case RunState::kStopped:
            return proto::RUN_STATE_STOPPED;
        case RunState::kFailed:
            return proto::RUN_STATE_FAILED;
    }
    return proto::RUN_STATE_UNSPECIFIED;
}

}  // namespace

// What an earlier version stored may be longer than what is stored today.
void toMessage(const history::RunRecord& run, proto::RunInfo& message) {
    const auto text = [](const std::string& value) { return convert::validUtf8(convert::shortened(value)); };
    message.set_id(run.id);
    message.set_name(text(run.name));
    message.set_state(toMessage(run.state));
    message.set_detail(text(run.detail));
    message.set_created_unix_ns(run.created_unix_ns);
    message.set_finished_unix_ns(run.finished_unix_ns);
    message.set_run_dir(text(run.run_dir));
    message.set_tasks(run.tasks);
    message.set_project_json(convert::validUtf8(convert::boundedProject(run.project_json)));
    for (std::size_t i = 0; i < std::min(run.results.size(), kMostResults); ++i) {
        proto::NamedValue& result = *message.add_results();
        result.set_name(convert::validUtf8(convert::shortened(run.results[i].first, kMostResultName)));
        result.set_value(run.results[i].second);
    }
    message.set_checkpoint(text(run.checkpoint));
    message.set_weights_sha256(text(run.weights_sha256));
    message.set_attempts(run.attempts);
    message.set_idle_ns(run.idle_ns);
}

void toMessage(const HostFacts& facts, proto::HostInfo& message) {
    message.set_host_name(convert::validUtf8(facts.host_name));
    message.set_cpu_model(convert::validUtf8(facts.cpu_model));
    message.set_vector_units(facts.vector_units);
    message.set_cores(facts.cores);
    message.set_memory_bytes(facts.memory_bytes);
    message.set_memory_available_bytes(facts.memory_available_bytes);
    message.set_disk_available_bytes(facts.disk_available_bytes);
    convert::toProto(facts.gpus, *message.mutable_gpus());
    for (const std::string& dataset : facts.datasets) {
        message.add_datasets(convert::validUtf8(dataset));
    }
    for (const std::string& address : facts.addresses) {
        message.add_addresses(address);
    }
}

void toMessage(const engine::spec::DoctorReport& report, proto::DoctorReply& message) {
    for (const engine::spec::DoctorRow& row : report.rows) {
        proto::DoctorRow& out = *message.add_rows();
        out.set_state(static_cast<proto::DoctorState>(static_cast<int>(row.state) + proto::DOCTOR_STATE_OK));
        out.set_check(row.check);
        out.set_title(convert::validUtf8(row.title));
        out.set_detail(convert::validUtf8(row.detail));
        out.set_fix(convert::validUtf8(row.fix));
        out.set_path(row.path);
    }
    for (const engine::spec::DoctorLink& link : report.links) {
        proto::DoctorLink& out = *message.add_links();
        *out.mutable_from() = convert::toProto(link.from);
        *out.mutable_to() = convert::toProto(link.to);
        out.set_latency_us(link.latency_us);
        out.set_bytes_per_s(link.bytes_per_s);
        out.set_problem(convert::validUtf8(link.problem));
    }
}

void toMessage(const engine::spec::HostLoad& load, proto::HostLoad& message) {
    message.set_time_unix_ns(load.time_unix_ns);
    message.set_interval_s(load.interval_s);
    message.set_cpu_cores(load.cpu_cores);
    message.set_cores(load.cores);
    message.set_memory_used_bytes(load.memory_used_bytes);
    message.set_memory_bytes(load.memory_bytes);
    message.set_received_bytes_per_s(load.received_bytes_per_s);
    message.set_sent_bytes_per_s(load.sent_bytes_per_s);
    message.set_loopback_bytes_per_s(load.loopback_bytes_per_s);
    for (const engine::spec::TaskLoad& task : load.tasks) {
        proto::TaskLoad& out = *message.add_tasks();
        out.set_run_id(task.run_id);
        *out.mutable_task() = convert::toProto(task.task);
        out.set_pid(task.pid);
        out.set_cpu_cores(task.cpu_cores);
        out.set_resident_bytes(task.resident_bytes);
        out.set_gpu_memory_bytes(task.gpu_memory_bytes);
    }
    for (const engine::spec::GpuLoad& gpu : load.gpus) {
        proto::GpuLoad& out = *message.add_gpus();
        out.set_name(convert::validUtf8(gpu.name));
        out.set_busy(gpu.busy);
        out.set_memory_used_bytes(gpu.memory_used_bytes);
        out.set_memory_bytes(gpu.memory_bytes);
    }
}

}  // namespace agent::server
