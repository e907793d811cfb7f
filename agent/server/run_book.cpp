#include "agent/server/run_book.h"

#include <array>
#include <chrono>

#include "engine/spec/error.h"

namespace agent::server {

namespace fs = std::filesystem;

namespace {

std::int64_t nowUnixNs() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

constexpr std::array kDatabaseFiles{"", "-wal", "-shm"};

// Where the journal of a run lies once another run has begun in its folder.
fs::path keptJournal(const history::RunRecord& run) {
    return fs::path(run.run_dir) / (std::string(history::kJournalFile) + "-" + run.id);
}

[[noreturn]] void throwNotFound(const std::string& id) {
    throw engine::Error(engine::ErrorCode::kNotFound, "run " + id + ": not found on this host");
}

}  // namespace

RunBook::RunBook(const std::filesystem::path& runs_dir) : store_(runs_dir / history::kIndexFile) {
    store_.failUnfinished("the agent was killed while the run went on", nowUnixNs());
}

std::shared_ptr<EventLog> RunBook::open(const history::RunRecord& run) {
    const fs::path journal = fs::path(run.run_dir) / history::kJournalFile;
    // That of the last run in the same folder stays its own; one that nobody here knows goes.
    std::error_code ignored;
    const std::optional<history::RunRecord> earlier = fs::exists(journal, ignored) ? lastRunIn(run.run_dir) : std::nullopt;
    for (const char* suffix : kDatabaseFiles) {
        std::error_code failed;
        if (earlier) {
            fs::rename(journal.string() + suffix, keptJournal(*earlier).string() + suffix, failed);
        } else {
            fs::remove(journal.string() + suffix, failed);
        }
    }
    std::shared_ptr<EventLog> log = EventLog::create(journal);
    store_.insert(run);
    const std::lock_guard lock(mutex_);
    live_[run.id] = {run, log};
    return log;
}

bool RunBook::update(const history::RunRecord& run) {
    {
        const std::lock_guard lock(mutex_);
        if (const auto entry = live_.find(run.id); entry != live_.end()) {
            entry->second.record = run;
            entry->second.saved = false;
        }
    }
    try {
        store_.update(run);
    } catch (const engine::Error&) {
        return false;
    }
    {
        const std::lock_guard lock(mutex_);
        if (const auto entry = live_.find(run.id); entry != live_.end()) {
            entry->second.saved = true;
        }
    }
    saveLeftOver();
    return true;
}

void RunBook::saveLeftOver() {
    std::vector<history::RunRecord> left_over;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [id, live] : live_) {
            if (!live.saved && live.closed) {
                left_over.push_back(live.record);
            }
        }
    }
    for (const history::RunRecord& run : left_over) {
        try {
            store_.update(run);
        } catch (const engine::Error&) {
            return;  // still no room; the record holds here
        }
        const std::lock_guard lock(mutex_);
        live_.erase(run.id);
    }
}

void RunBook::close(const std::string& id) {
    std::shared_ptr<EventLog> log;
    {
        const std::lock_guard lock(mutex_);
        const auto entry = live_.find(id);
        ENGINE_CHECK(entry != live_.end());
        log = entry->second.log;
        if (entry->second.saved) {
            live_.erase(entry);
        } else {
            entry->second.closed = true;
        }
    }
    log->close();
}

history::RunRecord RunBook::find(const std::string& id) const {
    {
        const std::lock_guard lock(mutex_);
        if (const auto entry = live_.find(id); entry != live_.end()) {
            return entry->second.record;
        }
    }
    const std::optional<history::RunRecord> record = store_.find(id);
    if (!record) {
        throwNotFound(id);
    }
    return *record;
}

std::shared_ptr<EventLog> RunBook::log(const std::string& id) const {
    {
        const std::lock_guard lock(mutex_);
        if (const auto entry = live_.find(id); entry != live_.end()) {
            return entry->second.log;
        }
    }
    const history::RunRecord run = find(id);
    const fs::path folder = run.run_dir, kept = keptJournal(run);
    std::error_code ignored;
    if (!fs::exists(folder, ignored)) {
        throw engine::Error(engine::ErrorCode::kNotFound, "run " + id + ": expected its folder " + run.run_dir + ", it is gone");
    }
    return EventLog::openFinished(fs::exists(kept, ignored) ? kept : folder / history::kJournalFile);
}

std::vector<history::RunRecord> RunBook::listBehind(std::int64_t created_unix_ns, const std::string& id, std::size_t most) const {
    std::vector<history::RunRecord> runs = store_.listBehind(created_unix_ns, id, most);
    const std::lock_guard lock(mutex_);
    for (history::RunRecord& run : runs) {
        if (const auto entry = live_.find(run.id); entry != live_.end()) {
            run = entry->second.record;
        }
    }
    return runs;
}

std::string RunBook::liveRunIn(const std::filesystem::path& run_dir) const {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, live] : live_) {
        if (!history::isFinal(live.record.state) && std::filesystem::path(live.record.run_dir) == run_dir) {
            return id;
        }
    }
    return {};
}

bool RunBook::lastRunIsDone(const std::filesystem::path& run_dir) const {
    std::error_code failed;
    if (std::filesystem::is_empty(run_dir / "checkpoints", failed) || failed) {
        return false;
    }
    const std::optional<history::RunRecord> last = lastRunIn(run_dir);
    return last && last->state == history::RunState::kDone;
}

std::optional<history::RunRecord> RunBook::lastRunIn(const std::filesystem::path& run_dir) const {
    for (const history::RunRecord& run : store_.list()) {
        if (fs::path(run.run_dir) == run_dir) {
            return run;
        }
    }
    return std::nullopt;
}

}  // namespace agent::server
