// Outputs of many samples, put together from batches. A pipeline may leave samples out (data.on_error = skip): their rows hold NaN.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace engine::train {

class Predictions {
public:
    // `width` values for each of `samples`, of which the first one stands at `first` in its set.
    Predictions(std::size_t samples, std::size_t width, std::uint32_t first)
        : rows_(samples * width, std::numeric_limits<float>::quiet_NaN()), width_(width), first_(first) {}

    // Room for the outputs of a batch of so many samples.
    std::span<float> batch(std::size_t samples) {
        batch_.resize(samples * width_);
        return batch_;
    }
    // Puts the batch's rows where their samples stand. `elements`: the samples' positions in the set.
    void place(std::span<const std::uint32_t> elements) {
        for (std::size_t i = 0; i < elements.size(); ++i) {
            const auto row = std::span(batch_).subspan(i * width_, width_);
            std::ranges::copy(row, rows_.begin() + static_cast<std::ptrdiff_t>((elements[i] - first_) * width_));
        }
    }
    std::vector<float> take() { return std::move(rows_); }

private:
    std::vector<float> rows_, batch_;
    std::size_t width_;
    std::uint32_t first_;
};

// False for the row of a sample that was left out.
inline bool isPredicted(std::span<const float> row) {
    return std::ranges::any_of(row, [](float value) { return !std::isnan(value); });
}

}  // namespace engine::train
