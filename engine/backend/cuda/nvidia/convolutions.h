// Convolutions by cuDNN's graph API.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/backend/cuda/libraries.h"

namespace engine::backend::cuda::nvidia {

class Convolutions {
public:
    Convolutions(const LibraryOptions& options, Choices& choices);
    ~Convolutions();
    Convolutions(const Convolutions&) = delete;
    Convolutions& operator=(const Convolutions&) = delete;

    std::optional<BoundWork> bind(const Convolution& work);
    std::string describe() const;  // "cuDNN 9.13.0"

private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace engine::backend::cuda::nvidia
