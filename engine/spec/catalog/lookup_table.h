// Which whole number stands for which in a layer of the class IntegerLookup, and what it and Discretization take from training samples
// (Keras' adapt()), as variables that no optimizer changes.
//
//   boundaries      Discretization with num_bins: as many as there are at most, rising; those that the samples did not give are
//                   kNoBoundary
//   values, places  IntegerLookup without a vocabulary: its LookupTable, filled up with kNoValue
//   idf_weights     IntegerLookup with tf_idf: a weight for each place
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/spec/catalog/settings.h"

namespace engine::spec {

struct LookupTable {
    std::vector<std::int64_t> values, places;  // places[i] stands for values[i]; values ascend. -1: nothing does
    std::int64_t otherwise = 0;                // the first place of those of all other values, as many as
    std::int64_t others = 1;                   // by what is left of them when they are divided by it; 0: there are none
    std::int64_t first = 0;                    // the place of the vocabulary's first value
    std::optional<std::int64_t> repeats{};     // a value that the vocabulary, or the mask with it, has twice
    std::int64_t used = 0;                     // places of the vocabulary and of what stands in front of it
    std::int64_t size = 0;                     // places in all, those that a cap keeps free among them
};

// The special tokens may stand in front of the vocabulary, as get_vocabulary() gives it.
LookupTable lookupTable(const Settings& settings);

// A weight for each place: idf_weights, their mean for places in front of the vocabulary where it does not have these, 0 for what a cap
// keeps free. Empty without idf_weights.
std::vector<float> idfWeights(const Settings& settings);

// The variables of an IntegerLookup without a vocabulary of its own, by their names within the layer, as that vocabulary fills them; with
// idf weights for each of its values, those too. It fits into max_tokens.
std::vector<std::pair<std::string, std::vector<float>>> takenVocabulary(const LayerSpec& layer, const std::vector<std::int64_t>& tokens,
                                                                        const std::vector<double>& idf_weights);

// Beyond every id, and beyond every number that a boundary may be.
inline constexpr float kNoValue = 33554432, kNoBoundary = 9.9e29F;
// How many boundaries a Discretization takes at most: Keras computes one for each multiple of 1 / num_bins below 1, which by rounding may
// be one more than num_bins - 1.
std::int64_t mostBoundaries(std::int64_t num_bins);

}  // namespace engine::spec
