// What happens to gradients before the updates read them: accumulation over steps and clipping, block by block. Sums are in double, in the
// order of the blocks: the same for any number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/plan/optimizer.h"

namespace engine::backend {

struct PreparedGradient {
    std::span<float> gradient;
    std::span<float> accumulator{};  // empty when nothing is accumulated
};

// Made once; the memory must outlive it. Blocks may be worked on by any threads, but scale() only after every collect().
class GradientPreparation {
public:
    GradientPreparation(const plan::UpdateRule& rule, std::vector<PreparedGradient> gradients);

    std::int64_t blocks() const { return static_cast<std::int64_t>(blocks_.size()); }
    // Adds to the accumulators, or, when the step applies, makes the mean of the accumulated gradients, clips by value and measures.
    void collect(std::int64_t block, bool applies);
    // True when a norm is clipped: scale() then does it.
    bool scales() const { return rule_.clip_norm > 0 || rule_.global_clip_norm > 0; }
    void scale(std::int64_t block) const;

private:
    struct Block {
        std::size_t gradient = 0;
        std::size_t begin = 0, size = 0;
        double squares = 0;
    };

    double squaresOf(std::size_t gradient) const;

    plan::UpdateRule rule_;
    std::vector<PreparedGradient> gradients_;
    std::vector<Block> blocks_;
    std::vector<std::size_t> first_block_;  // of each gradient, and the end
};

}  // namespace engine::backend
