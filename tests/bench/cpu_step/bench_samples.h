// Random samples for the models of bench_models.h, as many as the peers have.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/plan/plan.h"
#include "engine/spec/model_spec.h"
#include "engine/tensor/batch_view.h"

namespace tests::bench {

// Random pictures, or words where the model begins with an embedding.
class Samples {
public:
    Samples(const engine::spec::ModelSpec& model, const engine::plan::Plan& plan) : indices_(static_cast<std::size_t>(plan.batch)) {
        const engine::plan::TensorDesc& input = plan.tensors[static_cast<std::size_t>(plan.input)];
        const auto classes = static_cast<std::uint64_t>(plan.tensors[static_cast<std::size_t>(plan.output)].shape.back());
        elements_ = engine::plan::elementCount(input) / plan.batch;
        count_ = std::max(indices_.size(), kSamples);
        is_text_ = model.layers.front().class_name == "Embedding";
        const auto words = is_text_ ? static_cast<std::uint64_t>(model.layers.front().config.getInt("input_dim", 1)) : 256;
        for (std::size_t i = 0; i < count_ * static_cast<std::size_t>(elements_); ++i) {
            const std::uint64_t value = (i * 2654435761U >> 12) % words;
            is_text_ ? words_.push_back(static_cast<std::int32_t>(value)) : pixels_.push_back(static_cast<std::uint8_t>(value));
        }
        for (std::size_t i = 0; i < count_; ++i) labels_.push_back(static_cast<std::uint8_t>((i * 2654435761U >> 20) % classes));
    }

    // Valid until the next call; `set` as BatchView has it.
    engine::tensor::BatchView batch(std::int64_t step, std::uint64_t set = 0) {
        for (std::size_t i = 0; i < indices_.size(); ++i) {
            indices_[i] = static_cast<std::uint32_t>((static_cast<std::size_t>(step) * 7919 + i * 104729) % count_);
        }
        engine::tensor::BatchView view{
            .sample_elements = elements_, .labels = reinterpret_cast<const std::byte*>(labels_.data()), .indices = indices_};
        if (is_text_) {
            view.samples = reinterpret_cast<const std::byte*>(words_.data());
            view.sample_dtype = engine::tensor::DType::kInt32;
        } else {
            view.samples = reinterpret_cast<const std::byte*>(pixels_.data());
            view.scale = 1.0F / 255.0F;
        }
        if (set != 0) {
            view.set = set;
            view.count = static_cast<std::int64_t>(count_);
        }
        return view;
    }

private:
    static constexpr std::size_t kSamples = 4096;  // as the peers have
    std::int64_t elements_ = 0;
    std::size_t count_ = 0;
    bool is_text_ = false;
    std::vector<std::uint8_t> pixels_, labels_;
    std::vector<std::int32_t> words_;
    std::vector<std::uint32_t> indices_;
};

}  // namespace tests::bench
