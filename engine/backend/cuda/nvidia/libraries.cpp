#include <memory>

#include "engine/backend/cuda/nvidia/convolutions.h"
#include "engine/backend/cuda/nvidia/products.h"

namespace engine::backend::cuda {
namespace {

class NvidiaLibraries final : public Libraries {
public:
    NvidiaLibraries(const LibraryOptions& options, Choices& choices) : products_(options, choices), convolutions_(options, choices) {}
    std::optional<BoundWork> product(const Product& work) override { return products_.bind(work); }
    std::optional<BoundWork> convolution(const Convolution& work) override { return convolutions_.bind(work); }
    std::string describe() const override { return products_.describe() + ", " + convolutions_.describe(); }

private:
    nvidia::Products products_;
    nvidia::Convolutions convolutions_;
};

}  // namespace

std::unique_ptr<Libraries> openLibraries(const LibraryOptions& options, Choices& choices) {
    return std::make_unique<NvidiaLibraries>(options, choices);
}

}  // namespace engine::backend::cuda
