// An op of a plan bound to memory and kernels. The threads of a pool run its stages together; what each stage touches decides where they
// meet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/backend/cpu/kernel_table.h"
#include "engine/backend/dropout_mask.h"
#include "engine/backend/executor.h"
#include "engine/plan/index/plan_index.h"
#include "engine/plan/memory.h"
#include "engine/plan/plan.h"
#include "engine/tensor/batch_view.h"

namespace engine::backend::cpu {

inline constexpr std::int64_t kFloat = sizeof(float);  // bytes

struct Range {
    std::int64_t begin = 0, end = 0;
    std::int64_t size() const { return end - begin; }
};
// Part `index` of `count` things dealt to `parts` in neighbouring runs.
constexpr Range share(std::int64_t count, std::int64_t index, std::int64_t parts) {
    return {count * index / parts, count * (index + 1) / parts};
}

// The same of floats in whole cache lines: every thread's vectors are those that one thread alone would use.
constexpr Range shareLines(std::int64_t count, std::int64_t index, std::int64_t parts) {
    constexpr std::int64_t kLine = 16;
    const Range lines = share((count + kLine - 1) / kLine, index, parts);
    return {lines.begin * kLine < count ? lines.begin * kLine : count, lines.end * kLine < count ? lines.end * kLine : count};
}

constexpr std::int64_t divideUp(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

// Memory that a stage reads or writes. sample_bytes > 0: each thread touches its own samples alone (StepState::samplesOf).
struct Access {
    const void* begin = nullptr;
    std::int64_t bytes = 0;
    std::int64_t sample_bytes = 0;
    bool writes = false;
};

// When a stage runs beside those that come before and after it in the plan.
enum class When {
    kInOrder,
    kEarly,  // it reads variables alone and may run before stages of earlier ops
    kLate,   // by all threads, at any time between the next barrier and the first stage that takes what it writes
    kSolo,   // by thread 0 alone, at any time between the next barrier and the end of the step
};

inline constexpr std::int64_t kAllSamples = std::numeric_limits<std::int64_t>::max();

struct Stage {
    std::vector<Access> accesses{};
    When when = When::kInOrder;
    // A thread may take its samples strip by strip through several stages (schedule.h). Fewer samples than these a strip would cost more
    // than the caches give back; kAllSamples: the stage takes a thread's samples at once.
    std::int64_t fewest_samples = 1;
    // True: whatever else the stage writes belongs to the thread's own samples too, as a sum over some of them does.
    bool writes_by_samples = false;
};

// What a step brings; read by all threads, written before it starts.
struct StepState {
    const tensor::BatchView* batch = nullptr;
    StepControl control{};
    std::int64_t samples = 0;           // of an op that works on several items a sample (FoldedOp): the items
    std::int64_t items_per_sample = 1;  // a thread's items are those of its samples
    double of_step = 1;                 // of the batch's samples that these are: a step in pieces
    bool is_first_piece = true;         // true also of a step that stays whole
    int threads = 1;
    int strip = 0, strips = 1;  // of each thread's samples
    std::byte* thread_scratch = nullptr;
    std::int64_t thread_scratch_bytes = 0;

    Range samplesOf(int thread) const { return samplesOfPart(partOf(thread), parts()); }
    // The strips of all threads, and which of them the thread is at.
    std::int64_t parts() const { return std::int64_t{threads} * strips; }
    std::int64_t partOf(int thread) const { return std::int64_t{thread} * strips + strip; }
    Range samplesOfPart(std::int64_t index, std::int64_t parts) const {
        const Range some = share(samples / items_per_sample, index, parts);
        return {some.begin * items_per_sample, some.end * items_per_sample};
    }
    // What random numbers of the i-th of `samples` are drawn by. `seed` is the layer's own.
    RandomItem randomItemOf(std::int64_t seed, std::int64_t i) const {
        return randomItem({.seed = control.seed, .epoch = control.epoch, .iteration = control.iteration, .layer = seed},
                          batch->numbersInSet(), items_per_sample, i);
    }
    float* scratchOf(int thread) const { return reinterpret_cast<float*>(thread_scratch + thread * thread_scratch_bytes); }
};

struct ScratchBytes {
    std::int64_t shared = 0;  // one for all threads, the op's own during its stages
    std::int64_t per_thread = 0;
};

// Owned by the executor, like everything that it points to. The number of stages, and the runs of samples or items that a sum goes over,
// depend on shapes alone, never on the number of threads or strips: so do the sums.
class BoundOp {
public:
    virtual ~BoundOp() = default;

    // The op's kernel as the printed plan names it: "direct 3x3, fused pooling".
    virtual std::string kernel() const = 0;
    virtual ScratchBytes scratch() const { return {}; }
    // Asked before stages(), of a step in pieces, for an output that no other op of a piece touches. True: the op adds it up over the
    // pieces in `sum`, which it clears in the first one (StepState::is_first_piece) and names in stages(), and leaves the tensor alone.
    // Nobody else writes to `sum`, which outlives the op. False: each piece makes the tensor anew.
    virtual bool addUpIn(plan::TensorId /*gradient*/, float* /*sum*/) { return false; }
    // Called once, with the shared scratch (of the bytes asked for).
    virtual std::vector<Stage> stages(std::byte* shared_scratch) = 0;
    // Called on the calling thread before a step. Throws Error for a batch that the op cannot take.
    virtual void check(const StepState&) const {}
    virtual void run(int stage, const StepState& step, int thread) = 0;
};

// Knows where the tensors of a plan lie. A copy costs a few pointers, however many tensors there are: what one op sees of them in another
// way is a copy with folded() or replace(), and a plan with as many such ops as layers stays linear in the layers.
class Memory {
public:
    // `plan` outlives this and all copies. `addresses`: one for each of its tensors. `threads`: of the executor.
    Memory(const plan::Plan& plan, std::vector<std::byte*> addresses, int threads)
        : plan_(&plan),
          batch_(plan.batch),
          threads_(threads),
          slots_(std::make_shared<const plan::SlotIndex>(plan)),
          addresses_(std::make_shared<const std::vector<std::byte*>>(std::move(addresses))) {}

    // The same memory as an op sees it that takes each of a sample's items for a sample.
    Memory folded(std::int64_t items_per_sample) const {
        Memory seen = *this;
        seen.batch_ *= items_per_sample;
        seen.items_per_sample_ *= items_per_sample;
        return seen;
    }
    // The same memory as an op sees it that takes rows of a variable for samples.
    Memory ofRows(std::int64_t rows) const {
        Memory seen = *this;
        seen.batch_ = rows;
        seen.items_per_sample_ = 1;
        return seen;
    }
    // Puts `tensor`, which lies at `address`, in the place of the plan's. References that tensor() gave before are invalid then.
    void replace(plan::TensorId id, plan::TensorDesc tensor, std::byte* address) { replaced_.push_back({id, std::move(tensor), address}); }

    // The executor's whole plan, whose tensors are as they are without folded() and replace().
    const plan::Plan& plan() const { return *plan_; }
    std::int64_t batch() const { return batch_; }
    // Of a batch, also where an op sees more items, which are batch() then.
    std::int64_t samples() const { return batch_ / items_per_sample_; }
    // Slots of a parameter in the optimizer's order.
    const std::vector<plan::TensorId>& slotsOf(plan::TensorId parameter) const { return slots_->of(parameter); }
    const plan::TensorDesc& tensor(plan::TensorId id) const {
        const Replaced* other = findReplaced(id);
        return other == nullptr ? plan_->tensors[static_cast<std::size_t>(id)] : other->tensor;
    }
    const spec::Shape& shape(plan::TensorId id) const { return tensor(id).shape; }
    std::int64_t elements(plan::TensorId id) const { return plan::elementCount(tensor(id)); }
    std::int64_t sampleElements(plan::TensorId id) const { return batch_ == 0 ? 0 : elements(id) / batch_; }

    // True when the tensor has a batch axis. The copy of a variable has none.
    bool hasSamples(plan::TensorId id) const { return tensor(id).role != plan::TensorRole::kCopy; }

    std::byte* bytes(plan::TensorId id) const {
        const Replaced* other = findReplaced(id);
        return other == nullptr ? (*addresses_)[static_cast<std::size_t>(id)] : other->address;
    }
    float* floats(plan::TensorId id) const { return reinterpret_cast<float*>(bytes(id)); }
    std::uint8_t* cells(plan::TensorId id) const { return reinterpret_cast<std::uint8_t*>(bytes(id)); }

    Access reads(plan::TensorId id) const { return {bytes(id), plan::byteCount(tensor(id)), 0, false}; }
    Access writes(plan::TensorId id) const { return {bytes(id), plan::byteCount(tensor(id)), 0, true}; }
    Access readsSamples(plan::TensorId id) const { return bySample(reads(id)); }
    Access writesSamples(plan::TensorId id) const { return bySample(writes(id)); }
    Access bySample(Access access) const {
        access.sample_bytes = batch_ == 0 ? 0 : access.bytes / batch_;
        return access;
    }

    // True where each of `runs` runs of neighbouring samples (StepState::samplesOfPart) has samples of one thread alone, also of a batch
    // that is not full. Where `runs` is a power of two, a run has whole strips, or a strip whole runs, too.
    bool keepsRuns(std::int64_t runs) const { return runs % threads_ == 0; }
    std::int64_t mostSamplesOfRun(std::int64_t runs) const { return divideUp(samples(), runs) * items_per_sample_; }
    // What a stage that takes a tensor by `runs` runs reads or writes of it: a thread's own samples where it keeps runs, else all of them.
    Access readsRuns(plan::TensorId id, std::int64_t runs) const { return keepsRuns(runs) ? readsSamples(id) : reads(id); }
    Access writesRuns(plan::TensorId id, std::int64_t runs) const { return keepsRuns(runs) ? writesSamples(id) : writes(id); }
    int threads() const { return threads_; }

private:
    struct Replaced {
        plan::TensorId id;
        plan::TensorDesc tensor;
        std::byte* address;
    };
    // Null where the plan's own tensor stands. There are as many as one op has bfloat16 tensors: a search is quick.
    const Replaced* findReplaced(plan::TensorId id) const {
        for (const Replaced& other : replaced_) {
            if (other.id == id) return &other;
        }
        return nullptr;
    }

    const plan::Plan* plan_;
    std::int64_t batch_, items_per_sample_ = 1;
    int threads_;
    std::shared_ptr<const plan::SlotIndex> slots_;
    std::shared_ptr<const std::vector<std::byte*>> addresses_;
    std::vector<Replaced> replaced_;
};

// Binds an op to memory that stands for the executor's.
using Bind = std::function<std::unique_ptr<BoundOp>(const Memory&)>;

// Null for ops without work (a reshape of aliased memory). Throws Error(kUnimplemented) for what no kernel covers.
std::unique_ptr<BoundOp> bindGather(const Memory& memory, const plan::Op& op, const KernelTable& kernels);
std::unique_ptr<BoundOp> bindDense(const Memory& memory, const plan::Op& op, const KernelTable& kernels);
std::unique_ptr<BoundOp> bindDenseBack(const Memory& memory, const plan::Op& op, const KernelTable& kernels);
std::unique_ptr<BoundOp> bindConvolution(const Memory& memory, const plan::Op& op, const KernelTable& kernels);
std::unique_ptr<BoundOp> bindConvolutionBack(const Memory& memory, const plan::Op& op, const KernelTable& kernels);
// Binds a convolution with as many groups as channels, or one of its two gradients; null for another.
std::unique_ptr<BoundOp> bindDepthwise(const Memory& memory, const plan::Op& op, const KernelTable& kernels);
// Binds a convolution that Winograd's filtering suits; null for another.
std::unique_ptr<BoundOp> bindWinograd(const Memory& memory, const plan::Op& op, const KernelTable& kernels);
std::unique_ptr<BoundOp> bindWinogradBack(const Memory& memory, const plan::Op& op, const KernelTable& kernels);
std::unique_ptr<BoundOp> bindPooling(const Memory& memory, const plan::Op& op, const KernelTable& kernels);
std::unique_ptr<BoundOp> bindActivation(const Memory& memory, const plan::Op& op, const KernelTable& kernels);
std::unique_ptr<BoundOp> bindBatchNorm(const Memory& memory, const plan::Op& op, const KernelTable& kernels);
std::unique_ptr<BoundOp> bindGroupNorm(const Memory& memory, const plan::Op& op, const KernelTable& kernels);
std::unique_ptr<BoundOp> bindEmbedding(const Memory& memory, const plan::Op& op, const KernelTable& kernels);
std::unique_ptr<BoundOp> bindRecurrent(const Memory& memory, const plan::Op& op, const KernelTable& kernels);
// What its kernels may write over: products with the gates that are made of them, and an LSTM's gates with the gradients of the products.
std::vector<plan::InPlacePair> inPlacePairsOfCell(const plan::Op& op);
std::unique_ptr<BoundOp> bindAttention(const Memory& memory, const plan::Op& op, const KernelTable& kernels);
// Binds a recurrent op with a window, or its way back.
std::unique_ptr<BoundOp> bindRecurrentConvolution(const Memory& memory, const plan::Op& op, const KernelTable& kernels);
std::unique_ptr<BoundOp> bindElementwise(const Memory& memory, const plan::Op& op, const KernelTable& kernels);
std::unique_ptr<BoundOp> bindCast(const Memory& memory, const plan::Op& op, const KernelTable& kernels);
std::unique_ptr<BoundOp> bindImage(const Memory& memory, const plan::Op& op, const KernelTable& kernels);
// RandomBlur, RandomElastic, ImageLevels, RandomMix and their ways back.
std::unique_ptr<BoundOp> bindBlur(const Memory& memory, const plan::Op& op);
std::unique_ptr<BoundOp> bindElastic(const Memory& memory, const plan::Op& op);
std::unique_ptr<BoundOp> bindLevels(const Memory& memory, const plan::Op& op);
std::unique_ptr<BoundOp> bindMix(const Memory& memory, const plan::Op& op);
// Spectrum, MelSpectrogram and their ways back.
std::unique_ptr<BoundOp> bindSignal(const Memory& memory, const plan::Op& op);
std::unique_ptr<BoundOp> bindSpectralNorm(const Memory& memory, const plan::Op& op);
std::unique_ptr<BoundOp> bindNoise(const Memory& memory, const plan::Op& op, const KernelTable& kernels);
std::unique_ptr<BoundOp> bindMask(const Memory& memory, const plan::Op& op, const KernelTable& kernels);
std::unique_ptr<BoundOp> bindLoss(const Memory& memory, const plan::Op& op, const KernelTable& kernels);
std::unique_ptr<BoundOp> bindGeneralLoss(const Memory& memory, const plan::Op& op);
std::unique_ptr<BoundOp> bindCircleLoss(const Memory& memory, const plan::Op& op);
std::unique_ptr<BoundOp> bindCtcLoss(const Memory& memory, const plan::Op& op);
std::unique_ptr<BoundOp> bindPenalty(const Memory& memory, const plan::Op& op);
std::unique_ptr<BoundOp> bindMetric(const Memory& memory, const plan::Op& op);
std::unique_ptr<BoundOp> bindPrepareGradients(const Memory& memory, const plan::Op& op);
std::unique_ptr<BoundOp> bindCustomLoss(const Memory& memory, const plan::Op& op, const CustomLoss& loss);
std::unique_ptr<BoundOp> bindMerge(const Memory& memory, const plan::Op& op, const KernelTable& kernels);
std::unique_ptr<BoundOp> bindConstrain(const Memory& memory, const plan::Op& op);
std::unique_ptr<BoundOp> bindUpdate(const Memory& memory, const plan::Op& op, const KernelTable& kernels);
// Of a rule that takes whole variables.
std::unique_ptr<BoundOp> bindWholeUpdate(const Memory& memory, const plan::Op& op, const KernelTable& kernels);

}  // namespace engine::backend::cpu
