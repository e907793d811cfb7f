// SPDX-License-Identifier: GPL-3.0-or-later
// The strategy of the project: the cards to choose from, the settings of the chosen one, what works with it, and its all-reduce.
#pragma once

#include <QString>
#include <QWidget>

#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"

class QBoxLayout;
class QPushButton;

namespace ui::widgets {
class SegmentedControl;
class TextLabel;
}  // namespace ui::widgets

namespace ui::views {

class StrategyForm;
class StrategyList;

// Edits the project by itself, an undoable step a change.
class StrategyPanel : public QWidget {
    Q_OBJECT
public:
    StrategyPanel(session::Session& session, const theme::ThemeController& themes, QWidget* parent);
    void refresh();
    void setNarrow(bool narrow);
    void retranslate();
    // Moves to what a diagnostic's path names. False when that is no part of the strategy.
    bool reveal(const QString& path);

private:
    QWidget* buildCards(QWidget* scroll);
    QBoxLayout* buildAllReduce();
    void refreshCards();
    void refreshAllReduce();

    session::Session& session_;
    const theme::ThemeController& themes_;
    QWidget* body_;  // what scrolls
    widgets::TextLabel *title_, *limit_, *support_, *communication_label_;
    QPushButton* options_;
    StrategyList* strategies_;
    StrategyForm* form_;
    widgets::SegmentedControl* communication_;
    QBoxLayout* all_reduce_;  // its name and its choices
};

}  // namespace ui::views
