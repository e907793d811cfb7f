// Values of a Keras object's configuration: what `get_config()` of a layer, optimizer, loss, schedule or callback holds.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace engine::spec {

struct ObjectSpec;

// Owns a copy; compares by value. Lets a field hold a nested object such as a schedule or a regularizer.
class ObjectBox {
public:
    ObjectBox(ObjectSpec object);  // NOLINT(google-explicit-constructor): a value like the others
    const ObjectSpec& get() const { return *object_; }
    friend bool operator==(const ObjectBox& a, const ObjectBox& b);

private:
    std::shared_ptr<const ObjectSpec> object_;
};

using FieldValue = std::variant<std::monostate,  // null
                                bool, std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>,
                                std::vector<std::string>, ObjectBox, std::vector<ObjectBox>>;

// The value as asked; no null. Integers widen to double; a single number answers as a list of one, a list of one integer (Keras' sizes of
// one-dimensional layers) as that integer. Throw Error(kInvalidArgument) naming the field when the value has another type.
bool toBool(std::string_view name, const FieldValue& value);
std::int64_t toInt(std::string_view name, const FieldValue& value);
double toDouble(std::string_view name, const FieldValue& value);
std::string toText(std::string_view name, const FieldValue& value);
std::vector<std::int64_t> toInts(std::string_view name, const FieldValue& value);
std::vector<double> toDoubles(std::string_view name, const FieldValue& value);
// An empty list of integers, which one without entries is read as, is an empty list of objects.
std::vector<ObjectBox> toObjects(std::string_view name, const FieldValue& value);

// Ordered name -> value, few entries. Plain value; no thread safety of its own.
class Fields {
public:
    using Entry = std::pair<std::string, FieldValue>;

    Fields() = default;
    Fields(std::initializer_list<Entry> entries) : entries_(entries) {}

    // nullptr when absent. The pointer lives until the next change.
    const FieldValue* find(std::string_view name) const;
    void set(std::string_view name, FieldValue value);  // replaces in place or appends
    void erase(std::string_view name);

    // The value as asked, see toBool and its siblings, or `fallback` when absent or null. These are for fields without a schema: where
    // there is one, engine/spec/catalog/settings.h knows the default.
    bool getBool(std::string_view name, bool fallback) const;
    std::int64_t getInt(std::string_view name, std::int64_t fallback) const;
    double getDouble(std::string_view name, double fallback) const;
    std::string getString(std::string_view name, std::string_view fallback) const;
    std::vector<std::int64_t> getInts(std::string_view name, std::vector<std::int64_t> fallback) const;
    std::vector<double> getDoubles(std::string_view name, std::vector<double> fallback) const;
    const ObjectSpec* getObject(std::string_view name) const;        // nullptr when absent, null or no object
    std::vector<ObjectBox> getObjects(std::string_view name) const;  // empty when absent, null or no list of objects

    const std::vector<Entry>& entries() const { return entries_; }
    bool empty() const { return entries_.empty(); }
    friend bool operator==(const Fields&, const Fields&) = default;

private:
    std::vector<Entry> entries_;
};

// {"class_name": "Adam", "config": {"learning_rate": 0.001}}: Keras' way of naming an object.
struct ObjectSpec {
    std::string class_name;
    Fields config;
    friend bool operator==(const ObjectSpec&, const ObjectSpec&) = default;
};

}  // namespace engine::spec
