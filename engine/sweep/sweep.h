// A sweep's trials, what each has reached, and which run is to train next. A state machine without threads or files: whoever trains asks
// next() for runs and tells what became of them. The same answers lead to the same questions on every computer.
//
// A configuration is a trial; it has a run for each seed. A trial trains to the end of a rung, where its value is the mean of its runs';
// grid and random have one rung. Asynchronous successive halving (ASHA) goes by Li et al., "A System for Massively Parallel Hyperparameter
// Tuning", MLSys 2020, Algorithm 2: whenever a run may begin, from the highest rung but the last downwards the first trial of the best
// 1/reduction (rounded down) of all that have ended that rung is promoted that has not been by then; where there is none, a new trial
// begins. Among equal values the earlier trial is better. What a trial has trained counts in the next rung: its runs go on. The paper's
// configurations have no end; here they have, and the sweep is over when none is left, none trains and none can be promoted. A trial that
// failed, or whose value is no number, is worse than every other.
//
//   trial:  waiting -> training -> paused (at the end of a rung that is not the last) -> training ...
//                          |  \-> done (the last rung has ended)
//                          \----> failed (one of its runs did)
//   run:    waiting -> training -> told (of this rung); putBack(): waiting again
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/sweep/sweep_draws.h"
#include "engine/sweep/sweep_settings.h"

namespace engine::sweep {

enum class TrialState { kWaiting, kTraining, kPaused, kDone, kFailed };
std::string_view toString(TrialState state);  // "waiting", "training", "paused", "done", "failed"

inline constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

// A configuration's run with one seed.
struct TrialRun {
    enum class State { kWaiting, kTraining, kTold };
    State state = State::kWaiting;
    std::string run_id{};          // the agent's; empty until it has begun
    std::string host{};            // of Place::spread: where it trains, with all of its rungs; empty: not chosen yet
    std::vector<double> values{};  // at the end of each rung that it has ended
    std::int64_t epochs = 0;       // done
    double latest = kNoValue;      // the objective at the last of them
    bool has_ended = false;        // by itself, before its rung did (EarlyStopping): there is nothing to go on with
    friend bool operator==(const TrialRun& a, const TrialRun& b);
};

struct Trial {
    Configuration configuration;
    TrialState state = TrialState::kWaiting;
    int rung = -1;                 // that it trains, or has ended; -1: none yet
    std::vector<double> values{};  // the means of its runs at the end of each rung
    std::vector<TrialRun> runs{};  // by seed
    std::string error{};           // of kFailed
    double value() const { return values.empty() ? kNoValue : values.back(); }
    std::int64_t epochs() const;  // of its longest run
};

std::string_view toString(TrialRun::State state);  // "waiting", "training", "told"

// A run that is to train until it has done so many epochs in all.
struct Job {
    int trial = 0, seed = 0, rung = 0;
    std::int64_t epochs = 1;
    friend bool operator==(const Job&, const Job&) = default;
};

// Copyable; one thread.
class Sweep {
public:
    // `longest`: longestOf() the project. The settings have no errors.
    Sweep(SweepSettings settings, std::int64_t longest);
    // One that was begun, from its file.
    Sweep(SweepSettings settings, std::int64_t longest, std::vector<Trial> trials);

    const SweepSettings& settings() const { return settings_; }
    const std::vector<std::int64_t>& rungs() const { return rungs_; }
    const std::vector<Trial>& trials() const { return trials_; }

    // The run that begins now; nullopt while at_once runs train, and where nothing can begin before another run has ended.
    std::optional<Job> next();
    // Those that have begun and were not told of.
    std::vector<Job> training() const;
    bool isOver() const;  // no run trains or is to come

    // What became of a run that next() gave; each names one of training().
    void placed(const Job& job, const std::string& host);
    void begun(const Job& job, const std::string& run_id);
    void progressed(const Job& job, std::int64_t epochs, double value);
    // It has ended: its value there, and how many epochs it has done.
    void told(const Job& job, std::int64_t epochs, double value);
    void failed(const Job& job, const std::string& reason);
    // It was stopped before its end: it comes again, after those that were promoted.
    void putBack(const Job& job);

    // True when value a is better than b; a number is better than none.
    bool isBetter(double a, double b) const;
    // The trial with the best value at the end of the highest rung that it has ended, of equal ones that of more epochs; nullopt before
    // any.
    std::optional<int> best() const;
    // Epochs that all runs have done by now.
    std::int64_t epochsTrained() const;

private:
    TrialRun& runOf(const Job& job);
    Job jobOf(int trial, int seed) const;
    std::optional<int> promotable(int rung) const;
    bool promote(int trial);  // false where all of its runs had ended by themselves: it has ended the next rung, too
    void endRung(Trial& trial);
    int runsInTraining() const;

    SweepSettings settings_;
    std::vector<std::int64_t> rungs_;
    std::vector<Trial> trials_;
};

}  // namespace engine::sweep
