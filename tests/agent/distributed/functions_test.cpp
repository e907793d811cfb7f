// A coordinator and a worker over sockets: functions, and what becomes of them when one of the two is gone.
#include <future>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/transport/function_links.h"
#include "agent/transport/function_service.h"
#include "task_rig.h"
#include "tests/support/eventually.h"
#include "tests/support/listening_port.h"

namespace agent::worker {
namespace {

using distributed::messageOf;
using distributed::TaskRig;
using distributed::TaskThread;
using engine::Error;
using engine::ErrorCode;
using testing::HasSubstr;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr int kPs = 0, kChief = 1, kWorker = 2;  // ranks

class Functions : public testing::Test {
protected:
    FunctionServiceOptions serviceOptions() {
        FunctionServiceOptions options{.cluster = cluster_, .rank = kWorker, .secret = secret_, .program = 5};
        options.on_log = rig_.log().sink();
        options.is_cancelled = [this] { return cancelled_.load(); };
        return options;
    }
    FunctionLinksOptions linksOptions() const { return {.cluster = cluster_, .rank = kChief, .secret = secret_, .program = 5}; }

    static FunctionValues echo(const std::string& function, const FunctionValues& arguments) {
        if (function == "fail") throw Error(ErrorCode::kOutOfRange, "label: expected a class, got 7");
        if (function == "surprise") throw std::runtime_error("what \xff nobody expects");
        if (function == "large") return {.bytes = std::string(kMaxFunctionBytes + 1, 'x')};
        return arguments;
    }

    TaskRig rig_{{{"chief", 1}, {"ps", 1}, {"worker", 1}}};
    ParameterCluster cluster_ = parameterCluster(rig_.cluster(), 1);
    LinkSecret secret_{convert::makeSecret(), "the secret of the test"};
    std::atomic<bool> cancelled_{false};
};

FunctionValues valuesOf(const FunctionLink::Outcome& outcome) {
    if (const auto* error = std::get_if<Error>(&outcome)) throw Error(*error);
    return std::get<FunctionValues>(outcome);
}

TEST_F(Functions, RunOnTheWorkersServingThread) {
    std::thread::id ran_on, serves_on;
    TaskThread worker([&] {
        serves_on = std::this_thread::get_id();
        FunctionService(serviceOptions()).serve([&](const std::string& function, const FunctionValues& arguments) {
            ran_on = std::this_thread::get_id();
            return echo(function, arguments);
        });
    });
    FunctionLinks links(linksOptions());
    const auto link = links.connect(kWorker, Clock::now() + 180s);
    ASSERT_NE(link, nullptr);
    const FunctionValues sent{.numbers = {1.5F, -2}, .bytes = std::string("\0\xff", 2)};
    EXPECT_EQ(valuesOf(link->call("echo", sent, {})), sent);
    const FunctionValues large{.numbers = std::vector(kMaxFunctionBytes / sizeof(float), 0.5F)};
    EXPECT_EQ(valuesOf(link->call("echo", large, {})), large);
    EXPECT_THAT(messageOf([&] { valuesOf(link->call("fail", {}, {})); }),
                testing::AllOf(HasSubstr("function fail on worker 0"), HasSubstr("expected a class, got 7")));
    EXPECT_THAT(messageOf([&] { valuesOf(link->call("surprise", {}, {})); }), HasSubstr("nobody expects"));
    EXPECT_THAT(messageOf([&] { valuesOf(link->call("large", {}, {})); }), HasSubstr("expected at most 262144 bytes"));
    EXPECT_EQ(valuesOf(link->call("echo", sent, {})), sent) << "an error ends nothing";
    link->sayGoodbye();
    worker.join();
    EXPECT_EQ(ran_on, serves_on);
}

TEST_F(Functions, AWorkerWaitsForTheNextCoordinator) {
    TaskThread worker([&] { FunctionService(serviceOptions()).serve(echo); });
    for (int i = 0; i < 2; ++i) {  // the first two are lost
        FunctionLinks links(linksOptions());
        const auto link = links.connect(kWorker, Clock::now() + 180s);
        ASSERT_NE(link, nullptr);
        EXPECT_EQ(valuesOf(link->call("echo", {.numbers = {1}}, {})).numbers, std::vector{1.0F});
    }
    FunctionLinks links(linksOptions());
    links.connect(kWorker, Clock::now() + 180s)->sayGoodbye();
    worker.join();
    EXPECT_THAT(rig_.log().text(), HasSubstr("worker 0: the coordinator is lost"));
}

TEST_F(Functions, ACoordinatorThatDoesNotComeBackIsNamed) {
    FunctionServiceOptions options = serviceOptions();
    options.start_timeout = 5s;
    std::string ended;
    TaskThread worker([&] { ended = messageOf([&] { FunctionService(options).serve(echo); }); });
    {
        FunctionLinks links(linksOptions());
        ASSERT_NE(links.connect(kWorker, Clock::now() + 180s), nullptr);  // and is lost at once
    }
    worker.join();
    EXPECT_EQ(ended, "chief 0 at " + cluster_.addresses[kChief] + " is gone: expected it back within 5 s");
}

TEST_F(Functions, ALostCoordinatorsResultGoesToNobody) {
    std::promise<void> begun, may_end;
    TaskThread worker([&] {
        FunctionService(serviceOptions()).serve([&](const std::string& function, const FunctionValues& arguments) {
            if (function == "slow") {
                begun.set_value();
                may_end.get_future().wait();
                return FunctionValues{.bytes = "late"};
            }
            return echo(function, arguments);
        });
    });
    {
        FunctionLinks links(linksOptions());
        const auto link = links.connect(kWorker, Clock::now() + 180s);
        std::stop_source stop;
        TaskThread caller(
            [&] { EXPECT_THAT(messageOf([&] { valuesOf(link->call("slow", {}, stop.get_token())); }), HasSubstr("stopped on worker 0")); });
        begun.get_future().wait();
        stop.request_stop();
        caller.join();
    }
    may_end.set_value();
    FunctionLinks links(linksOptions());
    const auto link = links.connect(kWorker, Clock::now() + 180s);
    ASSERT_NE(link, nullptr);
    EXPECT_EQ(valuesOf(link->call("echo", {.bytes = "mine"}, {})).bytes, "mine");
    link->sayGoodbye();
    worker.join();
}

TEST_F(Functions, ALostWorkerIsFoundAgain) {
    FunctionLinks links(linksOptions());
    {
        TaskThread worker(
            [&] { EXPECT_THAT(messageOf([&] { FunctionService(serviceOptions()).serve(echo); }), HasSubstr("worker 0: stopped")); });
        const auto link = links.connect(kWorker, Clock::now() + 180s);
        ASSERT_NE(link, nullptr);
        cancelled_ = true;
        worker.join();
        EXPECT_THAT(messageOf([&] { link->call("echo", {}, {}); }), HasSubstr("is lost"));
        EXPECT_TRUE(link->isOver());
    }
    EXPECT_EQ(links.connect(kWorker, Clock::now() + 50ms), nullptr);
    cancelled_ = false;
    TaskThread worker([&] { FunctionService(serviceOptions()).serve(echo); });
    const auto link = links.connect(kWorker, Clock::now() + 180s);
    ASSERT_NE(link, nullptr);
    EXPECT_EQ(valuesOf(link->call("echo", {.bytes = "again"}, {})).bytes, "again");
    link->sayGoodbye();
    worker.join();
}

TEST_F(Functions, AFunctionHasADeadline) {
    std::promise<void> may_end;
    TaskThread worker([&] {
        FunctionService(serviceOptions()).serve([&](const std::string& function, const FunctionValues& arguments) {
            if (function == "slow") may_end.get_future().wait();
            return echo(function, arguments);
        });
    });
    FunctionLinksOptions options = linksOptions();
    options.call_deadline = 100ms;
    FunctionLinks links(options);
    {
        const auto link = links.connect(kWorker, Clock::now() + 180s);
        ASSERT_NE(link, nullptr);
        EXPECT_THAT(messageOf([&] { valuesOf(link->call("slow", {}, {})); }), HasSubstr("is alive but has not ended it within"));
    }
    may_end.set_value();
    const auto link = links.connect(kWorker, Clock::now() + 180s);
    ASSERT_NE(link, nullptr);
    link->sayGoodbye();
    worker.join();
}

TEST_F(Functions, AreRefusedToAnotherProgramAndToStrangers) {
    TaskThread worker([&] { FunctionService(serviceOptions()).serve(echo); });
    FunctionLinksOptions other = linksOptions();
    other.program = 6;
    EXPECT_THAT(messageOf([&] { FunctionLinks(other).connect(kWorker, Clock::now() + 180s); }),
                HasSubstr("every task runs the same program"));
    other = linksOptions();
    other.cluster.addresses[kPs] = "localhost:1";
    EXPECT_THAT(messageOf([&] { FunctionLinks(other).connect(kWorker, Clock::now() + 180s); }), HasSubstr("another cluster"));
    other = linksOptions();
    other.rank = kPs;
    EXPECT_THAT(messageOf([&] { FunctionLinks(other).connect(kWorker, Clock::now() + 180s); }), HasSubstr("proven to be another task"));
    other = linksOptions();
    other.secret.key = convert::makeSecret();
    {
        FunctionLinks strangers(other);
        EXPECT_TRUE(tests::support::eventually([&] {
            EXPECT_EQ(strangers.connect(kWorker, Clock::now() + 300ms), nullptr);
            return strangers.obstacleTo(kWorker).find("has not proven the secret of the test") != std::string::npos;
        }));
    }
    FunctionLinks links(linksOptions());
    links.connect(kWorker, Clock::now() + 180s)->sayGoodbye();
    worker.join();
}

TEST_F(Functions, NeedTheirPortsAndACoordinator) {
    FunctionServiceOptions options = serviceOptions();
    options.start_timeout = 100ms;
    EXPECT_THAT(messageOf([&] { FunctionService(options).serve(echo); }),
                HasSubstr("worker 0: gave up waiting for chief 0 at " + cluster_.addresses[kChief] + " after"));
    const tests::support::ListeningPort taken;
    ParameterCluster cluster = cluster_;
    cluster.addresses[kWorker] = cluster.addresses[kChief] = "localhost:" + std::to_string(taken.port());
    options.cluster = cluster;
    EXPECT_THAT(messageOf([&] { FunctionService(options).serve(echo); }), HasSubstr("is in use"));
    FunctionLinksOptions links = linksOptions();
    links.cluster = cluster;
    EXPECT_THAT(messageOf([&] { FunctionLinks{links}; }), testing::AllOf(HasSubstr("chief 0: port"), HasSubstr("is in use")));
}

}  // namespace
}  // namespace agent::worker
