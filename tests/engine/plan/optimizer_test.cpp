#include "engine/plan/optimizer.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"

namespace engine::plan {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(UpdateRule, ReadsAdamWithKerasDefaults) {
    const UpdateRule rule = updateRule({"Adam", {{"learning_rate", 0.001}}});
    EXPECT_EQ(rule.kind, UpdateKind::kAdam);
    EXPECT_FLOAT_EQ(rule.beta_1, 0.9F);
    EXPECT_FLOAT_EQ(rule.beta_2, 0.999F);
    EXPECT_FLOAT_EQ(rule.epsilon, 1e-7F);
    EXPECT_THAT(slotNames(rule), ElementsAre("m", "v"));
}

TEST(UpdateRule, TellsTheKindsOfSgdApart) {
    EXPECT_EQ(updateRule({"SGD", {}}).kind, UpdateKind::kSgd);
    EXPECT_EQ(updateRule({"SGD", {{"nesterov", true}}}).kind, UpdateKind::kSgd);  // without momentum there is nothing to look ahead with
    EXPECT_EQ(updateRule({"SGD", {{"momentum", 0.9}}}).kind, UpdateKind::kMomentum);
    EXPECT_EQ(updateRule({"SGD", {{"momentum", 0.9}, {"nesterov", true}}}).kind, UpdateKind::kNesterov);
    EXPECT_THAT(slotNames(updateRule({"SGD", {}})), IsEmpty());
    EXPECT_THAT(slotNames(updateRule({"Adam", {{"amsgrad", true}}})), ElementsAre("m", "v", "vhat"));
}

TEST(UpdateRule, TakesSettingsThatAreOff) {
    EXPECT_NO_THROW(updateRule({"SGD", {{"weight_decay", std::monostate{}}, {"clipnorm", std::monostate{}}, {"use_ema", false}}}));
    EXPECT_THROW(updateRule({"SGD", {{"use_ema", true}}}), Error);
    EXPECT_THROW(updateRule({"SGD", {{"weight_decay", 0.01}}}), Error);
    EXPECT_THROW(updateRule({"RMSprop", {}}), Error);
}

TEST(StepSize, CorrectsAdamsBias) {
    const UpdateRule adam = updateRule({"Adam", {}});
    EXPECT_NEAR(stepSize(adam, 0.001F, 0), 0.001 * std::sqrt(1 - 0.999) / (1 - 0.9), 1e-8);
    EXPECT_NEAR(stepSize(adam, 0.001F, 1000000), 0.001, 1e-9);
    EXPECT_EQ(stepSize(updateRule({"SGD", {}}), 0.25F, 7), 0.25F);
}

}  // namespace
}  // namespace engine::plan
