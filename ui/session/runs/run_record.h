// SPDX-License-Identifier: GPL-3.0-or-later
// A run's history (engine/run/run_history.h) for views: it tells of its growth by signals and has what the studio keeps of the run beside
// it. Owned by Session; lives and is read on the GUI thread. Events come in through ingest(); signals leave in batches, at most 20 a
// second.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <cstdint>
#include <vector>

#include "engine/chaos/fault_watch.h"
#include "engine/run/run_history.h"
#include "ui/session/values.h"

namespace ui::session {

using engine::run::AttemptEntry;
using engine::run::CheckpointEntry;
using engine::run::ControlEntry;
using engine::run::DistributionEntry;
using engine::run::EpochEntry;
using engine::run::FilterEntry;
using engine::run::LogEntry;
using engine::run::NormEntry;
using engine::run::PointTable;
using engine::run::RunHistory;
using engine::run::StateEntry;
using engine::run::StepTimes;
using engine::run::TaskRecord;
using engine::run::VariableHistory;

class RunRecord : public QObject, private RunHistory {
    Q_OBJECT
public:
    explicit RunRecord(RunSummary summary, QObject* parent = nullptr);

    const RunSummary& summary() const { return summary_; }
    QString id() const { return summary_.id; }
    std::int64_t droppedPoints() const { return dropped_points_; }
    const RunHistory& history() const { return *this; }
    // The faults that a user caused in the run, and what came of them.
    const std::vector<engine::chaos::FaultStory>& faults() const { return fault_watch_.stories(); }

    using RunHistory::attempts;
    using RunHistory::checkpoints;
    using RunHistory::controls;
    using RunHistory::createdUnixNs;
    using RunHistory::epochs;
    using RunHistory::epochsPassedOver;
    using RunHistory::expectEvents;
    using RunHistory::finished;
    using RunHistory::finishedUnixNs;
    using RunHistory::global;
    using RunHistory::hasAllEvents;
    using RunHistory::lastEventUnixNs;
    using RunHistory::lastSequence;
    using RunHistory::lastStep;
    using RunHistory::logs;
    using RunHistory::pausedBetween;
    using RunHistory::run;
    using RunHistory::secondsSinceCreation;
    using RunHistory::started;
    using RunHistory::state;
    using RunHistory::stepsPerEpoch;
    using RunHistory::tasks;
    using RunHistory::totalSteps;
    using RunHistory::weightReports;

    void ingest(const std::vector<engine::spec::TaskEvent>& events);
    void addDropped(std::int64_t points);
    // Takes the agent's word on the run as a whole.
    void setSummary(const RunSummary& summary);
    void endOfEvents();
    // Sends what is waiting at once. Tests use it; the timer calls it otherwise.
    void flush();

signals:
    void superseded();  // rows and entries went: whoever counts them begins anew
    void pointsArrived();
    void tasksChanged();
    void logsArrived();
    void epochsChanged();
    void checkpointsChanged();
    void controlsChanged();
    void weightsArrived();  // weights(), gradients(), norms() and filters() grew
    void stateChanged();
    void faultsChanged();

private:
    void mark(unsigned changes);
    void closeFaults();

    RunSummary summary_;  // its state is the history's
    std::int64_t dropped_points_ = 0;
    unsigned changes_ = 0;  // not told yet
    engine::chaos::FaultWatch fault_watch_;
    std::vector<engine::chaos::FaultStory> told_faults_;
    QTimer flush_timer_;
};

}  // namespace ui::session
