#include "agent/worker/sinks/task_start.h"

#include <array>

#include <unistd.h>

#include "agent/local/event_files.h"
#include "agent/local/process_mark.h"
#include "agent/wire/task_event_convert.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/project/project_json.h"

namespace agent::worker {

namespace spec = engine::spec;

proto::TaskStart taskStart(spec::RunSpec run, const spec::ClusterSpec& cluster, bool is_independent) {
    run.cluster.spec = cluster;
    proto::TaskStart start;
    start.set_version(convert::kEventFilesVersion);
    start.set_run_name(run.name);
    start.set_project_json(spec::toProjectJson(run));
    for (const spec::TaskPlan& plan : spec::planTasks(run)) {
        *start.add_tasks() = convert::toProto(plan.task);
        if (plan.is_chief && isTrainer(plan)) *start.mutable_chief() = convert::toProto(plan.task);
    }
    start.set_independent(is_independent);
    std::array<char, 256> host{};
    if (::gethostname(host.data(), host.size() - 1) == 0) start.set_host(convert::validUtf8(host.data()));
    start.set_process(convert::ownProcessMark());
    return start;
}

}  // namespace agent::worker
