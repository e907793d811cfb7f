// The optimizers, schedules, losses, metrics and callbacks that a project may name, with their fields. Static data, safe from any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/field_schema.h"

namespace engine::spec {

std::span<const ObjectSchema> optimizerSchemas();
std::span<const ObjectSchema> scheduleSchemas();
std::span<const ObjectSchema> lossSchemas();
std::span<const ObjectSchema> callbackSchemas();
std::span<const ObjectSchema> crossDeviceOpsSchemas();
std::span<const ObjectSchema> partitionerSchemas();      // of tf.distribute.experimental.partitioners
std::span<const ObjectSchema> clusterResolverSchemas();  // of tf.distribute.cluster_resolver, those that a strategy is given settings by
std::span<const ObjectSchema> exporterSchemas();         // of tf.estimator
std::span<const ObjectSchema> featureColumnSchemas();    // of tf.feature_column, by classes in place of functions: NumericColumn
std::span<const ObjectSchema> mixSchemas();              // of data.mix: MixUp, CutMix
std::span<const ObjectSchema> regularizerSchemas();
std::span<const ObjectSchema> constraintSchemas();
std::span<const ObjectSchema> initializerSchemas();
std::span<const ObjectSchema> metricSchemas();  // those with an entry in compile() that is not "accuracy"
// What a project may log at most.
inline constexpr std::size_t kMaximumMetrics = 8;

// nullptr for an unknown class.
const ObjectSchema* findSchema(std::span<const ObjectSchema> schemas, std::string_view class_name);
// The class that a user's name means: Keras' snake case and short names are taken too ("adam", "sparse_categorical_crossentropy").
// The name itself when no schema has it.
std::string canonicalClass(std::span<const ObjectSchema> schemas, std::string_view name);
std::vector<std::string> classNames(std::span<const ObjectSchema> schemas);

}  // namespace engine::spec
