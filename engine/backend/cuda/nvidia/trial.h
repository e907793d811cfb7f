// Which of several ways is the fastest: each is run on memory of the trial's own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "engine/backend/cuda/handles.h"
#include "engine/backend/cuda/libraries.h"
#include "engine/spec/error.h"

namespace engine::backend::cuda::nvidia {

struct TrialBytes {
    std::size_t a = 0, b = 0, c = 0, bias = 0;
};

// `run(i, …)` throws or answers false for a way that does not take the case. The number of the best; nothing when none does.
class Trial {
public:
    using Run = std::function<bool(std::size_t way, cudaStream_t stream, const Operands& operands, std::byte* scratch)>;

    static std::optional<std::size_t> best(std::size_t ways, const TrialBytes& bytes, std::size_t scratch_bytes, const Run& run) {
        const DeviceMemory a(bytes.a, "trial"), b(bytes.b, "trial"), c(bytes.c, "trial"), bias(bytes.bias, "trial"),
            scratch(scratch_bytes, "trial");
        const Stream stream;
        for (const DeviceMemory* memory : {&a, &b, &c, &bias}) {
            if (memory->size() > 0) check(cudaMemsetAsync(memory->get(), 0, memory->size(), stream.get()), "trial");
        }
        const Operands operands{.a = a.get(), .b = b.get(), .c = c.get(), .bias = bias.get()};
        const Event begin(cudaEventDefault), end(cudaEventDefault);
        std::optional<std::size_t> fastest;
        float least = std::numeric_limits<float>::infinity();
        for (std::size_t way = 0; way < ways; ++way) {
            constexpr int kWarm = 2, kRuns = 5;
            bool runs = true;
            for (int i = 0; i < kWarm && runs; ++i) runs = run(way, stream.get(), operands, scratch.get());
            if (!runs) continue;
            begin.record(stream.get());
            for (int i = 0; i < kRuns; ++i) run(way, stream.get(), operands, scratch.get());
            end.record(stream.get());
            end.synchronize();
            float milliseconds = 0;
            check(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()), "trial");
            if (milliseconds >= least) continue;
            least = milliseconds;
            fastest = way;
        }
        return fastest;
    }
};

// The number that was remembered, if there are that many ways.
inline std::optional<std::size_t> rememberedWay(const Choices& choices, const std::string& work, std::size_t ways) {
    const std::optional<std::string> text = choices.find(work);
    if (!text || text->empty() || text->find_first_not_of("0123456789") != std::string::npos || text->size() > 4) return std::nullopt;
    const std::size_t way = std::stoul(*text);
    return way < ways ? std::optional(way) : std::nullopt;
}

}  // namespace engine::backend::cuda::nvidia
