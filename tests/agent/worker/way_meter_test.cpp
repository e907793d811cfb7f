#include "agent/transport/way_meter.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "agent/local/file_descriptor.h"
#include "engine/spec/error.h"

namespace {

using namespace std::chrono_literals;
using namespace agent::worker;
using agent::convert::FileDescriptor;

// Short, and so patient that a loaded machine does not change what is found.
const WayLimits kLimits{.round_trips = 5, .round_trip_time = 3min, .data_time = 3min, .data_bytes = 1 << 20, .quiet = 3min};

bool never() {
    return false;
}

struct Ends {
    FileDescriptor caller, called;
};

Ends connectedEnds() {
    int ends[2] = {-1, -1};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends), 0);
    return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

std::string header(unsigned kind, unsigned bytes) {
    std::string text;
    for (const unsigned value : {kind, bytes}) {
        for (int shift = 0; shift < 32; shift += 8) text += static_cast<char>(value >> shift & 0xFFU);
    }
    return text;
}

// All of it, however slowly the other side takes it.
void sendAll(int socket, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent > 0) {
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        } else if (errno != EAGAIN) {
            return;  // the other side has closed
        } else {
            std::this_thread::sleep_for(1ms);
        }
    }
}

// What the called end makes of these bytes.
WayEnd echoOf(const std::string& bytes, const WayLimits& limits = kLimits) {
    Ends ends = connectedEnds();
    auto end = std::async(std::launch::async, [&] {
        const WayEnd why = echoWay(ends.called.get(), limits, never);
        ends.called.reset();
        return why;
    });
    sendAll(ends.caller.get(), bytes);
    ::shutdown(ends.caller.get(), SHUT_WR);
    return end.get();
}

// How measureWay() fails when the other end answers with these bytes and then, where it closes, closes.
engine::ErrorCode failureOf(const std::string& answer, bool closes, WayLimits limits = kLimits) {
    Ends ends = connectedEnds();
    sendAll(ends.called.get(), answer);
    if (closes) ::shutdown(ends.called.get(), SHUT_WR);
    try {
        measureWay(ends.caller.get(), limits);
    } catch (const engine::Error& error) {
        return error.code();
    }
    return engine::ErrorCode::kInternal;
}

TEST(WayMeter, MeasuresWhatTheOtherEndSendsBack) {
    Ends ends = connectedEnds();
    auto end = std::async(std::launch::async, [&] { return echoWay(ends.called.get(), kLimits, never); });
    const WayNumbers numbers = measureWay(ends.caller.get(), kLimits);
    ends.caller.reset();
    EXPECT_EQ(end.get(), WayEnd::kClosed);
    EXPECT_GT(numbers.round_trip_us, 0);
    EXPECT_GT(numbers.bytes_per_s, 0);
}

// A way that holds every byte for some time and lets so many a second pass.
class NarrowWay {
public:
    NarrowWay(int from, int to, std::chrono::milliseconds delay, double bytes_per_s)
        : thread_([=](const std::stop_token& stop) {
              std::vector<char> piece(4096);
              while (!stop.stop_requested()) {
                  const ssize_t got = ::recv(from, piece.data(), piece.size(), 0);
                  if (got == 0 || (got < 0 && errno != EAGAIN)) break;
                  if (got < 0) {
                      std::this_thread::sleep_for(200us);
                      continue;
                  }
                  std::this_thread::sleep_for(delay + std::chrono::duration<double>(static_cast<double>(got) / bytes_per_s));
                  sendAll(to, {piece.data(), static_cast<std::size_t>(got)});
              }
              ::shutdown(to, SHUT_WR);
          }) {}

private:
    std::jthread thread_;
};

TEST(WayMeter, ANarrowWayIsNotMeasuredWiderThanItIs) {
    constexpr double kRate = 2e6;
    constexpr auto kDelay = 5ms;
    Ends near = connectedEnds(), far = connectedEnds();
    auto end = std::async(std::launch::async, [&] { return echoWay(far.called.get(), kLimits, never); });
    WayNumbers numbers;
    {
        const NarrowWay there(near.called.get(), far.caller.get(), kDelay, kRate), back(far.caller.get(), near.called.get(), kDelay, 1e9);
        numbers = measureWay(near.caller.get(), kLimits);
        near.caller.reset();
    }
    far.caller.reset();
    end.get();
    EXPECT_GE(numbers.round_trip_us, 10'000) << "5 ms there and 5 ms back";
    EXPECT_GT(numbers.bytes_per_s, 0);
    EXPECT_LE(numbers.bytes_per_s, kRate);
}

TEST(WayMeter, TheBytesOfAMeasurementAreBounded) {
    WayLimits limits = kLimits;
    limits.data_bytes = 256 << 10;
    Ends ends = connectedEnds();
    std::atomic<std::size_t> came = 0;
    auto end = std::async(std::launch::async, [&] {
        std::vector<char> piece(1 << 16);
        // It counts what a caller sends, and answers as the called end does.
        Ends inner = connectedEnds();
        auto answers = std::async(std::launch::async, [&] { return echoWay(inner.called.get(), limits, never); });
        for (;;) {
            ssize_t got = ::recv(ends.called.get(), piece.data(), piece.size(), 0);
            if (got > 0) came += static_cast<std::size_t>(got), sendAll(inner.caller.get(), {piece.data(), static_cast<std::size_t>(got)});
            if (got == 0) break;
            got = ::recv(inner.caller.get(), piece.data(), piece.size(), 0);
            if (got > 0) sendAll(ends.called.get(), {piece.data(), static_cast<std::size_t>(got)});
            std::this_thread::sleep_for(100us);
        }
        inner.caller.reset();
        return answers.get();
    });
    measureWay(ends.caller.get(), limits);
    ends.caller.reset();
    EXPECT_EQ(end.get(), WayEnd::kClosed);
    EXPECT_EQ(came, (256U << 10) + 6 * 64) << "the data, and a first round trip with five more";
}

TEST(WayMeter, WhoIsCalledEndsWithWhoSendsSomethingElseOrTooMuch) {
    const std::string data = header(2, (64U << 10) - 8) + std::string((64U << 10) - 8, 'x'), echo = header(1, 56) + std::string(56, 'x');
    EXPECT_EQ(echoOf(""), WayEnd::kClosed);
    EXPECT_EQ(echoOf(echo + data), WayEnd::kClosed);
    EXPECT_EQ(echoOf("GET / HTTP/1.1\r\n\r\n"), WayEnd::kNotUnderstood);
    EXPECT_EQ(echoOf(header(3, 8) + "12345678"), WayEnd::kNotUnderstood);
    EXPECT_EQ(echoOf(header(2, 1U << 30)), WayEnd::kNotUnderstood) << "no message is larger than a piece";
    EXPECT_EQ(echoOf(header(1, 0xFFFFFFFFU)), WayEnd::kNotUnderstood);
    std::string much;
    WayLimits limits = kLimits;
    limits.data_bytes = 256 << 10;
    for (int i = 0; i < 8; ++i) much += data;
    EXPECT_EQ(echoOf(much, limits), WayEnd::kTooMuch);
}

TEST(WayMeter, WhoIsCalledWaitsForNobodyForGood) {
    WayLimits limits = kLimits;
    limits.round_trip_time = limits.data_time = limits.quiet = 20ms;
    const Ends ends = connectedEnds();
    EXPECT_EQ(echoWay(ends.called.get(), limits, never), WayEnd::kTooLong) << "a caller that says nothing";
    std::atomic<int> asked = 0;
    EXPECT_EQ(echoWay(ends.called.get(), kLimits, [&] { return ++asked > 2; }), WayEnd::kCancelled);
}

TEST(WayMeter, ACallerNamesSilenceAnEndAndAStranger) {
    WayLimits limits = kLimits;
    limits.quiet = 50ms;
    EXPECT_EQ(failureOf("", false, limits), engine::ErrorCode::kDeadlineExceeded);
    EXPECT_EQ(failureOf("", true), engine::ErrorCode::kUnavailable);
    EXPECT_EQ(failureOf("HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", false), engine::ErrorCode::kDataLoss);
    const std::string echo = header(1, 56) + std::string(56, 'x');
    std::string six;
    for (int i = 0; i < 6; ++i) six += echo;
    EXPECT_EQ(failureOf(six + header(2, 1), false), engine::ErrorCode::kDataLoss) << "an answer to nothing that was sent";
    EXPECT_EQ(failureOf(six, true), engine::ErrorCode::kUnavailable);
}

}  // namespace
