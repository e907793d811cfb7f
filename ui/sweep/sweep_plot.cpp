// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_plot.h"

#include <algorithm>
#include <cmath>

#include "engine/sweep/sweep_project.h"

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

// From the foot, 0 to 1; a lone category lies in the middle.
double positionOf(const SweepField& field, const std::string& value) {
    if (field.kind != Kind::kChoice) return engine::sweep::placeOf(field, value).value_or(std::nan(""));
    const auto at = std::find(field.choices.begin(), field.choices.end(), value);
    if (at == field.choices.end()) return std::nan("");
    const auto last = static_cast<double>(field.choices.size() - 1);
    return last > 0 ? static_cast<double>(at - field.choices.begin()) / last : 0.5;
}

// An axis of numbers, and where they lie on it.
void addNumbers(ParallelPlot& plot, ParallelAxis axis, const std::vector<double>& values) {
    axis.low = *std::min_element(values.begin(), values.end());
    axis.high = *std::max_element(values.begin(), values.end());
    if (axis.low == axis.high) {
        axis.low -= 0.5;
        axis.high += 0.5;
    }
    const auto scaled = [&](double value) { return axis.logarithmic ? std::log(value) : value; };
    for (std::size_t i = 0; i < values.size(); ++i) {
        plot.lines[i].positions.push_back((scaled(values[i]) - scaled(axis.low)) / (scaled(axis.high) - scaled(axis.low)));
    }
    plot.axes.push_back(std::move(axis));
}

}  // namespace

ParallelPlot sweepPlot(const Sweep& sweep, const QString& epochs) {
    ParallelPlot plot;
    const std::vector<SweepField>& fields = sweep.settings().fields;
    std::vector<double> trained, reached;
    for (std::size_t i = 0; i < sweep.trials().size(); ++i) {
        const Trial& trial = sweep.trials()[i];
        if (!std::isfinite(trial.value())) continue;
        const QString number = QString::number(i + 1);
        plot.lines.push_back({number, number, static_cast<int>(i % kColors), i % (2 * kColors) >= kColors ? 1 : 0, {}});
        for (std::size_t k = 0; k < fields.size(); ++k)
            plot.lines.back().positions.push_back(positionOf(fields[k], trial.configuration[k]));
        trained.push_back(static_cast<double>(trial.epochs()));
        reached.push_back(trial.value());
    }
    if (plot.lines.empty()) return plot;
    for (const SweepField& field : fields) plot.axes.push_back(fieldAxis(field));
    if (sweep.rungs().size() > 1 && *std::min_element(trained.begin(), trained.end()) > 0) {
        addNumbers(plot, {.name = epochs, .logarithmic = true, .categories = {}, .stops = {}, .whole = true}, trained);
    }
    addNumbers(plot, {.name = QString::fromStdString(sweep.settings().objective.log), .categories = {}, .stops = {}, .result = true},
               reached);
    return plot;
}

}  // namespace ui::models
