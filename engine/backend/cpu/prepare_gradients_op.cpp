// Accumulation and clipping of all gradients, in blocks dealt to the threads.
#include <string>
#include <utility>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/prepare_gradients.h"

namespace engine::backend::cpu {
namespace {

class PrepareGradients final : public BoundOp {
public:
    PrepareGradients(const Memory& memory, const plan::Op& op)
        : memory_(memory), op_(op), rule_(plan::updateRule(*plan::optimizerOf(op))), preparation_(rule_, gradientsOf(memory, op)) {}

    std::string kernel() const override {
        return std::to_string(preparation_.blocks()) + (preparation_.blocks() == 1 ? " block" : " blocks");
    }

    std::vector<Stage> stages(std::byte*) override {
        Stage stage;
        for (plan::TensorId id : op_.inputs) stage.accesses.push_back(memory_.writes(id));
        return preparation_.scales() ? std::vector<Stage>{stage, stage} : std::vector<Stage>{stage};
    }

    void run(int stage, const StepState& step, int thread) override {
        const bool applies = (step.control.iteration + 1) % rule_.accumulation_steps == 0;
        if (stage == 1 && !applies) return;
        const Range mine = share(preparation_.blocks(), thread, step.threads);
        for (std::int64_t block = mine.begin; block < mine.end; ++block) {
            if (stage == 0) {
                preparation_.collect(block, applies);
            } else {
                preparation_.scale(block);
            }
        }
    }

private:
    static std::vector<PreparedGradient> gradientsOf(const Memory& memory, const plan::Op& op) {
        const auto values = [&memory](plan::TensorId id) {
            return std::span<float>(memory.floats(id), static_cast<std::size_t>(memory.elements(id)));
        };
        std::vector<PreparedGradient> gradients;
        for (std::size_t i = 0; i + op.outputs.size() < op.inputs.size(); ++i) {
            gradients.push_back({values(op.inputs[i]), op.outputs.empty() ? std::span<float>{} : values(op.outputs[i])});
        }
        return gradients;
    }

    const Memory& memory_;
    const plan::Op& op_;
    plan::UpdateRule rule_;
    GradientPreparation preparation_;
};

}  // namespace

std::unique_ptr<BoundOp> bindPrepareGradients(const Memory& memory, const plan::Op& op) {
    return std::make_unique<PrepareGradients>(memory, op);
}

}  // namespace engine::backend::cpu
