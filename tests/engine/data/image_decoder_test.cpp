#include "engine/data/readers/image_decoder.h"

#include <cstdio>
#include <cstring>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "engine/spec/error.h"
#include "tests/support/damage/damage.h"
#include "tests/support/pictures.h"

namespace engine::data {
namespace {

using tests::support::jpegBytes;
using tests::support::pngBytes;

Image decoded(const std::string& bytes, int channels) {
    Image image;
    decodeImage(std::as_bytes(std::span(bytes)), channels, image);
    return image;
}

std::vector<int> numbers(std::span<const std::byte> bytes) {
    std::vector<int> values;
    for (const std::byte byte : bytes) {
        values.push_back(std::to_integer<int>(byte));
    }
    return values;
}

TEST(ImageDecoder, ReadsAPngAsItIs) {
    const Image image = decoded(pngBytes(1, 2, 3, {10, 20, 30, 40, 50, 60}), 3);
    EXPECT_EQ(image.rows, 1);
    EXPECT_EQ(image.columns, 2);
    EXPECT_THAT(numbers(image.pixels), testing::ElementsAre(10, 20, 30, 40, 50, 60));
}

TEST(ImageDecoder, TurnsGrayIntoColourAndBack) {
    EXPECT_THAT(numbers(decoded(pngBytes(1, 2, 1, {7, 9}), 3).pixels), testing::ElementsAre(7, 7, 7, 9, 9, 9));
    const std::vector<int> gray = numbers(decoded(pngBytes(1, 2, 3, {255, 0, 0, 0, 255, 0}), 1).pixels);
    EXPECT_NEAR(gray[0], 0.299 * 255, 1);
    EXPECT_NEAR(gray[1], 0.587 * 255, 1);
}

TEST(ImageDecoder, ReadsJpeg) {
    const Image image = decoded(jpegBytes(8, 16, 200), 3);
    EXPECT_EQ(image.rows, 8);
    EXPECT_EQ(image.columns, 16);
    for (const int value : numbers(image.pixels)) {
        EXPECT_NEAR(value, 200, 3);
    }
    EXPECT_EQ(decoded(jpegBytes(8, 16, 200), 1).pixels.size(), 128U);
}

TEST(ImageDecoder, MixesTheInksOfAPrintersJpeg) {
    const Image image = decoded(tests::support::jpegOf(8, 8, {255, 128, 0, 128}), 3);  // no cyan, half magenta, all yellow, half black
    EXPECT_EQ(image.channels, 3);
    ASSERT_EQ(image.pixels.size(), 192U);
    const std::vector<int> pixel = numbers(std::span(image.pixels).first(3));
    EXPECT_NEAR(pixel[0], 128, 3);
    EXPECT_NEAR(pixel[1], 64, 3);
    EXPECT_NEAR(pixel[2], 0, 3);
    const Image gray = decoded(tests::support::jpegOf(8, 8, {255, 128, 0, 128}), 1);
    ASSERT_EQ(gray.pixels.size(), 64U);
    EXPECT_NEAR(numbers(gray.pixels).front(), 0.299 * 128 + 0.587 * 64, 3);
}

TEST(ImageDecoder, SaysWhatIsWrong) {
    const std::string jpeg = jpegBytes(32, 32, 90);
    const std::vector<std::pair<std::string, const char*>> cases{{"", "is empty"},
                                                                 {"GIF89a", "neither a PNG nor a JPEG"},
                                                                 {jpeg.substr(0, jpeg.size() / 2), "damaged JPEG"},
                                                                 {pngBytes(1, 1, 1, {0}).substr(0, 40), "damaged PNG"}};
    for (const auto& [bytes, words] : cases) {
        try {
            decoded(bytes, 3);
            ADD_FAILURE() << words;
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::kDataLoss);
            EXPECT_THAT(error.what(), testing::HasSubstr(words));
        }
    }
}

TEST(ImageDecoder, SurvivesEveryDamage) {
    for (const std::string& whole : {pngBytes(5, 4, 3, std::vector<unsigned char>(60, 77)), jpegBytes(16, 16, 30)}) {
        tests::support::forEachDamage(whole, [](const std::string& bytes) { decoded(bytes, 3); }, {.rounds = 2000});
    }
}

TEST(ImageDecoder, TakesNoMemoryForWhatTheFileCannotHold) {
    std::string png = pngBytes(5, 4, 3, std::vector<unsigned char>(60, 77));
    constexpr std::size_t kHeader = 12, kHeaderBytes = 17, kWidth = 16;  // behind the signature and the chunk's length
    png.replace(kWidth, 8, std::string("\0\0\x20\0\0\0\x20\0", 8));
    const unsigned long crc = crc32(0, reinterpret_cast<const unsigned char*>(png.data()) + kHeader, kHeaderBytes);
    for (int i = 0; i < 4; ++i) {
        png[kHeader + kHeaderBytes + static_cast<std::size_t>(i)] = static_cast<char>(crc >> (24 - 8 * i));
    }
    std::string jpeg = jpegBytes(16, 16, 30);
    const std::size_t frame = jpeg.find("\xFF\xC0");
    ASSERT_NE(frame, std::string::npos);
    jpeg.replace(frame + 5, 4, std::string("\x20\0\x20\0", 4));
    for (const std::string& bytes : {png, jpeg}) {
        try {
            decoded(bytes, 3);
            ADD_FAILURE() << "expected an error";
        } catch (const Error& error) {
            EXPECT_THAT(error.what(), testing::HasSubstr("cannot hold a picture of 8192 × 8192 pixels"));
        }
    }
}

// tf.image.resize(tf.reshape([0., 100., 200., 50.], [2, 2, 1]), ...) of TensorFlow 2.21, rounded.
TEST(ImageDecoder, ResizesAsTensorFlow) {
    Image image{2, 2, 1, {std::byte{0}, std::byte{100}, std::byte{200}, std::byte{50}}};
    std::vector<std::byte> into(12);
    resizeImage(image, 3, 4, Interpolation::kBilinear, into.data());
    EXPECT_THAT(numbers(into), testing::ElementsAre(0, 25, 75, 100, 100, 94, 81, 75, 200, 163, 88, 50));
    resizeImage(image, 3, 4, Interpolation::kNearest, into.data());
    EXPECT_THAT(numbers(into), testing::ElementsAre(0, 0, 100, 100, 200, 200, 50, 50, 200, 200, 50, 50));
    resizeImage(image, 1, 1, Interpolation::kBilinear, into.data());
    EXPECT_EQ(std::to_integer<int>(into[0]), 88);
}

}  // namespace
}  // namespace engine::data
