#include "agent/server/runs/run_index.h"

#include <optional>
#include <utility>

#include "agent/server/runs/kept_database.h"
#include "agent/server/runs/run_records.h"

namespace agent::server {

namespace fs = std::filesystem;
using engine::Error;
using engine::ErrorCode;
using engine::run::RunInfo;
using engine::spec::LogLevel;
using history::RunStore;

RunIndex::RunIndex(const fs::path& runs_dir, LogSink log)
    : runs_dir_(runs_dir), file_(runs_dir / history::kIndexFile), log_(std::move(log)) {
    const engine::MutexLock lock(mutex_);
    open();
}

void RunIndex::tell(LogLevel level, const std::string& text) const {
    if (log_) {
        log_(level, text);
    }
}

void RunIndex::open() {
    try {
        index_ = std::make_unique<RunStore>(file_);
        is_writable_ = true;
    } catch (const Error& error) {
        if (error.code() == ErrorCode::kDataLoss) {
            replace(error.what());
            return;
        }
        if (error.code() == ErrorCode::kFailedPrecondition) {
            throw;  // of a newer version, which is not damaged
        }
        tell(LogLevel::kWarning, std::string("the index of runs can't be written: ") + error.what());
        is_writable_ = false;
        try {
            index_ = std::make_unique<RunStore>(file_, RunStore::Access::kReadOnly);
        } catch (const Error&) {
            index_ = nullptr;
        }
        return;
    }
    if (index_->isFresh()) {
        rebuild({});
    }
}

void RunIndex::rebuild(std::vector<RunInfo> salvaged) {
    for (const RunInfo& run : salvaged) {
        index_->put(run);
    }
    const std::vector<RunInfo> found = recordsBelow(runs_dir_);
    for (const RunInfo& run : found) {
        const std::optional<RunInfo> known = index_->find(run.id);
        if (!known || !isFinal(known->state) || isFinal(run.state)) {
            index_->put(run);
        }
    }
    const std::size_t runs = index_->list().size();
    if (runs > 0) {
        const std::string built =
            "the index of runs was built again from the run folders: " + std::to_string(runs) + (runs == 1 ? " run" : " runs");
        notice_ += (notice_.empty() ? "" : "; ") + built;
        tell(LogLevel::kWarning, built);
    }
}

void RunIndex::replace(const std::string& why) {
    index_ = nullptr;
    std::vector<RunInfo> salvaged;
    try {
        salvaged = RunStore(file_, RunStore::Access::kReadOnly).listIntact();
    } catch (const Error&) {
        // No record of the damaged index can be read.
    }
    const fs::path aside = freeName(file_.string() + ".damaged-" + stamp());
    moveDatabase(file_, aside);
    notice_ = "the index of runs was damaged (" + why + ") and put aside as " + aside.filename().string();
    tell(LogLevel::kWarning, notice_);
    index_ = std::make_unique<RunStore>(file_);
    is_writable_ = true;
    rebuild(std::move(salvaged));
}

bool RunIndex::put(const RunInfo& run) {
    try {
        {
            const engine::MutexLock lock(mutex_);
            if (!is_writable_) {
                open();
            }
            if (!is_writable_) {
                return false;
            }
        }
        with([&](RunStore& index) { index.put(run); });
        return true;
    } catch (const Error&) {
        return false;
    }
}

std::string RunIndex::notice() {
    const engine::MutexLock lock(mutex_);
    return notice_;
}

}  // namespace agent::server
