#include "agent/inspect/shards.h"

#include <numeric>
#include <ostream>
#include <span>

#include <nlohmann/json.hpp>

#include "agent/worker/project_loader.h"
#include "engine/data/dataset_catalog.h"
#include "engine/data/pipeline.h"
#include "engine/data/shard_preview.h"
#include "engine/spec/error.h"
#include "engine/spec/project/batch_advice.h"
#include "engine/spec/project/data_order.h"
#include "engine/spec/validate/validate.h"

namespace agent::worker {

namespace data = engine::data;
namespace spec = engine::spec;

namespace {

struct Preview {
    std::string dataset;
    std::int64_t samples = 0;
    std::string policy;
    std::string chain;                  // the steps of the pipeline, as tf.data spells them
    std::vector<std::string> meanings;  // of an order that is not the usual one
    std::vector<spec::TaskPlan> tasks;
    std::int64_t steps_per_epoch = 0;
    std::vector<std::string> advice;
    std::string reason;  // of the policy
    std::vector<data::ShardStep> steps;
};

std::string policyName(const spec::DataSpec& settings, const data::Samples& samples, int tasks) {
    if (settings.auto_shard == spec::AutoShardPolicy::kOff) {
        return "OFF";
    }
    return data::isShardedByFile(settings, samples, tasks) ? "FILE" : "DATA";
}

Preview makePreview(const spec::RunSpec& run, const ShardsOptions& options, const TaskSurroundings& surroundings) {
    data::LoadHooks hooks{options.download_folder, {}};
    hooks.download.log = [&](const std::string& text) { surroundings.errors << text << '\n'; };
    const data::Dataset set =
        data::loadDataset(run.data, options.dataset_folders,
                          options.base.empty() ? std::filesystem::absolute(options.project).parent_path() : options.base, hooks);
    Preview preview{.dataset = set.name, .samples = set.train->count, .tasks = spec::planTasks(run)};
    const auto tasks = static_cast<int>(preview.tasks.size());
    preview.chain = spec::chainText(run, preview.tasks.front().global_batch_size);
    for (const spec::Diagnostic& finding : spec::orderFindings(run.data, spec::passesOf(run))) {
        preview.meanings.push_back(finding.message);
    }
    preview.policy = policyName(run.data, *set.train, tasks);
    preview.reason = spec::shardReason(run.data, preview.policy == "FILE", static_cast<std::int64_t>(set.train->files.size()), tasks);
    preview.steps_per_epoch = data::epochSteps(run, *set.train, preview.tasks);
    preview.advice = spec::batchAdvice(run, tasks, set.train->count, preview.steps_per_epoch);
    preview.steps = data::previewShards(run, *set.train, preview.tasks, options.steps);
    return preview;
}

void printText(const Preview& preview, std::ostream& out) {
    out << "data set: " << preview.dataset << ", " << preview.samples << " training samples, sharded by " << preview.policy << '\n';
    for (const std::string& line : preview.advice) {
        out << line << '\n';
    }
    out << preview.reason << '\n' << "pipeline: " << preview.chain << '\n';
    for (const std::string& meaning : preview.meanings) {
        out << "pipeline: " << meaning << '\n';
    }
    for (const data::ShardStep& step : preview.steps) {
        for (std::size_t rank = 0; rank < preview.tasks.size(); ++rank) {
            const auto parts = step.parts.empty() ? std::span<const std::uint32_t>() : step.parts[rank];
            out << data::shardLine(step.step, step.epoch, preview.tasks[rank].task, step.elements[rank], parts) << '\n';
        }
    }
}

void printJson(const Preview& preview, std::ostream& out) {
    nlohmann::ordered_json json{{"dataset", preview.dataset},
                                {"training_samples", preview.samples},
                                {"policy", preview.policy},
                                {"pipeline", preview.chain},
                                {"pipeline_meaning", preview.meanings},
                                {"global_batch_size", preview.tasks.front().global_batch_size},
                                {"steps_per_epoch", preview.steps_per_epoch},
                                {"tasks", nlohmann::ordered_json::array()},
                                {"advice", preview.advice},
                                {"reason", preview.reason},
                                {"steps", nlohmann::ordered_json::array()}};
    for (const spec::TaskPlan& task : preview.tasks) {
        json["tasks"].push_back(toString(task.task));
    }
    for (const data::ShardStep& step : preview.steps) {
        nlohmann::ordered_json one{{"step", step.step}, {"epoch", step.epoch}, {"samples", step.elements}};
        if (!step.parts.empty()) {
            one["parts"] = step.parts;
        }
        json["steps"].push_back(std::move(one));
    }
    out << json.dump() << '\n';
}

}  // namespace

int runShards(const ShardsOptions& options, const TaskSurroundings& surroundings) {
    auto run = loadRun(options.project, options.settings, surroundings.errors);
    if (!run) {
        return kExitUsage;
    }
    if (options.workers > 0) {
        std::vector<int> ports(static_cast<std::size_t>(options.workers));
        std::iota(ports.begin(), ports.end(), 1);  // nobody listens
        spec::useLocalWorkers(*run, ports);
    }
    try {
        const Preview preview = makePreview(*run, options, surroundings);
        options.json ? printJson(preview, surroundings.out) : printText(preview, surroundings.out);
        return kExitDone;
    } catch (const std::exception& error) {
        surroundings.errors << "error: " << error.what() << '\n';
        return kExitFailed;
    }
}

}  // namespace agent::worker
