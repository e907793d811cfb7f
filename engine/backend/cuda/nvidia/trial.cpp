#include "engine/backend/cuda/nvidia/trial.h"

#include <algorithm>
#include <limits>

#include "engine/backend/cuda/handles.h"
#include "engine/spec/error.h"

namespace engine::backend::cuda::nvidia {
namespace {

class Trial {
public:
    Trial(const Ways& ways, std::size_t scratch_bytes)
        : ways_(ways),
          a_(ways.bytes.a, "trial"),
          b_(ways.bytes.b, "trial"),
          c_(ways.bytes.c, "trial"),
          bias_(ways.bytes.bias, "trial"),
          scratch_(scratch_bytes, "trial") {
        for (const DeviceMemory* memory : {&a_, &b_, &c_, &bias_}) {
            if (memory->size() > 0) check(cudaMemsetAsync(memory->get(), 0, memory->size(), stream_.get()), "trial");
        }
    }

    bool runs(std::size_t way) const {
        const bool takes = once(way);
        stream_.synchronize();
        return takes;
    }

    // Milliseconds of some runs; infinite for a way that does not take the case.
    float time(std::size_t way) const {
        constexpr int kWarm = 2, kRuns = 5;
        for (int i = 0; i < kWarm; ++i) {
            if (!once(way)) return std::numeric_limits<float>::infinity();
        }
        begin_.record(stream_.get());
        for (int i = 0; i < kRuns; ++i) once(way);
        end_.record(stream_.get());
        end_.synchronize();
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, begin_.get(), end_.get()), "trial");
        return milliseconds;
    }

private:
    bool once(std::size_t way) const {
        try {
            return ways_.run(way, stream_.get(), {.a = a_.get(), .b = b_.get(), .c = c_.get(), .bias = bias_.get()}, scratch_.get());
        } catch (const Error&) {
            return false;
        }
    }

    const Ways& ways_;
    const Stream stream_;
    const DeviceMemory a_, b_, c_, bias_, scratch_;
    const Event begin_{cudaEventDefault}, end_{cudaEventDefault};
};

// The number that was remembered, if there are that many ways.
std::optional<std::size_t> rememberedWay(const Choices& choices, const Ways& ways) {
    const std::optional<std::string> text = choices.find(ways.name);
    if (!text || text->empty() || text->find_first_not_of("0123456789") != std::string::npos || text->size() > 4) return std::nullopt;
    const std::size_t way = std::stoul(*text);
    return way < ways.count ? std::optional(way) : std::nullopt;
}

std::optional<std::size_t> firstThatRuns(const Ways& ways) {
    for (std::size_t way = 0; way < ways.count; ++way) {
        if (Trial(ways, ways.scratch_bytes(way)).runs(way)) return way;
    }
    return std::nullopt;
}

std::optional<std::size_t> fastest(const Ways& ways) {
    std::size_t most = 0;
    for (std::size_t way = 0; way < ways.count; ++way) most = std::max(most, ways.scratch_bytes(way));
    const Trial trial(ways, most);
    std::optional<std::size_t> best;
    float least = std::numeric_limits<float>::infinity();
    for (std::size_t way = 0; way < ways.count; ++way) {
        const float time = trial.time(way);
        if (time >= least) continue;
        least = time;
        best = way;
    }
    return best;
}

std::optional<std::size_t> smallest(const Ways& ways) {
    std::optional<std::size_t> best;
    for (std::size_t way = 0; way < ways.count; ++way) {
        if (!best || ways.scratch_bytes(way) < ways.scratch_bytes(*best)) best = way;
    }
    return best;
}

}  // namespace

std::optional<std::size_t> chooseWay(const LibraryOptions& options, Choices& choices, const Ways& ways) {
    try {
        if (!options.tries) return firstThatRuns(ways);
        if (const auto known = rememberedWay(choices, ways); known && Trial(ways, ways.scratch_bytes(*known)).runs(*known)) return known;
        const auto best = fastest(ways);
        if (best) choices.remember(ways.name, std::to_string(*best));
        return best;
    } catch (const Error& error) {
        if (error.code() != ErrorCode::kResourceExhausted) throw;
        return smallest(ways);
    }
}

}  // namespace engine::backend::cuda::nvidia
