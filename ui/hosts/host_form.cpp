// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hosts/host_form.h"

#include <QGridLayout>
#include <QLineEdit>
#include <QSignalBlocker>

#include "ui/models/finding_text.h"
#include "ui/session/host/host_backend.h"
#include "ui/session/host/pairing.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using session::HostEntry;
using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kNameShare = 2, kDestinationShare = 3;

}  // namespace

HostForm::HostForm(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(theme::kSpace3);
    grid->setVerticalSpacing(theme::kSpace1);
    grid->setColumnStretch(0, kNameShare);
    grid->setColumnStretch(1, kDestinationShare);
    const auto label = [&] { return new TextLabel(themes, TextRole::kSmall, Ink::kText2, this); };
    const auto field = [&](const char* name) {
        auto* edit = new QLineEdit(this);
        edit->setObjectName(QLatin1String(name));
        edit->setFont(themes.font(TextRole::kMonoField));
        connect(edit, &QLineEdit::textEdited, this, [this] {
            check();
            emit edited();
        });
        return edit;
    };
    name_ = field("hostName");
    destination_ = field("hostDestination");
    folder_ = field("hostFolder");
    problem_ = new TextLabel(themes, TextRole::kSmall, Ink::kError, this);
    problem_->setObjectName("hostFormProblem");
    problem_->setWordWrap(true);  // what others refuse takes two lines
    grid->addWidget(name_label_ = label(), 0, 0);
    grid->addWidget(destination_label_ = label(), 0, 1);
    grid->addWidget(name_, 1, 0);
    grid->addWidget(destination_, 1, 1);
    grid->setRowMinimumHeight(2, theme::kSpace1);
    grid->addWidget(folder_label_ = label(), 3, 0, 1, 2);
    grid->addWidget(folder_, 4, 0, 1, 2);
    grid->addWidget(problem_, 5, 0, 1, 2);
    retranslate();
}

void HostForm::retranslate() {
    name_label_->setText(tr("Name in clusters"));
    destination_label_->setText(tr("Where ssh goes, or a pairing line"));
    folder_label_->setText(tr("Tandem's folder there"));
    name_->setAccessibleName(name_label_->text());
    destination_->setAccessibleName(destination_label_->text());
    folder_->setAccessibleName(folder_label_->text());
    folder_->setPlaceholderText(session::usualFolder());
    check();
}

HostEntry HostForm::typed() const {
    return {name_->text().trimmed(), destination_->text().trimmed(), folder_->text().trimmed()};
}

HostEntry HostForm::entry() const {
    HostEntry entry = typed();
    if (entry.name.isEmpty()) entry.name = session::hostOfDestination(entry.destination);
    if (entry.destination.isEmpty()) entry.destination = entry.name;
    if (session::isPairingLine(entry.destination)) {
        entry.folder.clear();  // Tandem runs there already
        return entry;
    }
    if (entry.folder.isEmpty()) entry.folder = session::usualFolder();
    return entry;
}

bool HostForm::isEmpty() const {
    return name_->text().trimmed().isEmpty() && destination_->text().trimmed().isEmpty();
}

bool HostForm::isGood() const {
    return is_good_;
}

void HostForm::setEntry(const HostEntry& entry, bool is_fixed) {
    name_->setText(entry.name);
    destination_->setText(entry.destination);
    folder_->setText(entry.folder == session::usualFolder() && !is_fixed ? QString() : entry.folder);
    for (QLineEdit* field : {name_, destination_, folder_}) {
        field->setReadOnly(is_fixed);
        widgets::setSheetProperty(field, "kind", is_fixed ? QStringLiteral("fixed") : QString());
        field->setCursorPosition(0);
    }
    check();
}

void HostForm::check() {
    const HostEntry typed = this->typed();
    const QString host = session::hostOfDestination(typed.destination);
    const bool pairs = session::isPairingLine(typed.destination);
    folder_->setEnabled(!pairs);
    if (!folder_->isReadOnly()) widgets::setSheetProperty(folder_, "kind", pairs ? QStringLiteral("fixed") : QString());
    name_->setPlaceholderText(host.isEmpty() ? QStringLiteral("node1") : host);
    destination_->setPlaceholderText(typed.name.isEmpty() ? QStringLiteral("[USER@]HOST[:PORT]") : typed.name);
    const engine::spec::Diagnostics found = isEmpty() ? engine::spec::Diagnostics() : findingsOf(entry());
    is_good_ = !isEmpty() && found.empty();
    const auto is_at = [&](const char* path) { return !found.empty() && found.front().path.starts_with(path); };
    widgets::setSheetProperty(name_, "invalid", is_at("host.name"));
    widgets::setSheetProperty(destination_, "invalid", is_at("host.ssh"));
    widgets::setSheetProperty(folder_, "invalid", is_at("host.folder"));
    problem_->setText(found.empty() ? QString() : models::findingText(found.front().message));
}

void HostForm::setProblem(const QString& problem) {
    problem_->setText(problem);
}

void HostForm::focusName() {
    name_->setFocus(Qt::OtherFocusReason);
    name_->selectAll();
}

}  // namespace ui::views

#include "moc_host_form.cpp"
