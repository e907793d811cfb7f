// The configurations of a sweep. Pure functions, any thread.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "engine/sweep/sweep_settings.h"

namespace engine::sweep {

// A value for each field, in their order.
using Configuration = std::vector<std::string>;

// Grid: all combinations, the last field changing first. Random and asha: `trials` different ones (fewer where there are not so many),
// drawn from the fields' choices and ranges; with trials 0 all of the grid in a random order. The same settings give the same
// configurations on every computer. The settings have no errors (checkSweep()).
std::vector<Configuration> configurationsOf(const SweepSettings& settings);

// Numbers that are the same everywhere: the standard fixes the generator's, not those of its distributions.
class Draws {
public:
    explicit Draws(std::uint64_t seed) : generator_(seed) {}
    double uniform() { return static_cast<double>(generator_() >> 11) * 0x1.0p-53; }  // [0, 1)
    std::size_t below(std::size_t bound) { return static_cast<std::size_t>(uniform() * static_cast<double>(bound)); }

private:
    std::mt19937_64 generator_;
};

}  // namespace engine::sweep
