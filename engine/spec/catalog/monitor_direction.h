// Which way a monitored value gets better, when the project does not say ("mode": "auto").
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace engine::spec {

enum class Direction { kFalling, kRising };

// The direction in which a name in the logs ("loss", "val_accuracy") gets better: losses and errors fall, accuracies and the like rise.
// nullopt when the name tells neither.
std::optional<Direction> betterDirection(std::string_view log_name);

// The log of an epoch's end that says how good it was: a measure of validation, its loss only where there is no other. "" without one.
std::string validationJudge(const std::vector<std::pair<std::string, double>>& logs);

}  // namespace engine::spec
