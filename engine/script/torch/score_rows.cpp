// Keras' losses, one number a sample, and its metrics as sums that processes add up.
#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "engine/script/python_text.h"
#include "engine/script/torch/training_rows.h"
#include "engine/spec/catalog/loss_rules.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/keras/python/python_literal.h"
#include "engine/spec/names.h"
#include "engine/spec/project/logged_metrics.h"

namespace engine::script::torch {
namespace {

struct LossRow {
    std::string_view class_name;
    std::string_view function;
    std::string_view text;
};
constexpr LossRow kLosses[] = {
    {"SparseCategoricalCrossentropy", "sparse_categorical_crossentropy",
     R"py(def sparse_categorical_crossentropy(outputs, y, from_logits=False, ignore_class=None):
    outputs, y = outputs.movedim(-1, 1), y.reshape(outputs.shape[:-1]).long()
    logits = outputs if from_logits else outputs.clamp(1e-7, 1 - 1e-7).log()
    return F.cross_entropy(logits, y, reduction='none', ignore_index=-100 if ignore_class is None else ignore_class)


)py"},
    {"CategoricalCrossentropy", "categorical_crossentropy",
     R"py(def categorical_crossentropy(outputs, y, from_logits=False, label_smoothing=0.0):
    y = y * (1 - label_smoothing) + label_smoothing / y.shape[-1]
    if from_logits:
        return -(y * F.log_softmax(outputs, -1)).sum(-1)
    return -(y * (outputs / outputs.sum(-1, keepdim=True)).clamp(1e-7, 1 - 1e-7).log()).sum(-1)


)py"},
    {"BinaryCrossentropy", "binary_crossentropy", R"py(def binary_crossentropy(outputs, y, from_logits=False, label_smoothing=0.0):
    y = y * (1 - label_smoothing) + 0.5 * label_smoothing
    if from_logits:
        return F.binary_cross_entropy_with_logits(outputs, y, reduction='none').mean(-1)
    p = outputs.clamp(1e-7, 1 - 1e-7)
    return -(y * p.log() + (1 - y) * (1 - p).log()).mean(-1)


)py"},
    {"CategoricalFocalCrossentropy", "categorical_focal_crossentropy",
     R"py(def categorical_focal_crossentropy(outputs, y, alpha=0.25, gamma=2.0, from_logits=False, label_smoothing=0.0):
    y = y * (1 - label_smoothing) + label_smoothing / y.shape[-1]
    p = F.softmax(outputs, -1) if from_logits else outputs / outputs.sum(-1, keepdim=True)
    p = p.clamp(1e-7, 1 - 1e-7)
    return (alpha * (1 - p) ** gamma * -y * p.log()).sum(-1)


)py"},
    {"BinaryFocalCrossentropy", "binary_focal_crossentropy",
     R"py(def binary_focal_crossentropy(outputs, y, apply_class_balancing=False, alpha=0.25, gamma=2.0, from_logits=False, label_smoothing=0.0):
    y = y * (1 - label_smoothing) + 0.5 * label_smoothing
    if from_logits:
        p, entropy = torch.sigmoid(outputs), F.binary_cross_entropy_with_logits(outputs, y, reduction='none')
    else:
        p, q = outputs, outputs.clamp(1e-7, 1 - 1e-7)
        entropy = -(y * q.log() + (1 - y) * (1 - q).log())
    loss = (1 - y * p - (1 - y) * (1 - p)) ** gamma * entropy
    return (loss * (y * alpha + (1 - y) * (1 - alpha)) if apply_class_balancing else loss).mean(-1)


)py"},
    {"MeanSquaredError", "mean_squared_error", R"py(def mean_squared_error(outputs, y):
    return (outputs - y).square().mean(-1)


)py"},
    {"MeanAbsoluteError", "mean_absolute_error", R"py(def mean_absolute_error(outputs, y):
    return (outputs - y).abs().mean(-1)


)py"},
    {"MeanAbsolutePercentageError", "mean_absolute_percentage_error", R"py(def mean_absolute_percentage_error(outputs, y):
    return 100 * ((y - outputs) / y.abs().clamp(min=1e-7)).abs().mean(-1)


)py"},
    {"MeanSquaredLogarithmicError", "mean_squared_logarithmic_error", R"py(def mean_squared_logarithmic_error(outputs, y):
    return (outputs.clamp(min=1e-7).log1p() - y.clamp(min=1e-7).log1p()).square().mean(-1)


)py"},
    {"Huber", "huber", R"py(def huber(outputs, y, delta=1.0):
    return F.huber_loss(outputs, y, reduction='none', delta=delta).mean(-1)


)py"},
    {"LogCosh", "log_cosh", R"py(def log_cosh(outputs, y):
    error = outputs - y
    return (error + F.softplus(-2 * error) - math.log(2)).mean(-1)


)py"},
    {"Hinge", "hinge", R"py(def hinge(outputs, y):
    y = torch.where((y == 0) | (y == 1), 2 * y - 1, y)
    return F.relu(1 - y * outputs).mean(-1)


)py"},
    {"SquaredHinge", "squared_hinge", R"py(def squared_hinge(outputs, y):
    y = torch.where((y == 0) | (y == 1), 2 * y - 1, y)
    return F.relu(1 - y * outputs).square().mean(-1)


)py"},
    {"CategoricalHinge", "categorical_hinge", R"py(def categorical_hinge(outputs, y):
    return F.relu(((1 - y) * outputs).amax(-1) - (y * outputs).sum(-1) + 1)


)py"},
    {"KLDivergence", "kl_divergence", R"py(def kl_divergence(outputs, y):
    y, p = y.clamp(1e-7, 1), outputs.clamp(1e-7, 1)
    return (y * (y / p).log()).sum(-1)


)py"},
    {"Poisson", "poisson", R"py(def poisson(outputs, y):
    return (outputs - y * (outputs + 1e-7).log()).mean(-1)


)py"},
    {"CosineSimilarity", "cosine_similarity", R"py(def cosine_similarity(outputs, y):
    return -F.cosine_similarity(y.expand_as(outputs), outputs, -1, eps=1e-12)


)py"},
    {"CategoricalGeneralizedCrossEntropy", "categorical_generalized_cross_entropy",
     R"py(def categorical_generalized_cross_entropy(outputs, y, q=0.5):
    return (1 - outputs.gather(-1, y.reshape(outputs.shape[:-1] + (1,)).long()).squeeze(-1) ** q) / q


)py"},
    {"CTC", "ctc", R"py(def ctc(outputs, y):
    # A label that these times have no room for is infinitely bad here, and left out; in Keras it is bad by a large number.
    times = torch.full((len(y),), outputs.shape[1], device=y.device)
    return F.ctc_loss(F.log_softmax(outputs, -1).transpose(0, 1), y.long(), times, (y != 0).sum(-1), reduction='none', zero_infinity=True)


)py"},
    {"Dice", "dice", R"py(def dice(outputs, y, axis):
    return 1 - 2 * (y * outputs).sum(axis) / (y.sum(axis) + outputs.sum(axis) + 1e-7)


)py"},
    {"Tversky", "tversky", R"py(def tversky(outputs, y, axis, alpha=0.5, beta=0.5):
    both = (y * outputs).sum(axis)
    missed, wrong = (y * (1 - outputs)).sum(axis), (outputs * (1 - y)).sum(axis)
    return 1 - both / (both + alpha * missed + beta * wrong + 1e-7)


)py"},
};

// Samples that are compared with each other are no sum of what each process has.
bool isWritten(const spec::RunSpec& run) {
    const std::vector<spec::LayerInfo> infos = spec::inferShapes(run.model);
    return infos.empty() || !spec::joinsSamples(run.compile.loss, infos.back().output_shape.size() + 1);
}

// The axes of a loss that has a field for them.
std::string axesText(const spec::RunSpec& run) {
    const spec::ObjectSpec& loss = run.compile.loss;
    const std::vector<spec::LayerInfo> infos = spec::inferShapes(run.model);
    if (infos.empty() || !spec::settingsOf(spec::lossSchemas(), loss).has("axis")) return {};
    const std::optional<spec::AxisRange> axes = spec::lossAxes(loss, infos.back().output_shape.size() + 1);
    std::string text = ", (";
    for (std::int64_t i = 0; axes && i < axes->count; ++i) text += std::to_string(axes->first + i) + ",";
    return text + ")";
}

const LossRow* findLoss(std::string_view class_name) {
    const auto* found =
        std::find_if(std::begin(kLosses), std::end(kLosses), [&](const LossRow& row) { return row.class_name == class_name; });
    return found == std::end(kLosses) ? nullptr : found;
}

// A function's settings where they differ from its defaults.
std::string argumentsOf(std::span<const spec::ObjectSchema> schemas, const std::string& class_name, const spec::Fields& config,
                        bool from_logits) {
    std::string text;
    const spec::Settings settings = spec::settingsOf(schemas, class_name, config);
    const auto say = [&](const char* name, const std::string& value) { text += std::string(", ") + name + "=" + value; };
    if (from_logits || (settings.has("from_logits") && settings.getBool("from_logits"))) say("from_logits", "True");
    if (settings.has("ignore_class") && settings.findInt("ignore_class"))
        say("ignore_class", std::to_string(settings.getInt("ignore_class")));
    if (settings.has("apply_class_balancing") && settings.getBool("apply_class_balancing")) say("apply_class_balancing", "True");
    static const spec::Fields kDefaults;
    const spec::Settings defaults = spec::settingsOf(schemas, class_name, kDefaults);
    for (const char* name : {"label_smoothing", "alpha", "beta", "gamma", "delta", "q"}) {
        if (settings.has(name) && settings.getDouble(name) != defaults.getDouble(name)) say(name, pyNumber(settings.getDouble(name)));
    }
    return text;
}

std::string meanOf(const std::string& values) {
    return "(lambda p, y: mean_of(" + values + "), lambda s: s[0] / s[1])";
}

class MetricWriter {
public:
    MetricWriter(const spec::RunSpec& run, std::int64_t outputs, std::string activation, std::set<std::string_view>& losses)
        : run_(run), outputs_(outputs), activation_(std::move(activation)), losses_(losses) {}

    // True for a metric that takes what the model gives, without its last activation.
    bool takesLogits(const spec::MetricSpec& metric) const {
        const std::string name = spec::canonicalClass(spec::metricSchemas(), metric.name);
        return !activation_.empty() && activationBefore(name, metric.config) == activation_;
    }

    // The row's value; empty for a metric that has no sums here.
    std::string write(const spec::MetricSpec& metric) const {
        const std::string& loss_class = run_.compile.loss.class_name;
        const bool rows = run_.data.one_hot > 0 || (loss_class.starts_with("Categorical") && !spec::takesWholeLabels(loss_class));
        if (spec::isPlainAccuracy(metric)) {
            if (outputs_ == 1) return accuracy("BinaryAccuracy", 0.5);
            return accuracy(rows ? "CategoricalAccuracy" : "SparseCategoricalAccuracy", 0);
        }
        const std::string name = spec::canonicalClass(spec::metricSchemas(), metric.name);
        const spec::Settings settings = spec::settingsOf(spec::metricSchemas(), name, metric.config);
        if (name.ends_with("Accuracy") && !name.starts_with("TopK") && !name.starts_with("SparseTopK")) {
            return accuracy(name, settings.has("threshold") ? settings.getDouble("threshold") : 0.5);
        }
        if (name.ends_with("TopKCategoricalAccuracy")) {
            const std::string best = std::to_string(settings.getInt("k"));
            const std::string target = name.starts_with("Sparse") ? "y.reshape(p.shape[:-1] + (1,)).long()" : "y.argmax(-1, keepdim=True)";
            return meanOf("(p > p.gather(-1, " + target + ")).sum(-1) < " + best);
        }
        if (name == "RootMeanSquaredError") return "(lambda p, y: mean_of((p - y).square()), lambda s: (s[0] / s[1]) ** 0.5)";
        if (name == "LogCoshError") {
            losses_.insert("LogCosh");
            return meanOf("log_cosh(p, y)");
        }
        if (name == "CosineSimilarity") {
            losses_.insert("CosineSimilarity");
            return meanOf("-cosine_similarity(p, y)");
        }
        if (const LossRow* loss = findLoss(name)) {
            losses_.insert(loss->class_name);
            return meanOf(std::string(loss->function) + "(p, y" +
                          argumentsOf(spec::metricSchemas(), name, metric.config, takesLogits(metric)) + ")");
        }
        return counts(name, settings);
    }

private:
    static std::string accuracy(const std::string& name, double threshold) {
        if (name == "BinaryAccuracy") return meanOf("(p > " + pyNumber(threshold) + ") == y.reshape(p.shape)");
        if (name == "CategoricalAccuracy") return meanOf("p.argmax(-1) == y.argmax(-1)");
        if (name == "Accuracy") return meanOf("p == y.reshape(p.shape)");
        return meanOf("p.argmax(-1) == y.reshape(p.shape[:-1])");
    }
    static std::string counts(const std::string& name, const spec::Settings& settings) {
        struct CountRow {
            std::string_view name, result;
        };
        static constexpr CountRow kRows[] = {{"TruePositives", "s[0]"},
                                             {"FalsePositives", "s[1]"},
                                             {"FalseNegatives", "s[2]"},
                                             {"TrueNegatives", "s[3]"},
                                             {"Precision", "s[0] / max(s[0] + s[1], 1)"},
                                             {"Recall", "s[0] / max(s[0] + s[2], 1)"}};
        for (const CountRow& row : kRows) {
            if (row.name != name) continue;
            const std::vector<double> thresholds = settings.getDoubles("thresholds");
            const double threshold = thresholds.empty() ? 0.5 : thresholds.front();
            return "(lambda p, y: counts_of(p > " + pyNumber(threshold) +
                   ", y.reshape(p.shape) > 0), lambda s: " + std::string(row.result) + ")";
        }
        return {};
    }

    const spec::RunSpec& run_;
    const std::int64_t outputs_;
    const std::string activation_;  // that the model leaves out
    std::set<std::string_view>& losses_;
};

constexpr std::string_view kSums = R"py(def mean_of(values):
    return torch.stack([values.sum(dtype=torch.float64), torch.tensor(values.numel(), dtype=torch.float64, device=values.device)])


)py";
constexpr std::string_view kCounts = R"py(def counts_of(said, true):
    """True positives, false positives, false negatives, true negatives."""
    cells = (said & true, said & ~true, ~said & true, ~said & ~true)
    return torch.stack([cell.sum(dtype=torch.float64) for cell in cells])


)py";

}  // namespace

std::string activationBefore(std::string_view class_name, const spec::Fields& config) {
    const spec::FieldValue* ignored = config.find("ignore_class");
    if (ignored != nullptr && !std::holds_alternative<std::monostate>(*ignored)) return {};
    if (class_name == "SparseCategoricalCrossentropy" || class_name == "CategoricalCrossentropy") return "softmax";
    return class_name == "BinaryCrossentropy" || class_name == "BinaryFocalCrossentropy" ? "sigmoid" : "";
}

Scores writeScores(const spec::RunSpec& run, std::int64_t outputs, const std::string& activation, spec::Diagnostics& findings) {
    Scores scores;
    const spec::ObjectSpec& loss = run.compile.loss;
    std::set<std::string_view> used;
    if (const LossRow* row = findLoss(loss.class_name); row != nullptr && isWritten(run)) {
        used.insert(row->class_name);
        const bool is_logits = !activation.empty() && activationBefore(loss.class_name, loss.config) == activation;
        scores.loss = std::string(row->function) + (activation.empty() || is_logits ? "(outputs, y" : "(predictions_of(outputs), y") +
                      axesText(run) + argumentsOf(spec::lossSchemas(), loss.class_name, loss.config, is_logits) + ")";
    } else {
        findings.push_back(
            {spec::Severity::kError, "compile.loss", "expected a loss that the program in PyTorch has, got " + loss.class_name, ""});
    }
    const MetricWriter writer(run, outputs, activation, used);
    for (const spec::LoggedMetric& metric : spec::loggedMetrics(run.compile)) {
        const std::string row = writer.write(metric.metric);
        if (row.empty() || metric.weighted) {
            findings.push_back(
                {spec::Severity::kWarning, "compile.metrics", metric.name + ": left out, the program in PyTorch has no equal for it", ""});
            continue;
        }
        scores.metrics += "    " + spec::pythonText(metric.name) + ": " + row + ",\n";
        if (writer.takesLogits(metric.metric)) scores.from_logits += spec::pythonText(metric.name) + ", ";
    }
    for (const LossRow& row : kLosses) {
        if (used.contains(row.class_name)) scores.functions += row.text;
    }
    scores.functions += kSums;
    if (scores.metrics.find("counts_of") != std::string::npos) scores.functions += kCounts;
    return scores;
}

}  // namespace engine::script::torch
