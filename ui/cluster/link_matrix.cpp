// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cluster/link_matrix.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "ui/models/finding_text.h"
#include "ui/models/numbers.h"
#include "ui/widgets/painting.h"

namespace ui::views {

using engine::spec::DoctorLink;
using theme::TextRole;

namespace {

constexpr std::size_t kMostShown = 6;
constexpr double kTop = 64, kLeft = 14, kNames = 40, kGap = 5, kCellHeight = 32, kGigabyte = 1e9, kSlowMs = 1;

}  // namespace

LinkMatrix::LinkMatrix(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setObjectName("linkMatrix");
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void LinkMatrix::setLinks(State state, std::vector<engine::spec::TaskId> tasks, std::vector<DoctorLink> links) {
    state_ = state;
    tasks_ = std::move(tasks);
    tasks_.resize(std::min(tasks_.size(), kMostShown));
    links_ = std::move(links);
    setAccessibleName(tr("Latency and bandwidth"));
    setAccessibleDescription(sentence());
    update();
}

const DoctorLink* LinkMatrix::link(std::size_t from, std::size_t to) const {
    const auto found =
        std::find_if(links_.begin(), links_.end(), [&](const DoctorLink& l) { return l.from == tasks_[from] && l.to == tasks_[to]; });
    return found == links_.end() ? nullptr : &*found;
}

QString LinkMatrix::cellText(std::size_t from, std::size_t to) const {
    if (from == to) return {};
    if (state_ == State::kProbing) return QStringLiteral("…");
    const DoctorLink* found = state_ == State::kMeasured ? link(from, to) : nullptr;
    if (!found && state_ == State::kMeasured) return {};  // they don't talk to each other
    if (!found || !found->problem.empty()) return QString(models::kMissing);
    return tr("%1 ms").arg(found->latency_us / 1000, 0, 'f', found->latency_us < 100 ? 3 : 2);
}

QRectF LinkMatrix::cellRect(std::size_t from, std::size_t to) const {
    const double count = static_cast<double>(tasks_.size());
    const double width = std::min(64.0, (this->width() - kLeft * 2 - kNames - kGap * (count - 1)) / std::max(count, 1.0));
    const double height = std::min(kCellHeight, (this->height() - kTop - 44 - kGap * (count - 1)) / std::max(count, 1.0));
    return {kLeft + kNames + static_cast<double>(to) * (width + kGap), kTop + static_cast<double>(from) * (height + kGap), width, height};
}

QString LinkMatrix::sentence() const {
    if (tasks_.size() < 2) return tr("One task talks to nobody.");
    if (state_ == State::kProbing) return tr("Measuring between the tasks…");
    double narrowest = 0;
    int unknown = 0;
    for (const DoctorLink& l : links_) {
        if (!l.problem.empty()) {
            ++unknown;
        } else if (narrowest == 0 || l.bytes_per_s < narrowest) {
            narrowest = l.bytes_per_s;
        }
    }
    if (state_ == State::kNothing || links_.empty()) return tr("The doctor measures them.");
    if (narrowest == 0) return tr("Not measured: no two tasks are on this computer");
    return tr("loopback %1 GB/s").arg(narrowest / kGigabyte, 0, 'f', 1) +
           (unknown > 0 ? QStringLiteral(" · ") + tr("others not measured") : QString());
}

bool LinkMatrix::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QString text;
    for (std::size_t a = 0; a < tasks_.size(); ++a) {
        for (std::size_t b = 0; b < tasks_.size(); ++b) {
            if (a == b || !cellRect(a, b).contains(help->pos())) continue;
            const DoctorLink* found = link(a, b);
            const QString way = QString::fromStdString(toString(tasks_[a]) + " → " + toString(tasks_[b]));
            text = !found ? way
                   : !found->problem.empty()
                       ? models::withName(way, models::findingText(found->problem))
                       : tr("%1: %2 µs, %3 GB/s").arg(way).arg(found->latency_us, 0, 'f', 1).arg(found->bytes_per_s / kGigabyte, 0, 'f', 2);
        }
    }
    QToolTip::showText(help->globalPos(), text, this);
    return true;
}

void LinkMatrix::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& t = themes_.theme();
    widgets::paintBox(painter, rect(), theme::kRadiusCard, t.surface, t.border);
    widgets::paintText(painter, QRectF(kLeft, 8, width() - 2 * kLeft, 20), tr("Latency and bandwidth"), themes_.font(TextRole::kStrong),
                       t.text);
    if (tasks_.size() > 1) {
        for (std::size_t i = 0; i < tasks_.size(); ++i) {
            const QString mark = theme::taskMark(tasks_[i]);
            const QRectF column = cellRect(0, i), line = cellRect(i, 0);
            widgets::paintText(painter, QRectF(column.left(), 38, column.width(), 20), mark, themes_.font(TextRole::kTickStrong), t.text2,
                               Qt::AlignCenter);
            widgets::paintText(painter, QRectF(kLeft, line.top(), kNames - 4, line.height()), mark, themes_.font(TextRole::kTickStrong),
                               t.text2);
        }
    }
    for (std::size_t a = 0; a < tasks_.size() && tasks_.size() > 1; ++a) {
        for (std::size_t b = 0; b < tasks_.size(); ++b) {
            const DoctorLink* found = a != b && state_ == State::kMeasured ? link(a, b) : nullptr;
            const bool known = found && found->problem.empty();
            const bool slow = known && found->latency_us > kSlowMs * 1000;
            if (a != b && state_ == State::kMeasured && found == nullptr) continue;  // nothing goes that way
            widgets::paintBox(painter, cellRect(a, b), theme::kRadiusSmall, !known ? t.sunken : slow ? t.accent_tint : t.ok_tint, QColor());
            widgets::paintText(painter, cellRect(a, b), cellText(a, b), themes_.font(TextRole::kMonoTick),
                               !known ? t.text2
                               : slow ? t.accent
                                      : t.ok,
                               Qt::AlignCenter);
        }
    }
    painter.setFont(themes_.font(TextRole::kSmall));
    painter.setPen(t.text2);
    const double top = tasks_.size() > 1 ? cellRect(tasks_.size() - 1, 0).bottom() + 8 : 38;
    painter.drawText(QRectF(kLeft, top, width() - 2 * kLeft, height() - top - 6), Qt::TextWordWrap, sentence());
}

}  // namespace ui::views

#include "moc_link_matrix.cpp"
