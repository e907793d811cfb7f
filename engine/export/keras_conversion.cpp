#include <functional>
#include <numeric>
#include <set>
#include <string_view>

#include "engine/export/index/compared.h"
#include "engine/export/keras_file.h"
#include "engine/export/keras_layout.h"
#include "engine/export/onnx/onnx_file.h"
#include "engine/spec/error.h"

namespace engine::exporter {
namespace {

// Memory for a model's weights and an optimizer's slots.
class Store {
public:
    Store(const spec::ModelSpec& model, const spec::ObjectSpec& optimizer) {
        for (const KerasLayer& layer : kerasLayers(model)) {
            for (const KerasVariable& variable : layer.variables) {
                add(variable.name, variable.shape);
            }
        }
        for (const KerasSlot& slot : kerasSlots(model, optimizer)) {
            add(slot.name, slot.shape);
        }
    }

    std::vector<MutableVariableView> targets() {
        std::vector<MutableVariableView> views;
        for (Entry& entry : entries_) {
            views.push_back({entry.name, entry.shape, entry.values});
        }
        return views;
    }
    // All but the named ones.
    std::vector<VariableView> without(const std::vector<std::string>& missing) const {
        const std::set<std::string_view, CountedLess> left_out(missing.begin(), missing.end());
        std::vector<VariableView> views;
        for (const Entry& entry : entries_) {
            if (!left_out.contains(entry.name)) {
                views.push_back({entry.name, entry.shape, entry.values});
            }
        }
        return views;
    }

private:
    struct Entry {
        std::string name;
        spec::Shape shape;
        std::vector<float> values;
    };
    void add(const std::string& name, spec::Shape shape) {
        const auto count = std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
        entries_.push_back({name, std::move(shape), std::vector<float>(static_cast<std::size_t>(count))});
    }

    std::vector<Entry> entries_;
};

}  // namespace

std::int64_t convertToKeras(const std::filesystem::path& checkpoint, const spec::ModelSpec& model, const spec::CompileSpec& compile,
                            const std::filesystem::path& file) {
    Store store(model, compile.optimizer);
    const std::vector<MutableVariableView> targets = store.targets();
    RestoredState state;
    if (isKerasFileName(checkpoint)) {
        state = readKerasWeights(checkpoint, model, compile.optimizer, targets);
    } else if (isOnnxFileName(checkpoint)) {  // which has no optimizer
        readWeights(checkpoint, model, targets);
        for (const MutableVariableView& view : targets) {
            if (view.name.find(':') != std::string::npos) state.missing.push_back(view.name);
        }
    } else if (const auto prefix = latestCheckpoint(checkpoint)) {
        state = readTfCheckpoint(*prefix, model, targets);
    } else {
        throw Error(ErrorCode::kNotFound,
                    checkpoint.string() + ": expected a checkpoint (PREFIX.index or a folder with a file \"checkpoint\"), found none");
    }
    const spec::FieldValue* rate = compile.optimizer.config.find("learning_rate");
    const bool has_number = rate != nullptr && std::holds_alternative<double>(*rate);
    CheckpointContents contents{.model = &model, .optimizer = compile.optimizer, .variables = store.without(state.missing)};
    contents.iterations = state.iterations;
    contents.learning_rate = state.learning_rate.value_or(has_number ? static_cast<float>(std::get<double>(*rate)) : 0.001F);
    return writeKerasFile(file, contents, compile);
}

}  // namespace engine::exporter
