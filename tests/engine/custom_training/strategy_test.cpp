#include "engine/custom_training/strategy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"
#include "loop_rig.h"
#include "tests/support/near.h"

namespace engine::custom_training {
namespace {

TEST(Strategy, RunsALoopOfTheProgramsOwn) {
    const Strategy strategy = Strategy::mirrored({.devices = {"CPU:0", "CPU:1"}});
    Model model = denseModel(strategy);
    const std::vector<float> losses = trainOn(strategy, model, strategy.distribute(points(), {.global_batch = kBatch, .repeat = 40}));
    EXPECT_EQ(losses.size(), 100U);
    EXPECT_EQ(model.iterations(), 100);
    EXPECT_LT(losses.back(), losses.front() / 20);
}

// A loss divided by the global batch makes uneven parts right, too.
TEST(Strategy, TrainsOnAnyDevicesAsOnOne) {
    const auto train = [](const Strategy& strategy) {
        Model model = denseModel(strategy);
        const DistributedDataset dataset = strategy.distribute(points(), {.global_batch = kBatch, .repeat = 3, .shuffle = 30, .seed = 5});
        std::vector<float> values = trainOn(strategy, model, dataset);
        const std::vector<float> weights = weightsOf(model);
        values.insert(values.end(), weights.begin(), weights.end());
        return values;
    };
    const std::vector<float> one = train(Strategy::oneDevice());
    const std::vector<std::string> four{"CPU:0", "CPU:1", "/cpu:2", "CPU:3"};
    EXPECT_TRUE(tests::support::isNear(train(Strategy::mirrored({.devices = four})), one, 1e-5));
    EXPECT_TRUE(tests::support::isNear(
        train(Strategy::mirrored(
            {.devices = four, .cross_device_ops = {"ReductionToOneDevice", {{"reduce_to_device", std::string("CPU:2")}}}})),
        one, 1e-5));
    EXPECT_TRUE(tests::support::isNear(train(Strategy::centralStorage({.devices = {"CPU:0", "CPU:1", "CPU:2"}})), one, 1e-5));
}

TEST(Strategy, DividesABatchAmongItsReplicas) {
    const Strategy strategy = Strategy::mirrored({.devices = {"CPU:0", "CPU:1"}});
    Model model = denseModel(strategy);
    DistributedIterator iterator = strategy.distribute(points(), {.global_batch = 22}).iterator();
    std::vector<std::vector<std::int64_t>> parts;
    while (const auto inputs = iterator.next()) {
        parts.push_back(localResults(strategy.run(model, *inputs, [](ReplicaContext& replica) { return replica.samples(); })));
        EXPECT_EQ(parts.back()[1], inputs->samples(1));
    }
    EXPECT_EQ(parts, (std::vector<std::vector<std::int64_t>>{{11, 11}, {8, 0}}));
}

// Plans are made for the largest batch so far: a smaller one is still divided evenly.
TEST(Strategy, DividesASmallerBatchAfterALargerOne) {
    const Strategy strategy = Strategy::mirrored({.devices = {"CPU:0", "CPU:1"}});
    Model model = denseModel(strategy);
    const auto step = [](ReplicaContext& replica) { return replica.samples(); };
    strategy.run(model, *strategy.distribute(points(), {.global_batch = 20}).iterator().next(), step);
    EXPECT_EQ(localResults(strategy.run(model, *strategy.distribute(points(), {.global_batch = 6}).iterator().next(), step)),
              (std::vector<std::int64_t>{3, 3}));
}

TEST(Strategy, PredictsWithWhatWasTrained) {
    const Strategy strategy = Strategy::centralStorage({.devices = {"CPU:0", "CPU:1"}});
    Model model = denseModel(strategy);
    trainOn(strategy, model, strategy.distribute(points(), {.global_batch = kBatch, .repeat = 40}));
    const auto samples = points();
    const auto inputs = strategy.distribute(samples, {.global_batch = 30}).iterator().next();
    const std::vector<float> outputs = model.predict(*inputs);
    ASSERT_EQ(outputs.size(), 30U);
    EXPECT_NEAR(outputs[7], 2 * (1 / 6.0) - 2 / 5.0 + 0.5, 0.2);
}

TEST(Strategy, TrainsClassesWithSoftmaxCrossEntropy) {
    const Strategy strategy = Strategy::mirrored({.devices = {"CPU:0", "CPU:1"}});
    Model model =
        strategy.scope().model(tests::support::model({1}, {tests::support::layer("Dense", "dense", {{"units", std::int64_t{2}}})}),
                               {"SGD", {{"learning_rate", 1.0}}});
    const DistributedDataset dataset =
        strategy.distribute(fromTensors(std::vector{-1.0F, 1.0F}, {1}, std::vector{0.0F, 1.0F}), {.global_batch = 2, .repeat = 50});
    float loss = 0;
    for (const DistributedBatch& inputs : dataset) {
        loss = reduceFirstAxis(ReduceOp::kMean,
                               strategy.run(model, inputs, [](ReplicaContext& r) { return sparseSoftmaxCrossEntropy(r, 0.5F); }));
    }
    EXPECT_LT(loss, 0.1F);
}

TEST(Strategy, PassesOnWhatAStepThrows) {
    const Strategy strategy = Strategy::mirrored({.devices = {"CPU:0", "CPU:1"}});
    Model model = denseModel(strategy);
    const DistributedDataset dataset = strategy.distribute(points(), {.global_batch = kBatch});
    const auto inputs = dataset.iterator().next();
    const auto step = [](ReplicaContext& replica) {
        if (replica.replica() == 1) throw Error(ErrorCode::kOutOfRange, "label: none");
        return 0;
    };
    EXPECT_THROW(strategy.run(model, *inputs, step), Error);
}

std::string messageOf(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(Strategy, NamesMistakes) {
    using testing::HasSubstr;
    EXPECT_THAT(messageOf([] { denseModel(Strategy::mirrored({.devices = {"TPU:0"}})); }), HasSubstr("strategy.devices[0]"));
    EXPECT_THAT(messageOf([] { denseModel(Strategy::oneDevice(), {"Sgd", {}}); }), HasSubstr("compile.optimizer"));
    EXPECT_THAT(messageOf([] {
                    fromTensors(std::vector{1.0F, 2.0F, 3.0F}, {2}, std::vector{1.0F});
                }),
                HasSubstr("expected 2 features for each"));
    EXPECT_THAT(messageOf([] { Strategy::oneDevice().distribute(points(), {.global_batch = 0}).iterator(); }), HasSubstr("global batch"));
}

}  // namespace
}  // namespace engine::custom_training
