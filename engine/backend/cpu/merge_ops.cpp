// Two results of one input that become one, and their gradients: each thread its samples.
#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/merge_rows.h"

namespace engine::backend::cpu {
namespace {

class Merge final : public BoundOp {
public:
    Merge(const Memory& memory, const plan::Op& op)
        : memory_(memory),
          op_(op),
          merge_(std::get<plan::MergeAttributes>(op.attributes)),
          sizes_(mergeSizes(memory.shape(op.inputs[0]), memory.shape(op.inputs[1]))) {}

    std::string kernel() const override { return "row by row"; }

    std::vector<Stage> stages(std::byte*) override {
        Stage stage;
        for (plan::TensorId id : op_.inputs) stage.accesses.push_back(memory_.readsSamples(id));
        for (plan::TensorId id : op_.outputs) stage.accesses.push_back(memory_.writesSamples(id));
        return {stage};
    }

    void run(int, const StepState& step, int thread) override {
        const Range mine = step.samplesOf(thread);
        const auto at = [this](plan::TensorId id, std::int64_t i) { return memory_.floats(id) + i * memory_.sampleElements(id); };
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            const float *a = at(op_.inputs[0], i), *b = at(op_.inputs[1], i);
            if (op_.kind == plan::OpKind::kMerge) {
                mergeSample(merge_, sizes_, a, b, at(op_.outputs[0], i));
            } else {
                mergeSampleBack(merge_, sizes_, a, b, at(op_.inputs[2], i), at(op_.outputs[0], i), at(op_.outputs[1], i));
            }
        }
    }

private:
    const Memory& memory_;
    const plan::Op& op_;
    plan::MergeAttributes merge_;
    MergeSizes sizes_;
};

}  // namespace

std::unique_ptr<BoundOp> bindMerge(const Memory& memory, const plan::Op& op) {
    return std::make_unique<Merge>(memory, op);
}

}  // namespace engine::backend::cpu
