#include "engine/train/fit/evaluator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <cmath>

#include "engine/backend/initialize.h"
#include "engine/spec/error.h"
#include "tests/support/spawn_ranks.h"
#include "tests/support/training.h"

namespace engine::train {
namespace {

using tests::support::quarterImages;
using tests::support::quarterRun;
using tests::support::replica;

// A task with the weights of its seed.
struct Task {
    Task(spec::RunSpec of, data::Dataset with, data::Extent held_back = {}, distribute::Collective* collective = nullptr)
        : run(std::move(of)),
          plan(replica(run, collective == nullptr ? 0 : collective->rank(), collective == nullptr ? 1 : collective->size())),
          dataset(std::move(with)),
          executors(run, plan, collective, {.make_executor = &backend::makeReferenceExecutor}, 16),
          evaluator(run, plan, collective, dataset, held_back, executors) {
        backend::initializeVariables(executors.variables(), run.model, 7);
    }

    const spec::RunSpec run;
    const spec::TaskPlan plan;
    const data::Dataset dataset;
    TaskExecutors executors;
    Evaluator evaluator;
};

data::Dataset quarters() {
    return {"quarters", quarterImages(64), quarterImages(50, 8, 2)};
}

TEST(Evaluator, EvaluatesEachSampleOfTheTestSetOnce) {
    Task task(quarterRun(), quarters());
    const Metrics metrics = task.evaluator.test();
    EXPECT_EQ(metrics.samples, 50);
    EXPECT_EQ(*findLog(metrics.logs, "loss"), metrics.loss);
    EXPECT_EQ(*findLog(metrics.logs, "accuracy"), metrics.accuracy);
}

TEST(Evaluator, HasNoAccuracyWhereNoMetricIsOne) {
    spec::RunSpec run = quarterRun();
    run.compile.metrics.clear();
    Task task(run, quarters());
    EXPECT_TRUE(std::isnan(task.evaluator.test().accuracy));
}

TEST(Evaluator, ReplicasGetTheSumsOfAll) {
    Task alone(quarterRun(), quarters());
    const Metrics expected = alone.evaluator.test();
    tests::support::spawnRanks(3, [&](distribute::Collective& collective) {
        Task task(quarterRun(), quarters(), {}, &collective);
        const Metrics metrics = task.evaluator.test();
        EXPECT_EQ(metrics.samples, 50);
        EXPECT_EQ(metrics.accuracy, expected.accuracy);
        EXPECT_NEAR(metrics.loss, expected.loss, 1e-6);
    });
}

TEST(Evaluator, ValidatesWithWhatIsHeldBackBeforeTheTestSet) {
    spec::RunSpec run = quarterRun();
    run.data.validate_on_test = true;
    Task with_both(run, quarters(), {40, 64}), with_test(run, quarters());
    EXPECT_EQ(with_both.evaluator.validate().samples, 24);
    EXPECT_EQ(with_test.evaluator.validate().samples, 50);
    run.data.validate_on_test = false;
    EXPECT_FALSE(Task(run, quarters()).evaluator.validates());
    EXPECT_TRUE(Task(run, quarters(), {40, 64}).evaluator.validates());
}

// Keras' loss of an evaluation is the mean of its batches' losses, each as often as the batch has samples: of sums, one that grows with the
// batch.
TEST(Evaluator, TakesTheMeanOfTheBatchesSumsAsKeras) {
    const auto loss = [](std::int64_t batch, std::int64_t steps) {
        spec::RunSpec run = quarterRun();
        run.compile.loss.config.set("reduction", std::string("sum"));
        run.data.validate_on_test = true;
        run.fit.validation_batch_size = batch;
        run.fit.validation_steps = steps;
        return Task(run, quarters()).evaluator.validate().loss;
    };
    const double all = loss(50, 0);  // one batch: the sum over the 50 samples
    EXPECT_NEAR(loss(10, 0), all / 5, 1e-4);
    const double first = loss(20, 1), second = 2 * loss(20, 2) - first;
    EXPECT_NEAR(loss(20, 0), (20 * first + 20 * second + 10 * (all - first - second)) / 50, 1e-4) << "the last batch has 10";
    // The project's own batch where none is asked for.
    spec::RunSpec run = quarterRun();
    run.compile.loss.config.set("reduction", std::string("sum"));
    run.data.batch_size_per_replica = 25;
    EXPECT_NEAR(Task(run, quarters()).evaluator.test().loss, all / 2, 1e-4);
}

TEST(Evaluator, ValidatesWithAsManyBatchesAsAsked) {
    spec::RunSpec run = quarterRun();
    run.fit.validation_steps = 2;
    run.fit.validation_batch_size = 5;
    EXPECT_EQ(Task(run, quarters(), {40, 64}).evaluator.validate().samples, 10);
    run.fit.validation_steps = 100;
    EXPECT_EQ(Task(run, quarters(), {40, 64}).evaluator.validate().samples, 24);
}

TEST(Evaluator, SaysThatASetHasNoTest) {
    Task task(quarterRun(), {"quarters", quarterImages(64), nullptr});
    EXPECT_FALSE(task.evaluator.hasTest());
    try {
        task.evaluator.test();
        FAIL() << "there was nothing to evaluate with";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kFailedPrecondition);
        EXPECT_STREQ(error.what(), "data: the set \"quarters\" has no test samples to evaluate with");
    }
}

// The evaluation sees weights that were changed by hand, and training too once it has begun.
TEST(TaskExecutors, EvaluatesWithTheWeightsOfNow) {
    Task task(quarterRun(), quarters());
    EXPECT_EQ(task.executors.describe(), "");
    EXPECT_EQ(task.executors.classes(), 4);
    const double before = task.evaluator.test().loss;
    task.executors.startTraining({});
    EXPECT_NE(task.executors.describe(), "");
    for (const backend::Variables::Entry& entry : task.executors.variables().entries()) {
        std::fill(entry.values.begin(), entry.values.end(), 0.0F);
    }
    task.executors.reload();
    const double after = task.evaluator.test().loss;
    EXPECT_NE(after, before);
    EXPECT_NEAR(after, std::log(4.0), 1e-6);  // four classes of equal probability
}

TEST(TaskExecutors, RefuseSamplesThatTheModelCannotTake) {
    Task task(quarterRun(), quarters());
    task.executors.requireFit(*quarterImages(4));
    EXPECT_THROW(task.executors.requireFit(*quarterImages(4, 6)), Error);
}

}  // namespace
}  // namespace engine::train
