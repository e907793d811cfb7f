#include "engine/sweep/sweep.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace engine::sweep {
namespace {

using testing::ElementsAre;

SweepSettings asha(int trials, std::int64_t longest, int at_once = 1) {
    SweepSettings settings{.method = Method::kAsha, .fields = {parseField("a=int:0..100000")}, .objective = {}, .trials = trials};
    settings.max_epochs = longest;
    settings.at_once = at_once;
    return settings;
}

// Trains whatever is asked for, one after the other; value(trial, epochs, seed).
using Curve = std::function<double(int trial, std::int64_t epochs, int seed)>;

std::vector<Job> trainAll(Sweep& sweep, const Curve& value) {
    std::vector<Job> trained;
    std::deque<Job> running;
    for (;;) {
        while (const auto job = sweep.next()) running.push_back(*job);
        EXPECT_LE(running.size(), static_cast<std::size_t>(sweep.settings().at_once));
        if (running.empty()) return trained;
        const Job job = running.front();
        running.pop_front();
        sweep.told(job, job.epochs, value(job.trial, job.epochs, job.seed));
        trained.push_back(job);
    }
}

int countAt(const std::vector<Job>& jobs, int rung) {
    return static_cast<int>(std::count_if(jobs.begin(), jobs.end(), [&](const Job& job) { return job.rung == rung; }));
}

TEST(Sweep, AGridTrainsEveryConfigurationToItsEnd) {
    Sweep sweep({.method = Method::kGrid, .fields = {parseField("a=1,2"), parseField("b=x,y")}, .objective = {}, .trials = 0}, 5);
    const std::vector<Job> jobs = trainAll(sweep, [](int trial, std::int64_t, int) { return trial == 2 ? 0.9 : 0.5; });
    EXPECT_THAT(jobs, ElementsAre(Job{0, 0, 0, 5}, Job{1, 0, 0, 5}, Job{2, 0, 0, 5}, Job{3, 0, 0, 5}));
    EXPECT_TRUE(sweep.isOver());
    EXPECT_EQ(sweep.best(), 2);
    EXPECT_EQ(sweep.trials()[2].configuration, (Configuration{"2", "x"}));
    EXPECT_EQ(sweep.epochsTrained(), 20);
}

// Algorithm 2 of Li et al. 2020 by hand: reduction 3, rungs of 1, 3 and 9 epochs, one worker. A trial's value is its number as written
// here.
TEST(Sweep, PromotesByThePapersRule) {
    Sweep sweep(asha(9, 9), 9);
    EXPECT_THAT(sweep.rungs(), ElementsAre(1, 3, 9));
    const std::vector<double> quality{0.1, 0.5, 0.3, 0.9, 0.2, 0.4, 0.8, 0.7, 0.6};
    const std::vector<Job> jobs = trainAll(sweep, [&](int trial, std::int64_t, int) { return quality[static_cast<std::size_t>(trial)]; });
    const std::vector<Job> expected{
        {0, 0, 0, 1}, {1, 0, 0, 1}, {2, 0, 0, 1}, {1, 0, 1, 3},  // of three the best one is 1
        {3, 0, 0, 1}, {3, 0, 1, 3},                              // of four one is promotable: 3 is better than 1
        {4, 0, 0, 1},                                            // of five one is, and 3 is it already
        {5, 0, 0, 1},                                            // of six two are, 3 and 1, both promoted
        {6, 0, 0, 1}, {6, 0, 1, 3},                              // of seven two: 3 and 6, in whose stead 1 went
        {3, 0, 2, 9},                                            // the second rung has three now: its best goes to the last one first
        {7, 0, 0, 1}, {8, 0, 0, 1}, {7, 0, 1, 3},                // of eight two; of nine three: 3, 6 and 7
    };
    EXPECT_EQ(jobs, expected);
    EXPECT_TRUE(sweep.isOver());
    EXPECT_EQ(sweep.best(), 3);
    EXPECT_EQ(sweep.trials()[3].state, TrialState::kDone);
    EXPECT_EQ(sweep.trials()[6].state, TrialState::kPaused);
    EXPECT_EQ(sweep.epochsTrained(), 9 + 3 * 2 + 2 + 6) << "what a trial has trained counts in the next rung";
}

TEST(Sweep, LessIsBetterOfALoss) {
    SweepSettings settings = asha(3, 3);
    settings.objective = objectiveOf("val_loss");
    Sweep sweep(settings, 3);
    const std::vector<Job> jobs = trainAll(sweep, [](int trial, std::int64_t, int) { return trial == 1 ? 0.1 : 0.2; });
    EXPECT_EQ(jobs.back(), (Job{1, 0, 1, 3}));
    EXPECT_EQ(sweep.best(), 1);
}

// Synthetic learning curves as the paper's: each falls to a level of its own by a power of the epochs. They may cross early.
double lossOf(int trial, std::int64_t epochs) {
    const double level = 0.02 + 0.01 * ((trial * 37) % 27), speed = 0.5 + 0.1 * ((trial * 11) % 7);
    return level + 0.6 * std::pow(static_cast<double>(epochs), -speed);
}

TEST(Sweep, FindsTheBestOfManyCurvesInLessThanAThirdOfTheEpochs) {
    for (const int at_once : {1, 2, 4, 9}) {
        SweepSettings settings = asha(27, 27, at_once);
        settings.objective = objectiveOf("val_loss");
        Sweep sweep(settings, 27);
        const std::vector<Job> jobs = trainAll(sweep, [](int trial, std::int64_t epochs, int) { return lossOf(trial, epochs); });
        double best = 1;
        for (int trial = 0; trial < 27; ++trial) best = std::min(best, lossOf(trial, 27));
        EXPECT_NEAR(sweep.trials()[static_cast<std::size_t>(*sweep.best())].value(), best, 0.02) << at_once;
        EXPECT_LT(sweep.epochsTrained(), 27 * 27 / 3) << at_once;
        EXPECT_EQ(countAt(jobs, 0), 27);
        EXPECT_GE(countAt(jobs, 1), 9);
        EXPECT_GE(countAt(jobs, 2), 3);
        EXPECT_GE(countAt(jobs, 3), 1);
    }
}

// Every state of the paper's invariant: whenever something is promoted, it is among the best third of its rung at that time.
TEST(Sweep, PromotesOnlyFromTheBestThirdOfARung) {
    Sweep sweep(asha(60, 27, 5), 27);
    std::map<int, std::vector<std::pair<double, int>>> ended;  // by rung
    std::deque<Job> running;
    std::set<std::pair<int, int>> promoted;
    const auto value = [](const Job& job) { return std::sin(job.trial * 12.9898 + static_cast<double>(job.rung)); };
    for (;;) {
        while (const auto job = sweep.next()) {
            running.push_back(*job);
            if (job->rung == 0) continue;
            std::vector<std::pair<double, int>> rung = ended[job->rung - 1];
            std::stable_sort(rung.begin(), rung.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
            rung.resize(rung.size() / 3);
            const bool is_among = std::any_of(rung.begin(), rung.end(), [&](const auto& one) { return one.second == job->trial; });
            EXPECT_TRUE(is_among) << "trial " << job->trial << " to rung " << job->rung;
            EXPECT_TRUE(promoted.insert({job->trial, job->rung}).second) << "once";
        }
        if (running.empty()) break;
        const Job job = running[running.size() / 2];  // they don't end in the order in which they begin
        running.erase(running.begin() + static_cast<std::ptrdiff_t>(running.size() / 2));
        sweep.told(job, job.epochs, value(job));
        ended[job.rung].emplace_back(value(job), job.trial);
    }
    EXPECT_TRUE(sweep.isOver());
    for (const int rung : {0, 1, 2}) {
        EXPECT_GE(ended[rung + 1].size(), ended[rung].size() / 3) << "and all of these, in the end";
    }
}

TEST(Sweep, SeedsAreOneGroupWhoseMeanCounts) {
    SweepSettings settings{.method = Method::kGrid, .fields = {parseField("a=1,2")}, .objective = {}, .trials = 0};
    settings.seeds = 3;
    settings.at_once = 2;
    Sweep sweep(settings, 4);
    EXPECT_EQ(sweep.next(), (Job{0, 0, 0, 4}));
    EXPECT_EQ(sweep.next(), (Job{0, 1, 0, 4}));
    EXPECT_EQ(sweep.next(), std::nullopt) << "two at once";
    sweep.told({0, 1, 0, 4}, 4, 0.6);
    EXPECT_EQ(sweep.next(), (Job{0, 2, 0, 4})) << "the group first";
    sweep.told({0, 0, 0, 4}, 4, 0.9);
    EXPECT_EQ(sweep.next(), (Job{1, 0, 0, 4}));
    EXPECT_EQ(sweep.best(), std::nullopt);
    sweep.told({0, 2, 0, 4}, 4, 0.6);
    EXPECT_NEAR(sweep.trials()[0].value(), 0.7, 1e-12);
    EXPECT_EQ(sweep.best(), 0);
    EXPECT_EQ(sweep.trials()[0].state, TrialState::kDone);
}

TEST(Sweep, WhatFailedIsWorstAndNeverPromoted) {
    Sweep sweep(asha(3, 3), 3);
    const Job first = *sweep.next();
    sweep.failed(first, "the loss is no number");
    sweep.told(*sweep.next(), 1, kNoValue);
    sweep.told(*sweep.next(), 1, -5);
    EXPECT_EQ(sweep.next(), (Job{2, 0, 1, 3})) << "of three, one goes on, however bad it is";
    sweep.told({2, 0, 1, 3}, 3, -4);
    EXPECT_TRUE(sweep.isOver());
    EXPECT_EQ(sweep.best(), 2);
    EXPECT_EQ(sweep.trials()[0].state, TrialState::kFailed);
    EXPECT_EQ(sweep.trials()[0].error, "the loss is no number");
}

TEST(Sweep, ARunThatWasStoppedComesAgain) {
    Sweep sweep(asha(9, 9, 2), 9);
    const Job first = *sweep.next(), second = *sweep.next();
    sweep.begun(first, "run-1");
    sweep.progressed(first, 1, 0.3);
    EXPECT_THAT(sweep.training(), ElementsAre(first, second));
    sweep.putBack(second);
    EXPECT_THAT(sweep.training(), ElementsAre(first));
    EXPECT_EQ(sweep.next(), second);
    EXPECT_EQ(sweep.trials()[0].runs[0].run_id, "run-1");
    EXPECT_EQ(sweep.trials()[0].runs[0].latest, 0.3);
}

TEST(Sweep, WhatHasEndedByItselfEndsEveryFurtherRungAtOnce) {
    Sweep sweep(asha(3, 9), 9);
    sweep.told(*sweep.next(), 1, 0.1);
    sweep.told(*sweep.next(), 1, 0.2);
    sweep.told(*sweep.next(), 1, 0.3);
    sweep.told(*sweep.next(), 2, 0.9);  // of 3 epochs: EarlyStopping
    EXPECT_EQ(sweep.next(), std::nullopt);
    EXPECT_TRUE(sweep.isOver());
    EXPECT_EQ(sweep.trials()[2].epochs(), 2);

    SweepSettings early = asha(9, 9);
    Sweep many(early, 9);
    const std::vector<Job> jobs = [&] {
        std::vector<Job> trained;
        while (const auto job = many.next()) {
            trained.push_back(*job);
            many.told(*job, job->rung == 0 ? 1 : 2, job->trial);
        }
        return trained;
    }();
    EXPECT_EQ(countAt(jobs, 2), 0) << "nothing is trained again";
    EXPECT_TRUE(
        std::any_of(many.trials().begin(), many.trials().end(), [](const Trial& trial) { return trial.state == TrialState::kDone; }));
    EXPECT_TRUE(many.isOver());
}

}  // namespace
}  // namespace engine::sweep
