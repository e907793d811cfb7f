// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPaintEvent>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <map>

#include "ui/canvas/cluster_canvas.h"
#include "ui/canvas/cluster_canvas_sizes.h"
#include "ui/widgets/painting.h"

namespace ui::canvas {

using namespace cluster_sizes;
using engine::spec::TaskId;
using theme::TextRole;
using widgets::paintText;

namespace {

constexpr double kUnderRow = 7;          // how far from the boxes a line runs
constexpr double kBeside = 9;            // clear of the ring's arrow head
constexpr double kAside = 5, kLane = 4;  // of what comes and goes at one box; of lines in the gap between the columns
constexpr double kLeastCorePitch = 22;   // two digits and the gap

void paintArrowHead(QPainter& painter, const QPointF& tip, const QPointF& direction) {
    const QPointF side(-direction.y(), direction.x());
    painter.drawPolygon(QPolygonF({tip, tip - direction * 7 + side * 4, tip - direction * 7 - side * 4}));
}

void paintWay(QPainter& painter, const QPainterPath& path, const QPointF& tip, const QPointF& direction, bool arrow) {
    painter.save();
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
    if (arrow) {
        painter.setBrush(painter.pen().color());
        painter.setPen(Qt::NoPen);
        paintArrowHead(painter, tip, direction);
    }
    painter.restore();
}

// The lane of a kind of lines, so that no two kinds lie on each other: the outer one runs beside the middle of a box's edge and further
// from the box.
enum class Lane { kInner, kOuter };

double lift(Lane lane) {
    return lane == Lane::kOuter ? kAside : 0;
}

double beside(Lane lane) {
    return lane == Lane::kOuter ? kBeside : 0;
}

// Paints the line from one box to another of its card: straight between neighbours of a row, through the gap between rows, under a row or
// past the boxes of a column.
void paintConnector(QPainter& painter, const QRectF& a, const QRectF& b, bool arrow, Lane lane) {
    QPainterPath path;
    QPointF tip, direction;
    const double head = arrow ? 6 : 0, aside = lift(lane);
    const double from_x = a.center().x() - beside(lane), to_x = b.center().x() - beside(lane);
    const bool same_row = std::abs(a.center().y() - b.center().y()) < 2;
    if (same_row && b.left() > a.right() && b.left() - a.right() < 60) {
        path.moveTo(a.right() + 3, a.center().y() + aside);
        tip = {b.left() - 3, b.center().y() + aside};
        direction = {1, 0};
        path.lineTo(tip - direction * head);
    } else if (same_row) {  // under the row
        const double under = std::max(a.bottom(), b.bottom()) + kUnderRow + aside;
        path.moveTo(from_x, a.bottom() + 2);
        path.lineTo(from_x, under);
        path.lineTo(to_x, under);
        tip = {to_x, b.bottom() + 2};
        direction = {0, -1};
        path.lineTo(tip - direction * head);
    } else if (b.top() > a.bottom() && b.top() - a.bottom() < 40) {  // into the next row
        const double under = a.bottom() + kUnderRow + aside;
        path.moveTo(from_x, a.bottom() + 2);
        path.lineTo(from_x, under);
        path.lineTo(to_x, under);
        tip = {to_x, b.top() - 2};
        direction = {0, 1};
        path.lineTo(tip - direction * std::min(head, std::max(0.0, tip.y() - under)));
    } else {  // past what lies between, at the left
        const double left = std::min(a.left(), b.left()), past = left - kUnderRow - aside, under = a.bottom() + kUnderRow + aside;
        const bool first_column = a.left() - left < 2;
        path.moveTo(first_column ? QPointF(a.left() - 2, a.center().y() + aside) : QPointF(from_x, a.bottom() + 2));
        path.lineTo(first_column ? QPointF(past, a.center().y() + aside) : QPointF(from_x, under));
        if (!first_column) path.lineTo(past, under);
        path.lineTo(past, b.center().y() + aside);
        tip = {b.left() - 2, b.center().y() + aside};
        direction = {1, 0};
        path.lineTo(tip - direction * head);
    }
    paintWay(painter, path, tip, direction, arrow);
}

// A box with what stands beside it in its card.
struct Place {
    QRectF box;
    const std::vector<QRectF>& boxes;
    bool is_left;  // the card is the left column's
};

// Returns the corners from a box to the gap between the columns: sideways, or below its row when another box stands in the way.
QPolygonF wayOut(const Place& from, double gap, double aside) {
    const QRectF& box = from.box;
    const double y = box.center().y() + aside;
    const bool blocked = std::any_of(from.boxes.begin(), from.boxes.end(), [&](const QRectF& other) {
        const bool beside = from.is_left ? other.left() > box.right() : other.right() < box.left();
        return beside && other.top() < y && y < other.bottom();
    });
    if (!blocked) return {{QPointF(from.is_left ? box.right() + 2 : box.left() - 2, y), QPointF(gap, y)}};
    const double x = box.center().x() + aside, under = box.bottom() + kUnderRow;
    return {{QPointF(x, box.bottom() + 2), QPointF(x, under), QPointF(gap, under)}};
}

// Paints the line from card to card through the gap between the columns, never over what a card says.
void paintBetweenCards(QPainter& painter, const Place& from, const Place& to, double gap, bool arrow, Lane lane) {
    QPolygonF way = wayOut(from, gap, kAside + lift(lane)), back = wayOut(to, gap, -kAside - lift(lane));
    std::reverse(back.begin(), back.end());
    way += back;
    const QPointF tip = way.back(), last = tip - way[way.size() - 2];
    const QPointF direction = last / std::max(1.0, std::hypot(last.x(), last.y()));
    if (arrow) way.back() -= direction * 6;
    QPainterPath path;
    path.addPolygon(way);
    paintWay(painter, path, tip, direction, arrow);
}

}  // namespace

// Leaves out what lies outside the part that is painted: of a thousand tasks some thirty are in sight.
void ClusterCanvas::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    const QRectF part = QRectF(event->rect()).adjusted(-2, -2, 2, 2);
    paintGround(painter, event->rect());
    for (std::size_t h = 0; h < picture_.hosts.size(); ++h) {
        if (host_rects_[h].intersects(part)) paintHost(painter, h);
    }
    if (!add_rect_.isNull()) paintAddHost(painter);
    paintLinks(painter, part);
    for (std::size_t h = 0; h < picture_.hosts.size(); ++h) {
        if (!host_rects_[h].intersects(part)) continue;
        const bool small = compact(picture_.hosts[h], host_rects_[h].width());
        for (std::size_t t = 0; t < task_rects_[h].size(); ++t) {
            if (task_rects_[h][t].intersects(part)) paintTask(painter, picture_.hosts[h].tasks[t], task_rects_[h][t], small);
        }
    }
    paintHover(painter);
    if (dragging_) paintDrag(painter);
}

void ClusterCanvas::paintGround(QPainter& painter, const QRect& part) const {
    painter.fillRect(part, themes_.theme().window);
    painter.setPen(QPen(themes_.theme().border, 2));
    const auto firstDot = [](int from) { return std::max(0, (from - 1 - kDotGrid / 2) / kDotGrid) * kDotGrid + kDotGrid / 2; };
    for (int y = firstDot(part.top()); y <= part.bottom() + 1; y += kDotGrid) {
        for (int x = firstDot(part.left()); x <= part.right() + 1; x += kDotGrid) painter.drawPoint(x, y);
    }
}

void ClusterCanvas::paintHost(QPainter& painter, std::size_t index) const {
    const theme::Theme& t = themes_.theme();
    const HostCard& host = picture_.hosts[index];
    const QRectF card = host_rects_[index];
    const bool wrong = !host.problem.isEmpty();
    widgets::paintBox(painter, card, theme::kRadiusCard, t.surface, wrong ? t.err : t.border_strong, wrong ? 2 : 1);
    themes_.paintIcon(painter, host.is_here ? "laptop" : "server", QRectF(card.left() + kInner, card.top() + 15, 22, 22), t.text2);
    const double cross = host.is_here ? 0 : kCrossSide + 4;
    const Head head = headOf(host, card.width());
    themes_.paintIcon(painter, wrong ? "error" : "lock",
                      QRectF(card.right() - kInner - cross - 16, card.top() + (head.aside_below ? 9 : 18), 16, 16),
                      wrong         ? t.err
                      : host.secure ? t.ok
                                    : t.warn);
    const QString& aside = wrong ? host.problem : host.security;
    const QRectF aside_box = head.aside_below
                                 ? QRectF(card.left() + kHostTextLeft, card.top() + 44, head.aside_width, kHeadRow)
                                 : QRectF(card.right() - kInner - cross - 24 - head.aside_width, card.top() + 16, head.aside_width, 20);
    paintText(painter, aside_box, aside, themes_.font(TextRole::kSmall), wrong ? t.err : t.text2,
              (head.aside_below ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    paintText(painter, QRectF(card.left() + kHostTextLeft, card.top() + 8, head.text_width, kHeadRow), host.name,
              themes_.font(TextRole::kStrong), t.text);
    const double address_width = head.aside_below ? head.aside_width : head.text_width;  // below the icons, where nothing is beside it
    paintText(painter, QRectF(card.left() + kHostTextLeft, card.top() + 26, address_width, kHeadRow), host.address,
              themes_.font(TextRole::kMono), t.text2);
    const double below = card.top() + head.height;
    if (host.is_here) {
        paintInventory(painter, host, QRectF(card.left() + kInner, below + 2, card.width() - 2 * kInner, kCoreSide));
    } else if (!host.note.isEmpty()) {
        painter.setFont(themes_.font(TextRole::kSmall));
        painter.setPen(t.text2);
        painter.drawText(QRectF(card.left() + kInner, below - 2, card.width() - 2 * kInner, noteHeight(host, card.width()) - 4),
                         Qt::TextWordWrap, host.note);
    }
    if (host.progress >= 0) {
        const QRectF track(card.left() + kInner, below + noteHeight(host, card.width()), card.width() - 2 * kInner, kProgressBar);
        widgets::paintBox(painter, track, kProgressBar / 2, t.sunken, t.border);
        if (host.progress > 0)
            widgets::paintBox(painter, QRectF(track.topLeft(), QSizeF(track.width() * std::min(host.progress, 1.0), track.height())),
                              kProgressBar / 2, t.accent_fill, QColor());
    }
    if (const QRectF link = linkRect(index); !link.isNull()) {
        widgets::paintBox(painter, link, theme::kRadiusControl, link.contains(drag_) ? t.mixed(t.surface, 4) : t.surface, t.border_strong);
        paintText(painter, link, host.action, themes_.font(TextRole::kButton), t.text, Qt::AlignCenter);
    }
    if (host.tasks.empty()) {
        const double top = below + inventoryHeight(host, card.width());
        const QRectF well(card.left() + kInner, top, card.width() - 2 * kInner, card.bottom() - kInner - top);
        painter.save();
        QPen dashes(t.control, 1);
        dashes.setDashPattern({4, 3});
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(dashes);
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(well.adjusted(0.5, 0.5, -0.5, -0.5), theme::kRadiusSmall, theme::kRadiusSmall);
        painter.restore();
        paintText(painter, well, tr("drop a task here"), themes_.font(TextRole::kSmall), t.text2, Qt::AlignCenter);
    }
    if (dragging_ && hostAt(drag_) == static_cast<int>(index) && index != chosen_.host) {
        widgets::paintBox(painter, card, theme::kRadiusCard, QColor(), t.accent, 2);
    }
}

void ClusterCanvas::paintInventory(QPainter& painter, const HostCard& host, const QRectF& row) const {
    const theme::Theme& t = themes_.theme();
    const QFont small = themes_.font(TextRole::kSmall);
    const double gpu_width = host.gpu.isEmpty() ? 0 : std::min(QFontMetricsF(small).horizontalAdvance(host.gpu) + 34, row.width() / 3);
    const double words = QFontMetricsF(small).horizontalAdvance(host.processor) + 24;
    const double room = std::max(row.width() - gpu_width - words, 0.0);
    const int squares = host.cores + host.gpus;
    // Narrower where there is little room; what has none even so is an ellipsis.
    const double pitch = std::clamp(room / std::max(squares, 1), kLeastCorePitch, double(kCoreSide + kCoreGap));
    const int drawn = std::min({squares, kMostCoresDrawn, static_cast<int>(room / pitch + 1e-6)});
    double left = row.left();
    std::size_t owner = 0;
    int used = 0;
    for (int square = 0; square < drawn; ++square) {
        while (owner < host.tasks.size() && used >= host.tasks[owner].cores) {
            ++owner;
            used = 0;
        }
        const bool gpu = square >= host.cores;
        const QRectF box(left, row.top(), pitch - kCoreGap, kCoreSide);
        const bool more = square + 1 == drawn && drawn < squares;
        const bool held = !gpu && !more && owner < host.tasks.size();
        const QColor edge = held ? t.taskColor(host.tasks[owner].task) : t.border_strong;
        QColor ground = held ? edge : t.sunken;
        if (held) ground.setAlphaF(0.18f);
        widgets::paintBox(painter, box, theme::kRadiusSmall, ground, edge, held ? 1.5 : 1);
        const QString name = more ? QString(QChar(0x2026)) : gpu ? QStringLiteral("G%1").arg(square - host.cores) : QString::number(square);
        paintText(painter, box, name, themes_.font(TextRole::kMonoTick), t.text, Qt::AlignCenter);
        left += pitch;
        ++used;
    }
    paintText(painter, QRectF(left + theme::kSpace2, row.top(), row.right() - gpu_width - left - theme::kSpace2, row.height()),
              host.processor, small, t.text2);
    if (host.gpu.isEmpty()) return;
    const QRectF pill(row.right() - gpu_width, row.top() + 1, gpu_width, kCoreSide - 2);
    widgets::paintBox(painter, pill, theme::kRadiusSmall, t.sunken, QColor());
    themes_.paintIcon(painter, "info", QRectF(pill.left() + 8, pill.center().y() - 7, 14, 14), t.text2);
    paintText(painter, pill.adjusted(26, 0, -4, 0), host.gpu, small, t.text2);
}

void ClusterCanvas::paintTask(QPainter& painter, const TaskBox& box, const QRectF& rect, bool compact) const {
    const theme::Theme& t = themes_.theme();
    const QColor color = t.taskColor(box.task);
    const bool wrong = !box.problem.isEmpty();
    const QString name = QString::fromStdString(engine::spec::toString(box.task));
    widgets::paintBox(painter, rect, theme::kRadiusCard, t.surface, QColor());
    if (compact) {
        widgets::paintBox(painter, rect, theme::kRadiusCard, QColor(), wrong ? t.err : color, 2);
        widgets::paintTaskChip(painter, themes_, QRectF(rect.left() + 10, rect.center().y() - 14, 28, 28), box.task);
        const double width = rect.width() - kCompactTextLeft - kCrossSide - 8;
        paintText(painter, QRectF(rect.left() + kCompactTextLeft, rect.top() + 7, width, 18), name, themes_.font(TextRole::kStrong),
                  t.text);
        const double room = rect.width() - kCompactTextLeft - 28;
        const QFont mono = themes_.font(TextRole::kMono), small = themes_.font(TextRole::kSmall);
        const double used = QFontMetricsF(mono).horizontalAdvance(box.address) + theme::kSpace2;
        paintText(painter, QRectF(rect.left() + kCompactTextLeft, rect.top() + 26, room, 18), box.address, mono, wrong ? t.err : t.text2);
        if (used + QFontMetricsF(small).horizontalAdvance(box.brief) <= room) {
            paintText(painter, QRectF(rect.left() + kCompactTextLeft + used, rect.top() + 26, room - used, 18), box.brief, small, t.text2);
        }
        widgets::paintDot(painter, QPointF(rect.right() - 18, rect.bottom() - 16), box.state_filled ? 4 : 3.5, box.state_color,
                          box.state_filled);
        return;
    }
    const QRectF foot(rect.left() + 2, rect.bottom() - kStateHeight, rect.width() - 4, kStateHeight - 2);
    painter.fillRect(foot, t.sunken);
    widgets::paintBox(painter, rect, theme::kRadiusCard, QColor(), wrong ? t.err : color, 2);
    widgets::paintTaskChip(painter, themes_, QRectF(rect.left() + 14, rect.top() + 13, 32, 32), box.task);
    const double text_width = rect.width() - kTaskTextLeft - kCrossSide - 8;
    paintText(painter, QRectF(rect.left() + kTaskTextLeft, rect.top() + 12, text_width, 18), name, themes_.font(TextRole::kStrong), t.text);
    paintText(painter, QRectF(rect.left() + kTaskTextLeft, rect.top() + 30, text_width, 18), box.address, themes_.font(TextRole::kMono),
              wrong ? t.err : t.text2);
    if (picture_.can_edit) themes_.paintIcon(painter, "grip", QRectF(rect.right() - 26, rect.top() + 15, 16, 16), t.text3);
    const double left = rect.left() + 14, width = rect.width() - 28;
    painter.fillRect(QRectF(left, rect.top() + kTaskHead - 2, width, 1), t.border);
    double top = rect.top() + kTaskHead + theme::kSpace1;
    const QFont small = themes_.font(TextRole::kSmall);
    for (const auto& [label, value] : box.facts) {
        const QRectF row(left, top, width, kFactRow);
        const double label_width = QFontMetricsF(small).horizontalAdvance(label) + 8;
        paintText(painter, row, label, small, t.text2);
        const bool number = std::any_of(value.begin(), value.end(), [](QChar c) { return c.isDigit(); });
        paintText(painter, row.adjusted(label_width, 0, 0, 0), value, themes_.font(number ? TextRole::kMono : TextRole::kSmallMedium),
                  t.text, Qt::AlignRight | Qt::AlignVCenter);
        top += kFactRow;
    }
    widgets::paintDot(painter, QPointF(foot.left() + 18, foot.center().y()), box.state_filled ? 4 : 3.5, box.state_color, box.state_filled);
    paintText(painter, foot.adjusted(30, 0, -6, 0), box.state, small, t.text2);
}

// Paints the cross of what is under the mouse or chosen, and the focus ring of what the keys act on.
void ClusterCanvas::paintHover(QPainter& painter) const {
    const theme::Theme& t = themes_.theme();
    for (const Target& target : {hovered_, chosen_}) {
        const QRectF cross = removeRect(target);
        if (cross.isNull() || dragging_) continue;
        widgets::paintBox(painter, cross, theme::kRadiusSmall, cross.contains(drag_) ? t.mixed(t.surface, 8) : t.surface, QColor());
        themes_.paintIcon(painter, "close", cross.adjusted(5, 5, -5, -5), t.text2);
    }
    if (chosen_.kind != Target::Kind::kNone && hasFocus()) widgets::paintFocusRing(painter, t, targetRect(chosen_), theme::kRadiusCard);
}

void ClusterCanvas::paintAddHost(QPainter& painter) const {
    const theme::Theme& t = themes_.theme();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QPen dashes(t.control, 1.5);
    dashes.setDashPattern({4, 3});
    painter.setPen(dashes);
    painter.setBrush(hovered_.kind == Target::Kind::kAddHost ? QBrush(t.mixed(t.window, 4)) : QBrush(Qt::NoBrush));
    painter.drawRoundedRect(add_rect_.adjusted(0.75, 0.75, -0.75, -0.75), theme::kRadiusCard, theme::kRadiusCard);
    painter.restore();
    const double width = add_rect_.width() - kAddTextInset, left = add_rect_.left() + kInner, hint = wrappedHeight(addHostHint(), width);
    const double top = add_rect_.center().y() - (kHeadRow + hint) / 2;
    themes_.paintIcon(painter, "plus", QRectF(left, add_rect_.center().y() - 8, 16, 16), t.accent);
    paintText(painter, QRectF(left + 26, top, width, kHeadRow), tr("Add a host"), themes_.font(TextRole::kStrong), t.accent);
    painter.setFont(themes_.font(TextRole::kSmall));
    painter.setPen(t.text2);
    painter.drawText(QRectF(left + 26, top + kHeadRow, width, hint), Qt::TextWordWrap, addHostHint());
}

void ClusterCanvas::paintLinks(QPainter& painter, const QRectF& part) const {
    const theme::Theme& t = themes_.theme();
    struct Node {
        TaskId task;
        QRectF rect;
        std::size_t host;
    };
    std::vector<Node> training, servers, evaluators;
    for (std::size_t h = 0; h < picture_.hosts.size(); ++h) {
        for (std::size_t i = 0; i < task_rects_[h].size(); ++i) {
            const TaskBox& box = picture_.hosts[h].tasks[i];
            auto& group = box.trains ? training : box.task.type == "ps" ? servers : evaluators;
            group.push_back({box.task, task_rects_[h][i], h});
        }
    }
    std::sort(training.begin(), training.end(), [](const auto& a, const auto& b) {
        return std::pair(a.task.type != "chief", a.task.index) < std::pair(b.task.type != "chief", b.task.index);
    });
    int lines = 0;
    const auto connect = [&](const Node& from, const Node& to, bool arrow, Lane lane) {
        const bool in_one_card = from.host == to.host;
        if (in_one_card && !host_rects_[from.host].intersects(part)) return;
        if (in_one_card) return paintConnector(painter, from.rect, to.rect, arrow, lane);
        const int place = lane == Lane::kOuter ? 2 : lines++ % 3 - 1;
        const double gap = host_rects_[1].left() - kColumnGap / 2 + place * kLane;
        paintBetweenCards(painter, {from.rect, task_rects_[from.host], from.host == 0}, {to.rect, task_rects_[to.host], to.host == 0}, gap,
                          arrow, lane);
    };
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (picture_.star) {
        painter.setPen(QPen(t.control, 1.5));
        for (const Node& server : servers) {
            for (const Node& worker : training) connect(server, worker, false, Lane::kInner);
        }
    } else if (training.size() > 1) {
        const QRectF a = training[0].rect, b = training[1].rect;
        const bool pair = training.size() == 2 && training[0].host == training[1].host && std::abs(a.top() - b.top()) < 2 &&
                          b.left() - a.right() >= kLinkRoom - 1;
        if (pair) {
            paintPair(painter, a, b);
        } else {
            painter.setPen(QPen(t.accent_fill, 2));
            for (std::size_t i = 0; i < training.size(); ++i) {
                connect(training[i], training[(i + 1) % training.size()], true, Lane::kInner);
            }
        }
    }
    QPen dashes(t.control, 1.5);
    dashes.setDashPattern({4, 3});
    painter.setPen(dashes);
    for (const Node& evaluator : evaluators) {
        if (!training.empty()) connect(training.front(), evaluator, false, Lane::kOuter);
    }
    painter.restore();
}

// Paints the ring between two tasks side by side, with its load in words.
void ClusterCanvas::paintPair(QPainter& painter, const QRectF& a, const QRectF& b) const {
    const theme::Theme& t = themes_.theme();
    const QPointF middle((a.right() + b.left()) / 2, a.center().y());
    const QPointF side(0, 26);
    widgets::paintArcArrow(painter, QPointF(a.right() + 2, middle.y()) - side, QPointF(b.left() - 2, middle.y()) - side, -28,
                           t.accent_fill);
    widgets::paintArcArrow(painter, QPointF(b.left() - 2, middle.y()) + side, QPointF(a.right() + 2, middle.y()) + side, 28, t.accent_fill);
    paintText(painter, QRectF(a.right() + 4, middle.y() - 19, b.left() - a.right() - 8, 18), picture_.ring, themes_.font(TextRole::kStrong),
              t.text, Qt::AlignCenter);
    paintText(painter, QRectF(a.right() + 4, middle.y(), b.left() - a.right() - 8, 18), picture_.bytes, themes_.font(TextRole::kSmall),
              t.text2, Qt::AlignCenter);
}

void ClusterCanvas::paintDrag(QPainter& painter) const {
    if (chosen_.kind != Target::Kind::kTask) return;
    painter.save();
    painter.setOpacity(0.85);
    const QRectF ghost(drag_ + QPointF(-20, -20), QSizeF(150, kCompactHeight));
    paintTask(painter, boxOf(chosen_), ghost, true);
    painter.restore();
}

}  // namespace ui::canvas
