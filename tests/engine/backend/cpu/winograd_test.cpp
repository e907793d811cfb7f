#include "engine/backend/cpu/convolution/winograd.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/cpu/convolution/winograd_gradients.h"
#include "engine/backend/cpu/cpu_features.h"
#include "engine/tensor/random.h"

namespace engine::backend::cpu {
namespace {

constexpr std::int64_t kSamples = 3;
constexpr std::int64_t kManySamples = 1000;

std::vector<float> someValues(std::int64_t count, std::uint64_t seed) {
    const tensor::RandomStream stream({.seed = seed, .purpose = tensor::RandomPurpose::kAugmentation});
    std::vector<float> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(stream.bits(0, i) % 2001) / 1000.0F - 1;
    return values;
}

// Of the largest value: by how much some values are off.
double error(const std::vector<float>& actual, const std::vector<double>& expected) {
    double worst = 0, largest = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        worst = std::max(worst, std::abs(actual[i] - expected[i]));
        largest = std::max(largest, std::abs(expected[i]));
    }
    return worst / largest;
}

struct Case {
    int kernel;
    std::int64_t height, width, channels, filters;
    int pad;
};

void PrintTo(const Case& c, std::ostream* out) {
    *out << c.kernel << "x" << c.kernel << " of " << c.height << "x" << c.width << "x" << c.channels << " to " << c.filters << ", pad "
         << c.pad;
}

// A convolution by its definition, in double.
class Definition {
public:
    Definition(const Case& c)
        : geometry(
              plan::Window2D{
                  .kernel_h = c.kernel, .kernel_w = c.kernel, .pad_top = c.pad, .pad_bottom = c.pad, .pad_left = c.pad, .pad_right = c.pad},
              {kSamples, c.height, c.width, c.channels}, c.filters),
          x(someValues(kSamples * c.height * c.width * c.channels, 1)),
          kernel(someValues(geometry.kernelElements(), 2)),
          dy(someValues(kSamples * geometry.outputElements(), 3)),
          y(dy.size()),
          dx(x.size()),
          dkernel(kernel.size()) {
        for (std::int64_t s = 0; s < kSamples; ++s)
            for (std::int64_t h = 0; h < geometry.out_h; ++h)
                for (std::int64_t w = 0; w < geometry.out_w; ++w)
                    for (int i = 0; i < c.kernel; ++i)
                        for (int j = 0; j < c.kernel; ++j) addCell(c, s, h, w, i, j);
    }

    ConvolutionGeometry geometry;
    std::vector<float> x, kernel, dy;
    std::vector<double> y, dx, dkernel;

private:
    void addCell(const Case& c, std::int64_t s, std::int64_t h, std::int64_t w, int i, int j) {
        const std::int64_t row = h + i - c.pad, column = w + j - c.pad;
        if (row < 0 || row >= c.height || column < 0 || column >= c.width) return;
        const auto at = static_cast<std::size_t>(((s * c.height + row) * c.width + column) * c.channels);
        const auto to = static_cast<std::size_t>(((s * geometry.out_h + h) * geometry.out_w + w) * c.filters);
        for (std::size_t channel = 0; channel < static_cast<std::size_t>(c.channels); ++channel)
            for (std::size_t filter = 0; filter < static_cast<std::size_t>(c.filters); ++filter) {
                const std::size_t k = static_cast<std::size_t>(((i * c.kernel + j) * c.channels)) * static_cast<std::size_t>(c.filters) +
                                      channel * static_cast<std::size_t>(c.filters) + filter;
                y[to + filter] += double{x[at + channel]} * kernel[k];
                dx[at + channel] += double{dy[to + filter]} * kernel[k];
                dkernel[k] += double{dy[to + filter]} * x[at + channel];
            }
    }
};

class WinogradTest : public testing::TestWithParam<Case> {
protected:
    template <typename Check>
    void forEachSet(Check check) {
        for (Isa isa : {Isa::kPortable, Isa::kAvx2, Isa::kAvx512}) {
            if (isa > supportedIsa()) continue;
            for (int m : {2, 4, 5}) {
                if (m == 5 && GetParam().kernel != 5) continue;
                SCOPED_TRACE(std::string(toString(isa)) + ", tiles of " + std::to_string(m) + "x" + std::to_string(m));
                check(kernelTable(isa), m);
            }
        }
    }
    const Definition expected_{GetParam()};
};

// Direct sums in float32 are off by 1e-6 here.
double tolerance(int kernel, int m) {
    if (kernel == 3) return m == 2 ? 2e-6 : 6e-6;
    return m == 2 ? 6e-6 : m == 4 ? 1e-5 : 2e-5;
}

TEST_P(WinogradTest, ConvolvesAsDefined) {
    ASSERT_TRUE(Winograd::fits(expected_.geometry));
    forEachSet([this](const KernelTable& kernels, int m) {
        const ConvolutionGeometry whole = Winograd::inWholeTiles(expected_.geometry, m);
        const Winograd winograd(m, whole, kernels);
        const std::int64_t channels = whole.channels, filters = whole.filters;
        std::vector<float> kernel(static_cast<std::size_t>(winograd.mappedFloats(channels, filters)));
        winograd.mapKernel(expected_.kernel.data(), channels, filters, {0, channels / 2}, kernel.data());
        winograd.mapKernel(expected_.kernel.data(), channels, filters, {channels / 2, channels}, kernel.data());
        const TileGrid grid{kSamples, whole.out_h / m, whole.out_w / m};
        std::vector<float> image(static_cast<std::size_t>(winograd.mappedFloats(grid.tiles(), channels)));
        std::vector<float> products(static_cast<std::size_t>(winograd.mappedFloats(grid.tiles(), filters)));
        winograd.mapImages(tiledImages(whole, expected_.x.data()), 0, channels, grid, image.data());
        winograd.multiply(image.data(), kernel.data(), grid, channels, filters, products.data());
        const std::int64_t row = expected_.geometry.out_w * filters;
        std::vector<float> y(expected_.y.size());
        winograd.mapResults(products.data(), filters, grid, nullptr, false,
                            {.values = y.data(),
                             .sample = expected_.geometry.outputElements(),
                             .row = row,
                             .rows = expected_.geometry.out_h,
                             .width = expected_.geometry.out_w});
        EXPECT_LT(error(y, expected_.y), tolerance(GetParam().kernel, m));
    });
}

TEST_P(WinogradTest, HasTheGradientsOfTheDefinition) {
    forEachSet([this](const KernelTable& kernels, int m) {
        const ConvolutionGeometry& geometry = expected_.geometry;
        const WinogradGradients gradients(m, geometry, kSamples, true, true, kernels);
        std::vector<float> dx(expected_.dx.size());
        std::vector<float> turned(static_cast<std::size_t>(gradients.turnedFloats()));
        for (int part = 0; part < 3; ++part) gradients.turnKernel(expected_.kernel.data(), part, 3, turned.data());
        std::vector<float> scratch(static_cast<std::size_t>(gradients.threadFloats())), dkernel(expected_.dkernel.size());
        std::vector<float> sum(static_cast<std::size_t>(gradients.sumFloats()));
        const std::int64_t x_size = geometry.height * geometry.width * geometry.channels;
        for (std::int64_t s = 0; s < kSamples; s += gradients.samples()) {
            const std::int64_t count = std::min(gradients.samples(), kSamples - s);
            const TiledImages dy{.values = expected_.dy.data() + s * geometry.outputElements(),
                                 .sample = geometry.outputElements(),
                                 .row = geometry.out_w * geometry.filters,
                                 .pixel = geometry.filters,
                                 .rows = geometry.out_h,
                                 .columns = geometry.out_w};
            gradients.inputGradient(dy, count, turned.data(), scratch.data(), dx.data() + s * x_size);
            gradients.sumKernelGradient(expected_.x.data() + s * x_size, dy, count, s > 0, scratch.data(), sum.data());
        }
        gradients.endKernelGradient(sum.data(), dkernel.data());
        EXPECT_LT(error(dx, expected_.dx), tolerance(GetParam().kernel, m));
        EXPECT_LT(error(dkernel, expected_.dkernel), tolerance(GetParam().kernel, m));
    });
}

// What lies around the images is no number here, and zeros are what counts.
TEST_P(WinogradTest, ReadsNothingAroundImages) {
    forEachSet([this](const KernelTable& kernels, int m) {
        const ConvolutionGeometry whole = Winograd::inWholeTiles(expected_.geometry, m);
        const Winograd winograd(m, whole, kernels);
        const TiledImages plain = tiledImages(whole, expected_.x.data());
        TiledImages apart = plain;
        apart.row += 2 * plain.pixel;
        apart.sample = (plain.rows + 2) * apart.row;
        std::vector<float> memory(static_cast<std::size_t>(kSamples * apart.sample), std::numeric_limits<float>::quiet_NaN());
        float* first = memory.data() + apart.row + plain.pixel;
        for (std::int64_t s = 0; s < kSamples; ++s)
            for (std::int64_t h = 0; h < plain.rows; ++h) {
                std::copy_n(plain.values + s * plain.sample + h * plain.row, plain.row, first + s * apart.sample + h * apart.row);
            }
        apart.values = first;
        const TileGrid grid{kSamples, whole.out_h / m, whole.out_w / m};
        std::vector<float> mapped(static_cast<std::size_t>(winograd.mappedFloats(grid.tiles(), whole.channels))), of_apart(mapped.size());
        winograd.mapImages(plain, 0, whole.channels, grid, mapped.data());
        winograd.mapImages(apart, 0, whole.channels, grid, of_apart.data());
        EXPECT_EQ(of_apart, mapped);
    });
}

INSTANTIATE_TEST_SUITE_P(Shapes, WinogradTest,
                         testing::Values(Case{3, 8, 8, 16, 16, 1}, Case{3, 9, 7, 17, 33, 0}, Case{3, 33, 40, 40, 65, 1},
                                         Case{3, 5, 6, 20, 16, 2}, Case{3, 4, 4, 16, 24, 0}, Case{3, 6, 5, 18, 16, 1},
                                         Case{3, 3, 13, 16, 17, 1}, Case{3, 14, 11, 32, 16, 0}, Case{5, 8, 8, 16, 32, 2},
                                         Case{5, 11, 10, 19, 33, 0}, Case{5, 12, 9, 32, 70, 1}));

TEST(Winograd, TakesTheTilesThatNeedFewerProducts) {
    const auto tileOf = [](int kernel, std::int64_t height, std::int64_t width, bool few_bits = false,
                           std::int64_t samples = kManySamples) {
        const plan::Window2D window{.kernel_h = kernel, .kernel_w = kernel};
        return Winograd::tileOf(ConvolutionGeometry(window, {1, height + kernel - 1, width + kernel - 1, 16}, 16), samples, few_bits);
    };
    EXPECT_EQ(tileOf(3, 32, 32), 4);
    EXPECT_EQ(tileOf(3, 32, 32, true), 2) << "sums of values of few bits stay exact";
    EXPECT_EQ(tileOf(3, 16, 16, false, 2), 4) << "32 tiles";
    EXPECT_EQ(tileOf(3, 16, 16, false, 1), 2) << "too few for the maps of the kernel";
    EXPECT_EQ(tileOf(3, 7, 7), 4) << "36 products for 4 tiles, 16 for 16";
    EXPECT_EQ(tileOf(3, 6, 6), 2) << "36 for 4, 16 for 9";
    EXPECT_EQ(tileOf(3, 2, 2), 2);
    EXPECT_EQ(tileOf(5, 16, 16), 4) << "64 for 16, 36 for 64, 81 for 16";
    EXPECT_EQ(tileOf(5, 14, 14), 5) << "81 for 9, 64 for 16";
    EXPECT_EQ(tileOf(5, 28, 28), 4) << "81 for 36 are less than a tenth fewer than 64 for 49";
    EXPECT_EQ(tileOf(5, 14, 14, false, 3), 4) << "27 tiles are too few for the larger maps, 48 are not";
    EXPECT_EQ(tileOf(5, 14, 14, true), 2);
    EXPECT_EQ(tileOf(5, 2, 2), 2) << "64 for 1, 36 for 1";
}

TEST(Winograd, PadsToWholeTiles) {
    const plan::Window2D window{.kernel_h = 3, .kernel_w = 3};
    const ConvolutionGeometry nine_by_eleven(window, {1, 11, 13, 16}, 16);
    EXPECT_EQ(Winograd::inWholeTiles(nine_by_eleven, 4).out_h, 12);
    EXPECT_EQ(Winograd::inWholeTiles(nine_by_eleven, 4).out_w, 12);
    EXPECT_EQ(Winograd::inWholeTiles(nine_by_eleven, 4, true).out_h, 9) << "pooling takes eight of them: two tiles";
    EXPECT_EQ(Winograd::inWholeTiles(nine_by_eleven, 4, true).out_w, 12) << "ten: three tiles";
    EXPECT_EQ(Winograd::inWholeTiles(nine_by_eleven, 2).out_h, 10);
}

TEST(Winograd, HasBlocksOfWholeWindowsWhereItPools) {
    const KernelTable& kernels = kernelTable(Isa::kPortable);
    const ConvolutionGeometry five({.kernel_h = 5, .kernel_w = 5}, {1, 12, 12, 16}, 16);
    const Winograd fives(5, five, kernels);
    EXPECT_EQ(fives.blockOf(9, 20, 1, 16, 16).rows, 3) << "a block has 50 tiles, so that four are needed";
    EXPECT_EQ(fives.blockOf(9, 20, 1, 16, 16, true).rows, 4) << "15 rows of results end within a window";
    EXPECT_EQ(Winograd(4, five, kernels).blockOf(9, 20, 1, 16, 16, true).rows, 3);
    EXPECT_EQ(fives.blockOf(3, 3, 4, 16, 16).samples, 4);
    EXPECT_EQ(fives.blockOf(3, 3, 0, 16, 16).samples, 1);
    EXPECT_EQ(fives.blockOf(1, 90, 4, 16, 16, true).rows, 2) << "more than there are: the last block is shorter";
    EXPECT_EQ(fives.blockOf(3, 3, 16, 32, 64).samples, 3);
    EXPECT_EQ(fives.blockOf(3, 3, 4, 32, 64).samples, 2) << "two blocks alike, not three and one";
}

TEST(Winograd, LeavesTheRestToOthers) {
    const auto fits = [](const plan::Window2D& window, std::int64_t channels, std::int64_t filters) {
        return Winograd::fits(ConvolutionGeometry(window, {1, 12, 12, channels}, filters));
    };
    const plan::Window2D three{.kernel_h = 3, .kernel_w = 3};
    plan::Window2D other = three;
    EXPECT_TRUE(fits(three, 16, 16));
    EXPECT_FALSE(fits(three, 3, 16));
    EXPECT_FALSE(fits(three, 16, 8));
    other.stride_w = 2;
    EXPECT_FALSE(fits(other, 16, 16));
    other = three;
    other.dilation_h = 2;
    EXPECT_FALSE(fits(other, 16, 16));
    other = three;
    other.kernel_w = 5;
    EXPECT_FALSE(fits(other, 16, 16));
    other = three;
    other.groups = 2;
    EXPECT_FALSE(fits(other, 32, 32));
}

}  // namespace
}  // namespace engine::backend::cpu
