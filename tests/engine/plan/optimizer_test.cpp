#include "engine/plan/optimizer.h"

#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"

namespace engine::plan {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> slotNames(const spec::ObjectSpec& optimizer) {
    std::vector<std::string> names;
    for (const Slot& slot : slotsOf(optimizer)) names.push_back(slot.name);
    return names;
}

TEST(UpdateRule, ReadsAdamWithKerasDefaults) {
    const UpdateRule rule = updateRule({"Adam", {{"learning_rate", 0.001}}});
    EXPECT_EQ(rule.kind, UpdateKind::kAdam);
    EXPECT_FLOAT_EQ(rule.beta_1, 0.9F);
    EXPECT_FLOAT_EQ(rule.beta_2, 0.999F);
    EXPECT_FLOAT_EQ(rule.epsilon, 1e-7F);
    EXPECT_THAT(slotNames({"Adam", {}}), ElementsAre("m", "v"));
}

TEST(UpdateRule, TellsTheKindsOfSgdApart) {
    EXPECT_EQ(updateRule({"SGD", {}}).kind, UpdateKind::kSgd);
    EXPECT_EQ(updateRule({"SGD", {{"nesterov", true}}}).kind, UpdateKind::kSgd);  // without momentum there is nothing to look ahead with
    EXPECT_EQ(updateRule({"SGD", {{"momentum", 0.9}}}).kind, UpdateKind::kMomentum);
    EXPECT_EQ(updateRule({"SGD", {{"momentum", 0.9}, {"nesterov", true}}}).kind, UpdateKind::kNesterov);
    EXPECT_THAT(slotNames({"SGD", {}}), IsEmpty());
    EXPECT_THAT(slotNames({"Adam", {{"amsgrad", true}}}), ElementsAre("m", "v", "vhat"));
}

TEST(UpdateRule, TakesSettingsThatAreOff) {
    const UpdateRule rule = updateRule({"SGD", {{"weight_decay", std::monostate{}}, {"clipnorm", std::monostate{}}, {"use_ema", false}}});
    EXPECT_EQ(rule, updateRule({"SGD", {}}));
    EXPECT_FALSE(preparesGradients(rule));
    EXPECT_THROW(updateRule({"Rprop", {}}), Error);
    EXPECT_THROW(updateRule({"SGD", {{"clipnorm", 1.0}, {"global_clipnorm", 1.0}}}), Error);
}

TEST(UpdateRule, NamesTheSlotsOfEveryOptimizer) {
    EXPECT_THAT(slotNames({"RMSprop", {{"momentum", 0.9}, {"centered", true}}}), ElementsAre("v", "momentum", "mean"));
    EXPECT_THAT(slotNames({"Adagrad", {}}), ElementsAre("accumulator"));
    EXPECT_THAT(slotNames({"Ftrl", {{"use_ema", true}, {"gradient_accumulation_steps", std::int64_t{4}}}}),
                ElementsAre("accumulator", "linear", "average", "accumulated_gradient"));
}

TEST(UpdateRule, FillsAccumulatorsAsTheSettingsSay) {
    EXPECT_THAT(slotsOf({"Ftrl", {}}), ElementsAre(Slot{"accumulator", 0.1F}, Slot{"linear", 0}));
    EXPECT_THAT(slotsOf({"Adagrad", {{"initial_accumulator_value", 0.25}}}), ElementsAre(Slot{"accumulator", 0.25F}));
    EXPECT_THAT(slotsOf({"Adadelta", {}}), ElementsAre(Slot{"accumulator", 0}, Slot{"delta", 0}));
}

TEST(UpdateRule, TakesTheDefaultsOfEachClass) {
    EXPECT_FLOAT_EQ(updateRule({"Lion", {}}).beta_2, 0.99F);
    EXPECT_FLOAT_EQ(updateRule({"RMSprop", {}}).rho, 0.9F);
    EXPECT_FLOAT_EQ(updateRule({"Adadelta", {}}).rho, 0.95F);
    EXPECT_FLOAT_EQ(updateRule({"AdamW", {}}).weight_decay, 0.004F);
    EXPECT_FLOAT_EQ(updateRule({"Adam", {}}).weight_decay, 0);
    EXPECT_FLOAT_EQ(updateRule({"Ftrl", {}}).power, -0.5F);
}

TEST(UpdateRule, TakesNullsOfMuonForOff) {
    EXPECT_FLOAT_EQ(updateRule({"Muon", {}}).muon.rms_rate, 0.2F);
    EXPECT_FLOAT_EQ(updateRule({"Muon", {}}).weight_decay, 0.004F);
    EXPECT_FLOAT_EQ(updateRule({"Muon", {}}).muon.adam_weight_decay, 0.004F);
    const UpdateRule off =
        updateRule({"Muon", {{"rms_rate", std::monostate{}}, {"weight_decay", std::monostate{}}, {"adam_weight_decay", std::monostate{}}}});
    EXPECT_EQ(off.muon.rms_rate, 0);
    EXPECT_EQ(off.weight_decay, 0);
    EXPECT_EQ(off.muon.adam_weight_decay, 0);
}

TEST(StepFactors, CorrectAdamsBias) {
    const UpdateRule adam = updateRule({"Adam", {}});
    EXPECT_NEAR(stepFactors(adam, 0.001F, 0).step_size, 0.001 * std::sqrt(1 - 0.999) / (1 - 0.9), 1e-8);
    EXPECT_NEAR(stepFactors(adam, 0.001F, 1000000).step_size, 0.001, 1e-9);
    EXPECT_EQ(stepFactors(updateRule({"SGD", {}}), 0.25F, 7).step_size, 0.25F);
    EXPECT_FLOAT_EQ(stepFactors(updateRule({"Adafactor", {}}), 1, 15).step_size, 0.25F) << "at most one over the root of the steps";
    EXPECT_FLOAT_EQ(stepFactors(updateRule({"Adafactor", {}}), 0.1F, 15).step_size, 0.1F);
}

TEST(StepFactors, ApplyEveryFewStepsWhenGradientsAreAccumulated) {
    const UpdateRule rule = updateRule({"SGD", {{"gradient_accumulation_steps", std::int64_t{3}}}});
    EXPECT_FALSE(stepFactors(rule, 1, 0).applies);
    EXPECT_FALSE(stepFactors(rule, 1, 1).applies);
    EXPECT_TRUE(stepFactors(rule, 1, 2).applies);
}

TEST(NadamProduct, IsTheSameStepByStepAndFarOn) {
    const UpdateRule rule = updateRule({"Nadam", {{"beta_1", 0.999}}});
    double product = 1;
    for (int t = 1; t <= 1500; ++t) product *= static_cast<double>(rule.beta_1) * (1 - 0.5 * std::pow(0.96, t));
    EXPECT_NEAR(nadamProduct(rule, 1500), product, 1e-12);
}

}  // namespace
}  // namespace engine::plan
