#include "engine/spec/project/object_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/spec/names.h"

namespace engine::spec {
namespace {

// A list whose entries share a type that a field can hold; nullopt otherwise. Lists of lists of integers, ((1, 2), (0, 3)), become one
// list; null among integers is Keras' None, a size that is left open: -1.
std::optional<FieldValue> listValue(const Json& value) {
    const auto all = [&](auto test) { return std::all_of(value.begin(), value.end(), test); };
    const auto is_integer = [](const Json& v) { return v.is_number_integer() && integerOf(v).has_value(); };
    if (all(is_integer)) return value.get<std::vector<std::int64_t>>();
    if (std::any_of(value.begin(), value.end(), is_integer) && all([&](const Json& v) { return v.is_null() || is_integer(v); })) {
        std::vector<std::int64_t> sizes;
        for (const Json& v : value) sizes.push_back(v.is_null() ? -1 : v.get<std::int64_t>());
        return sizes;
    }
    if (all([&](const Json& v) { return v.is_array() && std::all_of(v.begin(), v.end(), is_integer); })) {
        std::vector<std::int64_t> flat;
        for (const Json& v : value) flat.insert(flat.end(), v.begin(), v.end());
        return flat;
    }
    if (all([](const Json& v) { return v.is_number(); })) return value.get<std::vector<double>>();
    if (all([](const Json& v) { return v.is_string(); })) return value.get<std::vector<std::string>>();
    return std::nullopt;
}

// Layers in a chain: [{"class_name": …, "config": {…}}, …]. nullopt after reporting.
std::optional<FieldValue> objectsValue(const Json& value, const std::string& path, Diagnostics& diagnostics) {
    std::vector<ObjectBox> objects;
    for (std::size_t i = 0; i < value.size(); ++i) {
        std::optional<ObjectSpec> object = readObject(value[i], path + "[" + std::to_string(i) + "]", diagnostics);
        if (!object) return std::nullopt;
        objects.emplace_back(std::move(*object));
    }
    return objects;
}

std::optional<FieldValue> fieldValue(const Json& value, const std::string& path, Diagnostics& diagnostics) {
    if (value.is_null()) return std::monostate{};
    if (value.is_boolean()) return value.get<bool>();
    if (value.is_number_integer()) {
        const std::optional<std::int64_t> number = integerOf(value);
        if (number) return *number;
    }
    if (value.is_number()) return value.get<double>();
    if (value.is_string()) return value.get<std::string>();
    if (value.is_object()) {
        std::optional<ObjectSpec> object = readObject(value, path, diagnostics);
        return object ? std::optional<FieldValue>(ObjectBox(std::move(*object))) : std::nullopt;
    }
    const bool holds_objects = !value.empty() && std::all_of(value.begin(), value.end(), [](const Json& v) { return v.is_object(); });
    if (holds_objects) return objectsValue(value, path, diagnostics);
    std::optional<FieldValue> list = listValue(value);
    if (!list) {
        diagnostics.push_back({Severity::kError, path, "expected a list of numbers or of texts, got a mixed or nested one", ""});
    }
    return list;
}

}  // namespace

std::optional<std::int64_t> integerOf(const Json& value) {
    if (value.is_number_unsigned()) {
        const auto number = value.get<std::uint64_t>();
        return number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())
                   ? std::optional(static_cast<std::int64_t>(number))
                   : std::nullopt;
    }
    if (value.is_number_integer()) {
        return value.get<std::int64_t>();
    }
    constexpr double kExact = 9007199254740992.0;  // 2^53
    if (value.is_number_float()) {
        const auto number = value.get<double>();
        if (std::floor(number) == number && std::fabs(number) <= kExact) {
            return static_cast<std::int64_t>(number);
        }
    }
    return std::nullopt;
}

ObjectReader::ObjectReader(const Json& value, std::string path, Diagnostics& diagnostics)
    : path_(std::move(path)), diagnostics_(diagnostics) {
    if (value.is_object()) {
        object_ = &value;
    } else {
        diagnostics_.push_back({Severity::kError, path_, "expected an object, got " + shortText(value), ""});
    }
}

std::string ObjectReader::pathOf(std::string_view key) const {
    return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

void ObjectReader::wrong(std::string_view key, const std::string& expected, const Json& got) {
    diagnostics_.push_back({Severity::kError, pathOf(key), "expected " + expected + ", got " + shortText(got), ""});
}

const Json* ObjectReader::take(const char* key) {
    asked_.emplace_back(key);
    if (object_ == nullptr) {
        return nullptr;
    }
    const auto found = object_->find(key);
    return found == object_->end() || found->is_null() ? nullptr : &*found;
}

void ObjectReader::read(const char* key, bool& target) {
    if (const Json* value = take(key)) {
        if (value->is_boolean()) {
            target = value->get<bool>();
        } else {
            wrong(key, "true or false", *value);
        }
    }
}

void ObjectReader::read(const char* key, std::int64_t& target) {
    if (const Json* value = take(key)) {
        if (const std::optional<std::int64_t> number = integerOf(*value)) {
            target = *number;
        } else {
            wrong(key, "an integer", *value);
        }
    }
}

void ObjectReader::read(const char* key, double& target) {
    if (const Json* value = take(key)) {
        if (value->is_number()) {
            target = value->get<double>();
        } else {
            wrong(key, "a number", *value);
        }
    }
}

void ObjectReader::read(const char* key, std::string& target) {
    if (const Json* value = take(key)) {
        if (value->is_string()) {
            target = value->get<std::string>();
        } else {
            wrong(key, "a text", *value);
        }
    }
}

void ObjectReader::read(const char* key, std::vector<std::int64_t>& target) {
    if (const Json* value = take(key)) {
        if (value->is_array() && std::all_of(value->begin(), value->end(), [](const Json& v) { return integerOf(v).has_value(); })) {
            target.clear();
            for (const Json& number : *value) {
                target.push_back(*integerOf(number));
            }
        } else {
            wrong(key, "a list of integers", *value);
        }
    }
}

void ObjectReader::read(const char* key, std::vector<double>& target) {
    if (const Json* value = take(key)) {
        if (value->is_array() && std::all_of(value->begin(), value->end(), [](const Json& v) { return v.is_number(); })) {
            target = value->get<std::vector<double>>();
        } else {
            wrong(key, "a list of numbers", *value);
        }
    }
}

void ObjectReader::read(const char* key, std::vector<std::string>& target) {
    if (const Json* value = take(key)) {
        if (value->is_array() && std::all_of(value->begin(), value->end(), [](const Json& v) { return v.is_string(); })) {
            target = value->get<std::vector<std::string>>();
        } else {
            wrong(key, "a list of texts", *value);
        }
    }
}

std::optional<std::size_t> ObjectReader::readChoice(const char* key, const std::vector<std::string>& names) {
    const Json* value = take(key);
    if (value == nullptr) {
        return std::nullopt;
    }
    if (value->is_string()) {
        const auto found = std::find(names.begin(), names.end(), value->get<std::string>());
        if (found != names.end()) {
            return static_cast<std::size_t>(found - names.begin());
        }
    }
    wrong(key, oneOf(names), *value);
    return std::nullopt;
}

std::vector<std::pair<std::string, const Json*>> ObjectReader::takeRest() {
    std::vector<std::pair<std::string, const Json*>> rest;
    if (object_ != nullptr) {
        for (const auto& [key, value] : object_->items()) {
            if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) {
                rest.emplace_back(key, &value);
            }
        }
    }
    for (const auto& [key, value] : rest) {
        asked_.push_back(key);
    }
    return rest;
}

void ObjectReader::finish() {
    std::vector<std::string> known = asked_;
    for (const auto& [key, value] : takeRest()) {
        diagnostics_.push_back({Severity::kWarning, pathOf(key),
                                std::string(kUnknownKeyMessage) + ": expected " + oneOf(known) + ", got " + key, "It has no effect."});
    }
}

std::optional<ObjectSpec> readObject(const Json& value, const std::string& path, Diagnostics& diagnostics) {
    if (value.is_string()) {
        return ObjectSpec{value.get<std::string>(), {}};
    }
    if (!value.is_object() || !value.contains("class_name") || !value["class_name"].is_string()) {
        diagnostics.push_back({Severity::kError, path,
                               "expected an object with class_name and config, got " +
                                   (value.is_object() ? std::string("an object without class_name") : shortText(value)),
                               ""});
        return std::nullopt;
    }
    ObjectReader reader(value, path, diagnostics);
    ObjectSpec object;
    reader.read("class_name", object.class_name);
    if (const Json* config = reader.take("config")) {
        object.config = readFields(*config, path, diagnostics);
    }
    // What Keras' serialization adds.
    reader.take("module");
    reader.take("registered_name");
    reader.take("build_config");
    reader.finish();
    return object;
}

Fields readFields(const Json& config, const std::string& path, Diagnostics& diagnostics) {
    Fields fields;
    if (!config.is_object()) {
        diagnostics.push_back({Severity::kError, path, "expected an object of fields, got " + shortText(config), ""});
        return fields;
    }
    for (const auto& [key, value] : config.items()) {
        if (std::optional<FieldValue> field = fieldValue(value, path + "." + key, diagnostics)) {
            fields.set(key, std::move(*field));
        }
    }
    return fields;
}

Json fieldsJson(const Fields& fields) {
    Json json = Json::object();
    for (const auto& [name, value] : fields.entries()) {
        json[name] = std::visit(
            [](const auto& held) -> Json {
                using Held = std::decay_t<decltype(held)>;
                if constexpr (std::is_same_v<Held, std::monostate>) {
                    return nullptr;
                } else if constexpr (std::is_same_v<Held, ObjectBox>) {
                    return objectJson(held.get());
                } else if constexpr (std::is_same_v<Held, std::vector<ObjectBox>>) {
                    Json list = Json::array();
                    for (const ObjectBox& box : held) list.push_back(objectJson(box.get()));
                    return list;
                } else {
                    return held;
                }
            },
            value);
    }
    return json;
}

Json objectJson(const ObjectSpec& object) {
    return {{"class_name", object.class_name}, {"config", fieldsJson(object.config)}};
}

}  // namespace engine::spec
