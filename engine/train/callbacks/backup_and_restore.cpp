#include "engine/train/callbacks/backup_and_restore.h"

#include <algorithm>
#include <memory>

#include "engine/export/atomic_file.h"
#include "engine/export/backup_file.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/error.h"
#include "engine/train/callbacks/save_frequency.h"
#include "engine/train/fingerprint.h"

namespace engine::train {
namespace {

constexpr const char* kLatest = "latest.backup";
constexpr const char* kPrevious = "previous.backup";

std::vector<exporter::MutableVariableView> viewsOf(const backend::Variables& variables) {
    std::vector<exporter::MutableVariableView> views;
    for (const backend::Variables::Entry& entry : variables.entries()) {
        views.push_back({entry.name, entry.shape, entry.values});
    }
    return views;
}

}  // namespace

std::unique_ptr<BackupAndRestore> BackupAndRestore::ofRun(const spec::RunSpec& run) {
    for (const spec::ObjectSpec& callback : run.callbacks) {
        if (callback.class_name == "BackupAndRestore") {
            return std::make_unique<BackupAndRestore>(spec::callbackSettings(callback));
        }
    }
    return nullptr;
}

BackupAndRestore::BackupAndRestore(const spec::Settings& settings)
    : folder_(settings.getString("backup_dir")),
      keeps_previous_(settings.getBool("double_checkpoint")),
      deletes_(settings.getBool("delete_checkpoint")),
      every_steps_(saveFrequency(settings, "save_freq", "callbacks.backup_and_restore")) {
    if (folder_.empty()) {
        throw Error(ErrorCode::kInvalidArgument, "callbacks.backup_and_restore.backup_dir: expected a folder, got an empty name");
    }
}

void BackupAndRestore::write(const files::SafeFolder& run_folder, const std::vector<exporter::SavedObject>& objects,
                             const backend::Variables& variables) const {
    const files::SafeFolder folder = run_folder.makeFolder(folder_);
    if (keeps_previous_ && folder.isFile(kLatest)) {
        folder.link(kLatest, kPrevious);
    }
    std::vector<exporter::VariableView> views;
    for (const backend::Variables::Entry& entry : variables.entries()) {
        views.push_back({entry.name, entry.shape, entry.values});
    }
    exporter::writeBackup({folder, kLatest}, objects, views);
}

std::optional<BackupAndRestore::Found> BackupAndRestore::read(const files::SafeFolder& run_folder, backend::Variables& variables) const {
    const files::Place latest = in(run_folder, kLatest), previous = in(run_folder, kPrevious);
    if (!latest.exists()) {
        return std::nullopt;
    }
    const auto views = viewsOf(variables);
    try {
        return Found{latest.path(), exporter::readBackup(latest, views), ""};
    } catch (const Error& error) {
        if (error.code() != ErrorCode::kDataLoss || !previous.exists()) {
            throw Error(error.code(), std::string(error.what()) + "; remove the file to begin anew");
        }
        return Found{previous.path(), exporter::readBackup(previous, views), error.what()};
    }
}

std::optional<BackupAndRestore::Found> BackupAndRestore::readObjects(const files::SafeFolder& run_folder, std::uintmax_t most_bytes) const {
    const std::optional<struct stat> found = run_folder.status(folder_ / kLatest);
    if (!found || static_cast<std::uintmax_t>(found->st_size) > most_bytes) {
        return std::nullopt;
    }
    const files::Place latest = in(run_folder, kLatest);
    return Found{latest.path(), exporter::readBackupObjects(latest), ""};
}

void BackupAndRestore::remove(const files::SafeFolder& run_folder) const {
    if (!deletes_) {
        return;
    }
    try {
        for (const char* file : {kLatest, kPrevious}) {
            run_folder.remove(folder_ / file);
        }
        exporter::removeLeftovers(in(run_folder, kLatest));
        run_folder.removeEmptyFolder(folder_);  // stays when somebody else keeps files there
    } catch (const Error&) {
        // It costs space only; the mark of a finished run says that it is none to go on from.
    }
}

const exporter::SavedObject* findObject(const std::vector<exporter::SavedObject>& objects, const std::string& name) {
    const auto found =
        std::find_if(objects.begin(), objects.end(), [&](const exporter::SavedObject& object) { return object.name == name; });
    return found == objects.end() ? nullptr : &*found;
}

BackedUpBatch backedUpBatch(const exporter::SavedObject& trainer, const spec::TaskPlan& task) {
    return {trainer.get<std::int64_t>("replicas", task.replicas), trainer.get<std::int64_t>("global_batch_size", task.global_batch_size)};
}

void requireSameRun(const BackupAndRestore::Found& found, const spec::RunSpec& run, const spec::TaskPlan& task) {
    const exporter::SavedObject* trainer = findObject(found.objects, kTrainerState);
    const BackedUpBatch own{task.replicas, task.global_batch_size}, before = trainer == nullptr ? own : backedUpBatch(*trainer, task);
    const bool may_change = run.cluster.on_task_lost == spec::OnTaskLost::kContinue;
    spec::RunSpec same = run;
    if (may_change && run.estimator && trainer != nullptr) {  // its steps follow from its passes and the number of replicas
        same.fit.steps_per_epoch = trainer->get<std::int64_t>("steps_per_epoch", run.fit.steps_per_epoch);
    }
    const auto expected = static_cast<std::int64_t>(resumeFingerprint(same, static_cast<int>(before.replicas), before.global_batch_size));
    if (trainer == nullptr || trainer->get<std::int64_t>("fingerprint", 0) != expected || (before != own && !may_change)) {
        throw Error(
            ErrorCode::kFailedPrecondition,
            found.file.string() +
                ": expected a backup of this project (model, data, compile, fit.seed, fit.steps_per_epoch, number of replicas), got "
                "one of another; give another folder for the run, or remove the file to begin anew");
    }
}

}  // namespace engine::train
