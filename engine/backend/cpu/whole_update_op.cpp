// Updates that take whole variables, in passes of blocks dealt to the threads.
#include <algorithm>
#include <memory>
#include <string>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/whole/make_whole_update.h"

namespace engine::backend::cpu {
namespace {

// A panel of columns at a time, and of the rows that it takes as many as stay in the first-level cache.
void multiply(const void* self, const MatrixProduct& product) {
    constexpr std::int64_t kDepth = 96;
    const KernelTable& kernels = *static_cast<const KernelTable*>(self);
    for (std::int64_t column = 0; column < product.columns; column += kernels.panel_columns) {
        for (std::int64_t k = 0; k < product.depth; k += kDepth) {
            kernels.product({.a = product.a + k,
                             .a_row = product.depth,
                             .b = product.b + k * product.columns + column,
                             .b_row = product.columns,
                             .c = product.c + column,
                             .c_row = product.columns,
                             .rows = product.rows,
                             .columns = std::min(kernels.panel_columns, product.columns - column),
                             .count = std::min(kDepth, product.depth - k),
                             .accumulate = product.adds || k > 0});
        }
    }
}

class WholeVariables final : public BoundOp {
public:
    WholeVariables(const Memory& memory, const plan::Op& op, const KernelTable& kernels)
        : memory_(memory),
          op_(op),
          rule_(plan::updateRule(*plan::optimizerOf(op))),
          update_(makeWholeUpdate(rule_, flatRuns(memory.plan(), op, [&memory](plan::TensorId id) { return memory.floats(id); }),
                                  {.self = &kernels, .multiply = multiply})) {}

    std::string kernel() const override { return update_->kernel(); }

    std::vector<Stage> stages(std::byte*) override {
        Stage stage;
        for (plan::TensorId id : op_.inputs) stage.accesses.push_back(memory_.writes(id));
        return std::vector<Stage>(static_cast<std::size_t>(update_->passes()), stage);
    }

    void run(int stage, const StepState& step, int thread) override {
        const plan::StepFactors factors = plan::stepFactors(rule_, step.control.learning_rate, step.control.iteration);
        const Range mine = share(update_->blocks(stage), thread, step.threads);
        for (std::int64_t block = mine.begin; block < mine.end; ++block) update_->run(stage, block, factors);
    }

private:
    const Memory& memory_;
    const plan::Op& op_;
    plan::UpdateRule rule_;
    std::unique_ptr<WholeUpdate> update_;
};

}  // namespace

std::unique_ptr<BoundOp> bindWholeUpdate(const Memory& memory, const plan::Op& op, const KernelTable& kernels) {
    return std::make_unique<WholeVariables>(memory, op, kernels);
}

}  // namespace engine::backend::cpu
