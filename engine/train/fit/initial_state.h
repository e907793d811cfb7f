// What a run begins with where its project asks for more than weights (fit.initial_state): the training goes on that wrote the file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/backend/executor.h"
#include "engine/distribute/collective.h"
#include "engine/export/saved_object.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/project/run_spec.h"

namespace engine::train {

struct InitialState {
    // The trainer's values (kTrainerState) first: all of them where the file is a backup of this project, with the callbacks' behind, but
    // for those that tell how the files of that run's folder stand; else those alone that say how far it was: "iterations", and where that
    // is known, "epoch", "step", "batches" and "global_batch_size" too.
    std::vector<exporter::SavedObject> objects;
    // True when nothing is left out, so that the run goes on bit for bit as the one that wrote the file.
    bool is_whole = false;
    std::vector<std::string> anew;  // what the file does not have of the optimizer, by name: it begins anew
};

// The chief fills `variables` from fit.initial_weights, of which all weights must be there with equal shapes; every task gets the rest. All
// replicas call it; `collective` is null for a task alone. Throws Error as exporter::readBackupByName(), readTfCheckpoint(),
// readKerasWeights(), and kFailedPrecondition for a file that holds no more than weights.
InitialState readInitialState(const spec::RunSpec& run, const spec::TaskPlan& task, distribute::Collective* collective,
                              backend::Variables& variables);

// The epochs that lie behind fit.initial_weights, by what is known before its weights are read: a backup's own word, a list of checkpoints
// (engine/spec/events/checkpoint_list.h) in a folder around it. nullopt where nothing tells. Throws Error as exporter::readBackupObjects.
std::optional<std::int64_t> epochsBehindInitialState(const spec::RunSpec& run);

// What is wrong with fit.epochs where a run that begins behind so many has nothing left to train; nullopt where it has.
std::optional<std::string> noEpochsLeft(const spec::RunSpec& run, std::int64_t epochs_behind);

// The chief's part of it alone, which changes nothing but `variables`.
InitialState readInitialStateFile(const spec::RunSpec& run, const spec::TaskPlan& task, backend::Variables& variables);

// Objects that the chief has reach all replicas; those of the others are ignored.
std::vector<exporter::SavedObject> objectsOfChief(std::vector<exporter::SavedObject> objects, distribute::Collective* collective);

}  // namespace engine::train
