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
#include "ui/charts/chart_table.h"
#include "ui/charts/chart_tooltip.h"
#include "ui/models/finding_text.h"
#include "ui/models/numbers.h"

namespace ui::charts {

using models::Range;
using models::Series;

namespace {

constexpr int kRefreshMs = 100;
constexpr int kPlotTop = 34;

// The words of a mark change with the language, and a checkpoint stops being the best.
bool isSame(const Marker& a, const Marker& b) {
    const bool alike = a.kind == b.kind || (isCheckpoint(a) && isCheckpoint(b));
    return alike && a.step == b.step && a.time_unix_ns == b.time_unix_ns && a.subject == b.subject;
}

}  // namespace

ChartCard::ChartCard(const QString& name, const theme::ThemeController& theme, QWidget* parent)
    : QWidget(parent), theme_(theme), state_(std::make_unique<ChartState>()) {
    setObjectName(name);
    setFocusPolicy(Qt::StrongFocus);
    axes_ = new ChartAxes(*state_, this);
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
    connect(axes_, &ChartAxes::changed, this, &ChartCard::refreshNow);
    connect(axes_, &ChartAxes::unitsChanged, this, &ChartCard::dataChanged);
    connect(axes_, &ChartAxes::xRangeChosen, this, &ChartCard::xRangeChosen);
    connect(plot_, &ChartPlot::zoomed, axes_, &ChartAxes::choose);
    connect(plot_, &ChartPlot::panned, this, [this](Range x) { axes_->choose(x, state_->y_range); });
    connect(plot_, &ChartPlot::resetWanted, axes_, &ChartAxes::reset);
    connect(plot_, &ChartPlot::markerHovered, this, [this](const QString& text, QPoint at) { QToolTip::showText(at, text, this); });
    connect(plot_, &ChartPlot::markerClicked, this, &ChartCard::markerActivated);
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
    for (QWidget* part : std::initializer_list<QWidget*>{&header_->pinButton(), &header_->expandButton(), &header_->moreButton()})
        part->hide();
}

ChartCard::~ChartCard() = default;

void ChartCard::buildMenu() {
    auto* menu = new QMenu(&header_->moreButton());
    header_->moreButton().setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {
        menu->clear();
        fillMenu(*menu);
    });
}

void ChartCard::fillMenu(QMenu& menu) {
    const auto check = [&](const QString& text, bool on, auto&& act) {
        QAction* action = menu.addAction(text);
        action->setCheckable(true);
        action->setChecked(on);
        connect(action, &QAction::toggled, this, act);
        return action;
    };
    check(tr("Logarithmic y axis\tL"), state_->y_scale == YScale::kLog,
          [this](bool on) { axes_->setYScale(on ? YScale::kLog : YScale::kLinear); });
    QAction* log_x = check(tr("Logarithmic x axis\tShift+L"), state_->x_scale == XScale::kLog,
                           [this](bool on) { axes_->setXScale(on ? XScale::kLog : XScale::kLinear); });
    log_x->setEnabled(state_->x_axis != models::XAxis::kWall);
    check(tr("Leave outliers out of the range"), state_->outliers == Outliers::kIgnored,
          [this](bool on) { axes_->setOutliers(on ? Outliers::kIgnored : Outliers::kShown); });
    menu.addAction(tr("Next x axis\tX"), this, &ChartCard::xAxisCycleWanted);
    menu.addAction(tr("Reset zoom\t0"), axes_, &ChartAxes::reset);
    check(tr("Show as a table\tCtrl+Shift+T"), isTableShown(), [this](bool on) { setTableShown(on); });
    menu.addSeparator();
    menu.addAction(tr("Move forward\tAlt+Left"), this, [this] { emit moveWanted(-1); });
    menu.addAction(tr("Move back\tAlt+Right"), this, [this] { emit moveWanted(1); });
    if (removable_) menu.addAction(tr("Remove the chart\tDel"), this, &ChartCard::removeWanted);
    menu.addSeparator();
    menu.addAction(tr("Copy picture"), this, [this] { QApplication::clipboard()->setPixmap(grab()); });
    menu.addAction(tr("Copy data as CSV"), this, [this] { QApplication::clipboard()->setText(toCsv()); });
    emit menuOpening(&menu);
}

void ChartCard::setTexts(const QString& title, const QString& y_name) {
    state_->y_name = y_name;
    header_->setTitle(title);
    dataChanged();
}

QString ChartCard::title() const {
    return header_->title();
}

int ChartCard::addSeries(const QString& name, const SeriesStyle& style) {
    ChartSeries one{.name = name, .style = style, .points = {}};
    one.points.setOrigin(state_->origin_unix_ns);
    one.points.setPauses(state_->pauses);
    one.points.setStepsPerEpoch(state_->steps_per_epoch, state_->first_epoch);
    if (!style.exact) one.points.setSmoothing(smoothing_);
    state_->series.push_back(std::move(one));
    plot_->rebuild();
    return static_cast<int>(state_->series.size()) - 1;
}

void ChartCard::setSeriesName(int index, const QString& name) {
    state_->series[static_cast<std::size_t>(index)].name = name;
    dataChanged();
}

void ChartCard::setBand(int index, std::vector<float> lower, std::vector<float> upper) {
    ChartSeries& one = state_->series[static_cast<std::size_t>(index)];
    one.lower = std::move(lower);
    one.upper = std::move(upper);
    plot_->rebuild();
}

void ChartCard::setHighlighted(std::optional<int> index) {
    if (state_->selected == index.value_or(-1)) return;
    state_->selected = index.value_or(-1);
    plot_->rebuild();
}

void ChartCard::setEmptyText(const QString& text) {
    if (text == empty_text_) return;
    empty_text_ = text;
    update();
}

int ChartCard::seriesCount() const {
    return static_cast<int>(state_->series.size());
}
Series& ChartCard::series(int index) {
    return state_->series[static_cast<std::size_t>(index)].points;
}

void ChartCard::clearSeries() {
    state_->series.clear();
    state_->selected = -1;
    state_->markers.clear();
    state_->x_range.reset();
    state_->y_range.reset();
    mark_.reset();
    plot_->rebuild();
    refreshNow();
}

void ChartCard::dataChanged() {
    if (!refresh_timer_.isActive()) refresh_timer_.start(isEmpty() || !plot_->isVisible() ? 0 : kRefreshMs);
}

void ChartCard::refreshNow() {
    refresh_timer_.stop();
    const bool empty = isEmpty();
    plot_->setVisible(!empty && !isTableShown());
    if (table_ != nullptr) table_->refresh(summary());
    for (QWidget* part : std::initializer_list<QWidget*>{&header_->pinButton(), &header_->expandButton(), &header_->moreButton()}) {
        part->setVisible(!empty);
    }
    if (!empty && !isTableShown()) plot_->refresh();
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

void ChartCard::setSmoothing(double weight) {
    smoothing_ = weight;
    for (ChartSeries& one : state_->series) {
        if (!one.style.exact) one.points.setSmoothing(weight);
    }
    dataChanged();
}

void ChartCard::setFullSize(bool on) {
    state_->wheel_zooms = on;
}

void ChartCard::setRemovable(bool on) {
    removable_ = on;
}

void ChartCard::setTableShown(bool on) {
    if (on == isTableShown()) return;
    if (table_ == nullptr) table_ = new ChartTable(*state_, theme_, this);
    table_->setVisible(on);
    if (on) {
        placeParts();
        table_->setFocus(Qt::ShortcutFocusReason);
    } else {
        setFocus(Qt::ShortcutFocusReason);
    }
    setCursor(std::nullopt);
    refreshNow();
}

bool ChartCard::isTableShown() const {
    return table_ != nullptr && !table_->isHidden();
}

void ChartCard::setLive(bool live) {
    if (live == state_->live) return;
    state_->live = live;
    dataChanged();
}

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

bool ChartCard::isEmpty() const {
    return state_->empty();
}

QString ChartCard::summary() const {
    if (isEmpty())
        return empty_text_.isEmpty() ? tr("%1: appears with the first step.").arg(title()) : models::withName(title(), empty_text_);
    QStringList parts;
    for (const ChartSeries& one : state_->series) {
        if (one.points.empty()) continue;
        const auto last = one.points.at(one.points.size() - 1);
        QString part = tr("%1 %2 at step %3").arg(one.name, formatValue(one.style.format, last.value), models::formatCount(last.step));
        if (one.points.size() > 1) {
            const models::Range reach = one.points.valueRange();
            part = tr("%1, between %2 and %3")
                       .arg(part, formatValue(one.style.format, reach.lower), formatValue(one.style.format, reach.upper));
        }
        parts << part;
    }
    for (const QString& note : {plot_->endsInNoNumber(), plot_->hiddenByScale(), plot_->beyondScale().above, plot_->beyondScale().below}) {
        if (!note.isEmpty()) parts << note;
    }
    return tr("%1: %2.").arg(title(), parts.join(QStringLiteral("; ")));
}

std::vector<models::PlotPoint> ChartCard::drawnPoints(int index) const {
    return plot_->drawnPoints(static_cast<std::size_t>(index), state_->visibleRange(), std::max(16, plot_->plotRect().width()));
}

Range ChartCard::drawnYRange() const {
    return {plot_->yAxis->range().lower, plot_->yAxis->range().upper};
}

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
    // Before data comes, the card shows a grid and grey stubs where the ticks will be.
    const QRectF plot(kPlotLeft, 46, width() - kPlotLeft - 16, height() - 46 - 40);
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
    const QString text = empty_text_.isEmpty() ? tr("appears with the first step") : empty_text_;
    const double text_width = QFontMetricsF(font).horizontalAdvance(text) + 16;
    const QRectF label(plot.center().x() - text_width / 2, plot.center().y() - 10, text_width, 20);
    painter.fillRect(label, colors.surface);
    painter.setPen(colors.text2);
    painter.drawText(label, Qt::AlignCenter, text);
}

void ChartCard::resizeEvent(QResizeEvent*) {
    placeParts();
    placeTooltip();
}

void ChartCard::placeParts() {
    header_->setGeometry(1, 1, width() - 2, header_->height());
    const QRect body(1, kPlotTop, std::max(width() - 2, 80), std::max(height() - kPlotTop - 1, 60));  // QCustomPlot needs room
    plot_->setGeometry(body);
    if (table_ != nullptr) table_->setGeometry(body.adjusted(theme::kSpace4 - 1, 0, 1 - theme::kSpace4, -theme::kSpace2));
}

std::unique_ptr<ChartCard> ChartCard::snapshot(const theme::ThemeController& colors) const {
    auto copy = std::make_unique<ChartCard>(objectName(), colors);
    *copy->state_ = *state_;
    copy->state_->cursor.reset();
    copy->state_->highlighted = -1;
    copy->header_->setTitle(title());
    copy->smoothing_ = smoothing_;
    copy->plot_->rebuild();
    return copy;
}

// Marks come, go and are told anew while a run goes on.
const Marker* ChartCard::chosenMark() const {
    if (!mark_) return nullptr;
    const auto& all = state_->markers;
    auto found = std::find(all.begin(), all.end(), *mark_);
    if (found == all.end()) found = std::find_if(all.begin(), all.end(), [this](const Marker& one) { return isSame(one, *mark_); });
    return found == all.end() ? nullptr : &*found;
}

// Goes to the next mark of rising x after the one before, or after where that was; it is told by tooltip and to screen readers.
void ChartCard::goToMark(int direction) {
    if (state_->markers.empty()) return;
    std::vector<const Marker*> order;
    for (const Marker& one : state_->markers) order.push_back(&one);
    const auto xOf = [this](const Marker* one) { return state_->markerX(*one); };
    std::stable_sort(order.begin(), order.end(), [&](const Marker* a, const Marker* b) { return xOf(a) < xOf(b); });
    const auto count = static_cast<std::ptrdiff_t>(order.size());
    std::ptrdiff_t place = direction > 0 ? 0 : count - 1;
    if (const Marker* chosen = chosenMark(); chosen != nullptr) {
        place = std::find(order.begin(), order.end(), chosen) - order.begin() + direction;
    } else if (mark_) {
        const auto behind = std::upper_bound(order.begin(), order.end(), state_->markerX(*mark_),
                                             [&](double x, const Marker* one) { return x < xOf(one); });
        place = behind - order.begin() - (direction > 0 ? 0 : 1);
    }
    const Marker& marker = *order[static_cast<std::size_t>((place + count) % count)];
    mark_ = marker;
    const double x = xOf(&marker);
    const Range range = state_->visibleRange();
    if (x < range.lower || x > range.upper) axes_->panBy((x - (range.lower + range.upper) / 2) / range.size());
    setCursor(x);
    emit cursorMoved(x);
    setAccessibleDescription(marker.label.isEmpty() ? marker.tooltip : models::withName(marker.label, marker.tooltip));
    QToolTip::showText(
        plot_->mapToGlobal(plot_->pixelOf(x, 0).toPoint().x() > 0 ? QPoint(plot_->pixelOf(x, 0).toPoint().x(), 20) : QPoint()),
        marker.tooltip, this);
}

bool ChartCard::event(QEvent* event) {
    const bool override = event->type() == QEvent::ShortcutOverride;
    if (override || event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_T && key->modifiers() == (Qt::ControlModifier | Qt::ShiftModifier)) {
            event->accept();
            if (!override) setTableShown(!isTableShown());
            return true;
        }
    }
    return QWidget::event(event);
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
    const Qt::KeyboardModifiers held = event->modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier);
    const bool sideways = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
    const int way = event->key() == Qt::Key_Left ? -1 : 1;
    if (held == Qt::ControlModifier && sideways) return axes_->panBy(0.1 * way);
    if (held == Qt::AltModifier && sideways) {
        emit moveWanted(way);
        return;
    }
    if (held == Qt::ControlModifier && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)) {
        if (const Marker* chosen = chosenMark(); chosen != nullptr) {
            const Marker marker = *chosen;  // whoever acts on it may set others
            emit markerActivated(marker, plot_->mapToGlobal(QPoint(static_cast<int>(plot_->pixelOf(state_->markerX(marker), 0).x()), 20)));
        }
        return;
    }
    if (held != Qt::NoModifier) return QWidget::keyPressEvent(event);
    switch (event->key()) {
        case Qt::Key_L:
            if (event->modifiers() & Qt::ShiftModifier)
                return axes_->setXScale(state_->x_scale == XScale::kLog ? XScale::kLinear : XScale::kLog);
            axes_->setYScale(state_->y_scale == YScale::kLog ? YScale::kLinear : YScale::kLog);
            return;
        case Qt::Key_X:
            emit xAxisCycleWanted();
            return;
        case Qt::Key_0:
            axes_->reset();
            return;
        case Qt::Key_Left:
        case Qt::Key_Right:
            if (event->modifiers() & Qt::ShiftModifier) return moveCursorBy(event->key() == Qt::Key_Left ? -1 : 1);
            break;
        case Qt::Key_Return:
            emit expandWanted();
            return;
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            return axes_->zoomBy(0.8);
        case Qt::Key_Minus:
            return axes_->zoomBy(1.25);
        case Qt::Key_M:
            return goToMark(event->modifiers() & Qt::ShiftModifier ? -1 : 1);
        case Qt::Key_Menu:
            header_->moreButton().showMenu();
            return;
        case Qt::Key_Delete:
            if (removable_) {
                emit removeWanted();
                return;
            }
            break;
        default:
            break;
    }
    QWidget::keyPressEvent(event);
}

void ChartCard::focusInEvent(QFocusEvent* event) {
    keyboard_focus_ =
        event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason || event->reason() == Qt::ShortcutFocusReason;
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

#include "moc_chart_card.cpp"
