// Reads the keys of one JSON object into plain values, reporting what has another type and what nobody asked for. Only files below
// engine/spec include it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/spec/diagnostic.h"
#include "engine/spec/fields.h"
#include "engine/spec/json_text.h"

namespace engine::spec {

// The warning for a key that means nothing; applySetting makes it an error for the key it was given.
inline constexpr const char* kUnknownKeyMessage = "unknown key";

class ObjectReader {
public:
    // `value` and `diagnostics` outlive the reader. Anything but an object is reported once and then reads as empty.
    ObjectReader(const Json& value, std::string path, Diagnostics& diagnostics);

    // Each leaves `target` as it is when the key is absent or has another type (that is reported).
    void read(const char* key, bool& target);
    void read(const char* key, std::int64_t& target);
    void read(const char* key, double& target);
    void read(const char* key, std::string& target);
    void read(const char* key, std::vector<std::int64_t>& target);
    void read(const char* key, std::vector<double>& target);
    void read(const char* key, std::vector<std::string>& target);
    template <class Enum>
    void read(const char* key, Enum& target, std::initializer_list<std::pair<const char*, Enum>> names) {
        std::vector<std::string> known;
        for (const auto& [name, value] : names) {
            known.emplace_back(name);
        }
        if (const std::optional<std::size_t> chosen = readChoice(key, known)) {
            target = (names.begin() + *chosen)->second;
        }
    }

    // The value of a key that is read by other means, nullptr when absent or null.
    const Json* take(const char* key);
    // Keys that nobody asked for, in order; they count as asked for from then on.
    std::vector<std::pair<std::string, const Json*>> takeRest();
    std::string pathOf(std::string_view key) const;
    void wrong(std::string_view key, const std::string& expected, const Json& got);
    // Reports the keys that nobody asked for as warnings.
    void finish();

private:
    std::optional<std::size_t> readChoice(const char* key, const std::vector<std::string>& names);

    const Json* object_ = nullptr;
    std::string path_;
    Diagnostics& diagnostics_;
    std::vector<std::string> asked_;
};

// The name of an enum's value in the list that it is read by.
template <class Enum>
const char* nameOf(Enum value, std::initializer_list<std::pair<const char*, Enum>> names) {
    return std::find_if(names.begin(), names.end(), [&](const auto& entry) { return entry.second == value; })->first;
}

// An integer, also where it is written as 64.0; nullopt for anything else.
std::optional<std::int64_t> integerOf(const Json& value);

// Keras' objects: {"class_name": …, "config": {…}}, or the class alone as a text. nullopt after reporting.
std::optional<ObjectSpec> readObject(const Json& value, const std::string& path, Diagnostics& diagnostics);
// The fields of a configuration; what no FieldValue can hold is reported and left out.
Fields readFields(const Json& config, const std::string& path, Diagnostics& diagnostics);

Json fieldsJson(const Fields& fields);
Json objectJson(const ObjectSpec& object);

}  // namespace engine::spec
