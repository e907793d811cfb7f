#include "engine/run/layer_anomalies.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace engine::run {

using spec::LayerMeasure;
using spec::LayerReport;

namespace {

// Does not use printf, so that the decimal point is the same in every locale.
std::string number(double value) {
    std::array<char, 32> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 3).ptr};
}

std::string count(double value) {
    return std::to_string(static_cast<std::int64_t>(value));
}

// What finite numbers show.
constexpr std::array kOfNumbers{AnomalyKind::kExplosion, AnomalyKind::kLargeUpdates, AnomalyKind::kDeadUnits, AnomalyKind::kNoLearning};

// How many measurements one after another it takes.
std::size_t needed(AnomalyKind kind) {
    return kind == AnomalyKind::kDeadUnits || kind == AnomalyKind::kNoLearning ? kHeld : 1;
}

bool anotherMoves(const LayerReport& report, const std::string& layer) {
    return std::any_of(report.layers.begin(), report.layers.end(),
                       [&](const LayerMeasure& other) { return other.layer != layer && updateRatio(other) > kMoves; });
}

// How many times the median of the norms before, which are sorted; nullopt: nothing out of the ordinary.
std::optional<double> explosionOf(double norm, const std::vector<double>& before) {
    if (!(norm > kCustomaryNorm) || before.size() < kLeastBefore) return std::nullopt;
    const double usual = before[before.size() / 2];
    return norm > kExplosion * usual ? std::optional(norm / usual) : std::nullopt;
}

// The values of an anomaly of that kind in that measurement, taken for itself; nullopt: there is none. `before`: the layer's norms, sorted.
std::optional<std::array<double, 3>> seenIn(AnomalyKind kind, const LayerMeasure& measure, const LayerReport& report,
                                            const std::vector<double>& before) {
    using Values = std::array<double, 3>;
    switch (kind) {
        case AnomalyKind::kNotFinite:
            if (measure.gradient_not_finite + measure.weights_not_finite == 0) return std::nullopt;
            return Values{static_cast<double>(measure.gradient_not_finite), static_cast<double>(measure.weights_not_finite), 0};
        case AnomalyKind::kExplosion: {
            const auto times = explosionOf(measure.gradient_norm, before);
            return times ? std::optional(Values{measure.gradient_norm, *times, 0}) : std::nullopt;
        }
        case AnomalyKind::kLargeUpdates:
            return updateRatio(measure) > kLargeUpdate ? std::optional(Values{updateRatio(measure), 0, 0}) : std::nullopt;
        case AnomalyKind::kDeadUnits:
            if (!(deadShare(measure) >= kMostDead)) return std::nullopt;
            return Values{static_cast<double>(measure.dead_units), static_cast<double>(measure.units), static_cast<double>(report.samples)};
        case AnomalyKind::kNoLearning:
            return updateRatio(measure) < kStill && anotherMoves(report, measure.layer) ? std::optional(Values{}) : std::nullopt;
    }
    return std::nullopt;
}

// NaN is what it is: nothing is trained of such a layer.
bool isSame(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

bool isSame(const LayerReport& a, const LayerReport& b) {
    return a.step == b.step && a.samples == b.samples &&
           std::equal(
               a.layers.begin(), a.layers.end(), b.layers.begin(), b.layers.end(), [](const LayerMeasure& one, const LayerMeasure& other) {
                   return one.layer == other.layer && isSame(one.gradient_norm, other.gradient_norm) &&
                          isSame(one.weights_norm, other.weights_norm) && isSame(one.update_norm, other.update_norm) &&
                          one.gradient_not_finite == other.gradient_not_finite && one.weights_not_finite == other.weights_not_finite &&
                          one.units == other.units && one.dead_units == other.dead_units;
               });
}

}  // namespace

std::string_view toString(AnomalyKind kind) {
    switch (kind) {
        case AnomalyKind::kNotFinite:
            return "not_finite";
        case AnomalyKind::kExplosion:
            return "explosion";
        case AnomalyKind::kLargeUpdates:
            return "large_updates";
        case AnomalyKind::kDeadUnits:
            return "dead_units";
        case AnomalyKind::kNoLearning:
            return "no_learning";
    }
    return "";
}

// Models tell of their layers in one order: the layer that was at this place is looked at first.
AnomalyWatch::Course& AnomalyWatch::courseOf(const std::string& layer, std::size_t place) {
    if (place < courses_.size() && courses_[place].layer == layer) return courses_[place];
    const auto known = std::find_if(courses_.begin(), courses_.end(), [&](const Course& one) { return one.layer == layer; });
    return known != courses_.end() ? *known : courses_.emplace_back(Course{.layer = layer});
}

void AnomalyWatch::Course::take(AnomalyKind kind, const LayerMeasure& measure, const LayerReport& report) {
    Row& row = rows[static_cast<std::size_t>(kind)];
    if (row.is_over) return;
    const auto values = seenIn(kind, measure, report, norms);
    if (!values) {
        row.is_over = row.length >= needed(kind);
        if (!row.is_over) row.length = 0;
        return;
    }
    if (row.length++ == 0) {
        row.anomaly = {.kind = kind,
                       .layer = measure.layer,
                       .step = report.step,
                       .first = (*values)[0],
                       .second = (*values)[1],
                       .third = (*values)[2]};
    }
    row.anomaly.last_step = report.step;
}

void AnomalyWatch::add(const LayerReport& report) {
    std::size_t place = 0;
    for (const LayerMeasure& measure : report.layers) {
        Course& course = courseOf(measure.layer, place++);
        course.take(AnomalyKind::kNotFinite, measure, report);
        if (course.isBroken()) continue;
        for (const AnomalyKind kind : kOfNumbers) course.take(kind, measure, report);
        if (const double norm = measure.gradient_norm; std::isfinite(norm)) {
            course.norms.insert(std::lower_bound(course.norms.begin(), course.norms.end(), norm), norm);
        }
    }
}

std::vector<LayerAnomaly> AnomalyWatch::look(const std::vector<LayerEntry>& layers) {
    const bool goes_on = seen_ <= layers.size() && (seen_ == 0 || isSame(layers[seen_ - 1].report, last_));
    if (!goes_on) *this = {};
    if (seen_ < layers.size()) {
        for (; seen_ < layers.size(); ++seen_) add(layers[seen_].report);
        last_ = layers.back().report;
    }
    std::vector<LayerAnomaly> found;
    for (const Course& course : courses_) {
        for (const Row& row : course.rows) {
            if (row.length == 0 || row.length < needed(row.anomaly.kind)) continue;
            found.push_back(row.anomaly);
            found.back().goes_on = !row.is_over && (row.anomaly.kind == AnomalyKind::kNotFinite || !course.isBroken());
        }
    }
    std::stable_sort(found.begin(), found.end(), [](const LayerAnomaly& a, const LayerAnomaly& b) { return a.step < b.step; });
    return found;
}

std::vector<LayerAnomaly> layerAnomalies(const std::vector<LayerEntry>& layers) {
    return AnomalyWatch().look(layers);
}

std::string anomalyText(const LayerAnomaly& anomaly) {
    const std::string step = std::to_string(anomaly.step);
    switch (anomaly.kind) {
        case AnomalyKind::kNotFinite:
            return anomaly.layer + ": NaN or infinite since step " + step + ": " + count(anomaly.first) + " numbers of its gradient, " +
                   count(anomaly.second) + " of its weights";
        case AnomalyKind::kExplosion:
            return anomaly.layer + ": its gradient explodes at step " + step + ": a norm of " + number(anomaly.first) + ", " +
                   number(anomaly.second) + " times the median before";
        case AnomalyKind::kLargeUpdates:
            return anomaly.layer + ": its update at step " + step + " is " + number(anomaly.first) + " times as large as its weights";
        case AnomalyKind::kDeadUnits:
            return anomaly.layer + ": " + count(anomaly.first) + " of " + count(anomaly.second) + " ReLU units are dead since step " +
                   step + ": 0 for each of " + count(anomaly.third) + " samples";
        case AnomalyKind::kNoLearning:
            return anomaly.layer + ": learns nothing since step " + step + ": its updates are lost in the rounding of its weights";
    }
    return {};
}

std::vector<LayerAnomaly> AnomalyTeller::add(const LayerReport& report) {
    history_.add(report, 0);
    std::vector<LayerAnomaly> news = watch_.look(history_.layers());
    std::erase_if(news, [&](const LayerAnomaly& one) { return !told_.emplace(one.kind, one.layer, one.step).second; });
    return news;
}

}  // namespace engine::run
