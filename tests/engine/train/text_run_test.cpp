// A run whose model takes texts: from files of labelled lines to predictions, and the model in a file of Keras.
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/data/dataset_catalog.h"
#include "engine/data/texts/text_samples.h"
#include "engine/export/keras_file.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/validate/validate.h"
#include "engine/spec/validate/vocabulary_room.h"
#include "engine/train/input_check.h"
#include "engine/train/predictor.h"
#include "tests/support/golden.h"
#include "tests/support/near.h"
#include "tests/support/temp_dir.h"
#include "tests/support/training.h"

namespace engine::train {
namespace {

using tests::support::layer;
using tests::support::RecordingObserver;
using tests::support::replica;

std::int64_t n(std::int64_t value) {
    return value;
}

// Texts of which one word says if they are praise.
class TextRun : public testing::Test {
protected:
    TextRun() {
        std::ofstream train(dir_.path() / "train.tsv"), test(dir_.path() / "test.tsv");
        const std::vector<std::string> good{"fine", "great", "lovely", "good"}, bad{"poor", "awful", "bad", "dull"},
            of{"film", "book", "play"};
        for (std::size_t i = 0; i < 60; ++i) {
            const bool is_good = i % 2 == 0;
            const std::string& word = (is_good ? good : bad)[i / 2 % 4];
            (i < 48 ? train : test) << (is_good ? "praise" : "blame") << "\tA " << word << " " << of[i % 3] << ", " << word << "!\n";
        }
        std::ofstream(dir_.path() / "new.txt") << "what a lovely play\nan awful, dull book\n";
        run_.name = "texts";
        run_.model.input_shape = {1};
        run_.model.input_dtype = "string";
        run_.compile = tests::support::compileWith({"Adam", {{"learning_rate", 0.1}}});
        run_.compile.metrics = {"accuracy"};
        run_.data.dataset = "text";
        run_.data.train_files = {(dir_.path() / "train.tsv").string()};
        run_.data.test_files = {(dir_.path() / "test.tsv").string()};
        run_.data.batch_size_per_replica = 8;
        run_.fit.epochs = 12;
        run_.fit.save_weights = "model.keras";
    }

    void expectItLearns() {
        for (const spec::Diagnostic& one : spec::validate(run_)) EXPECT_NE(one.severity, spec::Severity::kError) << toString(one);
        EXPECT_EQ(checkInputs(run_, {.dataset_folders = {}, .base = dir_.path()}), spec::Diagnostics());
        TrainerOptions options;
        options.make_executor = &backend::makeReferenceExecutor;
        options.run_dir = dir_.path() / "run";
        options.dataset = data::loadRunDataset(run_, {}, dir_.path());
        EXPECT_NE(data::takeAdapted(run_, options.dataset), "");
        const spec::LayerSpec texts = run_.model.layers.front();
        ASSERT_TRUE(spec::hasVocabulary(texts));
        RecordingObserver observer;
        Trainer trainer(run_, replica(run_), nullptr, observer, options);
        EXPECT_EQ(trainer.fit().state, spec::TaskState::kDone);
        EXPECT_EQ(trainer.evaluateTest().accuracy, 1);

        const spec::KerasConfig read = exporter::readKerasModel(options.run_dir / "model.keras");
        ASSERT_FALSE(hasErrors(read.diagnostics)) << toString(read.diagnostics.front());
        EXPECT_EQ(read.model.input_dtype, "string");
        EXPECT_EQ(read.model.input_shape, spec::Shape{1});
        const spec::LayerSpec& kept = read.model.layers.front();
        EXPECT_EQ(spec::textTable(kept).tokens, spec::textTable(texts).tokens);
        EXPECT_TRUE(tests::support::isNear(spec::textWeights(kept), spec::textWeights(texts), 1e-6));
        spec::RunSpec later = run_;
        later.model = read.model;
        Predictor predictor(later, &backend::makeReferenceExecutor, 1);
        predictor.loadWeights(options.run_dir / "model.keras");
        const auto samples = data::readEncodedTexts(dir_.path() / "new.txt", read.model.layers.front());
        const std::vector<float> scores = predictor.predict(samples);
        ASSERT_EQ(scores.size(), 4U);
        EXPECT_GT(scores[1], scores[0]) << "praise";  // labels are sorted: blame 0, praise 1
        EXPECT_GT(scores[2], scores[3]) << "blame";
    }

    const tests::support::TempDir dir_;
    spec::RunSpec run_;
};

TEST_F(TextRun, LearnsFromPlacesOfWords) {
    run_.model.layers = {layer("TextVectorization", "texts", {{"max_tokens", n(16)}, {"output_sequence_length", n(5)}}),
                         layer("Embedding", "embedding", {{"input_dim", n(16)}, {"output_dim", n(4)}}),
                         layer("GlobalAveragePooling1D", "pool"), layer("Dense", "dense", {{"units", n(2)}})};
    expectItLearns();
}

TEST_F(TextRun, LearnsFromAFolder) {
    for (const std::string part : {"train", "test"}) {
        std::ifstream lines(dir_.path() / (part + ".tsv"));
        std::string label, text;
        for (int i = 0; std::getline(lines, label, '\t') && std::getline(lines, text); ++i) {
            const std::filesystem::path folder = dir_.path() / part / label;
            std::filesystem::create_directories(folder);
            std::ofstream(folder / (std::to_string(i) + ".txt")) << text;
        }
    }
    run_.data.dataset = "text_folder";
    run_.data.train_files = {(dir_.path() / "train").string()};
    run_.data.test_files = {(dir_.path() / "test").string()};
    run_.model.layers = {layer("TextVectorization", "texts", {{"max_tokens", n(16)}, {"output_sequence_length", n(5)}}),
                         layer("Embedding", "embedding", {{"input_dim", n(16)}, {"output_dim", n(4)}}),
                         layer("GlobalAveragePooling1D", "pool"), layer("Dense", "dense", {{"units", n(2)}})};
    expectItLearns();

    std::filesystem::create_directories(dir_.path() / "train/neither");
    const spec::Diagnostics found = checkInputs(run_, {.dataset_folders = {}, .base = dir_.path()});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found.front().path, "data.train_files");
    EXPECT_EQ(found.front().message,
              (dir_.path() / "train").string() + ": has 3 sub-folders, each a class, expected at most 2 (the model has 2 outputs)");
}

// The weights of a file go by the words that it was trained with.
TEST_F(TextRun, RefusesWeightsOfAnotherVocabulary) {
    run_.model.layers = {layer("TextVectorization", "texts", {{"max_tokens", n(16)}, {"output_sequence_length", n(5)}}),
                         layer("Embedding", "embedding", {{"input_dim", n(16)}, {"output_dim", n(4)}}),
                         layer("GlobalAveragePooling1D", "pool"), layer("Dense", "dense", {{"units", n(2)}})};
    const spec::ModelSpec model = run_.model;
    expectItLearns();
    const std::vector<std::string> words = spec::textTable(run_.model.layers.front()).tokens;
    const std::string file = (dir_.path() / "run/model.keras").string();
    const auto begins = [&](spec::RunSpec run) {
        TrainerOptions options;
        options.make_executor = &backend::makeReferenceExecutor;
        options.run_dir = dir_.path() / "again";
        options.dataset = data::loadRunDataset(run, {}, dir_.path());
        data::takeAdapted(run, options.dataset);
        RecordingObserver observer;
        Trainer(run, replica(run), nullptr, observer, options).fit();
    };
    run_.model = model;
    run_.fit.initial_weights = file;
    run_.fit.epochs = 1;
    EXPECT_EQ(checkInputs(run_, {.dataset_folders = {}, .base = dir_.path()}), spec::Diagnostics()) << "the same texts";
    begins(run_);

    std::ofstream train(dir_.path() / "train.tsv");
    for (int i = 0; i < 16; ++i) train << (i % 2 == 0 ? "praise\tcharming" : "blame\ttedious") << " opera\n";
    train.close();
    const std::string said = file +
                             ": expected weights of the vocabulary that texts took from the training texts, got those of another "
                             "one; import the file as a model, which brings its vocabulary";
    const spec::Diagnostics found = checkInputs(run_, {.dataset_folders = {}, .base = dir_.path()});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found.front().path, "fit.initial_weights");
    EXPECT_EQ(found.front().message, said);
    for (const bool state : {false, true}) {
        run_.fit.initial_state = state;
        run_.fit.epochs = 20;
        try {
            begins(run_);
            ADD_FAILURE() << "expected an error";
        } catch (const Error& error) {
            EXPECT_EQ(error.what(), said);
        }
    }

    // A vocabulary of the project's own is the user's word: the file's, or another one.
    run_.fit.initial_state = false;
    run_.model.layers.front().config.set("vocabulary", words);
    EXPECT_EQ(checkInputs(run_, {.dataset_folders = {}, .base = dir_.path()}), spec::Diagnostics());
    begins(run_);
}

TEST_F(TextRun, LearnsFromRowsOfCounts) {
    for (const std::string mode : {"multi_hot", "tf_idf"}) {
        run_.model.layers = {layer("TextVectorization", "texts",
                                   {{"max_tokens", n(14)}, {"ngrams", n(1)}, {"output_mode", mode}, {"pad_to_max_tokens", true}}),
                             layer("Dense", "dense", {{"units", n(2)}})};
        expectItLearns();
    }
}

TEST_F(TextRun, SaysWhichTextsDoNotFit) {
    run_.model.layers = {layer("TextVectorization", "texts", {{"output_sequence_length", n(5)}}),
                         layer("Embedding", "embedding", {{"input_dim", n(99)}, {"output_dim", n(4)}}), layer("Flatten", "flatten"),
                         layer("Dense", "dense", {{"units", n(2)}})};
    std::ofstream(dir_.path() / "train.tsv") << "praise\t!\nblame\t?\n";
    const spec::Diagnostics found = checkInputs(run_, {.dataset_folders = {}, .base = dir_.path()});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found.front().path, "data.train_files");
    EXPECT_EQ(found.front().message, "texts: expected words in the training texts for its vocabulary, got none");
}

// 200,000 words of which each has a weight: a few megabytes of text, and more than a project may have.
TEST_F(TextRun, SaysBeforeTrainingThatTheVocabularyIsTooLargeForAProject) {
    run_.model.layers = {layer("TextVectorization", "texts", {{"output_mode", std::string("tf_idf")}}),
                         layer("Dense", "dense", {{"units", n(2)}})};
    std::ofstream train(dir_.path() / "train.tsv");
    constexpr int kWords = 200'000;
    for (int i = 0; i < kWords; ++i) {
        if (i % 100 == 0) train << (i == 0 ? "" : "\n") << (i % 200 == 0 ? "praise\t" : "blame\t");
        train << "averylongwordwithnumber" << 100'000 + i << " ";
    }
    train.close();
    run_.model.layers[0].config.set("max_tokens", n(kWords + 1));
    run_.model.layers[0].config.set("pad_to_max_tokens", true);
    const spec::Diagnostics found = checkInputs(run_, {.dataset_folders = {}, .base = dir_.path()});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found.front().path, "model.layers[0].max_tokens");
    EXPECT_THAT(found.front().message,
                testing::StartsWith("expected a project of at most 8323072 bytes with the vocabulary of texts, got "));
    EXPECT_THAT(found.front().message, testing::EndsWith(" bytes with its 200000 texts"));

    // What it advises holds.
    const auto most = std::stoll(found.front().fix.substr(std::string("Set max_tokens to ").size()));
    EXPECT_GT(most, 100'000);
    run_.model.layers[0].config.set("max_tokens", n(most));
    EXPECT_EQ(checkInputs(run_, {.dataset_folders = {}, .base = dir_.path()}), spec::Diagnostics());
    run_.model.layers[0].config.set("max_tokens", n(most + 100));
    EXPECT_EQ(checkInputs(run_, {.dataset_folders = {}, .base = dir_.path()}).size(), 1U);
}

TEST_F(TextRun, HasNoFaultOfAVocabularyThatFitsOrIsNone) {
    run_.model.layers = {layer("TextVectorization", "texts", {{"vocabulary", std::vector<std::string>{"a", "b"}}})};
    EXPECT_FALSE(spec::vocabularyRoomFault(run_));
    run_.model.layers = {layer("TextVectorization", "texts", {})};
    EXPECT_FALSE(spec::vocabularyRoomFault(run_));
    run_.model.layers = {
        layer("TextVectorization", "texts",
              {{"vocabulary", std::vector<std::string>{"a", "b", std::string(5'000'000, 'c'), std::string(5'000'000, 'd')}}})};
    const auto fault = spec::vocabularyRoomFault(run_);
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->fix, "Set max_tokens to 5, which keeps the most frequent texts.") << "two places in front and three texts";
}

// tests/data/keras_files/texts/texts.py.
TEST(TextFiles, PredictWhatKerasPredicts) {
    const std::filesystem::path folder = std::filesystem::path(TANDEM_TEST_DATA) / "keras_files/texts";
    std::ifstream file(folder / "texts_io.json");
    const nlohmann::json told = nlohmann::json::parse(file);
    for (const std::string name : {"places", "rows", "lookup", "open_rows", "open_lookup"}) {
        SCOPED_TRACE(name);
        const spec::KerasConfig read = exporter::readKerasModel(folder / (name + ".keras"));
        ASSERT_FALSE(hasErrors(read.diagnostics)) << toString(read.diagnostics.front());
        EXPECT_EQ(read.model.input_shape, spec::Shape{1});
        const spec::LayerSpec& layer = read.model.layers.front();
        EXPECT_EQ(spec::textTable(layer).tokens, told.at(name).at("vocabulary").get<std::vector<std::string>>());
        spec::RunSpec run;
        run.model = read.model;
        run.compile = read.compile.value();
        run.data.dataset = "text";
        Predictor predictor(run, &backend::makeReferenceExecutor, 1);
        predictor.loadWeights(folder / (name + ".keras"));
        auto samples = std::make_shared<data::Samples>();
        samples->source = "texts_io.json";
        const auto texts = told.at("texts").get<std::vector<std::string>>();
        samples->count = static_cast<std::int64_t>(texts.size());
        data::setEncoded(*samples, texts, std::make_shared<const data::TextEncoder>(layer));
        EXPECT_TRUE(tests::support::isNear(predictor.predict(samples), tests::support::toArray(told.at(name)).values, 1e-5));
    }
}

}  // namespace
}  // namespace engine::train
