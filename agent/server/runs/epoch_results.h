// What a run has reached so far, from the ends of its epochs: the last value of each log, the best one of those of the validation.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/spec/events/task_event.h"

namespace agent::server {

using Results = std::vector<std::pair<std::string, double>>;

// Adds an epoch to `results`: "loss", "val_accuracy" and the like as last seen; "best_val_accuracy" in the direction of
// engine::spec::betterDirection, where it knows one; "best_epoch", from 1, in which the first of these that is no loss (else the loss) was
// best. Values that are no numbers count as seen and never as best.
void addEpoch(Results& results, const engine::spec::EpochEnd& epoch);

// `results` with every entry of `later` in place of the one of its name, else behind it.
void mergeResults(Results& results, const Results& later);

}  // namespace agent::server
