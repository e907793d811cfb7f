// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hosts/host_dialog.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/error.h"
#include "engine/spec/project/run_spec.h"
#include "ui/hosts/host_form.h"
#include "ui/hosts/host_question_card.h"
#include "ui/models/finding_text.h"
#include "ui/models/numbers.h"
#include "ui/session/host/far_hosts.h"
#include "ui/session/host/host.h"
#include "ui/session/host/pairing.h"
#include "ui/session/project/project.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/message_box.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using session::FarHost;
using session::FarHostState;
using session::HostEntry;
using session::HostJob;
using session::HostSight;
using theme::IconTone;
using theme::TextRole;
using widgets::ButtonKind;
using widgets::Ink;
using widgets::TextLabel;
using Kind = HostRow::Kind;

namespace {

constexpr int kHeadHeight = 52, kFootHeight = 60, kListWidth = 236;
constexpr double kNsPerMs = 1e6;

bool isPermissionDenied(const HostSight& sight) {
    return sight.state == FarHostState::kProblem && sight.code == static_cast<int>(engine::ErrorCode::kPermissionDenied);
}

bool mayBeInstalled(const HostSight& sight) {
    return sight.state == FarHostState::kNoTandem || sight.state == FarHostState::kOtherVersion;
}

QString versionSentence(const HostSight& seen) {
    return seen.version.isEmpty() ? HostDialog::tr("A Tandem lies there that does not tell its version.")
           : seen.is_older        ? HostDialog::tr("Tandem %1 lies there, which is older than this one.").arg(seen.version)
           : seen.is_newer        ? HostDialog::tr("Tandem %1 lies there, which is newer than this one.").arg(seen.version)
                                  : HostDialog::tr("Tandem %1 lies there, as here.").arg(seen.version);
}

// Returns the facts of a host, with a dash when nothing is known: the rows stay in their places.
std::vector<std::pair<QString, QString>> factsOf(const HostSight& seen) {
    const QString missing(models::kMissing);
    const auto bytes = [&](std::int64_t amount) { return amount > 0 ? models::formatBytes(amount) : missing; };
    const engine::run::HostInfo& info = seen.info;
    const bool is_known = info.cores > 0;
    QStringList gpus;
    for (const auto& gpu : info.gpus.gpus) gpus << QString::fromStdString(gpu.name);
    const QString tandem = !seen.version.isEmpty()                 ? seen.version
                           : seen.state == FarHostState::kNoTandem ? HostDialog::tr("none")
                                                                   : missing;
    return {{HostDialog::tr("Processor"), info.cpu_model.empty() ? missing : QString::fromStdString(info.cpu_model)},
            {HostDialog::tr("Cores"), is_known ? models::formatCount(info.cores) : missing},
            {HostDialog::tr("GPUs"), !is_known        ? missing
                                     : gpus.isEmpty() ? HostDialog::tr("none")
                                                      : gpus.join(QStringLiteral(", "))},
            {HostDialog::tr("Memory"), bytes(info.memory_bytes)},
            {HostDialog::tr("Free disk"), bytes(info.disk_available_bytes)},
            {HostDialog::tr("Tandem there"), tandem}};
}

}  // namespace

HostDialog::HostDialog(session::Session& session, const theme::ThemeController& themes, QWidget* parent)
    : QDialog(parent), session_(session), hosts_(session.farHosts()), themes_(themes), trial_(new HostTrial(session.farHosts(), this)) {
    setObjectName("hostDialog");
    setMinimumSize(760, 480);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, 0, 1, 1);
    column->setSpacing(0);
    auto* head = new QWidget(this);
    head->setFixedHeight(kHeadHeight);
    auto* head_row = new QHBoxLayout(head);
    head_row->setContentsMargins(theme::kSpace6, 0, theme::kSpace4, 0);
    title_ = new TextLabel(themes, TextRole::kSection, Ink::kText, head);
    x_ = widgets::makeButton(themes, {.object_name = "hostsX", .icon = "close", .kind = ButtonKind::kGhost, .compact = true}, head);
    head_row->addWidget(title_);
    head_row->addStretch();
    head_row->addWidget(x_);
    auto* left = new QWidget(this);
    left->setFixedWidth(kListWidth);
    auto* left_column = new QVBoxLayout(left);
    left_column->setContentsMargins(0, 0, 0, 0);
    list_ = new HostListView(themes, hosts_, left);
    list_problem_ = new TextLabel(themes, TextRole::kSmall, Ink::kError, left);
    list_problem_->setObjectName("hostListProblem");
    list_problem_->setWordWrap(true);
    list_problem_->setContentsMargins(theme::kSpace6, 0, theme::kSpace2, 0);
    left_column->addWidget(list_, 1);
    left_column->addWidget(list_problem_);
    auto* body = new QHBoxLayout;
    body->setSpacing(0);
    body->addWidget(left);
    body->addWidget(buildRight(), 1);
    column->addWidget(head);
    column->addLayout(body, 1);
    column->addWidget(buildFoot());
    connectAll();
    retranslate();
    hosts_.reload();
    onHostsChanged();
    form_->focusName();
}

HostDialog::~HostDialog() {
    hosts_.setShown({});
    hosts_.refuseQuestions();
}

QWidget* HostDialog::buildRight() {
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(theme::kSpace5, 0, theme::kSpace6, 0);
    column->setSpacing(theme::kSpace4);
    form_ = new HostForm(themes_, box);
    auto* inside = new QWidget(box);
    auto* known = new QVBoxLayout(inside);
    known->setContentsMargins(0, 0, 0, 0);
    known->setSpacing(theme::kSpace4);
    known->addWidget(sight_ = new HostSightCard(themes_, inside));
    known->addWidget(question_ = new HostQuestionCard(themes_, inside));
    known->addStretch();
    auto* scroll = new QScrollArea(box);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(inside);
    inside->setAutoFillBackground(false);
    scroll->viewport()->setAutoFillBackground(false);
    column->addWidget(form_);
    column->addWidget(scroll, 1);
    return box;
}

QWidget* HostDialog::buildFoot() {
    auto* box = new QWidget(this);
    box->setFixedHeight(kFootHeight);
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(theme::kSpace6, 0, theme::kSpace6, 0);
    row->setSpacing(theme::kSpace2);
    remove_ = widgets::makeButton(themes_, {.object_name = "hostRemove", .icon = "trash", .kind = ButtonKind::kDanger}, box);
    name_only_ = widgets::makeButton(themes_, {.object_name = "hostNameOnly"}, box);
    close_ = widgets::makeButton(themes_, {.object_name = "hostsClose"}, box);
    use_ = widgets::makeButton(themes_, {.object_name = "hostUse"}, box);
    install_ = widgets::makeButton(themes_, {.object_name = "hostInstall", .kind = ButtonKind::kPrimary}, box);
    add_ = widgets::makeButton(themes_, {.object_name = "hostAdd", .kind = ButtonKind::kPrimary}, box);
    row->addWidget(remove_);
    row->addWidget(name_only_);
    row->addStretch();
    for (QPushButton* button : {close_, use_, install_, add_}) row->addWidget(button);
    return box;
}

void HostDialog::connectAll() {
    connect(x_, &QPushButton::clicked, this, &QDialog::reject);
    connect(close_, &QPushButton::clicked, this, &QDialog::reject);
    connect(remove_, &QPushButton::clicked, this, &HostDialog::remove);
    connect(name_only_, &QPushButton::clicked, this, [this] { use(form_->entry().name); });
    connect(use_, &QPushButton::clicked, this, [this] { use(list_->chosen().name); });
    connect(install_, &QPushButton::clicked, this, &HostDialog::install);
    connect(add_, &QPushButton::clicked, this, &HostDialog::add);
    connect(list_, &HostListView::chosenChanged, this, &HostDialog::onChosen);
    connect(form_, &HostForm::edited, this, &HostDialog::onEdited);
    connect(trial_, &HostTrial::changed, this, [this] {
        const FarHost* host = listed();
        const bool is_let_in = trial_->state() == HostTrial::State::kEnded && trial_->sight().state != FarHostState::kProblem;
        if (host && is_let_in && trial_->isOf(host->entry)) hosts_.refresh({host->entry.name});  // a run asks nobody: can it, too?
        refresh();
    });
    connect(sight_, &HostSightCard::linkClicked, this, &HostDialog::followLink);
    connect(question_, &HostQuestionCard::answered, this, &HostDialog::answer);
    connect(question_, &HostQuestionCard::declined, this, &HostDialog::decline);
    connect(&hosts_, &session::FarHosts::listChanged, this, &HostDialog::onHostsChanged);
    connect(&hosts_, &session::FarHosts::changed, this, [this] {
        list_->refresh();
        refresh();
    });
    connect(&hosts_, &session::FarHosts::installed, this, [this](const QString& name) {
        if (trial_->entry().name == name) trial_->clear();
    });
    connect(&hosts_, &session::FarHosts::failed, this, [this](const QString& name, const session::ErrorInfo& error) {
        if (name == adding_) adding_.clear();
        if (name == form_->entry().name && !hosts_.find(name)) form_->setProblem(models::findingText(error.detail));
        refresh();
    });
    connect(&session_.project(), &session::Project::changed, this, &HostDialog::refreshFoot);
}

void HostDialog::showHost(const QString& name) {
    if (list_->choose(Kind::kListed, name) || name.isEmpty()) return;
    list_->choose(Kind::kNew);
    form_->setEntry({name, {}, {}}, false);
    onEdited();
}

// ---- what happens -----------------------------------------------------------------------------------------------------------------

void HostDialog::onHostsChanged() {
    const HostSight seen = trial_->sight();  // the list may choose another row, which clears the trial
    // Somebody may have gone on to another host, whose form stays as it is.
    const bool is_shown = !adding_.isEmpty() && !listed() && form_->entry().name == adding_;
    const bool was_seen = !adding_.isEmpty() && hosts_.find(adding_) && trial_->isOf(hosts_.find(adding_)->entry);
    list_->refresh();
    QStringList names;
    for (const FarHost& host : hosts_.hosts()) names << host.entry.name;
    hosts_.setShown(names);
    list_problem_->setText(models::findingText(hosts_.listProblem()));
    list_problem_->setVisible(!hosts_.listProblem().isEmpty());
    if (!adding_.isEmpty() && hosts_.find(adding_)) {
        const QString added = std::exchange(adding_, QString());
        if (draft_.name == added) draft_ = {};
        // What the trial saw is known of the added host from here on.
        if (was_seen && mayBeInstalled(seen)) hosts_.learn(added, seen);
        if (is_shown) list_->choose(Kind::kListed, added);
    }
    refresh();
}

void HostDialog::onChosen() {
    const HostRow row = list_->chosen();
    if (const FarHost* host = listed()) {
        form_->setEntry(host->entry, true);
        if (!trial_->isOf(host->entry)) trial_->clear();
    } else {
        form_->setEntry(row.kind == Kind::kConfigured ? HostEntry{row.name, {}, {}} : draft_, false);
        if (form_->isGood() && !session::isPairingLine(form_->entry().destination)) {
            trial_->lookAt(form_->entry());
        } else {
            trial_->clear();
        }
    }
    refresh();
}

void HostDialog::onEdited() {
    if (list_->chosen().kind == Kind::kNew) draft_ = form_->typed();
    if (form_->isGood() && hosts_.find(form_->entry().name))
        form_->setProblem(tr("%1: expected a new name, the list has it").arg(form_->entry().name));
    // A host with a pairing line lets this computer in only after the pairing, so no trial is made.
    if (form_->isGood() && !session::isPairingLine(form_->entry().destination)) {
        trial_->lookAt(form_->entry());
    } else {
        trial_->clear();
    }
    refresh();
}

const FarHost* HostDialog::listed() const {
    return list_->chosen().kind == Kind::kListed ? hosts_.find(list_->chosen().name) : nullptr;
}

// For a host of the list, looks tell more than a trial, but they ask the user nothing.
bool HostDialog::showsTrial() const {
    const FarHost* host = listed();
    return !host || (trial_->isOf(host->entry) && host->state() != FarHostState::kReachable && !host->is_installing &&
                     host->install_problem.isEmpty());
}

const HostSight& HostDialog::sight() const {
    const FarHost* host = listed();
    return host && !showsTrial() ? host->sight : trial_->sight();
}

const std::optional<session::HostQuestion>& HostDialog::question() const {
    const FarHost* host = listed();
    return host && host->is_installing ? host->question : trial_->question();
}

void HostDialog::answer(const QString& text) {
    const FarHost* host = listed();
    host && host->is_installing ? hosts_.answer(host->entry.name, text) : trial_->answer(text);
}

void HostDialog::decline() {
    const FarHost* host = listed();
    host && host->is_installing ? hosts_.cancelInstall(host->entry.name) : trial_->decline();
}

// Cancels, or looks again.
void HostDialog::followLink() {
    const FarHost* host = listed();
    if (host && host->is_installing) return hosts_.cancelInstall(host->entry.name);
    if (!host) return trial_->lookAgain();
    hosts_.refresh({host->entry.name});
    if (trial_->isOf(host->entry)) trial_->lookAgain();
}

void HostDialog::add() {
    if (!add_->isEnabled()) return;
    adding_ = form_->entry().name;
    hosts_.add(form_->entry());
    refresh();
}

void HostDialog::install() {
    if (const FarHost* host = listed()) hosts_.install(host->entry.name, HostJob::Questions::kAsked);
}

bool HostDialog::projectNames(const QString& name) const {
    if (!session_.project().isOpen()) return false;
    const auto hosts = engine::spec::hostsOf(session_.project().spec().cluster,
                                             [this](const std::string& one) { return session_.host().isThisComputer(one); });
    return std::any_of(hosts.begin(), hosts.end(), [&](const engine::spec::ClusterHost& host) {
        const FarHost* known = hosts_.reachedAs(QString::fromStdString(host.name));
        return !host.is_here && (known ? known->entry.name == name : host.name == name.toStdString());
    });
}

void HostDialog::remove() {
    const FarHost* host = listed();
    if (!host) return;
    const auto go = [this, entry = host->entry] {
        draft_ = entry;  // so that it can be put back
        hosts_.remove(entry.name);
    };
    if (!projectNames(host->entry.name)) return go();
    auto* question =
        new QMessageBox(QMessageBox::NoIcon, tr("Remove the host"),
                        tr("The project has tasks or a card for %1. Do you want to remove it from your list?").arg(host->entry.name),
                        QMessageBox::Cancel, this);
    question->setObjectName("hostRemoveQuestion");
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setInformativeText(tr("Its tasks can't be started from here then. Nothing changes there."));
    const QPushButton* yes = question->addButton(tr("Remove"), QMessageBox::AcceptRole);
    question->setDefaultButton(QMessageBox::Cancel);
    widgets::dressMessageBox(*question, themes_, "warning");
    connect(question, &QMessageBox::buttonClicked, this, [yes, go](const QAbstractButton* clicked) {
        if (clicked == yes) go();
    });
    question->open();
}

void HostDialog::use(const QString& name) {
    emit useWanted(name);
    accept();
}

// ---- showing ----------------------------------------------------------------------------------------------------------------------

void HostDialog::retranslate() {
    title_->setText(tr("Hosts"));
    x_->setAccessibleName(tr("Close"));
    list_->setAccessibleName(tr("Hosts"));
    close_->setText(tr("Close"));
    remove_->setText(tr("Remove"));
    name_only_->setText(tr("Use name only"));
    add_->setText(tr("Add"));
    use_->setText(tr("Use in project"));
    list_->refresh();
    form_->retranslate();
    question_->retranslate();
    refresh();
}

void HostDialog::refresh() {
    // A key or a password is asked for only where somebody waits for it.
    const FarHost* host = listed();
    const bool has_ssh = host && host->entry.fingerprint.isEmpty();
    if (has_ssh && isPermissionDenied(host->sight) && !host->is_looking && !host->is_installing && !trial_->isOf(host->entry)) {
        trial_->lookAt(host->entry);  // comes back here
        return;
    }
    refreshSight();
    refreshFoot();
}

void HostDialog::refreshSight() {
    const FarHost* host = listed();
    const bool is_asked = question().has_value();
    const bool appears = is_asked && !question_->isVisibleTo(this);
    sight_->setContent(host && !showsTrial() ? hostContent(*host) : trialContent());
    sight_->setFactsShown(!is_asked);
    if (is_asked) question_->setQuestion(form_->entry().destination, *question());
    question_->setVisible(is_asked);
    const bool types = !host && form_->isAncestorOf(QApplication::focusWidget());  // who types goes on typing
    if (appears && !types) question_->focusAnswer();
}

HostSightCard::Content HostDialog::trialContent() const {
    const QString destination = form_->entry().destination;
    const HostSight& seen = trial_->sight();
    HostSightCard::Content content;
    content.facts = factsOf(seen);
    switch (trial_->state()) {
        case HostTrial::State::kNone:
            content.icon = "info";
            if (form_->isGood() && session::isPairingLine(destination)) {
                content.title =
                    adding_.isEmpty() ? tr("A pairing line") : tr("Pairing with %1").arg(session::hostOfDestination(destination));
                content.sentence = tr("Add pairs the two computers. The line is good once, for ten minutes.");
                return content;
            }
            content.title = form_->isEmpty() ? tr("Which computer?") : tr("Not looked at");
            content.sentence = form_->isEmpty() ? tr("Type a name, or what ssh takes: what is there is shown as soon as you pause. A "
                                                     "computer without ssh is paired by the line that tandem-agent invite prints there.")
                                                : QString();
            return content;
        case HostTrial::State::kLooking:
            content.icon = "clock";
            content.title = tr("Looking at %1").arg(destination);
            return content;
        case HostTrial::State::kDeclined:
            content.icon = "warning";
            content.tone = IconTone::kWarn;
            content.title = tr("Not connected");
            content.sentence = tr("ssh got no answer from you, so nothing is known of it.");
            content.link = tr("Look again");
            return content;
        case HostTrial::State::kEnded:
            break;
    }
    content.link = tr("Look again");
    if (seen.state == FarHostState::kProblem) {
        content.icon = "error";
        content.tone = IconTone::kError;
        content.title = tr("Out of reach");
        content.sentence = models::findingText(seen.problem);
        return content;
    }
    content.icon = "check-circle";
    content.tone = IconTone::kOk;
    content.title = tr("Reached in %1 ms").arg(seen.reached_ms);
    content.sentence = seen.state != FarHostState::kNoTandem ? versionSentence(seen)
                       : listed()                            ? tr("Install puts this Tandem there, without root.")
                                                             : tr("Add it first; then Install puts this Tandem there, without root.");
    if (seen.gave == HostSight::Gave::kPassword)
        content.sentence +=
            QLatin1Char(' ') +
            tr("It asked for a password; nobody answers one when a run starts: ssh-copy-id %1 puts a key there.").arg(destination);
    if (seen.gave == HostSight::Gave::kSecretOfKey)
        content.sentence +=
            QLatin1Char(' ') + tr("A key wanted its passphrase or PIN; nobody answers that when a run starts: ssh-add gives "
                                  "the key to ssh-agent.");
    return content;
}

HostSightCard::Content HostDialog::hostContent(const FarHost& host) const {
    const HostSight& seen = host.sight;
    HostSightCard::Content content;
    content.facts = factsOf(seen);
    content.link = tr("Look again");
    content.tone = stateTone(host);
    content.title = stateText(host);
    if (host.is_installing) {
        const auto done = static_cast<double>(host.progress.done_bytes), all = static_cast<double>(host.progress.all_bytes);
        content.icon = "clock";
        content.tone = IconTone::kAuto;
        content.link = tr("Cancel");
        content.progress = all > 0 ? done / all : 0;
        if (all > 0)
            content.sentence =
                tr("%1 of %2")
                    .arg(models::formatBytes(static_cast<std::int64_t>(done)), models::formatBytes(static_cast<std::int64_t>(all)));
        return content;
    }
    if (!host.install_problem.isEmpty() && host.state() != FarHostState::kReachable) {
        content.icon = "error";
        content.tone = IconTone::kError;
        content.title = tr("It was not installed");
        content.sentence = models::findingText(host.install_problem);
        return content;
    }
    switch (host.state()) {
        case FarHostState::kUnknown:
        case FarHostState::kLooking:
            content.icon = "clock";
            content.link.clear();
            break;
        case FarHostState::kReachable:
            content.icon = "check-circle";
            content.sentence =
                tr("Runs may use it. Its agent answers in %1 ms.").arg(static_cast<double>(seen.round_trip_ns) / kNsPerMs, 0, 'f', 1);
            break;
        case FarHostState::kOtherVersion:
            content.icon = "warning";
            content.sentence = versionSentence(seen);
            break;
        case FarHostState::kNoTandem:
            content.icon = "warning";
            content.sentence = tr("Install puts this Tandem there, without root.");
            break;
        case FarHostState::kProblem:
            content.icon = "error";
            content.sentence = models::findingText(seen.problem);
            break;
    }
    return content;
}

void HostDialog::refreshFoot() {
    const FarHost* host = listed();
    const bool can_edit = session_.project().isOpen();
    const QString name = form_->entry().name;
    const bool is_known = !host && hosts_.find(name) != nullptr;
    remove_->setVisible(host != nullptr);
    name_only_->setVisible(!host);
    add_->setVisible(!host);
    use_->setVisible(host != nullptr);
    const bool offers = host && !host->is_installing && mayBeInstalled(sight());
    install_->setVisible(offers);
    install_->setText(sight().state == FarHostState::kNoTandem ? tr("Install")
                      : sight().is_newer                       ? tr("Install this version")
                                                               : tr("Update"));
    widgets::setSheetProperty(use_, "kind", offers ? QString() : QStringLiteral("primary"));
    add_->setEnabled(form_->isGood() && !is_known && adding_.isEmpty());
    add_->setToolTip(form_->isEmpty() ? tr("Type a name first") : QString());
    const bool is_name = !engine::spec::checkHostName(name.toStdString(), {}).has_value();
    const QString obstacle = !can_edit ? tr("No project is open") : projectNames(name) ? tr("The project has it") : QString();
    use_->setEnabled(obstacle.isEmpty());
    use_->setToolTip(obstacle);
    name_only_->setEnabled(is_name && obstacle.isEmpty());
    name_only_->setToolTip(obstacle.isEmpty() ? tr("A card for its tasks, to export their TF_CONFIG. They are started by hand there")
                                              : obstacle);
}

void HostDialog::keyPressEvent(QKeyEvent* event) {
    const bool enters = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (!enters) return QDialog::keyPressEvent(event);  // Esc leaves
    if (question_->takesEnter()) return;
    if (auto* button = qobject_cast<QPushButton*>(QApplication::focusWidget())) return button->click();
    for (QPushButton* button : {add_, install_, use_}) {
        if (button->isVisibleTo(this) && button->isEnabled()) return button->click();
    }
}

void HostDialog::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QDialog::changeEvent(event);
}

}  // namespace ui::views

#include "moc_host_dialog.cpp"
