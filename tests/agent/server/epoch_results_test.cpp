#include "agent/server/runs/epoch_results.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using agent::server::addEpoch;
using agent::server::Results;
using engine::spec::EpochEnd;
using ::testing::Contains;
using ::testing::Pair;

EpochEnd epoch(int index, std::vector<std::pair<std::string, double>> logs) {
    EpochEnd end;
    end.epoch = index;
    end.logs = std::move(logs);
    return end;
}

TEST(EpochResults, KeepsTheLastAndTheBest) {
    Results results;
    addEpoch(results, epoch(0, {{"loss", 0.4}, {"val_loss", 0.3}, {"val_accuracy", 0.95}, {"learning_rate", 0.1}}));
    addEpoch(results, epoch(1, {{"loss", 0.2}, {"val_loss", 0.2}, {"val_accuracy", 0.97}, {"learning_rate", 0.1}}));
    addEpoch(results, epoch(2, {{"loss", 0.1}, {"val_loss", 0.25}, {"val_accuracy", 0.96}, {"learning_rate", 0.1}}));
    EXPECT_EQ(results, (Results{{"loss", 0.1},
                                {"val_loss", 0.25},
                                {"best_val_loss", 0.2},
                                {"val_accuracy", 0.96},
                                {"best_val_accuracy", 0.97},
                                {"best_epoch", 2}}));
}

TEST(EpochResults, TakesNoBrokenValueForTheBest) {
    Results results;
    addEpoch(results, epoch(0, {{"val_loss", std::numeric_limits<double>::quiet_NaN()}}));
    ASSERT_EQ(results.size(), 1u);
    EXPECT_TRUE(std::isnan(results[0].second));
    addEpoch(results, epoch(1, {{"val_loss", 3.0}}));
    EXPECT_THAT(results, Contains(Pair("best_epoch", 2.0)));
}

TEST(EpochResults, AnUnknownMetricHasNoBest) {
    Results results;
    addEpoch(results, epoch(0, {{"val_curiosity", 1.0}}));
    EXPECT_EQ(results, (Results{{"val_curiosity", 1.0}}));
}

TEST(EpochResults, LaterEntriesReplaceThoseOfTheirName) {
    Results results{{"loss", 1.0}, {"val_loss", 2.0}};
    agent::server::mergeResults(results, {{"test_loss", 3.0}, {"loss", 0.5}});
    EXPECT_EQ(results, (Results{{"loss", 0.5}, {"val_loss", 2.0}, {"test_loss", 3.0}}));
}

}  // namespace
