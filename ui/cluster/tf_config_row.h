// SPDX-License-Identifier: GPL-3.0-or-later
// TF_CONFIG of every task: cards side by side that scroll sideways from three tasks on; above eight a list and one view.
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "engine/launch/tf_config_files.h"
#include "ui/theme/theme_controller.h"

class QHBoxLayout;
class QListView;
class QScrollArea;
class QStandardItemModel;

namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class TfConfigCard;

class TfConfigRow : public QWidget {
    Q_OBJECT
public:
    TfConfigRow(const theme::ThemeController& themes, QWidget* parent);
    void setConfigs(const engine::spec::ClusterSpec& cluster, engine::launch::TfConfigFormat format);
    void retranslate();
    // Scrolls to a task's card, or chooses it in the list.
    void showTask(const engine::spec::TaskId& task);

signals:
    void taskChosen(engine::spec::TaskId task);

private:
    void refresh();

    const theme::ThemeController& themes_;
    engine::spec::ClusterSpec cluster_;
    engine::launch::TfConfigFormat format_ = engine::launch::TfConfigFormat::kJson;
    std::vector<engine::spec::TaskId> tasks_;
    QScrollArea* scroll_;
    QWidget* row_;
    QHBoxLayout* row_layout_;
    std::vector<TfConfigCard*> cards_;
    QListView* list_;
    QStandardItemModel* list_model_;
    TfConfigCard* one_;
    widgets::TextLabel* empty_;
};

}  // namespace ui::views
