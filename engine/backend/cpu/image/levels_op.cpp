// ImageLevels and its way back: each thread has the images of its own samples, whose channels it takes together, or with tiles one after
// another. A batch's values are counted by blocks of images, whose number depends on the plan alone.
#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/image/levels.h"

namespace engine::backend::cpu {
namespace {

class StretchLevels final : public BoundOp {
public:
    StretchLevels(const Memory& memory, const plan::Op& op)
        : memory_(memory),
          op_(op),
          levels_(std::get<plan::ImageLevels>(op.attributes)),
          is_forward_(op.kind == plan::OpKind::kImageLevels),
          channels_(static_cast<std::size_t>(memory.shape(op.inputs[0]).back())),
          values_(static_cast<std::size_t>(memory.sampleElements(op.inputs[0]))) {}

    std::string kernel() const override { return "value by value, extremes"; }

    // Sums first, so that they lie on their boundaries.
    ScratchBytes scratch() const override {
        const std::size_t bytes = channels_ * (sizeof(ChannelLevels) + (is_forward_ ? 0 : sizeof(LevelSums)));
        return {.per_thread = static_cast<std::int64_t>(bytes)};
    }

    std::vector<Stage> stages(std::byte*) override {
        std::vector<Access> accesses{memory_.readsSamples(op_.inputs[0]), memory_.writesSamples(op_.outputs[0])};
        if (!is_forward_) accesses.push_back(memory_.readsSamples(op_.inputs[1]));
        return {{.accesses = std::move(accesses)}};
    }

    void run(int, const StepState& step, int thread) override {
        const Range mine = step.samplesOf(thread);
        float* scratch = step.scratchOf(thread);
        for (std::int64_t i = mine.begin; i < mine.end; ++i) is_forward_ ? forward(i, scratch) : back(i, scratch);
    }

private:
    std::span<float> valuesOf(plan::TensorId id, std::int64_t item) const {
        return {memory_.floats(id) + item * static_cast<std::int64_t>(values_), values_};
    }

    // `visit` gets the channel and the place in the image of each value, in order.
    template <typename Visit>
    void forEach(const Visit& visit) const {
        for (std::size_t pixel = 0; pixel < values_; pixel += channels_) {
            for (std::size_t channel = 0; channel < channels_; ++channel) visit(channel, pixel + channel);
        }
    }
    std::span<ChannelLevels> extremesOf(std::span<const float> x, void* scratch) const {
        const std::span<ChannelLevels> extremes(static_cast<ChannelLevels*>(scratch), channels_);
        std::fill(extremes.begin(), extremes.end(), ChannelLevels{});
        forEach([&](std::size_t channel, std::size_t at) { extremes[channel].add(levelOf(levels_, x[at])); });
        return extremes;
    }

    void forward(std::int64_t item, void* scratch) const {
        const std::span<const float> x = valuesOf(op_.inputs[0], item);
        const std::span<float> y = valuesOf(op_.outputs[0], item);
        const std::span<const ChannelLevels> extremes = extremesOf(x, scratch);
        forEach([&](std::size_t channel, std::size_t at) { y[at] = stretchedValue(levels_, extremes[channel], x[at]); });
    }

    void back(std::int64_t item, void* scratch) const {
        const std::span<const float> dy = valuesOf(op_.inputs[0], item), x = valuesOf(op_.inputs[1], item);
        const std::span<float> dx = valuesOf(op_.outputs[0], item);
        const std::span<LevelSums> sums(static_cast<LevelSums*>(scratch), channels_);
        std::fill(sums.begin(), sums.end(), LevelSums{});
        const std::span<const ChannelLevels> extremes = extremesOf(x, sums.data() + channels_);
        forEach([&](std::size_t channel, std::size_t at) { sums[channel].add(extremes[channel], levelOf(levels_, x[at]), dy[at]); });
        forEach(
            [&](std::size_t channel, std::size_t at) { dx[at] = stretchedBack(levels_, extremes[channel], sums[channel], x[at], dy[at]); });
    }

    const Memory& memory_;
    const plan::Op& op_;
    plan::ImageLevels levels_;
    bool is_forward_;
    std::size_t channels_, values_;
};

// Stages: counts of each block, a table of each channel at each time, values.
class EqualizeLevels final : public BoundOp {
public:
    EqualizeLevels(const Memory& memory, const plan::Op& op)
        : memory_(memory),
          op_(op),
          levels_(std::get<plan::ImageLevels>(op.attributes)),
          is_forward_(op.kind == plan::OpKind::kImageLevels),
          blocks_(std::clamp<std::int64_t>(memory.batch(), 1, kMaxBlocks)),
          channels_(memory.shape(op.inputs[0]).back()),
          times_(timesOf(memory)),
          values_(memory.sampleElements(op.inputs[0])) {}

    std::string kernel() const override { return "value by value, counts in " + std::to_string(blocks_) + " blocks"; }

    ScratchBytes scratch() const override {
        const std::int64_t bins = groups() * levels_.bins;
        return {.shared = (blocks_ * bins + groups()) * static_cast<std::int64_t>(sizeof(std::int32_t)) +
                          bins * static_cast<std::int64_t>(sizeof(float))};
    }

    std::vector<Stage> stages(std::byte* shared) override {
        counts_ = reinterpret_cast<std::int32_t*>(shared);
        changes_ = counts_ + blocks_ * groups() * levels_.bins;
        tables_ = reinterpret_cast<float*>(changes_ + groups());
        const Access written{shared, scratch().shared, 0, true}, read{shared, scratch().shared, 0, false};
        const plan::TensorId x = op_.inputs[is_forward_ ? 0 : 1];
        Stage values{.accesses = {read, memory_.readsSamples(op_.inputs[0]), memory_.writesSamples(op_.outputs[0])}};
        return {{.accesses = {memory_.reads(x), written}}, {.accesses = {written}}, std::move(values)};
    }

    void run(int stage, const StepState& step, int thread) override {
        if (stage == 0) return count(share(blocks_, thread, step.threads), step.samples);
        if (stage == 1) return fill(share(groups(), thread, step.threads));
        const Range mine = step.samplesOf(thread);
        for (std::int64_t i = mine.begin; i < mine.end; ++i) change(i);
    }

private:
    static constexpr std::int64_t kMaxBlocks = 16;

    // Inside TimeDistributed an image counts as a sample (FoldedOp); what comes into the model has as many as there are.
    static std::int64_t timesOf(const Memory& memory) {
        const std::int64_t samples = memory.shape(memory.plan().input).front();
        return samples == 0 ? 1 : memory.batch() / samples;
    }
    std::int64_t groups() const { return times_ * channels_; }

    void count(Range blocks, std::int64_t items) const {
        for (std::int64_t block = blocks.begin; block < blocks.end; ++block) {
            std::int32_t* counts = counts_ + block * groups() * levels_.bins;
            std::fill_n(counts, groups() * levels_.bins, 0);
            const Range mine = share(items, block, blocks_);
            for (std::int64_t item = mine.begin; item < mine.end; ++item) {
                const float* x = memory_.floats(op_.inputs[is_forward_ ? 0 : 1]) + item * values_;
                std::int32_t* of_time = counts + item % times_ * channels_ * levels_.bins;
                for (std::int64_t i = 0; i < values_; i += channels_) {
                    for (std::int64_t channel = 0; channel < channels_; ++channel) {
                        ++of_time[channel * levels_.bins + countedBin(levels_, equalizedLevelOf(levels_, x[i + channel]))];
                    }
                }
            }
        }
    }

    void fill(Range groups_of_thread) const {
        for (std::int64_t group = groups_of_thread.begin; group < groups_of_thread.end; ++group) {
            std::int32_t* all = counts_ + group * levels_.bins;
            for (std::int64_t block = 1; block < blocks_; ++block) {
                const std::int32_t* more = all + block * groups() * levels_.bins;
                for (int bin = 0; bin < levels_.bins; ++bin) all[bin] += more[bin];
            }
            changes_[group] = fillEqualizedLevels(levels_, all, tables_ + group * levels_.bins) ? 1 : 0;
        }
    }

    void change(std::int64_t item) const {
        const float* in = memory_.floats(op_.inputs[0]) + item * values_;
        float* out = memory_.floats(op_.outputs[0]) + item * values_;
        for (std::int64_t channel = 0; channel < channels_; ++channel) {
            const std::int64_t group = item % times_ * channels_ + channel;
            const float* of_bins = changes_[group] == 0 ? nullptr : tables_ + group * levels_.bins;
            for (std::int64_t i = channel; i < values_; i += channels_) {
                out[i] = is_forward_ ? equalizedValue(levels_, of_bins, in[i]) : equalizedBack(of_bins, in[i]);
            }
        }
    }

    const Memory& memory_;
    const plan::Op& op_;
    plan::ImageLevels levels_;
    bool is_forward_;
    std::int64_t blocks_, channels_, times_, values_;
    std::int32_t* counts_ = nullptr;   // (blocks, times, channels, bins); the first block's become those of all
    std::int32_t* changes_ = nullptr;  // (times, channels)
    float* tables_ = nullptr;          // (times, channels, bins)
};

// Tables have no slope: the way back is zeros.
class TileLevels final : public BoundOp {
public:
    TileLevels(const Memory& memory, const plan::Op& op)
        : memory_(memory),
          op_(op),
          levels_(std::get<plan::ImageLevels>(op.attributes)),
          is_forward_(op.kind == plan::OpKind::kImageLevels),
          grid_(levels_, memory.shape(op.inputs[0])[1], memory.shape(op.inputs[0])[2]),
          channels_(memory.shape(op.inputs[0])[3]),
          values_(memory.sampleElements(op.inputs[0])) {}

    std::string kernel() const override { return is_forward_ ? "value by value, counts of tiles" : "zeros"; }

    // The tables of a channel, and the counts of one tile.
    ScratchBytes scratch() const override {
        static_assert(sizeof(std::int32_t) == sizeof(float));
        return {.per_thread = is_forward_ ? (grid_.tiles() + 1) * kTileLevels * static_cast<std::int64_t>(sizeof(float)) : 0};
    }

    std::vector<Stage> stages(std::byte*) override {
        std::vector<Access> accesses{memory_.writesSamples(op_.outputs[0])};
        if (is_forward_) accesses.push_back(memory_.readsSamples(op_.inputs[0]));
        return {{.accesses = std::move(accesses)}};
    }

    void run(int, const StepState& step, int thread) override {
        const Range mine = step.samplesOf(thread);
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            float* out = memory_.floats(op_.outputs[0]) + i * values_;
            if (!is_forward_) {
                std::fill_n(out, values_, 0.0F);
                continue;
            }
            const float* x = memory_.floats(op_.inputs[0]) + i * values_;
            for (std::int64_t channel = 0; channel < channels_; ++channel) change(x + channel, out + channel, step.scratchOf(thread));
        }
    }

private:
    // One channel of an image, whose values stand `channels_` apart.
    void change(const float* x, float* y, float* tables) const {
        auto* counts = reinterpret_cast<std::int32_t*>(tables + grid_.tiles() * kTileLevels);
        for (std::int64_t tile = 0; tile < grid_.tiles(); ++tile) {
            std::fill_n(counts, kTileLevels, 0);
            for (std::int64_t cell = 0; cell < grid_.cellsOfTile(); ++cell) {
                ++counts[tileLevel(levels_, x[grid_.cellOf(tile, cell) * channels_])];
            }
            fillTileLevels(levels_, grid_.cellsOfTile(), counts, tables + tile * kTileLevels);
        }
        for (std::int64_t row = 0; row < grid_.height; ++row) {
            for (std::int64_t column = 0; column < grid_.width; ++column) {
                const std::int64_t at = (row * grid_.width + column) * channels_;
                y[at] = tiledValue(levels_, grid_, tables, row, column, x[at]);
            }
        }
    }

    const Memory& memory_;
    const plan::Op& op_;
    plan::ImageLevels levels_;
    bool is_forward_;
    LevelTiles grid_;
    std::int64_t channels_, values_;
};

}  // namespace

std::unique_ptr<BoundOp> bindLevels(const Memory& memory, const plan::Op& op) {
    switch (std::get<plan::ImageLevels>(op.attributes).map) {
        case plan::ImageLevels::Map::kEqualization:
            return std::make_unique<EqualizeLevels>(memory, op);
        case plan::ImageLevels::Map::kAdaptive:
            return std::make_unique<TileLevels>(memory, op);
        case plan::ImageLevels::Map::kStretch:
            break;
    }
    return std::make_unique<StretchLevels>(memory, op);
}

}  // namespace engine::backend::cpu
