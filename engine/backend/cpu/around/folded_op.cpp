#include "engine/backend/cpu/around/folded_op.h"

#include <string>
#include <utility>
#include <vector>

namespace engine::backend::cpu {
namespace {

class FoldedOp final : public BoundOp {
public:
    FoldedOp(const Memory& memory, std::int64_t items_per_sample, const Bind& bind)
        : items_per_sample_(items_per_sample), memory_(memory.folded(items_per_sample)), inner_(bind(memory_)) {}

    std::string kernel() const override { return inner_->kernel() + ", " + std::to_string(items_per_sample_) + " times a sample"; }
    ScratchBytes scratch() const override { return inner_->scratch(); }

    std::vector<Stage> stages(std::byte* shared) override {
        std::vector<Stage> all = inner_->stages(shared);
        for (Stage& stage : all) {
            for (Access& access : stage.accesses) access.sample_bytes *= items_per_sample_;
            if (stage.fewest_samples != kAllSamples) stage.fewest_samples = divideUp(stage.fewest_samples, items_per_sample_);
        }
        return all;
    }

    void check(const StepState& step) const override { inner_->check(folded(step)); }
    void run(int stage, const StepState& step, int thread) override { inner_->run(stage, folded(step), thread); }

private:
    StepState folded(StepState step) const {
        step.samples *= items_per_sample_;
        step.items_per_sample = items_per_sample_;
        return step;
    }

    std::int64_t items_per_sample_;
    Memory memory_;
    std::unique_ptr<BoundOp> inner_;
};

}  // namespace

std::unique_ptr<BoundOp> bindFolded(const Memory& memory, std::int64_t items_per_sample, const Bind& bind) {
    return std::make_unique<FoldedOp>(memory, items_per_sample, bind);
}

}  // namespace engine::backend::cpu
