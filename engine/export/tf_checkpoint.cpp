#include "engine/export/tf_checkpoint.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <utility>

#include "engine/export/atomic_file.h"
#include "engine/export/index/name_index.h"
#include "engine/export/keras_names.h"
#include "engine/export/object_graph.h"
#include "engine/export/tensor_bundle.h"
#include "engine/spec/catalog/dtype_policy.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/catalog/optimizer_table.h"
#include "engine/spec/error.h"
#include "engine/spec/shape.h"

namespace engine::exporter {
namespace {

bool isSlot(std::string_view name) {
    return name.find(':') != std::string_view::npos;
}

std::string shapeText(const spec::Shape& shape) {
    std::string text = "(";
    for (const std::int64_t size : shape) {
        text += (text.size() > 1 ? ", " : "") + std::to_string(size);
    }
    return text + ")";
}

std::string_view asBytes(std::span<const float> values) {
    return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

// CheckpointState's file and fields.
constexpr const char* kStateFile = "checkpoint";
constexpr std::string_view kLatestField = "model_checkpoint_path", kPathsField = "all_model_checkpoint_paths",
                           kTimesField = "all_model_checkpoint_timestamps", kPreservedField = "last_preserved_timestamp";

// Text-format strings: C escapes.
std::string inQuotes(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out.push_back('\\');
        }
        if (c == '\n') {
            out += "\\n";
            continue;
        }
        out.push_back(c);
    }
    return out + "\"";
}

constexpr double kLatestSecond = 1e12;  // no file that a person keeps is of a later one

// The seconds as protobuf prints a double: "1717524520.0", "1717524460.4379776".
std::string secondsText(double seconds) {
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), seconds, std::chars_format::fixed).ptr;
    const std::string text(digits.data(), end);
    return text + (text.find('.') == std::string::npos ? ".0" : "");
}

std::optional<double> secondsOf(std::string_view text) {
    double seconds = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    const bool is_time = fault == std::errc() && end == text.data() + text.size() && seconds >= 0 && seconds < kLatestSecond;
    return is_time ? std::optional(seconds) : std::nullopt;
}

// The fields of a text with a "name: value" in each line.
std::vector<std::pair<std::string, std::string>> fieldsOf(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r";
    std::vector<std::pair<std::string, std::string>> fields;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos) continue;
        std::string_view value = line.substr(colon + 1);
        value.remove_prefix(std::min(value.find_first_not_of(kBlanks), value.size()));
        value = value.substr(0, value.find_last_not_of(kBlanks) + 1);
        fields.emplace_back(line.substr(0, colon), value);
    }
    return fields;
}

std::optional<std::string> withoutQuotes(std::string_view text) {
    if (text.size() < 2 || (text.front() != '"' && text.front() != '\'') || text.back() != text.front()) {
        return std::nullopt;
    }
    text = text.substr(1, text.size() - 2);
    std::string out;
    for (std::size_t k = 0; k < text.size(); ++k) {
        if (text[k] != '\\' || k + 1 == text.size()) {
            out.push_back(text[k]);
        } else if (const char c = text[++k]; c >= '0' && c <= '7') {
            int value = 0;
            for (int digits = 0; digits < 3 && k < text.size() && text[k] >= '0' && text[k] <= '7'; ++digits) {
                value = value * 8 + (text[k++] - '0');
            }
            --k;
            out.push_back(static_cast<char>(value));
        } else {
            out.push_back(c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c);
        }
    }
    return out;
}

// What a reading plan says of one of the caller's variables: the tensor that fills it.
struct Found {
    const MutableVariableView* target;
    std::string key;
};

class Restorer {
public:
    Restorer(const std::filesystem::path& prefix, const spec::ModelSpec& model, std::span<const MutableVariableView> variables)
        : prefix_(prefix), model_(model), variables_(variables), by_name_(variables), bundle_(prefix) {}

    RestoredState run() {
        if (bundle_.find(std::string(kGraphKey)) != nullptr) {
            formats::ObjectGraph graph;
            if (!graph.ParseFromString(bundle_.readString(std::string(kGraphKey))) || graph.nodes_size() == 0) {
                throw Error(ErrorCode::kDataLoss, "checkpoint " + prefix_.string() + ": its object graph can't be read");
            }
            walkGraph(GraphWalker(std::move(graph)));
        } else {
            walkNames();
        }
        fill();
        return std::move(state_);
    }

private:
    const MutableVariableView* findVariable(std::string_view name) const { return by_name_.find(name); }

    // The caller's weights of a layer, in their order.
    std::vector<const MutableVariableView*> weightsOf(const std::string& layer) const {
        std::vector<const MutableVariableView*> own = by_name_.below(layer);
        std::erase_if(own, [](const MutableVariableView* variable) { return isSlot(variable->name); });
        return own;
    }

    void walkGraph(const GraphWalker& graph) {
        const std::vector<int> layers = graph.weightedLayers();
        std::size_t at = 0;
        std::map<std::string, int> variable_nodes;
        std::vector<std::string> trainable;
        const auto weighted = std::count_if(model_.layers.begin(), model_.layers.end(),
                                            [&](const spec::LayerSpec& layer) { return !weightsOf(layer.name).empty(); });
        const bool lacks_layers = std::cmp_less(layers.size(), weighted);
        for (const spec::LayerSpec& layer : model_.layers) {
            const auto own = weightsOf(layer.name);
            if (own.empty()) {
                continue;
            }
            if (lacks_layers && spec::isStack(layer) && findTrained(graph, layer, trainable, variable_nodes)) {
                continue;
            }
            if (at == layers.size()) {
                throw Error(ErrorCode::kNotFound, "checkpoint " + prefix_.string() + ": expected weights of layer " + layer.name +
                                                      ", it holds " + std::to_string(layers.size()) + " layers with weights");
            }
            for (const MutableVariableView* weight : own) {
                const VariableEdges edges = variableEdges(layer, std::string_view(weight->name).substr(layer.name.size() + 1));
                const auto node = findVariableNode(graph, layers[at], edges);
                const auto key = node ? graph.key(*node) : std::nullopt;
                if (!key) {
                    throw Error(ErrorCode::kNotFound, "checkpoint " + prefix_.string() + ": no tensor for " + weight->name);
                }
                found_.push_back({weight, *key});
                variable_nodes[weight->name] = *node;
                if (edges.trainable && spec::isTrainable(layer)) {
                    trainable.push_back(weight->name);
                }
            }
            ++at;
        }
        if (at < layers.size()) {
            throw Error(ErrorCode::kInvalidArgument, "checkpoint " + prefix_.string() + ": expected " + std::to_string(at) +
                                                         " layers with weights as the model has, it holds " +
                                                         std::to_string(layers.size()));
        }
        if (const auto optimizer = graph.optimizer()) {
            const auto inner = graph.find(*optimizer, "inner_optimizer");
            if (inner) {
                walkLossScale(graph, *optimizer);
            }
            walkOptimizer(graph, inner.value_or(*optimizer), trainable, variable_nodes);
        }
    }

    // Finds a layer's weights in the optimizer's list of all that it trains, behind those that are in it already: nothing else leads to the
    // cells of a stack in Keras 3. False, with nothing done, where it has not as many.
    bool findTrained(const GraphWalker& graph, const spec::LayerSpec& layer, std::vector<std::string>& trainable,
                     std::map<std::string, int>& variable_nodes) {
        const auto own = weightsOf(layer.name);
        const std::vector<spec::LayerSpec> cells = spec::nestedLayers(layer);
        const bool trains = std::all_of(cells.begin(), cells.end(), [](const spec::LayerSpec& cell) { return spec::isTrainable(cell); });
        const auto optimizer = graph.optimizer();
        std::vector<int> nodes;
        for (std::size_t k = 0; k < own.size() && trains && optimizer; ++k) {
            const std::string at = "_trainable_variables/" + std::to_string(trainable.size() + k);
            auto node = graph.find(*optimizer, at);
            if (!node) node = graph.find(*optimizer, "inner_optimizer/" + at);
            if (node && graph.key(*node)) nodes.push_back(*node);
        }
        if (nodes.size() < own.size()) return false;
        for (std::size_t k = 0; k < own.size(); ++k) {
            found_.push_back({own[k], *graph.key(nodes[k])});
            variable_nodes[own[k]->name] = nodes[k];
            trainable.push_back(own[k]->name);
        }
        return true;
    }

    static std::optional<int> findVariableNode(const GraphWalker& graph, int layer, const VariableEdges& edges) {
        if (const auto node = graph.find(layer, edges.path)) {
            return node;
        }
        if (edges.keras3_name.empty()) {
            return std::nullopt;
        }
        const std::size_t slash = edges.path.rfind('/');
        return graph.find(layer, (slash == std::string::npos ? "" : edges.path.substr(0, slash + 1)) + edges.keras3_name);
    }

    // Reads a LossScaleOptimizer: its values are scalars there and slots of one value here.
    void walkLossScale(const GraphWalker& graph, int optimizer) {
        const auto keyOf = [&](std::string_view edge) {
            const auto node = graph.find(optimizer, edge);
            return node ? graph.key(*node) : std::nullopt;
        };
        const auto scale = keyOf("dynamic_scale"), counter = keyOf("step_counter");
        const MutableVariableView *of_scale = findVariable(std::string(spec::kDynamicScale)),
                                  *of_counter = findVariable(std::string(spec::kStepCounter));
        if (scale && counter && of_scale != nullptr && of_counter != nullptr) {
            const std::vector<float> value = bundle_.readFloats(*scale);
            if (value.size() == 1) {
                numbers_ = {{of_scale, value[0]}, {of_counter, static_cast<float>(bundle_.readInt(*counter))}};
            }
        }
    }

    void walkOptimizer(const GraphWalker& graph, int optimizer, const std::vector<std::string>& trainable,
                       const std::map<std::string, int>& variable_nodes) {
        for (const std::string_view name : {"_iterations", "iter"}) {
            if (const auto node = graph.find(optimizer, name); node && graph.key(*node)) {
                state_.iterations = bundle_.readInt(*graph.key(*node));
                break;
            }
        }
        for (const std::string_view name : {"_learning_rate", "_current_learning_rate", "learning_rate"}) {
            if (const auto node = graph.find(optimizer, name); node && graph.key(*node)) {
                const std::vector<float> rate = bundle_.readFloats(*graph.key(*node));
                if (rate.size() == 1) {
                    state_.learning_rate = rate[0];
                    break;
                }
            }
        }
        if (!walkNumberedSlots(graph, optimizer, trainable, variable_nodes))
            walkLists(graph, optimizer, trainable, variable_nodes, allSlotLists());
    }

    // Slots are asked for by name; every optimizer's lists are tried, since the caller's names say which it has.
    void walkLists(const GraphWalker& graph, int optimizer, const std::vector<std::string>& trainable,
                   const std::map<std::string, int>& variable_nodes, const std::vector<SlotList>& lists) {
        for (std::size_t k = 0; k < trainable.size(); ++k) {
            for (const SlotList& list : lists) {
                const MutableVariableView* target = findVariable(trainable[k] + ":" + list.slot);
                if (target == nullptr) {
                    continue;
                }
                std::optional<int> node = graph.legacySlot(optimizer, variable_nodes.at(trainable[k]), list.slot);
                for (const std::string& edge : list.edges) {
                    if (!node) {
                        node = graph.find(optimizer, edge + "/" + std::to_string(k));
                    }
                }
                if (node && graph.key(*node)) {
                    found_.push_back({target, *graph.key(*node)});
                }
            }
        }
    }

    // The slots of an optimizer whose checkpoints have them in Keras' list of all its variables alone. False where the caller asks for
    // those of another, where the file has lists of slots, or where that one has not as many of their shapes.
    bool walkNumberedSlots(const GraphWalker& graph, int optimizer, const std::vector<std::string>& trainable,
                           const std::map<std::string, int>& variable_nodes) {
        const auto all = graph.find(optimizer, kNumberedSlots);
        for (const SlotList& list : allSlotLists()) {
            for (const std::string& edge : list.edges) {
                const auto node = graph.find(optimizer, edge);
                if (!list.of_any_optimizer && node && graph.children(*node) > 0) return false;
            }
        }
        for (const spec::OptimizerRow& row : spec::optimizerTable()) {
            if (!row.numbers_slots || !all) continue;
            std::vector<const MutableVariableView*> asked;
            bool asks_each = true;
            for (const spec::OptimizerSlot& slot : row.slots) {
                asks_each = asks_each && std::any_of(trainable.begin(), trainable.end(), [&](const std::string& variable) {
                                return findVariable(variable + ":" + std::string(slot.name)) != nullptr;
                            });
            }
            if (!asks_each) continue;
            for (const std::string& variable : trainable) {
                for (const spec::OptimizerSlot& slot : row.slots) {
                    if (const auto* target = findVariable(variable + ":" + std::string(slot.name))) asked.push_back(target);
                }
            }
            // Those of any optimizer come before them, and have lists of their own, too.
            const std::size_t count = graph.children(*all);
            if (count <= asked.size()) continue;
            std::vector<Found> found;
            for (std::size_t i = 0; i < asked.size(); ++i) {
                const auto node = graph.find(*all, std::to_string(count - asked.size() + i));
                const auto key = node ? graph.key(*node) : std::nullopt;
                const BundleReader::Entry* entry = key ? bundle_.find(*key) : nullptr;
                if (entry == nullptr || entry->shape != asked[i]->shape) break;
                found.push_back({asked[i], *key});
            }
            if (found.size() != asked.size()) continue;
            found_.insert(found_.end(), found.begin(), found.end());
            std::vector<SlotList> common = allSlotLists();
            std::erase_if(common, [](const SlotList& list) { return !list.of_any_optimizer; });
            walkLists(graph, optimizer, trainable, variable_nodes, common);
            return true;
        }
        return false;
    }

    // A TensorFlow 1 Saver's file: tensors under the variables' own names.
    void walkNames() {
        static const std::map<std::string, std::string> kSlotSuffix{{"m", "/Adam"}, {"v", "/Adam_1"}, {"momentum", "/Momentum"}};
        for (const MutableVariableView& variable : variables_) {
            const std::size_t colon = variable.name.find(':');
            std::string key = variable.name.substr(0, colon);
            if (colon != std::string::npos) {
                const auto suffix = kSlotSuffix.find(variable.name.substr(colon + 1));
                if (suffix == kSlotSuffix.end()) {
                    continue;
                }
                key += suffix->second;
            }
            if (bundle_.find(key) != nullptr) {
                found_.push_back({&variable, key});
            } else if (colon == std::string::npos) {
                throw Error(ErrorCode::kNotFound, "checkpoint " + prefix_.string() + ": no tensor \"" + key + "\"");
            }
        }
        if (bundle_.find("global_step") != nullptr) {
            state_.iterations = bundle_.readInt("global_step");
        }
    }

    // Everything is read and checked before the first value is written.
    void fill() {
        std::vector<std::vector<float>> values;
        for (const Found& found : found_) {
            const BundleReader::Entry* entry = bundle_.find(found.key);
            if (entry == nullptr) {
                throw Error(ErrorCode::kDataLoss,
                            "checkpoint " + prefix_.string() + ": its graph names \"" + found.key + "\", which is missing");
            }
            if (entry->shape != found.target->shape) {
                throw Error(ErrorCode::kInvalidArgument, "checkpoint " + prefix_.string() + ": " + found.target->name +
                                                             ": expected shape " + shapeText(found.target->shape) + ", got " +
                                                             shapeText(entry->shape));
            }
            const bool is_number =
                isWholeNumber(found.target->name) ||
                (entry->type == BundleType::kInt32 && entry->shape.empty());  // or in the place of a slot that nobody uses
            values.push_back(is_number ? std::vector<float>{static_cast<float>(bundle_.readInt(found.key))}
                                       : bundle_.readFloats(found.key));
        }
        bundle_.verifyRest();
        for (std::size_t k = 0; k < found_.size(); ++k) {
            std::copy(values[k].begin(), values[k].end(), found_[k].target->values.begin());
        }
        for (const auto& [target, value] : numbers_) {
            target->values[0] = value;
        }
        std::set<const MutableVariableView*> filled;
        for (const Found& found : found_) filled.insert(found.target);
        for (const auto& [target, value] : numbers_) filled.insert(target);
        for (const MutableVariableView& variable : variables_) {
            if (variable.name == spec::kStepsLeftOut) {
                continue;  // of this run
            }
            if (!filled.contains(&variable) && isSlot(variable.name)) {
                state_.missing.push_back(variable.name);
            }
        }
    }

    const std::filesystem::path& prefix_;
    const spec::ModelSpec& model_;
    std::span<const MutableVariableView> variables_;
    const NameIndex<MutableVariableView> by_name_;
    BundleReader bundle_;
    std::vector<Found> found_;
    std::vector<std::pair<const MutableVariableView*, float>> numbers_;
    RestoredState state_;
};

}  // namespace

std::int64_t writeTfCheckpoint(const files::Place& prefix, const CheckpointContents& contents) {
    ENGINE_CHECK(contents.model != nullptr);
    std::vector<std::string> weights;
    std::map<std::string, const VariableView*, CountedLess> by_name;
    for (const VariableView& variable : contents.variables) {
        by_name[variable.name] = &variable;
        if (!isSlot(variable.name)) {
            weights.push_back(variable.name);
        }
    }
    const auto scale = by_name.find(std::string(spec::kDynamicScale)), counter = by_name.find(std::string(spec::kStepCounter));
    const bool scales_loss = scale != by_name.end() && counter != by_name.end();
    const BuiltGraph built =
        buildObjectGraph(*contents.model, weights, contents.optimizer, scales_loss ? LossScaling::kDynamic : LossScaling::kNone);
    BundleWriter bundle;
    const auto add = [&](const std::string& variable, const std::string& key) {
        const auto found = by_name.find(variable);
        if (found == by_name.end()) {
            throw Error(ErrorCode::kInternal, "checkpoint " + prefix.path().string() + ": no values for " + variable);
        }
        if (isWholeNumber(variable)) return bundle.addScalar(key, static_cast<std::int64_t>(found->second->values[0]));
        bundle.add(key, BundleType::kFloat, found->second->shape, asBytes(found->second->values));
    };
    for (const auto& weight : built.keys.weights) {
        add(weight.variable, weight.key);
    }
    bundle.addScalar(built.keys.save_counter, contents.save_counter);
    bundle.addScalar(built.keys.iterations, contents.iterations);
    bundle.addScalar(built.keys.learning_rate, contents.learning_rate);
    if (scales_loss) {
        bundle.addScalar(built.keys.step_counter, static_cast<std::int64_t>(counter->second->values[0]));
        bundle.addScalar(built.keys.dynamic_scale, scale->second->values[0]);
    }
    for (const auto& slot : built.keys.slots) {
        if (slot.is_placeholder) {
            bundle.add(slot.key, BundleType::kInt32, {}, std::string_view("\0\0\0\0", sizeof(std::int32_t)));
        } else {
            add(slot.variable, slot.key);
        }
    }
    bundle.addString(std::string(kGraphKey), built.graph.SerializeAsString());
    return bundle.write(prefix);
}

void writeCheckpointState(const files::Place& folder, const CheckpointState& state) {
    ENGINE_CHECK(!state.prefixes.empty() && (state.timestamps.empty() || state.timestamps.size() == state.prefixes.size()));
    const auto shortName = [&](const std::filesystem::path& prefix) {
        const std::filesystem::path relative = prefix.lexically_relative(folder.path());
        return prefix.is_relative() || relative.empty() || *relative.begin() == ".." ? prefix.string() : relative.string();
    };
    std::string text = std::string(kLatestField) + ": " + inQuotes(shortName(state.prefixes.back())) + "\n";
    const auto add = [&](std::string_view field, const std::string& value) { text += std::string(field) + ": " + value + "\n"; };
    for (const std::string& prefix : state.prefixes) add(kPathsField, inQuotes(shortName(prefix)));
    for (const double time : state.timestamps) add(kTimesField, secondsText(time));
    if (state.last_preserved) add(kPreservedField, secondsText(*state.last_preserved));
    writeFileAtomically(folder / kStateFile, text);
}

std::optional<CheckpointState> readCheckpointState(const files::Place& folder) {
    if (!(folder / kStateFile).exists()) return std::nullopt;
    CheckpointState state;
    std::optional<std::string> latest;
    for (const auto& [field, value] : fieldsOf(readFile(folder / kStateFile))) {
        const std::optional<std::string> name = withoutQuotes(value);
        if (field == kLatestField && name) latest = (folder.path() / *name).string();
        if (field == kPathsField && name) state.prefixes.push_back((folder.path() / *name).string());
        const std::optional<double> time = secondsOf(value);
        if (field == kTimesField && time) state.timestamps.push_back(*time);
        if (field == kPreservedField) state.last_preserved = time;
    }
    if (!latest) return std::nullopt;
    if (state.timestamps.size() != state.prefixes.size()) state.timestamps.clear();
    if (state.prefixes.empty() || state.prefixes.back() != *latest) {  // a program may name the latest one alone
        state.prefixes = {*latest};
        state.timestamps.clear();
    }
    return state;
}

std::optional<std::filesystem::path> latestCheckpoint(const std::filesystem::path& folder_or_prefix) {
    std::error_code ignored;
    if (std::filesystem::exists(folder_or_prefix.string() + ".index", ignored)) {
        return folder_or_prefix;
    }
    if (!std::filesystem::is_regular_file(folder_or_prefix / kStateFile, ignored)) {
        return std::nullopt;
    }
    const std::optional<CheckpointState> state = readCheckpointState(folder_or_prefix);
    if (!state) {
        return std::nullopt;
    }
    const std::filesystem::path prefix = state->prefixes.back();
    return std::filesystem::exists(prefix.string() + ".index", ignored) ? std::optional(prefix) : std::nullopt;
}

RestoredState readTfCheckpoint(const std::filesystem::path& prefix, const spec::ModelSpec& model,
                               std::span<const MutableVariableView> variables) {
    return Restorer(prefix, model, variables).run();
}

std::vector<BundleEntry> listTfCheckpoint(const std::filesystem::path& prefix) {
    std::vector<BundleEntry> listed;
    for (const BundleReader::Entry& entry : BundleReader(prefix).entries()) {
        listed.push_back({.key = entry.name, .dtype = std::string(toString(entry.type)), .shape = entry.shape, .bytes = entry.bytes});
    }
    return listed;
}

}  // namespace engine::exporter
