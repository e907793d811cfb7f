// Project files (*.tandem), version 1: one JSON object
//   version, name, model {name, input_shape, input_dtype, layers [{class_name, name, config}]}, data, compile {optimizer, loss, metrics},
//   fit, callbacks {snake_name: config}, strategy, cluster {job: addresses ..., transport, start_timeout_s, threads_per_task}.
#include "engine/spec/project_json.h"

#include <algorithm>

#include "engine/spec/names.h"
#include "engine/spec/object_reader.h"
#include "engine/spec/object_schema.h"
#include "engine/spec/project_migration.h"

namespace engine::spec {
namespace {

constexpr std::initializer_list<std::pair<const char*, AutoShardPolicy>> kShardNames{
    {"AUTO", AutoShardPolicy::kAuto}, {"FILE", AutoShardPolicy::kFile}, {"DATA", AutoShardPolicy::kData}, {"OFF", AutoShardPolicy::kOff}};
constexpr std::initializer_list<std::pair<const char*, TransportChoice>> kTransportNames{
    {"auto", TransportChoice::kAuto}, {"grpc", TransportChoice::kGrpc}, {"shm", TransportChoice::kShm}};

template <class Enum>
const char* nameOf(Enum value, std::initializer_list<std::pair<const char*, Enum>> names) {
    return std::find_if(names.begin(), names.end(), [&](const auto& entry) { return entry.second == value; })->first;
}

LayerSpec readLayer(const Json& value, const std::string& path, Diagnostics& diagnostics) {
    LayerSpec layer;
    ObjectReader reader(value, path, diagnostics);
    reader.read("class_name", layer.class_name);
    reader.read("name", layer.name);
    if (const Json* config = reader.take("config")) {
        layer.config = readFields(*config, path, diagnostics);
    }
    reader.take("module");
    reader.take("registered_name");
    reader.take("build_config");
    reader.finish();
    if (layer.name.empty()) {
        if (const auto* name = layer.config.find("name"); name != nullptr && std::holds_alternative<std::string>(*name)) {
            layer.name = std::get<std::string>(*name);
        }
    }
    layer.config.erase("name");
    return layer;
}

// Keras' names for layers that have none; those that the user gave are taken first.
void nameLayers(ModelSpec& model) {
    std::vector<std::string> taken;
    for (const LayerSpec& layer : model.layers) {
        taken.push_back(layer.name);
    }
    for (LayerSpec& layer : model.layers) {
        if (layer.name.empty()) {
            layer.name = automaticLayerName(layer.class_name, taken);
            taken.push_back(layer.name);
        }
    }
}

void readModel(const Json& value, ModelSpec& model, Diagnostics& diagnostics) {
    ObjectReader reader(value, "model", diagnostics);
    reader.read("name", model.name);
    reader.read("input_shape", model.input_shape);
    reader.read("input_dtype", model.input_dtype);
    const Json* layers = reader.take("layers");
    reader.finish();
    if (layers == nullptr) {
        return;
    }
    if (!layers->is_array()) {
        reader.wrong("layers", "a list of layers", *layers);
        return;
    }
    for (std::size_t i = 0; i < layers->size(); ++i) {
        model.layers.push_back(readLayer((*layers)[i], "model.layers[" + std::to_string(i) + "]", diagnostics));
    }
    nameLayers(model);
}

void readData(const Json& value, DataSpec& data, Diagnostics& diagnostics) {
    ObjectReader reader(value, "data", diagnostics);
    reader.read("dataset", data.dataset);
    reader.read("train_images", data.train_images);
    reader.read("train_labels", data.train_labels);
    reader.read("test_images", data.test_images);
    reader.read("test_labels", data.test_labels);
    reader.read("scale", data.scale);
    reader.read("offset", data.offset);
    reader.read("mean", data.mean);
    reader.read("std", data.std);
    reader.read("one_hot", data.one_hot);
    reader.read("cache", data.cache);
    reader.read("shuffle", data.shuffle);
    reader.read("batch_size_per_replica", data.batch_size_per_replica);
    reader.read("drop_remainder", data.drop_remainder);
    reader.read("prefetch", data.prefetch);
    reader.read("take", data.take);
    reader.read("validation_split", data.validation_split);
    reader.read("validate_on_test", data.validate_on_test);
    reader.read("auto_shard", data.auto_shard, kShardNames);
    reader.read("seed_per_worker", data.seed_per_worker);
    reader.finish();
}

void readCompile(const Json& value, CompileSpec& compile, Diagnostics& diagnostics) {
    ObjectReader reader(value, "compile", diagnostics);
    auto object = [&](const char* key, std::span<const ObjectSchema> schemas, ObjectSpec& target) {
        const Json* found = reader.take(key);
        std::optional<ObjectSpec> read = found == nullptr ? std::nullopt : readObject(*found, reader.pathOf(key), diagnostics);
        if (read) {
            target = {canonicalClass(schemas, read->class_name), std::move(read->config)};
        }
    };
    object("optimizer", optimizerSchemas(), compile.optimizer);
    object("loss", lossSchemas(), compile.loss);
    reader.read("metrics", compile.metrics);
    reader.finish();
}

void readFit(const Json& value, FitSpec& fit, Diagnostics& diagnostics) {
    ObjectReader reader(value, "fit", diagnostics);
    reader.read("epochs", fit.epochs);
    reader.read("initial_epoch", fit.initial_epoch);
    reader.read("steps_per_epoch", fit.steps_per_epoch);
    reader.read("validation_freq", fit.validation_freq);
    reader.read("validation_steps", fit.validation_steps);
    reader.read("validation_batch_size", fit.validation_batch_size);
    reader.read("seed", fit.seed);
    reader.read("log_every", fit.log_every);
    reader.finish();
}

void readCallbacks(const Json& value, CallbackSpecs& callbacks, Diagnostics& diagnostics) {
    ObjectReader reader(value, "callbacks", diagnostics);
    for (const auto& [key, config] : reader.takeRest()) {
        if (!config->is_null()) {
            callbacks.push_back({canonicalClass(callbackSchemas(), key), readFields(*config, "callbacks." + key, diagnostics)});
        }
    }
}

void readStrategy(const Json& value, StrategySpec& strategy, Diagnostics& diagnostics) {
    ObjectReader reader(value, "strategy", diagnostics);
    reader.read("name", strategy.name);
    reader.read("communication", strategy.communication);
    reader.read("bytes_per_pack", strategy.bytes_per_pack);
    reader.finish();
}

Job readJob(const std::string& name, const Json& value, Diagnostics& diagnostics) {
    Job job{name, {}};
    const std::string path = "cluster." + name;
    auto add = [&](int index, const Json& address) {
        if (address.is_string()) {
            job.tasks[index] = address.get<std::string>();
        } else {
            diagnostics.push_back({Severity::kError, path + "[" + std::to_string(index) + "]",
                                   "expected an address \"host:port\", got " + shortText(address), ""});
        }
    };
    if (value.is_array()) {
        for (std::size_t i = 0; i < value.size(); ++i) {
            add(static_cast<int>(i), value[i]);
        }
        return job;
    }
    for (const auto& [key, address] : value.items()) {
        constexpr std::size_t kLongest = 9;
        const bool number = !key.empty() && key.size() <= kLongest && key.find_first_not_of("0123456789") == std::string::npos;
        if (number) {
            add(std::stoi(key), address);
        } else {
            diagnostics.push_back({Severity::kError, path, "expected task indices as keys, got " + key, ""});
        }
    }
    return job;
}

void readCluster(const Json& value, ClusterSettings& cluster, Diagnostics& diagnostics) {
    ObjectReader reader(value, "cluster", diagnostics);
    reader.read("transport", cluster.transport, kTransportNames);
    reader.read("start_timeout_s", cluster.start_timeout_s);
    reader.read("threads_per_task", cluster.threads_per_task);
    for (const auto& [key, job] : reader.takeRest()) {
        if (job->is_array() || job->is_object()) {
            cluster.spec.jobs.push_back(readJob(key, *job, diagnostics));
        } else if (!job->is_null()) {
            diagnostics.push_back({Severity::kWarning, "cluster." + key,
                                   std::string(kUnknownKeyMessage) + ": expected a job with its addresses, transport, start_timeout_s or " +
                                       "threads_per_task, got " + shortText(*job),
                                   "It has no effect."});
        }
    }
}

Json clusterJson(const ClusterSettings& cluster) {
    Json json = Json::object();
    for (const Job& job : cluster.spec.jobs) {
        const bool dense =
            job.tasks.empty() || (job.tasks.begin()->first == 0 && job.tasks.rbegin()->first + 1 == static_cast<int>(job.tasks.size()));
        Json tasks = dense ? Json::array() : Json::object();
        for (const auto& [index, address] : job.tasks) {
            if (dense) {
                tasks.push_back(address);
            } else {
                tasks[std::to_string(index)] = address;
            }
        }
        json[job.name] = std::move(tasks);
    }
    json["transport"] = nameOf(cluster.transport, kTransportNames);
    json["start_timeout_s"] = cluster.start_timeout_s;
    json["threads_per_task"] = cluster.threads_per_task;
    return json;
}

Json modelJson(const ModelSpec& model) {
    Json layers = Json::array();
    for (const LayerSpec& layer : model.layers) {
        layers.push_back({{"class_name", layer.class_name}, {"name", layer.name}, {"config", fieldsJson(layer.config)}});
    }
    return {{"name", model.name}, {"input_shape", model.input_shape}, {"input_dtype", model.input_dtype}, {"layers", std::move(layers)}};
}

Json dataJson(const DataSpec& data) {
    Json json{{"dataset", data.dataset}};
    const std::pair<const char*, const std::string*> files[] = {{"train_images", &data.train_images},
                                                                {"train_labels", &data.train_labels},
                                                                {"test_images", &data.test_images},
                                                                {"test_labels", &data.test_labels}};
    for (const auto& [key, path] : files) {
        if (!path->empty()) {
            json[key] = *path;
        }
    }
    json["scale"] = data.scale;
    json["offset"] = data.offset;
    if (!data.mean.empty() || !data.std.empty()) {
        json["mean"] = data.mean;
        json["std"] = data.std;
    }
    if (data.one_hot != 0) {
        json["one_hot"] = data.one_hot;
    }
    json["cache"] = data.cache;
    json["shuffle"] = data.shuffle;
    json["batch_size_per_replica"] = data.batch_size_per_replica;
    json["drop_remainder"] = data.drop_remainder;
    json["prefetch"] = data.prefetch;
    json["take"] = data.take;
    json["validation_split"] = data.validation_split;
    json["validate_on_test"] = data.validate_on_test;
    json["auto_shard"] = nameOf(data.auto_shard, kShardNames);
    json["seed_per_worker"] = data.seed_per_worker;
    return json;
}

Json fitJson(const FitSpec& fit) {
    Json json{{"epochs", fit.epochs},
              {"initial_epoch", fit.initial_epoch},
              {"steps_per_epoch", fit.steps_per_epoch},
              {"validation_freq", fit.validation_freq},
              {"seed", fit.seed},
              {"log_every", fit.log_every}};
    if (fit.validation_steps != 0) {
        json["validation_steps"] = fit.validation_steps;
    }
    if (fit.validation_batch_size != 0) {
        json["validation_batch_size"] = fit.validation_batch_size;
    }
    return json;
}

}  // namespace

Json toJson(const RunSpec& run) {
    Json callbacks = Json::object();
    for (const ObjectSpec& callback : run.callbacks) {
        callbacks[snakeCase(callback.class_name)] = fieldsJson(callback.config);
    }
    return {{"version", kProjectVersion},
            {"name", run.name},
            {"model", modelJson(run.model)},
            {"data", dataJson(run.data)},
            {"compile",
             {{"optimizer", objectJson(run.compile.optimizer)}, {"loss", objectJson(run.compile.loss)}, {"metrics", run.compile.metrics}}},
            {"fit", fitJson(run.fit)},
            {"callbacks", std::move(callbacks)},
            {"strategy",
             {{"name", run.strategy.name}, {"communication", run.strategy.communication}, {"bytes_per_pack", run.strategy.bytes_per_pack}}},
            {"cluster", clusterJson(run.cluster)}};
}

void fromJson(const Json& project, RunSpec& run, Diagnostics& diagnostics) {
    ObjectReader reader(project, "", diagnostics);
    reader.take("version");
    reader.read("name", run.name);
    auto section = [&](const char* key, auto read, auto& target) {
        if (const Json* value = reader.take(key)) {
            read(*value, target, diagnostics);
        }
    };
    section("model", readModel, run.model);
    section("data", readData, run.data);
    section("compile", readCompile, run.compile);
    section("fit", readFit, run.fit);
    section("callbacks", readCallbacks, run.callbacks);
    section("strategy", readStrategy, run.strategy);
    section("cluster", readCluster, run.cluster);
    reader.finish();
}

ProjectReport parseProject(std::string_view json) {
    ProjectReport report;
    JsonText parsed = parseJson(json);
    auto refuse = [&](std::string path, std::string message, std::string fix) {
        report.diagnostics.push_back({Severity::kError, std::move(path), std::move(message), std::move(fix)});
    };
    if (!parsed.value) {
        refuse("", "expected a project as JSON, got a mistake at " + parsed.error, "");
        return report;
    }
    Json& project = *parsed.value;
    if (!project.is_object()) {
        refuse("", "expected a project as a JSON object, got " + shortText(project), "");
        return report;
    }
    const std::optional<std::int64_t> version = project.contains("version") ? integerOf(project["version"]) : std::nullopt;
    if (!version || *version < 1) {
        refuse("version",
               "expected a project version from 1 to " + std::to_string(kProjectVersion) + ", got " +
                   (project.contains("version") ? shortText(project["version"]) : std::string("none")),
               "");
        return report;
    }
    if (*version > kProjectVersion) {
        refuse("version", "expected a project version of at most " + std::to_string(kProjectVersion) + ", got " + std::to_string(*version),
               "A newer Tandem wrote this project: open it with that one.");
        return report;
    }
    migrateProject(project, static_cast<int>(*version), projectMigrations());
    fromJson(project, report.run, report.diagnostics);
    return report;
}

std::string toProjectJson(const RunSpec& run) {
    return prettyText(toJson(run)) + "\n";
}

}  // namespace engine::spec
