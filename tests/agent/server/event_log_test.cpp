#include "agent/server/runs/event_log.h"

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/wire/task_event_convert.h"
#include "tests/support/temp_dir.h"

namespace {

using namespace engine::spec;
using agent::server::EventLog;
using agent::server::EventLogOptions;
using ::testing::ElementsAre;

class EventLogTest : public ::testing::Test {
protected:
    static TaskEvent line(const std::string& text, TaskId task = {}) { return {0, 1, std::move(task), LogLine{LogLevel::kInfo, text}}; }
    static TaskEvent points(std::int64_t step, TaskId task = {}) {
        StepPoints body;
        body.step = {step, step + 1};
        body.epoch = {0, 0};
        body.time_unix_ns = {1, 1};
        return {0, 1, std::move(task), body};
    }
    static void publish(EventLog& log, const std::vector<TaskEvent>& events) { log.publish(agent::server::toldEvents(events)); }

    // What a batch says, as text: "1 hello", "2 steps 1 worker 0".
    static std::vector<std::string> texts(const EventLog::Subscription::Batch& batch) {
        std::vector<std::string> out;
        for (const std::string& bytes : batch.events) {
            const TaskEvent event = agent::convert::decodeEvent(bytes);
            std::string text = std::to_string(event.sequence) + " ";
            if (const auto* log_line = std::get_if<LogLine>(&event.body)) {
                text += log_line->text;
            } else {
                text +=
                    "steps " + std::to_string(std::get<StepPoints>(event.body).step.front()) + " of " + std::to_string(event.task.index);
            }
            out.push_back(text);
        }
        return out;
    }

    tests::support::TempDir dir_;
    std::filesystem::path journal() const { return dir_.path() / "journal"; }
    int wakes_ = 0;
    std::function<void()> countWakes() {
        return [this] { ++wakes_; };
    }
};

TEST_F(EventLogTest, ReplaysWhatWasThenFollowsThenEnds) {
    const auto log = EventLog::create(journal());
    publish(*log, {line("one"), line("two")});
    const auto watch = log->subscribe(1, countWakes());
    EXPECT_THAT(texts(watch->next()), ElementsAre("1 one", "2 two"));
    EXPECT_TRUE(watch->next().empty());

    publish(*log, {line("three")});
    EXPECT_EQ(wakes_, 1);
    EXPECT_THAT(texts(watch->next()), ElementsAre("3 three"));
    EXPECT_FALSE(watch->next().end);

    log->close();
    EXPECT_EQ(wakes_, 2);
    EXPECT_TRUE(watch->next().end);
}

TEST_F(EventLogTest, StartsAtTheSequenceAskedFor) {
    const auto log = EventLog::create(journal());
    publish(*log, {line("one"), line("two"), line("three")});
    EXPECT_THAT(texts(log->subscribe(3, countWakes())->next()), ElementsAre("3 three"));
    const auto after = log->subscribe(4, countWakes());
    EXPECT_TRUE(after->next().empty());
    publish(*log, {line("four")});
    EXPECT_THAT(texts(after->next()), ElementsAre("4 four"));
}

TEST_F(EventLogTest, KeepsEventsInTheJournalBeforeAnyoneSeesThem) {
    const auto log = EventLog::create(journal());
    std::vector<std::size_t> kept_when_woken;
    const auto watch = log->subscribe(1, [&] {
        kept_when_woken.push_back(
            agent::history::Journal(journal(), agent::history::Journal::Access::kReadOnly).read(1, 100, 1 << 20).size());
    });
    EXPECT_TRUE(watch->next().empty());
    publish(*log, {line("one"), line("two")});
    EXPECT_THAT(kept_when_woken, ElementsAre(2));
}

TEST_F(EventLogTest, ReadsARunThatIsOver) {
    {
        const auto log = EventLog::create(journal());
        publish(*log, {line("one")});
    }
    const auto log = EventLog::openFinished(journal());
    const auto watch = log->subscribe(1, countWakes());
    EXPECT_THAT(texts(watch->next()), ElementsAre("1 one"));
    EXPECT_TRUE(watch->next().end);
}

// The bound is 8 events: a subscriber that does not read keeps the newest points of each task and every other event.
TEST_F(EventLogTest, LeavesOutIntermediatePointsOfASlowSubscriberAndSaysHowMany) {
    const auto log = EventLog::create(journal(), {.max_queued_events = 8});
    const auto slow = log->subscribe(1, countWakes());
    EXPECT_TRUE(slow->next().empty()) << "live from here on";
    publish(*log, {line("start"), points(1, {"worker", 1})});
    for (int step = 1; step <= 99; step += 2) {
        publish(*log, {points(step)});
    }
    publish(*log, {line("end")});
    const auto batch = slow->next();
    const std::vector<std::string> seen = texts(batch);
    EXPECT_LE(seen.size(), 8U);
    EXPECT_THAT(seen, ::testing::IsSupersetOf({"1 start", "2 steps 1 of 1", "52 steps 99 of 0", "53 end"}));
    EXPECT_EQ(batch.dropped_points, 2 * (53 - static_cast<std::int64_t>(seen.size()))) << "two steps in each pack that is missing";
    EXPECT_EQ(slow->next().dropped_points, 0) << "told once";
}

// Nothing that may be left out: the subscriber goes back to the journal, memory stays bounded, nothing is lost.
TEST_F(EventLogTest, NeverLosesOtherEventsOfASlowSubscriber) {
    const auto log = EventLog::create(journal(), {.max_queued_events = 8, .page_events = 100});
    const auto slow = log->subscribe(1, countWakes());
    EXPECT_TRUE(slow->next().empty());
    for (int i = 0; i < 500; ++i) {
        publish(*log, {line("x"), points(i)});
    }
    log->close();
    std::int64_t lines = 0, dropped = 0, packs = 0;
    std::uint64_t last = 0;
    for (auto batch = slow->next(); !(batch.end && batch.empty()); batch = slow->next()) {
        for (const std::string& bytes : batch.events) {
            const TaskEvent event = agent::convert::decodeEvent(bytes);
            ASSERT_GT(event.sequence, last);
            last = event.sequence;
            (std::holds_alternative<LogLine>(event.body) ? lines : packs) += 1;
        }
        dropped += batch.dropped_points;
        ASSERT_FALSE(batch.empty() && !batch.end);
    }
    EXPECT_EQ(lines, 500);
    EXPECT_EQ(dropped, 2 * (500 - packs)) << "what is missing was told";
    EXPECT_EQ(last, 1000U);
}

TEST_F(EventLogTest, AFastSubscriberBesideASlowOneMissesNothing) {
    const auto log = EventLog::create(journal(), {.max_queued_events = 8});
    const auto slow = log->subscribe(1, countWakes());
    EXPECT_TRUE(slow->next().empty());
    const auto fast = log->subscribe(1, countWakes());
    std::size_t seen = 0;
    for (int i = 0; i < 100; ++i) {
        publish(*log, {points(i)});
        const auto batch = fast->next();
        seen += batch.events.size();
        EXPECT_EQ(batch.dropped_points, 0);
    }
    EXPECT_EQ(seen, 100U);
}

// A reader in a thread of its own, woken by the publisher: sequences arrive without gap or repetition.
TEST_F(EventLogTest, DeliversEverythingOnceAcrossThreads) {
    const auto log = EventLog::create(journal(), {.page_events = 7});
    std::atomic<int> wakes = 0;
    std::vector<std::uint64_t> sequences;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(3);
    std::jthread reader([&] {
        const auto watch = log->subscribe(1, [&] {
            ++wakes;
            wakes.notify_one();
        });
        for (auto batch = watch->next(); !(batch.end && batch.empty()) && std::chrono::steady_clock::now() < deadline;
             batch = watch->next()) {
            for (const std::string& bytes : batch.events) {
                sequences.push_back(agent::convert::decodeEvent(bytes).sequence);
            }
            if (batch.empty()) {
                const int before = wakes.exchange(0);
                if (before == 0) {
                    wakes.wait(0);
                    wakes = 0;
                }
            }
        }
    });
    for (int i = 0; i < 1000; ++i) {
        publish(*log, {line("x")});
    }
    log->close();
    reader.join();
    std::vector<std::uint64_t> expected(1000);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        expected[i] = i + 1;
    }
    EXPECT_EQ(sequences, expected);
}

}  // namespace
