#include "engine/spec/validate/sample_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/validate/validate.h"

namespace engine::spec {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// One hidden layer and `units` outputs.
RunSpec classifier(const Shape& input, std::int64_t units, const std::string& loss) {
    RunSpec run;
    run.model.input_shape = input;
    run.model.layers = {{"Flatten", "flatten", {}}, {"Dense", "dense", {{"units", units}}}};
    run.compile.loss = {loss, {}};
    return run;
}

std::vector<std::string> findings(const RunSpec& run) {
    std::vector<std::string> lines;
    for (const Diagnostic& one : checkSamples(run)) {
        EXPECT_EQ(one.severity, Severity::kError);
        lines.push_back(one.path + ": " + one.message);
    }
    return lines;
}

TEST(SampleCheck, LetsWhatFitsBe) {
    EXPECT_THAT(findings(classifier({28, 28, 1}, 10, "SparseCategoricalCrossentropy")), ElementsAre());
    EXPECT_THAT(findings(classifier({784}, 12, "SparseCategoricalCrossentropy")), ElementsAre()) << "more outputs than classes";
    EXPECT_THAT(findings(classifier({28, 28}, 1, "MeanSquaredError")), ElementsAre());
    RunSpec one_hot = classifier({28, 28}, 10, "CategoricalCrossentropy");
    one_hot.data.one_hot = 10;
    EXPECT_THAT(findings(one_hot), ElementsAre());
    RunSpec files = classifier({7}, 3, "CategoricalCrossentropy");
    files.data.dataset = "csv";
    EXPECT_THAT(findings(files), ElementsAre()) << "only the file says";
}

TEST(SampleCheck, ComparesNamedSetsWithModelAndLoss) {
    EXPECT_THAT(findings(classifier({32, 32, 3}, 10, "SparseCategoricalCrossentropy")),
                ElementsAre("model.input_shape: expected as many values as a sample of mnist has, (28, 28), got (32, 32, 3)"));
    EXPECT_THAT(findings(classifier({28, 28}, 5, "SparseCategoricalCrossentropy")),
                ElementsAre("compile.loss: expected a model output of at least the 10 classes of mnist, got (None, 5)"));
    EXPECT_THAT(findings(classifier({28, 28}, 10, "CategoricalCrossentropy")),
                ElementsAre(HasSubstr("expected labels of the model's output (None, 10) with CategoricalCrossentropy, mnist has class "
                                      "indices")));
    EXPECT_THAT(findings(classifier({28, 28}, 1, "BinaryCrossentropy")),
                ElementsAre("compile.loss: expected labels from 0 to 1 with BinaryCrossentropy, mnist has the classes 0 to 9"));
    RunSpec one_hot = classifier({28, 28}, 10, "CategoricalCrossentropy");
    one_hot.data.one_hot = 7;
    EXPECT_THAT(findings(one_hot), ElementsAre("data.one_hot: expected at least the 10 classes of mnist, got 7"));
    one_hot.data.one_hot = 12;
    EXPECT_THAT(findings(one_hot), ElementsAre(HasSubstr("data.one_hot: expected the 10 values of the model's output")));
    RunSpec coarse = classifier({32, 32, 3}, 20, "SparseCategoricalCrossentropy");
    coarse.data.dataset = "cifar100";
    EXPECT_THAT(findings(coarse), ElementsAre(HasSubstr("at least the 100 classes of cifar100")));
    coarse.data.cifar_labels = "coarse";
    EXPECT_THAT(findings(coarse), ElementsAre());
}

TEST(SampleCheck, AsksForLabelsThatAreSequences) {
    RunSpec run = classifier({28, 28}, 5, "CTC");
    EXPECT_THAT(findings(run),
                ElementsAre("compile.loss: expected labels that are sequences of classes with CTC, mnist has one number a sample"));
    run.data.dataset = "csv";
    EXPECT_THAT(findings(run),
                ElementsAre("compile.loss: expected labels that are sequences of classes with CTC, csv has one number a sample"));
    for (const char* arrays : {"npy", "npz"}) {
        run.data.dataset = arrays;
        EXPECT_THAT(findings(run), ElementsAre()) << "only the files say";
    }
    run.data.dataset = "tfrecord";
    run.data.tfrecord.shape = {28, 28};
    EXPECT_THAT(findings(run), ElementsAre("data.tfrecord.label_shape: expected one axis with CTC, the most classes of a label, got ()"));
    run.data.tfrecord.label_shape = {7};
    EXPECT_THAT(findings(run), ElementsAre());
}

TEST(SampleCheck, FindsEpochsWithoutAStepAndChannelsThatAreNone) {
    RunSpec run = classifier({32, 32, 3}, 10, "SparseCategoricalCrossentropy");
    run.data.dataset = "cifar10";
    run.data.mean = {0.4, 0.5};
    EXPECT_THAT(findings(run), ElementsAre("data.mean: expected 1 or 3 numbers for samples of shape (32, 32, 3), got 2"));
    run.data.mean = {0.4, 0.5, 0.6};
    run.data.batch_size_per_replica = 50'001;
    EXPECT_THAT(findings(run), ElementsAre()) << "one batch of what there is";
    run.data.drop_remainder = true;
    EXPECT_THAT(findings(run), ElementsAre("data.batch_size_per_replica: expected a whole batch in the 50000 samples that are trained on, "
                                           "got 50001 a replica with data.drop_remainder"));
    run.data.validation_split = 0.999999;
    EXPECT_THAT(findings(run), ElementsAre("data.validation_split: expected a share that leaves some of the 50000 training samples of "
                                           "cifar10 to train on, got 0.999999"));
    run.data.validation_split = 0;
    run.fit.steps_per_epoch = 3;
    EXPECT_THAT(findings(run), ElementsAre()) << "the pipeline repeats";
}

TEST(ProjectCheck, TellsEachMistakeOnceAndNoSampleOfAModelThatIsWrong) {
    RunSpec run;
    run.model.input_shape = {28, 28, 1};
    run.model.layers = {{"Conv2D", "conv2d", {{"filters", std::int64_t{8}}, {"kernel_size", std::vector<std::int64_t>{3, 3}}}}};
    run.compile.loss = {"SparseCategoricalCrossentropy", {{"from_logits", true}}};
    EXPECT_FALSE(hasErrors(validate(run))) << "labels may be one a place";
    Diagnostics found = checkProject(run);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(toString(found.front()),
              "error: compile.loss: expected one label for each place of the model's output (None, 26, 26, 8), mnist has one a sample [End "
              "the model with Flatten and Dense.]");
    run.fit.epochs = 0;
    found = checkProject(run);
    EXPECT_EQ(found, validate(run));
}

TEST(SampleCheck, NamesThePicturesFieldAndBothSizes) {
    RunSpec run = classifier({28, 28, 1}, 3, "SparseCategoricalCrossentropy");
    run.data.dataset = "image_folder";
    run.data.train_files = {"pictures"};
    run.data.images.size = {64, 48};
    EXPECT_THAT(findings(run),
                ElementsAre("data.images.size: expected [28, 28], the rows and columns of the model's input (28, 28, 1), got [64, 48]",
                            "data.images.color_mode: expected grayscale for the model's input (28, 28, 1), got rgb (3 channels)"));
    run.data.images = {.size = {28, 28}, .color_mode = "grayscale"};
    EXPECT_THAT(findings(run), ElementsAre());
}

TEST(SampleCheck, TakesTextsOfAFolderAsThoseOfLines) {
    RunSpec run = classifier({100}, 3, "SparseCategoricalCrossentropy");
    for (const char* name : {"text", "text_folder"}) {
        run.data.dataset = name;
        run.data.train_files = {"texts"};
        run.data.text.length = 100;
        EXPECT_THAT(findings(run), ElementsAre()) << name;
        run.data.text.length = 80;
        EXPECT_THAT(findings(run), ElementsAre("model.input_shape: expected as many values as a sample of " + std::string(name) +
                                               " has, (80,), got (100,)"))
            << name;
    }
}

}  // namespace
}  // namespace engine::spec
