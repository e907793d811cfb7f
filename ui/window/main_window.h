// SPDX-License-Identifier: GPL-3.0-or-later
// The frame: menu row, mode bar with the run group, the pages, panes and status row; all keys that act everywhere. It owns the views;
// session and theme outlive it. Closing it ends no training.
#pragma once

#include <QMainWindow>
#include <QTimer>
#include <array>

#include "ui/parts/page.h"
#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"

class QStackedWidget;

namespace ui::models {
struct Place;
}

namespace ui::widgets {
class DockSplitter;
class ModeBar;
class Toast;
}  // namespace ui::widgets

namespace ui::views {

class CommandsPane;
class EditMenu;
class EventsPane;
enum class HelpTopic;
class MenuRow;
class MetricsPane;
class PaneHost;
class ProblemsPane;
class RecoveryBar;
class RunGroup;
class SessionToasts;
class ShortcutStore;
class StatusRow;
class StudioTranslator;
class TaskLogPane;
class WindowLayout;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    MainWindow(session::Session& session, theme::ThemeController& themes, QWidget* parent = nullptr);
    ~MainWindow() override;

    void showMode(Mode mode);
    Mode mode() const;
    Page& page(Mode mode) const { return *pages_[static_cast<std::size_t>(mode)]; }
    PaneHost& panes() { return *panes_; }
    void openExport();
    void openBranch(const QString& run_id, const QString& checkpoint, std::int64_t epochs_behind, std::int64_t steps_behind);
    void openSubmit();
    void openRunFolder();
    // Switches every text, the fonts and the numbers at once, and keeps the choice.
    void setLanguage(const QString& language);
    // Makes the window no larger than the screen has room for, with the frame that it has by now. Leaves a maximised window alone.
    void fitScreen();
    // The walk through the window; the program calls greet() once the window is shown, which begins it on the first start.
    void startTour();
    void greet();
    // Opens a project file, or a model file of Keras or ONNX; asks before it takes the place of unsaved changes. Also opens a run's folder
    // or archive, or event files.
    void openFile(const QString& path);
    void openShortcuts();
    void openChaos();
    void retranslate();

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void moveEvent(QMoveEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    // The actions of the menus, by what they do; texts by retranslate().
    struct Actions {
        QAction *new_project, *open, *open_run, *open_events, *open_archive, *submit, *save, *save_as, *save_archive, *export_config, *quit;
        QAction *undo, *redo;
        QAction *light, *dark, *desktop, *toggle_theme, *sidebar, *reset_layout;
        QAction *launch, *pause, *stop, *stop_now, *chaos;
        QAction *locator, *shortcuts, *edit_shortcuts, *manual, *tour, *about;
        std::array<QAction*, kModeCount> modes;
        std::array<QAction*, 5> panes;
    };

    void buildFrame();
    void buildPages();
    void buildPanes();
    void buildActions();
    void buildFileActions();
    void buildRunActions();
    void buildViewActions();
    void buildMenus();
    void registerShortcuts();
    std::vector<models::Place> places();
    void addProjectPlaces(std::vector<models::Place>& places);
    void addSettingPlaces(std::vector<models::Place>& places);
    void refreshShortcuts();
    void showHelp(HelpTopic topic);
    void explain(const QString& code);
    void setReduceMotion(bool on);
    void refreshUndo();
    void retranslateActions();
    void connectSession();
    void refreshTitle();
    void refreshRun();
    void refreshDot();
    void refreshProblems();
    void tellOfFiles(int files, const QString& folder);  // that were written there
    void openProject();
    void openEventFiles();
    void openArchive();
    void saveArchive();
    void openTemplate(const QString& id, bool train);
    bool saveProject();
    bool saveProjectAs();
    // False when the user wants to keep the changes of the open project.
    bool mayReplaceProject();
    void togglePane(int pane);
    void reveal(const QString& path);
    void restoreSizes();
    bool isNarrow() const;
    void keepSettings();

    session::Session& session_;
    theme::ThemeController& themes_;
    Actions actions_{};
    std::array<Page*, kModeCount> pages_{};
    std::array<QMenu*, 6> menus_{};
    EditMenu* edit_menu_ = nullptr;
    MenuRow* menu_row_;
    widgets::ModeBar* mode_bar_;
    RunGroup* run_group_;
    QStackedWidget* stack_;
    widgets::DockSplitter* splitter_;  // page over pane
    PaneHost* panes_;
    StatusRow* status_row_;
    RecoveryBar* recovery_bar_;
    ShortcutStore* shortcuts_;
    EventsPane* events_;
    ProblemsPane* problems_;
    TaskLogPane* log_pane_;
    MetricsPane* metrics_;
    CommandsPane* commands_;
    widgets::Toast* toast_;
    SessionToasts* toasts_;
    StudioTranslator* translator_;
    WindowLayout* layout_ = nullptr;  // once pages and panes are built
    QTimer keep_timer_;
};

}  // namespace ui::views
