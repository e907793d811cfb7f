#include "engine/spec/keras/code/compile_statements.h"

#include <algorithm>
#include <cctype>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/metric_spec.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/keras/code/model_code.h"
#include "engine/spec/names.h"
#include "engine/spec/project/object_reader.h"
#include "engine/spec/project/project_json.h"

namespace engine::spec::code {
namespace {

bool isLossScaling(const Node& node) {
    return lastPart(calledName(node)) == "LossScaleOptimizer";
}

bool isOptimizerCall(const Node& node) {
    const std::string_view name = calledName(node);
    if (isLossScaling(node)) return true;
    return !name.empty() && isKnown(Family::kOptimizer, classOf(Family::kOptimizer, name)) &&
           std::isupper(static_cast<unsigned char>(lastPart(name)[0])) != 0;
}

// Losses are metrics too: only names that say losses, or end in a loss's class, count here.
bool isLossCall(const Node& node) {
    const std::string_view name = calledName(node);
    if (name.empty() || name.find("metrics.") != std::string_view::npos) return false;
    return isKnown(Family::kLoss, classOf(Family::kLoss, name)) && std::isupper(static_cast<unsigned char>(lastPart(name)[0])) != 0;
}

bool isUnknownOptimizer(const Node& node) {
    const std::string_view name = calledName(node);
    if (name.empty() || isOptimizerCall(node) || std::isupper(static_cast<unsigned char>(lastPart(name)[0])) == 0) return false;
    if (isKnown(Family::kSchedule, classOf(Family::kSchedule, name))) return false;
    return name.find("optimizers.") != std::string_view::npos || name.ends_with("Optimizer");
}

// TensorFlow's functions that are a loss on logits.
std::string_view lossFunction(const Node& node) {
    const std::string_view name = lastPart(calledName(node));
    if (name == "softmax_cross_entropy_with_logits" || name == "softmax_cross_entropy_with_logits_v2") return "CategoricalCrossentropy";
    if (name == "sparse_softmax_cross_entropy_with_logits") return "SparseCategoricalCrossentropy";
    if (name == "sigmoid_cross_entropy_with_logits") return "BinaryCrossentropy";
    return {};
}

bool holdsLoss(const Node& node, const std::set<std::string, std::less<>>& losses) {
    if (node.kind == Node::Kind::kName) return losses.contains(node.text);
    if (isLossCall(node) || !lossFunction(node).empty()) return true;
    return std::any_of(node.items.begin(), node.items.end(), [&](const Node& item) { return holdsLoss(item, losses); });
}

// Keras' names of the cross-entropy that goes with the shapes of labels and outputs.
bool isAnyCrossentropy(const Node& node) {
    if (node.kind != Node::Kind::kText) return false;
    std::string small = node.text;
    std::transform(small.begin(), small.end(), small.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return small == "crossentropy" || small == "ce";
}

// The mean over a batch of losses, in the ways in which loops write it. `fault`: the first thing that makes another loss of it.
void findOwnLoss(const Node& node, const std::set<std::string, std::less<>>& losses, Fault& fault) {
    if (fault || !holdsLoss(node, losses) || node.kind == Node::Kind::kName || isLossCall(node) || !lossFunction(node).empty()) return;
    const auto refuse = [&](const std::string& got) {
        fault = {node.line, node.column, "loss: expected the mean of a loss of Keras, got " + got};
    };
    if (node.kind == Node::Kind::kOperation) {
        // loss += sum(model.losses): what Keras adds by itself
        const bool penalties =
            node.text == "+" && std::any_of(node.items.begin(), node.items.end(), [](const Node& item) {
                return item.kind == Node::Kind::kCall && item.items.size() == 2 && item.items[1].text.ends_with(".losses");
            });
        const bool mean =
            node.items.size() == 2 &&
            (node.text == "/" || (node.text == "*" && !(holdsLoss(node.items[0], losses) && holdsLoss(node.items[1], losses))));
        if (!mean && !penalties) return refuse("a calculation with it");
        // Times one number, and not one divided by the batch: another loss.
        for (const Node& item : node.items) {
            if (!penalties && node.text == "*" && item.isNumber() && item.number() >= 1 && item.number() != 1)
                return refuse("it times " + nodeText(item));
        }
    }
    if (node.kind == Node::Kind::kCall) {
        static const std::set<std::string_view> kMeans{"reduce_mean", "reduce_sum", "compute_average_loss", "mean", "sum"};
        static const std::set<std::string_view> kChanges{"add",   "add_n", "subtract", "multiply", "square", "abs",   "maximum", "minimum",
                                                         "where", "sqrt",  "exp",      "log",      "pow",    "stack", "concat"};
        const std::string_view name = lastPart(calledName(node));
        if (kChanges.contains(name)) return refuse(nodeText(node));
        if (!kMeans.contains(name) && !holdsLoss(node.items[0], losses)) return;  // minimize(loss), gradient(loss, …), update_state(…)
    }
    for (const Node& item : node.items) findOwnLoss(item, losses, fault);
}

// A loop that keeps the losses of all samples (NONE) adds them up and divides by the batch itself: what the default does.
Node withoutReduction(Node call) {
    for (std::size_t i = 0; i < call.keywords.size(); ++i) {
        const Node& value = call.items[i + 1];
        const std::string_view text = lastPart(value.text);
        if (call.keywords[i] == "reduction" && (text == "NONE" || text == "none" || value.kind == Node::Kind::kNone)) {
            call.items.erase(call.items.begin() + static_cast<std::ptrdiff_t>(i) + 1);
            call.keywords.erase(call.keywords.begin() + static_cast<std::ptrdiff_t>(i));
            break;
        }
    }
    return call;
}

}  // namespace

void CompileStatements::readCompile(const LogicalLine& line, const Node& call) {
    compile_ = call;
    reading_.compile = {linesOf(line)};
}

bool CompileStatements::readObject(const LogicalLine& line, const Node& call) {
    const bool optimizer = isOptimizerCall(call);
    if (!optimizer && !isLossCall(call) && lossFunction(call).empty()) return false;
    // What a name stands for was found where it was assigned.
    if (call.line < line.first_line || call.line > line.last_line) return true;
    (optimizer ? optimizer_ : loss_) = call;
    (optimizer ? optimizer_lines_ : loss_lines_) = linesOf(line);
    return true;
}

void CompileStatements::findLoops(const LogicalLine& line, const Node& value) {
    for (const Node& item : value.items) findLoops(line, item);
    if (value.kind != Node::Kind::kCall || value.line < line.first_line || value.line > line.last_line) return;
    if (isUnknownOptimizer(value) && lastPart(calledName(value)) != "SyncReplicasOptimizer") {
        readObjectArgument(value, Family::kOptimizer, "optimizer");
    }
    const std::string_view name =
        value.items[0].kind == Node::Kind::kAttribute ? std::string_view(value.items[0].text) : lastPart(calledName(value));
    if (name == "gradient" || name == "minimize" || name == "apply_gradients") {
        if (!loop_) loop_ = {value.line, value.column, "loss: expected a loss of Keras that this is taken of, got one of the text's own"};
    }
}

void CompileStatements::readExpression(const LogicalLine& line, const std::string& target, const Node& value) {
    findLoops(line, value);
    findOwnLoss(value, losses_, own_loss_);
    const bool metric = target.find("acc") != std::string::npos;
    if (!target.empty() && !metric && value.kind != Node::Kind::kTuple && holdsLoss(value, losses_)) losses_.insert(target);
}

// {"class_name", "config"} of an argument of compile(): a text, a name, or a call. nullopt after a note.
std::optional<ObjectSpec> CompileStatements::readObjectArgument(const Node& node, Family family, const std::string& what) {
    std::string name;
    const bool call = node.kind == Node::Kind::kCall;
    if (node.kind == Node::Kind::kText || node.kind == Node::Kind::kName) name = node.text;
    if (call) name = std::string(calledName(node));
    const std::string class_name = classOf(family, name);
    const std::vector<FieldSchema>* fields = fieldsOf(family, class_name);
    if (fields == nullptr) {
        std::vector<std::string> known;
        for (const ObjectSchema& schema : family == Family::kOptimizer ? optimizerSchemas() : lossSchemas())
            known.push_back(schema.class_name);
        notes_.add(Severity::kError, node,
                   what + ": expected " + oneOf(known) + ", got " + (class_name.empty() ? nodeText(node) : class_name));
        return std::nullopt;
    }
    ObjectSpec object{class_name, {}};
    if (!call) return object;
    std::vector<ArgumentFault> faults;
    const Json json = objectCallJson(node, family, faults);
    for (const ArgumentFault& fault : faults) notes_.add(Severity::kWarning, fault.fault);
    Diagnostics diagnostics;
    object.config = readFields(json["config"], what, diagnostics);
    for (const Diagnostic& diagnostic : diagnostics) {
        notes_.add(Severity::kWarning, node, diagnostic.path + ": " + diagnostic.message);
    }
    const ObjectSpec* schedule = object.config.getObject("learning_rate");
    const FieldValue rate = schedule != nullptr ? FieldValue(ObjectBox(*schedule)) : FieldValue();
    cleanConfig(object.config, family, class_name, class_name, node, reading_.notes);
    if (schedule != nullptr) object.config.set("learning_rate", rate);
    object.config.erase("name");
    return object;
}

// Reads the optimizer of compile(): a LossScaleOptimizer is the optimizer inside and a scale of its own.
bool CompileStatements::readOptimizer(const Node& node, CompileSpec& compile) {
    const Node* optimizer = &node;
    if (node.kind == Node::Kind::kCall && isLossScaling(node)) {
        std::vector<ArgumentFault> faults;
        LossScaleSpec scale;
        optimizer = nullptr;
        for (const Argument& argument : namedArguments(node, {"inner_optimizer", "initial_scale", "dynamic_growth_steps"}, faults)) {
            const Node& value = *argument.value;
            const bool whole = value.kind == Node::Kind::kInt;
            if (argument.name == "inner_optimizer") {
                optimizer = &value;
            } else if (argument.name == "initial_scale" && (whole || value.kind == Node::Kind::kReal)) {
                scale.initial_scale = whole ? static_cast<double>(value.whole) : value.real;
            } else if (argument.name == "dynamic_growth_steps" && whole) {
                scale.dynamic_growth_steps = value.whole;
            } else if (argument.name != "name") {
                notes_.add(Severity::kWarning, value,
                           "expected a number for " + argument.name + " of LossScaleOptimizer, got " + nodeText(value));
            }
        }
        for (const ArgumentFault& fault : faults) notes_.add(Severity::kWarning, fault.fault);
        if (optimizer == nullptr) {
            notes_.add(Severity::kError, node, "optimizer: expected the optimizer that LossScaleOptimizer is to scale for, got none");
            return false;
        }
        compile.loss_scale = scale;
    } else {
        compile.loss_scale.reset();
    }
    auto object = readObjectArgument(*optimizer, Family::kOptimizer, "optimizer");
    if (object) compile.optimizer = *std::move(object);
    return object.has_value();
}

std::optional<MetricSpec> CompileStatements::readMetric(const Node& node) {
    if (node.kind == Node::Kind::kText) return MetricSpec(node.text);
    if (node.kind == Node::Kind::kName) return MetricSpec(std::string(lastPart(node.text)));
    const std::string class_name = classOf(Family::kMetric, calledName(node));
    const std::vector<FieldSchema>* fields = fieldsOf(Family::kMetric, class_name);
    if (fields == nullptr) {
        notes_.add(Severity::kWarning, node, "expected a metric that is known here, got " + nodeText(node));
        return std::nullopt;
    }
    std::vector<ArgumentFault> faults;
    const Json json = objectCallJson(node, Family::kMetric, faults);
    for (const ArgumentFault& fault : faults) notes_.add(Severity::kWarning, fault.fault);
    RunSpec read;
    Diagnostics diagnostics;
    fromJson({{"compile", {{"metrics", Json::array({json})}}}}, read, diagnostics);
    if (hasErrors(diagnostics) || read.compile.metrics.empty()) {
        notes_.add(Severity::kWarning, node, "expected plain settings of a metric, got " + nodeText(node));
        return std::nullopt;
    }
    MetricSpec metric = read.compile.metrics.front();
    metric.name = class_name;
    cleanConfig(metric.config, Family::kMetric, class_name, class_name, node, reading_.notes);
    if (metric.config.empty()) metric.config.set("name", usualLogName(class_name));
    return metric;
}

void CompileStatements::readMetrics(const Node& node, std::vector<MetricSpec>& metrics) {
    if (node.kind == Node::Kind::kList || node.kind == Node::Kind::kTuple) {
        for (const Node& item : node.items) readMetrics(item, metrics);
    } else if (node.kind != Node::Kind::kNone) {
        if (std::optional<MetricSpec> metric = readMetric(node)) metrics.push_back(*std::move(metric));
    }
}

void CompileStatements::finish() {
    CompileSpec& compile = reading_.run.compile;
    if (!compile_) {
        reading_.own_loop = optimizer_ || loss_ || loop_;
        if (optimizer_) reading_.optimizer_at = {optimizer_->line, optimizer_->column};
        if (loss_) reading_.loss_at = {loss_->line, loss_->column};
        if (optimizer_) {
            if (readOptimizer(*optimizer_, compile)) reading_.compile.push_back(optimizer_lines_);
        }
        if (own_loss_) {
            notes_.add(Severity::kError, own_loss_);
        } else if (loss_) {
            readLooseLoss(compile);
        } else if (loop_) {
            notes_.add(Severity::kError, loop_);
        }
        return;
    }
    compile.metrics.clear();
    compile.weighted_metrics.clear();
    std::vector<ArgumentFault> faults;
    bool has_optimizer = false, has_loss = false;
    for (const Argument& argument : namedArguments(*compile_, {"optimizer", "loss", "metrics"}, faults)) {
        const Node& value = *argument.value;
        if (argument.name == "optimizer") {
            has_optimizer = true;
            readOptimizer(value, compile);
        } else if (argument.name == "loss") {
            has_loss = true;
            leaves_choice_ = isAnyCrossentropy(value);
            if (leaves_choice_) continue;
            if (auto object = readObjectArgument(value, Family::kLoss, "loss")) compile.loss = *std::move(object);
        } else if (argument.name == "metrics") {
            readMetrics(value, compile.metrics);
        } else if (argument.name == "weighted_metrics") {
            readMetrics(value, compile.weighted_metrics);
        } else if (value.kind != Node::Kind::kNone && !(value.kind == Node::Kind::kBool && !value.flag) &&
                   !(argument.name == "steps_per_execution" && value.kind == Node::Kind::kInt && value.whole == 1) &&
                   !(argument.name == "jit_compile" && value.kind == Node::Kind::kText)) {
            notes_.add(Severity::kWarning, value, "expected optimizer, loss and metrics of compile, got " + argument.name);
        }
    }
    for (const ArgumentFault& fault : faults) notes_.add(Severity::kWarning, fault.fault);
    if (!has_loss)
        notes_.add(Severity::kWarning, *compile_, "expected a loss of compile, got none; the project's stays: " + compile.loss.class_name);
    if (!has_optimizer) compile.optimizer = {"RMSprop", {}};
}

// Source: Keras' compile. One output is that of two classes; labels that are vectors go with one of them each, others are classes.
void CompileStatements::chooseLoss() {
    if (!leaves_choice_) return;
    const std::vector<LayerInfo> infos = inferShapes(reading_.run.model);
    const bool is_known = !infos.empty() && infos.back().known && !infos.back().output_shape.empty();
    const bool is_binary = is_known && infos.back().output_shape.back() == 1;
    reading_.run.compile.loss = {is_binary                       ? "BinaryCrossentropy"
                                 : reading_.run.data.one_hot > 0 ? "CategoricalCrossentropy"
                                                                 : "SparseCategoricalCrossentropy",
                                 {}};
}

void CompileStatements::readLooseLoss(CompileSpec& compile) {
    if (const std::string_view function = lossFunction(*loss_); !function.empty()) {
        compile.loss = {std::string(function), {{"from_logits", true}}};
        reading_.compile.push_back(loss_lines_);
    } else if (auto object = readObjectArgument(withoutReduction(*loss_), Family::kLoss, "loss")) {
        compile.loss = *std::move(object);
        reading_.compile.push_back(loss_lines_);
    }
}

}  // namespace engine::spec::code
