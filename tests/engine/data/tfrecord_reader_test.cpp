#include "engine/data/readers/tfrecord_reader.h"

#include <cstring>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/checksum/crc32c.h"
#include "engine/data/pipeline.h"
#include "engine/spec/error.h"
#include "tests/support/damage/damage.h"
#include "tests/support/pictures.h"
#include "tests/support/temp_dir.h"

namespace engine::data {
namespace {

using testing::HasSubstr;

std::string framed(const std::string& record) {
    const auto number = [](auto value) { return std::string(reinterpret_cast<const char*>(&value), sizeof(value)); };
    const std::string length = number(std::uint64_t{record.size()});
    return length + number(checksum::maskCrc(checksum::crc32c(length))) + record + number(checksum::maskCrc(checksum::crc32c(record)));
}

// Protobuf's wire: field 1..n of length-delimited bytes. All lengths here are below 128 * 128.
std::string field(int number, const std::string& bytes) {
    std::string wire{static_cast<char>((number << 3) | 2)};
    if (bytes.size() >= 128) {
        wire += static_cast<char>((bytes.size() & 127) | 128);
        wire += static_cast<char>(bytes.size() >> 7);
    } else {
        wire += static_cast<char>(bytes.size());
    }
    return wire + bytes;
}
std::string bytesFeature(const std::string& bytes) {
    return field(1, field(1, bytes));
}
std::string integerFeature(const std::string& small_numbers) {
    return field(3, field(1, small_numbers));
}
std::string example(const std::vector<std::pair<std::string, std::string>>& features) {
    std::string entries;
    for (const auto& [name, feature] : features) {
        entries += field(1, field(1, name) + field(2, feature));
    }
    return field(1, entries);
}
std::string rawExample(const std::string& pixels, char label) {
    return framed(example({{"image", bytesFeature(pixels)}, {"label", integerFeature({label})}}));
}

class TfRecordReader : public testing::Test {
protected:
    std::filesystem::path write(const std::string& name, const std::string& bytes) {
        std::ofstream(dir_.path() / name, std::ios::binary) << bytes;
        return dir_.path() / name;
    }
    std::shared_ptr<const Samples> read(const std::vector<std::filesystem::path>& files, const spec::TfRecordFormat& format,
                                        spec::BadRecord on_error = spec::BadRecord::kRefuse) {
        report_ = std::make_shared<ReadReport>(on_error);
        return std::make_shared<const Samples>(readTfRecords(files, format, {.size = {1, 2}, .color_mode = "rgb"}, report_));
    }
    static std::vector<int> decoded(const Samples& samples, std::int64_t index) {
        std::vector<std::byte> bytes(static_cast<std::size_t>(elementsOf(samples.sample_shape)) * tensor::sizeOf(samples.sample_dtype));
        samples.decoder->decode(index, bytes.data());
        std::vector<int> values;
        for (const std::byte byte : bytes) {
            values.push_back(std::to_integer<int>(byte));
        }
        return values;
    }
    template <typename Function>
    static std::string refusal(Function&& function) {
        try {
            function();
        } catch (const Error& error) {
            return error.what();
        }
        return "no error";
    }

    const spec::TfRecordFormat raw_{.shape = {1, 2}};
    tests::support::TempDir dir_;
    std::shared_ptr<ReadReport> report_;
};

TEST_F(TfRecordReader, ReadsRawBytesOfSeveralFiles) {
    const auto samples = read({write("a", rawExample("\1\2", 3) + rawExample("\3\4", 5)), write("b", rawExample("\5\6", 7))}, raw_);
    EXPECT_EQ(samples->count, 3);
    EXPECT_EQ(samples->files, (std::vector<Extent>{{0, 2}, {2, 3}}));
    EXPECT_EQ(samples->label_dtype, tensor::DType::kInt32);
    EXPECT_EQ(samples->label(2), 7);
    EXPECT_THAT(decoded(*samples, 1), testing::ElementsAre(3, 4));
}

TEST_F(TfRecordReader, MakesSamplesOfFeatureColumns) {
    const std::string floats = field(2, field(1, std::string("\0\0\x20\x41\0\0\0\xbf", 8)));  // 10, -0.5
    const std::string first =
        framed(example({{"x", floats}, {"age", integerFeature({31})}, {"city", bytesFeature("Seoul")}, {"y", integerFeature({1})}}));
    const std::string tags = field(1, field(1, "Berlin") + field(1, "Seoul"));
    const std::string second = framed(example({{"x", floats}, {"age", integerFeature({50})}, {"city", tags}, {"y", integerFeature({0})}}));
    const std::string no_city = framed(example({{"x", floats}, {"age", integerFeature({5})}, {"y", integerFeature({0})}}));
    const std::vector<spec::ObjectSpec> columns{
        {"NumericColumn", {{"key", "x"}, {"shape", std::int64_t{2}}}},
        {"BucketizedColumn", {{"key", "age"}, {"boundaries", std::vector<double>{30, 50}}}},
        {"CategoricalColumnWithVocabularyList", {{"key", "city"}, {"vocabulary_list", std::vector<std::string>{"Seoul", "Berlin"}}}}};
    const auto report = std::make_shared<ReadReport>(spec::BadRecord::kRefuse);
    const Samples samples = readTfRecords({write("a", first + second + no_city)}, {.label = "y"}, {}, report, columns);
    EXPECT_EQ(samples.sample_shape, (spec::Shape{7}));
    EXPECT_EQ(samples.sample_dtype, tensor::DType::kFloat32);
    ASSERT_EQ(samples.samples.size(), 3 * 7 * sizeof(float));
    std::vector<float> values(3 * 7);
    std::memcpy(values.data(), samples.samples.data(), samples.samples.size());
    EXPECT_THAT(values, testing::ElementsAre(10, -0.5, 0, 1, 0, 1, 0,  //
                                             10, -0.5, 0, 0, 1, 1, 1,  //
                                             10, -0.5, 1, 0, 0, 0, 0));
    EXPECT_EQ(samples.label(0), 1);

    const auto skips = std::make_shared<ReadReport>(spec::BadRecord::kSkip);
    const std::string text_age = framed(example({{"x", floats}, {"age", bytesFeature("old")}, {"y", integerFeature({0})}}));
    const std::string one_x = framed(example({{"x", integerFeature({1})}, {"age", integerFeature({5})}, {"y", integerFeature({0})}}));
    EXPECT_EQ(readTfRecords({write("b", text_age + one_x + first)}, {.label = "y"}, {}, skips, columns).count, 1);
    EXPECT_EQ(skips->skipped(), 2);
    EXPECT_THAT(refusal([&] { readTfRecords({write("c", one_x)}, {.label = "y"}, {}, report, columns); }),
                HasSubstr("c: record 0: expected 2 numbers in \"x\", got 1"));
}

TEST_F(TfRecordReader, DecodesPicturesAndListsOfNumbers) {
    const std::string png = tests::support::pngBytes(1, 2, 3, {1, 2, 3, 4, 5, 6});
    const auto pictures =
        read({write("a", framed(example({{"image", bytesFeature(png)}, {"label", integerFeature({1})}})))}, {.encoding = "image"});
    EXPECT_THAT(decoded(*pictures, 0), testing::ElementsAre(1, 2, 3, 4, 5, 6));
    const auto lists = read({write("b", framed(example({{"x", integerFeature({1, 2, 3})}, {"y", integerFeature({4, 5})}})))},
                            {.sample = "x", .encoding = "list", .shape = {3}, .label = "y", .label_shape = {2}});
    EXPECT_EQ(lists->sample_dtype, tensor::DType::kFloat32);
    std::array<float, 3> values{};
    lists->decoder->decode(0, reinterpret_cast<std::byte*>(values.data()));
    EXPECT_THAT(values, testing::ElementsAre(1, 2, 3));
    EXPECT_EQ(lists->label_shape, (spec::Shape{2}));
}

TEST_F(TfRecordReader, NamesRecordsThatAreBadOrSkipsThem) {
    std::string broken = rawExample("\1\2", 1);
    broken[broken.size() - 6] = static_cast<char>(broken[broken.size() - 6] ^ 1);
    const auto file = write("bad", broken + rawExample("\3\4", 2) + framed(example({{"label", integerFeature({1})}})) + "cut");
    EXPECT_THAT(refusal([&] { read({file}, raw_); }), HasSubstr("bad: record 0: the checksum of its bytes is wrong"));
    EXPECT_EQ(read({file}, raw_, spec::BadRecord::kSkip)->count, 1);
    EXPECT_THAT(report_->firstSkipped(), testing::UnorderedElementsAre(HasSubstr("record 0: the checksum"),
                                                                       HasSubstr("record 2: expected a feature \"image\", it has label"),
                                                                       HasSubstr("record 3: truncated; the file is not read beyond")));
    const auto wrong_size = read({write("size", rawExample("\1\2\3", 1))}, raw_);
    EXPECT_THAT(refusal([&] { decoded(*wrong_size, 0); }), HasSubstr("size: record 0: expected 2 bytes in \"image\", got 3"));
    EXPECT_THAT(refusal([&] { read({write("none", "")}, raw_); }), HasSubstr("expected at least one record"));
    const auto unlabelled = write("unlabelled", framed(example({{"image", bytesFeature("12")}})) + framed(example({})));
    EXPECT_THAT(refusal([&] { read({unlabelled}, raw_, spec::BadRecord::kSkip); }),
                testing::AllOf(HasSubstr("unlabelled: expected at least one record, got none (skipped: 2; the first: "),
                               HasSubstr("record 0: expected a feature \"label\", it has image")));
}

TEST_F(TfRecordReader, SurvivesEveryDamage) {
    const std::string whole = rawExample("\1\2", 1) + rawExample("\3\4", 2);
    for (const auto on_error : {spec::BadRecord::kSkip, spec::BadRecord::kRefuse}) {
        tests::support::forEachDamage(whole, [&](const std::string& bytes) { read({write("damaged", bytes)}, raw_, on_error); },
                                      {.named = "damaged"});
    }
    // With right checksums around wrong bytes.
    const std::string record = example({{"image", bytesFeature("\1\2")}, {"label", integerFeature({1})}});
    tests::support::forEachDamage(record, [&](const std::string& bytes) { decoded(*read({write("damaged", framed(bytes))}, raw_), 0); },
                                  {.named = "damaged"});
}

// The table of TensorFlow's own results: two files of 4 and 5 samples, then three of 4, 5 and 6, batches of 4 over two workers.
TEST_F(TfRecordReader, IsShardedByFileAsTensorFlowDoes) {
    const auto file = [&](const std::string& name, int count) {
        std::string bytes;
        for (int i = 0; i < count; ++i) {
            bytes += rawExample("\1\2", 1);
        }
        return write(name, bytes);
    };
    const auto shards = [&](const Samples& samples, int index, spec::AutoShardPolicy policy) {
        spec::DataSpec data;
        data.shuffle = 0;
        data.auto_shard = policy;
        const auto all = static_cast<std::uint32_t>(samples.count);
        const BatchStreamPtr stream = trainingBatches(data, samples, {0, all}, {.replicas = 2, .index = index, .global_batch = 4});
        stream->start(0);
        std::vector<std::vector<std::uint32_t>> batches;
        std::span<const std::uint32_t> batch;
        while (stream->next(batch)) {
            batches.emplace_back(batch.begin(), batch.end());
        }
        return batches;
    };
    using Batches = std::vector<std::vector<std::uint32_t>>;
    const auto two = read({file("a", 4), file("b", 5)}, raw_);
    for (const auto policy : {spec::AutoShardPolicy::kAuto, spec::AutoShardPolicy::kFile}) {
        EXPECT_EQ(shards(*two, 0, policy), (Batches{{0, 1}, {2, 3}}));
        EXPECT_EQ(shards(*two, 1, policy), (Batches{{4, 5}, {6, 7}, {8}}));
    }
    EXPECT_EQ(shards(*two, 0, spec::AutoShardPolicy::kData), (Batches{{0, 1}, {4, 5}, {8}}));
    const auto three = read({file("a", 4), file("b", 5), file("c", 6)}, raw_);
    EXPECT_EQ(shards(*three, 0, spec::AutoShardPolicy::kFile), (Batches{{0, 1}, {2, 3}, {9, 10}, {11, 12}, {13, 14}}));
    EXPECT_EQ(shards(*three, 1, spec::AutoShardPolicy::kFile), (Batches{{4, 5}, {6, 7}, {8}}));
    const auto one = read({file("a", 4)}, raw_);
    EXPECT_THROW(shards(*one, 0, spec::AutoShardPolicy::kAuto), Error);
}

}  // namespace
}  // namespace engine::data
