#include <fstream>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/backend/initialize.h"
#include "engine/plan/compile.h"
#include "engine/train/callbacks/weight_pictures.h"
#include "engine/train/gradient_probe.h"
#include "tests/support/event_reader.h"
#include "tests/support/near.h"
#include "tests/support/spawn_ranks.h"
#include "tests/support/temp_dir.h"
#include "tests/support/training.h"

namespace engine::train {
namespace {

using testing::ElementsAre;
using tests::support::EventLog;
using tests::support::quarterImages;
using tests::support::quarterRun;
using tests::support::readEventFolder;
using tests::support::RecordingObserver;
using tests::support::replica;
using tests::support::TempDir;

spec::RunSpec run(spec::Fields config) {
    spec::RunSpec run = quarterRun();
    run.fit.epochs = 3;
    run.callbacks = {{"TensorBoard", std::move(config)}};
    return run;
}

const data::Dataset& quarters() {
    static const data::Dataset dataset{"quarters", quarterImages(80), quarterImages(40, 8, 2)};
    return dataset;
}

void fit(const spec::RunSpec& run, const std::filesystem::path& folder, RecordingObserver& observer, int rank = 0,
         distribute::Collective* collective = nullptr) {
    TrainerOptions options;
    options.make_executor = &backend::makeReferenceExecutor;
    options.run_dir = folder;
    options.dataset = quarters();
    Trainer(run, replica(run, rank, collective == nullptr ? 1 : collective->size()), collective, observer, options).fit();
}

TEST(TensorBoard, WritesKerasTagsAtKerasSteps) {
    const TempDir folder;
    RecordingObserver observer;
    fit(run({{"update_freq", std::int64_t{2}}, {"write_steps_per_second", true}}), folder.path(), observer);

    const EventLog train = readEventFolder(folder.path() / "logs" / "train");
    EXPECT_EQ(train.values[0].tag, "keras");
    EXPECT_THAT(train.values[0].strings[0], testing::HasSubstr("\"Conv2D\""));
    EXPECT_THAT(train.steps("epoch_loss"), ElementsAre(0, 1, 2));
    EXPECT_THAT(train.steps("epoch_accuracy"), ElementsAre(0, 1, 2));
    EXPECT_THAT(train.steps("epoch_learning_rate"), ElementsAre(0, 1, 2));
    EXPECT_THAT(train.steps("epoch_steps_per_second"), ElementsAre(0, 1, 2));
    EXPECT_THAT(train.steps("batch_loss"), ElementsAre(2, 4, 6, 8, 10, 12, 14)) << "over the borders of epochs of 5 steps";
    EXPECT_THAT(train.steps("batch_steps_per_second"), ElementsAre(2, 4, 6, 8, 10, 12, 14));
    EXPECT_EQ(train.find("epoch_learning_rate", 1)->scalar(), 0.01F);

    const EventLog validation = readEventFolder(folder.path() / "logs" / "validation");
    EXPECT_THAT(validation.steps("epoch_loss"), ElementsAre(0, 1, 2));
    EXPECT_THAT(validation.steps("evaluation_accuracy_vs_iterations"), ElementsAre(5, 10, 15));

    const auto epochs = observer.all<spec::EpochEnd>();
    EXPECT_EQ(train.find("epoch_loss", 2)->scalar(), static_cast<float>(*findLog(epochs[2].logs, "loss")));
    EXPECT_EQ(validation.find("epoch_accuracy", 2)->scalar(), static_cast<float>(*findLog(epochs[2].logs, "val_accuracy")));
}

TEST(TensorBoard, DrawsWeightsAndGradientsWhenAsked) {
    const TempDir folder;
    RecordingObserver observer;
    fit(run({{"histogram_freq", std::int64_t{2}}, {"write_images", true}, {"write_graph", false}}), folder.path(), observer);
    const EventLog train = readEventFolder(folder.path() / "logs" / "train");
    for (const char* weight : {"conv2d/kernel", "conv2d/bias", "dense/kernel", "dense/bias"}) {
        for (const char* what : {"/histogram", "/norm", "/gradient/histogram", "/gradient/norm"}) {
            const std::string tag = std::string("sequential/") + weight + what;
            EXPECT_THAT(train.steps(tag), ElementsAre(0, 2)) << tag;
        }
    }
    EXPECT_EQ(train.find("sequential/conv2d/kernel/image", 0)->strings.size(), 2U + 4U);
    EXPECT_THAT(train.find("sequential/conv2d/kernel/histogram", 0)->shape, ElementsAre(30, 3));
    double kernel_values = 0;
    const auto rows = train.find("sequential/conv2d/kernel/histogram", 2)->doubles();
    for (std::size_t i = 2; i < rows.size(); i += 3) {
        kernel_values += rows[i];
    }
    EXPECT_EQ(kernel_values, 3 * 3 * 4);
    EXPECT_TRUE(train.steps("keras").empty());
}

TEST(TensorBoard, LooksWithoutTouching) {
    const TempDir folders[2];
    RecordingObserver observers[2];
    std::string weights[2];
    for (const int looks : {0, 1}) {
        fit(run({{"histogram_freq", std::int64_t{looks}}}), folders[looks].path(), observers[looks]);
        EXPECT_EQ(observers[looks].column("loss").size(), 15U);
    }
    EXPECT_EQ(observers[0].column("loss"), observers[1].column("loss"));
}

TEST(TensorBoard, OnlyTheChiefWrites) {
    const TempDir folders[2];
    const spec::RunSpec project = run({{"histogram_freq", std::int64_t{1}}});
    tests::support::spawnRanks(2, [&](distribute::Collective& collective) {
        RecordingObserver observer;
        fit(project, folders[collective.rank()].path(), observer, collective.rank(), &collective);
    });
    EXPECT_TRUE(std::filesystem::exists(folders[0].path() / "logs" / "train"));
    EXPECT_FALSE(std::filesystem::exists(folders[1].path() / "logs"));
}

TEST(TensorBoard, ThatCannotWriteLetsTrainingGoOn) {
    const TempDir folder;
    std::ofstream(folder.path() / "logs") << "a file where a folder should be";
    RecordingObserver observer;
    fit(run({}), folder.path(), observer);
    EXPECT_THAT(observer.all<spec::LogLine>(),
                testing::Contains(testing::Field(&spec::LogLine::text, testing::HasSubstr("the logs end here"))));
    EXPECT_EQ(observer.all<spec::EpochEnd>().size(), 3U);
}

// What a step of plain SGD takes away is the rate times the gradient.
TEST(GradientProbe, FindsWhatAStepTakesAway) {
    spec::RunSpec project = quarterRun();
    project.compile.optimizer = {"SGD", {{"learning_rate", 1.0}}};
    const plan::Plan plan = plan::compile(project, {.batch = 16});
    backend::Variables variables(plan);
    backend::initializeVariables(variables, project.model, 1);
    const auto executor = backend::makeReferenceExecutor(plan, variables, {});
    executor->reloadVariables();
    tensor::BatchView batch = quarters().train->view();
    const std::vector<std::uint32_t> indices{0, 1, 2, 3, 4, 5, 6};
    batch.indices = indices;
    batch.scale = 1.0F / 255;

    GradientProbe probe(project, 16, &backend::makeReferenceExecutor, 1);
    std::map<std::string, std::vector<float>> expected;
    for (const auto& entry : variables.entries()) {
        expected[entry.name].assign(entry.values.begin(), entry.values.end());
    }
    std::map<std::string, std::vector<float>> gradients;
    for (const GradientProbe::Gradient& gradient : probe.at(variables, batch, {})) {
        gradients[gradient.name].assign(gradient.values.begin(), gradient.values.end());
    }
    executor->trainStep(batch, {.learning_rate = 1});
    executor->syncVariables();
    ASSERT_EQ(gradients.size(), 4U);
    for (const auto& entry : variables.entries()) {
        std::vector<float>& taken = expected[entry.name];
        for (std::size_t i = 0; i < taken.size(); ++i) {
            taken[i] -= entry.values[i];
        }
        EXPECT_TRUE(tests::support::isNear(gradients[entry.name], taken, 1e-5)) << entry.name;
    }
}

TEST(WeightPictures, FollowKerasShapes) {
    EXPECT_EQ(weightPictures({5}, std::vector<float>(5)).size(), 1U);
    const auto lying = weightPictures({3, 2}, std::vector<float>{0, 1, 2, 3, 4, 5});
    ASSERT_EQ(lying.size(), 1U);
    EXPECT_EQ(lying[0].height, 2);
    EXPECT_EQ(lying[0].width, 3);
    EXPECT_THAT(lying[0].pixels, ElementsAre(0, 102, 204, 51, 153, 255));
    const auto filters = weightPictures({1, 2, 1, 3}, std::vector<float>{0, 1, 2, 3, 4, 5});
    ASSERT_EQ(filters.size(), 1U) << "one axis of size 1 too many: (2, 3) is a single picture";
    const auto grey = weightPictures({2, 2, 1, 3}, std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    ASSERT_EQ(grey.size(), 3U);
    EXPECT_THAT(grey[1].pixels, ElementsAre(23, 92, 162, 231));
    const auto coloured = weightPictures({1, 1, 3, 2}, std::vector<float>{0, 1, 2, 3, 4, 5});
    EXPECT_EQ(coloured.size(), 1U);
    EXPECT_EQ(weightPictures({2, 2, 3, 5}, std::vector<float>(60)).size(), 5U);
    EXPECT_TRUE(weightPictures({2, 2, 4, 5}, std::vector<float>(80)).empty());
}

}  // namespace
}  // namespace engine::train
