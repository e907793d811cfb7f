// Updates that need more of a variable than the element at hand (spec::takesWholeVariables()): passes over all variables, each of which
// must be done before the next begins. A pass consists of blocks that any threads may work on. All that blocks add up is in double and in
// the order of the blocks: the same for any number of threads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/backend/flat_update.h"
#include "engine/plan/optimizer.h"

namespace engine::backend {

// c (rows, columns) = a (rows, depth) b (depth, columns), or added to c. Rows lie next to each other.
struct MatrixProduct {
    const float *a = nullptr, *b = nullptr;
    float* c = nullptr;
    std::int64_t rows = 0, columns = 0, depth = 0;
    bool adds = false;
};
using Multiply = void (*)(const void* self, const MatrixProduct& product);

// What multiplies matrices: a back-end's kernels.
struct Multiplier {
    const void* self = nullptr;
    Multiply multiply = nullptr;
    void operator()(const MatrixProduct& product) const { multiply(self, product); }
};
// Loops whose sums are in double.
Multiplier plainMultiplier();

class WholeUpdate {
public:
    virtual ~WholeUpdate() = default;

    virtual int passes() const = 0;
    virtual std::int64_t blocks(int pass) const = 0;
    virtual void run(int pass, std::int64_t block, const plan::StepFactors& factors) = 0;
    // How the printed plan names it: "12 blocks, by norms".
    virtual std::string kernel() const = 0;
};

}  // namespace engine::backend
