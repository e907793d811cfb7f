#include "engine/data/readers/csv_reader.h"

#include <cmath>
#include <cstring>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"
#include "tests/support/damage/damage.h"
#include "tests/support/temp_dir.h"

namespace engine::data {
namespace {

using testing::HasSubstr;

class CsvReader : public testing::Test {
protected:
    std::filesystem::path write(const std::string& name, const std::string& text) {
        std::ofstream(dir_.path() / name, std::ios::binary) << text;
        return dir_.path() / name;
    }
    Samples read(const std::string& text, const spec::CsvFormat& format, spec::BadRecord on_error = spec::BadRecord::kRefuse) {
        report_ = std::make_unique<ReadReport>(on_error);
        const std::vector<std::filesystem::path> files{write("table.csv", text)};
        return readCsv(files, format, inspectCsv(files, format, columns_), *report_);
    }
    static std::vector<float> features(const Samples& samples) {
        std::vector<float> values(samples.samples.size() / sizeof(float));
        std::memcpy(values.data(), samples.samples.data(), samples.samples.size());
        return values;
    }
    std::string refusal(const std::string& text, const spec::CsvFormat& format) {
        try {
            read(text, format);
        } catch (const Error& error) {
            return error.what();
        }
        return "no error";
    }

    tests::support::TempDir dir_;
    std::unique_ptr<ReadReport> report_;
    std::vector<spec::ObjectSpec> columns_;
};

TEST_F(CsvReader, ReadsNumbersTextsAndQuotes) {
    const Samples samples = read("size,colour,price\r\n1,\"deep \"\"red\"\"\",3\r\n2.5,blue,-4\r\n", {.label = "price"});
    EXPECT_EQ(samples.count, 2);
    EXPECT_EQ(samples.sample_shape, (spec::Shape{2}));
    EXPECT_THAT(features(samples), testing::ElementsAre(1, 1, 2.5, 0));  // blue 0, deep "red" 1
    EXPECT_EQ(samples.label_dtype, tensor::DType::kInt32);
    EXPECT_EQ(samples.label(1), -4);
    ASSERT_EQ(samples.files.size(), 1U);
    EXPECT_EQ(samples.files[0], (Extent{0, 2}));
}

TEST_F(CsvReader, GuessesTheLabelsType) {
    EXPECT_EQ(read("a,b\n1,1\n2,2.5\n", {.label = "b"}).label_dtype, tensor::DType::kFloat32);
    EXPECT_EQ(read("a,b\n1,1\n2,9999999999\n", {.label = "b"}).label_dtype, tensor::DType::kFloat32);
    const Samples texts = read("a,b\n1,yes\n2,no\n", {.label = "-1"});
    EXPECT_EQ(texts.label_dtype, tensor::DType::kInt32);
    EXPECT_EQ(texts.label(0), 1);
    EXPECT_THAT(texts.class_names, testing::ElementsAre("no", "yes"));
}

// One cell of rubbish does not make 199 categories of 199 numbers; four kinds of court cards among nine numbers do make categories.
TEST_F(CsvReader, TakesAFewTextsAmongManyNumbersForMistakes) {
    std::string text = "a,label\n";
    for (int i = 0; i < 199; ++i) text += std::to_string(i) + ".5,1\n";
    text += "oops,0\n";
    const spec::CsvFormat format{.label = "label"};
    EXPECT_THAT(refusal(text, format), HasSubstr("table.csv:201: expected a number in \"a\", got \"oops\""));
    const Samples kept = read(text, format, spec::BadRecord::kSkip);
    EXPECT_EQ(kept.count, 199);
    EXPECT_EQ(features(kept).back(), 198.5F);

    std::string cards = "card,label\n";
    for (const char* card : {"2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"}) cards += std::string(card) + ",1\n";
    EXPECT_EQ(features(read(cards, format)).front(), 1.0F) << "the code of \"2\", behind \"10\"";
}

TEST_F(CsvReader, ChoosesColumnsByNameAndIndex) {
    const spec::CsvFormat format{.header = false, .delimiter = ";", .label = "0", .features = {"2", "-2"}};
    EXPECT_THAT(features(read("9;1;2\n8;3;4\n", format)), testing::ElementsAre(2, 1, 4, 3));
    EXPECT_THAT(refusal("a,b\n1,2\n", {.label = "b", .features = {"0", "-1"}}),
                HasSubstr("without the label, got b, which is data.csv.label"));
    EXPECT_THAT(refusal("a,b\n1,2\n", {.label = "b", .features = {"a", "0"}}),
                HasSubstr("every column once and without the label, got a twice"));
    EXPECT_THAT(refusal("a,b\n1,2\n", {.label = "c"}), HasSubstr("data.csv.label: expected a column of the table (a, b)"));
}

TEST_F(CsvReader, MakesOfEachCellWhatItsFeatureColumnSays) {
    columns_ = {{"NumericColumn", {{"key", "age"}}},
                {"BucketizedColumn", {{"key", "age"}, {"boundaries", std::vector<double>{18, 65}}}},
                {"CategoricalColumnWithVocabularyList",
                 {{"key", "city"}, {"vocabulary_list", std::vector<std::string>{"Seoul", "Berlin"}}, {"num_oov_buckets", std::int64_t{1}}}},
                {"CategoricalColumnWithIdentity", {{"key", "rooms"}, {"num_buckets", std::int64_t{2}}}}};
    const std::string header = "city,rooms,age,price\n";
    const Samples samples = read(header + "Berlin,1,18,3\nParis,0,17.5,4\nSeoul,1,70,5\n", {.label = "price"});
    EXPECT_EQ(samples.sample_shape, (spec::Shape{9}));
    EXPECT_THAT(features(samples), testing::ElementsAre(18, 0, 1, 0, 0, 1, 0, 0, 1,    //
                                                        17.5, 1, 0, 0, 0, 0, 1, 1, 0,  //
                                                        70, 0, 0, 1, 1, 0, 0, 0, 1));
    EXPECT_THAT(refusal(header + "Berlin,2,18,3\n", {.label = "price"}), HasSubstr("expected a whole number below 2 in \"rooms\", got 2"));
    EXPECT_THAT(refusal(header + "Berlin,1,old,3\n", {.label = "price"}), HasSubstr("expected a number in \"age\", got \"old\""));
    EXPECT_THAT(refusal("city,rooms,price\nBerlin,1,3\n", {.label = "price"}),
                HasSubstr("data.feature_columns[0].key: expected a column of the table (city, rooms, price)"));
}

TEST_F(CsvReader, TreatsMissingCellsAsTold) {
    const std::string text = "a,b,y\n1,x,0\n,x,1\n3,,0\n4,x,\n";
    EXPECT_THAT(refusal(text, {.label = "y"}), testing::AllOf(HasSubstr("table.csv:3: "), HasSubstr("the cell of \"a\" is missing")));
    EXPECT_THAT(features(read(text, {.label = "y", .missing = "skip"})), testing::ElementsAre(1, 0));
    EXPECT_THAT(features(read(text, {.label = "y", .missing = "zero"})), testing::ElementsAre(1, 0, 0, 0, 3, 0));
    EXPECT_NEAR(features(read(text, {.label = "y", .missing = "mean"}))[2], 8.0F / 3, 1e-6);
    EXPECT_THAT(features(read("a,y\n?,1\n2,1\n", {.label = "y", .missing_value = "?", .missing = "zero"})), testing::ElementsAre(0, 2));
}

TEST_F(CsvReader, NamesBrokenLinesOrSkipsThem) {
    const std::string text = "a,y\n1,1\n2\n3,3,3\n\"4\"x,4\n5,5\n";
    EXPECT_THAT(refusal(text, {.label = "y"}), HasSubstr("table.csv:3: expected 2 cells, got 1"));
    const Samples samples = read(text, {.label = "y"}, spec::BadRecord::kSkip);
    EXPECT_THAT(features(samples), testing::ElementsAre(1, 5));
    EXPECT_EQ(report_->skipped(), 3);
    EXPECT_THAT(report_->firstSkipped()[2], HasSubstr("table.csv:5: expected the delimiter"));
    EXPECT_THAT(refusal("a,y\n", {.label = "y"}), HasSubstr("expected at least one line of samples"));
    try {
        read("a,y\n1,2,3\n4\n", {.label = "y"}, spec::BadRecord::kSkip);
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(),
                    testing::AllOf(HasSubstr("got none (skipped: 2; the first: "), HasSubstr("table.csv:2: expected 2 cells, got 3")));
    }
}

TEST_F(CsvReader, ReadsTheTestFileWithTheCodesOfTheTrainingFile) {
    const spec::CsvFormat format{.label = "y"};
    const CsvTable table = inspectCsv({write("train.csv", "a,y\nred,0\nblue,1\n")}, format);
    ReadReport report(spec::BadRecord::kRefuse);
    EXPECT_THAT(features(readCsv({write("test.csv", "a,y\nred,1\n")}, format, table, report)), testing::ElementsAre(1));
    try {
        readCsv({write("test.csv", "a,y\ngreen,1\n")}, format, table, report);
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("test.csv:2: expected a value of \"a\" that the training file has, got \"green\""));
    }
}

TEST_F(CsvReader, RefusesWhatIsNoText) {
    EXPECT_THAT(refusal(std::string("PK\x03\x04\0\0x.npy", 12), {.label = "0"}),
                HasSubstr("table.csv: expected a table as text (UTF-8), got a ZIP archive, as .npz files are"));
    EXPECT_THAT(refusal(std::string("a,b\n1,\0\n", 9), {.label = "b"}), HasSubstr("got binary data"));
}

TEST_F(CsvReader, SurvivesEveryDamage) {
    tests::support::forEachDamage("a,b,y\n1,\"two\nlines\",3\n-4e3,\"\",5\n", [&](const std::string& text) { read(text, {.label = "-1"}); },
                                  {.named = "table.csv"});
}

}  // namespace
}  // namespace engine::data
