#include "engine/backend/cpu/around/over_rows.h"

#include <string>
#include <utility>
#include <vector>

#include "engine/plan/passes/passes.h"

namespace engine::backend::cpu {
namespace {

class OverRows final : public BoundOp {
public:
    OverRows(const Memory& memory, const plan::Op& op, const Bind& bind)
        : rows_(memory.shape(op.inputs.front()).front()),
          is_of_first_piece_(plan::turnOf(memory.plan(), op) == plan::Turn::kFirstPiece),
          memory_(memory.ofRows(rows_)),
          inner_(bind(memory_)) {}

    std::string kernel() const override { return inner_->kernel() + ", of the table's " + std::to_string(rows_) + " rows"; }
    ScratchBytes scratch() const override { return inner_->scratch(); }
    std::vector<Stage> stages(std::byte* shared) override { return inner_->stages(shared); }
    void check(const StepState& step) const override { inner_->check(overRows(step)); }
    void run(int stage, const StepState& step, int thread) override {
        if (is_of_first_piece_ && !step.is_first_piece) return;
        inner_->run(stage, overRows(step), thread);
    }

private:
    StepState overRows(StepState step) const {
        step.samples = rows_;
        step.items_per_sample = 1;
        return step;
    }

    std::int64_t rows_;
    bool is_of_first_piece_;
    Memory memory_;
    std::unique_ptr<BoundOp> inner_;
};

}  // namespace

std::unique_ptr<BoundOp> bindOverRows(const Memory& memory, const plan::Op& op, const Bind& bind) {
    return std::make_unique<OverRows>(memory, op, bind);
}

}  // namespace engine::backend::cpu
