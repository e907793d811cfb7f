// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/data/data_desk.h"

#include <utility>

#include "ui/session/data/dataset_reader.h"
#include "ui/session/event_list.h"
#include "ui/session/project/project.h"

namespace ui::session {

using engine::spec::DataSpec;
using engine::spec::RunSpec;

namespace {

constexpr int kShardDelayMs = 250, kShardSteps = 6;

}  // namespace

DataInspection::DataInspection(std::shared_ptr<ClientSlot> slot, QObject* parent) : QObject(parent), call_(std::move(slot)) {
    connect(&call_, &EngineCall::progressed, this, [this](const engine::spec::EngineProgress& progress) {
        take(progress, state_);
        emit changed();
    });
    connect(&call_, &EngineCall::answered, this, [this](const engine::spec::EngineAnswer& answer) {
        take(std::get<engine::spec::DataFacts>(answer), state_);
        emit changed();
    });
    connect(&call_, &EngineCall::failed, this, [this](const ErrorInfo& error) {
        state_.phase = DataPhase::kFailed;
        state_.problem = error.detail;
        emit changed();
    });
}

void DataInspection::start(const DataSpec& data, const QString& base, Fetch fetch, Depth depth, int draw) {
    engine::spec::EngineQuestion question{.run = {}, .base_dir = base.toStdString(), .asked = {}};
    question.run.data = sourceOf(data);
    question.asked = engine::spec::DataQuestion{
        .fetch = fetch == Fetch::kYes, .check = depth == Depth::kCheckAll, .draw = static_cast<std::uint64_t>(draw)};
    state_.phase = fetch == Fetch::kYes ? DataPhase::kFetching : DataPhase::kReading;
    state_.problem.clear();
    state_.code.clear();
    state_.can_fetch = false;
    state_.done = state_.total = 0;
    state_.name = QString::fromStdString(data.dataset);
    if (state_.has_summary && state_.summary.dataset != state_.name) state_.has_summary = false;
    emit changed();
    call_.start([question] { return question; });
}

void DataInspection::cancel() {
    if (!call_.isRunning()) return;
    call_.cancel();
    state_.phase = state_.has_summary ? DataPhase::kReady : DataPhase::kIdle;
    emit changed();
}

void DataInspection::clear() {
    call_.cancel();
    state_ = {};
    emit changed();
}

DataDesk::DataDesk(Project& project, EventList& events, const std::shared_ptr<ClientSlot>& slot, QObject* parent)
    : QObject(parent), project_(project), events_(events), inspection_(slot), fetcher_(slot), shard_call_(slot), list_call_(slot) {
    shard_timer_.setSingleShot(true);
    shard_timer_.setInterval(kShardDelayMs);
    connect(&shard_timer_, &QTimer::timeout, this, &DataDesk::askShards);
    connect(&project_, &Project::changed, this, &DataDesk::follow);
    connect(&project_, &Project::stored, this, &DataDesk::follow);
    connect(&inspection_, &DataInspection::changed, this, &DataDesk::dataChanged);
    connect(&fetcher_, &DataInspection::changed, this, &DataDesk::onFetchChanged);
    connect(&shard_call_, &EngineCall::answered, this, [this](const engine::spec::EngineAnswer& answer) {
        shards_ = toShards(std::get<engine::spec::ShardPreview>(answer));
        emit shardsChanged();
    });
    connect(&shard_call_, &EngineCall::failed, this, [this](const ErrorInfo& error) {
        shards_.is_running = false;
        shards_.problem = error.detail;
        shards_.steps.clear();
        emit shardsChanged();
    });
    connect(&list_call_, &EngineCall::answered, this, [this](const engine::spec::EngineAnswer& answer) {
        available_.clear();
        for (const std::string& name : std::get<engine::spec::Datasets>(answer).names) available_.insert(QString::fromStdString(name));
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
    if (const std::pair asked{sourceOf(project_.spec().data), baseFolder()}; data_asked_ != asked) {
        if (data_asked_ && data_asked_->second != asked.second) inspection_.clear();  // files of the same names lie elsewhere
        draw_ = 0;
        data_asked_ = asked;
        askData(DataInspection::Depth::kLook);
    }
    if (shards_asked_ != std::pair{project_.spec(), baseFolder()}) shard_timer_.start();
}

void DataDesk::askData(DataInspection::Depth depth) {
    inspection_.start(project_.spec().data, baseFolder(), DataInspection::Fetch::kNo, depth, draw_);
}

void DataDesk::askShards() {
    if (!project_.isOpen()) return;
    shards_asked_ = {project_.spec(), baseFolder()};
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
    const engine::spec::EngineQuestion question{
        .run = std::move(run), .base_dir = baseFolder().toStdString(), .asked = engine::spec::ShardsQuestion{.steps = kShardSteps}};
    shard_call_.start([question] { return question; });
    emit shardsChanged();
}

void DataDesk::askList() {
    list_call_.start([] { return engine::spec::EngineQuestion{.run = {}, .base_dir = {}, .asked = engine::spec::DatasetsQuestion()}; });
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

#include "moc_data_desk.cpp"
