// Updates whose step is as long as the variable: Lamb (engine/spec/catalog/update_kind.h). A first pass over a variable moves its moments
// and measures the variable and the direction of its step, a second one takes the step.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/backend/whole/whole_update.h"

namespace engine::backend {

class NormScaledUpdate final : public WholeUpdate {
public:
    NormScaledUpdate(const plan::UpdateRule& rule, std::vector<FlatRun> runs);

    int passes() const override { return 2; }
    std::int64_t blocks(int) const override { return static_cast<std::int64_t>(blocks_.size()); }
    void run(int pass, std::int64_t block, const plan::StepFactors& factors) override;
    std::string kernel() const override;

private:
    // Applies weight decay to a block, advances its moments and adds up the squares. Does nothing in a step that does not apply.
    void advance(std::int64_t block, const plan::StepFactors& factors);
    // The step, and the moving average after it.
    void apply(std::int64_t block, const plan::StepFactors& factors) const;

    struct Block {
        std::size_t run = 0;
        std::int64_t begin = 0, size = 0;
        double weight_squares = 0, direction_squares = 0;
    };

    float ratioOf(std::size_t run) const;

    plan::UpdateRule rule_;
    std::vector<FlatRun> runs_;
    std::vector<Block> blocks_;
    std::vector<std::size_t> first_block_;  // of each run, and the end
};

}  // namespace engine::backend
