// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hosts/host_question_card.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

#include "ui/models/finding_text.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using session::HostQuestion;
using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;
using QuestionKind = HostQuestion::Kind;

HostQuestionCard::HostQuestionCard(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent) {
    setObjectName("hostQuestion");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme::kSpace2);
    title_ = new TextLabel(themes, TextRole::kStrong, Ink::kText, this);
    title_->setObjectName("hostQuestionTitle");
    title_->setWordWrap(true);
    words_ = new TextLabel(themes, TextRole::kMono, Ink::kText, this);
    words_->setObjectName("hostQuestionWords");
    words_->setWordWrap(true);
    words_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    hint_ = new TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    hint_->setWordWrap(true);
    secret_ = new QLineEdit(this);
    secret_->setObjectName("hostSecret");
    secret_->setEchoMode(QLineEdit::Password);
    yes_ = widgets::makeButton(themes, {.object_name = "hostAnswer"}, this);
    no_ = widgets::makeButton(themes, {.object_name = "hostDecline"}, this);
    auto* row = new QHBoxLayout;
    row->setSpacing(theme::kSpace2);
    row->addWidget(secret_, 1);
    row->addWidget(yes_);
    row->addWidget(no_);
    row->addStretch();
    for (QWidget* text : {static_cast<QWidget*>(title_), static_cast<QWidget*>(words_), static_cast<QWidget*>(hint_)})
        column->addWidget(text);
    column->addLayout(row);
    connect(secret_, &QLineEdit::textEdited, this, &HostQuestionCard::refresh);
    connect(yes_, &QPushButton::clicked, this, &HostQuestionCard::give);
    connect(no_, &QPushButton::clicked, this, &HostQuestionCard::declined);
}

void HostQuestionCard::setQuestion(const QString& host, const HostQuestion& question) {
    if (question != question_ || host != host_) secret_->clear();
    host_ = host;
    question_ = question;
    refresh();
}

void HostQuestionCard::retranslate() {
    secret_->setAccessibleName(tr("Answer to ssh"));
    refresh();
}

void HostQuestionCard::refresh() {
    const bool is_key = question_.kind == QuestionKind::kHostKey, is_secret = question_.kind == QuestionKind::kSecret,
               is_notice = question_.kind == QuestionKind::kNotice;
    title_->setText(is_key ? tr("The key of %1 is not known here").arg(question_.key_host.isEmpty() ? host_ : question_.key_host)
                    : question_.is_again ? tr("%1 did not take that, and asks again").arg(host_)
                    : is_notice          ? tr("ssh waits for you")
                                         : tr("ssh asks you"));
    words_->setText(is_key ? question_.key_type + QLatin1Char(' ') + question_.fingerprint : question_.text);
    hint_->setText(tr("Trust it where whoever looks after the computer names the same. ssh keeps it in known_hosts then."));
    hint_->setVisible(is_key);
    secret_->setVisible(is_secret);
    yes_->setVisible(!is_notice);
    yes_->setEnabled(!is_secret || !secret_->text().isEmpty());
    yes_->setText(is_key ? tr("Trust this key") : is_secret ? tr("Continue") : tr("Yes"));
    no_->setText(is_key ? tr("Do not trust it") : question_.kind == QuestionKind::kConfirm ? tr("No") : tr("Cancel"));
    secret_->setAccessibleDescription(question_.text);
    setAccessibleName(models::withName(title_->text(), words_->text()));
}

void HostQuestionCard::give() {
    const QString text = question_.kind == QuestionKind::kSecret ? secret_->text() : QStringLiteral("yes");
    secret_->clear();
    emit answered(text);
}

bool HostQuestionCard::takesEnter() {
    if (!secret_->hasFocus()) return false;
    if (yes_->isEnabled()) give();
    return true;
}

void HostQuestionCard::focusAnswer() {
    // A key is not trusted by the next Enter of somebody who did something else.
    QWidget* first = question_.kind == QuestionKind::kSecret    ? static_cast<QWidget*>(secret_)
                     : question_.kind == QuestionKind::kHostKey ? no_
                                                                : yes_;
    first->setFocus(Qt::TabFocusReason);
}

}  // namespace ui::views

#include "moc_host_question_card.cpp"
