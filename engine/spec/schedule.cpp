#include "engine/spec/schedule.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "engine/spec/error.h"
#include "engine/spec/names.h"
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

double polynomial(const Fields& config, double step) {
    double steps = config.getDouble("decay_steps", 1);
    if (config.getBool("cycle", false)) {
        steps *= step == 0 ? 1 : std::ceil(step / steps);
    }
    const double first = config.getDouble("initial_learning_rate", 0), last = config.getDouble("end_learning_rate", 1e-4);
    const double done = std::min(step, steps) / steps;
    return (first - last) * std::pow(1 - done, config.getDouble("power", 1)) + last;
}

double inverseTime(const Fields& config, double step) {
    double quotient = step / config.getDouble("decay_steps", 1);
    if (config.getBool("staircase", false)) {
        quotient = std::floor(quotient);
    }
    return config.getDouble("initial_learning_rate", 0) / (1 + config.getDouble("decay_rate", 0) * quotient);
}

// From 1 at the begin of a way down to `alpha` at its end; `height` of the wave, 1 for the first.
double cosine(double done, double alpha, double height) {
    return (1 - alpha) * 0.5 * height * (1 + std::cos(std::numbers::pi * done)) + alpha;
}

double cosineDecay(const Fields& config, double step) {
    double first = config.getDouble("initial_learning_rate", 0);
    const double steps = config.getDouble("decay_steps", 1);
    if (const FieldValue* target = config.find("warmup_target"); target != nullptr && !std::holds_alternative<std::monostate>(*target)) {
        const double rise = config.getDouble("warmup_steps", 0), top = config.getDouble("warmup_target", 0);
        if (step < rise) {
            return first + (top - first) * step / rise;
        }
        first = top;
        step -= rise;
    }
    return first * cosine(std::min(step, steps) / steps, config.getDouble("alpha", 0), 1);
}

double cosineDecayRestarts(const Fields& config, double step) {
    const double longer = config.getDouble("t_mul", 2), lower = config.getDouble("m_mul", 1);
    double done = step / config.getDouble("first_decay_steps", 1), restarts = 0;
    if (longer == 1) {
        restarts = std::floor(done);
        done -= restarts;
    } else {
        restarts = std::floor(std::log(1 - done * (1 - longer)) / std::log(longer));
        const double before = (1 - std::pow(longer, restarts)) / (1 - longer);
        done = (done - before) / std::pow(longer, restarts);
    }
    return config.getDouble("initial_learning_rate", 0) * cosine(done, config.getDouble("alpha", 0), std::pow(lower, restarts));
}

struct Formula {
    std::string_view class_name;
    double (*rate)(const Fields& config, double step);
};
constexpr std::array<Formula, 6> kFormulas{{{"ExponentialDecay", exponentialDecay},
                                            {"PiecewiseConstantDecay", piecewiseConstant},
                                            {"PolynomialDecay", polynomial},
                                            {"InverseTimeDecay", inverseTime},
                                            {"CosineDecay", cosineDecay},
                                            {"CosineDecayRestarts", cosineDecayRestarts}}};

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
                "learning_rate: expected " + oneOf(classNames(scheduleSchemas())) + ", got " + schedule.class_name);
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
