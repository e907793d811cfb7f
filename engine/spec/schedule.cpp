#include "engine/spec/schedule.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "engine/spec/error.h"
#include "engine/spec/object_schema.h"

namespace engine::spec {
namespace {

double exponentialDecay(const Fields& config, double step) {
    double exponent = step / config.getDouble("decay_steps", 1);
    if (config.getBool("staircase", false)) {
        exponent = std::floor(exponent);
    }
    return config.getDouble("initial_learning_rate", 0) * std::pow(config.getDouble("decay_rate", 1), exponent);
}

double piecewiseConstant(const Fields& config, double step) {
    const std::vector<double> boundaries = config.getDoubles("boundaries", {});
    const std::vector<double> values = config.getDoubles("values", {});
    const auto piece = static_cast<std::size_t>(std::lower_bound(boundaries.begin(), boundaries.end(), step) - boundaries.begin());
    if (piece >= values.size()) {
        throw Error(ErrorCode::kInvalidArgument, "PiecewiseConstantDecay: expected one value more than boundaries, got " +
                                                     std::to_string(values.size()) + " for " + std::to_string(boundaries.size()));
    }
    return values[piece];
}

struct Formula {
    std::string_view class_name;
    double (*rate)(const Fields& config, double step);
};
constexpr std::array<Formula, 2> kFormulas{{{"ExponentialDecay", exponentialDecay}, {"PiecewiseConstantDecay", piecewiseConstant}}};

double defaultRate(const ObjectSpec& optimizer) {
    if (const ObjectSchema* schema = findSchema(optimizerSchemas(), optimizer.class_name)) {
        for (const FieldSchema& row : schema->fields) {
            if (const auto* rate = row.name == "learning_rate" ? std::get_if<double>(&row.fallback) : nullptr) {
                return *rate;
            }
        }
    }
    return 0.001;
}

}  // namespace

double scheduledRate(const ObjectSpec& schedule, std::int64_t step) {
    for (const Formula& formula : kFormulas) {
        if (formula.class_name == schedule.class_name) {
            return formula.rate(schedule.config, static_cast<double>(step));
        }
    }
    throw Error(ErrorCode::kUnimplemented,
                "learning_rate: expected ExponentialDecay or PiecewiseConstantDecay, got " + schedule.class_name);
}

double optimizerRate(const ObjectSpec& optimizer, std::int64_t step) {
    if (const ObjectSpec* schedule = optimizer.config.getObject("learning_rate")) {
        return scheduledRate(*schedule, step);
    }
    return optimizer.config.getDouble("learning_rate", defaultRate(optimizer));
}

std::optional<double> tableRate(const ObjectSpec& scheduler, std::int64_t epoch) {
    const std::vector<std::int64_t> epochs = scheduler.config.getInts("epochs", {});
    const std::vector<double> rates = scheduler.config.getDoubles("rates", {});
    std::optional<double> rate;
    for (std::size_t i = 0; i < std::min(epochs.size(), rates.size()) && epochs[i] <= epoch; ++i) {
        rate = rates[i];
    }
    return rate;
}

double learningRateAt(const RunSpec& run, std::int64_t step, std::int64_t epoch) {
    double rate = optimizerRate(run.compile.optimizer, step);
    for (const ObjectSpec& callback : run.callbacks) {
        if (callback.class_name == "LearningRateScheduler") {
            rate = tableRate(callback, epoch).value_or(rate);
        }
    }
    return rate;
}

}  // namespace engine::spec
