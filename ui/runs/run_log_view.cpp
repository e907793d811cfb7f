// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_log_view.h"

#include <QListView>
#include <QVBoxLayout>
#include <utility>
#include <vector>

#include "ui/models/log_model.h"
#include "ui/parts/task_log_pane.h"
#include "ui/session/runs/run_record.h"
#include "ui/widgets/card_frame.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using session::RunRecord;
using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

RunLogView::RunLogView(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent) {
    constexpr int kMostLines = 100'000;
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    auto* card = new widgets::CardFrame(themes, widgets::FrameKind::kCard, this);
    whole->addWidget(card);
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(theme::kSpace5, theme::kSpace3, theme::kSpace3, theme::kSpace3);
    title_ = new TextLabel(themes, TextRole::kStrong, Ink::kText, card);
    title_->setElided(true);
    model_ = new models::LogModel(kMostLines, this);
    list_ = new QListView(card);
    list_->setObjectName("compareLog");
    list_->setModel(model_);
    list_->setItemDelegate(new LogDelegate(themes, list_));
    list_->setUniformItemSizes(true);
    list_->setFrameShape(QFrame::NoFrame);
    column->addWidget(title_);
    column->addWidget(list_, 1);
    retranslate();
}

void RunLogView::setRun(const RunRecord* run) {
    title_->setText(run ? run->summary().name : tr("Check a run in the table to read its log."));
    if (run && run == run_) return;
    if (run_) disconnect(run_, nullptr, this, nullptr);
    run_ = run;
    taken_ = 0;
    model_->clear();
    if (!run) return;
    connect(run, &RunRecord::logsArrived, this, &RunLogView::takeLines);
    takeLines();
    list_->scrollToBottom();
}

void RunLogView::takeLines() {
    if (run_->logs().size() < taken_) {  // the run was started again
        taken_ = 0;
        model_->clear();
    }
    std::vector<models::LogRow> rows;
    for (; taken_ < run_->logs().size(); ++taken_) {
        const session::LogEntry& entry = run_->logs()[taken_];
        rows.push_back({.seconds = run_->secondsSinceCreation(entry.time_unix_ns),
                        .task = entry.task,
                        .level = entry.level,
                        .text = QString::fromStdString(entry.text)});
    }
    model_->append(std::move(rows));
}

void RunLogView::retranslate() {
    list_->setAccessibleName(tr("Log of the run"));
    if (!run_) setRun(nullptr);
}

}  // namespace ui::views

#include "moc_run_log_view.cpp"
