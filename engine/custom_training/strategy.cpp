#include "engine/custom_training/strategy.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "engine/spec/error.h"
#include "engine/spec/project/device_name.h"
#include "engine/spec/project/strategy_table.h"
#include "engine/spec/validate/validate.h"
#include "engine/thread/usable_cores.h"

namespace engine::custom_training {
namespace {

// The project's loss is not looked at: the program has its own.
bool concernsLoss(const spec::Diagnostic& diagnostic) {
    return diagnostic.path.starts_with("compile.loss") || diagnostic.path.starts_with("compile.metrics");
}

ReplicaRange rangeOf(const Peers& peers, std::size_t devices) {
    const auto here = static_cast<int>(devices);
    if (!peers.workers) return {.all = here, .first = 0, .here = here};
    return {.all = here * peers.workers->size(), .first = here * peers.workers->rank(), .here = here};
}

// A sum of some values, as a worker tells it the others.
struct PartialSum {
    double sum = 0;
    std::int64_t count = 0;
};

float reduced(ReduceOp op, std::span<const PartialSum> parts) {
    PartialSum whole;
    for (const PartialSum& part : parts) {
        whole.sum += part.sum;
        whole.count += part.count;
    }
    const bool divides = op == ReduceOp::kMean && whole.count > 0;
    return static_cast<float>(divides ? whole.sum / static_cast<double>(whole.count) : whole.sum);
}

constexpr std::int64_t kUneven = -1;

// How many elements each replica has; kUneven when they differ.
std::int64_t commonSize(const PerReplica<std::vector<float>>& values) {
    const std::size_t size = values.values.empty() ? 0 : values.values.front().size();
    const bool all = std::all_of(values.values.begin(), values.values.end(), [size](const auto& one) { return one.size() == size; });
    return all ? static_cast<std::int64_t>(size) : kUneven;
}

}  // namespace

Strategy::Strategy(std::string name, StrategyOptions options, Peers peers)
    : threads_(options.threads > 0 ? options.threads : usableCores()),
      replicas_(rangeOf(peers, options.devices.size())),
      peers_(std::move(peers)) {
    if (options.devices.empty()) throw Error(ErrorCode::kInvalidArgument, "strategy: expected at least one device, got none");
    spec_.name = std::move(name);
    spec_.devices = std::move(options.devices);
    spec_.cross_device_ops = std::move(options.cross_device_ops);
    spec_.variable_partitioner = std::move(options.variable_partitioner);
    spec_.max_staleness = options.max_staleness;
}

Strategy Strategy::oneDevice(std::string device) {
    return {spec::strategyName(spec::StrategyKind::kOneDevice), {.devices = {std::move(device)}}, {}};
}
Strategy Strategy::mirrored(StrategyOptions options) {
    return {spec::strategyName(spec::StrategyKind::kMirrored), std::move(options), {}};
}
Strategy Strategy::centralStorage(StrategyOptions options) {
    return {spec::strategyName(spec::StrategyKind::kCentralStorage), std::move(options), {}};
}
Strategy Strategy::multiWorkerMirrored(Peers peers, StrategyOptions options) {
    return {spec::strategyName(spec::StrategyKind::kMultiWorkerMirrored), std::move(options), std::move(peers)};
}
Strategy Strategy::parameterServer(Peers peers, StrategyOptions options) {
    ENGINE_CHECK(peers.servers != nullptr);
    return {spec::strategyName(spec::StrategyKind::kParameterServer), std::move(options), std::move(peers)};
}

bool Strategy::isChief() const {
    return peers_.servers ? peers_.servers->role() == ParameterServers::Role::kCoordinator : replicas_.first == 0;
}

Model Strategy::Scope::model(spec::ModelSpec model, spec::ObjectSpec optimizer, std::uint64_t seed) const {
    spec::RunSpec run;
    run.model = std::move(model);
    run.compile.optimizer = std::move(optimizer);
    run.compile.loss = {"SparseCategoricalCrossentropy", {{"from_logits", true}}};
    run.compile.metrics = {};
    run.strategy = strategy_.spec_;
    run.cluster.spec = strategy_.peers_.config.cluster;
    for (const spec::Diagnostic& diagnostic : spec::validate(run)) {
        if (diagnostic.severity == spec::Severity::kError && !concernsLoss(diagnostic)) {
            throw Error(ErrorCode::kInvalidArgument, diagnostic.path + ": " + diagnostic.message);
        }
    }
    std::vector<std::string> devices;
    for (const spec::DeviceName& device : spec::devicesOf(run.strategy)) devices.push_back(toString(device));
    run.strategy.devices = std::move(devices);
    return {std::move(run), {.threads = strategy_.threads_, .seed = seed, .replicas = strategy_.replicas_, .peers = strategy_.peers_}};
}

template <class T>
std::vector<T> Strategy::gather(std::span<const T> own) const {
    std::vector<T> all(own.begin(), own.end());
    if (!peers_.workers || peers_.workers->size() == 1) return all;
    all.resize(own.size() * static_cast<std::size_t>(peers_.workers->size()));
    peers_.workers->allGather(std::as_bytes(own), std::as_writable_bytes(std::span(all)));
    return all;
}

float Strategy::reduce(ReduceOp op, const PerReplica<float>& values) const {
    const PartialSum own{std::accumulate(values.values.begin(), values.values.end(), 0.0), std::ssize(values.values)};
    return reduced(op, gather(std::span(&own, 1)));
}

std::vector<float> Strategy::reduce(ReduceOp op, const PerReplica<std::vector<float>>& values) const {
    const std::int64_t own_size = commonSize(values);
    const std::vector<std::int64_t> sizes = gather(std::span(&own_size, 1));
    if (own_size == kUneven) return custom_training::reduce(op, values);  // throws
    const auto other = std::find_if(sizes.begin(), sizes.end(), [own_size](std::int64_t size) { return size != own_size; });
    if (other != sizes.end()) {
        throw Error(ErrorCode::kInvalidArgument, "reduce: expected " + std::to_string(own_size) +
                                                     " elements of every replica, as this worker has, got " +
                                                     (*other == kUneven ? "different numbers" : std::to_string(*other)) +
                                                     " of the worker of rank " + std::to_string(other - sizes.begin()));
    }
    std::vector<PartialSum> own(static_cast<std::size_t>(own_size));
    for (const std::vector<float>& of_replica : values.values) {
        for (std::size_t i = 0; i < own.size(); ++i) {
            own[i].sum += of_replica[i];
            ++own[i].count;
        }
    }
    const std::vector<PartialSum> all = gather(std::span<const PartialSum>(own));
    std::vector<float> result;
    std::vector<PartialSum> of_element(sizes.size());
    for (std::size_t i = 0; i < own.size(); ++i) {
        for (std::size_t worker = 0; worker < sizes.size(); ++worker) of_element[worker] = all[worker * own.size() + i];
        result.push_back(reduced(op, of_element));
    }
    return result;
}

float Strategy::reduceFirstAxis(ReduceOp op, const PerReplica<std::vector<float>>& values) const {
    PartialSum own;
    for (const std::vector<float>& of_replica : values.values) {
        own.sum += std::accumulate(of_replica.begin(), of_replica.end(), 0.0);
        own.count += std::ssize(of_replica);
    }
    return reduced(op, gather(std::span<const PartialSum>(&own, 1)));
}

}  // namespace engine::custom_training
