#include "engine/train/backup_and_restore.h"

#include <memory>

#include "engine/export/atomic_file.h"
#include "engine/export/backup_file.h"
#include "engine/spec/error.h"
#include "engine/train/save_frequency.h"

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
            return std::make_unique<BackupAndRestore>(callback.config);
        }
    }
    return nullptr;
}

BackupAndRestore::BackupAndRestore(const spec::Fields& config)
    : folder_(config.getString("backup_dir", "backup")),
      keeps_previous_(config.getBool("double_checkpoint", false)),
      deletes_(config.getBool("delete_checkpoint", true)),
      every_steps_(saveFrequency(config, "save_freq", "callbacks.backup_and_restore")) {
    if (folder_.empty()) {
        throw Error(ErrorCode::kInvalidArgument, "callbacks.backup_and_restore.backup_dir: expected a folder, got an empty name");
    }
}

void BackupAndRestore::write(const std::filesystem::path& run_dir, const std::vector<exporter::SavedObject>& objects,
                             const backend::Variables& variables) const {
    const std::filesystem::path folder = run_dir / folder_;
    std::filesystem::create_directories(folder);
    if (keeps_previous_ && std::filesystem::exists(folder / kLatest)) {
        std::filesystem::remove(folder / kPrevious);
        std::filesystem::create_hard_link(folder / kLatest, folder / kPrevious);
    }
    std::vector<exporter::VariableView> views;
    for (const backend::Variables::Entry& entry : variables.entries()) {
        views.push_back({entry.name, entry.shape, entry.values});
    }
    exporter::writeBackup(folder / kLatest, objects, views);
}

std::optional<BackupAndRestore::Found> BackupAndRestore::read(const std::filesystem::path& run_dir, backend::Variables& variables) const {
    const std::filesystem::path latest = run_dir / folder_ / kLatest;
    const std::filesystem::path previous = run_dir / folder_ / kPrevious;
    if (!std::filesystem::exists(latest)) {
        return std::nullopt;
    }
    const auto views = viewsOf(variables);
    try {
        return Found{latest, exporter::readBackup(latest, views), ""};
    } catch (const Error& error) {
        if (error.code() != ErrorCode::kDataLoss || !std::filesystem::exists(previous)) {
            throw Error(error.code(), std::string(error.what()) + "; remove the file to begin anew");
        }
        return Found{previous, exporter::readBackup(previous, views), error.what()};
    }
}

std::optional<BackupAndRestore::Found> BackupAndRestore::readObjects(const std::filesystem::path& run_dir,
                                                                     std::uintmax_t most_bytes) const {
    const std::filesystem::path latest = run_dir / folder_ / kLatest;
    std::error_code failed;
    const std::uintmax_t bytes = std::filesystem::file_size(latest, failed);
    if (failed || bytes > most_bytes) {
        return std::nullopt;
    }
    return Found{latest, exporter::readBackupObjects(latest), ""};
}

void BackupAndRestore::remove(const std::filesystem::path& run_dir) const {
    if (!deletes_) {
        return;
    }
    std::error_code ignored;
    for (const char* file : {kLatest, kPrevious}) {
        std::filesystem::remove(run_dir / folder_ / file, ignored);
    }
    exporter::removeLeftovers(run_dir / folder_ / kLatest);
    std::filesystem::remove(run_dir / folder_, ignored);  // stays when somebody else keeps files there
}

}  // namespace engine::train
