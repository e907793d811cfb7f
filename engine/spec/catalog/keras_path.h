// The paths that Keras gives variables, by the names of all that holds them: rules of optimizers look for words in them.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "engine/spec/model_spec.h"

namespace engine::spec {

// The paths of a model's variables. The model must outlive it.
class KerasPaths {
public:
    explicit KerasPaths(const ModelSpec& model);

    // "sequential/lstm/lstm_cell/kernel" of "lstm/kernel". Layers inside others have their automatic names.
    std::string of(std::string_view variable) const;

private:
    const ModelSpec& model_;
    std::map<std::string_view, const LayerSpec*> layers_;  // by name
};

}  // namespace engine::spec
