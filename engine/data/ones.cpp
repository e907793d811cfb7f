#include "engine/data/ones.h"

#include <cstring>

namespace engine::data {

Samples ones(std::int64_t count) {
    Samples samples;
    samples.source = samples.label_source = "ones";
    samples.count = count;
    samples.sample_shape = samples.label_shape = {1};
    samples.sample_dtype = samples.label_dtype = tensor::DType::kFloat32;
    for (ByteBuffer* buffer : {&samples.samples, &samples.labels}) {
        *buffer = ByteBuffer(static_cast<std::size_t>(count) * sizeof(float));
        for (std::int64_t i = 0; i < count; ++i) {
            const float one = 1;
            std::memcpy(buffer->data() + i * 4, &one, sizeof(one));
        }
    }
    return samples;
}

}  // namespace engine::data
