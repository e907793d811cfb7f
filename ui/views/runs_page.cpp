// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/runs_page.h"

#include <array>

#include <QAction>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSortFilterProxyModel>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>

#include "ui/models/run_table_model.h"
#include "ui/views/delegates.h"
#include "ui/views/host_checks.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/card_frame.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using models::RunTableModel;
using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kFilterWidth = 280;
constexpr std::array kWidths{260, 110, 150, 90, 70, 120, 100, 100};

}  // namespace

RunsPage::RunsPage(session::Session& session, const theme::ThemeController& themes, QWidget* parent)
    : Page(parent), session_(session), themes_(themes), model_(new RunTableModel(this)), proxy_(new QSortFilterProxyModel(this)) {
    setObjectName("runsPage");
    proxy_->setSourceModel(model_);
    proxy_->setSortRole(RunTableModel::kSortRole);
    proxy_->setFilterKeyColumn(RunTableModel::kName);
    proxy_->setFilterCaseSensitivity(Qt::CaseInsensitive);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    header_ = new widgets::PageHeader(themes, this);
    filter_ = new QLineEdit(header_);
    filter_->setObjectName("runFilter");
    filter_->setFixedWidth(kFilterWidth);
    filter_->addAction(themes.icon("search"), QLineEdit::LeadingPosition)->setText(tr("Search"));
    filter_->setClearButtonEnabled(false);
    folder_ = widgets::makeButton(themes, {.object_name = "runFolderButton", .icon = "folder"}, header_);
    open_ = widgets::makeButton(themes, {.object_name = "openRunButton", .icon = "chart"}, header_);
    header_->addAction(filter_);
    header_->addAction(folder_);
    header_->addAction(open_);
    column->addWidget(header_);
    column->addWidget(buildTable(), 1);
    connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
        const bool expression = text.size() > 1 && text.startsWith('/') && text.endsWith('/');
        expression ? proxy_->setFilterRegularExpression(
                         QRegularExpression(text.mid(1, text.size() - 2), QRegularExpression::CaseInsensitiveOption))
                   : proxy_->setFilterFixedString(text);
        refresh();
    });
    connect(open_, &QPushButton::clicked, this, &RunsPage::openSelected);
    connect(folder_, &QPushButton::clicked, this, [this] {
        for (const auto& run : session_.runs()) {
            if (run.id == selectedId()) openFolder(run.run_dir);
        }
    });
    connect(launch_, &QPushButton::clicked, &session_,
            [this] { session_.hasProject() ? session_.launch() : emit modeRequested(Mode::kWelcome); });
    connect(&session_, &session::Session::runsChanged, this, &RunsPage::refresh);
    connect(&session_, &session::Session::runStateChanged, this, &RunsPage::refresh);
    connect(&session_, &session::Session::projectChanged, this, &RunsPage::refresh);
    auto* find = new QAction(this);
    find->setShortcut(QKeySequence::Find);
    find->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    addAction(find);
    connect(find, &QAction::triggered, filter_, qOverload<>(&QWidget::setFocus));
    retranslate();
}

QWidget* RunsPage::buildTable() {
    auto* box = new QWidget(this);
    auto* outer = new QVBoxLayout(box);
    outer->setContentsMargins(theme::kSpace6, theme::kSpace2, theme::kSpace5, theme::kSpace5);
    auto* card = new widgets::CardFrame(themes_, widgets::FrameKind::kCard, box);
    auto* frame = new QVBoxLayout(card);
    frame->setContentsMargins(1, theme::kSpace1, 1, theme::kSpace1);
    stack_ = new QStackedLayout;
    frame->addLayout(stack_);
    table_ = new QTableView(card);
    table_->setObjectName("runTable");
    table_->setModel(proxy_);
    table_->setItemDelegate(new RunDelegate(themes_, table_));
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setShowGrid(false);
    table_->setSortingEnabled(true);
    table_->sortByColumn(RunTableModel::kStarted, Qt::DescendingOrder);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table_->verticalHeader()->setDefaultSectionSize(theme::kTableRowHeight);
    table_->horizontalHeader()->setHighlightSections(false);
    table_->horizontalHeader()->setSectionResizeMode(RunTableModel::kName, QHeaderView::Stretch);
    table_->setMouseTracking(true);
    table_->setTabKeyNavigation(false);
    for (int i = 1; i < RunTableModel::kColumnCount; ++i) table_->setColumnWidth(i, kWidths[static_cast<std::size_t>(i)]);
    auto* empty = new QWidget(card);
    auto* column = new QVBoxLayout(empty);
    column->setSpacing(theme::kSpace3);
    empty_title_ = new TextLabel(themes_, TextRole::kEmptyTitle, Ink::kText, empty);
    empty_ = new TextLabel(themes_, TextRole::kBody, Ink::kText2, empty);
    launch_ = widgets::makeButton(themes_, {.object_name = "runsLaunchButton", .icon = "play"}, empty);
    column->addStretch();
    column->addWidget(empty_title_, 0, Qt::AlignHCenter);
    column->addWidget(empty_, 0, Qt::AlignHCenter);
    column->addWidget(launch_, 0, Qt::AlignHCenter);
    column->addStretch();
    stack_->addWidget(table_);
    stack_->addWidget(empty);
    outer->addWidget(card);
    connect(table_, &QTableView::activated, this, &RunsPage::openSelected);
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunsPage::refresh);
    return box;
}

QString RunsPage::selectedId() const {
    const QModelIndexList rows = table_->selectionModel()->selectedRows();
    return rows.isEmpty() ? QString() : rows.front().data(RunTableModel::kIdRole).toString();
}

void RunsPage::openSelected() {
    const QString id = selectedId();
    if (id.isEmpty()) return;
    session_.showRun(id);
    emit modeRequested(Mode::kMonitor);
}

void RunsPage::activated() {
    session_.refreshRuns();
    if (selectedId().isEmpty() && proxy_->rowCount() > 0) table_->selectRow(0);
}

void RunsPage::retranslate() {
    header_->title().setText(tr("Runs"));
    filter_->setPlaceholderText(tr("Filter by name or /regex/"));
    filter_->setAccessibleName(tr("Filter runs"));
    folder_->setText(tr("Open folder"));
    open_->setText(tr("Open in Monitor"));
    table_->setAccessibleName(tr("Runs"));
    model_->retranslate();
    refresh();
}

void RunsPage::refresh() {
    model_->setRuns(session_.runs());
    header_->sentence().setText(tr("%n run(s)", nullptr, model_->rowCount()));
    const bool chosen = !selectedId().isEmpty();
    open_->setEnabled(chosen);
    folder_->setEnabled(chosen);
    const bool none = model_->rowCount() == 0;
    empty_title_->setText(none ? tr("No run yet") : tr("No run matches %1").arg(filter_->text()));
    empty_->setText(none ? tr("Launch the open project, or choose a template first.") : tr("Clear the filter to see all runs."));
    launch_->setVisible(none);
    launch_->setText(session_.hasProject() ? tr("Launch") : tr("Choose a template"));
    stack_->setCurrentIndex(proxy_->rowCount() > 0 ? 0 : 1);
}

}  // namespace ui::views
