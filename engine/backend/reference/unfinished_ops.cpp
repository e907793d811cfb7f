// Ops whose kernels are still to come.
#include "engine/backend/reference/interpreter.h"
#include "engine/spec/error.h"

namespace engine::backend::reference {
namespace {
[[noreturn]] void refuse(const char* op) {
    throw Error(ErrorCode::kUnimplemented, std::string("executor: no kernel for ") + op);
}
}  // namespace

void Interpreter::randomBlur(const plan::Op&, const Step&) {
    refuse("RandomBlur");
}

void Interpreter::imageLevels(const plan::Op&, const Step&) {
    refuse("ImageLevels");
}

void Interpreter::signal(const plan::Op&, const Step&) {
    refuse("Spectrum");
}

}  // namespace engine::backend::reference
