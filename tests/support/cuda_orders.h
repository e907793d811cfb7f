// Runs something once for every order in which the emulator can run threads; once on a device. Include before <cuda_runtime.h>.
#pragma once

#include <functional>

#include <cuda_runtime.h>

#ifdef TANDEM_CUDA_EMULATED
#include "tests/support/cuda_emulator/emulator.h"
#endif

namespace tests::support {

inline void forEachOrder(const std::function<void()>& run) {
#ifdef TANDEM_CUDA_EMULATED
    const cuda_emulator::Settings restore;
    for (const auto order : {cuda_emulator::Order::kForward, cuda_emulator::Order::kReverse, cuda_emulator::Order::kShuffled}) {
        cuda_emulator::setOrder(order, 3);
        run();
    }
#else
    run();
    run();
#endif
}

}  // namespace tests::support
