#include "engine/spec/catalog/settings.h"

#include <algorithm>
#include <variant>

#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/error.h"

namespace engine::spec {

const FieldSchema* Settings::row(std::string_view name) const {
    const auto found = std::find_if(fields_.begin(), fields_.end(), [name](const FieldSchema& field) { return field.name == name; });
    return found == fields_.end() ? nullptr : &*found;
}

const FieldValue* Settings::findIn(const FieldSchema& field) const {
    const FieldValue* given = config_.find(field.name);
    const FieldValue* value = given == nullptr || std::holds_alternative<std::monostate>(*given) ? &field.fallback : given;
    return std::holds_alternative<std::monostate>(*value) ? nullptr : value;
}

const FieldValue* Settings::find(std::string_view name) const {
    const FieldSchema* field = row(name);
    ENGINE_CHECK(field != nullptr);
    return findIn(*field);
}

bool Settings::getBool(std::string_view name) const {
    const FieldValue* value = find(name);
    return value != nullptr && toBool(name, *value);
}

std::int64_t Settings::getInt(std::string_view name) const {
    return findInt(name).value_or(0);
}

double Settings::getDouble(std::string_view name) const {
    return findDouble(name).value_or(0);
}

std::string Settings::getString(std::string_view name) const {
    const FieldValue* value = find(name);
    return value == nullptr ? std::string() : toText(name, *value);
}

std::vector<std::int64_t> Settings::getInts(std::string_view name) const {
    const FieldValue* value = find(name);
    return value == nullptr ? std::vector<std::int64_t>() : toInts(name, *value);
}

std::vector<double> Settings::getDoubles(std::string_view name) const {
    const FieldValue* value = find(name);
    return value == nullptr ? std::vector<double>() : toDoubles(name, *value);
}

std::optional<std::int64_t> Settings::findInt(std::string_view name) const {
    const FieldValue* value = find(name);
    return value == nullptr ? std::nullopt : std::optional(toInt(name, *value));
}

std::optional<double> Settings::findDouble(std::string_view name) const {
    const FieldValue* value = find(name);
    return value == nullptr ? std::nullopt : std::optional(toDouble(name, *value));
}

void Settings::read(std::string_view name, bool& value) const {
    const FieldSchema* field = row(name);
    if (const FieldValue* found = field == nullptr ? nullptr : findIn(*field)) value = toBool(name, *found);
}

void Settings::read(std::string_view name, std::int64_t& value) const {
    const FieldSchema* field = row(name);
    if (const FieldValue* found = field == nullptr ? nullptr : findIn(*field)) value = toInt(name, *found);
}

void Settings::read(std::string_view name, double& value) const {
    const FieldSchema* field = row(name);
    if (const FieldValue* found = field == nullptr ? nullptr : findIn(*field)) value = toDouble(name, *found);
}

void Settings::read(std::string_view name, float& value) const {
    auto wide = static_cast<double>(value);
    read(name, wide);
    value = static_cast<float>(wide);
}

void Settings::read(std::string_view name, std::string& value) const {
    const FieldSchema* field = row(name);
    if (const FieldValue* found = field == nullptr ? nullptr : findIn(*field)) value = toText(name, *found);
}

void Settings::read(std::string_view name, std::vector<std::int64_t>& value) const {
    const FieldSchema* field = row(name);
    if (const FieldValue* found = field == nullptr ? nullptr : findIn(*field)) value = toInts(name, *found);
}

Settings settingsOf(std::span<const ObjectSchema> schemas, const ObjectSpec& object) {
    return settingsOf(schemas, object.class_name, object.config);
}

Settings settingsOf(std::span<const ObjectSchema> schemas, std::string_view class_name, const Fields& config) {
    const ObjectSchema* schema = findSchema(schemas, class_name);
    ENGINE_CHECK(schema != nullptr);
    return {schema->fields, config};
}

Settings callbackSettings(const ObjectSpec& callback) {
    return settingsOf(callbackSchemas(), callback);
}

Settings settingsOf(const LayerSpec& layer) {
    const LayerSchema* schema = findLayerSchema(layer.class_name);
    ENGINE_CHECK(schema != nullptr);
    return {schema->fields, layer.config};
}

}  // namespace engine::spec
