#include "engine/run/layer_anomalies.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace engine::run {

using spec::LayerMeasure;

namespace {

// Not printf: a decimal point in every locale.
std::string number(double value) {
    std::array<char, 32> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 3).ptr};
}

std::string count(double value) {
    return std::to_string(static_cast<std::int64_t>(value));
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// What was measured of one layer, where it was.
struct Course {
    std::string layer;
    std::size_t place = 0;
    std::vector<const LayerEntry*> entries;
    std::vector<const LayerMeasure*> measures;
};

std::vector<Course> coursesOf(const std::vector<LayerEntry>& layers) {
    std::vector<Course> courses;
    for (const LayerEntry& entry : layers) {
        for (const LayerMeasure& measure : entry.report.layers) {
            auto at = std::find_if(courses.begin(), courses.end(), [&](const Course& one) { return one.layer == measure.layer; });
            if (at == courses.end())
                at = courses.insert(at, {.layer = measure.layer, .place = courses.size(), .entries = {}, .measures = {}});
            at->entries.push_back(&entry);
            at->measures.push_back(&measure);
        }
    }
    return courses;
}

bool anotherMoves(const LayerEntry& entry, const std::string& layer) {
    return std::any_of(entry.report.layers.begin(), entry.report.layers.end(),
                       [&](const LayerMeasure& other) { return other.layer != layer && updateRatio(other) > kMoves; });
}

// How many times the median of the layer's norms before; nullopt: nothing out of the ordinary.
std::optional<double> explosionAt(const Course& course, std::size_t at) {
    const double norm = course.measures[at]->gradient_norm;
    std::vector<double> before;
    for (std::size_t i = 0; i < at; ++i) {
        if (std::isfinite(course.measures[i]->gradient_norm)) before.push_back(course.measures[i]->gradient_norm);
    }
    if (before.size() < kLeastBefore || !(norm > kCustomaryNorm)) return std::nullopt;
    const double usual = median(std::move(before));
    return norm > kExplosion * usual ? std::optional(norm / usual) : std::nullopt;
}

// The values of an anomaly of that kind in that measurement, taken for itself; nullopt: there is none.
std::optional<std::array<double, 3>> seenAt(AnomalyKind kind, const Course& course, std::size_t at) {
    using Values = std::array<double, 3>;
    const LayerMeasure& measure = *course.measures[at];
    switch (kind) {
        case AnomalyKind::kNotFinite:
            if (measure.gradient_not_finite + measure.weights_not_finite == 0) return std::nullopt;
            return Values{static_cast<double>(measure.gradient_not_finite), static_cast<double>(measure.weights_not_finite), 0};
        case AnomalyKind::kExplosion: {
            const auto times = explosionAt(course, at);
            return times ? std::optional(Values{measure.gradient_norm, *times, 0}) : std::nullopt;
        }
        case AnomalyKind::kLargeUpdates:
            return updateRatio(measure) > kLargeUpdate ? std::optional(Values{updateRatio(measure), 0, 0}) : std::nullopt;
        case AnomalyKind::kDeadUnits:
            if (!(deadShare(measure) >= kMostDead)) return std::nullopt;
            return Values{static_cast<double>(measure.dead_units), static_cast<double>(measure.units),
                          static_cast<double>(course.entries[at]->report.samples)};
        case AnomalyKind::kNoLearning:
            return updateRatio(measure) < kStill && anotherMoves(*course.entries[at], course.layer) ? std::optional(Values{})
                                                                                                    : std::nullopt;
    }
    return std::nullopt;
}

// The first row of measurements, before `end`, that is long enough.
std::optional<LayerAnomaly> firstOf(AnomalyKind kind, const Course& course, std::size_t end) {
    const std::size_t needed = kind == AnomalyKind::kDeadUnits || kind == AnomalyKind::kNoLearning ? kHeld : 1;
    for (std::size_t begin = 0; begin < end; ++begin) {
        const auto values = seenAt(kind, course, begin);
        if (!values) continue;
        std::size_t last = begin;
        while (last + 1 < end && seenAt(kind, course, last + 1)) ++last;
        if (last - begin + 1 >= needed) {
            return LayerAnomaly{.kind = kind,
                                .layer = course.layer,
                                .step = course.entries[begin]->report.step,
                                .last_step = course.entries[last]->report.step,
                                .goes_on = last + 1 == course.entries.size(),
                                .first = (*values)[0],
                                .second = (*values)[1],
                                .third = (*values)[2]};
        }
        begin = last;
    }
    return std::nullopt;
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

std::vector<LayerAnomaly> layerAnomalies(const std::vector<LayerEntry>& layers) {
    std::vector<LayerAnomaly> found;
    for (const Course& course : coursesOf(layers)) {
        std::size_t end = course.entries.size();
        if (auto broken = firstOf(AnomalyKind::kNotFinite, course, end)) {
            const auto at = std::find_if(course.entries.begin(), course.entries.end(),
                                         [&](const LayerEntry* entry) { return entry->report.step == broken->step; });
            end = static_cast<std::size_t>(at - course.entries.begin());
            found.push_back(std::move(*broken));
        }
        for (const AnomalyKind kind :
             {AnomalyKind::kExplosion, AnomalyKind::kLargeUpdates, AnomalyKind::kDeadUnits, AnomalyKind::kNoLearning}) {
            if (auto anomaly = firstOf(kind, course, end)) found.push_back(std::move(*anomaly));
        }
    }
    std::stable_sort(found.begin(), found.end(), [](const LayerAnomaly& a, const LayerAnomaly& b) { return a.step < b.step; });
    return found;
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

std::vector<LayerAnomaly> AnomalyTeller::add(const spec::LayerReport& report) {
    history_.add(report, 0);
    std::vector<LayerAnomaly> news;
    for (LayerAnomaly& anomaly : layerAnomalies(history_.layers())) {
        const bool is_known = std::any_of(told_.begin(), told_.end(), [&](const LayerAnomaly& one) {
            return one.kind == anomaly.kind && one.layer == anomaly.layer && one.step == anomaly.step;
        });
        if (is_known) continue;
        told_.push_back(anomaly);
        news.push_back(std::move(anomaly));
    }
    return news;
}

}  // namespace engine::run
