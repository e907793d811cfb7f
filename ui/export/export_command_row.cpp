// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_command_row.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QPushButton>

#include "ui/widgets/buttons.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

ExportCommandRow::ExportCommandRow(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(theme::kSpace2);
    command_ = new TextLabel(themes, TextRole::kMono, Ink::kText2, this);
    command_->setElided(true);
    problem_ = new TextLabel(themes, TextRole::kSmall, Ink::kError, this);
    problem_->setElided(true);
    problem_->setObjectName("exportProblem");
    copy_ = widgets::makeButton(
        themes, {.object_name = "exportCopyCommand", .icon = "copy", .kind = widgets::ButtonKind::kGhost, .compact = true}, this);
    row->addWidget(command_, 1);
    row->addWidget(copy_);
    row->addWidget(problem_, 1);
    connect(copy_, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(command_->text()); });
}

void ExportCommandRow::showCommand(const QString& command) {
    command_->setText(command);
    command_->setToolTip(command);
    problem_->hide();
    command_->show();
    copy_->setVisible(!command.isEmpty());
}

void ExportCommandRow::showProblem(const QString& problem) {
    problem_->setText(problem);
    problem_->setToolTip(problem);
    command_->hide();
    copy_->hide();
    problem_->show();
}

void ExportCommandRow::retranslate() {
    copy_->setAccessibleName(tr("Copy the command"));
}

}  // namespace ui::views

#include "moc_export_command_row.cpp"
