#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "agent/local/socket_address.h"
#include "agent/transport/data_streams.h"
#include "engine/spec/error.h"

namespace agent::worker {
namespace {

using Header = std::array<std::uint64_t, 2>;  // tag, bytes behind the header
constexpr std::size_t kHeaderBytes = sizeof(Header);
// Two messages: one is read while the next one comes. Small enough to stay in a core's cache.
constexpr std::size_t kRingBytes = 2 * (DataStreams::kMessageBytes + kHeaderBytes);
constexpr std::size_t kReadAtLeast = 64 * 1024;  // of room, so that a nearly full ring costs no calls for a few bytes each
constexpr std::chrono::milliseconds kLookForEnds{100};

bool isForLater(int error) {
    return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

std::optional<ssize_t> sendSome(int socket, std::span<iovec> parts) {
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = parts.size();
    ssize_t sent = 0;
    do {
        sent = ::sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    if (sent >= 0) return sent;
    if (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS) return 0;
    return std::nullopt;
}

iovec partOf(std::span<const std::byte> bytes) {
    return {const_cast<std::byte*>(bytes.data()), bytes.size()};
}

}  // namespace

DataStreams::DataStreams(int size, std::function<void(int, const std::string&)> on_broken, std::chrono::milliseconds end_grace)
    : on_broken_(std::move(on_broken)),
      end_grace_(end_grace),
      sources_(static_cast<std::size_t>(size)),
      outgoing_(static_cast<std::size_t>(size)) {}

DataStreams::~DataStreams() {
    shutDown();
}

void DataStreams::attachIncoming(int peer, convert::FileDescriptor socket) {
    const engine::MutexLock lock(mutex_);
    Source& from = source(peer);
    ENGINE_CHECK(!from.was_open);
    if (is_leaving_ || shut_down_) return;
    from.socket = std::move(socket);
    from.was_open = true;
    from.ring.resize(kRingBytes);
    awaited_.reserve(sources_.size() + outgoing_.size());
    from_.push_back(peer);
}

void DataStreams::openOutgoing(int peer, convert::FileDescriptor socket) {
    const engine::MutexLock lock(mutex_);
    Outgoing& to = outgoing(peer);
    ENGINE_CHECK(!to.was_open);
    if (is_leaving_ || shut_down_) return;
    to.socket = std::move(socket);
    to.was_open = true;
    to.left.reserve(kHeaderBytes + kMessageBytes);
    awaited_.reserve(sources_.size() + outgoing_.size());
    convert::sendAtOnce(to.socket.get());  // a socket that is no TCP has no such delay
    to_.push_back(peer);
}

bool DataStreams::sendsTo(int peer) const {
    const engine::MutexLock lock(mutex_);
    return outgoing_[static_cast<std::size_t>(peer)].was_open;
}

bool DataStreams::hears(int peer) const {
    const engine::MutexLock lock(mutex_);
    return sources_[static_cast<std::size_t>(peer)].was_open;
}

void DataStreams::breakOutgoing(int peer, const std::string& why) {
    Outgoing& to = outgoing(peer);
    to.is_over = true;
    to.socket.reset();
    to.left.clear();
    if (!shut_down_) on_broken_(peer, why);
}

void DataStreams::breakIncoming(int peer, const std::string& why) {
    Source& from = source(peer);
    from.socket.reset();
    if (std::exchange(from.is_broken, true) || is_leaving_ || shut_down_) return;
    on_broken_(peer, why);
}

bool DataStreams::trySend(int peer, std::uint64_t tag, std::span<const std::byte> bytes) {
    ENGINE_CHECK(bytes.size() <= kMessageBytes);
    const engine::MutexLock lock(mutex_);
    Outgoing& to = outgoing(peer);
    if (!to.socket || to.has_ended || to.is_over) return false;
    to.lacks_room = true;  // until it is taken
    if (!to.left.empty()) {
        writeLeft(peer);
        if (!to.left.empty()) return false;
    }
    const Header header{tag, bytes.size()};
    iovec parts[] = {partOf(std::as_bytes(std::span(header))), partOf(bytes)};
    const std::optional<ssize_t> sent = sendSome(to.socket.get(), parts);
    if (!sent) {
        breakOutgoing(peer, std::strerror(errno));
        return false;
    }
    if (*sent == 0) return false;
    to.lacks_room = false;
    const auto gone = static_cast<std::size_t>(*sent);
    if (gone == kHeaderBytes + bytes.size()) return true;
    const std::size_t of_header = std::min(gone, kHeaderBytes);
    const std::span<const std::byte> head = std::as_bytes(std::span(header)).subspan(of_header);
    const std::span<const std::byte> body = bytes.subspan(gone - of_header);
    to.left.assign(head.begin(), head.end());
    to.left.insert(to.left.end(), body.begin(), body.end());
    to.left_sent = 0;
    return true;
}

bool DataStreams::writeLeft(int peer) {
    Outgoing& to = outgoing(peer);
    if (to.left.empty()) return false;
    iovec part[] = {partOf(std::span<const std::byte>(to.left).subspan(to.left_sent))};
    const std::optional<ssize_t> sent = sendSome(to.socket.get(), part);
    if (!sent) {
        breakOutgoing(peer, std::strerror(errno));
        return false;
    }
    to.left_sent += static_cast<std::size_t>(*sent);
    if (to.left_sent == to.left.size()) to.left.clear();  // keeps its memory
    return *sent > 0;
}

// The peer never sends on our stream: what comes of one that we leave is the end, when it has everything or is gone.
void DataStreams::lookForEnd(int peer) {
    Outgoing& to = outgoing(peer);
    if (!to.socket || to.is_over) return;
    std::byte unexpected;
    const ssize_t read = ::recv(to.socket.get(), &unexpected, 1, MSG_DONTWAIT);
    if (read < 0 && isForLater(errno)) return;
    if (read < 0 && !to.has_ended) return breakOutgoing(peer, std::strerror(errno));
    to.is_over = true;
    to.socket.reset();
    to.left.clear();
}

bool DataStreams::isOverdue(std::optional<Clock::time_point>& ended_at, Clock::time_point now) const {
    if (!ended_at) ended_at = now;
    return now - *ended_at >= end_grace_;
}

void DataStreams::lookForEnds() {
    const auto now = Clock::now();
    if (is_leaving_ || shut_down_ || now < look_again_at_) return;
    look_again_at_ = now + kLookForEnds;
    for (const int peer : to_) {
        Outgoing& to = outgoing(peer);
        if (!to.socket) continue;
        std::byte unexpected;
        const ssize_t read = ::recv(to.socket.get(), &unexpected, 1, MSG_DONTWAIT);
        if (read < 0 && isForLater(errno)) continue;
        if (read < 0) {
            breakOutgoing(peer, std::strerror(errno));
        } else if (read > 0) {
            breakOutgoing(peer, "expected nothing from whom the stream leads to, got bytes");
        } else if (isOverdue(to.ended_at, now)) {
            breakOutgoing(peer, "it takes nothing more, and has not said that it leaves");
        }
    }
    for (const int peer : from_) {
        Source& from = source(peer);
        if (!from.ended_at || from.is_broken || !isOverdue(from.ended_at, now)) continue;
        breakIncoming(
            peer, endsInsideMessage(from) ? "it ended in the middle of a message" : "it ended, and the task has not said that it leaves");
    }
}

std::array<std::span<std::byte>, 2> DataStreams::placesOf(Source& from, std::uint64_t begin, std::uint64_t end) {
    const auto at = static_cast<std::size_t>(begin % from.ring.size()), bytes = static_cast<std::size_t>(end - begin);
    const std::size_t first = std::min(bytes, from.ring.size() - at);
    const std::span<std::byte> ring(from.ring);
    return {ring.subspan(at, first), ring.subspan(0, bytes - first)};
}

bool DataStreams::readFrom(int peer) {
    Source& from = source(peer);
    if (!from.socket) return false;
    const auto there = static_cast<std::size_t>(from.come - from.taken);
    if (from.ring.size() - there < kReadAtLeast) return false;
    const auto places = placesOf(from, from.come, from.taken + from.ring.size());
    const iovec parts[] = {partOf(places[0]), partOf(places[1])};
    const ssize_t read = ::readv(from.socket.get(), parts, places[1].empty() ? 1 : 2);
    if (read > 0) {
        from.come += static_cast<std::uint64_t>(read);
        return true;
    }
    if (read < 0 && isForLater(errno)) return false;
    if (read < 0) {
        breakIncoming(peer, std::strerror(errno));
        return false;
    }
    from.socket.reset();  // tells the peer that everything is here
    from.ended_at = Clock::now();
    return false;
}

bool DataStreams::move() {
    bool moved = false;
    for (const int peer : from_) moved |= readFrom(peer);
    for (const int peer : to_) {
        moved |= writeLeft(peer);
        Outgoing& to = outgoing(peer);
        if (is_leaving_ && !to.is_over && to.left.empty() && !to.has_ended) {
            to.has_ended = true;
            ::shutdown(to.socket.get(), SHUT_WR);
        }
        if (is_leaving_) lookForEnd(peer);
    }
    return moved;
}

std::optional<Header> DataStreams::headerAt(Source& from, std::uint64_t begin) {
    if (from.come - begin < kHeaderBytes) return std::nullopt;
    Header header{};
    const auto places = placesOf(from, begin, begin + kHeaderBytes);
    auto* const to = reinterpret_cast<std::byte*>(header.data());
    std::memcpy(to, places[0].data(), places[0].size());
    if (!places[1].empty()) std::memcpy(to + places[0].size(), places[1].data(), places[1].size());
    return header;
}

bool DataStreams::endsInsideMessage(Source& from) {
    std::uint64_t at = from.taken;
    while (const auto header = headerAt(from, at)) {
        const std::uint64_t bytes = (*header)[1];
        if (bytes > from.come - at - kHeaderBytes) return true;
        at += kHeaderBytes + bytes;
    }
    return at != from.come;
}

const engine::distribute::Message* DataStreams::tryReceive(int peer) {
    Source& from = source(peer);
    if (from.holds_message) return &from.message;
    const engine::MutexLock lock(mutex_);
    const std::optional<Header> header = headerAt(from, from.taken);
    if (!header) return nullptr;
    const auto [tag, bytes] = *header;
    if (bytes > kMessageBytes) {
        breakIncoming(peer,
                      "expected messages of " + std::to_string(kMessageBytes) + " bytes at most, got one of " + std::to_string(bytes));
        return nullptr;
    }
    const std::uint64_t begin = from.taken + kHeaderBytes;
    if (from.come - begin < bytes) return nullptr;
    const auto places = placesOf(from, begin, begin + bytes);
    from.fragments = {places[0], places[1]};
    from.message = {.tag = tag,
                    .bytes = static_cast<std::size_t>(bytes),
                    .fragments = std::span(from.fragments)
                                     .first(places[0].empty()   ? 0
                                            : places[1].empty() ? 1
                                                                : 2)};
    from.holds_message = true;
    return &from.message;
}

void DataStreams::release(int peer) {
    const engine::MutexLock lock(mutex_);
    Source& from = source(peer);
    if (!from.holds_message) return;
    from.holds_message = false;
    from.taken += kHeaderBytes + from.message.bytes;
}

bool DataStreams::drained(int peer) const {
    const engine::MutexLock lock(mutex_);
    return outgoing_[static_cast<std::size_t>(peer)].left.empty();
}

void DataStreams::poll(std::chrono::microseconds may_block) {
    const engine::MutexLock lock(mutex_);
    if (shut_down_ || move() || may_block.count() <= 0) return;
    lookForEnds();
    awaited_.clear();
    for (const int peer : from_) {
        const Source& from = source(peer);
        if (from.socket && from.ring.size() - (from.come - from.taken) >= kReadAtLeast) awaited_.push_back({from.socket.get(), POLLIN, 0});
    }
    for (const int peer : to_) {
        const Outgoing& to = outgoing(peer);
        if (to.socket && (!to.left.empty() || to.lacks_room)) awaited_.push_back({to.socket.get(), POLLOUT, 0});
    }
    const timespec most{.tv_sec = may_block.count() / 1'000'000, .tv_nsec = may_block.count() % 1'000'000 * 1000};
    if (::ppoll(awaited_.data(), awaited_.size(), &most, nullptr) > 0) move();
}

void DataStreams::tick() {
    if (!mutex_.try_lock()) return;  // an operation is at work and polls itself
    const engine::MutexLock lock(mutex_, std::adopt_lock);
    if (shut_down_) return;
    move();
    lookForEnds();
}

void DataStreams::finishWriting() {
    const engine::MutexLock lock(mutex_);
    is_leaving_ = true;
    move();
}

bool DataStreams::finished() const {
    const engine::MutexLock lock(mutex_);
    return is_leaving_ && std::all_of(outgoing_.begin(), outgoing_.end(), [](const Outgoing& to) { return !to.was_open || to.is_over; });
}

void DataStreams::shutDown() {
    const engine::MutexLock lock(mutex_);
    if (shut_down_) return;
    shut_down_ = true;
    for (Outgoing& to : outgoing_) to.socket.reset();
    for (Source& from : sources_) from.socket.reset();
}

}  // namespace agent::worker
