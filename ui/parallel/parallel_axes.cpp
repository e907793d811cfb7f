// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parallel/parallel_axes.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "ui/models/numbers.h"
#include "ui/models/run_filter.h"

namespace ui::models {

using session::RunSummary;

namespace {

constexpr int kNumberTicks = 5;
constexpr std::size_t kMostStops = 8;
constexpr double kWholeWithin = 1e-9, kManyDigits = 1000, kLeastStopDistance = 0.04;

struct Candidate {
    const char* name;
    const char* number;  // of runNumber(); null: a text
    QString (*text)(const RunSummary&) = nullptr;
    bool logarithmic = false;
    bool result = false;
};

constexpr std::array<Candidate, 13> kCandidates{{
    {QT_TRANSLATE_NOOP("ParallelPlot", "strategy"), nullptr, [](const RunSummary& run) { return run.facts.strategy; }},
    {QT_TRANSLATE_NOOP("ParallelPlot", "data set"), nullptr, [](const RunSummary& run) { return run.facts.dataset; }},
    {QT_TRANSLATE_NOOP("ParallelPlot", "optimizer"), nullptr, [](const RunSummary& run) { return run.facts.optimizer; }},
    {QT_TRANSLATE_NOOP("ParallelPlot", "learning rate"), "lr", nullptr, true},
    {QT_TRANSLATE_NOOP("ParallelPlot", "workers"), "workers"},
    {QT_TRANSLATE_NOOP("ParallelPlot", "global batch"), "batch"},
    {QT_TRANSLATE_NOOP("ParallelPlot", "layers"), "layers"},
    {QT_TRANSLATE_NOOP("ParallelPlot", "epochs"), "epochs"},
    {QT_TRANSLATE_NOOP("ParallelPlot", "seed"), "seed"},
    {QT_TRANSLATE_NOOP("ParallelPlot", "images/s"), "images_per_s", nullptr, false, true},
    {QT_TRANSLATE_NOOP("ParallelPlot", "val loss"), "val_loss", nullptr, false, true},
    {QT_TRANSLATE_NOOP("ParallelPlot", "best val acc"), "val_accuracy", nullptr, false, true},
    {QT_TRANSLATE_NOOP("ParallelPlot", "test acc"), "test_accuracy", nullptr, false, true},
}};

// Returns where each run crosses the axis; nothing when the axis says nothing of these runs.
std::optional<std::vector<double>> place(ParallelAxis& axis, const Candidate& candidate, const std::vector<RunSummary>& runs) {
    std::vector<double> positions;
    if (candidate.text) {
        for (const RunSummary& run : runs) {
            const QString text = candidate.text(run);
            if (!text.isEmpty() && !axis.categories.contains(text)) axis.categories << text;
        }
        if (axis.categories.size() < 2) return std::nullopt;
        axis.categories.sort();
        for (const RunSummary& run : runs) {
            const qsizetype at = axis.categories.indexOf(candidate.text(run));
            positions.push_back(at < 0 ? std::nan("") : static_cast<double>(at) / static_cast<double>(axis.categories.size() - 1));
        }
        return positions;
    }
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const RunSummary& run : runs) {
        const double value = runNumber(run, QLatin1String(candidate.number));
        positions.push_back(candidate.logarithmic && !(value > 0) ? std::nan("") : value);
        if (!std::isfinite(positions.back())) continue;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    if (!(low <= high) || (low == high && !candidate.result)) return std::nullopt;
    if (low == high) {
        low -= 0.5;
        high += 0.5;
    }
    axis.whole = std::all_of(positions.begin(), positions.end(),
                             [](double value) { return !std::isfinite(value) || std::abs(value - std::round(value)) < kWholeWithin; });
    if (!axis.whole && low >= kManyDigits) axis.whole = true;  // images a second: their fractions say nothing
    axis.low = low;
    axis.high = high;
    const auto scaled = [&](double value) { return axis.logarithmic ? std::log(value) : value; };
    for (double& position : positions) position = (scaled(position) - scaled(low)) / (scaled(high) - scaled(low));
    if (candidate.result) return positions;
    for (const double position : positions) {
        const auto near = [&](double stop) { return std::abs(stop - position) < kLeastStopDistance; };
        if (std::isfinite(position) && std::none_of(axis.stops.begin(), axis.stops.end(), near)) axis.stops.push_back(position);
    }
    std::sort(axis.stops.begin(), axis.stops.end());
    if (axis.stops.size() > kMostStops) axis.stops.clear();
    return positions;
}

}  // namespace

QString ParallelAxis::label(double position) const {
    if (!categories.isEmpty()) {
        return categories[std::clamp<qsizetype>(std::llround(position * static_cast<double>(categories.size() - 1)), 0,
                                                categories.size() - 1)];
    }
    const double value =
        logarithmic ? std::exp(std::log(low) + position * (std::log(high) - std::log(low))) : low + position * (high - low);
    if (logarithmic && !whole) return formatRate(value);
    return whole ? formatCount(std::llround(value)) : formatMetric(value);
}

std::vector<double> ParallelAxis::ticks() const {
    if (!stops.empty()) return stops;
    if (categories.size() == 1) return {0.5};
    const int count = categories.isEmpty() ? kNumberTicks : static_cast<int>(categories.size());
    std::vector<double> positions;
    for (int i = 0; i < count; ++i) positions.push_back(static_cast<double>(i) / (count - 1));
    return positions;
}

ParallelPlot parallelPlot(const std::vector<RunSummary>& runs) {
    ParallelPlot plot;
    for (const RunSummary& run : runs) plot.lines.push_back({run.id, run.name, run.color, run.dash, {}});
    for (const Candidate& candidate : kCandidates) {
        ParallelAxis axis;
        axis.name = QCoreApplication::translate("ParallelPlot", candidate.name);
        axis.logarithmic = candidate.logarithmic;
        axis.result = candidate.result;
        const auto positions = place(axis, candidate, runs);
        if (!positions) continue;
        plot.axes.push_back(std::move(axis));
        for (std::size_t i = 0; i < runs.size(); ++i) plot.lines[i].positions.push_back((*positions)[i]);
    }
    return plot;
}

bool letsBy(const Brushes& brushes, const ParallelLine& line) {
    for (std::size_t axis = 0; axis < brushes.size() && axis < line.positions.size(); ++axis) {
        if (!brushes[axis]) continue;
        const double position = line.positions[axis];
        if (!(position >= brushes[axis]->low && position <= brushes[axis]->high)) return false;
    }
    return true;
}

}  // namespace ui::models
