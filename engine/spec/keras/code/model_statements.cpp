#include "engine/spec/keras/code/model_statements.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

namespace engine::spec::code {
namespace {

ModelCode begin(const LogicalLine& line, const Place& place) {
    ModelCode model;
    model.condition = place.condition;
    model.at = linesOf(line);
    model.column = line.indent + 1;
    model.statements.push_back(linesOf(line));
    return model;
}

std::shared_ptr<const LayerCode> layerOf(const Node& node, const LogicalLine& line, bool slim = false) {
    const bool listed = node.line >= line.first_line && node.line <= line.last_line;
    const CodeLines lines = listed ? CodeLines{node.line, std::max(node.line, node.last_line)} : linesOf(line);
    return std::make_shared<const LayerCode>(LayerCode{node, lines, slim});
}

bool isApplied(const Node& call) {
    return call.items[0].kind == Node::Kind::kCall && isLayerCall(call.items[0]) && call.keywords.size() == 1;
}

}  // namespace

bool ModelStatements::read(const LogicalLine& line, const Place& place, const std::string& target, const Node& call) {
    const std::string_view name = calledName(call);
    const std::string_view verb = lastPart(name);
    const std::string owner(name.substr(0, name.size() - std::min(name.size(), verb.size() + 1)));
    if (verb == "Sequential") return refuseLoop(line, place) || readSequential(line, place, target, call);
    if (verb == "add" && models_.contains(owner) && call.items.size() == 2) {
        if (refuseLoop(line, place)) return true;
        ModelCode& model = models_[owner];
        model.layers.push_back(layerOf(call.items[1], line));
        model.statements.push_back(linesOf(line));
        checkCondition(line, place, model);
        return true;
    }
    if (verb == "pop" && models_.contains(owner) && call.items.size() == 1) {
        if (refuseLoop(line, place)) return true;
        ModelCode& model = models_[owner];
        if (!model.layers.empty()) model.layers.pop_back();
        model.statements.push_back(linesOf(line));
        checkCondition(line, place, model);
        return true;
    }
    if (verb == "build" && models_.contains(owner) && call.items.size() == 2) return readBuild(line, models_[owner], call.items[1]);
    if (verb == "Model" || verb == "Functional") return readFunctionalModel(line, place, target, call);
    if (target.empty()) return false;
    if (readMade(target, std::string(name) + "()")) return true;
    std::optional<ModelCode> chain = chainOf(line, place, call);
    if (!chain) return false;
    if (isApplied(call) || isSlimCall(call)) {
        if (refuseLoop(line, place)) return true;
        last_chain_ = target;
    }
    chains_[target] = *std::move(chain);
    return true;
}

bool ModelStatements::refuseLoop(const LogicalLine& line, const Place& place) {
    if (!place.in_loop) return false;
    notes_.add(Severity::kError, linesOf(line), line.indent + 1, "expected layers one by one, got a loop that adds them");
    models_.clear();
    model_.clear();
    return true;
}

void ModelStatements::checkCondition(const LogicalLine& line, const Place& place, ModelCode& model) {
    if (place.condition.empty() || place.condition == model.condition) return;
    breakModel(model, line, {line.first_line, line.indent + 1, "expected layers without a condition, got one under " + place.condition});
}

void ModelStatements::breakModel(ModelCode& model, const LogicalLine& line, Fault fault) {
    if (!model.fault) model.fault = std::move(fault);
    model.broken = true;
    if (model.statements.empty() || model.statements.back() != linesOf(line)) model.statements.push_back(linesOf(line));
}

// "model" of model.layers[0].trainable; nullptr where no model has that name.
ModelCode* ModelStatements::modelOf(const Node& node) {
    if (node.kind == Node::Kind::kName) {
        const std::string variable = node.text.substr(0, node.text.find('.'));
        if (const auto part = parts_.find(variable); part != parts_.end()) {
            const auto known = models_.find(part->second);
            return known == models_.end() ? nullptr : &known->second;
        }
        const auto known = models_.find(variable);
        return known == models_.end() || known->first == node.text ? nullptr : &known->second;
    }
    const bool inside = node.kind == Node::Kind::kAttribute || node.kind == Node::Kind::kIndex || node.kind == Node::Kind::kCall;
    return inside ? modelOf(node.items[0]) : nullptr;
}

// model.layers, model.layers[-1], model.get_layer("dense"), and what is a part of such a variable.
std::string ModelStatements::modelOfPart(const Node& value) const {
    if (value.kind == Node::Kind::kName) {
        const std::string variable = value.text.substr(0, value.text.find('.'));
        if (const auto part = parts_.find(variable); part != parts_.end() && part->first == value.text) return part->second;
        return value.text.ends_with(".layers") && models_.contains(variable) ? variable : std::string();
    }
    if (value.kind == Node::Kind::kIndex) return modelOfPart(value.items[0]);
    if (value.kind != Node::Kind::kCall) return {};
    const std::string_view name = calledName(value);
    const std::string owner(name.substr(0, std::min(name.find('.'), name.size())));
    if (lastPart(name) == "get_layer" && models_.contains(owner)) return owner;
    const bool is_listed = name == "enumerate" || name == "reversed" || name == "list" || name == "zip";
    return is_listed && value.items.size() > 1 ? modelOfPart(value.items[1]) : std::string();
}

void ModelStatements::readLoop(const std::vector<std::string>& names, const Node& value) {
    const std::string model = modelOfPart(value);
    for (const std::string& name : names) {
        if (model.empty()) {
            parts_.erase(name);
        } else {
            parts_[name] = model;
        }
    }
}

void ModelStatements::readDelete(const LogicalLine& line, const Node& value) {
    if (ModelCode* model = modelOf(value)) {
        breakModel(*model, line,
                   {line.first_line, line.indent + 1, "expected add() and pop() of the model alone, got del " + nodeText(value)});
    } else {
        notes_.keep(line);
    }
}

std::string ModelStatements::givenModel(const Node& call) const {
    for (std::size_t i = 1; i < call.items.size(); ++i) {
        const Node& given = call.items[i];
        if (given.kind == Node::Kind::kName && models_.contains(given.text)) return given.text;
        if (const std::string model = modelOfPart(given); !model.empty()) return model;
    }
    return {};
}

void ModelStatements::changeByCall(const LogicalLine& line, const std::string& model, const Node& call) {
    breakModel(models_[model], line,
               {line.first_line, line.indent + 1, "expected add() and pop() of the model alone, got " + nodeText(call)});
}

// model = keras.models.load_model(…): layers that this text does not name. What is loaded beside a model, or after it was trained, is none
// of the project.
bool ModelStatements::readLoaded(const LogicalLine& line, const Place& place, const std::string& target, const Node& call) {
    static const std::set<std::string_view> kLoaders{"load_model",      "model_from_json", "model_from_config",
                                                     "model_from_yaml", "clone_model",     "from_pretrained"};
    const std::string_view name = calledName(call);
    const bool is_made_elsewhere = kLoaders.contains(lastPart(name)) || name.find(".applications.") != std::string_view::npos;
    if (target.empty() || !is_made_elsewhere || !reading_.fit.empty() || (has_model_ && !models_.contains(target))) return false;
    ModelCode model = begin(line, place);
    breakModel(model, line, {call.line, call.column, "expected a model that is made of layers, got " + nodeText(call)});
    model.variable = target;
    models_[target] = std::move(model);
    model_ = target;
    has_model_ = true;
    return true;
}

// The chain that an expression makes something of.
const ModelCode* ModelStatements::chainIn(const Node& node) const {
    if (node.kind == Node::Kind::kName) {
        const auto known = chains_.find(node.text);
        return known == chains_.end() ? nullptr : &known->second;
    }
    for (const Node& item : node.items) {
        if (const ModelCode* chain = chainIn(item)) return chain;
    }
    return nullptr;
}

bool ModelStatements::readOther(const LogicalLine& line, const Place& place, const std::vector<Node>& targets, const Node& value) {
    for (const Node& target : targets) {
        ModelCode* model = modelOf(target);
        if (model == nullptr) continue;
        const bool trainable = target.text.ends_with("trainable") || target.text.ends_with("layers");
        const std::string message = "expected a model that stays as its layers make it, got an assignment to " + nodeText(target);
        if (trainable) {
            breakModel(*model, line, {line.first_line, line.indent + 1, message});
        } else {
            notes_.add(Severity::kWarning, linesOf(line), line.indent + 1, message);
        }
        return true;
    }
    if (targets.size() == 1 && targets[0].kind == Node::Kind::kName) {
        parts_.erase(targets[0].text);
        if (const std::string model = modelOfPart(value); !model.empty()) parts_[targets[0].text] = model;
        if (value.kind == Node::Kind::kCall && readLoaded(line, place, targets[0].text, value)) return true;
    }
    if (value.kind == Node::Kind::kCall && targets.empty() && calledName(value) == "setattr") {
        if (const std::string model = givenModel(value); !model.empty()) {
            changeByCall(line, model, value);
            return true;
        }
    }
    if (value.kind == Node::Kind::kCall && targets.empty()) {
        static const std::set<std::string_view> kHarmless{"summary",       "fit",         "evaluate",     "predict",         "save",
                                                          "save_weights",  "get_weights", "count_params", "to_json",         "get_config",
                                                          "get_layer",     "export",      "compile",      "build",           "reset_states",
                                                          "reset_metrics", "plot",        "call",         "predict_on_batch"};
        ModelCode* model = modelOf(value.items[0]);
        const std::string_view method = lastPart(value.items[0].text);
        const bool restored = method == "load_weights" && !reading_.fit.empty();  // of what was trained
        if (model != nullptr && !kHarmless.contains(method) && !restored) {
            const std::string call = nodeText(value);
            if (method == "pop" || method == "append" || method == "insert" || method == "remove") {
                breakModel(*model, line, {line.first_line, line.indent + 1, "expected add() and pop() of the model alone, got " + call});
            } else {
                notes_.add(Severity::kWarning, linesOf(line), line.indent + 1,
                           "expected a call that leaves the model as it is, got " + call);
            }
            return true;
        }
    }
    // What is made of a chain by other means counts where the model ends in it.
    if (targets.size() == 1 && targets[0].kind == Node::Kind::kName && value.kind != Node::Kind::kName) {
        if (const ModelCode* chain = chainIn(value)) {
            ModelCode other = *chain;
            breakModel(other, line, {value.line, value.column, "expected a layer on a layer, got " + nodeText(value)});
            if (!place.condition.empty() && other.condition.empty()) other.condition = place.condition;
            chains_[targets[0].text] = std::move(other);
        }
    }
    return false;
}

bool ModelStatements::readBuild(const LogicalLine& line, ModelCode& model, const Node& sizes) {
    Fault fault;
    const std::optional<Json> values = valueJson(sizes, "", fault);
    if (!values || !values->is_array() || values->size() < 2) return false;
    Shape shape;
    for (std::size_t i = 1; i < values->size(); ++i) {
        if (!(*values)[i].is_number_integer()) return false;
        shape.push_back((*values)[i].get<std::int64_t>());
    }
    model.input_shape = shape;
    model.statements.push_back(linesOf(line));
    return true;
}

bool ModelStatements::readSequential(const LogicalLine& line, const Place& place, const std::string& target, const Node& call) {
    ModelCode model = begin(line, place);
    const auto other = models_.find(target);
    if (other != models_.end() && (!place.condition.empty() || !other->second.condition.empty())) {
        breakModel(model, line, {line.first_line, line.indent + 1, "expected one model, got another one under a condition"});
    }
    for (std::size_t i = 0; i < call.keywords.size(); ++i) {
        const Node& value = call.items[i + 1];
        if (call.keywords[i] == "name" || (i == 1 && call.keywords[i].empty())) {
            model.name = std::make_shared<const Node>(value);
        } else if (value.kind == Node::Kind::kList || value.kind == Node::Kind::kTuple) {
            for (const Node& layer : value.items) model.layers.push_back(layerOf(layer, line));
        } else if (value.kind != Node::Kind::kNone) {
            notes_.add(Severity::kError, value, "expected a list of layers, got " + nodeText(value));
            return true;
        }
    }
    model.variable = target;
    models_[target] = std::move(model);
    model_ = target;
    has_model_ = true;
    return true;
}

// layers.Dense(10)(x), slim.layers.conv2d(net, 32, [5, 5]), keras.Input(…), tf.reshape(x, […]), and x where it is such a chain. A layer
// that is called on something else begins one.
std::optional<ModelCode> ModelStatements::chainOf(const LogicalLine& line, const Place& place, const Node& node) const {
    if (node.kind == Node::Kind::kName) {
        const auto known = chains_.find(node.text);
        return known == chains_.end() ? std::nullopt : std::optional(known->second);
    }
    if (node.kind != Node::Kind::kCall) return std::nullopt;
    const bool applied = isApplied(node), slim = isSlimCall(node);
    if (applied || slim) {
        std::optional<ModelCode> before = chainOf(line, place, node.items[1]);
        ModelCode chain = before ? *std::move(before) : begin(line, place);
        if (!before) {
            if (const ModelCode* known = chainIn(node.items[1])) {  // of which something else was made
                chain = *known;
                chain.broken = true;
                chain.fault = {node.items[1].line, node.items[1].column, "expected a layer on a layer, got " + nodeText(node.items[1])};
            }
        }
        if (chain.statements.back() != linesOf(line)) chain.statements.push_back(linesOf(line));
        if (!place.condition.empty() && place.condition != chain.condition && !chain.broken) {
            chain.broken = true;
            chain.fault = {line.first_line, line.indent + 1, "expected layers without a condition, got one under " + place.condition};
        }
        chain.layers.push_back(layerOf(applied ? node.items[0] : node, line, slim));
        return chain;
    }
    ModelCode chain = begin(line, place);
    if (isInputCall(node)) {
        chain.layers.push_back(layerOf(node, line));
        return chain;
    }
    chain.input_shape = reshapedTo(node);
    return chain.input_shape ? std::optional(std::move(chain)) : std::nullopt;
}

bool ModelStatements::readFunctionalModel(const LogicalLine& line, const Place& place, const std::string& target, const Node& call) {
    const Node* output = nullptr;
    const Node* name = nullptr;
    for (std::size_t i = 0; i < call.keywords.size(); ++i) {
        if (call.keywords[i] == "outputs" || (call.keywords[i].empty() && i == 1)) output = &call.items[i + 1];
        if (call.keywords[i] == "name") name = &call.items[i + 1];
    }
    std::optional<ModelCode> chain = output == nullptr ? std::nullopt : chainOf(line, place, *output);
    if (!chain) {
        if (output == nullptr) return false;
        notes_.add(Severity::kError, *output, "expected the end of one chain of layers as outputs, got " + nodeText(*output));
        models_.clear();
        model_.clear();
        has_model_ = true;
        return true;
    }
    ModelCode& model = *chain;
    if (model.statements.back() != linesOf(line)) model.statements.push_back(linesOf(line));
    if (name != nullptr) model.name = std::make_shared<const Node>(*name);
    model.variable = target;
    models_[target] = std::move(model);
    model_ = target;
    has_model_ = true;
    return true;
}

// model = build(), where build was read before.
bool ModelStatements::readMade(const std::string& target, const std::string& made) {
    if (const auto model = models_.find(made); model != models_.end()) {
        ModelCode copy = model->second;
        copy.maker.clear();  // the text calls it already
        models_[target] = std::move(copy);
        model_ = target;
        return true;
    }
    const auto chain = chains_.find(made);
    if (chain == chains_.end()) return false;
    ModelCode copy = chain->second;
    copy.maker.clear();
    chains_[target] = std::move(copy);
    last_chain_ = target;
    return true;
}

bool ModelStatements::readReturn(const LogicalLine& line, const Place& place, const Node& value, const Node& folded) {
    const std::string key = place.function + "()";
    if (value.kind == Node::Kind::kName) {  // what it stands for was read where it was assigned
        const auto copy = [&](std::map<std::string, ModelCode>& from) {
            const auto known = from.find(value.text);
            if (known == from.end()) return false;
            if (!place.takes_arguments) known->second.maker = key;
            ModelCode made = known->second;
            from[key] = std::move(made);
            return true;
        };
        const bool chain = copy(chains_);
        if (!copy(models_)) return chain;
        if (model_ == value.text) model_ = key;  // the variable is the function's own
        return true;
    }
    if (folded.kind != Node::Kind::kCall) return false;
    const std::string_view verb = lastPart(calledName(folded));
    ModelCode* returned = nullptr;
    if (verb == "Sequential") {
        if (refuseLoop(line, place)) return true;
        readSequential(line, place, key, folded);
        if (models_.contains(key)) returned = &models_[key];
    } else if (verb == "Model" || verb == "Functional") {
        if (!readFunctionalModel(line, place, key, folded)) return false;
        if (models_.contains(key)) returned = &models_[key];
    } else if (isApplied(folded) || isSlimCall(folded)) {
        if (refuseLoop(line, place)) return true;
        chains_[key] = *chainOf(line, place, folded);
        last_chain_ = key;
        returned = &chains_[key];
    } else {
        return false;
    }
    if (returned != nullptr) {
        returned->returned = linesOf(line);
        if (!place.takes_arguments) returned->maker = key;
    }
    return true;
}

void ModelStatements::setPolicy(const LogicalLine& line, const std::string& policy) {
    policy_ = policy;
    policy_lines_ = linesOf(line);
}

bool ModelStatements::breakOff(const LogicalLine& line, const std::string& variable) {
    bool known_model = false;
    for (auto* known : {&models_, &chains_}) {
        const auto model = known->find(variable);
        if (model == known->end()) continue;
        model->second.broken = true;
        model->second.statements.push_back(linesOf(line));
        known_model = true;
    }
    return known_model;
}

void ModelStatements::finish() {
    const ModelCode* model = has_model_ && models_.contains(model_) ? &models_[model_] : nullptr;
    if (model == nullptr && !has_model_ && chains_.contains(last_chain_)) model = &chains_[last_chain_];
    const std::string before = absent_ == AbsentArguments::kDefault ? ModelSpec().dtype_policy : reading_.run.model.dtype_policy;
    if (policy_) {
        reading_.model = {policy_lines_};
        reading_.run.model.dtype_policy = *policy_;
    }
    if (model == nullptr) return;
    const std::vector<CodeLines> statements = model->statements.entries();
    reading_.model.insert(reading_.model.end(), statements.begin(), statements.end());
    reading_.returned = model->returned;
    reading_.model_maker = model->maker;
    const auto isVariable = [](const std::string& name) { return !name.empty() && !name.ends_with("()"); };
    if (isVariable(model->variable)) reading_.model_defined_as = model->variable;
    if (model->maker.empty() && has_model_ && isVariable(model_)) reading_.model_used_as = model_;
    if (model->fault) notes_.add(Severity::kError, model->fault);
    if (model->broken) return;
    if (buildModel(*model, reading_.run, reading_.layers, reading_.notes)) {
        reading_.run.model.dtype_policy = policy_.value_or(before);
    }
}

}  // namespace engine::spec::code
