// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cluster/strategy_panel.h"

#include <QBoxLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <string>
#include <utility>
#include <vector>

#include "engine/spec/cluster/cluster_edit.h"
#include "engine/spec/cluster/strategy_support.h"
#include "engine/spec/project/run_spec.h"
#include "engine/spec/project/strategy_table.h"
#include "ui/cluster/cluster_rows.h"
#include "ui/cluster/strategy_form.h"
#include "ui/cluster/strategy_list.h"
#include "ui/models/engine_text.h"
#include "ui/session/host/host.h"
#include "ui/session/host/port_probe.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/runs.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/fit_scroll.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using engine::spec::RunSpec;
using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kLeastFormHeight = 160;  // what stays in sight where the dock is low
const QStringList kCommunications{"AUTO", "RING", "NCCL", "MPI"};

// Returns what works with a strategy, a line for each way to train.
QString supportOf(const std::string& strategy) {
    const auto* row = engine::spec::findStrategy(strategy);
    QStringList lines;
    for (int api = 0; row && api < engine::spec::kTrainingApis; ++api) {
        lines << models::engineText(supportText(*row, static_cast<engine::spec::TrainingApi>(api)));
    }
    return lines.join('\n');
}

}  // namespace

StrategyPanel::StrategyPanel(session::Session& session, const theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), session_(session), themes_(themes) {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(theme::kSpace2);
    auto* scroll = new widgets::FitScroll(kLeastFormHeight, this);
    scroll->setObjectName("clusterDock");
    body_ = buildCards(scroll);
    all_reduce_ = buildAllReduce();
    scroll->setWidget(body_);
    body_->setAutoFillBackground(false);  // setWidget turned it on: the dock is the ground
    outer->addWidget(scroll);
    outer->addLayout(all_reduce_);
    connect(options_, &QPushButton::toggled, form_, &QWidget::setVisible);
    connect(options_, &QPushButton::toggled, support_, &QWidget::setVisible);
    connect(strategies_, &StrategyList::chosen, this, [this](const QString& name) {
        session_.project().change(tr("Choose the strategy"),
                                  [&](RunSpec& run) { chooseStrategy(run, name.toStdString(), session::freeLoopbackPorts(kSparePorts)); });
    });
    connect(communication_, &widgets::SegmentedControl::currentChanged, this, [this](int index) {
        session_.project().change(tr("Choose the all-reduce"),
                                  [&](RunSpec& run) { run.strategy.communication = kCommunications[index].toStdString(); });
    });
}

QWidget* StrategyPanel::buildCards(QWidget* scroll) {
    auto* body = new QWidget(scroll);
    body->setAutoFillBackground(false);
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(theme::kSpace6 - 2, theme::kSpace4, theme::kSpace5, theme::kSpace2);
    column->setSpacing(theme::kSpace2);
    auto* head = new QHBoxLayout;
    title_ = new TextLabel(themes_, TextRole::kSection, Ink::kText, body);
    options_ = widgets::makeButton(
        themes_, {.object_name = "strategyOptions", .icon = "settings", .kind = widgets::ButtonKind::kGhost, .compact = true}, body);
    options_->setCheckable(true);
    head->addWidget(title_);
    head->addStretch();
    head->addWidget(options_);
    strategies_ = new StrategyList(themes_, body);
    limit_ = new TextLabel(themes_, TextRole::kSmall, Ink::kWarn, body);
    limit_->setObjectName("strategyLimit");
    limit_->setWordWrap(true);
    form_ = new StrategyForm(session_.project(), themes_, body);
    form_->hide();
    support_ = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, body);
    support_->setObjectName("strategySupport");
    support_->setWordWrap(true);
    support_->hide();
    column->addLayout(head);
    column->addWidget(strategies_);
    column->addWidget(limit_);
    column->addWidget(form_);
    column->addWidget(support_);
    return body;
}

// The all-reduce stands below what scrolls: however much the doctor tells, it is there.
QBoxLayout* StrategyPanel::buildAllReduce() {
    auto* row = new QBoxLayout(QBoxLayout::LeftToRight);
    row->setContentsMargins(theme::kSpace6 - 2, 0, theme::kSpace5, 0);
    communication_label_ = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, this);
    communication_label_->setElided(true);
    communication_ = new widgets::SegmentedControl(themes_, this);
    communication_->setObjectName("communication");
    communication_->setEntries(kCommunications);
    row->addWidget(communication_label_, 1);
    row->addWidget(communication_);
    return row;
}

void StrategyPanel::refresh() {
    refreshCards();
    refreshAllReduce();
}

void StrategyPanel::refreshCards() {
    const RunSpec& run = session_.project().spec();
    const bool has_project = session_.project().isOpen(), editable = has_project && !session_.runs().hasActiveOfOwn();
    std::vector<StrategyCard> cards;
    QString limit;
    support_->setText(has_project ? supportOf(run.strategy.name) : QString());
    for (const auto& option : strategyOptions(run)) {
        const QString name = QString::fromStdString(option.name);
        if (option.name == run.strategy.name && has_project) limit = models::engineText(option.limit);
        cards.push_back({name, models::engineText(option.obstacle.empty() ? option.sentence : option.obstacle),
                         editable && option.obstacle.empty(), supportOf(option.name)});
    }
    strategies_->setCards(std::move(cards), has_project ? QString::fromStdString(run.strategy.name) : QString());
    limit_->setText(limit);
    limit_->setVisible(!limit.isEmpty());
    options_->setEnabled(has_project);
    form_->setEnabled(editable);
    form_->refresh();
}

void StrategyPanel::refreshAllReduce() {
    const RunSpec& run = session_.project().spec();
    engine::spec::GpuInventory gpus;
    if (session_.host().info()) gpus = session_.host().info()->gpus;
    for (int i = 0; i < kCommunications.size(); ++i) {
        const std::string obstacle = engine::spec::communicationObstacle(kCommunications[i].toStdString(), run, gpus);
        communication_->setObstacle(i, models::engineText(obstacle));
    }
    const QSignalBlocker quiet(communication_);
    communication_->setCurrent(static_cast<int>(kCommunications.indexOf(QString::fromStdString(run.strategy.communication))));
    const bool sums = engine::spec::strategyKind(run.strategy.name) == engine::spec::StrategyKind::kMultiWorkerMirrored;
    communication_->setVisible(sums);
    communication_label_->setVisible(sums);
}

// The narrow dock scrolls: its bar takes room from the margin. The all-reduce and its name have no room beside each other there.
void StrategyPanel::setNarrow(bool narrow) {
    all_reduce_->setDirection(narrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    all_reduce_->setSpacing(narrow ? theme::kSpace1 : theme::kSpace2);
    body_->layout()->setContentsMargins(theme::kSpace6 - 2, theme::kSpace4, narrow ? theme::kSpace1 : theme::kSpace5, theme::kSpace2);
}

bool StrategyPanel::reveal(const QString& path) {
    if (form_->hasField(path)) {
        options_->setChecked(true);
        form_->focusField(path);
    } else if (path.startsWith("strategy.communication")) {
        communication_->setFocus(Qt::OtherFocusReason);
    } else if (path.startsWith("strategy")) {
        strategies_->setFocus(Qt::OtherFocusReason);
    } else {
        return false;
    }
    return true;
}

void StrategyPanel::retranslate() {
    title_->setText(tr("Strategy"));
    strategies_->setAccessibleName(tr("Strategy"));
    options_->setText(tr("Options"));
    communication_label_->setText(tr("All-reduce"));
    communication_->setAccessibleName(tr("All-reduce"));
    form_->retranslate();
}

}  // namespace ui::views

#include "moc_strategy_panel.cpp"
