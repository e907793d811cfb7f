// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/monitor/monitor_dock.h"

#include <QDateTime>
#include <QHBoxLayout>
#include <QListView>
#include <QVBoxLayout>
#include <algorithm>
#include <cstdlib>
#include <limits>

#include "engine/run/run_series.h"
#include "engine/spec/cluster/task_plan.h"
#include "ui/models/host_load_rows.h"
#include "ui/models/numbers.h"
#include "ui/models/task_list_model.h"
#include "ui/monitor/checkpoints_view.h"
#include "ui/monitor/host_load_view.h"
#include "ui/monitor/layers/layer_view.h"
#include "ui/monitor/monitor_painted.h"
#include "ui/monitor/monitor_parts.h"
#include "ui/monitor/monitor_states.h"
#include "ui/monitor/server_view.h"
#include "ui/monitor/step_times_view.h"
#include "ui/monitor/weight_view.h"
#include "ui/session/host/host_history.h"
#include "ui/session/runs/run_record.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using engine::spec::TaskState;
using session::TaskRecord;
using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kRefreshMs = 200, kSilenceMs = 500, kMostTaskRows = 4;
constexpr double kRateSeconds = 1.5;
constexpr std::int64_t kStaleMs = 5000;

// Returns images per second over the last moments.
double recentRate(const session::PointTable& table) {
    if (table.size() < 2) return -1;
    const std::size_t last = table.size() - 1;
    std::size_t first = last;
    double examples = 0;
    while (first > 0 && table.time_s[last] - table.time_s[first] < kRateSeconds) examples += table.examples[first--];
    const double seconds = table.time_s[last] - table.time_s[first];
    return seconds > 0 ? examples / seconds : -1;
}

// Adds what a ps last told of its load.
void addLoad(const TaskRecord& server, models::TaskRow& row) {
    const auto last = [&](const char* column) {
        const auto* values = server.serving.loads.find(column);
        return values == nullptr || values->empty() ? -1 : values->back();
    };
    row.updates_per_s = last("updates_per_s");
    if (row.updates_per_s >= 0) row.bytes_per_s = last("pulled_bytes_per_s") + last("pushed_bytes_per_s");
}

}  // namespace

MonitorDock::MonitorDock(const theme::ThemeController& themes, QWidget* parent) : QScrollArea(parent), themes_(themes) {
    setObjectName(QStringLiteral("monitorDock"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* body = new QWidget(this);
    body->setAutoFillBackground(true);
    body->setBackgroundRole(QPalette::Base);
    setWidget(body);

    tasks_ = new models::TaskListModel(this);
    task_view_ = plainList(body, tasks_, new TaskDelegate(themes, this), "taskList");
    ring_ = new RingView(themes, body);
    servers_ = new ServerView(themes, body);
    times_ = new StepTimesView(themes, body);
    host_load_ = new HostLoadView(themes, body);
    others_load_ = new HostLoadView(themes, body);
    others_load_->setObjectName(QStringLiteral("otherHosts"));
    checkpoints_ = new CheckpointsView(themes, body);
    for (TextLabel** title : {&tasks_title_, &ring_title_, &host_title_, &others_title_})
        *title = new TextLabel(themes, TextRole::kStrong, Ink::kText, body);
    for (TextLabel** state : {&tasks_state_, &ring_state_, &host_state_})
        *state = new TextLabel(themes, TextRole::kSmall, Ink::kText2, body);
    connect(checkpoints_, &CheckpointsView::folderWanted, this, &MonitorDock::folderWanted);
    connect(checkpoints_, &CheckpointsView::branchWanted, this, &MonitorDock::branchWanted);
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(theme::kSpace5, theme::kSpace5, theme::kSpace5, theme::kSpace4);
    layout->setSpacing(theme::kSpace2);
    tasks_state_->setObjectName("monitorTasksState");
    layout->addLayout(apart(tasks_title_, tasks_state_));
    layout->addWidget(task_view_);
    layout->addSpacing(theme::kSpace2);
    layout->addLayout(apart(ring_title_, ring_state_));
    layout->addWidget(ring_);
    layout->addWidget(servers_);
    layout->addSpacing(theme::kSpace2);
    layout->addWidget(times_);
    layout->addSpacing(theme::kSpace2);
    host_state_->setElided(true);
    layout->addLayout(apart(host_title_, host_state_));
    layout->addWidget(host_load_);
    layout->addWidget(others_title_);
    layout->addWidget(others_load_);
    layout->addSpacing(theme::kSpace2);
    layout->addWidget(checkpoints_);
    weights_ = new WeightView(themes, body);
    layout->addWidget(weights_);
    layers_ = new LayerView(themes, body);
    layout->addWidget(layers_);
    connect(layers_, &LayerView::stepWanted, this, &MonitorDock::stepWanted);
    connect(layers_, &LayerView::chartWanted, this, &MonitorDock::chartWanted);
    layout->addStretch();

    connect(task_view_, &QListView::activated, this,
            [this](const QModelIndex& index) { emit taskActivated(tasks_->row(index.row()).task); });
    refresh_timer_.setSingleShot(true);
    connect(&refresh_timer_, &QTimer::timeout, this, &MonitorDock::refresh);
    retranslate();
}

void MonitorDock::setRun(const session::RunRecord* run, std::optional<std::int64_t> moment_unix_ns) {
    using session::RunRecord;
    if (run_ != nullptr) disconnect(run_, nullptr, this, nullptr);
    run_ = run;
    moment_unix_ns_ = moment_unix_ns;
    weights_->setRun(run);
    layers_->setRun(run);
    if (run_ != nullptr) {
        for (const auto signal : {&RunRecord::pointsArrived, &RunRecord::tasksChanged, &RunRecord::checkpointsChanged,
                                  &RunRecord::stateChanged, &RunRecord::epochsChanged}) {
            connect(run_, signal, this, [this] {
                if (!refresh_timer_.isActive()) refresh_timer_.start(kRefreshMs);
            });
        }
    }
    refresh();
}

void MonitorDock::setCores(int cores_of_host) {
    cores_ = cores_of_host;
    refresh();
}

void MonitorDock::setHost(const session::HostHistory* history, const QString& host_name) {
    if (host_ != nullptr) disconnect(host_, nullptr, this, nullptr);
    host_ = history;
    host_name_ = host_name;
    if (host_ != nullptr) {
        connect(host_, &session::HostHistory::changed, this, [this] {
            refreshTasks();
            refreshHost();
        });
    }
    refresh();
}

bool MonitorDock::isPresent(const engine::spec::HostLoad& load) const {
    if (run_ == nullptr || !isActive(run_->state())) return false;
    const std::int64_t shown_ms = moment_unix_ns_ ? *moment_unix_ns_ / 1'000'000 : QDateTime::currentMSecsSinceEpoch();
    return std::abs(shown_ms - load.time_unix_ns / 1'000'000) < kStaleMs;
}

const engine::spec::HostLoad* MonitorDock::presentOf(const std::deque<engine::spec::HostLoad>& loads) const {
    auto newest = loads.rbegin();
    while (newest != loads.rend() && moment_unix_ns_ && newest->time_unix_ns > *moment_unix_ns_) ++newest;
    return newest != loads.rend() && isPresent(*newest) ? &*newest : nullptr;
}

// Nothing is known of the hosts during an earlier run: nobody looked then.
void MonitorDock::refreshHost() {
    std::vector<models::HostRow> rows;
    const bool active = run_ != nullptr && isActive(run_->state());
    for (QWidget* part : std::initializer_list<QWidget*>{others_title_, others_load_}) part->setVisible(false);
    if (host_ != nullptr && run_ != nullptr) {
        std::int64_t end = run_->finishedUnixNs() > 0 ? run_->finishedUnixNs() : std::numeric_limits<std::int64_t>::max();
        if (moment_unix_ns_) end = std::min(end, *moment_unix_ns_);
        rows = models::HostLoadRows::of(host_->loads(), run_->createdUnixNs(), end, !active || presentOf(host_->loads()) != nullptr);
        refreshOthers(end);
    }
    const bool shown = active || (!rows.empty() && !rows.front().course.empty());
    for (QWidget* part : std::initializer_list<QWidget*>{host_title_, host_state_, host_load_}) part->setVisible(shown);
    host_state_->setText(host_name_);
    host_load_->setRows(std::move(rows));
}

// Shows the other hosts that measured anything while the run went on: they are the run's own.
void MonitorDock::refreshOthers(std::int64_t end_unix_ns) {
    std::vector<models::HostRow> rows;
    const bool active = isActive(run_->state());
    for (const auto& [name, loads] : host_->others()) {
        models::HostRow row = models::HostLoadRows::ofComputer(QString::fromStdString(name), loads, run_->createdUnixNs(), end_unix_ns,
                                                               !active || presentOf(loads) != nullptr);
        if (!row.course.empty()) rows.push_back(std::move(row));
    }
    others_title_->setVisible(!rows.empty());
    others_load_->setVisible(!rows.empty());
    others_load_->setRows(std::move(rows));
}

void MonitorDock::join(charts::ChartGroup& group) {
    layers_->join(group);
}

void MonitorDock::setNarrow(bool narrow) {
    static_cast<TaskDelegate*>(task_view_->itemDelegate())->setNarrow(narrow);
}

void MonitorDock::retranslate() {
    times_->retranslate();
    servers_->retranslate();
    checkpoints_->retranslate();
    weights_->retranslate();
    layers_->retranslate();
    tasks_title_->setText(tr("Tasks"));
    ring_title_->setText(tr("Ring"));
    host_title_->setText(tr("This computer"));
    others_title_->setText(tr("Other computers"));
    task_view_->setAccessibleName(tr("Tasks"));
    refresh();
}

void MonitorDock::refresh() {
    refreshTasks();
    servers_->show(run_);
    times_->show(run_);
    refreshHost();
    checkpoints_->show(run_);
}

// The agent's word goes before the task's own: a task that hangs tells nothing.
double MonitorDock::coresOf(const TaskRecord& task) const {
    if (isFinal(task.state) || task.failure) return -1;
    const std::string id = run_->id().toStdString();
    const auto coresIn = [&](const std::deque<engine::spec::HostLoad>& loads) {
        const engine::spec::HostLoad* load = presentOf(loads);
        const auto* measured = load != nullptr ? session::findTask(*load, id, task.id) : nullptr;
        return measured != nullptr ? measured->cpu_cores : -1;
    };
    if (host_ != nullptr) {
        if (const double cores = coresIn(host_->loads()); cores >= 0) return cores;
        for (const auto& [name, loads] : host_->others()) {
            if (const double cores = coresIn(loads); cores >= 0) return cores;
        }
    }
    return task.cpu_cores > 0 ? task.cpu_cores : -1;
}

void MonitorDock::refreshTasks() {
    std::vector<models::TaskRow> rows;
    int ready = 0, failed = 0, alive = 0, done = 0;
    RingState ring;
    if (run_ != nullptr) {
        const auto coordinator = engine::spec::coordinatorOf(run_->run());
        const int cores_each = cores_ > 0 ? std::max(1, cores_ / static_cast<int>(std::max<std::size_t>(1, run_->tasks().size()))) : 0;
        const TaskRecord* silent = isActive(run_->state()) ? run_->tasks().silent() : nullptr;
        const TaskRecord* cause = silent != nullptr ? silent : run_->tasks().firstFailure();
        if (silent != nullptr && !refresh_timer_.isActive()) refresh_timer_.start(kSilenceMs);
        for (const TaskRecord& task : run_->tasks()) {
            models::TaskRow one;
            one.task = task.id;
            one.address = task.address.empty() ? tr("this computer") : QString::fromStdString(task.address);
            one.is_chief = run_->tasks().size() > 1 && run_->run().cluster.spec.isChief(task.id);
            one.state = task.state;
            one.detail = task.isSilent() && !task.failure ? silenceOf(task)
                                                          : QString::fromStdString(task.failure ? task.failure->reason : task.detail);
            one.images_per_s =
                task.state == TaskState::kTraining ? recentRate(task.own.size() >= task.whole.size() ? task.own : task.whole) : -1;
            if (task.id == coordinator) one.images_per_s = -1;  // its points are the workers' means
            if (task.id.type == "ps" && task.state == TaskState::kTraining && isActive(run_->state())) addLoad(task, one);
            one.cpu_cores = coresOf(task);
            one.cores = cores_each;
            const bool trains =
                task.id.type != "ps" && task.id.type != engine::spec::kEvaluator;  // a scheduler's job may have more workers
            if (trains) {
                failed += task.state == TaskState::kFailed;
                if (cause != nullptr ? &task == cause : task.state == TaskState::kNotStarted)
                    ring.missing = static_cast<int>(ring.tasks.size());
                ring.tasks.push_back(task.id);
            }
            alive += !isFinal(task.state);
            done += task.state == TaskState::kDone;
            ready += !task.isSilent() && task.state != TaskState::kNotStarted && task.state != TaskState::kConnecting &&
                     task.state != TaskState::kFailed;
            rows.push_back(std::move(one));
        }
        const int all = static_cast<int>(rows.size());
        const bool broken = run_->state() == session::RunState::kFailed || failed > 0;
        const bool over = run_->state() == session::RunState::kDone || run_->state() == session::RunState::kStopped;
        tasks_state_->setText(broken ? tr("%1 of %2 alive").arg(alive).arg(all)
                              : over ? tr("%1 of %2 done").arg(done).arg(all)
                                     : tr("%1 of %2 ready").arg(ready).arg(all));
        tasks_state_->setInk(broken ? Ink::kError : (ready < all && !over ? Ink::kWarn : Ink::kText2));

        const bool moves = run_->state() == session::RunState::kTraining;
        ring.tone = failed > 0 || silent != nullptr ? RingState::Tone::kBroken
                                                    : (run_->lastStep() > 0 && moves ? RingState::Tone::kRunning : RingState::Tone::kIdle);
        ring.headline = run_->lastStep() > 0 ? tr("all-reduce #%1").arg(models::formatCount(run_->lastStep())) : tr("not joined yet");
        if (ring.tasks.size() < 2) {
            ring.headline = tr("one task, nothing to exchange");
        } else if (silent != nullptr) {
            ring.detail = tr("%1 does not answer").arg(QString::fromStdString(engine::spec::toString(silent->id)));
        } else if (failed > 0 && ring.missing >= 0) {
            ring.detail =
                tr("%1 is gone").arg(QString::fromStdString(engine::spec::toString(ring.tasks[static_cast<std::size_t>(ring.missing)])));
        } else if (run_->started() && run_->lastStep() > 0) {
            const auto& first = run_->tasks().front().times;
            ring.detail = QStringLiteral("%1 \u00b7 %2")
                              .arg(models::formatBytes(run_->started()->gradient_bytes), models::formatMilliseconds(first.reduce_us));
        }
        const bool shared = run_->started() && QString::fromStdString(run_->started()->transport).contains(QLatin1String("shared memory"));
        const bool remote = run_->started() && !run_->started()->transport.empty() && !shared;
        ring_state_->setText(ring.tasks.size() < 2 ? QString()
                                                   : (shared ? tr("RING · shared memory")
                                                             : (remote ? QStringLiteral("RING \u00b7 gRPC") : QStringLiteral("RING"))));
        ring_state_->setToolTip(run_->started() ? QString::fromStdString(run_->started()->transport) : QString());
    } else {
        tasks_state_->clear();
    }
    tasks_->setRows(std::move(rows));
    const int visible = std::clamp(tasks_->rowCount(), 1, kMostTaskRows);
    task_view_->setFixedHeight(visible * task_view_->itemDelegate()->sizeHint({}, {}).height());
    const bool exchange = ring.tasks.size() >= 2 && !engine::run::countsStepsOfAll(run_->history());
    for (QWidget* part : std::initializer_list<QWidget*>{ring_, ring_title_, ring_state_}) part->setVisible(exchange);
    ring_->setState(std::move(ring));
}

}  // namespace ui::views

#include "moc_monitor_dock.cpp"
