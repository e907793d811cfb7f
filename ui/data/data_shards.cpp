// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/data_shards.h"

#include <QEvent>
#include <QHelpEvent>
#include <QToolTip>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/models/finding_text.h"
#include "ui/models/numbers.h"
#include "ui/widgets/painting.h"

namespace ui::views {

using theme::TextRole;

namespace {

constexpr int kHead = 40, kStepRow = 18, kRow = 40, kChip = 24, kNameWidth = 92, kDeviceNameWidth = 132, kFoot = 8, kMostRows = 4,
              kCellRows = 4;
constexpr int kDense = 2;        // more rows than kMostRows are as many times lower, and as many times more of them are shown
constexpr int kChipLow = 16;     // the height of a chip in a low row
constexpr int kMostCells = 256;  // of a step; a larger batch shows its first
constexpr std::array kPolicyNames{"AUTO", "FILE", "DATA", "OFF"};

}  // namespace

ShardPreview::ShardPreview(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setObjectName("shardPreview");
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void ShardPreview::setState(const session::ShardState& state, engine::spec::AutoShardPolicy asked, const std::vector<ShardTask>& tasks) {
    state_ = state;
    asked_ = asked;
    rows_.clear();
    for (std::size_t place = 0; place < tasks.size(); ++place) {
        const std::vector<std::string>& devices = tasks[place].devices;
        const std::size_t count = std::max<std::size_t>(1, devices.size());
        for (std::size_t part = 0; part < count; ++part) {
            rows_.push_back({tasks[place].task, count > 1 ? QString::fromStdString(devices[part]) : QString(), place, part});
        }
    }
    refreshDescription();
    updateGeometry();
    update();
}

QString ShardPreview::rowName(int row) const {
    const Row& one = rows_[static_cast<std::size_t>(row)];
    const QString task = QString::fromStdString(toString(one.task));
    return one.device.isEmpty() ? task : QStringLiteral("%1, %2").arg(task, one.device);
}

std::span<const std::uint32_t> ShardPreview::samplesOf(int row, int step) const {
    const Row& one = rows_[static_cast<std::size_t>(row)];
    if (static_cast<std::size_t>(step) >= state_.steps.size()) return {};
    const session::ShardStepView& view = state_.steps[static_cast<std::size_t>(step)];
    if (one.place >= view.samples.size()) return {};
    const std::span<const std::uint32_t> all = view.samples[one.place];
    if (one.device.isEmpty()) return all;
    // An answer about the project as it was before has no parts, or others.
    if (one.place >= view.parts.size() || one.part >= view.parts[one.place].size()) return {};
    const auto& parts = view.parts[one.place];
    std::size_t begin = 0;
    for (std::size_t i = 0; i < one.part; ++i) begin += parts[i];
    begin = std::min(begin, all.size());
    return all.subspan(begin, std::min<std::size_t>(parts[one.part], all.size() - begin));
}

bool ShardPreview::isDense() const {
    return static_cast<int>(rows_.size()) > kMostRows;
}

bool ShardPreview::hasDevices() const {
    return std::any_of(rows_.begin(), rows_.end(), [](const Row& row) { return !row.device.isEmpty(); });
}

int ShardPreview::rowHeight() const {
    return isDense() ? kRow / kDense : kRow;
}

int ShardPreview::shownRows() const {
    return std::min(rowCount(), isDense() ? kMostRows * kDense : kMostRows);
}

void ShardPreview::refreshDescription() {
    setAccessibleName(tr("Sharding preview"));
    QStringList lines;
    for (std::size_t step = 0; step < state_.steps.size(); ++step) {
        for (int row = 0; row < rowCount(); ++row) {
            lines << tr("step %1, %2: %n sample(s)", nullptr, static_cast<int>(samplesOf(row, static_cast<int>(step)).size()))
                         .arg(state_.steps[step].step)
                         .arg(rowName(row));
        }
    }
    setAccessibleDescription(state_.problem.isEmpty() ? lines.join("; ") : models::findingText(state_.problem));
}

QSize ShardPreview::sizeHint() const {
    return {600, kHead + kStepRow + std::max(2 * kRow, shownRows() * rowHeight()) + kFoot};
}

ShardPreview::Grid ShardPreview::grid() const {
    Grid at;
    at.steps = static_cast<int>(state_.steps.size());
    std::size_t most = 1;
    for (int step = 0; step < at.steps; ++step) {
        for (int row = 0; row < rowCount(); ++row) most = std::max(most, samplesOf(row, step).size());
    }
    most = std::min<std::size_t>(most, kMostCells);
    at.left = theme::kSpace5 + kChip + theme::kSpace2 + (hasDevices() ? kDeviceNameWidth : kNameWidth);
    at.step_width = (width() - theme::kSpace5 - at.left) / std::max(1, at.steps);
    at.rows = std::min<int>(isDense() ? kCellRows / kDense : kCellRows, static_cast<int>(most));
    at.columns = (static_cast<int>(most) + at.rows - 1) / at.rows;
    at.cell = std::clamp((at.step_width - theme::kSpace3) / at.columns, 1.0, 8.0);
    return at;
}

QRectF ShardPreview::cellRect(const Grid& at, int row, int step, int cell) const {
    const double top = kHead + kStepRow + row * rowHeight() + 2;
    const double gap = at.cell > 3 ? 1 : 0;
    return {at.left + step * at.step_width + cell % at.columns * at.cell, top + cell / at.columns * 8.0, at.cell - gap, 7};
}

void ShardPreview::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& t = themes_.theme();
    widgets::paintBox(painter, rect(), theme::kRadiusCard, t.surface, t.border);
    const QString title = tr("Sharding preview"), sentence = hasDevices() ? tr("which sample each device sees, from the engine itself")
                                                                          : tr("which sample each worker sees, from the engine itself");
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
        const QString text = !state_.problem.isEmpty() ? models::findingText(state_.problem)
                             : state_.is_running       ? tr("Asking the engine")
                                                       : QString();
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
    const int shown = shownRows(), height = rowHeight(), chip = isDense() ? kChipLow : kChip;
    const double name_left = theme::kSpace5 + kChip + theme::kSpace2;
    for (int row = 0; row < shown; ++row) {
        const Row& one = rows_[static_cast<std::size_t>(row)];
        const double top = kHead + kStepRow + row * height;
        const double middle = top + (isDense() ? height / 2.0 : (height - 6) / 2.0);
        widgets::paintTaskChip(painter, themes_, QRectF(theme::kSpace5, middle - chip / 2.0, kChip, chip), one.task);
        const bool is_last = row == shown - 1 && shown < rowCount();
        const QString batch = tr("%n a step", nullptr, static_cast<int>(samplesOf(row, 0).size()));
        const QString beside = is_last                ? tr("and %n more", nullptr, rowCount() - shown)
                               : one.device.isEmpty() ? batch
                                                      : QStringLiteral("%1 \u00b7 %2").arg(one.device, batch);
        widgets::paintText(painter, QRectF(name_left, middle - height / 2.0, at.left - name_left - theme::kSpace1, height), beside,
                           themes_.font(TextRole::kSmall), t.text2);
        QColor color = t.taskColor(one.task);
        for (int s = 0; s < at.steps; ++s) {
            const std::span<const std::uint32_t> samples = samplesOf(row, s);
            const int cells = std::min(static_cast<int>(samples.size()), at.columns * at.rows);
            for (int c = 0; c < cells; ++c) {
                const double share = static_cast<double>(samples[static_cast<std::size_t>(c)]) / last;
                color.setAlphaF(static_cast<float>(0.25 + 0.75 * std::clamp(share, 0.0, 1.0)));
                painter.fillRect(cellRect(at, row, s, c), color);
            }
        }
    }
}

bool ShardPreview::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || state_.steps.empty()) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const Grid at = grid();
    for (int row = 0; row < shownRows(); ++row) {
        for (int s = 0; s < at.steps; ++s) {
            const QRectF block(at.left + s * at.step_width, kHead + kStepRow + row * rowHeight(), at.step_width, rowHeight());
            if (!block.contains(help->pos())) continue;
            QStringList samples;
            for (const std::uint32_t sample : samplesOf(row, s)) {
                if (samples.size() == 24) {
                    samples << QStringLiteral("…");
                    break;
                }
                samples << QString::number(sample);
            }
            QToolTip::showText(
                help->globalPos(),
                tr("step %1, %2: samples %3").arg(state_.steps[static_cast<std::size_t>(s)].step).arg(rowName(row), samples.join(", ")),
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

#include "moc_data_shards.cpp"
