#include "engine/backend/cpu/around/mixed_op.h"

#include <algorithm>
#include <string>
#include <utility>

#include "engine/backend/cpu/convolution/pair_operands.h"
#include "engine/plan/memory.h"

namespace engine::backend::cpu {
namespace {

using tensor::DType;

bool isLow(const plan::Plan& plan, plan::TensorId id) {
    return plan.tensors[static_cast<std::size_t>(id)].dtype == DType::kBFloat16;
}

// Each once, in order.
std::vector<plan::TensorId> lowTensors(const plan::Plan& plan, const std::vector<plan::TensorId>& ids) {
    std::vector<plan::TensorId> low;
    for (plan::TensorId id : ids) {
        if (isLow(plan, id) && std::find(low.begin(), low.end(), id) == low.end()) low.push_back(id);
    }
    return low;
}

std::int64_t copyBytes(const plan::TensorDesc& tensor) {
    return plan::alignUp(plan::elementCount(tensor) * static_cast<std::int64_t>(sizeof(float)));
}

const std::uint16_t* halves(const Memory& memory, plan::TensorId id) {
    return reinterpret_cast<const std::uint16_t*>(memory.bytes(id));
}

// What a thread converts of a tensor: its samples, or its share of a variable's copy.
Range partOf(const Memory& memory, plan::TensorId id, const StepState& step, int thread) {
    if (!memory.hasSamples(id)) return shareLines(memory.elements(id), thread, step.threads);
    const std::int64_t size = memory.sampleElements(id);
    const Range mine = step.samplesOf(thread);
    return {mine.begin * size, mine.end * size};
}

Access readsPart(const Memory& memory, plan::TensorId id) {
    return memory.hasSamples(id) ? memory.readsSamples(id) : memory.reads(id);
}
Access writesPart(const Memory& memory, plan::TensorId id) {
    return memory.hasSamples(id) ? memory.writesSamples(id) : memory.writes(id);
}

class Cast final : public BoundOp {
public:
    Cast(const Memory& memory, const plan::Op& op, const KernelTable& kernels) : memory_(memory), op_(op), kernels_(kernels) {}

    std::string kernel() const override { return "a pass over values"; }

    std::vector<Stage> stages(std::byte*) override {
        Stage stage;
        for (plan::TensorId id : op_.inputs) stage.accesses.push_back(readsPart(memory_, id));
        for (plan::TensorId id : op_.outputs) stage.accesses.push_back(writesPart(memory_, id));
        return {stage};
    }

    void run(int, const StepState& step, int thread) override {
        for (std::size_t i = 0; i < op_.inputs.size(); ++i) {
            const plan::TensorId x = op_.inputs[i], y = op_.outputs[i];
            const Range mine = partOf(memory_, y, step, thread);
            if (mine.size() <= 0) continue;
            if (isLow(memory_.plan(), y)) {
                kernels_.narrow(memory_.floats(x) + mine.begin, mine.size(),
                                reinterpret_cast<std::uint16_t*>(memory_.bytes(y)) + mine.begin);
            } else {
                kernels_.widen(halves(memory_, x) + mine.begin, mine.size(), memory_.floats(y) + mine.begin);
            }
        }
    }

private:
    const Memory& memory_;
    const plan::Op& op_;
    const KernelTable& kernels_;
};

class Mixed final : public BoundOp {
public:
    Mixed(const Memory& memory, const plan::Op& op, const KernelTable& kernels, std::byte* copies, const Bind& bind)
        : memory_(memory), kernels_(kernels), inner_memory_(memory) {
        const bool takes_pairs = takesPairs(memory, op, kernels);
        const auto copy = [&](plan::TensorId id) {
            plan::TensorDesc tensor = inner_memory_.tensor(id);
            if (tensor.dtype != DType::kBFloat16) return;
            tensor.dtype = DType::kFloat32;
            const std::int64_t bytes = copyBytes(tensor);
            inner_memory_.replace(id, std::move(tensor), copies);
            copies += bytes;
        };
        narrowed_ = lowTensors(memory.plan(), op.outputs);
        for (plan::TensorId id : lowTensors(memory.plan(), op.inputs)) {
            if (takes_pairs && isPairOperand(op, id)) continue;
            widened_.push_back(id);
            copy(id);
        }
        for (plan::TensorId id : narrowed_) copy(id);
        inner_ = bind(inner_memory_);
        text_ = takes_pairs ? ", products of bfloat16" : ", in float32";
    }

    std::string kernel() const override { return inner_->kernel() + text_; }
    ScratchBytes scratch() const override { return inner_->scratch(); }
    // The gradients of variables are float32: no copy stands for them.
    bool addUpIn(plan::TensorId gradient, float* sum) override { return inner_->addUpIn(gradient, sum); }

    std::vector<Stage> stages(std::byte* shared) override {
        std::vector<Stage> all;
        if (!widened_.empty()) all.push_back(conversion(widened_, memory_, inner_memory_));
        for (Stage& stage : inner_->stages(shared)) all.push_back(std::move(stage));
        last_ = static_cast<int>(all.size());
        if (!narrowed_.empty()) all.push_back(conversion(narrowed_, inner_memory_, memory_));
        return all;
    }

    void check(const StepState& step) const override { inner_->check(step); }

    void run(int stage, const StepState& step, int thread) override {
        const int before = widened_.empty() ? 0 : 1;
        if (stage < before) {
            for (plan::TensorId id : widened_) {
                const Range mine = partOf(memory_, id, step, thread);
                if (mine.size() > 0) kernels_.widen(halves(memory_, id) + mine.begin, mine.size(), inner_memory_.floats(id) + mine.begin);
            }
        } else if (stage < last_) {
            inner_->run(stage - before, step, thread);
        } else {
            for (plan::TensorId id : narrowed_) {
                const Range mine = partOf(memory_, id, step, thread);
                if (mine.size() <= 0) continue;
                kernels_.narrow(inner_memory_.floats(id) + mine.begin, mine.size(),
                                reinterpret_cast<std::uint16_t*>(memory_.bytes(id)) + mine.begin);
            }
        }
    }

private:
    static Stage conversion(const std::vector<plan::TensorId>& ids, const Memory& from, const Memory& to) {
        Stage stage;
        for (plan::TensorId id : ids) {
            stage.accesses.push_back(readsPart(from, id));
            stage.accesses.push_back(writesPart(to, id));
        }
        return stage;
    }

    const Memory& memory_;
    const KernelTable& kernels_;
    Memory inner_memory_;  // with float32 where copies stand
    std::vector<plan::TensorId> widened_, narrowed_;
    std::unique_ptr<BoundOp> inner_;
    std::string text_;
    int last_ = 0;  // the stage that rounds
};

}  // namespace

bool isMixed(const plan::Plan& plan, const plan::Op& op) {
    if (op.kind == plan::OpKind::kCast || op.kind == plan::OpKind::kReshape) return false;
    const auto low = [&plan](plan::TensorId id) { return isLow(plan, id); };
    return std::any_of(op.inputs.begin(), op.inputs.end(), low) || std::any_of(op.outputs.begin(), op.outputs.end(), low);
}

std::int64_t copiesBytes(const plan::Plan& plan, const plan::Op& op) {
    std::vector<plan::TensorId> ids = op.inputs;
    ids.insert(ids.end(), op.outputs.begin(), op.outputs.end());
    std::int64_t bytes = 0;
    for (plan::TensorId id : lowTensors(plan, ids)) bytes += copyBytes(plan.tensors[static_cast<std::size_t>(id)]);
    return bytes;
}

std::unique_ptr<BoundOp> bindMixed(const Memory& memory, const plan::Op& op, const KernelTable& kernels, std::byte* copies,
                                   const Bind& bind) {
    return std::make_unique<Mixed>(memory, op, kernels, copies, bind);
}

std::unique_ptr<BoundOp> bindCast(const Memory& memory, const plan::Op& op, const KernelTable& kernels) {
    return std::make_unique<Cast>(memory, op, kernels);
}

}  // namespace engine::backend::cpu
