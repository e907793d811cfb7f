#include "engine/train/weight_report.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/plan/compile.h"
#include "tests/support/spawn_ranks.h"
#include "tests/support/temp_dir.h"
#include "tests/support/training.h"

namespace engine::train {
namespace {

using testing::ElementsAre;
using tests::support::quarterImages;
using tests::support::quarterRun;
using tests::support::RecordingObserver;
using tests::support::replica;
using tests::support::TempDir;

spec::RunSpec run(std::int64_t histogram_freq) {
    spec::RunSpec run = quarterRun();
    run.fit.epochs = 3;
    run.fit.histogram_freq = histogram_freq;
    return run;
}

void fit(const spec::RunSpec& run, const std::filesystem::path& folder, RecordingObserver& observer,
         distribute::Collective* collective = nullptr) {
    TrainerOptions options;
    options.make_executor = &backend::makeReferenceExecutor;
    options.run_dir = folder;
    options.dataset = {"quarters", quarterImages(80), quarterImages(40, 8, 2)};
    const int rank = collective == nullptr ? 0 : collective->rank();
    Trainer(run, replica(run, rank, collective == nullptr ? 1 : collective->size()), collective, observer, options).fit();
}

TEST(Distribution, CountsWhatIsFinite) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const spec::Distribution found = distributionOf("a", std::vector<float>{-1, 3, nan, 1, 1, INFINITY});
    EXPECT_EQ(found.name, "a");
    EXPECT_EQ(found.minimum, -1);
    EXPECT_EQ(found.maximum, 3);
    EXPECT_EQ(found.mean, 1);
    EXPECT_DOUBLE_EQ(found.deviation, std::sqrt(2.0));
    EXPECT_DOUBLE_EQ(found.norm, std::sqrt(12.0));
    EXPECT_EQ(found.not_finite, 2);
    ASSERT_EQ(found.counts.size(), 30U);
    EXPECT_EQ(found.counts.front(), 1);
    EXPECT_EQ(found.counts[15], 2);
    EXPECT_EQ(found.counts.back(), 1);
    EXPECT_EQ(distributionOf("b", std::vector<float>{nan}).deviation, 0);
}

TEST(WeightReport, ComesEveryHistogramFreqEpochs) {
    const TempDir folder;
    RecordingObserver observer;
    fit(run(2), folder.path(), observer);
    const auto reports = observer.all<spec::WeightReport>();
    ASSERT_EQ(reports.size(), 2U);
    EXPECT_EQ(reports[1].epoch, 2);
    EXPECT_EQ(reports[1].step, 15);
    for (const auto* list : {&reports[1].weights, &reports[1].gradients}) {
        std::vector<std::string> names;
        double squares = 0;
        for (const spec::Distribution& distribution : *list) {
            names.push_back(distribution.name);
            squares += distribution.norm * distribution.norm;
            EXPECT_GT(distribution.norm, 0) << distribution.name;
        }
        EXPECT_THAT(names, ElementsAre("conv2d/kernel", "conv2d/bias", "dense/kernel", "dense/bias"));
        EXPECT_DOUBLE_EQ(list == &reports[1].weights ? reports[1].weights_norm : reports[1].gradients_norm, std::sqrt(squares));
    }
    EXPECT_NE(reports[0].weights, reports[1].weights) << "training went on";
}

TEST(WeightReport, HasTheFirstConvolutionsFiltersOneAfterTheOther) {
    spec::ModelSpec model;
    model.input_shape = {4, 4, 2};
    model.layers = {{"Conv2D", "first", {{"filters", std::int64_t{3}}, {"kernel_size", std::vector<std::int64_t>{1, 2}}}},
                    {"Flatten", "flatten", {}},
                    {"Dense", "dense", {{"units", std::int64_t{2}}}}};
    spec::RunSpec project = quarterRun();
    project.model = model;
    const plan::Plan plan = plan::compile(project, {.batch = 2});
    backend::Variables variables(plan);
    const std::span<float> kernel = variables.values("first/kernel");  // (1, 2, 2, 3): cell, channel, filter
    for (std::size_t i = 0; i < kernel.size(); ++i) kernel[i] = static_cast<float>(i);
    const spec::FilterPictures pictures = filterPictures(model, variables);
    EXPECT_EQ(pictures.name, "first/kernel");
    EXPECT_EQ(pictures.height, 1);
    EXPECT_EQ(pictures.width, 2);
    EXPECT_EQ(pictures.channels, 1);
    EXPECT_EQ(pictures.count, 3);
    EXPECT_THAT(pictures.values, ElementsAre(1.5F, 7.5F, 2.5F, 8.5F, 3.5F, 9.5F)) << "means of the two channels";
    model.layers.erase(model.layers.begin());
    EXPECT_EQ(filterPictures(model, variables), spec::FilterPictures{});
}

TEST(WeightReport, KeepsThreeChannelsApart) {
    spec::RunSpec project = quarterRun();
    project.model.input_shape = {2, 2, 3};
    project.model.layers = {{"Conv2D", "first", {{"filters", std::int64_t{2}}, {"kernel_size", std::int64_t{1}}}},
                            {"Flatten", "flatten", {}},
                            {"Dense", "dense", {{"units", std::int64_t{2}}}}};
    const plan::Plan plan = plan::compile(project, {.batch = 2});
    backend::Variables variables(plan);
    std::ranges::copy(std::vector<float>{1, 2, 3, 4, 5, 6}, variables.values("first/kernel").begin());
    EXPECT_THAT(filterPictures(project.model, variables).values, ElementsAre(1, 3, 5, 2, 4, 6));
}

TEST(WeightReport, ShowsWhatUnitsOfAFirstDenseLayerLookFor) {
    spec::RunSpec project = quarterRun();
    project.model.input_shape = {2, 1, 3};
    project.model.layers = {
        {"Flatten", "flatten", {}}, {"Dense", "first", {{"units", std::int64_t{2}}}}, {"Dense", "dense", {{"units", std::int64_t{2}}}}};
    const plan::Plan plan = plan::compile(project, {.batch = 2});
    backend::Variables variables(plan);
    std::ranges::copy(std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, variables.values("first/kernel").begin());
    const spec::FilterPictures pictures = filterPictures(project.model, variables);
    EXPECT_EQ(pictures.name, "first/kernel");
    EXPECT_EQ(pictures.height, 2);
    EXPECT_EQ(pictures.width, 1);
    EXPECT_EQ(pictures.channels, 3);
    EXPECT_EQ(pictures.count, 2);
    EXPECT_THAT(pictures.values, ElementsAre(0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11));
    project.model.layers[0] = {"Dense", "pixels", {{"units", std::int64_t{3}}}};
    EXPECT_EQ(filterPictures(project.model, variables), spec::FilterPictures{}) << "it does not see the whole image";
}

TEST(WeightReport, LooksWithoutTouching) {
    const TempDir folders[2];
    RecordingObserver observers[2];
    for (const int looks : {0, 1}) {
        fit(run(looks), folders[looks].path(), observers[looks]);
    }
    EXPECT_TRUE(observers[0].all<spec::WeightReport>().empty());
    EXPECT_EQ(observers[1].all<spec::WeightReport>().size(), 3U);
    EXPECT_EQ(observers[0].column("loss"), observers[1].column("loss"));
}

TEST(WeightReport, ComesFromTheChiefAlone) {
    const TempDir folders[2];
    RecordingObserver observers[2];
    tests::support::spawnRanks(2, [&](distribute::Collective& collective) {
        fit(run(1), folders[collective.rank()].path(), observers[collective.rank()], &collective);
    });
    EXPECT_EQ(observers[0].all<spec::WeightReport>().size(), 3U);
    EXPECT_TRUE(observers[1].all<spec::WeightReport>().empty());
}

}  // namespace
}  // namespace engine::train
