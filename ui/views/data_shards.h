// SPDX-License-Identifier: GPL-3.0-or-later
// Sharding preview: which training sample each task takes in the first steps, from the engine's own sharder. A cell is a sample, darker the
// later it stands in the set.
#pragma once

#include <QWidget>

#include "engine/spec/cluster_spec.h"
#include "engine/spec/data_spec.h"
#include "ui/session/data_answers.h"
#include "ui/theme/theme_controller.h"

namespace ui::views {

class ShardPreview : public QWidget {
    Q_OBJECT
public:
    ShardPreview(const theme::ThemeController& themes, QWidget* parent);
    // `tasks` in the order of the preview's lists.
    void setState(const session::ShardState& state, engine::spec::AutoShardPolicy asked, std::vector<engine::spec::TaskId> tasks);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {300, sizeHint().height()}; }

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Grid {
        double left = 0, step_width = 0, cell = 0;
        int columns = 1, rows = 1, steps = 0;
    };
    Grid grid() const;
    QRectF cellRect(const Grid& at, int task, int step, int cell) const;
    void refreshDescription();

    const theme::ThemeController& themes_;
    session::ShardState state_;
    engine::spec::AutoShardPolicy asked_ = engine::spec::AutoShardPolicy::kAuto;
    std::vector<engine::spec::TaskId> tasks_;
};

}  // namespace ui::views
