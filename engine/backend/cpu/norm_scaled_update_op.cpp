// Updates that need norms of whole variables, in blocks dealt to the threads.
#include <string>
#include <utility>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/norm_scaled_update.h"

namespace engine::backend::cpu {
namespace {

class NormScaled final : public BoundOp {
public:
    NormScaled(const Memory& memory, const plan::Op& op)
        : memory_(memory),
          op_(op),
          rule_(plan::updateRule(*plan::optimizerOf(op))),
          update_(rule_, flatRuns(memory.plan(), op, [&memory](plan::TensorId id) { return memory.floats(id); })) {}

    std::string kernel() const override {
        return std::to_string(update_.blocks()) + (update_.blocks() == 1 ? " block, by norms" : " blocks, by norms");
    }

    std::vector<Stage> stages(std::byte*) override {
        Stage stage;
        for (plan::TensorId id : op_.inputs) stage.accesses.push_back(memory_.writes(id));
        return {stage, stage};
    }

    void run(int stage, const StepState& step, int thread) override {
        const plan::StepFactors factors = plan::stepFactors(rule_, step.control.learning_rate, step.control.iteration);
        const Range mine = share(update_.blocks(), thread, step.threads);
        for (std::int64_t block = mine.begin; block < mine.end; ++block) {
            if (stage == 0) {
                update_.advance(block, factors);
            } else {
                update_.apply(block, factors);
            }
        }
    }

private:
    const Memory& memory_;
    const plan::Op& op_;
    plan::UpdateRule rule_;
    NormScaledUpdate update_;
};

}  // namespace

std::unique_ptr<BoundOp> bindNormScaledUpdate(const Memory& memory, const plan::Op& op) {
    return std::make_unique<NormScaled>(memory, op);
}

}  // namespace engine::backend::cpu
