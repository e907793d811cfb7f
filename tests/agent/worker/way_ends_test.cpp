#include "agent/inspect/way_ends.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <optional>
#include <string>
#include <thread>

#include "agent/local/secret.h"
#include "agent/transport/connection_proof.h"
#include "agent/trust/cluster_key.h"
#include "engine/spec/error.h"
#include "raw_socket.h"
#include "tests/support/listening_port.h"
#include "tests/support/reserved_port.h"

namespace {

using namespace std::chrono_literals;
using namespace agent::worker;
namespace spec = engine::spec;
namespace trust = agent::trust;
using spec::WayOutcome;
using testing::HasSubstr;
using tests::support::ListeningPort;
using tests::support::RawSocket;
using tests::support::ReservedPort;

// A measurement between two tasks of this computer.
struct Measurement {
    explicit Measurement(const trust::ClusterKey& used = trust::ClusterKey::make()) : key(used) {
        for (const ReservedPort* port : {&caller_port, &called_port}) {
            const std::string task = "worker " + std::to_string(group.tasks.size());
            const trust::TaskCredentials credentials = key.issue(task);
            group.authority_pem = credentials.authority_pem;
            own.push_back({static_cast<int>(group.tasks.size()), credentials.certificate_pem, credentials.key_pem});
            group.tasks.push_back({task, "127.0.0.1:" + std::to_string(port->port())});
        }
        group.secret = std::string(agent::convert::bytesOf(key.secret()));
    }
    spec::ServeWaysQuestion serve(int within_s = 300) const { return {.group = group, .own = {own[1]}, .within_s = within_s}; }
    spec::CallWaysQuestion call(bool measures = false) const {
        return {.group = group, .own = own[0], .called = {1}, .measures = measures};
    }

    trust::ClusterKey key;
    ReservedPort caller_port, called_port;
    spec::WayGroup group;
    std::vector<spec::WayIdentity> own;
};

// Short measurements, patient ends.
WaySurroundings surroundings() {
    return {.limits = {.round_trips = 5, .round_trip_time = 3min, .data_time = 3min, .data_bytes = 1 << 20, .quiet = 3min},
            .call_within = 3min};
}

// The listening end, until the end of the scope.
class Served {
public:
    explicit Served(const spec::ServeWaysQuestion& question) {
        WaySurroundings with = surroundings();
        with.is_cancelled = [this] { return is_over_.load(); };
        with.listens = [this] { listens_.set_value(); };
        answer_ = std::async(std::launch::async, [question, with] { return serveWays(question, with); });
        EXPECT_EQ(listens_.get_future().wait_for(60s), std::future_status::ready);
    }
    ~Served() { end(); }
    spec::ServedWays end() {
        is_over_ = true;
        return answer_.valid() ? answer_.get() : spec::ServedWays{-1};
    }

private:
    std::atomic<bool> is_over_ = false;
    std::promise<void> listens_;
    std::future<spec::ServedWays> answer_;
};

TEST(WayEnds, OneEndCallsTheOtherAndMeasuresTheWay) {
    const Measurement two;
    Served served(two.serve());
    const spec::CalledWays reached = callWays(two.call(), surroundings());
    ASSERT_EQ(reached.ways.size(), 1U);
    EXPECT_EQ(reached.ways[0].outcome, WayOutcome::kReached) << reached.ways[0].detail;
    EXPECT_EQ(reached.ways[0].bytes_per_s, 0) << "it was not asked for";
    const spec::CalledWays called = callWays(two.call(true), surroundings());
    ASSERT_EQ(called.ways.size(), 1U);
    EXPECT_EQ(called.ways[0].outcome, WayOutcome::kReached) << called.ways[0].detail;
    EXPECT_EQ(called.ways[0].rank, 1);
    EXPECT_GT(called.ways[0].round_trip_us, 0);
    EXPECT_GT(called.ways[0].bytes_per_s, 1e6);
    EXPECT_EQ(served.end().calls, 2);
}

TEST(WayEnds, NobodyThereIsARefusal) {
    const Measurement two;
    const spec::CalledWays called = callWays(two.call(true), surroundings());
    ASSERT_EQ(called.ways.size(), 1U);
    EXPECT_EQ(called.ways[0].outcome, WayOutcome::kRefused);
    EXPECT_EQ(called.ways[0].detail, "Connection refused");
}

TEST(WayEnds, WhoHasAnotherSecretIsNotTakenForTheOtherEnd) {
    const Measurement ours;
    Measurement theirs;
    theirs.group.tasks = ours.group.tasks;
    Served served(theirs.serve());
    const spec::CalledWay called = callWays(ours.call(true), surroundings()).ways.at(0);
    EXPECT_EQ(called.outcome, WayOutcome::kNotProven);
    EXPECT_THAT(called.detail, HasSubstr("has not proven the secret of this measurement"));
    EXPECT_EQ(called.bytes_per_s, 0);
    EXPECT_EQ(served.end().calls, 0) << "and it answered nobody";
}

TEST(WayEnds, WhoTakesTheCallAndSaysNothingIsNotWaitedForForGood) {
    Measurement two;
    const ListeningPort silent;
    two.group.tasks[1].address = "127.0.0.1:" + std::to_string(silent.port());
    WaySurroundings hasty = surroundings();
    hasty.call_within = 200ms;
    EXPECT_EQ(callWays(two.call(true), hasty).ways.at(0).outcome, WayOutcome::kNotProven);
}

TEST(WayEnds, StrangersGetNothing) {
    const Measurement two;
    Served served(two.serve());
    const RawSocket speaks(two.called_port.port());
    ASSERT_TRUE(speaks.send(std::string(kOpeningBytes, 'x')));
    EXPECT_EQ(speaks.receive(1), "") << "not a byte";
    // One who knows the protocol and has no secret learns a nonce and a proof that fits nothing else.
    const RawSocket knows(two.called_port.port());
    CallerProof proof(agent::convert::makeSecret(), {Purpose::kMeasure, 0, 1}, "ipv4:127.0.0.1:" + std::to_string(two.called_port.port()),
                      {});
    ASSERT_TRUE(knows.send(proof.opening()));
    EXPECT_EQ(proof.answer(knows.receive(kChallengeBytes)), std::nullopt);
    ASSERT_TRUE(knows.send(std::string(kAnswerBytes, 'x') + std::string(64, 'x')));
    EXPECT_EQ(knows.receive(1), "");
    EXPECT_EQ(served.end().calls, 0);
}

// Data, parameters and functions are served by tasks alone.
TEST(WayEnds, WhoComesForSomethingElseIsLetGo) {
    const Measurement two;
    Served served(two.serve());
    auto [socket, session] = tests::support::provenSocket(two.called_port.port(), two.key.secret(), {Purpose::kLink, 0, 1});
    EXPECT_TRUE(socket.isClosed());
    EXPECT_EQ(served.end().calls, 0);
}

TEST(WayEnds, AListeningEndEndsByItselfAndNamesATakenPort) {
    Measurement two;
    EXPECT_EQ(serveWays(two.serve(1), surroundings()).calls, 0);
    const ListeningPort taken;
    two.group.tasks[1].address = "127.0.0.1:" + std::to_string(taken.port());
    try {
        serveWays(two.serve(), surroundings());
        FAIL() << "the port is another's";
    } catch (const engine::Error& error) {
        EXPECT_EQ(error.what(), "worker 1: port " + std::to_string(taken.port()) + " is in use by another program");
    }
}

TEST(WayEnds, ACallThatNobodyWaitsForEnds) {
    Measurement two;
    const ListeningPort silent;
    two.group.tasks[1].address = "127.0.0.1:" + std::to_string(silent.port());
    WaySurroundings with = surroundings();
    std::atomic<int> asked = 0;
    with.is_cancelled = [&] { return ++asked > 3; };
    EXPECT_THROW(callWays(two.call(true), with), engine::Error);
}

}  // namespace
