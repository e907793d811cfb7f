// What layers that take texts make of them, beside golden numbers of Keras (tests/data/keras/text_layers.py), and a data set of texts for a
// model that begins with one.
#include <cmath>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/checksum/sip_hash.h"
#include "engine/data/dataset_catalog.h"
#include "engine/data/texts/text_adaptation.h"
#include "engine/data/texts/text_encoder.h"
#include "engine/data/texts/text_samples.h"
#include "engine/data/texts/text_splitter.h"
#include "engine/spec/error.h"
#include "tests/support/golden.h"
#include "tests/support/temp_dir.h"

namespace engine::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Texts = std::vector<std::string>;

std::int64_t n(std::int64_t value) {
    return value;
}

spec::LayerSpec vectorization(spec::Fields config) {
    return {"TextVectorization", "texts", std::move(config)};
}

Texts vocabularyOf(const spec::LayerSpec& layer) {
    const spec::FieldValue* value = layer.config.find("vocabulary");
    return value == nullptr ? Texts() : std::get<Texts>(*value);
}

// What an encoder makes of texts, as numbers one after the other.
std::vector<float> encoded(const TextEncoder& encoder, const Texts& texts) {
    std::vector<float> values;
    std::vector<std::byte> bytes(encoder.bytes());
    for (const std::string& text : texts) {
        encoder.encode(text, bytes.data());
        for (std::size_t at = 0; at < bytes.size(); at += 4) {
            std::int32_t place = 0;
            float number = 0;
            std::memcpy(&place, bytes.data() + at, 4);
            std::memcpy(&number, bytes.data() + at, 4);
            values.push_back(encoder.dtype() == tensor::DType::kInt32 ? static_cast<float>(place) : number);
        }
    }
    return values;
}

TEST(TextLayers, GiveWhatKerasGives) {
    for (const nlohmann::json& golden : tests::support::readGolden("text_layers.json")) {
        SCOPED_TRACE(golden.at("class_name").get<std::string>() + ", " + golden.at("name").get<std::string>());
        spec::LayerSpec layer{golden.at("class_name"), "texts", tests::support::toFields(golden.at("config"))};
        if (golden.contains("seen")) {
            layer = adaptedToTexts(std::move(layer), golden.at("seen").get<Texts>());
            EXPECT_EQ(vocabularyOf(layer), golden.at("vocabulary").get<Texts>());
        }
        const TextEncoder encoder(layer);
        const tests::support::Array expected = tests::support::toArray(golden.at("output"));
        EXPECT_EQ(encoder.shape(), spec::Shape{expected.shape.back()});
        const std::vector<float> values = encoded(encoder, golden.at("texts").get<Texts>());
        ASSERT_EQ(values.size(), expected.values.size());
        for (std::size_t i = 0; i < values.size(); ++i)
            EXPECT_NEAR(values[i], expected.values[i], 2e-6 * (1 + std::abs(expected.values[i]))) << i;
    }
}

TEST(TextLayers, CutTextsAsTensorFlowDoes) {
    const TextSplitter pairs(vectorization({{"ngrams", n(2)}}));
    EXPECT_THAT(pairs.tokens("  A big\tDog! "), ElementsAre("a", "big", "dog", "a big", "big dog"));
    EXPECT_THAT(pairs.tokens(" ! "), ElementsAre());
    const TextSplitter letters(vectorization({{"split", std::string("character")}, {"standardize", std::string("none")}}));
    EXPECT_THAT(letters.tokens("A\u00e9\u65e5"), ElementsAre("A", "\u00e9", "\u65e5"));
    EXPECT_THAT(TextSplitter({"StringLookup", "texts", {}}).tokens("A b"), ElementsAre("A b"));
}

TEST(TextLayers, SayWhatTheyMiss) {
    const auto why = [](const auto& act) {
        try {
            act();
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("nothing");
    };
    const spec::LayerSpec words = vectorization({{"output_sequence_length", n(2)}});
    EXPECT_EQ(why([&] { const TextEncoder encoder(words); }), "texts: expected a vocabulary, got none");
    EXPECT_EQ(why([&] {
                  adaptedToTexts(words, Texts{"", "..."});
              }),
              "texts: expected words in the training texts for its vocabulary, got none");
    const TextEncoder strict({"StringLookup", "texts", {{"num_oov_indices", n(0)}, {"vocabulary", Texts{"a", "b"}}}});
    std::vector<std::byte> place(strict.bytes());
    EXPECT_EQ(why([&] { strict.encode("c", place.data()); }), "texts: expected texts of the vocabulary with num_oov_indices=0, got \"c\"");
    EXPECT_EQ(why([&] {
                  const TextEncoder encoder(vectorization({{"vocabulary", Texts{"a"}}}));
              }),
              "texts: expected a number with output_mode int, so that all texts have one length, got none");
}

// The vector of the paper: a key of the bytes 0 to 15, a text of the bytes 0 to 14.
TEST(SipHash, IsThatOfThePaper) {
    std::string text;
    for (char c = 0; c < 15; ++c) text += c;
    EXPECT_EQ(checksum::sipHash24(text, 0x0706050403020100U, 0x0f0e0d0c0b0a0908U), 0xa129ca6149be45e5U);
}

class TextSet : public testing::Test {
protected:
    TextSet() {
        std::ofstream(dir_.path() / "train.tsv") << "1\tGood, good film\n0\tbad film\n1\tgood\n0\tworse\n";
        std::ofstream(dir_.path() / "test.tsv") << "0\ta worse film\n";
        run_.model.input_shape = {1};
        run_.model.input_dtype = "string";
        run_.data.dataset = "text";
        run_.data.train_files = {"train.tsv"};
        run_.data.test_files = {"test.tsv"};
        run_.data.on_error = spec::BadRecord::kRefuse;
    }
    Dataset load() { return loadRunDataset(run_, {}, dir_.path()); }
    std::vector<std::int32_t> placesOf(const Samples& samples) const {
        std::vector<std::int32_t> places(samples.samples.size() / 4);
        std::memcpy(places.data(), samples.samples.data(), samples.samples.size());
        return places;
    }

    const tests::support::TempDir dir_;
    spec::RunSpec run_;
};

TEST_F(TextSet, HasPlacesOfAVocabularyOfItsTrainingTexts) {
    run_.model.layers = {vectorization({{"output_sequence_length", n(3)}})};
    const Dataset set = load();
    ASSERT_TRUE(set.adapted);
    EXPECT_THAT(vocabularyOf(*set.adapted), ElementsAre("good", "film", "worse", "bad"));
    EXPECT_EQ(set.train->sample_shape, spec::Shape{3});
    EXPECT_THAT(placesOf(*set.train), ElementsAre(2, 2, 3, 5, 3, 0, 2, 0, 0, 4, 0, 0));
    EXPECT_THAT(placesOf(*set.test), ElementsAre(1, 4, 3));
    EXPECT_EQ(set.train->label(0), 1);
    EXPECT_THAT(*set.train->texts, ElementsAre("Good, good film", "bad film", "good", "worse"));
    EXPECT_EQ(takeAdapted(run_, set), "texts: a vocabulary of 4 texts from the training samples");
    EXPECT_EQ(run_.model.layers.front(), *set.adapted);

    // The vocabulary is there now, whatever the files hold.
    std::ofstream(dir_.path() / "train.tsv") << "1\tworse\n";
    const Dataset again = load();
    EXPECT_FALSE(again.adapted);
    EXPECT_EQ(takeAdapted(run_, again), "");
    EXPECT_THAT(placesOf(*again.train), ElementsAre(4, 0, 0));
}

TEST_F(TextSet, TakesNoWordOfWhatIsKeptForValidation) {
    run_.model.layers = {vectorization({{"output_sequence_length", n(3)}})};
    run_.data.validation_split = 0.5;
    EXPECT_THAT(vocabularyOf(load().adapted.value()), ElementsAre("good", "film", "bad"));
    run_.data.validation_split = 0;
    run_.data.take = 1;
    EXPECT_THAT(vocabularyOf(load().adapted.value()), ElementsAre("good", "film"));
}

TEST_F(TextSet, KeepsTextsAndLabelsTogetherWhenItIsMixed) {
    run_.model.layers = {vectorization({{"output_sequence_length", n(3)}})};
    run_.data.split_seed = 5;
    const Dataset set = load();
    for (std::int64_t i = 0; i < set.train->count; ++i) {
        const std::string& text = (*set.train->texts)[static_cast<std::size_t>(i)];
        EXPECT_EQ(set.train->label(i), text.starts_with("G") || text.starts_with("g") ? 1 : 0) << text;
    }
}

TEST_F(TextSet, HasRowsThatAreMadeWhenTheyAreAskedFor) {
    run_.model.layers = {vectorization({{"output_mode", std::string("count")}, {"max_tokens", n(4)}, {"pad_to_max_tokens", true}})};
    const Dataset set = load();
    ASSERT_NE(set.train->decoder, nullptr);
    EXPECT_EQ(set.train->sample_dtype, tensor::DType::kFloat32);
    EXPECT_EQ(set.train->sample_shape, spec::Shape{4});
    std::vector<float> row(4);
    set.train->decoder->decode(1, reinterpret_cast<std::byte*>(row.data()));
    EXPECT_THAT(row, ElementsAre(1, 0, 1, 0));  // bad is beyond the places
    set.train->decoder->decode(0, reinterpret_cast<std::byte*>(row.data()));
    EXPECT_THAT(row, ElementsAre(0, 2, 1, 0));
}

TEST_F(TextSet, RefusesBytesThatAreNoUtf8) {
    run_.model.layers = {vectorization({{"output_sequence_length", n(3)}})};
    for (const char* bad : {"caf\xe9", "\xc0\xaf", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xe2\x82", "a\x80"}) {
        std::ofstream(dir_.path() / "train.tsv") << "1\tgood\n1\t" << bad << "\n";
        run_.data.on_error = spec::BadRecord::kRefuse;
        try {
            load();
            FAIL() << "expected an error";
        } catch (const Error& error) {
            EXPECT_THAT(error.what(), HasSubstr("train.tsv:2: expected a text in UTF-8, got other bytes"));
        }
        run_.data.on_error = spec::BadRecord::kSkip;
        EXPECT_EQ(load().train->count, 1);
    }
    std::ofstream(dir_.path() / "train.tsv") << "1\tcaf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\n";
    EXPECT_THAT(vocabularyOf(load().adapted.value()), ElementsAre("\xf0\x9f\x98\x80", "\xe2\x82\xac", "caf\xc3\xa9"));
}

TEST_F(TextSet, ReadsTextsWithoutLabelsForPredictions) {
    std::ofstream(dir_.path() / "new.txt") << "a good film\n\nbad\r\n";
    const auto samples =
        readEncodedTexts(dir_.path() / "new.txt", vectorization({{"output_sequence_length", n(3)}, {"vocabulary", Texts{"good", "bad"}}}));
    EXPECT_EQ(samples->count, 3) << "a row for each line";
    EXPECT_THAT(placesOf(*samples), ElementsAre(1, 2, 1, 0, 0, 0, 3, 0, 0));
}

}  // namespace
}  // namespace engine::data
