// What a text layer makes of a text: the places of its words, or a row with a number for each place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/data/texts/text_splitter.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/shape.h"
#include "engine/tensor/dtype.h"

namespace engine::data {

// Any thread may encode.
class TextEncoder {
public:
    // `layer` takes texts, fits, and has its vocabulary: Error(kInvalidArgument) where it does not.
    explicit TextEncoder(const spec::LayerSpec& layer);

    spec::Shape shape() const { return {width_}; }
    // kInt32 of places, kFloat32 of rows.
    tensor::DType dtype() const { return mode_ == Mode::kPlaces ? tensor::DType::kInt32 : tensor::DType::kFloat32; }
    std::size_t bytes() const { return static_cast<std::size_t>(width_) * tensor::sizeOf(dtype()); }

    // Writes bytes() bytes: places with zeros behind them, or the row. Throws Error(kInvalidArgument) for a token that has no place.
    void encode(std::string_view text, std::byte* into) const;

private:
    enum class Mode { kPlaces, kOnes, kCounts, kWeighedCounts };

    // Nothing for the token that stands for nothing.
    std::optional<std::int64_t> placeOf(const std::string& token) const;

    const std::string name_;
    const TextSplitter splitter_;
    const spec::TextTable table_;
    Mode mode_ = Mode::kPlaces;
    std::int64_t width_ = 1;  // of an encoded text
    std::unordered_map<std::string, std::int64_t> places_;
    std::vector<float> weights_;       // of kWeighedCounts, one a place; else none
    std::vector<std::uint64_t> salt_;  // two numbers; empty: FarmHash's fingerprints
};

}  // namespace engine::data
