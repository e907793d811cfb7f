#include "agent/server/runs/run_files.h"

#include <algorithm>
#include <array>
#include <utility>

#include "agent/archive/member_name.h"
#include "agent/local/far_run_note.h"
#include "agent/local/folder_claim.h"
#include "agent/local/run_folder.h"
#include "agent/server/runs/submission_note.h"
#include "agent/wire/task_event_convert.h"
#include "engine/files/safe_folder.h"
#include "engine/spec/error.h"

namespace agent::server {

using engine::files::SafeFolder;

namespace {

constexpr std::size_t kMostFiles = 10000;
constexpr int kDeepest = 16;
constexpr std::int64_t kNanoseconds = 1'000'000'000;

void addFiles(const SafeFolder& folder, const std::string& prefix, int depth, std::vector<RunFile>& files) {
    for (const SafeFolder::Entry& entry : folder.list()) {
        std::string path = prefix + entry.name;
        if (convert::validUtf8(path) != path || isTheAgents(path)) {
            continue;
        }
        if (entry.is_folder) {
            if (depth < kDeepest) {
                addFiles(folder.openFolder(entry.name), path + "/", depth + 1, files);
            }
            continue;
        }
        const auto status = folder.status(entry.name);
        if (!status || !S_ISREG(status->st_mode)) {
            continue;
        }
        if (files.size() == kMostFiles) {
            throw engine::Error(engine::ErrorCode::kResourceExhausted,
                                folder.path().string() + ": expected at most " + std::to_string(kMostFiles) + " files in a run's folder");
        }
        files.push_back({std::move(path), status->st_size, status->st_mtim.tv_sec * kNanoseconds + status->st_mtim.tv_nsec});
    }
}

}  // namespace

bool isTheAgents(std::string_view path) {
    static constexpr std::array<std::string_view, 5> kNames{convert::kFolderLock, convert::kProjectFile, kSubmissionFile,
                                                            archive::kImportedFile, "event_files.json"};
    const std::string_view first = path.substr(0, path.find('/'));
    const bool is_part_note = first.starts_with(convert::kPartNotePrefix) && first.ends_with(convert::kPartNoteSuffix);
    return first.starts_with("journal") || is_part_note || std::find(kNames.begin(), kNames.end(), first) != kNames.end() ||
           convert::isOfFollowing(first) || convert::isOfFollowing(path);
}

std::vector<RunFile> filesOfRun(const std::filesystem::path& folder) {
    std::vector<RunFile> files;
    addFiles(SafeFolder::open(folder), "", 0, files);
    std::stable_sort(files.begin(), files.end(),
                     [](const RunFile& one, const RunFile& other) { return one.modified_unix_ns < other.modified_unix_ns; });
    return files;
}

}  // namespace agent::server
