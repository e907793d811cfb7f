#include "engine/spec/project/estimator_json.h"

#include <utility>

#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/project/object_reader.h"

namespace engine::spec {
namespace {

// A number, or null for none. An absent key leaves `target` as it is; true when the key says something.
template <typename Number>
bool readOptional(ObjectReader& reader, const Json& object, const char* key, std::optional<Number>& target) {
    if (!object.is_object() || !object.contains(key)) return false;
    if (object[key].is_null()) {
        reader.take(key);
        target.reset();
        return true;
    }
    Number number = target.value_or(Number{});
    reader.read(key, number);
    target = number;
    return true;
}

void readRunConfig(const Json& value, RunConfigSpec& config, Diagnostics& diagnostics) {
    ObjectReader reader(value, "estimator.run_config", diagnostics);
    reader.read("save_summary_steps", config.save_summary_steps);
    const bool says_steps = readOptional(reader, value, "save_checkpoints_steps", config.save_checkpoints_steps);
    const bool says_secs = readOptional(reader, value, "save_checkpoints_secs", config.save_checkpoints_secs);
    if (says_steps || says_secs) {
        config.saves_checkpoints = !(says_steps && says_secs && !config.save_checkpoints_steps && !config.save_checkpoints_secs);
    }
    reader.read("keep_checkpoint_max", config.keep_checkpoint_max);
    reader.read("keep_checkpoint_every_n_hours", config.keep_checkpoint_every_n_hours);
    reader.read("log_step_count_steps", config.log_step_count_steps);
    readOptional(reader, value, "tf_random_seed", config.tf_random_seed);
    readOptional(reader, value, "experimental_max_worker_delay_secs", config.experimental_max_worker_delay_secs);
    reader.finish();
}

void readTrainSpec(const Json& value, TrainSpec& spec, Diagnostics& diagnostics) {
    ObjectReader reader(value, "estimator.train_spec", diagnostics);
    readOptional(reader, value, "max_steps", spec.max_steps);
    reader.read("input_repeats", spec.input_repeats);
    reader.finish();
}

void readExporters(const Json& value, std::vector<ObjectSpec>& exporters, Diagnostics& diagnostics) {
    const std::string path = "estimator.eval_spec.exporters";
    if (!value.is_array()) {
        diagnostics.push_back({Severity::kError, path, "expected a list of exporters, got " + shortText(value), ""});
        return;
    }
    exporters.clear();
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (auto read = readObject(value[i], path + "[" + std::to_string(i) + "]", diagnostics)) {
            exporters.push_back({canonicalClass(exporterSchemas(), read->class_name), std::move(read->config)});
        }
    }
}

void readEvalSpec(const Json& value, EvalSpec& spec, Diagnostics& diagnostics) {
    ObjectReader reader(value, "estimator.eval_spec", diagnostics);
    readOptional(reader, value, "steps", spec.steps);
    reader.read("name", spec.name);
    reader.read("start_delay_secs", spec.start_delay_secs);
    reader.read("throttle_secs", spec.throttle_secs);
    if (const Json* exporters = reader.take("exporters")) {
        readExporters(*exporters, spec.exporters, diagnostics);
    }
    reader.finish();
}

template <typename Number>
Json optionalJson(const std::optional<Number>& number) {
    return number ? Json(*number) : Json();
}

Json runConfigJson(const RunConfigSpec& config) {
    Json json{{"save_summary_steps", config.save_summary_steps}};
    if (config.save_checkpoints_steps || !config.saves_checkpoints) {
        json["save_checkpoints_steps"] = optionalJson(config.save_checkpoints_steps);
    }
    if (config.save_checkpoints_secs || !config.saves_checkpoints) {
        json["save_checkpoints_secs"] = optionalJson(config.save_checkpoints_secs);
    }
    json["keep_checkpoint_max"] = config.keep_checkpoint_max;
    json["keep_checkpoint_every_n_hours"] = config.keep_checkpoint_every_n_hours;
    json["log_step_count_steps"] = config.log_step_count_steps;
    if (config.tf_random_seed) {
        json["tf_random_seed"] = *config.tf_random_seed;
    }
    if (config.experimental_max_worker_delay_secs) {
        json["experimental_max_worker_delay_secs"] = *config.experimental_max_worker_delay_secs;
    }
    return json;
}

}  // namespace

void readEstimator(const Json& value, EstimatorSpec& estimator, Diagnostics& diagnostics) {
    ObjectReader reader(value, "estimator", diagnostics);
    reader.read("name", estimator.name);
    const auto section = [&](const char* key, auto read, auto& target) {
        if (const Json* found = reader.take(key)) {
            read(*found, target, diagnostics);
        }
    };
    section("run_config", readRunConfig, estimator.run_config);
    section("train_spec", readTrainSpec, estimator.train_spec);
    section("eval_spec", readEvalSpec, estimator.eval_spec);
    reader.finish();
}

Json estimatorJson(const EstimatorSpec& estimator) {
    Json eval{{"steps", optionalJson(estimator.eval_spec.steps)},
              {"name", estimator.eval_spec.name},
              {"start_delay_secs", estimator.eval_spec.start_delay_secs},
              {"throttle_secs", estimator.eval_spec.throttle_secs}};
    for (const ObjectSpec& exporter : estimator.eval_spec.exporters) {
        eval["exporters"].push_back(objectJson(exporter));
    }
    return {{"name", estimator.name},
            {"run_config", runConfigJson(estimator.run_config)},
            {"train_spec",
             {{"max_steps", optionalJson(estimator.train_spec.max_steps)}, {"input_repeats", estimator.train_spec.input_repeats}}},
            {"eval_spec", std::move(eval)}};
}

}  // namespace engine::spec
