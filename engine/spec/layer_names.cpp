#include "engine/spec/layer_names.h"

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

}  // namespace engine::spec
