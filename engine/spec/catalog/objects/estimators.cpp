// What estimators name beside Keras' objects: exporters, feature columns.
#include <utility>

#include "engine/spec/catalog/objects/object_rows.h"

namespace engine::spec::objects {
namespace {

FieldSchema columnKey() {
    return {.name = "key", .kind = FieldKind::kString, .required = true, .hint = "Name of the column in the data"};
}

FieldSchema exportName(std::string fallback) {
    return {.name = "name", .kind = FieldKind::kString, .fallback = std::move(fallback), .hint = "Folder below the run's export"};
}

FieldSchema exportsToKeep() {
    return {.name = "exports_to_keep",
            .kind = FieldKind::kInt,
            .fallback = std::int64_t{5},
            .minimum = 1,
            .hint = "Older exports go when there are more"};
}

}  // namespace

std::vector<ObjectSchema> exporters() {
    return {{"FinalExporter", {exportName("final")}},
            {"LatestExporter", {exportName("latest"), exportsToKeep()}},
            {"BestExporter", {exportName("best_exporter"), exportsToKeep()}}};
}

std::vector<ObjectSchema> featureColumns() {
    return {
        {"NumericColumn",
         {columnKey(),
          {.name = "shape",
           .kind = FieldKind::kInt,
           .fallback = std::int64_t{1},
           .minimum = 1,
           .hint = "How many numbers a sample has of it"}}},
        {"BucketizedColumn",
         {columnKey(),
          {.name = "boundaries",
           .kind = FieldKind::kDoubleList,
           .required = true,
           .hint = "Rising numbers; a value at a boundary belongs to the bucket above it"}}},
        {"CategoricalColumnWithVocabularyList",
         {columnKey(),
          {.name = "vocabulary_list", .kind = FieldKind::kTextList, .required = true, .hint = "The texts, each once"},
          {.name = "num_oov_buckets",
           .kind = FieldKind::kInt,
           .fallback = std::int64_t{0},
           .minimum = 0,
           .maximum = 1,
           .hint = "1: texts beyond the list have a place of their own; 0: they count as none"}}},
        {"CategoricalColumnWithIdentity",
         {columnKey(), {.name = "num_buckets", .kind = FieldKind::kInt, .required = true, .minimum = 1, .hint = "Values are below it"}}},
        {"CategoricalColumnWithHashBucket",
         {columnKey(),
          {.name = "hash_bucket_size",
           .kind = FieldKind::kInt,
           .required = true,
           .minimum = 1,
           .hint = "Places that a hash of the text chooses from; several texts may share one"}}}};
}

}  // namespace engine::spec::objects
