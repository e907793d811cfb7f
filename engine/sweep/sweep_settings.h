// What a sweep is asked for, and the file that says it. The header to read first of this folder; sweep.h decides what is trained next, and
// field_importance.h tells which fields counted. Plain values, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/diagnostic.h"
#include "engine/spec/project/run_spec.h"
#include "engine/sweep/sweep_field.h"

namespace engine::sweep {

enum class Method {
    kGrid,    // every combination of the fields' values
    kRandom,  // drawn configurations
    kAsha,    // drawn configurations, of which the better ones train on: asynchronous successive halving (sweep.h)
};
std::string_view toString(Method method);  // "grid", "random", "asha"

// What is compared: a log of an epoch's end, at the last epoch that a trial has trained.
struct Objective {
    std::string log = "val_accuracy";
    bool rises = true;  // a greater value is better
    friend bool operator==(const Objective&, const Objective&) = default;
};
// "val_loss" falls and "val_accuracy" rises (spec::betterDirection); a log whose name tells neither rises.
Objective objectiveOf(const std::string& log);

// A job of Slurm, as the options of `tandem-cli submit` ask for it; 0 and empty: as the cluster has it.
struct SlurmJob {
    int nodes = 1, tasks_per_node = 1, cpus_per_task = 0, gpus_per_task = 0;
    std::string memory{}, time{}, partition{};
    friend bool operator==(const SlurmJob&, const SlurmJob&) = default;
};

// The place where the runs train; its members are as the options of `tandem-cli train`.
struct Place {
    int workers = 0, servers = 0;     // on this computer; 0: the project's cluster
    std::string hosts;                // "node1,node2:2"; empty: this computer
    bool spread = false;              // each run on one of the hosts, instead of on all of them together
    std::optional<SlurmJob> slurm{};  // a job for each run, or for each rung of it; then nothing of the above
    friend bool operator==(const Place&, const Place&) = default;
};

struct SweepSettings {
    Method method = Method::kGrid;
    std::vector<SweepField> fields;
    Objective objective;
    int trials = 0;               // how many configurations are drawn; 0: all of the grid, for random and asha in a random order
    std::uint64_t seed = 0;       // of what is drawn
    int seeds = 1;                // runs of each configuration, which differ in fit.seed; their mean counts
    int at_once = 1;              // runs
    int reduction = 3;            // of asha: one of so many trains on
    std::int64_t min_epochs = 1;  // of asha: epochs of the first rung
    std::int64_t max_epochs = 0;  // epochs of the longest run; 0: fit.epochs
    Place place{};
    friend bool operator==(const SweepSettings&, const SweepSettings&) = default;
};

inline constexpr int kMostTrials = 10'000, kMostSeeds = 100, kMostAtOnce = 256, kMostReduction = 100;

// The project's fit.epochs, unless the settings say it.
std::int64_t longestOf(const SweepSettings& settings, const spec::RunSpec& project);
// The number of epochs that a run has trained in all at the end of each rung. For asha: R = max_epochs, and before it R / reduction, R /
// reduction^2 and so on, rounded, as long as that is at least min_epochs; for the others R alone.
std::vector<std::int64_t> rungsOf(const SweepSettings& settings, std::int64_t longest);

// How many configurations the grid has; 0 where a range has no points, kMostTrials + 1 for any more than kMostTrials.
int gridSize(const std::vector<SweepField>& fields);

// Everything that keeps these settings from being a sweep of the project. Each value of each field is tried on it, one by one, and both
// ends of a range; combinations are not: a trial whose project has errors fails by itself.
spec::Diagnostics checkSweep(const SweepSettings& settings, const spec::RunSpec& project);

}  // namespace engine::sweep
