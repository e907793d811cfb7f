#include "engine/train/classification.h"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/data/read_report.h"
#include "engine/data/sample_decoder.h"
#include "engine/export/tf_checkpoint.h"
#include "engine/spec/error.h"
#include "engine/train/activation_probe.h"
#include "tests/support/temp_dir.h"
#include "tests/support/training.h"

namespace {

using engine::train::ActivationProbe;
using engine::train::Classification;
using engine::train::classify;
using engine::train::Predictor;
using tests::support::layer;
namespace spec = engine::spec;
namespace data = engine::data;

// Two classes by one pixel: the sample's own value and its complement are the scores.
spec::RunSpec identityRun(std::int64_t outputs = 2) {
    spec::RunSpec run;
    run.name = "identity";
    run.model = tests::support::model({2}, {layer("Dense", "dense", {{"units", outputs}, {"use_bias", false}})});
    run.compile.loss.config.set("from_logits", true);
    run.data.scale = 1;
    return run;
}

std::shared_ptr<const data::Samples> pairs(const std::vector<std::pair<int, int>>& values, const std::vector<int>& labels) {
    auto samples = std::make_shared<data::Samples>();
    samples->source = "pairs";
    samples->label_source = "pair labels";
    samples->count = static_cast<std::int64_t>(values.size());
    samples->sample_shape = {2};
    samples->samples = data::ByteBuffer(values.size() * 2);
    samples->labels = data::ByteBuffer(labels.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        samples->samples.data()[2 * i] = static_cast<std::byte>(values[i].first);
        samples->samples.data()[2 * i + 1] = static_cast<std::byte>(values[i].second);
        samples->labels.data()[i] = static_cast<std::byte>(labels[i]);
    }
    return samples;
}

std::filesystem::path save(const std::filesystem::path& prefix, const spec::RunSpec& run,
                           std::vector<engine::exporter::VariableView> variables) {
    engine::exporter::CheckpointContents contents;
    contents.model = &run.model;
    contents.variables = std::move(variables);
    engine::exporter::writeTfCheckpoint(prefix, contents);
    return prefix;
}

// A single layer's kernel as weights, written as a training would.
std::filesystem::path writeWeights(const std::filesystem::path& folder, const spec::RunSpec& run, std::vector<float> kernel,
                                   const spec::Shape& shape) {
    return save(folder / "identity", run, {{"dense/kernel", shape, kernel}});
}

class ClassificationTest : public ::testing::Test {
protected:
    Classification of(const spec::RunSpec& run, std::vector<float> kernel, const std::shared_ptr<const data::Samples>& samples,
                      std::size_t mistakes = 10) {
        Predictor predictor(run, &engine::backend::makeReferenceExecutor, 1);
        const auto outputs = static_cast<std::int64_t>(kernel.size() / 2);
        predictor.loadWeights(writeWeights(dir_.path(), run, std::move(kernel), {2, outputs}));
        return classify(run, predictor, samples, mistakes);
    }
    tests::support::TempDir dir_;
};

// Logits of which one stands out: log(9) of three classes is a probability of 9 / 11.
TEST(BestPath, MergesRepeatsAndLeavesBlanksOut) {
    const auto read = [](const std::vector<std::size_t>& best, const std::vector<std::string>& names) {
        std::vector<float> logits(best.size() * 3);
        for (std::size_t t = 0; t < best.size(); ++t) logits[3 * t + best[t]] = std::log(9.0F);
        return engine::train::bestPath(logits, 3, names);
    };
    const std::vector<spec::ClassScore> path = read({0, 2, 2, 0, 2, 1, 1, 0}, {"blank", "a"});
    ASSERT_EQ(path.size(), 3U) << "a blank parts two of a kind";
    EXPECT_EQ(path[0].name, "2") << "it has no name";
    EXPECT_EQ(path[1].index, 2);
    EXPECT_EQ(path[2].name, "a");
    for (const spec::ClassScore& one : path) EXPECT_NEAR(one.probability, 9.0F / 11.0F, 1e-6);
    EXPECT_TRUE(read({0, 0, 0}, {}).empty());
    // The surest time of a class counts.
    const std::vector<spec::ClassScore> surer = engine::train::bestPath({0, 1, 0, 0, std::log(9.0F), 0, 0, 1, 0}, 3, {});
    ASSERT_EQ(surer.size(), 1U);
    EXPECT_NEAR(surer[0].probability, 9.0F / 11.0F, 1e-6);
}

TEST_F(ClassificationTest, CountsWhichClassIsTakenForWhich) {
    const Classification result = of(identityRun(), {1, 0, 0, 1}, pairs({{3, 0}, {0, 1}, {0, 4}, {2, 0}, {5, 0}}, {0, 1, 0, 1, 0}));
    EXPECT_EQ(result.classes, 2);
    EXPECT_EQ(result.confusion, (std::vector<std::int64_t>{2, 1, 1, 1}));
    EXPECT_DOUBLE_EQ(result.accuracy(), 0.6);
    EXPECT_DOUBLE_EQ(result.classAccuracy(0), 2.0 / 3);
    EXPECT_EQ(result.class_names, (std::vector<std::string>{"0", "1"}));
    ASSERT_EQ(result.mistakes.size(), 2u);
    EXPECT_EQ(result.mistakes[0].sample, 2) << "the surest first";
    EXPECT_NEAR(result.mistakes[0].confidence, 1 / (1 + std::exp(-4.0)), 1e-6);
    EXPECT_EQ(result.mistakes[0].pixels, (std::vector<std::uint8_t>{0, 4}));
    EXPECT_EQ(result.mistakes[1].sample, 3);
}

TEST_F(ClassificationTest, KeepsOnlyTheSurestMistakes) {
    const Classification result = of(identityRun(), {1, 0, 0, 1}, pairs({{1, 0}, {9, 0}, {5, 0}}, {1, 1, 1}), 1);
    ASSERT_EQ(result.mistakes.size(), 1u);
    EXPECT_EQ(result.mistakes[0].sample, 1);
    EXPECT_TRUE(std::isnan(result.classAccuracy(0))) << "no sample of it";
}

TEST_F(ClassificationTest, OneOutputTellsTwoClassesApart) {
    spec::RunSpec run = identityRun(1);
    run.compile.loss = {"BinaryCrossentropy", {{"from_logits", true}}};
    const Classification result = of(run, {1, -1}, pairs({{3, 0}, {0, 3}, {0, 3}}, {1, 0, 1}));
    EXPECT_EQ(result.classes, 2);
    EXPECT_EQ(result.confusion, (std::vector<std::int64_t>{1, 0, 1, 1}));
    EXPECT_NEAR(result.mistakes.at(0).confidence, 1 / (1 + std::exp(-3.0)), 1e-6);
}

// A sample of the set that can't be decoded.
class PairDecoder final : public data::SampleDecoder {
public:
    void decode(std::int64_t index, std::byte* into) const override {
        if (index == 1) throw engine::Error(engine::ErrorCode::kDataLoss, "pair 1: expected two numbers, got one");
        into[0] = static_cast<std::byte>(index == 2 ? 0 : 3);
        into[1] = static_cast<std::byte>(index == 2 ? 4 : 0);
    }
};

TEST_F(ClassificationTest, ASampleThatIsSkippedMovesNoOther) {
    auto samples = std::make_shared<data::Samples>();
    samples->source = "pairs";
    samples->label_source = "pair labels";
    samples->count = 4;
    samples->sample_shape = {2};
    samples->decoder = std::make_shared<PairDecoder>();
    samples->report = std::make_shared<data::ReadReport>(spec::BadRecord::kSkip);
    samples->labels = data::ByteBuffer(4);
    const int labels[] = {0, 0, 1, 0};
    for (std::size_t i = 0; i < 4; ++i) samples->labels.data()[i] = static_cast<std::byte>(labels[i]);
    const Classification result = of(identityRun(), {1, 0, 0, 1}, samples);
    EXPECT_EQ(result.confusion, (std::vector<std::int64_t>{2, 0, 0, 1}));
    EXPECT_EQ(result.samples, 3);
    EXPECT_TRUE(result.mistakes.empty());
}

// Weights are float32 in a policy that computes in float16 on GPUs.
TEST_F(ClassificationTest, AProcessorAnswersForAModelOfFloat16) {
    spec::RunSpec run = identityRun();
    run.model.dtype_policy = "mixed_float16";
    EXPECT_EQ(of(run, {1, 0, 0, 1}, pairs({{3, 0}, {0, 1}}, {0, 1})).confusion, (std::vector<std::int64_t>{1, 0, 0, 1}));
}

TEST_F(ClassificationTest, RefusesWhatIsNoClassifier) {
    auto samples = std::make_shared<data::Samples>(data::Samples{});
    samples->count = 1;
    samples->sample_shape = {2};
    samples->samples = data::ByteBuffer(2);
    samples->label_dtype = engine::tensor::DType::kFloat32;
    samples->labels = data::ByteBuffer(4);
    EXPECT_THROW(of(identityRun(), {1, 0, 0, 1}, samples), engine::Error);
}

TEST(ActivationProbe, EndsInThePredictionAndFollowsTheLayers) {
    const tests::support::TempDir dir;
    spec::RunSpec run = tests::support::quarterRun();
    const auto samples = tests::support::quarterImages(3);
    ActivationProbe probe(run, &engine::backend::makeReferenceExecutor, 1);
    Predictor predictor(run, &engine::backend::makeReferenceExecutor, 1);
    std::vector<float> kernel(3 * 3 * 4), bias(4, 0.1F), dense(36 * 4), dense_bias(4);
    for (std::size_t i = 0; i < kernel.size(); ++i) kernel[i] = static_cast<float>(i % 7) * 0.1F - 0.3F;
    for (std::size_t i = 0; i < dense.size(); ++i) dense[i] = static_cast<float>(i % 5) * 0.2F - 0.4F;
    const std::filesystem::path file = save(dir.path() / "quarter", run,
                                            {{"conv2d/kernel", {3, 3, 1, 4}, kernel},
                                             {"conv2d/bias", {4}, bias},
                                             {"dense/kernel", {36, 4}, dense},
                                             {"dense/bias", {4}, dense_bias}});
    probe.loadWeights(file);
    predictor.loadWeights(file);
    const auto activations = probe.look(samples, 2);
    ASSERT_EQ(activations.size(), 3u) << "flatten computes nothing";
    EXPECT_EQ(activations[0].layer, "conv2d");
    EXPECT_EQ(activations[0].shape, (spec::Shape{6, 6, 4}));
    EXPECT_EQ(activations[1].shape, (spec::Shape{3, 3, 4}));
    // Relu ends the convolution, and a pool is the greatest of its four cells.
    for (const float value : activations[0].values) EXPECT_GE(value, 0);
    EXPECT_EQ(activations[1].values[0],
              std::max({activations[0].values[0], activations[0].values[4], activations[0].values[24], activations[0].values[28]}));
    const std::vector<float> all = predictor.predict(samples);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(activations[2].values[i], all[2 * 4 + i], 1e-4) << i;
    EXPECT_THROW(probe.look(samples, 3), engine::Error);
}

}  // namespace
