#include "engine/train/fit/layer_watch.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/data/pipeline.h"
#include "engine/plan/compile.h"
#include "engine/spec/catalog/dtype_policy.h"
#include "tests/support/spawn_ranks.h"
#include "tests/support/temp_dir.h"
#include "tests/support/training.h"

namespace engine::train {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using tests::support::compileWith;
using tests::support::layer;
using tests::support::model;
using tests::support::quarterImages;
using tests::support::quarterRun;
using tests::support::RecordingObserver;
using tests::support::replica;
using tests::support::TempDir;

constexpr double kRate = 0.05;

// Without momentum an update is the rate times the gradient that the executor of training had: what a measurement must agree with.
spec::RunSpec sgdRun() {
    spec::RunSpec run = quarterRun();
    run.model = model(
        {8, 8, 1},
        {layer("Conv2D", "conv2d", {{"filters", std::int64_t{4}}, {"kernel_size", std::int64_t{3}}, {"activation", std::string("relu")}}),
         layer("BatchNormalization", "batch_normalization"), layer("MaxPooling2D", "max_pooling2d"), layer("Flatten", "flatten"),
         layer("Dropout", "dropout", {{"rate", 0.25}}), layer("Dense", "dense", {{"units", std::int64_t{4}}})});
    run.compile = compileWith({"SGD", {{"learning_rate", kRate}}});
    run.data.shuffle = 0;
    run.fit.epochs = 2;
    run.fit.histogram_freq = 1;
    return run;
}

struct Fitted {
    std::vector<spec::LayerReport> reports;
    std::vector<float> losses;
    std::string weights_sha256;
};

// 90 samples: the last batch of each replica is a short one.
Fitted fit(const spec::RunSpec& run, distribute::Collective* collective = nullptr,
           ExecutorFactory make_executor = &backend::makeCpuExecutor) {
    const TempDir folder;
    RecordingObserver observer;
    TrainerOptions options;
    options.make_executor = make_executor;
    options.run_dir = folder.path();
    options.threads = 2;
    options.dataset = {"quarters", quarterImages(90), quarterImages(40, 8, 2)};
    const int rank = collective == nullptr ? 0 : collective->rank();
    Trainer trainer(run, replica(run, rank, collective == nullptr ? 1 : collective->size()), collective, observer, options);
    const FitOutcome outcome = trainer.fit();
    return {observer.all<spec::LayerReport>(), observer.column("loss"), outcome.finished.weights_sha256};
}

std::vector<std::int64_t> stepsOf(const std::vector<spec::LayerReport>& reports) {
    std::vector<std::int64_t> steps;
    for (const spec::LayerReport& report : reports) steps.push_back(report.step);
    return steps;
}

void expectUpdatesToBeTheRateTimesTheGradients(const std::vector<spec::LayerReport>& reports) {
    ASSERT_FALSE(reports.empty());
    for (const spec::LayerReport& report : reports) {
        ASSERT_EQ(report.layers.size(), 3U);
        for (const spec::LayerMeasure& one : report.layers) {
            EXPECT_GT(one.gradient_norm, 0) << one.layer;
            EXPECT_NEAR(one.update_norm, kRate * one.gradient_norm, 1e-4 * kRate * one.gradient_norm + 1e-7)
                << one.layer << " at step " << report.step;
        }
    }
}

TEST(LayerWatch, MeasuresFewerStepsAsARunGoesOn) {
    std::vector<std::int64_t> steps;
    for (std::int64_t done = 0; done < 2000;) steps.push_back(done = nextMeasuredStep(done, 1));
    EXPECT_THAT(steps, ElementsAre(1, 2, 5, 10, 20, 50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1500, 2000));
    EXPECT_EQ(nextMeasuredStep(1234567, 1), 1235000);
    EXPECT_THAT((std::vector{nextMeasuredStep(0, 4), nextMeasuredStep(4, 4), nextMeasuredStep(8, 4), nextMeasuredStep(100, 3)}),
                ElementsAre(4, 8, 12, 201))
        << "steps that change the weights, where gradients are accumulated";
}

TEST(LayerWatch, MeasuresTheGradientThatTheUpdateIsMadeOf) {
    const Fitted fitted = fit(sgdRun());
    EXPECT_THAT(stepsOf(fitted.reports), ElementsAre(1, 2, 5, 10));
    EXPECT_EQ(fitted.reports[3].epoch, 1);
    EXPECT_EQ(fitted.reports[3].layers[0].layer, "conv2d");
    EXPECT_EQ(fitted.reports[3].layers[1].layer, "batch_normalization");
    EXPECT_EQ(fitted.reports[3].layers[2].layer, "dense");
    expectUpdatesToBeTheRateTimesTheGradients(fitted.reports);
}

TEST(LayerWatch, MeasuresTheSumOfTheReplicasOfSeveralTasks) {
    std::vector<Fitted> fitted(2);
    spec::RunSpec run = sgdRun();
    run.data.batch_size_per_replica = 8;
    run.data.auto_shard = spec::AutoShardPolicy::kData;
    tests::support::spawnRanks(
        2, [&](distribute::Collective& collective) { fitted[static_cast<std::size_t>(collective.rank())] = fit(run, &collective); });
    expectUpdatesToBeTheRateTimesTheGradients(fitted[0].reports);
    EXPECT_THAT(fitted[1].reports, IsEmpty()) << "the chief tells alone";
    EXPECT_EQ(fitted[0].weights_sha256, fitted[1].weights_sha256);
    run.fit.histogram_freq = 0;
    std::vector<Fitted> unwatched(2);
    tests::support::spawnRanks(
        2, [&](distribute::Collective& collective) { unwatched[static_cast<std::size_t>(collective.rank())] = fit(run, &collective); });
    EXPECT_THAT(unwatched[0].reports, IsEmpty());
    EXPECT_EQ(unwatched[0].losses, fitted[0].losses);
    EXPECT_EQ(unwatched[0].weights_sha256, fitted[0].weights_sha256);
}

TEST(LayerWatch, MeasuresTheSumOfTheDevicesUnderEachStrategy) {
    for (const char* strategy : {"MirroredStrategy", "CentralStorageStrategy"}) {
        SCOPED_TRACE(strategy);
        spec::RunSpec run = sgdRun();
        run.strategy.name = strategy;
        run.strategy.logical_cpus = 2;
        run.data.batch_size_per_replica = 8;
        const Fitted watched = fit(run);
        expectUpdatesToBeTheRateTimesTheGradients(watched.reports);
        run.fit.histogram_freq = 0;
        EXPECT_EQ(fit(run).weights_sha256, watched.weights_sha256);
    }
}

TEST(LayerWatch, LeavesTheTrainingAsItIs) {
    for (const spec::ObjectSpec& optimizer :
         {spec::ObjectSpec{"Adam", {{"learning_rate", 0.01}, {"clipnorm", 0.1}}},
          spec::ObjectSpec{"SGD", {{"learning_rate", 0.01}, {"momentum", 0.9}, {"gradient_accumulation_steps", std::int64_t{3}}}}}) {
        spec::RunSpec run = sgdRun();
        run.compile.optimizer = optimizer;
        const Fitted watched = fit(run);
        run.fit.histogram_freq = 0;
        const Fitted unwatched = fit(run);
        EXPECT_THAT(unwatched.reports, IsEmpty());
        EXPECT_EQ(unwatched.losses, watched.losses);
        EXPECT_EQ(unwatched.weights_sha256, watched.weights_sha256);
        EXPECT_FALSE(watched.weights_sha256.empty());
    }
}

TEST(LayerWatch, TakesStepsThatUpdateWhereGradientsAreAccumulated) {
    spec::RunSpec run = sgdRun();
    run.compile.optimizer = {"SGD", {{"learning_rate", kRate}, {"gradient_accumulation_steps", std::int64_t{3}}}};
    const Fitted fitted = fit(run);
    EXPECT_THAT(stepsOf(fitted.reports), ElementsAre(3, 6, 12));
    for (const spec::LayerReport& report : fitted.reports) {
        for (const spec::LayerMeasure& one : report.layers) EXPECT_GT(one.update_norm, 0) << one.layer;
    }
}

// The plan, weights and a batch for a watch without a trainer.
class LayerWatchAlone : public testing::Test {
protected:
    void make(spec::RunSpec project) {
        run_ = std::move(project);
        run_.fit.histogram_freq = 1;
        plan_ = plan::compile(run_, {.batch = 16});
        variables_ = std::make_unique<backend::Variables>(plan_);
        samples_ = quarterImages(16);
        pipeline_ = std::make_unique<data::Pipeline>(data::evaluationPipeline(run_.data, samples_, {0, 16}, 1, 0, 16));
        pipeline_->next(batch_);
        watch_ = std::make_unique<LayerWatch>(
            run_, replica(run_), nullptr,
            LayerWatchOptions{.make_executor = &backend::makeReferenceExecutor, .threads = 1, .connect_devices = {}}, 16);
        watch_->begin(0, {});
        ASSERT_TRUE(watch_->isDue(1));
    }
    void set(const std::string& name, const std::vector<float>& values) {
        const std::span<float> to = variables_->values(name);
        ASSERT_EQ(to.size(), values.size()) << name;
        std::ranges::copy(values, to.begin());
    }
    // Something else for each weight, of about the size that layers begin with.
    void fill() {
        float value = 0.3F;
        for (const backend::Variables::Entry& entry : variables_->entries()) {
            for (float& one : entry.values) {
                value = std::fmod(value * 7.13F + 0.37F, 1.0F);
                one = entry.is_slot ? 0 : (value - 0.5F) * 0.4F;
            }
        }
    }
    spec::LayerReport measure() {
        watch_->look(*variables_, batch_, {});
        return *watch_->report(1, 0, *variables_);
    }
    // The loss at the weights of now.
    double loss() {
        const auto executor = backend::makeReferenceExecutor(plan_, *variables_, {});
        executor->reloadVariables();
        backend::StepControl still;
        still.learning_rate = 0;
        const backend::StepResult result = executor->trainStep(batch_, still);
        return result.loss_sum / result.count;
    }

    spec::RunSpec run_;
    plan::Plan plan_;
    std::unique_ptr<backend::Variables> variables_;
    std::shared_ptr<const data::Samples> samples_;
    std::unique_ptr<data::Pipeline> pipeline_;
    tensor::BatchView batch_;
    std::unique_ptr<LayerWatch> watch_;
};

TEST_F(LayerWatchAlone, ItsGradientsAreTheSlopesOfTheLoss) {
    spec::RunSpec run = quarterRun();
    run.compile = compileWith({"SGD", {{"learning_rate", 0.1}}});
    make(run);
    fill();
    const spec::LayerReport report = measure();
    std::map<std::string, double> squares;
    for (const char* name : {"conv2d/kernel", "conv2d/bias", "dense/kernel", "dense/bias"}) {
        for (float& weight : variables_->values(name)) {
            constexpr float kStep = 1.0F / 128;
            const float before = weight;
            weight = before + kStep;
            const double above = loss();
            weight = before - kStep;
            const double below = loss();
            weight = before;
            const double slope = (above - below) / (2 * kStep);
            squares[std::string(name).substr(0, std::string(name).find('/'))] += slope * slope;
        }
    }
    ASSERT_EQ(report.layers.size(), 2U);
    for (const spec::LayerMeasure& one : report.layers) {
        EXPECT_NEAR(one.gradient_norm, std::sqrt(squares.at(one.layer)), 0.02 * one.gradient_norm) << one.layer;
        EXPECT_GT(one.gradient_norm, 0.01);
        EXPECT_EQ(one.update_norm, 0) << "nothing has changed the weights";
    }
}

TEST_F(LayerWatchAlone, GradientsOfAScaledLossAreUnscaledAndThoseOfAStepThatIsLeftOutAreNone) {
    spec::RunSpec run = quarterRun();
    run.compile = compileWith({"SGD", {{"learning_rate", 0.1}}});
    make(run);
    fill();
    const double plain = measure().layers[1].gradient_norm;
    run.compile.loss_scale = spec::LossScaleSpec();
    make(run);
    fill();
    const std::span<float> scale = variables_->values(spec::kDynamicScale);
    scale[0] = 1024;
    EXPECT_NEAR(measure().layers[1].gradient_norm, plain, 1e-5 * plain);
    EXPECT_EQ(scale[0], 1024) << "the run's own scale stays";
    scale[0] = 3e38F;
    std::ranges::fill(variables_->values("conv2d/bias"), 1000.0F);
    const spec::LayerMeasure overflown = measure().layers[1];
    EXPECT_TRUE(std::isnan(overflown.gradient_norm));
    EXPECT_GT(overflown.weights_norm, 0);
}

TEST_F(LayerWatchAlone, CountsUnitsThatAreZeroForEverySample) {
    spec::RunSpec run = quarterRun();
    const auto dense = [](const char* name, std::int64_t units, const char* activation) {
        return layer("Dense", name, {{"units", units}, {"activation", std::string(activation)}});
    };
    run.model = model({8, 8, 1}, {layer("Conv2D", "conv2d", {{"filters", std::int64_t{2}}, {"kernel_size", std::int64_t{3}}}),
                                  layer("ReLU", "re_lu", {{"max_value", 6.0}}), layer("Flatten", "flatten"), dense("dense", 3, "relu"),
                                  dense("tanh", 2, "tanh"), dense("leaky", 2, "leaky_relu"), dense("last", 4, "linear")});
    make(run);
    fill();
    set("conv2d/kernel", std::vector<float>(18, 0));
    set("conv2d/bias", {-1, 1});
    set("dense/kernel", std::vector<float>(72 * 3, 0));
    set("dense/bias", {-1, 0, 0.5});
    const spec::LayerReport report = measure();
    EXPECT_EQ(report.samples, 16);
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> counts;
    for (const spec::LayerMeasure& one : report.layers) counts[one.layer] = {one.dead_units, one.units};
    EXPECT_EQ(counts.at("re_lu"), std::pair(std::int64_t{1}, std::int64_t{2})) << "a layer of its own, of which nothing is trained";
    EXPECT_EQ(counts.at("dense"), std::pair(std::int64_t{2}, std::int64_t{3}));
    for (const char* other : {"conv2d", "tanh", "leaky", "last"}) EXPECT_EQ(counts.at(other).second, 0) << other;
    EXPECT_TRUE(std::isnan(report.layers.back().gradient_norm)) << "re_lu has no gradient";
}

TEST_F(LayerWatchAlone, CountsNumbersThatAreNoneAndLeavesThemOutOfNorms) {
    spec::RunSpec run = quarterRun();
    run.compile = compileWith({"SGD", {{"learning_rate", 0.1}}});
    make(run);
    fill();
    std::ranges::fill(variables_->values("dense/kernel"), 0.0F);
    set("dense/bias", {3, 4, 0, std::numeric_limits<float>::infinity()});
    const spec::LayerReport report = measure();
    const spec::LayerMeasure& dense = report.layers[1];
    EXPECT_EQ(dense.weights_norm, 5);
    EXPECT_EQ(dense.weights_not_finite, 1);
    EXPECT_GT(dense.gradient_not_finite, 0) << "the loss is NaN";
    EXPECT_TRUE(std::isfinite(dense.gradient_norm));
    EXPECT_EQ(report.layers[0].weights_not_finite, 0);
}

TEST(DeadUnits, LooksAtFewerSamplesWhereActivationsAreMany) {
    spec::RunSpec run = quarterRun();
    run.model = model(
        {256, 256, 1},
        {layer("Conv2D", "conv2d", {{"filters", std::int64_t{8}}, {"kernel_size", std::int64_t{1}}, {"activation", std::string("relu")}}),
         layer("Flatten", "flatten"), layer("Dense", "dense", {{"units", std::int64_t{2}}})});
    const plan::Plan plan = plan::compile(run, {.batch = 16});
    backend::Variables variables(plan);
    variables.values("conv2d/bias")[0] = 1;
    DeadUnits units(run, 16, &backend::makeCpuExecutor, 1);
    const auto samples = quarterImages(16, 256);
    data::Pipeline pipeline = data::evaluationPipeline(run.data, samples, {0, 16}, 1, 0, 16);
    tensor::BatchView batch;
    pipeline.next(batch);
    const DeadUnits::Counts counts = units.at(variables, batch);
    EXPECT_EQ(counts.samples, DeadUnits::kMostValues / (256 * 256 * 8));
    EXPECT_THAT(counts.layers, ElementsAre(DeadUnits::Count{"conv2d", 8, 7}));
}

}  // namespace
}  // namespace engine::train
