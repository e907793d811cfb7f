#include <nlohmann/json.hpp>
#include <numeric>
#include <ostream>
#include <span>

#include "app/cli/engine_call.h"
#include "app/cli/project_source.h"
#include "app/cli/verb.h"
#include "engine/spec/cluster/task_plan.h"

namespace app::cli {
namespace {

namespace spec = engine::spec;

struct ShardsOptions {
    std::string project;
    std::vector<std::string> settings;
    int workers = 0;
    int steps = 3;
    bool json = false;
};

void printShards(const spec::ShardPreview& preview, std::ostream& out) {
    out << "data set: " << preview.dataset << ", " << preview.training_samples << " training samples, sharded by " << preview.policy
        << '\n';
    for (const std::string& line : preview.advice) {
        out << line << '\n';
    }
    out << preview.reason << '\n' << "pipeline: " << preview.chain << '\n';
    for (const std::string& meaning : preview.meanings) {
        out << "pipeline: " << meaning << '\n';
    }
    for (const spec::ShardStep& step : preview.steps) {
        for (std::size_t rank = 0; rank < preview.tasks.size(); ++rank) {
            const auto parts = step.parts.empty() ? std::span<const std::uint32_t>() : step.parts[rank];
            out << shardLine(step.step, step.epoch, preview.tasks[rank], step.elements[rank], parts) << '\n';
        }
    }
}

// dataset, training_samples, policy, pipeline, pipeline_meaning, global_batch_size, steps_per_epoch, tasks, advice, reason, steps [{step,
// epoch, samples: a list a task; with several devices a task parts, a list a task too: how many samples each has}].
void printShardsJson(const spec::ShardPreview& preview, std::ostream& out) {
    nlohmann::ordered_json json{{"dataset", preview.dataset},
                                {"training_samples", preview.training_samples},
                                {"policy", preview.policy},
                                {"pipeline", preview.chain},
                                {"pipeline_meaning", preview.meanings},
                                {"global_batch_size", preview.global_batch_size},
                                {"steps_per_epoch", preview.steps_per_epoch},
                                {"tasks", nlohmann::ordered_json::array()},
                                {"advice", preview.advice},
                                {"reason", preview.reason},
                                {"steps", nlohmann::ordered_json::array()}};
    for (const spec::TaskId& task : preview.tasks) {
        json["tasks"].push_back(toString(task));
    }
    for (const spec::ShardStep& step : preview.steps) {
        nlohmann::ordered_json one{{"step", step.step}, {"epoch", step.epoch}, {"samples", step.elements}};
        if (!step.parts.empty()) {
            one["parts"] = step.parts;
        }
        json["steps"].push_back(std::move(one));
    }
    out << json.dump() << '\n';
}

void shards(Context& context, const ShardsOptions& options) {
    auto project = loadForEngine(context, options.project, options.settings);
    if (!project) {
        return;
    }
    if (options.workers > 0) {
        std::vector<int> ports(static_cast<std::size_t>(options.workers));
        std::iota(ports.begin(), ports.end(), 1);  // nobody listens
        spec::useLocalWorkers(project->run, ports);
    }
    if (const auto preview = askEngine(context, *project, spec::ShardsQuestion{.steps = options.steps})) {
        options.json ? printShardsJson(*preview, context.out) : printShards(*preview, context.out);
    }
}

}  // namespace

void addShards(CLI::App& app, Context& context) {
    CLI::App* verb =
        app.add_subcommand("shards", "Which sample goes to which worker in the first steps, with batch, epoch and learning rate");
    auto options = std::make_shared<ShardsOptions>();
    verb->add_option("PROJECT", options->project, "a project file or the name of a starter project")->required();
    verb->add_option("--steps", options->steps, "how many steps (default 3)")->check(CLI::Range(1, 1000000));
    verb->add_option("--workers", options->workers, "on this computer, in place of the project's cluster")->check(CLI::Range(1, 1024));
    verb->add_option("--set", options->settings, "PATH=VALUE: change a value of the project first")->take_all();
    verb->add_flag("--json", options->json, "one JSON object: dataset, training_samples, policy, tasks, advice, steps");
    verb->footer(
        "The samples are those that the workers train with: with data.log_shards=N each logs its first N steps in the same words.\n"
        "Exit codes: 0 printed, 1 the project or its data can't be used, 2 no such project, 3 the agent can't be reached.");
    verb->callback([&context, options] { shards(context, *options); });
}

}  // namespace app::cli
