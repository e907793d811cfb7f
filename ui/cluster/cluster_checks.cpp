// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cluster/cluster_checks.h"

#include <QAction>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

#include "engine/errors/error_catalog.h"
#include "ui/cluster/cluster_rows.h"
#include "ui/parts/finding_list.h"
#include "ui/session/host/doctor.h"
#include "ui/session/host/host.h"
#include "ui/session/project/local_cluster.h"
#include "ui/session/project/project.h"
#include "ui/session/values.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/fit_scroll.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

namespace {

constexpr int kLeastHeight = 104;  // what stays in sight where the dock is low

}  // namespace

ClusterChecks::ClusterChecks(session::Session& session, const theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), session_(session) {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(theme::kSpace2);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(theme::kSpace6 - 2, 0, theme::kSpace5, 0);
    title_ = new widgets::TextLabel(themes, theme::TextRole::kSection, widgets::Ink::kText, this);
    doctor_ = widgets::makeButton(
        themes, {.object_name = "runDoctor", .icon = "refresh", .kind = widgets::ButtonKind::kGhost, .compact = true}, this);
    head->addWidget(title_);
    head->addStretch();
    head->addWidget(doctor_);
    auto* scroll = new widgets::FitScroll(kLeastHeight, this);
    scroll->setObjectName("clusterChecks");
    auto* body = new QWidget(scroll);
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(theme::kSpace6 - 2, 0, theme::kSpace5, 0);
    list_ = new FindingList(themes, body);
    list_->setObjectName("clusterDiagnostics");
    explain_ = new QAction(list_);
    list_->addAction(explain_);
    list_->setContextMenuPolicy(Qt::ActionsContextMenu);
    column->addWidget(list_);
    scroll->setWidget(body);
    body->setAutoFillBackground(false);
    outer->addLayout(head);
    outer->addWidget(scroll);
    connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, scroll, [this, scroll](const QModelIndex& current) {
        const QRect row = list_->visualRect(current);
        scroll->ensureVisible(row.center().x(), row.center().y(), 0, row.height() / 2 + 1);
    });
    connect(doctor_, &QPushButton::clicked, &session_.doctor(), &session::Doctor::call);
    connect(list_, &FindingList::fixWanted, this, &ClusterChecks::mend);
    connect(list_, &FindingList::pathWanted, this, &ClusterChecks::pathWanted);
    connect(explain_, &QAction::triggered, this, [this] {
        if (const QString code = codeOf(list_->currentIndex().row()); !code.isEmpty()) emit explainRequested(code);
    });
}

void ClusterChecks::mend(int row) {
    if (row >= 0 && row < static_cast<int>(findings_.size()))
        session::repair(session_.project(), session_.host(), findings_[static_cast<std::size_t>(row)]);
}

QString ClusterChecks::codeOf(int row) const {
    if (row < 0 || row >= static_cast<int>(findings_.size())) return {};
    const engine::spec::Diagnostic& finding = findings_[static_cast<std::size_t>(row)];
    const auto* kind = finding.message.empty() ? nullptr : engine::errors::kindOf(finding.path, finding.message);
    return kind == nullptr ? QString() : QString::fromUtf8(kind->code.data(), static_cast<qsizetype>(kind->code.size()));
}

void ClusterChecks::refresh() {
    std::vector<models::CheckRow> rows;
    findings_.clear();
    for (Finding& finding : clusterFindings(session_)) {
        rows.push_back(std::move(finding.row));
        findings_.push_back(std::move(finding.diagnostic));
    }
    if (session_.doctor().isLooking()) {
        rows.insert(rows.begin(), {models::CheckState::kPending, tr("The doctor is looking…")});
        findings_.insert(findings_.begin(), engine::spec::Diagnostic{});
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (const QString code = codeOf(static_cast<int>(i)); !code.isEmpty()) {
            rows[i].detail += (rows[i].detail.isEmpty() ? QString() : QStringLiteral("\n")) + code;
        }
    }
    list_->setRows(std::move(rows));
    const bool ready = session_.project().isOpen() && session_.host().agentState() == session::AgentState::kReady;
    doctor_->setEnabled(ready && !session_.doctor().isLooking());
    doctor_->setToolTip(ready ? tr("Ports, hosts, versions, memory, disk, data, clock; latency and bandwidth between tasks and computers")
                              : tr("The agent does not answer"));
}

void ClusterChecks::retranslate() {
    title_->setText(tr("Diagnostics"));
    list_->setAccessibleName(tr("Diagnostics"));
    doctor_->setText(tr("Run doctor"));
    explain_->setText(tr("What its code means"));
}

}  // namespace ui::views

#include "moc_cluster_checks.cpp"
