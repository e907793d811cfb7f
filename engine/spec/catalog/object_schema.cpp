#include "engine/spec/catalog/object_schema.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/spec/catalog/objects/object_rows.h"
#include "engine/spec/names.h"

namespace engine::spec {
namespace {

// Keras' other names of losses, metrics and initializers, folded as foldedName() does.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kOtherNames{{{"mse", "meansquarederror"},
                                                                                     {"mae", "meanabsoluteerror"},
                                                                                     {"mape", "meanabsolutepercentageerror"},
                                                                                     {"msle", "meansquaredlogarithmicerror"},
                                                                                     {"bce", "binarycrossentropy"},
                                                                                     {"kld", "kldivergence"},
                                                                                     {"normal", "randomnormal"},
                                                                                     {"uniform", "randomuniform"},
                                                                                     {"one", "ones"},
                                                                                     {"zero", "zeros"},
                                                                                     {"identityinitializer", "identity"},
                                                                                     {"orthogonalinitializer", "orthogonal"}}};

}  // namespace

std::span<const ObjectSchema> scheduleSchemas() {
    static const std::vector<ObjectSchema> schemas = objects::schedules();
    return schemas;
}

std::span<const ObjectSchema> optimizerSchemas() {
    static const std::vector<ObjectSchema> schemas = objects::optimizers();
    return schemas;
}

std::span<const ObjectSchema> lossSchemas() {
    static const std::vector<ObjectSchema> schemas = objects::losses();
    return schemas;
}

std::span<const ObjectSchema> regularizerSchemas() {
    static const std::vector<ObjectSchema> schemas = objects::regularizers();
    return schemas;
}

std::span<const ObjectSchema> constraintSchemas() {
    static const std::vector<ObjectSchema> schemas = objects::constraints();
    return schemas;
}

std::span<const ObjectSchema> initializerSchemas() {
    static const std::vector<ObjectSchema> schemas = objects::initializers();
    return schemas;
}

std::span<const ObjectSchema> metricSchemas() {
    static const std::vector<ObjectSchema> schemas = objects::metrics();
    return schemas;
}

std::span<const ObjectSchema> exporterSchemas() {
    static const std::vector<ObjectSchema> schemas = objects::exporters();
    return schemas;
}

std::span<const ObjectSchema> featureColumnSchemas() {
    static const std::vector<ObjectSchema> schemas = objects::featureColumns();
    return schemas;
}

std::span<const ObjectSchema> mixSchemas() {
    static const std::vector<ObjectSchema> schemas = objects::mixes();
    return schemas;
}

std::span<const ObjectSchema> crossDeviceOpsSchemas() {
    const FieldSchema packs{.name = "num_packs",
                            .kind = FieldKind::kInt,
                            .fallback = std::int64_t{1},
                            .minimum = 0,
                            .hint = "Parts that the gradients travel in; 0: each gradient alone"};
    static const std::vector<ObjectSchema> schemas{
        {"NcclAllReduce", {packs}},
        {"HierarchicalCopyAllReduce", {packs}},
        {"ReductionToOneDevice",
         {{.name = "reduce_to_device", .kind = FieldKind::kString, .hint = "Device that adds up; the first one when absent"}}}};
    return schemas;
}

std::span<const ObjectSchema> partitionerSchemas() {
    const FieldSchema most_shards{.name = "max_shards", .kind = FieldKind::kInt, .minimum = 1, .hint = "Shards of a variable at the most"};
    FieldSchema one_shard = most_shards;
    one_shard.fallback = std::int64_t{1};
    const FieldSchema string_bytes{.name = "bytes_per_string",
                                   .kind = FieldKind::kInt,
                                   .fallback = std::int64_t{16},
                                   .minimum = 1,
                                   .hint = "Of variables that hold texts, which a model has none of"};
    static const std::vector<ObjectSchema> schemas{
        {"FixedShardsPartitioner",
         {{.name = "num_shards", .kind = FieldKind::kInt, .required = true, .minimum = 1, .hint = "Shards of each variable, by its rows"}}},
        {"MinSizePartitioner",
         {{.name = "min_shard_bytes",
           .kind = FieldKind::kInt,
           .fallback = std::int64_t{256 * 1024},
           .minimum = 1,
           .hint = "A shard holds so many bytes at least"},
          one_shard,
          string_bytes}},
        {"MaxSizePartitioner",
         {{.name = "max_shard_bytes",
           .kind = FieldKind::kInt,
           .required = true,
           .minimum = 1,
           .hint = "A shard holds so many bytes at the most"},
          most_shards,
          string_bytes}}};
    return schemas;
}

std::span<const ObjectSchema> clusterResolverSchemas() {
    const auto text = [](std::string name, std::string hint) {
        return FieldSchema{.name = std::move(name), .kind = FieldKind::kString, .hint = std::move(hint)};
    };
    FieldSchema job = text("job_name", "Job that the TPU's tasks belong to");
    job.fallback = std::string("worker");
    static const std::vector<ObjectSchema> schemas{
        {"TPUClusterResolver",
         {text("tpu", "Name of the TPU, grpc://host:port, or local on the TPU's own machine; None: as the environment says"),
          text("zone", "Zone of Google Cloud; None: that of the machine that runs the script"),
          text("project", "Project of Google Cloud; None: that of the machine that runs the script"), job,
          text("coordinator_name", "Job of the coordinator; None: the cluster has none"),
          text("coordinator_address", "host:port of the coordinator; None: the script starts a server for it")}}};
    return schemas;
}

const ObjectSchema* findSchema(std::span<const ObjectSchema> schemas, std::string_view class_name) {
    const auto found = std::find_if(schemas.begin(), schemas.end(), [&](const ObjectSchema& s) { return s.class_name == class_name; });
    return found == schemas.end() ? nullptr : &*found;
}

std::string canonicalClass(std::span<const ObjectSchema> schemas, std::string_view name) {
    std::string wanted = foldedName(name);
    if (const auto alias = std::find_if(kOtherNames.begin(), kOtherNames.end(), [&](const auto& row) { return row.first == wanted; });
        alias != kOtherNames.end()) {
        wanted = alias->second;
    }
    for (const ObjectSchema& schema : schemas) {
        if (foldedName(schema.class_name) == wanted) {
            return schema.class_name;
        }
    }
    return std::string(name);
}

std::vector<std::string> classNames(std::span<const ObjectSchema> schemas) {
    std::vector<std::string> names;
    for (const ObjectSchema& schema : schemas) {
        names.push_back(schema.class_name);
    }
    return names;
}

}  // namespace engine::spec
