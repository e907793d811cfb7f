#include "engine/data/readers/text_reader.h"

#include <cstring>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"
#include "tests/support/damage/damage.h"
#include "tests/support/temp_dir.h"

namespace engine::data {
namespace {

std::vector<std::int32_t> words(const Samples& samples) {
    std::vector<std::int32_t> values(samples.samples.size() / 4);
    std::memcpy(values.data(), samples.samples.data(), samples.samples.size());
    return values;
}

TEST(TextReader, NumbersWordsByTheirFrequency) {
    const tests::support::TempDir dir;
    std::ofstream(dir.path() / "train.txt") << "1\tA film, a good FILM\n0\tbad\n";
    std::ofstream(dir.path() / "test.txt") << "0\tgood bad a new film of a film\nno tab\n";
    const spec::TextFormat format{.vocabulary = 5, .length = 4};
    const Vocabulary vocabulary = readVocabulary({dir.path() / "train.txt"}, format);
    ReadReport report(spec::BadRecord::kSkip);
    const Samples train = readTexts({dir.path() / "train.txt"}, format, vocabulary, report);
    EXPECT_EQ(train.count, 2);
    EXPECT_THAT(words(train), testing::ElementsAre(3, 2, 1, 3, 0, 0, 0, 4));  // a 2, film 3, bad 4; good is unknown
    EXPECT_EQ(train.label(0), 1);
    const Samples test = readTexts({dir.path() / "test.txt"}, format, vocabulary, report);
    EXPECT_THAT(words(test), testing::ElementsAre(3, 1, 2, 3));
    EXPECT_THAT(report.firstSkipped(), testing::ElementsAre(testing::HasSubstr("test.txt:2: expected a label")));
}

TEST(TextReader, SaysWhyNothingIsLeft) {
    const tests::support::TempDir dir;
    std::ofstream(dir.path() / "train.txt") << "1\tgood\n";
    std::ofstream(dir.path() / "test.txt") << "no tab\n";
    const Vocabulary vocabulary = readVocabulary({dir.path() / "train.txt"}, {});
    ReadReport report(spec::BadRecord::kSkip);
    try {
        readTexts({dir.path() / "test.txt"}, {}, vocabulary, report);
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::AllOf(testing::HasSubstr("got none (skipped: 1; the first: "),
                                                 testing::HasSubstr("test.txt:1: expected a label")));
    }
}

TEST(TextReader, MakesCodesOfLabelsThatAreTexts) {
    const tests::support::TempDir dir;
    std::ofstream(dir.path() / "train.txt") << "pos\tx\nneg\ty\npos\tz\n";
    const Vocabulary vocabulary = readVocabulary({dir.path() / "train.txt"}, {});
    ReadReport report(spec::BadRecord::kRefuse);
    const Samples samples = readTexts({dir.path() / "train.txt"}, {}, vocabulary, report);
    EXPECT_THAT(samples.class_names, testing::ElementsAre("neg", "pos"));
    EXPECT_EQ(samples.label(0), 1);
    EXPECT_EQ(samples.label(1), 0);
}

TEST(TextReader, SurvivesEveryDamage) {
    const tests::support::TempDir dir;
    const auto read = [&](const std::string& bytes) {
        const std::vector<std::filesystem::path> files{dir.path() / "damaged.txt"};
        std::ofstream(files[0], std::ios::binary) << bytes;
        ReadReport report(spec::BadRecord::kRefuse);
        readTexts(files, {}, readVocabulary(files, {}), report);
    };
    tests::support::forEachDamage("1\tA film, a good FILM\r\n0\tbad\n12\tcaf\xC3\xA9's\n", read, {.named = "damaged.txt"});
}

}  // namespace
}  // namespace engine::data
