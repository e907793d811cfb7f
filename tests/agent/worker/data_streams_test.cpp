// Streams of messages over sockets: whole and in order however the bytes are cut, and ended in order or by a fault.
#include "agent/transport/data_streams.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "agent/trust/cluster_key.h"
#include "agent/trust/tls_relay.h"
#include "agent/trust/tls_session.h"
#include "tests/support/eventually.h"

namespace {

using namespace std::chrono_literals;
namespace trust = agent::trust;
using agent::convert::FileDescriptor;
using agent::worker::DataStreams;
using engine::distribute::Message;
using tests::support::eventually;

// What a socket between two tasks is, of as little room as the system gives: messages then go in pieces.
std::pair<FileDescriptor, FileDescriptor> narrowSockets() {
    int ends[2] = {-1, -1};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends), 0);
    const int bytes = 4096;
    for (const int end : ends) ::setsockopt(end, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

std::vector<std::byte> bytesOf(const Message& message) {
    std::vector<std::byte> all;
    for (const auto& fragment : message.fragments) all.insert(all.end(), fragment.begin(), fragment.end());
    return all;
}

// Rank 0 sends to rank 1.
class Pair {
public:
    Pair() {
        auto [to, from] = narrowSockets();
        sender.openOutgoing(1, std::move(to));
        receiver.attachIncoming(0, std::move(from));
    }
    std::vector<std::string> broken;
    DataStreams sender{2, [this](int peer, const std::string& why) { broken.push_back(std::to_string(peer) + ": " + why); }};
    DataStreams receiver{2, [this](int peer, const std::string& why) { broken.push_back(std::to_string(peer) + ": " + why); }};
};

TEST(DataStreams, MessagesArriveWholeAndInOrderHoweverTheBytesAreCut) {
    Pair pair;
    std::mt19937 random(7);
    std::vector<std::vector<std::byte>> sent;
    for (int i = 0; i < 60; ++i) {
        const std::size_t sizes[] = {0, 1, 15, random() % 5000, random() % DataStreams::kMessageBytes, DataStreams::kMessageBytes};
        std::vector<std::byte> bytes(sizes[static_cast<std::size_t>(i) % std::size(sizes)]);
        for (std::byte& one : bytes) one = static_cast<std::byte>(random());
        sent.push_back(std::move(bytes));
    }
    std::size_t next = 0, received = 0;
    const auto end = std::chrono::steady_clock::now() + 60s;
    while (received < sent.size() && std::chrono::steady_clock::now() < end) {
        if (next < sent.size() && pair.sender.trySend(1, next, sent[next])) ++next;
        pair.sender.poll(0us);
        pair.receiver.poll(0us);
        while (const Message* message = pair.receiver.tryReceive(0)) {
            EXPECT_EQ(pair.receiver.tryReceive(0), message) << "until it is released";
            ASSERT_EQ(message->tag, received);
            ASSERT_EQ(message->bytes, sent[received].size());
            ASSERT_EQ(bytesOf(*message), sent[received]);
            pair.receiver.release(0);
            ++received;
        }
    }
    EXPECT_EQ(received, sent.size());
    EXPECT_TRUE(pair.sender.drained(1));
    EXPECT_THAT(pair.broken, testing::IsEmpty());
}

TEST(DataStreams, SenderThatGoesFirstLeavesWhatItSaid) {
    Pair pair;
    const std::vector<std::byte> bytes(100'000, std::byte{5});
    ASSERT_TRUE(pair.sender.trySend(1, 1, bytes));
    EXPECT_FALSE(pair.sender.drained(1)) << "the socket took a part of it";
    EXPECT_FALSE(pair.sender.trySend(1, 2, bytes)) << "no room, and nothing of it is sent";
    pair.sender.finishWriting();
    EXPECT_FALSE(pair.sender.finished());
    const auto end = std::chrono::steady_clock::now() + 3min;
    while (!pair.sender.finished() && std::chrono::steady_clock::now() < end) {
        pair.sender.poll(1000us);
        pair.receiver.poll(0us);
    }
    EXPECT_TRUE(pair.sender.finished());
    const Message* message = pair.receiver.tryReceive(0);
    ASSERT_TRUE(message);
    EXPECT_EQ(bytesOf(*message), bytes);
    pair.receiver.release(0);
    EXPECT_FALSE(pair.receiver.tryReceive(0));
    EXPECT_THAT(pair.broken, testing::IsEmpty());
}

TEST(DataStreams, PeerThatIsGoneIsToldWhereSomethingIsSentToIt) {
    Pair pair;
    pair.receiver.shutDown();
    const std::vector<std::byte> bytes(10, std::byte{1});
    EXPECT_FALSE(pair.sender.trySend(1, 1, bytes));
    EXPECT_THAT(pair.broken, testing::ElementsAre(testing::StartsWith("1: ")));
    EXPECT_FALSE(pair.sender.trySend(1, 2, bytes));
    EXPECT_EQ(pair.broken.size(), 1) << "once";
    pair.sender.finishWriting();
    EXPECT_TRUE(pair.sender.finished());
}

// One stream's end of this task; at the other one is the test, which does what no task does.
class Hearer {
public:
    explicit Hearer(std::chrono::milliseconds end_grace = 20ms)
        : streams(
              2, [this](int peer, const std::string& why) { broken.push_back(std::to_string(peer) + ": " + why); }, end_grace) {
        auto [ours, other] = narrowSockets();
        theirs = std::move(other);
        streams.attachIncoming(0, std::move(ours));
    }
    void say(std::uint64_t bytes_said, std::size_t bytes_sent) const {
        const std::uint64_t header[] = {1, bytes_said};
        ASSERT_EQ(::send(theirs.get(), header, sizeof header, MSG_NOSIGNAL), static_cast<ssize_t>(sizeof header));
        const std::vector<std::byte> bytes(bytes_sent, std::byte{7});
        ASSERT_EQ(::send(theirs.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
    }
    bool isBroken() {
        return eventually([this] {
            streams.poll(1ms);
            return !broken.empty();
        });
    }

    std::vector<std::string> broken;
    FileDescriptor theirs;
    DataStreams streams;
};

TEST(DataStreams, LengthThatNoMessageHasBreaksTheStreamOnce) {
    Hearer hearer;
    hearer.say(DataStreams::kMessageBytes + 1, 10);
    hearer.streams.poll(1s);
    EXPECT_FALSE(hearer.streams.tryReceive(0));
    EXPECT_FALSE(hearer.streams.tryReceive(0));
    EXPECT_THAT(hearer.broken, testing::ElementsAre("0: expected messages of 524288 bytes at most, got one of 524289"));
    EXPECT_FALSE(::send(hearer.theirs.get(), "x", 1, MSG_NOSIGNAL) == 1) << "its connection is closed";
}

TEST(DataStreams, StreamThatEndsInsideAMessageIsBroken) {
    Hearer hearer;
    hearer.say(100, 10);
    ::shutdown(hearer.theirs.get(), SHUT_WR);  // half of the connection is enough
    ASSERT_TRUE(hearer.isBroken());
    EXPECT_THAT(hearer.broken, testing::ElementsAre("0: it ended in the middle of a message"));
    EXPECT_FALSE(hearer.streams.tryReceive(0));
}

TEST(DataStreams, StreamThatEndsInsideAHeaderIsBroken) {
    Hearer hearer;
    hearer.say(10, 10);
    ASSERT_EQ(::send(hearer.theirs.get(), "half", 4, MSG_NOSIGNAL), 4);
    hearer.theirs.reset();
    ASSERT_TRUE(hearer.isBroken());
    EXPECT_THAT(hearer.broken, testing::ElementsAre("0: it ended in the middle of a message"));
    EXPECT_TRUE(hearer.streams.tryReceive(0)) << "what came whole may be taken";
}

// Nobody would be waited for any more: not by the heartbeats, which go another way.
TEST(DataStreams, StreamThatEndsBetweenMessagesIsBrokenWhenNobodySaysWhy) {
    Hearer hearer;
    hearer.say(10, 10);
    hearer.theirs.reset();
    ASSERT_TRUE(hearer.isBroken());
    EXPECT_THAT(hearer.broken, testing::ElementsAre(testing::HasSubstr("0: it ended, and the task has not said that it leaves")));
    ASSERT_TRUE(hearer.streams.tryReceive(0));
    hearer.streams.release(0);
    EXPECT_FALSE(hearer.streams.tryReceive(0));
    hearer.streams.poll(1ms);
    EXPECT_EQ(hearer.broken.size(), 1U) << "once";
}

TEST(DataStreams, EndsAreNoFaultForATaskThatLeavesItself) {
    Hearer hearer(0ms);
    hearer.say(100, 10);
    hearer.streams.finishWriting();
    hearer.theirs.reset();
    // The socket is let go when its end was seen.
    EXPECT_TRUE(eventually([&] {
        hearer.streams.tick();
        hearer.streams.poll(1ms);
        return hearer.streams.finished();
    }));
    hearer.streams.tick();
    EXPECT_THAT(hearer.broken, testing::IsEmpty());
}

// The same of the end that sends, where there is nothing to send.
class Speaker {
public:
    Speaker() {
        auto [ours, other] = narrowSockets();
        theirs = std::move(other);
        streams.openOutgoing(1, std::move(ours));
    }
    bool isBroken() {
        return eventually([this] {
            streams.tick();
            return !broken.empty();
        });
    }

    std::vector<std::string> broken;
    FileDescriptor theirs;
    DataStreams streams{2, [this](int peer, const std::string& why) { broken.push_back(std::to_string(peer) + ": " + why); }, 20ms};
};

TEST(DataStreams, PeerThatTakesNothingMoreIsToldThoughNothingIsSentToIt) {
    Speaker speaker;
    speaker.theirs.reset();
    ASSERT_TRUE(speaker.isBroken());
    EXPECT_THAT(speaker.broken, testing::ElementsAre("1: it takes nothing more, and has not said that it leaves"));
    EXPECT_FALSE(speaker.streams.trySend(1, 1, {}));
    EXPECT_EQ(speaker.broken.size(), 1U) << "once";
}

TEST(DataStreams, PeerThatSpeaksWhereItOnlyHearsBreaksTheStream) {
    Speaker speaker;
    ASSERT_EQ(::send(speaker.theirs.get(), "x", 1, MSG_NOSIGNAL), 1);
    ASSERT_TRUE(speaker.isBroken());
    EXPECT_THAT(speaker.broken, testing::ElementsAre("1: expected nothing from whom the stream leads to, got bytes"));
}

// The connections' own thread lets go of the streams while the task's thread uses them.
TEST(DataStreams, EndWhileAnotherThreadUsesThem) {
    for (int round = 0; round < 20; ++round) {
        Pair pair;
        std::atomic<bool> begun{false};
        std::jthread user([&](const std::stop_token& stop) {
            const std::vector<std::byte> bytes(20'000, std::byte{3});
            std::uint64_t tag = 0;
            while (!stop.stop_requested()) {
                if (pair.sender.trySend(1, tag, bytes)) ++tag;
                pair.sender.poll(100us);
                pair.receiver.poll(100us);
                if (pair.receiver.tryReceive(0)) pair.receiver.release(0);
                begun = tag > 0;
            }
        });
        ASSERT_TRUE(eventually([&] { return begun.load(); }));
        pair.sender.tick();
        pair.sender.shutDown();
        pair.receiver.shutDown();
        pair.receiver.tick();
        user.request_stop();
        user.join();
        EXPECT_FALSE(pair.sender.trySend(1, 0, {}));
        EXPECT_THAT(pair.broken, testing::IsEmpty());
    }
}

void ignore(int /*signal*/) {}

TEST(DataStreams, SignalsLoseNothing) {
    struct sigaction action {};
    struct sigaction before {};
    action.sa_handler = ignore;  // no SA_RESTART: calls that wait come back
    ASSERT_EQ(::sigaction(SIGUSR1, &action, &before), 0);
    Pair pair;
    std::atomic<int> received{0};
    constexpr int kMessages = 200;
    {
        std::jthread task([&](const std::stop_token& stop) {
            const std::vector<std::byte> bytes(30'000, std::byte{9});
            int sent = 0;
            while (received < kMessages && !stop.stop_requested()) {
                if (sent < kMessages && pair.sender.trySend(1, static_cast<std::uint64_t>(sent), bytes)) ++sent;
                pair.sender.poll(0us);
                pair.receiver.poll(200us);
                if (const Message* message = pair.receiver.tryReceive(0)) {
                    if (message->tag == static_cast<std::uint64_t>(received.load()) && bytesOf(*message) == bytes) ++received;
                    pair.receiver.release(0);
                }
            }
        });
        EXPECT_TRUE(eventually([&] {
            ::pthread_kill(task.native_handle(), SIGUSR1);
            return received == kMessages;
        }));
    }
    ::sigaction(SIGUSR1, &before, nullptr);
    EXPECT_THAT(pair.broken, testing::IsEmpty());
}

// Two tasks of two computers: their streams go through a relay on either side, which speaks TLS with the other.
class RelayedPair {
public:
    RelayedPair() {
        auto [near, far] = narrowSockets();
        auto caller = std::make_unique<trust::TlsSession>(first->context(), trust::TlsSession::Side::kCaller, near.get());
        auto called = std::make_unique<trust::TlsSession>(second->context(), trust::TlsSession::Side::kCalled, far.get());
        const auto isDone = [](trust::TlsSession::Result result) { return result == trust::TlsSession::Result::kDone; };
        bool is_first_done = false, is_second_done = false;
        const bool met = eventually([&] {
            is_first_done = is_first_done || isDone(caller->handshake());
            is_second_done = is_second_done || isDone(called->handshake());
            return is_first_done && is_second_done;
        });
        EXPECT_TRUE(met);
        sender.openOutgoing(1, first->carry(std::move(near), std::move(caller)));
        receiver.attachIncoming(0, second->carry(std::move(far), std::move(called)));
    }
    // Takes what has come; true once there are so many messages of those bytes.
    bool hasReceived(std::size_t messages, const std::vector<std::byte>& bytes) {
        receiver.poll(1ms);
        while (const Message* message = receiver.tryReceive(0)) {
            EXPECT_EQ(message->tag, received);
            EXPECT_EQ(bytesOf(*message), bytes);
            receiver.release(0);
            ++received;
        }
        return received >= messages;
    }

    const trust::ClusterKey key = trust::ClusterKey::make();
    std::unique_ptr<trust::TlsRelay> first = std::make_unique<trust::TlsRelay>(key.issue("worker 0"));
    std::unique_ptr<trust::TlsRelay> second = std::make_unique<trust::TlsRelay>(key.issue("worker 1"));
    std::size_t received = 0;
    std::vector<std::string> sender_broken, receiver_broken;
    DataStreams sender{2, [this](int, const std::string& why) { sender_broken.push_back(why); }, 20ms};
    DataStreams receiver{2, [this](int, const std::string& why) { receiver_broken.push_back(why); }, 20ms};
};

TEST(DataStreams, WhatIsLeftComesThroughARelayBehindItsSendersEnd) {
    RelayedPair pair;
    const std::vector<std::byte> bytes(DataStreams::kMessageBytes, std::byte{4});
    std::size_t sent = 0;
    while (pair.sender.trySend(1, sent, bytes)) ++sent;  // until nobody has room
    ASSERT_GE(sent, 1U);
    pair.sender.finishWriting();
    EXPECT_TRUE(eventually([&] {
        pair.sender.poll(1ms);
        return pair.hasReceived(sent, bytes) && pair.sender.finished();
    }));
    EXPECT_EQ(pair.received, sent);
    EXPECT_FALSE(pair.receiver.tryReceive(0));
    EXPECT_THAT(pair.sender_broken, testing::IsEmpty());
}

TEST(DataStreams, ATaskThatDiesBehindARelayIsToldToItsPeers) {
    RelayedPair pair;
    const std::vector<std::byte> bytes(1000, std::byte{6});
    ASSERT_TRUE(pair.sender.trySend(1, 0, bytes));
    ASSERT_TRUE(eventually([&] { return pair.hasReceived(1, bytes); }));
    pair.first.reset();  // its process is gone, and its connections with it
    EXPECT_TRUE(eventually([&] {
        pair.receiver.poll(1ms);
        return !pair.receiver_broken.empty();
    }));
    EXPECT_EQ(pair.receiver_broken.size(), 1U);
}

TEST(DataStreams, APeerThatDiesBehindARelayIsToldToWhoSendsNothing) {
    RelayedPair pair;
    pair.second.reset();
    EXPECT_TRUE(eventually([&] {
        pair.sender.tick();
        return !pair.sender_broken.empty();
    }));
    EXPECT_EQ(pair.sender_broken.size(), 1U);
}

TEST(DataStreams, PollComesBackAsSoonAsSomethingIsThere) {
    Pair pair;
    const std::vector<std::byte> bytes(10, std::byte{1});
    std::jthread later([&] {
        std::this_thread::sleep_for(20ms);
        pair.sender.trySend(1, 1, bytes);
    });
    const auto begin = std::chrono::steady_clock::now();
    pair.receiver.poll(60s);
    EXPECT_TRUE(pair.receiver.tryReceive(0));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 50s);
}

}  // namespace
