// Products by cuBLASLt.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/backend/cuda/libraries.h"

namespace engine::backend::cuda::nvidia {

class Products {
public:
    Products(const LibraryOptions& options, Choices& choices);
    ~Products();
    Products(const Products&) = delete;
    Products& operator=(const Products&) = delete;

    std::optional<BoundWork> bind(const Product& work);
    std::string describe() const;  // "cuBLASLt 13.0.2"

private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace engine::backend::cuda::nvidia
