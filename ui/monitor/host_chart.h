// SPDX-License-Identifier: GPL-3.0-or-later
// The charts that can be drawn of a host's use, by key: their titles and lines.
#pragma once

#include <QString>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/spec/events/host_load.h"

namespace ui::session {
class RunRecord;
}

namespace ui::views {

struct HostLine {
    QString name;  // of the legend
    double (*value)(const engine::spec::HostLoad& load) = nullptr;
};

struct HostChart {
    QString key;  // "host/cpu_cores"
    QString title, unit;
    std::vector<HostLine> lines;
    bool of_gpus = false;  // nothing to show where there is none
};

// Texts are translated when asked for.
std::vector<HostChart> hostCharts();
bool isHostChart(const QString& key);
// Returns the chart of that key; one without lines when there is none.
HostChart hostChart(const QString& key);

// Returns the step that the run had reached at a moment, by the points that are known; 0 before the first.
std::int64_t stepAt(const session::RunRecord& run, std::int64_t time_unix_ns);

}  // namespace ui::views
