// Samples of words, and a model that looks rows up in a table by them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/tensor/batch_view.h"
#include "tests/support/model_builder.h"
#include "tests/support/model_cases.h"

namespace tests::support {

// Whole numbers and a class for each sample. All samples share words with others, and all but the first have a word twice. The table's last
// word stands in the first sample alone, the one before it nowhere.
class Words {
public:
    static constexpr std::int64_t kSamples = 20, kPerSample = 4, kTable = 12, kClasses = 3;

    Words() {
        for (std::int64_t i = 0; i < kSamples; ++i) {
            for (const std::int64_t apart : {0, 1, 4, 10}) ids_.push_back(static_cast<std::uint8_t>((3 * i + apart) % (kTable - 2)));
            labels_.push_back(static_cast<std::uint8_t>(i % kClasses));
        }
        ids_.front() = static_cast<std::uint8_t>(kTable - 1);
    }
    // `indices` must outlive the view.
    engine::tensor::BatchView view(std::span<const std::uint32_t> indices) const {
        return {.samples = reinterpret_cast<const std::byte*>(ids_.data()),
                .sample_elements = kPerSample,
                .labels = reinterpret_cast<const std::byte*>(labels_.data()),
                .indices = indices};
    }

private:
    std::vector<std::uint8_t> ids_, labels_;
};

// A table of rows for the words, and a dense layer, with all samples in a batch.
inline ModelCase wordsCase() {
    ModelCase c{"words",
                model({Words::kPerSample}, {layer("Embedding", "embedding", {{"input_dim", Words::kTable}, {"output_dim", rows::n(5)}}),
                                            layer("Flatten", "flatten"), rows::dense("dense", Words::kClasses, "linear")}),
                compileWith(rows::kSgd),
                Words::kSamples,
                Words::kSamples,
                0.1F};
    c.model.input_dtype = "int32";
    return c;
}

}  // namespace tests::support
