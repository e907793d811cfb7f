// Keras' BackupAndRestore, made exact: a run that was killed goes on from its last backup and ends with the bytes of one that was not.
// Owned by the trainer rather than listed among the callbacks: a backup holds the state of all of them, so it comes after the last.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/backend/executor.h"
#include "engine/export/saved_object.h"
#include "engine/files/place.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/project/run_spec.h"

namespace engine::train {

// Fields as Keras': backup_dir (below the run's folder, "backup"), save_freq ("epoch" or a number of steps), double_checkpoint (keep the
// backup before the last one too), delete_checkpoint (remove the folder when training is done). The file is latest.backup, the one before
// previous.backup (engine/export/backup_file.h). Used on the chief alone, from the training thread.
class BackupAndRestore {
public:
    // nullptr when the project lists none. Throws Error(kInvalidArgument) for settings that cannot be.
    static std::unique_ptr<BackupAndRestore> ofRun(const spec::RunSpec& run);

    explicit BackupAndRestore(const spec::Settings& settings);

    bool isDueAfterStep(std::int64_t iterations) const { return every_steps_ > 0 && iterations % every_steps_ == 0; }
    bool isDueAfterEpoch() const { return every_steps_ == 0; }

    // Throws Error as exporter::writeBackup; the last backup is whole then.
    void write(const files::SafeFolder& run_folder, const std::vector<exporter::SavedObject>& objects,
               const backend::Variables& variables) const;

    struct Found {
        std::filesystem::path file;
        std::vector<exporter::SavedObject> objects;
        std::string damage;  // of the latest one, when the one before had to do
    };
    // Fills the variables. nullopt when there is no backup. Throws Error as exporter::readBackup.
    std::optional<Found> read(const files::SafeFolder& run_folder, backend::Variables& variables) const;

    // The objects of the latest one alone. nullopt when there is none, or one of more than `most_bytes`. Throws Error(kDataLoss).
    std::optional<Found> readObjects(const files::SafeFolder& run_folder, std::uintmax_t most_bytes) const;

    // Removes the backup at the end of training, when the project says so.
    void remove(const files::SafeFolder& run_folder) const;

private:
    files::Place in(const files::SafeFolder& run_folder, const char* file) const { return {run_folder, folder_ / file}; }

    const std::filesystem::path folder_;
    const bool keeps_previous_;
    const bool deletes_;
    const std::int64_t every_steps_;  // 0: after each epoch
};

// The class name of the trainer's own state among a backup's objects; the others are named after callbacks' classes.
inline constexpr const char* kTrainerState = "trainer";
// The first of that name; nullptr when there is none. It points into `objects`.
const exporter::SavedObject* findObject(const std::vector<exporter::SavedObject>& objects, const std::string& name);

// How many replicas shared which batch when a backup was written.
struct BackedUpBatch {
    std::int64_t replicas = 0;
    std::int64_t global_batch_size = 0;
    friend bool operator==(const BackedUpBatch&, const BackedUpBatch&) = default;
};
// Reads the batch from the trainer's state. A state of an earlier version does not have it: then it is `task`'s own.
BackedUpBatch backedUpBatch(const exporter::SavedObject& trainer, const spec::TaskPlan& task);

// Throws Error(kFailedPrecondition) naming the file when a run can't go on from it: it is another project's, or was written by another
// number of replicas while cluster.on_task_lost does not let the run go on with fewer.
void requireSameRun(const BackupAndRestore::Found& found, const spec::RunSpec& run, const spec::TaskPlan& task);

}  // namespace engine::train
