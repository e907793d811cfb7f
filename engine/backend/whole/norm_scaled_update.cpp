#include "engine/backend/whole/norm_scaled_update.h"

#include <algorithm>
#include <utility>

namespace engine::backend {

NormScaledUpdate::NormScaledUpdate(const plan::UpdateRule& rule, std::vector<FlatRun> runs) : rule_(rule), runs_(std::move(runs)) {
    constexpr std::int64_t kBlock = 4096;  // floats: small enough for every thread to get some, large enough to be worth a call
    for (std::size_t i = 0; i < runs_.size(); ++i) {
        first_block_.push_back(blocks_.size());
        for (std::int64_t begin = 0; begin < runs_[i].count; begin += kBlock) {
            blocks_.push_back({.run = i, .begin = begin, .size = std::min(kBlock, runs_[i].count - begin)});
        }
    }
    first_block_.push_back(blocks_.size());
}

std::string NormScaledUpdate::kernel() const {
    return std::to_string(blocks_.size()) + (blocks_.size() == 1 ? " block, by norms" : " blocks, by norms");
}

void NormScaledUpdate::run(int pass, std::int64_t block, const plan::StepFactors& factors) {
    if (pass == 0) {
        advance(block, factors);
    } else {
        apply(block, factors);
    }
}

void NormScaledUpdate::advance(std::int64_t index, const plan::StepFactors& factors) {
    if (!factors.applies) return;
    Block& block = blocks_[static_cast<std::size_t>(index)];
    const FlatRun part = partOf(runs_[block.run], block.begin, block.size);
    const auto [first, second, unused] = updateValues(rule_, part.slots);
    block.weight_squares = block.direction_squares = 0;
    for (std::int64_t i = 0; i < part.count; ++i) {
        UpdateValues values{first[i], second[i]};
        const SquaresOfElement squares = advanceElement(rule_, factors, part.gradient[i], part.parameter[i], values);
        first[i] = values.first;
        second[i] = values.second;
        block.weight_squares += squares.weight;
        block.direction_squares += squares.direction;
    }
}

float NormScaledUpdate::ratioOf(std::size_t run) const {
    double weights = 0, directions = 0;
    for (std::size_t i = first_block_[run]; i < first_block_[run + 1]; ++i) {
        weights += blocks_[i].weight_squares;
        directions += blocks_[i].direction_squares;
    }
    return normRatio(weights, directions);
}

void NormScaledUpdate::apply(std::int64_t index, const plan::StepFactors& factors) const {
    const Block& block = blocks_[static_cast<std::size_t>(index)];
    const FlatRun part = partOf(runs_[block.run], block.begin, block.size);
    if (factors.applies) {
        const auto [first, second, unused] = updateValues(rule_, part.slots);
        const float step = ratioOf(block.run) * factors.step_size;
        for (std::int64_t i = 0; i < part.count; ++i) {
            part.parameter[i] -= step * directionOfElement(rule_, factors, {first[i], second[i]});
        }
    }
    updateAverage(rule_, factors, part);
}

}  // namespace engine::backend
