#include "engine/train/fit/epoch_progress.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"
#include "engine/train/task_plans.h"
#include "tests/support/training.h"

namespace engine::train {
namespace {

using tests::support::quarterRun;
using tests::support::replica;

using testing::ElementsAre;
using testing::Pair;

plan::Plan quarterPlan() {
    const spec::RunSpec run = quarterRun();
    return trainingPlan(run, replica(run), 0, 16);
}

// A step's header: the sum of the loss, how many were right, how many there were.
class Header {
public:
    explicit Header(const plan::Plan& plan) : values_(StepTotals(plan).sums().size()) {}
    backend::StepResult step(float loss_sum, float correct, float count) {
        values_[plan::StepHeader::kLossSum] = loss_sum;
        values_[plan::StepHeader::kCorrect] = correct;
        values_[plan::StepHeader::kCount] = count;
        backend::StepResult result;
        result.header = values_;
        return result;
    }

private:
    std::vector<float> values_;
};

TEST(EpochProgress, CountsStepsAndAddsUpTheirHeaders) {
    const plan::Plan plan = quarterPlan();
    Header header(plan);
    EpochProgress progress(plan);
    progress.begin(3);
    progress.setLength(5);
    progress.startSums();
    progress.add(header.step(32, 4, 16));
    progress.add(header.step(8, 12, 16));
    EXPECT_EQ(progress.epoch(), 3);
    EXPECT_EQ(progress.stepsDone(), 2);
    EXPECT_EQ(progress.stepsLeft(), 3);
    EXPECT_EQ(progress.lastStep().loss(), 0.5);
    EXPECT_EQ(progress.totals().samples(), 32.0);
    EXPECT_EQ(progress.totals().accuracy(), 0.5);
    EXPECT_THAT(progress.totals().logs(), ElementsAre(Pair("accuracy", 0.5), Pair("loss", 1.25)));
}

// Callbacks of the next epoch's beginning still see the sums of the one before.
TEST(EpochProgress, ANewEpochBeginsItsSumsWithItsFirstStep) {
    const plan::Plan plan = quarterPlan();
    Header header(plan);
    EpochProgress progress(plan);
    progress.add(header.step(32, 4, 16));
    progress.startSums();  // in the middle of an epoch: they stay
    EXPECT_EQ(progress.totals().samples(), 16.0);
    progress.nextEpoch();
    EXPECT_EQ(progress.epoch(), 1);
    EXPECT_EQ(progress.stepsDone(), 0);
    EXPECT_EQ(progress.totals().samples(), 16.0);
    progress.startSums();
    EXPECT_EQ(progress.totals().samples(), 0.0);
    EXPECT_EQ(progress.totals().loss(), 0.0);
}

TEST(EpochProgress, GoesOnWhereAnotherStood) {
    const plan::Plan plan = quarterPlan();
    Header header(plan);
    EpochProgress before(plan), after(plan);
    before.add(header.step(32, 4, 16));
    after.begin(0);
    after.goOn(2, 7, before.sumsAsBytes());
    EXPECT_EQ(after.epoch(), 2);
    EXPECT_EQ(after.stepsDone(), 7);
    EXPECT_EQ(after.totals().logs(), before.totals().logs());
}

TEST(EpochProgress, RefusesTheSumsOfAnotherPlan) {
    EpochProgress progress(quarterPlan());
    try {
        progress.goOn(0, 1, "12345678");
        FAIL() << "eight bytes were taken";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kDataLoss);
        EXPECT_THAT(error.what(), testing::EndsWith(" running totals, got 8 bytes"));
    }
}

}  // namespace
}  // namespace engine::train
