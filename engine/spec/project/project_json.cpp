// Project files (*.tandem), version 1: one JSON object
//   version, name, model {name, input_shape, input_dtype, dtype_policy, layers [{class_name, name, config}]}, data,
//   compile {optimizer, loss, metrics}, fit, callbacks {snake_name: config}, strategy, cluster {job: addresses ..., transport,
//   start_timeout_s, threads_per_task, on_task_lost, scale_learning_rate, max_restarts, heartbeat_fatal_s, home_lost_s, hosts}, estimator
//   (estimator_json.h).
#include "engine/spec/project/project_json.h"

#include <algorithm>

#include "engine/spec/catalog/dtype_policy.h"
#include "engine/spec/catalog/layer_names.h"
#include "engine/spec/catalog/metric_spec.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/names.h"
#include "engine/spec/project/data_json.h"
#include "engine/spec/project/estimator_json.h"
#include "engine/spec/project/object_reader.h"
#include "engine/spec/project/project_migration.h"

namespace engine::spec {
namespace {

constexpr std::initializer_list<std::pair<const char*, TransportChoice>> kTransportNames{
    {"auto", TransportChoice::kAuto}, {"grpc", TransportChoice::kGrpc}, {"shm", TransportChoice::kShm}};
constexpr std::initializer_list<std::pair<const char*, OnTaskLost>> kTaskLostNames{
    {"restart", OnTaskLost::kRestart}, {"fail", OnTaskLost::kFail}, {"continue", OnTaskLost::kContinue}};

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
    LayerNames names;
    for (const LayerSpec& layer : model.layers) {
        names.take(layer.name);
    }
    for (LayerSpec& layer : model.layers) {
        if (layer.name.empty()) {
            layer.name = names.next(layer.class_name);
        }
    }
}

void readModel(const Json& value, ModelSpec& model, Diagnostics& diagnostics) {
    ObjectReader reader(value, "model", diagnostics);
    reader.read("name", model.name);
    reader.read("input_shape", model.input_shape);
    reader.read("input_dtype", model.input_dtype);
    reader.read("dtype_policy", model.dtype_policy);
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

// A class given as an object without settings has Keras' name in the logs, not the one written.
std::optional<MetricSpec> readMetric(const Json& value, const std::string& path, Diagnostics& diagnostics) {
    std::optional<ObjectSpec> object = readObject(value, path, diagnostics);
    if (!object) {
        return std::nullopt;
    }
    if (value.is_object() && object->config.empty()) {
        object->config.set("name", usualLogName(canonicalClass(metricSchemas(), object->class_name)));
    }
    return MetricSpec(std::move(object->class_name), std::move(object->config));
}

void readMetrics(const Json& value, const std::string& path, std::vector<MetricSpec>& metrics, Diagnostics& diagnostics) {
    if (!value.is_array()) {
        diagnostics.push_back({Severity::kError, path, "expected a list of metrics, got " + shortText(value), ""});
        return;
    }
    metrics.clear();
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (std::optional<MetricSpec> metric = readMetric(value[i], path + "[" + std::to_string(i) + "]", diagnostics)) {
            metrics.push_back(std::move(*metric));
        }
    }
}

Json metricsJson(const std::vector<MetricSpec>& metrics) {
    Json json = Json::array();
    for (const MetricSpec& metric : metrics) {
        json.push_back(metric.config.empty() ? Json(metric.name) : objectJson({metric.name, metric.config}));
    }
    return json;
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
    if (const Json* scale = reader.take("loss_scale")) {
        ObjectReader of(*scale, reader.pathOf("loss_scale"), diagnostics);
        LossScaleSpec& read = compile.loss_scale.emplace();
        of.read("initial_scale", read.initial_scale);
        of.read("dynamic_growth_steps", read.dynamic_growth_steps);
        of.finish();
    }
    object("loss", lossSchemas(), compile.loss);
    if (const Json* metrics = reader.take("metrics")) {
        readMetrics(*metrics, "compile.metrics", compile.metrics, diagnostics);
    }
    if (const Json* metrics = reader.take("weighted_metrics")) {
        readMetrics(*metrics, "compile.weighted_metrics", compile.weighted_metrics, diagnostics);
    }
    reader.finish();
}

void readClassWeights(const Json& value, FitSpec& fit, Diagnostics& diagnostics) {
    const auto refuse = [&](const std::string& expected, const std::string& got) {
        diagnostics.push_back({Severity::kError, "fit.class_weight", "expected " + expected + ", got " + got, ""});
    };
    if (!value.is_object()) {
        return refuse("an object of weights by class such as {\"0\": 1.5}", shortText(value));
    }
    for (const auto& [key, weight] : value.items()) {
        constexpr std::size_t kLongest = 9;
        const bool is_class = !key.empty() && key.size() <= kLongest && key.find_first_not_of("0123456789") == std::string::npos;
        if (!is_class || !weight.is_number()) {
            return refuse("class numbers as keys and numbers as weights", "\"" + key + "\": " + shortText(weight));
        }
        fit.class_weight.emplace_back(std::stoll(key), weight.get<double>());
    }
    std::sort(fit.class_weight.begin(), fit.class_weight.end());
}

// An integer, or the epochs after which to validate.
void readValidationFrequency(const Json& value, FitSpec& fit, Diagnostics& diagnostics) {
    const auto refuse = [&](const Json& got) {
        diagnostics.push_back(
            {Severity::kError, "fit.validation_freq", "expected an integer or a list of epochs, got " + shortText(got), ""});
    };
    if (!value.is_array()) {
        const std::optional<std::int64_t> every = integerOf(value);
        if (!every) {
            return refuse(value);
        }
        fit.validation_freq = *every;
        fit.validation_epochs.clear();
        return;
    }
    std::vector<std::int64_t> epochs;
    for (const Json& epoch : value) {
        const std::optional<std::int64_t> number = integerOf(epoch);
        if (!number) {
            return refuse(value);
        }
        epochs.push_back(*number);
    }
    if (epochs.empty()) {
        return refuse(value);
    }
    fit.validation_epochs = std::move(epochs);
}

void readFit(const Json& value, FitSpec& fit, Diagnostics& diagnostics) {
    ObjectReader reader(value, "fit", diagnostics);
    reader.read("epochs", fit.epochs);
    reader.read("initial_epoch", fit.initial_epoch);
    reader.read("steps_per_epoch", fit.steps_per_epoch);
    reader.read("steps", fit.steps);
    if (const Json* frequency = reader.take("validation_freq")) {
        readValidationFrequency(*frequency, fit, diagnostics);
    }
    reader.read("validation_steps", fit.validation_steps);
    reader.read("validation_batch_size", fit.validation_batch_size);
    reader.read("seed", fit.seed);
    reader.read("log_every", fit.log_every);
    reader.read("histogram_freq", fit.histogram_freq);
    if (const Json* weights = reader.take("class_weight")) {
        readClassWeights(*weights, fit, diagnostics);
    }
    reader.read("initial_weights", fit.initial_weights);
    reader.read("initial_state", fit.initial_state);
    reader.read("save_weights", fit.save_weights);
    reader.finish();
}

void readCallbacks(const Json& value, CallbackSpecs& callbacks, Diagnostics& diagnostics) {
    ObjectReader reader(value, "callbacks", diagnostics);
    for (const auto& [key, config] : reader.takeRest()) {
        if (config->is_null()) continue;
        const std::string class_name = canonicalClass(callbackSchemas(), key);
        // One name for one callback: a second spelling would be a second one beside the first.
        if (const std::string name = snakeCase(class_name); findSchema(callbackSchemas(), class_name) != nullptr && key != name) {
            diagnostics.push_back({Severity::kError, "callbacks." + key, "expected " + name + ", got " + key, "Write " + name + "."});
            continue;
        }
        callbacks.push_back({class_name, readFields(*config, "callbacks." + key, diagnostics)});
    }
}

void readStrategy(const Json& value, StrategySpec& strategy, Diagnostics& diagnostics) {
    ObjectReader reader(value, "strategy", diagnostics);
    reader.read("name", strategy.name);
    reader.read("communication", strategy.communication);
    reader.read("bytes_per_pack", strategy.bytes_per_pack);
    reader.read("devices", strategy.devices);
    reader.read("logical_cpus", strategy.logical_cpus);
    reader.read("logical_gpus", strategy.logical_gpus);
    if (const Json* ops = reader.take("cross_device_ops")) {
        if (auto read = readObject(*ops, reader.pathOf("cross_device_ops"), diagnostics)) {
            strategy.cross_device_ops = {canonicalClass(crossDeviceOpsSchemas(), read->class_name), std::move(read->config)};
        }
    }
    if (const Json* partitioner = reader.take("variable_partitioner"); partitioner != nullptr && !partitioner->is_null()) {
        if (auto read = readObject(*partitioner, reader.pathOf("variable_partitioner"), diagnostics)) {
            strategy.variable_partitioner = {canonicalClass(partitionerSchemas(), read->class_name), std::move(read->config)};
        }
    }
    if (const Json* resolver = reader.take("cluster_resolver"); resolver != nullptr && !resolver->is_null()) {
        if (auto read = readObject(*resolver, reader.pathOf("cluster_resolver"), diagnostics)) {
            strategy.cluster_resolver = {canonicalClass(clusterResolverSchemas(), read->class_name), std::move(read->config)};
        }
    }
    if (const Json* bound = reader.take("max_staleness"); bound != nullptr && !bound->is_null()) {
        if (bound->is_number_integer()) {
            strategy.max_staleness = bound->get<std::int64_t>();
        } else {
            diagnostics.push_back(
                {Severity::kError, reader.pathOf("max_staleness"), "expected a whole number or null, got " + shortText(*bound), ""});
        }
    }
    reader.read("log_device_placement", strategy.log_device_placement);
    reader.read("tensor_float_32_execution", strategy.tensor_float_32_execution);
    reader.read("op_determinism", strategy.op_determinism);
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
    reader.read("on_task_lost", cluster.on_task_lost, kTaskLostNames);
    reader.read("scale_learning_rate", cluster.scale_learning_rate);
    reader.read("max_restarts", cluster.max_restarts);
    reader.read("heartbeat_fatal_s", cluster.heartbeat_fatal_s);
    reader.read("home_lost_s", cluster.home_lost_s);
    reader.read("hosts", cluster.hosts);
    for (const auto& [key, job] : reader.takeRest()) {
        if (job->is_array() || job->is_object()) {
            cluster.spec.jobs.push_back(readJob(key, *job, diagnostics));
        } else if (!job->is_null()) {
            diagnostics.push_back(
                {Severity::kWarning, "cluster." + key,
                 std::string(kUnknownKeyMessage) + ": expected a job with its addresses, transport, start_timeout_s, " +
                     "threads_per_task, on_task_lost, scale_learning_rate, max_restarts, heartbeat_fatal_s, home_lost_s or hosts, got " +
                     shortText(*job),
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
    const ClusterSettings usual;
    if (cluster.on_task_lost != usual.on_task_lost) {
        json["on_task_lost"] = nameOf(cluster.on_task_lost, kTaskLostNames);
    }
    if (cluster.scale_learning_rate) {
        json["scale_learning_rate"] = true;
    }
    if (cluster.max_restarts != usual.max_restarts) {
        json["max_restarts"] = cluster.max_restarts;
    }
    if (cluster.heartbeat_fatal_s != usual.heartbeat_fatal_s) {
        json["heartbeat_fatal_s"] = cluster.heartbeat_fatal_s;
    }
    if (cluster.home_lost_s != usual.home_lost_s) {
        json["home_lost_s"] = cluster.home_lost_s;
    }
    if (!cluster.hosts.empty()) {
        json["hosts"] = cluster.hosts;
    }
    return json;
}

Json modelJson(const ModelSpec& model) {
    Json layers = Json::array();
    for (const LayerSpec& layer : model.layers) {
        layers.push_back({{"class_name", layer.class_name}, {"name", layer.name}, {"config", fieldsJson(layer.config)}});
    }
    Json json{{"name", model.name}, {"input_shape", model.input_shape}, {"input_dtype", model.input_dtype}, {"layers", std::move(layers)}};
    if (model.dtype_policy != kFloat32Policy) {
        json["dtype_policy"] = model.dtype_policy;
    }
    return json;
}

Json fitJson(const FitSpec& fit) {
    Json json{{"epochs", fit.epochs},
              {"initial_epoch", fit.initial_epoch},
              {"steps_per_epoch", fit.steps_per_epoch},
              {"validation_freq", fit.validation_epochs.empty() ? Json(fit.validation_freq) : Json(fit.validation_epochs)},
              {"seed", fit.seed},
              {"log_every", fit.log_every}};
    if (fit.steps != 0) {
        json["steps"] = fit.steps;
    }
    if (fit.histogram_freq != 0) {
        json["histogram_freq"] = fit.histogram_freq;
    }
    if (fit.validation_steps != 0) {
        json["validation_steps"] = fit.validation_steps;
    }
    if (fit.validation_batch_size != 0) {
        json["validation_batch_size"] = fit.validation_batch_size;
    }
    const std::pair<const char*, const std::string*> files[] = {{"initial_weights", &fit.initial_weights},
                                                                {"save_weights", &fit.save_weights}};
    for (const auto& [key, path] : files) {
        if (!path->empty()) {
            json[key] = *path;
        }
    }
    if (fit.initial_state) {
        json["initial_state"] = true;
    }
    for (const auto& [label, weight] : fit.class_weight) {
        json["class_weight"][std::to_string(label)] = weight;
    }
    return json;
}

// A list of lines, so that versions of a project can be compared; the newlines stand between them.
Json codeJson(const std::string& code) {
    Json lines = Json::array();
    for (std::size_t at = 0; at <= code.size();) {
        const std::size_t end = std::min(code.find('\n', at), code.size());
        lines.push_back(code.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

void readCode(ObjectReader& reader, std::string& code) {
    std::vector<std::string> lines;
    reader.read("code", lines);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        code += (i == 0 ? "" : "\n") + lines[i];
    }
}

void readAlgorithms(const Json& value, std::map<std::string, std::string>& algorithms, Diagnostics& diagnostics) {
    ObjectReader reader(value, "algorithms", diagnostics);
    for (const auto& [work, algorithm] : reader.takeRest()) {
        if (algorithm->is_string()) {
            algorithms[work] = algorithm->get<std::string>();
        } else {
            diagnostics.push_back({Severity::kError, "algorithms." + work, "expected a text, got " + shortText(*algorithm), ""});
        }
    }
}

Json strategyJson(const StrategySpec& strategy) {
    Json json{{"name", strategy.name},
              {"communication", strategy.communication},
              {"bytes_per_pack", strategy.bytes_per_pack},
              {"devices", strategy.devices},
              {"logical_cpus", strategy.logical_cpus}};
    if (strategy.logical_gpus != 0) {
        json["logical_gpus"] = strategy.logical_gpus;
    }
    json["cross_device_ops"] = objectJson(strategy.cross_device_ops);
    if (!strategy.variable_partitioner.class_name.empty()) {
        json["variable_partitioner"] = objectJson(strategy.variable_partitioner);
    }
    if (strategy.max_staleness) {
        json["max_staleness"] = *strategy.max_staleness;
    }
    if (!strategy.cluster_resolver.class_name.empty()) {
        json["cluster_resolver"] = objectJson(strategy.cluster_resolver);
    }
    json["log_device_placement"] = strategy.log_device_placement;
    if (strategy.tensor_float_32_execution) {
        json["tensor_float_32_execution"] = true;
    }
    if (strategy.op_determinism) {
        json["op_determinism"] = true;
    }
    return json;
}

}  // namespace

Json toJson(const RunSpec& run) {
    Json callbacks = Json::object();
    for (const ObjectSpec& callback : run.callbacks) {
        callbacks[snakeCase(callback.class_name)] = fieldsJson(callback.config);
    }
    Json compile{{"optimizer", objectJson(run.compile.optimizer)},
                 {"loss", objectJson(run.compile.loss)},
                 {"metrics", metricsJson(run.compile.metrics)}};
    if (const std::optional<LossScaleSpec>& scale = run.compile.loss_scale) {
        compile["loss_scale"] = {{"initial_scale", scale->initial_scale}, {"dynamic_growth_steps", scale->dynamic_growth_steps}};
    }
    if (!run.compile.weighted_metrics.empty()) {
        compile["weighted_metrics"] = metricsJson(run.compile.weighted_metrics);
    }
    Json json{{"version", kProjectVersion},         {"name", run.name},
              {"model", modelJson(run.model)},      {"data", dataJson(run.data)},
              {"compile", std::move(compile)},      {"fit", fitJson(run.fit)},
              {"callbacks", std::move(callbacks)},  {"strategy", strategyJson(run.strategy)},
              {"cluster", clusterJson(run.cluster)}};
    if (run.estimator) {
        json["estimator"] = estimatorJson(*run.estimator);
    }
    if (!run.code.empty()) {
        json["code"] = codeJson(run.code);
    }
    if (!run.algorithms.empty()) {
        json["algorithms"] = run.algorithms;
    }
    return json;
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
    if (const Json* estimator = reader.take("estimator")) {
        readEstimator(*estimator, run.estimator.emplace(), diagnostics);
    }
    readCode(reader, run.code);
    section("algorithms", readAlgorithms, run.algorithms);
    reader.finish();
}

ProjectReport parseProject(std::string_view json) {
    ProjectReport report;
    JsonText parsed = parseJson(json, true);
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
