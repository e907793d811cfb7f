// Models of layers that are drawn from the whole catalogue: each layer and each of its fields by the rows of its schema, as long as the
// shapes fit. Nothing here knows a layer but where a field's numbers follow from what comes in.
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
#include "engine/spec/catalog/nested_layers.h"
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
    RandomChain(std::uint64_t seed, RandomNumbers random) : engine_(seed), random_(random) {}

    // A project that validates: at most 12 layers, the last of them a Dense of 4 classes, and one of three optimizers.
    engine::spec::RunSpec draw() {
        static const std::vector<engine::spec::ObjectSpec> kOptimizers{
            {"SGD", {{"momentum", 0.9}}}, {"Adam", {{"epsilon", 1e-3}}}, {"RMSprop", {{"epsilon", 1e-3}}}};
        for (;;) {
            engine::spec::RunSpec run;
            run.model = drawModel();
            run.compile = compileWith(kOptimizers[below(kOptimizers.size())]);
            run.compile.metrics.clear();
            if (hasNoErrors(run)) return run;
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
        switch (below(5)) {
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
            default:
                model.input_shape = {between(3, 8)};
                model.input_dtype = "int32";
                model.layers.push_back(layer("Embedding", "layer",
                                             {{"input_dim", std::int64_t{7}}, {"output_dim", between(2, 6)}, {"mask_zero", chance(50)}}));
                if (chance(30)) {
                    model.layers.back().class_name = "ReversibleEmbedding";
                    model.layers.back().config.set("tie_weights", chance(50));
                }
        }
        const std::size_t count = 1 + below(10);
        for (int tries = 0; model.layers.size() < count && tries < 400; ++tries) addLayer(model);
        const auto last = engine::spec::inferShapes(model).back();
        if (last.output_shape.size() > 1) model.layers.push_back(layer("Flatten", "flat"));
        model.layers.push_back(layer("Dense", "classes", {{"units", std::int64_t{4}}}));
        return model;
    }

    void addLayer(engine::spec::ModelSpec& model) {
        Shape shape = model.input_shape;
        if (!model.layers.empty()) shape = engine::spec::inferShapes(model).back().output_shape;
        const auto schemas = engine::spec::layerSchemas();
        const engine::spec::LayerSchema& schema = schemas[below(schemas.size())];
        if (takesIds(schema.class_name) || engine::spec::takesTexts({schema.class_name, "layer", {}}) || isRandom(schema)) return;
        model.layers.push_back(layer(schema.class_name, "layer_" + std::to_string(model.layers.size()), drawFields(schema, shape, 0)));
        const engine::spec::LayerInfo info = engine::spec::inferShapes(model).back();
        std::int64_t values = 1;
        for (const std::int64_t size : info.output_shape) values *= size;
        const bool fits = info.known && values <= 1500 && values >= 1 && info.parameters <= 20000;
        // No chain takes a table from its samples before it is trained.
        const bool has_table = !engine::spec::keepsTakenInFields(model.layers.back()) || !engine::spec::isAdapted(model.layers.back());
        if (!fits || !has_table) model.layers.pop_back();
    }

    // Of a table, which has no place for other numbers.
    static bool takesIds(const std::string& class_name) { return class_name == "Embedding" || class_name == "ReversibleEmbedding"; }

    bool isRandom(const engine::spec::LayerSchema& schema) const {
        if (random_ == RandomNumbers::kAllowed) return false;
        const bool has_rate = std::any_of(schema.fields.begin(), schema.fields.end(), [](const auto& field) { return isRate(field); });
        return !has_rate && std::any_of(schema.fields.begin(), schema.fields.end(), [](const auto& field) { return field.name == "seed"; });
    }
    // Without it, a layer that has more than such a rate draws no numbers.
    static bool isRate(const engine::spec::FieldSchema& field) { return field.name == "dropout" || field.name == "recurrent_dropout"; }

    engine::spec::Fields drawFields(const engine::spec::LayerSchema& schema, const Shape& shape, int depth) {
        engine::spec::Fields fields;
        for (const engine::spec::FieldSchema& field : schema.fields) {
            if (random_ == RandomNumbers::kNone && isRate(field)) continue;
            if (!field.required && !chance(35)) continue;
            if (std::optional<engine::spec::FieldValue> value = drawValue(field, shape, depth)) fields.set(field.name, std::move(*value));
        }
        return fields;
    }

    std::optional<engine::spec::FieldValue> drawValue(const engine::spec::FieldSchema& field, const Shape& shape, int depth) {
        const auto whole = [&](double least, double most) {
            const auto from = static_cast<std::int64_t>(std::max(field.minimum, least));
            return between(from, std::max(from, static_cast<std::int64_t>(std::min(field.maximum, most))));
        };
        if (field.name == "target_shape") return otherShape(shape);
        if (field.name == "dims") {
            std::vector<std::int64_t> dims(shape.size());
            std::iota(dims.begin(), dims.end(), 1);
            std::shuffle(dims.begin(), dims.end(), engine_);
            return dims;
        }
        const bool keeps_default = field.name == "seed" || field.name == "axis" || field.name == "noise_shape" || field.name == "dtype";
        if (keeps_default) return std::nullopt;
        switch (field.kind) {
            case FieldKind::kBool:
                return chance(50);
            case FieldKind::kInt:
                return whole(1, field.required ? 5 : 3);
            case FieldKind::kIntPair:
                return std::vector<std::int64_t>{whole(1, 3), whole(1, 3)};
            case FieldKind::kIntTriple:
                return std::vector<std::int64_t>{whole(1, 2), whole(1, 3), whole(1, 2)};
            case FieldKind::kDouble:
                return std::clamp(part(), field.minimum, field.maximum);
            case FieldKind::kChoice:
                return field.choices[below(field.choices.size())];
            case FieldKind::kObject:
                return drawObject(field, shape, depth);
            case FieldKind::kLayerList:
                return drawList(field, shape, depth);
            default:
                if (field.required && field.name == "value_range") return std::vector<double>{0, 1};
                return std::nullopt;
        }
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
