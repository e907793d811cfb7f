#include "engine/data/dataset_summary.h"

#include <cstring>
#include <fstream>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/data/read_report.h"
#include "engine/data/readers/image_folder_reader.h"
#include "engine/spec/error.h"
#include "tests/support/pictures.h"
#include "tests/support/temp_dir.h"

namespace engine::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <typename Value, typename Label>
std::shared_ptr<Samples> makeSamples(const std::vector<Value>& values, tensor::DType dtype, const spec::Shape& shape,
                                     const std::vector<Label>& labels, tensor::DType label_dtype) {
    auto samples = std::make_shared<Samples>();
    samples->count = static_cast<std::int64_t>(labels.size());
    samples->sample_shape = shape;
    samples->sample_dtype = dtype;
    samples->samples = ByteBuffer(values.size() * sizeof(Value));
    std::memcpy(samples->samples.data(), values.data(), samples->samples.size());
    samples->label_dtype = label_dtype;
    samples->labels = ByteBuffer(labels.size() * sizeof(Label));
    std::memcpy(samples->labels.data(), labels.data(), samples->labels.size());
    return samples;
}

TEST(DatasetSummary, CountsClassesAndShowsTheirSamples) {
    std::vector<std::uint8_t> pixels(5 * 4);
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        pixels[i] = static_cast<std::uint8_t>(i);
    }
    const Dataset set{
        "set", makeSamples<std::uint8_t, std::uint8_t>(pixels, tensor::DType::kUInt8, {2, 2}, {1, 0, 1, 1, 0}, tensor::DType::kUInt8),
        makeSamples<std::uint8_t, std::uint8_t>(std::vector<std::uint8_t>(8), tensor::DType::kUInt8, {2, 2}, {2, 1},
                                                tensor::DType::kUInt8)};
    const DatasetSummary summary = summarize(set, {.samples_per_class = 2});
    EXPECT_TRUE(summary.has_classes);
    ASSERT_EQ(summary.groups.size(), 3U);
    EXPECT_EQ(summary.groups[1].name, "1");
    EXPECT_EQ(summary.groups[1].train, 3);
    EXPECT_EQ(summary.groups[1].test, 1);
    EXPECT_EQ(summary.groups[2].train, 0);
    EXPECT_TRUE(summary.groups[2].samples.empty());
    ASSERT_EQ(summary.groups[1].samples.size(), 2U);
    EXPECT_EQ(summary.groups[1].samples[1].index, 2);
    EXPECT_THAT(summary.groups[1].samples[1].picture.pixels, ElementsAre(std::byte{8}, std::byte{9}, std::byte{10}, std::byte{11}));
    EXPECT_EQ(summary.largest, 19);
    EXPECT_EQ(summarize(set, {.samples_per_class = 2, .draw = 1}).groups[1].samples[0].index, 3);
}

TEST(DatasetSummary, CountsWhatIsNotFinite) {
    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    const auto train =
        makeSamples<float, float>({1, 2, 3, nan, nan, 6, 7, 8}, tensor::DType::kFloat32, {2}, {0, 1, 2, -inf}, tensor::DType::kFloat32);
    train->source = "x.npy";
    train->label_source = "y.npy";
    const auto test = makeSamples<float, float>({inf, 0}, tensor::DType::kFloat32, {2}, {1}, tensor::DType::kFloat32);
    test->source = "x_test.npy";
    const Dataset set{"set", train, test};
    const DatasetSummary summary = summarize(set, {.reads_all = true});
    EXPECT_EQ(summary.not_finite, 4) << "two samples, a label, a test sample";
    EXPECT_EQ(summary.first_not_finite, "y.npy: the label of sample 3 has -inf as number 0");
    EXPECT_EQ(summarize(set, {}).not_finite, 0) << "nobody asked";
    train->labels = ByteBuffer(16);
    std::memset(train->labels.data(), 0, 16);
    EXPECT_EQ(summarize(set, {.reads_all = true}).first_not_finite, "x.npy: sample 1 has nan as number 1");
}

TEST(DatasetSummary, PutsNumbersIntoRanges) {
    std::vector<float> values, labels;
    for (int i = 0; i <= 100; ++i) {
        values.insert(values.end(), {static_cast<float>(i), 0.5F});
        labels.push_back(static_cast<float>(i));
    }
    const Dataset set{"set", makeSamples<float, float>(values, tensor::DType::kFloat32, {2}, labels, tensor::DType::kFloat32), nullptr};
    const DatasetSummary summary = summarize(set, {});
    EXPECT_FALSE(summary.has_classes);
    ASSERT_EQ(summary.groups.size(), 10U);
    EXPECT_EQ(summary.groups[0].name, "0 to 10");
    EXPECT_EQ(summary.groups[9].train, 11);
    EXPECT_EQ(summary.groups[0].samples[1].text, "1, 0.5");
    EXPECT_TRUE(summary.groups[0].samples[1].picture.pixels.empty());
}

TEST(DatasetSummary, MakesPicturesSmallAndNamesThoseThatCannotBeRead) {
    const tests::support::TempDir dir;
    std::filesystem::create_directories(dir.path() / "cat");
    const auto write = [&](const std::string& name, const std::string& bytes) {
        std::ofstream(dir.path() / "cat" / name, std::ios::binary) << bytes;
    };
    for (int i = 0; i < 30; ++i) {
        write(std::to_string(10 + i) + ".jpg", tests::support::jpegBytes(8, 8, 90));
    }
    write("25.jpg", "no picture");
    write("38.jpg", "no picture either");
    for (const bool reads_all : {false, true}) {
        const auto report = std::make_shared<ReadReport>(spec::BadRecord::kSkip);
        const auto samples = std::make_shared<Samples>(readImageFolder(dir.path(), {.size = {64, 32}}, report));
        const DatasetSummary summary = summarize({"set", samples, nullptr}, {.reads_all = reads_all});
        EXPECT_EQ(summary.groups[0].name, "cat");
        ASSERT_EQ(summary.groups[0].samples.size(), 12U);
        EXPECT_EQ(summary.groups[0].samples[0].picture.rows, 48);
        EXPECT_EQ(summary.groups[0].samples[0].picture.columns, 24);
        EXPECT_EQ(report->skipped(), reads_all ? 2 : 0);
    }
    const auto report = std::make_shared<ReadReport>(spec::BadRecord::kRefuse);
    const auto samples = std::make_shared<Samples>(readImageFolder(dir.path(), {}, report));
    try {
        summarize({"set", samples, nullptr}, {.reads_all = true});
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr(".jpg: is neither a PNG nor a JPEG"));
    }
    EXPECT_THROW(summarize({"set", samples, nullptr}, {.reads_all = true, .is_cancelled = [] { return true; }}), Error);
}

TEST(DatasetSummary, KeepsTheLargestOfVeryManyClasses) {
    std::vector<std::int32_t> labels;
    for (std::int32_t i = 0; i < 1000; ++i) {
        labels.insert(labels.end(), i >= 900 ? 2U : 1U, i);
    }
    const Dataset set{"set",
                      makeSamples<std::uint8_t, std::int32_t>(std::vector<std::uint8_t>(labels.size()), tensor::DType::kUInt8, {1}, labels,
                                                              tensor::DType::kInt32),
                      nullptr};
    const DatasetSummary summary = summarize(set, {});
    EXPECT_EQ(summary.groups.size(), kMostGroups);
    EXPECT_EQ(summary.groups_left_out, 800);
    EXPECT_EQ(summary.groups.back().name, "999");
    EXPECT_EQ(summary.groups.back().train, 2);
}

}  // namespace
}  // namespace engine::data
