// Two results of one input that become one, and their gradients: each thread its samples.
#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/merge_rows.h"

namespace engine::backend::cpu {
namespace {

class Merge final : public BoundOp {
public:
    Merge(const Memory& memory, const plan::Op& op, const KernelTable& kernels)
        : memory_(memory),
          op_(op),
          kernels_(kernels),
          merge_(std::get<plan::MergeAttributes>(op.attributes)),
          sizes_(mergeSizes(memory.shape(op.inputs[0]), memory.shape(op.inputs[1]))),
          is_plain_sum_(op.kind == plan::OpKind::kMerge && merge_.mode == plan::MergeMode::kSum && !merge_.turned) {}

    std::string kernel() const override { return is_plain_sum_ ? "by vectors" : "row by row"; }

    std::vector<Stage> stages(std::byte*) override {
        Stage stage;
        for (plan::TensorId id : op_.inputs) stage.accesses.push_back(memory_.readsSamples(id));
        for (plan::TensorId id : op_.outputs) stage.accesses.push_back(memory_.writesSamples(id));
        return {stage};
    }

    void run(int, const StepState& step, int thread) override {
        const Range mine = step.samplesOf(thread);
        const auto at = [this](plan::TensorId id, std::int64_t i) { return memory_.floats(id) + i * memory_.sampleElements(id); };
        if (is_plain_sum_) {  // a shortcut's: one run of memory
            const float *a = at(op_.inputs[0], mine.begin), *b = at(op_.inputs[1], mine.begin);
            const std::int64_t count = mine.size() * memory_.sampleElements(op_.outputs[0]);
            return kernels_.addParts(b, 0, 1, a, false, 1, count, at(op_.outputs[0], mine.begin));
        }
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
    const KernelTable& kernels_;
    plan::MergeAttributes merge_;
    MergeSizes sizes_;
    bool is_plain_sum_;
};

}  // namespace

std::unique_ptr<BoundOp> bindMerge(const Memory& memory, const plan::Op& op, const KernelTable& kernels) {
    return std::make_unique<Merge>(memory, op, kernels);
}

}  // namespace engine::backend::cpu
