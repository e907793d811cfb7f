// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/monitor/metrics_pane.h"

#include <QHeaderView>
#include <QStackedLayout>
#include <QTableView>

#include "ui/models/epoch_table_model.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

MetricsPane::MetricsPane(session::Runs& runs, const theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), runs_(runs), model_(new models::EpochTableModel(this)) {
    stack_ = new QStackedLayout(this);
    table_ = new QTableView(this);
    table_->setObjectName("metricsTable");
    table_->setModel(model_);
    table_->setShowGrid(false);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setTabKeyNavigation(false);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table_->verticalHeader()->setDefaultSectionSize(theme::kListRowHeight);
    table_->horizontalHeader()->setHighlightSections(false);
    table_->horizontalHeader()->setDefaultSectionSize(120);
    table_->setFont(themes.font(theme::TextRole::kMono));
    empty_ = new widgets::TextLabel(themes, theme::TextRole::kSmall, widgets::Ink::kText2, this);
    empty_->setContentsMargins(theme::kSpace6, 0, 0, 0);
    stack_->addWidget(table_);
    stack_->addWidget(empty_);
    connect(&runs_, &session::Runs::currentChanged, this, &MetricsPane::adoptRun);
    adoptRun();
    retranslate();
}

void MetricsPane::adoptRun() {
    model_->clear();
    if (runs_.current()) connect(runs_.current(), &session::RunRecord::epochsChanged, this, &MetricsPane::refresh);
    refresh();
}

void MetricsPane::refresh() {
    if (runs_.current()) model_->setEpochs(runs_.current()->epochs());
    stack_->setCurrentIndex(model_->rowCount() > 0 ? 0 : 1);
}

void MetricsPane::retranslate() {
    empty_->setText(tr("A row appears at the end of each epoch."));
    table_->setAccessibleName(tr("Metrics of each epoch"));
    if (model_->columnCount() > 0) emit model_->headerDataChanged(Qt::Horizontal, 0, model_->columnCount() - 1);
}

}  // namespace ui::views

#include "moc_metrics_pane.cpp"
