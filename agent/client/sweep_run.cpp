#include "agent/client/sweep_run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "agent/local/run_folder.h"
#include "engine/run/run_history.h"
#include "engine/spec/cluster/host_share.h"
#include "engine/spec/error.h"
#include "engine/sweep/sweep_project.h"
#include "engine/thread/mutex.h"

namespace agent::client {

using engine::Error;
using engine::ErrorCode;
using engine::run::RunInfo;
using engine::run::RunState;
using engine::sweep::Job;
using engine::sweep::Sweep;
namespace fs = std::filesystem;
namespace spec = engine::spec;

namespace {

constexpr std::chrono::milliseconds kSubmitDeadline{20000}, kSubmitToHostsDeadline{90000}, kSubmitJobDeadline{45000}, kCallDeadline{10000},
    kLook{200};
// How long nothing is begun: after an agent that was busy, after a call without an answer, and on a computer that could begin no run.
constexpr std::chrono::seconds kBusyPause{2}, kSilentPause{5}, kHostPause{15};
constexpr std::chrono::minutes kMostBusy{15};
constexpr int kMostSilent = 3;  // calls of one run without an answer
constexpr int kMostCuts = 3;    // of the stream of a run that is over
using Clock = std::chrono::steady_clock;

// What is new of any run wakes the one who waits for all.
struct Bell {
    engine::Mutex mutex;
    std::condition_variable_any rung;
    bool has_news TANDEM_GUARDED_BY(mutex) = false;

    void ring() {
        const engine::MutexLock lock(mutex);
        has_news = true;
        rung.notify_all();
    }
    void wait() {
        engine::MutexLock lock(mutex);
        rung.wait_for(lock, kLook, [this]() TANDEM_REQUIRES(mutex) { return has_news; });
        has_news = false;
    }
};

// How far a run is by its own word.
struct Progress {
    std::int64_t epochs = 0;
    std::optional<double> value;  // nullopt: no epoch's end told of it
    std::string logs;             // those that the last one told of
};

Progress progressOf(const engine::run::RunHistory& history, const std::string& objective) {
    Progress progress;
    for (const engine::run::EpochEntry& epoch : history.epochs()) {
        progress.epochs = std::max<std::int64_t>(progress.epochs, epoch.end.epoch + 1);
        progress.logs.clear();
        for (const auto& [name, value] : epoch.end.logs) {
            progress.logs += (progress.logs.empty() ? "" : ", ") + name;
            if (name == objective) progress.value = value;
        }
    }
    return progress;
}

// What one run tells: taken in by the client's thread, read by ours.
class TrialFollower {
public:
    // `cuts`: how often the stream of this run was cut before.
    TrialFollower(AgentClient& client, Bell& bell, const Job& job, RunInfo run, int cuts = 0)
        : bell_(bell), job_(job), run_id_(run.id), cuts_(cuts), history_(std::move(run)) {
        WatchHandler handler;
        handler.events = [this](const std::vector<spec::TaskEvent>& events) {
            unsigned changes = 0;
            {
                const engine::MutexLock lock(mutex_);
                changes = history_.add(events);
            }
            if ((changes & engine::run::RunHistory::kEpochs) != 0) bell_.ring();
            return true;
        };
        handler.finished = [this](std::optional<std::string> error) {
            {
                const engine::MutexLock lock(mutex_);
                is_over_ = true;
                error_ = std::move(error);
            }
            bell_.ring();
        };
        watch_ = client.watch(run_id_, 1, std::move(handler));
    }

    const Job& job() const { return job_; }
    const std::string& runId() const { return run_id_; }
    int cuts() const { return cuts_; }
    bool isOver() {
        const engine::MutexLock lock(mutex_);
        return is_over_;
    }
    std::optional<std::string> error() {
        const engine::MutexLock lock(mutex_);
        return error_;
    }
    Progress progress(const std::string& objective) {
        const engine::MutexLock lock(mutex_);
        return progressOf(history_, objective);
    }

private:
    Bell& bell_;
    const Job job_;
    const std::string run_id_;
    const int cuts_;
    engine::Mutex mutex_;
    engine::run::RunHistory history_ TANDEM_GUARDED_BY(mutex_);
    bool is_over_ TANDEM_GUARDED_BY(mutex_) = false;
    std::optional<std::string> error_ TANDEM_GUARDED_BY(mutex_);
    std::unique_ptr<Watch> watch_;  // the last: its thread ends before the others go
};

std::string reasonIn(const std::string& text) {
    const std::string line = text.substr(0, text.find('\n'));
    constexpr std::string_view kWord = "error: ";
    return line.starts_with(kWord) ? line.substr(kWord.size()) : line;
}

fs::path resolved(const fs::path& folder) {
    std::error_code failed;
    const fs::path real = fs::weakly_canonical(folder, failed);
    return failed ? folder : real;
}

class Work {
public:
    Work(AgentClient& client, Sweep& sweep, const SweepOrder& order, const SweepListener& listener)
        : client_(client), sweep_(sweep), order_(order), listener_(listener) {}

    SweepEnd run() {
        cores_ = client_.describe(kCallDeadline).cores;
        for (const engine::sweep::Trial& trial : sweep_.trials()) {
            for (const engine::sweep::TrialRun& run : trial.runs) {
                if (!run.values.empty()) proven_.insert(run.host);
            }
        }
        adopt();
        tell();
        for (;;) {
            passOnInterrupts();
            if (interrupts_ > 2) return SweepEnd::kStopped;
            bool may_begin = true;  // something, now or after a pause
            while (interrupts_ == 0 && !isInterrupted() && !isPaused()) {
                const std::optional<Job> job = sweep_.next();
                if (!job) {
                    may_begin = false;
                    break;
                }
                begin(*job);
            }
            if (followers_.empty() && (interrupts_ > 0 || !may_begin)) {
                save();
                return sweep_.isOver() ? SweepEnd::kOver : SweepEnd::kStopped;
            }
            bell_.wait();
            takeNews();
        }
    }

private:
    // A computer that could begin no run: why, and when it is asked again.
    struct Refusal {
        Error error;
        Clock::time_point until;
    };

    // Runs that had begun when the sweep was left.
    void adopt() {
        const std::vector<Job> begun = sweep_.training();
        if (begun.empty()) return;
        const std::vector<RunInfo> runs = client_.listRuns(kCallDeadline);
        for (const Job& job : begun) {
            if (const std::optional<RunInfo> run = runOf(job, runs)) {
                follow(job, *run);
            } else {
                sweep_.putBack(job);
            }
        }
        save();
    }

    // The run in the job's folder, if it trains or has trained what the job asks for.
    std::optional<RunInfo> runOf(const Job& job, const std::vector<RunInfo>& runs) const {
        const fs::path folder = resolved(folderOf(job));
        const auto at = std::find_if(runs.begin(), runs.end(), [&](const RunInfo& run) { return resolved(run.run_dir) == folder; });
        const bool goes_on = at != runs.end() && (isActive(at->state) || (at->state == RunState::kDone && trainedFor(*at, job)));
        return goes_on ? std::optional(*at) : std::nullopt;
    }

    // True when the run's last attempt was this job's, and not that of the rung before it.
    bool trainedFor(const RunInfo& run, const Job& job) const {
        const spec::RunSpec asked = engine::sweep::trialProject(order_.project, sweep_, job);
        return spec::parseProject(run.project_json).run.fit.epochs == asked.fit.epochs;
    }

    fs::path folderOf(const Job& job) const { return order_.folder.path() / engine::sweep::trialFolder(sweep_, job); }

    void begin(const Job& job) {
        std::optional<spec::HostShare> host;
        if (sweep_.settings().place.spread && !(host = hostFor(job))) {
            sweep_.putBack(job);
            return;
        }
        std::function<RunInfo()> submission;
        try {
            submission = submissionOf(job, host);
        } catch (const Error& error) {
            fail(job, error);
            return;
        }
        save();  // whoever goes on from here looks for the run
        std::optional<RunInfo> run;
        try {
            if (silent_.contains({job.trial, job.seed})) run = runOf(job, client_.listRuns(kCallDeadline));
            if (!run) run = submission();
        } catch (const Error& error) {
            refused(job, host, error);
            return;
        }
        proven_.insert(host ? host->host : "");
        silent_.erase({job.trial, job.seed});
        busy_since_.reset();
        follow(job, *run);
        save();
        tell();
    }

    // Handles a job that could not begin: by its own fault it has failed, else it comes again. Throws where only a person can help.
    void refused(const Job& job, const std::optional<spec::HostShare>& host, const Error& error) {
        const bool has_backup = hasValues(job);
        const bool is_about_host = !sweep_.settings().place.hosts.empty() && isAboutHost(error, host);
        if (error.code() == ErrorCode::kInvalidArgument ||
            (!is_about_host && error.code() != ErrorCode::kUnavailable && error.code() != ErrorCode::kCancelled &&
             error.code() != ErrorCode::kResourceExhausted && error.code() != ErrorCode::kDeadlineExceeded)) {
            fail(job, error);
            return;
        }
        if (host && is_about_host && !has_backup) sweep_.placed(job, "");
        sweep_.putBack(job);
        save();
        if (error.code() == ErrorCode::kCancelled) {  // an interrupt did that
            pauseFor(kBusyPause);
        } else if (error.code() == ErrorCode::kResourceExhausted) {
            // Something else of the agent's is at work, such as the sending of another run's files.
            if (!busy_since_) busy_since_ = Clock::now();
            if (Clock::now() - *busy_since_ > kMostBusy) throw error;
            pauseFor(kBusyPause);
        } else if (error.code() == ErrorCode::kDeadlineExceeded && ++silent_[{job.trial, job.seed}] < kMostSilent) {
            pauseFor(kSilentPause);  // the run may have begun all the same: begin() looks for it
        } else if (host && is_about_host) {
            refusals_.insert_or_assign(host->host, Refusal{error, Clock::now() + kHostPause});
        } else {
            throw error;
        }
    }

    // A computer that can't be reached is no fault of the run's, nor is one where no run of the sweep has begun yet: it may lack Tandem,
    // the data or room.
    bool isAboutHost(const Error& error, const std::optional<spec::HostShare>& host) const {
        if (error.code() == ErrorCode::kAborted || error.code() == ErrorCode::kDeadlineExceeded) return true;
        if (error.code() == ErrorCode::kUnavailable || error.code() == ErrorCode::kCancelled ||
            error.code() == ErrorCode::kResourceExhausted) {
            return false;
        }
        return !proven_.contains(host ? host->host : "");
    }

    void fail(const Job& job, const Error& error) {
        sweep_.failed(job, reasonIn(error.what()));
        tell();
    }

    std::function<RunInfo()> submissionOf(const Job& job, const std::optional<spec::HostShare>& host) {
        if (sweep_.settings().place.slurm) {
            return [this, request = jobRequestOf(job, *sweep_.settings().place.slurm)] {
                return client_.submitJob(request, kSubmitJobDeadline).runs.front();
            };
        }
        return [this, request = requestOf(job, host)] {
            if (!request.hosts.empty()) {
                client_.shareFiles(request, [this](const engine::run::FilesProgress&) { return !isInterrupted(); });
            }
            return client_.submit(request, request.hosts.empty() ? kSubmitDeadline : kSubmitToHostsDeadline);
        };
    }

    JobRequest jobRequestOf(const Job& job, const engine::sweep::SlurmJob& asked) const {
        JobRequest request;
        request.run = engine::sweep::trialProject(order_.project, sweep_, job);
        if (job.rung > 0) {
            const Job before{job.trial, job.seed, job.rung - 1, 0};
            request.run.fit.initial_weights = (folderOf(before) / convert::backupFiles(request.run).front()).string();
            request.run.fit.initial_state = true;
        }
        const std::string name = fs::path(engine::sweep::trialFolder(sweep_, job)).filename().string();
        request.job = {.project = {},
                       .name = "sweep-" + name,
                       .nodes = asked.nodes,
                       .tasks_per_node = asked.tasks_per_node,
                       .cpus_per_task = asked.cpus_per_task,
                       .gpus_per_task = asked.gpus_per_task,
                       .memory = asked.memory,
                       .time = asked.time,
                       .partition = asked.partition,
                       .run_folder = folderOf(job).string(),
                       .programs = order_.programs};
        request.ssh_agent = order_.ssh_agent;
        return request;
    }

    SubmitRequest requestOf(const Job& job, const std::optional<spec::HostShare>& host) const {
        SubmitRequest request{.run = engine::sweep::trialProject(order_.project, sweep_, job)};
        request.run_dir = folderOf(job).string();
        request.data_dir = order_.data_dir;
        request.ssh_agent = order_.ssh_agent;
        const engine::sweep::Place& place = sweep_.settings().place;
        if (!place.hosts.empty()) {
            request.hosts = host ? std::vector{*host} : spec::parseHostShares(place.hosts);
            if (!host) spec::dealServers(request.hosts, place.servers);
        } else {
            request.local_workers = place.workers;
            request.local_servers = place.servers;
        }
        shareCores(request);
        return request;
    }

    const engine::sweep::TrialRun& stateOf(const Job& job) const {
        return sweep_.trials()[static_cast<std::size_t>(job.trial)].runs[static_cast<std::size_t>(job.seed)];
    }
    bool hasValues(const Job& job) const { return !stateOf(job).values.empty(); }

    // The one where its backup lies, else the one with the fewest runs of those that refused nothing a moment ago; nullopt where there is
    // none: what trains goes on, and where nothing does, the reason is thrown.
    std::optional<spec::HostShare> hostFor(const Job& job) {
        const std::vector<spec::HostShare> all = spec::parseHostShares(sweep_.settings().place.hosts);
        const std::string own = stateOf(job).host;
        std::vector<spec::HostShare> hosts;
        std::optional<Refusal> first;  // that is over
        for (const spec::HostShare& share : all) {
            if (share.host != own && !own.empty() && std::any_of(all.begin(), all.end(), [&](const auto& a) { return a.host == own; })) {
                continue;
            }
            const auto refusal = refusals_.find(share.host);
            if (refusal == refusals_.end() || refusal->second.until <= Clock::now()) {
                hosts.push_back(share);
            } else if (!first || refusal->second.until < first->until) {
                first = refusal->second;
            }
        }
        if (hosts.empty()) {
            if (followers_.empty()) {
                sweep_.putBack(job);
                save();
                throw first.value().error;
            }
            paused_until_ = first.value().until;
            return std::nullopt;
        }
        std::map<std::string, int> runs;
        for (const Job& one : sweep_.training()) ++runs[stateOf(one).host];
        const auto least =
            std::min_element(hosts.begin(), hosts.end(), [&](const auto& a, const auto& b) { return runs[a.host] < runs[b.host]; });
        sweep_.placed(job, least->host);
        return *least;
    }

    void pauseFor(std::chrono::seconds time) { paused_until_ = Clock::now() + time; }
    bool isPaused() const { return Clock::now() < paused_until_; }

    // Runs at once on this computer don't all take all of its cores.
    void shareCores(SubmitRequest& request) const {
        const int at_once = sweep_.settings().at_once;
        if (!request.hosts.empty() || at_once < 2 || request.run.cluster.threads_per_task > 0) return;
        const int asked = request.local_workers + request.local_servers;
        const int tasks = asked > 0 ? asked : std::max<int>(1, static_cast<int>(request.run.cluster.spec.trainingTasks().size()));
        request.run.cluster.threads_per_task = std::max(1, cores_ / (at_once * tasks));
    }

    void follow(const Job& job, const RunInfo& run) {
        sweep_.begun(job, run.id);
        followers_.push_back(std::make_unique<TrialFollower>(client_, bell_, job, run));
    }

    void takeNews() {
        bool changed = false, ended = false;
        for (auto at = followers_.begin(); at != followers_.end();) {
            TrialFollower& follower = **at;
            const bool is_over = follower.isOver();
            const Progress progress = follower.progress(sweep_.settings().objective.log);
            const engine::sweep::TrialRun& known = stateOf(follower.job());
            if (!is_over) {
                if (known.epochs != progress.epochs) {
                    sweep_.progressed(follower.job(), progress.epochs, progress.value.value_or(engine::sweep::kNoValue));
                    changed = true;
                }
                ++at;
                continue;
            }
            const RunInfo run = client_.getRun(follower.runId(), kCallDeadline);  // throws where the agent is lost
            if (const auto error = follower.error()) {
                if (!isFinal(run.state) || follower.cuts() == kMostCuts) {
                    throw Error(ErrorCode::kUnavailable, "run " + run.id + ": can't be followed: " + *error);
                }
                // What a stream told that was cut is less than the run did.
                *at = std::make_unique<TrialFollower>(client_, bell_, follower.job(), run, follower.cuts() + 1);
                ++at;
                continue;
            }
            end(follower.job(), run, progress);
            at = followers_.erase(at);
            ended = true;
        }
        if (ended) save();
        if (ended || changed) tell();
    }

    void end(const Job& job, const RunInfo& run, const Progress& progress) {
        if (run.state == RunState::kStopped && interrupts_ > 0) {
            sweep_.progressed(job, progress.epochs, progress.value.value_or(engine::sweep::kNoValue));
            sweep_.putBack(job);
        } else if (run.state != RunState::kDone) {
            sweep_.failed(job, run.state == RunState::kStopped ? "the run was stopped" : reasonIn(run.detail));
        } else if (!progress.value) {
            sweep_.failed(job, "expected " + sweep_.settings().objective.log + " among the logs of an epoch's end, got " +
                                   (progress.logs.empty() ? "none" : progress.logs));
        } else {
            sweep_.told(job, progress.epochs, *progress.value);
        }
    }

    bool isInterrupted() const { return listener_.interrupts && listener_.interrupts() > interrupts_; }

    void passOnInterrupts() {
        const int now = listener_.interrupts ? listener_.interrupts() : 0;
        if (now <= interrupts_) return;
        interrupts_ = now;
        if (now > 2) return;
        for (const auto& follower : followers_) {
            try {
                client_.control(follower->runId(), {now > 1 ? spec::ControlVerb::kStopNow : spec::ControlVerb::kStop, 0}, kCallDeadline);
            } catch (const Error& error) {
                if (error.code() == ErrorCode::kUnavailable) throw;  // else it is over by now
            }
        }
    }

    void save() const { order_.folder.save(order_.project, sweep_); }
    void tell() const {
        if (listener_.changed) listener_.changed(sweep_);
    }

    AgentClient& client_;
    Sweep& sweep_;
    const SweepOrder& order_;
    const SweepListener& listener_;
    Bell bell_;
    std::list<std::unique_ptr<TrialFollower>> followers_;  // after the bell, which they ring
    int interrupts_ = 0, cores_ = 1;

    std::map<std::string, Refusal> refusals_;        // by computer
    std::set<std::string> proven_;                   // computers where a run of this sweep began; "": those of all of them, or this one
    std::map<std::pair<int, int>, int> silent_;      // calls without an answer, by trial and seed
    std::optional<Clock::time_point> busy_since_;    // the agent refuses for now
    Clock::time_point paused_until_ = Clock::now();  // nothing begins before
};

}  // namespace

SweepEnd runSweep(AgentClient& client, Sweep& sweep, const SweepOrder& order, const SweepListener& listener) {
    return Work(client, sweep, order, listener).run();
}

}  // namespace agent::client
