// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts with their tasks and ring, TF_CONFIG of every task side by side, strategy, diagnostics, the sums, and Launch.
#pragma once

#include <vector>

#include "engine/launch/tf_config_files.h"
#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"
#include "ui/views/page.h"

class QComboBox;
class QHBoxLayout;
class QListView;
class QPushButton;
class QScrollArea;
class QSplitter;

namespace ui::canvas {
class ClusterCanvas;
}
namespace ui::models {
class CheckListModel;
}
namespace ui::widgets {
class PageHeader;
class SegmentedControl;
class TextLabel;
}  // namespace ui::widgets

namespace ui::views {

class FactsWell;
class StrategyList;
class TfConfigCard;

class ClusterPage : public Page {
    Q_OBJECT
public:
    ClusterPage(session::Session& session, const theme::ThemeController& themes, QWidget* parent);
    void retranslate() override;
    void activated() override { refresh(); }
    void setNarrow(bool narrow) override;
    bool reveal(const QString& path) override;

private:
    QWidget* buildCanvas();
    QWidget* buildConfigs();
    QWidget* buildRight();
    void refresh();
    void refreshHeader();
    void refreshCanvas();
    void refreshConfigs();
    void refreshRight();
    void chooseStrategy(const QString& name);
    void copyAll();
    engine::launch::TfConfigFormat format() const;

    session::Session& session_;
    const theme::ThemeController& themes_;
    widgets::PageHeader* header_;
    QComboBox* workers_;
    QPushButton *export_, *launch_, *copy_all_;
    canvas::ClusterCanvas* canvas_;
    widgets::TextLabel *config_title_, *config_sentence_, *config_empty_;
    widgets::SegmentedControl *format_, *communication_;
    QWidget* config_row_;
    QHBoxLayout* config_cards_layout_;
    std::vector<TfConfigCard*> config_cards_;
    QWidget* right_;
    widgets::TextLabel *strategy_title_, *communication_label_, *checks_title_;
    StrategyList* strategies_;
    QListView* checks_;
    models::CheckListModel* checks_model_;
    FactsWell* sums_;
};

}  // namespace ui::views
