// Copies the batch view to the input and label tensors, with every check that the data could fail.
#include <string>

#include "engine/backend/label_reader.h"
#include "engine/backend/reference/interpreter.h"
#include "engine/spec/error.h"
#include "engine/tensor/element.h"

namespace engine::backend::reference {

void Interpreter::gather(const plan::Op& op, const Step& step) {
    ENGINE_CHECK(step.batch != nullptr);
    const tensor::BatchView& batch = *step.batch;
    const std::span<float> input = floats(plan_.input, step.samples);
    const std::int64_t elements = plan::elementCount(tensorOf(plan_.input)) / plan_.batch;
    if (batch.sample_elements != elements) {
        throw Error(ErrorCode::kInvalidArgument,
                    "batch: expected samples of " + std::to_string(elements) + " elements, got " + std::to_string(batch.sample_elements));
    }
    const auto* gather = std::get_if<plan::GatherAttributes>(&op.attributes);
    const bool whole_numbers = gather != nullptr && gather->whole_numbers;
    for (std::int64_t i = 0; i < step.samples; ++i) {
        const std::int64_t sample = batch.indices[static_cast<std::size_t>(i)];
        for (std::int64_t k = 0; k < elements; ++k) {
            const float value = tensor::elementValue(batch.samples, batch.sample_dtype, sample * elements + k);
            const bool by_element = batch.scales != nullptr && !whole_numbers;
            const float scale = whole_numbers ? 1.0F : by_element ? batch.scales[k] : batch.scale;
            const float offset = whole_numbers ? 0.0F : by_element ? batch.offsets[k] : batch.offset;
            input[static_cast<std::size_t>(i * elements + k)] = value * scale + offset;
        }
    }
    if (plan_.label == plan::kNoTensor || batch.labels == nullptr) return;  // prediction needs no labels
    const LabelReader reader(plan_, op);
    reader.check(batch);
    std::byte* label = address(plan_.label);
    for (std::int64_t i = 0; i < step.samples; ++i, label += reader.labelBytes()) {
        const std::int64_t sample = batch.indices[static_cast<std::size_t>(i)];
        reader.read(batch, sample, label);
        if (plan_.sample_weight == plan::kNoTensor) continue;
        floats(plan_.sample_weight, step.samples)[static_cast<std::size_t>(i)] = reader.weight(batch, sample);
    }
}

}  // namespace engine::backend::reference
