// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/welcome_page.h"

#include <QGridLayout>
#include <QKeyEvent>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/parts/host_checks.h"
#include "ui/session/host/host.h"
#include "ui/session/project/starters.h"
#include "ui/session/values.h"
#include "ui/welcome/host_checks_view.h"
#include "ui/welcome/recent_projects_view.h"
#include "ui/welcome/template_card.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/card_frame.h"
#include "ui/widgets/fit_scroll.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using theme::TextRole;
using widgets::ButtonKind;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kRightWidth = 330, kRightNarrow = 260, kLeastCardWidth = 200, kLeastCards = 172;

}  // namespace

WelcomePage::WelcomePage(session::Session& session, const theme::ThemeController& themes, QWidget* parent)
    : Page(parent), session_(session), themes_(themes) {
    setObjectName("welcomePage");
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(buildLeft(), 1);
    row->addWidget(right_ = buildRight());
    connect(recent_, &RecentProjectsView::projectRequested, this, &WelcomePage::projectRequested);
    connect(&session_.host(), &session::Host::changed, this, &WelcomePage::refreshLinks);
    connect(&session_.host(), &session::Host::agentChanged, this, &WelcomePage::refreshLinks);
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
    auto* starters = new QWidget(left);
    auto* rows = new QVBoxLayout(starters);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(theme::kSpace3);
    // As high as their texts need; in a low window they scroll instead of being cut.
    card_area_ = new widgets::FitScroll(kLeastCards, starters);
    auto* cards = new QWidget(card_area_);
    card_grid_ = new QGridLayout(cards);
    card_grid_->setContentsMargins(0, 0, 0, 0);
    card_grid_->setSpacing(theme::kSpace5);
    auto* more = new QHBoxLayout;
    more->setSpacing(theme::kSpace2);
    more_ = new TextLabel(themes_, TextRole::kBody, Ink::kText2, starters);
    more->addWidget(more_);
    for (const session::Template& source : session_.starters().all()) {
        if (!source.label.isEmpty()) {
            more->addWidget(buildChip(source, starters));
            continue;
        }
        const bool mark = !marks_ && source.needs.isEmpty() && source.run.cluster.spec.trainingTasks().size() > 1;
        marks_ |= mark;
        auto* card = new TemplateCard(themes_, source, mark, cards);
        card->installEventFilter(this);
        connect(card, &TemplateCard::opened, this, [this](const QString& id) { emit templateRequested(id, false); });
        connect(card, &TemplateCard::trained, this, [this](const QString& id) { emit templateRequested(id, true); });
        cards_.push_back(card);
    }
    more_->setVisible(more->count() > 1);
    more->addStretch();
    card_area_->setWidget(cards);
    cards->setAutoFillBackground(false);
    rows->addWidget(card_area_);
    rows->addLayout(more);
    column->addWidget(starters);
    column->addSpacing(theme::kSpace6);
    column->addWidget(recent_ = new RecentProjectsView(session_, themes_, left), 1);
    if (!session_.starters().all().empty()) starters_ = starters;
    return left;
}

QWidget* WelcomePage::buildChip(const session::Template& source, QWidget* parent) {
    QPushButton* chip = widgets::makeButton(themes_, {.object_name = "template_" + source.id, .compact = true}, parent);
    chip->setText(source.label);
    chip->setToolTip(QString::fromStdString(source.run.name));
    chip->setEnabled(source.needs.isEmpty());
    chip->setProperty("needs", source.needs);
    chip->installEventFilter(this);
    chips_.push_back(chip);
    connect(chip, &QPushButton::clicked, this, [this, id = source.id] { emit templateRequested(id, false); });
    return chip;
}

QWidget* WelcomePage::buildRight() {
    auto* dock = new widgets::CardFrame(themes_, widgets::FrameKind::kDockRight, this);
    dock->setFixedWidth(kRightWidth);
    auto* column = new QVBoxLayout(dock);
    column->setContentsMargins(theme::kSpace6, theme::kSpace7, theme::kSpace6, theme::kSpace5);
    column->setSpacing(theme::kSpace2);
    column->addWidget(host_ = new HostChecksView(session_, themes_, dock));
    column->addSpacing(theme::kSpace5);
    learn_title_ = new TextLabel(themes_, TextRole::kSection, Ink::kText, dock);
    tour_ = widgets::makeButton(themes_, {.object_name = "learnTour", .icon = "chevron-right", .kind = ButtonKind::kLink, .compact = true},
                                dock);
    manual_ = widgets::makeButton(
        themes_, {.object_name = "learnManual", .icon = "chevron-right", .kind = ButtonKind::kLink, .compact = true}, dock);
    shortcuts_ = widgets::makeButton(
        themes_, {.object_name = "learnShortcuts", .icon = "chevron-right", .kind = ButtonKind::kLink, .compact = true}, dock);
    runs_folder_ = widgets::makeButton(
        themes_, {.object_name = "openRunsFolder", .icon = "chevron-right", .kind = ButtonKind::kLink, .compact = true}, dock);
    column->addWidget(learn_title_);
    for (QPushButton* link : {tour_, manual_, shortcuts_, runs_folder_}) column->addWidget(link, 0, Qt::AlignLeft);
    column->addStretch(1);
    connect(tour_, &QPushButton::clicked, this, &WelcomePage::tourRequested);
    connect(manual_, &QPushButton::clicked, this, &WelcomePage::manualRequested);
    connect(shortcuts_, &QPushButton::clicked, this, [this] { emit modeRequested(Mode::kHelp); });
    connect(runs_folder_, &QPushButton::clicked, this, [this] {
        if (session_.host().info()) openFolder(QString::fromStdString(session_.host().info()->runs_dir));
    });
    return dock;
}

// Places all cards in one row, or in two when a card would be narrower than 200 px.
void WelcomePage::placeCards() {
    const int count = static_cast<int>(cards_.size());
    if (count == 0) return;
    const int room = width() - right_->width() - 2 * theme::kSpace7;
    const bool fits = (room - (count - 1) * theme::kSpace5) / count >= kLeastCardWidth;
    const int a_row = fits ? count : (count + 1) / 2;
    if (a_row == cards_a_row_) return;
    cards_a_row_ = a_row;
    card_grid_->setSpacing(fits ? theme::kSpace5 : theme::kSpace3);
    for (int i = 0; i < count; ++i) {
        TemplateCard* card = cards_[static_cast<std::size_t>(i)];
        card->setLow(!fits);
        card_grid_->addWidget(card, i / a_row, i % a_row);
        card_grid_->setColumnStretch(i, i < a_row ? 1 : 0);
    }
}

void WelcomePage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    placeCards();
}

// Arrows walk over cards, further templates and recent projects.
bool WelcomePage::moveFocus(QObject* from, int key) {
    const auto card = std::find(cards_.begin(), cards_.end(), from);
    const auto chip = std::find(chips_.begin(), chips_.end(), from);
    const auto count = static_cast<std::ptrdiff_t>(cards_.size());
    const auto focusChip = [this](std::ptrdiff_t at, std::ptrdiff_t way) {
        for (; at >= 0 && at < static_cast<std::ptrdiff_t>(chips_.size()); at += way) {
            QPushButton* target = chips_[static_cast<std::size_t>(at)];
            if (target->isEnabled()) return target->setFocus(Qt::TabFocusReason), true;
        }
        return false;
    };
    if (card != cards_.end()) {
        const std::ptrdiff_t at = card - cards_.begin();
        const std::ptrdiff_t to = key == Qt::Key_Left    ? at - 1
                                  : key == Qt::Key_Right ? at + 1
                                  : key == Qt::Key_Up    ? at - cards_a_row_
                                                         : at + cards_a_row_;
        if (to >= 0 && to < count) {
            cards_[static_cast<std::size_t>(to)]->setFocus(Qt::TabFocusReason);
            card_area_->ensureWidgetVisible(cards_[static_cast<std::size_t>(to)], 0, 0);
            return true;
        }
        if (key == Qt::Key_Down && focusChip(0, 1)) return true;
        if (key == Qt::Key_Down) recent_->focusList();
        return true;
    }
    if (chip == chips_.end()) return false;
    const std::ptrdiff_t at = chip - chips_.begin();
    if (key == Qt::Key_Left) focusChip(at - 1, -1);
    if (key == Qt::Key_Right) focusChip(at + 1, 1);
    if (key == Qt::Key_Up && count > 0) cards_.back()->setFocus(Qt::TabFocusReason);
    if (key == Qt::Key_Down) recent_->focusList();
    return true;
}

bool WelcomePage::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const bool arrow = key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
        if (arrow && moveFocus(watched, key)) return true;
    }
    return Page::eventFilter(watched, event);
}

void WelcomePage::setNarrow(bool narrow) {
    right_->setFixedWidth(narrow ? kRightNarrow : kRightWidth);
    placeCards();
}

void WelcomePage::retranslate() {
    title_->setText(tr("Start a project"));
    sentence_->setWordWrap(session_.starters().all().empty());
    sentence_->setText(
        session_.starters().all().empty()
            ? tr("The starter projects are missing: %1 was expected. Install Tandem again, or open a project of your own.")
                  .arg(session_.shareDir() + QStringLiteral("/templates"))
        : marks_ ? tr("The marked template opens and trains with one click on this computer. No account; the cards need no network.")
                 : tr("Each template is a whole project. No account; the cards need no network."));
    more_->setText(tr("More"));
    recent_->setEmptyText(marks_ ? tr("No project yet. The marked template trains in about a minute.")
                                 : tr("No project yet. Begin with a blank one, or open a file."));
    learn_title_->setText(tr("Learn"));
    tour_->setText(tr("Take the tour, 2 minutes"));
    manual_->setText(tr("User manual"));
    shortcuts_->setText(tr("Keyboard shortcuts"));
    for (QPushButton* chip : chips_) {
        const QString needs = chip->property("needs").toString();
        if (!needs.isEmpty()) chip->setToolTip(tr("Needs %1, which this version can't train with yet.").arg(needs));
    }
    runs_folder_->setText(tr("Folder of the runs"));
    for (TemplateCard* card : cards_) card->retranslate();
    recent_->retranslate();
    host_->retranslate();
    refreshLinks();
}

void WelcomePage::refreshLinks() {
    runs_folder_->setEnabled(session_.host().info().has_value());
}

QWidget* WelcomePage::recent() const {
    return recent_;
}

}  // namespace ui::views

#include "moc_welcome_page.cpp"
