#include "engine/spec/catalog/monitor_direction.h"

#include <algorithm>
#include <array>

namespace engine::spec {
namespace {

constexpr std::array<std::string_view, 14> kFalling{"loss", "error", "divergence", "entropy", "crossentropy", "mse",      "mae",
                                                    "rmse", "mape",  "msle",       "hinge",   "logcosh",      "log_cosh", "poisson"};
constexpr std::array<std::string_view, 15> kRising{"accuracy",  "acc",        "auc",         "precision",   "recall",
                                                   "f1_score",  "beta_score", "r2_score",    "similarity",  "positives",
                                                   "negatives", "io_u",       "correlation", "sensitivity", "specificity"};

template <std::size_t n>
bool endsWithOneOf(std::string_view name, const std::array<std::string_view, n>& endings) {
    return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) { return name.ends_with(ending); });
}

}  // namespace

std::optional<Direction> betterDirection(std::string_view log_name) {
    if (log_name.ends_with("false_positives") || log_name.ends_with("false_negatives") || endsWithOneOf(log_name, kFalling)) {
        return Direction::kFalling;
    }
    return endsWithOneOf(log_name, kRising) ? std::optional(Direction::kRising) : std::nullopt;
}

std::string validationJudge(const std::vector<std::pair<std::string, double>>& logs) {
    constexpr std::string_view kValidation = "val_", kValidationLoss = "val_loss";
    std::string judge;
    for (const auto& [name, value] : logs) {
        if (name.starts_with(kValidation) && betterDirection(name) && (judge.empty() || judge == kValidationLoss)) {
            judge = name;
        }
    }
    return judge;
}

}  // namespace engine::spec
