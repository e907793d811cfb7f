// Models of layers that are drawn from the whole catalogue: each layer and each of its fields by the rows of its schema, as long as the
// shapes fit. Nothing here knows a layer but where a field's numbers follow from what comes in. Each seed has a class of its own that its
// chain holds, so that as many seeds as there are classes draw all of them: neededClasses().
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/backend/executor.h"
#include "engine/backend/initialize.h"
#include "engine/plan/compile.h"
#include "engine/plan/metric.h"
#include "engine/spec/catalog/adapted_layer.h"
#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/catalog/lookup_table.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/project/run_spec.h"
#include "engine/spec/validate/validate.h"
#include "engine/tensor/batch_view.h"
#include "tests/support/model_builder.h"

namespace tests::support {

enum class RandomNumbers { kAllowed, kNone };  // of layers that draw some while they train

class RandomChain {
public:
    RandomChain(std::uint64_t seed, RandomNumbers random) : engine_(seed), random_(random) {
        const std::vector<std::string> classes = neededClasses(random);
        needed_ = classes[seed % classes.size()];
    }

    // The classes that chains hold. Texts are made numbers where samples are read, which no chain does.
    static std::vector<std::string> neededClasses(RandomNumbers random) {
        std::vector<std::string> classes;
        for (const engine::spec::LayerSchema& schema : engine::spec::layerSchemas()) {
            const bool takes_texts = engine::spec::takesTexts({schema.class_name, "layer", {}});
            if (!takes_texts && (random == RandomNumbers::kAllowed || !drawsNumbers(schema))) classes.push_back(schema.class_name);
        }
        return classes;
    }

    // A project that validates: at most 12 layers, the last of them a Dense of 4 classes, and one of three optimizers.
    engine::spec::RunSpec draw() {
        static const std::vector<engine::spec::ObjectSpec> kOptimizers{
            {"SGD", {{"momentum", 0.9}}}, {"Adam", {{"epsilon", 1e-3}}}, {"RMSprop", {{"epsilon", 1e-3}}}};
        for (;;) {
            engine::spec::RunSpec run;
            run.model = drawModel();
            run.compile = compileWith(kOptimizers[below(kOptimizers.size())]);
            run.compile.metrics.clear();
            const bool holds_needed = std::any_of(run.model.layers.begin(), run.model.layers.end(),
                                                  [this](const engine::spec::LayerSpec& one) { return one.class_name == needed_; });
            if (holds_needed && hasNoErrors(run)) return run;
        }
    }

private:
    using Shape = engine::spec::Shape;
    using FieldKind = engine::spec::FieldKind;

    std::size_t below(std::size_t count) { return static_cast<std::size_t>(engine_() % count); }
    bool chance(unsigned percent) { return engine_() % 100 < percent; }
    std::int64_t between(std::int64_t from, std::int64_t to) {
        return from + static_cast<std::int64_t>(below(static_cast<std::size_t>(to - from + 1)));
    }
    double part() { return static_cast<double>(between(1, 9)) / 10; }

    static bool hasNoErrors(const engine::spec::RunSpec& run) {
        engine::spec::Diagnostics all = engine::spec::validate(run);
        return std::none_of(all.begin(), all.end(), [](const engine::spec::Diagnostic& one) {
            return one.severity == engine::spec::Severity::kError && (one.path.starts_with("model") || one.path.starts_with("compile"));
        });
    }

    engine::spec::ModelSpec drawModel() {
        engine::spec::ModelSpec model;
        switch (below(6)) {
            case 0:
                model.input_shape = {between(3, 12)};
                break;
            case 1:
                model.input_shape = {between(4, 9), between(2, 6)};
                break;
            case 2:
                model.input_shape = {between(5, 9), between(5, 9), between(1, 3)};
                break;
            case 3:
                model.input_shape = {between(3, 5), between(4, 6), between(3, 5), between(1, 2)};
                break;
            case 4:
                model.input_shape = {between(2, 3), between(2, 4), between(2, 4), between(2, 3), between(1, 2)};
                break;
            default:
                model.input_shape = {between(3, 8)};
                addIds(model);
        }
        const std::size_t count = 1 + below(10), place = below(count);  // of the class that the chain has to hold
        for (int tries = 0; model.layers.size() < place && tries < 200; ++tries) addLayer(model, drawnSchema());
        for (int tries = 0; tries < 20; ++tries) {
            if (addLayer(model, *engine::spec::findLayerSchema(needed_))) break;
        }
        for (int tries = 0; model.layers.size() < count && tries < 400; ++tries) addLayer(model, drawnSchema());
        const engine::spec::Shape last = model.layers.empty() ? model.input_shape : engine::spec::inferShapes(model).back().output_shape;
        if (last.size() > 1) model.layers.push_back(layer("Flatten", "flat"));
        model.layers.push_back(layer("Dense", "classes", {{"units", std::int64_t{4}}}));
        return model;
    }

    // The first layers of a model that takes whole numbers, or makes them of what it takes: ids below kIds, then what makes values of them.
    void addIds(engine::spec::ModelSpec& model) {
        constexpr std::int64_t kIds = 7;
        const bool counts_values = chance(25);
        if (!counts_values) model.input_dtype = "int32";
        const char* makes_ids = counts_values ? "Discretization" : chance(50) ? "IntegerLookup" : "Hashing";
        if (counts_values || chance(30)) {
            while (!addLayer(model, *engine::spec::findLayerSchema(makes_ids))) continue;
        }
        const bool has_ids = model.layers.empty() || model.layers.back().config.getString("output_mode", "int") == "int";
        if (!has_ids) return;
        if (chance(15)) {
            const engine::spec::Shape shape =
                model.layers.empty() ? model.input_shape : engine::spec::inferShapes(model).back().output_shape;
            engine::spec::Fields fields = drawFields(*engine::spec::findLayerSchema("CategoryEncoding"), shape, 0);
            fields.set("num_tokens", kIds + 2);
            model.layers.push_back(layer("CategoryEncoding", "layer_" + std::to_string(model.layers.size()), std::move(fields)));
            return;
        }
        model.layers.push_back(layer("Embedding", "layer_" + std::to_string(model.layers.size()),
                                     {{"input_dim", kIds + 2}, {"output_dim", between(2, 6)}, {"mask_zero", chance(50)}}));
        if (chance(30)) {
            model.layers.back().class_name = "ReversibleEmbedding";
            model.layers.back().config.set("tie_weights", chance(50));
        }
    }

    const engine::spec::LayerSchema& drawnSchema() {
        const auto schemas = engine::spec::layerSchemas();
        return schemas[below(schemas.size())];
    }

    // Returns false where the layer, with the fields that are drawn, does not fit behind those that are there.
    bool addLayer(engine::spec::ModelSpec& model, const engine::spec::LayerSchema& schema) {
        Shape shape = model.input_shape;
        if (!model.layers.empty()) shape = engine::spec::inferShapes(model).back().output_shape;
        if (takesIds(schema.class_name) || engine::spec::takesTexts({schema.class_name, "layer", {}}) || isRandom(schema)) return false;
        const bool has_ids = model.input_dtype == "int32" && model.layers.empty();
        const bool wants_ids =
            schema.class_name == "IntegerLookup" || schema.class_name == "Hashing" || schema.class_name == "CategoryEncoding";
        if (wants_ids && !has_ids) return false;
        model.layers.push_back(layer(schema.class_name, "layer_" + std::to_string(model.layers.size()), drawFields(schema, shape, 0)));
        const engine::spec::LayerInfo info = engine::spec::inferShapes(model).back();
        std::int64_t values = 1;
        for (const std::int64_t size : info.output_shape) values *= size;
        const bool fits = info.known && values <= 1500 && values >= 1 && info.parameters <= 20000;
        // No chain takes a table from its samples before it is trained.
        const bool has_table = !engine::spec::keepsTakenInFields(model.layers.back()) || !engine::spec::isAdapted(model.layers.back());
        if (fits && has_table && staysNear(model.layers.back())) return true;
        model.layers.pop_back();
        return false;
    }

    // Ids that a layer makes of others must be some that those behind it know.
    static bool staysNear(const engine::spec::LayerSpec& layer) {
        constexpr std::int64_t kMost = 9;
        const engine::spec::Settings settings = engine::spec::settingsOf(layer);
        if (layer.class_name == "Hashing") return settings.getInt("num_bins") <= kMost;
        if (layer.class_name == "IntegerLookup") {
            // Keras refuses a token that the vocabulary has as well.
            const std::vector<std::int64_t> vocabulary = settings.getInts("vocabulary");
            for (const char* token : {"mask_token", "oov_token"}) {
                if (std::find(vocabulary.begin(), vocabulary.end(), settings.findInt(token).value_or(-1)) != vocabulary.end()) return false;
            }
            return !settings.getBool("invert") && settings.getInt("num_oov_indices") > 0 &&
                   engine::spec::lookupTable(settings).size <= kMost;
        }
        return true;
    }

    // Of a table, which has no place for other numbers.
    static bool takesIds(const std::string& class_name) { return class_name == "Embedding" || class_name == "ReversibleEmbedding"; }

    bool isRandom(const engine::spec::LayerSchema& schema) const { return random_ == RandomNumbers::kNone && drawsNumbers(schema); }
    // Without such a rate, a layer that has more than it draws no numbers.
    static bool drawsNumbers(const engine::spec::LayerSchema& schema) {
        const bool has_rate = std::any_of(schema.fields.begin(), schema.fields.end(), [](const auto& field) { return isRate(field); });
        return !has_rate && std::any_of(schema.fields.begin(), schema.fields.end(), [](const auto& field) { return field.name == "seed"; });
    }
    static bool isRate(const engine::spec::FieldSchema& field) { return field.name == "dropout" || field.name == "recurrent_dropout"; }

    engine::spec::Fields drawFields(const engine::spec::LayerSchema& schema, const Shape& shape, int depth) {
        engine::spec::Fields fields;
        for (const engine::spec::FieldSchema& field : schema.fields) {
            if (random_ == RandomNumbers::kNone && isRate(field)) continue;
            if (!field.required && !chance(isTable(field) ? 90 : 35)) continue;
            if (std::optional<engine::spec::FieldValue> value = drawValue(field, shape, depth)) fields.set(field.name, std::move(*value));
        }
        return fields;
    }

    // What a layer takes from training samples where it is not given, which no chain has.
    static bool isTable(const engine::spec::FieldSchema& field) {
        return field.name == "mean" || field.name == "variance" || field.name == "bin_boundaries" || field.name == "vocabulary";
    }

    std::optional<engine::spec::FieldValue> drawValue(const engine::spec::FieldSchema& field, const Shape& shape, int depth) {
        const auto whole = [&](double least, double most) {
            const auto from = static_cast<std::int64_t>(std::max(field.minimum, least));
            return between(from, std::max(from, static_cast<std::int64_t>(std::min(field.maximum, most))));
        };
        const bool is_of_samples = field.name == "num_bins" && !field.required;
        if (field.name == "seed" || field.name == "noise_shape" || field.name == "dtype" || is_of_samples) return std::nullopt;
        switch (field.kind) {
            case FieldKind::kBool:
                return chance(50);
            case FieldKind::kInt:
                if (field.name == "axis") return between(1, std::max<std::int64_t>(1, std::ssize(shape)));
                return whole(1, field.required ? 5 : 3);
            case FieldKind::kIntPair:
                return std::vector<std::int64_t>{whole(1, 3), whole(1, 3)};
            case FieldKind::kIntTriple:
                return std::vector<std::int64_t>{whole(1, 2), whole(1, 3), whole(1, 2)};
            case FieldKind::kIntList:
                return drawWholeNumbers(field, shape);
            case FieldKind::kDouble:
                return std::clamp(part(), field.minimum, field.maximum);
            case FieldKind::kDoubleList:
                return drawNumbers(field, shape);
            case FieldKind::kChoice:
                return field.choices[below(field.choices.size())];
            case FieldKind::kObject:
                return drawObject(field, shape, depth);
            case FieldKind::kLayerList:
                return drawList(field, shape, depth);
            case FieldKind::kString:
                if (field.name == "equation") return drawEquation(shape);
                if (field.name == "bias_axes") return std::string("z");
                return std::nullopt;
            default:
                return std::nullopt;
        }
    }

    std::optional<engine::spec::FieldValue> drawWholeNumbers(const engine::spec::FieldSchema& field, const Shape& shape) {
        const std::int64_t rank = std::ssize(shape);
        if (field.name == "target_shape") return otherShape(shape);
        if (field.name == "output_shape") return product_shape_;
        if (field.name == "dims") return someOf(1, rank, rank);
        if (field.name == "axis" || field.name == "shared_axes") {
            std::vector<std::int64_t> axes = someOf(1, rank, std::min<std::int64_t>(rank, between(1, 2)));
            std::sort(axes.begin(), axes.end());
            return axes;
        }
        if (field.name == "vocabulary") return someOf(0, 6, between(2, 5));
        if (field.name == "salt") return someOf(1, 99, between(1, 2));
        if (field.name != "padding" && field.name != "cropping") return std::nullopt;
        const std::int64_t places = std::max<std::int64_t>(rank - 1, 1);  // the axes beside the channels
        std::vector<std::int64_t> cells(static_cast<std::size_t>(chance(30) ? 1 : places * between(1, 2)));
        for (std::int64_t& count : cells) count = between(0, 2);
        return cells;
    }

    // Different numbers, in any order.
    std::vector<std::int64_t> someOf(std::int64_t least, std::int64_t most, std::int64_t count) {
        std::vector<std::int64_t> all(static_cast<std::size_t>(std::max<std::int64_t>(most - least + 1, 0)));
        std::iota(all.begin(), all.end(), least);
        std::shuffle(all.begin(), all.end(), engine_);
        all.resize(std::min(all.size(), static_cast<std::size_t>(count)));
        return all;
    }

    // Rising numbers near to 0, as far as the field takes them: one or two, or as many as its kin take.
    std::vector<double> drawNumbers(const engine::spec::FieldSchema& field, const Shape& shape) {
        if (field.name == "value_range") return {chance(50) ? -1.0 : 0.0, 1};
        const bool is_of_channels = field.name == "mean" || field.name == "variance";
        std::vector<double> numbers(is_of_channels                   ? static_cast<std::size_t>(shape.empty() ? 1 : shape.back())
                                    : field.name == "bin_boundaries" ? 1 + below(4)
                                                                     : 1 + below(2));
        const double least = field.name == "variance" ? 0.1 : std::max(field.minimum, -1.0), most = std::min(field.maximum, 1.0);
        for (double& number : numbers) number = least + (most - least) * part();
        if (!is_of_channels) std::sort(numbers.begin(), numbers.end());
        return numbers;
    }

    // Of any axis of the input, another one behind those that stay: "abc,bz->acz". The field behind it has the output's sizes.
    std::string drawEquation(const Shape& shape) {
        std::string input = "a", kept = "a";
        const std::size_t gone = shape.empty() ? 0 : below(shape.size());
        product_shape_.clear();
        for (std::size_t i = 0; i < shape.size(); ++i) {
            input += static_cast<char>('b' + i);
            if (i == gone) continue;
            kept += static_cast<char>('b' + i);
            product_shape_.push_back(shape[i]);
        }
        product_shape_.push_back(between(1, 5));
        return input + "," + static_cast<char>('b' + gone) + "z->" + kept + "z";
    }

    // The same number of values in one, two or three axes.
    std::vector<std::int64_t> otherShape(const Shape& shape) {
        std::int64_t rest = 1;
        for (const std::int64_t size : shape) rest *= size;
        std::vector<std::int64_t> sizes;
        for (std::size_t axes = 1 + below(3); sizes.size() + 1 < axes;) {
            std::vector<std::int64_t> divisors;
            for (std::int64_t i = 1; i <= rest && i <= 12; ++i) {
                if (rest % i == 0) divisors.push_back(i);
            }
            sizes.push_back(divisors[below(divisors.size())]);
            rest /= sizes.back();
        }
        sizes.push_back(rest);
        return sizes;
    }

    std::optional<engine::spec::FieldValue> drawObject(const engine::spec::FieldSchema& field, const Shape& shape, int depth) {
        if (field.choices.empty()) return std::nullopt;
        const std::string& class_name = field.choices[below(field.choices.size())];
        // A bias whose gradient is nothing but rounding would become a number of the size of its norm, or go where its sign says.
        if (field.name == "bias_constraint" && class_name.ends_with("Norm")) return std::nullopt;
        if (field.name == "bias_regularizer" && class_name.starts_with("L1")) return std::nullopt;
        const engine::spec::LayerSchema* inner = engine::spec::findLayerSchema(class_name);
        if (inner == nullptr) return engine::spec::ObjectBox({class_name, {}});
        if (depth > 1 || isRandom(*inner) || takesIds(class_name)) return std::nullopt;
        const Shape below_time = shape.empty() ? shape : Shape(shape.begin() + 1, shape.end());
        return engine::spec::ObjectBox({class_name, drawFields(*inner, below_time, depth + 1)});
    }

    std::optional<engine::spec::FieldValue> drawList(const engine::spec::FieldSchema& field, const Shape& shape, int depth) {
        if (depth > 1 || field.choices.empty()) return std::nullopt;
        std::vector<engine::spec::ObjectBox> chain;
        for (std::size_t i = 1 + below(2); i > 0; --i) {
            const engine::spec::LayerSchema* inner = engine::spec::findLayerSchema(field.choices[below(field.choices.size())]);
            if (inner == nullptr || isRandom(*inner)) continue;
            engine::spec::Fields fields = drawFields(*inner, shape, depth + 1);
            // Most chains keep their shape by so many units or filters as there are channels.
            for (const char* size : {"units", "filters"}) {
                if (fields.find(size) != nullptr && !shape.empty() && chance(80)) fields.set(size, shape.back());
            }
            chain.push_back(engine::spec::ObjectSpec{inner->class_name, std::move(fields)});
        }
        return engine::spec::withMembers(field.name, std::move(chain));
    }

    std::mt19937_64 engine_;
    RandomNumbers random_;
    std::string needed_;                       // a class that the chain holds
    std::vector<std::int64_t> product_shape_;  // what the equation drawn last makes
};

// A batch: samples from -1 to 1, or ids below 7, and labels of four classes.
struct ChainBatch {
    static constexpr std::size_t kSamples = 6;

    std::vector<float> samples;
    std::vector<std::int32_t> labels;
    std::vector<std::uint32_t> indices;
    engine::tensor::BatchView view;

    ChainBatch(const engine::spec::ModelSpec& model, std::uint64_t seed) {
        std::mt19937_64 random(seed);
        std::int64_t elements = 1;
        for (const std::int64_t size : model.input_shape) elements *= size;
        for (std::size_t i = 0; i < kSamples * static_cast<std::size_t>(elements); ++i) {
            const auto word = static_cast<float>(random() % 2001);
            samples.push_back(model.input_dtype == "float32" ? word / 1000 - 1 : std::fmod(word, 7.0F));
        }
        for (std::size_t i = 0; i < kSamples; ++i) {
            labels.push_back(static_cast<std::int32_t>(random() % 4));
            indices.push_back(static_cast<std::uint32_t>(i));
        }
        view = {.samples = reinterpret_cast<const std::byte*>(samples.data()),
                .sample_dtype = engine::tensor::DType::kFloat32,
                .sample_elements = elements,
                .labels = reinterpret_cast<const std::byte*>(labels.data()),
                .label_dtype = engine::tensor::DType::kInt32,
                .label_elements = 1,
                .indices = indices};
    }
};

// What five steps make of a chain. `nudge`: every sample and every variable begins by so many parts of itself, up or down, and by a tenth
// of that, away from where it does; ids stay.
struct ChainTraining {
    std::vector<double> losses;
    std::vector<std::vector<float>> variables;  // with the optimizer's slots
};
inline ChainTraining trainChain(const engine::spec::RunSpec& run, std::uint64_t seed, engine::backend::Executor& executor,
                                engine::backend::Variables& variables, float nudge = 0) {
    constexpr float kRate = 0.003F;
    engine::backend::initializeVariables(variables, run.model, seed);
    ChainBatch batch(run.model, seed);
    std::mt19937_64 random(seed + 1);
    const auto move = [&](float& value) {
        const float way = random() % 2 == 0 ? nudge : -nudge;
        value += way * value + way / 10;
    };
    if (nudge != 0) {
        if (run.model.input_dtype == "float32") std::for_each(batch.samples.begin(), batch.samples.end(), move);
        for (const engine::backend::Variables::Entry& entry : variables.entries()) {
            if (!entry.is_slot) std::for_each(entry.values.begin(), entry.values.end(), move);
        }
    }
    executor.reloadVariables();
    ChainTraining training;
    for (int step = 0; step < 5; ++step) {
        const engine::backend::StepResult result =
            executor.trainStep(batch.view, {.learning_rate = kRate, .iteration = step, .seed = 11, .epoch = 2});
        const std::vector<double> header(result.header.begin(), result.header.end());
        training.losses.push_back(engine::plan::lossValue(header));
    }
    executor.syncVariables();
    for (const engine::backend::Variables::Entry& entry : variables.entries()) {
        training.variables.emplace_back(entry.values.begin(), entry.values.end());
    }
    return training;
}

// The largest difference, as a part of the larger of 1 and the second's value.
inline double apart(const ChainTraining& a, const ChainTraining& b) {
    double most = 0;
    const auto add = [&most](double x, double y) {
        const double difference = std::abs(x - y) / std::max(1.0, std::abs(y));
        most = difference <= most ? most : difference;  // or not a number
    };
    for (std::size_t i = 0; i < a.losses.size(); ++i) add(a.losses[i], b.losses[i]);
    for (std::size_t i = 0; i < a.variables.size(); ++i) {
        for (std::size_t k = 0; k < a.variables[i].size(); ++k) {
            add(static_cast<double>(a.variables[i][k]), static_cast<double>(b.variables[i][k]));
        }
    }
    return most;
}

}  // namespace tests::support
