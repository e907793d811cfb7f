// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_page.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/charts/chart_card.h"
#include "ui/lab/lab_view.h"
#include "ui/parts/gap_splitter.h"
#include "ui/parts/host_checks.h"
#include "ui/runs/evaluate_view.h"
#include "ui/runs/run_compare.h"
#include "ui/runs/run_curves.h"
#include "ui/runs/run_table.h"
#include "ui/runs/run_table_tools.h"
#include "ui/session/host/host.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/evaluation.h"
#include "ui/session/runs/launcher.h"
#include "ui/session/runs/runs.h"
#include "ui/session/values.h"
#include "ui/sweep/sweep_view.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/card_frame.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using models::RunTableModel;
using session::RunSummary;
using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kTableShare = 46, kCompareShare = 54, kLeastTable = 150, kLeastCompare = 190;
constexpr int kMostDrawn = 12, kLineColors = 8, kLineSwatch = 16;
constexpr auto kCheckedKey = "runs/checked", kSplitterKey = "runs/splitter";

}  // namespace

RunsPage::RunsPage(session::Session& session, const theme::ThemeController& themes, QWidget* parent)
    : Page(parent), session_(session), themes_(themes), model_(new RunTableModel(this)) {
    setObjectName("runsPage");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    buildHeader();
    column->addWidget(header_);
    pages_ = new QStackedWidget(this);
    auto* list = new QWidget(pages_);
    auto* body = new QVBoxLayout(list);
    body->setContentsMargins(theme::kSpace6, 0, theme::kSpace6, theme::kSpace4);
    body->setSpacing(theme::kSpace3);
    body->addWidget(tools_ = new RunTableTools(*model_, session.settings(), themes, list));
    splitter_ = new GapSplitter(Qt::Vertical, list);
    splitter_->setObjectName("runsSplitter");
    splitter_->setChildrenCollapsible(false);
    splitter_->setHandleWidth(theme::kSpace3);
    splitter_->addWidget(buildTable());
    compare_ = new RunCompare(session.runs(), themes, splitter_);
    compare_->setMinimumHeight(kLeastCompare);
    splitter_->addWidget(compare_);
    splitter_->setStretchFactor(0, kTableShare);
    splitter_->setStretchFactor(1, kCompareShare);
    splitter_->setSizes({kTableShare * 10, kCompareShare * 10});
    body->addWidget(splitter_, 1);
    evaluate_ = new EvaluateView(session, themes, pages_);
    pages_->addWidget(list);
    pages_->addWidget(evaluate_);
    pages_->addWidget(lab_ = new LabView(session, themes, pages_));
    pages_->addWidget(sweep_ = new SweepView(session, themes, pages_));
    column->addWidget(pages_, 1);
    buildMenus();
    connectParts();
    if (QSettings* settings = session_.settings()) {
        table_->restoreColumns(settings);
        model_->setChecked(settings->value(kCheckedKey).toStringList());
        if (settings->contains(kSplitterKey)) splitter_->restoreState(settings->value(kSplitterKey).toByteArray());
    }
    retranslate();
    refresh();
}

RunsPage::~RunsPage() {
    if (QSettings* settings = session_.settings()) {
        table_->keepColumns(settings);
        settings->setValue(kSplitterKey, splitter_->saveState());
    }
}

void RunsPage::buildHeader() {
    header_ = new widgets::PageHeader(themes_, this);
    folder_ = widgets::makeButton(themes_, {.object_name = "runFolderButton", .icon = "folder"}, header_);
    open_ = widgets::makeButton(themes_, {.object_name = "openRunButton", .icon = "chart"}, header_);
    evaluate_button_ =
        widgets::makeButton(themes_, {.object_name = "evaluateButton", .icon = "target", .kind = widgets::ButtonKind::kPrimary}, header_);
    lab_button_ = widgets::makeButton(themes_, {.object_name = "labButton", .icon = "columns"}, header_);
    sweep_button_ = widgets::makeButton(themes_, {.object_name = "sweepButton", .icon = "filter"}, header_);
    for (QPushButton* button : {folder_, open_, lab_button_, sweep_button_, evaluate_button_}) header_->addAction(button);
}

QWidget* RunsPage::buildTable() {
    auto* card = new widgets::CardFrame(themes_, widgets::FrameKind::kCard, this);
    card->setMinimumHeight(kLeastTable);
    auto* frame = new QVBoxLayout(card);
    frame->setContentsMargins(1, theme::kSpace1, 1, theme::kSpace1);
    table_stack_ = new QStackedWidget(card);
    table_ = new RunTable(*model_, themes_, table_stack_);
    tools_->setTable(table_);
    table_stack_->addWidget(table_);
    table_stack_->addWidget(buildState());
    frame->addWidget(table_stack_);
    return card;
}

QWidget* RunsPage::buildState() {
    auto* state = new QWidget(this);
    auto* column = new QVBoxLayout(state);
    column->setSpacing(theme::kSpace3);
    state_title_ = new TextLabel(themes_, TextRole::kEmptyTitle, Ink::kText, state);
    state_text_ = new TextLabel(themes_, TextRole::kBody, Ink::kText2, state);
    state_button_ = widgets::makeButton(themes_, {.object_name = "runsLaunchButton"}, state);
    column->addStretch();
    column->addWidget(state_title_, 0, Qt::AlignHCenter);
    column->addWidget(state_text_, 0, Qt::AlignHCenter);
    column->addWidget(state_button_, 0, Qt::AlignHCenter);
    column->addStretch();
    return state;
}

void RunsPage::buildMenus() {
    connect(table_, &QWidget::customContextMenuRequested, this, [this](const QPoint& at) {
        if (table_->selectedIds().isEmpty()) return;
        QMenu menu(this);
        fillRowMenu(menu);
        menu.exec(table_->viewport()->mapToGlobal(at));
    });
    connect(table_, &RunTable::colorWanted, this, [this](const QPoint& at) {
        QMenu menu(this);
        fillColorMenu(menu);
        menu.exec(at);
    });
}

void RunsPage::fillRowMenu(QMenu& menu) {
    const QStringList ids = table_->selectedIds();
    const RunSummary* run = model_->find(table_->currentId().isEmpty() ? ids.front() : table_->currentId());
    if (!run) return;
    menu.addAction(tr("Open in Monitor\tEnter"), this, &RunsPage::openSelected);
    QAction* evaluation = menu.addAction(tr("Evaluate"), this, &RunsPage::evaluateSelected);
    evaluation->setEnabled(session::Evaluation::obstacle(*run, session_.host().info()).isEmpty());
    evaluation->setToolTip(session::Evaluation::obstacle(*run, session_.host().info()));
    menu.setToolTipsVisible(true);
    menu.addAction(tr("Open as project"), this, [this, id = run->id] { emit projectOfRunRequested(id); });
    menu.addSeparator();
    menu.addAction(tr("Rename\tF2"), this, [this] { table_->editCell(RunTableModel::kName); });
    menu.addAction(run->pinned ? tr("Unpin\tP") : tr("Pin to the top\tP"), this, &RunsPage::pinSelected);
    QMenu* colors = menu.addMenu(tr("Colour"));
    fillColorMenu(*colors);
    menu.addAction(tr("Tags"), this, [this] { table_->editCell(RunTableModel::kTags); });
    menu.addAction(tr("Notes"), this, [this] { table_->editCell(RunTableModel::kNotes); });
    menu.addAction(tr("Use as baseline"), this, [this, id = run->id] {
        model_->setBaseline(id);
        refresh();
    });
    menu.addSeparator();
    menu.addAction(run->archived ? tr("Take out of the archive\tDel") : tr("Archive\tDel"), this, &RunsPage::archiveSelected);
}

void RunsPage::fillColorMenu(QMenu& menu) {
    const QString id = table_->currentId();
    const RunSummary* run = model_->find(id);
    if (!run) return;
    for (int dash = 0; dash < 2; ++dash) {
        for (int color = 0; color < kLineColors; ++color) {
            QPixmap swatch(kLineSwatch, kLineSwatch);
            swatch.fill(Qt::transparent);
            QPainter painter(&swatch);
            painter.setRenderHint(QPainter::Antialiasing);
            widgets::paintDot(painter, {kLineSwatch / 2.0, kLineSwatch / 2.0}, kLineSwatch / 2.0 - 2, themes_.theme().seriesColor(color),
                              dash == 0);
            const QString name = dash == 0 ? tr("Colour %1").arg(color + 1) : tr("Colour %1, dashed").arg(color + 1);
            QAction* action = menu.addAction(swatch, name, this, [this, id, color, dash] { session_.runs().setColor(id, color, dash); });
            action->setCheckable(true);
            action->setChecked(run->color == color && run->dash == dash);
        }
    }
}

void RunsPage::connectParts() {
    connect(tools_, &RunTableTools::changed, this, &RunsPage::refresh);
    connect(tools_, &RunTableTools::archiveWanted, this, &RunsPage::archiveSelected);
    connect(tools_, &RunTableTools::copyWanted, this, &RunsPage::copyTable);
    connect(open_, &QPushButton::clicked, this, &RunsPage::openSelected);
    connect(evaluate_button_, &QPushButton::clicked, this, &RunsPage::evaluateSelected);
    connect(folder_, &QPushButton::clicked, this, [this] {
        if (const RunSummary* run = model_->find(current_)) openFolder(run->run_dir);
    });
    connect(state_button_, &QPushButton::clicked, this, &RunsPage::stateAction);
    connect(table_, &RunTable::openWanted, this, &RunsPage::openSelected);
    connect(table_, &RunTable::archiveWanted, this, &RunsPage::archiveSelected);
    connect(table_, &RunTable::pinWanted, this, &RunsPage::pinSelected);
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        if (refreshing_) return;
        current_ = table_->currentId();
        refreshCompared();
    });
    connect(model_, &RunTableModel::checkedChanged, this, [this] {
        if (session_.settings()) session_.settings()->setValue(kCheckedKey, model_->checked());
        refreshCompared();
    });
    // A reset of the model (sorting, for one) loses the selection; the run stays the same.
    connect(model_, &QAbstractItemModel::modelAboutToBeReset, this, [this] {
        refreshing_ = true;
        table_->keepPlace();
    });
    connect(model_, &QAbstractItemModel::modelReset, this, [this] {
        table_->restorePlace(current_);
        refreshing_ = false;
    });
    // What came while a cell was edited.
    connect(table_->itemDelegate(), &QAbstractItemDelegate::closeEditor, this, &RunsPage::refresh, Qt::QueuedConnection);
    connect(model_, &RunTableModel::renameWanted, &session_.runs(), &session::Runs::rename, Qt::QueuedConnection);
    connect(model_, &RunTableModel::tagsWanted, &session_.runs(), &session::Runs::setTags, Qt::QueuedConnection);
    connect(model_, &RunTableModel::notesWanted, &session_.runs(), &session::Runs::setNotes, Qt::QueuedConnection);
    connect(compare_, &RunCompare::tabChanged, this, &RunsPage::refreshCompared);
    connect(compare_, &RunCompare::checkWanted, this, [this](const QStringList& ids) { model_->setChecked(ids); });
    connect(compare_, &RunCompare::selectWanted, this, [this](const QString& id) { table_->select(id); });
    connect(evaluate_, &EvaluateView::sentenceChanged, this, &RunsPage::refreshTexts);
    connect(evaluate_, &EvaluateView::closeWanted, this, &RunsPage::closeView);
    connect(lab_button_, &QPushButton::clicked, this, &RunsPage::openLab);
    connect(sweep_button_, &QPushButton::clicked, this, &RunsPage::openSweep);
    connect(sweep_, &SweepView::sentenceChanged, this, &RunsPage::refreshTexts);
    connect(sweep_, &SweepView::closeWanted, this, &RunsPage::closeView);
    connect(sweep_, &SweepView::projectWanted, this, [this] { emit modeRequested(Mode::kWelcome); });
    connect(sweep_, &SweepView::bestTaken, this, [this] {
        emit toastRequested(
            [name = QString::fromStdString(session_.project().spec().name)] { return tr("%1 has the best trial's values").arg(name); },
            [] { return tr("Undo"); }, [this] { session::takeStep(session_.project(), session::UndoStep::kUndo); });
    });
    connect(sweep_, &SweepView::runWanted, this, [this](const QString& id) {
        session_.runs().show(id);
        emit modeRequested(Mode::kMonitor);
    });
    connect(lab_, &LabView::sentenceChanged, this, &RunsPage::refreshTexts);
    connect(lab_, &LabView::closeWanted, this, &RunsPage::closeView);
    connect(lab_, &LabView::projectWanted, this, [this] { emit modeRequested(Mode::kWelcome); });
    connect(&session_.runs(), &session::Runs::changed, this, &RunsPage::refresh);
    connect(&session_.runs(), &session::Runs::stateChanged, this, &RunsPage::refresh);
    connect(&session_.project(), &session::Project::changed, this, &RunsPage::refresh);
    connect(&session_.host(), &session::Host::agentChanged, this, &RunsPage::refresh);
    auto* find = new QAction(this);
    find->setShortcut(QKeySequence::Find);
    find->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    addAction(find);
    connect(find, &QAction::triggered, tools_, &RunTableTools::focusFilter);
}

void RunsPage::openSelected() {
    if (current_.isEmpty()) return;
    session_.runs().show(current_);
    emit modeRequested(Mode::kMonitor);
}

void RunsPage::evaluateSelected() {
    if (const RunSummary* run = model_->find(current_)) evaluate(*run);
}

void RunsPage::evaluate(const RunSummary& run) {
    evaluate_->show(run);
    pages_->setCurrentWidget(evaluate_);
    evaluate_->setFocus(Qt::OtherFocusReason);
    refreshTexts();
}

void RunsPage::openLab() {
    pages_->setCurrentWidget(lab_);
    lab_->setFocus(Qt::OtherFocusReason);
    refreshTexts();
}

void RunsPage::openSweep() {
    pages_->setCurrentWidget(sweep_);
    sweep_->setFocus(Qt::OtherFocusReason);
    refreshTexts();
}

void RunsPage::closeView() {
    pages_->setCurrentIndex(0);
    table_->setFocus(Qt::OtherFocusReason);
    refreshTexts();
}

bool RunsPage::leaveView() {
    if (pages_->currentIndex() == 0) return compare_->tab() == RunCompare::Tab::kCurves && compare_->curves().leaveFullSize();
    closeView();
    return true;
}

void RunsPage::pinSelected() {
    if (const RunSummary* run = model_->find(current_)) session_.runs().setPinned(run->id, !run->pinned);
}

void RunsPage::archiveSelected() {
    const QStringList ids = table_->selectedIds();
    const RunSummary* first = ids.isEmpty() ? nullptr : model_->find(ids.front());
    if (!first) return;
    const bool archive = !first->archived;
    const QString name = first->name;
    session_.runs().setArchived(ids, archive);
    const int count = static_cast<int>(ids.size());
    const auto said = [archive, name, count] {
        return archive ? (count == 1 ? tr("%1 is in the archive").arg(name) : tr("%n run(s) are in the archive", nullptr, count))
                       : (count == 1 ? tr("%1 is in the table again").arg(name) : tr("%n run(s) are in the table again", nullptr, count));
    };
    emit toastRequested(
        said, [] { return tr("Undo"); }, [this, ids, archive] { session_.runs().setArchived(ids, !archive); });
}

void RunsPage::copyTable() {
    QApplication::clipboard()->setText(model_->toCsv());
    emit toastRequested([runs = model_->shownRuns()] { return tr("%n run(s) copied as CSV", nullptr, runs); }, {}, {});
}

void RunsPage::stateAction() {
    if (state_ == State::kNoMatch) return tools_->clearFilter();
    if (state_ == State::kArchived) {
        model_->setShowArchived(true);
        return refresh();
    }
    session_.project().isOpen() ? session_.launcher().launch() : emit modeRequested(Mode::kWelcome);
}

// Delete archives the runs, as its key does.
bool RunsPage::canEdit(EditVerb verb) const {
    return verb == EditVerb::kDelete && !table_->selectedIds().isEmpty();
}

void RunsPage::edit(EditVerb verb) {
    if (verb == EditVerb::kDelete) archiveSelected();
}

void RunsPage::activated() {
    session_.runs().refresh();
    if (pages_->currentIndex() != 0) return pages_->currentWidget()->setFocus(Qt::OtherFocusReason);
    if (state_ == State::kTable) table_->setFocus(Qt::OtherFocusReason);
}

void RunsPage::setNarrow(bool narrow) {
    table_->setNarrow(narrow);
    compare_->setNarrow(narrow);
    evaluate_->setNarrow(narrow);
    lab_->setNarrow(narrow);
    header_->setNarrow(narrow);
}

QWidget* RunsPage::sidebar() const {
    return compare_;
}

void RunsPage::resetLayout() {
    Page::resetLayout();
    const int height = splitter_->height() - splitter_->handleWidth();
    splitter_->setSizes({height * kTableShare / 100, height * kCompareShare / 100});
}

void RunsPage::retranslate() {
    tools_->retranslate();
    folder_->setText(tr("Open folder"));
    open_->setText(tr("Open in Monitor"));
    lab_button_->setText(tr("Equivalence lab"));
    lab_button_->setToolTip(tr("The open project under every strategy: do all of them train the same?"));
    evaluate_button_->setText(tr("Evaluate"));
    table_->setAccessibleName(tr("Runs"));
    model_->retranslate();
    compare_->retranslate();
    evaluate_->retranslate();
    lab_->retranslate();
    sweep_button_->setText(tr("Sweep"));
    sweep_button_->setToolTip(tr("The open project with many values of some fields: which are best?"));
    sweep_->retranslate();
    refresh();
}

void RunsPage::showState(State state) {
    state_ = state;
    table_stack_->setCurrentIndex(state == State::kTable || state == State::kReading ? 0 : 1);
    if (state == State::kEmpty) {
        state_title_->setText(tr("No run yet"));
        state_text_->setText(session_.project().isOpen() ? tr("Launch the open project (Ctrl+R).")
                                                         : tr("Choose a template, then launch it (Ctrl+R)."));
        state_button_->setText(session_.project().isOpen() ? tr("Launch") : tr("Choose a template"));
    } else if (state == State::kArchived) {
        state_title_->setText(tr("Every run is in the archive"));
        state_text_->setText(tr("%n run(s) are kept there.", nullptr, static_cast<int>(session_.runs().list().size())));
        state_button_->setText(tr("Show archived runs"));
    } else if (state == State::kNoMatch) {
        state_title_->setText(tr("No run matches %1").arg(tools_->filter()));
        state_text_->setText(tr("%n run(s) hidden by the filter.", nullptr, model_->runCount()));
        state_button_->setText(tr("Clear filter"));
    }
    const QString obstacle = state == State::kEmpty && session_.project().isOpen() ? session_.launcher().obstacle() : QString();
    state_button_->setEnabled(obstacle.isEmpty());
    state_button_->setToolTip(obstacle);
}

void RunsPage::refreshTexts() {
    const bool evaluating = pages_->currentWidget() == evaluate_;
    const bool in_lab = pages_->currentWidget() == lab_;
    const bool in_sweep = pages_->currentWidget() == sweep_;
    header_->title().setText(evaluating ? tr("Evaluate") : in_lab ? tr("Equivalence lab") : in_sweep ? tr("Sweep") : tr("Runs"));
    const int checked = static_cast<int>(model_->checked().size());
    header_->sentence().setText(evaluating                  ? evaluate_->sentence()
                                : in_lab                    ? lab_->sentence()
                                : in_sweep                  ? sweep_->sentence()
                                : state_ == State::kReading ? tr("Reading")
                                : checked > 0               ? tr("%n run(s), %1 selected", nullptr, model_->runCount()).arg(checked)
                                                            : tr("%n run(s)", nullptr, model_->runCount()));
    for (QPushButton* button : {folder_, open_, lab_button_, sweep_button_, evaluate_button_})
        button->setVisible(!evaluating && !in_lab && !in_sweep);
    const bool chosen = !current_.isEmpty();
    for (QPushButton* button : {folder_, open_, evaluate_button_}) button->setEnabled(chosen);
    const RunSummary* run = model_->find(current_);
    const QString obstacle = run ? session::Evaluation::obstacle(*run, session_.host().info()) : QString();
    for (QPushButton* button : {folder_, evaluate_button_}) button->setEnabled(chosen && obstacle.isEmpty());
    const QString far_place = run != nullptr ? session::farPlaceOf(*run) : QString();
    folder_->setToolTip(!obstacle.isEmpty() || far_place.isEmpty() ? obstacle
                                                                   : tr("Copies on this computer; its folder is %1").arg(far_place));
    evaluate_button_->setToolTip(
        obstacle.isEmpty() ? tr("Confusion matrix, wrong answers, and a drawing of yours through the chosen run's model") : obstacle);
    tools_->refresh({.current = current_, .drawn = std::min(checked, kMostDrawn), .has_table = state_ == State::kTable});
}

void RunsPage::refresh() {
    refreshing_ = true;
    if (!table_->isEditing()) model_->setRuns(session_.runs().list());  // a new run would take the editor away
    if (model_->runCount() > 0 && current_.isEmpty() && !chose_first_) {
        table_->select({});
        chose_first_ = true;
    }
    refreshing_ = false;
    current_ = table_->currentId();
    const bool reading = session_.runs().isReading() && session_.host().agentState() != session::AgentState::kLost;
    const bool all_archived = model_->runCount() == 0 && tools_->filter().isEmpty();
    showState(reading                          ? State::kReading
              : session_.runs().list().empty() ? State::kEmpty
              : model_->rowCount() > 0         ? State::kTable
              : all_archived                   ? State::kArchived
                                               : State::kNoMatch);
    refreshCompared();
}

void RunsPage::refreshCompared() {
    QStringList ids = model_->checked();
    if (ids.isEmpty() && !current_.isEmpty()) ids << current_;
    if (ids.size() > kMostDrawn) ids.resize(kMostDrawn);
    session_.runs().compare(ids);
    std::vector<RunSummary> compared, shown;
    for (const QString& id : ids) {
        if (const RunSummary* run = model_->find(id)) compared.push_back(*run);
    }
    if (compare_->tab() == RunCompare::Tab::kParallel) {
        for (const RunSummary* run : model_->shown()) {
            if (shown.size() == RunCompare::kMostLines) break;
            shown.push_back(*run);
        }
    }
    compare_->setRuns(std::move(compared), std::move(shown), current_, model_->baseline());
    refreshTexts();
}

}  // namespace ui::views

#include "moc_runs_page.cpp"
