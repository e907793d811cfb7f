// The evaluator of a cluster as a task: it finds the checkpoints of its run in the run's folder and evaluates them.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "engine/data/dataset.h"
#include "engine/files/safe_folder.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/project/run_spec.h"
#include "engine/train/executor_factory.h"
#include "engine/train/observer.h"

namespace agent::worker {

struct EvaluatorTask {
    const engine::spec::RunSpec& run;
    const engine::spec::TaskPlan& plan;
    std::filesystem::path run_dir;  // where the chief writes, absolute
    std::shared_ptr<const engine::files::SafeFolder> run_folder;
    engine::data::Dataset dataset;
    engine::train::ExecutorFactory make_executor = nullptr;
    int threads = 1;
    engine::train::TrainingObserver& observer;
    std::function<bool()> is_cancelled;
    std::function<std::optional<std::string>()> chief_is_lost{};  // says why; empty where an agent sees to it
};

// Evaluates until the run is over and its last checkpoint is evaluated, or it is cancelled. Reports what it measured, its results too, and
// returns the state that it ends in. Throws Error for a checkpoint that is damaged or of another model, and distribute::PeerLost when
// `chief_is_lost` says so.
engine::spec::TaskState evaluateCheckpoints(const EvaluatorTask& task);

}  // namespace agent::worker
