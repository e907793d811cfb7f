// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/host_checks_view.h"

#include <QHBoxLayout>
#include <QListView>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>
#include <vector>

#include "ui/models/check_list_model.h"
#include "ui/parts/delegates.h"
#include "ui/parts/host_checks.h"
#include "ui/session/host/host.h"
#include "ui/session/values.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/status_pill.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kClockMs = 30'000;

}  // namespace

HostChecksView::HostChecksView(session::Session& session, const theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), session_(session), model_(new models::CheckListModel(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme::kSpace2);
    auto* head = new QHBoxLayout;
    title_ = new TextLabel(themes, TextRole::kSection, Ink::kText, this);
    pill_ = new widgets::StatusPill(themes, this);
    head->addWidget(title_);
    head->addStretch();
    head->addWidget(pill_);
    column->addLayout(head);
    list_ = new QListView(this);
    list_->setObjectName("doctorList");
    list_->setModel(model_);
    auto* delegate = new CheckDelegate(themes, CheckDelegate::Density::kTwoLines, list_);
    list_->setItemDelegate(delegate);
    list_->setSelectionMode(QAbstractItemView::NoSelection);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    column->addWidget(list_);
    auto* foot = new QHBoxLayout;
    again_ = widgets::makeButton(themes, {.object_name = "checkAgainButton", .icon = "refresh", .compact = true}, this);
    checked_ = new TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    foot->addWidget(again_);
    foot->addStretch();
    foot->addWidget(checked_);
    column->addLayout(foot);
    connect(delegate, &CheckDelegate::fixClicked, &session_, [this] { session_.host().connectAgent(); });
    connect(again_, &QPushButton::clicked, this, [this] {
        checking_ = true;
        refresh();
        session_.host().refresh();
    });
    connectHost();
}

void HostChecksView::connectHost() {
    connect(&session_.host(), &session::Host::changed, this, [this] {
        since_check_.restart();
        checking_ = false;
        refresh();
    });
    connect(&session_.host(), &session::Host::agentChanged, this, [this] {
        if (session_.host().agentState() == session::AgentState::kLost) checking_ = false;
        refresh();
    });
    clock_.setInterval(kClockMs);
    connect(&clock_, &QTimer::timeout, this, &HostChecksView::refresh);
    clock_.start();
}

void HostChecksView::refresh() {
    std::vector<models::CheckRow> rows = hostChecks(session_);
    if (checking_) {
        for (models::CheckRow& row : rows) row.state = models::CheckState::kPending;
    }
    model_->setRows(std::move(rows));
    if (model_->rowCount() > 0) list_->setFixedHeight(model_->rowCount() * list_->sizeHintForRow(0));
    switch (session_.host().agentState()) {
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
    const int minutes = since_check_.isValid() ? static_cast<int>(since_check_.elapsed() / 60'000) : -1;
    checked_->setText(minutes < 0    ? tr("not checked yet")
                      : minutes == 0 ? tr("checked just now")
                                     : tr("checked %n min ago", nullptr, minutes));
}

void HostChecksView::retranslate() {
    title_->setText(tr("This computer"));
    again_->setText(tr("Check again"));
    list_->setAccessibleName(tr("State of this computer"));
    refresh();
}

}  // namespace ui::views

#include "moc_host_checks_view.cpp"
