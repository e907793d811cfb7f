// Ops that move or resample the cells of images, and the order of axes: vectors along the channels.
#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/image/color_map.h"
#include "engine/backend/image/erasing.h"
#include "engine/backend/image/image_map.h"
#include "engine/backend/image/resample_taps.h"
#include "engine/backend/image/resize_taps.h"

namespace engine::backend::cpu {
namespace {

// Makes one image of another, sample by sample.
class ImageOp : public BoundOp {
public:
    ImageOp(const Memory& memory, const plan::Op& op, const KernelTable& kernels)
        : memory_(memory),
          op_(op),
          kernels_(kernels),
          in_size_(memory.sampleElements(op.inputs[0])),
          out_size_(memory.sampleElements(op.outputs[0])) {}

    std::vector<Stage> stages(std::byte*) override {
        return {{.accesses = {memory_.readsSamples(op_.inputs[0]), memory_.writesSamples(op_.outputs[0])}}};
    }

    void run(int, const StepState& step, int thread) override {
        const Range mine = step.samplesOf(thread);
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            sample(memory_.floats(op_.inputs[0]) + i * in_size_, memory_.floats(op_.outputs[0]) + i * out_size_);
        }
    }

protected:
    virtual void sample(const float* in, float* out) const = 0;

    const Memory& memory_;
    const plan::Op& op_;
    const KernelTable& kernels_;

private:
    std::int64_t in_size_, out_size_;
};

// Axes of x: `source`, which becomes the last of y, and x's own last. Transposed as a matrix when they differ, copied when not; the other
// axes are loops.
class Transpose final : public ImageOp {
public:
    Transpose(const Memory& memory, const plan::Op& op, const KernelTable& kernels) : ImageOp(memory, op, kernels) {
        const spec::Shape& x = memory.shape(op.inputs[0]);
        const std::vector<int>& axes = std::get<plan::Permutation>(op.attributes).axes;
        const std::size_t rank = axes.size();
        std::vector<std::int64_t> x_strides(rank, 1), y_strides(rank, 1);
        const auto size = [&](std::size_t y_axis) { return x[static_cast<std::size_t>(axes[y_axis]) + 1]; };
        for (std::size_t i = rank - 1; i-- > 0;) {
            x_strides[i] = x_strides[i + 1] * x[i + 2];
            y_strides[i] = y_strides[i + 1] * size(i + 1);
        }
        const int last = static_cast<int>(rank) - 1;
        for (std::size_t i = 0; i < rank; ++i) {
            const Loop loop{size(i), x_strides[static_cast<std::size_t>(axes[i])], y_strides[i]};
            if (i + 1 == rank) {
                across_ = loop;
            } else if (axes[i] == last) {
                along_ = loop;
            } else {
                loops_.push_back(loop);
            }
        }
    }

    std::string kernel() const override { return along_.size > 0 ? "transposed blocks" : "runs"; }

private:
    struct Loop {
        std::int64_t size = 0;
        std::ptrdiff_t x_stride = 0, y_stride = 0;
    };

    void sample(const float* in, float* out) const override { walk(0, in, out); }

    void walk(std::size_t depth, const float* x, float* y) const {
        if (depth < loops_.size()) {
            const Loop& loop = loops_[depth];
            for (std::int64_t i = 0; i < loop.size; ++i) walk(depth + 1, x + i * loop.x_stride, y + i * loop.y_stride);
        } else if (along_.size > 0) {
            kernels_.transpose(x, across_.x_stride, across_.size, along_.size, y, along_.y_stride);
        } else {
            kernels_.copyValues(x, across_.size, y);
        }
    }

    Loop across_;  // y's last axis
    Loop along_;   // x's last axis; size 0: it is y's last too
    std::vector<Loop> loops_;
};

struct ImageSize {
    std::int64_t height, width, channels;
    explicit ImageSize(const spec::Shape& shape) {
        const spec::Shape image = plan::imageShape(shape);
        height = image[1];
        width = image[2];
        channels = image[3];
    }
};

class Pad final : public ImageOp {
public:
    Pad(const Memory& memory, const plan::Op& op, const KernelTable& kernels)
        : ImageOp(memory, op, kernels),
          pads_(std::get<plan::Pads2D>(op.attributes)),
          in_(memory.shape(op.inputs[0])),
          out_(memory.shape(op.outputs[0])) {}

    std::string kernel() const override { return "rows"; }

private:
    void sample(const float* in, float* out) const override {
        const std::int64_t first = std::max(pads_.left, 0), last = std::min(out_.width, in_.width + pads_.left);
        const std::int64_t row = out_.width * out_.channels;
        for (std::int64_t h = 0; h < out_.height; ++h, out += row) {
            const std::int64_t from = h - pads_.top;
            if (from < 0 || from >= in_.height || last <= first) {
                std::fill_n(out, row, 0.0F);
                continue;
            }
            std::fill_n(out, first * out_.channels, 0.0F);
            std::copy_n(in + (from * in_.width + first - pads_.left) * in_.channels, (last - first) * out_.channels,
                        out + first * out_.channels);
            std::fill_n(out + last * out_.channels, (out_.width - last) * out_.channels, 0.0F);
        }
    }

    plan::Pads2D pads_;
    ImageSize in_, out_;
};

// The cells of each window, row by row; back: the sum of what became of each cell.
class Patches final : public ImageOp {
public:
    Patches(const Memory& memory, const plan::Op& op, const KernelTable& kernels)
        : ImageOp(memory, op, kernels),
          window_(std::get<plan::Window2D>(op.attributes)),
          is_forward_(op.kind == plan::OpKind::kPatches),
          image_(memory.shape(is_forward_ ? op.inputs[0] : op.outputs[0])),
          patches_(memory.shape(is_forward_ ? op.outputs[0] : op.inputs[0])) {}

    std::string kernel() const override { return is_forward_ ? "cells" : "sums of cells"; }

private:
    void sample(const float* in, float* out) const override {
        const std::int64_t channels = image_.channels;
        if (!is_forward_) std::fill_n(out, image_.height * image_.width * channels, 0.0F);
        std::int64_t patch = 0;
        for (std::int64_t row = 0; row < patches_.height; ++row) {
            for (std::int64_t place = 0; place < patches_.width; ++place, patch += channels) {
                const std::int64_t cell = cellAt(row, place);
                if (!is_forward_) {
                    if (cell >= 0) addTo(out + cell * channels, in + patch, channels);
                } else if (cell >= 0) {
                    std::copy_n(in + cell * channels, channels, out + patch);
                } else {
                    std::fill_n(out + patch, channels, 0.0F);
                }
            }
        }
    }

    // Returns the image's cell that a place of the patches shows; -1: it lies beyond the image.
    std::int64_t cellAt(std::int64_t row, std::int64_t place) const {
        const std::int64_t cells = std::int64_t{window_.kernel_h} * window_.kernel_w, cell = place % cells;
        const std::int64_t h = row * window_.stride_h + cell / window_.kernel_w * window_.dilation_h - window_.pad_top,
                           w = place / cells * window_.stride_w + cell % window_.kernel_w * window_.dilation_w - window_.pad_left;
        return h < 0 || h >= image_.height || w < 0 || w >= image_.width ? -1 : h * image_.width + w;
    }

    static void addTo(float* sums, const float* values, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i) sums[i] += values[i];
    }

    plan::Window2D window_;
    bool is_forward_;
    ImageSize image_, patches_;
};

// Rows and columns repeated; back: the sum of each cell's copies.
class Repeat final : public ImageOp {
public:
    Repeat(const Memory& memory, const plan::Op& op, const KernelTable& kernels)
        : ImageOp(memory, op, kernels),
          resize_(std::get<plan::Resize2D>(op.attributes)),
          is_forward_(op.kind == plan::OpKind::kUpsample2D),
          small_(memory.shape(is_forward_ ? op.inputs[0] : op.outputs[0])) {}

    std::string kernel() const override { return is_forward_ ? "repeated rows" : "sums along channels"; }

private:
    void sample(const float* in, float* out) const override {
        const std::int64_t channels = small_.channels, row = small_.width * resize_.columns * channels;
        const WindowSumArgs window{.rows = resize_.rows, .columns = resize_.columns, .row_stride = row, .channels = channels};
        for (std::int64_t h = 0; h < small_.height; ++h) {
            for (std::int64_t w = 0; w < small_.width; ++w) {
                if (is_forward_) {
                    for (int i = 0; i < resize_.columns; ++i, out += channels) kernels_.copyValues(in, channels, out);
                    in += channels;
                } else {
                    kernels_.sumWindow(window, in + w * resize_.columns * channels, out);
                    out += channels;
                }
            }
            if (!is_forward_) {
                in += resize_.rows * row;
                continue;
            }
            for (int i = 1; i < resize_.rows; ++i, out += row) std::copy_n(out - row, row, out);
        }
    }

    plan::Resize2D resize_;
    bool is_forward_;
    ImageSize small_;
};

// Straight lines between the centres of neighbouring cells.
class Bilinear final : public ImageOp {
public:
    Bilinear(const Memory& memory, const plan::Op& op, const KernelTable& kernels)
        : ImageOp(memory, op, kernels),
          is_forward_(op.kind == plan::OpKind::kUpsample2D),
          small_(memory.shape(is_forward_ ? op.inputs[0] : op.outputs[0])) {
        const auto& resize = std::get<plan::Resize2D>(op.attributes);
        rows_ = tapsOf(resize.rows, small_.height);
        columns_ = tapsOf(resize.columns, small_.width);
    }

    std::string kernel() const override { return "bilinear along channels"; }

private:
    struct Taps {
        std::int64_t first = 0, second = 0;
        float second_weight = 0;
    };

    static std::vector<Taps> tapsOf(int times, std::int64_t size) {
        std::vector<Taps> taps;
        for (std::int64_t i = 0; i < size * times; ++i) {
            const ResizeTaps of = resizeTaps(plan::Interpolation::kBilinear, times, i, size);
            taps.push_back({of.first, of.second, static_cast<float>(of.second_weight)});
        }
        return taps;
    }

    void sample(const float* in, float* out) const override {
        const std::int64_t channels = small_.channels, small_row = small_.width * channels;
        if (!is_forward_) std::fill_n(out, small_.height * small_row, 0.0F);
        for (const Taps& row : rows_) {
            for (const Taps& column : columns_) {
                BlendArgs blend{.count = 4, .channels = channels};
                for (int t = 0; t < 4; ++t) {
                    blend.offsets[t] =
                        (t < 2 ? row.first : row.second) * small_row + (t % 2 == 0 ? column.first : column.second) * channels;
                    blend.weights[t] = (t < 2 ? 1 - row.second_weight : row.second_weight) *
                                       (t % 2 == 0 ? 1 - column.second_weight : column.second_weight);
                }
                if (is_forward_) {
                    kernels_.blendCells(blend, in, out);
                    out += channels;
                } else {
                    kernels_.spreadCell(blend, in, out);
                    in += channels;
                }
            }
        }
    }

    bool is_forward_;
    ImageSize small_;
    std::vector<Taps> rows_, columns_;  // of the larger image
};

// The same of any part of the image and any size of the result; the nearest cells, too.
class Resample final : public BoundOp {
public:
    Resample(const Memory& memory, const plan::Op& op, const KernelTable& kernels)
        : memory_(memory),
          op_(op),
          kernels_(kernels),
          part_(std::get<plan::Resample2D>(op.attributes)),
          is_forward_(op.kind == plan::OpKind::kResample2D),
          image_(memory.shape(is_forward_ ? op.inputs[0] : op.outputs[0])) {
        const ImageSize result(memory.shape(is_forward_ ? op.outputs[0] : op.inputs[0]));
        for (std::int64_t i = 0; i < result.height; ++i)
            rows_.push_back(resampleTaps(part_.interpolation, 0, part_.rows, result.height, i));
        for (std::int64_t i = 0; i < result.width; ++i) {
            columns_.push_back(resampleTaps(part_.interpolation, 0, part_.columns, result.width, i));
        }
    }

    std::string kernel() const override { return is_forward_ ? "blended cells" : "spread cells"; }

    std::vector<Stage> stages(std::byte*) override {
        return {{.accesses = {memory_.readsSamples(op_.inputs[0]), memory_.writesSamples(op_.outputs[0])}}};
    }

    void run(int, const StepState& step, int thread) override {
        const Range mine = step.samplesOf(thread);
        const std::int64_t in_size = memory_.sampleElements(op_.inputs[0]), out_size = memory_.sampleElements(op_.outputs[0]);
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            const PartBegin begin = partBegin(step.randomItemOf(part_.seed, i).key, part_);
            sample(begin, memory_.floats(op_.inputs[0]) + i * in_size, memory_.floats(op_.outputs[0]) + i * out_size);
        }
    }

private:
    void sample(const PartBegin& begin, const float* in, float* out) const {
        const std::int64_t channels = image_.channels;
        if (!is_forward_) std::fill_n(out, image_.height * image_.width * channels, 0.0F);
        for (const ResampleTaps& row : rows_) {
            for (const ResampleTaps& column : columns_) {
                const BlendArgs blend = blendOf(begin, row, column);
                if (is_forward_) {
                    kernels_.blendCells(blend, in, out);
                    out += channels;
                } else {
                    kernels_.spreadCell(blend, in, out);
                    in += channels;
                }
            }
        }
    }

    BlendArgs blendOf(const PartBegin& begin, const ResampleTaps& row, const ResampleTaps& column) const {
        BlendArgs blend{.channels = image_.channels};
        for (int tap = 0; tap < 4; ++tap) {
            const float weight =
                (tap < 2 ? 1 - row.second_weight : row.second_weight) * (tap % 2 == 0 ? 1 - column.second_weight : column.second_weight);
            if (weight == 0) continue;
            const std::int64_t at_row = begin.top + (tap < 2 ? row.first : row.second);
            const std::int64_t at_column = begin.left + (tap % 2 == 0 ? column.first : column.second);
            if (at_row < 0 || at_row >= image_.height || at_column < 0 || at_column >= image_.width) {
                blend.constant += weight * static_cast<float>(part_.fill_value);
                continue;
            }
            blend.offsets[blend.count] = (at_row * image_.width + at_column) * image_.channels;
            blend.weights[blend.count++] = weight;
        }
        return blend;
    }

    const Memory& memory_;
    const plan::Op& op_;
    const KernelTable& kernels_;
    plan::Resample2D part_;
    bool is_forward_;
    ImageSize image_;
    std::vector<ResampleTaps> rows_, columns_;  // of a part that begins at 0
};

class RandomImage final : public BoundOp {
public:
    RandomImage(const Memory& memory, const plan::Op& op, const KernelTable& kernels)
        : memory_(memory),
          op_(op),
          kernels_(kernels),
          random_(std::get<plan::RandomImage>(op.attributes)),
          is_forward_(op.kind == plan::OpKind::kRandomImage),
          maps_(is_forward_ ? op.outputs[1] : op.inputs[1]),
          size_(memory.shape(op.inputs[0])) {}

    std::string kernel() const override { return is_forward_ ? "blended cells" : "spread cells"; }

    std::vector<Stage> stages(std::byte*) override {
        return {{.accesses = {memory_.readsSamples(op_.inputs[0]), is_forward_ ? memory_.writesSamples(maps_) : memory_.readsSamples(maps_),
                              memory_.writesSamples(op_.outputs[0])}}};
    }

    void run(int, const StepState& step, int thread) override {
        const Range mine = step.samplesOf(thread);
        const std::int64_t size = memory_.sampleElements(op_.inputs[0]), numbers = memory_.sampleElements(maps_);
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            const float* in = memory_.floats(op_.inputs[0]) + i * size;
            float* out = memory_.floats(op_.outputs[0]) + i * size;
            ImageMap map;
            if (is_forward_) {
                const RandomItem item = step.randomItemOf(random_.seed, i);
                map = drawImageMap(item.key, random_, item.sample, size_.height, size_.width);
                std::memcpy(memory_.floats(maps_) + i * numbers, &map, sizeof map);
            } else {
                std::memcpy(static_cast<void*>(&map), memory_.floats(maps_) + i * numbers, sizeof map);
                std::fill_n(out, size, 0.0F);
            }
            moveCells(map, in, out);
        }
    }

private:
    void moveCells(const ImageMap& map, const float* in, float* out) const {
        for (std::int64_t row = 0; row < size_.height; ++row) {
            for (std::int64_t column = 0; column < size_.width; ++column) {
                const ImageTaps taps = imageTaps(map, random_, row, column, size_.height, size_.width);
                BlendArgs blend{.count = taps.count, .constant = taps.constant, .channels = size_.channels};
                for (std::size_t t = 0; t < static_cast<std::size_t>(taps.count); ++t) {
                    blend.offsets[t] = taps.cells[t] * size_.channels;
                    blend.weights[t] = taps.weights[t];
                }
                const std::int64_t cell = (row * size_.width + column) * size_.channels;
                is_forward_ ? kernels_.blendCells(blend, in, out + cell) : kernels_.spreadCell(blend, in + cell, out);
            }
        }
    }

    const Memory& memory_;
    const plan::Op& op_;
    const KernelTable& kernels_;
    plan::RandomImage random_;
    bool is_forward_;
    plan::TensorId maps_;
    ImageSize size_;
};

class RandomColors final : public BoundOp {
public:
    RandomColors(const Memory& memory, const plan::Op& op)
        : memory_(memory),
          op_(op),
          colors_(std::get<plan::RandomColors>(op.attributes)),
          is_forward_(op.kind == plan::OpKind::kRandomColors) {
        const ImageSize size(memory.shape(op.inputs[0]));
        image_ = {size.height * size.width, size.channels};
    }

    std::string kernel() const override { return "value by value"; }

    std::vector<Stage> stages(std::byte*) override {
        std::vector<Access> accesses{memory_.readsSamples(op_.inputs[0]), memory_.writesSamples(op_.outputs[0])};
        if (!is_forward_) accesses.push_back(memory_.readsSamples(op_.inputs[1]));
        return {{.accesses = std::move(accesses)}};
    }

    void run(int, const StepState& step, int thread) override {
        const Range mine = step.samplesOf(thread);
        const std::int64_t size = memory_.sampleElements(op_.inputs[0]);
        const auto sampleOf = [&](plan::TensorId id, std::int64_t i) {
            return std::span(memory_.floats(id) + i * size, static_cast<std::size_t>(size));
        };
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            const RandomItem item = step.randomItemOf(colors_.seed, i);
            const ColorNumbers numbers = drawColorNumbers(item.key, colors_, item.sample);
            if (is_forward_) {
                mapColors(colors_, numbers, image_, sampleOf(op_.inputs[0], i), sampleOf(op_.outputs[0], i));
            } else {
                mapColorsBack(colors_, numbers, image_, sampleOf(op_.inputs[0], i), sampleOf(op_.inputs[1], i),
                              sampleOf(op_.outputs[0], i));
            }
        }
    }

private:
    const Memory& memory_;
    const plan::Op& op_;
    plan::RandomColors colors_;
    bool is_forward_;
    ColorImage image_{};
};

class RandomErasing final : public BoundOp {
public:
    RandomErasing(const Memory& memory, const plan::Op& op)
        : memory_(memory),
          op_(op),
          erasing_(std::get<plan::RandomErasing>(op.attributes)),
          erase_(op.kind == plan::OpKind::kRandomErasing ? eraseBox : eraseBoxBack) {
        const ImageSize size(memory.shape(op.inputs[0]));
        image_ = {size.height, size.width, size.channels};
    }

    std::string kernel() const override { return "value by value"; }

    std::vector<Stage> stages(std::byte*) override {
        return {{.accesses = {memory_.readsSamples(op_.inputs[0]), memory_.writesSamples(op_.outputs[0])}}};
    }

    void run(int, const StepState& step, int thread) override {
        const Range mine = step.samplesOf(thread);
        const std::int64_t size = memory_.sampleElements(op_.inputs[0]);
        const auto count = static_cast<std::size_t>(size);
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            erase_(erasing_, step.randomItemOf(erasing_.seed, i), image_, {memory_.floats(op_.inputs[0]) + i * size, count},
                   {memory_.floats(op_.outputs[0]) + i * size, count});
        }
    }

private:
    const Memory& memory_;
    const plan::Op& op_;
    plan::RandomErasing erasing_;
    decltype(&eraseBox) erase_;
    ErasedImage image_{};
};

}  // namespace

std::unique_ptr<BoundOp> bindImage(const Memory& memory, const plan::Op& op, const KernelTable& kernels) {
    switch (op.kind) {
        case plan::OpKind::kTranspose:
            return std::make_unique<Transpose>(memory, op, kernels);
        case plan::OpKind::kPad2D:
            return std::make_unique<Pad>(memory, op, kernels);
        case plan::OpKind::kPatches:
        case plan::OpKind::kPatchesBack:
            return std::make_unique<Patches>(memory, op, kernels);
        case plan::OpKind::kResample2D:
        case plan::OpKind::kResample2DBack:
            return std::make_unique<Resample>(memory, op, kernels);
        case plan::OpKind::kRandomImage:
        case plan::OpKind::kRandomImageBack:
            return std::make_unique<RandomImage>(memory, op, kernels);
        case plan::OpKind::kRandomColors:
        case plan::OpKind::kRandomColorsBack:
            return std::make_unique<RandomColors>(memory, op);
        case plan::OpKind::kRandomErasing:
        case plan::OpKind::kRandomErasingBack:
            return std::make_unique<RandomErasing>(memory, op);
        default:
            break;
    }
    if (std::get<plan::Resize2D>(op.attributes).interpolation == plan::Interpolation::kBilinear) {
        return std::make_unique<Bilinear>(memory, op, kernels);
    }
    return std::make_unique<Repeat>(memory, op, kernels);
}

}  // namespace engine::backend::cpu
