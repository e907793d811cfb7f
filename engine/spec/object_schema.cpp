#include "engine/spec/object_schema.h"

#include <algorithm>

#include "engine/spec/names.h"
#include "engine/spec/objects/object_rows.h"

namespace engine::spec {
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

std::span<const std::string> metricNames() {
    static const std::vector<std::string> names{"accuracy", "acc", "sparse_categorical_accuracy", "SparseCategoricalAccuracy"};
    return names;
}

const ObjectSchema* findSchema(std::span<const ObjectSchema> schemas, std::string_view class_name) {
    const auto found = std::find_if(schemas.begin(), schemas.end(), [&](const ObjectSchema& s) { return s.class_name == class_name; });
    return found == schemas.end() ? nullptr : &*found;
}

std::string canonicalClass(std::span<const ObjectSchema> schemas, std::string_view name) {
    const std::string wanted = foldedName(name);
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
