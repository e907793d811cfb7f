// Replicas on the logical devices of one task against one device with the global batch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/data/dataset_catalog.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/error.h"
#include "tests/support/near.h"
#include "tests/support/temp_dir.h"
#include "tests/support/training.h"

namespace engine::train {
namespace {

using tests::support::quarterImages;
using tests::support::quarterRun;
using tests::support::RecordingObserver;
using tests::support::result;

struct Fitted {
    std::vector<float> variables;  // weights and slots
    FitOutcome outcome;
    std::string plan;
    std::vector<std::string> log;
    std::vector<float> losses;
};

data::Dataset quarters() {
    return {"quarters", quarterImages(3200), quarterImages(101, 8, 2)};
}

Fitted fit(const spec::RunSpec& run, const data::Dataset& dataset = quarters(), int threads = 1,
           ExecutorFactory make_executor = &backend::makeReferenceExecutor) {
    const tests::support::TempDir folder;
    RecordingObserver observer;
    TrainerOptions options;
    options.make_executor = make_executor;
    options.run_dir = folder.path();
    options.dataset = dataset;
    options.threads = threads;
    spec::TaskPlan task = spec::planTask(run, {});
    Trainer trainer(run, task, nullptr, observer, options);
    Fitted fitted;
    fitted.outcome = trainer.fit();
    for (const auto& entry : trainer.variables().entries()) {
        fitted.variables.insert(fitted.variables.end(), entry.values.begin(), entry.values.end());
    }
    fitted.plan = trainer.planText();
    for (const auto& line : observer.all<spec::LogLine>()) {
        fitted.log.push_back(line.text);
    }
    fitted.losses = observer.column("loss");
    return fitted;
}

const spec::ObjectSpec kAdam{"Adam", {{"learning_rate", 0.001}}};
const spec::ObjectSpec kMomentum{"SGD", {{"learning_rate", 0.01}, {"momentum", 0.9}}};

spec::RunSpec fiftySteps(spec::ObjectSpec optimizer, std::int64_t devices) {
    spec::RunSpec run = quarterRun();
    run.compile.optimizer = std::move(optimizer);
    run.data.shuffle = 0;
    run.data.batch_size_per_replica = 64 / devices;
    run.fit.epochs = 1;
    run.strategy.logical_cpus = devices;
    return run;
}

struct Case {
    const char* name;
    const char* strategy;
    spec::ObjectSpec cross_device_ops;
};
void PrintTo(const Case& row, std::ostream* out) {
    *out << row.name;
}

const Case kCases[] = {
    {"Nccl", "MirroredStrategy", {"NcclAllReduce", {}}},
    {"NcclInThreePacks", "MirroredStrategy", {"NcclAllReduce", {{"num_packs", std::int64_t{3}}}}},
    {"Hierarchical", "MirroredStrategy", {"HierarchicalCopyAllReduce", {{"num_packs", std::int64_t{0}}}}},
    {"OneDevice", "MirroredStrategy", {"ReductionToOneDevice", {}}},
    {"SecondDevice", "MirroredStrategy", {"ReductionToOneDevice", {{"reduce_to_device", std::string("/cpu:1")}}}},
    {"CentralStorage", "CentralStorageStrategy", {"NcclAllReduce", {}}},
};

spec::RunSpec withStrategy(spec::RunSpec run, const Case& row) {
    run.strategy.name = row.strategy;
    run.strategy.cross_device_ops = row.cross_device_ops;
    return run;
}

class Devices : public testing::TestWithParam<Case> {};

TEST_P(Devices, TrainAsOneWithTheGlobalBatch) {
    for (const auto& [optimizer, devices] : {std::pair(kAdam, std::int64_t{2}), std::pair(kMomentum, std::int64_t{4})}) {
        const Fitted one = fit(fiftySteps(optimizer, 1));
        const Fitted several = fit(withStrategy(fiftySteps(optimizer, devices), GetParam()));
        EXPECT_EQ(result(several.outcome, "steps"), 50);
        EXPECT_TRUE(tests::support::isNear(several.variables, one.variables, 1e-5)) << optimizer.class_name;
        EXPECT_TRUE(tests::support::isNear(several.losses, one.losses, 1e-5)) << optimizer.class_name;
        EXPECT_NEAR(result(several.outcome, "test_loss"), result(one.outcome, "test_loss"), 1e-5);
        EXPECT_EQ(result(several.outcome, "test_accuracy"), result(one.outcome, "test_accuracy"));
    }
}

// The tutorial's model on real MNIST with the kernels that users get.
TEST_P(Devices, TrainAsOneOnMnistWithTheCpuKernels) {
    const data::Dataset mnist = data::loadDataset({}, {std::filesystem::path(TANDEM_RESOURCES) / "datasets"});
    const auto fitMnist = [&](const spec::ObjectSpec& optimizer, std::int64_t devices) {
        spec::RunSpec run = fiftySteps(optimizer, devices);
        run.model = tests::support::tutorialModel();
        run.data.take = 3200;
        run.data.validate_on_test = false;
        return fit(withStrategy(std::move(run), GetParam()), mnist, 2, &backend::makeCpuExecutor);
    };
    const Fitted two = fitMnist(kAdam, 2);
    // Adam divides by the root of the squares: where all gradients of a weight are near zero, their rounding is as large as they are.
    EXPECT_TRUE(tests::support::isNear(two.variables, fitMnist(kAdam, 1).variables, 5e-5));
    EXPECT_EQ(fitMnist(kAdam, 2).outcome.finished.weights_sha256, two.outcome.finished.weights_sha256);
    EXPECT_TRUE(tests::support::isNear(fitMnist(kMomentum, 2).variables, fitMnist(kMomentum, 1).variables, 1e-5));
}

INSTANTIATE_TEST_SUITE_P(Strategies, Devices, testing::ValuesIn(kCases), [](const auto& row) { return row.param.name; });

// Two samples and none: batches of 66 and 2 over three devices of 22.
TEST(Devices, TakePartWithNothingWhenTheDataEnd) {
    spec::RunSpec run = fiftySteps(kMomentum, 3);
    run.data.batch_size_per_replica = 22;
    run.data.take = 68;
    run.fit.epochs = 3;
    const Fitted mirrored = fit(run);
    EXPECT_EQ(result(mirrored.outcome, "steps"), 6);
    run.strategy.name = "CentralStorageStrategy";
    EXPECT_TRUE(tests::support::isNear(fit(run).variables, mirrored.variables, 1e-6));
}

// Every replica weighs the same (tf.distribute): 5 samples over two devices of 4 are 3 and 2.
TEST(Devices, WeighEveryReplicaTheSame) {
    spec::RunSpec run = fiftySteps({"SGD", {{"learning_rate", 1.0}}}, 2);
    run.data.batch_size_per_replica = 4;
    run.data.take = 5;
    const Fitted both = fit(run);

    const auto moved = [&](std::int64_t first, std::int64_t count) {
        auto samples = std::make_shared<data::Samples>();
        const auto all = quarterImages(3200);
        samples->count = count;
        samples->sample_shape = all->sample_shape;
        samples->samples = data::ByteBuffer(static_cast<std::size_t>(count * 64));
        samples->labels = data::ByteBuffer(static_cast<std::size_t>(count));
        std::copy_n(all->samples.data() + first * 64, count * 64, samples->samples.data());
        std::copy_n(all->labels.data() + first, count, samples->labels.data());
        spec::RunSpec alone = run;
        alone.strategy.logical_cpus = 1;
        return fit(alone, {"quarters", samples, nullptr}).variables;
    };
    const std::vector<float> first = moved(0, 3);
    const std::vector<float> second = moved(3, 2);
    std::vector<float> mean(first.size());
    for (std::size_t i = 0; i < mean.size(); ++i) {
        mean[i] = (first[i] + second[i]) / 2;  // both began at the same weights
    }
    EXPECT_TRUE(tests::support::isNear(both.variables, mean, 1e-6));
}

TEST(Devices, GiveTheSameBytesWithAnyNumberOfThreads) {
    for (const Case& row : kCases) {
        spec::RunSpec run = withStrategy(fiftySteps(kAdam, 2), row);
        run.data.take = 320;
        EXPECT_EQ(fit(run, quarters(), 1, &backend::makeCpuExecutor).outcome.finished.weights_sha256,
                  fit(run, quarters(), 4, &backend::makeCpuExecutor).outcome.finished.weights_sha256)
            << row.name;
    }
}

TEST(Devices, SayWhatTheyDoInPlanAndLog) {
    using testing::Contains;
    using testing::HasSubstr;
    const std::string cpus = "('/job:localhost/replica:0/task:0/device:CPU:0', '/job:localhost/replica:0/task:0/device:CPU:1')";
    const Fitted ring = fit(withStrategy(fiftySteps(kAdam, 2), kCases[0]));
    EXPECT_THAT(ring.log, Contains("Using MirroredStrategy with devices " + cpus));
    EXPECT_THAT(ring.log, Contains(HasSubstr("NcclAllReduce: all devices are CPUs")));
    EXPECT_THAT(ring.log, Contains("Number of devices: 2"));
    EXPECT_THAT(ring.plan, HasSubstr("[ring, bucket 0]"));
    EXPECT_THAT(ring.plan, HasSubstr("replica 1 on CPU:1: the same plan"));
    EXPECT_THAT(fit(withStrategy(fiftySteps(kAdam, 2), kCases[2])).plan, HasSubstr("[halves on 1 and 0, bucket 1]"));
    EXPECT_THAT(fit(withStrategy(fiftySteps(kAdam, 2), kCases[4])).plan, HasSubstr("[sum on 1, bucket 0]"));

    spec::RunSpec central = withStrategy(fiftySteps(kAdam, 2), kCases[5]);
    central.strategy.log_device_placement = true;
    const Fitted kept = fit(central);
    EXPECT_THAT(kept.plan, HasSubstr("[sum stays on 0, bucket 0]"));
    EXPECT_THAT(kept.plan, HasSubstr("variables/Read"));
    const std::string host = "/job:localhost/replica:0/task:0/device:";
    EXPECT_THAT(kept.log, Contains("conv2d/kernel: (Variable): " + host + "CPU:0"));
    EXPECT_THAT(kept.log, Contains("replica_1/variables/Read: (ReadVariables): " + host + "CPU:1"));
    EXPECT_THAT(kept.log, Contains("replica_1/bucket0/Reduce: (AllReduce): " + host + "CPU:0"));
    EXPECT_THAT(kept.log, testing::Not(Contains(HasSubstr("kernel/replica_1"))));
}

TEST(Devices, ReadInPlaceWhateverTheListSays) {
    spec::RunSpec run = fiftySteps(kAdam, 2);
    run.strategy.devices = {"CPU:3", "/cpu:1"};
    run.strategy.logical_cpus = 0;
    run.strategy.name = "CentralStorageStrategy";
    run.strategy.log_device_placement = true;
    const Fitted fitted = fit(run);
    EXPECT_THAT(fitted.log, testing::Contains("update/bucket0: (FusedUpdate): /job:localhost/replica:0/task:0/device:CPU:0"));
    EXPECT_THAT(fitted.log, testing::Contains("input/Gather: (Gather): /job:localhost/replica:0/task:0/device:CPU:3"));
    EXPECT_EQ(fitted.variables, fit(withStrategy(fiftySteps(kAdam, 2), kCases[5])).variables);
}

TEST(Devices, EndTogetherWhenOneFails) {
    // Spoilt after the trainer has looked: found by the second device alone, when it gathers.
    const auto samples = std::const_pointer_cast<data::Samples>(quarterImages(64));
    spec::RunSpec run = fiftySteps(kAdam, 2);
    run.data.validate_on_test = false;
    const spec::TaskPlan task = spec::planTask(run, {});
    const tests::support::TempDir folder;
    RecordingObserver observer;
    TrainerOptions options;
    options.make_executor = &backend::makeCpuExecutor;
    options.run_dir = folder.path();
    options.dataset = {"quarters", samples, nullptr};
    Trainer trainer(run, task, nullptr, observer, options);
    samples->labels.data()[40] = std::byte{9};
    try {
        trainer.fit();
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kOutOfRange);
        EXPECT_THAT(error.what(), testing::HasSubstr("label of sample 40"));
    }
}

}  // namespace
}  // namespace engine::train
