#include "engine/sweep/usual_field.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string_view>

#include "engine/sweep/setting_value.h"

namespace engine::sweep {
namespace {

using Kind = SweepField::Kind;

std::string_view nameOf(std::string_view path) {
    return path.substr(path.find_last_of('.') + 1);
}

SweepField choicesOf(const std::string& path, std::vector<std::string> choices) {
    std::vector<std::string> once;
    for (std::string& one : choices) {
        if (std::find(once.begin(), once.end(), one) == once.end()) once.push_back(std::move(one));
    }
    return {.path = path, .kind = Kind::kChoice, .choices = std::move(once)};
}

SweepField rangeOf(const std::string& path, Kind kind, double low, double high) {
    return {.path = path, .kind = kind, .choices = {}, .low = low, .high = high, .points = 3};
}

double rounded(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.3g", value);
    return numberIn(text).value_or(value);
}

// Less is likelier.
int rankOf(std::string_view path) {
    constexpr std::array<std::string_view, 5> kBegins{"compile.optimizer", "model.layers", "data.batch_size", "compile.loss", "fit."};
    if (nameOf(path) == "learning_rate") return 0;
    for (std::size_t i = 0; i < kBegins.size(); ++i) {
        if (path.starts_with(kBegins[i])) return static_cast<int>(i) + 1;
    }
    return kBegins.size() + 1;
}

bool isWorthIt(std::string_view path) {
    constexpr std::array<std::string_view, 7> kNotThese{"version", "name", "code", "cluster", "strategy", "callbacks", "algorithms"};
    constexpr std::array<std::string_view, 12> kNotNamed{"name",      "class_name",     "dtype",         "trainable",
                                                         "log_every", "histogram_freq", "initial_epoch", "input_dtype",
                                                         "dataset",   "input_shape",    "cache",         "prefetch"};
    constexpr std::array<std::string_view, 9> kOfData{
        "data.batch_size_per_replica", "data.shuffle", "data.augment", "data.mix", "data.scale", "data.offset", "data.take",
        "data.drop_remainder",         "data.seed"};
    const std::string_view first = path.substr(0, path.find_first_of(".["));
    if (std::find(kNotThese.begin(), kNotThese.end(), first) != kNotThese.end()) return false;
    if (std::find(kNotNamed.begin(), kNotNamed.end(), nameOf(path)) != kNotNamed.end()) return false;
    if (first == "data") {
        return std::any_of(kOfData.begin(), kOfData.end(), [&](std::string_view one) { return path.starts_with(one); });
    }
    if (first == "fit") return nameOf(path) == "epochs" || nameOf(path) == "seed" || nameOf(path) == "steps_per_epoch";
    return true;
}

}  // namespace

SweepField usualField(const std::string& path, const std::string& value) {
    if (value == "true" || value == "false") return choicesOf(path, {value, value == "true" ? "false" : "true"});
    const std::string_view name = nameOf(path);
    const auto number = numberIn(value);
    if (!number) {
        if (name.find("activation") != std::string_view::npos) return choicesOf(path, {value, "relu", "tanh", "gelu"});
        return choicesOf(path, {value.empty() ? "\"\"" : value});
    }
    const bool is_whole = *number == std::floor(*number) && value.find_first_of(".eE") == std::string::npos;
    const bool is_rate = name == "learning_rate" || name == "weight_decay" || name == "epsilon";
    if (is_rate) return rangeOf(path, Kind::kLog, *number > 0 ? rounded(*number / 10) : 1e-5, *number > 0 ? rounded(*number * 10) : 1e-2);
    if (is_whole && std::abs(*number) < 1e9) {
        const auto whole = static_cast<std::int64_t>(*number);
        if (whole >= 4) return choicesOf(path, {std::to_string(whole / 2), value, std::to_string(whole * 2)});
        if (name != "rate" && name.find("momentum") == std::string_view::npos) {
            return choicesOf(path, {value, std::to_string(whole + 1), std::to_string(whole + 2)});
        }
    }
    if (*number >= 0 && *number < 1) return rangeOf(path, Kind::kLinear, 0, std::max(0.5, rounded((1 + *number) / 2)));
    return rangeOf(path, Kind::kLinear, rounded(std::min(*number / 2, *number * 2)), rounded(std::max(*number / 2, *number * 2)));
}

std::vector<std::pair<std::string, std::string>> sweptFields(const std::vector<std::pair<std::string, std::string>>& settings) {
    std::vector<std::pair<std::string, std::string>> fields;
    std::copy_if(settings.begin(), settings.end(), std::back_inserter(fields), [](const auto& one) { return isWorthIt(one.first); });
    std::stable_sort(fields.begin(), fields.end(), [](const auto& a, const auto& b) { return rankOf(a.first) < rankOf(b.first); });
    return fields;
}

}  // namespace engine::sweep
