// A weight's constraint, by one thread after the updates.
#include "engine/backend/constraint.h"
#include "engine/backend/cpu/bound_op.h"

namespace engine::backend::cpu {
namespace {

class Constrain final : public BoundOp {
public:
    Constrain(const Memory& memory, const plan::Op& op) : memory_(memory), op_(op) {}

    std::string kernel() const override { return "one thread"; }
    std::vector<Stage> stages(std::byte*) override { return {{.accesses = {memory_.writes(op_.outputs[0])}}}; }
    void run(int, const StepState&, int thread) override {
        if (thread != 0) return;
        const plan::TensorId id = op_.outputs[0];
        applyConstraint(std::get<plan::ConstraintAttributes>(op_.attributes), memory_.shape(id),
                        {memory_.floats(id), static_cast<std::size_t>(memory_.elements(id))});
    }

private:
    const Memory& memory_;
    const plan::Op& op_;
};

}  // namespace

std::unique_ptr<BoundOp> bindConstrain(const Memory& memory, const plan::Op& op) {
    return std::make_unique<Constrain>(memory, op);
}

}  // namespace engine::backend::cpu
