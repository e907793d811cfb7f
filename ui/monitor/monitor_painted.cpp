// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/monitor/monitor_painted.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "ui/models/checkpoint_model.h"
#include "ui/models/numbers.h"
#include "ui/models/task_list_model.h"
#include "ui/widgets/painting.h"

namespace ui::views {

using engine::spec::TaskState;
using theme::TextRole;
using widgets::paintBox;
using widgets::paintText;

namespace {

constexpr int kTaskBox = 62, kTaskGap = 6;
constexpr int kBarRow = 24, kBarHeight = 14, kLegendRow = 18;
constexpr double kNode = 19, kRingLine = 17, kLeastRingText = 60;

std::array<QColor, 5> phaseColors(const theme::Theme& theme) {
    return {theme.phases.input, theme.phases.compute, theme.phases.wait, theme.phases.reduce, theme.phases.apply};
}

std::array<QString, 5> phaseNames() {
    return {StepTimeBars::tr("input"), StepTimeBars::tr("compute"), StepTimeBars::tr("wait"), StepTimeBars::tr("reduce"),
            StepTimeBars::tr("apply")};
}

}  // namespace

QColor stateColor(const theme::ThemeController& themes, TaskState state) {
    const theme::Theme& t = themes.theme();
    switch (state) {
        case TaskState::kReady:
        case TaskState::kTraining:
        case TaskState::kDone:
            return t.ok;
        case TaskState::kNotStarted:
        case TaskState::kConnecting:
        case TaskState::kWaiting:
        case TaskState::kPaused:
            return t.warn;
        case TaskState::kFailed:
            return t.err;
        case TaskState::kStopped:
            return t.text2;
    }
    return t.text2;
}

namespace {

std::vector<QPointF> ringPlaces(std::size_t count, QPointF center, double rx, double ry, double turn) {
    std::vector<QPointF> at;
    for (std::size_t i = 0; i < count; ++i) {
        const double angle = std::numbers::pi - turn - 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(count);
        at.emplace_back(center.x() + rx * std::cos(angle), center.y() - ry * std::sin(angle));
    }
    return at;
}

// Returns the room of the upper line of the words in the middle, between the chips that reach into their two lines.
QRectF freeRoom(const std::vector<QPointF>& at, QPointF center, double rx) {
    constexpr double kApart = 6;
    double left = center.x() - rx, right = center.x() + rx;
    for (const QPointF& one : at) {
        if (std::abs(one.y() - center.y()) - kNode >= kRingLine) continue;
        if (one.x() <= center.x() + 1) left = std::max(left, one.x() + kNode + kApart);
        if (one.x() >= center.x() - 1) right = std::min(right, one.x() - kNode - kApart);
    }
    return {left, center.y() - kRingLine, std::max(0.0, right - left), kRingLine};
}

}  // namespace

RingView::RingView(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setFixedHeight(92);
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void RingView::setState(RingState state) {
    if (state == state_) return;
    state_ = std::move(state);
    setAccessibleName(state_.headline + QStringLiteral(", ") + state_.detail);
    setToolTip(accessibleName());
    update();
}

void RingView::paintEvent(QPaintEvent*) {
    const theme::Theme& t = themes_.theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const std::size_t count = state_.tasks.size();
    const QPointF center(width() / 2.0, height() / 2.0);
    const double rx = std::min(width() / 2.0 - kNode - 2, 92.0 + 8.0 * static_cast<double>(count));
    const double ry = count > 2 ? height() / 2.0 - kNode - 2 : 0;
    std::vector<QPointF> at = ringPlaces(count, center, rx, ry, 0);
    QRectF free = freeRoom(at, center, rx);
    // Half a step on, where that leaves the words more room between the chips.
    if (count > 2) {
        auto turned = ringPlaces(count, center, rx, ry, std::numbers::pi / static_cast<double>(count));
        if (const QRectF other = freeRoom(turned, center, rx); other.width() > free.width()) {
            at = std::move(turned);
            free = other;
        }
    }
    const bool running = state_.tone == RingState::Tone::kRunning;
    const QColor line = running ? t.accent_fill : (state_.tone == RingState::Tone::kBroken ? t.err : t.border_strong);
    if (count == 2 && running) {
        widgets::paintRing(painter, at[0], at[1], 26, line);
    } else if (count >= 2) {
        QPen pen(line, 2);
        if (!running) pen.setDashPattern({4, 3});
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        if (count == 2) {
            QPainterPath arcs(at[0]);
            arcs.cubicTo(at[0] + QPointF(2 * rx * 0.3, -35), at[0] + QPointF(2 * rx * 0.7, -35), at[1]);
            arcs.cubicTo(at[1] + QPointF(-2 * rx * 0.3, 35), at[1] + QPointF(-2 * rx * 0.7, 35), at[0]);
            painter.drawPath(arcs);
        } else {
            painter.drawEllipse(center, rx, ry);
        }
    }
    for (std::size_t i = 0; i < count; ++i) {
        const bool missing = static_cast<int>(i) == state_.missing;
        QPen pen(missing ? (state_.tone == RingState::Tone::kBroken ? t.err : t.warn) : t.taskColor(state_.tasks[i]), 2);
        if (missing && state_.tone != RingState::Tone::kBroken) pen.setDashPattern({4, 3});
        painter.setPen(pen);
        painter.setBrush(t.surface);
        painter.drawEllipse(at[i], kNode, kNode);
        paintText(painter, QRectF(at[i].x() - kNode, at[i].y() - 9, 2 * kNode, 18), theme::taskMark(state_.tasks[i]),
                  themes_.font(TextRole::kStrong), missing && state_.tone == RingState::Tone::kBroken ? t.err : t.text, Qt::AlignCenter);
    }
    const QRectF text = count >= 2 ? free : QRectF(0, center.y() - kRingLine, width(), kRingLine);
    if (text.width() < kLeastRingText) return;  // the tooltip has the words
    const bool one_line = state_.detail.isEmpty();
    paintText(painter, one_line ? text.translated(0, 8) : text, state_.headline, themes_.font(TextRole::kSmallMedium), t.text,
              Qt::AlignCenter);
    if (!one_line) {
        // Numbers stay in their places; a sentence takes less room in the other face.
        const bool broken = state_.tone == RingState::Tone::kBroken;
        paintText(painter, text.translated(0, 17), state_.detail, themes_.font(broken ? TextRole::kTick : TextRole::kMonoTick),
                  broken ? t.err : t.text2, Qt::AlignCenter);
    }
}

StepTimeBars::StepTimeBars(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void StepTimeBars::setRows(std::vector<Row> rows, bool is_over) {
    const bool resized = rows.size() != rows_.size();
    if (std::exchange(is_over_, is_over) != is_over) update();
    if (rows == rows_) return;
    rows_ = std::move(rows);
    if (resized) updateGeometry();
    QStringList parts;
    for (const Row& row : rows_) {
        parts << QStringLiteral("%1 %2").arg(QString::fromStdString(engine::spec::toString(row.task)),
                                             models::formatMilliseconds(row.total()));
    }
    setAccessibleName(tr("Step time: %1").arg(parts.join(QStringLiteral(", "))));
    update();
}

QSize StepTimeBars::sizeHint() const {
    return {260, std::max(1, static_cast<int>(rows_.size())) * kBarRow + 8 + 3 * kLegendRow};
}

void StepTimeBars::paintEvent(QPaintEvent*) {
    const theme::Theme& t = themes_.theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (rows_.empty()) {
        const QString nothing = is_over_ ? tr("this run has told none") : tr("appears with the first step");
        paintText(painter, QRectF(0, 0, width(), kBarRow), nothing, themes_.font(TextRole::kSmall), t.text2);
        return;
    }
    double longest = 1;
    for (const Row& row : rows_) longest = std::max(longest, row.total());
    const auto colors = phaseColors(t);
    constexpr double kLeft = 28, kRight = 62;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const Row& row = rows_[i];
        const double top = static_cast<double>(i) * kBarRow;
        paintText(painter, QRectF(0, top, kLeft, kBarRow), theme::taskMark(row.task), themes_.font(TextRole::kSmallMedium), t.text);
        const double room = width() - kLeft - kRight - 4;
        double x = kLeft;
        for (std::size_t phase = 0; phase < colors.size(); ++phase) {
            const double length = room * row.us[phase] / longest;
            if (length < 0.5) continue;
            painter.fillRect(QRectF(x, top + (kBarRow - kBarHeight) / 2.0, std::max(1.0, length - 1), kBarHeight), colors[phase]);
            x += length;
        }
        paintText(painter, QRectF(width() - kRight, top, kRight, kBarRow), models::formatMilliseconds(row.total()),
                  themes_.font(TextRole::kMono), t.text, Qt::AlignRight | Qt::AlignVCenter);
    }
    paintLegend(&painter, width(), static_cast<double>(rows_.size()) * kBarRow + 8);
}

double StepTimeBars::paintLegend(QPainter* painter, double room, double top) const {
    const theme::Theme& t = themes_.theme();
    const auto colors = phaseColors(t);
    const auto names = phaseNames();
    const QFontMetricsF small(themes_.font(TextRole::kTick)), mono(themes_.font(TextRole::kMonoTick));
    double x = 28;
    for (std::size_t phase = 0; phase < colors.size(); ++phase) {
        double mean = 0;
        for (const Row& row : rows_) mean += row.us[phase] / static_cast<double>(rows_.size());
        const QString value = QLocale().toString(mean / 1000, 'f', 1);
        const double name_width = small.horizontalAdvance(names[phase]);
        const double width_each = 12 + name_width + 5 + mono.horizontalAdvance(value) + 12;
        if (x + width_each - 12 > room && x > 28) {
            x = 28;
            top += kLegendRow;
        }
        paintBox(*painter, QRectF(x, top + 5, 8, 8), 2, colors[phase], QColor());
        paintText(*painter, QRectF(x + 12, top, name_width + 2, kLegendRow), names[phase], themes_.font(TextRole::kTick), t.text2);
        paintText(*painter, QRectF(x + 12 + name_width + 5, top, 60, kLegendRow), value, themes_.font(TextRole::kMonoTick), t.text);
        x += width_each;
    }
    return top;
}

void TaskDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    using Model = models::TaskListModel;
    const auto* model = qobject_cast<const Model*>(index.model());
    if (model == nullptr) return;
    const models::TaskRow& row = model->row(index.row());
    const theme::Theme& t = themes_.theme();
    const QRectF box = QRectF(option.rect).adjusted(0, 0, 0, -kTaskGap);
    const bool failed = row.state == TaskState::kFailed;
    const bool selected = (option.state & QStyle::State_HasFocus) != 0;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    paintBox(*painter, box, theme::kRadiusControl, failed ? t.err_tint : t.sunken, selected ? t.accent : (failed ? t.err : QColor()),
             selected ? 2 : 1);
    widgets::paintTaskChip(*painter, themes_, QRectF(box.left() + 10, box.top() + 9, 24, 24), row.task);

    const double left = box.left() + 44, right = box.right() - 12;
    const auto line = [&](int n) { return box.top() + 5 + n * 18; };
    const QString state = index.data(Model::kStateWordRole).toString();
    const QFont state_font = themes_.font(TextRole::kSmallMedium);
    const double state_width = QFontMetricsF(state_font).horizontalAdvance(state) + 2;
    const QColor color = stateColor(themes_, row.state);
    paintText(*painter, QRectF(right - state_width, line(0), state_width, 18), state, state_font, color, Qt::AlignRight | Qt::AlignVCenter);
    const bool is_so = row.state != TaskState::kNotStarted && row.state != TaskState::kConnecting;
    widgets::paintDot(*painter, {right - state_width - 8, line(0) + 9}, 3, color, is_so);

    const QString name = index.data(Model::kNameRole).toString();
    const QFont name_font = themes_.font(TextRole::kStrong);
    const double name_width = QFontMetricsF(name_font).horizontalAdvance(name) + 2;
    paintText(*painter, QRectF(left, line(0), name_width, 18), name, name_font, t.text);
    if (row.is_chief && !narrow_) {
        paintText(*painter, QRectF(left + name_width + 6, line(0), right - state_width - 20 - left - name_width - 6, 18), tr("chief duty"),
                  themes_.font(TextRole::kTick), t.text2);
    }
    const bool has_port = row.address.contains(QLatin1Char(':'));
    const QString address = narrow_ && has_port ? QStringLiteral(":") + row.address.section(QLatin1Char(':'), -1) : row.address;
    paintText(*painter, QRectF(left, line(1), box.width() * 0.48, 18), address, themes_.font(TextRole::kMono), t.text2);
    paintText(*painter, QRectF(right - 110, line(1), 110, 18), index.data(Model::kRateTextRole).toString(), themes_.font(TextRole::kMono),
              t.text2, Qt::AlignRight | Qt::AlignVCenter);

    paintText(*painter, QRectF(left, line(2) - 1, 28, 16), tr("CPU"), themes_.font(TextRole::kTick), t.text2);
    const QString cpu = index.data(Model::kCpuTextRole).toString();
    const QFont cpu_font = themes_.font(TextRole::kMonoTick);
    const double cpu_width = QFontMetricsF(cpu_font).horizontalAdvance(cpu) + 2;
    paintText(*painter, QRectF(right - cpu_width, line(2) - 1, cpu_width, 16), cpu, cpu_font, t.text2, Qt::AlignRight | Qt::AlignVCenter);
    const QRectF bar(left + 28, line(2) + 5, right - cpu_width - 10 - left - 28, 4);
    if (bar.width() > 16) {
        paintBox(*painter, bar, 2, t.border_strong, QColor());
        const double share = index.data(Model::kCpuShareRole).toDouble();
        if (share > 0) paintBox(*painter, QRectF(bar.left(), bar.top(), std::max(4.0, bar.width() * share), 4), 2, t.text2, QColor());
    }
    painter->restore();
}

QSize TaskDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
    return {200, kTaskBox + kTaskGap};
}

void CheckpointDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    using Model = models::CheckpointModel;
    const theme::Theme& t = themes_.theme();
    painter->save();
    if (option.state & QStyle::State_HasFocus) paintBox(*painter, option.rect, 4, t.accent_tint, QColor());
    const QRectF rect = option.rect;
    const bool best = index.data(Model::kBestRole).toBool();
    paintText(*painter, rect.adjusted(0, 0, -70, 0), index.data(Model::kNameRole).toString(), themes_.font(TextRole::kSmall), t.text2);
    paintText(*painter, rect, index.data(Model::kValueTextRole).toString(), themes_.font(TextRole::kMono), best ? t.ok : t.text,
              Qt::AlignRight | Qt::AlignVCenter);
    painter->restore();
}

QSize CheckpointDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
    return {200, theme::kListRowHeight};
}

}  // namespace ui::views

#include "moc_monitor_painted.cpp"
