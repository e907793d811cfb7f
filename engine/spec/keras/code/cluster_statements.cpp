#include "engine/spec/keras/code/cluster_statements.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/keras/code/object_calls.h"
#include "engine/spec/project/cluster_spec.h"
#include "engine/spec/project/project_json.h"
#include "engine/spec/project/strategy_table.h"

namespace engine::spec::code {
namespace {

constexpr std::string_view kResolver = "TPUClusterResolver";

std::vector<std::string> strategyArguments(const std::string& strategy) {
    const StrategyRow* row = findStrategy(strategy);
    std::vector<std::string> names;
    for (const std::string_view name : (row == nullptr ? rowOf(StrategyKind::kDefault) : *row).arguments) {
        if (!name.empty()) names.emplace_back(name);
    }
    return names;
}

// TPUClusterResolver(…), and TPUClusterResolver.connect(…), which initializes the TPU, too.
bool isResolverCall(const Node& call) {
    const std::string_view name = calledName(call);
    const std::string_view verb = lastPart(name);
    return verb == kResolver || (verb == "connect" && lastPart(name.substr(0, name.size() - verb.size() - 1)) == kResolver);
}

}  // namespace

std::vector<std::string> resolverArguments() {
    std::vector<std::string> names;
    for (const FieldSchema& field : findSchema(clusterResolverSchemas(), kResolver)->fields) names.push_back(field.name);
    return names;
}

void ClusterStatements::readTfConfig(const std::string& json, CodeLines lines, int column) {
    const TfConfigReport report = checkTfConfig(json);
    for (const Diagnostic& diagnostic : report.diagnostics) {
        if (diagnostic.severity != Severity::kInfo) {
            notes_.add(report.config.cluster.empty() ? Severity::kError : Severity::kWarning, lines, column,
                       "TF_CONFIG: " + diagnostic.path + (diagnostic.path.empty() ? "" : ": ") + diagnostic.message);
        }
    }
    if (report.config.cluster.empty()) {
        if (report.diagnostics.empty()) notes_.add(Severity::kError, lines, column, "TF_CONFIG: expected a cluster with tasks, got none");
        return;
    }
    reading_.run.cluster.spec = report.config.cluster;
    reading_.cluster = {lines};
}

bool ClusterStatements::readTfConfigStatement(const LogicalLine& line, const std::string& target, const std::vector<Node>& targets,
                                              const Node& value) {
    const bool environment = targets.size() == 1 && targets[0].kind == Node::Kind::kIndex &&
                             targets[0].items[0].kind == Node::Kind::kName && targets[0].items[0].text.ends_with("environ") &&
                             targets[0].items[1].text == "TF_CONFIG";
    std::string folded_target = target;
    std::transform(folded_target.begin(), folded_target.end(), folded_target.begin(),
                   [](char c) { return static_cast<char>(std::tolower(c)); });
    const bool named = folded_target == "tf_config" && (value.kind == Node::Kind::kDict || !calledName(value).empty());
    if (!environment && !named) return false;
    const Node* content = &value;
    if (lastPart(calledName(value)) == "dumps" && value.items.size() >= 2) content = &value.items[1];
    Fault fault;
    std::optional<Json> json = valueJson(*content, "", fault);
    if (!json) {
        notes_.add(Severity::kError, fault);
        return true;
    }
    const std::string text = json->is_string() ? json->get<std::string>() : json->dump(-1, ' ', false, Json::error_handler_t::replace);
    readTfConfig(text, linesOf(line), line.indent + 1);
    return true;
}

bool ClusterStatements::readTpuStatement(const LogicalLine& line, const Node& value) {
    static constexpr std::array<std::string_view, 3> kVerbs{"experimental_connect_to_cluster", "experimental_connect_to_host",
                                                            "initialize_tpu_system"};
    const bool known = isResolverCall(value) || std::find(kVerbs.begin(), kVerbs.end(), lastPart(calledName(value))) != kVerbs.end();
    if (known) tpu_lines_.push_back(line);
    return known;
}

// The arguments as far as the text says them: one that is worked out elsewhere stays the text's alone.
void ClusterStatements::readResolver(const Node& call, StrategySpec& strategy) {
    const ObjectSchema& schema = *findSchema(clusterResolverSchemas(), kResolver);
    const auto warn = [&](Fault fault) {
        fault.message.insert(0, schema.class_name + ": ");
        notes_.add(Severity::kWarning, fault);
    };
    reading_.resolver_at = {call.line, call.column};
    Fields said, config;
    std::vector<ArgumentFault> faults;
    for (const Argument& argument : namedArguments(call, resolverArguments(), faults)) {
        const Node& value = *argument.value;
        const bool usual = value.kind == Node::Kind::kNone || (argument.name == "credentials" && value.text == "default");
        const bool known =
            std::any_of(schema.fields.begin(), schema.fields.end(), [&](const FieldSchema& field) { return field.name == argument.name; });
        if (usual) continue;
        if (!known) {
            warn({value.line, value.column, "expected an argument that is known here, got " + argument.name});
        } else if (value.kind != Node::Kind::kText) {
            warn({value.line, value.column, argument.name + ": expected a text, got " + nodeText(value)});
        } else {
            said.set(argument.name, value.text);
        }
    }
    for (const ArgumentFault& fault : faults) warn(fault.fault);
    dropDefaults(said, schema.fields);
    for (const FieldSchema& field : schema.fields) {  // in one order, whatever the text's
        if (const FieldValue* value = said.find(field.name)) config.set(field.name, *value);
    }
    if (!config.empty()) strategy.cluster_resolver = {schema.class_name, std::move(config)};
}

bool ClusterStatements::readClusterSpec(const Node& call, const LogicalLine& line) {
    Fault fault;
    const std::optional<Json> jobs = valueJson(call.items[1], "", fault);
    if (!jobs || !jobs->is_object()) {
        notes_.add(Severity::kWarning,
                   fault ? fault : Fault{call.line, call.column, "expected a dictionary of jobs, got " + nodeText(call.items[1])});
        return true;
    }
    RunSpec read;
    Diagnostics diagnostics;
    fromJson({{"cluster", *jobs}}, read, diagnostics);
    for (const Diagnostic& diagnostic : diagnostics)
        notes_.add(Severity::kWarning, linesOf(line), line.indent + 1, diagnostic.path + ": " + diagnostic.message);
    if (read.cluster.spec.empty()) return true;
    reading_.run.cluster.spec = read.cluster.spec;
    reading_.cluster = {linesOf(line)};
    return true;
}

// Reads an argument by its present name or the one that TensorFlow 2.0 and 2.1 had.
void ClusterStatements::readArgument(const Argument& argument, StrategySpec& strategy) {
    const Node& value = *argument.value;
    const std::string_view class_name = lastPart(calledName(value));
    const auto warn = [&](const Node& at, const std::string& expected) {
        notes_.add(Severity::kWarning, at, strategy.name + ": " + argument.name + ": expected " + expected + ", got " + nodeText(at));
    };
    Fault fault;
    const std::optional<Json> json = valueJson(value, "", fault);
    if (json && json->is_null()) return;
    const bool texts = json && json->is_array() && std::all_of(json->begin(), json->end(), [](const Json& j) { return j.is_string(); });
    if (argument.name == "devices" || argument.name == "device" || argument.name == "compute_devices") {
        if (texts) {
            strategy.devices = json->get<std::vector<std::string>>();
        } else if (json && json->is_string()) {
            strategy.devices = {json->get<std::string>()};
        } else {
            warn(value, "names of devices such as ['/gpu:0', '/gpu:1']");
        }
    } else if (argument.name == "communication" || argument.name == "implementation") {
        if (!json || !json->is_string() || *json == "MPI") return warn(value, "AUTO, RING or NCCL");
        strategy.communication = json->get<std::string>();
    } else if (argument.name == "communication_options") {
        if (class_name != "CommunicationOptions" && class_name != "Hints")
            return warn(value, "tf.distribute.experimental.CommunicationOptions(…)");
        std::vector<ArgumentFault> faults;
        for (const Argument& option : namedArguments(value, {"bytes_per_pack", "timeout_seconds", "implementation"}, faults)) {
            if (option.name == "bytes_per_pack" && option.value->kind == Node::Kind::kInt) {
                strategy.bytes_per_pack = option.value->whole;
            } else if (option.name == "implementation") {
                readArgument(option, strategy);
            } else if (option.value->kind != Node::Kind::kNone) {
                warn(*option.value, "bytes_per_pack and implementation of CommunicationOptions");
            }
        }
    } else if (argument.name == "cross_device_ops") {
        if (findSchema(crossDeviceOpsSchemas(), class_name) == nullptr) {
            return warn(value, "NcclAllReduce, HierarchicalCopyAllReduce or ReductionToOneDevice");
        }
        strategy.cross_device_ops = {std::string(class_name), {}};
        const char* first = class_name == "ReductionToOneDevice" ? "reduce_to_device" : "num_packs";
        std::vector<ArgumentFault> faults;
        for (const Argument& option : namedArguments(value, {first}, faults)) {
            if (option.value->kind == Node::Kind::kInt) strategy.cross_device_ops.config.set(option.name, option.value->whole);
            if (option.value->kind == Node::Kind::kText) strategy.cross_device_ops.config.set(option.name, option.value->text);
        }
    } else if (argument.name == "tpu_cluster_resolver") {
        isResolverCall(value) ? readResolver(value, strategy) : warn(value, std::string(kResolver) + "(…)");
    } else if (argument.name == "cluster_resolver") {
        return;  // the cluster itself is in TF_CONFIG
    } else {
        notes_.add(Severity::kWarning, value, strategy.name + ": expected an argument that is known here, got " + argument.name);
    }
}

void ClusterStatements::readStrategy(const Node& call, const LogicalLine& line) {
    StrategySpec strategy = reading_.run.strategy;
    strategy.name = std::string(lastPart(calledName(call)));
    if (strategy.communication != "MPI") strategy.communication = "AUTO";  // MPI has no word in TensorFlow, so that code leaves it alone
    strategy.devices.clear();
    strategy.cross_device_ops = StrategySpec().cross_device_ops;
    if (strategyKind(strategy.name) == StrategyKind::kTpu) strategy.cluster_resolver = {};
    reading_.resolver_at = {};
    std::vector<ArgumentFault> faults;
    for (const Argument& argument : namedArguments(call, strategyArguments(strategy.name), faults)) readArgument(argument, strategy);
    for (const ArgumentFault& fault : faults) notes_.add(Severity::kWarning, fault.fault);
    reading_.run.strategy = std::move(strategy);
    reading_.strategy = {linesOf(line)};
    reading_.strategy_at = {call.line, call.column};
}

// A TPU that no strategy takes is no part of a project.
void ClusterStatements::finishTpu() {
    const bool taken = !reading_.strategy.empty() && strategyKind(reading_.run.strategy.name) == StrategyKind::kTpu;
    for (const LogicalLine& line : tpu_lines_) {
        taken ? reading_.strategy.push_back(linesOf(line)) : notes_.keep(line);
    }
}

// A cluster needs a strategy that uses its tasks; a strategy of one process has no cluster.
void ClusterStatements::finish() {
    finishTpu();
    RunSpec& run = reading_.run;
    const ClusterSpec& cluster = run.cluster.spec;
    const StrategyRow* row = findStrategy(run.strategy.name);
    if (!reading_.cluster.empty() && reading_.strategy.empty()) {
        const bool servers = cluster.taskCount("ps") > 0;
        const bool fits = row != nullptr && row->is_clustered && servers == row->has_servers;
        if (!fits && (servers || cluster.trainingTaskCount() > 1)) {
            run.strategy.name = strategyName(servers ? StrategyKind::kParameterServer : StrategyKind::kMultiWorkerMirrored);
        }
    } else if (!reading_.strategy.empty() && reading_.cluster.empty() && row != nullptr && !row->is_clustered) {
        run.cluster.spec = {};
    }
}

}  // namespace engine::spec::code
