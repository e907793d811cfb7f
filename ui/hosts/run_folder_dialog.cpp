// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hosts/run_folder_dialog.h"

#include <QComboBox>
#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

#include "ui/models/finding_text.h"
#include "ui/session/host/far_hosts.h"
#include "ui/session/host/host.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/runs.h"
#include "ui/session/session.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

RunFolderDialog::RunFolderDialog(session::Session& session, const theme::ThemeController& themes, QWidget* parent)
    : QDialog(parent), session_(session) {
    setObjectName("runFolderDialog");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme::kSpace6, theme::kSpace5, theme::kSpace6, theme::kSpace5);
    column->setSpacing(theme::kSpace3);
    title_ = new TextLabel(themes, TextRole::kSection, Ink::kText, this);
    for (TextLabel** label : {&about_, &host_label_, &folder_label_}) *label = new TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    about_->setWordWrap(true);
    host_ = new QComboBox(this);
    host_->setObjectName("runFolderHost");
    host_->addItem(QString());
    for (const session::FarHost& one : session_.farHosts().hosts()) host_->addItem(one.entry.name, one.entry.name);
    folder_ = new QLineEdit(this);
    folder_->setObjectName("runFolderPath");
    folder_->setFont(themes.font(TextRole::kMonoField));
    browse_ = widgets::makeButton(themes, {.object_name = "runFolderBrowse", .icon = "folder"}, this);
    problem_ = new TextLabel(themes, TextRole::kSmall, Ink::kError, this);
    problem_->setObjectName("runFolderProblem");
    problem_->setWordWrap(true);
    cancel_ = widgets::makeButton(themes, {.object_name = "runFolderCancel"}, this);
    open_ = widgets::makeButton(themes, {.object_name = "runFolderOpen", .kind = widgets::ButtonKind::kPrimary}, this);
    auto* where = new QHBoxLayout;
    where->setSpacing(theme::kSpace3);
    where->addWidget(host_label_);
    where->addWidget(host_);
    where->addStretch(1);
    auto* place = new QHBoxLayout;
    place->setSpacing(theme::kSpace2);
    place->addWidget(folder_, 1);
    place->addWidget(browse_);
    auto* foot = new QHBoxLayout;
    foot->setSpacing(theme::kSpace2);
    foot->addWidget(problem_, 1);
    foot->addWidget(cancel_);
    foot->addWidget(open_);
    column->addWidget(title_);
    column->addWidget(about_);
    column->addLayout(where);
    column->addWidget(folder_label_);
    column->addLayout(place);
    column->addStretch(1);
    column->addLayout(foot);
    setFocusProxy(folder_);
    connect(host_, &QComboBox::currentIndexChanged, this, &RunFolderDialog::refresh);
    connect(folder_, &QLineEdit::textEdited, this, &RunFolderDialog::refresh);
    connect(folder_, &QLineEdit::returnPressed, this, &RunFolderDialog::open);
    connect(browse_, &QPushButton::clicked, this, &RunFolderDialog::chooseFolder);
    connect(cancel_, &QPushButton::clicked, this, &QDialog::reject);
    connect(open_, &QPushButton::clicked, this, &RunFolderDialog::open);
    connect(&session_.host(), &session::Host::agentChanged, this, &RunFolderDialog::refresh);
    connect(&session_.runs(), &session::Runs::opened, this, [this] {
        if (is_asking_) accept();
    });
    connect(&session_.runs(), &session::Runs::openRefused, this, [this](const session::ErrorInfo& error) {
        if (!std::exchange(is_asking_, false)) return;
        refresh();
        problem_->setText(models::findingText(error.detail));
    });
    retranslate();
}

void RunFolderDialog::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QDialog::changeEvent(event);
}

QString RunFolderDialog::host() const {
    return host_->currentData().toString();
}

QString RunFolderDialog::folder() const {
    return folder_->text().trimmed();
}

void RunFolderDialog::retranslate() {
    title_->setText(tr("Open run folder"));
    about_->setText(
        tr("A run without an agent, which a shell, mpirun or a scheduler started, tells what happens in its folder. Monitor shows it from "
           "its first step on and follows it while it goes on. A host of the list is reached over ssh."));
    host_label_->setText(tr("The folder is on"));
    host_->setItemText(0, tr("this computer"));
    host_->setAccessibleName(host_label_->text());
    folder_label_->setText(tr("The run's folder"));
    folder_->setAccessibleName(folder_label_->text());
    folder_->setPlaceholderText(QStringLiteral("/shared/run"));
    browse_->setText(tr("Choose…"));
    cancel_->setText(tr("Cancel"));
    refresh();
}

void RunFolderDialog::refresh() {
    const bool has_agent = session_.host().isReady();
    problem_->setText(!has_agent                                               ? tr("The agent does not answer yet.")
                      : !folder().isEmpty() && !QDir::isAbsolutePath(folder()) ? tr("The folder begins with /.")
                                                                               : QString());
    browse_->setEnabled(host().isEmpty() && !is_asking_);
    open_->setText(is_asking_ ? tr("Opening…") : tr("Open"));
    open_->setEnabled(has_agent && QDir::isAbsolutePath(folder()) && !is_asking_);
}

void RunFolderDialog::chooseFolder() {
    const QString beside = folder().isEmpty() ? QFileInfo(session_.project().path()).path() : folder();
    const QString chosen =
        QFileDialog::getExistingDirectory(this, tr("Open the folder of a run that was started without an agent"), beside);
    if (chosen.isEmpty()) return;
    folder_->setText(chosen);
    refresh();
}

void RunFolderDialog::open() {
    if (!open_->isEnabled()) return;
    is_asking_ = true;
    refresh();
    session_.runs().openFolder(folder(), host());
}

}  // namespace ui::views

#include "moc_run_folder_dialog.cpp"
