#include "engine/train/fit/initial_state.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include "engine/export/backup_file.h"
#include "engine/export/keras_file.h"
#include "engine/export/tf_checkpoint.h"
#include "engine/files/regular_file.h"
#include "engine/spec/error.h"
#include "engine/spec/events/checkpoint_list.h"
#include "engine/train/callbacks/backup_and_restore.h"
#include "engine/train/fingerprint.h"

namespace engine::train {
namespace {

using exporter::SavedObject;

constexpr const char* kIsWhole = "is_whole";

// States that tell how the files of a run's own folder stand, and values of the trainer's that do: a branch has a folder of its own.
constexpr std::array kStatesOfFiles{"CSVLogger", "TensorBoard"};
constexpr std::array kValuesOfFiles{"last_saved", "last_saved_step", "saved_prefixes"};

void leaveOutFiles(std::vector<SavedObject>& objects) {
    std::erase_if(objects, [](const SavedObject& object) {
        return std::find(kStatesOfFiles.begin(), kStatesOfFiles.end(), object.name) != kStatesOfFiles.end();
    });
    for (SavedObject& object : objects) {
        if (object.name != kTrainerState) continue;
        std::erase_if(object.values, [](const auto& value) {
            return std::find(kValuesOfFiles.begin(), kValuesOfFiles.end(), value.first) != kValuesOfFiles.end();
        });
    }
}

// Slots begin anew where the file has none.
std::vector<exporter::MutableVariableView> viewsOf(backend::Variables& variables) {
    std::vector<exporter::MutableVariableView> views;
    for (const backend::Variables::Entry& entry : variables.entries()) {
        views.push_back({entry.name, entry.shape, entry.values});
        if (entry.is_slot) std::fill(entry.values.begin(), entry.values.end(), entry.initial);
    }
    return views;
}

bool isOfRun(const SavedObject& state, const spec::RunSpec& run, const spec::TaskPlan& task) {
    const BackedUpBatch before = backedUpBatch(state, task);
    return before == BackedUpBatch{task.replicas, task.global_batch_size} &&
           state.get<std::int64_t>("fingerprint", 0) ==
               static_cast<std::int64_t>(resumeFingerprint(run, task.replicas, task.global_batch_size));
}

// An estimator, and a run of so many steps, trains one epoch of all its steps: what lies behind it is steps alone.
bool countsEpochs(const spec::RunSpec& run) {
    return !run.estimator && run.fit.steps == 0;
}

// What is left of the state of another project: its rates, sums and callbacks are no longer meant. Epochs that lie behind stay behind, of
// whatever length they were.
SavedObject placeAlone(const SavedObject& state, const spec::RunSpec& run) {
    SavedObject place{kTrainerState, {}};
    std::vector<const char*> kept{"iterations", "replicas", "global_batch_size", "batches"};
    if (countsEpochs(run) || state.get<std::int64_t>("steps_per_epoch", 0) == run.fit.steps_per_epoch) {
        kept.insert(kept.end(), {"epoch", "step"});
    }
    for (const char* name : kept) {
        if (const auto* value = state.find<std::int64_t>(name)) place.set(name, *value);
    }
    return place;
}

// What the list of a run says of its checkpoint; the list lies in a folder around the file. nullopt where there is none, or none that can
// be read: then the steps alone tell how far the run was.
std::optional<spec::ListedCheckpoint> listed(const std::filesystem::path& prefix) {
    constexpr int kMostLevels = 8;
    constexpr std::uint64_t kMostBytes = 64U << 20;
    const std::filesystem::path file = std::filesystem::absolute(prefix).lexically_normal();
    std::filesystem::path folder = file.parent_path();
    for (int level = 0; level < kMostLevels && folder.has_relative_path(); ++level, folder = folder.parent_path()) {
        const std::filesystem::path list = folder / spec::kCheckpointListFile;
        std::error_code ignored;
        if (!std::filesystem::is_regular_file(list, ignored)) continue;
        try {
            for (spec::ListedCheckpoint& one : spec::parseCheckpointList(files::readWhole(list, kMostBytes))) {
                if (one.place && (folder / one.file).lexically_normal() == file) return std::move(one);
            }
        } catch (const Error&) {
            return std::nullopt;
        }
        return std::nullopt;
    }
    return std::nullopt;
}

// The file that fit.initial_weights means, where that is no backup.
std::optional<std::filesystem::path> checkpointOf(const std::filesystem::path& file) {
    return exporter::isKerasFileName(file) ? std::optional(file) : exporter::latestCheckpoint(file);
}

InitialState ofBackup(const std::filesystem::path& file, const spec::RunSpec& run, const spec::TaskPlan& task,
                      std::span<const exporter::MutableVariableView> views) {
    InitialState found;
    exporter::BackupPart part = exporter::readBackupByName(file, views);
    found.anew = std::move(part.missing);
    const SavedObject* state = findObject(part.objects, kTrainerState);
    if (state == nullptr) {
        throw Error(ErrorCode::kDataLoss, file.string() + ": expected the trainer's state, got none");
    }
    found.is_whole = found.anew.empty() && isOfRun(*state, run, task);
    if (found.is_whole) {
        std::stable_partition(part.objects.begin(), part.objects.end(),
                              [](const SavedObject& object) { return object.name == kTrainerState; });
        leaveOutFiles(part.objects);
        found.objects = std::move(part.objects);
    } else {
        found.objects = {placeAlone(*state, run)};
    }
    return found;
}

}  // namespace

std::vector<SavedObject> objectsOfChief(std::vector<SavedObject> objects, distribute::Collective* collective) {
    if (collective == nullptr) {
        return objects;
    }
    std::string bytes = collective->rank() == 0 && !objects.empty() ? exporter::encodeObjects(objects) : std::string();
    auto size = static_cast<std::uint64_t>(bytes.size());
    collective->broadcast(std::as_writable_bytes(std::span(&size, 1)), 0);
    bytes.resize(static_cast<std::size_t>(size));
    collective->broadcast(std::as_writable_bytes(std::span(bytes)), 0);
    return bytes.empty() ? std::vector<SavedObject>() : exporter::decodeObjects(bytes);
}

InitialState readInitialStateFile(const spec::RunSpec& run, const spec::TaskPlan& task, backend::Variables& variables) {
    const std::filesystem::path file = run.fit.initial_weights;
    const std::vector<exporter::MutableVariableView> views = viewsOf(variables);
    if (exporter::isBackupFileName(file)) {
        return ofBackup(file, run, task, views);
    }
    const auto prefix = checkpointOf(file);
    if (!prefix) {
        throw Error(
            ErrorCode::kNotFound,
            file.string() +
                ": expected a checkpoint (PREFIX.index or a folder with a file \"checkpoint\"), a backup or a .keras file, found none");
    }
    exporter::RestoredState restored = exporter::isKerasFileName(file)
                                           ? exporter::readKerasWeights(*prefix, run.model, run.compile.optimizer, views)
                                           : exporter::readTfCheckpoint(*prefix, run.model, views);
    if (restored.iterations == 0 && !restored.missing.empty()) {
        throw Error(ErrorCode::kFailedPrecondition, file.string() +
                                                        ": expected the optimizer of a training that goes on, got weights alone; set "
                                                        "fit.initial_state to false to begin with them");
    }
    SavedObject place{kTrainerState, {}};
    place.set("iterations", restored.iterations);
    if (const auto one = countsEpochs(run) ? listed(*prefix) : std::nullopt) {
        place.set("epoch", one->place->epochs);
        place.set("step", one->place->steps);
        place.set("global_batch_size", one->place->global_batch_size);
        if (run.fit.steps_per_epoch > 0) place.set("batches", one->step);  // of a stream that has no passes
    }
    return {{std::move(place)}, false, std::move(restored.missing)};
}

std::optional<std::int64_t> epochsBehindInitialState(const spec::RunSpec& run) {
    const std::filesystem::path file = run.fit.initial_weights;
    if (!run.fit.initial_state || !countsEpochs(run)) {
        return std::nullopt;
    }
    if (exporter::isBackupFileName(file)) {
        const std::vector<SavedObject> objects = exporter::readBackupObjects(file);
        const SavedObject* state = findObject(objects, kTrainerState);
        const auto* epoch = state == nullptr ? nullptr : state->find<std::int64_t>("epoch");
        return epoch == nullptr ? std::nullopt : std::optional(*epoch);
    }
    const auto prefix = checkpointOf(file);
    const auto one = prefix ? listed(*prefix) : std::nullopt;
    return one ? std::optional(one->place->epochs) : std::nullopt;
}

std::optional<std::string> noEpochsLeft(const spec::RunSpec& run, std::int64_t epochs_behind) {
    if (epochs_behind < run.fit.epochs || run.fit.steps > 0) {
        return std::nullopt;
    }
    return "expected more than the " + std::to_string(epochs_behind) + " epochs that lie behind " + run.fit.initial_weights + ", got " +
           std::to_string(run.fit.epochs);
}

InitialState readInitialState(const spec::RunSpec& run, const spec::TaskPlan& task, distribute::Collective* collective,
                              backend::Variables& variables) {
    InitialState state;
    if (task.is_chief) {
        state = readInitialStateFile(run, task, variables);
        state.objects.front().set(kIsWhole, std::int64_t{state.is_whole ? 1 : 0});
    }
    state.objects = objectsOfChief(std::move(state.objects), collective);
    const SavedObject* place = findObject(state.objects, kTrainerState);
    state.is_whole = place != nullptr && place->get<std::int64_t>(kIsWhole, 0) != 0;
    return state;
}

}  // namespace engine::train
