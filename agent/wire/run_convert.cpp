#include "agent/wire/run_convert.h"

#include <algorithm>

#include "agent/proto/agent.pb.h"
#include "agent/wire/gpu_convert.h"
#include "agent/wire/size_limits.h"
#include "agent/wire/task_event_convert.h"
#include "agent/wire/way_convert.h"
#include "engine/spec/error.h"

namespace agent::convert {

namespace {

constexpr std::size_t kMostResults = 1000, kMostResultName = 256;
constexpr int kMostTasksOfHost = 256;

}  // namespace

// A record that an earlier version stored may be longer than what is stored today.
void toProto(const engine::run::RunInfo& run, proto::RunInfo& message) {
    const auto text = [](const std::string& value) { return validUtf8(shortened(value)); };
    message.set_id(run.id);
    message.set_name(text(run.name));
    message.set_state(static_cast<proto::RunState>(run.state));  // the same numbers
    message.set_detail(text(run.detail));
    message.set_created_unix_ns(run.created_unix_ns);
    message.set_finished_unix_ns(run.finished_unix_ns);
    message.set_run_dir(text(run.run_dir));
    message.set_tasks(run.tasks);
    message.set_project_json(validUtf8(boundedProject(run.project_json)));
    for (std::size_t i = 0; i < std::min(run.results.size(), kMostResults); ++i) {
        proto::NamedValue& result = *message.add_results();
        result.set_name(validUtf8(shortened(run.results[i].first, kMostResultName)));
        result.set_value(run.results[i].second);
    }
    message.set_checkpoint(text(run.checkpoint));
    message.set_weights_sha256(text(run.weights_sha256));
    message.set_attempts(run.attempts);
    message.set_idle_ns(run.idle_ns);
    message.set_imported_from(text(run.imported_from));
    message.set_branch_of(text(run.branch_of));
    message.set_followed(run.followed);
}

engine::run::RunInfo fromProto(const proto::RunInfo& message) {
    const auto state = engine::run::runStateOf(message.state());
    if (!state) {
        throw engine::Error(engine::ErrorCode::kInvalidArgument,
                            "run state: expected one of the known values, got " + std::to_string(message.state()));
    }
    engine::run::RunInfo run{.id = message.id(),
                             .name = message.name(),
                             .state = *state,
                             .detail = message.detail(),
                             .created_unix_ns = message.created_unix_ns(),
                             .finished_unix_ns = message.finished_unix_ns(),
                             .run_dir = message.run_dir(),
                             .tasks = message.tasks(),
                             .project_json = message.project_json(),
                             .results = {},
                             .checkpoint = message.checkpoint(),
                             .weights_sha256 = message.weights_sha256(),
                             .attempts = std::max(1, message.attempts()),
                             .idle_ns = message.idle_ns(),
                             .imported_from = message.imported_from(),
                             .branch_of = message.branch_of(),
                             .followed = message.followed()};
    for (const proto::NamedValue& result : message.results()) {
        run.results.emplace_back(result.name(), result.value());
    }
    return run;
}

void toProto(const std::vector<engine::spec::HostShare>& shares, proto::SubmitRequest& message) {
    for (const engine::spec::HostShare& share : shares) {
        proto::HostShare& added = *message.add_hosts();
        added.set_host(validUtf8(share.host));
        added.set_workers(share.workers);
        added.set_servers(share.servers);
    }
}

std::vector<engine::spec::HostShare> sharesOf(const proto::SubmitRequest& message) {
    std::vector<engine::spec::HostShare> shares;
    for (const proto::HostShare& share : message.hosts()) {
        const auto is_count = [](int count) { return count >= 0 && count <= kMostTasksOfHost; };
        if (share.host().empty() || !is_count(share.workers()) || !is_count(share.servers()) || share.workers() + share.servers() == 0) {
            throw engine::Error(engine::ErrorCode::kInvalidArgument, "hosts: expected a name with 1 to " +
                                                                         std::to_string(kMostTasksOfHost) + " tasks, got \"" +
                                                                         share.host() + "\" with " + std::to_string(share.workers()) +
                                                                         " workers and " + std::to_string(share.servers()) + " servers");
        }
        shares.push_back({share.host(), share.workers(), share.servers()});
    }
    return shares;
}

proto::ShareFilesReply toProto(const engine::run::FilesProgress& progress) {
    proto::ShareFilesReply message;
    message.set_host(validUtf8(progress.host));
    message.set_file(validUtf8(progress.file));
    message.set_sent_bytes(progress.sent_bytes);
    message.set_all_bytes(progress.all_bytes);
    return message;
}

engine::run::FilesProgress fromProto(const proto::ShareFilesReply& message) {
    return {message.host(), message.file(), message.sent_bytes(), message.all_bytes()};
}

void toProto(const engine::run::HostInfo& host, proto::HostInfo& message) {
    message.set_host_name(validUtf8(host.host_name));
    message.set_agent_version(host.agent_version);
    message.set_cpu_model(validUtf8(host.cpu_model));
    message.set_vector_units(host.vector_units);
    message.set_cores(host.cores);
    message.set_memory_bytes(host.memory_bytes);
    message.set_memory_available_bytes(host.memory_available_bytes);
    message.set_disk_available_bytes(host.disk_available_bytes);
    message.set_runs_dir(validUtf8(host.runs_dir));
    toProto(host.gpus, *message.mutable_gpus());
    for (const std::string& dataset : host.datasets) {
        message.add_datasets(validUtf8(dataset));
    }
    for (const std::string& address : host.addresses) {
        message.add_addresses(address);
    }
    message.set_runs_notice(validUtf8(shortened(host.runs_notice)));
    message.set_direct_notice(validUtf8(shortened(host.direct_notice)));
}

engine::run::HostInfo fromProto(const proto::HostInfo& message) {
    return {.host_name = message.host_name(),
            .agent_version = message.agent_version(),
            .cpu_model = message.cpu_model(),
            .vector_units = message.vector_units(),
            .cores = message.cores(),
            .memory_bytes = message.memory_bytes(),
            .memory_available_bytes = message.memory_available_bytes(),
            .disk_available_bytes = message.disk_available_bytes(),
            .runs_dir = message.runs_dir(),
            .gpus = fromProto(message.gpus()),
            .datasets = {message.datasets().begin(), message.datasets().end()},
            .addresses = {message.addresses().begin(), message.addresses().end()},
            .runs_notice = message.runs_notice(),
            .direct_notice = message.direct_notice()};
}

void toProto(const engine::spec::DoctorReport& report, proto::DoctorReply& message) {
    for (const engine::spec::DoctorRow& row : report.rows) {
        proto::DoctorRow& out = *message.add_rows();
        out.set_state(static_cast<proto::DoctorState>(static_cast<int>(row.state) + proto::DOCTOR_STATE_OK));
        out.set_check(row.check);
        out.set_title(validUtf8(row.title));
        out.set_detail(validUtf8(row.detail));
        out.set_fix(validUtf8(row.fix));
        out.set_path(row.path);
    }
    for (const engine::spec::DoctorLink& link : report.links) {
        proto::DoctorLink& out = *message.add_links();
        *out.mutable_from() = toProto(link.from);
        *out.mutable_to() = toProto(link.to);
        out.set_latency_us(link.latency_us);
        out.set_bytes_per_s(link.bytes_per_s);
        out.set_problem(validUtf8(link.problem));
    }
    for (const engine::spec::HostWay& way : report.ways) {
        toProto(way, *message.add_ways());
    }
}

engine::spec::DoctorReport fromProto(const proto::DoctorReply& message) {
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
        report.links.push_back({fromProto(link.from()), fromProto(link.to()), link.latency_us(), link.bytes_per_s(), link.problem()});
    }
    for (const proto::DoctorWay& way : message.ways()) {
        report.ways.push_back(fromProto(way));
    }
    return report;
}

void toProto(const engine::spec::HostLoad& load, proto::HostLoad& message) {
    message.set_time_unix_ns(load.time_unix_ns);
    message.set_interval_s(load.interval_s);
    message.set_cpu_cores(load.cpu_cores);
    message.set_cores(load.cores);
    message.set_memory_used_bytes(load.memory_used_bytes);
    message.set_memory_bytes(load.memory_bytes);
    message.set_received_bytes_per_s(load.received_bytes_per_s);
    message.set_sent_bytes_per_s(load.sent_bytes_per_s);
    message.set_loopback_bytes_per_s(load.loopback_bytes_per_s);
    message.set_host(validUtf8(load.host));
    for (const engine::spec::TaskLoad& task : load.tasks) {
        proto::TaskLoad& out = *message.add_tasks();
        out.set_run_id(task.run_id);
        *out.mutable_task() = toProto(task.task);
        out.set_pid(task.pid);
        out.set_cpu_cores(task.cpu_cores);
        out.set_resident_bytes(task.resident_bytes);
        out.set_gpu_memory_bytes(task.gpu_memory_bytes);
        if (task.exchange) *out.mutable_exchange() = toProto(*task.exchange);
    }
    for (const engine::spec::GpuLoad& gpu : load.gpus) {
        proto::GpuLoad& out = *message.add_gpus();
        out.set_name(validUtf8(gpu.name));
        out.set_busy(gpu.busy);
        out.set_memory_used_bytes(gpu.memory_used_bytes);
        out.set_memory_bytes(gpu.memory_bytes);
    }
}

engine::spec::HostLoad fromProto(const proto::HostLoad& message) {
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
                                .gpus = {},
                                .host = message.host()};
    for (const proto::TaskLoad& task : message.tasks()) {
        load.tasks.push_back(
            {task.run_id(), fromProto(task.task()), task.pid(), task.cpu_cores(), task.resident_bytes(), task.gpu_memory_bytes()});
        if (task.has_exchange()) load.tasks.back().exchange = fromProto(task.exchange());
    }
    for (const proto::GpuLoad& gpu : message.gpus()) {
        load.gpus.push_back({gpu.name(), gpu.busy(), gpu.memory_used_bytes(), gpu.memory_bytes()});
    }
    return load;
}

}  // namespace agent::convert
