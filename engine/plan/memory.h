// Gives each tensor its place in memory. Everything is aligned to 64 bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/plan/plan.h"

namespace engine::plan {

inline constexpr std::int64_t kAlignmentBytes = 64;
constexpr std::int64_t alignUp(std::int64_t bytes) {
    return (bytes + kAlignmentBytes - 1) / kAlignmentBytes * kAlignmentBytes;
}

// Parameters, states and slots in the run's Variables: one block for each of the first two, then one a slot kind; within a block of
// parameters or slots the last layer's variables first, as the buckets have their gradients. So parameter, gradient and slots of any bucket
// are three or more runs of memory of the same layout, and an update is one flat pass over them. Offsets of parameters do not depend on the
// optimizer. Sets region, offsets and variable_bytes.
Plan layoutVariables(Plan plan);

// layoutVariables, the shared region (header and gradients of the buckets), and one private arena for the rest: tensors whose lifetimes do
// not meet share memory, a reshape's output is its input, gradients that an update reads after the backward pass lie in the order of the
// parameters. Executors clear the arena once, when they allocate it.
Plan planMemory(Plan plan);

// An output of an op that may lie where an input lies: the kernel reads each element of the input before it writes the output's element at
// the same place, and not afterwards.
struct InPlacePair {
    TensorId output, input;
};
// The pairs of an op, those of an output with the best input first. Each output takes one input at most, and each input is taken once.
using InPlace = std::function<std::vector<InPlacePair>(const Op& op)>;
// Places the private arena anew, for a back-end that knows of its kernels: an output lies where such an input of as many bytes lay that no
// later op touches. The other regions stay as they are.
Plan placeInPlace(Plan plan, const InPlace& in_place);

}  // namespace engine::plan
