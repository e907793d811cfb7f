// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/monitor/checkpoints_view.h"

#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "ui/models/checkpoint_model.h"
#include "ui/models/numbers.h"
#include "ui/monitor/monitor_marks.h"
#include "ui/monitor/monitor_painted.h"
#include "ui/monitor/monitor_parts.h"
#include "ui/session/runs/run_record.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kMostRows = 12;

// Returns what the numbers beside the checkpoints are, in the user's language.
QString metricWord(const engine::spec::RunSpec& run) {
    if (run.compile.metrics.empty()) return CheckpointsView::tr("val loss");
    const std::string name = logName(run.compile.metrics.front());
    return name == "accuracy" ? CheckpointsView::tr("val accuracy") : CheckpointsView::tr("val %1").arg(QString::fromStdString(name));
}

}  // namespace

CheckpointsView::CheckpointsView(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent) {
    model_ = new models::CheckpointModel(this);
    list_ = plainList(this, model_, new CheckpointDelegate(themes, this), "checkpointList");
    title_ = new TextLabel(themes, TextRole::kStrong, Ink::kText, this);
    for (TextLabel** text : {&metric_, &none_}) *text = new TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    none_->setWordWrap(true);
    folder_ = named(new QPushButton(this), "checkpointFolder", "link");
    folder_->setProperty("compact", true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme::kSpace2);
    branch_ = named(new QPushButton(this), "checkpointBranch", "link");
    branch_->setProperty("compact", true);
    column->addLayout(apart(title_, folder_));
    column->addLayout(apart(branch_, metric_));  // the three words of one row are wider than the dock of a small window
    column->addWidget(none_);
    column->addWidget(list_);
    connect(folder_, &QPushButton::clicked, this, &CheckpointsView::folderWanted);
    connect(branch_, &QPushButton::clicked, this, &CheckpointsView::offerBranch);
}

// The newest stands first: it is what most want to go on from.
void CheckpointsView::offerBranch() {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("branchMenu"));
    for (int row = 0; row < model_->rowCount(); ++row) {
        const models::CheckpointRow& one = model_->row(row);
        if (one.prefix.endsWith(QStringLiteral(".weights.h5"))) continue;  // weights alone
        menu->addAction(tr("%1, step %2").arg(one.prefix.section(QLatin1Char('/'), -1), models::formatCount(one.step)), this,
                        [this, prefix = one.prefix] { emit branchWanted(prefix); });
    }
    if (menu->isEmpty()) menu->addAction(tr("Weights alone were kept: they have no optimizer to go on with"))->setEnabled(false);
    menu->popup(branch_->mapToGlobal(QPoint(0, branch_->height())));
}

void CheckpointsView::show(const session::RunRecord* run) {
    std::vector<models::CheckpointRow> rows;
    if (run != nullptr) {
        const std::optional<std::size_t> best = bestCheckpoint(*run);
        const std::string metric = run->run().compile.metrics.empty() ? "loss" : logName(run->run().compile.metrics.front());
        for (std::size_t i = 0; i < run->checkpoints().size(); ++i) {
            const auto& saved = run->checkpoints()[i].saved;
            models::CheckpointRow one;
            one.prefix = QString::fromStdString(saved.prefix);
            one.epoch = saved.epoch;
            one.step = saved.step;
            one.bytes = saved.bytes;
            one.seconds = saved.seconds;
            one.best = best == i;
            for (const auto& epoch : run->epochs()) {
                if (epoch.end.epoch == saved.epoch) one.value = epoch.log("val_" + metric);
            }
            rows.push_back(std::move(one));
        }
    }
    metric_->setText(rows.empty() ? QString() : metricWord(run->run()));
    model_->setRows(std::move(rows));
    const int count = model_->rowCount();
    none_->setVisible(count == 0);
    const bool is_over = run != nullptr && isFinal(run->state());
    none_->setText(is_over ? tr("The run has written none.") : tr("The first one appears at the end of an epoch."));
    for (QWidget* part : std::initializer_list<QWidget*>{metric_, folder_, branch_, list_}) part->setVisible(count > 0);
    list_->setFixedHeight(std::min(count, kMostRows) * theme::kListRowHeight);
}

void CheckpointsView::retranslate() {
    title_->setText(tr("Checkpoints"));
    folder_->setText(tr("Open folder"));
    branch_->setText(tr("Branch…"));
    branch_->setToolTip(tr("Open a project that goes on from a checkpoint, as a run of its own"));
    list_->setAccessibleName(tr("Checkpoints"));
}

}  // namespace ui::views

#include "moc_checkpoints_view.cpp"
