#include "engine/spec/project/schedule.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/error.h"
#include "engine/spec/names.h"
#include "engine/spec/validate/validate_parts.h"

namespace engine::spec {
namespace {

double exponentialDecay(const Settings& settings, double step) {
    double exponent = step / settings.getDouble("decay_steps");
    if (settings.getBool("staircase")) {
        exponent = std::floor(exponent);
    }
    return settings.getDouble("initial_learning_rate") * std::pow(settings.getDouble("decay_rate"), exponent);
}

double piecewiseConstant(const Settings& settings, double step) {
    const std::vector<double> boundaries = settings.getDoubles("boundaries");
    const std::vector<double> values = settings.getDoubles("values");
    const auto piece = static_cast<std::size_t>(std::lower_bound(boundaries.begin(), boundaries.end(), step) - boundaries.begin());
    if (piece >= values.size()) {
        throw Error(ErrorCode::kInvalidArgument, "PiecewiseConstantDecay: expected one value more than boundaries, got " +
                                                     std::to_string(values.size()) + " for " + std::to_string(boundaries.size()));
    }
    return values[piece];
}

double polynomial(const Settings& settings, double step) {
    double steps = settings.getDouble("decay_steps");
    if (settings.getBool("cycle")) {
        steps *= step == 0 ? 1 : std::ceil(step / steps);
    }
    const double first = settings.getDouble("initial_learning_rate"), last = settings.getDouble("end_learning_rate");
    const double done = std::min(step, steps) / steps;
    return (first - last) * std::pow(1 - done, settings.getDouble("power")) + last;
}

double inverseTime(const Settings& settings, double step) {
    double quotient = step / settings.getDouble("decay_steps");
    if (settings.getBool("staircase")) {
        quotient = std::floor(quotient);
    }
    return settings.getDouble("initial_learning_rate") / (1 + settings.getDouble("decay_rate") * quotient);
}

// Falls from 1 at the begin of a way to `alpha` at its end; `height` is that of the wave, 1 for the first.
double cosine(double done, double alpha, double height) {
    return (1 - alpha) * 0.5 * height * (1 + std::cos(std::numbers::pi * done)) + alpha;
}

double cosineDecay(const Settings& settings, double step) {
    double first = settings.getDouble("initial_learning_rate");
    const double steps = settings.getDouble("decay_steps");
    if (const std::optional<double> top = settings.findDouble("warmup_target")) {
        const double rise = settings.getDouble("warmup_steps");
        if (step < rise) {
            return first + (*top - first) * step / rise;
        }
        first = *top;
        step -= rise;
    }
    return first * cosine(std::min(step, steps) / steps, settings.getDouble("alpha"), 1);
}

double cosineDecayRestarts(const Settings& settings, double step) {
    const double longer = settings.getDouble("t_mul"), lower = settings.getDouble("m_mul");
    double done = step / settings.getDouble("first_decay_steps"), restarts = 0;
    if (longer == 1) {
        restarts = std::floor(done);
        done -= restarts;
    } else {
        // Keras counts in float32, and a step at which a way down begins falls to either side by rounding.
        const auto factor = static_cast<float>(longer), passed = static_cast<float>(done);
        restarts = std::floor(std::log(1 - passed * (1 - factor)) / std::log(factor));
        const double before = (1 - std::pow(longer, restarts)) / (1 - longer);
        done = (done - before) / std::pow(longer, restarts);
    }
    return settings.getDouble("initial_learning_rate") * cosine(done, settings.getDouble("alpha"), std::pow(lower, restarts));
}

struct Formula {
    std::string_view class_name;
    double (*rate)(const Settings& settings, double step);
};
constexpr std::array<Formula, 6> kFormulas{{{"ExponentialDecay", exponentialDecay},
                                            {"PiecewiseConstantDecay", piecewiseConstant},
                                            {"PolynomialDecay", polynomial},
                                            {"InverseTimeDecay", inverseTime},
                                            {"CosineDecay", cosineDecay},
                                            {"CosineDecayRestarts", cosineDecayRestarts}}};

// The rate, also of an optimizer that no schema has: a project may name anything.
double rateOf(const ObjectSpec& optimizer, const Fields& config) {
    const bool is_known = findSchema(optimizerSchemas(), optimizer.class_name) != nullptr;
    const std::string class_name = is_known ? optimizer.class_name : CompileSpec().optimizer.class_name;
    return settingsOf(optimizerSchemas(), class_name, config).getDouble("learning_rate");
}

}  // namespace

double scheduledRate(const ObjectSpec& schedule, std::int64_t step) {
    for (const Formula& formula : kFormulas) {
        if (formula.class_name == schedule.class_name) {
            return formula.rate(settingsOf(scheduleSchemas(), schedule), static_cast<double>(step));
        }
    }
    throw Error(ErrorCode::kUnimplemented,
                "learning_rate: expected " + oneOf(classNames(scheduleSchemas())) + ", got " + schedule.class_name);
}

double optimizerRate(const ObjectSpec& optimizer, std::int64_t step) {
    if (const ObjectSpec* schedule = optimizer.config.getObject("learning_rate")) {
        return scheduledRate(*schedule, step);
    }
    return rateOf(optimizer, optimizer.config);
}

std::optional<double> tableRate(const ObjectSpec& scheduler, std::int64_t epoch) {
    const Settings settings = callbackSettings(scheduler);
    const std::vector<std::int64_t> epochs = settings.getInts("epochs");
    const std::vector<double> rates = settings.getDoubles("rates");
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

std::vector<double> rateCurve(const RunSpec& run, std::int64_t steps, std::int64_t steps_per_epoch, std::size_t points) {
    Diagnostics diagnostics;
    validateCompile(run, diagnostics);
    const bool wrong = std::any_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& diagnostic) {
        return diagnostic.severity == Severity::kError && diagnostic.path.starts_with("compile.optimizer");
    });
    if (wrong || steps < 1 || steps_per_epoch < 1 || points < 2) {
        return {};
    }
    std::vector<double> rates(points);
    for (std::size_t i = 0; i < points; ++i) {
        const auto step = static_cast<std::int64_t>(
            std::llround(static_cast<double>(steps - 1) * static_cast<double>(i) / static_cast<double>(points - 1)));
        rates[i] = learningRateAt(run, step, step / steps_per_epoch);
        if (!std::isfinite(rates[i])) {
            return {};
        }
    }
    return rates;
}

ObjectSpec newSchedule(std::string_view class_name, double rate, std::int64_t steps) {
    constexpr double kTenth = 0.1;
    const std::int64_t most = std::max<std::int64_t>(steps, 10);
    ObjectSpec schedule{std::string(class_name), {}};
    if (class_name == "PiecewiseConstantDecay") {
        const auto third = static_cast<double>(most / 3);
        schedule.config.set("boundaries", std::vector<double>{third, 2 * third});
        schedule.config.set("values", std::vector<double>{rate, rate * kTenth, rate * kTenth * kTenth});
        return schedule;
    }
    schedule.config.set("initial_learning_rate", rate);
    if (class_name == "CosineDecayRestarts") {
        schedule.config.set("first_decay_steps", most / 7);  // three ways down, each twice as long
        return schedule;
    }
    schedule.config.set("decay_steps", class_name == "InverseTimeDecay" ? most / 10 : most);
    if (class_name == "ExponentialDecay") schedule.config.set("decay_rate", kTenth);
    if (class_name == "InverseTimeDecay") schedule.config.set("decay_rate", 0.5);
    if (class_name == "PolynomialDecay") schedule.config.set("end_learning_rate", rate * kTenth);
    return schedule;
}

std::string rateKind(const RunSpec& run) {
    for (const ObjectSpec& callback : run.callbacks) {
        if (callback.class_name == "LearningRateScheduler") return std::string(kRateTable);
    }
    const ObjectSpec* schedule = run.compile.optimizer.config.getObject("learning_rate");
    return schedule != nullptr ? schedule->class_name : std::string(kConstantRate);
}

void setRateKind(RunSpec& run, std::string_view kind, std::int64_t steps, std::int64_t epochs) {
    if (kind == rateKind(run)) {
        return;
    }
    const std::vector<double> now = rateCurve(run, 2, 2, 2);
    const double rate = now.empty() || now.front() <= 0 ? rateOf(run.compile.optimizer, {}) : now.front();
    std::erase_if(run.callbacks, [](const ObjectSpec& callback) { return callback.class_name == "LearningRateScheduler"; });
    Fields& config = run.compile.optimizer.config;
    config.set("learning_rate", rate);
    if (kind == kRateTable) {
        constexpr double kTenth = 0.1;
        const std::int64_t later = std::max<std::int64_t>(1, epochs / 2);
        run.callbacks.push_back({"LearningRateScheduler",
                                 {{"epochs", std::vector<std::int64_t>{0, later}}, {"rates", std::vector<double>{rate, rate * kTenth}}}});
    } else if (kind != kConstantRate) {
        config.set("learning_rate", ObjectBox(newSchedule(kind, rate, steps)));
    }
}

}  // namespace engine::spec
