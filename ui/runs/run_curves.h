// SPDX-License-Identifier: GPL-3.0-or-later
// Two charts over each other's cursor: loss and metric of the compared runs, of the validation or of the training, each run or the mean of
// those that differ by their seed.
#pragma once

#include <QTimer>
#include <QWidget>
#include <vector>

#include "ui/theme/theme_controller.h"

namespace ui::session {
class Runs;
class RunRecord;
}  // namespace ui::session

namespace ui::charts {
class ChartCard;
class ChartGroup;
struct SeriesStyle;
}  // namespace ui::charts
namespace ui::models {
struct CurvePoint;
}

namespace ui::views {

class RunCurves : public QWidget {
    Q_OBJECT
public:
    enum class Source { kValidation, kTraining };
    enum class Seeds { kEach, kMean };

    RunCurves(session::Runs& runs, const theme::ThemeController& themes, QWidget* parent);

    void setSource(Source source);
    void setSeeds(Seeds seeds);
    // Sets the run that is current in the table: it is drawn wider.
    void setSelected(const QString& id);
    charts::ChartGroup& group() { return *group_; }
    const std::vector<charts::ChartCard*>& cards() const { return cards_; }
    // True when two of the compared runs differ by their seed alone.
    bool hasTwins() const;
    bool leaveFullSize();  // false: every chart is there
    void retranslate();

signals:
    void twinsChanged();

private:
    void adopt();
    void rebuild();
    void fill(charts::ChartCard& card, bool loss);
    void addCurve(charts::ChartCard& card, const session::RunRecord& run, const QString& name, const std::vector<models::CurvePoint>& curve,
                  bool outlier);
    void setTexts();
    void highlight();
    std::vector<models::CurvePoint> curveOf(const session::RunRecord& run, bool loss) const;

    session::Runs& runs_;
    charts::ChartGroup* group_;
    charts::ChartCard *metric_, *loss_;
    std::vector<charts::ChartCard*> cards_;
    std::vector<QString> shown_;  // ids of the first run of each series
    Source source_ = Source::kValidation;
    Seeds seeds_ = Seeds::kEach;
    QString selected_;
    std::string metric_name_ = "accuracy";
    QTimer rebuild_;
};

}  // namespace ui::views
