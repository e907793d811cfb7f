// A data set in memory: what readers make and pipelines draw from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "engine/spec/model_spec.h"
#include "engine/tensor/batch_view.h"
#include "engine/tensor/dtype.h"

namespace engine::data {

// Bytes of fixed size, not cleared when made. Moves, never copies.
class ByteBuffer {
public:
    ByteBuffer() = default;
    explicit ByteBuffer(std::size_t size) : bytes_(new std::byte[size]), size_(size) {}
    std::byte* data() { return bytes_.get(); }
    const std::byte* data() const { return bytes_.get(); }
    std::size_t size() const { return size_; }

private:
    std::unique_ptr<std::byte[]> bytes_;
    std::size_t size_ = 0;
};

// Samples with their labels in the type of their source (C order). Immutable once made; any thread may read.
struct Samples {
    std::string source;        // of messages: the images' file
    std::string label_source;  // the labels' file
    std::int64_t count = 0;
    spec::Shape sample_shape;                            // (28, 28)
    tensor::DType sample_dtype = tensor::DType::kUInt8;  // kUInt8 or kFloat32
    ByteBuffer samples;                                  // (count, sample_shape)
    tensor::DType label_dtype = tensor::DType::kUInt8;   // kUInt8 or kInt32
    ByteBuffer labels;                                   // (count)

    // All of it, without indices, unscaled. Valid as long as this object.
    tensor::BatchView view() const;
    std::int64_t label(std::int64_t index) const;
};

struct Dataset {
    std::string name;
    std::shared_ptr<const Samples> train;
    std::shared_ptr<const Samples> test;  // null when the set has none
};

// Throws Error(kInvalidArgument) naming the file: samples that do not have as many elements as `input_shape`, and a label outside
// [0, classes). classes = 0 leaves the labels unchecked.
void checkAgainstModel(const Samples& samples, const spec::Shape& input_shape, std::int64_t classes);

std::int64_t elementsOf(const spec::Shape& shape);
std::string toString(const spec::Shape& shape);  // "(28, 28, 1)"

}  // namespace engine::data
