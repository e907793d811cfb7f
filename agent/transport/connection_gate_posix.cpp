#include <algorithm>
#include <cerrno>

#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent/transport/connection_gate.h"
#include "agent/transport/loopback_address.h"
#include "engine/spec/error.h"
#include "engine/thread/mutex.h"

namespace agent::worker {
namespace {

using convert::FileDescriptor;
using namespace std::chrono_literals;

constexpr auto kAcceptPeriod = 100ms;
constexpr auto kFirstPause = 10ms;       // between calls to a port where nobody listens; grows by a third each time
constexpr std::size_t kBeforePolls = 2;  // entries of waitedFor() before those of the visitors

// All of it or nothing: on a fresh connection there is room.
bool sendAll(int socket, std::string_view bytes) {
    return ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT) == static_cast<ssize_t>(bytes.size());
}

// Of the other end, with the host's byte order; 0 when it is gone.
int peerPort(int socket) {
    sockaddr_storage address{};
    socklen_t length = sizeof address;
    if (::getpeername(socket, reinterpret_cast<sockaddr*>(&address), &length) != 0) return 0;
    return ntohs(address.ss_family == AF_INET ? reinterpret_cast<const sockaddr_in&>(address).sin_port
                                              : reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
}

// A message of fixed length, read in pieces and not a byte further.
class FixedMessage {
public:
    explicit FixedMessage(std::size_t bytes) : bytes_(bytes, '\0') {}

    enum class Result { kWhole, kPart, kClosed };
    Result readFrom(int socket) {
        while (have_ < bytes_.size()) {
            const ssize_t got = ::recv(socket, bytes_.data() + have_, bytes_.size() - have_, MSG_DONTWAIT);
            if (got > 0) {
                have_ += static_cast<std::size_t>(got);
            } else if (got < 0 && errno == EINTR) {
                continue;
            } else {
                return got < 0 && errno == EAGAIN ? Result::kPart : Result::kClosed;
            }
        }
        return Result::kWhole;
    }
    std::string_view bytes() const { return bytes_; }

private:
    std::string bytes_;
    std::size_t have_ = 0;
};

}  // namespace

struct ConnectionGate::Visitor {
    FileDescriptor socket;
    Clock::time_point until;
    FixedMessage message{kOpeningBytes};
    Call call{};
    std::optional<CalledProof> proof{};  // once the opening was read
};

struct ConnectionGate::Dial {
    Call call;
    std::string target;
    Clock::time_point due{};  // without a socket: when to call; with one: when to give up
    std::chrono::milliseconds pause = kFirstPause;
    FileDescriptor socket{};
    bool connected = false;
    FixedMessage message{kChallengeBytes};
    std::optional<CallerProof> proof{};
};

ConnectionGate::ConnectionGate(Options options, Events events)
    : options_(std::move(options)),
      events_(std::move(events)),
      listener_(listenAt(options_.address)),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

ConnectionGate::~ConnectionGate() {
    close();
}

void ConnectionGate::close() {
    if (!thread_.joinable()) return;
    thread_.request_stop();
    wake();
    thread_.join();
    visitors_.clear();
    dials_.clear();
    stopListening(listener_.get());
}

void ConnectionGate::wake() const {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t ignored = ::write(wake_.get(), &one, sizeof one);  // full means that it is awake
}

void ConnectionGate::dial(const Call& call, const std::string& target) {
    {
        const engine::MutexLock lock(mutex_);
        orders_.push_back({call, target});
    }
    wake();
}

std::vector<Connection> ConnectionGate::takeAnswered() {
    const engine::MutexLock lock(mutex_);
    return std::exchange(answered_, {});
}

std::optional<ProvenCall> ConnectionGate::calledBy(const std::string& peer) const {
    const std::string port = peer.substr(peer.rfind(':') + 1);
    const engine::MutexLock lock(mutex_);
    const auto found =
        std::find_if(called_.rbegin(), called_.rend(), [&](const auto& entry) { return std::to_string(entry.first) == port; });
    return found == called_.rend() ? std::nullopt : std::optional(found->second);
}

void ConnectionGate::setLink(int rank, const Session& session) {
    const engine::MutexLock lock(mutex_);
    std::erase_if(links_, [&](const auto& link) { return link.first == rank; });
    links_.emplace_back(rank, session);
}

std::optional<Session> ConnectionGate::boundTo(Purpose purpose, int rank) const {
    if (purpose != Purpose::kData) return Session{};
    const engine::MutexLock lock(mutex_);
    const auto found = std::find_if(links_.begin(), links_.end(), [&](const auto& link) { return link.first == rank; });
    return found == links_.end() ? std::nullopt : std::optional(found->second);
}

bool ConnectionGate::strangerAnswers(int rank) const {
    const engine::MutexLock lock(mutex_);
    return strangers_.contains(rank);
}

std::size_t ConnectionGate::turnedAway() const {
    const engine::MutexLock lock(mutex_);
    return turned_away_;
}

void ConnectionGate::run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        takeOrders();
        const auto now = Clock::now();
        if (now >= accept_more_at_) {
            may_accept_ = options_.accepted_in_100_ms + static_cast<std::size_t>(options_.tasks);
            accept_more_at_ = now + kAcceptPeriod;
        }
        std::vector<pollfd> entries = waitedFor();
        const auto wait = std::chrono::ceil<std::chrono::milliseconds>(nextDeadline() - now);
        ::poll(entries.data(), entries.size(), static_cast<int>(std::clamp<std::int64_t>(wait.count(), 0, 60'000)));
        std::uint64_t ignored = 0;
        [[maybe_unused]] const ssize_t drained = ::read(wake_.get(), &ignored, sizeof ignored);
        const std::size_t visitors = visitors_.size();
        serveVisitors(entries.data() + kBeforePolls);
        serveDials(entries.data() + kBeforePolls + visitors);
        if ((entries[1].revents & POLLIN) != 0) acceptVisitors();
    }
}

void ConnectionGate::takeOrders() {
    const engine::MutexLock lock(mutex_);
    for (Order& order : std::exchange(orders_, {})) dials_.push_back({.call = order.call, .target = std::move(order.target)});
}

std::vector<pollfd> ConnectionGate::waitedFor() const {
    std::vector<pollfd> entries{{wake_.get(), POLLIN, 0}, {may_accept_ > 0 ? listener_.get() : -1, POLLIN, 0}};
    for (const Visitor& visitor : visitors_) entries.push_back({visitor.socket.get(), POLLIN, 0});
    for (const Dial& dial : dials_) entries.push_back({dial.socket.get(), static_cast<short>(dial.connected ? POLLIN : POLLOUT), 0});
    return entries;
}

ConnectionGate::Clock::time_point ConnectionGate::nextDeadline() const {
    auto next = Clock::now() + 1min;
    if (may_accept_ == 0) next = std::min(next, accept_more_at_);
    if (!visitors_.empty()) next = std::min(next, visitors_.front().until);
    for (const Dial& dial : dials_) next = std::min(next, dial.due);
    return next;
}

void ConnectionGate::acceptVisitors() {
    for (; may_accept_ > 0; --may_accept_) {
        FileDescriptor socket(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (!socket && errno == EAGAIN) return;
        if (!socket && (errno == ECONNABORTED || errno == EINTR)) continue;
        if (!socket) {  // no descriptor is left, for instance: it is tried again
            may_accept_ = 0;
            accept_more_at_ = Clock::now() + kAcceptPeriod;
            return;
        }
        sendAtOnce(socket.get());
        if (visitors_.size() >= options_.unproven + 2 * static_cast<std::size_t>(options_.tasks)) {
            visitors_.pop_front();
            const engine::MutexLock lock(mutex_);
            ++turned_away_;
        }
        visitors_.push_back({.socket = std::move(socket), .until = Clock::now() + options_.prove_within});
    }
}

bool ConnectionGate::serve(Visitor& visitor) {
    switch (visitor.message.readFrom(visitor.socket.get())) {
        case FixedMessage::Result::kPart:
            return true;
        case FixedMessage::Result::kClosed:
            return false;
        case FixedMessage::Result::kWhole:
            break;
    }
    if (!visitor.proof) {
        const auto call = CalledProof::read(visitor.message.bytes());
        const auto link = call ? boundTo(call->purpose, call->caller) : std::nullopt;
        if (!link) return false;
        visitor.call = *call;
        visitor.proof.emplace(options_.secret, visitor.message.bytes(), options_.address, *link);
        visitor.message = FixedMessage(kAnswerBytes);
        return sendAll(visitor.socket.get(), visitor.proof->challenge());
    }
    if (!visitor.proof->isProvenBy(visitor.message.bytes())) return false;
    Connection connection{{visitor.call, visitor.proof->session()}, std::move(visitor.socket)};
    {
        const engine::MutexLock lock(mutex_);
        called_.emplace_back(peerPort(connection.socket.get()), connection.proven);
        if (called_.size() > 16 + 4 * static_cast<std::size_t>(options_.tasks)) called_.pop_front();
    }
    events_.called(std::move(connection));
    return false;
}

void ConnectionGate::serveVisitors(const pollfd* entry) {
    const auto now = Clock::now();
    for (auto visitor = visitors_.begin(); visitor != visitors_.end(); ++entry) {
        const bool stays = entry->revents == 0 ? now < visitor->until : serve(*visitor);
        if (!stays && visitor->socket) {
            const engine::MutexLock lock(mutex_);
            ++turned_away_;
        }
        visitor = stays ? std::next(visitor) : visitors_.erase(visitor);
    }
}

void ConnectionGate::serveDials(const pollfd* entry) {
    const auto now = Clock::now();
    for (auto dial = dials_.begin(); dial != dials_.end(); ++entry) {
        bool answered = false;
        if (dial->socket && entry->fd == dial->socket.get() && entry->revents != 0) {
            answered = continueDial(*dial);
        } else if (now >= dial->due && dial->socket) {
            dialLater(*dial, true);  // it says nothing, or not enough
        } else if (now >= dial->due) {
            startDial(*dial);
        }
        dial = answered ? dials_.erase(dial) : std::next(dial);
    }
}

void ConnectionGate::startDial(Dial& dial) {
    dial.socket = connectTo(dial.target);
    if (!dial.socket) return dialLater(dial, false);
    dial.connected = false;
    dial.due = Clock::now() + options_.prove_within;
}

void ConnectionGate::dialLater(Dial& dial, bool stranger) {
    dial.socket.reset();
    dial.pause = stranger ? options_.dial_again : std::min(dial.pause * 4 / 3, options_.dial_again);
    dial.due = Clock::now() + dial.pause;
    const engine::MutexLock lock(mutex_);
    if (stranger) {
        strangers_.insert(dial.call.called);
    } else {
        strangers_.erase(dial.call.called);
    }
}

bool ConnectionGate::continueDial(Dial& dial) {
    const int socket = dial.socket.get();
    if (!dial.connected) {
        int error = 0;
        socklen_t length = sizeof error;
        if (::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &length) != 0 || error != 0 || isConnectedToItself(socket)) {
            dialLater(dial, false);
            return false;
        }
        dial.connected = true;
        dial.message = FixedMessage(kChallengeBytes);
        const auto link = boundTo(dial.call.purpose, dial.call.called);
        ENGINE_CHECK(link);  // Data is dialled over a Link
        dial.proof.emplace(options_.secret, dial.call, dial.target, *link);
        if (!sendAll(socket, dial.proof->opening())) dialLater(dial, true);
        return false;
    }
    const FixedMessage::Result result = dial.message.readFrom(socket);
    if (result == FixedMessage::Result::kPart) return false;
    const auto answer = result == FixedMessage::Result::kWhole ? dial.proof->answer(dial.message.bytes()) : std::nullopt;
    if (!answer || !sendAll(socket, *answer)) {
        dialLater(dial, true);
        return false;
    }
    {
        const engine::MutexLock lock(mutex_);
        strangers_.erase(dial.call.called);
        answered_.push_back({{dial.call, dial.proof->session()}, std::move(dial.socket)});
    }
    events_.answered();
    return true;
}

}  // namespace agent::worker
