// Names as Keras forms them, and sentences about names.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace engine::spec {

// Keras' snake case: "Conv2D" -> "conv2d", "MaxPooling2D" -> "max_pooling2d", "CSVLogger" -> "csv_logger", "PrintLR" -> "print_lr".
std::string snakeCase(std::string_view class_name);

// Small letters without underscores: equal for Keras' class and snake case names of one thing ("HeNormal", "he_normal").
std::string foldedName(std::string_view name);

// "Adam, SGD or RMSprop".
std::string oneOf(std::span<const std::string> names);

// "1 layer", "3 layers".
std::string counted(std::size_t number, std::string_view of);

}  // namespace engine::spec
