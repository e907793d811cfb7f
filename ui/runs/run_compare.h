// SPDX-License-Identifier: GPL-3.0-or-later
// The lower half of Runs: what the compared runs look like beside each other, in five tabs.
#pragma once

#include <QWidget>
#include <vector>

#include "ui/models/run_diff_model.h"
#include "ui/session/values.h"
#include "ui/theme/theme_controller.h"

class QComboBox;
class QDoubleSpinBox;
class QPlainTextEdit;
class QStackedWidget;

namespace ui::session {
class Runs;
}

namespace ui::widgets {
class SegmentedControl;
class TextLabel;
}  // namespace ui::widgets

namespace ui::views {

class ParallelView;
class RunCurves;
class RunDiffView;
class RunLogView;

class RunCompare : public QWidget {
    Q_OBJECT
public:
    // The number of lines that parallel coordinates show at most: more could not be told apart.
    static constexpr std::size_t kMostLines = 1000;
    enum class Tab { kCurves, kSettings, kParallel, kCode, kLogs };

    RunCompare(session::Runs& runs, const theme::ThemeController& themes, QWidget* parent);

    // `compared` in the order of the table, `shown` what the filter lets by, `selected` the current row.
    void setRuns(std::vector<session::RunSummary> compared, std::vector<session::RunSummary> shown, const QString& selected,
                 const QString& baseline);
    void setTab(Tab tab);
    Tab tab() const;
    RunCurves& curves() { return *curves_; }
    ParallelView& parallel() { return *parallel_; }
    void setNarrow(bool narrow);
    void retranslate();

signals:
    void checkWanted(QStringList ids);
    void selectWanted(QString id);
    void tabChanged();  // before it is shown: setRuns() may bring what it needs

private:
    QWidget* buildTools();
    QWidget* buildCode();
    void showTab(int index);
    void refreshCode();
    void refreshLogs();
    void refreshRates();
    void refreshTools();

    session::Runs& runs_;
    const theme::ThemeController& themes_;
    models::RunDiffModel* diff_;
    widgets::SegmentedControl* tabs_;
    widgets::TextLabel *x_label_, *smoothing_label_, *brushed_;
    QComboBox *source_, *seeds_, *x_axis_;
    QDoubleSpinBox* smoothing_;
    QStackedWidget* stack_;
    RunCurves* curves_;
    RunDiffView *beside_, *settings_;
    ParallelView* parallel_;
    RunLogView* log_;
    widgets::TextLabel* code_title_;
    QPlainTextEdit* code_;
    std::vector<session::RunSummary> compared_, shown_;
    QString selected_, baseline_;
    QString code_of_;  // what the tab shows now
};

}  // namespace ui::views
