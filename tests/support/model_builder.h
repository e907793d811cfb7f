// Short names for models in tests.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/spec/model_spec.h"
#include "engine/spec/project/run_spec.h"

namespace tests::support {

inline engine::spec::LayerSpec layer(const std::string& class_name, const std::string& name, engine::spec::Fields config = {}) {
    return {class_name, name, std::move(config)};
}

inline engine::spec::ModelSpec model(engine::spec::Shape input, std::vector<engine::spec::LayerSpec> layers) {
    engine::spec::ModelSpec spec;
    spec.input_shape = std::move(input);
    spec.layers = std::move(layers);
    return spec;
}

inline engine::spec::CompileSpec compileWith(engine::spec::ObjectSpec optimizer, bool from_logits = true) {
    engine::spec::CompileSpec compile;
    compile.optimizer = std::move(optimizer);
    compile.loss = {"SparseCategoricalCrossentropy", {{"from_logits", from_logits}}};
    return compile;
}

// The convolutional net of TensorFlow's distributed tutorials.
inline engine::spec::ModelSpec tutorialModel(const std::string& last_activation = "linear") {
    return model(
        {28, 28, 1},
        {layer("Conv2D", "conv2d", {{"filters", std::int64_t{32}}, {"kernel_size", std::int64_t{3}}, {"activation", std::string("relu")}}),
         layer("MaxPooling2D", "max_pooling2d"), layer("Flatten", "flatten"),
         layer("Dense", "dense", {{"units", std::int64_t{64}}, {"activation", std::string("relu")}}),
         layer("Dense", "dense_1", {{"units", std::int64_t{10}}, {"activation", last_activation}})});
}

}  // namespace tests::support
