#include "engine/export/keras_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

#include "engine/export/atomic_file.h"
#include "engine/export/backup_file.h"
#include "engine/export/hdf5_tree.h"
#include "engine/export/keras_layout.h"
#include "engine/export/keras_names.h"
#include "engine/export/numpy/npz_weights.h"
#include "engine/export/onnx/onnx_file.h"
#include "engine/export/zip_archive.h"
#include "engine/spec/catalog/adapted_layer.h"
#include "engine/spec/catalog/dtype_policy.h"
#include "engine/spec/catalog/layer_names.h"
#include "engine/spec/catalog/lookup_table.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/optimizer_table.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/error.h"
#include "engine/spec/names.h"
#include "engine/spec/shape.h"

namespace engine::exporter {
namespace {

constexpr const char* kWritten = "3.10.0";  // the Keras whose files these are like
constexpr std::string_view kZipBegins = "PK";
constexpr std::string_view kHdf5Begins = "\x89HDF";
constexpr const char* kWeightsMember = "model.weights.h5";
constexpr const char* kTextWeights = "idf_weights";

std::string shapeText(const spec::Shape& shape) {
    std::string text = "(";
    for (const std::int64_t size : shape) {
        text += (text.size() > 1 ? ", " : "") + std::to_string(size);
    }
    return text + (shape.size() == 1 ? ",)" : ")");
}

// What a file holds, taken apart.
struct Opened {
    std::string name;                            // for messages
    std::map<std::string, std::string> members;  // of a .keras
    std::optional<Hdf5Node> tree;                // of an .h5, or of the .keras' weights
    std::string json;                            // of a JSON file
};

enum class Want { kModel, kWeights };

bool keepsMomentumProduct(const spec::ObjectSpec& optimizer) {
    const spec::OptimizerRow* row = spec::findOptimizer(optimizer.class_name);
    return row != nullptr && row->keeps_momentum_product;
}

Opened open(const std::filesystem::path& file, Want want) {
    std::string bytes = readFile(file);
    Opened opened{.name = file.string()};
    if (bytes.starts_with(kZipBegins)) {
        opened.members = readZip(bytes, opened.name);
        const auto weights = opened.members.find(kWeightsMember);
        if (want == Want::kWeights && weights == opened.members.end()) {
            throw Error(ErrorCode::kInvalidArgument, opened.name + ": expected a member " + kWeightsMember + ", got none");
        }
        if (want == Want::kWeights) {
            opened.tree = readHdf5(weights->second, opened.name + "/" + kWeightsMember);
        }
    } else if (bytes.starts_with(kHdf5Begins)) {
        opened.tree = readHdf5(bytes, opened.name);
    } else if (const std::size_t first = bytes.find_first_not_of(" \t\r\n"); first != std::string::npos && bytes[first] == '{') {
        opened.json = std::move(bytes);
    } else {
        throw Error(ErrorCode::kDataLoss, opened.name + ": expected a .keras archive, an HDF5 file or Keras' JSON, got something else");
    }
    return opened;
}

std::string textAttribute(const Hdf5Node& node, const std::string& name) {
    const auto found = node.attributes.find(name);
    return found == node.attributes.end() || found->second.empty() ? "" : found->second.front();
}

// Long lists are split into name0, name1, ...
std::vector<std::string> listAttribute(const Hdf5Node& node, const std::string& name) {
    const auto whole = node.attributes.find(name);
    if (whole != node.attributes.end()) {
        return whole->second;
    }
    std::vector<std::string> list;
    for (int part = 0;; ++part) {
        const auto piece = node.attributes.find(name + std::to_string(part));
        if (piece == node.attributes.end()) {
            return list;
        }
        list.insert(list.end(), piece->second.begin(), piece->second.end());
    }
}

// The numbers of a text, one a line.
std::vector<std::int64_t> linesOf(const std::string& text) {
    std::vector<std::int64_t> numbers;
    std::istringstream lines(text);
    for (std::int64_t number = 0; lines >> number;) numbers.push_back(number);
    return numbers;
}

// A vocabulary that adapt() found lies beside the model in a .keras, and the weights of tf_idf among those of the model.
void readVocabularies(const Opened& opened, spec::ModelSpec& model) {
    spec::LayerNames names;
    for (spec::LayerSpec& layer : model.layers) {
        const std::string place = "layers/" + names.next(layer.class_name);
        const auto found = opened.members.find("assets/" + place + "/vocabulary.txt");
        if (layer.class_name != "IntegerLookup" || !spec::isAdapted(layer) || found == opened.members.end()) continue;
        const std::vector<std::int64_t> tokens = linesOf(found->second);
        if (tokens.empty()) continue;
        const auto weights = opened.members.find(kWeightsMember);
        if (spec::settingsOf(layer).getString("output_mode") == "tf_idf" && weights != opened.members.end()) {
            const Hdf5Node tree = readHdf5(weights->second, opened.name + "/" + kWeightsMember);
            const Hdf5Node* idf = tree.find(place + "/vars/idf_weights");
            if (idf == nullptr || idf->floats.size() < tokens.size()) continue;
            layer.config.set("idf_weights",
                             std::vector<double>(idf->floats.begin(), idf->floats.begin() + static_cast<std::ptrdiff_t>(tokens.size())));
        }
        layer.config.set("vocabulary", tokens);
    }
}

// What Keras keeps of an adapted text layer beside its configuration.
void takeAdapted(const Opened& opened, spec::ModelSpec& model) {
    const spec::LayerSpec* found = spec::textLayer(model);
    if (found == nullptr || !spec::isAdapted(*found)) return;
    spec::LayerSpec& layer = model.layers.front();
    const std::string path = "layers/" + spec::snakeCase(layer.class_name);
    const auto file = opened.members.find("assets/" + path + "/vocabulary.txt");
    if (file == opened.members.end()) return;
    std::vector<std::string> texts{""};
    for (const char c : file->second) {
        if (c == '\n') {
            texts.emplace_back();
        } else {
            texts.back() += c;
        }
    }
    while (!texts.empty() && texts.back().empty()) texts.pop_back();
    if (texts.empty()) return;
    layer.config.set("vocabulary", texts);
    if (spec::settingsOf(layer).getString("output_mode") != "tf_idf") {
        layer.config.set("vocabulary", spec::textTable(layer).tokens);
        return;
    }
    const auto weights = opened.members.find(kWeightsMember);
    if (weights == opened.members.end()) return;
    const Hdf5Node tree = readHdf5(weights->second, opened.name + "/" + kWeightsMember);
    const Hdf5Node* node = tree.find(path + "/vars/" + kTextWeights);
    if (node == nullptr || node->kind != Hdf5Node::Kind::kFloats || node->floats.size() < texts.size()) {
        throw Error(ErrorCode::kDataLoss, opened.name + ": expected " + path + "/vars/" + kTextWeights + " with a number for each of the " +
                                              std::to_string(texts.size()) + " texts of the vocabulary, got " +
                                              (node == nullptr ? "none" : "others"));
    }
    layer.config.set(kTextWeights,
                     std::vector<double>(node->floats.begin(), node->floats.begin() + static_cast<std::ptrdiff_t>(texts.size())));
}

// False for weights alone.
bool hasModel(const Opened& opened) {
    if (!opened.json.empty() || opened.members.contains("config.json")) return true;
    return opened.tree && opened.members.empty() && !textAttribute(*opened.tree, "model_config").empty();
}

spec::KerasConfig modelIn(const Opened& opened) {
    if (!opened.json.empty()) {
        return spec::parseKerasConfig(opened.json);
    }
    if (const auto config = opened.members.find("config.json"); config != opened.members.end()) {
        return spec::parseKerasConfig(config->second, {}, [&opened](spec::ModelSpec& model) {  // rows are as long as their vocabulary
            readVocabularies(opened, model);
            takeAdapted(opened, model);
        });
    }
    if (opened.tree && opened.members.empty()) {
        const std::string model = textAttribute(*opened.tree, "model_config");
        if (model.empty()) {
            throw Error(ErrorCode::kInvalidArgument, opened.name + ": expected a model (attribute model_config), got weights alone");
        }
        return spec::parseKerasConfig(model, textAttribute(*opened.tree, "training_config"));
    }
    throw Error(ErrorCode::kInvalidArgument, opened.name + ": expected a member config.json, got none");
}

// One of the file's data sets, with where it lies.
struct Stored {
    std::string path;
    const Hdf5Node* node;
};

// Fills a caller's variables from a file's tree: everything is found and checked before the first value is written.
class WeightsReader {
public:
    WeightsReader(const Opened& opened, const spec::ModelSpec& model, const spec::ObjectSpec& optimizer,
                  std::span<const MutableVariableView> variables)
        : opened_(opened),
          name_(opened.name),
          tree_(*opened.tree),
          model_(model),
          layers_(kerasLayers(model)),
          optimizer_(optimizer),
          variables_(variables) {}

    RestoredState run() {
        const Hdf5Node* old_weights = tree_.find("model_weights");
        const bool is_old = old_weights != nullptr || !listAttribute(tree_, "layer_names").empty();
        std::vector<Stored> state;
        if (is_old) {
            matchByOrder(old_weights == nullptr ? tree_ : *old_weights, old_weights == nullptr ? "" : "model_weights/");
            state = listed("optimizer_weights");
        } else {
            matchByPath();
            state = numbered("optimizer/vars");
        }
        matchOptimizer(state);
        for (const auto& [target, source] : found_) {
            std::copy(source->floats.begin(), source->floats.end(), target->values.begin());
        }
        for (const auto& [target, value] : numbers_) {
            target->values[0] = value;
        }
        for (const auto& [target, values] : taken_) {
            std::copy_n(values.begin(), std::min(values.size(), target->values.size()), target->values.begin());
        }
        return std::move(result_);
    }

private:
    [[noreturn]] void fail(ErrorCode code, const std::string& what) const { throw Error(code, name_ + ": " + what); }

    const MutableVariableView* target(const std::string& name) const {
        const auto found = std::find_if(variables_.begin(), variables_.end(), [&](const auto& view) { return view.name == name; });
        return found == variables_.end() ? nullptr : &*found;
    }

    void fill(const KerasVariable& variable, const Stored& stored) {
        const MutableVariableView* view = target(variable.name);
        if (view == nullptr) {
            fail(ErrorCode::kInternal, variable.name + ": the caller has no such variable");
        }
        if (isWholeNumber(variable.name) && stored.node->kind == Hdf5Node::Kind::kIntegers && stored.node->integers.size() == 1) {
            numbers_.emplace_back(view, static_cast<float>(stored.node->integers.front()));
            return;
        }
        if (stored.node->kind != Hdf5Node::Kind::kFloats) {
            fail(ErrorCode::kInvalidArgument, stored.path + " (" + variable.name + "): expected floating-point values, got " +
                                                  (stored.node->kind == Hdf5Node::Kind::kOther ? stored.node->other : "something else"));
        }
        if (stored.node->shape != view->shape) {
            fail(ErrorCode::kInvalidArgument, stored.path + " (" + variable.name + "): expected shape " + shapeText(view->shape) +
                                                  ", got " + shapeText(stored.node->shape));
        }
        found_.emplace_back(view, stored.node);
    }

    // ----- Keras 3

    // Data sets named 0, 1, ... of a group; none when there is no such group.
    std::vector<Stored> numbered(const std::string& group) const {
        std::vector<Stored> list;
        const Hdf5Node* node = tree_.find(group);
        for (std::size_t k = 0; node != nullptr; ++k) {
            const auto child = node->children.find(std::to_string(k));
            if (child == node->children.end()) {
                break;
            }
            list.push_back({group + "/" + child->first, &child->second});
        }
        return list;
    }

    void matchByPath() {
        // Keras 2.13 to 2.15 had another name for the group of layers.
        const std::string top = tree_.find("layers") == nullptr && tree_.find("_layer_checkpoint_dependencies") != nullptr
                                    ? "_layer_checkpoint_dependencies"
                                    : "layers";
        if (tree_.find(top) == nullptr) {
            fail(ErrorCode::kInvalidArgument, "expected a group layers (Keras 3) or model_weights (Keras 2), got neither");
        }
        const auto inFile = [&](const std::string& path) { return top + path.substr(path.find('/')); };
        std::vector<std::string> expected;
        for (const KerasLayer& layer : layers_) {
            for (const std::string& group : layer.groups) {
                expected.push_back(inFile(group));
                matchGroup(layer, group, inFile(group));
            }
        }
        rejectOthers(top, expected);
    }

    void matchGroup(const KerasLayer& layer, const std::string& group, const std::string& in_file) {
        std::vector<const KerasVariable*> wanted;
        for (const std::vector<KerasVariable>* variables : {&layer.copies, &layer.variables}) {
            for (const KerasVariable& variable : *variables) {
                if (variable.path.substr(0, variable.path.rfind('/')) != group) continue;
                if (variable.is_named) {
                    matchNamed(variable, in_file);
                } else {
                    wanted.push_back(&variable);
                }
            }
        }
        const std::vector<Stored> stored = numbered(in_file);
        if (stored.empty() && layer.takes_fields) return takeFields(layer);
        if (stored.size() != wanted.size()) {
            fail(stored.empty() ? ErrorCode::kNotFound : ErrorCode::kInvalidArgument,
                 in_file + ": expected the " + std::to_string(wanted.size()) + " variables of layer " + layer.name + ", got " +
                     std::to_string(stored.size()));
        }
        for (std::size_t k = 0; k < wanted.size(); ++k) {
            fill(*wanted[k], stored[k]);
        }
    }

    void matchNamed(const KerasVariable& variable, const std::string& in_file) {
        const std::string path = in_file + variable.path.substr(variable.path.rfind('/'));
        const Hdf5Node* node = tree_.find(path);
        if (node == nullptr) fail(ErrorCode::kNotFound, path + ": expected " + variable.name + ", got none");
        fill(variable, {path, node});
    }

    // The weights of tf_idf, which the model's own fields have.
    void takeWeights(const KerasLayer& layer) {
        const auto own = std::find_if(model_.layers.begin(), model_.layers.end(), [&](const auto& one) { return one.name == layer.name; });
        const MutableVariableView* view = target(layer.variables.front().name);
        if (own != model_.layers.end() && view != nullptr) taken_.emplace_back(view, spec::idfWeights(spec::settingsOf(*own)));
    }

    // What the file's own model has in the fields of that layer.
    void takeFields(const KerasLayer& layer) {
        const auto own = std::find_if(model_.layers.begin(), model_.layers.end(), [&](const auto& one) { return one.name == layer.name; });
        ENGINE_CHECK(own != model_.layers.end());
        const auto index = static_cast<std::size_t>(own - model_.layers.begin());
        const std::vector<spec::LayerSpec> theirs = modelIn(opened_).model.layers;
        const auto taken = index < theirs.size() ? spec::takenFrom(*own, theirs[index]) : decltype(spec::takenFrom(*own, *own)){};
        if (taken.empty()) {
            fail(ErrorCode::kNotFound, "expected the " + std::to_string(layer.variables.size()) + " variables of layer " + layer.name +
                                           ", or a model that has their values in its fields, got neither");
        }
        for (const auto& [name, values] : taken) {
            const MutableVariableView* view = target(layer.name + "/" + name);
            if (view == nullptr || view->values.size() != values.size()) {
                fail(ErrorCode::kInternal, layer.name + "/" + name + ": the caller has no such variable");
            }
            taken_.emplace_back(view, values);
        }
    }

    // Variables of layers that the model lacks. The state of a seed generator is none of a model's weights.
    void rejectOthers(const std::string& path, const std::vector<std::string>& expected) const {
        const Hdf5Node* node = tree_.find(path);
        for (const auto& [name, child] : node->children) {
            const std::string below = path + "/" + name;
            if (child.kind != Hdf5Node::Kind::kGroup || name == "seed_generator") {
                continue;
            }
            if (name == "vars" && !child.children.empty() && std::find(expected.begin(), expected.end(), below) == expected.end()) {
                fail(ErrorCode::kInvalidArgument,
                     below + ": expected the " + std::to_string(layers_.size()) + " layers of the model, got weights of another one");
            }
            rejectOthers(below, expected);
        }
    }

    // ----- Keras 2's form

    // The data sets that a group's weight_names gives, in its order.
    std::vector<Stored> listed(const std::string& group) const {
        std::vector<Stored> list;
        const Hdf5Node* node = tree_.find(group);
        for (const std::string& weight : node == nullptr ? std::vector<std::string>{} : listAttribute(*node, "weight_names")) {
            const Hdf5Node* data = node->find(weight);
            if (data == nullptr || data->kind == Hdf5Node::Kind::kGroup) {
                fail(ErrorCode::kDataLoss, group + ": its weight_names has " + weight + ", expected a data set of that name, got none");
            }
            list.push_back({group + "/" + weight, data});
        }
        return list;
    }

    void matchByOrder(const Hdf5Node& weights, const std::string& prefix) {
        std::vector<std::pair<std::string, std::vector<Stored>>> stored;
        for (const std::string& layer : listAttribute(weights, "layer_names")) {
            if (auto list = listed(prefix + layer); !list.empty()) {
                stored.emplace_back(layer, std::move(list));
            }
        }
        std::vector<const KerasLayer*> wanted;
        for (const KerasLayer& layer : layers_) {
            if (layer.takes_fields) {
                takeFields(layer);
            } else if (std::any_of(layer.variables.begin(), layer.variables.end(),
                                   [](const KerasVariable& one) { return !one.is_named; })) {
                wanted.push_back(&layer);
            } else if (!layer.variables.empty()) {
                takeWeights(layer);
            }
        }
        if (stored.size() != wanted.size()) {
            const bool fewer = stored.size() < wanted.size();
            fail(fewer ? ErrorCode::kNotFound : ErrorCode::kInvalidArgument,
                 "expected " + std::to_string(wanted.size()) + " layers with weights as the model has, got " +
                     std::to_string(stored.size()) +
                     (fewer ? "; the first without is " + wanted[stored.size()]->name
                            : "; the first too many is " + stored[wanted.size()].first));
        }
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const auto& [layer, list] = stored[i];
            if (list.size() != wanted[i]->variables.size()) {
                fail(ErrorCode::kInvalidArgument, prefix + layer + ": expected the " + std::to_string(wanted[i]->variables.size()) +
                                                      " variables of layer " + wanted[i]->name + ", got " + std::to_string(list.size()));
            }
            for (std::size_t k = 0; k < list.size(); ++k) {
                fill(wanted[i]->variables[k], list[k]);
            }
        }
    }

    // ----- Optimizer

    // A LossScaleOptimizer has an iteration and a learning rate of its own, which mean nothing, its counter and its scale; then come those
    // of the optimizer inside.
    void matchLossScale(std::span<const Stored>& state) {
        const MutableVariableView *scale = target(std::string(spec::kDynamicScale)), *counter = target(std::string(spec::kStepCounter));
        const auto isCount = [&](std::size_t k) {
            return state[k].node->kind == Hdf5Node::Kind::kIntegers && state[k].node->integers.size() == 1;
        };
        const auto isNumber = [&](std::size_t k) {
            return state[k].node->kind == Hdf5Node::Kind::kFloats && state[k].node->floats.size() == 1;
        };
        if (state.size() > 4 && isCount(0) && isNumber(1) && isCount(2) && isNumber(3) && isCount(4)) {
            if (scale != nullptr) numbers_.emplace_back(scale, state[3].node->floats[0]);
            if (counter != nullptr) numbers_.emplace_back(counter, static_cast<float>(state[2].node->integers[0]));
            state = state.subspan(4);
        } else {
            if (scale != nullptr) result_.missing.push_back(scale->name);
            if (counter != nullptr) result_.missing.push_back(counter->name);
        }
    }

    // Keras skips a state that is not its optimizer's, and so do we: the slots are `missing` then.
    void matchOptimizer(std::span<const Stored> state) {
        matchLossScale(state);
        const std::vector<KerasSlot> slots = kerasSlots(model_, optimizer_);
        if (!state.empty() && state[0].node->kind == Hdf5Node::Kind::kIntegers && state[0].node->integers.size() == 1) {
            result_.iterations = state[0].node->integers[0];
            state = state.subspan(1);
        }
        if (keepsMomentumProduct(optimizer_) && state.size() > slots.size() && state.back().node->shape.empty()) {
            state = state.first(state.size() - 1);  // a function of the step count
        }
        if (state.size() == slots.size() + 1 && state[0].node->kind == Hdf5Node::Kind::kFloats && state[0].node->shape.empty()) {
            result_.learning_rate = state[0].node->floats.at(0);
            state = state.subspan(1);
        }
        bool fits = state.size() == slots.size();
        for (std::size_t k = 0; fits && k < slots.size(); ++k) {
            const MutableVariableView* view = target(slots[k].name);
            const Hdf5Node& node = *state[k].node;
            const bool is_number = slots[k].is_placeholder && node.kind == Hdf5Node::Kind::kIntegers && node.integers.size() == 1;
            fits = view == nullptr || ((is_number || node.kind == Hdf5Node::Kind::kFloats) && node.shape == view->shape);
        }
        for (std::size_t k = 0; k < slots.size(); ++k) {
            const MutableVariableView* view = target(slots[k].name);
            if (view != nullptr && fits && state[k].node->kind == Hdf5Node::Kind::kIntegers) {
                numbers_.emplace_back(view, static_cast<float>(state[k].node->integers[0]));
            } else if (view != nullptr && fits) {
                found_.emplace_back(view, state[k].node);
            } else if (view != nullptr) {
                result_.missing.push_back(slots[k].name);
            }
        }
    }

    const Opened& opened_;
    const std::string& name_;
    const Hdf5Node& tree_;
    const spec::ModelSpec& model_;
    const std::vector<KerasLayer> layers_;
    const spec::ObjectSpec& optimizer_;
    const std::span<const MutableVariableView> variables_;
    std::vector<std::pair<const MutableVariableView*, const Hdf5Node*>> found_;
    std::vector<std::pair<const MutableVariableView*, float>> numbers_;
    std::vector<std::pair<const MutableVariableView*, std::vector<float>>> taken_;  // by fields
    RestoredState result_;
};

constexpr const char* kLossScale = "loss_scale_optimizer";

bool scalesLoss(const CheckpointContents& contents) {
    return std::any_of(contents.variables.begin(), contents.variables.end(),
                       [](const VariableView& variable) { return variable.name == spec::kDynamicScale; });
}

// Makes the trees of both forms.
class WeightsWriter {
public:
    WeightsWriter(const std::string& file, const CheckpointContents& contents)
        : file_(file), contents_(contents), layers_(kerasLayers(*contents.model)) {
        for (const VariableView& variable : contents.variables) {
            by_name_[variable.name] = &variable;
        }
        slots_ = kerasSlots(*contents.model, contents.optimizer);
        has_optimizer_ = std::all_of(slots_.begin(), slots_.end(), [&](const KerasSlot& slot) { return by_name_.contains(slot.name); });
    }

    Hdf5Node keras3() const {
        Hdf5Node root;
        root.group("vars").attributes["name"] = {contents_.model->name};
        root.group("layers");
        for (const KerasLayer& layer : layers_) {
            for (const std::string& group : layer.groups) {
                root.group(group);
            }
            root.group(layer.groups.front()).attributes["name"] = {layer.name};
            for (const std::vector<KerasVariable>* variables : {&layer.copies, &layer.variables}) {
                for (const KerasVariable& variable : *variables) root.group(variable.path) = values(variable.name);
            }
        }
        if (const spec::LayerSpec* texts = spec::textLayer(*contents_.model)) addTextWeights(*texts, root);
        if (has_optimizer_) {
            const auto fill = [&root](const std::string& path, const std::string& name, const auto& state) {
                Hdf5Node& group = root.group(path);
                group.attributes["name"] = {name};
                for (const auto& [unused, node] : state) {
                    const std::string index = std::to_string(group.children.size());
                    group.children[index] = node;
                }
            };
            if (scalesLoss(contents_)) {
                fill("optimizer/inner_optimizer/vars", optimizerName(), optimizerState());
            }
            fill("optimizer/vars", scalesLoss(contents_) ? kLossScale : optimizerName(), wholeState());
        }
        return root;
    }

    Hdf5Node keras2(const spec::CompileSpec& compile) const {
        Hdf5Node root;
        root.attributes["keras_version"] = {kWritten};
        root.attributes["backend"] = {"tensorflow"};
        root.attributes["model_config"] = {spec::toKerasModelConfig(*contents_.model)};
        root.attributes["training_config"] = {spec::toKerasTrainingConfig(compile)};
        Hdf5Node& weights = root.group("model_weights");
        weights.attributes["keras_version"] = {kWritten};
        weights.attributes["backend"] = {"tensorflow"};
        weights.attributes["layer_names"] = {};
        weights.group("top_level_model_weights").attributes["weight_names"] = {};
        for (const KerasLayer& layer : layers_) {
            weights.attributes["layer_names"].push_back(layer.name);
            std::vector<std::string> names;
            for (const KerasVariable& variable : layer.variables) {
                if (variable.is_named) continue;
                names.push_back(contents_.model->name + "/" + variable.name);
                weights.group(layer.name + "/" + names.back()) = values(variable.name);
            }
            weights.group(layer.name).attributes["weight_names"] = names;
        }
        if (has_optimizer_) {
            Hdf5Node& group = root.group("optimizer_weights");
            std::vector<std::string> names;
            for (const auto& [name, node] : wholeState()) {
                names.push_back(name);
                group.group(name) = node;
            }
            group.attributes["weight_names"] = names;
        }
        return root;
    }

private:
    Hdf5Node values(const std::string& name) const {
        const auto found = by_name_.find(name);
        if (found == by_name_.end()) {
            throw Error(ErrorCode::kInvalidArgument, file_ + ": expected values of " + name + ", got none");
        }
        if (isWholeNumber(name)) {
            return {.kind = Hdf5Node::Kind::kIntegers, .integers = {static_cast<std::int64_t>(found->second->values[0])}};
        }
        return {.kind = Hdf5Node::Kind::kFloats,
                .shape = found->second->shape,
                .floats = {found->second->values.begin(), found->second->values.end()}};
    }

    std::string optimizerName() const {
        return spec::automaticLayerName(contents_.optimizer.class_name, {});  // snake case
    }

    // The whole state, each part with its owner's name; that of a LossScaleOptimizer comes first, where there is one.
    std::vector<std::pair<std::string, Hdf5Node>> wholeState() const {
        std::vector<std::pair<std::string, Hdf5Node>> whole;
        const bool scales = scalesLoss(contents_);
        if (scales) {
            const auto number = [this](std::string_view name) { return by_name_.at(std::string(name))->values[0]; };
            const auto counter = static_cast<std::int64_t>(number(spec::kStepCounter));
            const std::pair<const char*, Hdf5Node> own[] = {
                {"iteration", {.kind = Hdf5Node::Kind::kIntegers, .integers = {0}}},
                {"learning_rate", {.kind = Hdf5Node::Kind::kFloats, .floats = {0.0F}}},
                {"step_counter", {.kind = Hdf5Node::Kind::kIntegers, .integers = {counter}}},
                {"dynamic_scale", {.kind = Hdf5Node::Kind::kFloats, .floats = {number(spec::kDynamicScale)}}}};
            for (const auto& [name, node] : own) {
                whole.emplace_back(std::string(kLossScale) + "/" + name, node);
            }
        }
        for (auto& [name, node] : optimizerState()) {
            const bool is_slot = scales && !node.shape.empty();  // Keras names them by the way through both
            whole.emplace_back((is_slot ? std::string(kLossScale) + "/" : "") + optimizerName() + "/" + name, std::move(node));
        }
        return whole;
    }

    std::vector<std::pair<std::string, Hdf5Node>> optimizerState() const {
        std::vector<std::pair<std::string, Hdf5Node>> state;
        state.push_back({"iteration", {.kind = Hdf5Node::Kind::kIntegers, .integers = {contents_.iterations}}});
        if (contents_.optimizer.config.getObject("learning_rate") == nullptr) {
            state.push_back({"learning_rate", {.kind = Hdf5Node::Kind::kFloats, .floats = {contents_.learning_rate}}});
        }
        for (const KerasSlot& slot : slots_) {
            std::string name = contents_.model->name + "/" + slot.name;
            std::replace_if(
                name.begin(), name.end(), [](char c) { return c == '/' || c == ':'; }, '_');
            const Hdf5Node number{.kind = Hdf5Node::Kind::kIntegers, .integers = {0}};
            state.emplace_back(std::move(name), slot.is_placeholder ? number : values(slot.name));
        }
        if (keepsMomentumProduct(contents_.optimizer)) {
            state.push_back({"u_product", {.kind = Hdf5Node::Kind::kFloats, .floats = {momentumProduct()}}});
        }
        return state;
    }

    // Keras asks for them where it reads a layer with tf_idf.
    void addTextWeights(const spec::LayerSpec& layer, Hdf5Node& root) const {
        const std::vector<float> weights = spec::textWeights(layer);
        if (weights.empty()) return;
        for (const std::string& group : layers_.front().groups) {
            Hdf5Node& node = root.group(group + "/" + kTextWeights);
            node = {.kind = Hdf5Node::Kind::kFloats, .shape = {static_cast<std::int64_t>(weights.size())}, .floats = weights};
        }
    }

    // Nadam's: of b1 (1 - 0.96^t / 2) over the steps so far.
    float momentumProduct() const {
        const double b1 = spec::settingsOf(spec::optimizerSchemas(), contents_.optimizer).getDouble("beta_1");
        std::int64_t every = 0;  // only every so manyth step changes weights
        spec::settingsOf(spec::optimizerSchemas(), contents_.optimizer).read("gradient_accumulation_steps", every);
        double product = 1;
        for (std::int64_t t = 1; t <= contents_.iterations / std::max<std::int64_t>(every, 1) && product > 0; ++t) {
            product *= b1 * (1 - std::pow(0.96, static_cast<double>(t)) / 2);
        }
        return static_cast<float>(product);
    }

    const std::string& file_;
    const CheckpointContents& contents_;
    const std::vector<KerasLayer> layers_;
    std::map<std::string, const VariableView*> by_name_;
    std::vector<KerasSlot> slots_;
    bool has_optimizer_ = false;
};

spec::ModelSpec withTakenOf(const CheckpointContents& contents) {
    spec::ModelSpec model = *contents.model;
    for (spec::LayerSpec& layer : model.layers) {
        layer = spec::withTaken(layer, [&](const std::string& name) -> std::span<const float> {
            const auto found = std::find_if(contents.variables.begin(), contents.variables.end(),
                                            [&](const VariableView& one) { return one.name == layer.name + "/" + name; });
            if (found == contents.variables.end()) {
                throw Error(ErrorCode::kInvalidArgument, layer.name + "/" + name + ": expected its values, got none");
            }
            return found->values;
        });
    }
    return model;
}

std::string metadataJson() {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    std::array<char, 32> date{};
    std::strftime(date.data(), date.size(), "%Y-%m-%d@%H:%M:%S", &local);
    return std::string(R"({"keras_version": ")") + kWritten + R"(", "date_saved": ")" + date.data() + "\"}";
}

constexpr std::string_view kArrays = ".npz";

// Weights alone: every slot is missing.
RestoredState readArrays(const std::filesystem::path& file, std::span<const MutableVariableView> variables) {
    RestoredState state;
    std::vector<MutableVariableView> weights;
    for (const MutableVariableView& variable : variables) {
        if (variable.name.find(':') == std::string::npos) {
            weights.push_back(variable);
        } else {
            state.missing.push_back(variable.name);
        }
    }
    readNpzWeights(file, weights);
    return state;
}

}  // namespace

bool isKerasFileName(const std::filesystem::path& file) {
    const std::string extension = file.extension().string();
    return extension == ".keras" || extension == ".h5" || extension == ".hdf5" || extension == kArrays;
}

bool hasModelByName(const std::filesystem::path& file) {
    const std::string name = file.string();
    return (name.ends_with(".keras") || name.ends_with(".h5")) && !name.ends_with(".weights.h5");
}

spec::KerasConfig readKerasModel(const std::filesystem::path& file) {
    return modelIn(open(file, Want::kModel));
}

void takeVocabulary(const std::filesystem::path& file, spec::ModelSpec& model) {
    const spec::LayerSpec* own = spec::textLayer(model);
    if (own == nullptr || !spec::isAdapted(*own) || !isKerasFileName(file) || file.extension() == kArrays) return;
    const Opened opened = open(file, Want::kModel);
    if (!hasModel(opened)) return;
    const spec::ModelSpec theirs = modelIn(opened).model;
    const spec::LayerSpec* given = spec::textLayer(theirs);
    if (given == nullptr || given->class_name != own->class_name || !spec::hasVocabulary(*given)) return;
    spec::Fields& config = model.layers.front().config;
    const bool weighs = spec::settingsOf(*own).getString("output_mode") == "tf_idf";
    if (!weighs) {
        config.set("vocabulary", spec::textTable(*given).tokens);
        return;
    }
    const spec::FieldValue *texts = given->config.find("vocabulary"), *weights = given->config.find(kTextWeights);
    if (weights == nullptr) return;
    config.set("vocabulary", *texts);
    config.set(kTextWeights, *weights);
}

RestoredState readKerasWeights(const std::filesystem::path& file, const spec::ModelSpec& model, const spec::ObjectSpec& optimizer,
                               std::span<const MutableVariableView> variables) {
    if (file.extension() == kArrays) return readArrays(file, variables);
    const Opened opened = open(file, Want::kWeights);
    if (!opened.tree) {
        throw Error(ErrorCode::kInvalidArgument, opened.name + ": expected weights, got JSON, which holds none");
    }
    return WeightsReader(opened, model, optimizer, variables).run();
}

void readWeights(const std::filesystem::path& file, const spec::ModelSpec& model, std::span<const MutableVariableView> variables) {
    std::vector<MutableVariableView> weights;
    std::copy_if(variables.begin(), variables.end(), std::back_inserter(weights),
                 [](const MutableVariableView& view) { return view.name.find(':') == std::string::npos; });
    if (isKerasFileName(file)) {
        readKerasWeights(file, model, {}, weights);
        return;
    }
    if (isBackupFileName(file)) {
        readBackupByName(file, weights);
        return;
    }
    if (isOnnxFileName(file)) {
        readOnnxWeights(file, model, weights);
        return;
    }
    const auto prefix = latestCheckpoint(file);
    if (!prefix) {
        throw Error(ErrorCode::kNotFound, file.string() +
                                              ": expected weights (.weights.h5, .keras, .h5 or .onnx, the prefix of a TensorFlow "
                                              "checkpoint, or a folder with a file \"checkpoint\"), found none");
    }
    readTfCheckpoint(*prefix, model, weights);
}

std::int64_t writeKerasFile(const files::Place& file, const CheckpointContents& given, const spec::CompileSpec& compile) {
    ENGINE_CHECK(given.model != nullptr);
    const std::string name = file.path().string();
    // A file with the model has what its first layer took from the samples in the layer's fields, as Keras has it.
    const spec::ModelSpec model = hasModelByName(file.path()) ? withTakenOf(given) : *given.model;
    CheckpointContents contents = given;
    contents.model = &model;
    const WeightsWriter weights(name, contents);
    spec::CompileSpec written = compile;
    if (scalesLoss(contents) && !written.loss_scale) written.loss_scale.emplace();  // of a model of float16: Keras' own
    std::string bytes;
    if (name.ends_with(".weights.h5")) {
        bytes = writeHdf5(weights.keras3());
    } else if (name.ends_with(".keras")) {
        bytes = writeZip({{"metadata.json", metadataJson()},
                          {"config.json", spec::toKerasConfig(*contents.model, &written)},
                          {kWeightsMember, writeHdf5(weights.keras3())}});
    } else if (name.ends_with(".h5")) {
        bytes = writeHdf5(weights.keras2(written));
    } else if (name.ends_with(kArrays)) {
        bytes = npzWeights(contents);
    } else {
        throw Error(ErrorCode::kInvalidArgument, name + ": expected a name that ends in .weights.h5, .keras, .h5 or .npz");
    }
    writeFileAtomically(file, bytes);
    return static_cast<std::int64_t>(bytes.size());
}

}  // namespace engine::exporter
