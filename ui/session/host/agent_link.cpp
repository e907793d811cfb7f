// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/host/agent_link.h"

#include <chrono>
#include <condition_variable>

#include "agent/client/project_files.h"
#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/error.h"
#include "engine/thread/mutex.h"
#include "ui/session/runs/run_facts.h"

namespace ui::session {
namespace {

using agent::client::AgentClient;
using namespace std::chrono_literals;

constexpr auto kCallDeadline = 5000ms, kFollowDeadline = 120000ms, kSubmitDeadline = 20000ms, kDoctorDeadline = 20000ms,
               kDoctorOfHostsDeadline = 120000ms, kSubmitToHostsDeadline = 90000ms, kSubmitJobDeadline = 45000ms,
               kSubmitJobThereDeadline = 120000ms;
constexpr std::size_t kMostWaitingEvents = 20'000;  // then the stream's thread waits for the window
constexpr auto kWaitSlice = 100ms;

}  // namespace

RunSummary toRunSummary(const engine::run::RunInfo& info) {
    RunSummary run;
    run.id = QString::fromStdString(info.id);
    run.name = run.project_name = QString::fromStdString(info.name);
    run.state = info.state;
    run.detail = QString::fromStdString(info.detail);
    run.created_unix_ns = info.created_unix_ns;
    run.finished_unix_ns = info.finished_unix_ns;
    run.run_dir = QString::fromStdString(info.run_dir);
    run.tasks = info.tasks;
    run.project_json = QString::fromStdString(info.project_json);
    run.checkpoint = QString::fromStdString(info.checkpoint);
    run.attempts = info.attempts;
    run.idle_ns = info.idle_ns;
    run.imported_from = QString::fromStdString(info.imported_from);
    run.branch_of = QString::fromStdString(info.branch_of);
    run.followed = info.followed;
    for (const auto& [name, value] : info.results) run.results.emplace_back(QString::fromStdString(name), value);
    return run;
}

// The events between the stream's thread, which fills this, and the GUI thread, which empties it. Its size is bounded: a slow window holds
// the stream back, and the agent then thins out intermediate points and says so.
struct AgentLink::Inbox {
    QString run_id;
    engine::Mutex mutex;
    std::condition_variable_any room;
    std::vector<engine::spec::TaskEvent> events TANDEM_GUARDED_BY(mutex);
    bool drain_posted TANDEM_GUARDED_BY(mutex) = false;
    bool closed TANDEM_GUARDED_BY(mutex) = false;

    void close() {
        {
            const engine::MutexLock lock(mutex);
            closed = true;
        }
        room.notify_all();
    }
};

AgentLink::AgentLink(AgentFactory factory) : factory_(std::move(factory)) {}

AgentLink::~AgentLink() {
    is_ending_ = true;
    for (const auto& [run_id, inbox] : inboxes_) inbox->close();
    thread_.finish();
    slow_thread_.finish();
    launch_thread_.finish();
    archive_thread_.finish();
    pulse_.reset();
    host_watch_.reset();
    watches_.clear();
    client_.reset();
}

RunSummary AgentLink::summarize(const engine::run::RunInfo& info) {
    RunSummary run = toRunSummary(info);
    KnownFacts& known = facts_[info.id];
    const std::size_t hash = std::hash<std::string>()(info.project_json);
    if (known.project_hash != hash) known = {hash, factsOf(run.project_json)};
    run.facts = known.facts;
    return run;
}

void AgentLink::post(std::function<void()> answer) {
    QMetaObject::invokeMethod(this, std::move(answer), Qt::QueuedConnection);
}

void AgentLink::connectAgent() {
    thread_.post([this] {
        pulse_.reset();
        host_watch_.reset();
        watches_.clear();
        client_.reset();
        try {
            client_ = factory_();
            followPulse();
            slot_->put(client_);
            post([this] { emit connected(); });
        } catch (const std::exception& error) {
            slot_->fail(error.what());
            post([this, reason = QString::fromUtf8(error.what())] { emit lost(reason); });
        }
    });
}

void AgentLink::followPulse() {
    pulse_ = client_->watchPulse(
        {.silent = [this](std::chrono::milliseconds time) { post([this, ms = static_cast<qint64>(time.count())] { emit silent(ms); }); },
         .answers = [this] { post([this] { emit answered(); }); }});
}

void AgentLink::answer(const std::shared_ptr<AgentClient>& client, const Work& work, Failed failed) {
    const auto fail = [this, failed](engine::ErrorCode code, const QString& detail) {
        post([this, failed, code, detail] {
            emit(this->*failed)({static_cast<int>(code), detail});
            // Else it may be another computer of the run; an agent that is lost is noticed by its pulse.
            if (code == engine::ErrorCode::kUnavailable && failed == &AgentLink::callFailed) emit lost(detail);
        });
    };
    if (!client)
        return fail(engine::ErrorCode::kFailedPrecondition,
                    QStringLiteral("the agent of this computer: expected a connection, found none"));
    try {
        post(work(*client));
    } catch (const engine::Error& error) {
        fail(error.code(), QString::fromUtf8(error.what()));
    } catch (const std::exception& error) {
        fail(engine::ErrorCode::kInternal, QString::fromUtf8(error.what()));
    }
}

void AgentLink::ask(Work work, Failed failed) {
    thread_.post([this, work = std::move(work), failed] { answer(client_, work, failed); });
}

void AgentLink::askOn(WorkerThread& slow, Work work, Failed failed) {
    thread_.post([this, &slow, work = std::move(work), failed] {
        slow.post([this, work, failed, client = client_] { answer(client, work, failed); });
    });
}

void AgentLink::describe() {
    ask(
        [this](AgentClient& client) {
            const engine::run::HostInfo facts = client.describe(kCallDeadline);
            return [this, facts] { emit described(facts); };
        },
        &AgentLink::callFailed);
}

void AgentLink::listRuns() {
    ask(
        [this](AgentClient& client) {
            std::vector<RunSummary> runs;
            for (const auto& info : client.listRuns(kCallDeadline)) runs.push_back(summarize(info));
            return [this, runs = std::move(runs)] { emit runsListed(runs); };
        },
        &AgentLink::callFailed);
}

void AgentLink::getRun(const QString& id) {
    ask(
        [this, id = id.toStdString()](AgentClient& client) {
            const RunSummary run = summarize(client.getRun(id, kCallDeadline));
            return [this, run] { emit runAnswered(run); };
        },
        &AgentLink::callFailed);
}

void AgentLink::followFolder(const QString& folder, const QString& host) {
    askOn(
        launch_thread_,
        [this,
         request = agent::client::FolderRequest{.folder = folder.toStdString(),
                                                .host = host.toStdString(),
                                                .ssh_agent = qEnvironmentVariable("SSH_AUTH_SOCK").toStdString()}](AgentClient& client) {
            const engine::run::RunInfo info = client.followFolder(request, kFollowDeadline);
            thread_.post([this, info] { post([this, answer = summarize(info)] { emit followed(answer); }); });
            return [] {};
        },
        &AgentLink::followFailed);
}

void AgentLink::importRun(const QString& file) {
    askOn(
        archive_thread_,
        [this, file = file.toStdString()](AgentClient& client) {
            const engine::run::ImportedRun made = client.importRun(file, [this](const auto&) { return !is_ending_; });
            thread_.post([this, made] {
                post([this, answer = summarize(made.run), was_here = made.was_here] { emit imported(answer, was_here); });
            });
            return [] {};
        },
        &AgentLink::archiveFailed);
}

void AgentLink::archiveRun(const QString& id, const QString& file) {
    askOn(
        archive_thread_,
        [this, id, file](AgentClient& client) {
            client.archiveRun({.run_id = id.toStdString(), .file = file.toStdString(), .overwrite = true},
                              [this](const auto&) { return !is_ending_; });
            return [this, id, file] { emit archived(id, file); };
        },
        &AgentLink::archiveFailed);
}

// The agent reaches the run's other computers first.
void AgentLink::submit(engine::spec::RunSpec run, const QString& run_dir) {
    agent::client::SubmitRequest request;
    request.run_dir = run_dir.toStdString();
    request.data_dir = agent::client::dataFolder();
    request.ssh_agent = qEnvironmentVariable("SSH_AUTH_SOCK").toStdString();
    request.run = std::move(run);
    const bool has_others = engine::spec::namesOtherHosts(request.run.cluster.spec);
    askOn(
        launch_thread_,
        [this, request, has_others](AgentClient& client) {
            if (has_others) shareFiles(client, request);
            const auto deadline = has_others ? kSubmitToHostsDeadline : kSubmitDeadline;
            const engine::run::RunInfo info = client.submit(request, deadline);
            thread_.post([this, info] { post([this, answer = summarize(info)] { emit submitted(answer); }); });
            return [] {};
        },
        &AgentLink::submitFailed);
}

// Runs on the thread of launches. Files that lie there already are no news; the launch ends with the link.
void AgentLink::shareFiles(AgentClient& client, const agent::client::SubmitRequest& request) {
    client.shareFiles(request, [this](const engine::run::FilesProgress& progress) {
        if (progress.all_bytes > 0) post([this, progress] { emit filesShared(progress); });
        return !is_ending_;
    });
}

void AgentLink::submitJob(agent::client::JobRequest request) {
    request.ssh_agent = qEnvironmentVariable("SSH_AUTH_SOCK").toStdString();
    askOn(
        launch_thread_,
        [this, request = std::move(request)](AgentClient& client) {
            if (!request.host.empty()) {
                agent::client::SubmitRequest sent;
                sent.run = request.run;
                sent.hosts = {{.host = request.host}};
                sent.ssh_agent = request.ssh_agent;
                shareFiles(client, sent);
            }
            const auto deadline = request.host.empty() ? kSubmitJobDeadline : kSubmitJobThereDeadline;
            const agent::client::SubmittedJob taken = client.submitJob(request, deadline);
            thread_.post([this, taken] {
                std::vector<RunSummary> runs;
                for (const engine::run::RunInfo& run : taken.runs) runs.push_back(summarize(run));
                post([this, job = QString::fromStdString(taken.job), runs = std::move(runs)] { emit jobTaken(job, runs); });
            });
            return [] {};
        },
        &AgentLink::jobRefused);
}

void AgentLink::doctor(engine::spec::RunSpec run) {
    askOn(
        slow_thread_,
        [this, run = std::move(run)](AgentClient& client) {
            const bool is_far = engine::spec::namesOtherHosts(run.cluster.spec) || !run.cluster.hosts.empty();
            const engine::spec::DoctorReport report =
                client.doctor(run, is_far ? kDoctorOfHostsDeadline : kDoctorDeadline, [this] { return is_ending_.load(); });
            return [this, report] { emit doctorAnswered(report); };
        },
        &AgentLink::doctorFailed);
}

void AgentLink::control(const QString& run_id, engine::spec::Control control) {
    ask(
        [id = run_id.toStdString(), control](AgentClient& client) {
            client.control(id, control, kCallDeadline);
            return [] {};
        },
        &AgentLink::callFailed);
}

void AgentLink::injectFault(const QString& run_id, const engine::chaos::Fault& fault) {
    ask(
        [id = run_id.toStdString(), fault](AgentClient& client) {
            client.injectFault(id, fault, kCallDeadline);
            return [] {};
        },
        &AgentLink::faultRefused);
}

void AgentLink::endWatch(const QString& run_id) {
    const auto inbox = inboxes_.find(run_id);
    if (inbox == inboxes_.end()) return;
    inbox->second->close();
    inboxes_.erase(inbox);
    thread_.post([this, run_id] { watches_.erase(run_id); });
}

void AgentLink::watch(const QString& run_id, std::uint64_t sequence) {
    endWatch(run_id);
    auto inbox = std::make_shared<Inbox>();
    inbox->run_id = run_id;
    inboxes_[run_id] = inbox;
    ask(
        [this, run_id, sequence, inbox](AgentClient&) -> std::function<void()> {
            startWatch(run_id, sequence, inbox);
            return [] {};
        },
        &AgentLink::callFailed);
}

void AgentLink::startWatch(const QString& run_id, std::uint64_t sequence, const std::shared_ptr<Inbox>& inbox) {
    agent::client::WatchHandler handler;
    handler.events = [this, inbox](std::vector<engine::spec::TaskEvent> events) {
        engine::MutexLock lock(inbox->mutex);
        while (!inbox->closed && inbox->events.size() > kMostWaitingEvents) inbox->room.wait_for(lock, kWaitSlice);
        if (inbox->closed) return false;
        inbox->events.insert(inbox->events.end(), std::make_move_iterator(events.begin()), std::make_move_iterator(events.end()));
        if (!std::exchange(inbox->drain_posted, true)) post([this, inbox] { drain(inbox); });
        return true;
    };
    handler.dropped = [this, run_id](std::int64_t count) { post([this, run_id, count] { emit pointsDropped(run_id, count); }); };
    handler.finished = [this, run_id, inbox](std::optional<std::string> error) {
        std::optional<QString> reason;
        if (error) reason = QString::fromStdString(*error);
        post([this, run_id, reason, inbox] {
            drain(inbox);
            if (isOpen(inbox)) emit watchEnded(run_id, reason);
        });
    };
    watches_[run_id] = client_->watch(run_id.toStdString(), sequence, std::move(handler));
}

// One reading a second: each is handed on as it comes. An agent that ends or does not know the call is left alone until the next
// connection.
void AgentLink::watchHost(std::int64_t after_unix_ns) {
    thread_.post([this, after_unix_ns] {
        host_watch_.reset();
        if (!client_) return;
        agent::client::HostHandler handler;
        handler.loads = [this](std::vector<engine::spec::HostLoad> loads) {
            post([this, loads = std::move(loads)] { emit hostLoadsArrived(loads); });
            return true;
        };
        handler.finished = [](const std::optional<std::string>&) {};
        host_watch_ = client_->watchHost(after_unix_ns, std::move(handler));
    });
}

void AgentLink::endHostWatch() {
    thread_.post([this] { host_watch_.reset(); });
}

bool AgentLink::isOpen(const std::shared_ptr<Inbox>& inbox) const {
    const auto open = inboxes_.find(inbox->run_id);
    return open != inboxes_.end() && open->second == inbox;
}

void AgentLink::drain(const std::shared_ptr<Inbox>& inbox) {
    std::vector<engine::spec::TaskEvent> events;
    {
        const engine::MutexLock lock(inbox->mutex);
        events.swap(inbox->events);
        inbox->drain_posted = false;
    }
    inbox->room.notify_all();
    if (!events.empty() && isOpen(inbox)) emit eventsArrived(inbox->run_id, std::move(events));
}

}  // namespace ui::session

#include "moc_agent_link.cpp"
