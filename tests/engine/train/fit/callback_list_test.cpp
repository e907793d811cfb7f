#include "engine/train/fit/callback_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/train/callbacks/backup_and_restore.h"
#include "tests/support/fake_training_context.h"

namespace engine::train {
namespace {

using testing::ElementsAre;
using tests::support::FakeContext;

spec::ObjectSpec saveEvery(std::int64_t steps) {
    return {"ModelCheckpoint", {{"filepath", std::string("checkpoints/at_{epoch}_{batch}")}, {"save_freq", steps}}};
}

TEST(CallbackList, CallsThemInTheProjectsOrder) {
    FakeContext context;
    CallbackList callbacks({{"LearningRateScheduler", {{"epochs", std::vector<std::int64_t>{0}}, {"rates", std::vector<double>{0.25}}}},
                            {"PrintLR", {{"text", std::string("{rate}")}}}});
    EXPECT_GT(callbacks.stepsToLook(0), 1'000'000) << "none of them";
    Logs logs{{"loss", 0.5}};
    callbacks.trainBegin(context);
    callbacks.epochBegin(context, 0);
    callbacks.epochEnd(context, 0, logs);
    callbacks.trainEnd(context);
    EXPECT_THAT(context.lines, ElementsAre("0.25"));
}

TEST(CallbackList, KnowsWhetherStepsAreWanted) {
    FakeContext context;
    CallbackList callbacks({{"PrintLR", {}}, saveEvery(2)});
    EXPECT_EQ(callbacks.stepsToLook(0), 1);
    callbacks.trainBegin(context);
    callbacks.epochBegin(context, 0);
    callbacks.stepEnd(context, 0, 0);
    callbacks.stepEnd(context, 0, 1);
    EXPECT_THAT(context.saved, ElementsAre("checkpoints/at_1_2"));
}

// A backup is no callback of the list: it holds the state of all of them.
TEST(CallbackList, SavesAnObjectForEachAndTakesItAgain) {
    FakeContext context;
    const spec::CallbackSpecs specs{saveEvery(3), {"BackupAndRestore", {}}, {"EarlyStopping", {{"monitor", std::string("loss")}}}};
    CallbackList before(specs), after(specs);
    Logs logs{{"loss", 0.5}};
    before.trainBegin(context);
    before.epochEnd(context, 0, logs);
    std::vector<exporter::SavedObject> objects, again;
    before.save(objects);
    ASSERT_EQ(objects.size(), 2U);
    EXPECT_EQ(objects[0].name, "ModelCheckpoint");
    EXPECT_EQ(objects[1].name, "EarlyStopping");
    EXPECT_EQ(findObject(objects, "EarlyStopping"), &objects[1]);
    EXPECT_EQ(findObject(objects, "CSVLogger"), nullptr);
    after.restore(objects);
    after.save(again);
    EXPECT_EQ(again, objects);
}

}  // namespace
}  // namespace engine::train
