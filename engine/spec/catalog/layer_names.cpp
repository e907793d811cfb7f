#include "engine/spec/catalog/layer_names.h"

#include <algorithm>

#include "engine/spec/names.h"

namespace engine::spec {

std::string LayerNames::next(std::string_view class_name) {
    const std::string base = snakeCase(class_name);
    int& count = counts_[base];
    std::string name = count == 0 ? base : base + "_" + std::to_string(count);
    while (!taken_.insert(name).second) name = base + "_" + std::to_string(++count);
    ++count;
    return name;
}

std::string automaticLayerName(std::string_view class_name, std::span<const std::string> taken) {
    return LayerNames(taken).next(class_name);
}

bool isAutomaticLayerName(std::string_view class_name, std::string_view name) {
    const std::string first = automaticLayerName(class_name, {});
    if (!name.starts_with(first)) return false;
    const std::string_view rest = name.substr(first.size());
    const std::string_view digits = rest.substr(rest.starts_with('_') ? 1 : 0);
    const bool is_number =
        !digits.empty() && digits.front() != '0' && std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
    return rest.empty() || (rest.front() == '_' && is_number);
}

}  // namespace engine::spec
