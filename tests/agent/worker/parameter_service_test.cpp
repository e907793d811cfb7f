// Workers and parameter servers over sockets: what comes, goes, and comes again.
#include "agent/transport/parameter_service.h"

#include <array>
#include <atomic>
#include <cstring>
#include <latch>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/transport/parameter_links.h"
#include "agent/transport/push_box.h"
#include "engine/distribute/shared_segment.h"
#include "engine/spec/error.h"
#include "local_cluster.h"
#include "tests/support/eventually.h"
#include "tests/support/listening_port.h"
#include "tests/support/parameter_rig.h"

namespace agent::worker {
namespace {

namespace ps = engine::parameter_server;
namespace spec = engine::spec;
using engine::Error;
using engine::ErrorCode;
using engine::distribute::SharedSegment;
using namespace std::chrono_literals;
using ::testing::HasSubstr;
using tests::support::kRate;

// Addresses on ports that stay reserved.
spec::ClusterSpec clusterOf(const std::vector<tests::support::ReservedPort>& ports, int servers) {
    spec::ClusterSpec cluster{.jobs = {{"ps", {}}, {"worker", {}}}};
    for (std::size_t i = 0; i < ports.size(); ++i) {
        const bool is_server = static_cast<int>(i) < servers;
        spec::Job& job = cluster.jobs[is_server ? 0 : 1];
        job.tasks[static_cast<int>(job.tasks.size())] = "localhost:" + std::to_string(ports[i].port());
    }
    return cluster;
}

// Lines that threads of a service or of links told.
class Log {
public:
    std::function<void(const std::string&)> sink() {
        return [this](const std::string& line) {
            const std::lock_guard lock(mutex_);
            if (!refused_.empty() && line.starts_with(refused_)) {
                refused_.clear();
                throw std::runtime_error("no room for a line");
            }
            text_ += line + "\n";
        };
    }
    // Does not take the next line that begins so.
    void refuse(const std::string& beginning) {
        const std::lock_guard lock(mutex_);
        refused_ = beginning;
    }
    std::string text() const {
        const std::lock_guard lock(mutex_);
        return text_;
    }

private:
    mutable std::mutex mutex_;
    std::string text_, refused_;
};

engine::spec::ObjectSpec adam() {
    return {"Adam", {{"learning_rate", static_cast<double>(kRate)}}};
}

class Servers {
public:
    explicit Servers(int servers, bool shares_memory = true, int workers = 2, std::optional<std::int64_t> max_staleness = std::nullopt,
                     engine::spec::RunSpec run = tests::support::serverProject(adam()))
        : run_(std::move(run)),
          plans_(ps::parameterPlans(run_, tests::support::parameterTarget(servers))),
          ports_(static_cast<std::size_t>(servers + workers)),
          cluster_(parameterCluster(clusterOf(ports_, servers), 77)),
          secret_{convert::makeSecret(), "the secret of this run"},
          shares_memory_(shares_memory),
          max_staleness_(max_staleness),
          running_(static_cast<std::size_t>(servers)) {
        for (int k = 0; k < servers; ++k) start(k);
    }

    void start(int server) {
        auto& one = running_[static_cast<std::size_t>(server)];
        one = std::make_unique<Running>();
        const auto& plans = plans_.servers[static_cast<std::size_t>(server)];
        const std::size_t buckets = plans_.worker.buckets.size();
        one->segment = SharedSegment::create(ps::storeLayout(plans.front().plan, buckets).bytes);
        one->store = std::make_unique<ps::ParameterStore>(
            plans, buckets,
            ps::StoreOptions{
                .make_executor = engine::backend::makeCpuExecutor, .memory = one->segment.span(), .max_staleness = max_staleness_});
        ParameterServiceOptions options{.cluster = cluster_,
                                        .server = server,
                                        .secret = secret_,
                                        .offer_shared_memory = shares_memory_,
                                        .region_bytes = static_cast<std::size_t>(plans_.worker.shared_bytes),
                                        .start_timeout = 180s};
        if (chief_returns_within_) {
            options.start_timeout = *chief_returns_within_;
            options.is_coordinated = true;
        }
        options.on_log = log_.sink();
        options.is_cancelled = [running = one.get()] { return running->cancelled.load(); };
        one->service = std::make_unique<ParameterService>(options, *one->store, &one->segment, "");
        one->thread = std::jthread([running = one.get()] {
            try {
                running->service->serve();
                running->ended = "in order";
            } catch (const Error& error) {
                running->ended = error.what();
            }
            running->service.reset();
        });
    }
    // Servers that are started from now on are of a run that worker 0, its chief, coordinates.
    void coordinate(std::chrono::milliseconds chief_returns_within) { chief_returns_within_ = chief_returns_within; }
    // As when its process ends.
    void kill(int server) {
        auto& one = running_[static_cast<std::size_t>(server)];
        one->cancelled = true;
        one->thread = {};
        one.reset();
    }
    std::string ended(int server) {
        auto& one = running_[static_cast<std::size_t>(server)];
        one->thread = {};
        return one->ended;
    }

    ParameterLinksOptions linksOptions(int worker) {
        ParameterLinksOptions options{.cluster = cluster_,
                                      .rank = static_cast<int>(running_.size()) + worker,
                                      .secret = secret_,
                                      .offer_shared_memory = shares_memory_,
                                      .plans = &plans_,
                                      .start_timeout = 180s};
        options.on_log = log_.sink();
        return options;
    }
    std::string chief() const { return toString(cluster_.names()[static_cast<std::size_t>(cluster_.chief())]); }
    const ps::ParameterPlans& plans() const { return plans_; }
    const spec::RunSpec& run() const { return run_; }
    Log& log() { return log_; }
    const Log& log() const { return log_; }
    ps::ParameterStore::Load load(int server) const { return running_[static_cast<std::size_t>(server)]->store->load(); }
    ~Servers() {
        for (auto& one : running_) {
            if (one) one->cancelled = true;
        }
    }

private:
    struct Running {
        SharedSegment segment;
        std::unique_ptr<ps::ParameterStore> store;
        std::unique_ptr<ParameterService> service;
        std::atomic<bool> cancelled{false};
        std::string ended;
        std::jthread thread;
    };

    const spec::RunSpec run_;
    const ps::ParameterPlans plans_;
    const std::vector<tests::support::ReservedPort> ports_;
    const ParameterCluster cluster_;
    const LinkSecret secret_;
    const bool shares_memory_;
    const std::optional<std::int64_t> max_staleness_;
    std::optional<std::chrono::milliseconds> chief_returns_within_;
    Log log_;
    std::vector<std::unique_ptr<Running>> running_;
};

class Worker {
public:
    Worker(Servers& servers, int index)
        : plans_(servers.plans()),
          links_(servers.linksOptions(index)),
          variables_(plans_.worker),
          client_(plans_, links_.links(), variables_),
          batches_(servers.run()) {
        executor_ =
            engine::backend::makeCpuExecutor(plans_.worker, variables_, {.threads = 1, .region = links_.region(), .parameters = &client_});
    }
    void give(const Servers& servers, std::int64_t updates = 0, const ps::EpochOrigin& origin = {}) {
        engine::backend::Variables all(plans_.whole);
        engine::backend::initializeVariables(all, servers.run().model, 1);
        client_.give(all, updates, updates, origin);
    }
    ps::ParameterClient::Step step(std::int64_t iteration) {
        client_.setLearningRate(kRate);
        executor_->trainStep(batches_.at(iteration), {.learning_rate = kRate, .iteration = iteration});
        return client_.lastStep();
    }
    ps::ParameterClient& client() { return client_; }
    ParameterLinks& links() { return links_; }

private:
    const ps::ParameterPlans& plans_;
    ParameterLinks links_;
    engine::backend::Variables variables_;
    ps::ParameterClient client_;
    std::unique_ptr<engine::backend::Executor> executor_;
    tests::support::Batches batches_;
};

class EitherWay : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Ways, EitherWay, ::testing::Values(true, false),
                         [](const auto& tested) { return tested.param ? "SharedMemory" : "Grpc"; });

TEST_P(EitherWay, OneWorkerEqualsATaskThatTrainsAlone) {
    constexpr std::int64_t kSteps = 30;
    Servers servers(2, GetParam(), 1);
    Worker worker(servers, 0);
    EXPECT_THAT(worker.links().describe(), HasSubstr(GetParam() ? "worker 0 <-> ps 1: shared memory" : "worker 0 <-> ps 1: gRPC"));
    EXPECT_FALSE(worker.client().isReady());
    worker.give(servers);
    EXPECT_TRUE(worker.client().isReady());
    for (std::int64_t i = 0; i < kSteps; ++i) {
        const ps::ParameterClient::Step step = worker.step(i);
        ASSERT_EQ(step.global_step, i + 1);
        ASSERT_FALSE(step.is_void);
    }
    engine::backend::Variables all(servers.plans().whole);
    worker.client().read(all);
    EXPECT_LE(tests::support::largestDifference(tests::support::trainedAlone(servers.run(), kSteps, engine::backend::makeCpuExecutor), all),
              1e-6F);
    worker.links().leave(true);
    EXPECT_EQ(servers.ended(0), "in order");
    EXPECT_EQ(servers.ended(1), "in order");
}

TEST_P(EitherWay, RowsOfATableTravelAlone) {
    constexpr std::int64_t kSteps = 30;
    const engine::spec::ObjectSpec shards{"FixedShardsPartitioner", {{"num_shards", std::int64_t{3}}}};
    Servers servers(2, GetParam(), 1, std::nullopt, tests::support::textProject(adam(), shards));
    Worker worker(servers, 0);
    worker.give(servers);
    for (std::int64_t i = 0; i < kSteps; ++i) ASSERT_EQ(worker.step(i).global_step, i + 1);
    engine::backend::Variables all(servers.plans().whole);
    worker.client().read(all);
    EXPECT_LE(tests::support::largestDifference(tests::support::trainedAlone(servers.run(), kSteps, engine::backend::makeCpuExecutor), all),
              1e-6F);
    std::int64_t pulled = 0, pushed = 0;
    for (int k = 0; k < 2; ++k) {
        pulled += servers.load(k).pulled_bytes;
        pushed += servers.load(k).pushed_bytes;
    }
    EXPECT_GT(pushed, 0);
    EXPECT_EQ(pulled, pushed) << "what is pulled of variables that all are trained comes back as gradients";
    EXPECT_LT(pulled, kSteps * worker.client().pulledBytes()) << "words stand twice in a batch";
    worker.links().leave(true);
}

TEST_P(EitherWay, WhatTravelsIsWhatThePlanSays) {
    constexpr std::int64_t kTaken = 5;
    Servers servers(2, GetParam());
    Worker worker(servers, 0);
    worker.give(servers);
    for (std::int64_t i = 0; i < kTaken; ++i) ASSERT_EQ(worker.step(i).global_step, i + 1);
    std::int64_t pulled = 0, pushed = 0, updates = 0;
    for (int k = 0; k < 2; ++k) {
        const ps::ParameterStore::Load load = servers.load(k);
        pulled += load.pulled_bytes;
        pushed += load.pushed_bytes;
        updates += load.updates;
        EXPECT_EQ(load.steps, k == 0 ? kTaken : 0) << "server 0 counts the steps";
        EXPECT_EQ(load.staleness[0], load.updates) << "one worker misses nothing";
    }
    EXPECT_GT(worker.client().pushedBytes(), 0);
    EXPECT_EQ(pulled, kTaken * worker.client().pulledBytes());
    EXPECT_EQ(pushed, kTaken * worker.client().pushedBytes());
    EXPECT_EQ(updates % kTaken, 0);
    worker.links().leave(true);
}

TEST_P(EitherWay, WorkersTrainTogetherAndAServerEndsWhenAllAreGone) {
    constexpr std::int64_t kEach = 20;
    Servers servers(2, GetParam());
    std::atomic<std::int64_t> most{0};
    {
        std::vector<std::jthread> threads;
        std::atomic<bool> given{false};
        std::latch trained(2);  // the run is complete when both are
        for (int index = 0; index < 2; ++index) {
            threads.emplace_back([&, index] {
                Worker worker(servers, index);
                if (index == 0) {
                    worker.give(servers);
                    given = true;
                    given.notify_all();
                }
                given.wait(false);
                for (std::int64_t i = 0; i < kEach; ++i) {
                    const std::int64_t step = worker.step(i).global_step;
                    for (std::int64_t seen = most; step > seen && !most.compare_exchange_weak(seen, step);) {
                    }
                }
                trained.arrive_and_wait();
                worker.links().leave(index == 0);
            });
        }
    }
    EXPECT_EQ(most, 2 * kEach);
    EXPECT_EQ(servers.ended(0), "in order");
    EXPECT_EQ(servers.ended(1), "in order");
}

TEST_P(EitherWay, ALostServerIsNamedAndFoundAgain) {
    Servers servers(2, GetParam());
    auto worker = std::make_unique<Worker>(servers, 0);
    worker->give(servers);
    worker->step(0);
    servers.kill(1);
    try {
        for (std::int64_t i = 1; i < 1000000; ++i) worker->step(i);
        FAIL() << "nobody noticed";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kUnavailable);
        EXPECT_THAT(error.what(), HasSubstr("ps 1 at localhost:"));
    }
    worker.reset();
    servers.start(1);
    worker = std::make_unique<Worker>(servers, 0);
    EXPECT_FALSE(worker->client().isReady()) << "the new server holds nothing";
    worker->give(servers, 5);
    EXPECT_EQ(worker->step(5).global_step, 6);
}

TEST_P(EitherWay, TellsWhereEpochsBegin) {
    Servers servers(2, GetParam(), 1);
    Worker worker(servers, 0);
    worker.give(servers, 5, {.epoch = 2, .step = -3});
    EXPECT_EQ(worker.client().state().origin, (ps::EpochOrigin{.epoch = 2, .step = -3}));
}

TEST_P(EitherWay, AnyExceptionEndsACallAndLetsTheWorkerComeAgain) {
    Servers servers(1, GetParam(), 1);
    servers.log().refuse("worker 0 is connected");
    try {
        Worker worker(servers, 0);
        worker.give(servers);
        ADD_FAILURE() << "its call goes on";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kUnavailable) << error.what();
    }
    Worker again(servers, 0);
    again.give(servers);
    EXPECT_EQ(again.step(0).global_step, 1);
    EXPECT_THAT(servers.log().text(), HasSubstr("worker 0: no room for a line"));
}

TEST_P(EitherWay, AWorkerThatComesAgainGoesOnWhereTheOthersAre) {
    Servers servers(1, GetParam());
    Worker stays(servers, 0);
    stays.give(servers);
    auto goes = std::make_unique<Worker>(servers, 1);
    goes->step(0);
    goes.reset();  // without a word
    stays.step(1);
    goes = std::make_unique<Worker>(servers, 1);
    EXPECT_TRUE(goes->client().isReady());
    EXPECT_EQ(goes->step(2).global_step, 3);
}

// Also where it asks for nothing: the end of its connection says it.
TEST_P(EitherWay, WorkersSeeWhetherTheirChiefIsThere) {
    Servers servers(1, GetParam());
    Worker worker(servers, 1);
    EXPECT_FALSE(worker.client().state().chief_is_here) << "it has not come yet";
    for (int times = 0; times < 2; ++times) {  // the second one is started again
        auto chief = std::make_unique<Worker>(servers, 0);
        EXPECT_TRUE(worker.client().state().chief_is_here);
        chief.reset();  // without a word
        EXPECT_TRUE(tests::support::eventually([&] { return !worker.client().state().chief_is_here; }));
    }
    EXPECT_FALSE(worker.client().state().is_over);
}

TEST_P(EitherWay, AServerThatIsLeftByItsChiefAndItsWorkersNamesTheChief) {
    Servers servers(1, GetParam());
    servers.kill(0);
    servers.coordinate(5s);
    servers.start(0);
    {
        Worker worker(servers, 1);
        { Worker(servers, 0).give(servers); }  // gone without a goodbye
        EXPECT_TRUE(tests::support::eventually([&] { return !worker.client().state().chief_is_here; }));
        EXPECT_EQ(worker.step(0).global_step, 1) << "what the worker has to do it may do";
    }
    EXPECT_EQ(servers.ended(0), servers.chief() + " is gone: expected it back within 5 s");
    EXPECT_THAT(servers.log().text(), HasSubstr(servers.chief() + " is gone; it may come back within 5 s"));
}

TEST_P(EitherWay, AServerOfACoordinatedRunThatIsCompleteEndsInOrder) {
    Servers servers(1, GetParam(), 1);
    servers.kill(0);
    servers.coordinate(60s);
    servers.start(0);
    Worker chief(servers, 0);
    chief.give(servers);
    chief.links().leave(true);
    EXPECT_EQ(servers.ended(0), "in order");
}

// Without its servers it would wait for them, in vain.
TEST_P(EitherWay, AWorkerThatWasLostFindsTheRunComplete) {
    Servers servers(1, GetParam());
    Worker first(servers, 0);
    first.give(servers);
    first.step(0);
    { EXPECT_EQ(Worker(servers, 1).step(0).global_step, 2); }  // it goes without a goodbye
    first.links().leave(true);
    Worker again(servers, 1);
    EXPECT_TRUE(again.step(1).is_over);
    again.links().leave(true);
    EXPECT_EQ(servers.ended(0), "in order");
}

// Its server was started again meanwhile and has never seen it.
TEST_P(EitherWay, AWorkerThatComesLateFindsTheRunComplete) {
    Servers servers(1, GetParam());
    Worker first(servers, 0);
    first.give(servers);
    first.step(0);
    first.links().leave(true);
    Worker late(servers, 1);
    EXPECT_TRUE(late.step(1).is_over);
    late.links().leave(true);
    EXPECT_EQ(servers.ended(0), "in order");
}

TEST_P(EitherWay, WithABoundOfZeroAWorkerThatLeavesLetsTheOtherOn) {
    Servers servers(2, GetParam(), 2, 0);
    Worker stays(servers, 0);
    stays.give(servers);
    auto goes = std::make_unique<Worker>(servers, 1);
    goes->client().pull({});  // its step is under way
    goes.reset();
    EXPECT_EQ(stays.step(0).global_step, 1);
}

TEST(ParameterCluster, KnowsItsChief) {
    spec::ClusterSpec cluster{.jobs = {{"ps", {{0, "localhost:1"}}}, {"worker", {{0, "localhost:2"}, {1, "localhost:3"}}}}};
    const ParameterCluster without = parameterCluster(cluster, 1);
    ASSERT_EQ(without.chief(), 1);
    EXPECT_EQ(toString(without.tasks[1]), "worker 0");
    cluster.jobs.push_back({"chief", {{0, "localhost:4"}}});
    const ParameterCluster with = parameterCluster(cluster, 1);
    EXPECT_EQ(toString(with.names()[static_cast<std::size_t>(with.chief())]), "chief 0 at localhost:4");
}

TEST(ParameterService, AnotherProjectIsRefusedWithTheReason) {
    Servers servers(1);
    ParameterLinksOptions options = servers.linksOptions(0);
    options.cluster.project = 78;
    try {
        ParameterLinks links(options);
        FAIL() << "it was let in";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kFailedPrecondition);
        EXPECT_THAT(error.what(), HasSubstr("expected the project of ps 0, got one with another model"));
    }
}

TEST(ParameterService, AWorkerWithoutTheSecretIsToldWhatItWaitsFor) {
    Servers servers(1);
    ParameterLinksOptions options = servers.linksOptions(0);
    options.secret.key = convert::makeSecret();
    std::string why;
    options.start_timeout = 250ms;  // how long it takes to hear of the server depends on the machine
    EXPECT_TRUE(tests::support::holdsOnce([&] {
        options.start_timeout *= 4;
        try {
            ParameterLinks links(options);
            ADD_FAILURE() << "it was let in";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::kDeadlineExceeded);
            why = error.what();
        }
        return why.find("has not proven the secret of this run") != std::string::npos;
    })) << why;
    EXPECT_THAT(why, HasSubstr("worker 0: gave up waiting for ps 0 at localhost:"));
}

TEST(ParameterService, APortThatIsTakenIsNamed) {
    Servers servers(1);
    ParameterLinksOptions options = servers.linksOptions(0);
    const tests::support::ListeningPort taken;
    options.cluster.addresses[1] = "localhost:" + std::to_string(taken.port());
    try {
        ParameterLinks links(options);
        FAIL() << "it listens there";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kAlreadyExists);
        EXPECT_THAT(error.what(), HasSubstr("worker 0: port " + std::to_string(taken.port()) + " is in use"));
    }
}

TEST(PushBox, ACounterWakesWhoWaits) {
    SharedCounter counter;
    EXPECT_FALSE(counter.waitBeyond(0, std::chrono::steady_clock::now())) << "at once";
    std::jthread other([&counter] { counter.increment(); });
    EXPECT_TRUE(counter.waitBeyond(0, std::chrono::steady_clock::now() + 1min));
}

}  // namespace
}  // namespace agent::worker
