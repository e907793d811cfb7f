#include "agent/transport/connection_gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <condition_variable>
#include <filesystem>
#include <memory>

#include "agent/local/socket_address.h"
#include "agent/trust/cluster_key.h"
#include "agent/trust/tls_relay.h"
#include "engine/spec/error.h"
#include "local_cluster.h"
#include "raw_socket.h"
#include "tests/support/eventually.h"

namespace {

using namespace std::chrono_literals;
using namespace agent::worker;
namespace trust = agent::trust;
using tests::support::eventually;
using tests::support::holdsOnce;
using tests::support::provenSocket;
using tests::support::RawSocket;
using tests::support::ReservedPort;
using tests::support::targetOf;

constexpr Call kLink{Purpose::kLink, 0, 1};
const agent::convert::Secret kSecret = agent::convert::makeSecret();

// The gate of one task, and what it let through.
class Gate {
public:
    explicit Gate(const ReservedPort& port, ConnectionGate::Options options = {}) : port_(port.port()) {
        if (options.secret.name.empty()) options.secret = {kSecret, "the secret of the test"};
        options.address = targetOf(port.port());
        options.tasks = {{"worker 0", "node1:2222"}, {"worker 1", "node2:2222"}};
        gate_ = std::make_unique<ConnectionGate>(options, ConnectionGate::Events{.called =
                                                                                     [this](Connection&& connection) {
                                                                                         const std::lock_guard lock(mutex_);
                                                                                         called_.push_back(std::move(connection));
                                                                                         changed_.notify_all();
                                                                                     },
                                                                                 .answered =
                                                                                     [this] {
                                                                                         const std::lock_guard lock(mutex_);
                                                                                         answered_ = true;
                                                                                         changed_.notify_all();
                                                                                     }});
    }
    ConnectionGate* operator->() const { return gate_.get(); }
    int port() const { return port_; }

    bool waitForCalls(std::size_t count) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, 3min, [&] { return called_.size() >= count; });
    }
    bool waitForAnswer() {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, 3min, [&] { return answered_; });
    }
    std::vector<Connection> called() {
        const std::lock_guard lock(mutex_);
        return std::move(called_);
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Connection> called_;
    bool answered_ = false;
    const int port_;
    std::unique_ptr<ConnectionGate> gate_;  // first to go
};

std::size_t openDescriptors() {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
}

TEST(ConnectionGate, ConnectsTwoTasksThatHaveTheSecret) {
    const ReservedPort first_port, second_port;
    Gate first(first_port), second(second_port);
    first->dial(kLink, {targetOf(second.port())});
    ASSERT_TRUE(first.waitForAnswer());
    ASSERT_TRUE(second.waitForCalls(1));
    const std::vector<Connection> ours = first->takeAnswered(), theirs = second.called();
    ASSERT_EQ(ours.size(), 1U);
    ASSERT_EQ(theirs.size(), 1U);
    EXPECT_EQ(ours[0].proven.call, kLink);
    EXPECT_EQ(theirs[0].proven.call, kLink);
    EXPECT_EQ(ours[0].proven.session, theirs[0].proven.session);
    EXPECT_EQ(::send(ours[0].socket.get(), "x", 1, 0), 1);
    char byte = 0;
    EXPECT_TRUE(eventually([&] { return ::recv(theirs[0].socket.get(), &byte, 1, MSG_DONTWAIT) == 1; }));
    EXPECT_EQ(byte, 'x') << "what follows the proof is left to whoever takes the connection";
    EXPECT_EQ(second->turnedAway(), 0U);
}

TEST(ConnectionGate, CallsUntilSomebodyListens) {
    const ReservedPort first_port, second_port;
    Gate first(first_port);
    first->dial(kLink, {targetOf(second_port.port())});
    const auto again = std::make_unique<Gate>(second_port);
    EXPECT_TRUE(first.waitForAnswer());
    EXPECT_EQ(first->obstacleTo(1), "");
}

TEST(ConnectionGate, NamesWhatTheOtherEndHasProven) {
    const ReservedPort port;
    Gate gate(port);
    auto [socket, session] = provenSocket(gate.port(), kSecret, {Purpose::kLink, 3, 1});
    ASSERT_TRUE(gate.waitForCalls(1));
    sockaddr_in own{};
    socklen_t length = sizeof own;
    const auto taken = socket.take();
    ASSERT_EQ(::getsockname(taken.get(), reinterpret_cast<sockaddr*>(&own), &length), 0);
    const auto proven = gate->calledBy("ipv4:127.0.0.1:" + std::to_string(ntohs(own.sin_port)));
    ASSERT_TRUE(proven);
    EXPECT_EQ(proven->call.caller, 3);
    EXPECT_EQ(proven->session, session);
    EXPECT_FALSE(gate->calledBy("ipv4:127.0.0.1:1"));
    EXPECT_FALSE(gate->calledBy(""));
}

TEST(ConnectionGate, TurnsStrangersAwayWithoutAWord) {
    const ReservedPort port;
    Gate gate(port);
    const std::string good = CallerProof(kSecret, kLink, targetOf(gate.port()), {}).opening();
    std::size_t strangers = 0;
    for (const std::string& said :
         {std::string(kOpeningBytes, '\0'), "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + std::string(40, '\0'),
          std::string("GET / HTTP/1.1\r\nHost: localhost\r\nUser-Agent: somebody with a long name\r\n\r\n"), "\x16\x03\x01" + good}) {
        const RawSocket stranger(gate.port());
        stranger.send(said);
        EXPECT_TRUE(stranger.isClosed()) << said;
        EXPECT_TRUE(eventually([&, wanted = ++strangers] { return gate->turnedAway() == wanted; }));
    }
    // One that knows how to begin learns two random numbers.
    const RawSocket stranger(gate.port());
    stranger.send(good);
    EXPECT_EQ(stranger.receive(kChallengeBytes).size(), kChallengeBytes);
    stranger.send(std::string(kAnswerBytes, 'x'));
    EXPECT_TRUE(stranger.isClosed());
    EXPECT_TRUE(gate.called().empty());
}

TEST(ConnectionGate, ARecordedCallIsOfNoUse) {
    const ReservedPort port;
    Gate gate(port);
    CallerProof member(kSecret, kLink, targetOf(gate.port()), {});
    const RawSocket first(gate.port());
    first.send(member.opening());
    const std::string answer = *member.answer(first.receive(kChallengeBytes));
    first.send(answer);
    ASSERT_TRUE(gate.waitForCalls(1));
    const RawSocket second(gate.port());
    second.send(member.opening());
    EXPECT_EQ(second.receive(kChallengeBytes).size(), kChallengeBytes);
    second.send(answer);
    EXPECT_TRUE(second.isClosed());
    EXPECT_EQ(gate.called().size(), 1U);
}

TEST(ConnectionGate, DataIsBoundToTheLinkOfThePair) {
    const ReservedPort port;
    Gate gate(port);
    Session link;
    link.fill('l');
    gate->setLink(0, link);
    const Call data{Purpose::kData, 0, 1};
    EXPECT_ANY_THROW(provenSocket(gate.port(), kSecret, data)) << "of no Link";
    Session old = link;
    old.back() = 'x';
    EXPECT_ANY_THROW(provenSocket(gate.port(), kSecret, data, old)) << "of another Link";
    EXPECT_ANY_THROW(provenSocket(gate.port(), kSecret, {Purpose::kData, 2, 1}, link)) << "of another pair";
    provenSocket(gate.port(), kSecret, data, link);
    ASSERT_TRUE(gate.waitForCalls(1));
    EXPECT_EQ(gate.called()[0].proven.call, data);
}

TEST(ConnectionGate, DropsWhoTakesTooLong) {
    const ReservedPort port;
    Gate gate(port, {.prove_within = 200ms});
    const RawSocket silent(gate.port()), slow(gate.port());
    slow.send("tandem 1");
    EXPECT_TRUE(silent.isClosed());
    EXPECT_TRUE(slow.isClosed());
    EXPECT_TRUE(eventually([&] { return gate->turnedAway() == 2; }));
}

// 500 that stay and say nothing, while a member comes.
TEST(ConnectionGate, HoldsABoundedNumberOfStrangersAndMembersStillGetIn) {
    const ReservedPort port;
    Gate gate(port, {.unproven = 16, .prove_within = 1min});
    const std::size_t before = openDescriptors();
    std::vector<std::unique_ptr<RawSocket>> strangers;
    for (int i = 0; i < 500; ++i) strangers.push_back(std::make_unique<RawSocket>(gate.port()));
    provenSocket(gate.port(), kSecret, kLink);
    ASSERT_TRUE(gate.waitForCalls(1));
    gate.called().clear();
    EXPECT_TRUE(eventually([&] { return gate->turnedAway() == 500 - 16 - 2 * 2 || gate->turnedAway() == 500 - 16 - 2 * 2 + 1; }))
        << gate->turnedAway() << ": the oldest goes for the newest";
    EXPECT_LE(openDescriptors(), before + 500 + 16 + 2 * 2) << "their own ends, and so many of ours";
    strangers.clear();
    EXPECT_TRUE(eventually([&] { return openDescriptors() <= before; })) << "nothing is kept of them";
}

TEST(ConnectionGate, AcceptsAgainWhenDescriptorsHadRunOut) {
    const ReservedPort port;
    Gate gate(port);
    const RawSocket stranger(gate.port());
    stranger.send("x");
    CallerProof member(kSecret, kLink, targetOf(gate.port()), {});
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
    agent::convert::FileDescriptor last(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const auto connect = [&] {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(static_cast<std::uint16_t>(gate.port()));
        return ::connect(last.get(), reinterpret_cast<sockaddr*>(&address), sizeof address);
    };
    ASSERT_TRUE(eventually([&] {  // the stranger has its descriptor: from now on there is none left
        const rlimit none{1, before.rlim_max};
        return ::setrlimit(RLIMIT_NOFILE, &none) == 0;
    }));
    const bool connected = connect() == 0;
    RawSocket waiting(std::move(last));
    waiting.send(member.opening());
    const std::string early = waiting.receive(kChallengeBytes, 400ms);
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
    ASSERT_TRUE(connected);
    EXPECT_EQ(early, "") << "no descriptor is left for it";
    EXPECT_EQ(waiting.receive(kChallengeBytes).size(), kChallengeBytes) << "now there is";
}

TEST(ConnectionGate, WaitsOutAStrangerAtATasksPort) {
    const ReservedPort own_port, seat;
    Gate gate(own_port, {.dial_again = 50ms});
    {
        ASSERT_EQ(::listen(seat.socket(), 8), 0);
        gate->dial(kLink, {targetOf(seat.port())});
        // Closes at once; then sends a challenge that proves nothing; then hands on what it is told to the caller itself.
        RawSocket(agent::convert::FileDescriptor(::accept(seat.socket(), nullptr, nullptr)));
        ASSERT_TRUE(eventually([&] { return gate->obstacleTo(1) == "what answers at node2:2222 has not proven the secret of the test"; }));
        const RawSocket liar(agent::convert::FileDescriptor(::accept(seat.socket(), nullptr, nullptr)));
        EXPECT_EQ(liar.receive(kOpeningBytes).size(), kOpeningBytes);
        liar.send(std::string(kChallengeBytes, 'x'));
        EXPECT_TRUE(liar.isClosed());
        const RawSocket reflector(agent::convert::FileDescriptor(::accept(seat.socket(), nullptr, nullptr)));
        const RawSocket caller_itself(gate.port());
        caller_itself.send(reflector.receive(kOpeningBytes));
        reflector.send(caller_itself.receive(kChallengeBytes));
        EXPECT_TRUE(reflector.isClosed()) << "the caller does not take itself for the task";
    }
    EXPECT_TRUE(gate->takeAnswered().empty());
    EXPECT_TRUE(gate.called().empty());
}

// What the tasks of a cluster of several computers have. Each is called as if it were on another one.
class TlsGate : public testing::Test {
protected:
    LinkSecret secretOf(const trust::ClusterKey& key, const std::string& task) const {
        return {key.secret(), "the cluster's key", std::make_shared<trust::TlsRelay>(key.issue(task))};
    }
    ConnectionGate::Options gateOf(int rank) const {
        return {.secret = secretOf(key_, "worker " + std::to_string(rank)), .rank = rank, .dial_again = 50ms};
    }
    static TaskPlace elsewhere(const Gate& gate) { return {.target = targetOf(gate.port()), .is_here = false}; }

    const trust::ClusterKey key_ = trust::ClusterKey::make();
    const ReservedPort first_port_, second_port_;
};

TEST_F(TlsGate, CarriesWhatTwoTasksSayAndNamesTheCaller) {
    Gate first(first_port_, gateOf(0)), second(second_port_, gateOf(1));
    first->dial(kLink, elsewhere(second));
    ASSERT_TRUE(first.waitForAnswer());
    ASSERT_TRUE(second.waitForCalls(1));
    const std::vector<Connection> ours = first->takeAnswered(), theirs = second.called();
    ASSERT_EQ(ours.size(), 1U);
    ASSERT_EQ(theirs.size(), 1U);
    EXPECT_EQ(ours[0].proven.session, theirs[0].proven.session);
    const auto proven = second->calledBy("ipv4:" + agent::convert::otherEnd(theirs[0].socket.get()));
    ASSERT_TRUE(proven);
    EXPECT_EQ(proven->call, kLink);
    EXPECT_EQ(::send(theirs[0].socket.get(), "x", 1, 0), 1);
    char byte = 0;
    EXPECT_TRUE(eventually([&] { return ::recv(ours[0].socket.get(), &byte, 1, MSG_DONTWAIT) == 1; }));
    EXPECT_EQ(byte, 'x');
    EXPECT_EQ(second->turnedAway(), 0U);
}

TEST_F(TlsGate, WhoHasNoCertificateOfTheRunIsTurnedAwayAndNamed) {
    Gate second(second_port_, gateOf(1));
    const trust::ClusterKey other = trust::ClusterKey::make();
    ConnectionGate::Options strangers = gateOf(0);
    strangers.secret = secretOf(other, "worker 0");
    strangers.secret.key = key_.secret();  // knowing the secret is not enough
    Gate first(first_port_, strangers);
    first->dial(kLink, elsewhere(second));
    EXPECT_TRUE(eventually([&] { return second->turnedAway() > 0; }));
    EXPECT_TRUE(eventually([&] {
        return first->obstacleTo(1).starts_with("what answers at node2:2222 has not proven the cluster's key (");
    })) << first->obstacleTo(1);
    const std::optional<std::string> news = second->newsOfStrangers();
    ASSERT_TRUE(news);
    EXPECT_THAT(*news, testing::HasSubstr("not proven the cluster's key, the last one 127.0.0.1:"));
    EXPECT_FALSE(second->newsOfStrangers()) << "a log is not filled";
    EXPECT_TRUE(second.called().empty());
}

TEST_F(TlsGate, ACertificateIsGoodForItsTaskAlone) {
    Gate second(second_port_, gateOf(1));
    ConnectionGate::Options another = gateOf(0);
    another.secret = secretOf(key_, "worker 2");
    Gate first(first_port_, another);
    first->dial(kLink, elsewhere(second));
    EXPECT_TRUE(eventually([&] { return second->turnedAway() > 0; }));
    EXPECT_THAT(second->newsOfStrangers().value_or(""), testing::HasSubstr("it calls as another task than its certificate's, worker 2"));
    // The caller sees as well who sits in the seat.
    second->dial({Purpose::kLink, 1, 0}, elsewhere(first));
    EXPECT_TRUE(eventually([&] { return second->obstacleTo(0).find("its certificate is that of worker 2") != std::string::npos; }))
        << second->obstacleTo(0);
    EXPECT_TRUE(second.called().empty());
    EXPECT_TRUE(first.called().empty());
}

TEST_F(TlsGate, SilenceAndNoiseInsideTlsEndInTime) {
    ConnectionGate::Options options = gateOf(1);
    options.prove_within = 300ms;
    Gate gate(second_port_, options);
    const RawSocket silent(gate.port()), began(gate.port()), noise(gate.port());
    began.send("\x16\x03\x01");
    noise.send("\x16\x03\x01" + std::string(300, 'x'));
    EXPECT_TRUE(silent.isClosed());
    EXPECT_TRUE(began.isClosed());
    EXPECT_TRUE(eventually([&] { return gate->turnedAway() == 3; }));
    EXPECT_TRUE(holdsOnce([&] {  // a task of this computer needs no certificate, and proves itself in time unless it is held up
        try {
            provenSocket(gate.port(), key_.secret(), kLink);
            return true;
        } catch (const std::exception&) {
            return false;
        }
    }));
    EXPECT_TRUE(gate.waitForCalls(1));
}

TEST(ConnectionGate, IsShutOnceEverybodyIsHereAndKeepsItsPort) {
    const ReservedPort port;
    Gate gate(port);
    const RawSocket before(gate.port());
    gate->close();
    EXPECT_TRUE(before.isClosed());
    EXPECT_ANY_THROW(RawSocket(gate.port()));
    try {
        const Gate second(port);
        ADD_FAILURE() << "listens twice";
    } catch (const engine::Error& error) {
        EXPECT_STREQ(error.what(), "is in use by another program");
    }
}

}  // namespace
