// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/monitor/monitor_dock.h"

#include <QDateTime>
#include <QHBoxLayout>
#include <QListView>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "engine/run/rate_meter.h"
#include "ui/models/checkpoint_model.h"
#include "ui/models/host_load_rows.h"
#include "ui/models/numbers.h"
#include "ui/models/task_list_model.h"
#include "ui/monitor/host_load_view.h"
#include "ui/monitor/monitor_painted.h"
#include "ui/monitor/monitor_states.h"
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

constexpr int kRefreshMs = 200, kSilenceMs = 500, kMostTaskRows = 4, kMostCheckpointRows = 12;
constexpr double kRateSeconds = 1.5;
constexpr std::int64_t kStaleMs = 5000;

QHBoxLayout* row(QWidget* left, QWidget* right) {
    auto* layout = new QHBoxLayout;
    layout->setSpacing(theme::kSpace2);
    layout->addWidget(left);
    layout->addStretch();
    layout->addWidget(right);
    return layout;
}

QListView* list(QWidget* parent, QAbstractItemModel* model, QStyledItemDelegate* delegate, const char* name) {
    auto* view = new QListView(parent);
    view->setObjectName(QLatin1String(name));
    view->setModel(model);
    view->setItemDelegate(delegate);
    view->setFrameShape(QFrame::NoFrame);
    view->setUniformItemSizes(true);
    view->setSelectionMode(QAbstractItemView::SingleSelection);
    view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    view->viewport()->setAutoFillBackground(false);
    return view;
}

// Images a second over the last moments.
double recentRate(const session::PointTable& table) {
    if (table.size() < 2) return -1;
    const std::size_t last = table.size() - 1;
    std::size_t first = last;
    double examples = 0;
    while (first > 0 && table.time_s[last] - table.time_s[first] < kRateSeconds) examples += table.examples[first--];
    const double seconds = table.time_s[last] - table.time_s[first];
    return seconds > 0 ? examples / seconds : -1;
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
    checkpoints_ = new models::CheckpointModel(this);
    task_view_ = list(body, tasks_, new TaskDelegate(themes, this), "taskList");
    checkpoint_view_ = list(body, checkpoints_, new CheckpointDelegate(themes, this), "checkpointList");
    ring_ = new RingView(themes, body);
    bars_ = new StepTimeBars(themes, body);
    host_load_ = new HostLoadView(themes, body);
    for (TextLabel** title : {&tasks_title_, &ring_title_, &times_title_, &host_title_, &checkpoints_title_}) {
        *title = new TextLabel(themes, TextRole::kStrong, Ink::kText, body);
    }
    for (TextLabel** state : {&tasks_state_, &ring_state_, &times_state_, &host_state_, &checkpoints_state_, &efficiency_name_,
                              &slowest_name_, &no_checkpoint_}) {
        *state = new TextLabel(themes, TextRole::kSmall, Ink::kText2, body);
    }
    for (TextLabel** value : {&efficiency_, &slowest_}) *value = new TextLabel(themes, TextRole::kMono, Ink::kText, body);

    folder_ = new QPushButton(body);
    folder_->setObjectName(QStringLiteral("checkpointFolder"));
    folder_->setProperty("kind", QStringLiteral("link"));
    folder_->setProperty("compact", true);
    connect(folder_, &QPushButton::clicked, this, &MonitorDock::folderWanted);
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(theme::kSpace5, theme::kSpace5, theme::kSpace5, theme::kSpace4);
    layout->setSpacing(theme::kSpace2);
    tasks_state_->setObjectName("monitorTasksState");
    layout->addLayout(row(tasks_title_, tasks_state_));
    layout->addWidget(task_view_);
    layout->addSpacing(theme::kSpace2);
    layout->addLayout(row(ring_title_, ring_state_));
    layout->addWidget(ring_);
    layout->addSpacing(theme::kSpace2);
    layout->addLayout(row(times_title_, times_state_));
    layout->addWidget(bars_);
    layout->addLayout(row(efficiency_name_, efficiency_));
    layout->addLayout(row(slowest_name_, slowest_));
    layout->addSpacing(theme::kSpace2);
    host_state_->setElided(true);
    no_checkpoint_->setWordWrap(true);
    layout->addLayout(row(host_title_, host_state_));
    layout->addWidget(host_load_);
    layout->addSpacing(theme::kSpace2);
    layout->addLayout(row(checkpoints_title_, folder_));
    layout->addWidget(checkpoints_state_, 0, Qt::AlignRight);
    layout->addWidget(no_checkpoint_);
    layout->addWidget(checkpoint_view_);
    weights_ = new WeightView(themes, body);
    layout->addWidget(weights_);
    layout->addStretch();

    connect(task_view_, &QListView::activated, this,
            [this](const QModelIndex& index) { emit taskActivated(tasks_->row(index.row()).task); });
    refresh_timer_.setSingleShot(true);
    connect(&refresh_timer_, &QTimer::timeout, this, &MonitorDock::refresh);
    retranslate();
}

void MonitorDock::setRun(const session::RunRecord* run) {
    using session::RunRecord;
    if (run_ != nullptr) disconnect(run_, nullptr, this, nullptr);
    run_ = run;
    weights_->setRun(run);
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

const engine::spec::HostLoad* MonitorDock::loadNow() const {
    const engine::spec::HostLoad* newest = host_ != nullptr ? host_->newest() : nullptr;
    if (newest == nullptr || run_ == nullptr || !isActive(run_->state())) return nullptr;
    const std::int64_t age_ms = QDateTime::currentMSecsSinceEpoch() - newest->time_unix_ns / 1'000'000;
    return std::abs(age_ms) < kStaleMs ? newest : nullptr;
}

// Of an earlier run nothing is known: nobody looked then.
void MonitorDock::refreshHost() {
    std::vector<models::HostRow> rows;
    const bool active = run_ != nullptr && isActive(run_->state());
    if (host_ != nullptr && run_ != nullptr) {
        const std::int64_t end = run_->finishedUnixNs() > 0 ? run_->finishedUnixNs() : std::numeric_limits<std::int64_t>::max();
        rows = models::HostLoadRows::of(host_->loads(), run_->createdUnixNs(), end, !active || loadNow() != nullptr);
    }
    const bool shown = active || (!rows.empty() && !rows.front().course.empty());
    for (QWidget* part : std::initializer_list<QWidget*>{host_title_, host_state_, host_load_}) part->setVisible(shown);
    host_state_->setText(host_name_);
    host_load_->setRows(std::move(rows));
}

void MonitorDock::setNarrow(bool narrow) {
    static_cast<TaskDelegate*>(task_view_->itemDelegate())->setNarrow(narrow);
}

void MonitorDock::retranslate() {
    weights_->retranslate();
    tasks_title_->setText(tr("Tasks"));
    ring_title_->setText(tr("Ring"));
    times_title_->setText(tr("Step time"));
    times_state_->setText(tr("mean of last 100"));
    efficiency_name_->setText(tr("Time spent training"));
    efficiency_name_->setToolTip(tr("Share of a step that is neither waiting nor exchange: what two workers lose against one."));
    slowest_name_->setText(tr("Slowest"));
    host_title_->setText(tr("This computer"));
    checkpoints_title_->setText(tr("Checkpoints"));
    folder_->setText(tr("Open folder"));
    no_checkpoint_->setText(tr("The first one appears at the end of an epoch."));
    task_view_->setAccessibleName(tr("Tasks"));
    checkpoint_view_->setAccessibleName(tr("Checkpoints"));
    refresh();
}

void MonitorDock::refresh() {
    refreshTasks();
    refreshTimes();
    refreshHost();
    refreshCheckpoints();
}

// The agent's word goes before the task's own: a task that hangs tells nothing.
double MonitorDock::coresOf(const TaskRecord& task) const {
    if (isFinal(task.state) || task.failure) return -1;
    const engine::spec::HostLoad* load = loadNow();
    const auto* measured = load != nullptr ? session::findTask(*load, run_->id().toStdString(), task.id) : nullptr;
    if (measured != nullptr) return measured->cpu_cores;
    return task.cpu_cores > 0 ? task.cpu_cores : -1;
}

void MonitorDock::refreshTasks() {
    std::vector<models::TaskRow> rows;
    int ready = 0, failed = 0, alive = 0, done = 0;
    RingState ring;
    if (run_ != nullptr) {
        const auto training = run_->run().cluster.spec.trainingTasks();
        const int cores_each = cores_ > 0 ? std::max(1, cores_ / static_cast<int>(std::max<std::size_t>(1, run_->tasks().size()))) : 0;
        const TaskRecord* silent = isActive(run_->state()) ? run_->silentTask() : nullptr;
        const TaskRecord* cause = silent != nullptr ? silent : run_->firstFailure();
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
            one.cpu_cores = coresOf(task);
            one.cores = cores_each;
            const bool trains = training.empty() || std::find(training.begin(), training.end(), task.id) != training.end();
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
    const bool exchange = ring.tasks.size() >= 2;
    for (QWidget* part : std::initializer_list<QWidget*>{ring_, ring_title_, ring_state_}) part->setVisible(exchange);
    ring_->setState(std::move(ring));
}

void MonitorDock::refreshTimes() {
    std::vector<StepTimeBars::Row> rows;
    double trained = 0, all = 0;
    const TaskRecord* slowest = nullptr;
    double slow = 0, fast = 1e300;
    if (run_ != nullptr) {
        for (const TaskRecord& task : run_->tasks()) {
            const auto& t = task.times;
            if (!(t.total_us() > 0)) continue;
            rows.push_back({task.id, {t.input_us, t.compute_us, t.wait_us, t.reduce_us, t.apply_us}});
            const double own = t.input_us + t.compute_us + t.apply_us;
            trained += own;
            all += t.total_us();
            if (own > slow) slow = own, slowest = &task;
            fast = std::min(fast, own);
        }
    }
    const bool several = rows.size() > 1;
    efficiency_->setText(all > 0 ? models::formatPercent(trained / all) : QString(QChar(models::kMissing)));
    slowest_->setText(several && slowest != nullptr
                          ? QStringLiteral("%1  +%2").arg(theme::taskMark(slowest->id), models::formatMilliseconds(slow - fast))
                          : QString(QChar(models::kMissing)));
    for (QWidget* part : std::initializer_list<QWidget*>{slowest_, slowest_name_})
        part->setVisible(run_ != nullptr && run_->tasks().size() > 1);
    bars_->setRows(std::move(rows));
}

void MonitorDock::refreshCheckpoints() {
    std::vector<models::CheckpointRow> rows;
    if (run_ != nullptr) {
        std::size_t best = run_->checkpoints().size();
        for (std::size_t i = 0; i < run_->checkpoints().size(); ++i) {
            if (run_->checkpoints()[i].saved.best) best = i;
        }
        const std::string metric = run_->run().compile.metrics.empty() ? "loss" : logName(run_->run().compile.metrics.front());
        for (std::size_t i = 0; i < run_->checkpoints().size(); ++i) {
            const auto& saved = run_->checkpoints()[i].saved;
            models::CheckpointRow one;
            one.prefix = QString::fromStdString(saved.prefix);
            one.epoch = saved.epoch;
            one.step = saved.step;
            one.bytes = saved.bytes;
            one.seconds = saved.seconds;
            one.best = i == best;
            for (const auto& epoch : run_->epochs()) {
                if (epoch.end.epoch == saved.epoch) one.value = epoch.log("val_" + metric);
            }
            rows.push_back(std::move(one));
        }
    }
    checkpoints_state_->setText(rows.empty()
                                    ? QString()
                                    : (run_->run().compile.metrics.empty()
                                           ? tr("val loss")
                                           : tr("val %1").arg(QString::fromStdString(logName(run_->run().compile.metrics.front())))));
    checkpoints_->setRows(std::move(rows));
    no_checkpoint_->setVisible(checkpoints_->rowCount() == 0);
    checkpoints_state_->setVisible(checkpoints_->rowCount() > 0);
    folder_->setVisible(checkpoints_->rowCount() > 0);
    checkpoint_view_->setVisible(checkpoints_->rowCount() > 0);
    checkpoint_view_->setFixedHeight(std::min(checkpoints_->rowCount(), kMostCheckpointRows) * theme::kListRowHeight);
}

}  // namespace ui::views
