// SPDX-License-Identifier: GPL-3.0-or-later
// Monitor's other face: in place of the curves, where each task is in its exchange with the others right now, and whom they wait for.
#pragma once

#include <QTimer>
#include <QWidget>
#include <vector>

#include "engine/run/exchange_culprit.h"
#include "engine/spec/project/cluster_spec.h"

class QTableView;

namespace ui::theme {
class ThemeController;
}
namespace ui::session {
class HostHistory;
class RunRecord;
}  // namespace ui::session
namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class RankRing;
class RankTableModel;

// Shows one run or none, as the hosts' agents told of its tasks last. GUI thread only.
class XrayView : public QWidget {
    Q_OBJECT
public:
    explicit XrayView(const theme::ThemeController& themes, QWidget* parent = nullptr);

    void setRun(const session::RunRecord* run);
    // Sets where the hosts' loads come from; `history` outlives the view. `host_name` is the name of the agent's own computer.
    void setHost(const session::HostHistory* history, const QString& host_name);
    // Shows the ranks of a run at one moment. The view calls it by itself while it is visible and its run goes on.
    void setRanks(std::vector<engine::run::ExchangeRank> ranks);
    void setNarrow(bool narrow);
    void retranslate();

    // Returns why there is nothing to look at in a run; empty when there is something.
    static QString obstacle(const session::RunRecord* run);

signals:
    void taskActivated(engine::spec::TaskId task);  // Enter or double click: opens its log

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    void choose(int row);

    const session::RunRecord* run_ = nullptr;
    const session::HostHistory* host_ = nullptr;
    QString host_name_;
    widgets::TextLabel *title_, *sentence_;
    RankRing* ring_;
    RankTableModel* model_;
    QTableView* table_;
    QTimer age_timer_;  // ages the last words when nobody tells any more
};

}  // namespace ui::views
