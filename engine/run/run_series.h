// The series that a run streams, by name, and their points.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/run/run_history.h"

namespace engine::run {

// One curve. All columns have one entry a point, in order of arrival; values are finite or NaN (none).
struct SeriesData {
    std::string name;  // "loss", "val_loss", "throughput"; of one task "worker 1/loss", "worker 0/wait_us"
    std::string unit;  // "images/s", "us", "cores", "bytes", "bytes/s", "updates/s"; empty: none
    std::vector<std::int64_t> step;
    std::vector<double> epoch;   // from 0; NaN where it is unknown
    std::vector<double> time_s;  // since the run was created
    std::vector<double> value;

    std::size_t size() const { return step.size(); }
    void append(std::int64_t at_step, double at_epoch, double at_time_s, double one_value);
    friend bool operator==(const SeriesData&, const SeriesData&) = default;
};

// What is streamed of each layer, as "conv2d/gradient_norm": that, the norm of its weights, updateRatio(), deadShare(), and how many
// numbers of its gradient and weights were not finite.
inline constexpr std::string_view kLayerColumns[] = {"gradient_norm", "weights_norm", "update_ratio", "dead_share", "not_finite"};
// NaN where there is none.
double layerValue(const spec::LayerMeasure& layer, std::string_view column);

// One series that a run streams, by its name: where its points lie in the history.
struct StreamedSeries {
    enum class Source { kColumn, kThroughput, kTotalThroughput, kEpochLog, kNorm, kLayer };
    std::string name;  // as in SeriesData
    std::string unit;
    Source source = Source::kColumn;
    std::optional<spec::TaskId> task{};  // empty: of the whole cluster
    enum class Table { kGlobal, kOwn, kPhases, kResources, kServing } table = Table::kGlobal;
    std::string column;   // of the table; for kEpochLog Keras' name; for kLayer one of kLayerColumns
    std::string layer{};  // of kLayer
    friend bool operator==(const StreamedSeries&, const StreamedSeries&) = default;
};

// Every series that has a point by now: cluster, epochs, layer by layer, then task by task.
std::vector<StreamedSeries> streamedSeries(const RunHistory& run);
// The table that a series of kColumn or a throughput reads; nullptr when the task is gone.
const PointTable* tableOf(const RunHistory& run, const StreamedSeries& series);
// True when no task waits for another one's step: each counts the steps of all, and has rows of its own steps alone.
bool countsStepsOfAll(const RunHistory& run);
// Examples of the whole cluster that the chief's row stands for: of all replicas of its step, or of all steps since its row before.
double clusterExamples(const RunHistory& run, const PointTable& table, std::size_t row);

// A copy of the series' points; of none where it has none yet.
SeriesData pointsOf(const RunHistory& run, const StreamedSeries& series);

}  // namespace engine::run
