// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_card.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/charts/chart_header.h"
#include "ui/charts/chart_plot.h"
#include "ui/charts/chart_tooltip.h"
#include "ui/models/numbers.h"

namespace ui::charts {

using models::Range;
using models::Series;

namespace {

constexpr int kRefreshMs = 100;
constexpr int kPlotTop = 34;

}  // namespace

ChartCard::ChartCard(const QString& name, const theme::ThemeController& theme, QWidget* parent)
    : QWidget(parent), theme_(theme), state_(std::make_unique<ChartState>()) {
    setObjectName(name);
    setFocusPolicy(Qt::StrongFocus);
    header_ = new ChartHeader(*state_, theme, this);
    plot_ = new ChartPlot(*state_, theme, this);
    tooltip_ = new ChartTooltip(*state_, theme, this);
    plot_->setObjectName(name + QStringLiteral("Plot"));
    refresh_timer_.setSingleShot(true);
    connect(&refresh_timer_, &QTimer::timeout, this, &ChartCard::refreshNow);
    connect(plot_, &ChartPlot::cursorMoved, this, [this](std::optional<double> x) {
        hovered_ = x.has_value();
        setCursor(x);
        emit cursorMoved(x);
    });
    connect(plot_, &ChartPlot::zoomed, this, &ChartCard::chooseRange);
    connect(plot_, &ChartPlot::panned, this, [this](Range x) { chooseRange(x, state_->y_range); });
    connect(plot_, &ChartPlot::resetWanted, this, &ChartCard::resetZoom);
    connect(plot_, &ChartPlot::markerHovered, this, [this](const QString& text, QPoint at) { QToolTip::showText(at, text, this); });
    connect(header_, &ChartHeader::seriesHovered, this, [this](int index) {
        if (state_->highlighted == index) return;
        state_->highlighted = index;
        plot_->rebuild();
    });
    connect(&header_->expandButton(), &QToolButton::clicked, this, &ChartCard::expandWanted);
    connect(&header_->pinButton(), &QToolButton::toggled, this, &ChartCard::pinToggled);
    connect(&theme, &theme::ThemeController::themeChanged, this, &ChartCard::applyTheme);
    buildMenu();
    plot_->hide();
    for (QWidget* part : std::initializer_list<QWidget*>{&header_->pinButton(), &header_->expandButton(), &header_->moreButton()}) part->hide();
}

ChartCard::~ChartCard() = default;

void ChartCard::buildMenu() {
    auto* menu = new QMenu(&header_->moreButton());
    header_->moreButton().setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {
        menu->clear();
        QAction* log = menu->addAction(tr("Logarithmic y axis\tL"));
        log->setCheckable(true);
        log->setChecked(state_->y_scale == YScale::kLog);
        connect(log, &QAction::toggled, this, [this](bool on) { setYScale(on ? YScale::kLog : YScale::kLinear); });
        menu->addAction(tr("Next x axis\tX"), this, &ChartCard::xAxisCycleWanted);
        menu->addAction(tr("Reset zoom\t0"), this, &ChartCard::resetZoom);
        menu->addSeparator();
        menu->addAction(tr("Copy picture"), this, [this] { QApplication::clipboard()->setPixmap(grab()); });
        menu->addAction(tr("Copy data as CSV"), this, [this] { QApplication::clipboard()->setText(toCsv()); });
    });
}

void ChartCard::setTexts(const QString& title, const QString& y_name) {
    state_->y_name = y_name;
    header_->setTitle(title);
    dataChanged();
}

QString ChartCard::title() const { return header_->title(); }

int ChartCard::addSeries(const QString& name, const SeriesStyle& style) {
    ChartSeries one{name, style, {}, true};
    one.points.setOrigin(state_->origin_unix_ns);
    if (!style.exact) one.points.setSmoothing(smoothing_);
    state_->series.push_back(std::move(one));
    plot_->rebuild();
    return static_cast<int>(state_->series.size()) - 1;
}

void ChartCard::setSeriesName(int index, const QString& name) {
    state_->series[static_cast<std::size_t>(index)].name = name;
    dataChanged();
}

void ChartCard::setSeriesVisible(int index, bool visible) {
    state_->series[static_cast<std::size_t>(index)].visible = visible;
    dataChanged();
}

int ChartCard::seriesCount() const { return static_cast<int>(state_->series.size()); }
Series& ChartCard::series(int index) { return state_->series[static_cast<std::size_t>(index)].points; }

void ChartCard::clearSeries() {
    state_->series.clear();
    state_->markers.clear();
    state_->x_range.reset();
    state_->y_range.reset();
    plot_->rebuild();
    refreshNow();
}

void ChartCard::clearData() {
    for (ChartSeries& one : state_->series) one.points.clear();
    state_->markers.clear();
    refreshNow();
}

void ChartCard::dataChanged() {
    if (!refresh_timer_.isActive()) refresh_timer_.start(isEmpty() || !plot_->isVisible() ? 0 : kRefreshMs);
}

void ChartCard::refreshNow() {
    refresh_timer_.stop();
    const bool empty = isEmpty();
    plot_->setVisible(!empty);
    for (QWidget* part : std::initializer_list<QWidget*>{&header_->pinButton(), &header_->expandButton(), &header_->moreButton()}) {
        part->setVisible(!empty);
    }
    if (!empty) plot_->refresh();
    placeTooltip();
    header_->update();
    update();
    setAccessibleName(title());
    setAccessibleDescription(summary());
}

void ChartCard::setMarkers(std::vector<Marker> markers) {
    if (markers == state_->markers) return;
    state_->markers = std::move(markers);
    dataChanged();
}

void ChartCard::setOrigin(std::int64_t time_unix_ns) {
    state_->origin_unix_ns = time_unix_ns;
    for (ChartSeries& one : state_->series) one.points.setOrigin(time_unix_ns);
    dataChanged();
}

void ChartCard::setSmoothing(double weight) {
    smoothing_ = weight;
    for (ChartSeries& one : state_->series) {
        if (!one.style.exact) one.points.setSmoothing(weight);
    }
    dataChanged();
}

void ChartCard::setXAxis(models::XAxis axis) {
    if (axis == state_->x_axis) return;
    state_->x_axis = axis;
    state_->x_range.reset();
    state_->cursor.reset();
    refreshNow();
}

models::XAxis ChartCard::xAxis() const { return state_->x_axis; }

void ChartCard::setYScale(YScale scale) {
    if (scale == state_->y_scale) return;
    state_->y_scale = scale;
    state_->y_range.reset();
    refreshNow();
}

YScale ChartCard::yScale() const { return state_->y_scale; }

void ChartCard::setLive(bool live) {
    if (live == state_->live) return;
    state_->live = live;
    dataChanged();
}

void ChartCard::setXRange(std::optional<Range> range) {
    if (range && (!(range->size() > 0) || !std::isfinite(range->lower) || !std::isfinite(range->upper))) return;
    state_->x_range = range;
    state_->follow = !range;
    if (!range) state_->y_range.reset();
    refreshNow();
}

std::optional<Range> ChartCard::xRange() const { return state_->x_range; }

void ChartCard::chooseRange(std::optional<Range> x, std::optional<Range> y) {
    state_->y_range = y;
    setXRange(x);
    emit xRangeChosen(x);
}

void ChartCard::resetZoom() { chooseRange(std::nullopt, std::nullopt); }

void ChartCard::setCursor(std::optional<double> x) {
    if (x == state_->cursor) return;
    state_->cursor = x;
    if (plot_->isVisible()) plot_->refreshCursor();
    placeTooltip();
}

void ChartCard::placeTooltip() {
    if (!hovered_ || !state_->cursor || isEmpty()) {
        tooltip_->hide();
        return;
    }
    const QRect inside = plot_->plotRect().translated(plot_->pos());
    const QPointF anchor = plot_->pixelOf(*state_->cursor, 0) + plot_->pos();
    tooltip_->showAt({anchor.x(), static_cast<double>(inside.top())}, inside.adjusted(0, 0, width() - inside.right() - 4, 0));
}

bool ChartCard::isEmpty() const { return state_->empty(); }

QString ChartCard::summary() const {
    if (isEmpty()) return tr("%1: appears with the first step.").arg(title());
    QStringList parts;
    for (const ChartSeries& one : state_->series) {
        if (one.points.empty()) continue;
        const auto last = one.points.at(one.points.size() - 1);
        parts << tr("%1 %2 at step %3").arg(one.name, formatValue(one.style.format, last.value), models::formatCount(last.step));
    }
    return QStringLiteral("%1: %2.").arg(title(), parts.join(QStringLiteral("; ")));
}

std::vector<models::PlotPoint> ChartCard::drawnPoints(int index) const {
    return plot_->drawnPoints(static_cast<std::size_t>(index), state_->visibleRange(), std::max(16, plot_->plotRect().width()));
}

Range ChartCard::drawnYRange() const { return {plot_->yAxis->range().lower, plot_->yAxis->range().upper}; }

QString ChartCard::toCsv() const {
    QString csv = QStringLiteral("series,step,time_s,value\n");
    for (const ChartSeries& one : state_->series) {
        QString name = one.name;
        name.replace(QLatin1Char('"'), QStringLiteral("\"\""));
        for (std::size_t i = 0; i < one.points.size(); ++i) {
            const auto point = one.points.at(i);
            csv += QStringLiteral("\"%1\",%2,%3,%4\n")
                       .arg(name)
                       .arg(point.step)
                       .arg(static_cast<double>(point.time_unix_ns - state_->origin_unix_ns) * 1e-9, 0, 'f', 3)
                       .arg(static_cast<double>(point.value), 0, 'g', 9);
        }
    }
    return csv;
}

void ChartCard::retranslate() {
    header_->retranslate();
    refreshNow();
}

void ChartCard::applyTheme() {
    plot_->rebuild();
    tooltip_->update();
    refreshNow();
}

void ChartCard::paintEvent(QPaintEvent*) {
    const theme::Theme& colors = theme_.theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(keyboard_focus_ ? QPen(colors.accent, 2) : QPen(colors.border, 1));
    painter.setBrush(colors.surface);
    painter.drawRoundedRect(keyboard_focus_ ? box.adjusted(0.5, 0.5, -0.5, -0.5) : box, theme::kRadiusCard, theme::kRadiusCard);
    if (!isEmpty()) return;
    // Before data: grid and grey stubs where the ticks will be.
    const QRectF plot(66, 46, width() - 66 - 16, height() - 46 - 40);
    if (plot.height() < 40) return;
    painter.setPen(Qt::NoPen);
    constexpr int kLines = 5;
    for (int i = 0; i < kLines; ++i) {
        const double y = std::round(plot.top() + plot.height() * (i + 0.5) / kLines) + 0.5;
        painter.fillRect(QRectF(plot.left(), y - 0.5, plot.width(), 1), colors.grid);
        painter.setBrush(colors.sunken);
        painter.drawRoundedRect(QRectF(plot.left() - 32, y - 4, 24, 8), 4, 4);
    }
    const int stubs = std::clamp(static_cast<int>(plot.width() / 70), 3, 6);
    for (int i = 0; i < stubs; ++i) {
        const double x = plot.left() + (plot.width() - 24) * i / (stubs - 1);
        painter.setBrush(colors.sunken);
        painter.drawRoundedRect(QRectF(x - 8, plot.bottom() + 6, 24, 8), 4, 4);
    }
    const QFont font = theme_.font(theme::TextRole::kSmall);
    painter.setFont(font);
    const QString text = tr("appears with the first step");
    const double text_width = QFontMetricsF(font).horizontalAdvance(text) + 16;
    const QRectF label(plot.center().x() - text_width / 2, plot.center().y() - 10, text_width, 20);
    painter.fillRect(label, colors.surface);
    painter.setPen(colors.text2);
    painter.drawText(label, Qt::AlignCenter, text);
}

void ChartCard::resizeEvent(QResizeEvent*) {
    header_->setGeometry(1, 1, width() - 2, header_->height());
    plot_->setGeometry(1, kPlotTop, std::max(width() - 2, 80), std::max(height() - kPlotTop - 1, 60));  // QCustomPlot needs room
    placeTooltip();
}

void ChartCard::moveCursorBy(int direction) {
    if (isEmpty()) return;
    const Range range = state_->visibleRange();
    const double from = state_->cursor.value_or(range.upper);
    const double to = std::clamp(from + direction * range.size() / 50, range.lower, range.upper);
    hovered_ = true;
    setCursor(to);
    emit cursorMoved(to);
}

void ChartCard::keyPressEvent(QKeyEvent* event) {
    if (event->modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier)) return QWidget::keyPressEvent(event);
    switch (event->key()) {
        case Qt::Key_L: setYScale(state_->y_scale == YScale::kLog ? YScale::kLinear : YScale::kLog); return;
        case Qt::Key_X: emit xAxisCycleWanted(); return;
        case Qt::Key_0: resetZoom(); return;
        case Qt::Key_Left:
        case Qt::Key_Right:
            if (event->modifiers() & Qt::ShiftModifier) return moveCursorBy(event->key() == Qt::Key_Left ? -1 : 1);
            break;
        case Qt::Key_Return: emit expandWanted(); return;
        default: break;
    }
    QWidget::keyPressEvent(event);
}

void ChartCard::focusInEvent(QFocusEvent* event) {
    keyboard_focus_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason || event->reason() == Qt::ShortcutFocusReason;
    update();
}

void ChartCard::focusOutEvent(QFocusEvent*) {
    keyboard_focus_ = false;
    if (hovered_ && !underMouse()) {
        hovered_ = false;
        setCursor(std::nullopt);
        emit cursorMoved(std::nullopt);
    }
    update();
}

}  // namespace ui::charts
