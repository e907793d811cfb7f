// What came of a row of the lab, and what is to be said of it. Plain values, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/lab/lab_project.h"
#include "engine/run/run_history.h"
#include "engine/spec/events/engine_question.h"

namespace engine::lab {

enum class Verdict {
    kReference,     // Default itself
    kEqual,         // its weights are the reference's within the tolerance, or rounding alone carried them apart
    kDiffers,       // they should be and are not
    kMayDiffer,     // they are not, and need not be: ReplicaCause says why
    kAsynchronous,  // its workers do not wait for each other: shown beside the others
    kCouldNotRun,   // the strategy can't train this project, or not on this computer: nothing was trained
    kFailed,        // its run began and failed
};
std::string_view toString(Verdict verdict);  // "equal", "differs as expected", "could not run"

// Losses of a run, in order of step. One entry each.
struct LossCurve {
    std::vector<std::int64_t> step;  // from 1
    std::vector<double> loss;        // of the step's batch; NaN where a task told none
    friend bool operator==(const LossCurve&, const LossCurve&) = default;
};

struct LabResult {
    LabRow row;
    Verdict verdict = Verdict::kCouldNotRun;
    ReplicaCause cause{};                                         // of kMayDiffer
    std::optional<std::int64_t> grown_from{};                     // of kEqual by roundingGrew(): that step
    std::string error{};                                          // of kCouldNotRun and kFailed: one sentence
    std::optional<spec::WeightDifference> difference{};           // against the reference; none of what did not train
    std::optional<double> steps_per_s{};                          // of all workers together; none with too few steps
    std::optional<std::int64_t> bytes_per_step{};                 // as the plan says: engine/plan/traffic.h
    std::optional<double> mean_staleness{}, largest_staleness{};  // with parameter servers: updates that a step did not know of
    LossCurve curve{};
    std::string run_id{};      // of the agent; empty where nothing was trained
    std::string checkpoint{};  // its last one, absolute
};

// What is known of a run that is over: its curve, speed, staleness, checkpoint. With parameter servers the steps are those of all workers.
void takeRun(LabResult& result, const run::RunHistory& history);
// Steps a second behind the first quarter of them, which warms up.
std::optional<double> stepsPerSecond(const run::PointTable& points);

// For two runs whose weights end further apart than the tolerance: returns the step from which on rounding carried them apart; nullopt
// where the cause was more than rounding. Pooling and ReLU choose between values that rounding makes equal or not, so that a difference of
// one bit may grow; it does so step by step, while a wrong sample, gradient or update shows in the loss of the same step or the next. So no
// loss may differ by more than a hundred times what those before it did, and the weights by more than a hundredth at the end.
std::optional<std::int64_t> roundingGrew(const LossCurve& reference, const LossCurve& curve, const spec::WeightDifference& difference);

// Sets the verdict of a row that was trained and compared, with its cause or the step from which on rounding grew. `cause`:
// causeToDiffer().
void judge(LabResult& result, const LabResult& reference, const ReplicaCause& cause, const LabSettings& settings);

// What follows for the lab as a whole.
enum class LabOutcome { kEqual, kDiffers, kFailed };
// kFailed where a run failed or the reference could not run: then nothing was shown. Else kDiffers where something should be equal and is
// not.
LabOutcome outcomeOf(std::span<const LabResult> results);

}  // namespace engine::lab
