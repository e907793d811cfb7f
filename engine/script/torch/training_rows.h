// Optimizers, rates, losses, metrics and callbacks in PyTorch, a table each. Only files of this folder include it.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/diagnostic.h"
#include "engine/spec/project/run_spec.h"

namespace engine::script::torch {

// class Optimizer of the model with step(rate): Keras' formula. Its state is in `slots` and `iterations`.
std::string writeOptimizer(const spec::ModelSpec& model, const spec::ObjectSpec& optimizer, spec::Diagnostics& findings);

// step() clips what each process has of the gradients and adds up then, as Keras does with replicas: nobody may sum them before.
bool clipsShares(const spec::ObjectSpec& optimizer);

// A function rate_of(step) for a schedule; empty where the rate is a number.
std::string writeSchedule(const spec::ObjectSpec& optimizer);

// Losses and metrics as functions of outputs and labels, those that the project uses.
struct Scores {
    std::string functions;    // loss functions, by Keras' names
    std::string loss;         // the call that gives a loss a sample: "sparse_categorical_crossentropy(outputs, y, from_logits=True)"
    std::string metrics;      // the rows of METRICS: "    'accuracy': (…),\n"
    std::string from_logits;  // the names of those that take what the model gives: "'bce', "; the others take predictions
};
// `activation`: the model gives what this one, its last, would take ("softmax", "sigmoid"); empty: the model is whole.
Scores writeScores(const spec::RunSpec& run, std::int64_t outputs, const std::string& activation, spec::Diagnostics& findings);

// The activation whose input a loss or a metric takes where the model ends in it, as lower() of engine/plan decides; empty: none.
std::string activationBefore(std::string_view class_name, const spec::Fields& config);

// What callbacks add to the loop of training, at each of its places; every text has the loop's names: model, optimizer, step, epoch, logs,
// rate, arguments, rank.
struct Hooks {
    std::string classes;                                       // before the loop
    std::string begin, epoch_begin, step_end, epoch_end, end;  // statements
    std::set<std::string> imports;
};
Hooks writeHooks(const spec::RunSpec& run, spec::Diagnostics& findings);

}  // namespace engine::script::torch
