#include "engine/data/readers/idx_reader.h"

#include <cstring>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "engine/spec/error.h"
#include "tests/support/damage/damage.h"
#include "tests/support/temp_dir.h"

namespace engine::data {
namespace {

using testing::HasSubstr;

std::string bytes(std::initializer_list<int> values) {
    std::string text;
    for (int value : values) {
        text.push_back(static_cast<char>(value));
    }
    return text;
}

class IdxReader : public testing::Test {
protected:
    std::filesystem::path write(const std::string& name, const std::string& content) {
        const auto path = dir_.path() / name;
        std::ofstream(path, std::ios::binary) << content;
        return path;
    }
    std::filesystem::path writePacked(const std::string& name, const std::string& content) {
        const auto path = dir_.path() / name;
        gzFile file = gzopen(path.c_str(), "wb");
        gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
        gzclose(file);
        return path;
    }
    static std::string read(const std::filesystem::path& path) {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    Error errorOf(const std::function<void()>& action) {
        try {
            action();
        } catch (const Error& error) {
            return error;
        }
        ADD_FAILURE() << "expected an error";
        return {ErrorCode::kInternal, ""};
    }
    // 2 x 1 x 2 images.
    std::string images() const { return bytes({0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 10, 20, 30, 255}); }
    std::string labels() const { return bytes({0, 0, 8, 1, 0, 0, 0, 2, 3, 9}); }

    tests::support::TempDir dir_;
};

TEST_F(IdxReader, ReadsImagesWithTheirLabels) {
    const Samples samples = readIdxPair(write("images", images()), write("labels", labels()));
    EXPECT_EQ(samples.count, 2);
    EXPECT_EQ(samples.sample_shape, (spec::Shape{1, 2}));
    EXPECT_EQ(samples.sample_dtype, tensor::DType::kUInt8);
    EXPECT_EQ(std::to_integer<int>(samples.samples.data()[3]), 255);
    EXPECT_EQ(samples.label(0), 3);
    EXPECT_EQ(samples.label(1), 9);
    EXPECT_EQ(samples.view().sample_elements, 2);
}

TEST_F(IdxReader, ReadsGzipWhateverTheName) {
    EXPECT_EQ(readIdxPair(writePacked("images", images()), writePacked("labels.gz", labels())).count, 2);
}

TEST_F(IdxReader, ReadsEveryElementType) {
    const auto integer = [&](const std::string& content) {
        const IdxArray array = readIdx(write("array", content));
        EXPECT_EQ(array.dtype, tensor::DType::kInt32);
        std::int32_t value = 0;
        std::memcpy(&value, array.values.data(), 4);
        return value;
    };
    const auto number = [&](const std::string& content) {
        const IdxArray array = readIdx(write("array", content));
        EXPECT_EQ(array.dtype, tensor::DType::kFloat32);
        float value = 0;
        std::memcpy(&value, array.values.data(), 4);
        return value;
    };
    EXPECT_EQ(integer(bytes({0, 0, 0x09, 1, 0, 0, 0, 1, 0xFE})), -2);
    EXPECT_EQ(integer(bytes({0, 0, 0x0B, 1, 0, 0, 0, 1, 0xFF, 0xFD})), -3);
    EXPECT_EQ(integer(bytes({0, 0, 0x0C, 1, 0, 0, 0, 1, 0, 1, 0, 2})), 65538);
    EXPECT_EQ(number(bytes({0, 0, 0x0D, 1, 0, 0, 0, 1, 0x3F, 0xC0, 0, 0})), 1.5F);
    EXPECT_EQ(number(bytes({0, 0, 0x0E, 1, 0, 0, 0, 1, 0xC0, 0x04, 0, 0, 0, 0, 0, 0})), -2.5F);
}

TEST_F(IdxReader, ReadsShippedMnist) {
    const std::filesystem::path folder = std::filesystem::path(TANDEM_RESOURCES) / "datasets/mnist";
    const Samples test = readIdxPair(folder / "t10k-images-idx3-ubyte.gz", folder / "t10k-labels-idx1-ubyte.gz");
    EXPECT_EQ(test.count, 10000);
    EXPECT_EQ(test.sample_shape, (spec::Shape{28, 28}));
    EXPECT_EQ(test.label(0), 7);
    EXPECT_NO_THROW(checkAgainstModel(test, {28, 28, 1}, {.classes = 10}));
}

struct BadFile {
    const char* name;
    std::string content;
    ErrorCode code;
    const char* message;
};

class BadIdx : public IdxReader, public testing::WithParamInterface<BadFile> {};

TEST_P(BadIdx, IsOneClearErrorThatNamesTheFile) {
    const auto path = write("bad-file", GetParam().content);
    const Error error = errorOf([&] { readIdx(path); });
    EXPECT_EQ(error.code(), GetParam().code);
    EXPECT_THAT(error.what(), HasSubstr("bad-file: "));
    EXPECT_THAT(error.what(), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    IdxReader, BadIdx,
    testing::Values(BadFile{"Empty", "", ErrorCode::kDataLoss, "truncated: expected an IDX header of 4 bytes, got 0"},
                    BadFile{"Text", "PK34 something", ErrorCode::kDataLoss,
                            "is no IDX file: expected it to begin with the bytes 00 00, got 0x50 0x4b"},
                    BadFile{"UnknownType", bytes({0, 0, 0x0A, 1, 0, 0, 0, 1, 1}), ErrorCode::kDataLoss, "unknown IDX element type 0x0a"},
                    BadFile{"NoDimensions", bytes({0, 0, 8, 0}), ErrorCode::kDataLoss, "expected at least one dimension"},
                    BadFile{"HeaderCut", bytes({0, 0, 8, 3, 0, 0, 0, 2, 0, 0}), ErrorCode::kDataLoss,
                            "truncated: expected 3 sizes in the header, got 1"},
                    BadFile{"ValuesCut", bytes({0, 0, 8, 1, 0, 0, 0, 5, 1, 2, 3}), ErrorCode::kDataLoss,
                            "truncated: expected 5 bytes of values, got 3"},
                    BadFile{"TooLong", bytes({0, 0, 8, 1, 0, 0, 0, 1, 1, 2}), ErrorCode::kDataLoss, "longer than its header says"},
                    BadFile{"PromisesTooMuch", bytes({0, 0, 8, 1, 0x7F, 0xFF, 0xFF, 0xFF, 1}), ErrorCode::kDataLoss,
                            "which a file of 9 bytes cannot hold"},
                    BadFile{"PromisesMoreThanAnyone", bytes({0, 0, 0x0E, 2, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}),
                            ErrorCode::kDataLoss, "its header asks for more than"},
                    BadFile{"BrokenGzip", bytes({0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xFF, 0xFF, 0xFF, 0xFF}), ErrorCode::kDataLoss,
                            "broken gzip data"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST_F(IdxReader, TellsAGzipFileThatWasCutShort) {
    std::string content = bytes({0, 0, 8, 1, 0, 0, 0x10, 0});
    for (int i = 0; i < 4096; ++i) {
        content.push_back(static_cast<char>(i * i * 31 >> 3));
    }
    const auto path = writePacked("cut.gz", content);
    std::filesystem::resize_file(path, std::filesystem::file_size(path) - 100);
    const Error error = errorOf([&] { readIdx(path); });
    EXPECT_EQ(error.code(), ErrorCode::kDataLoss);
    EXPECT_THAT(error.what(), HasSubstr("cut.gz: truncated"));
}

TEST_F(IdxReader, SurvivesEveryDamage) {
    const auto labels_file = write("labels", labels());
    const std::string packed = read(writePacked("packed", images()));
    for (const std::string& whole : {images(), packed}) {
        tests::support::forEachDamage(whole, [&](const std::string& content) { readIdxPair(write("damaged", content), labels_file); },
                                      {.named = "damaged"});
    }
    const std::string wide = bytes({0, 0, 0x0E, 2, 0, 0, 0, 1, 0, 0, 0, 1, 0xC0, 0x04, 0, 0, 0, 0, 0, 0});
    tests::support::forEachDamage(wide, [&](const std::string& content) { readIdx(write("damaged", content)); }, {.named = "damaged"});
}

TEST_F(IdxReader, NamesAMissingFileAndAFolder) {
    EXPECT_EQ(errorOf([&] { readIdx(dir_.path() / "nowhere"); }).code(), ErrorCode::kNotFound);
    EXPECT_THAT(errorOf([&] { readIdx(dir_.path() / "nowhere"); }).what(), HasSubstr("nowhere"));
    EXPECT_THAT(errorOf([&] { readIdx(dir_.path()); }).what(), HasSubstr("got a folder"));
}

TEST_F(IdxReader, RefusesPairsThatDoNotMatch) {
    const auto two_images = write("images", images());
    const auto three_labels = write("labels3", bytes({0, 0, 8, 1, 0, 0, 0, 3, 1, 2, 3}));
    EXPECT_THAT(errorOf([&] { readIdxPair(two_images, three_labels); }).what(),
                testing::AllOf(HasSubstr("images has 2 images"), HasSubstr("labels3 has 3 labels")));
    EXPECT_THAT(errorOf([&] { readIdxPair(two_images, two_images); }).what(), HasSubstr("expected labels of shape (n,), got (2, 1, 2)"));
    const auto labels_file = write("labels", labels());
    EXPECT_THAT(errorOf([&] { readIdxPair(labels_file, labels_file); }).what(), HasSubstr("expected images of shape (n, rows, columns)"));
    const auto float_labels = write("float", bytes({0, 0, 0x0D, 1, 0, 0, 0, 1, 0, 0, 0, 0}));
    EXPECT_THAT(errorOf([&] { readIdxPair(two_images, float_labels); }).what(), HasSubstr("expected integer labels"));
}

TEST_F(IdxReader, ChecksSamplesAgainstTheModel) {
    const Samples samples = readIdxPair(write("images", images()), write("labels", labels()));
    EXPECT_NO_THROW(checkAgainstModel(samples, {1, 2, 1}, {.classes = 10}));
    const Error label = errorOf([&] { checkAgainstModel(samples, {1, 2, 1}, {.classes = 9}); });
    EXPECT_EQ(label.code(), ErrorCode::kInvalidArgument);
    EXPECT_THAT(label.what(), testing::AllOf(HasSubstr("labels: label 9 of sample 1 is out of range"), HasSubstr("expected 0 to 8")));
    EXPECT_THAT(errorOf([&] {
                    checkAgainstModel(samples, {28, 28, 1}, {.classes = 10});
                }).what(),
                HasSubstr("images: its samples have the shape (1, 2), the model's input expects (28, 28, 1)"));
}

}  // namespace
}  // namespace engine::data
