// SPDX-License-Identifier: GPL-3.0-or-later
// What a user lets go wrong in the run that Monitor shows, and what came of it as its journal tells. Owned by Session; GUI thread only,
// nothing here blocks.
#pragma once

#include <QObject>
#include <QString>
#include <vector>

#include "engine/chaos/fault_watch.h"
#include "engine/spec/project/cluster_spec.h"

namespace ui::session {

class AgentLink;
class RunRecord;
class Runs;

class Chaos : public QObject {
    Q_OBJECT
public:
    // Both outlive it.
    Chaos(AgentLink& link, Runs& runs);

    // Of the current run, in the order in which they were done, also by the command line; empty without one.
    const std::vector<engine::chaos::FaultStory>& stories() const;
    // In rank order, then the others.
    std::vector<engine::spec::TaskId> tasks() const;
    // There is a run of this computer's agent that goes on.
    bool isPossible() const;
    // One goes on whose tasks are no agent's: nothing can be done to them from here.
    bool isFollowed() const;
    // To the current run; its story follows, or refused().
    void inject(const engine::chaos::Fault& fault);

signals:
    void storiesChanged();
    void runChanged();               // tasks() or isPossible()
    void refused(QString sentence);  // English, of the agent: models::findingText()

private:
    void follow();

    AgentLink& link_;
    Runs& runs_;
    RunRecord* followed_ = nullptr;  // whose signals are heard; may be gone
};

}  // namespace ui::session
