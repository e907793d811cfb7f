// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/data/data_desk.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <utility>

#include "ui/session/data/dataset_reader.h"
#include "ui/session/event_list.h"
#include "ui/session/project/project.h"
#include "ui/session/worker_thread.h"

namespace ui::session {

using engine::spec::DataSpec;
using engine::spec::RunSpec;

namespace {

constexpr int kShardDelayMs = 250, kShardSteps = 6;

}  // namespace

DataInspection::DataInspection(QString program, QObject* parent)
    : QObject(parent), program_(std::move(program)), reader_(std::make_unique<WorkerThread>()) {
    connect(&call_, &WorkerLines::lineArrived, this, &DataInspection::onLine);
    connect(&call_, &WorkerLines::ended, this, &DataInspection::onEnded);
}

DataInspection::~DataInspection() {
    reader_->finish();
}

void DataInspection::start(const DataSpec& data, const QString& base, Fetch fetch, Depth depth, int draw) {
    ++question_;
    RunSpec run;
    run.data = sourceOf(data);
    QStringList arguments{"data", "@project", "--json", "--draw", QString::number(draw)};
    if (!base.isEmpty()) arguments << "--base" << base;
    if (fetch == Fetch::kYes) arguments << "--fetch";
    if (depth == Depth::kCheckAll) arguments << "--check";
    state_.phase = fetch == Fetch::kYes ? DataPhase::kFetching : DataPhase::kReading;
    state_.problem.clear();
    state_.code.clear();
    state_.can_fetch = false;
    state_.done = state_.total = 0;
    state_.name = QString::fromStdString(data.dataset);
    if (state_.has_summary && state_.summary.dataset != state_.name) state_.has_summary = false;
    emit changed();
    call_.start({.program = program_, .arguments = arguments, .run = &run});
}

void DataInspection::cancel() {
    if (!call_.isRunning()) return;
    ++question_;
    call_.cancel();
    state_.phase = state_.has_summary ? DataPhase::kReady : DataPhase::kIdle;
    emit changed();
}

void DataInspection::clear() {
    ++question_;
    call_.cancel();
    state_ = {};
    emit changed();
}

void DataInspection::onLine(const QByteArray& line) {
    reader_->post([this, line, question = question_, state = state_]() mutable {
        if (!readDataLine(line, state)) return;
        QMetaObject::invokeMethod(
            this,
            [this, question, state = std::move(state)] {
                if (question != question_) return;
                state_ = state;
                emit changed();
            },
            Qt::QueuedConnection);
    });
}

// Behind the lines that are still being read.
void DataInspection::onEnded(const ErrorInfo& error) {
    reader_->post([this, problem = error.detail, question = question_] {
        QMetaObject::invokeMethod(
            this,
            [this, problem, question] {
                if (question != question_ || state_.phase == DataPhase::kReady || state_.phase == DataPhase::kFailed) return;
                state_.phase = DataPhase::kFailed;
                state_.problem = problem.isEmpty() ? QStringLiteral("tandem-worker: expected an answer, got none") : problem;
                emit changed();
            },
            Qt::QueuedConnection);
    });
}

DataDesk::DataDesk(Project& project, EventList& events, QString program, QObject* parent)
    : QObject(parent), project_(project), events_(events), program_(std::move(program)), inspection_(program_), fetcher_(program_) {
    shard_timer_.setSingleShot(true);
    shard_timer_.setInterval(kShardDelayMs);
    connect(&shard_timer_, &QTimer::timeout, this, &DataDesk::askShards);
    connect(&project_, &Project::changed, this, &DataDesk::follow);
    connect(&inspection_, &DataInspection::changed, this, &DataDesk::dataChanged);
    connect(&fetcher_, &DataInspection::changed, this, &DataDesk::onFetchChanged);
    connect(&shard_call_, &WorkerLines::lineArrived, this, [this](const QByteArray& line) {
        if (auto answer = readShards(line)) shards_ = std::move(*answer);
        shards_.is_running = true;
    });
    connect(&shard_call_, &WorkerLines::ended, this, [this](const ErrorInfo& error) {
        shards_.is_running = false;
        shards_.problem = error.detail;
        if (error.code != 0) shards_.steps.clear();
        emit shardsChanged();
    });
    connect(&list_call_, &WorkerLines::lineArrived, this, [this](const QByteArray& line) {
        const QJsonArray names = QJsonDocument::fromJson(line)["available"].toArray();
        available_.clear();
        for (const QJsonValue& name : names) available_.insert(name.toString());
        emit listChanged();
    });
}

QString DataDesk::baseFolder() const {
    return project_.baseFolder();
}

void DataDesk::setActive(bool active) {
    if (active_ == active) return;
    active_ = active;
    if (!active_) return;
    askList();
    follow();
}

void DataDesk::follow() {
    if (!project_.isOpen()) {
        data_asked_.reset();
        shards_asked_.reset();
        shards_ = {};
        shard_call_.cancel();
        inspection_.clear();
        emit shardsChanged();
        return;
    }
    if (!active_) return;
    if (const DataSpec source = sourceOf(project_.spec().data); data_asked_ != source) {
        draw_ = 0;
        data_asked_ = source;
        askData(DataInspection::Depth::kLook);
    }
    if (shards_asked_ != project_.spec()) shard_timer_.start();
}

void DataDesk::askData(DataInspection::Depth depth) {
    inspection_.start(project_.spec().data, baseFolder(), DataInspection::Fetch::kNo, depth, draw_);
}

void DataDesk::askShards() {
    if (!project_.isOpen()) return;
    shards_asked_ = project_.spec();
    shards_.is_running = true;
    if (hasErrors(project_.diagnostics())) {
        // The first of them, as the list of problems says it.
        for (const engine::spec::Diagnostic& one : project_.diagnostics()) {
            if (one.severity != engine::spec::Severity::kError || one.path.starts_with("cluster.")) continue;
            shard_call_.cancel();
            shards_ = {};
            shards_.problem = QString::fromStdString(one.message);
            emit shardsChanged();
            return;
        }
    }
    RunSpec run = project_.spec();
    run.data.download = false;
    QStringList arguments{"shards", "@project", "--json", "--steps", QString::number(kShardSteps)};
    if (!baseFolder().isEmpty()) arguments << "--base" << baseFolder();
    shard_call_.start({.program = program_, .arguments = arguments, .run = &run});
    emit shardsChanged();
}

void DataDesk::askList() {
    list_call_.start({.program = program_, .arguments = {"data", "--list", "--json"}, .run = nullptr});
}

void DataDesk::lookAgain() {
    if (!project_.isOpen()) return;
    askData(DataInspection::Depth::kLook);
    askShards();
    project_.readDatasetAgain();
}

void DataDesk::checkFiles() {
    if (project_.isOpen()) askData(DataInspection::Depth::kCheckAll);
}

void DataDesk::drawOthers() {
    if (!project_.isOpen()) return;
    ++draw_;
    askData(DataInspection::Depth::kLook);
}

void DataDesk::fetch(const QString& name) {
    if (!fetching_.isEmpty()) return;
    fetching_ = name;
    failed_.clear();
    DataSpec data;
    data.dataset = name.toStdString();
    fetcher_.start(data, {}, DataInspection::Fetch::kYes);
    emit fetchStarted(name);
    emit listChanged();
}

void DataDesk::cancelFetch() {
    fetching_.clear();
    fetcher_.cancel();
    emit listChanged();
}

void DataDesk::onFetchChanged() {
    if (fetching_.isEmpty()) return;
    const DataState& state = fetcher_.state();
    if (state.phase == DataPhase::kReady) {
        available_.insert(fetching_);
        const bool is_ours = project_.isOpen() && QString::fromStdString(project_.spec().data.dataset) == fetching_;
        fetching_.clear();
        if (is_ours) lookAgain();
    } else if (state.phase == DataPhase::kFailed) {
        failed_ = std::exchange(fetching_, {});
        events_.add(engine::spec::Severity::kError, state.problem);
        emit fetchFailed(failed_, state.problem);
    }
    emit listChanged();
}

}  // namespace ui::session
