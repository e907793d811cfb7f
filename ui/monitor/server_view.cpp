// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/monitor/server_view.h"

#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "engine/run/run_series.h"
#include "ui/models/numbers.h"
#include "ui/monitor/monitor_parts.h"
#include "ui/session/runs/run_record.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using engine::spec::TaskId;
using engine::spec::TaskState;
using session::TaskRecord;
using theme::TextRole;
using widgets::Ink;
using widgets::paintText;
using widgets::TextLabel;

namespace {

constexpr double kServerNode = 17, kServerRow = 42;
constexpr std::size_t kMostServerRows = 5;  // more stand closer
constexpr std::size_t kMostBars = 8;

// Returns `count` places one below the other around the middle.
std::vector<QPointF> column(std::size_t count, double x, double middle, double step) {
    std::vector<QPointF> places;
    for (std::size_t i = 0; i < count; ++i) {
        places.emplace_back(x, middle + (static_cast<double>(i) - (static_cast<double>(count) - 1) / 2) * step);
    }
    return places;
}

double perSecond(const TaskRecord& server, const char* column) {
    const auto* values = server.serving.loads.find(column);
    return values == nullptr || values->empty() ? 0 : values->back();
}

QString wayOf(const std::string& transport) {
    const QString text = QString::fromStdString(transport);
    const bool shared = text.contains(QLatin1String("shared memory")), remote = text.contains(QLatin1String("gRPC"));
    if (shared && remote) return ServerView::tr("shared memory · gRPC");
    return shared ? ServerView::tr("shared memory") : remote ? QStringLiteral("gRPC") : QString();
}

}  // namespace

StarView::StarView(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setObjectName(QStringLiteral("starView"));
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void StarView::setState(StarState state) {
    if (state == state_) return;
    state_ = std::move(state);
    setAccessibleName(state_.text);
    setToolTip(state_.text);
    setFixedHeight(heightOf());
    update();
}

std::size_t StarView::rows() const {
    return std::max<std::size_t>({1, state_.servers.size(), (state_.workers.size() + 1) / 2});
}

int StarView::heightOf() const {
    return static_cast<int>(kServerRow * static_cast<double>(std::clamp<std::size_t>(rows(), 2, kMostServerRows))) + 4;
}

void StarView::paintEvent(QPaintEvent*) {
    const theme::Theme& t = themes_.theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double middle = height() / 2.0, room = height() - 4;
    const double step = std::min(kServerRow, room / static_cast<double>(rows()));
    const double radius = std::min(kServerNode, step / 2 - 2);
    const double reach = std::min(width() / 2.0 - radius - 2, 118.0);
    const std::size_t left = (state_.workers.size() + 1) / 2;
    const std::vector<QPointF> servers = column(state_.servers.size(), width() / 2.0, middle, step);
    std::vector<QPointF> workers = column(left, width() / 2.0 - reach, middle, step);
    for (const QPointF& place : column(state_.workers.size() - left, width() / 2.0 + reach, middle, step)) workers.push_back(place);

    const auto is_missing = [this](const TaskId& task) {
        return std::find(state_.missing.begin(), state_.missing.end(), task) != state_.missing.end();
    };
    const QColor line = state_.tone == StarState::Tone::kRunning ? t.accent_fill : t.border_strong;
    for (std::size_t w = 0; w < workers.size(); ++w) {
        for (std::size_t s = 0; s < servers.size(); ++s) {
            const bool cut = is_missing(state_.workers[w]) || is_missing(state_.servers[s]);
            QPen pen(cut && state_.tone == StarState::Tone::kBroken ? t.err : line, 2);
            if (cut || state_.tone != StarState::Tone::kRunning) pen.setDashPattern({4, 3});
            painter.setPen(pen);
            painter.drawLine(workers[w], servers[s]);
        }
    }
    const auto paintNode = [&](const TaskId& task, const QPointF& at) {
        const bool missing = is_missing(task), broken = missing && state_.tone == StarState::Tone::kBroken;
        QPen pen(broken ? t.err : missing ? t.warn : t.taskColor(task), 2);
        if (missing && !broken) pen.setDashPattern({4, 3});
        painter.setPen(pen);
        painter.setBrush(t.surface);
        painter.drawEllipse(at, radius, radius);
        paintText(painter, QRectF(at.x() - radius, at.y() - 9, 2 * radius, 18), theme::taskMark(task), themes_.font(TextRole::kSmallMedium),
                  broken ? t.err : t.text, Qt::AlignCenter);
    };
    for (std::size_t i = 0; i < workers.size(); ++i) paintNode(state_.workers[i], workers[i]);
    for (std::size_t i = 0; i < servers.size(); ++i) paintNode(state_.servers[i], servers[i]);
}

StalenessBars::StalenessBars(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setObjectName(QStringLiteral("stalenessBars"));
    setFixedHeight(kHeight);
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void StalenessBars::setCounts(std::vector<std::int64_t> counts) {
    if (counts.size() > kMostBars) {
        const auto beyond = counts.begin() + kMostBars - 1;
        *beyond = std::accumulate(beyond, counts.end(), std::int64_t{0});
        counts.resize(kMostBars);
    }
    if (counts == counts_) return;
    counts_ = std::move(counts);
    const auto all = static_cast<double>(std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0}));
    QStringList parts;
    for (std::size_t i = 0; all > 0 && i < counts_.size(); ++i) {
        parts << tr("%1 missed: %2 of the updates").arg(i).arg(models::formatPercent(static_cast<double>(counts_[i]) / all));
    }
    setAccessibleName(parts.join(QStringLiteral(", ")));
    setToolTip(parts.join(QLatin1Char('\n')));
    update();
}

void StalenessBars::paintEvent(QPaintEvent*) {
    const theme::Theme& t = themes_.theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    constexpr double kLabel = 16, kValue = 14, kGap = 6;
    const auto all = static_cast<double>(std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0}));
    if (!(all > 0)) {
        paintText(painter, QRectF(0, 0, width(), 24), tr("appears with the first updates"), themes_.font(TextRole::kSmall), t.text2);
        return;
    }
    const auto most = static_cast<double>(*std::max_element(counts_.begin(), counts_.end()));
    const double base = height() - kLabel, room = base - kValue;
    // Two bars are not as wide as half a dock.
    const double wide = std::min(48.0, (width() + kGap) / static_cast<double>(std::max<std::size_t>(counts_.size(), 4)));
    for (std::size_t i = 0; i < counts_.size(); ++i) {
        const double share = static_cast<double>(counts_[i]) / all, x = static_cast<double>(i) * wide;
        const double tall = counts_[i] > 0 ? std::max(1.0, room * static_cast<double>(counts_[i]) / most) : 0;
        const QRectF bar(x, base - tall, wide - kGap, tall);
        painter.fillRect(bar, t.accent_fill);
        const bool is_last = i + 1 == kMostBars;
        paintText(painter, QRectF(x, base, wide - kGap, kLabel), is_last ? QStringLiteral("%1+").arg(i) : QString::number(i),
                  themes_.font(TextRole::kMonoTick), t.text2, Qt::AlignCenter);
        const QString text = share >= 0.005 ? QStringLiteral("%1 %").arg(std::lround(share * 100)) : QStringLiteral("<1 %");
        if (counts_[i] > 0) {
            paintText(painter, QRectF(x - kGap / 2, bar.top() - kValue, wide, kValue), text, themes_.font(TextRole::kMonoTick), t.text,
                      Qt::AlignCenter);
        }
    }
    painter.setPen(QPen(t.border_strong, 1));
    painter.drawLine(QPointF(0, base + 0.5), QPointF(static_cast<double>(counts_.size()) * wide - kGap, base + 0.5));
}

ServerView::ServerView(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("serverView"));
    star_ = new StarView(themes, this);
    bars_ = new StalenessBars(themes, this);
    for (TextLabel** title : {&title_, &staleness_title_}) *title = new TextLabel(themes, TextRole::kStrong, Ink::kText, this);
    for (TextLabel** text : {&way_, &staleness_}) *text = new TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    for (TextLabel* text : {way_, staleness_}) text->setElided(true);
    step_ = named(new TextLabel(themes, TextRole::kSmallMedium, Ink::kText, this), "starStep");
    load_ = named(new TextLabel(themes, TextRole::kMonoTick, Ink::kText2, this), "starLoad");
    load_->setElided(true);
    staleness_->setObjectName(QStringLiteral("stalenessSums"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kSpace2);
    layout->addLayout(apart(title_, way_));
    layout->addWidget(star_);
    layout->addWidget(step_);
    layout->addWidget(load_);  // beside the step it would be wider than a narrow dock
    layout->addSpacing(theme::kSpace2);
    layout->addLayout(apart(staleness_title_, staleness_));
    layout->addWidget(bars_);
    retranslate();
}

void ServerView::show(const session::RunRecord* run) {
    const bool shown = run != nullptr && engine::run::countsStepsOfAll(run->history());
    setVisible(shown);
    if (!shown) return;
    showStar(*run);
    showStaleness(*run);
}

void ServerView::showStar(const session::RunRecord& run) {
    StarState star;
    double updates = 0, bytes = 0;
    bool broken = false;
    QStringList loads;
    for (const TaskRecord& task : run.tasks()) {
        const bool serves = task.id.type == "ps";
        if (task.id.type == "evaluator") continue;  // it reads checkpoints, not servers
        (serves ? star.servers : star.workers).push_back(task.id);
        const bool gone = task.state == TaskState::kFailed || task.isSilent();
        if (gone || task.state == TaskState::kNotStarted) star.missing.push_back(task.id);
        broken = broken || gone;
        if (!serves) continue;
        const double own = perSecond(task, "pulled_bytes_per_s") + perSecond(task, "pushed_bytes_per_s");
        updates += perSecond(task, "updates_per_s");
        bytes += own;
        loads << tr("%1: %2 updates and %3 a second")
                     .arg(QString::fromStdString(engine::spec::toString(task.id)),
                          models::formatCount(std::llround(perSecond(task, "updates_per_s"))), models::formatBytes(std::llround(own)));
    }
    const bool moves = run.state() == session::RunState::kTraining && run.lastStep() > 0;
    star.tone = broken ? StarState::Tone::kBroken : moves ? StarState::Tone::kRunning : StarState::Tone::kIdle;
    star.text = loads.join(QLatin1Char('\n'));
    star_->setState(std::move(star));
    step_->setText(run.lastStep() > 0 ? tr("global step %1").arg(models::formatCount(run.lastStep())) : tr("not joined yet"));
    load_->setText(moves && !broken && updates > 0
                       ? tr("%1 updates/s · %2/s").arg(models::formatCount(std::llround(updates)), models::formatBytes(std::llround(bytes)))
                       : QString());
    way_->setText(run.started() ? wayOf(run.started()->transport) : QString());
    way_->setToolTip(run.started() ? QString::fromStdString(run.started()->transport) : QString());
}

void ServerView::showStaleness(const session::RunRecord& run) {
    std::vector<std::int64_t> counts = run.tasks().stalenessCounts();
    double updates = 0, missed = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        updates += static_cast<double>(counts[i]);
        missed += static_cast<double>(counts[i]) * static_cast<double>(i);
    }
    staleness_->setText(updates > 0 ? tr("mean %1 · most %2").arg(QLocale().toString(missed / updates, 'f', 2)).arg(counts.size() - 1)
                                    : QString());
    bars_->setCounts(std::move(counts));
}

void ServerView::retranslate() {
    title_->setText(tr("Parameter servers"));
    staleness_title_->setText(tr("Staleness"));
    staleness_title_->setToolTip(tr("How many updates of others a gradient had missed when it was applied"));
}

}  // namespace ui::views

#include "moc_server_view.cpp"
