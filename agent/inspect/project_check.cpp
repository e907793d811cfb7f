#include "agent/inspect/project_check.h"

#include <ostream>

#include "agent/worker/project_loader.h"
#include "agent/worker/task_runner.h"
#include "engine/spec/error.h"
#include "engine/train/input_check.h"

namespace agent::worker {

int runProjectCheck(const ProjectCheckOptions& options, std::ostream& out, std::ostream& errors) {
    auto run = loadRun(options.project, options.settings, errors);
    if (!run) {
        return kExitUsage;
    }
    const std::filesystem::path base =
        options.base.empty() ? std::filesystem::absolute(options.project).parent_path() : std::filesystem::absolute(options.base);
    if (!run->fit.initial_weights.empty()) {
        run->fit.initial_weights = (base / run->fit.initial_weights).lexically_normal().string();
    }
    try {
        const engine::spec::Diagnostics found =
            engine::train::checkInputs(*run, {options.dataset_folders, base, options.base.empty() ? "" : base, options.weights_file});
        for (const engine::spec::Diagnostic& one : found) {
            out << one.path << ": " << one.message << '\n';
        }
        return found.empty() ? kExitDone : kExitFailed;
    } catch (const engine::Error& error) {  // a plan that can't be made: the task says so
        errors << "error: " << error.what() << '\n';
        return kExitDone;
    }
}

}  // namespace agent::worker
