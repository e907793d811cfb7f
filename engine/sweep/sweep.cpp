#include "engine/sweep/sweep.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "engine/spec/error.h"

namespace engine::sweep {
namespace {

using RunState = TrialRun::State;

bool areSame(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

}  // namespace

std::string_view toString(TrialState state) {
    constexpr std::array<std::string_view, 5> kNames{"waiting", "training", "paused", "done", "failed"};
    return kNames[static_cast<std::size_t>(state)];
}

std::string_view toString(TrialRun::State state) {
    constexpr std::array<std::string_view, 3> kNames{"waiting", "training", "told"};
    return kNames[static_cast<std::size_t>(state)];
}

bool operator==(const TrialRun& a, const TrialRun& b) {
    return a.state == b.state && a.run_id == b.run_id && a.host == b.host &&
           std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(), areSame) && a.epochs == b.epochs &&
           areSame(a.latest, b.latest) && a.has_ended == b.has_ended;
}

std::int64_t Trial::epochs() const {
    std::int64_t most = 0;
    for (const TrialRun& run : runs) most = std::max(most, run.epochs);
    return most;
}

Sweep::Sweep(SweepSettings settings, std::int64_t longest) : settings_(std::move(settings)), rungs_(rungsOf(settings_, longest)) {
    for (Configuration& configuration : configurationsOf(settings_)) {
        trials_.push_back({.configuration = std::move(configuration)});
        trials_.back().runs.resize(static_cast<std::size_t>(settings_.seeds));
    }
}

Sweep::Sweep(SweepSettings settings, std::int64_t longest, std::vector<Trial> trials)
    : settings_(std::move(settings)), rungs_(rungsOf(settings_, longest)), trials_(std::move(trials)) {}

bool Sweep::isBetter(double a, double b) const {
    if (std::isnan(a) || std::isnan(b)) return !std::isnan(a) && std::isnan(b);
    return settings_.objective.rises ? a > b : a < b;
}

Job Sweep::jobOf(int trial, int seed) const {
    const int rung = trials_[static_cast<std::size_t>(trial)].rung;
    return {trial, seed, rung, rungs_[static_cast<std::size_t>(rung)]};
}

TrialRun& Sweep::runOf(const Job& job) {
    TrialRun& run = trials_.at(static_cast<std::size_t>(job.trial)).runs.at(static_cast<std::size_t>(job.seed));
    ENGINE_CHECK(run.state == RunState::kTraining);
    return run;
}

int Sweep::runsInTraining() const {
    return static_cast<int>(training().size());
}

std::vector<Job> Sweep::training() const {
    std::vector<Job> jobs;
    for (std::size_t trial = 0; trial < trials_.size(); ++trial) {
        for (std::size_t seed = 0; seed < trials_[trial].runs.size(); ++seed) {
            if (trials_[trial].runs[seed].state == RunState::kTraining)
                jobs.push_back(jobOf(static_cast<int>(trial), static_cast<int>(seed)));
        }
    }
    return jobs;
}

// The best 1/reduction of all that have ended the rung, those that went further among them.
std::optional<int> Sweep::promotable(int rung) const {
    const auto at = static_cast<std::size_t>(rung);
    std::vector<int> ended;
    for (std::size_t i = 0; i < trials_.size(); ++i) {
        const bool failed_here = trials_[i].state == TrialState::kFailed && trials_[i].rung == rung;
        if (trials_[i].values.size() > at || failed_here) ended.push_back(static_cast<int>(i));
    }
    const auto valueOf = [&](int index) {
        const Trial& trial = trials_[static_cast<std::size_t>(index)];
        return trial.values.size() > at ? trial.values[at] : kNoValue;
    };
    std::stable_sort(ended.begin(), ended.end(), [&](int a, int b) { return isBetter(valueOf(a), valueOf(b)); });
    ended.resize(ended.size() / static_cast<std::size_t>(settings_.reduction));
    for (const int index : ended) {
        const Trial& trial = trials_[static_cast<std::size_t>(index)];
        if (trial.state == TrialState::kPaused && trial.rung == rung && !std::isnan(valueOf(index))) return index;
    }
    return std::nullopt;
}

bool Sweep::promote(int index) {
    Trial& trial = trials_[static_cast<std::size_t>(index)];
    ++trial.rung;
    trial.state = TrialState::kTraining;
    bool any = false;
    for (TrialRun& run : trial.runs) {
        run.state = run.has_ended ? RunState::kTold : RunState::kWaiting;
        if (run.has_ended) run.values.push_back(run.values.back());
        any = any || !run.has_ended;
    }
    if (!any) endRung(trial);
    return any;
}

std::optional<Job> Sweep::next() {
    if (runsInTraining() >= settings_.at_once) return std::nullopt;
    const auto begin = [&](std::size_t trial) -> std::optional<Job> {
        std::vector<TrialRun>& runs = trials_[trial].runs;
        const auto waiting = std::find_if(runs.begin(), runs.end(), [](const TrialRun& run) { return run.state == RunState::kWaiting; });
        if (trials_[trial].state != TrialState::kTraining || waiting == runs.end()) return std::nullopt;
        waiting->state = RunState::kTraining;
        return jobOf(static_cast<int>(trial), static_cast<int>(waiting - runs.begin()));
    };
    for (std::size_t trial = 0; trial < trials_.size(); ++trial) {
        if (const auto job = begin(trial)) return job;
    }
    for (int rung = static_cast<int>(rungs_.size()) - 2; rung >= 0; --rung) {
        while (const std::optional<int> trial = promotable(rung)) {
            if (promote(*trial)) return begin(static_cast<std::size_t>(*trial));
            rung = std::min(rung + 1, static_cast<int>(rungs_.size()) - 2);  // which may let it go further at once
        }
    }
    for (std::size_t trial = 0; trial < trials_.size(); ++trial) {
        if (trials_[trial].state != TrialState::kWaiting) continue;
        trials_[trial].rung = 0;
        trials_[trial].state = TrialState::kTraining;
        return begin(trial);
    }
    return std::nullopt;
}

bool Sweep::isOver() const {
    const auto goes_on = [](const Trial& trial) { return trial.state == TrialState::kWaiting || trial.state == TrialState::kTraining; };
    if (runsInTraining() > 0 || std::any_of(trials_.begin(), trials_.end(), goes_on)) return false;
    for (int rung = 0; rung + 1 < static_cast<int>(rungs_.size()); ++rung) {
        if (promotable(rung)) return false;
    }
    return true;
}

void Sweep::placed(const Job& job, const std::string& host) {
    runOf(job).host = host;
}

void Sweep::begun(const Job& job, const std::string& run_id) {
    runOf(job).run_id = run_id;
}

void Sweep::progressed(const Job& job, std::int64_t epochs, double value) {
    TrialRun& run = runOf(job);
    run.epochs = epochs;
    run.latest = value;
}

void Sweep::told(const Job& job, std::int64_t epochs, double value) {
    TrialRun& run = runOf(job);
    run.state = RunState::kTold;
    run.epochs = epochs;
    run.latest = value;
    run.has_ended = epochs < job.epochs;
    run.values.push_back(value);
    endRung(trials_[static_cast<std::size_t>(job.trial)]);
}

// Ends the trial's rung where all of its runs have told its end.
void Sweep::endRung(Trial& trial) {
    const auto is_told = [](const TrialRun& run) { return run.state == RunState::kTold; };
    if (trial.state != TrialState::kTraining || !std::all_of(trial.runs.begin(), trial.runs.end(), is_told)) return;
    const double sum = std::accumulate(trial.runs.begin(), trial.runs.end(), 0.0,
                                       [](double so_far, const TrialRun& run) { return so_far + run.values.back(); });
    trial.values.push_back(sum / static_cast<double>(trial.runs.size()));
    trial.state = trial.rung + 1 < static_cast<int>(rungs_.size()) ? TrialState::kPaused : TrialState::kDone;
}

void Sweep::failed(const Job& job, const std::string& reason) {
    runOf(job).state = RunState::kTold;
    Trial& trial = trials_[static_cast<std::size_t>(job.trial)];
    if (trial.state == TrialState::kFailed) return;
    trial.state = TrialState::kFailed;
    trial.error = reason.empty() ? "no reason is known" : reason;
}

void Sweep::putBack(const Job& job) {
    runOf(job).state = RunState::kWaiting;
}

std::optional<int> Sweep::best() const {
    std::optional<int> best;
    for (std::size_t i = 0; i < trials_.size(); ++i) {
        const Trial& one = trials_[i];
        if (one.state == TrialState::kFailed || std::isnan(one.value())) continue;
        const Trial* so_far = best ? &trials_[static_cast<std::size_t>(*best)] : nullptr;
        const bool is_better = so_far == nullptr || isBetter(one.value(), so_far->value()) ||
                               (one.value() == so_far->value() && one.values.size() > so_far->values.size());
        if (is_better) best = static_cast<int>(i);
    }
    return best;
}

std::int64_t Sweep::epochsTrained() const {
    std::int64_t sum = 0;
    for (const Trial& trial : trials_) {
        for (const TrialRun& run : trial.runs) sum += run.epochs;
    }
    return sum;
}

}  // namespace engine::sweep
