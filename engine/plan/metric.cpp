#include "engine/plan/metric.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "engine/plan/loss.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/error.h"
#include "engine/spec/project/logged_metrics.h"

namespace engine::plan {
namespace {

bool hasClassLabels(const MetricAttributes& metric) {
    return metric.kind == MetricKind::kSparseCategoricalAccuracy || metric.kind == MetricKind::kSparseTopKCategoricalAccuracy ||
           (metric.kind == MetricKind::kMeanLoss && hasClassLabels(metric.loss.kind)) || metric.class_labels;
}

constexpr float kBeyond = std::numeric_limits<float>::infinity();

// The largest prediction that is not above the even threshold index / intervals. Keras goes by buckets there: a prediction y in [0, 1] is
// above the first ceil(y intervals) thresholds, by a product in float32 that rounding may put to either side of a whole number.
float evenThreshold(std::int64_t index, std::int64_t intervals) {
    const auto width = static_cast<float>(intervals), wanted = static_cast<float>(index);
    float bound = wanted / width;
    while (bound * width > wanted) bound = std::nextafter(bound, 0.0F);
    for (float next = bound; next * width <= wanted; next = std::nextafter(next, kBeyond)) bound = next;
    return bound;
}

// Even thresholds from 0 to 1 between a first and a last one of their own.
std::vector<float> evenThresholds(std::int64_t count, float first) {
    std::vector<float> thresholds{first};
    for (std::int64_t i = 1; i + 1 < count; ++i) thresholds.push_back(evenThreshold(i, count - 1));
    thresholds.push_back(kBeyond);  // a prediction above 1 counts as 1, which is not above the last
    return thresholds;
}

// True for thresholds that are even together with 0 and 1, by Keras' own test (numpy.allclose).
bool areEven(const std::vector<double>& rising) {
    constexpr double kAbsolute = 1e-7, kRelative = 1e-5;
    const auto intervals = static_cast<double>(rising.size() + 1);
    for (std::size_t i = 0; i < rising.size(); ++i) {
        const double even = static_cast<double>(static_cast<float>(static_cast<double>(i + 1) / intervals));
        if (std::abs(rising[i] - even) > kAbsolute + kRelative * even) return false;
    }
    return true;
}

// Those of an AUC. All predictions are above the first one, where thresholds are even also those below 0.
std::vector<float> curveThresholds(std::vector<double> own, std::int64_t count) {
    std::sort(own.begin(), own.end());
    if (own.empty() || areEven(own)) {
        return evenThresholds(own.empty() ? count : static_cast<std::int64_t>(own.size()) + 2, -kBeyond);
    }
    std::vector<float> thresholds{-1e-7F};
    thresholds.insert(thresholds.end(), own.begin(), own.end());
    thresholds.push_back(1 + 1e-7F);
    return thresholds;
}

// What a null stands for, in Keras.
constexpr float kUsualThreshold = 0.5F;

std::vector<float> thresholdsOf(MetricKind kind, const spec::Settings& settings) {
    const std::vector<double> own = settings.getDoubles("thresholds");
    if (kind == MetricKind::kAuc) return curveThresholds(own, settings.getInt("num_thresholds"));
    if (own.empty()) return {kUsualThreshold};
    if (own.size() != 1) {
        throw Error(ErrorCode::kUnimplemented, "compile.metrics: expected one threshold, got " + std::to_string(own.size()));
    }
    return {static_cast<float>(own.front())};
}

// Keras' own thresholds of a best at something.
std::vector<float> thresholdsOfBest(std::int64_t count) {
    return count == 1 ? std::vector<float>{kUsualThreshold} : evenThresholds(count, 0);
}

ClassAverage averageOf(const spec::Settings& settings) {
    const std::string name = settings.getString("average");
    if (name == "micro") return ClassAverage::kMicro;
    if (name == "macro") return ClassAverage::kMacro;
    if (name == "weighted") return ClassAverage::kWeighted;
    throw Error(ErrorCode::kUnimplemented, "compile.metrics: expected an average of the classes, micro, macro or weighted, got none");
}

MetricAttributes accuracyFor(LossKind loss, std::int64_t columns) {
    if (hasClassLabels(loss)) return {.kind = MetricKind::kSparseCategoricalAccuracy};
    return {.kind = columns == 1 ? MetricKind::kBinaryAccuracy : MetricKind::kCategoricalAccuracy};
}

// Of IoU and its kin: labels are rows where they are not sparse; class indices where the predictions are rows; else a class each.
void readOverlap(const spec::Settings& settings, const std::string& class_name, MetricAttributes& result) {
    bool sparse_labels = !class_name.starts_with("OneHot");
    settings.read("num_classes", result.classes);
    settings.read("sparse_y_true", sparse_labels);
    settings.read("sparse_y_pred", result.sparse_predictions);
    if (settings.has("ignore_class")) result.ignored_class = settings.findInt("ignore_class");
    settings.read("target_class_ids", result.targets);
    if (result.targets.empty()) {
        result.targets.resize(static_cast<std::size_t>(result.classes));
        std::iota(result.targets.begin(), result.targets.end(), 0);
    }
    for (const std::int64_t target : result.targets) {
        if (target >= 0 && target < result.classes) continue;
        throw Error(ErrorCode::kInvalidArgument, "compile.metrics: expected class ids from 0 to " + std::to_string(result.classes - 1) +
                                                     ", got " + std::to_string(target));
    }
    if (!sparse_labels && result.sparse_predictions) {
        throw Error(ErrorCode::kInvalidArgument,
                    "compile.metrics: expected sparse_y_pred false where labels are rows of classes, got true");
    }
    result.class_labels = sparse_labels && !result.sparse_predictions;
    result.width = 3 * static_cast<int>(result.classes);
}

// The fields of a best at something.
void readBest(const spec::Settings& settings, std::int64_t columns, MetricAttributes& result) {
    for (const char* name : {"recall", "precision", "specificity", "sensitivity"}) settings.read(name, result.asked);
    result.column = settings.findInt("class_id");
    if (result.column && *result.column >= columns) {
        throw Error(ErrorCode::kInvalidArgument, "compile.metrics: expected a class of the model's output, from 0 to " +
                                                     std::to_string(columns - 1) + ", got " + std::to_string(*result.column));
    }
    result.thresholds = thresholdsOfBest(settings.getInt("num_thresholds"));
}

MetricAttributes attributesOf(const spec::MetricSpec& metric, LossKind loss, std::int64_t columns) {
    if (spec::isPlainAccuracy(metric)) return accuracyFor(loss, columns);
    const std::string name = spec::canonicalClass(spec::metricSchemas(), metric.name);
    const std::optional<MetricKind> kind = metricKind(name);
    MetricAttributes result;
    if (!kind) {
        result.kind = MetricKind::kMeanLoss;
        if (spec::findSchema(spec::metricSchemas(), name) == nullptr) {
            throw Error(ErrorCode::kUnimplemented, "compile.metrics: expected a metric of Keras such as accuracy, got " + metric.name);
        }
        spec::Fields config = metric.config;
        config.erase("name");
        result.loss = lossAttributes({name == "LogCoshError" ? "LogCosh" : name, config});
        return result;
    }
    result.kind = *kind;
    const spec::Settings settings = spec::settingsOf(spec::metricSchemas(), name, metric.config);
    std::string curve, summation;
    settings.read("threshold", result.threshold);
    settings.read("k", result.k);
    settings.read("from_logits", result.from_logits);
    settings.read("curve", curve);
    settings.read("summation_method", summation);
    if (curve == "PR") result.curve = AucCurve::kPrecisionRecall;
    if (summation == "minoring") result.summation = AucSummation::kMinoring;
    if (summation == "majoring") result.summation = AucSummation::kMajoring;
    if (countsByClass(result.kind)) {
        result.largest_counts = !settings.findDouble("threshold");
        settings.read("beta", result.beta);
        result.average = averageOf(settings);
        result.width = 3 * static_cast<int>(columns);
    }
    if (countsOverlap(result.kind)) readOverlap(settings, name, result);
    if (countsByColumn(result.kind)) {
        result.variance_weighted = settings.getString("class_aggregation") == "variance_weighted_average";
        settings.read("num_regressors", result.regressors);
        result.width = 3 * static_cast<int>(columns) + 2;
    }
    if (countsByThreshold(result.kind)) {
        if (result.kind > MetricKind::kAuc) {
            readBest(settings, columns, result);
        } else {
            result.thresholds = thresholdsOf(result.kind, settings);
        }
        result.width = 2 * (static_cast<int>(result.thresholds.size()) + 1);
    }
    return result;
}

double ratio(double a, double b) {
    return b == 0 ? 0 : a / b;
}

// Right and wrong positives at a threshold: the elements above it.
struct Point {
    double tp = 0, fp = 0;
};

// The sums of a metric that counts by threshold. Nothing here allocates: a step's values are made while training waits.
class Confusion {
public:
    Confusion(const MetricAttributes& metric, std::span<const double> header)
        : thresholds_(metric.thresholds.size()),
          positive_(header.subspan(static_cast<std::size_t>(metric.offset), thresholds_ + 1)),
          negative_(header.subspan(static_cast<std::size_t>(metric.offset) + thresholds_ + 1, thresholds_ + 1)),
          all_{std::accumulate(positive_.begin(), positive_.end(), 0.0), std::accumulate(negative_.begin(), negative_.end(), 0.0)} {}

    double positives() const { return all_.tp; }
    double negatives() const { return all_.fp; }
    Point first() const { return {all_.tp - positive_[0], all_.fp - negative_[0]}; }

    // The sum of part(here, next) over neighbouring thresholds, from the last ones to the first.
    template <typename Part>
    double sum(Part part) const {
        double total = 0;
        Point next{positive_[thresholds_], negative_[thresholds_]};
        for (std::size_t i = thresholds_ - 1; i > 0; --i) {
            const Point here{next.tp + positive_[i], next.fp + negative_[i]};
            total += part(here, next);
            next = here;
        }
        return total;
    }

    // What is above each threshold, from the last to the first.
    template <typename Take>
    void forEachThreshold(Take take) const {
        Point above{};
        for (std::size_t i = thresholds_; i > 0; --i) {
            above = {above.tp + positive_[i], above.fp + negative_[i]};
            take(above);
        }
    }

private:
    std::size_t thresholds_;
    std::span<const double> positive_, negative_;
    Point all_;
};

// Davis and Goadrich's interpolation between the points of the precision-recall curve.
double interpolatedPrecisionRecall(const Confusion& c) {
    return c.sum([&c](const Point& a, const Point& b) {
        const double rise = a.tp - b.tp;
        const double here = a.tp + a.fp, next = b.tp + b.fp;
        const double slope = ratio(rise, std::max(here - next, 0.0));
        const double intercept = b.tp - slope * next;
        const double safe = here > 0 && next > 0 ? here / next : 1;
        return ratio(slope * (rise + intercept * std::log(safe)), c.positives());
    });
}

double areaUnderCurve(const MetricAttributes& metric, const Confusion& c) {
    const bool is_roc = metric.curve == AucCurve::kRoc;
    if (!is_roc && metric.summation == AucSummation::kInterpolation) return interpolatedPrecisionRecall(c);
    const auto x = [&](const Point& p) { return is_roc ? ratio(p.fp, c.negatives()) : ratio(p.tp, c.positives()); };
    const auto y = [&](const Point& p) { return is_roc ? ratio(p.tp, c.positives()) : ratio(p.tp, p.tp + p.fp); };
    return c.sum([&](const Point& a, const Point& b) {
        const double height = metric.summation == AucSummation::kInterpolation ? (y(a) + y(b)) / 2
                              : metric.summation == AucSummation::kMinoring    ? std::min(y(a), y(b))
                                                                               : std::max(y(a), y(b));
        return (x(a) - x(b)) * height;
    });
}

// The largest of `wanted` over the thresholds where `bound` is at least what is asked; 0 where it never is.
template <typename Wanted, typename Bound>
double bestOf(const MetricAttributes& metric, const Confusion& c, Wanted wanted, Bound bound) {
    double best = 0;
    c.forEachThreshold([&](const Point& at) {
        // Keras compares float32.
        if (static_cast<float>(bound(at)) >= static_cast<float>(metric.asked)) best = std::max(best, wanted(at));
    });
    return best;
}

double bestValue(const MetricAttributes& metric, const Confusion& c) {
    const auto recall = [&c](const Point& at) { return ratio(at.tp, c.positives()); };  // the sensitivity
    const auto precision = [](const Point& at) { return ratio(at.tp, at.tp + at.fp); };
    const auto specificity = [&c](const Point& at) { return ratio(c.negatives() - at.fp, c.negatives()); };
    switch (metric.kind) {
        case MetricKind::kPrecisionAtRecall:
            return bestOf(metric, c, precision, recall);
        case MetricKind::kRecallAtPrecision:
            return bestOf(metric, c, recall, precision);
        case MetricKind::kSensitivityAtSpecificity:
            return bestOf(metric, c, recall, specificity);
        default:
            return bestOf(metric, c, specificity, recall);
    }
}

double confusionValue(const MetricAttributes& metric, const Confusion& c) {
    if (metric.kind > MetricKind::kAuc) return bestValue(metric, c);
    const Point at = c.first();
    switch (metric.kind) {
        case MetricKind::kTruePositives:
            return at.tp;
        case MetricKind::kFalsePositives:
            return at.fp;
        case MetricKind::kTrueNegatives:
            return c.negatives() - at.fp;
        case MetricKind::kFalseNegatives:
            return c.positives() - at.tp;
        case MetricKind::kPrecision:
            return ratio(at.tp, at.tp + at.fp);
        case MetricKind::kRecall:
            return ratio(at.tp, c.positives());
        default:
            return areaUnderCurve(metric, c);
    }
}

// The sums of a class, as Keras names them.
struct ClassSums {
    double true_positives = 0, false_positives = 0, false_negatives = 0;

    double support() const { return true_positives + false_negatives; }  // how often the class is true
    void add(const ClassSums& other) {
        true_positives += other.true_positives;
        false_positives += other.false_positives;
        false_negatives += other.false_negatives;
    }
    // Keras' formula with its epsilon: a class that is neither there nor predicted scores 0.
    double score(double beta) const {
        constexpr double kEpsilon = 1e-7;
        const double precision = true_positives / (true_positives + false_positives + kEpsilon);
        const double recall = true_positives / (true_positives + false_negatives + kEpsilon);
        return (1 + beta * beta) * precision * recall / (beta * beta * precision + recall + kEpsilon);
    }
};

double classScore(const MetricAttributes& metric, std::span<const double> header) {
    const auto classes = static_cast<std::size_t>(metric.width) / 3;
    const std::span<const double> sums = header.subspan(static_cast<std::size_t>(metric.offset), 3 * classes);
    ClassSums all;
    double scores = 0, weighted_scores = 0;
    for (std::size_t i = 0; i < classes; ++i) {
        const ClassSums one{sums[i], sums[classes + i], sums[2 * classes + i]};
        all.add(one);
        const double score = one.score(metric.beta);
        scores += score;
        weighted_scores += score * one.support();
    }
    if (metric.average == ClassAverage::kMicro) return all.score(metric.beta);
    return metric.average == ClassAverage::kMacro ? scores / static_cast<double>(classes) : ratio(weighted_scores, all.support());
}

// Source: Keras' IoU. A class that is neither there nor predicted is left out of the mean.
double overlap(const MetricAttributes& metric, std::span<const double> header) {
    constexpr double kEpsilon = 1e-7;
    const auto classes = static_cast<std::size_t>(metric.classes);
    const std::span<const double> sums = header.subspan(static_cast<std::size_t>(metric.offset), 3 * classes);
    double total = 0, count = 0;
    for (const std::int64_t target : metric.targets) {
        const auto i = static_cast<std::size_t>(target);
        const double right = sums[i], all = sums[classes + i] + sums[2 * classes + i] - right;
        if (all <= 0) continue;
        total += right / (all + kEpsilon);
        count += 1;
    }
    return total / (count + kEpsilon);
}

// Source: Keras' R2Score. A column whose labels are all the same scores 0, or no number where all predictions are right; nor is what is
// divided by no weight at all.
double determination(const MetricAttributes& metric, std::span<const double> header) {
    const auto columns = static_cast<std::size_t>(metric.width - 2) / 3;
    const std::span<const double> sums = header.subspan(static_cast<std::size_t>(metric.offset), static_cast<std::size_t>(metric.width));
    const double weights = sums[3 * columns], elements = sums[3 * columns + 1];
    double scores = 0, weighted_scores = 0, spreads = 0;
    for (std::size_t i = 0; i < columns; ++i) {
        const double spread = sums[columns + i] - sums[i] * sums[i] / weights;
        const double score = 1 - sums[2 * columns + i] / spread;
        spreads += spread;
        if (std::isinf(score)) continue;
        scores += score;
        weighted_scores += score * spread;
    }
    const double score = metric.variance_weighted ? weighted_scores / spreads : scores / static_cast<double>(columns);
    const double others = elements - static_cast<double>(metric.regressors) - 1;
    if (metric.regressors == 0 || others <= 0) return score;
    return 1 - (1 - score) * (elements - 1) / others;
}

}  // namespace

std::vector<NamedMetric> resolveMetrics(const spec::CompileSpec& compile, LossKind loss, std::int64_t columns) {
    std::vector<NamedMetric> resolved;
    for (const auto& [name, metric, weighted] : spec::loggedMetrics(compile)) {
        if (hasSequences(loss)) {
            throw Error(ErrorCode::kInvalidArgument, "compile.metrics: expected none beside " + std::string(toString(loss)) +
                                                         ", whose labels are sequences, got " + metric.name);
        }
        resolved.push_back({name, attributesOf(metric, loss, columns)});
        resolved.back().attributes.weighted = weighted;
        if (hasClassLabels(resolved.back().attributes) == hasClassLabels(loss)) continue;
        throw Error(ErrorCode::kInvalidArgument, "compile.metrics: expected a metric of " +
                                                     std::string(hasClassLabels(loss) ? "class" : "value") + " labels beside " +
                                                     std::string(toString(loss)) + ", got " + metric.name);
    }
    return resolved;
}

bool looksAtOrderAlone(const MetricAttributes& metric) {
    return (metric.kind >= MetricKind::kCategoricalAccuracy && metric.kind <= MetricKind::kSparseTopKCategoricalAccuracy) ||
           (metric.kind == MetricKind::kIoU && !metric.sparse_predictions);
}

void lowerMetrics(Plan& plan, std::vector<NamedMetric> metrics, std::span<const TensorId> read, TensorId mask) {
    ENGINE_CHECK(read.size() == metrics.size());
    TensorDesc& header = plan.tensors[static_cast<std::size_t>(plan.header)];
    const bool counts_right_answers = plan.ops.back().kind == OpKind::kSoftmaxCrossEntropy;
    for (std::size_t i = 0; i < metrics.size(); ++i) {
        NamedMetric& metric = metrics[i];
        const bool weighs = metric.attributes.weighted && plan.sample_weight != kNoTensor;
        if (counts_right_answers && !weighs && metric.attributes.kind == MetricKind::kSparseCategoricalAccuracy) {
            metric.attributes.offset = StepHeader::kCorrect;
            continue;
        }
        metric.attributes.offset = static_cast<int>(header.shape.front());
        header.shape.front() += metric.attributes.width;
        plan.ops.push_back({.kind = OpKind::kMetric,
                            .phase = Phase::kForward,
                            .name = metric.name + "/Metric",
                            .layer = "metrics",
                            .inputs = {read[i] == kNoTensor ? plan.output : read[i], plan.label},
                            .outputs = {plan.header},
                            .attributes = metric.attributes});
        if (weighs) plan.ops.back().inputs.push_back(plan.sample_weight);
        const MetricKind kind = metric.attributes.kind;
        const bool is_masked = isMeanOfRows(kind) && kind != MetricKind::kRootMeanSquaredError;
        if (mask != kNoTensor && is_masked) plan.ops.back().inputs.push_back(mask);
    }
    plan.metrics = std::move(metrics);
}

double metricValue(const MetricAttributes& metric, std::span<const double> header) {
    if (countsByThreshold(metric.kind)) return confusionValue(metric, Confusion(metric, header));
    if (countsByClass(metric.kind)) return classScore(metric, header);
    if (countsOverlap(metric.kind)) return overlap(metric, header);
    if (countsByColumn(metric.kind)) return determination(metric, header);
    const auto offset = static_cast<std::size_t>(metric.offset);
    const double mean = ratio(header[offset], header[offset + 1]);
    return metric.kind == MetricKind::kRootMeanSquaredError ? std::sqrt(mean) : mean;
}

double lossValue(std::span<const double> header) {
    return header[StepHeader::kLossSum] / std::max(header[StepHeader::kCount], 1.0);
}

}  // namespace engine::plan
