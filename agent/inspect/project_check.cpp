#include "agent/inspect/project_check.h"

#include <filesystem>

#include "agent/worker/project_loader.h"
#include "engine/spec/error.h"
#include "engine/train/input_check.h"

namespace agent::worker {

engine::spec::InputFindings checkInputs(const engine::spec::EngineQuestion& question, const engine::spec::InputsQuestion& asked,
                                        const EngineSurroundings& surroundings) {
    engine::spec::RunSpec run = question.run;
    requireValid(run);
    const std::filesystem::path base = question.base_dir;
    if (!run.fit.initial_weights.empty()) {
        run.fit.initial_weights = (base / run.fit.initial_weights).lexically_normal().string();
    }
    try {
        return {engine::train::checkInputs(run, {surroundings.dataset_folders, base, base, asked.weights_file})};
    } catch (const engine::Error&) {
        return {};
    }
}

}  // namespace agent::worker
