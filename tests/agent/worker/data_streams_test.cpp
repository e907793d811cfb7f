// Streams of messages over sockets: whole and in order however the bytes are cut, and ended in order or by a fault.
#include "agent/transport/data_streams.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/spec/error.h"

namespace {

using namespace std::chrono_literals;
using agent::convert::FileDescriptor;
using agent::worker::DataStreams;
using engine::distribute::Message;

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
    const auto end = std::chrono::steady_clock::now() + 20s;
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

TEST(DataStreams, LengthThatNoMessageHasIsRefused) {
    auto [ours, theirs] = narrowSockets();
    DataStreams receiver(2, [](int, const std::string&) {});
    receiver.attachIncoming(0, std::move(ours));
    const std::uint64_t header[] = {1, DataStreams::kMessageBytes + 1};
    ASSERT_EQ(::send(theirs.get(), header, sizeof header, 0), static_cast<ssize_t>(sizeof header));
    receiver.poll(1s);
    try {
        receiver.tryReceive(0);
        FAIL() << "expected an error";
    } catch (const engine::Error& error) {
        EXPECT_EQ(error.code(), engine::ErrorCode::kDataLoss);
        EXPECT_STREQ(error.what(), "a data stream: expected messages of 524288 bytes at most, got one of 524289");
    }
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
