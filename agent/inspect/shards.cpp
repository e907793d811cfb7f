#include "agent/inspect/shards.h"

#include <string>
#include <vector>

#include "agent/worker/project_loader.h"
#include "engine/data/dataset_catalog.h"
#include "engine/data/pipeline.h"
#include "engine/data/shard_preview.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/project/batch_advice.h"
#include "engine/spec/project/data_order.h"

namespace agent::worker {

namespace data = engine::data;
namespace spec = engine::spec;

namespace {

std::string policyName(const spec::DataSpec& settings, const data::Samples& samples, int tasks) {
    if (settings.auto_shard == spec::AutoShardPolicy::kOff) {
        return "OFF";
    }
    return data::isShardedByFile(settings, samples, tasks) ? "FILE" : "DATA";
}

}  // namespace

spec::ShardPreview shardPreview(const spec::EngineQuestion& question, const spec::ShardsQuestion& asked,
                                const EngineSurroundings& surroundings) {
    spec::RunSpec run = question.run;
    requireValid(run);
    data::LoadHooks hooks{surroundings.download_folder, {}};
    hooks.download.log = surroundings.note;
    hooks.download.is_cancelled = surroundings.is_cancelled;
    const data::Dataset set = data::loadRunDataset(run, surroundings.dataset_folders, question.base_dir, hooks);
    std::vector<spec::TaskPlan> plans = spec::planTasks(run);
    std::erase_if(plans, [](const spec::TaskPlan& plan) { return !isTrainer(plan) || coordinates(plan); });
    const auto tasks = static_cast<int>(plans.size());
    // Workers with parameter servers share nothing: each goes through all samples in an order of its own, and a step is one worker's.
    const bool is_served = plans.front().servers > 0;
    if (is_served) {
        run.data.auto_shard = spec::AutoShardPolicy::kOff;
        run.data.seed_per_worker = true;
    }
    spec::ShardPreview preview{.dataset = set.name,
                               .training_samples = set.train->count,
                               .policy = policyName(run.data, *set.train, tasks),
                               .chain = spec::chainText(run, plans.front().global_batch_size),
                               .meanings = {},
                               .advice = {},
                               .tasks = {},
                               .global_batch_size = plans.front().global_batch_size,
                               .steps_per_epoch = data::epochSteps(run, *set.train, plans),
                               .steps = {}};
    for (const spec::Diagnostic& finding : spec::orderFindings(run.data, spec::passesOf(run))) {
        preview.meanings.push_back(finding.message);
    }
    for (const spec::TaskPlan& plan : plans) {
        preview.tasks.push_back(plan.task);
    }
    preview.reason = spec::shardReason(run.data, preview.policy == "FILE", static_cast<std::int64_t>(set.train->files.size()), tasks);
    preview.advice = spec::batchAdvice(run, is_served ? 1 : tasks, set.train->count, preview.steps_per_epoch);
    preview.steps = data::previewShards(run, *set.train, plans, asked.steps);
    return preview;
}

}  // namespace agent::worker
