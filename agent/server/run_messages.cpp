#include "agent/server/run_messages.h"

#include "agent/convert/task_event_convert.h"
#include "agent/history/run_store.h"
#include "agent/proto/agent.pb.h"
#include "agent/server/host_probe.h"

namespace agent::server {

namespace {

using history::RunState;

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

void toMessage(const history::RunRecord& run, proto::RunInfo& message) {
    message.set_id(run.id);
    message.set_name(convert::validUtf8(run.name));
    message.set_state(toMessage(run.state));
    message.set_detail(convert::validUtf8(run.detail));
    message.set_created_unix_ns(run.created_unix_ns);
    message.set_finished_unix_ns(run.finished_unix_ns);
    message.set_run_dir(convert::validUtf8(run.run_dir));
    message.set_tasks(run.tasks);
    message.set_project_json(convert::validUtf8(run.project_json));
    for (const auto& [name, value] : run.results) {
        proto::NamedValue& result = *message.add_results();
        result.set_name(name);
        result.set_value(value);
    }
    message.set_checkpoint(convert::validUtf8(run.checkpoint));
    message.set_weights_sha256(convert::validUtf8(run.weights_sha256));
}

void toMessage(const HostFacts& facts, proto::HostInfo& message) {
    message.set_host_name(convert::validUtf8(facts.host_name));
    message.set_cpu_model(convert::validUtf8(facts.cpu_model));
    message.set_vector_units(facts.vector_units);
    message.set_cores(facts.cores);
    message.set_memory_bytes(facts.memory_bytes);
    message.set_memory_available_bytes(facts.memory_available_bytes);
    message.set_disk_available_bytes(facts.disk_available_bytes);
    for (const std::string& gpu : facts.gpus) {
        message.add_gpus(convert::validUtf8(gpu));
    }
    message.set_no_gpu_reason(facts.no_gpu_reason);
    for (const std::string& dataset : facts.datasets) {
        message.add_datasets(convert::validUtf8(dataset));
    }
}

}  // namespace agent::server
