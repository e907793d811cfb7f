#include "engine/distribute/nccl/nccl_library.h"

namespace engine::distribute::nccl {

void prepareEnvironment() {}

std::shared_ptr<Library> openLibrary(std::string& reason) {
    reason = "this program was built without NCCL";
    return nullptr;
}

}  // namespace engine::distribute::nccl
