#include "engine/spec/catalog/field_check.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/spec/catalog/dtype_policy.h"
#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/field_schema.h"
#include "engine/spec/names.h"

namespace engine::spec {
namespace {

constexpr double kUnbounded = 1e299;

std::string numberText(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.15g", value);
    return text;
}

// Tells 2.0 from the integer 2.
std::string realText(double value) {
    std::string text = numberText(value);
    return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

std::string rangeText(const FieldSchema& row) {
    const bool below = row.minimum > -kUnbounded;
    const bool above = row.maximum < kUnbounded;
    std::string text;
    if (below) {
        text += (row.minimum_excluded ? " above " : " of at least ") + numberText(row.minimum);
    }
    if (above) {
        text += std::string(below ? " and" : " of") + " at most " + numberText(row.maximum);
    }
    return text;
}

std::string kindText(const FieldSchema& row) {
    switch (row.kind) {
        case FieldKind::kBool:
            return "true or false";
        case FieldKind::kInt:
            return "an integer";
        case FieldKind::kDouble:
            return "a number";
        case FieldKind::kString:
            return "a text";
        case FieldKind::kChoice:
            return "a text";
        case FieldKind::kIntPair:
            return "one or two integers";
        case FieldKind::kIntTriple:
            return "one or three integers";
        case FieldKind::kIntList:
            return "a list of integers";
        case FieldKind::kDoubleList:
            return "a list of numbers";
        case FieldKind::kTextList:
            return "a list of texts";
        case FieldKind::kObject:
            return "an object with class_name and config";
        case FieldKind::kLayerList:
            return mayStandAlone(row.name) ? "a cell or a list of them" : "a list of layers";
    }
    return {};
}

bool inRange(double value, const FieldSchema& row) {
    if (!std::isfinite(value)) {
        return false;
    }
    // Arithmetic is in float32: what is closer to 0 than its smallest normal number would become 0 there, and what it can't hold infinite.
    using Float = std::numeric_limits<float>;
    if (value != 0 && (std::abs(value) < static_cast<double>(Float::min()) || std::abs(value) > static_cast<double>(Float::max()))) {
        return false;
    }
    return (row.minimum_excluded ? value > row.minimum : value >= row.minimum) && value <= row.maximum;
}

// Keras writes the sizes of layers with one axis as lists of one number, and the axis of a normalization.
bool mayBeListOfOne(std::string_view name) {
    constexpr std::array<std::string_view, 8> kNames = {"kernel_size", "strides",        "dilation_rate", "pool_size",
                                                        "output_size", "output_padding", "size",          "axis"};
    return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

// The numbers of a value, as far as the kind allows them; nullopt when it has another type.
std::optional<std::vector<double>> numbersOf(const FieldValue& value, const FieldSchema& row) {
    const FieldKind kind = row.kind;
    const bool list = numbersIn(kind) > 1 || kind == FieldKind::kIntList || kind == FieldKind::kDoubleList;
    const bool whole = kind != FieldKind::kDouble && kind != FieldKind::kDoubleList;
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
        return std::vector<double>{static_cast<double>(*number)};
    }
    if (const auto* number = std::get_if<double>(&value); number != nullptr && !whole) {
        return std::vector<double>{*number};
    }
    const auto* numbers = std::get_if<std::vector<std::int64_t>>(&value);
    if (numbers != nullptr && (list || (kind == FieldKind::kInt && numbers->size() == 1 && mayBeListOfOne(row.name)))) {
        return std::vector<double>(numbers->begin(), numbers->end());
    }
    if (const auto* reals = std::get_if<std::vector<double>>(&value); reals != nullptr && list && !whole) {
        return *reals;
    }
    return std::nullopt;
}

bool isChosen(const std::string& name, const FieldSchema& row) {
    if (row.kind == FieldKind::kChoice) {
        return std::find(row.choices.begin(), row.choices.end(), name) != row.choices.end();
    }
    return std::any_of(row.choices.begin(), row.choices.end(), [&](const std::string& c) { return foldedName(c) == foldedName(name); });
}

// Where a number stands, some fields take one of a few texts or an object of one of a few classes too.
bool isAlternative(const FieldValue& value, const FieldSchema& row) {
    if (const auto* box = std::get_if<ObjectBox>(&value)) {
        return std::find(row.choices.begin(), row.choices.end(), box->get().class_name) != row.choices.end();
    }
    const auto* text = std::get_if<std::string>(&value);
    return text != nullptr && std::find(row.choices.begin(), row.choices.end(), *text) != row.choices.end();
}

std::string checkNumbers(const FieldValue& value, const FieldSchema& row) {
    if (isAlternative(value, row)) {
        return {};
    }
    const std::string alternatives = row.choices.empty() ? "" : " or " + oneOf(row.choices);
    const std::string expected = "expected " + kindText(row) + rangeText(row) + alternatives + ", got " + valueText(value);
    const auto numbers = numbersOf(value, row);
    const std::size_t size = numbersIn(row.kind);
    if (!numbers || (size > 1 && numbers->size() != 1 && numbers->size() != size)) {
        return expected;
    }
    const bool good = std::all_of(numbers->begin(), numbers->end(), [&](double number) { return inRange(number, row); });
    return good ? std::string() : expected;
}

// Empty when the value is as the row wants it. A class of an object may also be given by its name alone.
std::string checkValue(const FieldValue& value, const FieldSchema& row) {
    switch (row.kind) {
        case FieldKind::kBool:
            return std::holds_alternative<bool>(value) ? "" : "expected true or false, got " + valueText(value);
        case FieldKind::kString:
            return std::holds_alternative<std::string>(value) ? "" : "expected a text, got " + valueText(value);
        case FieldKind::kChoice: {
            const auto* text = std::get_if<std::string>(&value);
            return text != nullptr && isChosen(*text, row) ? "" : "expected " + oneOf(row.choices) + ", got " + valueText(value);
        }
        case FieldKind::kTextList: {
            const auto* numbers = std::get_if<std::vector<std::int64_t>>(&value);  // a list without entries is read as one of these
            if (numbers != nullptr && numbers->empty() && !row.required) return {};
            return std::holds_alternative<std::vector<std::string>>(value) ? "" : "expected a list of texts, got " + valueText(value);
        }
        case FieldKind::kObject: {
            const auto* box = std::get_if<ObjectBox>(&value);
            const auto* text = std::get_if<std::string>(&value);
            const std::string* name = box != nullptr ? &box->get().class_name : text;
            if (name == nullptr) {
                return "expected " + kindText(row) + ", got " + valueText(value);
            }
            return row.choices.empty() || isChosen(*name, row) ? "" : "expected " + oneOf(row.choices) + ", got " + *name;
        }
        case FieldKind::kLayerList: {
            const auto* numbers = std::get_if<std::vector<std::int64_t>>(&value);
            if (numbers != nullptr && numbers->empty()) return {};
            const bool takes_one = mayStandAlone(row.name);
            const bool is_one = takes_one && std::holds_alternative<ObjectBox>(value);
            if (!is_one && !std::holds_alternative<std::vector<ObjectBox>>(value)) {
                return "expected " + kindText(row) + ", got " + valueText(value);
            }
            const std::vector<ObjectBox> members = membersOf({{row.name, value}}, row.name);
            const auto other = std::find_if(members.begin(), members.end(), [&](const ObjectBox& box) {
                return std::find(row.choices.begin(), row.choices.end(), box.get().class_name) == row.choices.end();
            });
            if (other == members.end()) return {};
            return std::string(takes_one ? "expected cells of class " : "expected layers of class ") + oneOf(row.choices) + ", got " +
                   other->get().class_name;
        }
        default:
            return checkNumbers(value, row);
    }
}

// What Keras writes into every configuration: at the values that change nothing here, but for `trainable`, which every layer has.
bool isNeutral(const Fields::Entry& entry) {
    const auto& [name, value] = entry;
    if (std::holds_alternative<std::monostate>(value)) return true;
    if (name == "name") return std::holds_alternative<std::string>(value);
    if (name == "trainable") return std::holds_alternative<bool>(value);
    if (name == "dtype") return isKnownPolicy(policyName(value).value_or(""));
    if (name == "data_format") return value == FieldValue("channels_last");
    if (name == "use_ema") return value == FieldValue(false);
    if (name == "axis") return value == FieldValue(std::int64_t{-1});
    return name == "ema_momentum";
}

}  // namespace

std::string valueText(const FieldValue& value) {
    auto list = [](const auto& values, auto text) {
        std::string joined = "[";
        for (std::size_t i = 0; i < values.size(); ++i) {
            joined += (i == 0 ? "" : ", ") + text(values[i]);
        }
        return joined + "]";
    };
    auto quoted = [](const std::string& text) { return "\"" + text + "\""; };
    if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
    if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
    if (const auto* number = std::get_if<double>(&value)) return realText(*number);
    if (const auto* text = std::get_if<std::string>(&value)) return quoted(*text);
    if (const auto* values = std::get_if<std::vector<std::int64_t>>(&value)) {
        return list(*values, [](std::int64_t n) { return std::to_string(n); });
    }
    if (const auto* values = std::get_if<std::vector<double>>(&value)) return list(*values, realText);
    if (const auto* values = std::get_if<std::vector<std::string>>(&value)) return list(*values, quoted);
    if (const auto* box = std::get_if<ObjectBox>(&value)) return box->get().class_name;
    if (const auto* boxes = std::get_if<std::vector<ObjectBox>>(&value)) {
        return list(*boxes, [](const ObjectBox& one) { return one.get().class_name; });
    }
    return "null";
}

std::string closestName(std::string_view word, std::span<const std::string> names) {
    // Levenshtein's distance of two names, capitals counting as small letters.
    const auto distance = [](std::string_view a, std::string_view b) {
        const auto small = [](char letter) { return std::tolower(static_cast<unsigned char>(letter)); };
        std::vector<std::size_t> row(b.size() + 1);
        std::iota(row.begin(), row.end(), std::size_t{0});
        for (std::size_t i = 0; i < a.size(); ++i) {
            std::size_t diagonal = std::exchange(row[0], i + 1);
            for (std::size_t j = 0; j < b.size(); ++j) {
                const std::size_t changed = diagonal + (small(a[i]) == small(b[j]) ? 0 : 1);
                diagonal = std::exchange(row[j + 1], std::min({changed, row[j] + 1, row[j + 1] + 1}));
            }
        }
        return row.back();
    };
    constexpr std::size_t kLongest = 64;  // of a word worth the work
    if (word.empty() || word.size() > kLongest || names.empty()) {
        return "";
    }
    const auto nearer = [&](const std::string& a, const std::string& b) { return distance(word, a) < distance(word, b); };
    const std::string& closest = *std::min_element(names.begin(), names.end(), nearer);
    return distance(word, closest) <= std::max<std::size_t>(1, word.size() / 4) ? closest : "";
}

Diagnostic unknownLayer(const std::string& path, std::string_view class_name) {
    std::vector<std::string> known;
    for (const LayerSchema& schema : layerSchemas()) {
        known.push_back(schema.class_name);
    }
    const std::string meant = closestName(class_name, known);
    return {Severity::kError, path, unknownLayerText(class_name), meant.empty() ? "" : "Did you mean " + meant + "?"};
}

std::string unknownLayerText(std::string_view class_name) {
    std::vector<std::string> known;
    for (const LayerSchema& schema : layerSchemas()) {
        known.push_back(schema.class_name);
    }
    return "expected a layer of class " + oneOf(known) + ", got " + std::string(class_name);
}

std::vector<FieldFault> checkFields(const Fields& config, std::span<const FieldSchema> schema) {
    std::vector<FieldFault> faults;
    for (std::size_t i = 0; i < schema.size(); ++i) {
        const FieldSchema& row = schema[i];
        const FieldValue* value = config.find(row.name);
        if (value == nullptr || std::holds_alternative<std::monostate>(*value)) {
            if (row.required) {
                const bool is_list = row.kind == FieldKind::kLayerList;
                const std::string what = row.choices.empty() || is_list ? kindText(row) + rangeText(row) : oneOf(row.choices);
                faults.push_back({row.name, static_cast<int>(i), "expected " + what + ", got nothing"});
            }
            continue;
        }
        if (std::string message = checkValue(*value, row); !message.empty()) {
            faults.push_back({row.name, static_cast<int>(i), std::move(message)});
        }
    }
    for (const Fields::Entry& entry : config.entries()) {
        if (entry.first == "trainable" && !isNeutral(entry)) {
            faults.push_back({entry.first, -1, "expected true or false, got " + valueText(entry.second)});
            continue;
        }
        const bool known = std::any_of(schema.begin(), schema.end(), [&](const FieldSchema& row) { return row.name == entry.first; });
        if (known || isNeutral(entry)) {
            continue;
        }
        std::vector<std::string> names;
        for (const FieldSchema& row : schema) {
            names.push_back(row.name);
        }
        faults.push_back({entry.first, -1,
                          names.empty() ? "expected no field, got " + entry.first
                                        : "expected one of the fields " + oneOf(names) + ", got " + entry.first});
    }
    return faults;
}

namespace {

// The layers of a list as a project holds them: without what a layer inside another one has from that, and without defaults.
void dropDefaultsOfMembers(Fields& config, const std::string& field) {
    std::vector<ObjectBox> members = membersOf(config, field);
    if (members.empty()) {
        return;
    }
    const bool is_list = config.getObject(field) == nullptr;
    for (ObjectBox& box : members) {
        ObjectSpec member = box.get();
        member.config.erase("name");
        member.config.erase("dtype");
        if (const FieldValue* trains = member.config.find("trainable"); trains != nullptr && *trains == FieldValue(true)) {
            member.config.erase("trainable");
        }
        if (const LayerSchema* schema = findLayerSchema(member.class_name)) {
            dropDefaults(member.config, schema->fields);
        }
        box = ObjectBox(std::move(member));
    }
    config.set(field, is_list ? FieldValue(std::move(members)) : FieldValue(std::move(members.front())));
}

}  // namespace

void dropDefaults(Fields& config, std::span<const FieldSchema> schema) {
    for (const FieldSchema& row : schema) {
        if (row.kind == FieldKind::kLayerList) {
            dropDefaultsOfMembers(config, row.name);
        }
        const FieldValue* value = config.find(row.name);
        if (value == nullptr || row.required) {
            continue;
        }
        // Keras also names an initializer by its text.
        const auto* box = std::get_if<ObjectBox>(&row.fallback);
        const auto* text = std::get_if<std::string>(value);
        const bool is_empty = row.kind == FieldKind::kLayerList && membersOf(config, row.name).empty();
        const bool named = box != nullptr && text != nullptr && foldedName(*text) == foldedName(box->get().class_name);
        if (named || is_empty || *value == row.fallback) {
            config.erase(row.name);
        }
    }
}

void reportFields(const Fields& config, std::span<const FieldSchema> schema, const std::string& path, Diagnostics& diagnostics) {
    for (const FieldFault& fault : checkFields(config, schema)) {
        diagnostics.push_back({Severity::kError, path + "." + fault.field, fault.message, ""});
    }
}

bool hasSides(std::string_view field, std::size_t count) {
    return (field == "padding" || field == "cropping") && (count == 4 || count == 6);
}

bool isPlainNumber(std::string_view field, std::size_t count) {
    return count == 1 && (field == "padding" || field == "cropping" || field == "salt" || field == "mean" || field == "variance");
}

bool wantsBothNumbers(std::string_view field) {
    return field == "tile_grid_size";
}

bool takesInputsSize(std::string_view field) {
    return field == "noise_shape" || field == "output_shape";
}

bool takesNone(std::string_view field) {
    return field == "window" || field == "scaling" || field == "standardize" || field == "split";
}

}  // namespace engine::spec
