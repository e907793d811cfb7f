#include "engine/train/adapt/adaptation.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/initialize.h"
#include "engine/plan/lower.h"
#include "engine/spec/catalog/lookup_table.h"
#include "engine/spec/error.h"
#include "engine/train/predictor.h"
#include "tests/support/golden.h"
#include "tests/support/near.h"
#include "tests/support/spawn_ranks.h"
#include "tests/support/temp_dir.h"
#include "tests/support/training.h"

namespace engine::train {
namespace {

using tests::support::isNear;
using tests::support::layer;
using tests::support::model;
using tests::support::quarterImages;
using tests::support::quarterRun;
using tests::support::RecordingObserver;
using tests::support::replica;

std::vector<float> copyOf(std::span<const float> values) {
    return {values.begin(), values.end()};
}

std::shared_ptr<const data::Samples> samplesOf(const tests::support::Array& array) {
    auto samples = std::make_shared<data::Samples>();
    samples->source = "samples";
    samples->count = array.shape.front();
    samples->sample_shape = {array.shape.begin() + 1, array.shape.end()};
    samples->sample_dtype = tensor::DType::kFloat32;
    samples->samples = data::ByteBuffer(array.values.size() * sizeof(float));
    std::memcpy(samples->samples.data(), array.values.data(), array.values.size() * sizeof(float));
    samples->labels = data::ByteBuffer(static_cast<std::size_t>(samples->count));
    std::fill_n(samples->labels.data(), samples->labels.size(), std::byte{0});
    return samples;
}

// The images of quarterRun() come in scaled, and a Normalization takes them first.
spec::RunSpec standardizedRun(spec::Fields config = {}) {
    spec::RunSpec run = quarterRun();
    run.data.scale = 0.5;
    run.data.offset = -3;
    run.model.layers.insert(run.model.layers.begin(), layer("Normalization", "norm", std::move(config)));
    return run;
}

// Mean and variance of all values of the first images as they come in.
std::pair<double, double> momentsOf(const data::Samples& samples, std::int64_t count) {
    double sum = 0, squares = 0;
    const std::int64_t values = count * data::elementsOf(samples.sample_shape);
    for (std::int64_t i = 0; i < values; ++i) sum += std::to_integer<int>(samples.samples.data()[i]) * 0.5 - 3;
    const double mean = sum / static_cast<double>(values);
    for (std::int64_t i = 0; i < values; ++i) squares += std::pow(std::to_integer<int>(samples.samples.data()[i]) * 0.5 - 3 - mean, 2);
    return {mean, squares / static_cast<double>(values)};
}

struct Fitted {
    std::vector<float> mean, variance, count;
    std::vector<std::string> logs;
};

Fitted fitted(const spec::RunSpec& run, int rank = 0, distribute::Collective* collective = nullptr, int replicas = 1) {
    const tests::support::TempDir folder;
    RecordingObserver observer;
    TrainerOptions options;
    options.make_executor = &backend::makeReferenceExecutor;
    options.run_dir = folder.path();
    options.dataset = {"quarters", quarterImages(100), quarterImages(20, 8, 2)};
    Trainer trainer(run, replica(run, rank, replicas), collective, observer, options);
    trainer.fit();
    Fitted result{copyOf(trainer.variables().values("norm/mean")),
                  copyOf(trainer.variables().values("norm/variance")),
                  copyOf(trainer.variables().values("norm/count")),
                  {}};
    for (const auto& line : observer.all<spec::LogLine>()) result.logs.push_back(line.text);
    return result;
}

TEST(Adaptation, GivesKerasMeansAndVariances) {
    for (const nlohmann::json& golden : tests::support::readGolden("adapted.json")) {
        SCOPED_TRACE(golden.at("name").get<std::string>());
        const tests::support::Array array = tests::support::toArray(golden.at("samples"));
        const auto samples = samplesOf(array);
        spec::RunSpec run = quarterRun();
        run.data.scale = 1;
        run.model = model(samples->sample_shape, {layer("Normalization", "norm", tests::support::toFields(golden.at("config")))});
        const plan::Plan plan = plan::lowerLayers(run.model, {.batch = 4});
        backend::Variables variables(plan);
        backend::initializeVariables(variables, run.model, 1);
        EXPECT_EQ(copyOf(variables.values("norm/variance")), std::vector<float>(variables.values("norm/variance").size(), 1.0F));
        EXPECT_EQ(adaptLayer(run, samples, variables),
                  "norm: mean and variance of " + std::to_string(samples->count) + " training samples");
        EXPECT_TRUE(isNear(variables.values("norm/mean"), tests::support::toArray(golden.at("mean")).values, 1e-5));
        // Keras has float32 in between, which loses what lies far from zero.
        EXPECT_TRUE(isNear(variables.values("norm/variance"), tests::support::toArray(golden.at("variance")).values, 1e-3));
    }
}

// Boundaries of the samples in batches of 256, a vocabulary of all of them.
TEST(Adaptation, GivesKerasBoundariesAndVocabularies) {
    int taken = 0;
    for (const nlohmann::json& golden : tests::support::readGolden("taken.json")) {
        if (!golden.contains("samples")) continue;
        ++taken;
        SCOPED_TRACE(golden.at("name").get<std::string>());
        const tests::support::Array array = tests::support::toArray(golden.at("samples"));
        const auto samples = samplesOf(array);
        spec::RunSpec run = quarterRun();
        run.data.scale = 1;
        run.data.offset = 0;
        run.model = model(samples->sample_shape, {layer(golden.at("class_name"), "first", tests::support::toFields(golden.at("config")))});
        if (golden.at("ids").get<bool>()) run.model.input_dtype = "int32";
        const plan::Plan plan = plan::lowerLayers(run.model, {.batch = 4});
        backend::Variables variables(plan);
        backend::initializeVariables(variables, run.model, 1);
        const std::string told = adaptLayer(run, samples, variables);
        EXPECT_TRUE(told.ends_with(" of " + std::to_string(samples->count) + " training samples")) << told;
        const std::vector<tests::support::Array> weights = tests::support::toArrays(golden.at("weights"));
        ASSERT_EQ(variables.entries().size(), weights.size());
        for (std::size_t i = 0; i < weights.size(); ++i) {
            EXPECT_TRUE(isNear(variables.entries()[i].values, weights[i].values, 2e-6)) << variables.entries()[i].name;
        }
    }
    EXPECT_GE(taken, 15);
}

TEST(Adaptation, TellsWhatItTook) {
    spec::RunSpec run = quarterRun();
    run.data.scale = 1;
    run.data.offset = 0;
    run.model.layers.insert(run.model.layers.begin(), layer("IntegerLookup", "lookup", {{"max_tokens", std::int64_t{4}}}));
    const plan::Plan plan = plan::lowerLayers(run.model, {.batch = 4});
    backend::Variables variables(plan);
    backend::initializeVariables(variables, run.model, 1);
    EXPECT_EQ(copyOf(variables.values("lookup/values")), std::vector<float>(3, spec::kNoValue)) << "nothing is known before";
    EXPECT_EQ(adaptLayer(run, quarterImages(10), variables), "lookup: vocabulary of 3 values of 10 training samples");

    run.model.layers.front() = layer("Discretization", "buckets", {{"num_bins", std::int64_t{2}}});
    const plan::Plan buckets = plan::lowerLayers(run.model, {.batch = 4});
    backend::Variables boundaries(buckets);
    backend::initializeVariables(boundaries, run.model, 1);
    EXPECT_EQ(copyOf(boundaries.values("buckets/boundaries")), std::vector<float>{spec::kNoBoundary});
    EXPECT_EQ(adaptLayer(run, quarterImages(10), boundaries), "buckets: 1 boundary of 10 training samples");
    EXPECT_LT(boundaries.values("buckets/boundaries")[0], spec::kNoBoundary);
}

TEST(Adaptation, TakesTheTrainingSamplesOnceAsTheyComeIn) {
    spec::RunSpec run = standardizedRun({{"axis", std::vector<std::int64_t>{}}});
    const Fitted all = fitted(run);
    const auto [mean, variance] = momentsOf(*quarterImages(100), 100);
    ASSERT_EQ(all.mean.size(), 1U);
    EXPECT_NEAR(all.mean[0], mean, 1e-4);
    EXPECT_NEAR(all.variance[0], variance, 1e-2);
    EXPECT_EQ(all.count, std::vector<float>{0});
    EXPECT_EQ(std::count(all.logs.begin(), all.logs.end(), "norm: mean and variance of 100 training samples"), 1);

    run.data.validation_split = 0.25;
    const Fitted part = fitted(run);
    const auto [mean_of_part, variance_of_part] = momentsOf(*quarterImages(100), 75);
    EXPECT_NEAR(part.mean[0], mean_of_part, 1e-4);
    EXPECT_NEAR(part.variance[0], variance_of_part, 1e-2);
    EXPECT_NE(part.mean, all.mean);
}

TEST(Adaptation, NumbersThatAreGivenNeedNoSamples) {
    spec::RunSpec run = standardizedRun({{"mean", 1.0}, {"variance", 2.0}});
    const plan::Plan plan = plan::lowerLayers(run.model, {.batch = 4});
    backend::Variables variables(plan);
    EXPECT_EQ(adaptLayer(run, quarterImages(10), variables), "");
    EXPECT_THROW((void)variables.values("norm/mean"), Error);
}

TEST(Adaptation, GivesEveryWorkerTheSame) {
    const spec::RunSpec run = standardizedRun();
    const Fitted alone = fitted(run);
    std::vector<Fitted> ranks(3);
    tests::support::spawnRanks(3, [&](distribute::Collective& collective) {
        ranks[static_cast<std::size_t>(collective.rank())] = fitted(run, collective.rank(), &collective, 3);
    });
    for (const Fitted& rank : ranks) {
        EXPECT_EQ(rank.mean, alone.mean);
        EXPECT_EQ(rank.variance, alone.variance);
    }
}

// tests/data/keras/rounded_inputs.py.
TEST(Buckets, AreThoseOfRoundedNumbersInMixedPrecision) {
    const nlohmann::json told = tests::support::readGolden("rounded_inputs.json");
    const auto numbers = told.at("numbers").get<std::vector<float>>();
    const auto count = static_cast<std::int64_t>(numbers.size());
    for (const std::string policy : {"float32", "mixed_bfloat16"}) {
        spec::RunSpec run = quarterRun();
        run.model =
            model({count}, {layer("Discretization", "buckets", {{"bin_boundaries", told.at("boundaries").get<std::vector<double>>()}})});
        run.model.dtype_policy = policy;
        run.data.scale = 1;
        run.data.offset = 0;
        for (const ExecutorFactory& factory :
             {ExecutorFactory(&backend::makeReferenceExecutor), ExecutorFactory(&backend::makeCpuExecutor)}) {
            Predictor predictor(run, factory, 1);
            EXPECT_EQ(predictor.predict(samplesOf({{1, count}, numbers})), tests::support::toArray(told.at(policy).at("buckets")).values)
                << policy;
        }
    }
    EXPECT_NE(told.at("float32"), told.at("mixed_bfloat16")) << "the numbers are close to boundaries";
}

}  // namespace
}  // namespace engine::train
