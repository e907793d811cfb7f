#include "agent/client/followed_folder.h"

#include "agent/local/event_files.h"
#include "agent/local/far_run_note.h"
#include "agent/local/scheduler_job.h"
#include "engine/event_files/event_folder.h"
#include "engine/run/event_file_run.h"

namespace agent::client {

bool tellsEvents(const std::filesystem::path& folder) {
    std::error_code failed;
    return !folder.empty() && (std::filesystem::is_directory(folder / convert::kEventFolder, failed) || convert::hasSchedulerJob(folder));
}

bool holdsEventFiles(const std::filesystem::path& folder) {
    std::error_code failed;
    return !folder.empty() && std::filesystem::is_directory(folder, failed) && engine::event_files::holdsEventFiles(folder);
}

bool isEventFile(std::string_view name) {
    return engine::event_files::isEventFile(name);
}

std::string eventFolderOf(const engine::run::RunInfo& run) {
    return isOfEventFiles(run) ? run.imported_from : std::string();
}

std::optional<FarPlace> farPlaceOf(const std::filesystem::path& folder, const std::string& run_id) {
    const std::optional<convert::FarRunNote> note = convert::readFarRunNote(folder);
    if (!note || note->here != run_id) return std::nullopt;
    return FarPlace{.host = note->host, .folder = note->folder};
}

std::filesystem::path projectOfJob(const std::filesystem::path& folder) {
    return folder / convert::kSubmittedProject;
}

}  // namespace agent::client
