#include "app/cli/follow.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <map>
#include <optional>
#include <ostream>

#include "app/cli/event_printer.h"
#include "app/cli/run_choice.h"
#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/error.h"
#include "engine/spec/project/run_spec.h"
#include "engine/thread/mutex.h"

namespace app::cli {
namespace {

namespace spec = engine::spec;
using agent::client::AgentClient;
using engine::run::RunInfo;

// The task whose points are of all workers together.
spec::TaskId chiefOf(const spec::RunSpec& run) {
    const auto tasks = run.cluster.spec.trainingTasks();
    return tasks.empty() ? spec::TaskId{} : tasks.front();
}

// How the watch ended; filled by the client's thread, read by ours.
class WatchEnd {
public:
    void set(std::optional<std::string> error) {
        const engine::MutexLock lock(mutex_);
        ended_ = true;
        error_ = std::move(error);
        changed_.notify_all();
    }
    bool waitFor(std::chrono::milliseconds time) {
        engine::MutexLock lock(mutex_);
        return changed_.wait_for(lock, time, [this]() TANDEM_REQUIRES(mutex_) { return ended_; });
    }
    std::optional<std::string> error() const {
        const engine::MutexLock lock(mutex_);
        return error_;
    }

private:
    mutable engine::Mutex mutex_;
    std::condition_variable_any changed_;
    bool ended_ TANDEM_GUARDED_BY(mutex_) = false;
    std::optional<std::string> error_ TANDEM_GUARDED_BY(mutex_);
};

// Says once that the agent does not answer, and once that it does again, each in one piece: events are printed meanwhile, maybe to the same
// place. A copy of its handler may outlive it.
agent::client::PulseHandler silenceNotes(std::ostream& err) {
    const auto longest = std::make_shared<std::chrono::milliseconds>(0);
    const auto seconds = [](std::chrono::milliseconds time) {
        return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time).count()) + " s";
    };
    return {.silent =
                [&err, longest, seconds](std::chrono::milliseconds time) {
                    if (std::exchange(*longest, time).count() == 0) {
                        err << "warning: the agent does not answer, for " + seconds(time) +
                                   " by now; its tasks keep what they have to tell, this goes on when it answers again\n"
                            << std::flush;
                    }
                },
            .answers =
                [&err, longest, seconds] {
                    err << "the agent answers again, after " + seconds(*longest) + "\n" << std::flush;
                    *longest = std::chrono::milliseconds(0);
                }};
}

// Passes each new Ctrl+C on to the run. False when the watching should end.
bool passOnInterrupts(Context& context, AgentClient& client, const RunInfo& run, const FollowOptions& options, int& seen) {
    const int now = context.interrupts();
    if (now == seen) {
        return true;
    }
    if (!options.stop_on_interrupt || now > 2) {
        return false;
    }
    const bool at_once = now >= 2;
    seen = now;
    context.err << (at_once ? "\nStopping at once …\n" : "\nStopping after this step … (Ctrl+C again: at once)\n") << std::flush;
    try {
        client.control(run.id, {at_once ? spec::ControlVerb::kStopNow : spec::ControlVerb::kStop, 0}, kCallDeadline);
    } catch (const engine::Error& error) {
        context.err << "error: " << error.what() << '\n';
    }
    return true;
}

int exitCodeOf(engine::run::RunState state, bool interrupted) {
    if (state == engine::run::RunState::kDone) {
        return kDone;
    }
    return interrupted ? kInterrupted : state == engine::run::RunState::kStopped ? kDone : kFailed;
}

using Hosts = std::map<spec::TaskId, std::string>;

Hosts byTask(const std::vector<spec::TaskHost>& hosts) {
    Hosts found;
    for (const spec::TaskHost& one : hosts) {
        found[one.task] = one.host;
    }
    return found;
}

// Returns the hosts of a run on several computers; none for a run here.
Hosts hostsOf(const spec::ClusterSpec& cluster) {
    return spec::namesOtherHosts(cluster) ? byTask(spec::taskHosts(cluster)) : Hosts();
}

// The computers of a followed run's tasks, from attempt to attempt.
class HostsOfAttempts {
public:
    HostsOfAttempts(AgentClient& client, const RunInfo& run, Hosts now) : client_(client), run_(run), hosts_(std::move(now)) {}

    // A journal from before attempts told of their hosts leaves them to the agent's record, which knows the last ones alone.
    const Hosts& begin(const spec::AttemptStarted& attempt) {
        if (attempt.hosts.empty()) {
            if (!attempt.by_hand && !hosts_.empty()) {
                askTheAgent();
            }
        } else if (attempt.by_hand || !beginsAgain(attempt)) {  // its computers were chosen anew
            const auto is_elsewhere = [](const spec::TaskHost& one) { return !spec::isLoopbackName(one.host); };
            hosts_ = std::any_of(attempt.hosts.begin(), attempt.hosts.end(), is_elsewhere) ? byTask(attempt.hosts) : Hosts();
        } else if (!hosts_.empty()) {
            hosts_ = byTask(attempt.hosts);
        }
        return hosts_;
    }

private:
    void askTheAgent() {
        try {
            hosts_ = byTask(spec::taskHosts(spec::parseProject(client_.getRun(run_.id, kCallDeadline).project_json).run.cluster.spec));
        } catch (const engine::Error&) {  // nobody can say it: as before
        }
    }

    AgentClient& client_;
    const RunInfo& run_;
    Hosts hosts_;
};

}  // namespace

ExitCode exitCodeOfLostWatch(AgentClient& client, const std::string& run_id) {
    try {
        client.getRun(run_id, kCallDeadline);
        return kFailed;
    } catch (const engine::Error& error) {
        return error.code() == engine::ErrorCode::kUnavailable ? kNoAgent : kFailed;
    }
}

void followRun(Context& context, AgentClient& client, const RunInfo& run, const FollowOptions& options) {
    const spec::RunSpec resolved = spec::parseProject(run.project_json).run;
    const PrinterOptions printing{.chief = chiefOf(resolved),
                                  .log_every = resolved.fit.log_every,
                                  .epochs = run.project_json.empty() ? 0 : resolved.fit.epochs,
                                  .terminal = context.out_is_terminal && !options.json,
                                  .hosts = hostsOf(resolved.cluster.spec)};
    const auto printer = options.json ? makeJsonPrinter(context.out, printing) : makeProgressPrinter(context.out, printing);
    OutcomeCollector collector(printing.chief);
    HostsOfAttempts hosts(client, run, printing.hosts);
    WatchEnd end;
    std::atomic<bool> is_read = true;  // false: nobody reads what is printed, such as `head` after its last line
    agent::client::WatchHandler handler;
    bool begun = options.from_attempt <= 1;
    handler.events = [&](const std::vector<spec::TaskEvent>& events) {
        for (const spec::TaskEvent& event : events) {
            const auto* attempt = std::get_if<spec::AttemptStarted>(&event.body);
            begun = begun || (attempt != nullptr && attempt->attempt >= options.from_attempt);
            if (!begun) {
                continue;
            }
            if (attempt != nullptr) {
                printer->useHosts(hosts.begin(*attempt));
            }
            collector.add(event);
            printer->print(event);
        }
        is_read = !context.out.fail();
        return true;
    };
    handler.dropped = [&](std::int64_t points) { context.err << "warning: " << points << " intermediate points were left out here\n"; };
    handler.finished = [&](std::optional<std::string> error) { end.set(std::move(error)); };
    const auto watch = client.watch(run.id, 1, handler);
    const auto pulse = client.watchPulse(silenceNotes(context.err));

    int interrupts = context.interrupts();
    const int before = interrupts;
    bool watching = true;
    // A run that was started here goes on with its watch, whoever reads.
    const auto is_wanted = [&] { return options.stop_on_interrupt || is_read; };
    while (watching && is_wanted() && !end.waitFor(std::chrono::milliseconds(100))) {
        watching = passOnInterrupts(context, client, run, options, interrupts);
    }
    watch->end();
    pulse->end();
    if (!is_wanted()) {
        return;
    }
    if (!watching) {
        context.exit_code = kInterrupted;
        return;
    }
    if (const auto error = end.error()) {
        const std::string name = "run " + run.id + ": ";
        context.err << "error: " << (error->starts_with(name) ? "" : name) << *error << '\n';
        context.exit_code = exitCodeOfLostWatch(client, run.id);
        return;
    }
    const RunInfo over = client.getRun(run.id, kCallDeadline);
    printer->finish(over, collector.outcome(), options.process_start_unix_ns);
    context.exit_code = exitCodeOf(over.state, interrupts != before);
    if (context.exit_code == kFailed) {
        context.err << "error: run " << run.id << " failed" << (over.detail.empty() ? "" : ": " + over.detail) << '\n';
    }
}

}  // namespace app::cli
