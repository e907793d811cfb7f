// Ops whose kernels are still to come.
#include "engine/backend/cuda/bound_op.h"
#include "engine/spec/error.h"

namespace engine::backend::cuda {
namespace {
[[noreturn]] void refuse(const char* op) {
    throw Error(ErrorCode::kUnimplemented, std::string("executor: no kernel for ") + op);
}
}  // namespace

BoundOp bindBlur(const Context&, const plan::Op&) {
    refuse("RandomBlur");
}

BoundOp bindLevels(const Context&, const plan::Op&) {
    refuse("ImageLevels");
}

BoundOp bindSignal(const Context&, const plan::Op&) {
    refuse("Spectrum");
}

}  // namespace engine::backend::cuda
