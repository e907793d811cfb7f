// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/summary_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "engine/spec/project/model_summary.h"
#include "ui/session/project/project.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using theme::TextRole;
using widgets::Ink;

SummaryDialog::SummaryDialog(const session::Project& project, const theme::ThemeController& themes, QWidget* parent) : QDialog(parent) {
    setObjectName(QStringLiteral("summaryDialog"));
    title_ = new widgets::TextLabel(themes, TextRole::kTitle, Ink::kText, this);
    text_ = new QPlainTextEdit(this);
    text_->setObjectName(QStringLiteral("summaryText"));
    text_->setReadOnly(true);
    text_->setLineWrapMode(QPlainTextEdit::NoWrap);
    text_->setFont(themes.font(TextRole::kMono));
    text_->setPlainText(
        QString::fromStdString(engine::spec::modelSummary(project.spec().model) + "\n" + engine::spec::workSummary(project.spec())));
    copy_ = widgets::makeButton(themes, {.object_name = QStringLiteral("summaryCopy"), .icon = QStringLiteral("copy")}, this);
    close_ = widgets::makeButton(themes, {.object_name = QStringLiteral("summaryClose"), .icon = {}, .kind = widgets::ButtonKind::kPrimary},
                                 this);
    close_->setDefault(true);
    auto* foot = new QHBoxLayout;
    foot->setSpacing(theme::kSpace3);
    foot->addStretch();
    foot->addWidget(copy_);
    foot->addWidget(close_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(theme::kSpace6, theme::kSpace5, theme::kSpace6, theme::kSpace5);
    layout->setSpacing(theme::kSpace4);
    layout->addWidget(title_);
    layout->addWidget(text_, 1);
    layout->addLayout(foot);
    connect(copy_, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(text_->toPlainText()); });
    connect(close_, &QPushButton::clicked, this, &QDialog::accept);
    text_->setFocus();
    retranslate();
}

void SummaryDialog::retranslate() {
    title_->setText(tr("Summary"));
    setWindowTitle(title_->text());
    text_->setAccessibleName(tr("Summary of the model"));
    copy_->setText(tr("Copy"));
    close_->setText(tr("Close"));
}

void SummaryDialog::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QDialog::changeEvent(event);
}

}  // namespace ui::views
