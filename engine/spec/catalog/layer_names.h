// Keras' automatic names of layers.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace engine::spec {

// Keras' automatic name: snake case of the class, with _1, _2, ... when `taken` holds it already.
std::string automaticLayerName(std::string_view class_name, std::span<const std::string> taken);
// A name that Keras could have given a layer of this class: "dense", "dense_2".
bool isAutomaticLayerName(std::string_view class_name, std::string_view name);

// The names of many layers of one model: as automaticLayerName, in a time that does not grow with the names given before.
class LayerNames {
public:
    LayerNames() = default;
    explicit LayerNames(std::span<const std::string> taken) : taken_(taken.begin(), taken.end()) {}

    void take(const std::string& name) { taken_.insert(name); }
    // The first free name of the class; it is taken from then on.
    std::string next(std::string_view class_name);

private:
    std::unordered_set<std::string> taken_;
    std::unordered_map<std::string, int> counts_;  // by snake case: all smaller numbers are taken
};

}  // namespace engine::spec
