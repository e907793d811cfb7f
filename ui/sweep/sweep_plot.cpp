// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_plot.h"

#include <algorithm>
#include <cmath>

#include "engine/sweep/sweep_project.h"
#include "ui/models/numbers.h"

namespace ui::models {

using engine::sweep::Sweep;
using engine::sweep::SweepField;
using engine::sweep::Trial;
using Kind = SweepField::Kind;

namespace {

constexpr int kColors = 8;

ParallelAxis fieldAxis(const SweepField& field) {
    ParallelAxis axis;
    axis.name = QString::fromStdString(engine::sweep::shortPath(field.path));
    if (field.kind == Kind::kChoice) {
        for (const std::string& choice : field.choices) axis.categories << QString::fromStdString(choice);
        return axis;
    }
    axis.low = field.low;
    axis.high = field.high;
    axis.logarithmic = field.kind == Kind::kLog || field.kind == Kind::kLogInteger;
    axis.whole = field.kind == Kind::kInteger || field.kind == Kind::kLogInteger;
    return axis;
}

// Returns the position on the axis: 0 is its foot, 1 its top; a lone category lies in the middle.
double positionOf(const SweepField& field, const std::string& value) {
    if (field.kind != Kind::kChoice) return engine::sweep::placeOf(field, value).value_or(std::nan(""));
    const auto at = std::find(field.choices.begin(), field.choices.end(), value);
    if (at == field.choices.end()) return std::nan("");
    const auto last = static_cast<double>(field.choices.size() - 1);
    return last > 0 ? static_cast<double>(at - field.choices.begin()) / last : 0.5;
}

// Each number of epochs has a place of its own: there are as many as rungs, and those of runs that ended by themselves.
void addEpochs(ParallelPlot& plot, const QString& name, const std::vector<std::int64_t>& epochs) {
    std::vector<std::int64_t> known = epochs;
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    ParallelAxis axis;
    axis.name = name;
    for (const std::int64_t one : known) axis.categories << formatCount(one);
    const auto last = static_cast<double>(known.size() - 1);
    for (std::size_t i = 0; i < epochs.size(); ++i) {
        const auto at = static_cast<double>(std::lower_bound(known.begin(), known.end(), epochs[i]) - known.begin());
        plot.lines[i].positions.push_back(last > 0 ? at / last : 0.5);
    }
    plot.axes.push_back(std::move(axis));
}

void addObjective(ParallelPlot& plot, const QString& name, const std::vector<double>& values) {
    ParallelAxis axis;
    axis.name = name;
    axis.result = true;
    axis.low = *std::min_element(values.begin(), values.end());
    axis.high = *std::max_element(values.begin(), values.end());
    if (axis.low == axis.high) {
        axis.low -= 0.5;
        axis.high += 0.5;
    }
    for (std::size_t i = 0; i < values.size(); ++i) plot.lines[i].positions.push_back((values[i] - axis.low) / (axis.high - axis.low));
    plot.axes.push_back(std::move(axis));
}

// Adds the places of a range that trials have, when they are few.
void addStops(ParallelPlot& plot, std::size_t field) {
    constexpr std::size_t kMostStops = 8;
    std::vector<double> stops;
    for (const ParallelLine& line : plot.lines) {
        if (std::isfinite(line.positions[field])) stops.push_back(line.positions[field]);
    }
    std::sort(stops.begin(), stops.end());
    stops.erase(std::unique(stops.begin(), stops.end()), stops.end());
    if (stops.size() <= kMostStops) plot.axes[field].stops = std::move(stops);
}

}  // namespace

ParallelPlot sweepPlot(const Sweep& sweep, const QString& epochs) {
    ParallelPlot plot;
    const std::vector<SweepField>& fields = sweep.settings().fields;
    std::vector<std::int64_t> trained;
    std::vector<double> reached;
    for (std::size_t i = 0; i < sweep.trials().size(); ++i) {
        const Trial& trial = sweep.trials()[i];
        if (!std::isfinite(trial.value())) continue;
        const QString number = QString::number(i + 1);
        plot.lines.push_back({number, number, static_cast<int>(i % kColors), i % (2 * kColors) >= kColors ? 1 : 0, {}});
        for (std::size_t k = 0; k < fields.size(); ++k)
            plot.lines.back().positions.push_back(positionOf(fields[k], trial.configuration[k]));
        trained.push_back(trial.epochs());
        reached.push_back(trial.value());
    }
    if (plot.lines.empty()) return plot;
    for (const SweepField& field : fields) {
        plot.axes.push_back(fieldAxis(field));
        if (field.kind != Kind::kChoice) addStops(plot, plot.axes.size() - 1);
    }
    if (sweep.rungs().size() > 1) addEpochs(plot, epochs, trained);
    addObjective(plot, QString::fromStdString(sweep.settings().objective.log), reached);
    return plot;
}

}  // namespace ui::models
