// SPDX-License-Identifier: GPL-3.0-or-later
// What the main window asks of a mode's page. A page is constructed with (session::Session&, theme::ThemeController&, QWidget* parent);
// both references outlive it. It shows its own header row and docks; the window gives it the room between mode bar and status row.
#pragma once

#include <QEvent>
#include <QKeyEvent>
#include <QKeySequence>
#include <QList>
#include <QShortcut>
#include <QWidget>
#include <functional>

#include "ui/widgets/dock_splitter.h"
#include "ui/widgets/toast.h"

class QAction;

namespace ui::views {

// The modes in the order of work: Ctrl+1 to Ctrl+7. Their names and icons are in ui/window/page_table.h.
enum class Mode { kWelcome, kData, kModel, kCluster, kMonitor, kRuns, kHelp, kCount };
inline constexpr int kModeCount = static_cast<int>(Mode::kCount);

// The verbs of the menu Edit when no text has the focus.
enum class EditVerb { kCut, kCopy, kPaste, kDelete };
inline constexpr int kEditVerbCount = 4;

class Page : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;

    // Sets every text anew; called once after construction and on each change of language.
    virtual void retranslate() = 0;
    // Called when the page becomes the visible one.
    virtual void activated() {}
    // Tells whether the window is narrower than 1200 px: docks are then 260 px wide instead of 312, and secondary sentences go.
    virtual void setNarrow(bool /*narrow*/) {}
    // Does what Space means on this page, if it has such a meaning (Monitor: pause and resume). True when it was used.
    virtual bool handleSpace() { return false; }
    // Leaves what the page shows in its own place (a view, a chart in full size). True when there was such a thing. Esc asks for it,
    // wherever on the page the focus is; the window asks where the focus is on no page.
    virtual bool leaveView() { return false; }
    // True when the menu Edit can do `verb` to what is chosen on this page.
    virtual bool canEdit(EditVerb /*verb*/) const { return false; }
    virtual void edit(EditVerb /*verb*/) {}
    // Moves to the thing that a diagnostic's path names ("model.layers[2].units"). True when this page shows it.
    virtual bool reveal(const QString& /*path*/) { return false; }
    // Returns the list or palette at the left, which Alt+0 folds; null when there is none.
    virtual QWidget* sidebar() const { return nullptr; }
    void foldSidebar(bool folded);
    void toggleSidebar();
    // Returns the splitters that can be dragged here, each with a name of its own: the window keeps the sizes between starts.
    virtual QList<widgets::DockSplitter*> splitters() const { return {}; }
    // Brings the page back to its design.
    virtual void resetLayout();

signals:
    void modeRequested(ui::views::Mode mode);
    void exportRequested();  // opens the export dialog
    void sidebarFolded(bool folded);
    void projectOfRunRequested(QString run_id);  // opens what the run holds as a project
    // The same for a project that goes on behind a checkpoint of the run, which has so many epochs and steps behind it.
    void branchOfRunRequested(QString run_id, QString checkpoint, std::int64_t epochs_behind, std::int64_t steps_behind);
    // Asks for a short word at the foot of the window; `act` is called when its action is pressed.
    void toastRequested(ui::widgets::Words text, ui::widgets::Words action, std::function<void()> act);
    void explainRequested(QString code);  // what the manual says of an error's code, "TDM-R006"
    void paneRequested(int pane);         // 1 Problems, 2 Task logs, 3 Events, 4 Metrics, 5 Commands

protected:
    // Keys of the page, wherever on it the focus is; a field that edits text keeps its own. A shortcut, for a list or a text takes every
    // key event that has a text.
    void onKeys(const QList<QKeySequence>& keys, const std::function<void()>& act);
    // A child that has a use for Esc of its own takes it first.
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
};

}  // namespace ui::views
