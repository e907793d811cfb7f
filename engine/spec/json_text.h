// Reading JSON: one place that turns a parser's complaint into line and column. Only files below engine/spec include it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace engine::spec {

using Json = nlohmann::ordered_json;  // keeps the user's order

struct JsonText {
    std::optional<Json> value;  // nullopt: `error` says why
    std::string error;          // "line 2, column 13: …"
};
// `unique_names`: a name that stands twice in one object is a mistake; else the later value counts, as in Python.
JsonText parseJson(std::string_view text, bool unique_names = false);

// "an object", "a list", "null", ... for messages.
std::string kindOf(const Json& value);
// The value itself, shortened: for "got …".
std::string shortText(const Json& value);

// Two spaces an indent, one entry a line; lists of numbers and texts, and empty ones, stay on their line. No newline at the end.
std::string prettyText(const Json& value);

}  // namespace engine::spec
