#include "agent/wire/job_convert.h"

#include "agent/proto/agent.pb.h"
#include "agent/wire/size_limits.h"
#include "agent/wire/task_event_convert.h"

namespace agent::convert {

void toProto(const engine::launch::LaunchJob& job, proto::LaunchJob& message) {
    message.set_name(validUtf8(job.name));
    message.set_nodes(job.nodes);
    message.set_tasks_per_node(job.tasks_per_node);
    message.set_cpus_per_task(job.cpus_per_task);
    message.set_gpus_per_task(job.gpus_per_task);
    message.set_seeds(job.seeds);
    message.set_memory(validUtf8(job.memory));
    message.set_time(validUtf8(job.time));
    message.set_partition(validUtf8(job.partition));
    for (const std::string& setting : job.settings) message.add_settings(validUtf8(setting));
    message.set_run_folder(validUtf8(job.run_folder));
    message.set_programs(validUtf8(job.programs));
}

engine::launch::LaunchJob fromProto(const proto::LaunchJob& message) {
    constexpr int kMostSettings = 1000;
    for (const auto& [name, text] : {std::pair("name", &message.name()), std::pair("memory", &message.memory()),
                                     std::pair("time", &message.time()), std::pair("partition", &message.partition())}) {
        requireSize(name, text->size(), kMaxTextBytes);
    }
    requireSize("folder", message.run_folder().size(), kMaxPathBytes - 1);
    requireSize("programs", message.programs().size(), kMaxPathBytes - 1);
    requireSize("settings", static_cast<std::size_t>(message.settings_size()), kMostSettings);
    engine::launch::LaunchJob job;
    job.name = message.name();
    job.nodes = message.nodes();
    job.tasks_per_node = message.tasks_per_node();
    job.cpus_per_task = message.cpus_per_task();
    job.gpus_per_task = message.gpus_per_task();
    job.seeds = message.seeds();
    job.memory = message.memory();
    job.time = message.time();
    job.partition = message.partition();
    for (const std::string& setting : message.settings()) {
        requireSize("setting", setting.size(), kMaxTextBytes);
        job.settings.push_back(setting);
    }
    job.run_folder = message.run_folder();
    job.programs = message.programs();
    return job;
}

}  // namespace agent::convert
