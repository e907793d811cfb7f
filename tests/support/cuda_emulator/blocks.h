// Runs the blocks of a kernel, all on one thread of its own: see blocks.cpp.
#pragma once

#include <functional>
#include <string>

#include <cuda_runtime.h>

namespace cuda_emulator {

struct Kernel {
    dim3 grid, block;
    std::size_t shared_bytes = 0;
    std::function<void()> body;
};
// Runs `work` on the machine's thread, so that nobody changes threads while one piece of work follows the other. Callers hold the
// emulator's lock.
void onMachine(const std::function<void()>& work);
// Runs the kernel and returns what went wrong, or an empty text. May be called from any thread.
std::string runKernel(const Kernel& kernel);

}  // namespace cuda_emulator
