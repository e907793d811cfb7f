// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/welcome_page.h"

#include <QListView>
#include <QPushButton>
#include <QStackedLayout>
#include <QVBoxLayout>

#include "ui/models/recent_model.h"
#include "ui/views/delegates.h"
#include "ui/views/host_checks.h"
#include "ui/views/template_card.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/card_frame.h"
#include "ui/widgets/status_pill.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using theme::TextRole;
using widgets::ButtonKind;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kRightWidth = 330, kRightNarrow = 260, kClockMs = 30'000, kEmptyHeight = 116;

}  // namespace

WelcomePage::WelcomePage(session::Session& session, const theme::ThemeController& themes, QWidget* parent)
    : Page(parent),
      session_(session),
      themes_(themes),
      recent_model_(new models::RecentModel(this)),
      doctor_model_(new models::CheckListModel(this)) {
    setObjectName("welcomePage");
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(buildLeft(), 1);
    row->addWidget(right_ = buildRight());
    connect(&session_, &session::Session::recentChanged, this, &WelcomePage::refreshRecent);
    connect(&session_, &session::Session::runsChanged, this, &WelcomePage::refreshRecent);
    connect(&session_, &session::Session::agentChanged, this, &WelcomePage::refreshHost);
    connect(&session_, &session::Session::hostChanged, this, [this] {
        since_check_.restart();
        refreshHost();
    });
    clock_.setInterval(kClockMs);
    connect(&clock_, &QTimer::timeout, this, &WelcomePage::refreshHost);
    clock_.start();
    retranslate();
}

QWidget* WelcomePage::buildLeft() {
    auto* left = new QWidget(this);
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(theme::kSpace7, theme::kSpace7, theme::kSpace7, theme::kSpace7);
    column->setSpacing(0);
    title_ = new TextLabel(themes_, TextRole::kDisplay, Ink::kText, left);
    sentence_ = new TextLabel(themes_, TextRole::kBody, Ink::kText2, left);
    column->addWidget(title_);
    column->addWidget(sentence_);
    column->addSpacing(theme::kSpace5);
    auto* cards = new QHBoxLayout;
    cards->setSpacing(theme::kSpace5);
    auto* more = new QHBoxLayout;
    more->setSpacing(theme::kSpace2);
    more_ = new TextLabel(themes_, TextRole::kBody, Ink::kText2, left);
    more->addWidget(more_);
    bool marked = false;
    for (const session::Template& source : session_.templates()) {
        if (!source.label.isEmpty()) {
            more->addWidget(buildChip(source, left));
            continue;
        }
        const bool mark = !marked && source.run.cluster.spec.trainingTasks().size() > 1;
        marked |= mark;
        auto* card = new TemplateCard(themes_, source, mark, left);
        connect(card, &TemplateCard::opened, this, [this](const QString& id) { openTemplate(id, false); });
        connect(card, &TemplateCard::trained, this, [this](const QString& id) { openTemplate(id, true); });
        cards_.push_back(card);
        cards->addWidget(card, 1);
    }
    more_->setVisible(more->count() > 1);
    more->addStretch();
    column->addLayout(cards);
    column->addSpacing(theme::kSpace3);
    column->addLayout(more);
    column->addSpacing(theme::kSpace6);
    column->addWidget(buildRecent(), 1);
    return left;
}

QWidget* WelcomePage::buildChip(const session::Template& source, QWidget* parent) {
    QPushButton* chip = widgets::makeButton(themes_, {.object_name = "template_" + source.id, .compact = true}, parent);
    chip->setText(source.label);
    chip->setToolTip(QString::fromStdString(source.run.name));
    connect(chip, &QPushButton::clicked, this, [this, id = source.id] { openTemplate(id, false); });
    return chip;
}

QWidget* WelcomePage::buildRecent() {
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme::kSpace3);
    auto* head = new QHBoxLayout;
    head->setSpacing(theme::kSpace2);
    recent_title_ = new TextLabel(themes_, TextRole::kSection, Ink::kText, box);
    blank_ = widgets::makeButton(themes_, {.object_name = "newProjectButton", .icon = "plus", .compact = true}, box);
    open_ = widgets::makeButton(themes_, {.object_name = "openProjectButton", .icon = "folder", .compact = true}, box);
    head->addWidget(recent_title_);
    head->addStretch();
    head->addWidget(blank_);
    head->addWidget(open_);
    column->addLayout(head);
    auto* card = new widgets::CardFrame(themes_, widgets::FrameKind::kCard, box);
    auto* frame = new QVBoxLayout(card);
    frame->setContentsMargins(1, 1, 1, 1);
    recent_stack_ = new QStackedLayout;
    frame->addLayout(recent_stack_);
    recent_ = new QListView(card);
    recent_->setObjectName("recentList");
    recent_->setModel(recent_model_);
    recent_->setItemDelegate(new RecentDelegate(themes_, recent_));
    recent_->setUniformItemSizes(true);
    recent_->setMouseTracking(true);
    recent_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    recent_->viewport()->setAutoFillBackground(false);
    empty_ = new TextLabel(themes_, TextRole::kBody, Ink::kText2, card);
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setWordWrap(true);
    recent_stack_->addWidget(recent_);
    recent_stack_->addWidget(empty_);
    column->addWidget(recent_card_ = card, 1);
    column->addStretch(0);
    const auto open = [this](const QModelIndex& index) {
        if (session_.open(recent_model_->path(index.row()))) emit modeRequested(Mode::kModel);
    };
    connect(recent_, &QListView::activated, this, open);
    connect(blank_, &QPushButton::clicked, this, [this] { window()->findChild<QAction*>("actionNew")->trigger(); });
    connect(open_, &QPushButton::clicked, this, [this] { window()->findChild<QAction*>("actionOpen")->trigger(); });
    return box;
}

QWidget* WelcomePage::buildRight() {
    auto* dock = new widgets::CardFrame(themes_, widgets::FrameKind::kDockRight, this);
    dock->setFixedWidth(kRightWidth);
    auto* column = new QVBoxLayout(dock);
    column->setContentsMargins(theme::kSpace6, theme::kSpace7, theme::kSpace6, theme::kSpace5);
    column->setSpacing(theme::kSpace2);
    auto* head = new QHBoxLayout;
    host_title_ = new TextLabel(themes_, TextRole::kSection, Ink::kText, dock);
    pill_ = new widgets::StatusPill(themes_, dock);
    head->addWidget(host_title_);
    head->addStretch();
    head->addWidget(pill_);
    column->addLayout(head);
    doctor_ = new QListView(dock);
    doctor_->setObjectName("doctorList");
    doctor_->setModel(doctor_model_);
    auto* delegate = new CheckDelegate(themes_, CheckDelegate::Density::kTwoLines, doctor_);
    doctor_->setItemDelegate(delegate);
    doctor_->setSelectionMode(QAbstractItemView::NoSelection);
    doctor_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    doctor_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(delegate, &CheckDelegate::fixClicked, &session_, [this] { session_.connectAgent(); });
    column->addWidget(doctor_);
    auto* foot = new QHBoxLayout;
    check_ = widgets::makeButton(themes_, {.object_name = "checkAgainButton", .icon = "refresh", .compact = true}, dock);
    checked_ = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, dock);
    foot->addWidget(check_);
    foot->addStretch();
    foot->addWidget(checked_);
    column->addLayout(foot);
    column->addSpacing(theme::kSpace5);
    learn_title_ = new TextLabel(themes_, TextRole::kSection, Ink::kText, dock);
    shortcuts_ = widgets::makeButton(
        themes_, {.object_name = "learnShortcuts", .icon = "chevron-right", .kind = ButtonKind::kLink, .compact = true}, dock);
    runs_folder_ = widgets::makeButton(
        themes_, {.object_name = "openRunsFolder", .icon = "chevron-right", .kind = ButtonKind::kLink, .compact = true}, dock);
    column->addWidget(learn_title_);
    column->addWidget(shortcuts_, 0, Qt::AlignLeft);
    column->addWidget(runs_folder_, 0, Qt::AlignLeft);
    column->addStretch(1);
    connect(check_, &QPushButton::clicked, &session_, [this] { session_.refreshHost(); });
    connect(shortcuts_, &QPushButton::clicked, this, [this] { emit modeRequested(Mode::kHelp); });
    connect(runs_folder_, &QPushButton::clicked, this, [this] {
        if (session_.host()) openFolder(session_.host()->runs_dir);
    });
    return dock;
}

void WelcomePage::openTemplate(const QString& id, bool train) {
    if (!session_.newFromTemplate(id)) return;
    if (train && session_.launchObstacle().isEmpty()) return session_.launch();
    emit modeRequested(train ? Mode::kCluster : Mode::kModel);
}

void WelcomePage::setNarrow(bool narrow) {
    right_->setFixedWidth(narrow ? kRightNarrow : kRightWidth);
}

void WelcomePage::retranslate() {
    title_->setText(tr("Start a project"));
    sentence_->setText(tr("Each template trains with one click on this computer. No account; the cards need no network."));
    more_->setText(tr("More"));
    recent_title_->setText(tr("Recent"));
    blank_->setText(tr("New blank project"));
    open_->setText(tr("Open"));
    empty_->setText(tr("No project yet. The marked template trains in about a minute."));
    host_title_->setText(tr("This computer"));
    check_->setText(tr("Check again"));
    learn_title_->setText(tr("Learn"));
    shortcuts_->setText(tr("Keyboard shortcuts"));
    runs_folder_->setText(tr("Folder of the runs"));
    recent_->setAccessibleName(tr("Recent projects"));
    doctor_->setAccessibleName(tr("State of this computer"));
    for (TemplateCard* card : cards_) card->retranslate();
    refreshRecent();
    refreshHost();
}

void WelcomePage::refreshRecent() {
    recent_model_->setRows(session_.recentProjects(), session_.runs());
    const int rows = recent_model_->rowCount();
    recent_stack_->setCurrentIndex(rows > 0 ? 0 : 1);
    recent_card_->setMaximumHeight(rows > 0 ? rows * recent_->sizeHintForRow(0) + 2 : kEmptyHeight);
}

void WelcomePage::refreshHost() {
    std::vector<models::CheckRow> rows = hostChecks(session_);
    doctor_model_->setRows(std::move(rows));
    if (doctor_model_->rowCount() > 0) doctor_->setFixedHeight(doctor_model_->rowCount() * doctor_->sizeHintForRow(0));
    switch (session_.agentState()) {
        case session::AgentState::kReady:
            pill_->setState(widgets::PillTone::kOk, tr("Ready"));
            break;
        case session::AgentState::kConnecting:
            pill_->setState(widgets::PillTone::kWarn, tr("Connecting"), widgets::PillMark::kHollowDot);
            break;
        case session::AgentState::kLost:
            pill_->setState(widgets::PillTone::kError, tr("No agent"));
            break;
    }
    runs_folder_->setEnabled(session_.host().has_value());
    const int minutes = since_check_.isValid() ? static_cast<int>(since_check_.elapsed() / 60'000) : -1;
    checked_->setText(minutes < 0    ? tr("not checked yet")
                      : minutes == 0 ? tr("checked just now")
                                     : tr("checked %n min ago", nullptr, minutes));
}

}  // namespace ui::views
