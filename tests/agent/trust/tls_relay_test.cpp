#include "agent/trust/tls_relay.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <string>
#include <thread>

#include "agent/local/socket_address.h"
#include "tests/support/eventually.h"

namespace {

using namespace std::chrono_literals;
using namespace agent::trust;
using agent::convert::FileDescriptor;
using agent::convert::otherEnd;
using tests::support::eventually;

struct Ends {
    FileDescriptor first, second;
};

Ends makeSockets() {
    int ends[2] = {-1, -1};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends), 0);
    return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

void setBlocking(const FileDescriptor& socket) {
    ::fcntl(socket.get(), F_SETFL, ::fcntl(socket.get(), F_GETFL) & ~O_NONBLOCK);
}

// Two tasks and a connection between them, of which each has its plain end.
class TlsRelayTest : public testing::Test {
protected:
    struct Met {
        std::unique_ptr<TlsSession> caller, called;
    };
    // The sessions of both ends, once they have shaken hands.
    Met met(const Ends& network) const {
        auto caller = std::make_unique<TlsSession>(first_->context(), TlsSession::Side::kCaller, network.first.get());
        auto called = std::make_unique<TlsSession>(second_->context(), TlsSession::Side::kCalled, network.second.get());
        for (bool caller_done = false, called_done = false; !caller_done || !called_done;) {
            if (!caller_done) caller_done = progressed(caller->handshake());
            if (!called_done) called_done = progressed(called->handshake());
        }
        return {std::move(caller), std::move(called)};
    }
    void SetUp() override {
        Ends network = makeSockets();
        auto [caller, called] = met(network);
        first_end_ = first_->carry(std::move(network.first), std::move(caller));
        second_end_ = second_->carry(std::move(network.second), std::move(called));
        setBlocking(first_end_);
        setBlocking(second_end_);
    }
    static bool progressed(TlsSession::Result result) {
        EXPECT_NE(result, TlsSession::Result::kFailed);
        EXPECT_NE(result, TlsSession::Result::kClosed);
        return result == TlsSession::Result::kDone;
    }

    const ClusterKey key_ = ClusterKey::make();
    std::unique_ptr<TlsRelay> first_ = std::make_unique<TlsRelay>(key_.issue("worker 0"));
    std::unique_ptr<TlsRelay> second_ = std::make_unique<TlsRelay>(key_.issue("worker 1"));
    FileDescriptor first_end_, second_end_;
};

std::string randomBytes(std::size_t size, unsigned seed) {
    std::mt19937 random(seed);
    std::string bytes(size, '\0');
    std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<char>(random()); });
    return bytes;
}

void sendAll(const FileDescriptor& socket, const std::string& bytes) {
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t sent = ::send(socket.get(), bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
        if (sent <= 0) return;
        done += static_cast<std::size_t>(sent);
    }
}

std::string receiveAll(const FileDescriptor& socket, std::size_t size) {
    std::string bytes(size, '\0');
    std::size_t have = 0;
    while (have < size) {
        const ssize_t got = ::recv(socket.get(), bytes.data() + have, size - have, 0);
        if (got <= 0) break;
        have += static_cast<std::size_t>(got);
    }
    bytes.resize(have);
    return bytes;
}

TEST_F(TlsRelayTest, CarriesBothWaysAtOnce) {
    const std::string there = randomBytes(20'000'000, 1), back = randomBytes(7'000'001, 2);
    std::jthread send_there([&] { sendAll(first_end_, there); }), send_back([&] { sendAll(second_end_, back); });
    std::string came_back;
    std::jthread receive_back([&] { came_back = receiveAll(first_end_, back.size()); });
    EXPECT_TRUE(receiveAll(second_end_, there.size()) == there);
    receive_back.join();
    EXPECT_TRUE(came_back == back);
}

// A side that takes nothing must not fill the memory of this process: its sender has to wait.
TEST_F(TlsRelayTest, HoldsBackWhoSendsMoreThanIsTaken) {
    ::fcntl(first_end_.get(), F_SETFL, ::fcntl(first_end_.get(), F_GETFL) | O_NONBLOCK);
    const std::string piece(1 << 20, 'x');
    std::size_t sent = 0;
    for (int waited = 0; waited < 50;) {
        const ssize_t bytes = ::send(first_end_.get(), piece.data(), piece.size(), MSG_NOSIGNAL);
        if (bytes > 0) {
            sent += static_cast<std::size_t>(bytes);
            waited = 0;
            ASSERT_LT(sent, std::size_t{256} << 20) << "nobody reads it";
        } else {
            ++waited;
            pollfd entry{first_end_.get(), POLLOUT, 0};
            ::poll(&entry, 1, 10);
        }
    }
    EXPECT_EQ(receiveAll(second_end_, sent).size(), sent) << "nothing is lost";
}

TEST_F(TlsRelayTest, TheEndOfOneSideIsSeenAfterItsLastByte) {
    sendAll(first_end_, "the last word");
    first_end_.reset();
    EXPECT_EQ(receiveAll(second_end_, 100), "the last word");
}

TEST_F(TlsRelayTest, HalfAnEndLetsTheAnswerThrough) {
    sendAll(first_end_, "question");
    ::shutdown(first_end_.get(), SHUT_WR);
    EXPECT_EQ(receiveAll(second_end_, 100), "question");
    sendAll(second_end_, "answer");
    second_end_.reset();
    EXPECT_EQ(receiveAll(first_end_, 100), "answer");
}

// A side that has ended is let go after a few seconds, whether or not the other one has taken everything.
TEST_F(TlsRelayTest, WhatWasSentBeforeAnEndLongAgoIsStillThere) {
    const std::string bytes = randomBytes(100'000, 3);
    sendAll(first_end_, bytes);
    ::shutdown(first_end_.get(), SHUT_WR);
    EXPECT_TRUE(eventually([&] { return first_->peers().empty() && second_->peers().empty(); }));
    EXPECT_TRUE(receiveAll(second_end_, bytes.size() + 1) == bytes);
}

// As long as it comes: the seconds after which a half-ended connection is let go count from the last byte on.
TEST_F(TlsRelayTest, HalfAnEndLetsALongAnswerThrough) {
    ::shutdown(first_end_.get(), SHUT_WR);
    EXPECT_EQ(receiveAll(second_end_, 1), "") << "the end has come";
    const std::string piece = randomBytes(1000, 4);
    std::string sent;
    for (const auto end = std::chrono::steady_clock::now() + 7s; std::chrono::steady_clock::now() < end;) {
        sendAll(second_end_, piece);
        sent += piece;
        ASSERT_EQ(receiveAll(first_end_, piece.size()), piece) << "after " << sent.size() << " bytes";
        std::this_thread::sleep_for(100ms);
    }
    second_end_.reset();
    EXPECT_EQ(receiveAll(first_end_, 1), "");
}

// As where an agent is reached directly: the relay is given the socket of whoever calls.
TEST_F(TlsRelayTest, JoinsASocketOfAnyKindAndCarriesHalfItsEnd) {
    Ends network = makeSockets(), near = makeSockets(), far = makeSockets();
    auto [caller, called] = met(network);
    first_->join(std::move(network.first), std::move(caller), std::move(near.first));
    second_->join(std::move(network.second), std::move(called), std::move(far.first));
    setBlocking(near.second);
    setBlocking(far.second);
    sendAll(near.second, "question");
    ::shutdown(near.second.get(), SHUT_WR);
    EXPECT_EQ(receiveAll(far.second, 100), "question");
    sendAll(far.second, "answer");
    far.second.reset();
    EXPECT_EQ(receiveAll(near.second, 100), "answer");
    EXPECT_TRUE(eventually([&] { return first_->peers()["worker 1"] == 1; })) << "the other connection stays";
}

TEST_F(TlsRelayTest, ALostTaskEndsTheConnection) {
    second_.reset();
    EXPECT_EQ(receiveAll(first_end_, 100), "");
}

TEST_F(TlsRelayTest, ThePlainEndIsKnownByAnAddressOfTheRelay) {
    EXPECT_TRUE(otherEnd(second_end_.get()).starts_with(std::string(TlsRelay::kRelayHost) + ":"));
}

}  // namespace
