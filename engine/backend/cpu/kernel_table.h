// The numeric kernels as plain functions of pointers and sizes. The same sources (isa/*.inc) are compiled once per instruction set; a table
// holds one set's functions. Nothing here allocates, throws or knows a plan. All sizes and strides count elements, not bytes. Any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/backend/cpu/cpu_features.h"
#include "engine/plan/activation.h"

namespace engine::backend::cpu {

// c[r][j] = act(start + sum_k a[r * a_row + k * a_step] * b[k * b_row + j]), start = c, bias[j] or 0.
struct ProductArgs {
    const float* a = nullptr;
    std::ptrdiff_t a_row = 0, a_step = 1;
    const float* b = nullptr;  // rows of `columns` values
    std::ptrdiff_t b_row = 0;
    float* c = nullptr;
    std::ptrdiff_t c_row = 0;
    std::int64_t rows = 0, columns = 0, count = 0;
    const float* bias = nullptr;  // (columns); null = none
    bool accumulate = false;      // start from c
    bool relu = false;
};

// One sample of a convolution with pooling 2x2 by 2 whose input is already padded: no window leaves it.
struct ConvArgs {
    const float* x = nullptr;  // (rows, row_stride / channels, channels)
    std::ptrdiff_t row_stride = 0;
    std::int64_t channels = 0;      // of the input, all groups
    const float* kernel = nullptr;  // (kernel_h, kernel_w, channels / groups, filters)
    std::int64_t filters = 0;
    const std::int32_t* offsets = nullptr;  // of the kernel's rows (kernel_h, kernel_w, channels / groups) from a window's first value
    int kernel_h = 1, kernel_w = 1, stride_h = 1, stride_w = 1, dilation_h = 1, dilation_w = 1, groups = 1;
    std::int64_t out_h = 0, out_w = 0;  // of the convolution, before pooling
    const float* bias = nullptr;        // (filters); null = none
    bool relu = false;
    float* y = nullptr;              // (out_h / 2, out_w / 2, filters)
    std::uint8_t* argmax = nullptr;  // the cell of the first maximum, 0 to 3; null when not wanted
};

// y[s][h][w][j] = act(start + sum_k x[s * x_sample + h * x_row + w * x_pixel + offsets[k]] * panel[k * panel_row + j]), start = bias[j] or
// 0, for w of `width` pixels in h of `rows` of s of `samples`, j of `columns` (panel_columns at most).
struct PanelArgs {
    const float* x = nullptr;  // padded: no window leaves it
    std::ptrdiff_t x_sample = 0, x_row = 0, x_pixel = 0;
    const std::int32_t* offsets = nullptr;  // of the values of a window from its first
    std::int64_t count = 0;
    const float* panel = nullptr;
    std::ptrdiff_t panel_row = 0;
    std::int64_t samples = 0, rows = 0, width = 0, columns = 0;
    const float* bias = nullptr;  // (columns); null = none
    bool relu = false;
    float* y = nullptr;
    std::ptrdiff_t y_sample = 0, y_row = 0, y_pixel = 0;
};

// dkernel[k][j] += sum over s, h, w of x[s * x_sample + h * x_row + w * x_pixel + offsets[k]] * dy[s * dy_sample + h * dy_row + w *
// dy_pixel + j].
struct PanelGradientArgs {
    const float* x = nullptr;
    std::ptrdiff_t x_sample = 0, x_row = 0, x_pixel = 0;
    const std::int32_t* offsets = nullptr;
    std::int64_t count = 0;
    const float* dy = nullptr;
    std::ptrdiff_t dy_sample = 0, dy_row = 0, dy_pixel = 0;
    std::int64_t samples = 0, rows = 0, width = 0, columns = 0;
    float* dkernel = nullptr;
    std::ptrdiff_t dkernel_row = 0;
};

// Copies columns of some pixels of one sample; with y, only where it is above 0. sums[columns] += over all pixels, unless null.
struct PanelFillArgs {
    const float* from = nullptr;
    const float* y = nullptr;             // as `from`; null = all
    const std::uint8_t* cells = nullptr;  // fillPanelUnpooled: as `from`; which of four pixels it goes to, the others become 0
    std::ptrdiff_t from_row = 0, from_pixel = 0;
    std::int64_t rows = 0, width = 0, columns = 0;  // pixels of `from`
    float* to = nullptr;
    std::ptrdiff_t to_row = 0, to_pixel = 0;
    float* sums = nullptr;
};

// Rows of a matrix to panels of `width` columns, one after the other with room for rows_of_panel rows each.
struct PanelPackArgs {
    const float* from = nullptr;
    std::ptrdiff_t from_row = 0;
    std::int64_t rows = 0, columns = 0, width = 0;
    float* to = nullptr;
    std::int64_t rows_of_panel = 0;
};

// Pooling 2x2 by 2 of some columns.
struct PanelPoolArgs {
    const float* x = nullptr;
    std::ptrdiff_t x_row = 0, x_pixel = 0;
    std::int64_t rows = 0, width = 0, columns = 0;  // of the result
    bool relu = false;
    float* y = nullptr;
    std::uint8_t* argmax = nullptr;         // the cell of the first maximum; null when not wanted
    std::ptrdiff_t y_row = 0, y_pixel = 0;  // of both
};

// The maps of Winograd's convolution F(m x m, n x n), see winograd.h. T = m + n - 1.
enum class TileMap {
    kImage,           // (T, T) pixels of an image -> (T, T)
    kKernel,          // (n, n) -> (T, T)
    kResult,          // (T, T) products -> (m, m) results
    kResultGradient,  // (m, m) -> (T, T): the transpose of kResult
    kKernelGradient,  // (T, T) -> (n, n): the transpose of kKernel
};
// The arguments of a tile map, which works on each channel by itself; tiles are `from_tile` and `to_tile` floats apart.
struct TileMapArgs {
    TileMap map = TileMap::kImage;
    int kernel = 3;   // n: 3 or 5
    int results = 2;  // m: 2 or 4, and 5 with n = 5
    const float* from = nullptr;
    std::ptrdiff_t from_row = 0, from_column = 0, from_tile = 0;
    // kImage and kResultGradient alone: the rows of the tiles, which need not lie `from_row` apart; how many columns of zeros lie before
    // the first tile's others; and how many columns there are behind them, with zeros after those. No column of zeros is read.
    std::array<const float*, 9> from_rows{};
    std::int64_t zeros = 0, columns_there = 0;
    // The same two: where the rows begin that the next row of tiles reads beside these, counted from `from`.
    std::ptrdiff_t next = 0;
    float* to = nullptr;
    std::ptrdiff_t to_row = 0, to_column = 0, to_tile = 0;
    std::int64_t tiles = 0, channels = 0;
    // kResult alone: how many of the m by m are wanted, and what follows.
    int rows = 2, columns = 2;
    const float* bias = nullptr;  // (channels); null = none
    bool relu = false;
};

// dkernel[rows][filters] += what one sample contributes, dbias[filters] as well: pooling 2x2 by 2 (cell numbers in argmax) and, with relu,
// its derivative folded in. Rows number (kernel_h, kernel_w, channels) in C order.
struct PooledGradientArgs {
    ConvArgs conv{};
    const float* y = nullptr;   // pooled result
    const float* dy = nullptr;  // of the pooled result
    const std::uint8_t* argmax = nullptr;
    bool relu = false;
    float* dkernel = nullptr;
    float* dbias = nullptr;
};

// A window of an image, and its one value for each channel.
struct WindowSumArgs {
    std::int64_t rows = 0, columns = 0;
    std::ptrdiff_t row_stride = 0;
    std::int64_t channels = 0;
    float scale = 1;
};

// The arguments of an activation function that does not work along rows.
struct ActivationArgs {
    plan::Activation function = plan::Activation::kLinear;
    float slope = 0, threshold = 0, limit = 0, at_threshold = 0, at_limit = 1;  // plan::ActivationSettings
    float alpha = 1, scale = 1, at_zero = 1;
    const float* x = nullptr;   // backward: x or y, see plan::derivesFromInput()
    const float* dy = nullptr;  // backward
    float* y = nullptr;         // backward: dx; may be x or dy
    std::int64_t count = 0;
};

// dx = dy factor + (x - mean) slope + offset, each by column.
struct NormalizeBack {
    const float *mean = nullptr, *factor = nullptr, *slope = nullptr, *offset = nullptr;
};

// One group of one sample: rows of `width` values, `stride` apart. gamma, beta: (width), null = 1 and 0.
struct GroupNormArgs {
    const float* x = nullptr;
    std::int64_t positions = 1, stride = 0, width = 0;
    float epsilon = 0;
    bool subtracts_mean = true;  // else the mean counts as 0
    const float *gamma = nullptr, *beta = nullptr;
    const float* dy = nullptr;
    float* y = nullptr;                         // backward: dx
    float *dgamma = nullptr, *dbeta = nullptr;  // backward: (width), added to; null where not wanted
};

// h = update before + (1 - update) candidate, backwards: dh becomes what goes to `before`.
struct BlendGradient {
    const float *update = nullptr, *before = nullptr, *candidate = nullptr;
    std::int64_t count = 0;
    float *dh = nullptr, *dupdate = nullptr, *dcandidate = nullptr;
};

// One time of an LSTM with tanh and sigmoid: i, f, o = sigmoid and g = tanh of z + products, c = f before + i g, h = o tanh(c). Gates lie
// in the order i, f, g, o, each of `units`.
struct LstmStepArgs {
    const float *z = nullptr, *products = nullptr;
    const float* before = nullptr;  // c of the time before; null = zeros
    std::int64_t units = 0;
    float* gates = nullptr;
    float* cell = nullptr;   // c
    float* state = nullptr;  // h; null when not wanted
    // The values of the sample that comes next are asked for early: they lie next * units floats further in `cell`, and 4 * next * units in
    // `z` and `gates`.
    std::ptrdiff_t next = 0;
};
// Its way back: dcell becomes the gradient of `before`.
struct LstmStepBackArgs {
    const float *gates = nullptr, *cell = nullptr, *before = nullptr, *dstate = nullptr;
    std::int64_t units = 0;
    float *dcell = nullptr, *dz = nullptr;
    std::ptrdiff_t next = 0;  // the same, for `cell`, and for `gates` and `dz`
};

// A cell of one image made of up to four of another.
struct BlendArgs {
    int count = 0;
    std::ptrdiff_t offsets[4] = {};
    float weights[4] = {};
    float constant = 0;  // added by blend
    std::int64_t channels = 0;
};

enum class UpdateFormula { kSgd, kMomentum, kNesterov, kAdam, kAmsgrad };

// engine/spec/catalog/update_kind.h has the formulas.
struct UpdateArgs {
    UpdateFormula formula = UpdateFormula::kSgd;
    float step_size = 0, momentum = 0, beta_1 = 0, beta_2 = 0, epsilon = 0;
    float decay = 1;  // of the parameter, before the formula
    float* parameter = nullptr;
    const float* gradient = nullptr;
    float* slots[3] = {nullptr, nullptr, nullptr};
    std::int64_t count = 0;
};

// The products of the table below on pairs of bfloat16, one in each place of a float: c += a.low b.low + a.high b.high, summed in float32.
// Every a, b, x, dy and panel holds pairs, counts and strides count them; results and biases are float32.
struct PairProducts {
    void (*product)(const ProductArgs& args);
    void (*convolvePanel)(const PanelArgs& args);
    void (*panelGradient)(const PanelGradientArgs& args);
};

struct KernelTable {
    Isa isa;
    std::int64_t vector_floats;
    // Columns of one pass of `product`, and a good number of rows of a block whose columns become the rows of another product.
    std::int64_t panel_columns, block_rows;

    void (*product)(const ProductArgs& args);
    // to[c * to_row + r] = from[r * from_row + c]
    void (*transpose)(const float* from, std::ptrdiff_t from_row, std::int64_t rows, std::int64_t columns, float* to,
                      std::ptrdiff_t to_row);

    void (*convolvePooled)(const ConvArgs& args);                       // groups 1
    void (*pooledConvolutionGradient)(const PooledGradientArgs& args);  // groups 1
    void (*convolvePanel)(const PanelArgs& args);
    void (*panelGradient)(const PanelGradientArgs& args);
    void (*fillPanel)(const PanelFillArgs& args);
    void (*fillPanelUnpooled)(const PanelFillArgs& args);
    void (*packPanels)(const PanelPackArgs& args);
    void (*poolPanel)(const PanelPoolArgs& args);
    void (*mapTiles)(const TileMapArgs& args);

    void (*update)(const UpdateArgs& args);

    // bfloat16 as in engine/tensor/bfloat16.h.
    void (*narrow)(const float* from, std::int64_t count, std::uint16_t* to);
    void (*widen)(const std::uint16_t* from, std::int64_t count, float* to);
    // Pairs of two rows' values, the first row's in the lower half; null: a row of zeros.
    void (*pairRows)(const std::uint16_t* low, const std::uint16_t* high, std::int64_t count, float* to);
    void (*narrowPairs)(const float* low, const float* high, std::int64_t count, float* to);

    void (*bytesToFloats)(const std::uint8_t* from, std::int64_t count, float scale, float offset, float* to);
    void (*scaleFloats)(const float* from, std::int64_t count, float scale, float offset, float* to);
    // rows x columns; y may be x. sums: y = act(bias + parts[0] + parts[1] + ...), parts `part_stride` apart.
    void (*addParts)(const float* parts, std::ptrdiff_t part_stride, std::int64_t part_count, const float* bias, bool relu,
                     std::int64_t rows, std::int64_t columns, float* y);
    void (*copyValues)(const float* x, std::int64_t count, float* y);
    void (*addValues)(const float* x, std::int64_t count, float* y);  // y += x
    // sums += over the rows of x (rows, columns), which lie x_row apart. The order of the terms depends on their number alone.
    void (*addColumns)(const float* x, std::ptrdiff_t x_row, std::int64_t rows, std::int64_t columns, float* sums);
    void (*relu)(const float* x, std::int64_t count, float* y);
    void (*reluGradient)(const float* y, const float* dy, std::int64_t count, float* dx);  // dx may be dy
    void (*applyMask)(const float* x, const std::uint8_t* mask, std::int64_t count, float scale, float* y);
    // Vectors of one pooling window over `channels`: best = first maximum (a NaN wins), cells: its number. `first` starts afresh.
    void (*maximum)(const float* x, std::int64_t channels, std::int32_t cell, bool first, float* best, std::int32_t* cells);
    // One pooling window 2x2 for `channels`: its gradient (0 where y is not null and not above 0) to one of four pixels, zeros to the
    // others.
    void (*spreadPooled)(const float* y, const float* dy, const std::uint8_t* cells, std::int64_t channels, float* dx,
                         std::ptrdiff_t dx_row);
    // A convolution with as many groups as channels. x, dx and dkernel are of one sample; dx is padded; dx and dkernel are added to.
    void (*depthwise)(const ConvArgs& args);
    void (*depthwiseInput)(const ConvArgs& args, const float* dy, float* dx);
    void (*depthwiseKernel)(const ConvArgs& args, const float* dy, float* dkernel);
    void (*sumWindow)(const WindowSumArgs& args, const float* x, float* y);    // y = scale * sum of the window's cells
    void (*addToWindow)(const WindowSumArgs& args, const float* y, float* x);  // each cell of x += scale * y
    void (*blendCells)(const BlendArgs& args, const float* x, float* y);       // y = constant + sum of weight * cell of x
    void (*spreadCell)(const BlendArgs& args, const float* y, float* x);       // each cell of x += weight * y
    void (*softmaxGradient)(const float* y, const float* dy, std::int64_t rows, std::int64_t columns, float* dx);

    void (*activate)(const ActivationArgs& args);
    void (*activateBack)(const ActivationArgs& args);
    void (*softmax)(const float* x, std::int64_t rows, std::int64_t columns, float* y);
    void (*logSoftmax)(const float* x, std::int64_t rows, std::int64_t columns, float* y);
    void (*logSoftmaxGradient)(const float* y, const float* dy, std::int64_t rows, std::int64_t columns, float* dx);

    // Computes for each column the mean over the rows and the sum of squared distances from that mean.
    void (*columnMoments)(const float* x, std::int64_t rows, std::int64_t columns, float* mean, float* squares);
    // y = (x - mean) factor + offset by column; mean and offset may be null.
    void (*normalizeColumns)(const float* x, std::int64_t rows, std::int64_t columns, const float* mean, const float* factor,
                             const float* offset, float* y);
    // sums += dy, products += dy (x - mean), by column
    void (*columnGradientSums)(const float* x, const float* dy, std::int64_t rows, std::int64_t columns, const float* mean, float* sums,
                               float* products);
    void (*normalizeColumnsBack)(const float* x, const float* dy, std::int64_t rows, std::int64_t columns, const NormalizeBack& factors,
                                 float* dx);
    void (*groupNorm)(const GroupNormArgs& args);
    void (*groupNormBack)(const GroupNormArgs& args);
    void (*multiply)(const float* a, const float* b, std::int64_t count, float* y);                   // y = a b; y may be a or b
    void (*multiplyAdd)(const float* a, const float* b, std::int64_t count, float* y);                // y += a b
    void (*blend)(const float* share, const float* a, const float* b, std::int64_t count, float* y);  // y = share a + (1 - share) b
    void (*blendGradient)(const BlendGradient& args);
    void (*lstmStep)(const LstmStepArgs& args);
    void (*lstmStepBack)(const LstmStepBackArgs& args);
    // y = x min(1 / |x|, most) of one row; with dy its gradient.
    void (*unitNorm)(const float* x, const float* dy, std::int64_t columns, float most, float* y);
};

// Null where the build has no such kernels.
const KernelTable* portableKernels();
const KernelTable* avx2Kernels();
const KernelTable* avx512Kernels();
const KernelTable& kernelTable(Isa isa);
// The products for AVX-512 BF16; null where the build or the processor lacks it, or TANDEM_CPU asks for less.
const PairProducts* pairProducts(Isa isa);
const PairProducts* avx512PairProducts();

}  // namespace engine::backend::cpu
