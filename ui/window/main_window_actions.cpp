// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QMenu>
#include <QMessageBox>

#include "ui/help/help_page.h"
#include "ui/model/model_page.h"
#include "ui/models/engine_text.h"
#include "ui/parts/shortcut_store.h"
#include "ui/session/project/project.h"
#include "ui/session/project/recent_projects.h"
#include "ui/session/runs/launcher.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/session/values.h"
#include "ui/widgets/message_box.h"
#include "ui/widgets/mode_bar.h"
#include "ui/window/action_obstacle.h"
#include "ui/window/edit_menu.h"
#include "ui/window/locator.h"
#include "ui/window/main_window.h"
#include "ui/window/menu_row.h"
#include "ui/window/output_panes.h"
#include "ui/window/window_layout.h"

namespace ui::views {

void MainWindow::buildActions() {
    const auto make = [this](const char* name, const QKeySequence& keys = {}) {
        auto* action = new QAction(this);
        action->setObjectName(name);
        action->setShortcut(keys);
        addAction(action);
        return action;
    };
    actions_.new_project = make("actionNew", QKeySequence::New);
    actions_.open = make("actionOpen", QKeySequence::Open);
    actions_.open_run = make("actionOpenRun");
    actions_.open_events = make("actionOpenEvents");
    actions_.submit = make("actionSubmit");
    actions_.open_archive = make("actionOpenArchive");
    actions_.save = make("actionSave", QKeySequence::Save);
    actions_.save_as = make("actionSaveAs", QKeySequence("Ctrl+Shift+S"));
    actions_.save_archive = make("actionSaveArchive");
    actions_.export_config = make("actionExport", QKeySequence("Ctrl+E"));
    actions_.quit = make("actionQuit", QKeySequence("Ctrl+Q"));
    actions_.undo = make("actionUndo", QKeySequence::Undo);
    actions_.redo = make("actionRedo", QKeySequence("Ctrl+Shift+Z"));
    actions_.light = make("actionLight");
    actions_.dark = make("actionDark");
    actions_.desktop = make("actionDesktopTheme");
    actions_.toggle_theme = make("actionToggleTheme", QKeySequence("Alt+Shift+D"));
    actions_.sidebar = make("actionSidebar", QKeySequence("Alt+0"));
    actions_.reset_layout = make("actionResetLayout");
    actions_.launch = make("actionLaunch", QKeySequence("Ctrl+R"));
    actions_.pause = make("actionPause");
    actions_.stop = make("actionStop", QKeySequence("Shift+F5"));
    actions_.stop_now = make("actionStopNow");
    actions_.chaos = make("actionChaos");
    actions_.shortcuts = make("actionShortcuts", QKeySequence("Ctrl+/"));
    actions_.edit_shortcuts = make("actionEditShortcuts");
    actions_.manual = make("actionManual", QKeySequence::HelpContents);
    actions_.tour = make("actionTour");
    actions_.about = make("actionAbout");
    for (int i = 0; i < kModeCount; ++i) {
        QAction* action = make(qPrintable(QStringLiteral("actionMode%1").arg(i + 1)), QKeySequence(QStringLiteral("Ctrl+%1").arg(i + 1)));
        connect(action, &QAction::triggered, this, [this, i] { showMode(static_cast<Mode>(i)); });
        actions_.modes[static_cast<std::size_t>(i)] = action;
    }
    for (int i = 0; i < kPaneCount; ++i) {
        QAction* action = make(qPrintable(QStringLiteral("actionPane%1").arg(i + 1)), QKeySequence(QStringLiteral("Alt+%1").arg(i + 1)));
        connect(action, &QAction::triggered, this, [this, i] { togglePane(i + 1); });
        action->setEnabled(panes_->has(i + 1));
        actions_.panes[static_cast<std::size_t>(i)] = action;
    }
    actions_.locator = make("actionLocator", QKeySequence("Ctrl+K"));
    connect(actions_.locator, &QAction::triggered, &menu_row_->locator(), &Locator::open);
    menu_row_->locator().setPlaces([this] { return places(); });
    buildFileActions();
    buildRunActions();
    buildViewActions();
    buildMenus();
}

void MainWindow::buildFileActions() {
    connect(actions_.new_project, &QAction::triggered, this, [this] {
        if (!mayReplaceProject()) return;
        session_.project().create();
        showMode(Mode::kModel);
        static_cast<ModelPage&>(page(Mode::kModel)).focusCanvas();
    });
    connect(actions_.open, &QAction::triggered, this, &MainWindow::openProject);
    connect(actions_.open_run, &QAction::triggered, this, &MainWindow::openRunFolder);
    connect(actions_.open_events, &QAction::triggered, this, &MainWindow::openEventFiles);
    connect(actions_.open_archive, &QAction::triggered, this, &MainWindow::openArchive);
    connect(actions_.save_archive, &QAction::triggered, this, &MainWindow::saveArchive);
    connect(actions_.save, &QAction::triggered, this, &MainWindow::saveProject);
    connect(actions_.save_as, &QAction::triggered, this, &MainWindow::saveProjectAs);
    connect(actions_.export_config, &QAction::triggered, this, &MainWindow::openExport);
    connect(actions_.quit, &QAction::triggered, this, &QWidget::close);
    QUndoStack& undo = session_.project().undoStack();
    for (auto [action, step] : {std::pair{actions_.undo, session::UndoStep::kUndo}, std::pair{actions_.redo, session::UndoStep::kRedo}})
        connect(action, &QAction::triggered, &undo, [this, step = step] { session::takeStep(session_.project(), step); });
    connect(&undo, &QUndoStack::indexChanged, this, &MainWindow::refreshUndo);
}

void MainWindow::buildRunActions() {
    connect(actions_.launch, &QAction::triggered, &session_, [this] { session_.launcher().launch(); });
    connect(actions_.submit, &QAction::triggered, this, &MainWindow::openSubmit);
    connect(actions_.pause, &QAction::triggered, this, [this] {
        const auto* run = session_.runs().current();
        run && run->state() == session::RunState::kPaused ? session_.runs().resume() : session_.runs().pause();
    });
    connect(actions_.stop, &QAction::triggered, &session_, [this] { session_.runs().stop(); });
    connect(actions_.stop_now, &QAction::triggered, &session_, [this] { session_.runs().stopNow(); });
    connect(actions_.chaos, &QAction::triggered, this, &MainWindow::openChaos);
}

void MainWindow::buildViewActions() {
    auto* group = new QActionGroup(this);
    for (auto [action, choice] : {std::pair{actions_.light, theme::Choice::kLight}, std::pair{actions_.dark, theme::Choice::kDark},
                                  std::pair{actions_.desktop, theme::Choice::kDesktop}}) {
        action->setCheckable(true);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, choice = choice] { themes_.setChoice(choice); });
    }
    const auto mark = [this] {
        const theme::Choice choice = themes_.choice();
        (choice == theme::Choice::kLight  ? actions_.light
         : choice == theme::Choice::kDark ? actions_.dark
                                          : actions_.desktop)
            ->setChecked(true);
    };
    connect(&themes_, &theme::ThemeController::themeChanged, this, mark);
    mark();
    connect(actions_.toggle_theme, &QAction::triggered, this, [this] { themes_.toggle(); });
    connect(actions_.sidebar, &QAction::triggered, this, [this] { page(mode()).toggleSidebar(); });
    connect(actions_.reset_layout, &QAction::triggered, this, [this] { layout_->reset(); });
    connect(actions_.shortcuts, &QAction::triggered, this, [this] { showHelp(HelpTopic::kKeys); });
    connect(actions_.manual, &QAction::triggered, this, [this] { showHelp(HelpTopic::kManual); });
    connect(actions_.edit_shortcuts, &QAction::triggered, this, &MainWindow::openShortcuts);
    connect(actions_.tour, &QAction::triggered, this, &MainWindow::startTour);
    connect(actions_.about, &QAction::triggered, this, [this] {
        QMessageBox about(QMessageBox::NoIcon, tr("About Tandem"),
                          tr("Tandem %1\n\nDistributed training on this computer and others.\nThe studio is licensed under the GNU GPL, "
                             "version 3 or later.")
                              .arg(QApplication::applicationVersion()),
                          QMessageBox::Ok, this);
        about.setDefaultButton(QMessageBox::Ok);
        widgets::dressMessageBox(about, themes_);
        about.exec();
    });
}

void MainWindow::buildMenus() {
    for (QMenu*& menu : menus_) {
        menu = menu_row_->menuBar().addMenu(QString());
        showObstacles(*menu);
    }
    menus_[0]->addActions({actions_.new_project, actions_.open});
    auto* recent = menus_[0]->addMenu(QString());
    recent->setObjectName("recentMenu");
    connect(recent, &QMenu::aboutToShow, this, [this, recent] {
        recent->clear();
        for (const auto& project : session_.recents().list()) {
            recent->addAction(project.path, this, [this, path = project.path] {
                if (mayReplaceProject() && session_.project().open(path)) showMode(Mode::kModel);
            });
        }
        if (recent->isEmpty()) recent->addAction(tr("No project yet"))->setEnabled(false);
    });
    menus_[0]->addActions({actions_.open_run, actions_.open_events, actions_.open_archive});
    menus_[0]->addSeparator();
    menus_[0]->addActions({actions_.save, actions_.save_as});
    menus_[0]->addSeparator();
    menus_[0]->addActions({actions_.export_config, actions_.save_archive});
    menus_[0]->addSeparator();
    menus_[0]->addAction(actions_.quit);
    menus_[1]->addActions({actions_.undo, actions_.redo});
    edit_menu_ = new EditMenu(*menus_[1], [this]() -> Page& { return page(mode()); });
    for (QAction* action : actions_.modes) menus_[2]->addAction(action);
    menus_[2]->addSeparator();
    menus_[2]->addActions({actions_.light, actions_.dark, actions_.desktop});
    menus_[3]->addActions({actions_.launch, actions_.submit, actions_.pause, actions_.stop, actions_.stop_now, actions_.chaos});
    for (int pane = 1; pane <= kPaneCount; ++pane) {
        if (panes_->has(pane)) menus_[4]->addAction(actions_.panes[static_cast<std::size_t>(pane - 1)]);
    }
    menus_[4]->addSeparator();
    menus_[4]->addActions({actions_.sidebar, actions_.reset_layout});
    menus_[5]->addActions({actions_.manual, actions_.tour, actions_.shortcuts, actions_.edit_shortcuts});
    menus_[5]->addSeparator();
    menus_[5]->addAction(actions_.about);
}

void MainWindow::retranslateActions() {
    const QStringList titles{tr("&File"), tr("&Edit"), tr("&View"), tr("&Run"), tr("&Window"), tr("&Help")};
    for (std::size_t i = 0; i < menus_.size(); ++i) menus_[i]->setTitle(titles[static_cast<qsizetype>(i)]);
    findChild<QMenu*>("recentMenu")->setTitle(tr("Open &recent"));
    actions_.new_project->setText(tr("&New blank project"));
    actions_.open->setText(tr("&Open…"));
    actions_.open_run->setText(tr("Open run &folder…"));
    actions_.open_events->setText(tr("Open even&t files…"));
    actions_.open_archive->setText(tr("Open run arch&ive…"));
    actions_.save_archive->setText(tr("Save run archi&ve…"));
    actions_.save->setText(tr("&Save"));
    actions_.save_as->setText(tr("Save &as…"));
    actions_.export_config->setText(tr("&Export…"));
    actions_.quit->setText(tr("&Quit"));
    edit_menu_->retranslate();
    actions_.light->setText(tr("&Light"));
    actions_.dark->setText(tr("&Dark"));
    actions_.desktop->setText(tr("&As the desktop"));
    actions_.toggle_theme->setText(tr("Switch between light and dark"));
    actions_.sidebar->setText(tr("Fold the left &list"));
    actions_.reset_layout->setText(tr("&Reset the layout"));
    actions_.launch->setText(tr("&Launch"));
    actions_.submit->setText(tr("S&ubmit to Slurm…"));
    actions_.stop->setText(tr("&Stop"));
    actions_.stop_now->setText(tr("Stop &now, without a checkpoint"));
    actions_.chaos->setText(tr("&Chaos…"));
    actions_.locator->setText(tr("Find anything"));
    actions_.shortcuts->setText(tr("&Keyboard shortcuts"));
    actions_.edit_shortcuts->setText(tr("&Change shortcuts…"));
    actions_.manual->setText(tr("User &manual"));
    actions_.tour->setText(tr("&Tour"));
    actions_.about->setText(tr("&About Tandem"));
    const QStringList panes{tr("Problems"), tr("Task logs"), tr("Events"), tr("Metrics"), tr("Commands")};
    for (std::size_t i = 0; i < actions_.panes.size(); ++i) actions_.panes[i]->setText(panes[static_cast<qsizetype>(i)]);
    refreshUndo();
    refreshRun();
    refreshTitle();
}

void MainWindow::refreshUndo() {
    const QUndoStack& undo = session_.project().undoStack();
    setObstacle(*actions_.undo, undo.canUndo() ? QString() : tr("Nothing to undo"));
    setObstacle(*actions_.redo, undo.canRedo() ? QString() : tr("Nothing to redo"));
    actions_.undo->setProperty(ShortcutStore::kLastingText, tr("&Undo"));
    actions_.redo->setProperty(ShortcutStore::kLastingText, tr("&Redo"));
    actions_.undo->setText(undo.canUndo() ? tr("&Undo: %1").arg(models::engineText(undo.undoText())) : tr("&Undo"));
    actions_.redo->setText(undo.canRedo() ? tr("&Redo: %1").arg(models::engineText(undo.redoText())) : tr("&Redo"));
}

// Registers all actions that have a name, those of pages included.
void MainWindow::registerShortcuts() {
    shortcuts_ = new ShortcutStore(session_.settings(), this);
    for (QAction* action : findChildren<QAction*>()) {
        if (action->objectName().startsWith("action")) shortcuts_->add(action);
    }
    connect(shortcuts_, &ShortcutStore::changed, this, &MainWindow::retranslate);
}

// Updates every place that shows keys: tooltips of the frame, the list on the Help page.
void MainWindow::refreshShortcuts() {
    QStringList modes, tips;
    for (const QAction* action : actions_.modes) {
        modes << action->text();
        tips << action->text() + keysInBrackets(this, action->objectName());
    }
    mode_bar_->setTexts(modes, tips);
    std::vector<ShortcutSection> sections;
    for (const QMenu* menu : menus_) {
        ShortcutSection section{menu->title().remove('&'), {}};
        for (const QAction* action : menu->actions()) {
            const QString keys = action->shortcut().toString(QKeySequence::NativeText);
            if (!keys.isEmpty()) section.keys.emplace_back(keys, ShortcutStore::nameOf(action));
        }
        sections.push_back(std::move(section));
    }
    for (const QAction* action : {actions_.locator, actions_.toggle_theme}) {
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        if (!keys.isEmpty()) sections[2].keys.emplace_back(keys, ShortcutStore::titleOf(action));
    }
    static_cast<HelpPage&>(page(Mode::kHelp)).setActionKeys(std::move(sections));
}

void MainWindow::showHelp(HelpTopic topic) {
    showMode(Mode::kHelp);
    static_cast<HelpPage&>(page(Mode::kHelp)).show(topic);
}

// The manual's chapter of errors has a heading a code.
void MainWindow::explain(const QString& code) {
    showMode(Mode::kHelp);
    static_cast<HelpPage&>(page(Mode::kHelp)).showPlace(QStringLiteral("errors.md#") + code.toLower());
}

}  // namespace ui::views
