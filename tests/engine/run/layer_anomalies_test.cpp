#include "engine/run/layer_anomalies.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>

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

// Whether a measurement of one layer shows that kind, by the formula alone: `before` are the norms measured before it.
bool shows(AnomalyKind kind, const LayerEntry& entry, const spec::LayerMeasure& layer, std::vector<double> before) {
    switch (kind) {
        case AnomalyKind::kNotFinite:
            return layer.gradient_not_finite + layer.weights_not_finite > 0;
        case AnomalyKind::kExplosion:
            std::erase_if(before, [](double norm) { return !std::isfinite(norm); });
            std::sort(before.begin(), before.end());
            return before.size() >= kLeastBefore && layer.gradient_norm > kCustomaryNorm &&
                   layer.gradient_norm > kExplosion * before[before.size() / 2];
        case AnomalyKind::kLargeUpdates:
            return updateRatio(layer) > kLargeUpdate;
        case AnomalyKind::kDeadUnits:
            return deadShare(layer) >= kMostDead;
        case AnomalyKind::kNoLearning:
            return updateRatio(layer) < kStill && std::any_of(entry.report.layers.begin(), entry.report.layers.end(), [&](const auto& one) {
                       return one.layer != layer.layer && updateRatio(one) > kMoves;
                   });
    }
    return false;
}

// "explosion dense 20 to 50...", found by looking at everything again and again.
std::vector<std::string> plainlyFound(const std::vector<LayerEntry>& entries) {
    WeightHistory history;
    for (const LayerEntry& entry : entries) history.add(entry.report, 0);
    std::vector<std::pair<std::int64_t, std::string>> found;
    for (const std::string& name : history.layerNames()) {
        std::vector<const LayerEntry*> course;
        std::vector<double> norms;
        for (const LayerEntry& entry : entries) {
            if (entry.find(name) == nullptr) continue;
            course.push_back(&entry);
            norms.push_back(entry.find(name)->gradient_norm);
        }
        std::size_t end = course.size();
        for (const AnomalyKind kind : {AnomalyKind::kNotFinite, AnomalyKind::kExplosion, AnomalyKind::kLargeUpdates,
                                       AnomalyKind::kDeadUnits, AnomalyKind::kNoLearning}) {
            const auto isSeen = [&](std::size_t at) {
                return at < end &&
                       shows(kind, *course[at], *course[at]->find(name), {norms.begin(), norms.begin() + static_cast<std::ptrdiff_t>(at)});
            };
            const std::size_t least = kind == AnomalyKind::kDeadUnits || kind == AnomalyKind::kNoLearning ? kHeld : 1;
            for (std::size_t begin = 0, last = 0; begin < end; begin = last + 1) {
                last = begin;
                if (!isSeen(begin)) continue;
                while (isSeen(last + 1)) ++last;
                if (last - begin + 1 < least) continue;
                const std::int64_t step = course[begin]->report.step;
                found.emplace_back(step, std::string(toString(kind)) + " " + name + " " + std::to_string(step) + " to " +
                                             std::to_string(course[last]->report.step) + (last + 1 == course.size() ? "..." : ""));
                if (kind == AnomalyKind::kNotFinite) end = begin;
                break;
            }
        }
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> lines;
    for (auto& [step, line] : found) lines.push_back(std::move(line));
    return lines;
}

std::string shortLine(const LayerAnomaly& one) {
    return std::string(toString(one.kind)) + " " + one.layer + " " + std::to_string(one.step) + " to " + std::to_string(one.last_step) +
           (one.goes_on ? "..." : "");
}

std::vector<std::string> shortLines(const std::vector<LayerAnomaly>& anomalies) {
    std::vector<std::string> lines;
    for (const LayerAnomaly& one : anomalies) lines.push_back(shortLine(one));
    return lines;
}

// What may be measured of layers that do everything wrong now and then.
spec::LayerReport wildReport(std::int64_t step, std::mt19937& random) {
    const auto oneOf = [&](std::initializer_list<double> values) { return values.begin()[random() % values.size()]; };
    spec::LayerReport report{.epoch = 0, .step = step, .samples = 64, .layers = {}};
    for (const char* name : {"conv2d", "dense", "dense_1"}) {
        if (random() % 16 == 0) continue;
        spec::LayerMeasure layer = sampleLayer(name, 0, 0, 8, static_cast<std::int64_t>(random() % 8));
        layer.gradient_norm = oneOf({1e-3, 0.1, 0.2, 0.9, 1, 1.5, 20, 300, 4e4, std::nan("")});
        layer.update_norm = oneOf({0, 1e-8, 1e-3, 0.1, 30, 60, std::nan("")});
        layer.weights_norm = oneOf({0, 4, 4, 4});
        if (random() % 64 == 0) layer.gradient_not_finite = 3;
        report.layers.push_back(layer);
    }
    if (random() % 8 == 0) std::reverse(report.layers.begin(), report.layers.end());
    return report;
}

TEST(LayerAnomalies, AreThoseOfThePlainFormulaInAnyHistory) {
    std::mt19937 random(20261129);
    for (int run = 0; run < 300; ++run) {
        std::vector<LayerEntry> entries;
        const int reports = static_cast<int>(random() % 40);
        for (int step = 1; step <= reports; ++step) entries.push_back({0, wildReport(step, random)});
        ASSERT_EQ(shortLines(layerAnomalies(entries)), plainlyFound(entries)) << "run " << run;
    }
}

TEST(AnomalyWatch, AnswersTheSameWhileTheHistoryGrowsAndGoesBack) {
    std::mt19937 random(20261130);
    for (int run = 0; run < 50; ++run) {
        WeightHistory history;
        AnomalyWatch watch;
        AnomalyTeller teller;
        std::vector<std::string> told;
        std::int64_t step = 0;
        for (int report = 0; report < 60; ++report) {
            step = random() % 12 == 0 ? std::max<std::int64_t>(1, step - static_cast<std::int64_t>(random() % 5)) : step + 1;
            const spec::LayerReport next = wildReport(step, random);
            history.add(next, 0);
            const std::vector<LayerAnomaly> expected = layerAnomalies(history.layers());
            ASSERT_EQ(shortLines(expected), plainlyFound(history.layers())) << "run " << run << ", report " << report;
            if (random() % 3 != 0) {  // the next look is at several reports
                ASSERT_EQ(shortLines(watch.look(history.layers())), shortLines(expected)) << "run " << run << ", report " << report;
            }
            std::vector<std::string> news;
            for (const LayerAnomaly& one : expected) {
                const std::string known = std::string(toString(one.kind)) + " " + one.layer + " " + std::to_string(one.step);
                if (std::find(told.begin(), told.end(), known) != told.end()) continue;
                told.push_back(known);
                news.push_back(shortLine(one));
            }
            ASSERT_EQ(shortLines(teller.add(next)), news) << "run " << run << ", report " << report;
        }
        history.dropAfter(3);
        ASSERT_EQ(shortLines(watch.look(history.layers())), plainlyFound(history.layers()));
    }
}

TEST(AnomalyWatch, KeepsUpWithALongHistory) {
    AnomalyWatch watch;
    std::vector<LayerEntry> entries;
    for (std::int64_t step = 1; step <= 20000; ++step) {
        spec::LayerReport report = sampleLayers(step);
        for (spec::LayerMeasure& layer : report.layers) layer.gradient_norm += 2;  // the median is asked for each time
        entries.push_back({0, std::move(report)});
        if (step % 10 == 0) {
            ASSERT_THAT(watch.look(entries), IsEmpty());
        }
    }
    EXPECT_THAT(layerAnomalies(entries), IsEmpty());
}

}  // namespace
}  // namespace engine::run
