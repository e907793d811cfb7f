// A data set in memory: what readers make and pipelines draw from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/data/element_stream.h"
#include "engine/data/sample_decoder.h"
#include "engine/spec/error.h"
#include "engine/spec/model_spec.h"
#include "engine/tensor/batch_view.h"
#include "engine/tensor/dtype.h"

namespace engine::data {

class ReadReport;

// Bytes of fixed size: memory, not cleared when made, or a part of a mapped file, which can only be read. Moves, never copies.
class ByteBuffer {
public:
    ByteBuffer() = default;
    explicit ByteBuffer(std::size_t size) : bytes_(new std::byte[size]), size_(size) {}
    // `owner` keeps `bytes` alive.
    ByteBuffer(std::shared_ptr<const void> owner, std::span<const std::byte> bytes)
        : owner_(std::move(owner)), mapped_(bytes.data()), size_(bytes.size()) {}

    std::byte* data() {
        ENGINE_CHECK(mapped_ == nullptr);
        return bytes_.get();
    }
    const std::byte* data() const { return mapped_ == nullptr ? bytes_.get() : mapped_; }
    std::size_t size() const { return size_; }

private:
    std::unique_ptr<std::byte[]> bytes_;
    std::shared_ptr<const void> owner_;
    const std::byte* mapped_ = nullptr;
    std::size_t size_ = 0;
};

// The memory where decoded samples stay. A decoder writes a sample, only one at a time; others read it once its state is kReady.
struct DecodedCache {
    explicit DecodedCache(std::size_t sample_bytes, std::int64_t count)
        : bytes(sample_bytes * static_cast<std::size_t>(count)), states(count) {}
    ByteBuffer bytes;  // (count, sample_shape)
    DecodedStates states;
};

// Above 0, another one in each call.
std::uint64_t newSetId();

// Samples with their labels in the type of their source (C order). Immutable once made; any thread may read.
struct Samples {
    std::string source;        // of messages: the images' file
    std::string label_source;  // the labels' file
    std::int64_t count = 0;
    spec::Shape sample_shape;                            // (28, 28)
    std::string shape_field;                             // of messages: the setting that makes it; empty: the files do
    tensor::DType sample_dtype = tensor::DType::kUInt8;  // kUInt8, kInt32 or kFloat32
    ByteBuffer samples;                                  // (count, sample_shape)
    spec::Shape label_shape;                             // () of one class or number a sample, (10,) one-hot
    tensor::DType label_dtype = tensor::DType::kUInt8;   // kUInt8, kInt32 or kFloat32
    ByteBuffer labels;                                   // (count, label_shape)
    std::vector<std::string> class_names;                // when the source has them
    std::vector<Extent> files;                           // of what is read file by file (FILE sharding); else empty
    // Samples that are decoded when they are asked for: `samples` is empty then.
    std::shared_ptr<const SampleDecoder> decoder;
    std::shared_ptr<DecodedCache> cache;  // null: decoded anew in each pass
    std::shared_ptr<ReadReport> report;   // null: a bad sample is an error
    std::uint64_t id = newSetId();        // BatchView::set
    // What the samples were made of where that was texts: one a sample.
    std::shared_ptr<const std::vector<std::string>> texts{};

    // All of it, without indices, unscaled; without samples when they are decoded on request. Valid as long as this object.
    tensor::BatchView view() const;
    // The first number of a label; of a class, the class.
    std::int64_t label(std::int64_t index) const;
};

struct Dataset {
    std::string name;
    std::shared_ptr<const Samples> train;
    std::shared_ptr<const Samples> test;  // null when the set has none
    // The model's first layer with the vocabulary that it took from the training texts; nothing where it needs none.
    std::optional<spec::LayerSpec> adapted{};
};

// What a loss takes as the label of one sample.
struct LabelNeed {
    std::int64_t classes = 0;  // above 0: class indices in [0, classes), which must be integers; 0: numbers of any type
    spec::Shape shape;         // only the number of elements counts: (1,) takes labels of ()
    bool from_0_to_1 = false;  // the numbers are probabilities
    bool sequences = false;    // labels (length) of class indices from 1 with zeros behind them; `shape` does not count
};

// Throws Error(kInvalidArgument) naming the file: samples that do not have as many elements as `input_shape`, labels that the loss cannot
// take, a class outside [0, classes), one behind the zero that ends a sequence, a probability outside [0, 1].
void checkAgainstModel(const Samples& samples, const spec::Shape& input_shape, const LabelNeed& need);

// The same of labels that oneHotLabels() has not yet worked on: `one_hot` is data.one_hot, 0 = they stay as they are.
void checkAgainstModel(const Samples& samples, const spec::Shape& input_shape, const LabelNeed& need, std::int64_t one_hot);

// Class indices as rows of `classes` zeros with a one (uint8). Throws Error(kInvalidArgument) naming the labels' file for labels that are
// no single integers in [0, classes).
void oneHotLabels(Samples& samples, std::int64_t classes);

// Room for the decoded samples; null when they would take more than half of the computer's memory.
std::shared_ptr<DecodedCache> makeCache(const Samples& samples);

std::int64_t elementsOf(const spec::Shape& shape);
std::string toString(const spec::Shape& shape);  // "(28, 28, 1)"

}  // namespace engine::data
