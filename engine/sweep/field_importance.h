// How much each field of a sweep counted, by a functional analysis of variance.
//
// Hutter, Hoos, Leyton-Brown, "An Efficient Approach for Assessing Hyperparameter Importance", ICML 2014: a random forest learns the
// objective from the trials' values; in each tree the variance over the whole space, each place of a field's scale as likely, is taken
// apart, and a field's importance is the part of it that the field explains alone, averaged over the trees. What is left, `together`, is
// what fields do only with each other, and noise. Here: 64 trees, each of as many trials as there are, drawn with replacement, and grown to
// its leaves; choices have parts of equal width, in the order in which they were given. It says how the trials differ, not that a field
// causes it, and of few trials it says little.
#pragma once

#include <optional>
#include <vector>

#include "engine/sweep/sweep.h"

namespace engine::sweep {

struct FieldImportance {
    std::vector<double> alone;  // by field, 0 to 1; they sum to 1 at most
    double together = 0;
    int trials = 0;  // that it was learnt from
};

inline constexpr int kLeastForImportance = 6, kMostForImportance = 500;  // trials

// Computed from the trials' values at the end of the first rung, which all trials have in common. Trials without a finite value are left
// out, and of more than kMostForImportance only so many are taken, evenly spaced. nullopt while there are fewer than kLeastForImportance,
// and where all values are the same.
std::optional<FieldImportance> importanceOf(const Sweep& sweep);

}  // namespace engine::sweep
