// The runs of a host, one row each: written by the agent, read by the studio too.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/run/run_info.h"
#include "engine/thread/mutex.h"

namespace agent::history {

class Database;

// A record as one JSON object, which a run's journal carries, too: {"id": .., "name": .., "state": 4, .., "results": [["loss", 0.1]]}.
std::string toJson(const engine::run::RunInfo& run);
// nullopt for a text that is no record.
std::optional<engine::run::RunInfo> runInfoFromJson(std::string_view text);

// The index of all runs: RUNS_DIR/runs.sqlite. Safe from any thread (one connection, one mutex); several processes may read.
// Every call throws engine::Error naming the file: kResourceExhausted on a full disk, kPermissionDenied, kDataLoss, kInternal.
class RunStore {
public:
    enum class Access { kReadOnly, kCreate };
    explicit RunStore(const std::filesystem::path& file, Access access = Access::kCreate);
    ~RunStore();
    // True when the file held nothing before it was opened.
    bool isFresh() const;

    // Throws Error(kAlreadyExists) when there is a run of that id.
    void insert(const engine::run::RunInfo& run);
    // Replaces everything but id, creation and folder. Throws Error(kNotFound).
    void update(const engine::run::RunInfo& run);
    // Inserts the run, or replaces all of it.
    void put(const engine::run::RunInfo& run);
    std::optional<engine::run::RunInfo> find(const std::string& id) const;
    std::vector<engine::run::RunInfo> list() const;        // newest first
    std::vector<engine::run::RunInfo> unfinished() const;  // that are not final, in no order
    // The runs that can still be read from a damaged file, in no order.
    std::vector<engine::run::RunInfo> listIntact() const;
    // Returns at most `most` runs, newest first, that come behind the run of that time and id.
    std::vector<engine::run::RunInfo> listBehind(std::int64_t created_unix_ns, const std::string& id, std::size_t most) const;
    // Marks every run that is not final as failed with `detail` and returns their ids. Called when an agent starts.
    std::vector<std::string> failUnfinished(const std::string& detail, std::int64_t finished_unix_ns);

private:
    void write(const engine::run::RunInfo& run) TANDEM_REQUIRES(mutex_);

    mutable engine::Mutex mutex_;
    std::unique_ptr<Database> database_ TANDEM_GUARDED_BY(mutex_);
};

// The name of the index below the runs folder, and of a run's journal below its own.
inline constexpr const char* kIndexFile = "runs.sqlite";
inline constexpr const char* kJournalFile = "journal";

}  // namespace agent::history
