#include "engine/data/readers/text_folder_reader.h"

#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sys/stat.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/data/dataset_catalog.h"
#include "engine/data/pipeline.h"
#include "engine/data/texts/text_samples.h"
#include "engine/data/texts/utf8.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/error.h"
#include "tests/support/golden.h"
#include "tests/support/temp_dir.h"

namespace engine::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Texts = std::vector<std::string>;

class TextFolder : public testing::Test {
protected:
    void write(const std::string& name, const std::string& bytes) {
        const std::filesystem::path path = dir_.path() / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << bytes;
    }
    TextLines read(spec::BadRecord on_error = spec::BadRecord::kRefuse) {
        report_ = std::make_unique<ReadReport>(on_error);
        return readTextFolder(dir_.path(), *report_);
    }
    // Why nothing is read; its code goes to `code_`.
    std::string whyNot() {
        try {
            read();
        } catch (const Error& error) {
            code_ = error.code();
            return error.what();
        }
        return "nothing";
    }
    static std::vector<std::int64_t> labelsOf(const Samples& samples) {
        std::vector<std::int64_t> labels;
        for (std::int64_t i = 0; i < samples.count; ++i) labels.push_back(samples.label(i));
        return labels;
    }
    // A model whose first layer hands on two words of each text.
    spec::RunSpec runOf(const std::string& train, const std::string& test) const {
        spec::RunSpec run;
        run.model.input_shape = {1};
        run.model.input_dtype = "string";
        run.model.layers = {{"TextVectorization", "texts", {{"output_sequence_length", std::int64_t{2}}}}};
        run.data.dataset = "text_folder";
        run.data.train_files = {train};
        if (!test.empty()) run.data.test_files = {test};
        return run;
    }

    const tests::support::TempDir dir_;
    std::unique_ptr<ReadReport> report_;
    ErrorCode code_ = ErrorCode::kInternal;
};

TEST_F(TextFolder, IsReadAsKerasReadsIt) {
    const nlohmann::json golden = tests::support::readGolden("text_folder.json");
    for (const nlohmann::json& folder : golden.at("folders")) std::filesystem::create_directories(dir_.path() / folder.get<std::string>());
    for (const auto& [name, text] : golden.at("files").items()) write(name, text.get<std::string>());
    const TextLines lines = read();
    EXPECT_EQ(lines.samples.class_names, golden.at("class_names").get<Texts>());
    EXPECT_EQ(lines.texts, golden.at("texts").get<Texts>());
    EXPECT_EQ(labelsOf(lines.samples), golden.at("labels").get<std::vector<std::int64_t>>());
    EXPECT_EQ(lines.samples.count, static_cast<std::int64_t>(lines.texts.size()));
    EXPECT_EQ(report_->skipped(), 0);

    spec::DataSpec data;
    data.dataset = "text_folder";
    data.validation_split = 0.3;
    const auto trained = static_cast<std::size_t>(splitTraining(data, lines.samples.count).train.end);
    EXPECT_EQ(trained, golden.at("parts").at("training").size());
    EXPECT_EQ(lines.texts.at(trained), golden.at("parts").at("validation").front().get<std::string>());
}

TEST_F(TextFolder, NamesTheFirstByteThatIsNoUtf8) {
    write("a/bad.txt", "caf\xe9 au lait");
    write("a/good.txt", "caf\xc3\xa9");
    write("b/good.txt", "tea");
    EXPECT_THAT(whyNot(), HasSubstr((dir_.path() / "a/bad.txt").string() + ": expected a text in UTF-8, got the byte 0xe9 at position 3"));
    EXPECT_EQ(code_, ErrorCode::kDataLoss);
    const TextLines lines = read(spec::BadRecord::kSkip);
    EXPECT_THAT(lines.texts, ElementsAre("caf\xc3\xa9", "tea"));
    EXPECT_THAT(labelsOf(lines.samples), ElementsAre(0, 1));
    EXPECT_THAT(report_->firstSkipped(), ElementsAre(HasSubstr("a/bad.txt")));
    write("a/good.txt", "\xff");
    write("b/good.txt", "\xc0\xaf");
    try {
        read(spec::BadRecord::kSkip);
        FAIL() << "no text was left";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("expected at least one text in UTF-8, got none (skipped: 3; the first: "));
    }
}

TEST(Utf8, EndsAtTheFirstCharacterThatIsNotWhole) {
    const std::pair<const char*, std::optional<std::size_t>> rows[] = {
        {"", std::nullopt},     {"a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", std::nullopt},
        {"ab\x80", 2},          {"a\xe2\x82", 1},
        {"\xed\xa0\x80", 0},    {"abc\xf5\x80\x80\x80", 3},
        {"\xe0\x80\x80", 0},    {"\xc3\xa9\xc3", 2},
        {"\xf4\x90\x80\x80", 0}};
    for (const auto& [text, place] : rows) EXPECT_EQ(firstOutsideUtf8(text), place) << text;
}

TEST_F(TextFolder, NamesWhatIsMissing) {
    EXPECT_EQ(whyNot(), dir_.path().string() + ": expected sub-folders with .txt files, found 0 texts in 0 sub-folders");
    write("readme.txt", "beside the classes");
    write("a/notes.md", "no text");
    std::filesystem::create_directories(dir_.path() / "b");
    EXPECT_EQ(whyNot(), dir_.path().string() + ": expected sub-folders with .txt files, found 0 texts in 2 sub-folders");
    EXPECT_EQ(code_, ErrorCode::kInvalidArgument);
    ReadReport report(spec::BadRecord::kRefuse);
    const auto of = [&](const std::string& name) {
        try {
            readTextFolder(dir_.path() / name, report);
        } catch (const Error& error) {
            code_ = error.code();
            return std::string(error.what());
        }
        return std::string("nothing");
    };
    EXPECT_THAT(of("nowhere"), HasSubstr("nowhere: expected a folder with one sub-folder a class, found none"));
    EXPECT_EQ(code_, ErrorCode::kNotFound);
    EXPECT_THAT(of("readme.txt"), HasSubstr("readme.txt: expected a folder with one sub-folder a class, found none"));
    EXPECT_EQ(code_, ErrorCode::kInvalidArgument);
}

TEST_F(TextFolder, NamesATextThatIsGoneOrNoFile) {
    write("a/1.txt", "one");
    std::filesystem::create_symlink("nowhere.txt", dir_.path() / "a/2.txt");
    EXPECT_THAT(whyNot(), HasSubstr("a/2.txt"));
    EXPECT_EQ(code_, ErrorCode::kNotFound);
    std::filesystem::remove(dir_.path() / "a/2.txt");
    ASSERT_EQ(mkfifo((dir_.path() / "a/2.txt").c_str(), 0600), 0);
    EXPECT_THAT(whyNot(), HasSubstr("a/2.txt: expected a file, got a pipe"));
}

TEST_F(TextFolder, FollowsLinksButNotBack) {
    const tests::support::TempDir elsewhere;
    std::ofstream(elsewhere.path() / "far.txt") << "far";
    write("a/near.txt", "near");
    std::filesystem::create_directory_symlink(elsewhere.path(), dir_.path() / "a" / "more");
    EXPECT_THAT(read().texts, ElementsAre("near", "far"));
    std::filesystem::create_directory_symlink("..", dir_.path() / "a" / "all");
    EXPECT_THAT(whyNot(), HasSubstr("a/all: expected a folder of texts, got a link to a folder that it lies in"));
    EXPECT_THAT(read(spec::BadRecord::kSkip).texts, ElementsAre("near", "far"));
}

TEST_F(TextFolder, BecomesWhatTheModelsFirstLayerMakesOfIt) {
    write("train/bad/1.txt", "dull dull\nfilm");
    write("train/good/1.txt", "Fine film");
    write("train/good/2.txt", "");
    write("test/bad/1.txt", "dull");
    write("test/good/1.txt", "new film");
    const spec::RunSpec run = runOf("train", "test");
    const Dataset set = loadRunDataset(run, {}, dir_.path());
    ASSERT_TRUE(set.adapted);
    EXPECT_THAT(spec::textTable(*set.adapted).tokens, ElementsAre("film", "dull", "fine"));
    EXPECT_THAT(*set.train->texts, ElementsAre("dull dull\nfilm", "Fine film", ""));
    EXPECT_EQ(set.train->sample_shape, spec::Shape{2});
    EXPECT_THAT(labelsOf(*set.train), ElementsAre(0, 1, 1));
    EXPECT_THAT(*set.test->texts, ElementsAre("dull", "new film"));
    EXPECT_THAT(set.test->class_names, ElementsAre("bad", "good"));
    ASSERT_NE(set.train->report, nullptr);

    spec::RunSpec mixed = run;
    mixed.data.split_seed = 7;
    const Dataset other = loadRunDataset(mixed, {}, dir_.path());
    for (std::int64_t i = 0; i < other.train->count; ++i)
        EXPECT_EQ(other.train->label(i), (*other.train->texts)[static_cast<std::size_t>(i)].starts_with("dull") ? 0 : 1);

    std::filesystem::remove_all(dir_.path() / "test/bad");
    try {
        loadRunDataset(run, {}, dir_.path());
        FAIL() << "the test folder lacks a class";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("test: expected the classes of " + (dir_.path() / "train").string() + " (2 sub-folders)"));
    }
}

// A model that takes numbers: data.text says how many words there are.
TEST_F(TextFolder, BecomesSequencesOfWordsForOtherModels) {
    write("train/a/1.txt", "one two two");
    write("train/b/1.txt", "two three");
    write("test/a/1.txt", "two four");
    std::filesystem::create_directories(dir_.path() / "test/b");
    spec::DataSpec data;
    data.dataset = "text_folder";
    data.train_files = {"train"};
    data.test_files = {"test"};
    data.text = {.vocabulary = 4, .length = 3};
    const Dataset set = loadDataset(data, {}, dir_.path());
    const auto places = [](const Samples& samples) {
        std::vector<std::int32_t> values(samples.samples.size() / 4);
        std::memcpy(values.data(), samples.samples.data(), samples.samples.size());
        return values;
    };
    EXPECT_EQ(set.train->sample_shape, spec::Shape{3});
    EXPECT_THAT(places(*set.train), ElementsAre(3, 2, 2, 0, 2, 1));  // two 2, one 3; three is unknown
    EXPECT_THAT(places(*set.test), ElementsAre(0, 2, 1));
    EXPECT_THAT(labelsOf(*set.train), ElementsAre(0, 1));
}

}  // namespace
}  // namespace engine::data
