// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cluster/tf_config_pane.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/cluster/task_plan.h"
#include "ui/cluster/link_matrix.h"
#include "ui/cluster/tf_config_row.h"
#include "ui/cluster/way_matrix.h"
#include "ui/session/host/doctor.h"
#include "ui/session/host/host.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/runs.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using engine::launch::TfConfigFormat;
using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kMatrixWidth = 268;
constexpr std::array kFormats{TfConfigFormat::kJson, TfConfigFormat::kBash, TfConfigFormat::kEnv, TfConfigFormat::kPowerShell};

}  // namespace

TfConfigPane::TfConfigPane(session::Session& session, const theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), session_(session) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme::kSpace6, theme::kSpace4, theme::kSpace5, theme::kSpace4);
    column->setSpacing(theme::kSpace3);
    auto* head = new QHBoxLayout;
    head->setSpacing(theme::kSpace2);
    title_ = new TextLabel(themes, TextRole::kSection, Ink::kText, this);
    sentence_ = new TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    sentence_->setElided(true);
    format_ = new widgets::SegmentedControl(themes, this);
    format_->setObjectName("configFormat");
    format_->setEntries({"JSON", "bash", ".env", "PowerShell"});
    paste_ = widgets::makeButton(themes, {.object_name = "pasteButton", .icon = "", .compact = true}, this);
    copy_all_ = widgets::makeButton(themes, {.object_name = "copyAllButton", .icon = "copy", .compact = true}, this);
    export_ = widgets::makeButton(themes, {.object_name = "exportButton", .icon = "export", .compact = true}, this);
    head->addWidget(title_);
    head->addWidget(sentence_, 1);
    head->addWidget(format_);
    for (QPushButton* button : {paste_, copy_all_, export_}) head->addWidget(button);
    column->addLayout(head);
    auto* row = new QHBoxLayout;
    row->setSpacing(theme::kSpace3);
    configs_ = new TfConfigRow(themes, this);
    matrix_ = new LinkMatrix(themes, this);
    matrix_->setFixedWidth(kMatrixWidth);
    row->addWidget(configs_, 1);
    row->addWidget(matrix_);
    ways_ = new WayMatrix(themes, this);
    ways_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    ways_->hide();
    row->addWidget(ways_);
    column->addLayout(row, 1);
    connect(format_, &widgets::SegmentedControl::currentChanged, this, &TfConfigPane::refreshConfigs);
    connect(paste_, &QPushButton::clicked, this, &TfConfigPane::pasteWanted);
    connect(copy_all_, &QPushButton::clicked, this, &TfConfigPane::copyAll);
    connect(export_, &QPushButton::clicked, this, &TfConfigPane::exportWanted);
    connect(configs_, &TfConfigRow::taskChosen, this, &TfConfigPane::taskChosen);
}

TfConfigFormat TfConfigPane::format() const {
    return kFormats[static_cast<std::size_t>(format_->current())];
}

void TfConfigPane::showTask(const engine::spec::TaskId& task) {
    configs_->showTask(task);
}

void TfConfigPane::copyAll() const {
    QStringList all;
    for (const auto& file : engine::launch::tfConfigFiles(session_.project().spec().cluster.spec, format())) {
        all << "# " + QString::fromStdString(file.file_name) << QString::fromStdString(file.text);
    }
    if (!all.isEmpty()) QApplication::clipboard()->setText(all.join('\n'));
}

void TfConfigPane::refresh() {
    const bool has_project = session_.project().isOpen();
    paste_->setEnabled(has_project && !session_.runs().hasActiveOfOwn());
    export_->setEnabled(has_project && !session_.project().spec().cluster.spec.empty());
    export_->setToolTip(export_->isEnabled() ? QString() : tr("One task needs no TF_CONFIG"));
    refreshConfigs();
}

void TfConfigPane::refreshConfigs() {
    const auto& cluster = session_.project().spec().cluster.spec;
    configs_->setConfigs(cluster, format());
    copy_all_->setEnabled(!cluster.empty());
    refreshMatrix();
}

// Returns the computers in the doctor's order: this computer first.
std::vector<std::string> TfConfigPane::computers() const {
    const engine::spec::RunSpec& run = session_.project().spec();
    const std::vector<engine::spec::TaskId> linked = engine::spec::linkedTasks(run);
    const auto is_here = [this](const std::string& name) { return session_.host().isThisComputer(name); };
    std::vector<std::string> names;
    for (const engine::spec::ClusterHost& host : engine::spec::hostsOf(run.cluster, is_here)) {
        const bool takes_part = std::any_of(host.tasks.begin(), host.tasks.end(), [&](const engine::spec::TaskId& task) {
            return std::find(linked.begin(), linked.end(), task) != linked.end();
        });
        const auto& info = session_.host().info();
        if (takes_part) names.push_back(host.is_here && info ? info->host_name : host.name);
    }
    return names;
}

void TfConfigPane::refreshMatrix() {
    const bool is_looking = session_.doctor().isLooking();
    const auto& report = session_.doctor().report();
    std::vector<std::string> names = computers();
    is_far_ = names.size() > 1;
    matrix_->setLinks(is_looking ? LinkMatrix::State::kProbing
                      : report   ? LinkMatrix::State::kMeasured
                                 : LinkMatrix::State::kNothing,
                      engine::spec::linkedTasks(session_.project().spec()),
                      report ? report->links : std::vector<engine::spec::DoctorLink>());
    ways_->setWays(is_looking ? WayMatrix::State::kProbing
                   : report   ? WayMatrix::State::kMeasured
                              : WayMatrix::State::kNothing,
                   std::move(names), report ? report->ways : std::vector<engine::spec::HostWay>());
    matrix_->setVisible(!narrow_ && !is_far_);
    ways_->setVisible(!narrow_ && is_far_);
}

void TfConfigPane::setNarrow(bool narrow) {
    narrow_ = narrow;
    refreshMatrix();
    refreshSentence();
}

void TfConfigPane::refreshSentence() {
    sentence_->setText(narrow_ ? QString() : tr("one per task; only the marked line differs"));
}

void TfConfigPane::retranslate() {
    title_->setText(QStringLiteral("TF_CONFIG"));
    refreshSentence();
    format_->setAccessibleName(tr("Format of TF_CONFIG"));
    paste_->setText(tr("Paste yours"));
    paste_->setToolTip(tr("TF_CONFIG, hostfile or Slurm's variables (Ctrl+V)"));
    copy_all_->setText(tr("Copy all"));
    copy_all_->setToolTip(tr("TF_CONFIG of every task (Ctrl+Shift+C)"));
    export_->setText(tr("Export…"));
    configs_->retranslate();
}

}  // namespace ui::views

#include "moc_tf_config_pane.cpp"
