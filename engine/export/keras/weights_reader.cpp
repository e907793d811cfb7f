#include "engine/export/keras/weights_reader.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/export/index/name_index.h"
#include "engine/export/keras_layout.h"
#include "engine/export/keras_names.h"
#include "engine/spec/catalog/adapted_layer.h"
#include "engine/spec/catalog/dtype_policy.h"
#include "engine/spec/catalog/lookup_table.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/error.h"
#include "engine/spec/shape.h"

namespace engine::exporter {
namespace {

std::string shapeText(const spec::Shape& shape) {
    std::string text = "(";
    for (const std::int64_t size : shape) {
        text += (text.size() > 1 ? ", " : "") + std::to_string(size);
    }
    return text + (shape.size() == 1 ? ",)" : ")");
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

// One of the file's data sets, with where it lies.
struct Stored {
    std::string path;
    const Hdf5Node* node;
};

// Fills a caller's variables from a file's tree: everything is found and checked before the first value is written.
class WeightsReader {
public:
    WeightsReader(const OpenedKerasFile& opened, const spec::ModelSpec& model, const spec::ObjectSpec& optimizer,
                  std::span<const MutableVariableView> variables)
        : opened_(opened),
          name_(opened.name),
          tree_(*opened.tree),
          model_(model),
          layers_(kerasLayers(model)),
          optimizer_(optimizer),
          by_name_(variables),
          own_layers_(model.layers) {}

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

    const MutableVariableView* target(std::string_view name) const { return by_name_.find(name); }

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
        std::set<std::string, CountedLess> expected;
        for (const KerasLayer& layer : layers_) {
            std::map<std::string_view, std::vector<const KerasVariable*>, CountedLess> members;  // by group
            for (const std::vector<KerasVariable>* variables : {&layer.copies, &layer.variables}) {
                for (const KerasVariable& variable : *variables) {
                    members[std::string_view(variable.path).substr(0, variable.path.rfind('/'))].push_back(&variable);
                }
            }
            for (const std::string& group : layer.groups) {
                expected.insert(inFile(group));
                matchGroup(layer, members[group], inFile(group));
            }
        }
        rejectOthers(top, expected);
    }

    // `members`: the layer's variables of that group.
    void matchGroup(const KerasLayer& layer, const std::vector<const KerasVariable*>& members, const std::string& in_file) {
        std::vector<const KerasVariable*> wanted;
        for (const KerasVariable* variable : members) {
            if (variable->is_named) {
                matchNamed(*variable, in_file);
            } else {
                wanted.push_back(variable);
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
        const spec::LayerSpec* own = own_layers_.find(layer.name);
        const MutableVariableView* view = target(layer.variables.front().name);
        if (own != nullptr && view != nullptr) taken_.emplace_back(view, spec::idfWeights(spec::settingsOf(*own)));
    }

    // What the file's own model has in the fields of that layer.
    void takeFields(const KerasLayer& layer) {
        const spec::LayerSpec* own = own_layers_.find(layer.name);
        ENGINE_CHECK(own != nullptr);
        const auto index = static_cast<std::size_t>(own - model_.layers.data());
        if (!theirs_) theirs_ = modelIn(opened_).model.layers;
        const std::vector<spec::LayerSpec>& theirs = *theirs_;
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
    void rejectOthers(const std::string& path, const std::set<std::string, CountedLess>& expected) const {
        const Hdf5Node* node = tree_.find(path);
        for (const auto& [name, child] : node->children) {
            const std::string below = path + "/" + name;
            if (child.kind != Hdf5Node::Kind::kGroup || name == "seed_generator") {
                continue;
            }
            if (name == "vars" && !child.children.empty() && !expected.contains(below)) {
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

    const OpenedKerasFile& opened_;
    const std::string& name_;
    const Hdf5Node& tree_;
    const spec::ModelSpec& model_;
    const std::vector<KerasLayer> layers_;
    const spec::ObjectSpec& optimizer_;
    const NameIndex<MutableVariableView> by_name_;
    const NameIndex<spec::LayerSpec> own_layers_;
    std::optional<std::vector<spec::LayerSpec>> theirs_;  // of the file's own model, once they were asked for
    std::vector<std::pair<const MutableVariableView*, const Hdf5Node*>> found_;
    std::vector<std::pair<const MutableVariableView*, float>> numbers_;
    std::vector<std::pair<const MutableVariableView*, std::vector<float>>> taken_;  // by fields
    RestoredState result_;
};

}  // namespace

RestoredState readKerasTree(const OpenedKerasFile& opened, const spec::ModelSpec& model, const spec::ObjectSpec& optimizer,
                            std::span<const MutableVariableView> variables) {
    return WeightsReader(opened, model, optimizer, variables).run();
}

}  // namespace engine::exporter
