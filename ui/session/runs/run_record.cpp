// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/run_record.h"

#include <limits>
#include <utility>

namespace ui::session {
namespace {

constexpr int kFlushMs = 50;

engine::run::RunInfo infoOf(const RunSummary& summary) {
    engine::run::RunInfo info{.id = summary.id.toStdString(),
                              .name = summary.name.toStdString(),
                              .state = summary.state,
                              .detail = summary.detail.toStdString(),
                              .created_unix_ns = summary.created_unix_ns,
                              .finished_unix_ns = summary.finished_unix_ns,
                              .run_dir = summary.run_dir.toStdString(),
                              .tasks = summary.tasks,
                              .project_json = summary.project_json.toStdString(),
                              .results = {},
                              .checkpoint = summary.checkpoint.toStdString(),
                              .weights_sha256 = {},
                              .attempts = summary.attempts,
                              .idle_ns = summary.idle_ns,
                              .imported_from = summary.imported_from.toStdString(),
                              .followed = summary.followed};
    for (const auto& [name, value] : summary.results) info.results.emplace_back(name.toStdString(), value);
    return info;
}

}  // namespace

double RunSummary::result(const QString& result_name) const {
    for (const auto& [key, value] : results) {
        if (key == result_name) return value;
    }
    return std::numeric_limits<double>::quiet_NaN();
}

RunRecord::RunRecord(RunSummary summary, QObject* parent) : QObject(parent), RunHistory(infoOf(summary)), summary_(std::move(summary)) {
    flush_timer_.setSingleShot(true);
    flush_timer_.setInterval(kFlushMs);
    connect(&flush_timer_, &QTimer::timeout, this, &RunRecord::flush);
}

void RunRecord::ingest(const std::vector<engine::spec::TaskEvent>& events) {
    for (const engine::spec::TaskEvent& event : events) fault_watch_.add(event);
    mark(add(events));
}

void RunRecord::addDropped(std::int64_t points) {
    dropped_points_ += points;
    mark(kState);
}

void RunRecord::setSummary(const RunSummary& summary) {
    if (summary == summary_) return;
    summary_ = summary;
    mark(setInfo(infoOf(summary)));
    closeFaults();
}

void RunRecord::endOfEvents() {
    mark(RunHistory::endOfEvents());
    closeFaults();
}

// Ends the stories of faults once a run is over and its last event is here.
void RunRecord::closeFaults() {
    if (!hasAllEvents() || isActive(state())) return;
    fault_watch_.finish();
    if (faults() != told_faults_ && !flush_timer_.isActive()) flush_timer_.start();
}

void RunRecord::mark(unsigned changes) {
    summary_.state = state();
    if (changes == 0) return;
    changes_ |= changes;
    if (!flush_timer_.isActive()) flush_timer_.start();
}

void RunRecord::flush() {
    const unsigned changes = std::exchange(changes_, 0u);
    if (changes & kSuperseded) emit superseded();
    if (changes & kState) emit stateChanged();
    if (changes & kTasks) emit tasksChanged();
    if (changes & kEpochs) emit epochsChanged();
    if (changes & kCheckpoints) emit checkpointsChanged();
    if (changes & kControls) emit controlsChanged();
    if (changes & kPoints) emit pointsArrived();
    if (changes & kWeights) emit weightsArrived();
    if (changes & kLogs) emit logsArrived();
    if (faults() != told_faults_) {
        told_faults_ = faults();
        emit faultsChanged();
    }
}

}  // namespace ui::session

#include "moc_run_record.cpp"
