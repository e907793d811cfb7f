// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts with their tasks and ring, TF_CONFIG of every task side by side, strategy, diagnostics, the sums, and Launch. Every change is one
// step of undo; every rule is the engine's.
#pragma once

#include <QElapsedTimer>
#include <QTimer>

#include "engine/spec/cluster/cluster_edit.h"
#include "engine/spec/project/run_spec.h"
#include "ui/parts/page.h"
#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"

class QComboBox;
class QMenu;
class QPushButton;
class QStackedWidget;

namespace ui::canvas {
class ClusterCanvas;
}
namespace ui::widgets {
class PageHeader;
class TextLabel;
}  // namespace ui::widgets

namespace ui::views {

class ClusterChecks;
class FactsWell;
class NoProjectPanel;
class StrategyPanel;
class TfConfigPane;

class ClusterPage : public Page {
    Q_OBJECT
public:
    ClusterPage(session::Session& session, const theme::ThemeController& themes, QWidget* parent);
    void retranslate() override;
    bool canEdit(EditVerb verb) const override;
    void edit(EditVerb verb) override;
    void activated() override;
    void setNarrow(bool narrow) override;
    QList<widgets::DockSplitter*> splitters() const override { return {splitter_}; }
    bool reveal(const QString& path) override;
    // Reads the clipboard: its cluster is used at once when all is well, else the dialog shows it with what is wrong.
    void paste();
    void openPaste(const QString& text);
    // Opens the dialog of the user's hosts at the one of that name; when the list does not have it, the dialog begins a new one of the
    // name.
    void openHosts(const QString& name = {});

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void buildHeader();
    QWidget* buildCanvas();
    QWidget* buildRight();
    void connectAll();
    void connectCanvas();
    void connectSession();
    void refresh();
    void refreshHeader();
    void refreshCanvas();
    void refreshRight();
    void refreshAgent();
    void fillTaskMenu();
    void edit(const QString& text, const std::function<void(engine::spec::RunSpec&)>& change, const QString& merge = {});
    void useTemplateAt(int index);
    void addTask(const std::string& job);
    void renameHost(const QString& key, const QString& text);
    void actOnHost(const QString& key);

    session::Session& session_;
    const theme::ThemeController& themes_;
    widgets::PageHeader* header_;
    QComboBox* templates_;
    QPushButton *add_task_, *add_host_, *launch_;
    QMenu* task_menu_;
    canvas::ClusterCanvas* canvas_;
    TfConfigPane* configs_;
    widgets::DockSplitter* splitter_;  // canvas over TF_CONFIG
    QStackedWidget* stack_;            // it, or that there is no project
    NoProjectPanel* no_project_;
    QWidget* right_;
    StrategyPanel* strategy_;
    ClusterChecks* checks_;
    FactsWell* sums_;
    widgets::TextLabel* obstacle_;
    QTimer lost_timer_, canvas_timer_;
    QElapsedTimer lost_since_;
};

}  // namespace ui::views
