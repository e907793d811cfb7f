// Tasks on another computer that were started together: a run of the agent there, and here a process for each of them.
//
//   launched     processes exist; their tasks start when each has been handed its credentials
//   started      the far agent's journal is followed as a studio follows a run; times are corrected to this computer's clock
//   standing     in place of those two: what runs there was started by an earlier agent of this home; it begins out of reach
//   out of reach what runs there goes on; the connection is made again, and what the journal got meanwhile comes then
//   over         the journal has said how each task ended, or (given up) the host was silent when its tasks were to end
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "agent/home/far_files.h"
#include "agent/home/far_task.h"
#include "agent/home/host_link.h"
#include "agent/home/mirror.h"
#include "agent/server/process/process.h"
#include "agent/server/runs/far_part.h"
#include "agent/server/runs/run_book.h"
#include "engine/spec/events/task_event.h"
#include "engine/thread/mutex.h"

namespace agent::home {

// The run that the same tasks were before, at the far agent.
struct EarlierRun {
    std::string id;      // empty: not of this start of the run
    std::string folder;  // there; empty: there was none
    std::uint64_t next_sequence = 1;
    bool in_this_start = false;  // the tasks were to be started in this start of the run, and are so again
};

struct PartRunOptions {
    std::string run_id;  // at home
    std::string project_json;
    std::vector<engine::spec::TaskId> tasks;
    std::vector<int> ports;        // of the tasks
    std::string held;              // under this id the far agent holds them; empty: it is asked to
    std::filesystem::path folder;  // of the run, at home: where the tasks' folder there is noted
    bool goes_on = false;          // PartPlan::goes_on
    bool brings_home = false;      // the files of the tasks' folder into that one
    std::chrono::milliseconds patience{};
    server::LoadSink loads{};
    server::LogSink log;
    std::optional<server::StandingPart> standing{};
    std::shared_ptr<KnownFiles> files{};  // of the run, there
    std::function<bool()> is_ending{};    // HomeOptions::is_ending
    // The backup at home is brought there before the tasks start: it was written on another computer.
    bool sends_backup = false;
};

// The supervisor's thread makes it, gives it its tasks and destroys it. The destructor ends the tasks' processes here and waits for a call
// that is under way.
class PartRun {
public:
    // `earlier` is what the same tasks were before, with every task ended; it is destroyed when nobody waits for that.
    PartRun(std::shared_ptr<HostLink> link, PartRunOptions options, std::unique_ptr<PartRun> earlier);
    ~PartRun();
    PartRun(const PartRun&) = delete;
    PartRun& operator=(const PartRun&) = delete;

    // Returns the process of one task. It is called once for each task, in any order; the last call lets the tasks start.
    std::unique_ptr<server::Process> launch(const engine::spec::TaskId& task);
    bool isLaunched() const { return tasks_.size() == options_.tasks.size(); }

private:
    struct End {
        server::ExitStatus status;
        std::string given_up;
    };

    void run(const std::stop_token& stop);
    void wake() const;
    void waitForWork();
    void serveBetweenPieces(const std::stop_token& stop);
    void requireListeners(const std::stop_token& stop) const;
    void takeAllOrders();
    void takeOrders(FarTask& task);
    bool isFirstTrainer(const FarTask& task) const;
    void hand(const engine::spec::Control& control);
    void hand(const engine::chaos::Fault& fault);
    void start(const std::stop_token& stop);
    void startThere(const std::stop_token& stop);
    void noteFolder();
    void failToStart(const engine::Error& error);
    void watch();
    void take(const engine::spec::TaskEvent& event);
    void tellOfEarlier(FarTask& task, engine::spec::TaskEvent event);
    std::map<engine::spec::TaskId, End> takeEnds();
    void end(const std::map<engine::spec::TaskId, End>& ends);
    void applyEnds(const std::stop_token& stop);
    void keepLink();
    void look(const std::stop_token& stop);
    void reachAgain(const std::stop_token& stop);
    bool isSilent() const;
    std::string silence() const;
    void noteReach(const std::string& why);
    void tellSilence(const std::string& why);
    enum class MirrorKind { kAll, kBackup, kLast };
    void mirror(MirrorKind kind, const std::function<void()>& between);
    void bring(const std::string& below, const std::function<void()>& between);
    void overAnyConnection(const std::stop_token& stop, const std::function<void()>& call);
    void mirrorInTime(const std::function<void()>& between);
    std::string sendBackup(const std::function<bool()>& is_cancelled);
    void endOver(const std::stop_token& stop);
    int wantedSignal() const;
    void obeySignals();
    bool isOver(const std::stop_token& stop) const;
    bool everyTaskEnded() const;
    void endAll(const server::ExitStatus& status, const std::string& given_up);
    void tellFirst(const engine::spec::EventBody& body);
    void tellAll(const engine::spec::EventBody& body);
    void adopt(const server::StandingPart& part);
    void findAgain();
    void giveUpTheUnreached();
    engine::run::RunInfo startHeld(const std::string& project, const std::function<bool()>& is_cancelled);
    EarlierRun standing() const;
    const std::string& hostName() const { return link_->host().name; }

    // Once every task was launched, only the thread uses the members from here on, but for what the watch's handlers do under the mutex.
    const std::shared_ptr<HostLink> link_;
    const PartRunOptions options_;
    const EarlierRun before_;
    const std::string backup_folder_;  // "backup/", of a run whose other computers go on from what home has of it; empty: of any other
    std::unique_ptr<PartRun> earlier_;
    const convert::FileDescriptor wake_;
    std::vector<std::shared_ptr<FarTask>> tasks_;
    std::shared_ptr<HostLink::Live> live_;  // null while the host is out of reach
    std::shared_ptr<HostLink::Live> lost_;  // over which a call failed; another one takes its place
    std::map<engine::spec::TaskId, trust::RunCredentials> credentials_;
    std::set<engine::spec::TaskId> closed_;  // the supervisor orders nothing more
    std::optional<Mirror> mirror_;
    std::string held_, run_id_, folder_;
    struct {
        bool is_done = false;
        std::optional<engine::Error> unanswered{};  // why it is not known whether what is held was started
    } begun_;
    struct {
        bool found = true;                                     // false: it was not asked for yet
        std::map<engine::spec::TaskId, std::uint64_t> told{};  // home has each task's events up to these
    } adopted_;                                                // of a standing part
    struct {
        int skip_to_attempt = 0;  // of the far journal: what stands before its start is of an earlier start of the run; 0: nothing
        bool is_told = false;     // home lacks what stands there
    } earlier_start_;
    int sent_signal_ = 0;
    struct {
        bool silence = false, retry = false;
    } told_;
    struct {
        std::chrono::steady_clock::time_point next_try, next_ping, next_backup, last_answer, start_by;
    } times_{};
    std::atomic<std::uint64_t> next_sequence_ = 1;

    // The facts that the watch's handlers have noted.
    struct Noted {
        bool over = false, lost = false, has_new_files = false;
        std::string why;  // lost
        std::map<engine::spec::TaskId, engine::spec::StateChanged> states;
        std::map<engine::spec::TaskId, End> ends;
    };
    engine::Mutex mutex_;
    Noted noted_ TANDEM_GUARDED_BY(mutex_);

    std::unique_ptr<client::Watch> watch_;
    std::jthread thread_;
};

}  // namespace agent::home
