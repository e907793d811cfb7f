#include "engine/train/step_reporter.h"

#include <condition_variable>
#include <mutex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace engine::train {
namespace {

class FakeObserver final : public TrainingObserver {
public:
    void report(spec::EventBody body) override {
        if (auto* line = std::get_if<spec::LogLine>(&body)) {
            const std::lock_guard lock(mutex_);
            lines_.push_back(line->text);
            warned_.notify_all();
            return;
        }
        std::unique_lock lock(mutex_);
        if (slow_until_warned_) {
            warned_.wait_for(lock, std::chrono::minutes(3), [&] { return !lines_.empty(); });
        }
        packs_.push_back(std::get<spec::StepPoints>(std::move(body)));
    }
    std::optional<spec::Control> takeControl(std::chrono::milliseconds /*wait*/) override { return std::nullopt; }

    std::vector<std::int64_t> steps() {
        const std::lock_guard lock(mutex_);
        std::vector<std::int64_t> all;
        for (const auto& pack : packs_) {
            all.insert(all.end(), pack.step.begin(), pack.step.end());
        }
        return all;
    }
    std::vector<spec::StepPoints> packs() {
        const std::lock_guard lock(mutex_);
        return packs_;
    }
    std::vector<std::string> lines() {
        const std::lock_guard lock(mutex_);
        return lines_;
    }

    bool slow_until_warned_ = false;

private:
    std::mutex mutex_;
    std::condition_variable warned_;
    std::vector<spec::StepPoints> packs_;
    std::vector<std::string> lines_;
};

StepPoint point(std::int64_t step) {
    StepPoint p;
    p.step = step;
    p.epoch = 2;
    p.time_unix_ns = step * 1000;
    p.loss = static_cast<float>(step) / 2;
    p.metrics[0] = 0.25F;
    p.learning_rate = 0.01F;
    p.timing.compute_us = static_cast<float>(step);
    return p;
}

TEST(StepReporter, PacksPointsAsColumns) {
    FakeObserver observer;
    StepReporter reporter(observer, {.interval = std::chrono::hours(1), .examples_per_step = 32, .metric_names = {"accuracy"}});
    reporter.push(point(1));
    reporter.push(point(3));
    reporter.flush();
    ASSERT_EQ(observer.packs().size(), 1U);
    const spec::StepPoints pack = observer.packs()[0];
    EXPECT_THAT(pack.step, testing::ElementsAre(1, 3));
    EXPECT_THAT(pack.epoch, testing::ElementsAre(2, 2));
    EXPECT_EQ(pack.examples_per_step, 32);
    EXPECT_TRUE(pack.aggregated);
    ASSERT_EQ(pack.columns.size(), 3U);
    EXPECT_EQ(pack.columns[0], (spec::Column{"loss", {0.5F, 1.5F}}));
    EXPECT_EQ(pack.columns[1], (spec::Column{"accuracy", {0.25F, 0.25F}}));
    EXPECT_EQ(pack.columns[2], (spec::Column{"learning_rate", {0.01F, 0.01F}}));
    EXPECT_FLOAT_EQ(pack.compute_us, 2);
}

TEST(StepReporter, LeavesAccuracyOutWhereThereIsNone) {
    FakeObserver observer;
    StepReporter reporter(observer, {});
    reporter.push(point(1));
    reporter.flush();
    ASSERT_EQ(observer.packs().size(), 1U);
    EXPECT_EQ(observer.packs()[0].columns.size(), 2U);
}

TEST(StepReporter, LosesNoPointWhenTheObserverIsSlowAndSaysThatTrainingWaits) {
    FakeObserver observer;
    observer.slow_until_warned_ = true;
    std::vector<std::int64_t> expected;
    {
        StepReporter reporter(observer, {.interval = std::chrono::milliseconds(1), .capacity = 8});
        for (std::int64_t step = 1; step <= 5000; ++step) {
            expected.push_back(step);
            reporter.push(point(step));
        }
    }
    EXPECT_EQ(observer.steps(), expected);
    ASSERT_FALSE(observer.lines().empty());
    EXPECT_THAT(observer.lines()[0], testing::HasSubstr("training waits, nothing is lost"));
}

TEST(StepReporter, DeliversTheRestAtItsEnd) {
    FakeObserver observer;
    { StepReporter(observer, {.interval = std::chrono::hours(1)}).push(point(9)); }
    EXPECT_THAT(observer.steps(), testing::ElementsAre(9));
}

// After nobody took any for a while: a message has a largest size.
TEST(StepReporter, SplitsWhatHasPiledUp) {
    FakeObserver observer;
    {
        StepReporter reporter(observer, {.interval = std::chrono::hours(1), .capacity = 10'000, .examples_per_step = 1});
        for (std::int64_t step = 1; step <= 9000; ++step) {
            reporter.push(point(step));
        }
    }
    std::vector<std::size_t> sizes;
    for (const auto& pack : observer.packs()) {
        sizes.push_back(pack.step.size());
    }
    EXPECT_THAT(sizes, testing::ElementsAre(4096, 4096, 808));
    const std::vector<std::int64_t> steps = observer.steps();
    for (std::size_t i = 0; i < steps.size(); ++i) {
        ASSERT_EQ(steps[i], static_cast<std::int64_t>(i) + 1);
    }
}

}  // namespace
}  // namespace engine::train
