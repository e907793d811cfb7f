// Backups of a run as it stands between two steps: when one is due, and how all replicas go on from one together.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/backend/executor.h"
#include "engine/distribute/collective.h"
#include "engine/export/saved_object.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/project/run_spec.h"
#include "engine/train/callbacks/backup_and_restore.h"
#include "engine/train/fit/run_folder.h"
#include "engine/train/observer.h"

namespace engine::train {

// The point from which a run goes on.
struct ResumePoint {
    std::int64_t steps = 0;  // done in all
    std::int64_t epoch = 0;  // from 0
    std::int64_t step = 0;   // done in the epoch
    float learning_rate = 0;
};

// Owned by the trainer, from its thread. Does nothing where the project does not ask for backups. The chief alone reads and writes files.
class RunBackups {
public:
    // All references and `collective` (null for a task alone) outlive it. Throws Error as BackupAndRestore::ofRun().
    RunBackups(const spec::RunSpec& run, const spec::TaskPlan& task, distribute::Collective* collective, const RunFolder& folder,
               TrainingObserver& observer);

    // True when this task writes backups.
    bool writes() const { return backup_ != nullptr && task_.is_chief; }
    bool isDueAfterStep(std::int64_t steps) const { return backup_ != nullptr && backup_->isDueAfterStep(steps); }
    bool isDueAfterEpoch() const { return backup_ != nullptr && backup_->isDueAfterEpoch(); }

    // The trainer's state, with what tells that a backup is of this run; the trainer adds its own values.
    exporter::SavedObject newState() const;
    // Requires writes(). `state` was begun with newState(); `callbacks` as CallbackList::save(). A backup that cannot be written is
    // reported; training goes on and the one before stays.
    void write(exporter::SavedObject state, std::vector<exporter::SavedObject> callbacks, const backend::Variables& variables);

    // The chief reads its backup into `variables`; all replicas get its state. Empty when there is none, and a run without one begins anew.
    // Throws Error as BackupAndRestore::read() and requireSameRun().
    std::vector<exporter::SavedObject> read(backend::Variables& variables);
    bool hasResumed() const { return resumed_; }
    // Every replica holds what the backup held, to the byte, or nobody goes on: then it throws Error(kDataLoss). The chief logs where it
    // goes on. Does nothing unless hasResumed().
    void agree(const ResumePoint& point, const backend::Variables& variables);

    // Training is done: removes them, when the project says so.
    void finish() const;

private:
    void log(spec::LogLevel level, std::string text);

    const spec::RunSpec& run_;
    const spec::TaskPlan& task_;
    distribute::Collective* const collective_;
    const RunFolder& folder_;
    TrainingObserver& observer_;
    const std::unique_ptr<BackupAndRestore> backup_;  // null when the project asks for none
    bool resumed_ = false;
    std::string resumed_sha256_;  // of the weights, as the backup says
};

}  // namespace engine::train
