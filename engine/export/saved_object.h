// What an object of a run must know again after a restart, as named values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace engine::exporter {

// Few values, in the order they were set. A plain value.
struct SavedObject {
    using Value = std::variant<std::int64_t, double, std::string, std::vector<float>>;  // a string may hold any bytes

    std::string name;  // "trainer", a callback's class
    std::vector<std::pair<std::string, Value>> values;

    void set(const std::string& key, const Value& value);
    // nullptr when there is none of that name, or one of another type.
    template <typename T>
    const T* find(std::string_view key) const {
        for (const auto& [name_here, value] : values) {
            if (name_here == key) {
                return std::get_if<T>(&value);
            }
        }
        return nullptr;
    }
    template <typename T>
    T get(std::string_view key, T fallback) const {
        const T* value = find<T>(key);
        return value == nullptr ? fallback : *value;
    }
    friend bool operator==(const SavedObject&, const SavedObject&) = default;
};

}  // namespace engine::exporter
