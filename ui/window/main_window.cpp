// SPDX-License-Identifier: GPL-3.0-or-later
// The frame and what it shows; its actions and menus are in main_window_actions.cpp.
#include "ui/window/main_window.h"

#include <QAbstractButton>
#include <QApplication>
#include <QCloseEvent>
#include <QCoreApplication>
#include <QFileInfo>
#include <QKeyEvent>
#include <QSettings>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "ui/chaos/chaos_dialog.h"
#include "ui/charts/chart_card.h"
#include "ui/export/export_dialog.h"
#include "ui/export/submit_dialog.h"
#include "ui/help/help_page.h"
#include "ui/monitor/metrics_pane.h"
#include "ui/monitor/monitor_charts.h"
#include "ui/monitor/monitor_page.h"
#include "ui/parts/commands_pane.h"
#include "ui/parts/host_checks.h"
#include "ui/parts/languages.h"
#include "ui/parts/launch_obstacle.h"
#include "ui/parts/run_group.h"
#include "ui/parts/shortcut_store.h"
#include "ui/parts/task_log_pane.h"
#include "ui/session/error_text.h"
#include "ui/session/host/host.h"
#include "ui/session/project/leftovers.h"
#include "ui/session/project/project.h"
#include "ui/session/project/starters.h"
#include "ui/session/runs/event_files.h"
#include "ui/session/runs/launcher.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/session/values.h"
#include "ui/welcome/welcome_page.h"
#include "ui/widgets/card_frame.h"
#include "ui/widgets/dock_splitter.h"
#include "ui/widgets/focus_ring.h"
#include "ui/widgets/mode_bar.h"
#include "ui/widgets/toast.h"
#include "ui/widgets/veil.h"
#include "ui/window/action_obstacle.h"
#include "ui/window/menu_row.h"
#include "ui/window/output_panes.h"
#include "ui/window/page_table.h"
#include "ui/window/recovery_bar.h"
#include "ui/window/session_toasts.h"
#include "ui/window/shortcut_dialog.h"
#include "ui/window/tour.h"
#include "ui/window/window_layout.h"

namespace ui::views {

using session::RunState;

namespace {

constexpr QSize kMinimum{1100, 700}, kDesigned{1440, 900}, kExportSize{1080, 664}, kShortcutsSize{760, 600}, kChaosSize{900, 640};
constexpr int kNarrowWindow = 1200, kPaneHeight = 150, kPaneMinimum = 96, kKeepMs = 300;
constexpr double kPaneMostShare = 0.6;

}  // namespace

MainWindow::MainWindow(session::Session& session, theme::ThemeController& themes, QWidget* parent)
    : QMainWindow(parent), session_(session), themes_(themes), translator_(new StudioTranslator(this)) {
    setAcceptDrops(true);
    setObjectName("mainWindow");
    setMinimumSize(kMinimum);
    resize(kDesigned);
    themes_.setLanguage(translator_->setLanguage(startLanguage(session_.settings())));
    buildFrame();
    buildPages();
    buildPanes();
    buildActions();
    registerShortcuts();
    connectSession();
    retranslate();
    layout_ = new WindowLayout(pages_, *splitter_, *panes_, session_.settings(), this);
    restoreSizes();
    refreshRun();
    if (session_.settings()) themes_.setReduceMotion(session_.settings()->value("reduce_motion").toBool());
    mode_bar_->setFocus();
}

MainWindow::~MainWindow() = default;

void MainWindow::buildFrame() {
    menu_row_ = new MenuRow(session_.project(), themes_, this);
    setMenuWidget(menu_row_);
    auto* body = new QWidget(this);
    setCentralWidget(body);
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* middle = new QHBoxLayout;
    middle->setSpacing(0);
    auto* rail = new widgets::CardFrame(themes_, widgets::FrameKind::kRail, body);
    rail->setFixedWidth(theme::kModeBarWidth);
    auto* rail_column = new QVBoxLayout(rail);
    rail_column->setContentsMargins(0, 0, 0, 0);
    rail_column->setSpacing(0);
    mode_bar_ = new widgets::ModeBar(themes_, rail);
    QStringList icons;
    for (const PageRow& row : pageTable()) icons << QLatin1String(row.icon);
    mode_bar_->setModes(icons);
    run_group_ = new RunGroup(session_, themes_, rail);
    rail_column->addWidget(mode_bar_);
    rail_column->addStretch(1);
    rail_column->addWidget(run_group_);
    splitter_ = new widgets::DockSplitter(Qt::Vertical, "paneSplitter", body);
    stack_ = new QStackedWidget(splitter_);
    panes_ = new PaneHost(themes_, splitter_);
    splitter_->setDock(1, {.wide = kPaneHeight, .narrow = kPaneHeight, .least = kPaneMinimum, .most_share = kPaneMostShare});
    middle->addWidget(rail);
    auto* right = new QVBoxLayout;
    right->setSpacing(0);
    recovery_bar_ = new RecoveryBar(session_.leftovers(), themes_, body);
    right->addWidget(recovery_bar_);
    right->addWidget(splitter_, 1);
    middle->addLayout(right, 1);
    column->addLayout(middle, 1);
    status_row_ = new StatusRow(session_, themes_, body);
    column->addWidget(status_row_);
    toast_ = new widgets::Toast(themes_, body);
    toasts_ = new SessionToasts(session_, *toast_, *this);
    new widgets::FocusRing(themes_, this);
    connect(mode_bar_, &widgets::ModeBar::currentChanged, this, [this](int index) {
        stack_->setCurrentIndex(index);
        layout_->showPaneOf(static_cast<std::size_t>(index));
        pages_[static_cast<std::size_t>(index)]->activated();
        refreshTitle();
    });
    connect(recovery_bar_, &RecoveryBar::restoreRequested, this, [this](const QString& id) {
        if (mayReplaceProject() && session_.leftovers().recover(id)) showMode(Mode::kModel);
    });
    connect(menu_row_, &MenuRow::languageRequested, this, &MainWindow::setLanguage);
}

void MainWindow::buildPages() {
    std::transform(pageTable().begin(), pageTable().end(), pages_.begin(),
                   [this](const PageRow& row) { return row.make(session_, themes_, stack_); });
    for (Page* page : pages_) {
        stack_->addWidget(page);
        connect(page, &Page::modeRequested, this, &MainWindow::showMode);
        connect(page, &Page::projectOfRunRequested, this, [this](const QString& run_id) {
            if (mayReplaceProject() && session_.openRunAsProject(run_id)) showMode(Mode::kModel);
        });
        connect(page, &Page::branchOfRunRequested, this, &MainWindow::openBranch);
        connect(page, &Page::exportRequested, this, &MainWindow::openExport);
        connect(page, &Page::paneRequested, panes_, &PaneHost::open);
        connect(page, &Page::explainRequested, this, &MainWindow::explain);
        connect(page, &Page::toastRequested, this,
                [this](const widgets::Words& text, const widgets::Words& action, const std::function<void()>& act) {
                    toast_->say(widgets::ToastTone::kInfo, text, action, act);
                });
    }
}

void MainWindow::openBranch(const QString& run_id, const QString& checkpoint, std::int64_t epochs_behind, std::int64_t steps_behind) {
    if (!mayReplaceProject() || !session_.openBranch(run_id, checkpoint, epochs_behind, steps_behind)) return;
    showMode(Mode::kModel);
    toast_->say(widgets::ToastTone::kOk, [file = QFileInfo(checkpoint).fileName()] {
        return tr("Change what you like and train: the run goes on behind %1, as a run of its own.").arg(file);
    });
}

void MainWindow::buildPanes() {
    problems_ = new ProblemsPane(session_, themes_, this);
    log_pane_ = new TaskLogPane(session_.runs(), themes_, this);
    commands_ = new CommandsPane(session_, themes_, this);
    panes_->setPane(1, problems_);
    panes_->setPane(2, log_pane_, log_pane_->tools());
    events_ = new EventsPane(session_, themes_, this);
    panes_->setPane(3, events_);
    metrics_ = new MetricsPane(session_.runs(), themes_, this);
    panes_->setPane(4, metrics_);
    panes_->setPane(5, commands_);
    for (int pane = 1; pane <= kPaneCount; ++pane) status_row_->button(pane)->setVisible(panes_->has(pane));
    connect(status_row_, &StatusRow::paneToggled, this, &MainWindow::togglePane);
    connect(panes_, &PaneHost::openChanged, status_row_, &StatusRow::setOpenPane);
    connect(problems_, &ProblemsPane::revealRequested, this, &MainWindow::reveal);
    connect(problems_, &ProblemsPane::explainRequested, this, &MainWindow::explain);
    connect(events_, &EventsPane::explainRequested, this, &MainWindow::explain);
}

void MainWindow::connectSession() {
    const auto* welcome = static_cast<WelcomePage*>(pages_[static_cast<std::size_t>(Mode::kWelcome)]);
    connect(welcome, &WelcomePage::tourRequested, this, &MainWindow::startTour);
    connect(welcome, &WelcomePage::manualRequested, this, [this] { showHelp(HelpTopic::kManual); });
    connect(welcome, &WelcomePage::templateRequested, this, &MainWindow::openTemplate);
    connect(welcome, &WelcomePage::projectRequested, this, &MainWindow::openFile);
    connect(&session_.project(), &session::Project::modelOpened, this, [this] { showMode(Mode::kModel); });
    const auto* monitor = static_cast<MonitorPage*>(pages_[static_cast<std::size_t>(Mode::kMonitor)]);
    connect(monitor, &MonitorPage::taskLogRequested, this, [this](const engine::spec::TaskId& task, double seconds) {
        panes_->open(2);
        log_pane_->showTask(task, seconds);
    });
    connect(monitor, &MonitorPage::momentShown, log_pane_, &TaskLogPane::showMoment);
    connect(&session_.project(), &session::Project::changed, this, [this] {
        refreshTitle();
        refreshProblems();
        refreshRun();
    });
    connect(&session_.project(), &session::Project::modifiedChanged, this, &MainWindow::refreshTitle);
    connect(&session_.runs(), &session::Runs::stateChanged, this, &MainWindow::refreshRun);
    connect(&session_.host(), &session::Host::agentChanged, this, &MainWindow::refreshRun);
    connect(&session_.runs(), &session::Runs::launched, this, [this] { showMode(Mode::kMonitor); });
    connect(&session_.runs(), &session::Runs::opened, this, [this] { showMode(Mode::kMonitor); });
    connect(&session_.runs(), &session::Runs::archived, this, [this](const QString& file) { tellOfFiles(1, QFileInfo(file).path()); });
    connect(toasts_, &SessionToasts::eventsWanted, this, [this] { panes_->open(3); });
    connect(toasts_, &SessionToasts::saveAsWanted, this, &MainWindow::saveProjectAs);
    connect(toasts_, &SessionToasts::readAgainWanted, this, [this](const QString& path) {
        if (path == session_.project().path() && mayReplaceProject()) session_.project().open(path);
    });
    connect(&themes_, &theme::ThemeController::themeChanged, this, &MainWindow::refreshRun);
    // Kept soon after a change, not at the end alone: a studio that is killed loses no setting.
    keep_timer_.setSingleShot(true);
    keep_timer_.setInterval(kKeepMs);
    connect(&keep_timer_, &QTimer::timeout, this, &MainWindow::keepSettings);
    connect(&themes_, &theme::ThemeController::themeChanged, this, [this] {
        keepSettings();
        if (session_.settings()) session_.settings()->sync();  // a kill waits for nothing
    });
}

void MainWindow::showMode(Mode mode) {
    mode_bar_->setCurrent(static_cast<int>(mode));
}
Mode MainWindow::mode() const {
    return static_cast<Mode>(stack_->currentIndex());
}

void MainWindow::togglePane(int pane) {
    panes_->openPane() == pane ? panes_->close() : panes_->open(pane);
}

void MainWindow::reveal(const QString& path) {
    for (int i = 0; i < kModeCount; ++i) {
        if (!pages_[static_cast<std::size_t>(i)]->reveal(path)) continue;
        const int pane = panes_->openPane();
        showMode(static_cast<Mode>(i));
        if (pane > 0) panes_->open(pane);  // whoever goes through a list of problems keeps it in sight
        return;
    }
}

void MainWindow::openExport() {
    if (!session_.project().isOpen() && session_.runs().current() == nullptr) return;
    // From a chart the dialog opens at its data, from Monitor at the charts, else at TF_CONFIG.
    auto& monitor = static_cast<MonitorPage&>(page(Mode::kMonitor));
    auto* dialog = new ExportDialog(session_, themes_, monitor.charts().order());
    auto* chart = qobject_cast<charts::ChartCard*>(focusWidget());
    if (mode() == Mode::kMonitor) dialog->showPage(chart != nullptr ? ExportPage::kData : ExportPage::kCharts, chart);
    connect(dialog, &ExportDialog::exported, this, &MainWindow::tellOfFiles);
    new widgets::Veil(themes_, centralWidget()->window(), dialog, kExportSize);
}

void MainWindow::tellOfFiles(int files, const QString& folder) {
    toast_->say(
        widgets::ToastTone::kOk, [files, folder] { return tr("%n file(s) in %1", nullptr, files).arg(folder); },
        [] { return tr("Open folder"); }, [folder] { openFolder(folder); });
}

void MainWindow::openSubmit() {
    if (!session_.project().isOpen()) return;
    new widgets::Veil(themes_, centralWidget()->window(), new SubmitDialog(session_, themes_), kExportSize);
}

void MainWindow::setReduceMotion(bool on) {
    themes_.setReduceMotion(on);
    if (session_.settings()) session_.settings()->setValue("reduce_motion", on);
}

void MainWindow::openShortcuts() {
    new widgets::Veil(themes_, this, new ShortcutDialog(*shortcuts_, themes_), kShortcutsSize);
}

void MainWindow::openChaos() {
    showMode(Mode::kMonitor);
    new widgets::Veil(themes_, this, new ChaosDialog(session_.chaos(), themes_), kChaosSize);
}

void MainWindow::fitScreen() {
    if (isMaximized() || isFullScreen()) return;
    const QSize frame = frameGeometry().size() - size();
    resize(size().boundedTo(screen()->availableSize() - frame));
}

void MainWindow::greet() {
    constexpr auto kSeen = "tour/seen";
    if (!session_.settings() || session_.settings()->value(kSeen).toBool()) return;
    session_.settings()->setValue(kSeen, true);
    startTour();
}

void MainWindow::startTour() {
    if (findChild<Tour*>()) return;
    // Pages with something on them; a project that was opened for the tour alone goes with it.
    const auto& starters = session_.starters().all();
    const auto isUsable = [](const session::Template& one) { return one.needs.isEmpty(); };
    // Two tasks have a TF_CONFIG to show.
    auto usable = std::find_if(starters.begin(), starters.end(), [&](const session::Template& one) {
        return isUsable(one) && one.run.cluster.spec.trainingTasks().size() > 1;
    });
    if (usable == starters.end()) usable = std::find_if(starters.begin(), starters.end(), isUsable);
    const bool lends = !session_.project().isOpen() && usable != starters.end() && session_.project().openStarter(usable->id);
    const engine::spec::RunSpec lent = session_.project().spec();
    const auto at = [this](Mode mode) { return [this, mode] { showMode(mode); }; };
    const auto pageOf = [this](Mode mode) { return [this, mode]() -> QWidget* { return pages_[static_cast<std::size_t>(mode)]; }; };
    const auto* welcome = static_cast<const WelcomePage*>(pages_[static_cast<std::size_t>(Mode::kWelcome)]);
    std::vector<TourStep> steps;
    if (welcome->starters() == nullptr) {
        steps.push_back({at(Mode::kWelcome), [welcome] { return welcome->recent(); }, [] { return tr("Begin with a project"); },
                         [] { return tr("New blank project begins one, Open reads a file. Those that you had open are listed here."); }});
    } else {
        steps.push_back({at(Mode::kWelcome), [welcome] { return welcome->starters(); }, [] { return tr("Begin with a template"); },
                         [welcome] {
                             return welcome->marksTemplate()
                                        ? tr("Each card is a whole project: data, model, cluster. The marked one opens and trains at once.")
                                        : tr("Each card is a whole project: data, model, cluster.");
                         }});
    }
    steps.push_back({{},
                     [this]() -> QWidget* { return mode_bar_; },
                     [] { return tr("Pages in the order of work"); },
                     [] { return tr("Data, model, cluster, then watch the training and compare runs. Ctrl+1 to Ctrl+7 open them."); }});
    steps.push_back({at(Mode::kModel), pageOf(Mode::kModel), [] { return tr("The model as a chain of layers"); },
                     [] {
                         return tr(
                             "Shapes are worked out while you edit, and the first layer that does not fit is named. Everything can be "
                             "undone with Ctrl+Z.");
                     }});
    steps.push_back(
        {at(Mode::kCluster), pageOf(Mode::kCluster), [] { return tr("The cluster and its TF_CONFIG"); },
         [] { return tr("Choose how many workers train and by which strategy. TF_CONFIG of every task is written for you."); }});
    steps.push_back({{},
                     [this]() -> QWidget* { return run_group_; },
                     [] { return tr("Launch from any page"); },
                     [] { return tr("Ctrl+R launches, Pause and Stop are below. Training goes on when this window is closed."); }});
    const auto atLastRun = [this] {
        session::Runs& runs = session_.runs();
        if (runs.current() == nullptr && !runs.list().empty()) runs.show(runs.list().front().id);
        showMode(Mode::kMonitor);
    };
    steps.push_back(
        {atLastRun, pageOf(Mode::kMonitor), [] { return tr("Watch it train"); },
         [this] {
             return session_.runs().current() != nullptr
                        ? tr("Curves move with every step; tasks, the ring and checkpoints stand at the right.")
                        : tr("The first run fills this page: curves that move with every step, its tasks, the ring and checkpoints.");
         }});
    steps.push_back({{},
                     [this]() -> QWidget* { return menu_row_; },
                     [] { return tr("Find anything"); },
                     [] { return tr("Ctrl+K finds pages, actions, layers, runs and settings by a few letters. Ctrl+/ lists all keys."); }});
    auto* tour = new Tour(themes_, this, std::move(steps));
    connect(tour, &Tour::ended, this, [this, lends, lent] {
        if (lends && session_.project().spec() == lent && session_.project().path().isEmpty() && !session_.runs().hasActive())
            session_.project().close();
        showMode(Mode::kWelcome);
        mode_bar_->setFocus(Qt::OtherFocusReason);
    });
}

void MainWindow::refreshTitle() {
    const QString title = session_.project().title();
    const auto* run = session_.runs().current();
    QString text =
        title.isEmpty() ? QStringLiteral("Tandem") : (session_.project().isModified() ? title + "•" : title) + QStringLiteral(" — Tandem");
    if (run && isActive(run->state())) text = session::runStateText(run->state()) + QStringLiteral(" — ") + text;
    setWindowTitle(text);
    for (QAction* action : {actions_.save, actions_.save_as})
        setObstacle(*action, session_.project().isOpen() ? QString() : tr("No project is open"));
    setObstacle(*actions_.save_archive, run == nullptr           ? tr("No run is open")
                                        : isActive(run->state()) ? tr("The run still goes on")
                                                                 : QString());
    setObstacle(*actions_.export_config,
                session_.project().isOpen() || run != nullptr ? QString() : tr("Neither a project nor a run is open"));
}

void MainWindow::refreshProblems() {
    status_row_->setCount(1, session_.project().errorCount(), session_.project().warningCount());
}

// Sets the dot on Monitor's mode, on every page: it means what the rail says in words.
void MainWindow::refreshDot() {
    const auto* run = session_.runs().current();
    const RunState phase = run ? run->state() : RunState::kNone;
    std::optional<QColor> color;
    if (isActive(phase) || phase == RunState::kFailed)
        color = waitsForTasks(*run) ? themes_.theme().warn : phaseColor(themes_.theme(), phase);
    mode_bar_->setDot(static_cast<int>(Mode::kMonitor), color);
}

void MainWindow::refreshRun() {
    const auto* run = session_.runs().current();
    const RunState phase = run ? run->state() : RunState::kNone;
    if (run) connect(run, &session::RunRecord::tasksChanged, this, &MainWindow::refreshDot, Qt::UniqueConnection);
    refreshDot();
    setObstacle(*actions_.submit, session_.launcher().submitObstacle());
    setObstacle(*actions_.launch, launchObstacle(session_));
    for (QAction* action : {actions_.pause, actions_.stop, actions_.stop_now})
        setObstacle(*action, !isActive(phase)                                    ? tr("No run is going on")
                             : !session::eventFolderOf(run->summary()).isEmpty() ? tr("This run is read from event files")
                                                                                 : QString());
    setObstacle(*actions_.chaos, run ? QString() : tr("No run is going on"));
    actions_.pause->setText(phase == RunState::kPaused ? tr("&Resume") : tr("&Pause"));
    toasts_->lookAtRun();
    refreshTitle();
}

void MainWindow::setLanguage(const QString& language) {
    const QString code = translator_->setLanguage(language);
    if (session_.settings()) session_.settings()->setValue("language", code);
    themes_.setLanguage(code);
    for (QWidget* top : QApplication::topLevelWidgets()) {
        QEvent event(QEvent::LanguageChange);  // Qt hands it on to every child
        QCoreApplication::sendEvent(top, &event);
    }
}

// Pages hear of a change of language themselves.
void MainWindow::retranslate() {
    recovery_bar_->retranslate();
    mode_bar_->setAccessibleName(tr("Modes"));
    for (int i = 0; i < kModeCount; ++i) {
        actions_.modes[static_cast<std::size_t>(i)]->setText(pageTable()[static_cast<std::size_t>(i)].title());
    }
    panes_->setTitles({tr("Problems"), tr("Task logs"), tr("Events"), tr("Metrics"), tr("Commands")});
    menu_row_->retranslate();
    run_group_->retranslate();
    status_row_->retranslate();
    problems_->retranslate();
    events_->retranslate();
    log_pane_->retranslate();
    metrics_->retranslate();
    commands_->retranslate();
    retranslateActions();
    refreshShortcuts();
    refreshTitle();
}

void MainWindow::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    if (event->type() == QEvent::ActivationChange && isActiveWindow()) toasts_->lookAtFile();
    QMainWindow::changeEvent(event);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    const bool narrow = isNarrow();
    for (Page* page : pages_) page->setNarrow(narrow);
    menu_row_->setNarrow(narrow);
    keep_timer_.start();
}

void MainWindow::moveEvent(QMoveEvent* event) {
    QMainWindow::moveEvent(event);
    keep_timer_.start();
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
    Page& page = *pages_[static_cast<std::size_t>(mode())];
    if (event->key() == Qt::Key_Space && event->modifiers() == Qt::NoModifier && page.handleSpace()) return;
    // With the focus on the mode bar, the rail or nowhere; whoever reads in a pane below the page stays where they are.
    const bool in_pane = focusWidget() != nullptr && panes_->isAncestorOf(focusWidget());
    if (!in_pane && event->matches(QKeySequence::Cancel) && page.leaveView()) return;
    QMainWindow::keyPressEvent(event);
}

void MainWindow::restoreSizes() {
    if (session_.settings()) restoreGeometry(session_.settings()->value("window/geometry").toByteArray());
    layout_->restore(isNarrow() ? WindowLayout::Room::kNarrow : WindowLayout::Room::kWide);
}

bool MainWindow::isNarrow() const {
    return width() < kNarrowWindow;
}

void MainWindow::keepSettings() {
    if (!session_.settings()) return;
    session_.settings()->setValue("window/geometry", saveGeometry());
    session_.settings()->setValue("theme", static_cast<int>(themes_.choice()));
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!mayReplaceProject()) return event->ignore();
    keepSettings();
    session_.leftovers().giveUpChanges();
    event->accept();
}

}  // namespace ui::views

#include "moc_main_window.cpp"
