// The sums over all samples and times for dU and the biases' gradients, after a recurrent layer's way back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/backend/cuda/libraries.h"
#include "engine/backend/cuda/recurrent/recurrent_cell.h"

namespace engine::backend::cuda {

class RecurrentWeights {
public:
    // dkernel: null where U is not trained; dbias: (2, columns), or null.
    RecurrentWeights(const Backward& of, Libraries* libraries, float* dkernel, float* dbias);

    std::int64_t scratchBytes() const;
    std::string text() const;
    void enqueue(cudaStream_t stream, std::byte* scratch) const;

private:
    std::int64_t elements() const { return static_cast<std::int64_t>(of_.units) * of_.columns; }

    Backward of_;
    std::int64_t rows_ = 0, rows_a_split_ = 1;
    float *dkernel_, *dbias_;
    std::optional<BoundWork> work_;
    int tiles_ = 1, splits_ = 1;
};

}  // namespace engine::backend::cuda
