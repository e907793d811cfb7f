// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cluster/way_matrix.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <utility>

#include "ui/models/finding_text.h"
#include "ui/models/numbers.h"
#include "ui/widgets/painting.h"

namespace ui::views {

using engine::spec::HostWay;
using engine::spec::WayOutcome;
using theme::TextRole;

namespace {

constexpr std::size_t kMostWithNumbers = 4, kMostInTable = 16;
constexpr int kNarrow = 268, kWide = 400, kHeight = 220;
constexpr double kWaysTop = 58, kWaysLeft = 14, kWayGap = 4, kWayNames = 60, kSentence = 44, kLineHeight = 18;
constexpr double kMostCellWidth = 76, kMostCellHeight = 36;
constexpr double kKilo = 1e3, kMega = 1e6, kGiga = 1e9;

QString trip(double microseconds) {
    const double ms = microseconds / kKilo;
    return WayMatrix::tr("%1 ms").arg(ms, 0, 'f', ms < 10 ? 2 : 0);
}

QString rate(double bytes_per_s) {
    if (bytes_per_s >= kGiga) return WayMatrix::tr("%1 GB/s").arg(bytes_per_s / kGiga, 0, 'f', 1);
    return WayMatrix::tr("%1 MB/s").arg(bytes_per_s / kMega, 0, 'f', bytes_per_s < 10 * kMega ? 1 : 0);
}

// Returns the fault in a word; empty for a computer that was reached or was not tried.
QString faultOf(const HostWay& way) {
    switch (way.outcome) {
        case WayOutcome::kRefused:
            return WayMatrix::tr("refused");
        case WayOutcome::kNoRoute:
            return WayMatrix::tr("no route");
        case WayOutcome::kTimedOut:
            return WayMatrix::tr("silent");
        case WayOutcome::kNotProven:
            return WayMatrix::tr("stranger");
        case WayOutcome::kReached:
        case WayOutcome::kNotTried:
            break;
    }
    return {};
}

bool isMeasured(const HostWay& way) {
    return way.outcome == WayOutcome::kReached && way.bytes_per_s > 0;
}

QString arrow(const HostWay& way) {
    return QString::fromStdString(way.from) + QStringLiteral(" → ") + QString::fromStdString(way.to);
}

}  // namespace

WayMatrix::WayMatrix(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setObjectName("wayMatrix");
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void WayMatrix::setWays(State state, std::vector<std::string> hosts, std::vector<HostWay> ways) {
    state_ = state;
    hosts_ = std::move(hosts);
    ways_ = std::move(ways);
    setAccessibleName(tr("Ways between computers"));
    setAccessibleDescription(sentence());
    updateGeometry();
    update();
}

QSize WayMatrix::sizeHint() const {
    return {hosts_.size() < kMostWithNumbers ? kNarrow : kWide, kHeight};
}

bool WayMatrix::isTable() const {
    return hosts_.size() <= kMostInTable;
}

bool WayMatrix::hasNumbers() const {
    return hosts_.size() <= kMostWithNumbers;
}

const HostWay* WayMatrix::way(std::size_t from, std::size_t to) const {
    const auto found =
        std::find_if(ways_.begin(), ways_.end(), [&](const HostWay& one) { return one.from == hosts_[from] && one.to == hosts_[to]; });
    return found == ways_.end() ? nullptr : &*found;
}

QStringList WayMatrix::cellText(std::size_t from, std::size_t to) const {
    if (from == to) return {};
    if (state_ == State::kProbing) return hasNumbers() ? QStringList{QStringLiteral("…")} : QStringList();
    const HostWay* found = state_ == State::kMeasured ? way(from, to) : nullptr;
    const QString fault = found ? faultOf(*found) : QString();
    if (!hasNumbers()) return fault.isEmpty() ? QStringList() : QStringList{QStringLiteral("×")};
    if (found && isMeasured(*found)) return {trip(found->round_trip_us), rate(found->bytes_per_s)};
    return {fault.isEmpty() ? QString(models::kMissing) : fault};
}

QStringList WayMatrix::worstLines(std::size_t most) const {
    std::vector<HostWay> worst;
    std::copy_if(ways_.begin(), ways_.end(), std::back_inserter(worst),
                 [](const HostWay& one) { return one.outcome != WayOutcome::kNotTried; });
    std::stable_sort(worst.begin(), worst.end(), [](const HostWay& a, const HostWay& b) { return a.bytes_per_s < b.bytes_per_s; });
    QStringList lines;
    for (std::size_t i = 0; i < std::min(worst.size(), most); ++i) {
        const QString fault = faultOf(worst[i]);
        lines << arrow(worst[i]) + QStringLiteral("  ") +
                     (isMeasured(worst[i]) ? trip(worst[i].round_trip_us) + QStringLiteral(", ") + rate(worst[i].bytes_per_s)
                      : fault.isEmpty()    ? QString(models::kMissing)
                                           : fault);
    }
    return lines;
}

QString WayMatrix::tipOf(std::size_t from, std::size_t to) const {
    const HostWay* found = state_ == State::kMeasured ? way(from, to) : nullptr;
    if (!found) return {};
    if (isMeasured(*found)) return tr("%1: %2 there and back, %3").arg(arrow(*found), trip(found->round_trip_us), rate(found->bytes_per_s));
    const QString fault = faultOf(*found);
    if (!fault.isEmpty()) return tr("%1: %2 at port %3").arg(arrow(*found), fault).arg(found->port);
    return tr("%1: not measured").arg(arrow(*found)) +
           (found->detail.empty() ? QString() : QStringLiteral(" · ") + models::findingText(found->detail));
}

QRectF WayMatrix::cellRect(std::size_t from, std::size_t to) const {
    const auto count = static_cast<double>(std::max<std::size_t>(hosts_.size(), 1));
    const double gap = hasNumbers() ? kWayGap : 2;
    const double width = std::min(kMostCellWidth, (this->width() - 2 * kWaysLeft - kWayNames - gap * (count - 1)) / count);
    const double height = std::min(kMostCellHeight, (this->height() - kWaysTop - kSentence - gap * (count - 1)) / count);
    return {kWaysLeft + kWayNames + static_cast<double>(to) * (width + gap), kWaysTop + static_cast<double>(from) * (height + gap), width,
            height};
}

QString WayMatrix::sentence() const {
    if (state_ == State::kProbing) return tr("Measuring between the computers…");
    if (state_ == State::kNothing || ways_.empty()) return tr("The doctor measures them.");
    double longest = 0, narrowest = 0;
    int closed = 0;
    for (const HostWay& one : ways_) {
        closed += faultOf(one).isEmpty() ? 0 : 1;
        if (isMeasured(one)) {
            longest = std::max(longest, one.round_trip_us);
            narrowest = narrowest == 0 ? one.bytes_per_s : std::min(narrowest, one.bytes_per_s);
        }
    }
    const QString measured = narrowest > 0 ? tr("there and back %1 at most, %2 at least").arg(trip(longest), rate(narrowest)) : QString();
    const QString failed = closed > 0 ? tr("%n way(s) closed", nullptr, closed) : QString();
    if (measured.isEmpty() && failed.isEmpty()) return tr("Not measured");
    return measured.isEmpty() ? failed : failed.isEmpty() ? measured : failed + QStringLiteral(" · ") + measured;
}

bool WayMatrix::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QString text;
    for (std::size_t a = 0; a < hosts_.size() && isTable(); ++a) {
        for (std::size_t b = 0; b < hosts_.size(); ++b) {
            if (a != b && cellRect(a, b).contains(help->pos())) text = tipOf(a, b);
        }
    }
    QToolTip::showText(help->globalPos(), text, this);
    return true;
}

WayMatrix::Inks WayMatrix::inksOf(const HostWay* way) const {
    const theme::Theme& t = themes_.theme();
    if (!way || state_ != State::kMeasured) return {t.sunken, t.text2};
    if (!faultOf(*way).isEmpty()) return {t.err_tint, t.err};
    if (!isMeasured(*way)) return {t.sunken, t.text2};
    return way->is_slow ? Inks{t.warn_tint, t.warn} : Inks{t.ok_tint, t.ok};
}

void WayMatrix::paintTable(QPainter& painter) const {
    const theme::Theme& t = themes_.theme();
    for (std::size_t i = 0; i < hosts_.size(); ++i) {
        const QString name = QString::fromStdString(hosts_[i]), number = QString::number(i + 1);
        const QRectF column = cellRect(0, i), line = cellRect(i, 0);
        const QFont font = themes_.font(TextRole::kTickStrong);
        widgets::paintText(painter, QRectF(column.left() - 2, kWaysTop - 22, column.width() + 4, 20), hasNumbers() ? name : number, font,
                           t.text2, Qt::AlignCenter);
        widgets::paintText(painter, QRectF(kWaysLeft, line.top(), kWayNames - 6, line.height()),
                           hasNumbers() ? name : number + QStringLiteral(" ") + name, font, t.text2);
    }
    for (std::size_t a = 0; a < hosts_.size(); ++a) {
        for (std::size_t b = 0; b < hosts_.size(); ++b) {
            if (a == b) continue;
            const Inks inks = inksOf(way(a, b));
            const QRectF cell = cellRect(a, b);
            widgets::paintBox(painter, cell, theme::kRadiusSmall, inks.ground, QColor());
            const QStringList lines = cellText(a, b);
            const double height = cell.height() / static_cast<double>(std::max<qsizetype>(lines.size(), 1));
            for (qsizetype i = 0; i < lines.size(); ++i) {
                widgets::paintText(painter, QRectF(cell.left(), cell.top() + static_cast<double>(i) * height, cell.width(), height),
                                   lines[i], themes_.font(TextRole::kMonoTick), inks.ink, Qt::AlignCenter);
            }
        }
    }
}

void WayMatrix::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& t = themes_.theme();
    widgets::paintBox(painter, rect(), theme::kRadiusCard, t.surface, t.border);
    widgets::paintText(painter, QRectF(kWaysLeft, 8, width() - 2 * kWaysLeft, 20), tr("Ways between computers"),
                       themes_.font(TextRole::kStrong), t.text);
    double top = height() - kSentence + 4;
    if (isTable()) {
        paintTable(painter);
        top = cellRect(hosts_.empty() ? 0 : hosts_.size() - 1, 0).bottom() + 8;
    } else if (state_ == State::kMeasured) {
        const auto room = static_cast<std::size_t>(std::max(0.0, (height() - kWaysTop - kSentence + 24) / kLineHeight));
        const QStringList lines = worstLines(room);
        for (qsizetype i = 0; i < lines.size(); ++i) {
            widgets::paintText(painter, QRectF(kWaysLeft, 34 + static_cast<double>(i) * kLineHeight, width() - 2 * kWaysLeft, kLineHeight),
                               lines[i], themes_.font(TextRole::kMonoTick), t.text);
        }
    }
    painter.setFont(themes_.font(TextRole::kSmall));
    painter.setPen(t.text2);
    painter.drawText(QRectF(kWaysLeft, top, width() - 2 * kWaysLeft, height() - top - 6), Qt::TextWordWrap, sentence());
}

}  // namespace ui::views

#include "moc_way_matrix.cpp"
