#include "agent/client/run_messages.h"

#include <algorithm>

#include "agent/convert/gpu_convert.h"
#include "agent/convert/size_limits.h"
#include "agent/convert/task_event_convert.h"
#include "agent/proto/agent.pb.h"
#include "engine/spec/error.h"

namespace agent::client {

namespace {

RunState fromMessage(proto::RunState state) {
    switch (state) {
        case proto::RUN_STATE_STARTING:
            return RunState::kStarting;
        case proto::RUN_STATE_TRAINING:
            return RunState::kTraining;
        case proto::RUN_STATE_PAUSED:
            return RunState::kPaused;
        case proto::RUN_STATE_DONE:
            return RunState::kDone;
        case proto::RUN_STATE_STOPPED:
            return RunState::kStopped;
        case proto::RUN_STATE_FAILED:
            return RunState::kFailed;
        default:
            throw engine::Error(engine::ErrorCode::kInvalidArgument,
                                "run state: expected one of the known values, got " + std::to_string(state));
    }
}

}  // namespace

RunInfo fromMessage(const proto::RunInfo& message) {
    RunInfo run;
    run.id = message.id();
    run.name = message.name();
    run.state = fromMessage(message.state());
    run.detail = message.detail();
    run.created_unix_ns = message.created_unix_ns();
    run.finished_unix_ns = message.finished_unix_ns();
    run.run_dir = message.run_dir();
    run.tasks = message.tasks();
    run.project_json = message.project_json();
    for (const proto::NamedValue& result : message.results()) {
        run.results.emplace_back(result.name(), result.value());
    }
    run.checkpoint = message.checkpoint();
    run.weights_sha256 = message.weights_sha256();
    run.attempts = std::max(1, message.attempts());
    run.idle_ns = message.idle_ns();
    return run;
}

HostInfo fromMessage(const proto::HostInfo& message) {
    HostInfo host;
    host.host_name = message.host_name();
    host.agent_version = message.agent_version();
    host.cpu_model = message.cpu_model();
    host.vector_units = message.vector_units();
    host.cores = message.cores();
    host.memory_bytes = message.memory_bytes();
    host.memory_available_bytes = message.memory_available_bytes();
    host.disk_available_bytes = message.disk_available_bytes();
    host.runs_dir = message.runs_dir();
    host.gpus = convert::fromProto(message.gpus());
    host.datasets.assign(message.datasets().begin(), message.datasets().end());
    host.addresses.assign(message.addresses().begin(), message.addresses().end());
    host.runs_notice = message.runs_notice();
    return host;
}

engine::spec::DoctorReport fromMessage(const proto::DoctorReply& message) {
    engine::spec::DoctorReport report;
    for (const proto::DoctorRow& row : message.rows()) {
        if (row.state() < proto::DOCTOR_STATE_OK || row.state() > proto::DOCTOR_STATE_ERROR) {
            throw engine::Error(engine::ErrorCode::kInvalidArgument,
                                "doctor: expected a row with a known state, got " + std::to_string(row.state()));
        }
        report.rows.push_back({static_cast<engine::spec::DoctorState>(row.state() - proto::DOCTOR_STATE_OK), row.check(), row.title(),
                               row.detail(), row.fix(), row.path()});
    }
    for (const proto::DoctorLink& link : message.links()) {
        report.links.push_back(
            {convert::fromProto(link.from()), convert::fromProto(link.to()), link.latency_us(), link.bytes_per_s(), link.problem()});
    }
    return report;
}

engine::spec::HostLoad fromMessage(const proto::HostLoad& message) {
    engine::spec::HostLoad load{.time_unix_ns = message.time_unix_ns(),
                                .interval_s = message.interval_s(),
                                .cpu_cores = message.cpu_cores(),
                                .cores = message.cores(),
                                .memory_used_bytes = message.memory_used_bytes(),
                                .memory_bytes = message.memory_bytes(),
                                .received_bytes_per_s = message.received_bytes_per_s(),
                                .sent_bytes_per_s = message.sent_bytes_per_s(),
                                .loopback_bytes_per_s = message.loopback_bytes_per_s(),
                                .tasks = {},
                                .gpus = {}};
    for (const proto::TaskLoad& task : message.tasks()) {
        load.tasks.push_back(
            {task.run_id(), convert::fromProto(task.task()), task.pid(), task.cpu_cores(), task.resident_bytes(), task.gpu_memory_bytes()});
    }
    for (const proto::GpuLoad& gpu : message.gpus()) {
        load.gpus.push_back({gpu.name(), gpu.busy(), gpu.memory_used_bytes(), gpu.memory_bytes()});
    }
    return load;
}

proto::SubmitRequest toMessage(const SubmitRequest& request) {
    proto::SubmitRequest message;
    message.set_project_json(convert::validUtf8(engine::spec::toProjectJson(request.run)));
    convert::requireSize("project", message.project_json().size(), convert::kMaxProjectBytes);
    message.set_local_workers(request.local_workers);
    message.set_run_dir(request.run_dir);
    message.set_overwrite(request.overwrite);
    message.set_data_dir(request.data_dir);
    message.set_save_weights(request.save_weights);
    if (request.only_task) {
        *message.mutable_only_task() = convert::toProto(*request.only_task);
    }
    return message;
}

}  // namespace agent::client
