// Every run of this agent whose tasks have no agent: one thread that looks into their folders twice a second, and less often into those of
// runs that were stopped or failed, which a scheduler may start again. The same for runs of other programs that write event files, and for
// the folders that these were opened in, where further runs may begin.
#pragma once

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "agent/server/followed/followed_event_files.h"
#include "agent/server/followed/followed_run.h"
#include "engine/thread/mutex.h"

namespace agent::server {

struct FollowerOptions {
    FollowOptions run{};
    std::chrono::milliseconds interval{500}, interval_of_ended{3000};
    std::filesystem::path runs_dir{};  // where runs of event files have folders of their own; empty: none are followed
    EventFilesOptions event_files{};
};

// Safe from any thread. `book` outlives it. Its end leaves the runs as they are: the next agent follows them on.
class RunFollower {
public:
    RunFollower(const FollowerOptions& options, RunBook& book, LogSink log);
    ~RunFollower();
    RunFollower(const RunFollower&) = delete;
    RunFollower& operator=(const RunFollower&) = delete;

    // Follows the run that this folder tells of from here on, and returns it. Waits until what is there has been read. Throws as
    // FollowedRun's constructor, and kAlreadyExists for the folder of a run that an agent trains, or that the agent of another computer or
    // user follows. A copy of a run's folder has a run of its own.
    //
    // A folder in which no task tells anything may hold event files, there or below: then all their runs are followed, and the one that was
    // written last is returned, the largest of several. Waits only until the beginnings of the files are read.
    engine::run::RunInfo follow(const std::filesystem::path& folder);
    // Follows a run that an agent before this one followed. When it can't be followed, the reason is logged, and the run has failed.
    void resume(const engine::run::RunInfo& run);
    // False for a run that is not followed here, without a wait for those that are. Throws as FollowedRun::control().
    bool control(const std::string& run_id, const engine::spec::Control& control);
    bool follows(const std::string& run_id) const;  // never waits for a run either
    // Returns how many followed runs are not over.
    int activeRuns() const;

private:
    void loop(const std::stop_token& stop);
    // Throws Error(kAlreadyExists) for a run of no index of ours that another agent follows.
    void requireNoOtherWriter(const std::string& id, const std::filesystem::path& folder) const;
    std::optional<engine::run::RunInfo> takenUp(engine::run::RunInfo run, const std::filesystem::path& folder);
    void enter(std::unique_ptr<Followed> run) TANDEM_REQUIRES(mutex_);
    void stepAll(bool looks_at_ended, const std::stop_token& stop);
    Followed* mostAlike(const engine::event_files::EventFolder& found) const TANDEM_REQUIRES(mutex_);
    std::vector<engine::run::RunInfo> earlierRuns(const std::vector<engine::event_files::EventFolder>& found);
    engine::run::RunInfo followEventFiles(const std::filesystem::path& root, std::vector<engine::event_files::EventFolder> found);
    engine::run::RunInfo followOne(engine::event_files::EventFolder found, const std::vector<engine::run::RunInfo>& earlier);
    void searchRoots();

    struct Root {
        std::chrono::steady_clock::time_point next;  // look for further runs
    };

    const FollowerOptions options_;
    RunBook& book_;
    const LogSink log_;
    // A thread that needs several takes them in this order. A step holds mutex_ and begins with turn_: a thread that waits for mutex_ holds
    // turn_, and so it comes before the next step.
    mutable engine::Mutex turn_, mutex_, ids_mutex_;
    std::condition_variable_any wake_;
    std::vector<std::unique_ptr<Followed>> runs_ TANDEM_GUARDED_BY(mutex_);
    std::map<std::filesystem::path, Root> roots_ TANDEM_GUARDED_BY(mutex_);  // of event files
    std::map<std::string, std::string> problems_ TANDEM_GUARDED_BY(mutex_);  // of a run: what is in the log already
    std::set<std::string> ids_ TANDEM_GUARDED_BY(ids_mutex_);                // of runs_
    std::jthread thread_;                                                    // last: it uses the others
};

}  // namespace agent::server
