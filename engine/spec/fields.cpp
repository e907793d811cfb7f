#include "engine/spec/fields.h"

#include <algorithm>

#include "engine/spec/error.h"

namespace engine::spec {
namespace {

[[noreturn]] void wrongType(std::string_view name, const char* expected) {
    throw Error(ErrorCode::kInvalidArgument, "field \"" + std::string(name) + "\": expected " + expected + ", got another type");
}

const FieldValue* present(const Fields& fields, std::string_view name) {
    const FieldValue* value = fields.find(name);
    return value == nullptr || std::holds_alternative<std::monostate>(*value) ? nullptr : value;
}

}  // namespace

ObjectBox::ObjectBox(ObjectSpec object) : object_(std::make_shared<const ObjectSpec>(std::move(object))) {}

bool operator==(const ObjectBox& a, const ObjectBox& b) {
    return a.object_ == b.object_ || *a.object_ == *b.object_;
}

const FieldValue* Fields::find(std::string_view name) const {
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.first == name; });
    return found == entries_.end() ? nullptr : &found->second;
}

void Fields::set(std::string_view name, FieldValue value) {
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.first == name; });
    if (found == entries_.end()) {
        entries_.emplace_back(std::string(name), std::move(value));
    } else {
        found->second = std::move(value);
    }
}

void Fields::erase(std::string_view name) {
    std::erase_if(entries_, [&](const Entry& entry) { return entry.first == name; });
}

bool toBool(std::string_view name, const FieldValue& value) {
    if (const bool* flag = std::get_if<bool>(&value)) {
        return *flag;
    }
    wrongType(name, "true or false");
}

std::int64_t toInt(std::string_view name, const FieldValue& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
        return *number;
    }
    if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value); list != nullptr && list->size() == 1) {
        return list->front();
    }
    wrongType(name, "an integer");
}

double toDouble(std::string_view name, const FieldValue& value) {
    if (const auto* number = std::get_if<double>(&value)) {
        return *number;
    }
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
        return static_cast<double>(*number);
    }
    wrongType(name, "a number");
}

std::string toText(std::string_view name, const FieldValue& value) {
    if (const auto* text = std::get_if<std::string>(&value)) {
        return *text;
    }
    wrongType(name, "a string");
}

std::vector<std::int64_t> toInts(std::string_view name, const FieldValue& value) {
    if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value)) {
        return *list;
    }
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
        return {*number};
    }
    wrongType(name, "a list of integers");
}

std::vector<double> toDoubles(std::string_view name, const FieldValue& value) {
    if (const auto* list = std::get_if<std::vector<double>>(&value)) {
        return *list;
    }
    if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value)) {
        return {list->begin(), list->end()};
    }
    if (const auto* number = std::get_if<double>(&value)) {
        return {*number};
    }
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
        return {static_cast<double>(*number)};
    }
    wrongType(name, "a list of numbers");
}

std::vector<ObjectBox> toObjects(std::string_view name, const FieldValue& value) {
    if (const auto* list = std::get_if<std::vector<ObjectBox>>(&value)) {
        return *list;
    }
    const auto* numbers = std::get_if<std::vector<std::int64_t>>(&value);  // what an empty list is read as
    if (numbers != nullptr && numbers->empty()) {
        return {};
    }
    wrongType(name, "a list of objects");
}

bool Fields::getBool(std::string_view name, bool fallback) const {
    const FieldValue* value = present(*this, name);
    return value == nullptr ? fallback : toBool(name, *value);
}

std::int64_t Fields::getInt(std::string_view name, std::int64_t fallback) const {
    const FieldValue* value = present(*this, name);
    return value == nullptr ? fallback : toInt(name, *value);
}

double Fields::getDouble(std::string_view name, double fallback) const {
    const FieldValue* value = present(*this, name);
    return value == nullptr ? fallback : toDouble(name, *value);
}

std::string Fields::getString(std::string_view name, std::string_view fallback) const {
    const FieldValue* value = present(*this, name);
    return value == nullptr ? std::string(fallback) : toText(name, *value);
}

std::vector<std::int64_t> Fields::getInts(std::string_view name, std::vector<std::int64_t> fallback) const {
    const FieldValue* value = present(*this, name);
    return value == nullptr ? fallback : toInts(name, *value);
}

std::vector<double> Fields::getDoubles(std::string_view name, std::vector<double> fallback) const {
    const FieldValue* value = present(*this, name);
    return value == nullptr ? fallback : toDoubles(name, *value);
}

const ObjectSpec* Fields::getObject(std::string_view name) const {
    const FieldValue* value = present(*this, name);
    const ObjectBox* box = value == nullptr ? nullptr : std::get_if<ObjectBox>(value);
    return box == nullptr ? nullptr : &box->get();
}

std::vector<ObjectBox> Fields::getObjects(std::string_view name) const {
    const FieldValue* value = present(*this, name);
    const auto* list = value == nullptr ? nullptr : std::get_if<std::vector<ObjectBox>>(value);
    return list == nullptr ? std::vector<ObjectBox>() : *list;
}

}  // namespace engine::spec
