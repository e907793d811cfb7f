// The index of a host's runs: RUNS_DIR/runs.sqlite.
//
// It says only what the journals of the runs say themselves. One that is damaged or gone is put aside and built again from the run folders;
// one that can't be written is read.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "agent/history/run_store.h"
#include "engine/spec/error.h"
#include "engine/spec/events/task_event.h"
#include "engine/thread/mutex.h"

namespace agent::server {

using LogSink = std::function<void(engine::spec::LogLevel, const std::string&)>;

// Safe from any thread.
class RunIndex {
public:
    // Opens or makes it. Throws engine::Error.
    RunIndex(const std::filesystem::path& runs_dir, LogSink log);

    // Returns what `action` answers of the index. An index that turns out to be damaged is built again first. Throws Error(kUnavailable)
    // where there is none that can be read.
    template <typename Action>
    auto with(const Action& action) {
        const engine::MutexLock lock(mutex_);
        if (!index_) {
            open();
        }
        if (!index_) {
            throw engine::Error(engine::ErrorCode::kUnavailable, file_.string() + ": the index of runs can't be read");
        }
        try {
            return action(*index_);
        } catch (const engine::Error& error) {
            if (error.code() != engine::ErrorCode::kDataLoss) {
                throw;
            }
            replace(error.what());
        }
        return action(*index_);
    }

    // False when it can't be written now.
    bool put(const engine::run::RunInfo& run);
    // Returns what users should know of the index ("… was damaged: …"); empty: nothing.
    std::string notice();

private:
    void open() TANDEM_REQUIRES(mutex_);
    // Requires an index that is new. What folders say goes before what was saved of the damaged one.
    void rebuild(std::vector<engine::run::RunInfo> salvaged) TANDEM_REQUIRES(mutex_);
    void replace(const std::string& why) TANDEM_REQUIRES(mutex_);
    void tell(engine::spec::LogLevel level, const std::string& text) const;

    const std::filesystem::path runs_dir_, file_;
    const LogSink log_;
    engine::Mutex mutex_;
    std::unique_ptr<history::RunStore> index_ TANDEM_GUARDED_BY(mutex_);  // null: there is no index that can be read
    bool is_writable_ TANDEM_GUARDED_BY(mutex_) = false;
    std::string notice_ TANDEM_GUARDED_BY(mutex_);
};

}  // namespace agent::server
