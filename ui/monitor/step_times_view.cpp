// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/monitor/step_times_view.h"

#include <QVBoxLayout>
#include <algorithm>
#include <limits>
#include <vector>

#include "ui/models/numbers.h"
#include "ui/monitor/monitor_painted.h"
#include "ui/monitor/monitor_parts.h"
#include "ui/session/runs/run_record.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using session::TaskRecord;
using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

StepTimesView::StepTimesView(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent) {
    bars_ = new StepTimeBars(themes, this);
    title_ = new TextLabel(themes, TextRole::kStrong, Ink::kText, this);
    for (TextLabel** name : {&window_, &efficiency_name_, &slowest_name_})
        *name = new TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    for (TextLabel** value : {&efficiency_, &slowest_}) *value = new TextLabel(themes, TextRole::kMono, Ink::kText, this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme::kSpace2);
    column->addLayout(apart(title_, window_));
    column->addWidget(bars_);
    column->addLayout(apart(efficiency_name_, efficiency_));
    column->addLayout(apart(slowest_name_, slowest_));
}

void StepTimesView::show(const session::RunRecord* run) {
    std::vector<StepTimeBars::Row> rows;
    double trained = 0, all = 0;
    const TaskRecord* slowest = nullptr;
    double slow = 0, fast = std::numeric_limits<double>::max();
    if (run != nullptr) {
        for (const TaskRecord& task : run->tasks()) {
            const auto& t = task.times;
            if (!(t.total_us() > 0)) continue;
            rows.push_back({task.id, {t.input_us, t.compute_us, t.wait_us, t.reduce_us, t.apply_us}});
            const double own = t.input_us + t.compute_us + t.apply_us;
            trained += own;
            all += t.total_us();
            if (own > slow) slow = own, slowest = &task;
            fast = std::min(fast, own);
        }
    }
    const bool several = rows.size() > 1;
    efficiency_->setText(all > 0 ? models::formatPercent(trained / all) : QString(QChar(models::kMissing)));
    slowest_->setText(several && slowest != nullptr
                          ? QStringLiteral("%1  +%2").arg(theme::taskMark(slowest->id), models::formatMilliseconds(slow - fast))
                          : QString(QChar(models::kMissing)));
    for (QWidget* part : std::initializer_list<QWidget*>{slowest_, slowest_name_})
        part->setVisible(run != nullptr && run->tasks().size() > 1);
    bars_->setRows(std::move(rows), run != nullptr && isFinal(run->state()));
}

void StepTimesView::retranslate() {
    title_->setText(tr("Step time"));
    window_->setText(tr("mean of last 100"));
    efficiency_name_->setText(tr("Time spent training"));
    efficiency_name_->setToolTip(tr("Share of a step that is neither waiting nor exchange: what two workers lose against one."));
    slowest_name_->setText(tr("Slowest"));
}

}  // namespace ui::views

#include "moc_step_times_view.cpp"
