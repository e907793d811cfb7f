// The settings of a Keras object as its schema and its configuration say together: no reader states a default of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/model_spec.h"

namespace engine::spec {

// A view of static schemas and of a configuration that must outlive it; any thread. A setting is what the configuration holds, else (absent
// or null) the schema's default; where that is null, too, it reads as 0, false or empty. ENGINE_CHECK: the class has a field of that name.
// Throws Error(kInvalidArgument) naming the field when the configuration holds another type.
class Settings {
public:
    Settings(std::span<const FieldSchema> fields, const Fields& config) : fields_(fields), config_(config) {}

    bool getBool(std::string_view name) const;
    std::int64_t getInt(std::string_view name) const;
    double getDouble(std::string_view name) const;
    std::string getString(std::string_view name) const;
    std::vector<std::int64_t> getInts(std::string_view name) const;
    std::vector<double> getDoubles(std::string_view name) const;
    // These return nullopt where neither the configuration nor the schema has a value.
    std::optional<std::int64_t> findInt(std::string_view name) const;
    std::optional<double> findDouble(std::string_view name) const;

    // The value in force, nullptr where there is none: of fields that hold one of several types.
    const FieldValue* find(std::string_view name) const;

    // These read for rules that several classes share: `value` stays as it is where the class has no such field, or no value for it.
    void read(std::string_view name, bool& value) const;
    void read(std::string_view name, std::int64_t& value) const;
    void read(std::string_view name, double& value) const;
    void read(std::string_view name, float& value) const;
    void read(std::string_view name, std::string& value) const;
    void read(std::string_view name, std::vector<std::int64_t>& value) const;

    bool has(std::string_view name) const { return row(name) != nullptr; }

private:
    const FieldSchema* row(std::string_view name) const;
    const FieldValue* findIn(const FieldSchema& field) const;

    std::span<const FieldSchema> fields_;
    const Fields& config_;
};

// The settings of an object whose class the schemas have (ENGINE_CHECK). The object must outlive the view.
Settings settingsOf(std::span<const ObjectSchema> schemas, const ObjectSpec& object);
// The same of a class by itself, for readers that hold the configuration alone.
Settings settingsOf(std::span<const ObjectSchema> schemas, std::string_view class_name, const Fields& config);
// The settings of a callback that the engine knows (ENGINE_CHECK).
Settings callbackSettings(const ObjectSpec& callback);
// The settings of a layer whose class the engine knows (ENGINE_CHECK).
Settings settingsOf(const LayerSpec& layer);
Settings settingsOf(LayerSpec&&) = delete;

}  // namespace engine::spec
