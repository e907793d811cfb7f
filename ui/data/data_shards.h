// SPDX-License-Identifier: GPL-3.0-or-later
// Sharding preview: which training sample each task takes in the first steps, from the engine's own sharder; with several devices in a task
// a row for each of them. A cell is a sample, darker the later it stands in the set.
#pragma once

#include <QWidget>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/spec/project/cluster_spec.h"
#include "engine/spec/project/data_spec.h"
#include "ui/session/data/data_answers.h"
#include "ui/theme/theme_controller.h"

namespace ui::views {

struct ShardTask {
    engine::spec::TaskId task;
    std::vector<std::string> devices;  // one a replica
};

class ShardPreview : public QWidget {
    Q_OBJECT
public:
    ShardPreview(const theme::ThemeController& themes, QWidget* parent);
    // `tasks` in the order of the preview's lists.
    void setState(const session::ShardState& state, engine::spec::AutoShardPolicy asked, const std::vector<ShardTask>& tasks);
    int rowCount() const { return static_cast<int>(rows_.size()); }
    QString rowName(int row) const;  // "worker 0", "worker 0, CPU:1"
    // Returns the samples of a row in step `step` of the preview, from 0; empty when the preview has no such step.
    std::span<const std::uint32_t> samplesOf(int row, int step) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {300, sizeHint().height()}; }

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Row {
        engine::spec::TaskId task;
        QString device;         // empty where the task has one
        std::size_t place = 0;  // of the task in the preview's lists
        std::size_t part = 0;   // of the device in the task
    };
    struct Grid {
        double left = 0, step_width = 0, cell = 0;
        int columns = 1, rows = 1, steps = 0;
    };
    Grid grid() const;
    QRectF cellRect(const Grid& at, int row, int step, int cell) const;
    bool isDense() const;
    bool hasDevices() const;
    int rowHeight() const;
    int shownRows() const;
    void refreshDescription();

    const theme::ThemeController& themes_;
    session::ShardState state_;
    engine::spec::AutoShardPolicy asked_ = engine::spec::AutoShardPolicy::kAuto;
    std::vector<Row> rows_;
};

}  // namespace ui::views
