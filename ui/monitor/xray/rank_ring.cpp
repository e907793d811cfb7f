// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/monitor/xray/rank_ring.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "ui/models/numbers.h"
#include "ui/monitor/xray/rank_texts.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/painting.h"

namespace ui::views {

using engine::run::ExchangeRank;
using theme::TextRole;
using widgets::paintText;

namespace {

constexpr double kTurn = 2 * std::numbers::pi, kTop = -std::numbers::pi / 2;
constexpr double kRankNode = 17, kSmallNode = 9, kLeastNode = 4;
constexpr double kLabel = 118, kShortLabel = 62, kLine = 15;  // room outside the circle
constexpr double kHostRoom = 20, kArcGap = 16;                // of a host's name, and from the labels of its tasks to its arc
constexpr std::size_t kDepth = 8;                             // cells of a wheel, from its rim inwards
constexpr double kCell = 11;                                  // at the most
constexpr std::size_t kMostHostNames = 24;

QPointF at(const QPointF& middle, double radius, double angle) {
    return middle + radius * QPointF(std::cos(angle), std::sin(angle));
}

}  // namespace

RankRing::RankRing(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setObjectName(QStringLiteral("rankRing"));
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void RankRing::setPicture(RingPicture picture) {
    const bool same = std::equal(picture.ranks.begin(), picture.ranks.end(), picture_.ranks.begin(), picture_.ranks.end(),
                                 [](const ExchangeRank& a, const ExchangeRank& b) { return a.task == b.task && a.host == b.host; });
    picture_ = std::move(picture);
    if (!same) arrange();
    setAccessibleName(RankTexts::sentence(picture_.ranks, picture_.culprit));
    update();
}

void RankRing::setChosen(int rank) {
    if (rank == std::exchange(chosen_, rank)) return;
    update();
}

void RankRing::resizeEvent(QResizeEvent*) {
    arrange();
}

int RankRing::placeOfTask(const engine::spec::TaskId& task) const {
    const auto found =
        std::find_if(picture_.ranks.begin(), picture_.ranks.end(), [&](const ExchangeRank& rank) { return rank.task == task; });
    return found == picture_.ranks.end() ? -1 : static_cast<int>(found - picture_.ranks.begin());
}

// Everybody but the servers goes round; servers stand in the middle.
void RankRing::arrange() {
    const std::size_t count = picture_.ranks.size();
    places_.assign(count, {});
    groups_.clear();
    middle_ = QPointF(width() / 2.0, height() / 2.0);
    std::vector<std::size_t> members, servers;
    for (std::size_t i = 0; i < count; ++i) (isServer(i) ? servers : members).push_back(i);
    has_servers_ = !servers.empty();
    detail_ = members.size() <= kMostFull ? Detail::kFull : members.size() <= kMostNodes ? Detail::kCompact : Detail::kWheel;
    if (detail_ == Detail::kWheel) {
        arrangeWheel(members);
    } else {
        arrangeNodes(members);
    }
    const double inner = servers.size() == 1 ? 0 : radius_ * 0.32;
    const double between = servers.size() > 1 ? kTurn * inner / static_cast<double>(servers.size()) : 2 * kRankNode;
    for (std::size_t k = 0; k < servers.size(); ++k) {
        const double angle = kTop + kTurn * static_cast<double>(k) / static_cast<double>(servers.size());
        places_[servers[k]] = {at(middle_, inner, angle), std::clamp(between / 2 - 2, kLeastNode, kRankNode), angle};
    }
}

// Places the nodes in the order of the ranks, which is that of the ring; tasks of one host that follow each other are one group.
void RankRing::arrangeNodes(const std::vector<std::size_t>& members) {
    const bool full = detail_ == Detail::kFull;
    const double room = full ? 2 * kLine + kRankNode : kShortLabel;
    radius_ = std::max(30.0, std::min(width() / 2.0 - (full ? kLabel + kRankNode : kShortLabel + kSmallNode), height() / 2.0 - room) -
                                 (full ? 0 : kHostRoom + kArcGap));
    const double step = kTurn / static_cast<double>(std::max<std::size_t>(1, members.size()));
    const double node = std::clamp(radius_ * step / 2 - 1.5, kLeastNode, full ? kRankNode : kSmallNode);
    const double first = full && members.size() == 2 ? std::numbers::pi : kTop;  // two stand side by side
    for (std::size_t k = 0; k < members.size(); ++k) {
        const double angle = first + step * static_cast<double>(k);
        const std::string& host = picture_.ranks[members[k]].host;
        places_[members[k]] = {at(middle_, radius_, angle), node, angle};
        if (groups_.empty() || groups_.back().host != host) groups_.push_back({host, angle - step * 0.4, angle});
        groups_.back().to = angle + step * 0.4;
    }
}

// Arranges one sector for each host, as wide as it has columns of kDepth cells; hosts in the order of their first task.
void RankRing::arrangeWheel(const std::vector<std::size_t>& members) {
    std::map<std::string, std::size_t> order;
    std::vector<std::vector<std::size_t>> hosts;
    for (const std::size_t rank : members) {
        const auto [found, is_new] = order.emplace(picture_.ranks[rank].host, hosts.size());
        if (is_new) hosts.emplace_back();
        hosts[found->second].push_back(rank);
    }
    const auto columnsOf = [](const std::vector<std::size_t>& host) { return (host.size() + kDepth - 1) / kDepth; };
    double sectors = 0;
    const double gap = hosts.size() > 1 ? 0.4 : 0;  // between hosts, in columns
    for (const auto& host : hosts) sectors += static_cast<double>(columnsOf(host)) + gap;
    radius_ = std::max(60.0, std::min(width() / 2.0 - kLabel, height() / 2.0 - kHostRoom - 4));
    const double step = kTurn / sectors;
    const double cell = std::clamp(std::min(radius_ * step * 0.8, radius_ * 0.6 / static_cast<double>(kDepth)), 2.0, kCell);
    double angle = kTop;
    for (const auto& host : hosts) {
        groups_.push_back({picture_.ranks[host.front()].host, angle, angle + step * static_cast<double>(columnsOf(host))});
        for (std::size_t k = 0; k < host.size(); ++k) {
            const double middle = angle + step * (static_cast<double>(k / kDepth) + 0.5);
            places_[host[k]] = {at(middle_, radius_ - cell * (static_cast<double>(k % kDepth) + 0.5), middle), cell / 2, middle};
        }
        angle += step * (static_cast<double>(columnsOf(host)) + gap);
    }
}

QColor RankRing::colorOf(std::size_t rank) const {
    const theme::Theme& t = themes_.theme();
    const auto& state = picture_.ranks[rank].state;
    if (isCulprit(rank)) return t.err;
    if (!state) return t.border_strong;
    return engine::run::isSilent(*state) || engine::run::waitsLong(*state) ? t.warn : t.ok;
}

// Paints links between neighbours of a ring, and from each task that waits long to the one that it waits for.
void RankRing::paintLinks(QPainter& painter) const {
    const theme::Theme& t = themes_.theme();
    painter.setBrush(Qt::NoBrush);
    if (!has_servers_) {
        painter.setPen(QPen(t.border_strong, 2));
        painter.drawEllipse(middle_, radius_, radius_);
    }
    for (std::size_t i = 0; i < picture_.ranks.size(); ++i) {
        const auto& state = picture_.ranks[i].state;
        const bool waits = state && engine::run::waitsLong(*state);
        if (has_servers_ && !isServer(i) && !waits) {
            painter.setPen(QPen(t.border, 1));
            for (std::size_t s = 0; s < picture_.ranks.size() && picture_.ranks.size() <= 2 * kMostFull; ++s) {
                if (isServer(s)) painter.drawLine(places_[i].at, places_[s].at);
            }
        }
        if (!waits || !state->awaited) continue;
        const int awaited = placeOfTask(*state->awaited);
        if (awaited < 0) continue;
        QPen pen(isCulprit(static_cast<std::size_t>(awaited)) ? t.err : t.warn, detail_ == Detail::kFull ? 2 : 1);
        painter.setPen(pen);
        painter.drawLine(places_[i].at, places_[static_cast<std::size_t>(awaited)].at);
    }
}

void RankRing::paintNode(QPainter& painter, std::size_t rank) const {
    const theme::Theme& t = themes_.theme();
    const Place& place = places_[rank];
    QPen pen(colorOf(rank), 2);
    if (!picture_.ranks[rank].state) pen.setDashPattern({4, 3});
    painter.setPen(pen);
    painter.setBrush(isCulprit(rank) ? t.err_tint : t.surface);
    painter.drawEllipse(place.at, place.radius, place.radius);
    if (static_cast<int>(rank) == chosen_) {
        painter.setPen(QPen(t.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(place.at, place.radius + 4, place.radius + 4);
    }
    if (place.radius >= kRankNode - 3) {
        paintText(painter, QRectF(place.at.x() - kRankNode, place.at.y() - 9, 2 * kRankNode, 18),
                  theme::taskMark(picture_.ranks[rank].task), themes_.font(TextRole::kStrong), isCulprit(rank) ? t.err : t.text,
                  Qt::AlignCenter);
    }
}

// Paints two lines beside a node when there are few; when there are many, one line along the radius, with the mark and the wait.
void RankRing::paintLabel(QPainter& painter, std::size_t rank) const {
    const theme::Theme& t = themes_.theme();
    const Place& place = places_[rank];
    const ExchangeRank& one = picture_.ranks[rank];
    const bool waits = one.state && engine::run::waitsLong(*one.state);
    const QColor ink = isCulprit(rank) ? t.err : waits ? t.warn : t.text2;
    if (detail_ == Detail::kCompact && !isServer(rank)) {
        if (radius_ * kTurn / static_cast<double>(picture_.ranks.size()) < 9 && !isCulprit(rank)) return;  // the table has it
        QString text = theme::taskMark(one.task);
        if (one.state && engine::run::isSilent(*one.state)) {
            text += QLatin1Char(' ') + RankTexts::seconds(one.state->age_s);
        } else if (waits) {
            text += QLatin1Char(' ') + RankTexts::wait(one);
        }
        painter.save();
        painter.translate(place.at);
        const bool left = std::cos(place.angle) < -1e-6;
        painter.rotate(place.angle * 180 / std::numbers::pi + (left ? 180 : 0));
        const double from = place.radius + 4;
        paintText(painter, QRectF(left ? -from - kShortLabel : from, -8, kShortLabel, 16), text, themes_.font(TextRole::kMonoTick), ink,
                  (left ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter, Qt::ElideNone);
        painter.restore();
        return;
    }
    const QString first = one.state && one.state->bucket > 0
                              ? QStringLiteral("#%1 \u00b7 %2").arg(RankTexts::operation(one), RankTexts::bucket(one))
                              : QStringLiteral("#%1").arg(RankTexts::operation(one));
    QString second = one.state && one.state->bytes > 0 ? RankTexts::bytes(one) : QString();
    if (one.state && engine::run::isSilent(*one.state)) {
        second = tr("silent %1").arg(RankTexts::seconds(one.state->age_s));
    } else if (one.state && one.state->wait_s > 0) {
        second += QStringLiteral(" \u00b7 ") + RankTexts::wait(one);
    }
    const double side = std::cos(place.angle);
    const bool middle = isServer(rank) || std::abs(side) < 0.35;
    Qt::Alignment alignment = Qt::AlignHCenter;
    QPointF corner(place.at.x() - kLabel / 2, std::sin(place.angle) < 0 && !isServer(rank) ? place.at.y() - place.radius - 2 * kLine - 2
                                                                                           : place.at.y() + place.radius + 2);
    if (!middle) {
        alignment = side < 0 ? Qt::AlignRight : Qt::AlignLeft;
        corner = QPointF(side < 0 ? place.at.x() - place.radius - 6 - kLabel : place.at.x() + place.radius + 6, place.at.y() - kLine);
    }
    paintText(painter, QRectF(corner, QSizeF(kLabel, kLine)), first, themes_.font(TextRole::kMonoTick), ink, alignment | Qt::AlignVCenter);
    paintText(painter, QRectF(corner + QPointF(0, kLine), QSizeF(kLabel, kLine)), second, themes_.font(TextRole::kMonoTick), ink,
              alignment | Qt::AlignVCenter);
}

void RankRing::paintCells(QPainter& painter) const {
    const theme::Theme& t = themes_.theme();
    painter.setPen(Qt::NoPen);
    for (std::size_t i = 0; i < places_.size(); ++i) {
        if (isServer(i)) continue;
        const Place& place = places_[i];
        const double half = std::max(1.0, place.radius - 0.75);
        painter.setBrush(colorOf(i));
        painter.drawEllipse(place.at, half, half);
    }
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const bool chosen = static_cast<int>(i) == chosen_;
        if (isServer(i) || (!isCulprit(i) && !chosen)) continue;
        const double radius = std::max(places_[i].radius + 3, 6.0);
        painter.setBrush(isCulprit(i) ? QBrush(t.err) : QBrush(Qt::NoBrush));
        painter.setPen(QPen(chosen ? t.accent : t.surface, 2));
        painter.drawEllipse(places_[i].at, radius, radius);
    }
}

// Paints an arc along each host, with its name when names have room; the culprit's host always has its name.
void RankRing::paintHosts(QPainter& painter) const {
    const theme::Theme& t = themes_.theme();
    if (detail_ == Detail::kFull || groups_.size() < 2) return;
    const double out = detail_ == Detail::kWheel ? radius_ + 5 : radius_ + kShortLabel + kArcGap;
    const std::string* behind = picture_.culprit ? &picture_.ranks[picture_.culprit->rank].host : nullptr;
    for (const Group& group : groups_) {
        const bool red = behind != nullptr && group.host == *behind;
        painter.setPen(QPen(red ? t.err : t.border_strong, 2));
        painter.setBrush(Qt::NoBrush);
        const double degrees = 180 / std::numbers::pi;
        painter.drawArc(QRectF(middle_.x() - out, middle_.y() - out, 2 * out, 2 * out), static_cast<int>(-group.to * degrees * 16),
                        static_cast<int>((group.to - group.from) * degrees * 16));
        if (groups_.size() > kMostHostNames && !red) continue;
        const double angle = (group.from + group.to) / 2;
        const QPointF place = at(middle_, out + 6, angle);
        const double side = std::cos(angle);
        const Qt::Alignment alignment = std::abs(side) < 0.2 ? Qt::AlignHCenter : side < 0 ? Qt::AlignRight : Qt::AlignLeft;
        const double x = alignment == Qt::AlignHCenter ? place.x() - kLabel / 2 : side < 0 ? place.x() - kLabel : place.x();
        const double y = place.y() - kLine / 2 + std::sin(angle) * kLine / 2;
        paintText(painter, QRectF(x, y, kLabel, kLine), QString::fromStdString(group.host), themes_.font(TextRole::kTickMedium),
                  red ? t.err : t.text2, alignment | Qt::AlignVCenter);
    }
}

// Paints how far the run is, when no server stands there.
void RankRing::paintMiddle(QPainter& painter) const {
    if (has_servers_) return;
    const theme::Theme& t = themes_.theme();
    std::uint64_t newest = 0;
    double longest_s = 0;
    for (const ExchangeRank& rank : picture_.ranks) {
        if (!rank.state) continue;
        newest = std::max(newest, rank.state->sequence);
        longest_s = std::max(longest_s, rank.state->wait_s);
    }
    const double inner = detail_ == Detail::kWheel ? radius_ * 0.4 : radius_ - kRankNode - 2;
    const QRectF text(middle_.x() - inner, middle_.y() - 18, 2 * inner, 18);
    const bool told = newest > 0;
    paintText(painter, text, told ? tr("operation %1").arg(models::formatCount(static_cast<std::int64_t>(newest))) : tr("not joined yet"),
              themes_.font(TextRole::kSmallMedium), t.text, Qt::AlignCenter);
    if (told) {
        paintText(painter, text.translated(0, 18), tr("longest wait %1").arg(RankTexts::seconds(longest_s)),
                  themes_.font(TextRole::kMonoTick), t.text2, Qt::AlignCenter);
    }
}

void RankRing::paintEvent(QPaintEvent*) {
    if (picture_.ranks.empty()) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (detail_ == Detail::kWheel) {
        paintHosts(painter);
        paintCells(painter);
    } else {
        paintLinks(painter);
        paintHosts(painter);
    }
    for (std::size_t i = 0; i < places_.size(); ++i) {
        if (detail_ == Detail::kWheel && !isServer(i)) continue;
        paintNode(painter, i);
        paintLabel(painter, i);
    }
    paintMiddle(painter);
}

int RankRing::rankAt(const QPointF& position) const {
    int found = -1;
    double nearest = 0;
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const QPointF away = places_[i].at - position;
        const double distance = std::hypot(away.x(), away.y());
        if (distance > std::max(6.0, places_[i].radius + 2)) continue;
        if (found < 0 || distance < nearest) {
            found = static_cast<int>(i);
            nearest = distance;
        }
    }
    return found;
}

bool RankRing::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int rank = rankAt(help->pos());
    if (rank < 0) {
        QToolTip::hideText();
    } else {
        QToolTip::showText(help->globalPos(), RankTexts::details(picture_.ranks[static_cast<std::size_t>(rank)]), this);
    }
    return true;
}

void RankRing::mousePressEvent(QMouseEvent* event) {
    const int rank = rankAt(event->position());
    if (rank >= 0 && event->button() == Qt::LeftButton) emit rankClicked(rank);
}

}  // namespace ui::views

#include "moc_rank_ring.cpp"
