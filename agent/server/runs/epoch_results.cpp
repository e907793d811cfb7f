#include "agent/server/runs/epoch_results.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/spec/catalog/monitor_direction.h"

namespace agent::server {
namespace {

namespace spec = engine::spec;

constexpr std::string_view kValidation = "val_", kRate = "learning_rate";

double* find(Results& results, const std::string& name) {
    const auto at = std::find_if(results.begin(), results.end(), [&](const auto& entry) { return entry.first == name; });
    return at == results.end() ? nullptr : &at->second;
}

void set(Results& results, const std::string& name, double value) {
    if (double* entry = find(results, name)) {
        *entry = value;
    } else {
        results.emplace_back(name, value);
    }
}

}  // namespace

void addEpoch(Results& results, const spec::EpochEnd& epoch) {
    const std::string judge = spec::validationJudge(epoch.logs);
    for (const auto& [name, value] : epoch.logs) {
        if (name == kRate) {
            continue;
        }
        set(results, name, value);
        const auto direction = spec::betterDirection(name);
        if (!name.starts_with(kValidation) || !direction || !std::isfinite(value)) {
            continue;
        }
        const double* best = find(results, "best_" + name);
        if (best == nullptr || (*direction == spec::Direction::kRising ? value > *best : value < *best)) {
            set(results, "best_" + name, value);
            if (name == judge) {
                set(results, "best_epoch", epoch.epoch + 1);
            }
        }
    }
}

void mergeResults(Results& results, const Results& later) {
    for (const auto& [name, value] : later) {
        set(results, name, value);
    }
}

}  // namespace agent::server
