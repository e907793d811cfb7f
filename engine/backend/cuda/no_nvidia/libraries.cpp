// For builds without libraries (the emulator): every product is plain.
#include "engine/backend/cuda/libraries.h"

namespace engine::backend::cuda {

std::unique_ptr<Libraries> openLibraries(const LibraryOptions&, Choices&) {
    return nullptr;
}

}  // namespace engine::backend::cuda
