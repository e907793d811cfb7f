// Products of the dense layers: y = act(x w + b) with x (rows, K), w (K, N), whatever axes the weights have; dx = g w^T; dw = x^T g.
#include <algorithm>
#include <optional>
#include <string>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/cpu/convolution/pair_operands.h"
#include "engine/backend/cpu/parameter_update.h"
#include "engine/plan/memory.h"
#include "engine/spec/error.h"

namespace engine::backend::cpu {
namespace {

// Rows of w that stay in the first-level cache, a panel of columns at a time, while all rows of x pass over them.
constexpr std::int64_t kChunkDepth = 96;
// The length from which on rows of w are so long that panels are copied out of them first: a panel's own lines lie too far apart for any
// prefetcher.
constexpr std::int64_t kLongRow = 256;
// Rows of x from which on the copy pays.
constexpr std::int64_t kWorthPacking = 8;

struct DenseSizes {
    std::int64_t rows_per_sample = 1, inner = 0, columns = 0;
    DenseSizes(const Memory& memory, plan::TensorId x_like, plan::TensorId w_like) {
        const spec::Shape matrix = plan::matrixShape(memory.shape(w_like), memory.shape(x_like).back());
        inner = matrix[0];
        columns = matrix[1];
        rows_per_sample = memory.sampleElements(x_like) / inner;
    }
};

class Dense final : public BoundOp {
public:
    Dense(const Memory& memory, const plan::Op& op, const KernelTable& kernels)
        : memory_(memory), op_(op), kernels_(kernels), sizes_(memory, op.inputs[0], op.inputs[1]) {
        x_ = memory.floats(op.inputs[0]);
        w_ = memory.floats(op.inputs[1]);
        if (holdsPairs(memory, op.inputs[0])) {
            product_ = pairProducts(kernels.isa)->product;
            sizes_.inner /= 2;
            pairs_ = true;
        }
        bias_ = op.inputs.size() > 2 ? memory.floats(op.inputs[2]) : nullptr;
        y_ = memory.floats(op.outputs[0]);
        relu_ = op.kind == plan::OpKind::kFusedDense && plan::activationOf(op) == plan::Activation::kRelu;
        max_rows_ = memory.batch() * sizes_.rows_per_sample;
        choose();
    }

    std::string kernel() const override {
        switch (way_) {
            case Way::kRows:
                return std::string("product by rows") + (packs_ ? ", packed" : "");
            case Way::kColumns:
                return "product by columns, " + std::to_string(items_) + " panels" + (packs_ ? ", packed" : "");
            case Way::kDepth:
                return "product by depth, " + std::to_string(items_) + " parts";
        }
        return "";
    }

    ScratchBytes scratch() const override {
        return {
            .shared = pairBytes() + partBytes(),
            .per_thread = packs_ ? kChunkDepth * divideUp(sizes_.columns, kernels_.panel_columns) * kernels_.panel_columns * kFloat : 0};
    }

    std::vector<Stage> stages(std::byte* shared) override {
        parts_ = reinterpret_cast<float*>(shared + pairBytes());
        const bool by_sample = way_ == Way::kRows;
        Access w = memory_.reads(op_.inputs[1]);
        std::vector<Stage> all;
        if (pairs_) {
            all.push_back({.accesses = {w, {shared, pairBytes(), 0, true}}});
            w = {shared, pairBytes(), 0, false};
            low_w_ = reinterpret_cast<const std::uint16_t*>(w_);
            paired_ = reinterpret_cast<float*>(shared);
            w_ = paired_;
        }
        Stage first{.accesses = {by_sample ? memory_.readsSamples(op_.inputs[0]) : memory_.reads(op_.inputs[0]), w},
                    .fewest_samples = kAllSamples};
        const Access bias = bias_ == nullptr ? Access{} : memory_.reads(op_.inputs[2]);
        if (way_ != Way::kDepth) {
            first.accesses.push_back(bias);
            first.accesses.push_back(by_sample ? memory_.writesSamples(op_.outputs[0]) : memory_.writes(op_.outputs[0]));
            all.push_back(first);
            return all;
        }
        first.accesses.push_back({parts_, partBytes(), 0, true});
        all.push_back(first);
        all.push_back({.accesses = {{parts_, partBytes(), 0, false}, bias, memory_.writesSamples(op_.outputs[0])}});
        return all;
    }

    void run(int stage, const StepState& step, int thread) override {
        const std::int64_t rows = step.samples * sizes_.rows_per_sample;
        if (pairs_ && stage-- == 0) return pairWeights(share(sizes_.inner, thread, step.threads));
        if (stage == 1) return addParts(step.samplesOf(thread), rows);
        switch (way_) {
            case Way::kRows: {
                const Range samples = step.samplesOf(thread);
                const Range mine{samples.begin * sizes_.rows_per_sample, samples.end * sizes_.rows_per_sample};
                if (packs_) return multiplyPacked(mine, {0, sizes_.columns}, step.scratchOf(thread));
                return multiply(mine, {0, sizes_.columns}, {0, sizes_.inner}, y_, bias_, relu_);
            }
            case Way::kColumns: {
                const Range mine = share(items_, thread, step.threads);
                const std::int64_t panel = kernels_.panel_columns;
                const Range columns{mine.begin * panel, std::min(mine.end * panel, sizes_.columns)};
                if (packs_) return multiplyPacked({0, rows}, columns, step.scratchOf(thread));
                return multiply({0, rows}, columns, {0, sizes_.inner}, y_, bias_, relu_);
            }
            case Way::kDepth: {
                const Range mine = share(items_, thread, step.threads);
                for (std::int64_t i = mine.begin; i < mine.end; ++i) {
                    multiply({0, rows}, {0, sizes_.columns}, share(sizes_.inner, i, items_), parts_ + i * rows * sizes_.columns, nullptr,
                             false);
                }
                return;
            }
        }
    }

private:
    enum class Way { kRows, kColumns, kDepth };

    void choose() {
        constexpr std::int64_t kSmallWeights = 1 << 15, kManyRows = 512, kDeep = 1024, kPartDepth = 256, kMaxParts = 16;
        const std::int64_t panels = divideUp(sizes_.columns, kernels_.panel_columns);
        const bool small = sizes_.inner * sizes_.columns <= kSmallWeights;
        if (small || max_rows_ >= kManyRows) {
            way_ = Way::kRows;
        } else if (sizes_.inner >= kDeep && sizes_.columns <= kDeep / 4) {
            way_ = Way::kDepth;
            items_ = std::clamp<std::int64_t>(sizes_.inner / kPartDepth, 2, kMaxParts);
        } else if (panels >= 4) {
            way_ = Way::kColumns;
            items_ = panels;
        }
        packs_ = way_ != Way::kDepth && !small && sizes_.columns >= kLongRow && max_rows_ >= kWorthPacking;
    }

    std::int64_t pairBytes() const { return pairs_ ? plan::alignUp(sizes_.inner * sizes_.columns * kFloat) : 0; }
    std::int64_t partBytes() const { return way_ == Way::kDepth ? items_ * max_rows_ * sizes_.columns * kFloat : 0; }

    // Two rows of w to one of pairs.
    void pairWeights(Range mine) const {
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            const std::uint16_t* low = low_w_ + 2 * i * sizes_.columns;
            kernels_.pairRows(low, low + sizes_.columns, sizes_.columns, paired_ + i * sizes_.columns);
        }
    }

    // Some rows of w at a time, read in order, laid in panels.
    void multiplyPacked(Range rows, Range columns, float* packed) {
        if (rows.size() <= 0 || columns.size() <= 0) return;
        const std::int64_t chunks = divideUp(sizes_.inner, kChunkDepth), width = kernels_.panel_columns;
        for (std::int64_t i = 0; i < chunks; ++i) {
            const Range part = share(sizes_.inner, i, chunks);
            kernels_.packPanels({.from = w_ + part.begin * sizes_.columns + columns.begin,
                                 .from_row = sizes_.columns,
                                 .rows = part.size(),
                                 .columns = columns.size(),
                                 .width = width,
                                 .to = packed,
                                 .rows_of_panel = part.size()});
            for (std::int64_t column = columns.begin; column < columns.end; column += width) {
                product_({.a = x_ + rows.begin * sizes_.inner + part.begin,
                          .a_row = sizes_.inner,
                          .b = packed + (column - columns.begin) * part.size(),
                          .b_row = width,
                          .c = y_ + rows.begin * sizes_.columns + column,
                          .c_row = sizes_.columns,
                          .rows = rows.size(),
                          .columns = std::min(width, columns.end - column),
                          .count = part.size(),
                          .bias = bias_ == nullptr ? nullptr : bias_ + column,
                          .accumulate = i > 0,
                          .relu = relu_ && i == chunks - 1});
            }
        }
    }

    void multiply(Range rows, Range columns, Range depth, float* y, const float* bias, bool relu) {
        if (rows.size() <= 0 || columns.size() <= 0) return;
        const std::int64_t chunks = std::max<std::int64_t>(1, divideUp(depth.size(), kChunkDepth));
        // A panel of columns at a time: the rows of w that it takes then fit the cache.
        for (std::int64_t column = columns.begin; column < columns.end; column += kernels_.panel_columns) {
            for (std::int64_t i = 0; i < chunks; ++i) {
                const Range part = share(depth.size(), i, chunks);
                const std::int64_t k = depth.begin + part.begin;
                product_({.a = x_ + rows.begin * sizes_.inner + k,
                          .a_row = sizes_.inner,
                          .b = w_ + k * sizes_.columns + column,
                          .b_row = sizes_.columns,
                          .c = y + rows.begin * sizes_.columns + column,
                          .c_row = sizes_.columns,
                          .rows = rows.size(),
                          .columns = std::min(kernels_.panel_columns, columns.end - column),
                          .count = part.size(),
                          .bias = bias == nullptr ? nullptr : bias + column,
                          .accumulate = i > 0,
                          .relu = relu && i == chunks - 1});
            }
        }
    }

    void addParts(Range samples, std::int64_t rows) {
        const std::int64_t begin = samples.begin * sizes_.rows_per_sample * sizes_.columns;
        kernels_.addParts(parts_ + begin, rows * sizes_.columns, items_, bias_, relu_, samples.size() * sizes_.rows_per_sample,
                          sizes_.columns, y_ + begin);
    }

    const Memory& memory_;
    const plan::Op& op_;
    const KernelTable& kernels_;
    DenseSizes sizes_;
    const float *x_, *w_, *bias_;
    const std::uint16_t* low_w_ = nullptr;
    float *y_, *paired_ = nullptr;
    void (*product_)(const ProductArgs&) = kernels_.product;
    float* parts_ = nullptr;
    bool relu_, packs_ = false;
    bool pairs_ = false;  // x and w hold bfloat16: `inner` counts pairs
    Way way_ = Way::kRows;
    std::int64_t items_ = 1, max_rows_ = 0;
};

// Blocks of K: a block of w is transposed for its columns of dx, its rows of dw are summed and, where the plan says so, applied at once.
class DenseBack final : public BoundOp {
public:
    DenseBack(const Memory& memory, const plan::Op& op, const KernelTable& kernels)
        : memory_(memory), op_(op), kernels_(kernels), sizes_(sizesOf()) {
        using plan::OpKind;
        if (op.kind == OpKind::kMatMulBackInput) {
            dy_ = op.inputs[0];
            w_ = op.inputs[1];
            dx_ = op.outputs[0];
        } else {
            x_ = op.inputs[0];
            dy_ = op.inputs.back();
            dw_ = op.outputs[0];
        }
        if (op.kind == OpKind::kFusedDenseBack) {
            w_ = op.inputs[1];
            y_ = op.inputs[2];
            dbias_ = op.outputs[1];
            if (op.outputs.size() > 2) dx_ = op.outputs[2];
            relu_ = plan::activationOf(op) == plan::Activation::kRelu;
        }
        g_ = memory.floats(dy_);
        pairs_ = holdsPairs(memory, x_ != plan::kNoTensor ? x_ : w_);
        max_rows_ = memory.batch() * sizes_.rows_per_sample;
        items_ = blocksOf(sizes_.inner);
        if (op.fused_update) {
            update_.emplace(memory, op, dw_);
            if (dbias_ != plan::kNoTensor) bias_update_.emplace(memory, op, dbias_);
        }
    }

    std::string kernel() const override {
        std::string text = std::to_string(items_) + " blocks of ";
        if (dx_ != plan::kNoTensor) text += dw_ != plan::kNoTensor ? "dx and dw" : "dx";
        if (dx_ == plan::kNoTensor) text += "dw";
        return text + (op_.fused_update ? ", applied at once" : "");
    }

    ScratchBytes scratch() const override {
        return {.shared = relu_ || pairs_ ? (pairs_ ? 3 : 1) * gradientBytes() : 0,
                .per_thread = (2 * sizes_.columns + kPackedRows) * maxBlock() * kFloat};
    }

    std::vector<Stage> stages(std::byte* shared) override {
        std::vector<Stage> all;
        const Access dy = memory_.reads(dy_);
        Access g = dy;
        if (pairs_) {
            g_ = reinterpret_cast<float*>(shared);
            low_g_ = reinterpret_cast<std::uint16_t*>(shared + gradientBytes());
            paired_g_ = reinterpret_cast<float*>(shared + 2 * gradientBytes());
            Access written{shared, scratch().shared, 0, true};
            all.push_back({.accesses = {y_ == plan::kNoTensor ? Access{} : memory_.reads(y_), dy, written}});
            g = {shared, scratch().shared, 0, false};
        } else if (relu_) {
            g_ = reinterpret_cast<float*>(shared);
            g = {shared, scratch().shared, 0, false};
            Access written = memory_.bySample(g);
            written.writes = true;
            all.push_back({.accesses = {memory_.readsSamples(y_), memory_.readsSamples(dy_), written}});
        }
        Stage blocks{.accesses = {g}};
        if (x_ != plan::kNoTensor) blocks.accesses.push_back(memory_.reads(x_));
        if (w_ != plan::kNoTensor) blocks.accesses.push_back(memory_.reads(w_));
        for (plan::TensorId id : op_.outputs) blocks.accesses.push_back(memory_.writes(id));
        if (update_) update_->addAccesses(blocks.accesses);
        if (bias_update_) bias_update_->addAccesses(blocks.accesses);
        all.push_back(blocks);
        return all;
    }

    void run(int stage, const StepState& step, int thread) override {
        if (pairs_ && stage == 0) return pairGradient(step.samples * sizes_.rows_per_sample, thread, step.threads);
        if (relu_ && stage == 0) {
            const Range mine = step.samplesOf(thread);
            const std::int64_t width = sizes_.rows_per_sample * sizes_.columns, begin = mine.begin * width;
            return kernels_.reluGradient(memory_.floats(y_) + begin, memory_.floats(dy_) + begin, mine.size() * width, g_ + begin);
        }
        const std::int64_t rows = step.samples * sizes_.rows_per_sample;
        const plan::StepFactors factors = update_ ? update_->factors(step.control) : plan::StepFactors{};
        const Range mine = share(items_, thread, step.threads);
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            const Range block{blockBegin(i), blockBegin(i + 1)};
            if (dx_ != plan::kNoTensor) inputGradient(rows, block, step.scratchOf(thread));
            if (dw_ != plan::kNoTensor) weightGradient(rows, block, factors, step.scratchOf(thread));
        }
        if (dbias_ != plan::kNoTensor) biasGradient(rows, shareLines(sizes_.columns, thread, step.threads), factors);
    }

private:
    static constexpr std::int64_t kPackedRows = 512, kLine = 16;

    DenseSizes sizesOf() const {
        const bool only_input = op_.kind == plan::OpKind::kMatMulBackInput;
        return only_input ? DenseSizes(memory_, op_.outputs[0], op_.inputs[1]) : DenseSizes(memory_, op_.inputs[0], op_.outputs[0]);
    }

    // An even number where that leaves two vectors to each: three blocks keep a second thread waiting for a third of the time.
    std::int64_t blocksOf(std::int64_t inner) const {
        const std::int64_t fewest = divideUp(inner, kernels_.block_rows), even = divideUp(fewest, 2) * 2;
        return 2 * even * kernels_.vector_floats <= inner ? even : fewest;
    }

    // Blocks begin at whole vectors and are nearly equal.
    std::int64_t blockBegin(std::int64_t i) const {
        if (i >= items_) return sizes_.inner;
        return sizes_.inner * i / items_ / kernels_.vector_floats * kernels_.vector_floats;
    }
    std::int64_t maxBlock() const { return kernels_.block_rows + kernels_.vector_floats; }

    std::int64_t gradientBytes() const { return plan::alignUp((max_rows_ + 1) / 2 * 2 * sizes_.columns * kFloat); }

    // g in the three forms that are read: float32 for the bias, its own rows for dx, pairs of rows for dw.
    void pairGradient(std::int64_t rows, int thread, int threads) {
        const std::int64_t width = sizes_.columns;
        const Range mine = share((rows + 1) / 2, thread, threads);
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            const std::int64_t begin = 2 * i * width, count = (rows - 2 * i > 1 ? 2 : 1) * width;
            const float* dy = memory_.floats(dy_) + begin;
            relu_ ? kernels_.reluGradient(memory_.floats(y_) + begin, dy, count, g_ + begin) : kernels_.copyValues(dy, count, g_ + begin);
            kernels_.narrow(g_ + begin, count, low_g_ + begin);
            kernels_.narrowPairs(g_ + begin, count > width ? g_ + begin + width : nullptr, width, paired_g_ + i * width);
        }
    }

    void inputGradientOfPairs(std::int64_t rows, Range block, float* scratch) {
        const std::int64_t width = block.size(), pairs = sizes_.columns / 2;
        kernels_.transpose(memory_.floats(w_) + block.begin * pairs, pairs, width, pairs, scratch, width);
        pairProducts(kernels_.isa)
            ->product({.a = reinterpret_cast<const float*>(low_g_),
                       .a_row = pairs,
                       .b = scratch,
                       .b_row = width,
                       .c = memory_.floats(dx_) + block.begin,
                       .c_row = sizes_.inner,
                       .rows = rows,
                       .columns = width,
                       .count = pairs});
    }

    void weightGradientOfPairs(std::int64_t rows, Range block, float* packed, float* dw) {
        const std::int64_t width = block.size(), pairs = (rows + 1) / 2;
        for (std::int64_t first = 0; first == 0 || first < pairs; first += kPackedRows) {
            const std::int64_t count = std::min(kPackedRows, pairs - first);
            for (std::int64_t i = 0; i < count; ++i) {
                const std::int64_t row = 2 * (first + i);
                const auto* low = reinterpret_cast<const std::uint16_t*>(memory_.bytes(x_)) + row * sizes_.inner + block.begin;
                kernels_.pairRows(low, row + 1 < rows ? low + sizes_.inner : nullptr, width, packed + i * width);
            }
            pairProducts(kernels_.isa)
                ->product({.a = packed,
                           .a_row = 1,
                           .a_step = width,
                           .b = paired_g_ + first * sizes_.columns,
                           .b_row = sizes_.columns,
                           .c = dw,
                           .c_row = sizes_.columns,
                           .rows = width,
                           .columns = sizes_.columns,
                           .count = count,
                           .accumulate = first > 0});
        }
    }

    void inputGradient(std::int64_t rows, Range block, float* scratch) {
        if (pairs_) return inputGradientOfPairs(rows, block, scratch);
        const std::int64_t width = block.size();
        float* dx = memory_.floats(dx_) + block.begin;
        for (std::int64_t r = 0; r < rows; ++r) {
            for (std::int64_t i = 0; i < width; i += kLine) __builtin_prefetch(dx + r * sizes_.inner + i, 1);
        }
        kernels_.transpose(memory_.floats(w_) + block.begin * sizes_.columns, sizes_.columns, width, sizes_.columns, scratch, width);
        kernels_.product({.a = g_,
                          .a_row = sizes_.columns,
                          .b = scratch,
                          .b_row = width,
                          .c = dx,
                          .c_row = sizes_.inner,
                          .rows = rows,
                          .columns = width,
                          .count = sizes_.columns});
    }

    void weightGradient(std::int64_t rows, Range block, const plan::StepFactors& factors, float* scratch) {
        const std::int64_t width = block.size();
        float* packed = scratch + sizes_.columns * maxBlock();
        float* dw = update_ ? packed + kPackedRows * maxBlock() : memory_.floats(dw_) + block.begin * sizes_.columns;
        if (pairs_) weightGradientOfPairs(rows, block, packed, dw);
        for (std::int64_t row = 0; !pairs_ && (row == 0 || row < rows); row += kPackedRows) {
            const std::int64_t count = std::min(kPackedRows, rows - row);
            pack(memory_.floats(x_) + row * sizes_.inner + block.begin, count, width, block.end == sizes_.inner, packed);
            kernels_.product({.a = packed,
                              .a_row = 1,
                              .a_step = width,
                              .b = g_ + row * sizes_.columns,
                              .b_row = sizes_.columns,
                              .c = dw,
                              .c_row = sizes_.columns,
                              .rows = width,
                              .columns = sizes_.columns,
                              .count = count,
                              .accumulate = row > 0});
        }
        if (update_) update_->apply(kernels_, factors, {block.begin * sizes_.columns, block.end * sizes_.columns}, dw);
    }

    // Columns of x side by side: its rows may lie a power of two apart, which a cache takes badly. No prefetcher of the processor follows
    // such steps, so the next block is asked for here.
    void pack(const float* x, std::int64_t rows, std::int64_t width, bool is_last, float* packed) const {
        for (std::int64_t r = 0; r < rows; ++r, x += sizes_.inner, packed += width) {
            for (std::int64_t i = 0; !is_last && i < width + kLine; i += kLine) __builtin_prefetch(x + width + i);
            kernels_.copyValues(x, width, packed);
        }
    }

    void biasGradient(std::int64_t rows, Range columns, const plan::StepFactors& factors) {
        if (columns.size() == 0) return;
        float* dbias = memory_.floats(dbias_) + columns.begin;
        std::fill_n(dbias, columns.size(), 0.0F);
        kernels_.addColumns(g_ + columns.begin, sizes_.columns, rows, columns.size(), dbias);
        if (bias_update_) bias_update_->apply(kernels_, factors, columns, dbias);
    }

    const Memory& memory_;
    const plan::Op& op_;
    const KernelTable& kernels_;
    DenseSizes sizes_;
    plan::TensorId x_ = plan::kNoTensor, w_ = plan::kNoTensor, y_ = plan::kNoTensor, dy_ = plan::kNoTensor;
    plan::TensorId dw_ = plan::kNoTensor, dbias_ = plan::kNoTensor, dx_ = plan::kNoTensor;
    bool relu_ = false, pairs_ = false;  // pairs: x and w hold bfloat16
    float *g_, *paired_g_ = nullptr;
    std::uint16_t* low_g_ = nullptr;
    std::int64_t items_ = 1, max_rows_ = 0;
    std::optional<ParameterUpdate> update_, bias_update_;
};

}  // namespace

std::unique_ptr<BoundOp> bindDense(const Memory& memory, const plan::Op& op, const KernelTable& kernels) {
    return std::make_unique<Dense>(memory, op, kernels);
}

std::unique_ptr<BoundOp> bindDenseBack(const Memory& memory, const plan::Op& op, const KernelTable& kernels) {
    return std::make_unique<DenseBack>(memory, op, kernels);
}

}  // namespace engine::backend::cpu
