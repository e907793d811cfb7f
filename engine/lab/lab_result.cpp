#include "engine/lab/lab_result.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>

namespace engine::lab {
namespace {

using spec::StrategyKind;

std::optional<double> resultOf(const spec::TaskFinished& finished, std::string_view name) {
    const auto found =
        std::find_if(finished.results.begin(), finished.results.end(), [name](const auto& result) { return result.first == name; });
    return found == finished.results.end() ? std::nullopt : std::optional(found->second);
}

// Rows of all tables in order of step: workers of parameter servers share the steps among them.
run::PointTable joined(const run::TaskRecords& tasks) {
    std::vector<std::pair<double, std::pair<double, double>>> rows;  // step, then time and loss
    for (const run::TaskRecord& task : tasks) {
        const run::PointTable& points = task.own.size() > 0 ? task.own : task.whole;
        const std::vector<double>* losses = points.find("loss");
        for (std::size_t i = 0; i < points.size(); ++i) {
            rows.push_back(
                {points.step[i], {points.time_s[i], losses == nullptr ? std::numeric_limits<double>::quiet_NaN() : (*losses)[i]}});
        }
    }
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    run::PointTable table;
    for (const auto& [step, point] : rows) {
        table.appendRow(step, 0, point.first, {{"loss", point.second}});
    }
    return table;
}

}  // namespace

std::string_view toString(Verdict verdict) {
    switch (verdict) {
        case Verdict::kReference:
            return "reference";
        case Verdict::kEqual:
            return "equal";
        case Verdict::kDiffers:
            return "differs";
        case Verdict::kMayDiffer:
            return "differs as expected";
        case Verdict::kAsynchronous:
            return "asynchronous";
        case Verdict::kCouldNotRun:
            return "could not run";
        case Verdict::kFailed:
            return "failed";
    }
    return "";
}

void takeRun(LabResult& result, const run::RunHistory& history) {
    const run::PointTable points = result.row.servers > 0 ? joined(history.tasks()) : history.global();
    result.steps_per_s = stepsPerSecond(points);
    result.curve = {};
    const std::vector<double>* losses = points.find("loss");
    for (std::size_t i = 0; i < points.size(); ++i) {
        result.curve.step.push_back(static_cast<std::int64_t>(points.step[i]));
        result.curve.loss.push_back(losses == nullptr ? std::numeric_limits<double>::quiet_NaN() : (*losses)[i]);
    }
    if (const std::optional<spec::TaskFinished>& finished = history.finished()) {
        result.mean_staleness = resultOf(*finished, "mean_staleness");
        result.largest_staleness = resultOf(*finished, "largest_staleness");
        result.checkpoint =
            finished->checkpoint.empty() ? "" : (std::filesystem::path(history.info().run_dir) / finished->checkpoint).string();
    }
    result.run_id = history.info().id;
}

std::optional<double> stepsPerSecond(const run::PointTable& points) {
    if (points.size() < 2) {
        return std::nullopt;
    }
    const std::size_t from = points.size() / 4, to = points.size() - 1;
    const double seconds = points.time_s[to] - points.time_s[from], steps = points.step[to] - points.step[from];
    return seconds > 0 && steps > 0 ? std::optional(steps / seconds) : std::nullopt;
}

std::optional<std::int64_t> roundingGrew(const LossCurve& reference, const LossCurve& curve, const spec::WeightDifference& difference) {
    constexpr double kRounding = 1e-6, kSeen = 1e-5, kMostGrowth = 100, kMostApart = 1e-2;
    if (difference.not_finite > 0 || difference.distance > kMostApart * difference.norm || reference.step != curve.step) {
        return std::nullopt;
    }
    std::optional<std::int64_t> from;
    double most = kRounding;  // so far, as a part of 1 + the loss
    for (std::size_t i = 0; i < curve.step.size(); ++i) {
        const double apart = std::abs(curve.loss[i] - reference.loss[i]) / (1 + std::abs(reference.loss[i]));
        if (!(apart <= kMostGrowth * most)) {
            return std::nullopt;
        }
        most = std::max(most, apart);
        if (!from && apart > kSeen) {
            from = curve.step[i];
        }
    }
    return from ? from : std::optional(curve.step.empty() ? 0 : curve.step.back());
}

void judge(LabResult& result, const LabResult& reference, const ReplicaCause& cause, const LabSettings& settings) {
    const spec::WeightDifference& difference = *result.difference;
    if (result.row.kind == StrategyKind::kDefault) {
        result.verdict = Verdict::kReference;
    } else if (!isSynchronous(result.row)) {
        result.verdict = Verdict::kAsynchronous;
    } else if (difference.not_finite == 0 && difference.distance <= settings.tolerance * difference.norm) {
        result.verdict = Verdict::kEqual;
    } else if (cause.kind != ReplicaCause::Kind::kNone) {
        result.verdict = Verdict::kMayDiffer;
        result.cause = cause;
    } else {
        result.grown_from = settings.may_grow ? roundingGrew(reference.curve, result.curve, difference) : std::nullopt;
        result.verdict = result.grown_from ? Verdict::kEqual : Verdict::kDiffers;
    }
}

LabOutcome outcomeOf(std::span<const LabResult> results) {
    const auto has = [&](Verdict verdict) {
        return std::any_of(results.begin(), results.end(), [verdict](const LabResult& result) { return result.verdict == verdict; });
    };
    if (has(Verdict::kFailed) || !has(Verdict::kReference)) {
        return LabOutcome::kFailed;
    }
    return has(Verdict::kDiffers) ? LabOutcome::kDiffers : LabOutcome::kEqual;
}

}  // namespace engine::lab
