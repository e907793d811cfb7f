// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lab_choice.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <algorithm>

#include "engine/lab/lab_project.h"
#include "ui/lab/lab_table_model.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using engine::lab::labRows;
using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kHeadRow = 34, kStepsWidth = 96, kUsualSteps = 100;

}  // namespace

LabChoice::LabChoice(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), ticked_(labRows().size(), true) {
    setFixedHeight(kHeadRow);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(theme::kSpace2);
    back_ = widgets::makeButton(themes, {.object_name = "labBack", .icon = "chevron-left", .compact = true}, this);
    sentence_ = new TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    sentence_->setObjectName("labSentence");
    sentence_->setElided(true);
    strategies_ = widgets::makeButton(themes, {.object_name = "labStrategies", .icon = "layers", .compact = true}, this);
    menu_ = new QMenu(strategies_);
    strategies_->setMenu(menu_);
    steps_label_ = new TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    steps_ = new QSpinBox(this);
    steps_->setObjectName("labSteps");
    steps_->setProperty("compact", true);
    steps_->setRange(1, static_cast<int>(engine::lab::kMostSteps));
    steps_->setValue(kUsualSteps);
    steps_->setFixedWidth(kStepsWidth);
    steps_label_->setBuddy(steps_);
    start_ = widgets::makeButton(themes,
                                 {.object_name = "labStart", .icon = "play", .kind = widgets::ButtonKind::kPrimary, .compact = true}, this);
    stop_ = widgets::makeButton(themes, {.object_name = "labStop", .icon = "stop", .compact = true}, this);
    row->addWidget(back_);
    row->addSpacing(theme::kSpace2);
    row->addWidget(sentence_, 1);
    for (QWidget* part : std::initializer_list<QWidget*>{strategies_, steps_label_, steps_, start_, stop_}) row->addWidget(part);
    connect(back_, &QPushButton::clicked, this, &LabChoice::backWanted);
    connect(start_, &QPushButton::clicked, this, &LabChoice::startWanted);
    connect(stop_, &QPushButton::clicked, this, &LabChoice::stopWanted);
    connect(menu_, &QMenu::aboutToShow, this, &LabChoice::fillMenu);
    connect(steps_, &QSpinBox::valueChanged, this, &LabChoice::chosen);
}

std::vector<engine::lab::LabRow> LabChoice::rows() const {
    std::vector<engine::lab::LabRow> rows;
    for (std::size_t i = 0; i < ticked_.size(); ++i) {
        if (ticked_[i]) rows.push_back(labRows()[i]);
    }
    return rows;
}

std::int64_t LabChoice::steps() const {
    return steps_->value();
}

void LabChoice::fillMenu() {
    menu_->clear();
    for (std::size_t i = 0; i < ticked_.size(); ++i) {
        QAction* action = menu_->addAction(models::LabTableModel::rowText(labRows()[i]));
        action->setCheckable(true);
        action->setChecked(ticked_[i]);
        action->setEnabled(i > 0);  // all are compared with the first
        connect(action, &QAction::toggled, this, [this, i](bool on) {
            ticked_[i] = on;
            refresh();
            emit chosen();
        });
    }
    menu_->addSeparator();
    const auto tickAll = [this](bool on) {
        std::fill(ticked_.begin() + 1, ticked_.end(), on);
        refresh();
        emit chosen();
    };
    menu_->addAction(tr("All of them"), this, [tickAll] { tickAll(true); });
    menu_->addAction(tr("None of them"), this, [tickAll] { tickAll(false); });
}

void LabChoice::setRunning(bool running) {
    running_ = running;
    refresh();
}

void LabChoice::setObstacle(const QString& reason) {
    obstacle_ = reason;
    refresh();
}

void LabChoice::setStartShown(bool shown) {
    start_shown_ = shown;
    refresh();
}

void LabChoice::setSentence(const QString& sentence) {
    sentence_->setText(sentence);
}

void LabChoice::refresh() {
    const auto count = static_cast<int>(std::count(ticked_.begin(), ticked_.end(), true));
    strategies_->setText(tr("%n strategy(s)", nullptr, count));
    const QString few = count < 2 ? tr("Tick a strategy to compare with Default") : QString();
    const QString reason = few.isEmpty() ? obstacle_ : few;
    start_->setEnabled(reason.isEmpty());
    start_->setToolTip(reason);
    start_->setVisible(!running_ && start_shown_);
    stop_->setVisible(running_);
    for (QWidget* part : std::initializer_list<QWidget*>{strategies_, steps_}) part->setEnabled(!running_);
}

void LabChoice::retranslate() {
    back_->setText(tr("Runs"));
    steps_label_->setText(tr("Steps"));
    steps_->setAccessibleName(tr("Steps of each run"));
    start_->setText(tr("Start"));
    stop_->setText(tr("Stop"));
    refresh();
}

}  // namespace ui::views

#include "moc_lab_choice.cpp"
