// Which way a monitored value gets better, when the project does not say ("mode": "auto").
#pragma once

#include <optional>
#include <string_view>

namespace engine::spec {

enum class Direction { kFalling, kRising };

// Of a name in the logs ("loss", "val_accuracy"): losses and errors fall, accuracies and the like rise. nullopt when it tells neither.
std::optional<Direction> betterDirection(std::string_view log_name);

}  // namespace engine::spec
