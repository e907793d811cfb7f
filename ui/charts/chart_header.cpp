// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_header.h"

#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>

#include "ui/charts/chart_plot.h"
#include "ui/charts/legend_sample.h"
#include "ui/models/finding_text.h"
#include "ui/theme/theme_controller.h"

namespace ui::charts {

using theme::TextRole;

namespace {

constexpr int kMargin = 14, kTool = 26, kSample = 16;

QToolButton* tool(QWidget* parent, const theme::ThemeController& theme, const char* icon, const char* name) {
    auto* button = new QToolButton(parent);
    button->setObjectName(QLatin1String(name));
    button->setAutoRaise(true);
    button->setIcon(theme.icon(QLatin1String(icon)));
    button->setIconSize({16, 16});
    button->setProperty("kind", QStringLiteral("ghost"));
    button->setProperty("compact", true);
    button->setFixedSize(kTool, kTool);
    return button;
}

}  // namespace

ChartHeader::ChartHeader(const ChartState& state, const theme::ThemeController& theme, QWidget* parent)
    : QWidget(parent),
      state_(state),
      theme_(theme),
      pin_(tool(this, theme, "pin", "chartPin")),
      expand_(tool(this, theme, "expand", "chartExpand")),
      more_(tool(this, theme, "more", "chartMore")) {
    pin_->setCheckable(true);
    more_->setPopupMode(QToolButton::InstantPopup);
    setMouseTracking(true);
    setFixedHeight(34);
    retranslate();
}

void ChartHeader::setTitle(const QString& title) {
    title_ = title;
    retranslate();
    update();
}

void ChartHeader::retranslate() {
    pin_->setToolTip(tr("Pin to the top"));
    expand_->setToolTip(tr("Full size (Esc leaves)"));
    more_->setToolTip(tr("More"));
    for (QToolButton* button : {pin_, expand_, more_}) button->setAccessibleName(models::withName(title_, button->toolTip()));
}

void ChartHeader::resizeEvent(QResizeEvent*) {
    int x = width() - 10 - kTool;
    for (QToolButton* button : {more_, expand_, pin_}) {
        button->move(x, 6);
        x -= kTool;
    }
}

void ChartHeader::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintOn(painter, pin_->isVisible() ? pin_->x() - 8.0 : width() - 8.0);
}

void ChartHeader::paintOn(QPainter& painter, double limit) {
    painter.setRenderHint(QPainter::Antialiasing);
    const theme::Theme& colors = theme_.theme();
    const double middle = 19;
    painter.setFont(theme_.font(TextRole::kStrong));
    painter.setPen(colors.text);
    double x = kMargin;
    const double title_width = QFontMetricsF(painter.font()).horizontalAdvance(title_);
    painter.drawText(QRectF(x, middle - 10, title_width + 2, 20), Qt::AlignLeft | Qt::AlignVCenter, title_);
    x += title_width + 16;
    entries_.clear();
    if (state_.empty()) return;

    const QFont name_font = theme_.font(TextRole::kSmall);
    const QFont value_font = theme_.font(TextRole::kMono);
    struct Entry {
        const ChartSeries* series;
        QString value;
        double name_width, value_width;
    };
    std::vector<Entry> entries;
    double names = 0;
    for (const ChartSeries& one : state_.series) {
        if (one.points.empty()) continue;
        Entry entry{&one, {}, QFontMetricsF(name_font).horizontalAdvance(one.name), 0};
        if (!one.style.task) {
            entry.value = one.points.notFiniteSince() ? QStringLiteral("NaN")
                                                      : formatValue(one.style.format, one.points.at(one.points.size() - 1).value);
            entry.value_width = QFontMetricsF(value_font).horizontalAdvance(entry.value) + 6;
        }
        if (!one.style.task) names += kSample + 6 + entry.name_width + 16;
        entries.push_back(std::move(entry));
    }
    // The names come first, then the values as far as there is room: the tooltip tells those too. Tasks have their names at the curves'
    // ends and come last. When not even the names fit, the first series stand whole.
    double room = limit - (x + names - 16);
    if (room < 0) room = limit;
    entries_.resize(state_.series.size());
    for (const Entry& entry : entries) {
        const double value_width = entry.value_width <= room ? entry.value_width : 0;
        room = value_width < entry.value_width ? 0 : room - value_width;
        const double width = kSample + 6 + entry.name_width + value_width;
        if (x + width > limit) break;
        paintLegendSample(painter, QRectF(x, middle - 6, kSample, 12), entry.series->style, colors);
        painter.setFont(name_font);
        painter.setPen(colors.text2);
        painter.drawText(QRectF(x + kSample + 6, middle - 10, entry.name_width + 2, 20), Qt::AlignLeft | Qt::AlignVCenter,
                         entry.series->name);
        if (value_width > 0) {
            painter.setFont(value_font);
            painter.setPen(colors.text);
            painter.drawText(QRectF(x + kSample + 6 + entry.name_width + 6, middle - 10, value_width + 2, 20),
                             Qt::AlignLeft | Qt::AlignVCenter, entry.value);
        }
        entries_[static_cast<std::size_t>(entry.series - state_.series.data())] = QRectF(x, middle - 12, width, 24);
        x += width + 16;
    }
}

void ChartHeader::mouseMoveEvent(QMouseEvent* event) {
    int hovered = -1;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (entries_[i].contains(event->position())) hovered = static_cast<int>(i);
    }
    emit seriesHovered(hovered);
}

void ChartHeader::leaveEvent(QEvent*) {
    emit seriesHovered(-1);
}

}  // namespace ui::charts

#include "moc_chart_header.cpp"
