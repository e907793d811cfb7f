// SPDX-License-Identifier: GPL-3.0-or-later
// Where the agent's threads enter Qt, and nowhere else: owns the client on a thread of its own, asks there, answers by queued invocation.
// Owned by Session; its methods and signals belong to the GUI thread. No method blocks.
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "agent/client/agent_client.h"
#include "ui/session/session.h"
#include "ui/session/values.h"
#include "ui/session/worker_thread.h"

namespace ui::session {

HostFacts toHostFacts(const agent::client::HostInfo& info);
RunSummary toRunSummary(const agent::client::RunInfo& info);

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
    void submit(engine::spec::RunSpec run);
    void control(const QString& run_id, engine::spec::Control control);
    // Ends the watch in progress and follows `run_id` from `sequence`.
    void watch(const QString& run_id, std::uint64_t sequence);
    void endWatch();

signals:
    void connected();
    void lost(QString reason);
    void described(ui::session::HostFacts facts);
    void runsListed(std::vector<ui::session::RunSummary> runs);
    void runAnswered(ui::session::RunSummary run);
    void submitted(ui::session::RunSummary run);
    void submitFailed(ui::session::ErrorInfo error);
    void callFailed(ui::session::ErrorInfo error);
    void eventsArrived(QString run_id, std::vector<engine::spec::TaskEvent> events);
    void pointsDropped(QString run_id, qint64 count);
    void watchEnded(QString run_id, std::optional<QString> error);

private:
    struct Inbox;
    using Failed = void (AgentLink::*)(ErrorInfo);

    // Runs `work` on the link's thread; `answer`, which it returns, runs on the GUI thread.
    void ask(std::function<std::function<void()>(agent::client::AgentClient&)> work, Failed failed);
    void startWatch(const QString& run_id, std::uint64_t sequence, const std::shared_ptr<Inbox>& inbox);
    void post(std::function<void()> answer);
    void drain(const std::shared_ptr<Inbox>& inbox);

    const AgentFactory factory_;
    std::shared_ptr<Inbox> inbox_;                              // of the watch in progress; GUI thread
    std::unique_ptr<agent::client::AgentClient> client_;        // link's thread
    std::unique_ptr<agent::client::AgentClient::Watch> watch_;  // link's thread; ends before client_
    WorkerThread thread_;
};

}  // namespace ui::session
