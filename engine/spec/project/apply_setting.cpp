// PATH=VALUE: the project as JSON, one value replaced, read again. A path names keys by dots and list entries by [index]; the class_name
// and config of a Keras object may be skipped: "compile.optimizer.learning_rate".
#include <algorithm>
#include <cctype>
#include <vector>

#include "engine/spec/project/object_reader.h"
#include "engine/spec/project/project_json.h"
#include "engine/spec/project/setting.h"

namespace engine::spec {
namespace {

struct Step {
    std::string key;
    int index = -1;  // of a list; then key is empty
};

// nullopt for a path such as "model.layers[x]" or "fit..epochs".
std::optional<std::vector<Step>> parsePath(std::string_view path) {
    std::vector<Step> steps;
    std::size_t at = 0;
    bool key_expected = true;
    while (at < path.size()) {
        if (path[at] == '[') {
            const std::size_t end = path.find(']', at);
            const std::string digits(path.substr(at + 1, end == std::string_view::npos ? 0 : end - at - 1));
            constexpr std::size_t kLongest = 6;
            if (key_expected || digits.empty() || digits.size() > kLongest || digits.find_first_not_of("0123456789") != std::string::npos) {
                return std::nullopt;
            }
            steps.push_back({"", std::stoi(digits)});
            at = end + 1;
            continue;
        }
        if (!key_expected) {
            if (path[at] != '.') {
                return std::nullopt;
            }
            ++at;
        }
        const std::size_t end = std::min(path.find_first_of(".[", at), path.size());
        if (end == at) {
            return std::nullopt;
        }
        steps.push_back({std::string(path.substr(at, end - at)), -1});
        key_expected = false;
        at = end;
    }
    return steps.empty() ? std::nullopt : std::optional(steps);
}

// The value that a step leads to, made where an object lacks the key; nullptr with `expected` filled when it can't lead anywhere.
Json* follow(Json& parent, const Step& step, std::string& expected) {
    if (step.index >= 0) {
        if (parent.is_array() && static_cast<std::size_t>(step.index) < parent.size()) {
            return &parent[static_cast<std::size_t>(step.index)];
        }
        expected =
            parent.is_array() ? "an index below " + std::to_string(parent.size()) : "a list before [" + std::to_string(step.index) + "]";
        return nullptr;
    }
    if (parent.is_null()) {
        parent = Json::object();
    }
    if (!parent.is_object()) {
        expected = "an object before ." + step.key;
        return nullptr;
    }
    const bool own_key = step.key == "class_name" || step.key == "name" || step.key == "config";
    Json& holder = parent.contains("class_name") && !own_key ? parent["config"] : parent;
    if (holder.is_null()) {
        holder = Json::object();
    }
    return &holder[step.key];
}

Json settingValue(std::string_view text, const Json& present) {
    JsonText parsed = parseJson(text);
    // What is a text stays one: name=2024.
    if (!parsed.value ||
        (present.is_string() && !parsed.value->is_structured() && !parsed.value->is_string() && !parsed.value->is_null())) {
        return std::string(text);
    }
    return std::move(*parsed.value);
}

Diagnostics refusal(std::string_view path, const std::string& message) {
    return {{Severity::kError, std::string(path), message, ""}};
}

}  // namespace

bool isSetting(std::string_view path_equals_value) {
    const std::size_t equals = path_equals_value.find('=');
    return equals != std::string_view::npos && parsePath(path_equals_value.substr(0, equals)).has_value();
}

Diagnostics applySetting(RunSpec& run, std::string_view path_equals_value) {
    const std::size_t equals = path_equals_value.find('=');
    if (equals == std::string_view::npos || equals == 0) {
        return refusal("", "expected a setting PATH=VALUE, got " + std::string(path_equals_value));
    }
    const std::string path(path_equals_value.substr(0, equals));
    const auto steps = parsePath(path);
    if (!steps) {
        return refusal(path, "expected a path such as fit.epochs or model.layers[2].units, got " + path);
    }
    if (path == "version") {
        return refusal(path, "expected a value of the project, got the version of its format");
    }
    Json project = toJson(run);
    Json* value = &project;
    for (const Step& step : *steps) {
        std::string expected;
        value = follow(*value, step, expected);
        if (value == nullptr) {
            return refusal(path, "expected " + expected + ", got " + path);
        }
    }
    *value = settingValue(path_equals_value.substr(equals + 1), *value);
    RunSpec changed;
    Diagnostics diagnostics;
    fromJson(project, changed, diagnostics);
    for (Diagnostic& diagnostic : diagnostics) {
        if (diagnostic.severity == Severity::kWarning && diagnostic.message.starts_with(kUnknownKeyMessage)) {
            diagnostic.severity = Severity::kError;  // `run` came from values: an unknown key is the setting's own
            diagnostic.fix.clear();
        }
    }
    if (!hasErrors(diagnostics)) {
        run = std::move(changed);
    }
    return diagnostics;
}

}  // namespace engine::spec
