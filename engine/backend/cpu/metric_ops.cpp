// The metric op: what a batch adds to a metric's sums in the step header. Rows are valued by all threads and added in order by one; what
// is no mean of rows is counted by one thread.
#include <algorithm>
#include <string>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/metric_rows.h"

namespace engine::backend::cpu {
namespace {

class Metric final : public BoundOp {
public:
    Metric(const Memory& memory, const plan::Op& op)
        : memory_(memory),
          op_(op),
          metric_(std::get<plan::MetricAttributes>(op.attributes)),
          counts_elements_(!plan::isMeanOfRows(metric_.kind)),
          has_classes_(memory.tensor(op.inputs[1]).dtype == tensor::DType::kInt32),
          columns_(memory.shape(op.inputs[0]).back()),
          rows_per_sample_(memory.sampleElements(op.inputs[0]) / columns_) {
        const plan::RowWeights weights = plan::rowWeights(memory.plan(), op);
        if (weights.samples != plan::kNoTensor) weights_ = memory.floats(weights.samples);
        if (weights.mask != plan::kNoTensor) mask_ = memory.cells(weights.mask);
    }

    std::string kernel() const override {
        if (plan::countsByClass(metric_.kind)) return "counts by class";
        if (plan::countsOverlap(metric_.kind)) return "counts of classes";
        if (plan::countsByColumn(metric_.kind)) return "sums by column";
        return counts_elements_ ? "counts by threshold" : "one row at a time";
    }

    std::vector<Stage> stages(std::byte*) override {
        if (counts_elements_) {
            sums_.assign(static_cast<std::size_t>(metric_.width), 0.0);
            Stage all;
            for (plan::TensorId id : op_.inputs) all.accesses.push_back(memory_.reads(id));
            return {all};
        }
        values_.assign(static_cast<std::size_t>(memory_.batch() * rows_per_sample_), 0.0);
        weights_of_rows_ = values_;
        const std::int64_t sample_bytes = rows_per_sample_ * static_cast<std::int64_t>(sizeof(double));
        Stage rows{.accesses = {memory_.readsSamples(op_.inputs[0]),
                                memory_.readsSamples(op_.inputs[1]),
                                {values_.data(), memory_.batch() * sample_bytes, sample_bytes, true}}};
        for (std::size_t i = 2; i < op_.inputs.size(); ++i) rows.accesses.push_back(memory_.readsSamples(op_.inputs[i]));
        return {rows, {.accesses = {}, .when = When::kSolo}};
    }

    void run(int stage, const StepState& step, int thread) override {
        if (counts_elements_) {
            if (thread == 0) count(step.samples);
            return;
        }
        if (stage == 1) return sum(step.samples);
        const Range mine = step.samplesOf(thread);
        for (std::int64_t r = mine.begin * rows_per_sample_; r < mine.end * rows_per_sample_; ++r) {
            const double weight = weightOf(r);
            weights_of_rows_[static_cast<std::size_t>(r)] = weight;
            values_[static_cast<std::size_t>(r)] = weight == 0 ? 0 : weight * rowMetric(metric_, rowOf(r));
        }
    }

private:
    double weightOf(std::int64_t r) const {
        if (mask_ != nullptr && mask_[r] == 0) return 0;
        return weights_ != nullptr ? static_cast<double>(weights_[r / rows_per_sample_]) : 1;
    }

    MetricRow rowOf(std::int64_t r) const {
        MetricRow row{.predictions = memory_.floats(op_.inputs[0]) + r * columns_, .n = columns_};
        row.weight = weightOf(r);
        if (has_classes_) {
            row.label = reinterpret_cast<const std::int32_t*>(memory_.bytes(op_.inputs[1]))[r];
        } else {
            row.values = memory_.floats(op_.inputs[1]) + r * columns_;
        }
        return row;
    }

    float* header() const { return memory_.floats(memory_.plan().header) + metric_.offset; }

    void sum(std::int64_t samples) const {
        const std::int64_t rows = samples * rows_per_sample_;
        double total = 0, weights = 0;
        for (std::int64_t r = 0; r < rows; ++r) {
            total += values_[static_cast<std::size_t>(r)];
            weights += weights_of_rows_[static_cast<std::size_t>(r)];
        }
        header()[0] = static_cast<float>(total);
        header()[1] = static_cast<float>(weights);
    }

    void count(std::int64_t samples) {
        std::fill(sums_.begin(), sums_.end(), 0.0);
        for (std::int64_t r = 0; r < samples * rows_per_sample_; ++r) countElements(metric_, rowOf(r), sums_);
        std::transform(sums_.begin(), sums_.end(), header(), [](double value) { return static_cast<float>(value); });
    }

    const Memory& memory_;
    const plan::Op& op_;
    const plan::MetricAttributes& metric_;
    bool counts_elements_, has_classes_;
    std::int64_t columns_, rows_per_sample_;
    const float* weights_ = nullptr;                // of the samples
    const std::uint8_t* mask_ = nullptr;            // of the rows
    std::vector<double> values_, weights_of_rows_;  // by row; the memory of what they are made of may be in other use when they are added
    std::vector<double> sums_;
};

}  // namespace

std::unique_ptr<BoundOp> bindMetric(const Memory& memory, const plan::Op& op) {
    return std::make_unique<Metric>(memory, op);
}

}  // namespace engine::backend::cpu
