#include "agent/server/runs/run_records.h"

#include <algorithm>
#include <ctime>
#include <fstream>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/history/journal.h"
#include "agent/local/file_descriptor.h"
#include "agent/local/run_folder.h"
#include "agent/server/runs/kept_database.h"
#include "engine/spec/error.h"
#include "engine/spec/project/run_spec.h"

namespace agent::server {

namespace fs = std::filesystem;
using engine::run::RunInfo;
using engine::run::RunState;

namespace {

constexpr const char* kElsewhere = "elsewhere";
constexpr const char* kProject = "project.tandem";
constexpr std::uintmax_t kMostText = 64u << 20;

bool isJournal(const fs::path& file) {
    const std::string name = file.filename().string();
    const std::string_view whole = history::kJournalFile;
    return name.starts_with(whole) && (name.size() == whole.size() || name[whole.size()] == '-') && !name.ends_with("-wal") &&
           !name.ends_with("-shm") && !name.ends_with(history::kWriterLockSuffix);
}

std::string readText(const fs::path& file) {
    std::error_code failed;
    const std::uintmax_t size = fs::is_regular_file(file, failed) ? fs::file_size(file, failed) : 0;
    if (failed || size > kMostText) {
        return {};
    }
    std::ifstream stream(file, std::ios::binary);
    std::string text(static_cast<std::size_t>(size), '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
    return text;
}

// "20261121-143205-7f3a" of local time; else when the folder was changed last.
std::int64_t timeOf(const fs::path& folder) {
    std::tm local{};
    local.tm_isdst = -1;
    if (::strptime(folder.filename().c_str(), "%Y%m%d-%H%M%S-", &local) != nullptr) {
        return static_cast<std::int64_t>(std::mktime(&local)) * 1000000000;
    }
    struct stat status {};
    return ::stat(folder.c_str(), &status) != 0 ? 0 : status.st_mtim.tv_sec * std::int64_t{1000000000} + status.st_mtim.tv_nsec;
}

// Returns what a run that left no readable record can still say.
std::optional<RunInfo> recordOfFiles(const fs::path& folder) {
    const std::string project = readText(folder / kProject);
    if (project.empty()) {
        return std::nullopt;
    }
    const engine::spec::ProjectReport report = engine::spec::parseProject(project);
    RunInfo record;
    record.id = folder.filename().string();
    record.name = report.run.name;
    record.state = isThere(folder / convert::kFinishedFile) ? RunState::kDone : RunState::kFailed;
    record.detail = record.state == RunState::kDone ? "" : "how it ended is not known: the index of runs was lost";
    record.created_unix_ns = timeOf(folder);
    record.finished_unix_ns = record.created_unix_ns;
    record.run_dir = folder.string();
    record.tasks = static_cast<int>(std::max<std::size_t>(1, report.run.cluster.spec.trainingTasks().size()));
    record.project_json = project;
    return record;
}

}  // namespace

fs::path keptJournal(const RunInfo& run) {
    return fs::path(run.run_dir) / (std::string(history::kJournalFile) + "-" + run.id);
}

fs::path journalOf(const RunInfo& run) {
    const fs::path folder = run.run_dir, kept = keptJournal(run), journal = folder / history::kJournalFile;
    if (!isThere(folder)) {
        throw engine::Error(engine::ErrorCode::kNotFound, "run " + run.id + ": expected its folder " + run.run_dir + ", it is gone");
    }
    if (isThere(kept)) {
        return kept;
    }
    const std::optional<RunInfo> other = recordInJournal(journal);
    if (!isThere(journal) || (other && other->id != run.id)) {
        throw engine::Error(engine::ErrorCode::kNotFound, "run " + run.id + ": expected its journal in " + run.run_dir + ", it is gone");
    }
    return journal;
}

std::optional<RunInfo> recordInJournal(const fs::path& journal) {
    try {
        const std::optional<std::string> text = history::Journal(journal, history::Journal::Access::kReadOnly).record();
        std::optional<RunInfo> record = text ? history::runInfoFromJson(*text) : std::nullopt;
        if (record) {
            record->run_dir = journal.parent_path().string();
        }
        return record;
    } catch (const engine::Error&) {
        return std::nullopt;
    }
}

std::vector<RunInfo> recordsInFolder(const fs::path& folder) {
    std::vector<RunInfo> records;
    std::error_code failed;
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
        if (!isJournal(at->path())) {
            continue;
        }
        if (std::optional<RunInfo> record = recordInJournal(at->path())) {
            records.push_back(std::move(*record));
        }
    }
    if (records.empty()) {
        if (std::optional<RunInfo> record = recordOfFiles(folder)) {
            records.push_back(std::move(*record));
        }
    }
    return records;
}

std::vector<RunInfo> recordsBelow(const fs::path& runs_dir) {
    std::vector<fs::path> folders;
    std::error_code failed;
    for (fs::directory_iterator at(runs_dir, failed), end; !failed && at != end; at.increment(failed)) {
        std::error_code ignored;
        const bool is_unfinished = at->path().filename().string().starts_with('.');  // a run that is being imported
        if (!is_unfinished && at->is_directory(ignored) && !at->is_symlink(ignored)) {
            folders.push_back(at->path());
        }
    }
    std::ifstream elsewhere(runs_dir / kElsewhere);
    for (std::string line; std::getline(elsewhere, line);) {
        if (const fs::path folder = line; folder.is_absolute() && std::find(folders.begin(), folders.end(), folder) == folders.end()) {
            folders.push_back(folder);
        }
    }
    std::vector<RunInfo> records;
    for (const fs::path& folder : folders) {
        for (RunInfo& record : recordsInFolder(folder)) {
            records.push_back(std::move(record));
        }
    }
    return records;
}

bool rememberElsewhere(const fs::path& runs_dir, const fs::path& folder) {
    const fs::path list = runs_dir / kElsewhere;
    std::ifstream known(list);
    for (std::string line; std::getline(known, line);) {
        if (line == folder.string()) {
            return true;
        }
    }
    if (folder.string().find('\n') != std::string::npos) {
        return false;
    }
    const convert::FileDescriptor file(::open(list.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600));
    const std::string line = folder.string() + "\n";
    return file && ::write(file.get(), line.data(), line.size()) == static_cast<ssize_t>(line.size());
}

}  // namespace agent::server
