#include "engine/backend/cpu/convolution/padded_images.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace engine::backend::cpu {
namespace {

// Images of two rows of three values; with their frame, of four rows of six.
constexpr std::int64_t kRows = 2, kRow = 3, kPaddedRows = 4, kPaddedRow = 6, kImages = 3;
const ImageFrame kFrame{.rows = kRows, .row = kRow, .top = 1, .bottom = 1, .left = 2, .right = 1};
const std::vector<float> kZeros(kPaddedRow, 0.0F), kUntouched(kPaddedRow, -1.0F);

// Images of 1, 2, 3 and so on, and a scratch that has room for a copy more than these have.
class PaddingRig {
public:
    explicit PaddingRig(const ImageFrame& frame)
        : values_(static_cast<std::size_t>(kImages * kRows * kRow)),
          scratch_(static_cast<std::size_t>((kImages + 1) * kPaddedRows * kPaddedRow), -1.0F),
          images_(frame, values_.data(), scratch_.data()) {
        for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = static_cast<float>(i + 1);
    }

    PaddedImages& images() { return images_; }
    const std::vector<float>& values() const { return values_; }
    const std::vector<float>& scratch() const { return scratch_; }
    // A row of a copy, counted with those above the image.
    std::vector<float> row(std::int64_t image, std::int64_t padded_row) const {
        const auto begin = scratch_.begin() + (image * kPaddedRows + padded_row) * kPaddedRow;
        return {begin, begin + kPaddedRow};
    }
    void expectWhole(std::int64_t image) const {
        const auto first = static_cast<float>(image * kRows * kRow + 1);
        EXPECT_EQ(row(image, 0), kZeros);
        EXPECT_EQ(row(image, 1), (std::vector<float>{0, 0, first, first + 1, first + 2, 0}));
        EXPECT_EQ(row(image, 2), (std::vector<float>{0, 0, first + 3, first + 4, first + 5, 0}));
        EXPECT_EQ(row(image, 3), kZeros);
    }

private:
    std::vector<float> values_, scratch_;
    PaddedImages images_;
};

TEST(PaddedImages, HaveTheRowsThatWereAskedFor) {
    PaddingRig rig(kFrame);
    EXPECT_EQ(rig.images().values(), rig.scratch().data());
    EXPECT_EQ(rig.images().distance(), kPaddedRows * kPaddedRow);
    EXPECT_EQ(rig.images().row(), kPaddedRow);
    rig.images().makeRows(0, 2);
    EXPECT_EQ(rig.row(0, 0), kZeros);
    EXPECT_EQ(rig.row(0, 1), (std::vector<float>{0, 0, 1, 2, 3, 0}));
    EXPECT_EQ(rig.row(0, 2), kUntouched);
    rig.images().makeRows(0, kPaddedRows);
    rig.expectWhole(0);
    EXPECT_EQ(rig.row(1, 0), kUntouched);
}

// A band of rows is made of all images before the next band is.
TEST(PaddedImages, TakeTheFirstImageAgainBehindTheLast) {
    PaddingRig rig(kFrame);
    for (const std::int64_t end : {std::int64_t{2}, kPaddedRows}) {
        for (std::int64_t image = 0; image < kImages; ++image) rig.images().makeRows(image, end);
    }
    for (std::int64_t image = 0; image < kImages; ++image) rig.expectWhole(image);
}

TEST(PaddedImages, AreTheImagesThemselvesWhereNothingLiesAroundThem) {
    const ImageFrame plain{.rows = kRows, .row = kRow};
    PaddingRig rig(plain);
    EXPECT_EQ(rig.images().values(), rig.values().data());
    EXPECT_EQ(rig.images().distance(), kRows * kRow);
    EXPECT_EQ(rig.images().row(), kRow);
    rig.images().makeRows(0, kRows);
    rig.images().makeRows(kImages - 1, kRows);
    EXPECT_EQ(rig.scratch(), std::vector<float>(rig.scratch().size(), -1.0F));
}

// Tiles go beyond an image that has no whole number of them.
TEST(PaddedImages, EndWithTheRowsBelowAnImage) {
    PaddingRig rig(kFrame);
    rig.images().makeRows(0, kPaddedRows + 5);
    rig.expectWhole(0);
    EXPECT_EQ(rig.row(1, 0), kUntouched);
    rig.images().makeRows(kImages - 1, kPaddedRows);
    rig.images().makeRows(kImages - 1, kPaddedRows + 1);
    rig.expectWhole(kImages - 1);
    EXPECT_EQ(rig.row(kImages, 0), kUntouched);
}

}  // namespace
}  // namespace engine::backend::cpu
