// Which whole number stands for which in a layer of the class IntegerLookup.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/spec/catalog/settings.h"

namespace engine::spec {

struct LookupTable {
    std::vector<std::int64_t> values, places;  // places[i] stands for values[i]; values ascend. -1: nothing does
    std::int64_t otherwise = 0;                // the first place of those of all other values, as many as
    std::int64_t others = 1;                   // by what is left of them when they are divided by it
    std::optional<std::int64_t> repeats{};     // a value that the vocabulary, or the mask with it, has twice
    std::int64_t used = 0;                     // places of the vocabulary and of what stands in front of it
    std::int64_t size = 0;                     // places in all, those that a cap keeps free among them
};

// The special tokens may stand in front of the vocabulary, as get_vocabulary() gives it.
LookupTable lookupTable(const Settings& settings);

}  // namespace engine::spec
