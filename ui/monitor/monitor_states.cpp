// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/monitor/monitor_states.h"

#include <QApplication>
#include <QClipboard>
#include <QDateTime>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "engine/errors/error_catalog.h"
#include "engine/spec/cluster/cluster_hosts.h"
#include "ui/models/finding_text.h"
#include "ui/models/numbers.h"
#include "ui/models/task_list_model.h"
#include "ui/monitor/monitor_painted.h"
#include "ui/session/host/host.h"
#include "ui/session/project/local_cluster.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/launcher.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/session.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/card_frame.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using engine::spec::TaskState;
using session::RunRecord;
using session::TaskRecord;
using theme::TextRole;
using widgets::Ink;
using widgets::paintBox;
using widgets::paintText;
using widgets::TextLabel;

namespace {

constexpr int kTaskRow = 66, kShownLines = 4;
constexpr std::size_t kMostTaskRows = 4;

// The picture of what will be here: two curves in a dashed frame.
class CurvesPicture : public QWidget {
public:
    CurvesPicture(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) { setFixedSize(320, 166); }

protected:
    void paintEvent(QPaintEvent*) override {
        const theme::Theme& t = themes_.theme();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        QPen frame(t.border_strong, 1);
        frame.setDashPattern({4, 3});
        painter.setPen(frame);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), theme::kRadiusCard, theme::kRadiusCard);
        painter.setPen(QPen(t.grid, 1));
        for (int i = 0; i < 4; ++i) painter.drawLine(QPointF(40, 30.5 + 34 * i), QPointF(296, 30.5 + 34 * i));
        const auto curve = [](double from, double to, double rate) {
            QPainterPath path(QPointF(40, from));
            for (int x = 1; x <= 64; ++x) path.lineTo(40 + x * 4, to + (from - to) * std::exp(-x / rate));
            return path;
        };
        painter.setPen(QPen(t.border_strong, 3, Qt::SolidLine, Qt::RoundCap));
        painter.drawPath(curve(36, 126, 14));
        QPen dashed(t.border_strong, 2);
        dashed.setDashPattern({4, 2.4});
        painter.setPen(dashed);
        painter.drawPath(curve(52, 112, 16));
    }

private:
    const theme::ThemeController& themes_;
};

QPushButton* button(QWidget* parent, const char* name, const char* kind = nullptr) {
    auto* made = new QPushButton(parent);
    made->setObjectName(QLatin1String(name));
    if (kind != nullptr) made->setProperty("kind", QLatin1String(kind));
    return made;
}

QString nameOf(const TaskRecord& task) {
    return QString::fromStdString(engine::spec::toString(task.id));
}

// The agent's words are parts of sentences.
QString asSentence(QString words) {
    if (words.isEmpty()) return words;
    words[0] = words[0].toUpper();
    return words.endsWith(QLatin1Char('.')) ? words : words + QLatin1Char('.');
}

QString namesOf(const std::vector<const TaskRecord*>& tasks) {
    QStringList names;
    for (const TaskRecord* task : tasks) names << nameOf(*task);
    return models::listed(names);
}

bool contains(const std::vector<const TaskRecord*>& tasks, const TaskRecord& task) {
    return std::find(tasks.begin(), tasks.end(), &task) != tasks.end();
}

bool isNeverHeard(const TaskRecord* task) {
    return task->state == TaskState::kNotStarted;
}

// True while no task of a submitted run tells anything itself: what stands at the first one is what the queue says of the job.
bool isInAQueue(const RunRecord& run) {
    const auto& tasks = run.tasks();
    if (!run.summary().followed || run.started() || tasks.size() == 0) return false;
    const TaskRecord& first = *tasks.begin();
    return first.state == TaskState::kWaiting && first.awaited.empty() && !first.isSilent() && !first.detail.empty() &&
           std::all_of(std::next(tasks.begin()), tasks.end(), [](const TaskRecord& task) { return isNeverHeard(&task); });
}

std::int64_t nowUnixNs() {
    return QDateTime::currentMSecsSinceEpoch() * 1'000'000;
}

}  // namespace

QString silenceOf(const TaskRecord& task) {
    if (task.heard_unix_ns == 0) return QString::fromStdString(task.detail);
    return QStringLiteral("no heartbeat for %1 s").arg(std::max<std::int64_t>(1, std::llround(task.silentSeconds(nowUnixNs()))));
}

// One line of the readiness card: icon, name, fact, link.
class ReadinessRow : public QWidget {
public:
    ReadinessRow(const theme::ThemeController& themes, const char* name, QWidget* parent) : QWidget(parent), themes_(themes) {
        name_ = new TextLabel(themes, TextRole::kStrong, Ink::kText, this);
        fact_ = new TextLabel(themes, TextRole::kBody, Ink::kText2, this);
        fact_->setElided(true);
        open_ = button(this, name, "link");
        auto* layout = new QHBoxLayout(this);
        layout->setContentsMargins(46, 0, theme::kSpace4, 0);
        layout->setSpacing(theme::kSpace3);
        layout->addWidget(name_);
        layout->addWidget(fact_, 1);
        layout->addWidget(open_);
        setFixedHeight(40);
    }
    void set(bool ok, const QString& name, const QString& fact, const QString& open) {
        ok_ = ok;
        name_->setText(name);
        fact_->setText(fact);
        open_->setText(open);
        open_->setAccessibleName(models::withName(open, name));
        update();
    }
    QPushButton* open() const { return open_; }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        const theme::Theme& t = themes_.theme();
        themes_.paintIcon(painter, ok_ ? QStringLiteral("check-circle") : QStringLiteral("error"),
                          QRectF(18, (height() - 16) / 2.0, 16, 16), ok_ ? t.ok : t.err);
    }

private:
    const theme::ThemeController& themes_;
    TextLabel *name_, *fact_;
    QPushButton* open_;
    bool ok_ = true;
};

EmptyMonitor::EmptyMonitor(session::Session& session, const theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), session_(session) {
    setObjectName(QStringLiteral("monitorEmpty"));
    title_ = new TextLabel(themes, TextRole::kEmptyTitle, Ink::kText, this);
    line_ = new TextLabel(themes, TextRole::kBody, Ink::kText2, this);
    hint_ = new TextLabel(themes, TextRole::kSmall, Ink::kText3, this);
    line_->setWordWrap(true);
    for (TextLabel* centred : {title_, line_, hint_}) centred->setAlignment(Qt::AlignCenter);
    launch_ = button(this, "emptyLaunch", "primary");
    launch_->setIcon(themes.icon(QStringLiteral("play"), theme::IconTone::kOnAccent));
    template_ = button(this, "emptyTemplate");
    auto* card = new widgets::CardFrame(themes, widgets::FrameKind::kCard, this);
    card->setMaximumWidth(560);
    auto* rows = new QVBoxLayout(card);
    rows->setContentsMargins(0, theme::kSpace1, 0, theme::kSpace1);
    rows->setSpacing(0);
    model_ = new ReadinessRow(themes, "emptyModel", card);
    data_ = new ReadinessRow(themes, "emptyData", card);
    cluster_ = new ReadinessRow(themes, "emptyCluster", card);
    for (ReadinessRow* row : {model_, data_, cluster_}) rows->addWidget(row);

    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(theme::kSpace3);
    buttons->addStretch();
    buttons->addWidget(launch_);
    buttons->addWidget(template_);
    buttons->addStretch();
    auto* centre = new QHBoxLayout;
    centre->addStretch(1);
    centre->addWidget(card, 4);
    centre->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(theme::kSpace2);
    layout->addStretch(2);
    layout->addWidget(new CurvesPicture(themes, this), 0, Qt::AlignHCenter);
    layout->addSpacing(theme::kSpace5);
    layout->addWidget(title_);
    layout->addWidget(line_);
    layout->addSpacing(theme::kSpace3);
    layout->addLayout(buttons);
    layout->addSpacing(theme::kSpace5);
    layout->addLayout(centre);
    layout->addSpacing(theme::kSpace2);
    layout->addWidget(hint_);
    layout->addStretch(3);

    connect(launch_, &QPushButton::clicked, this, [this] { session_.launcher().launch(); });
    connect(template_, &QPushButton::clicked, this, &EmptyMonitor::templateWanted);
    connect(model_->open(), &QPushButton::clicked, this, &EmptyMonitor::modelWanted);
    connect(data_->open(), &QPushButton::clicked, this, &EmptyMonitor::dataWanted);
    connect(cluster_->open(), &QPushButton::clicked, this, &EmptyMonitor::clusterWanted);
    connect(&session_.project(), &session::Project::changed, this, &EmptyMonitor::refresh);
    connect(&session_.project(), &session::Project::datasetChanged, this, &EmptyMonitor::refresh);
    connect(&session_.host(), &session::Host::agentChanged, this, &EmptyMonitor::refresh);
}

void EmptyMonitor::retranslate() {
    title_->setText(tr("No run yet"));
    line_->setText(tr("Launch the project and its curves appear here from the first step.\nTraining goes on when this window is closed."));
    template_->setText(tr("Choose a template"));
    hint_->setText(tr("Ctrl+R launches from anywhere. To look at an older run, open Runs (Ctrl+6)."));
    refresh();
}

void EmptyMonitor::refresh() {
    const QString obstacle = session_.launcher().obstacle();
    launch_->setEnabled(obstacle.isEmpty());
    launch_->setToolTip(obstacle);
    const int workers = session::localWorkers(session_.project()), hosts = session::hostCount(session_.project(), session_.host());
    launch_->setText(hosts > 1 ? tr("Launch %n worker(s) on %1 hosts", nullptr, workers).arg(hosts)
                               : tr("Launch %n worker(s) here", nullptr, workers));
    const auto& project = session_.project().spec();
    std::int64_t parameters = 0;
    for (const auto& layer : session_.project().layerInfos()) parameters += layer.parameters;
    int model_errors = 0, cluster_errors = 0;
    for (const auto& diagnostic : session_.project().diagnostics()) {
        if (diagnostic.severity != engine::spec::Severity::kError) continue;
        (diagnostic.path.starts_with("cluster") || diagnostic.path.starts_with("strategy") ? cluster_errors : model_errors) += 1;
    }
    const QString model =
        QStringLiteral("%1, %2").arg(QString::fromStdString(project.model.name), tr("%1 parameters").arg(models::formatCount(parameters)));
    const bool has = session_.project().isOpen();
    widgets::setSheetProperty(template_, "kind", has ? QVariant() : QStringLiteral("primary"));  // without one it is the way on
    model_->set(has && model_errors == 0, tr("Model"),
                !has ? tr("no project is open")
                     : (model_errors == 0 ? tr("%1, no problems").arg(model) : tr("%n problem(s)", nullptr, model_errors)),
                tr("Open"));
    const auto& dataset = session_.project().dataset();
    const QString set = QString::fromStdString(project.data.dataset);
    const QString counted = tr("%1 is on this computer, %2 samples").arg(set, models::formatCount(dataset.train_samples));
    data_->set(has && dataset.found, tr("Data"), !has ? tr("no project is open") : (dataset.found ? counted : dataset.problem), tr("Open"));
    QStringList tasks;
    for (const auto& task : project.cluster.spec.trainingTasks()) tasks << QString::fromStdString(engine::spec::toString(task));
    cluster_->set(has && cluster_errors == 0, tr("Cluster"),
                  !has ? tr("no project is open")
                       : (cluster_errors > 0 ? tr("%n problem(s)", nullptr, cluster_errors)
                                             : (tasks.isEmpty() ? tr("one worker on this computer") : tasks.join(QStringLiteral(", ")))),
                  tr("Open"));
}

WaitingCard::WaitingCard(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setObjectName(QStringLiteral("waitingCard"));
    start_ = button(this, "waitingStart");
    start_->setIcon(themes.icon(QStringLiteral("copy")));
    wait_ = button(this, "waitingLonger");
    go_on_ = button(this, "waitingGoOn");
    log_ = button(this, "waitingLog", "link");
    connect(log_, &QPushButton::clicked, this, &WaitingCard::logWanted);
    connect(start_, &QPushButton::clicked, this, &WaitingCard::startWanted);
    connect(wait_, &QPushButton::clicked, this, &WaitingCard::waitLongerWanted);
    connect(go_on_, &QPushButton::clicked, this, &WaitingCard::goOnWanted);
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
    retranslate();
}

void WaitingCard::retranslate() {
    log_->setText(tr("Open task logs"));
    placeButtons();
    update();
}

void WaitingCard::setObstacles(const QString& start, const QString& go_on) {
    start_->setEnabled(start.isEmpty());
    start_->setToolTip(start.isEmpty() ? tr("The command that starts it on its own computer, with its TF_CONFIG") : start);
    go_on_->setEnabled(go_on.isEmpty());
    go_on_->setToolTip(go_on.isEmpty() ? tr("Stops these tasks and launches those that are there") : go_on);
}

// The texts name the missing tasks and the number of those that are there.
void WaitingCard::placeButtons() {
    if (run_ != nullptr) {
        const auto missing = run_->tasks().missing();
        const int there = static_cast<int>(run_->tasks().size() - missing.size());
        start_->setText(missing.size() == 1 ? tr("Copy the start of %1").arg(nameOf(*missing.front())) : tr("Copy their start"));
        wait_->setText(tr("Wait %1").arg(models::formatDuration(2 * run_->run().cluster.start_timeout_s)));
        wait_->setToolTip(tr("The limit of a launch is fixed: stops these tasks and launches them again with twice the limit"));
        go_on_->setText(tr("Go on with %n worker(s)", nullptr, std::max(there, 1)));
        start_->setVisible(!missing.empty() && !isInAQueue(*run_));
        // Nobody but who started a followed run can launch it again.
        for (QPushButton* one : {wait_, go_on_}) one->setVisible(!missing.empty() && !run_->summary().followed);
        // One that was heard is there, and a second one would find its port taken.
        if (!std::all_of(missing.begin(), missing.end(), isNeverHeard)) start_->hide();
    }
    int x = 18;
    for (QPushButton* one : {start_, wait_, go_on_}) {
        one->resize(one->sizeHint());
        one->move(x, height() - one->height() - 12);
        if (!one->isHidden()) x += one->width() + theme::kSpace2;
    }
    log_->resize(log_->sizeHint());
    log_->move(width() - 18 - log_->width(), height() - log_->height() - 12);
}

QString WaitingCard::headline(const RunRecord& run) {
    if (isInAQueue(run)) return tr("Waiting for Slurm");
    const auto missing = run.tasks().missing();
    if (missing.empty()) return tr("Waiting for the first step");
    if (missing.size() > 3) return tr("Waiting for %n task(s)", nullptr, static_cast<int>(missing.size()));
    return tr("Waiting for %1").arg(namesOf(missing));
}

// Returns the nearest of three ends: the tasks have not met, one that is silent is given up, one never said a word.
WaitingCard::Patience WaitingCard::patience() const {
    const double waited_s =
        run_->attempts().empty() ? elapsed_s_ : run_->secondsSinceCreation(nowUnixNs()) - run_->attempts().back().time_s;
    const double limit_s = run_->run().cluster.start_timeout_s;
    Patience nearest{std::max(0.0, limit_s - waited_s), limit_s, false};
    const auto consider = [&](double waited, double all_s) {
        const double left_s = std::max(0.0, all_s - waited);
        if (left_s < nearest.left_s) nearest = {left_s, all_s, true};
    };
    for (const TaskRecord& task : run_->tasks()) {
        const bool is_here = task.address.empty() || engine::spec::isLoopbackName(engine::spec::hostOf(task.address));
        if (task.isSilent() && task.heard_unix_ns != 0)
            consider(task.silentSeconds(nowUnixNs()), run_->run().cluster.heartbeat_fatal_s);
        else if (is_here && isNeverHeard(&task) && !run_->summary().followed)  // an agent gives up its own tasks alone
            consider(waited_s, engine::spec::kFirstWordSeconds);
    }
    return nearest;
}

QString WaitingCard::patienceText() const {
    if (isInAQueue(*run_)) return {};
    const Patience left = patience();
    const QString time = models::formatDuration(left.left_s);
    return left.for_a_task ? tr("given up in %1").arg(time) : tr("fails in %1").arg(time);
}

// Returns why a missing task is missing; for the others, what they say.
QString WaitingCard::fact(const TaskRecord& task, const std::vector<const TaskRecord*>& missing) const {
    if (task.isSilent()) return tr("it hangs or was stopped: %1").arg(models::agentText(silenceOf(task)));
    if (isNeverHeard(&task) && task.detail.empty()) return tr("nothing was heard of it yet");
    const auto waiting = run_->tasks().waitingFor(task.id);
    if (contains(missing, task) && !waiting.empty()) return tr("it runs, but has not met %1").arg(namesOf(waiting));
    return task.awaited.empty() ? models::agentText(QString::fromStdString(task.detail))
                                : tr("it is there and waits for %1").arg(namesOf(missing));
}

void WaitingCard::setRun(const RunRecord* run, double elapsed_s) {
    run_ = run;
    elapsed_s_ = elapsed_s;
    if (run_ != nullptr) {
        setAccessibleName(headline(*run_));
        const auto missing = run_->tasks().missing();
        QStringList facts;
        for (const TaskRecord& task : run_->tasks()) facts << models::withName(nameOf(task), fact(task, missing));
        if (const QString left = patienceText(); !left.isEmpty()) facts << left;
        setAccessibleDescription(facts.join(QLatin1Char('\n')));
    }
    placeButtons();
    updateGeometry();
    update();
}

QSize WaitingCard::sizeHint() const {
    const int rows = run_ == nullptr ? 1 : static_cast<int>(std::min(run_->tasks().size(), kMostTaskRows));
    return {600, 66 + rows * kTaskRow + 48};
}

void WaitingCard::resizeEvent(QResizeEvent*) {
    placeButtons();
}

void WaitingCard::paintEvent(QPaintEvent*) {
    if (run_ == nullptr) return;
    const theme::Theme& t = themes_.theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintBox(painter, rect(), theme::kRadiusCard, t.surface, t.warn, 1);
    const double left = 18, right = width() - 18;
    themes_.paintIcon(painter, QStringLiteral("clock"), QRectF(left, 17, 18, 18), t.warn);
    paintText(painter, QRectF(left + 30, 14, right - left - 180, 24), headline(*run_), themes_.font(TextRole::kSection), t.text);
    paintText(painter, QRectF(right - 180, 14, 180, 24), patienceText(), themes_.font(TextRole::kMono), t.text2,
              Qt::AlignRight | Qt::AlignVCenter);
    const QRectF bar(left, 48, right - left, 6);
    const bool has_limit = !isInAQueue(*run_);
    if (has_limit) paintBox(painter, bar, 3, t.border, QColor());
    const Patience nearest = patience();
    const double share = has_limit && nearest.all_s > 0 ? std::clamp(1 - nearest.left_s / nearest.all_s, 0.0, 1.0) : 0;
    if (share > 0) paintBox(painter, QRectF(bar.left(), bar.top(), std::max(6.0, bar.width() * share), 6), 3, t.warn, QColor());

    double top = 62;
    std::size_t shown = 0;
    const auto missing = run_->tasks().missing();
    std::vector<const TaskRecord*> rows;
    for (const TaskRecord& task : run_->tasks()) rows.push_back(&task);
    if (rows.size() > kMostTaskRows) {
        std::stable_partition(rows.begin(), rows.end(), [&](const TaskRecord* task) { return contains(missing, *task); });
    }
    for (const TaskRecord* row : rows) {
        if (++shown > kMostTaskRows) break;
        const TaskRecord& task = *row;
        const bool away = contains(missing, task);
        if (shown > 1) painter.fillRect(QRectF(left, top, right - left, 1), t.border);
        widgets::paintTaskChip(painter, themes_, QRectF(left, top + 20, 26, 26), task.id);
        paintText(painter, QRectF(left + 40, top + 14, 160, 19), nameOf(task), themes_.font(TextRole::kStrong), t.text);
        paintText(painter, QRectF(left + 40, top + 33, 160, 19), QString::fromStdString(task.address), themes_.font(TextRole::kMono),
                  t.text2);
        const QColor color = stateColor(themes_, task.state);
        widgets::paintDot(painter, {left + 214, top + 24}, 3.5, color, !away);
        paintText(painter, QRectF(left + 226, top + 14, right - left - 300, 19), models::stateWord(task.state),
                  themes_.font(TextRole::kStrong), color);
        paintText(painter, QRectF(left + 226, top + 33, right - left - 226, 19), fact(task, missing), themes_.font(TextRole::kSmall),
                  t.text2);
        if (away)
            paintText(painter, QRectF(right - 70, top + 14, 70, 19), tr("%1 s").arg(QLocale().toString(elapsed_s_, 'f', 1)),
                      themes_.font(TextRole::kMono), t.text2, Qt::AlignRight | Qt::AlignVCenter);
        top += kTaskRow;
    }
}

FailureCard::FailureCard(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setObjectName(QStringLiteral("failureCard"));
    title_ = new TextLabel(themes, TextRole::kSection, Ink::kText, this);
    code_ = new TextLabel(themes, TextRole::kMono, Ink::kText2, this);
    text_ = new TextLabel(themes, TextRole::kBody, Ink::kText2, this);
    count_ = new TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    text_->setWordWrap(true);
    well_ = new widgets::CardFrame(themes, widgets::FrameKind::kWell, this);
    lines_ = new TextLabel(themes, TextRole::kMono, Ink::kText2, well_);
    lines_->setObjectName(QStringLiteral("failureLines"));
    lines_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    lines_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* well_layout = new QVBoxLayout(well_);
    well_layout->setContentsMargins(theme::kSpace4, theme::kSpace2, theme::kSpace4, theme::kSpace2);
    well_layout->addWidget(lines_);
    log_ = button(this, "failureLog");
    log_->setIcon(themes.icon(QStringLiteral("terminal")));
    copy_ = button(this, "failureCopy");
    copy_->setIcon(themes.icon(QStringLiteral("copy")));
    explain_ = button(this, "failureExplain", "link");

    auto* head = new QHBoxLayout;
    head->setSpacing(theme::kSpace3);
    head->addSpacing(30);
    head->addWidget(title_);
    head->addStretch();
    head->addWidget(code_);
    auto* foot = new QHBoxLayout;
    foot->setSpacing(theme::kSpace2);
    foot->addWidget(log_);
    foot->addWidget(copy_);
    foot->addWidget(explain_);
    foot->addStretch();
    foot->addWidget(count_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(18, theme::kSpace4, 18, theme::kSpace4);
    layout->setSpacing(theme::kSpace3);
    layout->addLayout(head);
    layout->addWidget(text_);
    layout->addWidget(well_);
    layout->addLayout(foot);

    connect(log_, &QPushButton::clicked, this, [this] {
        const TaskRecord* failed = run_ == nullptr ? nullptr : run_->tasks().firstFailure();
        if (failed != nullptr) emit logWanted(failed->id, run_->secondsSinceCreation(failed->failed_unix_ns) - 0.05);
    });
    connect(copy_, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(details()); });
    connect(explain_, &QPushButton::clicked, this, [this] { emit explainWanted(explain_->text()); });
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
    retranslate();
}

void FailureCard::showCodeOf(const std::string& reason) {
    const engine::errors::ErrorKind* kind = engine::errors::kindOf(reason);
    explain_->setVisible(kind != nullptr);
    if (kind != nullptr) explain_->setText(QString::fromUtf8(kind->code.data(), static_cast<qsizetype>(kind->code.size())));
}

void FailureCard::retranslate() {
    log_->setText(tr("Open log at this second"));
    copy_->setText(tr("Copy details"));
    explain_->setToolTip(tr("What its code means"));
    setRun(run_);
}

void FailureCard::setRun(const RunRecord* run) {
    run_ = run;
    if (run_ == nullptr) return;
    const TaskRecord* failed = run_->tasks().firstFailure();
    log_->setEnabled(failed != nullptr);
    if (failed == nullptr) {
        title_->setText(tr("The run failed"));
        text_->setText(asSentence(models::agentText(run_->summary().detail)));
        showCodeOf(run_->summary().detail.toStdString());
        code_->clear();
        count_->clear();
        lines_->clear();
        well_->hide();
        return;
    }
    const QString where = failed->address.empty() ? tr("this computer") : QString::fromStdString(failed->address);
    const QString when = models::formatDuration(run_->secondsSinceCreation(failed->failed_unix_ns));
    const std::string& said = failed->failure ? failed->failure->reason : failed->detail;
    const QString reason = models::agentText(QString::fromStdString(said));
    showCodeOf(said);
    const bool killed = failed->failure && failed->failure->signal != 0;
    title_->setText(killed ? tr("First failure: %1 was killed").arg(nameOf(*failed)) : tr("First failure: %1").arg(nameOf(*failed)));
    const QString sentence = tr("%1 at %2 ended at %3, after step %4: %5.");
    QString subject = nameOf(*failed);
    if (sentence.startsWith(QLatin1String("%1"))) subject[0] = subject[0].toUpper();
    text_->setText(sentence.arg(subject, where, when, models::formatCount(std::max<std::int64_t>(failed->last_step, 0)), reason));
    if (killed)
        code_->setText(tr("signal %1").arg(failed->failure->signal));
    else if (failed->failure && failed->failure->exit_code >= 0)
        code_->setText(tr("exit code %1").arg(failed->failure->exit_code));
    else
        code_->clear();  // the agent gave it up, or it never started
    well_->show();
    const auto* last = failed->failure ? &failed->failure->last_lines : nullptr;
    QStringList shown;
    const std::size_t all = last == nullptr ? 0 : last->size();
    for (std::size_t i = all > kShownLines ? all - kShownLines : 0; i < all; ++i) shown << QString::fromStdString((*last)[i]);
    lines_->setText(shown.isEmpty() ? tr("It wrote no line.") : shown.join(QLatin1Char('\n')));
    count_->setText(all == 0 ? QString() : tr("last %1 of %2 lines").arg(shown.size()).arg(all));
    setAccessibleName(title_->text());
    setAccessibleDescription(text_->text());
}

QString FailureCard::details() const {
    if (run_ == nullptr) return {};
    QStringList parts{title_->text(), text_->text(), code_->text(), QStringLiteral("run %1").arg(run_->id())};
    const TaskRecord* failed = run_->tasks().firstFailure();
    if (failed != nullptr && failed->failure) {
        for (const std::string& line : failed->failure->last_lines) parts << QString::fromStdString(line);
    }
    return parts.join(QLatin1Char('\n'));
}

void FailureCard::paintEvent(QPaintEvent*) {
    const theme::Theme& t = themes_.theme();
    QPainter painter(this);
    paintBox(painter, rect(), theme::kRadiusCard, t.surface, t.err, 1);
    themes_.paintIcon(painter, QStringLiteral("error"), QRectF(18, title_->geometry().center().y() - 9, 18, 18), t.err);
}

AgentBanner::AgentBanner(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setObjectName(QStringLiteral("agentBanner"));
    text_ = new TextLabel(themes, TextRole::kBody, Ink::kText, this);
    text_->setElided(true);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(44, 0, theme::kSpace4, 0);
    layout->addWidget(text_, 1);
    setFixedHeight(36);
    hide();
}

void AgentBanner::setText(const QString& text) {
    text_->setText(text);
    setAccessibleName(text);
}

void AgentBanner::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& t = themes_.theme();
    paintBox(painter, rect(), theme::kRadiusControl, t.warn_tint, t.warn, 1);
    themes_.paintIcon(painter, QStringLiteral("warning"), QRectF(16, 10, 16, 16), t.warn);
}

}  // namespace ui::views

#include "moc_monitor_states.cpp"
