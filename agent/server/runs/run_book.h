// All runs of this host: the records of the index, and the event log of each.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/history/run_store.h"
#include "agent/local/folder_claim.h"
#include "agent/local/run_folder.h"
#include "agent/server/runs/event_log.h"
#include "agent/server/runs/run_index.h"
#include "engine/spec/events/task_event.h"
#include "engine/thread/mutex.h"

namespace agent::server {

struct RunBookOptions {
    std::vector<std::filesystem::path> spare_folders{};  // for events that a run's own folder has no room for
    LogSink log{};
    // True for a run that an earlier agent left unfinished and that goes on; empty: no run does.
    std::function<bool(const engine::run::RunInfo& run)> may_go_on{};
};

// What an agent that was killed leaves its successor as the reason of a run's end.
inline constexpr const char* kAgentKilled = "the agent was killed while the run went on";

// A run that an earlier agent left unfinished and that goes on: it is open, its folder is claimed, and nobody publishes in its log yet.
struct InterruptedRun {
    engine::run::RunInfo record;
    std::int64_t last_told_unix_ns = 0;  // of the newest event; 0: there is none
};

// Safe from any thread. While a run is live its record is held here too, so that a full disk can't make the answers stale.
// What the index lacks, because it can't be written, is held here until it can.
class RunBook {
public:
    // Opens or makes the index, and fails the runs that an earlier agent left unfinished, but for those that may go on. Throws
    // engine::Error.
    explicit RunBook(const std::filesystem::path& runs_dir, RunBookOptions options = {});

    // Enters a new run in its folder and returns its empty log; the journal of the folder's last run is kept as journal-ID, with that run's
    // id. The claim is held until close(). `note`, where one is given, is called when the folder's journal is this run's to write and
    // before anybody can learn of the run: what it leaves in the folder is left by one agent alone. Throws engine::Error, and what `note`
    // throws, and leaves nothing in the index on failure.
    std::shared_ptr<EventLog> open(const engine::run::RunInfo& run, convert::FolderClaim claim = {},
                                   const std::function<void()>& note = {});
    // Returns the run that goes on when its tasks are started again in its folder: the last one there, when it is over, is this folder's
    // own and its journal can be read. nullopt: whoever starts there begins a run.
    std::optional<engine::run::RunInfo> runToGoOn(const std::filesystem::path& folder);
    // Returns the id of the run whose journal lies in the folder that holds `file` (absolute), or in one above it; empty where there is
    // none.
    static std::string runThatWrote(const std::filesystem::path& file);
    // Begins a further attempt of such a run and returns its log, which goes on behind its last event. Throws engine::Error and changes
    // nothing on failure: kResourceExhausted where the end of the last attempt still waits for room on a disk.
    std::shared_ptr<EventLog> reopen(const engine::run::RunInfo& run, convert::FolderClaim claim = {});
    // Returns the runs that may go on. Whoever asks takes them on: each is to be closed in the end.
    std::vector<InterruptedRun> interrupted() const { return interrupted_; }
    // Begins a further attempt of an interrupted run, or takes up one that an agent with another index left unfinished, and returns its
    // log, which goes on behind its last event. Throws what reopen() throws.
    std::shared_ptr<EventLog> goOn(const engine::run::RunInfo& run);
    // False when the index could not be written; the record holds here all the same, and a later update writes it again.
    bool update(const engine::run::RunInfo& run);
    // Ends a run, with its final record. Whoever hears of that finds the journal on disk and the folder free. Requires an open run. False
    // when the index could not be written.
    bool close(const engine::run::RunInfo& run);
    // Enters a run that is over and that no agent here has trained, or one whose folder was moved: its folder holds its journal. Throws
    // Error(kResourceExhausted) when the index can't be written.
    void add(const engine::run::RunInfo& run);
    // Writes what could not be written yet into the spare folders. Called when the agent ends.
    void saveSpare();

    // These throw Error(kNotFound).
    engine::run::RunInfo find(const std::string& id);
    std::shared_ptr<EventLog> log(const std::string& id);
    // Returns at most `most` runs, newest first, that come behind the run of that time and id.
    std::vector<engine::run::RunInfo> listBehind(std::int64_t created_unix_ns, const std::string& id, std::size_t most);
    // True when the newest run of a folder was done. Where the folder has no checkpoints it looks no further: false.
    bool lastRunIsDone(const std::filesystem::path& run_dir);
    // Returns the newest run in a folder: as its journal says, else as the index does.
    std::optional<engine::run::RunInfo> lastRunIn(const std::filesystem::path& run_dir);
    // Returns what users should know of the index ("… was damaged: …"); empty: nothing.
    std::string notice() { return index_.notice(); }

private:
    struct Live {
        engine::run::RunInfo record;
        std::shared_ptr<EventLog> log;
        convert::FolderClaim claim;
        bool saved = true;  // in the index
        bool closed = false;
    };

    // Writes a live run's record into the index. `run` is the newest version of it. False when it can't be written now.
    bool updateIndex(const engine::run::RunInfo& run);
    void putAside(const std::filesystem::path& folder);
    void requireNoLiveRunIn(const std::filesystem::path& folder);
    void enter(const engine::run::RunInfo& run, const std::shared_ptr<EventLog>& log, convert::FolderClaim claim);
    // Returns the runs that may go on, which are still to be opened.
    std::vector<engine::run::RunInfo> failUnfinished();
    void openInterrupted(engine::run::RunInfo run);
    void failKilled(const std::string& id);
    static void takeEnd(engine::run::RunInfo& run, const convert::FinishedMark& mark, const history::Journal& journal);
    static std::int64_t lastTimeOf(const history::Journal& journal);
    void takeBackSpares();
    void takeBackSpare(const std::string& id, const std::filesystem::path& spare);
    void tell(engine::spec::LogLevel level, const std::string& text) const;
    std::filesystem::path spareFile(const std::filesystem::path& folder, const std::string& id);
    EventLogOptions logOptions(const engine::run::RunInfo& run);
    // Writes the records and events that are over and could not be written before.
    void saveLeftOver();
    void saveLeftOverNow() TANDEM_REQUIRES(left_over_mutex_);

    const std::filesystem::path runs_dir_;
    const RunBookOptions options_;
    std::vector<InterruptedRun> interrupted_;  // constant behind the constructor
    RunIndex index_;
    engine::Mutex left_over_mutex_;  // taken before the others: one saves what is left over, or opens a run again, at a time
    engine::Mutex mutex_;
    std::map<std::string, Live> live_ TANDEM_GUARDED_BY(mutex_);
};

}  // namespace agent::server
