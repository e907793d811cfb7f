// The kernels' sums down columns and along rows, on every instruction set that this processor has, against sums in double.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/cpu/kernel_table.h"

namespace engine::backend::cpu {
namespace {

std::vector<const KernelTable*> tables() {
    std::vector<const KernelTable*> all;
    for (const Isa isa : {Isa::kPortable, Isa::kAvx2, Isa::kAvx512}) {
        if (isa <= supportedIsa()) all.push_back(&kernelTable(isa));
    }
    return all;
}

struct Size {
    std::int64_t rows, columns;
    std::size_t values() const { return static_cast<std::size_t>(rows * columns); }
    std::size_t at(std::int64_t row, std::int64_t column) const { return static_cast<std::size_t>(row * columns + column); }
};

// Every number of rows that is left over by the turns of rows, every width that is left over by vectors and pairs of them.
std::vector<Size> sizes() {
    std::vector<Size> all;
    for (const std::int64_t rows : {1, 2, 3, 4, 5, 7, 64}) {
        for (const std::int64_t columns : {1, 3, 4, 8, 13, 16, 24, 32, 48, 71}) all.push_back({rows, columns});
    }
    return all;
}

// Values between -1 and 1 with a mean of about `center`.
std::vector<float> values(std::size_t count, std::uint32_t seed, float center = 0) {
    std::vector<float> made;
    for (std::size_t i = 0; i < count; ++i) {
        seed = seed * 1664525U + 1013904223U;
        made.push_back(center + static_cast<float>(seed >> 8) / static_cast<float>(1 << 23) - 1);
    }
    return made;
}

TEST(RowSums, AddColumnsToWhatIsThere) {
    for (const KernelTable* kernels : tables()) {
        for (const Size size : sizes()) {
            const std::vector<float> x = values(size.values(), 1);
            std::vector<float> sums(static_cast<std::size_t>(size.columns), 2.5F);
            kernels->addColumns(x.data(), size.columns, size.rows, size.columns, sums.data());
            for (std::int64_t c = 0; c < size.columns; ++c) {
                double expected = 2.5;
                for (std::int64_t r = 0; r < size.rows; ++r) expected += x[size.at(r, c)];
                EXPECT_NEAR(sums[static_cast<std::size_t>(c)], expected, 3e-5)
                    << toString(kernels->isa) << ", " << size.rows << " x " << size.columns << ", column " << c;
            }
        }
    }
}

// Threads share columns out by lines of 16: what they find must not depend on how many they are.
TEST(RowSums, AddTheSameToAColumnWhateverStandsBesideIt) {
    constexpr Size kSize{67, 80};
    const std::vector<float> x = values(kSize.values(), 2);
    for (const KernelTable* kernels : tables()) {
        std::vector<float> together(static_cast<std::size_t>(kSize.columns), 0.0F), apart = together;
        kernels->addColumns(x.data(), kSize.columns, kSize.rows, kSize.columns, together.data());
        for (std::int64_t c = 0; c < kSize.columns; c += 16) {
            kernels->addColumns(x.data() + c, kSize.columns, kSize.rows, 16, apart.data() + c);
        }
        EXPECT_EQ(std::memcmp(together.data(), apart.data(), together.size() * sizeof(float)), 0) << toString(kernels->isa);
    }
}

TEST(RowSums, TakeMomentsOfColumnsFarFromZero) {
    for (const KernelTable* kernels : tables()) {
        for (const Size size : sizes()) {
            const std::vector<float> x = values(size.values(), 3, 100);
            const auto columns = static_cast<std::size_t>(size.columns);
            std::vector<float> mean(columns, -1.0F), squares(columns, -1.0F);
            kernels->columnMoments(x.data(), size.rows, size.columns, mean.data(), squares.data());
            for (std::int64_t c = 0; c < size.columns; ++c) {
                double sum = 0, distances = 0;
                for (std::int64_t r = 0; r < size.rows; ++r) sum += x[size.at(r, c)];
                const double center = sum / static_cast<double>(size.rows);
                for (std::int64_t r = 0; r < size.rows; ++r) distances += (x[size.at(r, c)] - center) * (x[size.at(r, c)] - center);
                const auto at = static_cast<std::size_t>(c);
                EXPECT_NEAR(mean[at], center, 1e-4) << toString(kernels->isa) << ", " << size.rows << " x " << size.columns;
                EXPECT_NEAR(squares[at], distances, 2e-3) << toString(kernels->isa) << ", " << size.rows << " x " << size.columns;
            }
        }
    }
}

TEST(RowSums, AddGradientsOfColumns) {
    for (const KernelTable* kernels : tables()) {
        for (const Size size : sizes()) {
            const auto columns = static_cast<std::size_t>(size.columns);
            const std::vector<float> x = values(size.values(), 4), dy = values(size.values(), 5), mean = values(columns, 6);
            std::vector<float> sums(columns, 0.5F), products(columns, -0.5F);
            kernels->columnGradientSums(x.data(), dy.data(), size.rows, size.columns, mean.data(), sums.data(), products.data());
            for (std::int64_t c = 0; c < size.columns; ++c) {
                const auto at = static_cast<std::size_t>(c);
                double sum = 0.5, product = -0.5;
                for (std::int64_t r = 0; r < size.rows; ++r) {
                    sum += dy[size.at(r, c)];
                    product += static_cast<double>(dy[size.at(r, c)]) * (static_cast<double>(x[size.at(r, c)]) - mean[at]);
                }
                EXPECT_NEAR(sums[at], sum, 3e-5) << toString(kernels->isa) << ", " << size.rows << " x " << size.columns;
                EXPECT_NEAR(products[at], product, 3e-5) << toString(kernels->isa) << ", " << size.rows << " x " << size.columns;
            }
        }
    }
}

// The largest value stands in each place in turn: no lane may be left out.
TEST(RowSums, TakeTheSoftmaxOfRowsOfAnyLength) {
    for (const KernelTable* kernels : tables()) {
        for (const std::int64_t columns : {1, 3, 4, 8, 16, 23, 32, 64, 71}) {
            for (std::int64_t place = 0; place < columns; ++place) {
                std::vector<float> x = values(static_cast<std::size_t>(columns), 7), y(x.size());
                x[static_cast<std::size_t>(place)] = 120;  // e^120 is no float: only the distance from the largest may be raised
                kernels->softmax(x.data(), 1, columns, y.data());
                double all = 0;
                for (const float value : y) all += value;
                EXPECT_NEAR(all, 1, 1e-6) << toString(kernels->isa) << ", " << columns << " values, the largest at " << place;
                EXPECT_NEAR(y[static_cast<std::size_t>(place)], 1, 1e-6) << toString(kernels->isa) << ", " << columns << " values";
            }
        }
    }
}

TEST(RowSums, NormalizeRowsOfAnyLength) {
    for (const KernelTable* kernels : tables()) {
        for (const std::int64_t columns : {2, 3, 4, 8, 16, 23, 32, 64, 71}) {
            const std::vector<float> x = values(static_cast<std::size_t>(columns), 8, 3);
            std::vector<float> y(x.size());
            kernels->groupNorm({.x = x.data(),
                                .positions = 1,
                                .stride = columns,
                                .width = columns,
                                .epsilon = 1e-6F,
                                .subtracts_mean = true,
                                .y = y.data()});
            double sum = 0, squares = 0;
            for (const float value : x) sum += value;
            const double center = sum / static_cast<double>(columns);
            for (const float value : x) squares += (value - center) * (value - center);
            const double inverse = 1 / std::sqrt(squares / static_cast<double>(columns) + 1e-6);
            for (std::size_t i = 0; i < x.size(); ++i) {
                EXPECT_NEAR(y[i], (x[i] - center) * inverse, 1e-5) << toString(kernels->isa) << ", " << columns << " values, " << i;
            }
        }
    }
}

}  // namespace
}  // namespace engine::backend::cpu
