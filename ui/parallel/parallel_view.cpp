// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parallel/parallel_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/session/values.h"
#include "ui/widgets/focus_ring.h"
#include "ui/widgets/painting.h"

namespace ui::views {

using models::AxisBrush;
using models::ParallelAxis;
using models::ParallelLine;
using theme::TextRole;

namespace {

constexpr int kSide = 76, kTop = 44, kBottom = 20, kGrip = 16, kNear = 6;
constexpr double kKeyStep = 0.1, kLeastBrush = 0.04, kFirstBrush = 0.3;
constexpr double kFaded = 0.12, kOthers = 0.35;

double distanceTo(QPointF point, QPointF a, QPointF b) {
    const QPointF ab = b - a, ap = point - a;
    const double length = QPointF::dotProduct(ab, ab);
    const double t = length > 0 ? std::clamp(QPointF::dotProduct(ap, ab) / length, 0.0, 1.0) : 0;
    const QPointF off = ap - t * ab;
    return std::hypot(off.x(), off.y());
}

}  // namespace

ParallelView::ParallelView(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setObjectName("parallelView");
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void ParallelView::setRuns(const std::vector<session::RunSummary>& runs) {
    setPlot(models::parallelPlot(runs));
}

void ParallelView::setPlot(models::ParallelPlot plot) {
    // A run more may stretch an axis: what was brushed on it stays.
    const auto isSame = [](const ParallelAxis& a, const ParallelAxis& b) { return a.name == b.name && a.categories == b.categories; };
    if (!std::equal(plot.axes.begin(), plot.axes.end(), plot_.axes.begin(), plot_.axes.end(), isSame)) {
        brushes_.assign(plot.axes.size(), std::nullopt);
        dragged_ = -1;
    }
    plot_ = std::move(plot);
    axis_ = std::clamp(axis_, 0, std::max<int>(0, static_cast<int>(plot_.axes.size()) - 1));
    hovered_ = -1;
    describe();
    update();
}

void ParallelView::setEmptyText(const QString& text) {
    empty_text_ = text;
    update();
}

void ParallelView::setSelected(const QString& id) {
    selected_ = id;
    update();
}

QStringList ParallelView::letBy() const {
    QStringList ids;
    for (const ParallelLine& line : plot_.lines) {
        if (models::letsBy(brushes_, line)) ids << line.id;
    }
    return ids;
}

void ParallelView::retranslate() {
    describe();
    update();
}

void ParallelView::describe() {
    setAccessibleName(tr("Parallel coordinates of %n run(s)", nullptr, static_cast<int>(plot_.lines.size())));
    if (plot_.axes.empty()) return setAccessibleDescription({});
    const ParallelAxis& axis = plot_.axes[static_cast<std::size_t>(axis_)];
    QString text = tr("Axis %1, %2 to %3.").arg(axis.name, axis.label(0), axis.label(1));
    if (const auto& brush = brushes_[static_cast<std::size_t>(axis_)]) {
        text += ' ' + tr("Brushed from %1 to %2.").arg(axis.label(brush->low), axis.label(brush->high));
    }
    setAccessibleDescription(text + ' ' + tr("%n run(s) let by.", nullptr, static_cast<int>(letBy().size())));
}

QRectF ParallelView::plotRect() const {
    return QRectF(rect()).adjusted(kSide, kTop, -kSide, -kBottom);
}

double ParallelView::axisX(std::size_t axis) const {
    const QRectF plot = plotRect();
    const std::size_t count = plot_.axes.size();
    return std::round(count < 2 ? plot.center().x()
                                : plot.left() + plot.width() * static_cast<double>(axis) / static_cast<double>(count - 1)) +
           0.5;
}

double ParallelView::yAt(double position) const {
    const QRectF plot = plotRect();
    return plot.bottom() - position * plot.height();
}

double ParallelView::positionAt(double y) const {
    const QRectF plot = plotRect();
    return std::clamp((plot.bottom() - y) / std::max(1.0, plot.height()), 0.0, 1.0);
}

int ParallelView::axisNear(QPointF point) const {
    for (std::size_t axis = 0; axis < plot_.axes.size(); ++axis) {
        if (std::abs(point.x() - axisX(axis)) <= kGrip) return static_cast<int>(axis);
    }
    return -1;
}

int ParallelView::lineNear(QPointF point) const {
    int nearest = -1;
    double best = kNear;
    for (std::size_t i = 0; i < plot_.lines.size(); ++i) {
        const ParallelLine& line = plot_.lines[i];
        for (std::size_t axis = 1; axis < line.positions.size(); ++axis) {
            if (std::isnan(line.positions[axis - 1]) || std::isnan(line.positions[axis])) continue;
            const double distance =
                distanceTo(point, {axisX(axis - 1), yAt(line.positions[axis - 1])}, {axisX(axis), yAt(line.positions[axis])});
            if (distance >= best) continue;
            best = distance;
            nearest = static_cast<int>(i);
        }
    }
    return nearest;
}

void ParallelView::setBrush(std::size_t axis, std::optional<AxisBrush> brush) {
    if (brushes_[axis] == brush) return;
    brushes_[axis] = brush;
    describe();
    update();
    emit brushesChanged();
}

void ParallelView::moveBrush(double by, bool grow) {
    const auto axis = static_cast<std::size_t>(axis_);
    AxisBrush brush = brushes_[axis].value_or(by > 0 ? AxisBrush{1 - kFirstBrush, 1} : AxisBrush{0, kFirstBrush});
    if (brushes_[axis]) {
        if (grow) {
            brush.high = std::clamp(brush.high + by, brush.low + kLeastBrush, 1.0);
        } else {
            const double shift = std::clamp(by, -brush.low, 1 - brush.high);
            brush.low += shift;
            brush.high += shift;
        }
    }
    setBrush(axis, brush);
}

void ParallelView::paintLine(QPainter& painter, const ParallelLine& line, const QPen& pen) const {
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    QPainterPath path;
    bool open = false;
    for (std::size_t axis = 0; axis < line.positions.size(); ++axis) {
        if (std::isnan(line.positions[axis])) {
            open = false;
            continue;
        }
        const QPointF at(axisX(axis), yAt(line.positions[axis]));
        open ? path.lineTo(at) : path.moveTo(at);
        open = true;
    }
    painter.drawPath(path);
}

void ParallelView::paintAxis(QPainter& painter, std::size_t index) const {
    const theme::Theme& t = themes_.theme();
    const ParallelAxis& axis = plot_.axes[index];
    const double x = axisX(index);
    const bool current = keyboard_focus_ && static_cast<int>(index) == axis_;
    painter.setPen(QPen(current ? t.accent : t.axis, current ? 2 : 1));
    painter.drawLine(QPointF(x, yAt(0)), QPointF(x, yAt(1)));
    const double room = plot_.axes.size() < 2 ? plotRect().width() : axisX(1) - axisX(0);
    const QRectF name(x - room / 2 + 4, 8, room - 8, 18);
    const QRectF fitted = name.intersected(QRectF(rect()).adjusted(4, 0, -4, 0));
    widgets::paintText(painter, fitted, axis.name, themes_.font(current || axis.result ? TextRole::kTickStrong : TextRole::kTickMedium),
                       current ? t.accent : t.text2, Qt::AlignCenter);
    const QFont font = themes_.font(axis.categories.isEmpty() ? TextRole::kMonoTick : TextRole::kTick);
    const bool last = index + 1 == plot_.axes.size() && index > 0;
    for (const double position : axis.ticks()) {
        const double y = yAt(position);
        painter.setPen(QPen(t.axis, 1));
        painter.drawLine(QPointF(x - 4, std::round(y) + 0.5), QPointF(x, std::round(y) + 0.5));
        const QString label = axis.label(position);
        const double width = std::min(room - 16, QFontMetricsF(font).horizontalAdvance(label) + 2);
        const QRectF box = last ? QRectF(x + 8, y - 8, width, 16) : QRectF(x - 8 - width, y - 8, width, 16);
        QColor ground = t.surface;
        ground.setAlphaF(0.8F);
        painter.fillRect(box, ground);
        widgets::paintText(painter, box, label, font, t.text2, last ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter);
    }
    if (const auto& brush = brushes_[index]) {
        QColor fill = t.accent;
        fill.setAlphaF(0.14F);
        painter.setPen(QPen(t.accent, 1));
        painter.setBrush(fill);
        painter.drawRect(QRectF(QPointF(x - 7, std::round(yAt(brush->high))), QPointF(x + 7, std::round(yAt(brush->low)))));
    }
}

void ParallelView::paintEvent(QPaintEvent*) {
    const theme::Theme& t = themes_.theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    widgets::paintBox(painter, rect(), theme::kRadiusCard, t.surface, keyboard_focus_ ? t.accent : t.border, keyboard_focus_ ? 2 : 1);
    if (plot_.axes.empty() || plot_.lines.empty()) {
        widgets::paintText(painter, rect(),
                           !empty_text_.isEmpty() ? empty_text_
                           : plot_.lines.empty()  ? tr("Runs that the filter lets by appear here as lines.")
                                                  : tr("These runs have the same settings and no result yet."),
                           themes_.font(TextRole::kBody), t.text2, Qt::AlignCenter);
        return;
    }
    const bool focus_one = hovered_ >= 0;
    for (const bool let_by : {false, true}) {
        for (std::size_t i = 0; i < plot_.lines.size(); ++i) {
            const ParallelLine& line = plot_.lines[i];
            if (models::letsBy(brushes_, line) != let_by) continue;
            QColor color = t.seriesColor(line.color);
            const bool mine = static_cast<int>(i) == hovered_;
            if (!mine) color.setAlphaF(static_cast<float>(!let_by ? kFaded : focus_one ? kOthers : 1.0));
            QPen pen(color, mine || (let_by && line.id == selected_) ? 3 : 2);
            if (line.dash > 0) pen.setDashPattern({7, 2, 1.5, 2});
            paintLine(painter, line, pen);
        }
    }
    for (std::size_t axis = 0; axis < plot_.axes.size(); ++axis) paintAxis(painter, axis);
}

void ParallelView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const int axis = axisNear(event->position());
    if (axis < 0) {
        const int line = lineNear(event->position());
        if (line >= 0) emit runClicked(plot_.lines[static_cast<std::size_t>(line)].id);
        return;
    }
    axis_ = dragged_ = axis;
    drag_from_ = positionAt(event->position().y());
    setBrush(static_cast<std::size_t>(axis), std::nullopt);
    describe();
    update();
}

void ParallelView::mouseMoveEvent(QMouseEvent* event) {
    if (dragged_ >= 0) {
        const double to = positionAt(event->position().y());
        if (std::abs(to - drag_from_) < kLeastBrush / 2) return;
        setBrush(static_cast<std::size_t>(dragged_), AxisBrush{std::min(to, drag_from_), std::max(to, drag_from_)});
        return;
    }
    setCursor(axisNear(event->position()) >= 0 ? Qt::SplitVCursor : Qt::ArrowCursor);
    const int line = lineNear(event->position());
    if (line == hovered_) return;
    hovered_ = line;
    if (line >= 0) QToolTip::showText(event->globalPosition().toPoint(), plot_.lines[static_cast<std::size_t>(line)].name, this);
    update();
}

void ParallelView::mouseReleaseEvent(QMouseEvent*) {
    dragged_ = -1;
}

void ParallelView::leaveEvent(QEvent*) {
    hovered_ = -1;
    update();
}

void ParallelView::keyPressEvent(QKeyEvent* event) {
    if (plot_.axes.empty()) return QWidget::keyPressEvent(event);
    const int last = static_cast<int>(plot_.axes.size()) - 1;
    const bool grow = event->modifiers() & Qt::ShiftModifier;
    switch (event->key()) {
        case Qt::Key_Left:
            axis_ = std::max(0, axis_ - 1);
            break;
        case Qt::Key_Right:
            axis_ = std::min(last, axis_ + 1);
            break;
        case Qt::Key_Up:
            moveBrush(kKeyStep, grow);
            break;
        case Qt::Key_Down:
            moveBrush(-kKeyStep, grow);
            break;
        case Qt::Key_Delete:
        case Qt::Key_Backspace:
            setBrush(static_cast<std::size_t>(axis_), std::nullopt);
            break;
        case Qt::Key_Escape:
            // Without a brush to take away the key is another's: it leaves the view that the axes stand in.
            if (std::none_of(brushes_.begin(), brushes_.end(), [](const auto& brush) { return brush.has_value(); }))
                return QWidget::keyPressEvent(event);
            for (std::size_t axis = 0; axis < brushes_.size(); ++axis) setBrush(axis, std::nullopt);
            break;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            emit checkWanted(letBy());
            break;
        default:
            return QWidget::keyPressEvent(event);
    }
    describe();
    update();
}

void ParallelView::focusInEvent(QFocusEvent* event) {
    keyboard_focus_ = widgets::byKeyboard(event->reason());
    update();
}

void ParallelView::focusOutEvent(QFocusEvent*) {
    keyboard_focus_ = false;
    update();
}

}  // namespace ui::views

#include "moc_parallel_view.cpp"
