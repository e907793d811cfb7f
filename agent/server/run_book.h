// All runs of this host: the records of the index, and the event log of each.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "agent/history/run_store.h"
#include "agent/server/event_log.h"

namespace agent::server {

// Safe from any thread. While a run is live its record is held here too, so that a full disk can't make the answers stale.
class RunBook {
public:
    // Opens or makes RUNS_DIR/runs.sqlite, and fails the runs that an earlier agent left unfinished. Throws engine::Error.
    explicit RunBook(const std::filesystem::path& runs_dir);

    // A new run in its folder, with an empty log; that of the folder's last run goes on as journal-ID, by that run's id. Throws
    // engine::Error and leaves nothing in the index on failure.
    std::shared_ptr<EventLog> open(const history::RunRecord& run);
    // False when the index could not be written; the record holds here all the same, and a later update writes it again.
    bool update(const history::RunRecord& run);
    // After the last update: the log ends for those who watch. Requires an open run.
    void close(const std::string& id);

    // Throw Error(kNotFound).
    history::RunRecord find(const std::string& id) const;
    std::shared_ptr<EventLog> log(const std::string& id) const;
    // Newest first, behind the run of that time and id; at most `most`.
    std::vector<history::RunRecord> listBehind(std::int64_t created_unix_ns, const std::string& id, std::size_t most) const;
    // The id of the live run that uses a folder; empty when none does.
    std::string liveRunIn(const std::filesystem::path& run_dir) const;
    // Whether the newest run of a folder was done. Reads the index only where there are checkpoints.
    bool lastRunIsDone(const std::filesystem::path& run_dir) const;
    // The newest run in a folder that this host knows of. Reads the whole index.
    std::optional<history::RunRecord> lastRunIn(const std::filesystem::path& run_dir) const;

private:
    // Writes the records that are over and could not be written before.
    void saveLeftOver();

    struct Live {
        history::RunRecord record;
        std::shared_ptr<EventLog> log;
        bool saved = true;
        bool closed = false;
    };
    history::RunStore store_;  // synchronizes itself
    mutable std::mutex mutex_;
    std::map<std::string, Live> live_;  // guarded by mutex_
};

}  // namespace agent::server
