// SpectralNormalization's kernel, divided by its largest singular value before the layer reads it. Each thread has rows of the kernel, then
// columns; a sum has one order, whatever the number of threads, and one way to be rounded, whatever the processor can do: so do replicas
// keep their copies the same.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/spectral_norm.h"
#include "engine/plan/memory.h"

namespace engine::backend::cpu {
namespace {

class SpectralNorm final : public BoundOp {
public:
    SpectralNorm(const Memory& memory, const plan::Op& op)
        : memory_(memory),
          op_(op),
          iterations_(std::get<plan::SpectralNormAttributes>(op.attributes).iterations),
          columns_(memory.shape(op.outputs[0]).back()),
          rows_(memory.elements(op.outputs[0]) / columns_) {}

    std::string kernel() const override { return std::to_string(iterations_) + (iterations_ == 1 ? " power" : " powers"); }
    ScratchBytes scratch() const override { return {.shared = vectorBytes(rows_) + vectorBytes(columns_) + vectorBytes(rows_)}; }

    // Two stages a round, products by rows and by columns, and the division.
    std::vector<Stage> stages(std::byte* shared_scratch) override {
        of_rows_ = reinterpret_cast<double*>(shared_scratch);
        of_columns_ = reinterpret_cast<double*>(shared_scratch + vectorBytes(rows_));
        has_values_ = reinterpret_cast<double*>(shared_scratch + vectorBytes(rows_) + vectorBytes(columns_));
        const auto vector = [](const double* values, std::int64_t count, bool writes) {
            return Access{values, count * static_cast<std::int64_t>(sizeof(double)), 0, writes};
        };
        const Access kernel = memory_.reads(op_.inputs[0]), u = memory_.reads(op_.inputs[1]);
        std::vector<Stage> stages;
        for (int i = 0; i < iterations_; ++i) {
            stages.push_back({.accesses = {kernel, u, vector(of_columns_, columns_, false), vector(of_rows_, rows_, true),
                                           vector(has_values_, rows_, true)}});
            stages.push_back({.accesses = {kernel, vector(of_rows_, rows_, false), vector(of_columns_, columns_, true)}});
        }
        stages.push_back({.accesses = {memory_.writes(op_.outputs[0]), memory_.writes(op_.outputs[1]), vector(of_columns_, columns_, false),
                                       vector(has_values_, rows_, false)}});
        return stages;
    }

    void run(int stage, const StepState& step, int thread) override {
        if (stage == 2 * iterations_) return divide(shareLines(rows_ * columns_, thread, step.threads), thread);
        if (stage % 2 == 0) return multiplyRows(share(rows_, thread, step.threads), stage == 0);
        multiplyColumns(shareLines(columns_, thread, step.threads));
    }

private:
    static std::int64_t vectorBytes(std::int64_t count) { return plan::alignUp(count * static_cast<std::int64_t>(sizeof(double))); }

    static double squaresOf(const double* values, std::int64_t count) {
        double squares = 0;
        for (std::int64_t i = 0; i < count; ++i) squares += values[i] * values[i];
        return squares;
    }

    template <typename T>
    static double productOf(const float* values, const T* vector, std::int64_t count) {
        constexpr std::int64_t kLanes = 8;
        std::array<double, kLanes> sums{};
        std::int64_t i = 0;
        for (; i + kLanes <= count; i += kLanes) {
            for (std::int64_t lane = 0; lane < kLanes; ++lane)
                sums[static_cast<std::size_t>(lane)] += static_cast<double>(values[i + lane]) * static_cast<double>(vector[i + lane]);
        }
        double sum = 0;
        for (const double lane : sums) sum += lane;
        for (; i < count; ++i) sum += static_cast<double>(values[i]) * static_cast<double>(vector[i]);
        return sum;
    }

    // W u; u is the variable at first, and later what the columns made.
    void multiplyRows(const Range& mine, bool is_first) {
        const float *kernel = memory_.floats(op_.inputs[0]), *u = memory_.floats(op_.inputs[1]);
        const double over = is_first ? 1 : overLength(squaresOf(of_columns_, columns_));
        for (std::int64_t row = mine.begin; row < mine.end; ++row) {
            const float* values = kernel + row * columns_;
            of_rows_[row] = is_first ? productOf(values, u, columns_) : over * productOf(values, of_columns_, columns_);
            if (is_first) has_values_[row] = std::any_of(values, values + columns_, [](float value) { return value != 0; }) ? 1 : 0;
        }
    }

    // W^T v for these columns.
    void multiplyColumns(const Range& mine) {
        const float* kernel = memory_.floats(op_.inputs[0]);
        const double over = overLength(squaresOf(of_rows_, rows_));
        std::fill(of_columns_ + mine.begin, of_columns_ + mine.end, 0.0);
        for (std::int64_t row = 0; row < rows_; ++row) {
            const float* values = kernel + row * columns_;
            const double of_v = of_rows_[row] * over;
            for (std::int64_t column = mine.begin; column < mine.end; ++column)
                of_columns_[column] += static_cast<double>(values[column]) * of_v;
        }
    }

    void divide(const Range& mine, int thread) {
        const bool is_zero = std::all_of(has_values_, has_values_ + rows_, [](double has) { return has == 0; });
        if (is_zero) return;
        const double squares = squaresOf(of_columns_, columns_), over = overLength(squares), largest = over * squares;
        float *kernel = memory_.floats(op_.outputs[0]), *u = memory_.floats(op_.outputs[1]);
        for (std::int64_t i = mine.begin; i < mine.end; ++i) kernel[i] = static_cast<float>(static_cast<double>(kernel[i]) / largest);
        for (std::int64_t i = 0; thread == 0 && i < columns_; ++i) u[i] = static_cast<float>(of_columns_[i] * over);
    }

    const Memory& memory_;
    const plan::Op& op_;
    int iterations_;
    std::int64_t columns_, rows_;
    double *of_rows_ = nullptr, *of_columns_ = nullptr, *has_values_ = nullptr;  // shared scratch
};

}  // namespace

std::unique_ptr<BoundOp> bindSpectralNorm(const Memory& memory, const plan::Op& op) {
    return std::make_unique<SpectralNorm>(memory, op);
}

}  // namespace engine::backend::cpu
