// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parts/delegates.h"

#include <QAbstractItemModel>
#include <QMouseEvent>

#include "ui/models/check_list_model.h"
#include "ui/models/recent_model.h"
#include "ui/parts/run_group.h"
#include "ui/session/values.h"
#include "ui/widgets/painting.h"

namespace ui::views {

using theme::TextRole;
using widgets::paintText;

namespace {

constexpr int kRecentRow = 50, kTwoLineRow = 46, kOneLineRow = 28, kProblemRow = 28, kSparklineRow = 700;
constexpr QSize kSparkline{84, 26};

std::pair<QString, QColor> markOf(const theme::Theme& t, models::CheckState state) {
    switch (state) {
        case models::CheckState::kOk:
            return {"check-circle", t.ok};
        case models::CheckState::kInfo:
            return {"info", t.accent};
        case models::CheckState::kWarning:
            return {"warning", t.warn};
        case models::CheckState::kError:
            return {"error", t.err};
        case models::CheckState::kPending:
            return {"clock", t.text3};
    }
    return {"info", t.text2};
}

QColor rowGround(const theme::Theme& t, const QStyleOptionViewItem& option) {
    if (option.state & QStyle::State_Selected) return t.accent_tint;
    if (option.state & QStyle::State_MouseOver) return t.mixed(t.surface, 4);
    return {};
}

QFont fixFont(const theme::ThemeController& themes) {
    return themes.font(TextRole::kSmallMedium);
}

}  // namespace

CheckDelegate::CheckDelegate(const theme::ThemeController& themes, Density density, QObject* parent)
    : QStyledItemDelegate(parent), themes_(themes), density_(density) {}

QSize CheckDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
    return {120, density_ == Density::kTwoLines ? kTwoLineRow : density_ == Density::kOneLine ? kOneLineRow : kProblemRow};
}

QRect CheckDelegate::fixRect(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const QString fix = index.data(models::CheckListModel::kFixRole).toString();
    if (fix.isEmpty()) return {};
    const int width = QFontMetrics(fixFont(themes_)).horizontalAdvance(fix) + 1;
    return {option.rect.right() - width - (density_ == Density::kProblem ? 20 : 0), option.rect.top(), width, option.rect.height()};
}

void CheckDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const theme::Theme& t = themes_.theme();
    const auto [icon, ink] = markOf(t, static_cast<models::CheckState>(index.data(models::CheckListModel::kStateRole).toInt()));
    const QString title = index.data(Qt::DisplayRole).toString(), detail = index.data(models::CheckListModel::kDetailRole).toString();
    const QRectF row(option.rect);
    const double margin = density_ == Density::kProblem ? theme::kSpace6 : 0;
    if (density_ == Density::kProblem) {
        if (const QColor ground = rowGround(t, option); ground.isValid()) painter->fillRect(option.rect, ground);
    }
    themes_.paintIcon(*painter, icon, QRectF(row.left() + margin, row.center().y() - 8, 16, 16), ink);
    const QRect fix = fixRect(option, index);
    const double left = row.left() + margin + (density_ == Density::kOneLine ? 24 : 28);
    const double right = (fix.isEmpty() ? row.right() - margin : fix.left() - theme::kSpace2);
    if (density_ == Density::kTwoLines) {
        paintText(*painter, QRectF(left, row.top() + 4, right - left, 18), title, themes_.font(TextRole::kButton), t.text);
        paintText(*painter, QRectF(left, row.top() + 22, right - left, 18), detail, themes_.font(TextRole::kSmall), t.text2);
    } else if (density_ == Density::kOneLine) {
        paintText(*painter, QRectF(left, row.top(), right - left, row.height()), title, themes_.font(TextRole::kSmall), t.text);
    } else {
        const QFont font = themes_.font(TextRole::kSmall);
        const double width = std::min(QFontMetricsF(font).horizontalAdvance(title) + 1, right - left);
        paintText(*painter, QRectF(left, row.top(), width, row.height()), title, font, t.text);
        paintText(*painter, QRectF(left + width + 16, row.top(), right - left - width - 16, row.height()), detail,
                  themes_.font(TextRole::kMono), t.text3);
    }
    if (!fix.isEmpty()) paintText(*painter, fix, index.data(models::CheckListModel::kFixRole).toString(), fixFont(themes_), t.accent);
}

bool CheckDelegate::editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option, const QModelIndex& index) {
    if (event->type() == QEvent::MouseButtonRelease && fixRect(option, index).contains(static_cast<QMouseEvent*>(event)->pos())) {
        emit fixClicked(index);
        return true;
    }
    return QStyledItemDelegate::editorEvent(event, model, option, index);
}

// Paints the whole curve in a small box, with a dot at its last point.
void paintSparkline(QPainter& painter, const QRectF& box, const QList<double>& curve, const QColor& color) {
    if (curve.size() < 2) return;
    const auto [low, high] = std::minmax_element(curve.begin(), curve.end());
    const double span = *high > *low ? *high - *low : 1;
    QPolygonF line;
    for (qsizetype i = 0; i < curve.size(); ++i) {
        line << QPointF(box.left() + box.width() * static_cast<double>(i) / static_cast<double>(curve.size() - 1),
                        box.bottom() - box.height() * (curve[i] - *low) / span);
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line);
    widgets::paintDot(painter, line.last(), 2.5, color);
    painter.restore();
}

QSize RecentDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
    return {300, kRecentRow};
}

void RecentDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const theme::Theme& t = themes_.theme();
    const QRectF row(option.rect);
    if (const QColor ground = rowGround(t, option); ground.isValid()) painter->fillRect(option.rect, ground);
    if (option.state & QStyle::State_HasFocus) widgets::paintBox(*painter, row.adjusted(1, 1, -1, -1), 6, QColor(), t.accent, 2);
    if (index.row() > 0) painter->fillRect(QRectF(row.left(), row.top(), row.width(), 1), t.border);
    themes_.paintIcon(*painter, "file", QRectF(row.left() + 18, row.center().y() - 9, 18, 18), t.text2);
    const double name_left = row.left() + 48, strategy_left = row.left() + row.width() * 0.38,
                 metric_left = row.left() + row.width() * 0.70;
    paintText(*painter, QRectF(name_left, row.top() + 7, strategy_left - name_left - 16, 18), index.data(Qt::DisplayRole).toString(),
              themes_.font(TextRole::kStrong), t.text);
    paintText(*painter, QRectF(name_left, row.top() + 26, strategy_left - name_left - 16, 16),
              index.data(models::RecentModel::kPathRole).toString(), themes_.font(TextRole::kSmall), t.text2);
    paintText(*painter,
              QRectF(strategy_left, row.top(), metric_left - strategy_left - (row.width() >= kSparklineRow ? kSparkline.width() + 24 : 16),
                     row.height()),
              index.data(models::RecentModel::kStrategyRole).toString(), themes_.font(TextRole::kSmall), t.text2);
    const QColor color = t.seriesColor(index.data(models::RecentModel::kColorRole).toInt());
    const auto curve = index.data(models::RecentModel::kCurveRole).value<QList<double>>();
    if (row.width() >= kSparklineRow) {
        paintSparkline(*painter,
                       QRectF(metric_left - kSparkline.width() - 16, row.center().y() - kSparkline.height() / 2.0, kSparkline.width(),
                              kSparkline.height())
                           .adjusted(2, 3, -4, -3),
                       curve, color);
    }
    if (const QString metric = index.data(models::RecentModel::kMetricRole).toString(); !metric.isEmpty()) {
        paintText(*painter, QRectF(metric_left, row.top() + 7, 110, 18), metric, themes_.font(TextRole::kMonoField), t.text);
        paintText(*painter, QRectF(metric_left, row.top() + 26, 110, 16), index.data(models::RecentModel::kMetricNameRole).toString(),
                  themes_.font(TextRole::kTick), t.text2);
    }
    const auto phase = static_cast<session::RunState>(index.data(models::RecentModel::kPhaseRole).toInt());
    const QString when = index.data(models::RecentModel::kWhenRole).toString();
    const QFont font = themes_.font(TextRole::kSmall);
    const double width = QFontMetricsF(font).horizontalAdvance(when) + 1;
    paintText(*painter, QRectF(row.right() - 16 - width, row.top(), width, row.height()), when, font, t.text2);
    if (isActive(phase)) widgets::paintDot(*painter, QPointF(row.right() - 16 - width - 9, row.center().y()), 4, phaseColor(t, phase));
}

}  // namespace ui::views

#include "moc_delegates.cpp"
