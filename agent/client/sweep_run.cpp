#include "agent/client/sweep_run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <list>
#include <map>
#include <memory>
#include <optional>
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
class Follower {
public:
    Follower(AgentClient& client, Bell& bell, const Job& job, RunInfo run)
        : bell_(bell), job_(job), run_id_(run.id), history_(std::move(run)) {
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
    engine::Mutex mutex_;
    engine::run::RunHistory history_ TANDEM_GUARDED_BY(mutex_);
    bool is_over_ TANDEM_GUARDED_BY(mutex_) = false;
    std::optional<std::string> error_ TANDEM_GUARDED_BY(mutex_);
    std::unique_ptr<Watch> watch_;  // the last: its thread ends before the others go
};

// These are about the sweep as a whole, not about one run.
bool endsTheSweep(const Error& error) {
    return error.code() == ErrorCode::kUnavailable || error.code() == ErrorCode::kResourceExhausted ||
           error.code() == ErrorCode::kCancelled;
}

std::string firstLine(const std::string& text) {
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
        adopt();
        tell();
        for (;;) {
            passOnInterrupts();
            if (interrupts_ > 2) return SweepEnd::kStopped;
            while (interrupts_ == 0) {
                const std::optional<Job> job = sweep_.next();
                if (!job) break;
                begin(*job);
            }
            if (followers_.empty()) {
                save();
                return sweep_.isOver() ? SweepEnd::kOver : SweepEnd::kStopped;
            }
            bell_.wait();
            takeNews();
        }
    }

private:
    // Runs that had begun when the sweep was left.
    void adopt() {
        const std::vector<Job> begun = sweep_.training();
        if (begun.empty()) return;
        const std::vector<RunInfo> runs = client_.listRuns(kCallDeadline);
        for (const Job& job : begun) {
            const fs::path folder = resolved(folderOf(job));
            const auto at = std::find_if(runs.begin(), runs.end(), [&](const RunInfo& run) { return resolved(run.run_dir) == folder; });
            const bool goes_on = at != runs.end() && (isActive(at->state) || (at->state == RunState::kDone && trainedFor(*at, job)));
            if (goes_on) {
                follow(job, *at);
            } else {
                sweep_.putBack(job);
            }
        }
        save();
    }

    // Whether the run's last attempt was this job's, and not that of the rung before it.
    static bool trainedFor(const RunInfo& run, const Job& job) { return spec::parseProject(run.project_json).run.fit.epochs == job.epochs; }

    fs::path folderOf(const Job& job) const { return order_.folder.path() / engine::sweep::trialFolder(sweep_, job); }

    void begin(const Job& job) {
        std::optional<RunInfo> run;
        try {
            run = sweep_.settings().place.slurm ? submitJob(job, *sweep_.settings().place.slurm) : submit(job);
        } catch (const Error& error) {
            if (endsTheSweep(error)) {
                sweep_.putBack(job);
                save();
                if (error.code() == ErrorCode::kCancelled) return;
                throw;
            }
            sweep_.failed(job, firstLine(error.what()));
            tell();
            return;
        }
        follow(job, *run);
        save();
        tell();
    }

    RunInfo submit(const Job& job) {
        const SubmitRequest request = requestOf(job);
        save();  // whoever goes on from here looks for the run
        if (!request.hosts.empty()) {
            client_.shareFiles(request, [this](const engine::run::FilesProgress&) { return !isInterrupted(); });
        }
        return client_.submit(request, request.hosts.empty() ? kSubmitDeadline : kSubmitToHostsDeadline);
    }

    RunInfo submitJob(const Job& job, const engine::sweep::SlurmJob& asked) {
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
        save();
        return client_.submitJob(request, kSubmitJobDeadline).runs.front();
    }

    SubmitRequest requestOf(const Job& job) {
        SubmitRequest request{.run = engine::sweep::trialProject(order_.project, sweep_, job)};
        request.run_dir = folderOf(job).string();
        request.data_dir = order_.data_dir;
        request.ssh_agent = order_.ssh_agent;
        const engine::sweep::Place& place = sweep_.settings().place;
        if (!place.hosts.empty()) {
            request.hosts = spec::parseHostShares(place.hosts);
            if (place.spread) {
                request.hosts = {hostFor(job, request.hosts)};
            } else {
                spec::dealServers(request.hosts, place.servers);
            }
        } else {
            request.local_workers = place.workers;
            request.local_servers = place.servers;
        }
        shareCores(request);
        return request;
    }

    // The one that it trained on, else the one with the fewest runs.
    spec::HostShare hostFor(const Job& job, const std::vector<spec::HostShare>& hosts) {
        const auto hostOf = [&](const Job& one) {
            return sweep_.trials()[static_cast<std::size_t>(one.trial)].runs[static_cast<std::size_t>(one.seed)].host;
        };
        const auto kept =
            std::find_if(hosts.begin(), hosts.end(), [&, name = hostOf(job)](const auto& share) { return share.host == name; });
        if (kept != hosts.end()) return *kept;
        std::map<std::string, int> runs;
        for (const Job& one : sweep_.training()) ++runs[hostOf(one)];
        const auto least =
            std::min_element(hosts.begin(), hosts.end(), [&](const auto& a, const auto& b) { return runs[a.host] < runs[b.host]; });
        sweep_.placed(job, least->host);
        return *least;
    }

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
        followers_.push_back(std::make_unique<Follower>(client_, bell_, job, run));
    }

    void takeNews() {
        bool changed = false, ended = false;
        for (auto at = followers_.begin(); at != followers_.end();) {
            Follower& follower = **at;
            const bool is_over = follower.isOver();
            const Progress progress = follower.progress(sweep_.settings().objective.log);
            const auto& known =
                sweep_.trials()[static_cast<std::size_t>(follower.job().trial)].runs[static_cast<std::size_t>(follower.job().seed)];
            if (!is_over) {
                if (known.epochs != progress.epochs) {
                    sweep_.progressed(follower.job(), progress.epochs, progress.value.value_or(engine::sweep::kNoValue));
                    changed = true;
                }
                ++at;
                continue;
            }
            end(follower, progress);
            at = followers_.erase(at);
            ended = true;
        }
        if (ended) save();
        if (ended || changed) tell();
    }

    void end(Follower& follower, const Progress& progress) {
        const Job& job = follower.job();
        const RunInfo run = client_.getRun(follower.runId(), kCallDeadline);  // throws where the agent is lost
        if (const auto error = follower.error(); error && !isFinal(run.state)) {
            throw Error(ErrorCode::kUnavailable, "run " + run.id + ": can't be followed: " + *error);
        }
        if (run.state == RunState::kStopped && interrupts_ > 0) {
            sweep_.progressed(job, progress.epochs, progress.value.value_or(engine::sweep::kNoValue));
            sweep_.putBack(job);
        } else if (run.state != RunState::kDone) {
            sweep_.failed(job, run.state == RunState::kStopped ? "the run was stopped" : firstLine(run.detail));
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
    std::list<std::unique_ptr<Follower>> followers_;  // after the bell, which they ring
    int interrupts_ = 0, cores_ = 1;
};

}  // namespace

SweepEnd runSweep(AgentClient& client, Sweep& sweep, const SweepOrder& order, const SweepListener& listener) {
    return Work(client, sweep, order, listener).run();
}

}  // namespace agent::client
