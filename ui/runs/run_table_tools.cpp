// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_table_tools.h"

#include <QAction>
#include <QActionGroup>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <utility>

#include "ui/runs/run_table.h"
#include "ui/session/values.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using models::RunFilter;
using models::RunTableModel;
using session::RunSummary;
using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kFilterWidth = 280, kHeight = 34, kBaselineWidth = 120;
constexpr auto kGroupKey = "runs/group";

}  // namespace

RunTableTools::RunTableTools(RunTableModel& model, QSettings* settings, const theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), model_(model), settings_(settings) {
    setFixedHeight(kHeight);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(theme::kSpace2);
    filter_ = new QLineEdit(this);
    filter_->setObjectName("runFilter");
    filter_->setProperty("compact", true);
    filter_->setFixedWidth(kFilterWidth);
    filter_->addAction(themes.icon("search"), QLineEdit::LeadingPosition);
    filter_->setClearButtonEnabled(true);
    row->addWidget(filter_);
    const auto button = [&](const char* name, const char* icon) {
        QPushButton* made =
            widgets::makeButton(themes, {.object_name = QLatin1String(name), .icon = QLatin1String(icon), .compact = true}, this);
        row->addWidget(made);
        return made;
    };
    group_ = button("runGroupBy", "filter");
    baseline_ = button("runBaseline", "target");
    columns_ = button("runColumns", "columns");
    problem_ = new TextLabel(themes, TextRole::kSmall, Ink::kError, this);
    problem_->setElided(true);
    row->addWidget(problem_, 1);
    row->addStretch();
    drawn_ = new TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    drawn_->setObjectName("runsDrawn");
    row->addWidget(drawn_);
    archive_ = button("runArchive", "");
    buildMenus();
    connect(filter_, &QLineEdit::textChanged, this, &RunTableTools::applyFilter);
    connect(archive_, &QPushButton::clicked, this, &RunTableTools::archiveWanted);
    if (settings_) model_.setGroupBy(static_cast<RunTableModel::GroupBy>(settings_->value(kGroupKey, 0).toInt()));
}

void RunTableTools::buildMenus() {
    group_menu_ = new QMenu(group_);
    baseline_menu_ = new QMenu(baseline_);
    columns_menu_ = new QMenu(columns_);
    group_->setMenu(group_menu_);
    baseline_->setMenu(baseline_menu_);
    columns_->setMenu(columns_menu_);
    connect(group_menu_, &QMenu::aboutToShow, this, &RunTableTools::fillGroupMenu);
    connect(baseline_menu_, &QMenu::aboutToShow, this, &RunTableTools::fillBaselineMenu);
    connect(columns_menu_, &QMenu::aboutToShow, this, &RunTableTools::fillColumnMenu);
}

void RunTableTools::fillGroupMenu() {
    group_menu_->clear();
    const QStringList names{tr("None"), tr("Seeds of one setting"), tr("Strategy"), tr("State"), tr("Optimizer"), tr("Data set"),
                            tr("Tag")};
    auto* choices = new QActionGroup(group_menu_);
    for (int i = 0; i < names.size(); ++i) {
        QAction* action = group_menu_->addAction(names[i], this, [this, i] {
            model_.setGroupBy(static_cast<RunTableModel::GroupBy>(i));
            if (settings_) settings_->setValue(kGroupKey, i);
            emit changed();
        });
        action->setCheckable(true);
        action->setChecked(static_cast<int>(model_.groupBy()) == i);
        choices->addAction(action);
    }
}

void RunTableTools::fillBaselineMenu() {
    baseline_menu_->clear();
    const auto add = [&](const QString& name, const QString& id) {
        QAction* action = baseline_menu_->addAction(name, this, [this, id] {
            model_.setBaseline(id);
            emit changed();
        });
        action->setCheckable(true);
        action->setChecked(model_.baseline() == id);
    };
    add(tr("None"), {});
    if (!shown_.current.isEmpty()) add(runName(shown_.current), shown_.current);
    for (const QString& id : model_.checked()) {
        if (id != shown_.current) add(runName(id), id);
    }
}

void RunTableTools::fillColumnMenu() {
    columns_menu_->clear();
    for (int column = RunTableModel::kState; column < RunTableModel::kColumnCount; ++column) {
        QAction* action = columns_menu_->addAction(model_.headerData(column, Qt::Horizontal).toString());
        action->setCheckable(true);
        action->setChecked(table_->isColumnShown(column));
        connect(action, &QAction::toggled, this, [this, column](bool on) {
            table_->setColumnShown(column, on);
            table_->keepColumns(settings_);
        });
    }
    columns_menu_->addSeparator();
    QAction* archived = columns_menu_->addAction(tr("Archived runs"));
    archived->setCheckable(true);
    archived->setChecked(model_.showsArchived());
    connect(archived, &QAction::toggled, this, [this](bool on) {
        model_.setShowArchived(on);
        emit changed();
    });
    columns_menu_->addAction(tr("Copy the table as CSV"), this, &RunTableTools::copyWanted);
}

void RunTableTools::applyFilter() {
    const RunFilter filter(filter_->text());
    problem_->setText(filter.problem());
    widgets::setSheetProperty(filter_, "invalid", !filter.problem().isEmpty());
    model_.setFilter(filter);
    emit changed();
}

QString RunTableTools::filter() const {
    return filter_->text();
}

void RunTableTools::clearFilter() {
    filter_->clear();
}

void RunTableTools::focusFilter() {
    filter_->setFocus(Qt::ShortcutFocusReason);
    filter_->selectAll();
}

QString RunTableTools::runName(const QString& id) const {
    const RunSummary* run = model_.find(id);
    return run ? run->name : QString();
}

void RunTableTools::refresh(Shown shown) {
    shown_ = std::move(shown);
    const RunSummary* run = model_.find(shown_.current);
    archive_->setEnabled(!shown_.current.isEmpty());
    archive_->setText(run && run->archived ? tr("Restore") : tr("Archive"));
    const QStringList groups{tr("none"), tr("seeds"), tr("strategy"), tr("state"), tr("optimizer"), tr("data set"), tr("tag")};
    group_->setText(tr("Group: %1").arg(groups[static_cast<int>(model_.groupBy())]));
    const QString base = runName(model_.baseline());
    baseline_->setText(
        tr("Baseline: %1").arg(base.isEmpty() ? tr("none") : fontMetrics().elidedText(base, Qt::ElideRight, kBaselineWidth)));
    baseline_->setToolTip(base);
    const int checked = static_cast<int>(model_.checked().size());
    drawn_->setText(checked > shown_.drawn ? tr("%1 drawn, %2 more in the table").arg(shown_.drawn).arg(checked - shown_.drawn)
                    : checked > 0          ? tr("%1 of %2 shown in the charts").arg(checked).arg(model_.runCount())
                                           : tr("Space checks a run for the charts"));
    drawn_->setVisible(shown_.has_table && problem_->text().isEmpty());
    problem_->setVisible(!problem_->text().isEmpty());
}

void RunTableTools::retranslate() {
    filter_->setPlaceholderText(tr("Filter by name, tag or /regex/"));
    filter_->setAccessibleName(tr("Filter runs"));
    filter_->setToolTip(tr("Words in name, tags and notes; /regex/; field:value, such as state:done, tag:paper, accuracy:>0.98, is:pinned; "
                           "a minus in front turns it round.\nFields: %1")
                            .arg(RunFilter::fields().join(QStringLiteral(", "))));
    columns_->setText(tr("Columns"));
}

}  // namespace ui::views

#include "moc_run_table_tools.cpp"
