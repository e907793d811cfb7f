#include "engine/data/array.h"

#include <limits>
#include <utility>

#include "engine/spec/error.h"

namespace engine::data {
namespace {

[[noreturn]] void refuse(const Array& array, const std::string& what) {
    throw Error(ErrorCode::kInvalidArgument, array.source + ": " + what);
}

}  // namespace

Samples pairArrays(Array samples, Array labels) {
    for (const Array* array : {&samples, &labels}) {
        if (array->shape.empty()) {
            refuse(*array, "expected an array whose first axis counts the samples, got a single number");
        }
    }
    const std::int64_t count = samples.shape[0];
    if (count != labels.shape[0]) {
        refuse(samples, "has " + std::to_string(count) + " samples, but " + labels.source + " has " + std::to_string(labels.shape[0]) +
                            " labels; expected as many");
    }
    if (count < 1 || count > std::numeric_limits<std::uint32_t>::max() - 1) {
        refuse(samples, "expected between 1 and 4294967294 samples, got " + std::to_string(count));
    }
    Samples pair;
    pair.source = samples.source;
    pair.label_source = labels.source;
    pair.count = count;
    pair.sample_shape.assign(samples.shape.begin() + 1, samples.shape.end());
    pair.sample_dtype = samples.dtype;
    pair.samples = std::move(samples.values);
    pair.label_shape.assign(labels.shape.begin() + 1, labels.shape.end());
    pair.label_dtype = labels.dtype;
    pair.labels = std::move(labels.values);
    return pair;
}

}  // namespace engine::data
