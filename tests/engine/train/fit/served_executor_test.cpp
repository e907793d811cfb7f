// What a worker does about servers that are lost, and how long it waits for its coordinator.
#include "engine/train/fit/served_executor.h"

#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/backend/initialize.h"
#include "engine/distribute/peer_lost.h"
#include "engine/spec/error.h"
#include "engine/spec/project/strategy_table.h"
#include "tests/support/local_servers.h"
#include "tests/support/training.h"

namespace engine::train {
namespace {

using tests::support::LocalServers;
using tests::support::quarterRun;
using tests::support::replica;
using tests::support::WorkersServers;

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ServedExecutorTest : public testing::Test {
protected:
    ServedExecutorTest() {
        run_.strategy.name = spec::strategyName(spec::StrategyKind::kParameterServer);
        task_ = replica(run_);
        task_.servers = 2;
        servers_ = std::make_unique<LocalServers>(run_, task_);
        ways_ = std::make_unique<WorkersServers>(*servers_, run_, task_);
        all_ = std::make_unique<backend::Variables>(ways_->plans().whole);
        backend::initializeVariables(*all_, run_.model, 1);
    }

    // The chief's executor; what it restores has had five steps.
    std::unique_ptr<ServedExecutor> begin() {
        ServedOptions options{.make_executor = &backend::makeCpuExecutor};
        options.restore = [this] {
            ++restored_;
            return std::int64_t{5};
        };
        options.waits = [this](const std::string& text) {
            waits_.push_back(text);
            if (on_wait_) on_wait_();
        };
        options.warns = [this](const std::string& text) { warnings_.push_back(text); };
        options.waiting_report = std::chrono::milliseconds(1);
        options.chief_away_at_most = chief_away_at_most_;
        auto executor = std::make_unique<ServedExecutor>(*ways_, *all_, options);
        executor->begin(0, {.epoch = 2, .step = -3});
        return executor;
    }

    spec::RunSpec run_ = quarterRun();
    spec::TaskPlan task_;
    std::unique_ptr<LocalServers> servers_;
    std::unique_ptr<WorkersServers> ways_;
    std::unique_ptr<backend::Variables> all_;
    int restored_ = 0;
    std::vector<std::string> waits_, warnings_;
    std::function<void()> on_wait_;
    std::chrono::milliseconds chief_away_at_most_{600000};
};

std::string lossOf(const std::function<void()>& wait) {
    try {
        wait();
    } catch (const distribute::PeerLost& lost) {
        return lost.what();
    }
    return "nobody is lost";
}

TEST_F(ServedExecutorTest, FindsAServerAgainThatIsLost) {
    const auto executor = begin();
    servers_->lose(0);
    executor->syncVariables();
    EXPECT_EQ(restored_, 1);
    EXPECT_EQ(executor->globalStep(), 5);
    EXPECT_EQ(servers_->store(0).globalStep(), 5);
    EXPECT_EQ(executor->origin(), (parameter_server::EpochOrigin{.epoch = 2, .step = -3})) << "a run keeps its epochs";
}

// A chief that is started again while servers live.
TEST_F(ServedExecutorTest, TheServersWordAboutEpochsIsEverybodys) {
    const auto first = begin();
    WorkersServers ways(*servers_, run_, task_);
    ServedExecutor again(ways, *all_, {.make_executor = &backend::makeCpuExecutor});
    again.begin(0, {.epoch = 7, .step = 70});
    EXPECT_EQ(again.origin(), (parameter_server::EpochOrigin{.epoch = 2, .step = -3}));
}

// What was saved before has fewer steps: the end of a run is not taken back.
TEST_F(ServedExecutorTest, AChiefGivesTheLastValuesToAServerThatIsLostAtTheEnd) {
    const auto executor = begin();
    executor->syncVariables();
    executor->hold(9);
    servers_->lose(0);
    executor->syncVariables();
    EXPECT_EQ(restored_, 0);
    EXPECT_EQ(servers_->store(0).globalStep(), 9);
    EXPECT_EQ(servers_->store(1).globalStep(), 9);
}

TEST_F(ServedExecutorTest, AWorkerThatHoldsTheLastValuesWaitsForNoServer) {
    const auto chief = begin();
    WorkersServers ways(*servers_, run_, task_);
    backend::Variables own(ways.plans().whole);
    ServedExecutor worker(ways, own, {.is_chief = false, .make_executor = &backend::makeCpuExecutor});
    worker.begin(0, {});
    worker.syncVariables();
    EXPECT_FALSE(worker.holds());
    worker.hold(0);
    EXPECT_TRUE(worker.holds());
    servers_->lose(0);
    ways.refuses = "nobody is there";
    worker.syncVariables();
    EXPECT_EQ(ways.connections, 1);
    EXPECT_FALSE(worker.summary().has_value());
}

// Its coordinator waits for steps that nobody else would take.
TEST_F(ServedExecutorTest, AWorkerThatWaitsForAnEpochGoesOnWhereStepsWereLost) {
    const auto executor = begin();
    servers_->store(0).setChiefHere(true);
    servers_->lose(0);
    executor->hold(9);
    executor->syncVariables();  // it knows of nine steps now
    ASSERT_EQ(executor->globalStep(), 9);
    servers_->store(0).setChiefHere(true);
    executor->hold(5);  // what a server is given that is lost once more
    servers_->lose(0);
    executor->waitForEpoch(1);
    EXPECT_EQ(executor->globalStep(), 5);
}

TEST_F(ServedExecutorTest, AWorkerEndsWhenItsChiefHoldsTheLastValues) {
    const auto executor = begin();
    servers_->store(0).setChiefHere(true);
    servers_->store(0).openEpochs(1);
    std::jthread chief([this] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        servers_->store(0).openEpochs(2);
    });
    executor->waitForEnd(1);
    EXPECT_EQ(servers_->store(0).state().open_epochs.load(), 2);
    servers_->store(0).openEpochs(1);
    servers_->store(0).setChiefHere(false);
    executor->waitForEnd(1);  // there is nobody to wait for
}

TEST_F(ServedExecutorTest, FindsAServerAgainThatIsLostWhileAnotherIsLookedFor) {
    const auto executor = begin();
    ways_->connected = [this] {
        if (ways_->connections == 2) servers_->lose(1);  // found alive, gone at the first question
    };
    servers_->lose(0);
    executor->syncVariables();
    EXPECT_EQ(ways_->connections, 3);
    EXPECT_EQ(executor->globalStep(), 5);
    EXPECT_EQ(servers_->store(1).globalStep(), 5);
    EXPECT_THAT(warnings_,
                ElementsAre(HasSubstr("ps 0 is lost"), HasSubstr("ps 1 is lost"), HasSubstr("were restored as they were after step 5")));
}

TEST_F(ServedExecutorTest, ServersThatDoNotComeBackEndTheRun) {
    const auto executor = begin();
    servers_->lose(0);
    ways_->refuses = "worker 0: gave up waiting for ps 0 after 600 s";
    try {
        executor->syncVariables();
        ADD_FAILURE() << "expected an error";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kDeadlineExceeded);
        EXPECT_EQ(error.what(), ways_->refuses);
    }
    EXPECT_EQ(ways_->connections, 2);
}

// A coordinator that is there may validate for longer than tasks may take to start.
TEST_F(ServedExecutorTest, WaitsForAnEpochAsLongAsItsChiefIsThere) {
    chief_away_at_most_ = std::chrono::milliseconds(0);
    const auto executor = begin();
    servers_->store(0).setChiefHere(true);
    servers_->store(0).openEpochs(1);
    on_wait_ = [this] {
        if (waits_.size() == 3) servers_->store(0).openEpochs(2);
    };
    executor->waitForEpoch(1);
    EXPECT_EQ(waits_.size(), 3U);
    EXPECT_THAT(waits_.front(), HasSubstr("waiting for the chief to begin epoch 2"));
    EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(ServedExecutorTest, AChiefThatDiesBetweenEpochsIsNamed) {
    chief_away_at_most_ = std::chrono::milliseconds(1000);
    const auto executor = begin();
    servers_->store(0).setChiefHere(true);
    servers_->store(0).openEpochs(1);
    on_wait_ = [this] { servers_->store(0).setChiefHere(false); };
    EXPECT_EQ(lossOf([&] { executor->waitForEpoch(1); }),
              "chief 0 at localhost:2222 is gone: expected it back within 1 s to begin epoch 2");
    EXPECT_THAT(warnings_, ElementsAre("chief 0 at localhost:2222 is gone; it may come back within 1 s"));
    EXPECT_THAT(waits_.back(), HasSubstr("; chief 0 at localhost:2222 is gone"));
}

// As where a scheduler has started it again.
TEST_F(ServedExecutorTest, AChiefThatComesBackInTimeIsTaken) {
    chief_away_at_most_ = std::chrono::minutes(10);
    const auto executor = begin();
    servers_->store(0).setChiefHere(true);
    servers_->store(0).openEpochs(1);
    on_wait_ = [this] {
        if (waits_.size() == 1) servers_->store(0).setChiefHere(false);
        if (!warnings_.empty()) servers_->store(0).setChiefHere(true);
        if (waits_.size() >= 3 && !warnings_.empty()) servers_->store(0).openEpochs(2);
    };
    executor->waitForEpoch(1);
    EXPECT_EQ(warnings_.size(), 1U);
}

// Another worker has said that the run has all its steps.
TEST_F(ServedExecutorTest, AChiefThatHasEndedTheRunIsNotMissed) {
    chief_away_at_most_ = std::chrono::milliseconds(0);
    const auto executor = begin();
    servers_->store(0).openEpochs(1);
    servers_->store(0).end();
    executor->waitForEpoch(1);
    EXPECT_TRUE(executor->isOver());
}

// It is no loss of servers, which would be looked for without an end.
TEST_F(ServedExecutorTest, AWorkerWithoutValuesGivesUpWhenNoChiefComes) {
    chief_away_at_most_ = std::chrono::milliseconds(20);
    WorkersServers ways(*servers_, run_, task_);
    ServedExecutor worker(ways, *all_,
                          {.is_chief = false, .make_executor = &backend::makeCpuExecutor, .chief_away_at_most = chief_away_at_most_});
    EXPECT_EQ(lossOf([&] { worker.begin(0, {}); }),
              "gave up waiting for chief 0 at localhost:2222 to initialize the parameter servers after 0 s");
    EXPECT_EQ(ways.connections, 1);
}

}  // namespace
}  // namespace engine::train
