// Labels and sample weights of a batch as a plan wants them: the same on every back-end.
#pragma once

#include <cstdint>

#include "engine/plan/plan.h"
#include "engine/tensor/batch_view.h"

namespace engine::backend {

// Made once from a plan with labels and its gather op. Reads nothing but the batch: any thread.
class LabelReader {
public:
    LabelReader(const plan::Plan& plan, const plan::Op& gather);

    // Throws Error: kInvalidArgument for labels of another type or number than the plan's, kOutOfRange for a class that the model lacks.
    void check(const tensor::BatchView& batch) const;
    // Labels of sample `index` of the data to `to`, of labelBytes(). Of sequences the first columns that the plan's label has room for, and
    // -1 in those that the data lack.
    void read(const tensor::BatchView& batch, std::int64_t index, std::byte* to) const;
    std::int64_t labelBytes() const { return elements_ * static_cast<std::int64_t>(sizeof(float)); }  // a sample's
    float weight(const tensor::BatchView& batch, std::int64_t index) const;

private:
    void checkSequences(const tensor::BatchView& batch) const;
    std::int64_t classOf(const tensor::BatchView& batch, std::int64_t index) const;

    std::int64_t elements_ = 1;  // labels a sample
    bool are_classes_ = true;    // int32, else float32
    std::int64_t classes_ = 0;
    plan::GatherAttributes attributes_;
};

}  // namespace engine::backend
