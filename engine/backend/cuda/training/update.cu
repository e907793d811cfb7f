// Multi-tensor updates: all runs of an op in one launch, four elements a thread; formulas in engine/backend/update_formulas.h.
#include "engine/backend/cuda/training/update.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/backend/cuda/kernels/launch.h"
#include "engine/backend/flat_update.h"
#include "engine/backend/update_formulas.h"

namespace engine::backend::cuda {
namespace {

constexpr int kThreads = 256, kElements = 4;  // of a thread
constexpr std::int64_t kBlockElements = kThreads * kElements;

struct Run {
    float* parameter;
    const float* gradient;
    float* values[kUpdateValues];  // as UpdateValues; null where the rule has none
    float* average;                // or null
    std::int64_t count;
    int first_block;
    bool is_aligned;  // vectors of four may be read
};
constexpr int kRuns = 40;  // travel with a launch
struct Runs {
    Run runs[kRuns];
    int count;
};

__device__ void load(const float* from, bool as_vector, int present, float (&to)[kElements]) {
    if (as_vector) {
        const float4 values = *reinterpret_cast<const float4*>(from);
        to[0] = values.x;
        to[1] = values.y;
        to[2] = values.z;
        to[3] = values.w;
        return;
    }
#pragma unroll
    for (int i = 0; i < kElements; ++i) to[i] = i < present ? from[i] : 0;
}

__device__ void store(float* to, bool as_vector, int present, const float (&from)[kElements]) {
    if (as_vector) {
        *reinterpret_cast<float4*>(to) = make_float4(from[0], from[1], from[2], from[3]);
        return;
    }
#pragma unroll
    for (int i = 0; i < kElements; ++i) {
        if (i < present) to[i] = from[i];
    }
}

template <plan::UpdateKind kKind>
__global__ void updateKernel(plan::UpdateRule rule, const StepParameters* step, const plan::StepFactors* step_factors, Runs runs) {
    const plan::StepFactors factors = *step_factors;
    if (step->leaves_out || (!factors.applies && !rule.keeps_average)) return;
    int which = 0;
    while (which + 1 < runs.count && runs.runs[which + 1].first_block <= static_cast<int>(blockIdx.x)) ++which;
    const Run& run = runs.runs[which];
    const std::int64_t begin =
        (static_cast<std::int64_t>(blockIdx.x) - run.first_block) * kBlockElements + static_cast<std::int64_t>(threadIdx.x) * kElements;
    if (begin >= run.count) return;
    const int present = run.count - begin < kElements ? static_cast<int>(run.count - begin) : kElements;
    const bool as_vector = run.is_aligned && present == kElements;

    float w[kElements], g[kElements], values[kUpdateValues][kElements] = {};
    load(run.parameter + begin, as_vector, present, w);
    if (factors.applies) {
        load(run.gradient + begin, as_vector, present, g);
#pragma unroll
        for (int k = 0; k < static_cast<int>(kUpdateValues); ++k) {
            if (run.values[k] != nullptr) load(run.values[k] + begin, as_vector, present, values[k]);
        }
#pragma unroll
        for (int i = 0; i < kElements; ++i) {
            UpdateValues own{values[0][i], values[1][i], values[2][i]};
            updateElement<kKind>(rule, factors, g[i], w[i], own);
            values[0][i] = own.first;
            values[1][i] = own.second;
            values[2][i] = own.third;
        }
#pragma unroll
        for (int k = 0; k < static_cast<int>(kUpdateValues); ++k) {
            if (run.values[k] != nullptr) store(run.values[k] + begin, as_vector, present, values[k]);
        }
    }
    if (run.average != nullptr) {
        float average[kElements];
        load(run.average + begin, as_vector, present, average);
#pragma unroll
        for (int i = 0; i < kElements; ++i) averageElement(factors, w[i], average[i]);
        store(run.average + begin, as_vector, present, average);
    }
    store(run.parameter + begin, as_vector, present, w);
}

bool isAligned(const void* memory) {
    return reinterpret_cast<std::uintptr_t>(memory) % sizeof(float4) == 0;
}

struct Launch {
    Runs runs{};
    std::int64_t blocks = 0;
};

std::vector<Launch> launchesOf(const plan::UpdateRule& rule, const std::vector<FlatRun>& runs) {
    std::vector<Launch> launches;
    for (const FlatRun& from : runs) {
        if (from.count == 0) continue;
        if (launches.empty() || launches.back().runs.count == kRuns) launches.emplace_back();
        Launch& launch = launches.back();
        Run& run = launch.runs.runs[launch.runs.count++];
        run.parameter = from.parameter;
        run.gradient = from.gradient;
        run.is_aligned = isAligned(from.parameter) && isAligned(from.gradient);
        const auto values = updateValues(rule, from.slots);
        for (std::size_t k = 0; k < values.size(); ++k) {
            run.values[k] = values[k];
            run.is_aligned = run.is_aligned && isAligned(values[k]);
        }
        run.average = rule.keeps_average ? from.slots[rule.average_slot] : nullptr;
        run.is_aligned = run.is_aligned && isAligned(run.average);
        run.count = from.count;
        run.first_block = static_cast<int>(launch.blocks);
        launch.blocks += (from.count + kBlockElements - 1) / kBlockElements;
    }
    return launches;
}

}  // namespace

BoundOp bindUpdate(const Context& context, const plan::Op& op, std::size_t rule_number) {
    const plan::UpdateRule rule = plan::updateRule(*plan::optimizerOf(op));
    const std::vector<FlatRun> runs = flatRuns(context.plan(), op, [&context](plan::TensorId id) { return context.floats(id); });
    const StepParameters* step = context.step();
    const plan::StepFactors* factors = &step->factors[rule_number];  // an address alone: the memory is the device's
    if (rule.kind == plan::UpdateKind::kLamb) return bindNormScaledUpdate(rule, runs, step, factors);
    if (rule.kind == plan::UpdateKind::kAdafactor) return bindFactoredUpdate(rule, runs, step, factors);
    if (rule.kind == plan::UpdateKind::kMuon) return bindOrthogonalUpdate(context.libraries(), rule, runs, step, factors);
    return bindElements(rule, runs, step, factors);
}

BoundOp bindElements(const plan::UpdateRule& rule, const std::vector<FlatRun>& runs, const StepParameters* step,
                     const plan::StepFactors* factors) {
    const std::vector<Launch> launches = launchesOf(rule, runs);
    BoundOp bound;
    bound.kernel = std::to_string(runs.size()) + (runs.size() == 1 ? " run" : " runs");
    withUpdateKind(rule.kind, [&]<plan::UpdateKind kKind>() {
        bound.enqueue = [=](cudaStream_t stream, std::byte*) {
            for (const Launch& one : launches) {
                const Grid grid{.blocks = dim3(static_cast<unsigned>(one.blocks)), .threads = dim3(kThreads)};
                launch("update", grid, stream, updateKernel<kKind>, rule, step, factors, one.runs);
            }
        };
    });
    return bound;
}

BoundOp withUpdate(BoundOp gradients, const Context& context, const plan::Op& op, std::size_t rule) {
    BoundOp update = bindUpdate(context, op, rule);
    BoundOp both;
    both.kernel = gradients.kernel + ", update of " + update.kernel;
    both.scratch_bytes = gradients.scratch_bytes;
    both.enqueue = [first = std::move(gradients.enqueue), then = std::move(update.enqueue)](cudaStream_t stream, std::byte* scratch) {
        if (first) first(stream, scratch);
        then(stream, nullptr);
    };
    return both;
}

}  // namespace engine::backend::cuda
