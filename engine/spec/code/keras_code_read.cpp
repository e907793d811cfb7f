// Statement by statement: what is a constant is bound to its name, what makes a part of the project is taken, the rest is noted as text.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "engine/spec/cluster_spec.h"
#include "engine/spec/code/model_code.h"
#include "engine/spec/code/object_calls.h"
#include "engine/spec/code/python_tree.h"
#include "engine/spec/code/rate_function.h"
#include "engine/spec/code/tf_config_text.h"
#include "engine/spec/field_check.h"
#include "engine/spec/keras_code.h"
#include "engine/spec/names.h"
#include "engine/spec/object_reader.h"
#include "engine/spec/object_schema.h"
#include "engine/spec/project_json.h"
#include "engine/spec/strategy_table.h"

namespace engine::spec {
namespace {

using namespace code;

constexpr std::string_view kScheduler = "LearningRateScheduler";

bool isOptimizerCall(const Node& node) {
    const std::string_view name = calledName(node);
    return !name.empty() && isKnown(Family::kOptimizer, classOf(Family::kOptimizer, name)) &&
           std::isupper(static_cast<unsigned char>(lastPart(name)[0])) != 0;
}

// Losses are metrics too: only names that say losses, or end in a loss's class, count here.
bool isLossCall(const Node& node) {
    const std::string_view name = calledName(node);
    if (name.empty() || name.find("metrics.") != std::string_view::npos) return false;
    return isKnown(Family::kLoss, classOf(Family::kLoss, name)) && std::isupper(static_cast<unsigned char>(lastPart(name)[0])) != 0;
}

// TensorFlow's functions that are a loss on logits.
std::string_view lossFunction(const Node& node) {
    const std::string_view name = lastPart(calledName(node));
    if (name == "softmax_cross_entropy_with_logits" || name == "softmax_cross_entropy_with_logits_v2") return "CategoricalCrossentropy";
    if (name == "sparse_softmax_cross_entropy_with_logits") return "SparseCategoricalCrossentropy";
    if (name == "sigmoid_cross_entropy_with_logits") return "BinaryCrossentropy";
    return {};
}

class CodeReader {
public:
    CodeReader(std::string text, const RunSpec& base, AbsentArguments absent) : text_(std::move(text)), absent_(absent) {
        reading_.run = base;
    }

    CodeReading read() {
        for (TfConfigText& config : takeTfConfigs(text_)) readTfConfig(config.json, config.lines, 1);
        lines_ = splitLines(text_);
        for (at_ = 0; at_ < lines_.size();) readLine();
        finishModel();
        finishCompile();
        finishSchedule();
        finishStrategy();
        std::stable_sort(reading_.notes.begin(), reading_.notes.end(), [](const CodeNote& a, const CodeNote& b) {
            return std::pair(a.lines.first, a.column) < std::pair(b.lines.first, b.column);
        });
        return std::move(reading_);
    }

private:
    // ---- notes -------------------------------------------------------------------------------------------------------
    void note(Severity severity, CodeLines lines, int column, std::string message) {
        reading_.notes.push_back({severity, lines, column, std::move(message)});
    }
    void note(Severity severity, const Fault& fault) { note(severity, {fault.line, fault.line}, fault.column, fault.message); }
    static CodeLines linesOf(const LogicalLine& line) { return {line.first_line, line.last_line}; }
    void keep(const LogicalLine& line) { note(Severity::kInfo, linesOf(line), line.indent + 1, "no part of the model"); }

    // ---- statements --------------------------------------------------------------------------------------------------
    void readLine() {
        const LogicalLine& line = lines_[at_];
        while (!loops_.empty() && line.indent <= loops_.back()) loops_.pop_back();
        if (line.fault) {
            static const std::set<std::string, std::less<>> kOurs{"Sequential", "layers", "add",  "compile",   "fit",   "optimizers",
                                                                  "losses",     "Model",  "json", "TF_CONFIG", "keras", "ClusterSpec"};
            const bool ours = std::any_of(line.tokens.begin(), line.tokens.end(), [](const Token& token) {
                return token.kind == Token::Kind::kName && kOurs.contains(token.text);
            });
            reading_.notes.push_back({ours ? Severity::kError : Severity::kInfo, linesOf(line), line.fault.column, line.fault.message});
            reading_.notes.back().lines.first = std::min(line.fault.line, line.last_line);
            claim(line);
            ++at_;
            return;
        }
        const Token& first = line.tokens[0];
        const std::string word = first.kind == Token::Kind::kName ? first.text : "";
        if (word == "import" || word == "from" || word == "pass") {
            ++at_;
        } else if (word == "def") {
            readFunction();
        } else if (word == "class") {
            readClass();
        } else if (isBlock(word)) {
            readBlock(word);
        } else if (first.kind == Token::Kind::kText && line.tokens.size() == 2) {
            ++at_;  // a text that documents
        } else {
            readStatement(line, 0);
            ++at_;
        }
    }

    // A statement that can't be read still is the one that makes its part: it is replaced when the part changes.
    void claim(const LogicalLine& line) {
        const auto names = [&](std::string_view word) {
            return std::any_of(line.tokens.begin(), line.tokens.end(),
                               [&](const Token& token) { return token.kind == Token::Kind::kName && token.text == word; });
        };
        if (names("Sequential")) reading_.model = {linesOf(line)};
        if (names("compile")) reading_.compile = {linesOf(line)};
        if (names("fit")) reading_.fit = {linesOf(line)};
    }

    static bool isBlock(const std::string& word) {
        static const std::set<std::string, std::less<>> kWords{"with",  "if",  "elif",   "else",    "for",
                                                               "while", "try", "except", "finally", "async"};
        return kWords.contains(word);
    }

    // The head is no part of a model; what stands in it, behind the colon or below, may be.
    void readBlock(const std::string& word) {
        const LogicalLine& line = lines_[at_];
        if (word == "for" || word == "while") loops_.push_back(line.indent);
        int depth = 0;
        std::size_t colon = 0;
        for (std::size_t i = 0; i < line.tokens.size() && colon == 0; ++i) {
            const Token& token = line.tokens[i];
            if (token.kind != Token::Kind::kSymbol) continue;
            depth += token.is("(") || token.is("[") || token.is("{");
            depth -= token.is(")") || token.is("]") || token.is("}");
            if (depth == 0 && token.is(":")) colon = i;
        }
        const bool scope = std::any_of(line.tokens.begin(), line.tokens.end(), [](const Token& token) { return token.text == "scope"; });
        if (word == "with") {
            Fault fault;
            std::vector<Token> head(line.tokens.begin() + 1,
                                    line.tokens.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(colon, 1)));
            head.emplace_back();
            if (const std::optional<Node> tree = TreeReader(head).readExpression()) {
                if (const std::optional<Node> folded = fold(*tree, bindings_)) findFacts(*folded, line);
            }
        }
        if (!scope) keep(line);
        if (colon > 0 && line.tokens[colon + 1].kind != Token::Kind::kEnd) readStatement(line, colon + 1);
        ++at_;
    }

    void readFunction() {
        Fault fault;
        if (std::optional<RateFunction> function = readRateFunction(lines_, at_, bindings_, fault)) {
            functions_[function->name] = *std::move(function);
            at_ = endOfBlock(lines_, at_);
            return;
        }
        // Its statements may make a model; that it gives no rates matters where it is asked for them.
        const LogicalLine& line = lines_[at_];
        if (line.tokens[1].kind == Token::Kind::kName) other_functions_[line.tokens[1].text] = fault;
        keep(line);
        ++at_;
    }

    void readClass() {
        const std::size_t end = endOfBlock(lines_, at_);
        const LogicalLine& line = lines_[at_];
        const std::string name = line.tokens[1].text;
        if (findSchema(callbackSchemas(), name) == nullptr) {
            note(Severity::kInfo, {line.first_line, lines_[end - 1].last_line}, line.indent + 1, "no part of the model");
        }
        at_ = end;
    }

    void readStatement(const LogicalLine& line, std::size_t from) {
        TreeReader reader(line.tokens, from);
        std::vector<Node> targets;
        std::optional<Node> value = reader.readExpressions();
        while (value && reader.next().is("=")) {
            targets.push_back(*std::move(value));
            reader.skip();
            value = reader.readExpressions();
        }
        if (!value || reader.next().kind != Token::Kind::kEnd) {
            unreadable(line, reader);
            return;
        }
        std::optional<Node> folded = fold(*value, bindings_);
        if (!folded) {
            note(Severity::kError, linesOf(line), line.indent + 1, "expected a value of a model's size, got a larger one");
            return;
        }
        const std::string target = targets.size() == 1 && targets[0].kind == Node::Kind::kName ? targets[0].text : "";
        const bool used = readValue(line, target, targets, *folded);
        if (!target.empty() && !chains_.contains(target)) bind(target, *std::move(folded));
        if (!used) keep(line);
    }

    void unreadable(const LogicalLine& line, const TreeReader& reader) {
        static const std::set<std::string, std::less<>> kOurs{"Sequential", "add", "compile", "fit", "TF_CONFIG", "ClusterSpec"};
        const bool ours = std::any_of(line.tokens.begin(), line.tokens.end(),
                                      [](const Token& token) { return token.kind == Token::Kind::kName && kOurs.contains(token.text); });
        Fault fault = reader.fault();
        if (!fault) fault = {reader.next().line, reader.next().column, "expected the end of the statement, got " + reader.next().text};
        const Severity severity = ours ? Severity::kError : Severity::kInfo;
        note(severity, {fault.line, std::max(fault.line, line.last_line)}, fault.column, fault.message);
        claim(line);
    }

    void bind(const std::string& name, Node value) {
        const bool kept = value.isConstant() || value.kind == Node::Kind::kCall || value.kind == Node::Kind::kList ||
                          value.kind == Node::Kind::kTuple || value.kind == Node::Kind::kDict;
        if (kept && name.find('.') == std::string::npos) {
            bindings_[name] = std::move(value);
        } else {
            bindings_.erase(name);
        }
    }

    // True when the statement says something about the project, or is a constant.
    bool readValue(const LogicalLine& line, const std::string& target, const std::vector<Node>& targets, const Node& value) {
        if (readTfConfigStatement(line, target, targets, value)) return true;
        if (value.kind == Node::Kind::kCall && (readModelStatement(line, target, value) || readCallStatement(line, value))) return true;
        return findFacts(value, line) || (!target.empty() && value.isConstant()) || isPart(value);
    }

    // Optimizers' rates, callbacks and layers that later statements name.
    static bool isPart(const Node& value) {
        if (value.kind == Node::Kind::kList || value.kind == Node::Kind::kTuple) {
            return !value.items.empty() &&
                   std::all_of(value.items.begin(), value.items.end(), [](const Node& item) { return item.isConstant() || isPart(item); });
        }
        const std::string_view name = calledName(value);
        if (name.empty()) return false;
        return isLayerCall(value) || isKnown(Family::kSchedule, classOf(Family::kSchedule, name)) ||
               isKnown(Family::kCallback, classOf(Family::kCallback, name)) || isKnown(Family::kMetric, classOf(Family::kMetric, name)) ||
               isKnown(Family::kRegularizer, classOf(Family::kRegularizer, name)) ||
               isKnown(Family::kConstraint, classOf(Family::kConstraint, name)) ||
               isKnown(Family::kInitializer, classOf(Family::kInitializer, name));
    }

    bool readCallStatement(const LogicalLine& line, const Node& call) {
        std::string_view name = calledName(call);
        const std::string_view verb = lastPart(name);
        if (verb == "compile") {
            compile_ = call;
            reading_.compile = {linesOf(line)};
            return true;
        }
        if (verb == "fit") {
            readFit(line, call);
            return true;
        }
        const bool policy = verb == "set_global_policy" || verb == "set_dtype_policy" || verb == "set_policy";
        if (policy && call.items.size() == 2 && call.items[1].kind == Node::Kind::kText) {
            policy_ = call.items[1].text;
            policy_lines_ = linesOf(line);
            return true;
        }
        return false;
    }

    // ---- the model ---------------------------------------------------------------------------------------------------
    bool inLoop(const LogicalLine& line) {
        if (loops_.empty()) return false;
        note(Severity::kError, linesOf(line), line.indent + 1, "expected layers one by one, got a loop that adds them");
        models_.clear();
        model_.clear();
        return true;
    }

    ModelCode begin(const LogicalLine& line) const {
        ModelCode model;
        model.at = linesOf(line);
        model.column = line.indent + 1;
        model.statements = {linesOf(line)};
        return model;
    }

    static LayerCode layerOf(const Node& node, const LogicalLine& line, bool slim = false) {
        const bool listed = node.line >= line.first_line && node.line <= line.last_line;
        return {node, listed ? CodeLines{node.line, std::max(node.line, node.last_line)} : linesOf(line), slim};
    }

    bool readModelStatement(const LogicalLine& line, const std::string& target, const Node& call) {
        const std::string_view name = calledName(call);
        const std::string_view verb = lastPart(name);
        const std::string owner(name.substr(0, name.size() - std::min(name.size(), verb.size() + 1)));
        if (verb == "Sequential") {
            if (inLoop(line)) return true;
            readSequential(line, target, call);
            return true;
        }
        if (verb == "add" && models_.contains(owner) && call.items.size() == 2) {
            if (inLoop(line)) return true;
            ModelCode& model = models_[owner];
            model.layers.push_back(layerOf(call.items[1], line));
            model.statements.push_back(linesOf(line));
            return true;
        }
        if (verb == "build" && models_.contains(owner) && call.items.size() == 2) {
            Fault fault;
            const std::optional<Json> sizes = valueJson(call.items[1], "", fault);
            ModelCode& model = models_[owner];
            if (sizes && sizes->is_array() && sizes->size() > 1) {
                Shape shape;
                for (std::size_t i = 1; i < sizes->size(); ++i) {
                    if (!(*sizes)[i].is_number_integer()) return false;
                    shape.push_back((*sizes)[i].get<std::int64_t>());
                }
                model.input_shape = shape;
                model.statements.push_back(linesOf(line));
                return true;
            }
            return false;
        }
        if (verb == "Model" || verb == "Functional") return readFunctionalModel(line, call);
        return readChain(line, target, call);
    }

    void readSequential(const LogicalLine& line, const std::string& target, const Node& call) {
        ModelCode model = begin(line);
        for (std::size_t i = 0; i < call.keywords.size(); ++i) {
            const Node& value = call.items[i + 1];
            if (call.keywords[i] == "name" || (i == 1 && call.keywords[i].empty())) {
                model.name = value;
            } else if (value.kind == Node::Kind::kList || value.kind == Node::Kind::kTuple) {
                for (const Node& layer : value.items) model.layers.push_back(layerOf(layer, line));
            } else if (value.kind != Node::Kind::kNone) {
                note(Severity::kError, {value.line, value.line}, value.column, "expected a list of layers, got " + nodeText(value));
                return;
            }
        }
        models_[target] = std::move(model);
        model_ = target;
        has_model_ = true;
    }

    // x = layers.Dense(10)(x), net = slim.layers.conv2d(net, 32, [5, 5]), x = keras.Input(…), x = tf.reshape(x, […]).
    bool readChain(const LogicalLine& line, const std::string& target, const Node& call) {
        if (target.empty()) return false;
        const bool applied = call.items[0].kind == Node::Kind::kCall && isLayerCall(call.items[0]) && call.keywords.size() == 1;
        const bool slim = isSlimCall(call);
        if (applied || slim) {
            if (inLoop(line)) return true;
            const Node& input = call.items[1];
            const auto before = input.kind == Node::Kind::kName ? chains_.find(input.text) : chains_.end();
            ModelCode chain = before == chains_.end() ? begin(line) : before->second;
            if (before != chains_.end()) chain.statements.push_back(linesOf(line));
            chain.layers.push_back(layerOf(applied ? call.items[0] : call, line, slim));
            chains_[target] = std::move(chain);
            last_chain_ = target;
            return true;
        }
        if (isInputCall(call)) {
            ModelCode chain = begin(line);
            chain.layers.push_back(layerOf(call, line));
            chains_[target] = std::move(chain);
            return true;
        }
        if (const std::optional<Shape> shape = reshapedTo(call)) {
            ModelCode chain = begin(line);
            chain.input_shape = shape;
            chains_[target] = std::move(chain);
            return true;
        }
        return false;
    }

    bool readFunctionalModel(const LogicalLine& line, const Node& call) {
        const Node* output = nullptr;
        const Node* name = nullptr;
        for (std::size_t i = 0; i < call.keywords.size(); ++i) {
            if (call.keywords[i] == "outputs" || (call.keywords[i].empty() && i == 1)) output = &call.items[i + 1];
            if (call.keywords[i] == "name") name = &call.items[i + 1];
        }
        if (output == nullptr || output->kind != Node::Kind::kName || !chains_.contains(output->text)) return false;
        ModelCode model = chains_[output->text];
        model.statements.push_back(linesOf(line));
        if (name != nullptr) model.name = *name;
        models_[""] = std::move(model);
        model_.clear();
        has_model_ = true;
        return true;
    }

    void finishModel() {
        const ModelCode* model = has_model_ && models_.contains(model_) ? &models_[model_] : nullptr;
        if (model == nullptr && !has_model_ && chains_.contains(last_chain_)) model = &chains_[last_chain_];
        const std::string before = absent_ == AbsentArguments::kDefault ? ModelSpec().dtype_policy : reading_.run.model.dtype_policy;
        if (policy_) {
            reading_.model = {policy_lines_};
            reading_.run.model.dtype_policy = *policy_;
        }
        if (model == nullptr) return;
        reading_.model.insert(reading_.model.end(), model->statements.begin(), model->statements.end());
        if (buildModel(*model, reading_.run, reading_.layers, reading_.notes)) {
            reading_.run.model.dtype_policy = policy_.value_or(before);
        }
    }

    // ---- compile -----------------------------------------------------------------------------------------------------
    // Objects that stand outside of compile(), as custom loops and estimators make them.
    bool findFacts(const Node& node, const LogicalLine& line) {
        bool found = false;
        for (const Node& item : node.items) found = findFacts(item, line) || found;
        if (node.kind != Node::Kind::kCall) return found;
        const std::string_view name = lastPart(calledName(node));
        // What a name stands for was found where it was assigned.
        const bool here = node.line >= line.first_line && node.line <= line.last_line;
        if (isOptimizerCall(node)) {
            if (here) optimizer_ = node;
            if (here) optimizer_lines_ = linesOf(line);
            return true;
        }
        if (isLossCall(node) || !lossFunction(node).empty()) {
            if (here) loss_ = node;
            if (here) loss_lines_ = linesOf(line);
            return true;
        }
        if (!here) return found;
        if (name == "ClusterSpec" && node.items.size() >= 2) return readClusterSpec(node, line) || found;
        if (name.ends_with("Strategy") && findStrategy(name) != nullptr) {
            readStrategy(node, line);
            return true;
        }
        if (name == "to_categorical" || name == "one_hot") return readOneHot(node) || found;
        return found;
    }

    bool readOneHot(const Node& call) {
        for (std::size_t i = 0; i < call.keywords.size(); ++i) {
            const bool classes = call.keywords[i] == "num_classes" || call.keywords[i] == "depth" || (i == 1 && call.keywords[i].empty());
            if (classes && call.items[i + 1].kind == Node::Kind::kInt && call.items[i + 1].whole > 0) {
                reading_.run.data.one_hot = call.items[i + 1].whole;
                return true;
            }
        }
        return false;
    }

    // {"class_name", "config"} of an argument of compile(): a text, a name, or a call. nullopt after a note.
    std::optional<ObjectSpec> readObjectArgument(const Node& node, Family family, const std::string& what) {
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
            note(Severity::kError, {node.line, node.line}, node.column,
                 what + ": expected " + oneOf(known) + ", got " + (class_name.empty() ? nodeText(node) : class_name));
            return std::nullopt;
        }
        ObjectSpec object{class_name, {}};
        if (!call) return object;
        std::vector<ArgumentFault> faults;
        const Json json = objectCallJson(node, family, faults);
        for (const ArgumentFault& fault : faults) note(Severity::kWarning, fault.fault);
        Diagnostics diagnostics;
        object.config = readFields(json["config"], what, diagnostics);
        for (const Diagnostic& diagnostic : diagnostics) {
            note(Severity::kWarning, {node.line, node.line}, node.column, diagnostic.path + ": " + diagnostic.message);
        }
        const ObjectSpec* schedule = object.config.getObject("learning_rate");
        const FieldValue rate = schedule != nullptr ? FieldValue(ObjectBox(*schedule)) : FieldValue();
        cleanConfig(object.config, family, class_name, class_name, node, reading_.notes);
        if (schedule != nullptr) object.config.set("learning_rate", rate);
        object.config.erase("name");
        return object;
    }

    std::optional<MetricSpec> readMetric(const Node& node) {
        if (node.kind == Node::Kind::kText) return MetricSpec(node.text);
        if (node.kind == Node::Kind::kName) return MetricSpec(std::string(lastPart(node.text)));
        const std::string class_name = classOf(Family::kMetric, calledName(node));
        const std::vector<FieldSchema>* fields = fieldsOf(Family::kMetric, class_name);
        if (fields == nullptr) {
            note(Severity::kWarning, {node.line, node.line}, node.column, "expected a metric that is known here, got " + nodeText(node));
            return std::nullopt;
        }
        std::vector<ArgumentFault> faults;
        const Json json = objectCallJson(node, Family::kMetric, faults);
        for (const ArgumentFault& fault : faults) note(Severity::kWarning, fault.fault);
        RunSpec read;
        Diagnostics diagnostics;
        fromJson({{"compile", {{"metrics", Json::array({json})}}}}, read, diagnostics);
        if (hasErrors(diagnostics) || read.compile.metrics.empty()) {
            note(Severity::kWarning, {node.line, node.line}, node.column, "expected plain settings of a metric, got " + nodeText(node));
            return std::nullopt;
        }
        MetricSpec metric = read.compile.metrics.front();
        metric.name = class_name;
        cleanConfig(metric.config, Family::kMetric, class_name, class_name, node, reading_.notes);
        if (metric.config.empty()) metric.config.set("name", snakeCase(class_name));
        return metric;
    }

    void readMetrics(const Node& node, std::vector<MetricSpec>& metrics) {
        if (node.kind == Node::Kind::kList || node.kind == Node::Kind::kTuple) {
            for (const Node& item : node.items) readMetrics(item, metrics);
        } else if (node.kind != Node::Kind::kNone) {
            if (std::optional<MetricSpec> metric = readMetric(node)) metrics.push_back(*std::move(metric));
        }
    }

    void finishCompile() {
        CompileSpec& compile = reading_.run.compile;
        if (!compile_) {
            if (optimizer_) {
                if (auto object = readObjectArgument(*optimizer_, Family::kOptimizer, "optimizer")) {
                    compile.optimizer = *std::move(object);
                    reading_.compile.push_back(optimizer_lines_);
                }
            }
            if (loss_) readLooseLoss(compile);
            return;
        }
        compile.metrics.clear();
        std::vector<ArgumentFault> faults;
        bool has_optimizer = false;
        for (const Argument& argument : namedArguments(*compile_, {"optimizer", "loss", "metrics"}, faults)) {
            const Node& value = *argument.value;
            if (argument.name == "optimizer") {
                has_optimizer = true;
                if (auto object = readObjectArgument(value, Family::kOptimizer, "optimizer")) compile.optimizer = *std::move(object);
            } else if (argument.name == "loss") {
                if (auto object = readObjectArgument(value, Family::kLoss, "loss")) compile.loss = *std::move(object);
            } else if (argument.name == "metrics") {
                readMetrics(value, compile.metrics);
            } else if (value.kind != Node::Kind::kNone && !(value.kind == Node::Kind::kBool && !value.flag) &&
                       !(argument.name == "steps_per_execution" && value.kind == Node::Kind::kInt && value.whole == 1) &&
                       !(argument.name == "jit_compile" && value.kind == Node::Kind::kText)) {
                note(Severity::kWarning, {value.line, value.line}, value.column,
                     "expected optimizer, loss and metrics of compile, got " + argument.name);
            }
        }
        for (const ArgumentFault& fault : faults) note(Severity::kWarning, fault.fault);
        if (!has_optimizer) compile.optimizer = {"RMSprop", {}};
    }

    void readLooseLoss(CompileSpec& compile) {
        if (const std::string_view function = lossFunction(*loss_); !function.empty()) {
            compile.loss = {std::string(function), {{"from_logits", true}}};
            reading_.compile.push_back(loss_lines_);
        } else if (auto object = readObjectArgument(withoutReduction(*loss_), Family::kLoss, "loss")) {
            compile.loss = *std::move(object);
            reading_.compile.push_back(loss_lines_);
        }
    }

    // A loop that keeps the losses of all samples (NONE) adds them up and divides by the batch itself: what the default does.
    static Node withoutReduction(Node call) {
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

    // ---- fit ---------------------------------------------------------------------------------------------------------
    void readFit(const LogicalLine& line, const Node& call) {
        reading_.fit = {linesOf(line)};
        RunSpec& run = reading_.run;
        const FitSpec plain;
        const std::array<std::pair<std::string_view, std::int64_t FitSpec::*>, 6> numbers{
            {{"epochs", &FitSpec::epochs},
             {"initial_epoch", &FitSpec::initial_epoch},
             {"steps_per_epoch", &FitSpec::steps_per_epoch},
             {"validation_freq", &FitSpec::validation_freq},
             {"validation_steps", &FitSpec::validation_steps},
             {"validation_batch_size", &FitSpec::validation_batch_size}}};
        if (absent_ == AbsentArguments::kDefault) {
            for (const auto& [name, field] : numbers) run.fit.*field = plain.*field;
            run.fit.class_weight.clear();
            run.callbacks.clear();
        }
        std::vector<ArgumentFault> faults;
        for (const Argument& argument : namedArguments(call, {"x", "y"}, faults)) {
            const Node& value = *argument.value;
            const auto number = std::find_if(numbers.begin(), numbers.end(), [&](const auto& row) { return row.first == argument.name; });
            const auto warn = [&](const std::string& message) {
                note(Severity::kWarning, {value.line, value.line}, value.column, argument.name + ": " + message);
            };
            if (number != numbers.end()) {
                if (value.kind == Node::Kind::kInt) {
                    run.fit.*(number->second) = value.whole;
                } else if (value.kind != Node::Kind::kNone) {
                    warn("expected a whole number, got " + nodeText(value));
                }
            } else if (argument.name == "batch_size") {
                readBatchSize(value, warn);
            } else if (argument.name == "validation_split") {
                if (value.isNumber()) {
                    run.data.validation_split = value.number();
                } else {
                    warn("expected a number, got " + nodeText(value));
                }
            } else if (argument.name == "class_weight") {
                readClassWeights(value, warn);
            } else if (argument.name == "callbacks") {
                readCallbacks(value);
            } else if (argument.name != "x" && argument.name != "y" && argument.name != "verbose" && argument.name != "validation_data" &&
                       argument.name != "shuffle") {
                warn("expected an argument of fit that is known here, got this one");
            }
        }
        for (const ArgumentFault& fault : faults) note(Severity::kWarning, fault.fault);
    }

    // fit() counts over all replicas; a project keeps the batch of one.
    template <typename Warn>
    void readBatchSize(const Node& value, Warn warn) {
        const auto tasks = static_cast<std::int64_t>(reading_.run.cluster.spec.trainingTasks().size());
        const std::int64_t replicas = std::max<std::int64_t>(1, tasks);
        if (value.kind == Node::Kind::kInt && value.whole > 0 && value.whole % replicas == 0) {
            reading_.run.data.batch_size_per_replica = value.whole / replicas;
        } else if (value.kind != Node::Kind::kNone) {
            warn("expected a multiple of the " + std::to_string(replicas) + " replicas, got " + nodeText(value));
        }
    }

    template <typename Warn>
    void readClassWeights(const Node& value, Warn warn) {
        std::vector<std::pair<std::int64_t, double>> weights;
        for (std::size_t i = 0; i + 1 < value.items.size(); i += 2) {
            const Node &label = value.items[i], &weight = value.items[i + 1];
            if (value.kind != Node::Kind::kDict || label.kind != Node::Kind::kInt || !weight.isNumber()) {
                return warn("expected a dictionary of weights by class, got " + nodeText(value));
            }
            weights.emplace_back(label.whole, weight.number());
        }
        std::sort(weights.begin(), weights.end());
        reading_.run.fit.class_weight = std::move(weights);
    }

    void readCallbacks(const Node& value) {
        if (value.kind == Node::Kind::kNone) return;
        if (value.kind != Node::Kind::kList && value.kind != Node::Kind::kTuple) {
            note(Severity::kWarning, {value.line, value.line}, value.column,
                 "callbacks: expected a list of callbacks, got " + nodeText(value));
            return;
        }
        reading_.run.callbacks.clear();
        scheduler_asked_ = true;
        for (const Node& item : value.items) {
            const std::string class_name = classOf(Family::kCallback, calledName(item));
            const std::vector<FieldSchema>* fields = fieldsOf(Family::kCallback, class_name);
            if (fields == nullptr) {
                note(Severity::kWarning, {item.line, item.line}, item.column,
                     "expected a callback that is known here, got " + nodeText(item));
                continue;
            }
            if (class_name == kScheduler) {
                scheduler_ = item;
                reading_.run.callbacks.push_back({class_name, {}});  // its table comes when every function was read
                continue;
            }
            std::vector<ArgumentFault> faults;
            const Json json = objectCallJson(item, Family::kCallback, faults);
            for (const ArgumentFault& fault : faults) note(Severity::kWarning, fault.fault);
            Diagnostics diagnostics;
            ObjectSpec callback{class_name, readFields(json["config"], class_name, diagnostics)};
            for (const Diagnostic& diagnostic : diagnostics) {
                note(Severity::kWarning, {item.line, item.line}, item.column, diagnostic.path + ": " + diagnostic.message);
            }
            cleanConfig(callback.config, Family::kCallback, class_name, class_name, item, reading_.notes);
            reading_.run.callbacks.push_back(std::move(callback));
        }
    }

    // The function that LearningRateScheduler is given; without a list of callbacks, the only one of this kind.
    void finishSchedule() {
        CallbackSpecs& callbacks = reading_.run.callbacks;
        const auto placed =
            std::find_if(callbacks.begin(), callbacks.end(), [](const ObjectSpec& c) { return c.class_name == kScheduler; });
        if (!scheduler_) {
            if (scheduler_asked_ || functions_.size() != 1) return;
            const RateFunction& function = functions_.begin()->second;
            if (placed == callbacks.end()) {
                callbacks.push_back({std::string(kScheduler), function.table});
            } else {
                setTable(*placed, function);
            }
            reading_.schedule = {function.lines};
            return;
        }
        const Node* argument = nullptr;
        for (std::size_t i = 0; i < scheduler_->keywords.size(); ++i) {
            const bool schedule = scheduler_->keywords[i] == "schedule" || (i == 0 && scheduler_->keywords[i].empty());
            if (schedule) argument = &scheduler_->items[i + 1];
            if (scheduler_->keywords[i] == "verbose" && scheduler_->items[i + 1].kind == Node::Kind::kInt &&
                scheduler_->items[i + 1].whole != 0) {
                placed->config.set("verbose", scheduler_->items[i + 1].whole);
            }
        }
        const std::string name = argument != nullptr && argument->kind == Node::Kind::kName ? argument->text : "";
        if (const auto found = functions_.find(name); found != functions_.end()) {
            setTable(*placed, found->second);
            reading_.schedule = {found->second.lines};
            return;
        }
        std::string message =
            "expected a function of the epoch that returns rates, got " + (argument != nullptr ? nodeText(*argument) : "none");
        if (const auto other = other_functions_.find(name); other != other_functions_.end()) {
            message += " (line " + std::to_string(other->second.line) + ": " + other->second.message + ")";
        }
        note(Severity::kWarning, {scheduler_->line, scheduler_->line}, scheduler_->column, message);
        callbacks.erase(placed);
    }

    static void setTable(ObjectSpec& scheduler, const RateFunction& function) {
        for (const auto& [field, value] : function.table.entries()) scheduler.config.set(field, value);
    }

    // ---- cluster and strategy ----------------------------------------------------------------------------------------
    void readTfConfig(const std::string& json, CodeLines lines, int column) {
        const TfConfigReport report = checkTfConfig(json);
        for (const Diagnostic& diagnostic : report.diagnostics) {
            if (diagnostic.severity != Severity::kInfo) {
                note(report.config.cluster.empty() ? Severity::kError : Severity::kWarning, lines, column,
                     "TF_CONFIG: " + diagnostic.path + (diagnostic.path.empty() ? "" : ": ") + diagnostic.message);
            }
        }
        if (report.config.cluster.empty()) {
            if (report.diagnostics.empty()) note(Severity::kError, lines, column, "TF_CONFIG: expected a cluster with tasks, got none");
            return;
        }
        reading_.run.cluster.spec = report.config.cluster;
        reading_.cluster = {lines};
    }

    bool readTfConfigStatement(const LogicalLine& line, const std::string& target, const std::vector<Node>& targets, const Node& value) {
        const bool environment = targets.size() == 1 && targets[0].kind == Node::Kind::kIndex &&
                                 targets[0].items[0].kind == Node::Kind::kName && targets[0].items[0].text.ends_with("environ") &&
                                 targets[0].items[1].text == "TF_CONFIG";
        std::string folded_target = target;
        std::transform(folded_target.begin(), folded_target.end(), folded_target.begin(),
                       [](char c) { return static_cast<char>(std::tolower(c)); });
        const bool named = folded_target == "tf_config" && (value.kind == Node::Kind::kDict || !calledName(value).empty());
        if (!environment && !named) return false;
        const Node* content = &value;
        if (lastPart(calledName(value)) == "dumps" && value.items.size() >= 2) content = &value.items[1];
        Fault fault;
        std::optional<Json> json = valueJson(*content, "", fault);
        if (!json) {
            note(Severity::kError, fault);
            return true;
        }
        const std::string text = json->is_string() ? json->get<std::string>() : json->dump(-1, ' ', false, Json::error_handler_t::replace);
        readTfConfig(text, linesOf(line), line.indent + 1);
        return true;
    }

    bool readClusterSpec(const Node& call, const LogicalLine& line) {
        Fault fault;
        const std::optional<Json> jobs = valueJson(call.items[1], "", fault);
        if (!jobs || !jobs->is_object()) {
            note(Severity::kWarning,
                 fault ? fault : Fault{call.line, call.column, "expected a dictionary of jobs, got " + nodeText(call.items[1])});
            return true;
        }
        RunSpec read;
        Diagnostics diagnostics;
        fromJson({{"cluster", *jobs}}, read, diagnostics);
        for (const Diagnostic& diagnostic : diagnostics)
            note(Severity::kWarning, linesOf(line), line.indent + 1, diagnostic.path + ": " + diagnostic.message);
        if (read.cluster.spec.empty()) return true;
        reading_.run.cluster.spec = read.cluster.spec;
        reading_.cluster = {linesOf(line)};
        return true;
    }

    void readStrategy(const Node& call, const LogicalLine& line) {
        StrategySpec strategy = reading_.run.strategy;
        strategy.name = std::string(lastPart(calledName(call)));
        strategy.communication = "AUTO";
        strategy.devices.clear();
        std::vector<ArgumentFault> faults;
        for (const Argument& argument :
             namedArguments(call, {strategy.name == "MultiWorkerMirroredStrategy" ? "communication" : "devices"}, faults)) {
            const Node& value = *argument.value;
            Fault fault;
            const std::optional<Json> json = valueJson(value, "", fault);
            const bool texts =
                json && json->is_array() && std::all_of(json->begin(), json->end(), [](const Json& j) { return j.is_string(); });
            if (argument.name == "communication" && json && json->is_string()) {
                strategy.communication = json->get<std::string>();
            } else if (argument.name == "devices" && texts) {
                strategy.devices = json->get<std::vector<std::string>>();
            } else if ((argument.name == "devices" || argument.name == "device") && json && json->is_string()) {
                strategy.devices = {json->get<std::string>()};
            } else if (argument.name == "cross_device_ops" && findSchema(crossDeviceOpsSchemas(), lastPart(calledName(value))) != nullptr) {
                strategy.cross_device_ops = {std::string(lastPart(calledName(value))), {}};
            } else if (!(json && json->is_null())) {
                note(Severity::kWarning, {value.line, value.line}, value.column,
                     "expected an argument of " + strategy.name + " that is known here, got " + argument.name);
            }
        }
        reading_.run.strategy = std::move(strategy);
        reading_.strategy = {linesOf(line)};
    }

    // A cluster needs a strategy that uses its tasks; a strategy of one process has no cluster.
    void finishStrategy() {
        RunSpec& run = reading_.run;
        const ClusterSpec& cluster = run.cluster.spec;
        const StrategyRow* row = findStrategy(run.strategy.name);
        if (!reading_.cluster.empty() && reading_.strategy.empty()) {
            const bool servers = cluster.taskCount("ps") > 0;
            const bool fits = row != nullptr && row->clustered && servers == (run.strategy.name == "ParameterServerStrategy");
            if (!fits && (servers || cluster.trainingTasks().size() > 1)) {
                run.strategy.name = servers ? "ParameterServerStrategy" : "MultiWorkerMirroredStrategy";
                run.strategy.devices.clear();
                run.strategy.logical_cpus = 0;
            }
        } else if (!reading_.strategy.empty() && reading_.cluster.empty() && row != nullptr && !row->clustered) {
            run.cluster.spec = {};
        }
    }

    std::string text_;
    const AbsentArguments absent_;
    CodeReading reading_;
    std::vector<LogicalLine> lines_;
    std::size_t at_ = 0;
    std::vector<int> loops_;  // indents of those that are open
    Bindings bindings_;
    std::map<std::string, RateFunction, std::less<>> functions_;
    std::map<std::string, Fault, std::less<>> other_functions_;  // why they give no rates

    std::map<std::string, ModelCode> models_, chains_;  // by variable
    std::string model_, last_chain_;
    bool has_model_ = false;

    std::optional<Node> compile_, optimizer_, loss_, scheduler_;
    std::optional<std::string> policy_;
    CodeLines optimizer_lines_, loss_lines_, policy_lines_;
    bool scheduler_asked_ = false;
};

}  // namespace

CodeReading readKerasCode(std::string_view text, const RunSpec& base, AbsentArguments absent) {
    return CodeReader(std::string(text), base, absent).read();
}

std::string toString(const CodeNote& note) {
    std::string text = "line " + std::to_string(note.lines.first) + ", column " + std::to_string(note.column) + ": ";
    return text + (note.severity == Severity::kError ? "" : "kept as text: ") + note.message;
}

}  // namespace engine::spec
