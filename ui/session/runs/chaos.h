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
    // `link` and `runs` outlive it.
    Chaos(AgentLink& link, Runs& runs);

    // The faults of the current run in the order in which they were done, also those of the command line; empty when there is no run.
    const std::vector<engine::chaos::FaultStory>& stories() const;
    // The tasks of the current run in rank order, then the others.
    std::vector<engine::spec::TaskId> tasks() const;
    // True when a run of this computer's agent goes on.
    bool isPossible() const;
    // True when a run goes on whose tasks have no agent here: nothing can be done to them from here.
    bool isFollowed() const;
    // Does the fault to the current run; its story follows, or refused().
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
