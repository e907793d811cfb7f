#include "engine/run/point_table.h"

#include <algorithm>
#include <limits>

namespace engine::run {
namespace {

constexpr double kNoPoint = std::numeric_limits<double>::quiet_NaN();

}  // namespace

const std::vector<double>* PointTable::find(std::string_view name) const {
    const auto at = std::find(names.begin(), names.end(), name);
    return at == names.end() ? nullptr : &columns[static_cast<std::size_t>(at - names.begin())];
}

void PointTable::dropAfter(double last_step) {
    const auto kept = static_cast<std::size_t>(std::upper_bound(step.begin(), step.end(), last_step) - step.begin());
    for (std::vector<double>* column : {&step, &epoch, &time_s, &examples}) column->resize(kept);
    for (std::vector<double>& column : columns) column.resize(std::min(column.size(), kept));
}

namespace {

// Those of a pack whose step does not come again behind them.
std::vector<std::size_t> lastTold(const std::vector<std::int64_t>& steps) {
    std::vector<std::size_t> kept;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t i = steps.size(); i-- > 0;) {
        if (steps[i] >= least) continue;
        least = steps[i];
        kept.push_back(i);
    }
    std::reverse(kept.begin(), kept.end());
    return kept;
}

}  // namespace

bool PointTable::append(const spec::StepPoints& points, std::int64_t origin_unix_ns) {
    const std::vector<std::size_t> kept = lastTold(points.step);
    const bool comes_again = !kept.empty() && !step.empty() && step.back() >= static_cast<double>(points.step[kept.front()]);
    if (comes_again) dropAfter(static_cast<double>(points.step[kept.front()]) - 1);
    const std::size_t before = size();
    for (const std::size_t i : kept) {
        step.push_back(static_cast<double>(points.step[i]));
        epoch.push_back(i < points.epoch.size() ? points.epoch[i] : kNoPoint);
        time_s.push_back(i < points.time_unix_ns.size() ? static_cast<double>(points.time_unix_ns[i] - origin_unix_ns) / 1e9 : kNoPoint);
        examples.push_back(points.examples_per_step);
    }
    for (const spec::Column& column : points.columns) {
        const auto at = std::find(names.begin(), names.end(), column.name);
        const auto index = static_cast<std::size_t>(at - names.begin());
        if (at == names.end()) {
            names.push_back(column.name);
            columns.emplace_back(before, kNoPoint);
        }
        std::vector<double>& values = columns[index];
        values.resize(before, kNoPoint);
        for (const std::size_t i : kept) values.push_back(i < column.values.size() ? column.values[i] : kNoPoint);
    }
    for (auto& values : columns) values.resize(before + kept.size(), kNoPoint);
    return comes_again;
}

void PointTable::appendRow(double at_step, double at_epoch, double at_time_s,
                           std::initializer_list<std::pair<const char*, double>> values) {
    step.push_back(at_step);
    epoch.push_back(at_epoch);
    time_s.push_back(at_time_s);
    examples.push_back(0);
    if (names.empty()) {
        for (const auto& [name, value] : values) names.emplace_back(name);
        columns.resize(names.size());
    }
    std::size_t column = 0;
    for (const auto& [name, value] : values) columns[column++].push_back(value);
}

}  // namespace engine::run
