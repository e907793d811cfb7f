// The runs of a host, one row each: written by the agent, read by the studio too.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace agent::history {

class Database;

// Stored as these numbers.
enum class RunState { kStarting = 1, kTraining = 2, kPaused = 3, kDone = 4, kStopped = 5, kFailed = 6 };
inline bool isFinal(RunState state) {
    return state >= RunState::kDone;
}

struct RunRecord {
    std::string id;  // "20261121-143205-7f3a"
    std::string name;
    RunState state = RunState::kStarting;
    std::string detail;  // reason of a failure
    std::int64_t created_unix_ns = 0, finished_unix_ns = 0;
    std::string run_dir;
    int tasks = 1;
    std::string project_json;  // as resolved
    std::vector<std::pair<std::string, double>> results;
    std::string checkpoint, weights_sha256;
    int attempts = 1;          // how often its tasks were started: by its launch, after a task was lost, by hand
    std::int64_t idle_ns = 0;  // between the end of an attempt and the next one that was started by hand: no time of the run's own
    friend bool operator==(const RunRecord&, const RunRecord&) = default;
};

// A record as one JSON object, which a run's journal carries, too: {"id": .., "name": .., "state": 4, .., "results": [["loss", 0.1]]}.
std::string toJson(const RunRecord& run);
// nullopt for a text that is no record.
std::optional<RunRecord> runRecordFromJson(std::string_view text);

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
    void insert(const RunRecord& run);
    // Replaces everything but id, creation and folder. Throws Error(kNotFound).
    void update(const RunRecord& run);
    // Inserts the run, or replaces all of it.
    void put(const RunRecord& run);
    std::optional<RunRecord> find(const std::string& id) const;
    std::vector<RunRecord> list() const;  // newest first
    // As many as can be read of a file that is damaged, in no order.
    std::vector<RunRecord> listIntact() const;
    // In that order the ones behind a run, given by its time and id; at most `most` of them.
    std::vector<RunRecord> listBehind(std::int64_t created_unix_ns, const std::string& id, std::size_t most) const;
    // Marks every run that is not final as failed with `detail`; answers their ids. For the start of an agent.
    std::vector<std::string> failUnfinished(const std::string& detail, std::int64_t finished_unix_ns);

private:
    void write(const RunRecord& run);  // requires mutex_

    mutable std::mutex mutex_;
    std::unique_ptr<Database> database_;  // guarded by mutex_
};

// The name of the index below the runs folder, and of a run's journal below its own.
inline constexpr const char* kIndexFile = "runs.sqlite";
inline constexpr const char* kJournalFile = "journal";

}  // namespace agent::history
