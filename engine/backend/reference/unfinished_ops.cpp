// Ops whose kernels are still to come.
#include "engine/backend/reference/interpreter.h"
#include "engine/spec/error.h"

namespace engine::backend::reference {
namespace {
[[noreturn]] void refuse(const char* op) {
    throw Error(ErrorCode::kUnimplemented, std::string("executor: no kernel for ") + op);
}
}  // namespace

void Interpreter::hash(const plan::Op&, const Step&) {
    refuse("Hash");
}

void Interpreter::spectralNormalization(const plan::Op&) {
    refuse("SpectralNorm");
}

}  // namespace engine::backend::reference
