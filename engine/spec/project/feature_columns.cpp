#include "engine/spec/project/feature_columns.h"

#include <algorithm>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/settings.h"

namespace engine::spec {

std::int64_t featureWidth(const ObjectSpec& column) {
    const Settings settings = settingsOf(featureColumnSchemas(), column);
    if (column.class_name == "BucketizedColumn") {
        return static_cast<std::int64_t>(settings.getDoubles("boundaries").size()) + 1;
    }
    if (column.class_name == "CategoricalColumnWithIdentity") {
        return settings.getInt("num_buckets");
    }
    if (column.class_name == "CategoricalColumnWithVocabularyList") {
        const auto* texts = std::get_if<std::vector<std::string>>(settings.find("vocabulary_list"));
        return (texts == nullptr ? 0 : static_cast<std::int64_t>(texts->size())) + settings.getInt("num_oov_buckets");
    }
    return settings.getInt(column.class_name == "CategoricalColumnWithHashBucket" ? "hash_bucket_size" : "shape");
}

bool areFitting(std::span<const ObjectSpec> columns) {
    return std::all_of(columns.begin(), columns.end(), [](const ObjectSpec& column) {
        const ObjectSchema* schema = findSchema(featureColumnSchemas(), column.class_name);
        return schema != nullptr && checkFields(column.config, schema->fields).empty();
    });
}

std::int64_t featureWidth(std::span<const ObjectSpec> columns) {
    std::int64_t width = 0;
    for (const ObjectSpec& column : columns) width += featureWidth(column);
    return width;
}

}  // namespace engine::spec
