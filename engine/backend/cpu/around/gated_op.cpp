#include "engine/backend/cpu/around/gated_op.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "engine/backend/image/gate.h"

namespace engine::backend::cpu {
namespace {

// Stages: those of the op, then a copy of what met a closed gate. Each thread has its own samples there.
class GatedOp final : public BoundOp {
public:
    GatedOp(const Memory& memory, const plan::Op& op, std::int64_t items_per_sample, std::unique_ptr<BoundOp> inner)
        : memory_(memory), op_(op), items_per_sample_(items_per_sample), inner_(std::move(inner)) {}

    std::string kernel() const override { return inner_->kernel() + ", behind a gate"; }
    ScratchBytes scratch() const override { return inner_->scratch(); }

    std::vector<Stage> stages(std::byte* shared) override {
        std::vector<Stage> all = inner_->stages(shared);
        last_ = static_cast<int>(all.size());
        all.push_back({.accesses = {memory_.readsSamples(op_.inputs[0]), memory_.writesSamples(op_.outputs[0])}});
        return all;
    }

    void check(const StepState& step) const override { inner_->check(step); }

    void run(int stage, const StepState& step, int thread) override {
        if (stage < last_) {
            if (isOpenAtSomeTime(step)) inner_->run(stage, step, thread);
            return;
        }
        StepState items = step;
        items.samples *= items_per_sample_;
        items.items_per_sample = items_per_sample_;
        const Range mine = items.samplesOf(thread);
        const std::int64_t size = memory_.writes(op_.outputs[0]).bytes / std::max<std::int64_t>(memory_.batch() * items_per_sample_, 1);
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            if (isOpenAt(step, i)) continue;
            std::copy_n(memory_.bytes(op_.inputs[0]) + i * size, size, memory_.bytes(op_.outputs[0]) + i * size);
        }
    }

private:
    bool isOpenAt(const StepState& step, std::int64_t item) const {
        const DropoutKey key{
            .seed = step.control.seed, .epoch = step.control.epoch, .iteration = step.control.iteration, .layer = op_.gate->seed};
        return isOpen(*op_.gate, keyOfItem(key, items_per_sample_, item));
    }
    bool isOpenAtSomeTime(const StepState& step) const {
        for (std::int64_t time = 0; time < items_per_sample_; ++time) {
            if (isOpenAt(step, time)) return true;
        }
        return false;
    }

    const Memory& memory_;
    const plan::Op& op_;
    std::int64_t items_per_sample_;
    std::unique_ptr<BoundOp> inner_;
    int last_ = 0;  // the stage that copies
};

}  // namespace

std::unique_ptr<BoundOp> bindGated(const Memory& memory, const plan::Op& op, std::int64_t items_per_sample,
                                   std::unique_ptr<BoundOp> bound) {
    return std::make_unique<GatedOp>(memory, op, items_per_sample, std::move(bound));
}

}  // namespace engine::backend::cpu
