// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/cluster_canvas.h"

#include <algorithm>

#include "ui/widgets/painting.h"

namespace ui::canvas {

using theme::TextRole;
using widgets::paintText;

namespace {

constexpr int kMargin = theme::kSpace6, kInner = theme::kSpace5, kDotGrid = 24;
constexpr double kHeadHeight = 52, kCoreSide = 26, kCoreGap = 4, kCoresHeight = 46;
constexpr double kTaskNarrow = 148, kTaskMost = 360, kLinkRoom = 130, kLinkMost = 260, kLinkNarrow = 28, kMostSlack = 70;
constexpr double kTaskHead = 60, kFactRow = 32, kStateHeight = 34, kRowGap = 20;
constexpr int kMostCoresDrawn = 32, kMostColumns = 4;

double taskHeight(const TaskBox& box) {
    return kTaskHead + kFactRow * static_cast<double>(box.facts.size()) + kStateHeight + theme::kSpace3;
}

}  // namespace

ClusterCanvas::ClusterCanvas(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setObjectName("clusterCanvas");
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void ClusterCanvas::setHost(HostCard host) {
    host_ = std::move(host);
    QStringList names;
    for (const TaskBox& box : host_.tasks) names << QString::fromStdString(engine::spec::toString(box.task)) + ": " + box.state;
    setAccessibleName(host_.name);
    setAccessibleDescription(names.join(", "));
    setMinimumHeight(heightForWidth(width()));
    updateGeometry();
    update();
}

void ClusterCanvas::setEmptyText(const QString& text) {
    empty_text_ = text;
    update();
}

void ClusterCanvas::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    setMinimumHeight(heightForWidth(width()));
}

int ClusterCanvas::columns() const {
    const int count = std::max<int>(1, static_cast<int>(host_.tasks.size()));
    if (count == 2) return 2;
    const double room = width() - 2.0 * (kMargin + kInner);
    const int fit = static_cast<int>((room + kLinkNarrow) / (kTaskNarrow + kLinkNarrow));
    return std::clamp(std::min(fit, count), 1, kMostColumns);
}

int ClusterCanvas::heightForWidth(int) const {
    if (host_.tasks.empty()) return 200;
    const int rows = (static_cast<int>(host_.tasks.size()) + columns() - 1) / columns();
    return static_cast<int>(2 * kMargin + kHeadHeight + kCoresHeight + rows * taskHeight(host_.tasks.front()) + (rows - 1) * kRowGap +
                            kInner);
}

QRectF ClusterCanvas::cardRect() const {
    return QRectF(rect()).adjusted(kMargin, theme::kSpace2, -kMargin, -kMargin);
}

QRectF ClusterCanvas::taskRect(std::size_t index) const {
    const QRectF card = cardRect();
    const int across = columns();
    const double room = card.width() - 2 * kInner;
    const double gap = host_.tasks.size() == 2 ? std::clamp(room * 0.25, kLinkRoom, kLinkMost) : kLinkNarrow;
    double width = (room - (across - 1) * gap) / across;
    if (host_.tasks.size() == 1) width = std::min(width, kTaskMost);
    const auto column = static_cast<double>(index % static_cast<std::size_t>(across)),
               line = static_cast<double>(index / static_cast<std::size_t>(across));
    const int rows = (static_cast<int>(host_.tasks.size()) + across - 1) / across;
    const double top = card.top() + kHeadHeight + kCoresHeight;
    // Boxes take the card's height, up to a little more than their rows need.
    const double share = (card.bottom() - kInner - top - (rows - 1) * kRowGap) / rows;
    const double height = std::clamp(share, taskHeight(host_.tasks[index]), taskHeight(host_.tasks[index]) + kMostSlack);
    return {card.left() + kInner + column * (width + gap), top + line * (height + kRowGap), width, height};
}

void ClusterCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintGround(painter);
    if (host_.tasks.empty()) {
        paintText(painter, rect(), empty_text_, themes_.font(TextRole::kBody), themes_.theme().text2, Qt::AlignCenter);
        return;
    }
    paintHost(painter);
    paintLinks(painter);
    for (std::size_t i = 0; i < host_.tasks.size(); ++i) paintTask(painter, host_.tasks[i], taskRect(i));
}

void ClusterCanvas::paintGround(QPainter& painter) const {
    painter.fillRect(rect(), themes_.theme().window);
    painter.setPen(QPen(themes_.theme().border, 2));
    for (int y = kDotGrid / 2; y < height(); y += kDotGrid) {
        for (int x = kDotGrid / 2; x < width(); x += kDotGrid) painter.drawPoint(x, y);
    }
}

void ClusterCanvas::paintHost(QPainter& painter) const {
    const theme::Theme& t = themes_.theme();
    const QRectF card = cardRect();
    widgets::paintBox(painter, card, theme::kRadiusCard, t.surface, t.border_strong);
    themes_.paintIcon(painter, "laptop", QRectF(card.left() + kInner, card.top() + 15, 22, 22), t.text2);
    paintText(painter, QRectF(card.left() + 48, card.top() + 8, 320, 18), host_.name, themes_.font(TextRole::kStrong), t.text);
    paintText(painter, QRectF(card.left() + 48, card.top() + 26, 320, 18), host_.address, themes_.font(TextRole::kMono), t.text2);
    themes_.paintIcon(painter, "lock", QRectF(card.right() - kInner - 16, card.top() + 18, 16, 16), t.ok);
    paintText(painter, QRectF(card.right() - kInner - 24 - 240, card.top() + 16, 236, 20), host_.security, themes_.font(TextRole::kSmall),
              t.text2, Qt::AlignRight | Qt::AlignVCenter);
    paintCores(painter, QRectF(card.left() + kInner, card.top() + kHeadHeight + 2, card.width() - 2 * kInner, kCoreSide));
}

void ClusterCanvas::paintCores(QPainter& painter, const QRectF& row) const {
    const theme::Theme& t = themes_.theme();
    const QFont small = themes_.font(TextRole::kSmall);
    const double gpu_width = QFontMetricsF(small).horizontalAdvance(host_.gpu) + 34;
    const double words = QFontMetricsF(small).horizontalAdvance(host_.processor) + 24;
    const int fit = static_cast<int>((row.width() - gpu_width - words) / (kCoreSide + kCoreGap));
    const int drawn = std::clamp(host_.cores, 0, std::min(kMostCoresDrawn, std::max(fit, 0)));
    double left = row.left();
    std::size_t owner = 0;
    int used = 0;
    for (int core = 0; core < drawn; ++core) {
        while (owner < host_.tasks.size() && used >= host_.tasks[owner].cores) {
            ++owner;
            used = 0;
        }
        const QRectF square(left, row.top(), kCoreSide, kCoreSide);
        const bool held = owner < host_.tasks.size();
        QColor edge = held ? t.taskColor(host_.tasks[owner].task) : t.border_strong;
        QColor ground = held ? edge : t.sunken;
        if (held) ground.setAlphaF(0.18f);
        widgets::paintBox(painter, square, theme::kRadiusSmall, ground, edge, held ? 1.5 : 1);
        paintText(painter, square, QString::number(core), themes_.font(TextRole::kMonoTick), t.text, Qt::AlignCenter);
        left += kCoreSide + kCoreGap;
        ++used;
    }
    paintText(painter, QRectF(left + theme::kSpace2, row.top(), words, row.height()), host_.processor, small, t.text2);
    if (host_.gpu.isEmpty()) return;
    const QRectF pill(row.right() - gpu_width, row.top() + 1, gpu_width, kCoreSide - 2);
    widgets::paintBox(painter, pill, theme::kRadiusSmall, t.sunken, QColor());
    themes_.paintIcon(painter, "info", QRectF(pill.left() + 8, pill.center().y() - 7, 14, 14), t.text2);
    paintText(painter, pill.adjusted(26, 0, -4, 0), host_.gpu, small, t.text2);
}

void ClusterCanvas::paintTask(QPainter& painter, const TaskBox& box, const QRectF& rect) const {
    const theme::Theme& t = themes_.theme();
    const QColor color = t.taskColor(box.task);
    widgets::paintBox(painter, rect, theme::kRadiusCard, t.surface, QColor());
    const QRectF foot(rect.left() + 2, rect.bottom() - kStateHeight, rect.width() - 4, kStateHeight - 2);
    painter.fillRect(foot, t.sunken);
    widgets::paintBox(painter, rect, theme::kRadiusCard, QColor(), color, 2);
    widgets::paintTaskChip(painter, themes_, QRectF(rect.left() + 14, rect.top() + 13, 32, 32), box.task);
    const QString name = QString::fromStdString(engine::spec::toString(box.task));
    paintText(painter, QRectF(rect.left() + 56, rect.top() + 12, rect.width() - 64, 18), name, themes_.font(TextRole::kStrong), t.text);
    paintText(painter, QRectF(rect.left() + 56, rect.top() + 30, rect.width() - 64, 18), box.address, themes_.font(TextRole::kMono),
              t.text2);
    const double left = rect.left() + 14, width = rect.width() - 28;
    painter.fillRect(QRectF(left, rect.top() + kTaskHead - 2, width, 1), t.border);
    double top = rect.top() + kTaskHead + theme::kSpace1;
    for (const auto& [label, value] : box.facts) {
        const QFont small = themes_.font(TextRole::kSmall);
        const QRectF row(left, top, width, kFactRow);
        const double label_width = QFontMetricsF(small).horizontalAdvance(label) + 8;
        paintText(painter, row, label, small, t.text2);
        const bool number = std::any_of(value.begin(), value.end(), [](QChar c) { return c.isDigit(); });
        paintText(painter, row.adjusted(label_width, 0, 0, 0), value, themes_.font(number ? TextRole::kMono : TextRole::kSmallMedium),
                  t.text, Qt::AlignRight | Qt::AlignVCenter);
        top += kFactRow;
    }
    widgets::paintDot(painter, QPointF(foot.left() + 18, foot.center().y()), box.state_filled ? 4 : 3.5, box.state_color, box.state_filled);
    paintText(painter, foot.adjusted(30, 0, -6, 0), box.state, themes_.font(TextRole::kSmall), t.text2);
}

// Two tasks: a ring with its load in words. More: an arrow from each to the next in rank order, the last one back to the first.
void ClusterCanvas::paintLinks(QPainter& painter) const {
    const theme::Theme& t = themes_.theme();
    if (host_.tasks.size() < 2) return;
    if (host_.tasks.size() == 2) {
        const QRectF a = taskRect(0), b = taskRect(1);
        const QPointF middle((a.right() + b.left()) / 2, a.center().y() - kStateHeight / 2);
        const QPointF side(0, 26);
        widgets::paintArcArrow(painter, QPointF(a.right() + 2, middle.y()) - side, QPointF(b.left() - 2, middle.y()) - side, -28,
                               t.accent_fill);
        widgets::paintArcArrow(painter, QPointF(b.left() - 2, middle.y()) + side, QPointF(a.right() + 2, middle.y()) + side, 28,
                               t.accent_fill);
        paintText(painter, QRectF(a.right(), middle.y() - 19, b.left() - a.right(), 18), host_.ring, themes_.font(TextRole::kStrong),
                  t.text, Qt::AlignCenter);
        paintText(painter, QRectF(a.right(), middle.y(), b.left() - a.right(), 18), host_.bytes, themes_.font(TextRole::kSmall), t.text2,
                  Qt::AlignCenter);
        return;
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(t.accent_fill, 2));
    painter.setBrush(t.accent_fill);
    for (std::size_t i = 0; i + 1 < host_.tasks.size(); ++i) {
        const QRectF a = taskRect(i), b = taskRect(i + 1);
        if (b.left() < a.right()) continue;  // next row: the chips' order tells it
        const double y = a.center().y();
        painter.drawLine(QPointF(a.right() + 3, y), QPointF(b.left() - 8, y));
        painter.drawPolygon(QPolygonF({{b.left() - 3, y}, {b.left() - 10, y - 4}, {b.left() - 10, y + 4}}));
    }
    painter.restore();
    const QRectF card = cardRect();
    paintText(painter, QRectF(card.left() + 370, card.top() + 16, card.width() - 370 - 200, 20), host_.ring + "  ·  " + host_.bytes,
              themes_.font(TextRole::kSmall), t.text2);
}

}  // namespace ui::canvas
