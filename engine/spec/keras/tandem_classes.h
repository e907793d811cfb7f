// The classes of layers that Keras lacks, in Python, and the functions that it has no name for: exported code defines them, so that files
// of models with them open in Keras.
#pragma once

#include <span>
#include <string_view>

namespace engine::spec {

// Their names, in the order in which code defines them.
std::span<const std::string_view> tandemClasses();
// The statement that defines the class or the function, at an indentation of 4, with `import keras` and `from keras import layers` in
// front; empty for another name.
std::string_view tandemClassText(std::string_view class_name);

}  // namespace engine::spec
