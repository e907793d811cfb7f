// RandomElastic and its way back: each thread has the images of its own samples.
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/image/elastic_map.h"

namespace engine::backend::cpu {
namespace {

class RandomElastic final : public BoundOp {
public:
    RandomElastic(const Memory& memory, const plan::Op& op)
        : memory_(memory),
          op_(op),
          elastic_(std::get<plan::RandomElastic>(op.attributes)),
          is_forward_(op.kind == plan::OpKind::kRandomElastic),
          field_(is_forward_ ? op.outputs[1] : op.inputs[2]) {
        const spec::Shape& batch = memory.shape(op.inputs[0]);
        size_ = {batch[1], batch[2], batch[3]};
        scratch_ = is_forward_ ? size_.cells() + mostElasticPlaces(elastic_, size_) : 0;
    }

    std::string kernel() const override { return is_forward_ ? "smoothed field, cells" : "spread cells"; }

    ScratchBytes scratch() const override { return {.per_thread = scratch_ * static_cast<std::int64_t>(sizeof(float))}; }

    std::vector<Stage> stages(std::byte*) override {
        std::vector<Access> accesses{memory_.readsSamples(op_.inputs[0]), memory_.writesSamples(op_.outputs[0])};
        if (is_forward_) {
            accesses.push_back(memory_.writesSamples(field_));
        } else {
            accesses.push_back(memory_.readsSamples(op_.inputs[1]));
            accesses.push_back(memory_.readsSamples(field_));
        }
        return {{.accesses = std::move(accesses)}};
    }

    void run(int, const StepState& step, int thread) override {
        const Range mine = step.samplesOf(thread);
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            const std::span<float> field = valuesOf(field_, i, size_.cells()), result = imageOf(op_.outputs[0], i);
            if (!is_forward_) {
                readElasticBack(elastic_, size_, field, imageOf(op_.inputs[0], i), imageOf(op_.inputs[1], i), result);
                continue;
            }
            const std::span<float> scratch(step.scratchOf(thread), static_cast<std::size_t>(scratch_));
            fillElasticField(elastic_, step.randomItemOf(elastic_.seed, i), size_, field, scratch);
            readElastic(elastic_, size_, field, imageOf(op_.inputs[0], i), result);
        }
    }

private:
    std::span<float> valuesOf(plan::TensorId id, std::int64_t item, std::int64_t count) const {
        return {memory_.floats(id) + item * count, static_cast<std::size_t>(count)};
    }
    std::span<float> imageOf(plan::TensorId id, std::int64_t item) const { return valuesOf(id, item, size_.cells() * size_.channels); }

    const Memory& memory_;
    const plan::Op& op_;
    plan::RandomElastic elastic_;
    bool is_forward_;
    plan::TensorId field_;
    ElasticSize size_{};
    std::int64_t scratch_ = 0;  // floats of a thread
};

}  // namespace

std::unique_ptr<BoundOp> bindElastic(const Memory& memory, const plan::Op& op) {
    return std::make_unique<RandomElastic>(memory, op);
}

}  // namespace engine::backend::cpu
