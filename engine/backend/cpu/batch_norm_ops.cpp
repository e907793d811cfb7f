// Batch normalisation and the moving statistics. Sums over the batch are taken by 32 blocks of samples, however large the batch is and
// however many the threads are, and put together in order. With a mask the values that count are packed first.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/backend/cpu/bound_op.h"

namespace engine::backend::cpu {
namespace {

constexpr std::int64_t kBlocks = 32;  // of samples, whose sums are taken apart

// x of some samples as (outer, channels, inner): the column kernels where the channels are the last axis, plain loops elsewhere.
class ChannelPasses {
public:
    ChannelPasses(const plan::BatchNormAttributes& attributes, std::int64_t sample_elements, const KernelTable& kernels)
        : kernels_(&kernels), channels_(attributes.channels), inner_(attributes.inner), outer_(sample_elements / (channels_ * inner_)) {}

    // A mask (samples, ...) with one value for each `width` values of x.
    struct Counted {
        const std::uint8_t* mask = nullptr;
        std::int64_t width = 1;
        bool of(std::int64_t element) const { return mask[element / width] != 0; }
    };
    // Computes the moments of the values that count; `numbers` receives how many each channel has. `packed` is room for the samples'
    // values.
    void countedMoments(const float* x, Counted counted, std::int64_t samples, float* mean, float* squares, float* numbers,
                        float* packed) const {
        const std::int64_t rows = samples * outer_;
        std::fill_n(mean, channels_, 0.0F);
        std::fill_n(squares, channels_, 0.0F);
        if (inner_ == 1) {  // a row of channels is what the mask has a value for
            std::int64_t found = 0;
            for (std::int64_t r = 0; r < rows; ++r) {
                if (counted.mask[r] != 0) kernels_->copyValues(x + r * channels_, channels_, packed + found++ * channels_);
            }
            std::fill_n(numbers, channels_, static_cast<float>(found));
            if (found > 0) kernels_->columnMoments(packed, found, channels_, mean, squares);
            return;
        }
        for (std::int64_t c = 0; c < channels_; ++c) {
            std::int64_t found = 0;
            forEach(c, rows, [&](std::int64_t i) {
                if (counted.of(i)) packed[found++] = x[i];
            });
            numbers[c] = static_cast<float>(found);
            if (found > 0) kernels_->columnMoments(packed, found, 1, mean + c, squares + c);
        }
    }

    std::int64_t channels() const { return channels_; }
    // Values of a channel in `samples` samples.
    std::int64_t count(std::int64_t samples) const { return samples * outer_ * inner_; }

    void moments(const float* x, std::int64_t samples, float* mean, float* squares) const {
        const std::int64_t rows = samples * outer_;
        if (inner_ == 1) return kernels_->columnMoments(x, rows, channels_, mean, squares);
        for (std::int64_t c = 0; c < channels_; ++c) {
            double sum = 0, distances = 0;
            forEach(c, rows, [&](std::int64_t i) { sum += x[i]; });
            const double center = sum / static_cast<double>(rows * inner_);
            forEach(c, rows, [&](std::int64_t i) { distances += (x[i] - center) * (x[i] - center); });
            mean[c] = static_cast<float>(center);
            squares[c] = static_cast<float>(distances);
        }
    }

    // y = (x - mean) factor + offset; mean and offset may be null.
    void normalize(const float* x, std::int64_t samples, const float* mean, const float* factor, const float* offset, float* y) const {
        const std::int64_t rows = samples * outer_;
        if (inner_ == 1) return kernels_->normalizeColumns(x, rows, channels_, mean, factor, offset, y);
        for (std::int64_t c = 0; c < channels_; ++c) {
            const float center = mean == nullptr ? 0 : mean[c], rest = offset == nullptr ? 0 : offset[c];
            forEach(c, rows, [&](std::int64_t i) { y[i] = (x[i] - center) * factor[c] + rest; });
        }
    }

    // sums += dy, products += dy (x - mean)
    void gradientSums(const float* x, const float* dy, std::int64_t samples, const float* mean, float* sums, float* products) const {
        const std::int64_t rows = samples * outer_;
        if (inner_ == 1) return kernels_->columnGradientSums(x, dy, rows, channels_, mean, sums, products);
        for (std::int64_t c = 0; c < channels_; ++c) {
            forEach(c, rows, [&](std::int64_t i) {
                sums[c] += dy[i];
                products[c] += dy[i] * (x[i] - mean[c]);
            });
        }
    }

    void normalizeBack(const float* x, const float* dy, std::int64_t samples, const NormalizeBack& n, float* dx) const {
        const std::int64_t rows = samples * outer_;
        if (inner_ == 1) return kernels_->normalizeColumnsBack(x, dy, rows, channels_, n, dx);
        for (std::int64_t c = 0; c < channels_; ++c) {
            forEach(c, rows, [&](std::int64_t i) { dx[i] = dy[i] * n.factor[c] + (x[i] - n.mean[c]) * n.slope[c] + n.offset[c]; });
        }
    }

    // The same with a mask; a value that does not count has dx = dy factor alone.
    void normalizeBackCounted(const float* x, const float* dy, Counted counted, std::int64_t samples, const NormalizeBack& n,
                              float* dx) const {
        const std::int64_t rows = samples * outer_;
        if (inner_ == 1) {
            for (std::int64_t begin = 0, end = 0; begin < rows; begin = end) {
                const bool counts = counted.mask[begin] != 0;
                while (end < rows && (counted.mask[end] != 0) == counts) ++end;
                const std::int64_t at = begin * channels_;
                if (counts) {
                    kernels_->normalizeColumnsBack(x + at, dy + at, end - begin, channels_, n, dx + at);
                } else {
                    kernels_->normalizeColumns(dy + at, end - begin, channels_, nullptr, n.factor, nullptr, dx + at);
                }
            }
            return;
        }
        for (std::int64_t c = 0; c < channels_; ++c) {
            forEach(c, rows, [&](std::int64_t i) {
                const float through = counted.of(i) ? (x[i] - n.mean[c]) * n.slope[c] + n.offset[c] : 0.0F;
                dx[i] = dy[i] * n.factor[c] + through;
            });
        }
    }

private:
    template <typename Function>
    void forEach(std::int64_t channel, std::int64_t rows, Function&& function) const {
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t i = 0; i < inner_; ++i) function((r * channels_ + channel) * inner_ + i);
    }

    const KernelTable* kernels_;
    std::int64_t channels_, inner_, outer_;
};

// Means and squared distances of blocks of samples, and of all of them together.
class BatchMoments {
public:
    BatchMoments(const Memory& memory, plan::TensorId x, const ChannelPasses& passes)
        : x_(memory.floats(x)),
          sample_elements_(memory.sampleElements(x)),
          passes_(passes),
          most_samples_(memory.mostSamplesOfRun(kBlocks)) {}

    // Leaves out what does not count; take() then wants packedFloats() of scratch.
    void countBy(ChannelPasses::Counted counted) { counted_ = counted; }
    std::int64_t packedFloats() const { return counted_.mask == nullptr ? 0 : most_samples_ * sample_elements_; }

    struct Moments {
        double count = 0, mean = 0, squares = 0;  // squares: of the distances from the mean
    };
    std::int64_t floats() const { return kParts * kBlocks * passes_.channels(); }
    void place(float* parts) { parts_ = parts; }

    void take(const StepState& step, int thread, float* packed = nullptr) const {
        const Range blocks = share(kBlocks, step.partOf(thread), step.parts());
        for (std::int64_t block = blocks.begin; block < blocks.end; ++block) {
            const Range mine = step.samplesOfPart(block, kBlocks);
            if (mine.size() == 0) continue;
            float* mean = parts_ + kParts * block * passes_.channels();
            if (counted_.mask != nullptr) {
                const std::int64_t at = mine.begin * sample_elements_;
                passes_.countedMoments(x_ + at, {counted_.mask + at / counted_.width, counted_.width}, mine.size(), mean,
                                       mean + passes_.channels(), mean + 2 * passes_.channels(), packed);
                continue;
            }
            passes_.moments(x_ + mine.begin * sample_elements_, mine.size(), mean, mean + passes_.channels());
        }
    }

    // Chan, Golub, LeVeque 1979: moments of parts put together.
    Moments of(std::int64_t channel, const StepState& step) const {
        Moments all;
        for (std::int64_t block = 0; block < kBlocks; ++block) {
            auto more = static_cast<double>(passes_.count(step.samplesOfPart(block, kBlocks).size()));
            if (more == 0) continue;
            const float* part = parts_ + kParts * block * passes_.channels();
            if (counted_.mask != nullptr) more = part[2 * passes_.channels() + channel];
            if (more == 0) continue;
            const double distance = part[channel] - all.mean;
            all.squares += part[passes_.channels() + channel] + distance * distance * all.count * more / (all.count + more);
            all.mean += distance * more / (all.count + more);
            all.count += more;
        }
        return all;
    }

private:
    static constexpr std::int64_t kParts = 3;  // of each channel: mean, squares, with a mask the number of values

    const float* x_;
    std::int64_t sample_elements_;
    const ChannelPasses& passes_;
    std::int64_t most_samples_;
    ChannelPasses::Counted counted_{};
    float* parts_ = nullptr;
};

// Sums of dy and of dy (x - mean) by blocks of samples, and of all of them together.
class BatchGradientSums {
public:
    BatchGradientSums(const Memory& memory, plan::TensorId x, plan::TensorId dy, const float* mean, const ChannelPasses& passes)
        : x_(memory.floats(x)), dy_(memory.floats(dy)), mean_(mean), sample_elements_(memory.sampleElements(x)), passes_(passes) {}

    struct Sums {
        double sum = 0, product = 0;
    };
    std::int64_t floats() const { return 2 * kBlocks * passes_.channels(); }
    void place(float* parts) { parts_ = parts; }

    void take(const StepState& step, int thread) const {
        const std::int64_t channels = passes_.channels();
        const Range blocks = share(kBlocks, step.partOf(thread), step.parts());
        for (std::int64_t block = blocks.begin; block < blocks.end; ++block) {
            const Range mine = step.samplesOfPart(block, kBlocks);
            float* sums = parts_ + 2 * block * channels;
            std::fill_n(sums, 2 * channels, 0.0F);
            const std::int64_t at = mine.begin * sample_elements_;
            passes_.gradientSums(x_ + at, dy_ + at, mine.size(), mean_, sums, sums + channels);
        }
    }

    Sums of(std::int64_t channel) const {
        Sums all;
        for (std::int64_t block = 0; block < kBlocks; ++block) {
            all.sum += parts_[2 * block * passes_.channels() + channel];
            all.product += parts_[(2 * block + 1) * passes_.channels() + channel];
        }
        return all;
    }

private:
    const float *x_, *dy_, *mean_;
    std::int64_t sample_elements_;
    const ChannelPasses& passes_;
    float* parts_ = nullptr;
};

class BatchNorm final : public BoundOp {
public:
    BatchNorm(const Memory& memory, const plan::Op& op, const KernelTable& kernels)
        : memory_(memory),
          op_(op),
          attributes_(std::get<plan::BatchNormAttributes>(op.attributes)),
          passes_(attributes_, memory.sampleElements(op.inputs[0]), kernels),
          moments_(memory, op.inputs[0], passes_),
          trains_(op.outputs.size() > 1) {
        std::size_t next = 1;
        if (attributes_.scale) gamma_ = memory.floats(op.inputs[next++]);
        if (attributes_.center) beta_ = memory.floats(op.inputs[next++]);
        moving_mean_ = memory.floats(op.inputs[next]);
        moving_variance_ = memory.floats(op.inputs[next + 1]);
        if (attributes_.synchronized) sums_ = memory.floats(op.inputs[next + 2]);
        if (attributes_.masked) moments_.countBy({memory.cells(op.inputs.back()), memory.shape(op.inputs[0]).back()});
    }

    std::string kernel() const override {
        if (!trains_) return "moving statistics";
        return sums_ != nullptr ? "statistics of all replicas" : "statistics in " + std::to_string(kBlocks) + " blocks";
    }
    ScratchBytes scratch() const override {
        const std::int64_t channels = passes_.channels() * kFloat;
        return {.shared = trains_ ? moments_.floats() * kFloat + channels : 0,
                .per_thread = trains_ ? moments_.packedFloats() * kFloat : channels};
    }

    std::vector<Stage> stages(std::byte* shared) override {
        const Access x = memory_.readsSamples(op_.inputs[0]), y = memory_.writesSamples(op_.outputs[0]);
        std::vector<Access> variables;
        for (std::size_t i = 1; i < op_.inputs.size(); ++i) variables.push_back(memory_.reads(op_.inputs[i]));
        if (!trains_) {
            Stage stage{.accesses = {x, y}};
            stage.accesses.insert(stage.accesses.end(), variables.begin(), variables.end());
            return {stage};
        }
        moments_.place(reinterpret_cast<float*>(shared));
        factor_ = reinterpret_cast<float*>(shared) + moments_.floats();
        const Access written{shared, scratch().shared, 0, true}, read{shared, scratch().shared, 0, false};
        Stage statistics{.accesses = {written}};
        statistics.accesses.insert(statistics.accesses.end(), variables.begin(), variables.end());
        for (std::size_t i = 1; i < op_.outputs.size(); ++i) statistics.accesses.push_back(memory_.writes(op_.outputs[i]));
        Stage values{.accesses = {read, x, y, memory_.reads(op_.outputs[1])}};
        if (beta_ != nullptr) values.accesses.push_back(memory_.reads(op_.inputs[attributes_.scale ? 2 : 1]));
        if (sums_ != nullptr) return {statistics, values};
        Stage blocks{.accesses = {memory_.readsRuns(op_.inputs[0], kBlocks), written}, .writes_by_samples = memory_.keepsRuns(kBlocks)};
        if (attributes_.masked) blocks.accesses.push_back(memory_.reads(op_.inputs.back()));
        return {blocks, statistics, values};
    }

    void run(int stage, const StepState& step, int thread) override {
        const Range samples = step.samplesOf(thread);
        if (!trains_) {
            float* factor = step.scratchOf(thread);
            for (std::int64_t c = 0; c < passes_.channels(); ++c) factor[c] = factorOf(c, inverseOf(moving_variance_[c]));
            return normalize(samples, moving_mean_, factor);
        }
        const int work = sums_ != nullptr ? stage + 1 : stage;
        if (work == 0) return moments_.take(step, thread, step.scratchOf(thread));
        if (work == 1) return statistics(shareLines(passes_.channels(), thread, step.threads), step);
        normalize(samples, memory_.floats(op_.outputs[1]), factor_);
    }

private:
    float inverseOf(double variance) const { return static_cast<float>(1 / std::sqrt(variance + attributes_.epsilon)); }
    float factorOf(std::int64_t channel, float inverse) const { return gamma_ == nullptr ? inverse : gamma_[channel] * inverse; }

    void normalize(Range samples, const float* mean, const float* factor) const {
        const std::int64_t at = samples.begin * memory_.sampleElements(op_.inputs[0]);
        passes_.normalize(memory_.floats(op_.inputs[0]) + at, samples.size(), mean, factor, beta_, memory_.floats(op_.outputs[0]) + at);
    }

    // The batch's mean and variance; the moving statistics when the batch is empty.
    std::pair<double, double> meanAndVariance(std::int64_t channel, const StepState& step) const {
        if (sums_ != nullptr) {
            const double count = sums_[2 * passes_.channels()];
            if (count == 0) return {moving_mean_[channel], moving_variance_[channel]};
            const double distance = sums_[channel] / count;
            return {moving_mean_[channel] + distance, sums_[passes_.channels() + channel] / count - distance * distance};
        }
        const BatchMoments::Moments moments = moments_.of(channel, step);
        if (attributes_.masked) memory_.floats(op_.outputs.back())[channel] = static_cast<float>(moments.count);
        if (step.samples == 0) return {moving_mean_[channel], moving_variance_[channel]};
        return {moments.mean, moments.count == 0 ? 0 : moments.squares / moments.count};
    }

    void statistics(Range channels, const StepState& step) const {
        const double share_of_step = (1 - attributes_.momentum) / memory_.plan().replicas;
        for (std::int64_t c = channels.begin; c < channels.end; ++c) {
            const auto [mean, variance] = meanAndVariance(c, step);
            const float inverse = inverseOf(variance);
            memory_.floats(op_.outputs[1])[c] = static_cast<float>(mean);
            memory_.floats(op_.outputs[2])[c] = inverse;
            memory_.floats(op_.outputs[3])[c] = static_cast<float>(mean * share_of_step);
            memory_.floats(op_.outputs[4])[c] = static_cast<float>(variance * share_of_step);
            factor_[c] = factorOf(c, inverse);
        }
    }

    const Memory& memory_;
    const plan::Op& op_;
    const plan::BatchNormAttributes& attributes_;
    ChannelPasses passes_;
    BatchMoments moments_;
    bool trains_;
    const float *gamma_ = nullptr, *beta_ = nullptr, *moving_mean_ = nullptr, *moving_variance_ = nullptr;
    const float* sums_ = nullptr;  // of all replicas, where they are synchronized
    float* factor_ = nullptr;
};

class BatchNormBack final : public BoundOp {
public:
    BatchNormBack(const Memory& memory, const plan::Op& op, const KernelTable& kernels)
        : memory_(memory),
          op_(op),
          attributes_(std::get<plan::BatchNormAttributes>(op.attributes)),
          passes_(attributes_, memory.sampleElements(op.inputs[0]), kernels),
          dy_(op.inputs[attributes_.scale ? 4 : 3]),
          first_(memory.floats(op.inputs[attributes_.scale ? 2 : 1])),
          second_(memory.floats(op.inputs[attributes_.scale ? 3 : 2])),
          sums_(memory, op.inputs[0], dy_, first_, passes_) {
        if (attributes_.scale) gamma_ = memory.floats(op.inputs[1]);
        if (attributes_.synchronized) all_sums_ = memory.floats(op.inputs.back());
        if (attributes_.masked) {
            counted_ = {memory.cells(op.inputs.back()), memory.shape(op.inputs[0]).back()};
            numbers_ = memory.floats(op.inputs[op.inputs.size() - 2]);
        }
        std::size_t next = 1;
        if (attributes_.frozen || attributes_.synchronized) return;
        if (attributes_.scale) dgamma_ = memory.floats(op.outputs[next++]);
        if (attributes_.center) dbeta_ = memory.floats(op.outputs[next]);
    }

    std::string kernel() const override {
        if (attributes_.frozen) return "moving statistics";
        return all_sums_ != nullptr ? "sums of all replicas" : "sums in " + std::to_string(kBlocks) + " blocks";
    }
    ScratchBytes scratch() const override {
        const std::int64_t channels = passes_.channels() * kFloat;
        return {.shared = attributes_.frozen ? 0 : sums_.floats() * kFloat + 3 * channels, .per_thread = attributes_.frozen ? channels : 0};
    }

    std::vector<Stage> stages(std::byte* shared) override {
        std::vector<Access> variables;
        for (plan::TensorId id : op_.inputs) {
            if (id != op_.inputs[0] && id != dy_) variables.push_back(memory_.reads(id));
        }
        const Access x = memory_.readsSamples(op_.inputs[0]), dy = memory_.readsSamples(dy_), dx = memory_.writesSamples(op_.outputs[0]);
        Stage values{.accesses = {x, dy, dx}};
        values.accesses.insert(values.accesses.end(), variables.begin(), variables.end());
        if (attributes_.frozen) return {values};
        sums_.place(reinterpret_cast<float*>(shared));
        factors_ = reinterpret_cast<float*>(shared) + sums_.floats();
        const Access written{shared, scratch().shared, 0, true}, read{shared, scratch().shared, 0, false};
        values.accesses.push_back(read);
        Stage sums{.accesses = {memory_.readsRuns(op_.inputs[0], kBlocks), memory_.readsRuns(dy_, kBlocks), written},
                   .writes_by_samples = memory_.keepsRuns(kBlocks)};
        Stage factors{.accesses = {written}};
        for (Stage* stage : {&sums, &factors}) stage->accesses.insert(stage->accesses.end(), variables.begin(), variables.end());
        for (std::size_t i = 1; i < op_.outputs.size(); ++i) factors.accesses.push_back(memory_.writes(op_.outputs[i]));
        if (all_sums_ != nullptr) return {factors, values};
        return {sums, factors, values};
    }

    void run(int stage, const StepState& step, int thread) override {
        const Range samples = step.samplesOf(thread);
        const std::int64_t at = samples.begin * memory_.sampleElements(op_.inputs[0]), channels = passes_.channels();
        const float *x = memory_.floats(op_.inputs[0]) + at, *dy = memory_.floats(dy_) + at;
        float* dx = memory_.floats(op_.outputs[0]) + at;
        if (attributes_.frozen) {
            float* factor = step.scratchOf(thread);
            for (std::int64_t c = 0; c < channels; ++c) {
                factor[c] = static_cast<float>((gamma_ == nullptr ? 1 : gamma_[c]) / std::sqrt(second_[c] + attributes_.epsilon));
            }
            return passes_.normalize(dy, samples.size(), nullptr, factor, nullptr, dx);
        }
        const int work = all_sums_ != nullptr ? stage + 1 : stage;
        if (work == 0) return sums_.take(step, thread);
        if (work == 1) return combine(shareLines(channels, thread, step.threads), step.samples);
        const NormalizeBack back{.mean = first_, .factor = factors_, .slope = factors_ + channels, .offset = factors_ + 2 * channels};
        if (!attributes_.masked) return passes_.normalizeBack(x, dy, samples.size(), back, dx);
        passes_.normalizeBackCounted(x, dy, {counted_.mask + at / counted_.width, counted_.width}, samples.size(), back, dx);
    }

private:
    // dx = gamma / deviation (dy - sum(dy) / n - normalized sum(dy normalized) / n) as dy factor + (x - mean) slope + offset.
    void combine(Range channels, std::int64_t samples) const {
        const std::int64_t all = passes_.channels();
        const double values = all_sums_ != nullptr ? all_sums_[2 * all] : static_cast<double>(passes_.count(samples));
        for (std::int64_t c = channels.begin; c < channels.end; ++c) {
            const double count = std::max<double>(numbers_ != nullptr ? numbers_[c] : values, 1);
            const double inverse = second_[c], factor = inverse * (gamma_ == nullptr ? 1 : gamma_[c]);
            BatchGradientSums::Sums sums;
            if (all_sums_ != nullptr) {
                sums = {.sum = all_sums_[all + c], .product = all_sums_[c] / inverse};
            } else {
                sums = sums_.of(c);
            }
            factors_[c] = static_cast<float>(factor);
            factors_[all + c] = static_cast<float>(-factor * inverse * inverse * sums.product / count);
            factors_[2 * all + c] = static_cast<float>(-factor * sums.sum / count);
            if (dgamma_ != nullptr) dgamma_[c] = static_cast<float>(sums.product * inverse);
            if (dbeta_ != nullptr) dbeta_[c] = static_cast<float>(sums.sum);
        }
    }

    const Memory& memory_;
    const plan::Op& op_;
    const plan::BatchNormAttributes& attributes_;
    ChannelPasses passes_;
    plan::TensorId dy_;
    const float *first_, *second_;  // mean and 1 / deviation; frozen: moving mean and variance
    BatchGradientSums sums_;
    const float *gamma_ = nullptr, *all_sums_ = nullptr;  // the latter of all replicas, where they are synchronized
    ChannelPasses::Counted counted_{};                    // with a mask, and how many values of each channel count
    const float* numbers_ = nullptr;
    float *dgamma_ = nullptr, *dbeta_ = nullptr, *factors_ = nullptr;
};

// What synchronized replicas add up: sums of x - moving mean and its square, or of dy normalized and dy; the number of values.
class BatchSums final : public BoundOp {
public:
    BatchSums(const Memory& memory, const plan::Op& op, const KernelTable& kernels)
        : memory_(memory),
          op_(op),
          attributes_(std::get<plan::BatchNormAttributes>(op.attributes)),
          is_forward_(op.kind == plan::OpKind::kBatchSums),
          passes_(attributes_, memory.sampleElements(op.inputs[0]), kernels),
          moments_(memory, op.inputs[0], passes_),
          gradients_(memory, op.inputs[0], op.inputs.back(), memory.floats(op.inputs[1]), passes_) {}

    std::string kernel() const override { return "sums in " + std::to_string(kBlocks) + " blocks"; }
    ScratchBytes scratch() const override { return {.shared = moments_.floats() * kFloat, .per_thread = 0}; }

    std::vector<Stage> stages(std::byte* shared) override {
        moments_.place(reinterpret_cast<float*>(shared));
        gradients_.place(reinterpret_cast<float*>(shared));
        Stage blocks{.accesses = {{shared, scratch().shared, 0, true}}}, sums{.accesses = {{shared, scratch().shared, 0, false}}};
        for (plan::TensorId id : op_.inputs) blocks.accesses.push_back(memory_.reads(id));
        for (std::size_t i = 1; i < op_.inputs.size(); ++i) sums.accesses.push_back(memory_.reads(op_.inputs[i]));
        for (plan::TensorId id : op_.outputs) sums.accesses.push_back(memory_.writes(id));
        return {blocks, sums};
    }

    void run(int stage, const StepState& step, int thread) override {
        if (stage == 0) {
            return is_forward_ ? moments_.take(step, thread) : gradients_.take(step, thread);
        }
        const Range mine = shareLines(passes_.channels(), thread, step.threads);
        for (std::int64_t c = mine.begin; c < mine.end; ++c) is_forward_ ? sumOfValues(c, step) : sumOfGradients(c);
        if (thread == 0) memory_.floats(op_.outputs[0])[2 * passes_.channels()] = static_cast<float>(passes_.count(step.samples));
    }

private:
    void sumOfValues(std::int64_t c, const StepState& step) const {
        float* sums = memory_.floats(op_.outputs[0]);
        const BatchMoments::Moments moments = moments_.of(c, step);
        const double distance = moments.mean - memory_.floats(op_.inputs[1])[c];
        sums[c] = static_cast<float>(moments.count * distance);
        sums[passes_.channels() + c] = static_cast<float>(moments.squares + moments.count * distance * distance);
    }

    void sumOfGradients(std::int64_t c) const {
        float* sums = memory_.floats(op_.outputs[0]);
        const BatchGradientSums::Sums of_channel = gradients_.of(c);
        sums[c] = static_cast<float>(of_channel.product * memory_.floats(op_.inputs[2])[c]);
        sums[passes_.channels() + c] = static_cast<float>(of_channel.sum);
        std::size_t output = 1;
        if (attributes_.scale) memory_.floats(op_.outputs[output++])[c] = sums[c];
        if (attributes_.center) memory_.floats(op_.outputs[output])[c] = sums[passes_.channels() + c];
    }

    const Memory& memory_;
    const plan::Op& op_;
    const plan::BatchNormAttributes& attributes_;
    bool is_forward_;
    ChannelPasses passes_;
    BatchMoments moments_;
    BatchGradientSums gradients_;
};

// state = state * momentum + step; a few values.
class MovingAverage final : public BoundOp {
public:
    MovingAverage(const Memory& memory, const plan::Op& op)
        : memory_(memory), op_(op), momentum_(static_cast<float>(std::get<plan::BatchNormAttributes>(op.attributes).momentum)) {}

    std::string kernel() const override { return "one pass"; }
    std::vector<Stage> stages(std::byte*) override {
        return {{.accesses = {memory_.reads(op_.inputs[1]), memory_.writes(op_.outputs[0])}}};
    }
    void run(int, const StepState&, int thread) override {
        if (thread != 0) return;
        float* state = memory_.floats(op_.outputs[0]);
        const float* added = memory_.floats(op_.inputs[1]);
        for (std::int64_t i = 0; i < memory_.elements(op_.outputs[0]); ++i) state[i] = state[i] * momentum_ + added[i];
    }

private:
    const Memory& memory_;
    const plan::Op& op_;
    float momentum_;
};

}  // namespace

std::unique_ptr<BoundOp> bindBatchNorm(const Memory& memory, const plan::Op& op, const KernelTable& kernels) {
    if (op.kind == plan::OpKind::kMovingAverage) return std::make_unique<MovingAverage>(memory, op);
    if (op.kind == plan::OpKind::kBatchSums || op.kind == plan::OpKind::kBatchBackSums)
        return std::make_unique<BatchSums>(memory, op, kernels);
    if (op.kind == plan::OpKind::kBatchNormBack) return std::make_unique<BatchNormBack>(memory, op, kernels);
    return std::make_unique<BatchNorm>(memory, op, kernels);
}

}  // namespace engine::backend::cpu
