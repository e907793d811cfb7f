#include "engine/data/readers/feature_encoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/spec/error.h"

namespace engine::data {
namespace {

using testing::ElementsAre;

std::vector<float> rowOfNumbers(const FeatureEncoder& encoder, const std::vector<double>& numbers) {
    std::vector<float> row(encoder.width());
    for (std::size_t i = 0; i < numbers.size(); ++i) encoder.addNumber(numbers[i], row.data(), i);
    return row;
}

std::vector<float> rowOfTexts(const FeatureEncoder& encoder, const std::vector<std::string>& texts) {
    std::vector<float> row(encoder.width());
    for (const std::string& text : texts) encoder.addText(text, row.data());
    return row;
}

TEST(FeatureEncoder, KeepsNumbers) {
    const FeatureEncoder encoder({"NumericColumn", {{"key", "x"}, {"shape", std::int64_t{3}}}});
    EXPECT_EQ(encoder.numbers(), 3U);
    EXPECT_THAT(rowOfNumbers(encoder, {1.5, -2, 1e9}), ElementsAre(1.5, -2, 1e9));
}

TEST(FeatureEncoder, PutsANumberAtABoundaryIntoTheBucketAbove) {
    const FeatureEncoder encoder({"BucketizedColumn", {{"key", "x"}, {"boundaries", std::vector<double>{0, 10}}}});
    EXPECT_THAT(rowOfNumbers(encoder, {-0.1}), ElementsAre(1, 0, 0));
    EXPECT_THAT(rowOfNumbers(encoder, {0}), ElementsAre(0, 1, 0));
    EXPECT_THAT(rowOfNumbers(encoder, {10}), ElementsAre(0, 0, 1));
}

TEST(FeatureEncoder, CountsTheValuesOfACategory) {
    const FeatureEncoder identity({"CategoricalColumnWithIdentity", {{"key", "k"}, {"num_buckets", std::int64_t{3}}}});
    EXPECT_THAT(rowOfNumbers(identity, {2, 0, 2}), ElementsAre(1, 0, 2));
    for (const double wrong : {3.0, -1.0, 0.5}) {
        EXPECT_THROW(rowOfNumbers(identity, {wrong}), Error) << wrong;
    }
    const FeatureEncoder vocabulary(
        {"CategoricalColumnWithVocabularyList",
         {{"key", "city"}, {"vocabulary_list", std::vector<std::string>{"Seoul", "Berlin"}}, {"num_oov_buckets", std::int64_t{1}}}});
    EXPECT_THAT(rowOfTexts(vocabulary, {"Berlin", "Paris", "Rome"}), ElementsAre(0, 1, 2));
}

// The places are those of tf.strings.to_hash_bucket_fast(text, 10) in TensorFlow 2.21.
TEST(FeatureEncoder, HashesAsTensorFlowDoes) {
    const FeatureEncoder encoder({"CategoricalColumnWithHashBucket", {{"key", "city"}, {"hash_bucket_size", std::int64_t{10}}}});
    const struct {
        const char* text;
        std::size_t place;
    } cases[] = {{"", 3},
                 {"a", 9},
                 {"Seoul", 7},
                 {"Berlin", 1},
                 {"서울", 2},
                 {"31", 8},
                 {"a text that is longer than thirty-two bytes in all", 8},
                 {"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", 9}};
    for (const auto& one : cases) {
        const std::vector<float> row = rowOfTexts(encoder, {std::string(one.text)});
        EXPECT_EQ(row[one.place], 1) << one.text;
    }
}

}  // namespace
}  // namespace engine::data
