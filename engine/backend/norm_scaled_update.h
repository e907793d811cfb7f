// Updates whose step is as long as the variable: Lamb (engine/spec/catalog/update_kind.h). A first pass over a variable moves its moments
// and measures the variable and the direction of its step, a second one takes the step. Sums are in double, block by block and in the order
// of the blocks: the same for any number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/backend/flat_update.h"
#include "engine/plan/optimizer.h"

namespace engine::backend {

// Made once, of runs that are a variable each (flatRuns() of a rule that takes norms); their memory must outlive it. Blocks may be worked
// on by any threads, but apply() only after every advance() of the step.
class NormScaledUpdate {
public:
    NormScaledUpdate(const plan::UpdateRule& rule, std::vector<FlatRun> runs);

    std::int64_t blocks() const { return static_cast<std::int64_t>(blocks_.size()); }
    // Applies weight decay to a block, advances its moments and adds up the squares. Does nothing in a step that does not apply.
    void advance(std::int64_t block, const plan::StepFactors& factors);
    // The step, and the moving average after it.
    void apply(std::int64_t block, const plan::StepFactors& factors) const;

private:
    struct Block {
        std::size_t run = 0;
        std::int64_t begin = 0, size = 0;
        double weight_squares = 0, direction_squares = 0;
    };

    FlatRun partOf(const Block& block) const;
    float ratioOf(std::size_t run) const;

    plan::UpdateRule rule_;
    std::vector<FlatRun> runs_;
    std::vector<Block> blocks_;
    std::vector<std::size_t> first_block_;  // of each run, and the end
};

}  // namespace engine::backend
