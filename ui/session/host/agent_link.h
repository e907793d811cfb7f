// SPDX-License-Identifier: GPL-3.0-or-later
// Where the agent's threads enter Qt, and nowhere else: owns the client on a thread of its own, asks there, answers by queued invocation.
// Owned by Session; its methods and signals belong to the GUI thread. No method blocks.
#pragma once

#include <QObject>
#include <QString>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "agent/client/agent_client.h"
#include "engine/run/files_progress.h"
#include "engine/run/host_info.h"
#include "ui/session/host/client_slot.h"
#include "ui/session/values.h"
#include "ui/session/worker_thread.h"

namespace ui::session {

// Returns the summary of a run, without its facts.
RunSummary toRunSummary(const engine::run::RunInfo& info);

// Makes the client; called on the link's thread, may block up to its own deadline, throws engine::Error.
using AgentFactory = std::function<std::unique_ptr<agent::client::AgentClient>()>;

class AgentLink : public QObject {
    Q_OBJECT
public:
    explicit AgentLink(AgentFactory factory);
    ~AgentLink() override;

    // Makes the client anew; connected() or lost() follows.
    void connectAgent();
    void describe();
    void listRuns();
    void getRun(const QString& id);
    // Follows a run whose tasks have no agent, in its folder on a host of the list (empty: on this computer); followed() or followFailed()
    // answers, when what was told so far has been read.
    void followFolder(const QString& folder, const QString& host);
    // Absolute files; imported() or archived() answers, or archiveFailed(). Those that are asked for meanwhile wait.
    void importRun(const QString& file);
    void archiveRun(const QString& id, const QString& file);
    void submit(engine::spec::RunSpec run, const QString& run_dir);  // empty: a new folder
    // Hands Slurm a run to start; jobTaken() or jobRefused() answers.
    void submitJob(agent::client::JobRequest request);
    void doctor(engine::spec::RunSpec run);
    void control(const QString& run_id, engine::spec::Control control);
    // Causes a fault in a run; faultRefused() answers when it can't be done; else the run's journal tells of it.
    void injectFault(const QString& run_id, const engine::chaos::Fault& fault);
    // Follows `run_id` from `sequence`; a watch of the same run that is in progress ends.
    void watch(const QString& run_id, std::uint64_t sequence);
    void endWatch(const QString& run_id);
    // Follows what the host uses from `after_unix_ns` on; a watch in progress ends.
    void watchHost(std::int64_t after_unix_ns);
    void endHostWatch();
    // Returns the slot with the client of each connection, for questions that take long; it outlives the link while somebody holds it.
    const std::shared_ptr<ClientSlot>& slot() const { return slot_; }

signals:
    void connected();
    void lost(QString reason);
    // Emitted when the agent lives and has not answered for so long; again every second, then answered().
    void silent(qint64 ms);
    void answered();
    void described(engine::run::HostInfo facts);
    void runsListed(std::vector<ui::session::RunSummary> runs);
    void runAnswered(ui::session::RunSummary run);
    void filesShared(engine::run::FilesProgress progress);  // of a run that is being submitted
    void submitted(ui::session::RunSummary run);
    void submitFailed(ui::session::ErrorInfo error);
    void jobTaken(QString job, std::vector<ui::session::RunSummary> runs);
    void jobRefused(ui::session::ErrorInfo error);
    void followed(ui::session::RunSummary run);
    void followFailed(ui::session::ErrorInfo error);
    void imported(ui::session::RunSummary run, bool was_here);
    void archived(QString id, QString file);
    void archiveFailed(ui::session::ErrorInfo error);
    void doctorAnswered(engine::spec::DoctorReport report);
    void doctorFailed(ui::session::ErrorInfo error);
    void faultRefused(ui::session::ErrorInfo error);
    void callFailed(ui::session::ErrorInfo error);
    void eventsArrived(QString run_id, std::vector<engine::spec::TaskEvent> events);
    void pointsDropped(QString run_id, qint64 count);
    void watchEnded(QString run_id, std::optional<QString> error);
    void hostLoadsArrived(std::vector<engine::spec::HostLoad> loads);

private:
    struct Inbox;
    struct KnownFacts {
        std::size_t project_hash = 0;
        RunFacts facts;
    };
    using Failed = void (AgentLink::*)(ErrorInfo);

    // Asks the client; what it returns runs on the GUI thread.
    using Work = std::function<std::function<void()>(agent::client::AgentClient&)>;

    void ask(Work work, Failed failed);                        // on the link's thread
    void askOn(WorkerThread& slow, Work work, Failed failed);  // what takes seconds or more, so that controls are not held up
    void answer(const std::shared_ptr<agent::client::AgentClient>& client, const Work& work, Failed failed);
    void shareFiles(agent::client::AgentClient& client, const agent::client::SubmitRequest& request);
    void followPulse();
    void startWatch(const QString& run_id, std::uint64_t sequence, const std::shared_ptr<Inbox>& inbox);
    RunSummary summarize(const engine::run::RunInfo& info);
    void post(std::function<void()> answer);
    void drain(const std::shared_ptr<Inbox>& inbox);
    bool isOpen(const std::shared_ptr<Inbox>& inbox) const;  // not ended and not replaced

    const AgentFactory factory_;
    const std::shared_ptr<ClientSlot> slot_ = std::make_shared<ClientSlot>();
    std::map<QString, std::shared_ptr<Inbox>> inboxes_;  // of the watches in progress, by run; GUI thread
    std::atomic<bool> is_ending_ = false;
    // Link's thread, all of them.
    std::shared_ptr<agent::client::AgentClient> client_;                // shared with a doctor at work
    std::map<QString, std::unique_ptr<agent::client::Watch>> watches_;  // end before client_
    std::unique_ptr<agent::client::Watch> host_watch_, pulse_;          // the same
    std::map<std::string, KnownFacts> facts_;                           // by run: projects are parsed once
    WorkerThread slow_thread_, launch_thread_, archive_thread_;
    WorkerThread thread_;
};

}  // namespace ui::session
