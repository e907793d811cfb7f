#include "agent/convert/run_folder.h"

#include <algorithm>

#include "engine/spec/error.h"

namespace agent::convert {

namespace fs = std::filesystem;

namespace {

constexpr const char* kCheckpoints = "checkpoints";
constexpr const char* kProject = "project.tandem";

// Of the run in `folder`; none without the callback.
std::vector<fs::path> backups(const fs::path& folder, const engine::spec::RunSpec& run) {
    const auto callback = std::find_if(run.callbacks.begin(), run.callbacks.end(),
                                       [](const engine::spec::ObjectSpec& one) { return one.class_name == "BackupAndRestore"; });
    if (callback == run.callbacks.end()) {
        return {};
    }
    const fs::path below = folder / callback->config.getString("backup_dir", "backup");
    return {below / "latest.backup", below / "previous.backup"};
}

bool isThere(const fs::path& file) {
    std::error_code ignored;
    return fs::exists(file, ignored);
}

int checkpointsIn(const fs::path& folder) {
    int count = 0;
    std::error_code failed;
    for (fs::directory_iterator at(folder / kCheckpoints, failed), end; !failed && at != end; at.increment(failed)) {
        count += at->path().extension() == ".index" ? 1 : 0;
    }
    return count;
}

// Files of the forms that a run writes among its checkpoints; anything else there is somebody's own.
bool isOfACheckpoint(const fs::path& file) {
    const std::string name = file.filename().string();
    return name == "checkpoint" || name.ends_with(".index") || name.find(".data-0") != std::string::npos || name.ends_with(".keras") ||
           name.ends_with(".h5");
}

std::vector<fs::path> checkpointFiles(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code failed;
    for (fs::recursive_directory_iterator at(folder / kCheckpoints, failed), end; !failed && at != end; at.increment(failed)) {
        if (!at->is_directory() && isOfACheckpoint(at->path())) {
            files.push_back(at->path());
        }
    }
    return files;
}

}  // namespace

std::string finishedRunIn(const fs::path& folder, const engine::spec::RunSpec& run, bool known_finished) {
    const std::vector<fs::path> kept = backups(folder, run);
    if ((!known_finished && !isThere(folder / kFinishedFile)) || std::any_of(kept.begin(), kept.end(), isThere)) {
        return {};
    }
    const int count = checkpointsIn(folder);
    return folder.string() + ": expected a new folder or that of an unfinished run, got one with a finished run (" + std::to_string(count) +
           (count == 1 ? " checkpoint" : " checkpoints") +
           "), which would be overwritten; give another folder with --out, or --overwrite "
           "to begin anew there";
}

void forgetRun(const fs::path& folder, const engine::spec::RunSpec& run) {
    if (!isThere(folder / kProject) && !isThere(folder / kFinishedFile)) {
        return;
    }
    std::vector<fs::path> gone = backups(folder, run);
    const std::vector<fs::path> checkpoints = checkpointFiles(folder);
    gone.insert(gone.end(), checkpoints.begin(), checkpoints.end());
    gone.push_back(folder / kFinishedFile);
    for (const fs::path& path : gone) {
        std::error_code failed;
        fs::remove(path, failed);
        if (failed) {
            throw engine::Error(engine::ErrorCode::kPermissionDenied, path.string() + ": can't be removed: " + failed.message());
        }
    }
}

}  // namespace agent::convert
