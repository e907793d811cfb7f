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
    tensor::DType sample_dtype = tensor::DType::kUInt8;  // kUInt8, kInt32 or kFloat32
    ByteBuffer samples;                                  // (count, sample_shape)
    spec::Shape label_shape;                             // () of one class or number a sample, (10,) one-hot
    tensor::DType label_dtype = tensor::DType::kUInt8;   // kUInt8, kInt32 or kFloat32
    ByteBuffer labels;                                   // (count, label_shape)

    // All of it, without indices, unscaled. Valid as long as this object.
    tensor::BatchView view() const;
    // The first number of a label; of a class, the class.
    std::int64_t label(std::int64_t index) const;
};

struct Dataset {
    std::string name;
    std::shared_ptr<const Samples> train;
    std::shared_ptr<const Samples> test;  // null when the set has none
};

// What a loss takes as the label of one sample.
struct LabelNeed {
    std::int64_t classes = 0;  // above 0: class indices in [0, classes), which must be integers; 0: numbers of any type
    spec::Shape shape;         // only the number of elements counts: (1,) takes labels of ()
};

// Throws Error(kInvalidArgument) naming the file: samples that do not have as many elements as `input_shape`, labels that the loss cannot
// take, and a class outside [0, classes).
void checkAgainstModel(const Samples& samples, const spec::Shape& input_shape, const LabelNeed& need);

// Class indices as rows of `classes` zeros with a one (uint8). Throws Error(kInvalidArgument) naming the labels' file for labels that are
// no single integers in [0, classes).
void oneHotLabels(Samples& samples, std::int64_t classes);

std::int64_t elementsOf(const spec::Shape& shape);
std::string toString(const spec::Shape& shape);  // "(28, 28, 1)"

}  // namespace engine::data
