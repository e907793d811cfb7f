#include "agent/distributed/function_queue.h"

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "task_rig.h"

namespace agent::distributed {
namespace {

using engine::Error;
using engine::ErrorCode;
using testing::HasSubstr;
using namespace std::chrono_literals;

const Error kLoss(ErrorCode::kUnavailable, "worker 0 is lost");

FunctionQueue::Call taken(FunctionQueue& queue) {
    std::optional<FunctionQueue::Call> call = queue.take(60s);
    if (!call) throw Error(ErrorCode::kInternal, "nothing waits");
    return std::move(*call);
}

TEST(FunctionQueue, HandsFunctionsOnInOrderAndResultsBack) {
    FunctionQueue queue(10, 1);
    const auto a = queue.push("a", {.numbers = {1}}), b = queue.push("b", {.bytes = "x"});
    EXPECT_FALSE(queue.isDone());
    const FunctionQueue::Call first = taken(queue), second = taken(queue);
    EXPECT_EQ(first.function, "a");
    EXPECT_EQ(first.arguments.numbers, std::vector{1.0F});
    EXPECT_EQ(second.arguments.bytes, "x");
    EXPECT_FALSE(queue.take(0ms));
    queue.done(second, {.numbers = {3}});
    queue.done(first, {.numbers = {2}});
    queue.wait();
    EXPECT_TRUE(queue.isDone());
    EXPECT_EQ(queue.fetch(*a).numbers, std::vector{2.0F});
    EXPECT_EQ(queue.fetch(*b).numbers, std::vector{3.0F});
}

TEST(FunctionQueue, PutsAFunctionBackWhoseWorkerIsLost) {
    FunctionQueue queue(10, 2);
    const auto a = queue.push("a", {.numbers = {7}});
    queue.push("b", {});
    queue.lost(taken(queue), kLoss);
    const FunctionQueue::Call again = taken(queue);
    EXPECT_EQ(again.function, "a") << "before those that came later";
    EXPECT_EQ(again.arguments.numbers, std::vector{7.0F});
    queue.done(again, {.numbers = {1}});
    queue.done(taken(queue), {});
    queue.wait();
    EXPECT_EQ(queue.fetch(*a).numbers, std::vector{1.0F});
}

TEST(FunctionQueue, GivesUpAFunctionThatIsTheEndOfItsWorkers) {
    FunctionQueue queue(10, 1);
    const auto a = queue.push("a", {});
    for (int i = 0; i < FunctionQueue::kMostLosses; ++i) queue.lost(taken(queue), kLoss);
    EXPECT_FALSE(queue.take(0ms));
    EXPECT_THAT(messageOf([&] { queue.fetch(*a); }), HasSubstr("function a: 10 workers were lost while they ran it"));
    EXPECT_THAT(messageOf([&] { queue.wait(); }), HasSubstr("10 workers were lost"));
}

TEST(FunctionQueue, ThrowsTheFirstErrorOnceAndEndsWhatWaits) {
    FunctionQueue queue(10, 1);
    const auto a = queue.push("a", {}), b = queue.push("b", {}), c = queue.push("c", {});
    const FunctionQueue::Call first = taken(queue), second = taken(queue);
    queue.failed(first, Error(ErrorCode::kOutOfRange, "a: label 7"));
    queue.failed(second, Error(ErrorCode::kOutOfRange, "b: label 8"));
    EXPECT_EQ(messageOf([&] { queue.wait(); }), "a: label 7");
    EXPECT_EQ(messageOf([&] { queue.fetch(*b); }), "b: label 8");
    EXPECT_THAT(messageOf([&] { queue.fetch(*c); }), HasSubstr("function c: not run, because of a: label 7"));
    queue.wait();
    const auto d = queue.push("d", {});
    queue.done(taken(queue), {.numbers = {4}});
    EXPECT_EQ(queue.fetch(*d).numbers, std::vector{4.0F});
    queue.push("e", {});
    queue.failed(taken(queue), Error(ErrorCode::kInternal, "e"));
    EXPECT_EQ(messageOf([&] { queue.push("f", {}); }), "e");
    EXPECT_TRUE(queue.isDone());
}

TEST(FunctionQueue, IsBounded) {
    FunctionQueue queue(2, 1);
    queue.push("a", {});
    queue.push("b", {});
    std::atomic<bool> pushed{false};
    TaskThread program([&] {
        queue.push("c", {});
        pushed = true;
    });
    EXPECT_EQ(taken(queue).function, "a");
    program.join();  // there is room now
    EXPECT_TRUE(pushed);
    EXPECT_EQ(taken(queue).function, "b");
    EXPECT_EQ(taken(queue).function, "c");
}

TEST(FunctionQueue, FailsWhenNoWorkerIsLeftUntilOneComesBack) {
    FunctionQueue queue(10, 2);
    const auto a = queue.push("a", {});
    queue.giveUpWorker(Error(ErrorCode::kDeadlineExceeded, "worker 0 did not come"));
    EXPECT_FALSE(queue.isDone()) << "another one is left";
    queue.giveUpWorker(Error(ErrorCode::kDeadlineExceeded, "worker 1 did not come"));
    EXPECT_EQ(messageOf([&] { queue.wait(); }), "worker 1 did not come");
    EXPECT_THAT(messageOf([&] { queue.fetch(*a); }), HasSubstr("worker 1 did not come"));
    EXPECT_EQ(messageOf([&] { queue.push("b", {}); }), "worker 1 did not come");
    queue.takeBackWorker();
    queue.push("c", {});
    EXPECT_EQ(taken(queue).function, "c");
}

}  // namespace
}  // namespace agent::distributed
