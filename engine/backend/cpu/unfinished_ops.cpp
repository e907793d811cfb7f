// Ops whose kernels are still to come.
#include "engine/backend/cpu/bound_op.h"
#include "engine/spec/error.h"

namespace engine::backend::cpu {
namespace {
[[noreturn]] void refuse(const char* op) {
    throw Error(ErrorCode::kUnimplemented, std::string("executor: no kernel for ") + op);
}
}  // namespace

std::unique_ptr<BoundOp> bindBlur(const Memory&, const plan::Op&) {
    refuse("RandomBlur");
}

std::unique_ptr<BoundOp> bindLevels(const Memory&, const plan::Op&) {
    refuse("ImageLevels");
}

std::unique_ptr<BoundOp> bindSignal(const Memory&, const plan::Op&) {
    refuse("Spectrum");
}

}  // namespace engine::backend::cpu
