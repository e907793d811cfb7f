#include "engine/backend/prepare_gradients.h"

#include <algorithm>
#include <utility>

#include "engine/backend/update_formulas.h"

namespace engine::backend {

GradientPreparation::GradientPreparation(const plan::UpdateRule& rule, std::vector<PreparedGradient> gradients)
    : rule_(rule), gradients_(std::move(gradients)) {
    constexpr std::size_t kBlock = 4096;  // floats: small enough for every thread to get some, large enough to be worth a call
    for (std::size_t i = 0; i < gradients_.size(); ++i) {
        first_block_.push_back(blocks_.size());
        for (std::size_t begin = 0; begin < gradients_[i].gradient.size(); begin += kBlock) {
            blocks_.push_back({.gradient = i, .begin = begin, .size = std::min(kBlock, gradients_[i].gradient.size() - begin)});
        }
    }
    first_block_.push_back(blocks_.size());
}

void GradientPreparation::collect(std::int64_t index, bool applies) {
    Block& block = blocks_[static_cast<std::size_t>(index)];
    const std::span<float> g = gradients_[block.gradient].gradient.subspan(block.begin, block.size);
    if (rule_.accumulation_steps > 1) {
        const std::span<float> sum = gradients_[block.gradient].accumulator.subspan(block.begin, block.size);
        if (!applies) {
            for (std::size_t i = 0; i < g.size(); ++i) sum[i] += g[i];
            return;
        }
        const auto steps = static_cast<float>(rule_.accumulation_steps);
        for (std::size_t i = 0; i < g.size(); ++i) {
            g[i] = (g[i] + sum[i]) / steps;
            sum[i] = 0;
        }
    }
    if (rule_.clip_value > 0) {
        for (float& value : g) value = std::clamp(value, -rule_.clip_value, rule_.clip_value);
    }
    if (!scales()) return;
    block.squares = 0;
    for (const float value : g) block.squares += static_cast<double>(value) * value;
}

double GradientPreparation::squaresOf(std::size_t gradient) const {
    double squares = 0;
    for (std::size_t i = first_block_[gradient]; i < first_block_[gradient + 1]; ++i) squares += blocks_[i].squares;
    return squares;
}

void GradientPreparation::scale(std::int64_t index) const {
    const Block& block = blocks_[static_cast<std::size_t>(index)];
    double squares = 0;
    if (rule_.clip_norm > 0) {
        squares = squaresOf(block.gradient);
    } else {
        for (std::size_t i = 0; i < gradients_.size(); ++i) squares += squaresOf(i);
    }
    const float factor = clipFactor(rule_, squares);
    if (factor == 1.0F) return;
    for (float& value : gradients_[block.gradient].gradient.subspan(block.begin, block.size)) value *= factor;
}

}  // namespace engine::backend
