// SPDX-License-Identifier: GPL-3.0-or-later
// The row above Monitor's charts: charts or X-ray, smoothing, x axis, workers, further charts, the way back to the newest point, picture
// and export.
#pragma once

#include <QWidget>

class QComboBox;
class QDoubleSpinBox;
class QPushButton;
class QSlider;
class QToolButton;

namespace ui::session {
class RunRecord;
}
namespace ui::theme {
class ThemeController;
}
namespace ui::widgets {
class SegmentedControl;
class StatusPill;
class TextLabel;
}  // namespace ui::widgets

namespace ui::views {

class MonitorCharts;

// Sets `charts`, which outlives it, and shows how they are set. GUI thread only.
class MonitorTools : public QWidget {
    Q_OBJECT
public:
    MonitorTools(MonitorCharts& charts, const theme::ThemeController& themes, QWidget* parent);
    void setRun(const session::RunRecord* run);  // null: none
    void setHeard(bool heard);                   // false: nobody tells of the run now, what is shown is what was heard last
    void setNarrow(bool narrow);
    void setTime(bool on);  // whether a moment of before is shown
    enum class Face { kCharts, kXray };
    Face face() const;
    void refresh();
    void retranslate();

signals:
    void exportWanted();
    void faceChanged();
    void timeWanted(bool on);  // to go back in the run's time

private:
    void build();
    void connectCharts();
    void fillChoices();
    void fillChartMenu();

    MonitorCharts& charts_;
    const theme::ThemeController& themes_;
    const session::RunRecord* run_ = nullptr;
    bool narrow_ = false, heard_ = true;
    widgets::SegmentedControl* faces_;
    widgets::TextLabel *smoothing_label_, *x_label_, *workers_label_;
    QSlider* smoothing_;
    QDoubleSpinBox* smoothing_box_;
    QComboBox *x_axis_, *workers_;
    QWidget *workers_group_, *chart_group_;  // of curves alone
    QPushButton *add_chart_, *live_;
    widgets::StatusPill* live_pill_;
    QToolButton *time_, *picture_, *export_;
};

}  // namespace ui::views
