// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts with their tasks and ring, TF_CONFIG of every task side by side, strategy, diagnostics, the sums, and Launch. Every change is one
// step of undo; every rule is the engine's.
#pragma once

#include <QElapsedTimer>
#include <QTimer>

#include "engine/launch/tf_config_files.h"
#include "engine/spec/cluster/cluster_edit.h"
#include "engine/spec/project/run_spec.h"
#include "ui/parts/page.h"
#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"

class QComboBox;
class QMenu;
class QPushButton;
class QStackedWidget;
class QVBoxLayout;

namespace ui::canvas {
class ClusterCanvas;
}
namespace ui::widgets {
class PageHeader;
class SegmentedControl;
class TextLabel;
}  // namespace ui::widgets

namespace ui::views {

class FactsWell;
class FindingList;
class LinkMatrix;
class NoProjectPanel;
class StrategyForm;
class StrategyList;
class TfConfigRow;

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
    // Of the clipboard: used at once when all is well, else shown with what is wrong.
    void paste();
    void openPaste(const QString& text);

protected:
private:
    void buildHeader();
    QWidget* buildCanvas();
    QWidget* buildConfigs();
    QWidget* buildRight();
    void buildChecks(QWidget* dock, QVBoxLayout* outer);
    void connectAll();
    void refresh();
    void refreshHeader();
    void refreshCanvas();
    void refreshConfigs();
    void refreshRight();
    void refreshChecks();
    void refreshAgent();
    void fillTaskMenu();
    void edit(const QString& text, const std::function<void(engine::spec::RunSpec&)>& change, const QString& merge = {});
    void useTemplateAt(int index);
    void addTask(const std::string& job);
    void enterHost(const QString& key, const QString& text);
    void copyAll();
    void mend(int row);
    engine::launch::TfConfigFormat format() const;

    session::Session& session_;
    const theme::ThemeController& themes_;
    widgets::PageHeader* header_;
    QComboBox* templates_;
    QPushButton *add_task_, *add_host_, *export_, *launch_, *copy_all_, *paste_, *doctor_, *options_;
    QMenu* task_menu_;
    canvas::ClusterCanvas* canvas_;
    widgets::TextLabel *config_title_, *config_sentence_;
    widgets::SegmentedControl *format_, *communication_;
    TfConfigRow* configs_;
    LinkMatrix* matrix_;
    widgets::DockSplitter* splitter_;  // canvas over TF_CONFIG
    QStackedWidget* stack_;            // it, or that there is no project
    NoProjectPanel* no_project_;
    bool narrow_ = false;
    QWidget* right_;
    widgets::TextLabel *strategy_title_, *communication_label_, *checks_title_, *limit_, *obstacle_, *support_;
    StrategyList* strategies_;
    StrategyForm* form_;
    FindingList* checks_;
    FactsWell* sums_;
    std::vector<engine::spec::Diagnostic> findings_;  // of the rows of checks_ that have a fix, same order; others are empty
    QTimer lost_timer_;
    QElapsedTimer lost_since_;
};

}  // namespace ui::views
