#include "engine/plan/variable_parts.h"

#include <algorithm>

#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/error.h"

namespace engine::plan {
namespace {

constexpr std::int64_t kElementBytes = 4;  // float32

std::int64_t ceilDivide(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

std::int64_t positive(const spec::Settings& settings, const char* name) {
    const std::int64_t value = settings.getInt(name);
    if (value < 1) {
        throw Error(ErrorCode::kInvalidArgument,
                    std::string("strategy.variable_partitioner.") + name + ": expected 1 or more, got " + std::to_string(value));
    }
    return value;
}

std::int64_t elementsOf(const spec::Shape& shape) {
    std::int64_t elements = 1;
    for (const std::int64_t size : shape) elements *= size;
    return elements;
}

// True for each tensor that a constraint reads.
std::vector<bool> constrained(const Plan& plan) {
    std::vector<bool> is_constrained(plan.tensors.size());
    for (const Op& op : plan.ops) {
        if (op.kind != OpKind::kConstrain) continue;
        for (const TensorId id : op.inputs) is_constrained[static_cast<std::size_t>(id)] = true;
    }
    return is_constrained;
}

}  // namespace

std::int64_t elementCount(const VariablePart& part) {
    return elementsOf(part.shape);
}

std::int64_t shardCount(const spec::ObjectSpec& partitioner, const spec::Shape& shape) {
    if (partitioner.class_name.empty() || shape.empty() || shape.front() < 1) return 1;
    if (spec::findSchema(spec::partitionerSchemas(), partitioner.class_name) == nullptr) {
        throw Error(ErrorCode::kInvalidArgument,
                    "strategy.variable_partitioner: expected FixedShardsPartitioner, MinSizePartitioner or MaxSizePartitioner, got " +
                        partitioner.class_name);
    }
    const spec::Settings settings = spec::settingsOf(spec::partitionerSchemas(), partitioner);
    const std::int64_t rows = shape.front();
    const std::int64_t bytes = elementsOf(shape) * kElementBytes;
    if (partitioner.class_name == "FixedShardsPartitioner") return std::min(positive(settings, "num_shards"), rows);
    if (partitioner.class_name == "MinSizePartitioner") {
        const std::int64_t by_size = ceilDivide(bytes, positive(settings, "min_shard_bytes"));
        return std::max<std::int64_t>(1, std::min({rows, positive(settings, "max_shards"), by_size}));
    }
    const std::int64_t row_bytes = std::max<std::int64_t>(1, bytes / rows);
    const std::int64_t rows_in_shard = std::max<std::int64_t>(1, positive(settings, "max_shard_bytes") / row_bytes);
    const std::int64_t shards = ceilDivide(rows, rows_in_shard);
    return settings.findInt("max_shards") ? std::min(shards, positive(settings, "max_shards")) : shards;
}

std::vector<VariablePart> variableParts(const Plan& plan, const spec::StrategySpec& settings, int servers) {
    ENGINE_CHECK(servers > 0);
    std::vector<VariablePart> parts;
    const std::vector<bool> is_constrained = constrained(plan);
    const auto nextServer = [&parts, servers] { return static_cast<int>(parts.size() % static_cast<std::size_t>(servers)); };
    for (std::size_t i = 0; i < plan.tensors.size(); ++i) {
        const TensorDesc& tensor = plan.tensors[i];
        const auto id = static_cast<TensorId>(i);
        if (tensor.role != TensorRole::kParameter && tensor.role != TensorRole::kState) continue;
        const bool is_cut = tensor.role == TensorRole::kParameter && !is_constrained[i];
        const std::int64_t shards = is_cut ? shardCount(settings.variable_partitioner, tensor.shape) : 1;
        if (shards == 1) {
            parts.push_back({.variable = id, .name = tensor.name, .server = nextServer(), .shape = tensor.shape});
            continue;
        }
        const std::int64_t rows = tensor.shape.front(), row_elements = elementsOf(tensor.shape) / rows;
        std::int64_t first_row = 0;
        for (std::int64_t shard = 0; shard < shards; ++shard) {
            VariablePart part{.variable = id,
                              .name = tensor.name + "/part_" + std::to_string(shard),
                              .server = nextServer(),
                              .is_shard = true,
                              .first_element = first_row * row_elements,
                              .shape = tensor.shape};
            part.shape.front() = rows / shards + (shard < rows % shards ? 1 : 0);
            first_row += part.shape.front();
            parts.push_back(std::move(part));
        }
    }
    return parts;
}

}  // namespace engine::plan
