// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/data_shards.h"

#include <QEvent>
#include <QHelpEvent>
#include <QToolTip>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/models/numbers.h"
#include "ui/widgets/painting.h"

namespace ui::views {

using theme::TextRole;

namespace {

constexpr int kHead = 40, kStepRow = 18, kTaskRow = 40, kChip = 24, kNameWidth = 92, kFoot = 8, kMostTasks = 4, kCellRows = 4;
constexpr int kMostCells = 256;  // of a step; a larger batch shows its first
constexpr std::array kPolicyNames{"AUTO", "FILE", "DATA", "OFF"};

}  // namespace

ShardPreview::ShardPreview(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setObjectName("shardPreview");
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void ShardPreview::setState(const session::ShardState& state, engine::spec::AutoShardPolicy asked,
                            std::vector<engine::spec::TaskId> tasks) {
    state_ = state;
    asked_ = asked;
    tasks_ = std::move(tasks);
    refreshDescription();
    updateGeometry();
    update();
}

void ShardPreview::refreshDescription() {
    setAccessibleName(tr("Sharding preview"));
    QStringList lines;
    for (const session::ShardStepView& step : state_.steps) {
        for (std::size_t i = 0; i < step.samples.size() && i < tasks_.size(); ++i) {
            lines << tr("step %1, %2: %n sample(s)", nullptr, static_cast<int>(step.samples[i].size()))
                         .arg(step.step)
                         .arg(QString::fromStdString(toString(tasks_[i])));
        }
    }
    setAccessibleDescription(state_.problem.isEmpty() ? lines.join("; ") : state_.problem);
}

QSize ShardPreview::sizeHint() const {
    const int tasks = std::clamp(static_cast<int>(tasks_.size()), 2, kMostTasks);
    return {600, kHead + kStepRow + tasks * kTaskRow + kFoot};
}

ShardPreview::Grid ShardPreview::grid() const {
    Grid at;
    at.steps = static_cast<int>(state_.steps.size());
    std::size_t most = 1;
    for (const session::ShardStepView& step : state_.steps) {
        for (const auto& samples : step.samples) most = std::max(most, samples.size());
    }
    most = std::min<std::size_t>(most, kMostCells);
    at.left = theme::kSpace5 + kChip + theme::kSpace2 + kNameWidth;
    at.step_width = (width() - theme::kSpace5 - at.left) / std::max(1, at.steps);
    at.rows = std::min<int>(kCellRows, static_cast<int>(most));
    at.columns = (static_cast<int>(most) + at.rows - 1) / at.rows;
    at.cell = std::clamp((at.step_width - theme::kSpace3) / at.columns, 1.0, 8.0);
    return at;
}

QRectF ShardPreview::cellRect(const Grid& at, int task, int step, int cell) const {
    const double top = kHead + kStepRow + task * kTaskRow + 2;
    const double gap = at.cell > 3 ? 1 : 0;
    return {at.left + step * at.step_width + cell % at.columns * at.cell, top + cell / at.columns * 8.0, at.cell - gap, 7};
}

void ShardPreview::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& t = themes_.theme();
    widgets::paintBox(painter, rect(), theme::kRadiusCard, t.surface, t.border);
    const QString title = tr("Sharding preview"), sentence = tr("which sample each worker sees, from the engine itself");
    const double title_width = QFontMetricsF(themes_.font(TextRole::kStrong)).horizontalAdvance(title) + 1;
    widgets::paintText(painter, QRectF(theme::kSpace5, 0, title_width, kHead), title, themes_.font(TextRole::kStrong), t.text);
    double right = width() - theme::kSpace5;
    if (!state_.steps.empty()) {
        const QFont mono = themes_.font(TextRole::kMono);
        const double dealt = QFontMetricsF(mono).horizontalAdvance(state_.policy) + 1;
        widgets::paintText(painter, QRectF(right - dealt, 0, dealt, kHead), state_.policy, mono, t.accent);
        const QString asked = QLatin1String(kPolicyNames[static_cast<std::size_t>(asked_)]);
        right -= dealt;
        if (asked != state_.policy) {
            themes_.paintIcon(painter, QStringLiteral("chevron-right"), QRectF(right - 20, kHead / 2.0 - 7, 14, 14), t.text3);
            const double wide = QFontMetricsF(mono).horizontalAdvance(asked) + 1;
            widgets::paintText(painter, QRectF(right - 26 - wide, 0, wide, kHead), asked, mono, t.text);
            right -= 26 + wide;
        }
    }
    const double sentence_left = theme::kSpace5 + title_width + theme::kSpace2;
    widgets::paintText(painter, QRectF(sentence_left, 0, right - sentence_left - theme::kSpace2, kHead), sentence,
                       themes_.font(TextRole::kSmall), t.text2);
    if (state_.steps.empty()) {
        const QString text = !state_.problem.isEmpty() ? state_.problem : state_.is_running ? tr("Asking the engine") : QString();
        painter.setFont(themes_.font(TextRole::kSmall));
        painter.setPen(t.text2);
        painter.drawText(QRectF(theme::kSpace5, kHead, width() - 2.0 * theme::kSpace5, height() - kHead - kFoot),
                         Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, text);
        return;
    }
    const Grid at = grid();
    std::uint32_t last = 1;  // sample that the preview knows of
    for (const session::ShardStepView& step : state_.steps) {
        for (const auto& samples : step.samples) {
            if (!samples.empty()) last = std::max(last, *std::max_element(samples.begin(), samples.end()));
        }
    }
    for (int s = 0; s < at.steps; ++s) {
        widgets::paintText(painter, QRectF(at.left + s * at.step_width, kHead - 2, at.step_width - theme::kSpace2, kStepRow),
                           tr("step %1").arg(state_.steps[static_cast<std::size_t>(s)].step), themes_.font(TextRole::kMonoTick), t.text2);
    }
    const int shown = std::min(static_cast<int>(tasks_.size()), kMostTasks);
    for (int task = 0; task < shown; ++task) {
        const auto place = static_cast<std::size_t>(task);
        const double top = kHead + kStepRow + task * kTaskRow;
        widgets::paintTaskChip(painter, themes_, QRectF(theme::kSpace5, top + (kTaskRow - 8 - kChip) / 2.0 + 1, kChip, kChip),
                               tasks_[place]);
        const auto& first = state_.steps.front().samples;
        const int batch = place < first.size() ? static_cast<int>(first[place].size()) : 0;
        const bool is_last = task == kMostTasks - 1 && static_cast<int>(tasks_.size()) > kMostTasks;
        const QString beside =
            is_last ? tr("and %n more", nullptr, static_cast<int>(tasks_.size()) - kMostTasks) : tr("%n a step", nullptr, batch);
        widgets::paintText(painter, QRectF(theme::kSpace5 + kChip + theme::kSpace2, top, kNameWidth - theme::kSpace2, kTaskRow - 6), beside,
                           themes_.font(TextRole::kSmall), t.text2);
        QColor color = t.taskColor(tasks_[place]);
        for (int s = 0; s < at.steps; ++s) {
            const auto& lists = state_.steps[static_cast<std::size_t>(s)].samples;
            if (place >= lists.size()) continue;
            const int cells = std::min(static_cast<int>(lists[place].size()), at.columns * at.rows);
            for (int c = 0; c < cells; ++c) {
                const double share = static_cast<double>(lists[place][static_cast<std::size_t>(c)]) / last;
                color.setAlphaF(static_cast<float>(0.25 + 0.75 * std::clamp(share, 0.0, 1.0)));
                painter.fillRect(cellRect(at, task, s, c), color);
            }
        }
    }
}

bool ShardPreview::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || state_.steps.empty()) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const Grid at = grid();
    for (int task = 0; task < std::min(static_cast<int>(tasks_.size()), kMostTasks); ++task) {
        for (int s = 0; s < at.steps; ++s) {
            const auto& lists = state_.steps[static_cast<std::size_t>(s)].samples;
            const QRectF block(at.left + s * at.step_width, kHead + kStepRow + task * kTaskRow, at.step_width, kTaskRow);
            if (!block.contains(help->pos()) || static_cast<std::size_t>(task) >= lists.size()) continue;
            QStringList samples;
            for (const std::uint32_t sample : lists[static_cast<std::size_t>(task)]) {
                if (samples.size() == 24) {
                    samples << QStringLiteral("…");
                    break;
                }
                samples << QString::number(sample);
            }
            QToolTip::showText(help->globalPos(),
                               tr("step %1, %2: samples %3")
                                   .arg(state_.steps[static_cast<std::size_t>(s)].step)
                                   .arg(QString::fromStdString(toString(tasks_[static_cast<std::size_t>(task)])), samples.join(", ")),
                               this);
            return true;
        }
    }
    QToolTip::hideText();
    return true;
}

void ShardPreview::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        refreshDescription();
        update();
    }
    QWidget::changeEvent(event);
}

}  // namespace ui::views
