#include "engine/script/keras/keras_two.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/catalog/metric_spec.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/catalog/object_schema.h"

namespace engine::script::keras {
namespace {

class Faults {
public:
    void layer(const std::string& path, const spec::LayerSpec& layer) {
        if (const spec::LayerSchema* schema = spec::findLayerSchema(layer.class_name)) {
            object(path, schema->class_name, schema->since_keras_3);
            choices(path, layer.config, schema->fields);
        }
        for (const spec::LayerSpec& nested : spec::nestedLayers(layer)) this->layer(path, nested);
    }
    // `name`: also in snake case.
    void named(const std::string& path, std::span<const spec::ObjectSchema> schemas, const std::string& name) {
        const spec::ObjectSchema* schema = spec::findSchema(schemas, spec::canonicalClass(schemas, name));
        if (schema != nullptr) object(path, schema->class_name, schema->since_keras_3);
    }
    spec::Diagnostics take() { return std::move(all_); }

private:
    void object(const std::string& path, const std::string& name, bool is_new) {
        if (is_new) add(path, name);
    }
    void choices(const std::string& path, const spec::Fields& config, const std::vector<spec::FieldSchema>& fields) {
        for (const spec::FieldSchema& field : fields) {
            const spec::FieldValue* value = config.find(field.name);
            const auto* name = value == nullptr ? nullptr : std::get_if<std::string>(value);
            const std::vector<std::string>& recent = field.choices_since_keras_3;
            if (name != nullptr && std::find(recent.begin(), recent.end(), *name) != recent.end()) add(path + "." + field.name, *name);
        }
    }
    void add(const std::string& path, const std::string& name) {
        spec::Diagnostic fault{spec::Severity::kError, path,
                               "expected what Keras 2 has, which this program is for, got " + name + ", which came with Keras 3", ""};
        if (std::find(all_.begin(), all_.end(), fault) == all_.end()) all_.push_back(std::move(fault));  // both directions have it
    }

    spec::Diagnostics all_;
};

std::string entry(const std::string& list, std::size_t i) {
    return list + "[" + std::to_string(i) + "]";
}

}  // namespace

spec::Diagnostics sinceKeras3Faults(const spec::RunSpec& run) {
    Faults faults;
    for (std::size_t i = 0; i < run.model.layers.size(); ++i) faults.layer(entry("model.layers", i), run.model.layers[i]);
    faults.named("compile.optimizer", spec::optimizerSchemas(), run.compile.optimizer.class_name);
    faults.named("compile.loss", spec::lossSchemas(), run.compile.loss.class_name);
    for (std::size_t i = 0; i < run.compile.metrics.size(); ++i)
        faults.named(entry("compile.metrics", i), spec::metricSchemas(), run.compile.metrics[i].name);
    for (std::size_t i = 0; i < run.compile.weighted_metrics.size(); ++i)
        faults.named(entry("compile.weighted_metrics", i), spec::metricSchemas(), run.compile.weighted_metrics[i].name);
    for (std::size_t i = 0; i < run.callbacks.size(); ++i)
        faults.named(entry("callbacks", i), spec::callbackSchemas(), run.callbacks[i].class_name);
    return faults.take();
}

}  // namespace engine::script::keras
