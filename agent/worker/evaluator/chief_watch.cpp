#include "agent/worker/evaluator/chief_watch.h"

#include <algorithm>
#include <utility>

#include <sys/stat.h>

#include "agent/local/event_files.h"
#include "agent/local/folder_claim.h"
#include "engine/spec/error.h"
#include "engine/spec/events/checkpoint_list.h"
#include "engine/spec/project/cluster_spec.h"

namespace agent::worker {

namespace spec = engine::spec;
using engine::files::SafeFolder;

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kLookForSigns{1}, kLongestGap{5}, kWarnAfter{60};

std::string secondsText(Clock::duration time) {
    return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time).count()) + " s";
}

// Opened, not asked for by name: a file system of several computers then asks its server how long the file is.
std::optional<struct stat> statusOf(const SafeFolder& folder, const std::string& name) {
    try {
        const engine::files::FileDescriptor file = folder.openToRead(name);
        struct stat found {};
        if (::fstat(file.get(), &found) == 0) return found;
    } catch (const engine::Error&) {
        // It is not there yet, or goes at this moment.
    }
    return std::nullopt;
}

std::vector<std::string> eventFilesOfTrainers(const SafeFolder& events) {
    std::vector<std::string> names;
    for (const SafeFolder::Entry& entry : events.list()) {
        const std::optional<spec::TaskId> task = convert::taskOfEventFile(entry.name);
        if (task && task->type != "ps" && task->type != spec::kEvaluator) names.push_back(entry.name);
    }
    return names;
}

}  // namespace

std::vector<ChiefWatch::Trace> ChiefWatch::traces() const {
    std::vector<Trace> found;
    const auto add = [&found](const SafeFolder& folder, const std::string& name) {
        if (const auto status = statusOf(folder, name)) {
            found.push_back({name, static_cast<std::uint64_t>(status->st_ino), static_cast<std::int64_t>(status->st_size)});
        }
    };
    add(*options_.folder, spec::kCheckpointListFile);
    try {
        const SafeFolder events = options_.folder->openFolder(convert::kEventFolder);
        for (const std::string& name : eventFilesOfTrainers(events)) add(events, name);
    } catch (const engine::Error&) {
        // Nobody tells of itself yet.
    }
    return found;
}

bool ChiefWatch::findsSign() {
    std::vector<Trace> found = traces();
    const bool has_changed = traces_ && *traces_ != found;
    traces_ = std::move(found);
    return has_changed || convert::FolderClaim::isHeld(options_.folder->path());
}

void ChiefWatch::say(spec::LogLevel level, const std::string& text) const {
    if (options_.says) options_.says(level, text);
}

std::optional<std::string> ChiefWatch::lost() {
    const Clock::time_point now = options_.now();
    if (looked_ && now - *looked_ < kLookForSigns) return lost_;
    const Clock::duration gap = looked_ ? std::min<Clock::duration>(now - *looked_, kLongestGap) : Clock::duration{};
    looked_ = now;
    const std::string folder = options_.folder->path().string();
    if (findsSign()) {
        if (std::exchange(has_warned_, false)) say(spec::LogLevel::kInfo, options_.chief + " is there");
        was_seen_ = true;
        silence_ = {};
        lost_.reset();
        return lost_;
    }
    silence_ += gap;
    const Clock::duration limit = was_seen_ ? options_.away_at_most : options_.comes_within;
    if (silence_ >= limit) {
        lost_ = was_seen_
                    ? options_.chief + " is gone: expected it back within " + secondsText(limit) + ", found no sign of life in " + folder
                    : "gave up waiting for " + options_.chief + " to begin after " + secondsText(limit) + ": found no sign of it in " +
                          folder + "; cluster.start_timeout_s sets how long it is waited for";
    } else if (!has_warned_ && silence_ >= std::min<Clock::duration>(limit / 2, kWarnAfter)) {
        has_warned_ = true;
        say(spec::LogLevel::kWarning,
            was_seen_ ? options_.chief + " is gone; it may come back within " + secondsText(limit)
                      : "no sign of " + options_.chief + " in " + folder + "; it may begin within " + secondsText(limit));
    }
    return lost_;
}

}  // namespace agent::worker
