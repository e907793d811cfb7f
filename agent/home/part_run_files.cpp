// The files of a PartRun: those that its tasks leave over there come home, and a backup goes there.
#include <algorithm>

#include "agent/home/part_run.h"
#include "agent/local/run_folder.h"
#include "engine/spec/error.h"

namespace agent::home {

namespace spec = engine::spec;
using namespace std::chrono_literals;
using engine::Error;
using engine::ErrorCode;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::chrono::milliseconds kPartListDeadline = 20s;
constexpr std::chrono::milliseconds kBackup = 3s;  // between two looks for a new backup

}  // namespace

// Brings the files of the part home where they belong there. What could not be brought is tried again with the next ones. `between` is
// called while a file comes and ends that with an Error.
void PartRun::mirror(MirrorKind kind, const std::function<void()>& between) {
    if (!options_.brings_home || !live_ || !begun_.is_done) {
        return;  // new files stay noted until they can be fetched
    }
    if (kind == MirrorKind::kAll) {
        const engine::MutexLock lock(mutex_);
        if (!std::exchange(noted_.has_new_files, false)) {
            return;
        }
    }
    try {
        bring(kind == MirrorKind::kBackup ? backup_folder_ : "", between);
    } catch (const Error& error) {
        if (error.code() == ErrorCode::kCancelled && kind != MirrorKind::kLast) {
            return;
        }
        const std::string text = hostName() + ": files of its part could not be brought here: " + error.what();
        tellFirst(spec::LogLine{kind == MirrorKind::kLast ? spec::LogLevel::kError : spec::LogLevel::kWarning, text});
    }
}

void PartRun::bring(const std::string& below, const std::function<void()>& between) {
    if (!mirror_) {
        mirror_.emplace(options_.folder);
        if (options_.standing) {
            mirror_->takeForFetched();
        }
    }
    mirror_->update(live_->parts(), run_id_, below, between);
}

// A backup is written without a word.
void PartRun::mirrorInTime(const std::function<void()>& between) {
    if (backup_folder_.empty() || !watch_ || isSilent() || Clock::now() < times_.next_backup) {
        return;
    }
    mirror(MirrorKind::kBackup, between);
    times_.next_backup = Clock::now() + kBackup;
}

// Answers where it is there; empty where home has none.
std::string PartRun::sendBackup(const std::function<bool()>& is_cancelled) {
    const std::vector<std::filesystem::path> kept = convert::backupFiles(spec::parseProject(options_.project_json).run);
    const auto file = std::find_if(kept.begin(), kept.end(), [this](const std::filesystem::path& one) {
        std::error_code ignored;
        return std::filesystem::is_regular_file(options_.folder / one, ignored);
    });
    if (!options_.sends_backup || file == kept.end()) {
        return {};
    }
    return fileThere(options_.folder / *file, live_->parts(), kPartListDeadline, is_cancelled);
}

}  // namespace agent::home
