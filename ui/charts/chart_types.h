// SPDX-License-Identifier: GPL-3.0-or-later
// What a chart shows, as plain values.
#pragma once

#include <QColor>
#include <QString>
#include <optional>
#include <vector>

#include "engine/spec/project/cluster_spec.h"
#include "ui/charts/series.h"
#include "ui/theme/theme.h"

namespace ui::charts {

enum class NumberFormat { kMetric, kRate, kCount, kPlain };  // 0.0269; 1e-3; 9,684; 13.27 (four digits that count)
enum class YScale { kLinear, kLog };
enum class XScale { kLinear, kLog };       // no logarithm of a time of day
enum class Outliers { kIgnored, kShown };  // few points far outside the rest: left out of the y range, and said so, or shown

struct SeriesStyle {
    int color = 0;                               // series index from 0
    std::optional<engine::spec::TaskId> task{};  // takes the task's colour instead
    bool dashed = false;                         // validation: 4 / 2.4; odd workers: 5 / 2, see worker_dash
    bool worker_dash = false;
    bool hollow_points = false;
    bool steps = false;        // holds its value until the next point
    bool exact = false;        // never smoothed: rates, counts, sparse points
    bool end_label = false;    // its name at the right end
    bool second_dash = false;  // of a run whose colour another one has: 7 / 2 / 1.5 / 2 in place of the others
    bool outlier = false;      // far from all the others: the scale of y leaves it out
    bool live = false;         // its last point has the halo
    NumberFormat format = NumberFormat::kMetric;
    QColor colorIn(const theme::Theme& theme) const { return task ? theme.taskColor(*task) : theme.seriesColor(color); }
};

struct ChartSeries {
    QString name;
    SeriesStyle style;
    models::Series points;
    std::vector<float> lower{}, upper{};  // band round the points, one entry a point; both empty: none
};

struct Marker {
    enum class Kind { kFlag, kFailure, kCheckpoint, kBestCheckpoint, kRestart };
    Kind kind = Kind::kFlag;
    std::int64_t step = 0;
    std::int64_t time_unix_ns = 0;
    QString label{};    // on the flag: "1e-4", "epoch 4", "worker 1 lost"
    QString tooltip{};  // who, when, why
    QString subject{};  // for whoever acts on a click: the task of a failure, the prefix of a checkpoint
    int series = -1;    // whose clock and colour are its own, where several runs are drawn; -1: those of the card
    friend bool operator==(const Marker&, const Marker&) = default;
};

inline bool isCheckpoint(const Marker& marker) {
    return marker.kind == Marker::Kind::kCheckpoint || marker.kind == Marker::Kind::kBestCheckpoint;
}

QString formatValue(NumberFormat format, double value);

}  // namespace ui::charts
