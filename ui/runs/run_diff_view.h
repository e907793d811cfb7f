// SPDX-License-Identifier: GPL-3.0-or-later
// What differs between the compared runs, as a card: a dot a run, a row a setting, odd values on the tint of a warning, the best run at the
// foot.
#pragma once

#include <QWidget>

#include "ui/models/run_diff_model.h"
#include "ui/theme/theme_controller.h"

class QTableView;

namespace ui::widgets {
class SegmentedControl;
class TextLabel;
}  // namespace ui::widgets

namespace ui::views {

class RunDiffView : public QWidget {
    Q_OBJECT
public:
    enum class Heads { kDots, kNames };
    // `model` and `themes` outlive it; two views may share a model.
    RunDiffView(models::RunDiffModel& model, const theme::ThemeController& themes, Heads heads, QWidget* parent);
    void retranslate();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void layoutColumns();

    models::RunDiffModel& model_;
    const theme::ThemeController& themes_;
    const Heads heads_;
    widgets::TextLabel *title_, *empty_, *best_, *lead_;
    QWidget *dot_, *foot_;
    widgets::SegmentedControl* scope_;
    QTableView* table_;
};

}  // namespace ui::views
