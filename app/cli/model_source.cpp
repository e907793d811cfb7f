#include "app/cli/model_source.h"

#include <ostream>

#include "agent/client/run_checkpoints.h"
#include "app/cli/project_source.h"
#include "app/cli/run_choice.h"
#include "engine/spec/error.h"

namespace app::cli {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> findRunFolder(Context& context, const std::string& target) {
    std::error_code ignored;
    if (fs::is_regular_file(fs::path(target) / "run.json", ignored)) {
        return fs::path(target);
    }
    const auto client = context.connect();
    const auto run = chooseRun(context, *client, target, RunChoice::kAny);
    if (run && !fs::exists(run->run_dir, ignored)) {
        context.err << "error: run " << run->id << ": expected its folder " << run->run_dir << ", it is gone\n";
        context.exit_code = kFailed;
        return std::nullopt;
    }
    return run ? std::optional<fs::path>(run->run_dir) : std::nullopt;
}

// nullopt after saying which checkpoints there are.
std::optional<fs::path> checkpointOfRun(Context& context, const fs::path& run, const std::string& checkpoint) {
    try {
        return agent::client::chosenCheckpoint(run, checkpoint);
    } catch (const engine::Error& error) {
        context.err << "error: " << (checkpoint.empty() ? "" : "--checkpoint: ") << error.what() << '\n';
        context.exit_code = kFailed;
        return std::nullopt;
    }
}

}  // namespace

std::optional<ModelSource> findModel(Context& context, const std::string& target, const std::string& checkpoint,
                                     const std::vector<std::string>& settings) {
    std::string file, chosen;
    if (findProject(context, target)) {
        if (checkpoint.empty()) {
            context.err << "error: --checkpoint: expected a checkpoint or a Keras file with the project " << target << ", got none\n";
            context.exit_code = kUsage;
            return std::nullopt;
        }
        file = target;
        chosen = checkpoint;
    } else if (const auto run = findRunFolder(context, target)) {
        const auto found = checkpointOfRun(context, *run, checkpoint);
        if (!found) {
            return std::nullopt;
        }
        file = (*run / "run.json").string();
        chosen = found->string();
    } else {
        return std::nullopt;
    }
    auto project = loadForEngine(context, file, settings);
    return project ? std::optional(ModelSource{std::move(*project), fs::absolute(chosen)}) : std::nullopt;
}

}  // namespace app::cli
