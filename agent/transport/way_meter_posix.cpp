#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <poll.h>
#include <sys/socket.h>

#include "agent/transport/way_meter.h"
#include "engine/spec/error.h"

namespace agent::worker {
namespace {

using engine::Error;
using engine::ErrorCode;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::uint32_t kEcho = 1, kData = 2;
constexpr std::size_t kWayHeaderBytes = 8, kEchoBytes = 64;     // a whole echo
constexpr std::size_t kChunkBytes = 64u << 10;                  // a whole message of data
constexpr std::int64_t kFirstWindow = std::int64_t{128} << 10;  // bytes on their way before anything is known of the connection
constexpr auto kWindow = 500ms;                                 // later as many as it took in this time
constexpr std::size_t kBufferBytes = 256u << 10, kMostReplies = 64u << 10;
constexpr std::size_t kMostEchoes = 10'000;
constexpr auto kWayMeterLook = 50ms;  // between two questions whether it is cancelled

void putNumber(char* at, std::uint32_t value) {
    for (int i = 0; i < 4; ++i) at[i] = static_cast<char>(value >> 8 * i & 0xFF);
}

std::uint32_t wireNumber(const char* at) {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i) value |= static_cast<std::uint32_t>(static_cast<unsigned char>(at[i])) << 8 * i;
    return value;
}

std::string messageOf(std::uint32_t kind, std::size_t whole) {
    std::string message(whole, 'x');
    putNumber(message.data(), kind);
    putNumber(message.data() + 4, static_cast<std::uint32_t>(whole - kWayHeaderBytes));
    return message;
}

// The events that came until then; 0: none.
short waitFor(int socket, short events, Clock::time_point until) {
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
        pollfd entry{socket, events, 0};
        const int ready = ::poll(&entry, 1, static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 60'000)));
        if (ready > 0) return entry.revents;
        if (ready == 0 || errno != EINTR) return 0;
    }
}

// Bytes that were moved; 0: none can be now. Throws Error(kUnavailable) at the end of the connection.
std::size_t moved(ssize_t bytes) {
    if (bytes > 0) return static_cast<std::size_t>(bytes);
    if (bytes < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return 0;
    throw Error(ErrorCode::kUnavailable, "the other end has closed the connection");
}

std::size_t sendNow(int socket, std::string_view bytes) {
    return moved(::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
}

std::size_t receiveSome(int socket, char* into, std::size_t size) {
    return moved(::recv(socket, into, size, MSG_DONTWAIT));
}

[[noreturn]] void throwSilence(std::chrono::milliseconds quiet) {
    throw Error(ErrorCode::kDeadlineExceeded,
                "nothing came back within " + std::to_string(std::chrono::ceil<std::chrono::seconds>(quiet).count()) + " s");
}

[[noreturn]] void throwStrange() {
    throw Error(ErrorCode::kDataLoss, "what came back is no answer to what was sent");
}

// Measures one echo, in microseconds.
double roundTrip(int socket, const std::string& echo, std::chrono::milliseconds quiet) {
    const auto start = Clock::now(), until = start + quiet;
    for (std::size_t sent = 0; sent < echo.size();) {
        if (waitFor(socket, POLLOUT, until) == 0) throwSilence(quiet);
        sent += sendNow(socket, std::string_view(echo).substr(sent));
    }
    std::string back(echo.size(), '\0');
    for (std::size_t have = 0; have < back.size();) {
        if (waitFor(socket, POLLIN, until) == 0) throwSilence(quiet);
        have += receiveSome(socket, back.data() + have, back.size() - have);
    }
    if (back != echo) throwStrange();
    return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

double medianRoundTrip(int socket, const WayLimits& limits) {
    const std::string echo = messageOf(kEcho, kEchoBytes);
    const auto until = Clock::now() + limits.round_trip_time;
    const double first = roundTrip(socket, echo, limits.quiet);  // of a connection that is cold
    std::vector<double> trips;
    while (static_cast<int>(trips.size()) < limits.round_trips && Clock::now() < until) {
        trips.push_back(roundTrip(socket, echo, limits.quiet));
    }
    if (trips.empty()) return first;
    const auto middle = trips.begin() + static_cast<std::ptrdiff_t>(trips.size() / 2);
    std::nth_element(trips.begin(), middle, trips.end());
    return *middle;
}

// Data on their way to the other end, and what that says of them.
class DataFlow {
public:
    DataFlow(int socket, const WayLimits& limits) : socket_(socket), limits_(limits) {}

    // Bytes a second.
    double run() {
        start_ = heard_ = Clock::now();
        marks_.push_back({start_, 0});
        for (;;) {
            const auto now = Clock::now();
            const bool is_over = sent_ >= limits_.data_bytes || now - start_ >= limits_.data_time;
            const bool may_begin = !is_over && sent_ - taken_ < window();
            if (is_over && rest_.empty() && sent_ == taken_) return rate();
            const auto patience = std::min(heard_, start_ + limits_.data_time) + limits_.quiet;
            if (now >= patience) {
                if (taken_ == 0) throwSilence(limits_.quiet);
                return rate();
            }
            const bool sends = may_begin || !rest_.empty();  // with a full window only an answer lets it go on
            const short came = waitFor(socket_, static_cast<short>(POLLIN | (sends ? POLLOUT : 0)),
                                       is_over ? patience : std::min(patience, start_ + limits_.data_time));
            if ((came & (POLLIN | POLLHUP | POLLERR)) != 0) takeAnswers();
            if ((came & POLLOUT) != 0) send(may_begin);
        }
    }

private:
    struct Mark {
        Clock::time_point at;
        std::int64_t taken;
    };

    void send(bool may_begin) {
        if (rest_.empty()) {
            if (!may_begin) return;
            rest_ = chunk_;
            sent_ += static_cast<std::int64_t>(kChunkBytes);
        }
        rest_.remove_prefix(sendNow(socket_, rest_));
    }

    void takeAnswers() {
        std::array<char, 512 * kWayHeaderBytes> buffer{};
        const std::size_t got = receiveSome(socket_, buffer.data() + have_, buffer.size() - have_);
        std::memcpy(buffer.data(), left_.data(), have_);
        const std::size_t whole = (have_ + got) / kWayHeaderBytes;
        for (std::size_t i = 0; i < whole; ++i) {
            const char* answer = buffer.data() + i * kWayHeaderBytes;
            if (wireNumber(answer) != kData || wireNumber(answer + 4) != kChunkBytes - kWayHeaderBytes || taken_ >= sent_) throwStrange();
            taken_ += static_cast<std::int64_t>(kChunkBytes);
        }
        have_ = (have_ + got) % kWayHeaderBytes;
        std::memcpy(left_.data(), buffer.data() + whole * kWayHeaderBytes, have_);
        if (whole > 0) {
            heard_ = Clock::now();
            marks_.push_back({heard_, taken_});
        }
    }

    // Returns how much may be on its way.
    std::int64_t window() {
        const auto since = Clock::now() - kWindow;
        while (oldest_ + 1 < marks_.size() && marks_[oldest_ + 1].at <= since) ++oldest_;
        return std::max(kFirstWindow, taken_ - marks_[oldest_].taken);
    }

    double rate() const {
        const auto half = std::find_if(marks_.begin(), marks_.end(), [&](const Mark& mark) { return mark.taken >= taken_ / 2; });
        const Mark& from = half + 1 < marks_.end() ? *half : marks_.front();
        const double seconds = std::chrono::duration<double>(marks_.back().at - from.at).count();
        return seconds > 0 ? static_cast<double>(marks_.back().taken - from.taken) / seconds : 0;
    }

    const int socket_;
    const WayLimits& limits_;
    const std::string chunk_ = messageOf(kData, kChunkBytes);
    Clock::time_point start_, heard_;
    std::int64_t sent_ = 0, taken_ = 0;  // bytes: begun here, answered by the other end
    std::string_view rest_;              // of the chunk that is being sent
    std::array<char, kWayHeaderBytes> left_{};
    std::size_t have_ = 0;  // of an answer that came in part
    std::vector<Mark> marks_;
    std::size_t oldest_ = 0;  // of the marks in the window
};

// What the called end has read, and what it will say.
class Echo {
public:
    // kClosed: nothing is wrong with these bytes.
    WayEnd take(std::string_view bytes, const WayLimits& limits) {
        while (!bytes.empty()) {
            const bool in_body = body_left_ > 0;
            const std::size_t now = std::min(in_body ? body_left_ : kWayHeaderBytes - header_.size(), bytes.size());
            const std::string_view part = bytes.substr(0, now);
            bytes.remove_prefix(now);
            if (!in_body) {
                header_ += part;
                if (header_.size() < kWayHeaderBytes) return WayEnd::kClosed;
                if (const WayEnd wrong = begin(limits); wrong != WayEnd::kClosed) return wrong;
                continue;
            }
            body_left_ -= now;
            if (is_echo_) replies_ += part;
            if (body_left_ == 0) {
                if (!is_echo_) replies_ += header_;
                header_.clear();
            }
        }
        return WayEnd::kClosed;
    }
    std::string& replies() { return replies_; }

private:
    WayEnd begin(const WayLimits& limits) {
        const std::uint32_t kind = wireNumber(header_.data()), bytes = wireNumber(header_.data() + 4);
        is_echo_ = kind == kEcho;
        if ((!is_echo_ && kind != kData) || bytes != (is_echo_ ? kEchoBytes : kChunkBytes) - kWayHeaderBytes) return WayEnd::kNotUnderstood;
        body_left_ = bytes;
        if (is_echo_) {
            replies_ += header_;
            return ++echoes_ > kMostEchoes ? WayEnd::kTooMuch : WayEnd::kClosed;
        }
        data_ += static_cast<std::int64_t>(kChunkBytes);
        return data_ > limits.data_bytes + static_cast<std::int64_t>(kChunkBytes) ? WayEnd::kTooMuch : WayEnd::kClosed;
    }

    std::string header_;  // as far as it has come
    bool is_echo_ = false;
    std::size_t body_left_ = 0;
    std::int64_t data_ = 0;
    std::size_t echoes_ = 0;
    std::string replies_;
};

}  // namespace

WayNumbers measureWay(int socket, const WayLimits& limits) {
    const double round_trip_us = medianRoundTrip(socket, limits);
    return {round_trip_us, DataFlow(socket, limits).run()};
}

WayEnd echoWay(int socket, const WayLimits& limits, const std::function<bool()>& is_cancelled) {
    // The caller's own time, and what it waits for at most, once for each of its two parts.
    const auto until = Clock::now() + limits.round_trip_time + limits.data_time + 4 * limits.quiet;
    Echo echo;
    std::array<char, kBufferBytes> buffer{};
    try {
        for (;;) {
            const auto now = Clock::now();
            if (now >= until) return WayEnd::kTooLong;
            if (is_cancelled()) return WayEnd::kCancelled;
            std::string& replies = echo.replies();
            const bool reads = replies.size() < kMostReplies;  // a caller that takes no answers is not read any further
            const auto events = static_cast<short>((reads ? POLLIN : 0) | (replies.empty() ? 0 : POLLOUT));
            const short came = waitFor(socket, events, std::min(until, now + kWayMeterLook));
            if (reads && (came & (POLLIN | POLLHUP | POLLERR)) != 0) {
                const std::size_t got = receiveSome(socket, buffer.data(), buffer.size());
                if (const WayEnd wrong = echo.take({buffer.data(), got}, limits); wrong != WayEnd::kClosed) return wrong;
            }
            if (!replies.empty()) replies.erase(0, sendNow(socket, replies));
        }
    } catch (const Error&) {  // the connection's end
        return WayEnd::kClosed;
    }
}

}  // namespace agent::worker
