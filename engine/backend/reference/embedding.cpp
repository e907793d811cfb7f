// Rows of a table by whole numbers, whole numbers of values, their hashes, ones in their places.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/backend/hashing.h"
#include "engine/backend/reference/interpreter.h"
#include "engine/spec/error.h"

namespace engine::backend::reference {

void Interpreter::embedding(const plan::Op& op, const Step& step) {
    const std::span<const float> ids = floats(op.inputs[0], step.samples);
    const bool is_forward = op.kind == plan::OpKind::kEmbedding;
    const plan::TensorId table = is_forward ? op.inputs[1] : op.outputs[0];
    const std::int64_t rows = tensorOf(table).shape[0];
    const auto width = static_cast<std::size_t>(tensorOf(table).shape[1]);
    const std::span<float> values = floats(table, step.samples);
    const std::span<float> each = floats(is_forward ? op.outputs[0] : op.inputs[1], step.samples);
    std::vector<double> sums(is_forward ? 0 : values.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const auto id = static_cast<std::int64_t>(ids[i]);
        if (id < 0 || id >= rows) {
            throw Error(ErrorCode::kOutOfRange,
                        op.layer + ": expected ids from 0 to " + std::to_string(rows - 1) + ", got " + std::to_string(id) + " in sample " +
                            std::to_string(i / (ids.size() / static_cast<std::size_t>(step.samples))) + " of the batch");
        }
        const std::size_t from = static_cast<std::size_t>(id) * width;
        for (std::size_t k = 0; k < width; ++k) {
            if (is_forward) {
                each[i * width + k] = values[from + k];
            } else {
                sums[from + k] += each[i * width + k];
            }
        }
    }
    std::transform(sums.begin(), sums.end(), values.begin(), [](double sum) { return static_cast<float>(sum); });
}

void Interpreter::index(const plan::Op& op, const Step& step) {
    const auto& table = std::get<plan::Indexing>(op.attributes);
    const std::span<const float> x = floats(op.inputs[0], step.samples);
    const std::span<float> y = floats(op.outputs[0], step.samples);
    std::span<const float> values = table.values, places = table.places;
    if (op.inputs.size() > 1) values = floats(op.inputs[1], step.samples);
    if (op.inputs.size() > 2) places = floats(op.inputs[2], step.samples);
    const UnknownValues unknown(table);
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (places.empty()) {
            y[i] = static_cast<float>(std::count_if(values.begin(), values.end(), [&](float value) { return value <= x[i]; }));
            continue;
        }
        const float whole = std::trunc(x[i]);
        const auto found = std::find(values.begin(), values.end(), whole);
        if (found == values.end() && !unknown.have_places) {
            throw Error(ErrorCode::kOutOfRange, unknownValueText(op.layer, whole, i / (x.size() / static_cast<std::size_t>(step.samples))));
        }
        y[i] = found != values.end() ? places[static_cast<std::size_t>(found - values.begin())] : unknown.place(whole);
    }
}

void Interpreter::hash(const plan::Op& op, const Step& step) {
    const HashTable table(std::get<plan::Hashing>(op.attributes));
    const std::span<const float> x = floats(op.inputs[0], step.samples);
    std::transform(x.begin(), x.end(), floats(op.outputs[0], step.samples).begin(), [&](float value) { return table.place(value); });
}

void Interpreter::encode(const plan::Op& op, const Step& step) {
    const auto& [depth, ids, counts] = std::get<plan::Encoding>(op.attributes);
    const std::span<const float> x = floats(op.inputs[0], step.samples);
    const std::span<float> y = floats(op.outputs[0], step.samples);
    std::span<const float> weights;
    if (op.inputs.size() > 1) weights = floats(op.inputs[1], step.samples);
    std::fill(y.begin(), y.end(), 0.0F);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double id = std::trunc(x[i]);
        if (id < 0 || id >= static_cast<double>(depth)) continue;
        float& place = y[i / static_cast<std::size_t>(ids) * static_cast<std::size_t>(depth) + static_cast<std::size_t>(id)];
        place = counts ? place + 1 : 1;
    }
    for (std::size_t i = 0; !weights.empty() && i < y.size(); ++i) y[i] *= weights[i % weights.size()];
}

}  // namespace engine::backend::reference
