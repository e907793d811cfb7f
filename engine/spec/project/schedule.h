// Learning rates: what an optimizer's configuration, a schedule and a per-epoch table give at a step or an epoch. Keras' formulas:
//   ExponentialDecay: r0 * rate^(step / steps), the quotient floored with staircase
//   PiecewiseConstantDecay: values[i] for the first i with step <= boundaries[i], else the last value
//   PolynomialDecay: (r0 - r1) (1 - min(step, steps) / steps)^power + r1; with cycle `steps` is the next multiple of itself
//   InverseTimeDecay: r0 / (1 + rate * step / steps), the quotient floored with staircase
//   CosineDecay: r0 ((1 - alpha) (1 + cos(pi min(step, steps) / steps)) / 2 + alpha); before it, with a warm-up target, a line to it
//   CosineDecayRestarts: the same over pieces that grow by t_mul, the wave lower by m_mul each time
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/fields.h"
#include "engine/spec/project/run_spec.h"

namespace engine::spec {

// `step` = updates done before this one, from 0. Throws Error(kUnimplemented) for a class that it does not know, kInvalidArgument for
// fields that validate() refuses.
double scheduledRate(const ObjectSpec& schedule, std::int64_t step);

// The optimizer's learning_rate, a number or a schedule; Keras' default of the class when absent.
double optimizerRate(const ObjectSpec& optimizer, std::int64_t step);

// The rate that a LearningRateScheduler's table {"epochs": [0, 3, 7], "rates": [1e-3, 1e-4, 1e-5]} sets at the begin of `epoch` (from 0):
// the one of the last entry not after it; nullopt before the first.
std::optional<double> tableRate(const ObjectSpec& scheduler, std::int64_t epoch);

// Rate of the update after `step` others, in `epoch`, both from 0: the run's table where it has one and it applies, else the optimizer's.
double learningRateAt(const RunSpec& run, std::int64_t step, std::int64_t epoch);

// The rates of `points` updates spread evenly over `steps`, first and last included, for drawing: what learningRateAt() says of each. Empty
// where the settings are not valid or there is nothing to draw.
std::vector<double> rateCurve(const RunSpec& run, std::int64_t steps, std::int64_t steps_per_epoch, std::size_t points);

// How a run's rate is given: "constant", "table" (by epoch, LearningRateScheduler), or the class of the optimizer's schedule.
inline constexpr std::string_view kConstantRate = "constant", kRateTable = "table";
std::string rateKind(const RunSpec& run);
// Gives it in another way, beginning with the rate of the first step; `steps` and `epochs` are the run's, for values worth a look. A table
// needs an optimizer whose rate is a number, as Keras asks.
void setRateKind(RunSpec& run, std::string_view kind, std::int64_t steps, std::int64_t epochs);

// A schedule of a class with values that are worth a look over `steps` updates, beginning with `rate`.
ObjectSpec newSchedule(std::string_view class_name, double rate, std::int64_t steps);

}  // namespace engine::spec
