#include "engine/run/layer_anomalies.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/sample_layers.h"

namespace engine::run {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using tests::sampleLayer;
using tests::sampleLayers;

constexpr std::int64_t kSteps[] = {1, 2, 5, 10, 20, 50, 100, 200, 300};

// The anomalies of a run in which `change` made something else of what was measured.
template <typename Change>
std::vector<LayerEntry> course(Change change) {
    std::vector<LayerEntry> entries;
    for (const std::int64_t step : kSteps) {
        spec::LayerReport report = sampleLayers(step);
        change(report);
        entries.push_back({static_cast<double>(step), report});
    }
    return entries;
}

// One line each, with kind and steps.
std::vector<std::string> told(const std::vector<LayerEntry>& entries) {
    std::vector<std::string> lines;
    for (const LayerAnomaly& one : layerAnomalies(entries)) {
        lines.push_back(std::string(toString(one.kind)) + " " + std::to_string(one.step) + " to " + std::to_string(one.last_step) +
                        (one.goes_on ? "... " : " ") + anomalyText(one));
    }
    return lines;
}

TEST(LayerAnomalies, AreNoneInARunThatLearns) {
    EXPECT_THAT(told(course([](spec::LayerReport&) {})), IsEmpty());
    EXPECT_THAT(told({}), IsEmpty());
}

TEST(LayerAnomalies, NaNIsToldWithItsStepAndNothingElseOfThatLayerAfterwards) {
    const auto entries = course([](spec::LayerReport& report) {
        if (report.step < 50) return;
        report.layers[1] = sampleLayer("dense", 0, 0, 64, 64);
        report.layers[1].gradient_not_finite = 640;
        report.layers[1].weights_not_finite = 3;
    });
    EXPECT_THAT(told(entries),
                ElementsAre("not_finite 50 to 300... dense: NaN or infinite since step 50: 640 numbers of its gradient, 3 of its weights"));
}

TEST(LayerAnomalies, AnExplosionIsAHundredTimesTheMedianBefore) {
    const auto explodes = [](double norm) {
        return course([norm](spec::LayerReport& report) {
            for (spec::LayerMeasure& layer : report.layers) layer.gradient_norm = 0.5;
            if (report.step == 20) report.layers[0].gradient_norm = norm;
        });
    };
    EXPECT_THAT(told(explodes(49)), IsEmpty());
    EXPECT_THAT(told(explodes(32000)), ElementsAre("explosion 20 to 20 conv2d: its gradient explodes at step 20: a norm of 3.2e+04, "
                                                   "6.4e+04 times the median before"));
}

TEST(LayerAnomalies, AGradientThatWakesFromNothingIsNoExplosionWhileItIsSmall) {
    EXPECT_THAT(told(course([](spec::LayerReport& report) { report.layers[0].gradient_norm = report.step < 20 ? 1e-7 : 0.9; })), IsEmpty());
}

TEST(LayerAnomalies, AnUpdateBeyondTheWeightsIsToldAtOnce) {
    const auto entries = course([](spec::LayerReport& report) {
        if (report.step == 1) report.layers[2].update_norm = 120 * report.layers[2].weights_norm;
    });
    EXPECT_THAT(told(entries), ElementsAre("large_updates 1 to 1 dense_1: its update at step 1 is 120 times as large as its weights"));
}

TEST(LayerAnomalies, ALayerThatBeginsAtZeroMayGrow) {
    const auto entries = course([](spec::LayerReport& report) {
        if (report.step == 1) report.layers[2].weights_norm = 0;
        if (report.step == 2) report.layers[2].update_norm = 1.9 * report.layers[2].weights_norm;
    });
    EXPECT_THAT(told(entries), IsEmpty());
}

TEST(LayerAnomalies, HalfOfTheUnitsAreDeadThreeTimesInARow) {
    const auto dead = [](std::int64_t units, std::int64_t from, std::int64_t to) {
        return course([=](spec::LayerReport& report) {
            if (report.step >= from && report.step <= to) report.layers[0].dead_units = units;
        });
    };
    EXPECT_THAT(told(dead(15, 1, 300)), IsEmpty()) << "less than half";
    EXPECT_THAT(told(dead(32, 5, 10)), IsEmpty()) << "twice";
    EXPECT_THAT(told(dead(16, 5, 20)),
                ElementsAre("dead_units 5 to 20 conv2d: 16 of 32 ReLU units are dead since step 5: 0 for each of 64 samples"));
}

TEST(LayerAnomalies, ALayerLearnsNothingWhereAnotherDoes) {
    const auto still = [](bool all) {
        return course([all](spec::LayerReport& report) {
            if (report.step < 50) return;
            for (spec::LayerMeasure& layer : report.layers) {
                if (all || layer.layer == "conv2d") layer.update_norm = 1e-9;
            }
        });
    };
    EXPECT_THAT(told(still(false)),
                ElementsAre("no_learning 50 to 300... conv2d: learns nothing since step 50: its updates are lost in the "
                            "rounding of its weights"));
    EXPECT_THAT(told(still(true)), IsEmpty()) << "the learning rate is 0 for a while";
}

TEST(LayerAnomalies, AStepThatTheLossScaleLeftOutIsNoSign) {
    EXPECT_THAT(told(course([](spec::LayerReport& report) {
                    if (report.step != 20) return;
                    for (spec::LayerMeasure& layer : report.layers) {
                        layer.gradient_norm = std::numeric_limits<double>::quiet_NaN();
                        layer.update_norm = 0;
                    }
                })),
                IsEmpty());
}

TEST(AnomalyTeller, TellsEachOnce) {
    AnomalyTeller teller;
    std::vector<std::string> lines;
    for (const std::int64_t step : kSteps) {
        spec::LayerReport report = sampleLayers(step);
        if (step >= 5) report.layers[1].dead_units = 64;
        for (const LayerAnomaly& one : teller.add(report)) lines.push_back(std::to_string(step) + ": " + anomalyText(one));
    }
    EXPECT_THAT(lines, ElementsAre("20: dense: 64 of 64 ReLU units are dead since step 5: 0 for each of 64 samples"));
    EXPECT_THAT(teller.add(sampleLayers(5)), IsEmpty()) << "from a backup once more";
}

}  // namespace
}  // namespace engine::run
