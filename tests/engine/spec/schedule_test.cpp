#include "engine/spec/project/schedule.h"

#include <gtest/gtest.h>

#include <fstream>

#include <nlohmann/json.hpp>

#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/error.h"

namespace engine::spec {
namespace {

const ObjectSpec kDecayTable{"LearningRateScheduler",
                             {{"epochs", std::vector<std::int64_t>{0, 3, 7}}, {"rates", std::vector<double>{1e-3, 1e-4, 1e-5}}}};

TEST(Schedule, FollowsATableOfEpochs) {
    const double expected[] = {1e-3, 1e-3, 1e-3, 1e-4, 1e-4, 1e-4, 1e-4, 1e-5, 1e-5, 1e-5, 1e-5, 1e-5};
    for (std::int64_t epoch = 0; epoch < 12; ++epoch) {
        EXPECT_EQ(tableRate(kDecayTable, epoch), expected[epoch]) << epoch;
    }
}

TEST(Schedule, LeavesTheOptimizersRateBeforeATableBegins) {
    RunSpec run;
    run.compile.optimizer = {"SGD", {{"learning_rate", 0.5}}};
    run.callbacks = {{"LearningRateScheduler", {{"epochs", std::vector<std::int64_t>{2}}, {"rates", std::vector<double>{0.1}}}}};
    EXPECT_EQ(learningRateAt(run, 0, 0), 0.5);
    EXPECT_EQ(learningRateAt(run, 0, 1), 0.5);
    EXPECT_EQ(learningRateAt(run, 0, 2), 0.1);
}

TEST(Schedule, TakesKerasDefaultOfTheOptimizer) {
    EXPECT_EQ(optimizerRate({"SGD", {}}, 3), 0.01);
    EXPECT_EQ(optimizerRate({"Adam", {}}, 3), 0.001);
    EXPECT_EQ(optimizerRate({"Adam", {{"learning_rate", std::int64_t{1}}}}, 3), 1.0);
}

TEST(Schedule, EqualsKerasOver25Steps) {
    std::ifstream file(TANDEM_TEST_DATA "/schedules/keras_schedules.json");
    const nlohmann::json rows = nlohmann::json::parse(file);
    ASSERT_EQ(rows.size(), 10U);
    for (const auto& row : rows) {
        ObjectSpec schedule{row["class"], {}};
        for (const auto& [name, value] : row["kwargs"].items()) {
            if (value.is_boolean()) schedule.config.set(name, value.get<bool>());
            if (value.is_number_integer()) schedule.config.set(name, value.get<std::int64_t>());
            if (value.is_number_float()) schedule.config.set(name, value.get<double>());
            if (value.is_array()) schedule.config.set(name, value.get<std::vector<double>>());
        }
        const auto& expected = row["lr_at_step_0_to_24"];
        for (std::size_t step = 0; step < expected.size(); ++step) {
            const auto rate = expected[step].get<double>();
            EXPECT_NEAR(scheduledRate(schedule, static_cast<std::int64_t>(step)), rate, 1e-6 * std::max(rate, 1e-3))
                << row["class"] << " at step " << step;
        }
    }
}

// The sums 1 + 3 + 9 + 27 + 81 and 1 + 10 + 100 are no logarithms that a double holds; Keras begins anew there, with these rates.
TEST(Schedule, RestartsAtTheStepsAtWhichKerasDoes) {
    const struct {
        double longer;
        std::int64_t step;
        double rate;
    } rows[] = {{3, 1209, 0.01}, {3, 1210, 0.99 * 0.59049 + 0.01}, {10, 1109, 0.01}, {10, 1110, 0.99 * 0.729 + 0.01}};
    for (const auto& row : rows) {
        const ObjectSpec schedule{"CosineDecayRestarts",
                                  {{"initial_learning_rate", 1.0},
                                   {"first_decay_steps", std::int64_t{10}},
                                   {"t_mul", row.longer},
                                   {"m_mul", 0.9},
                                   {"alpha", 0.01}}};
        EXPECT_NEAR(scheduledRate(schedule, row.step), row.rate, 1e-4) << row.longer << " at step " << row.step;
    }
}

TEST(Schedule, RefusesAClassItDoesNotKnow) {
    try {
        scheduledRate({"Nonsense", {}}, 0);
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kUnimplemented);
    }
    EXPECT_THROW(scheduledRate({"PiecewiseConstantDecay", {{"boundaries", std::vector<double>{1}}, {"values", std::vector<double>{1}}}}, 5),
                 Error);
}

TEST(RateCurve, HoldsWhatTheRunWillUse) {
    RunSpec run;
    for (const ObjectSchema& schema : scheduleSchemas()) {
        SCOPED_TRACE(schema.class_name);
        const ObjectSpec schedule = newSchedule(schema.class_name, 0.1, 1000);
        run.compile.optimizer = {"SGD", {{"learning_rate", ObjectBox(schedule)}}};
        const std::vector<double> curve = rateCurve(run, 1000, 100, 11);
        ASSERT_EQ(curve.size(), 11U) << "the fresh values are valid";
        EXPECT_DOUBLE_EQ(curve.front(), 0.1);
        EXPECT_LT(curve.back(), 0.1);
        EXPECT_DOUBLE_EQ(curve[5], scheduledRate(schedule, 500));
    }
    run.callbacks = {{"LearningRateScheduler", {{"epochs", std::vector<std::int64_t>{0, 5}}, {"rates", std::vector<double>{1e-3, 1e-4}}}}};
    EXPECT_EQ(rateCurve(run, 1000, 100, 3), (std::vector<double>{1e-3, 1e-4, 1e-4})) << "the table by epoch goes before the schedule";
    run.compile.optimizer.config.set("learning_rate", -1.0);
    EXPECT_TRUE(rateCurve(run, 1000, 100, 3).empty());
}

TEST(RateKind, ChangesTheWayARateIsGivenAndKeepsTheFirstRate) {
    RunSpec run;
    EXPECT_EQ(rateKind(run), kConstantRate);
    setRateKind(run, "CosineDecay", 1000, 10);
    EXPECT_EQ(rateKind(run), "CosineDecay");
    setRateKind(run, kRateTable, 1000, 10);
    EXPECT_EQ(rateKind(run), kRateTable);
    EXPECT_EQ(run.compile.optimizer.config.getObject("learning_rate"), nullptr);
    EXPECT_EQ(rateCurve(run, 1000, 100, 2).front(), 1e-3);
    setRateKind(run, kConstantRate, 1000, 10);
    EXPECT_TRUE(run.callbacks.empty());
    EXPECT_EQ(run.compile.optimizer.config.getDouble("learning_rate", 0), 1e-3);
}

}  // namespace
}  // namespace engine::spec
