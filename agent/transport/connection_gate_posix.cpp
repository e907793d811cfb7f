#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>

#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent/local/socket_address.h"
#include "agent/transport/connection_gate.h"
#include "agent/trust/tls_relay.h"
#include "engine/spec/error.h"
#include "engine/thread/mutex.h"

namespace agent::worker {
namespace {

using convert::connectTo;
using convert::FileDescriptor;
using convert::isConnectedToItself;
using convert::isFromHere;
using convert::listenAt;
using convert::otherEnd;
using convert::sendAtOnce;
using convert::stopListening;
using trust::TlsRelay;
using trust::TlsSession;
using namespace std::chrono_literals;

constexpr auto kAcceptPeriod = 100ms;
constexpr auto kFirstPause = 10ms;       // between calls to a port where nobody listens; grows by a third each time
constexpr std::size_t kBeforePolls = 2;  // entries of waitedFor() before those of the visitors
constexpr char kTlsHandshake = 0x16;     // the first byte of a TLS connection; that of an opening is a letter

// One end of a connection, in plain or in TLS.
class Wire {
public:
    explicit Wire(FileDescriptor socket) : socket_(std::move(socket)) {}

    void secure(const trust::TlsContext& context, TlsSession::Side side) {
        session_ = std::make_unique<TlsSession>(context, side, socket_.get());
    }
    bool isSecured() const { return session_ != nullptr; }
    const TlsSession& session() const { return *session_; }
    int get() const { return socket_.get(); }
    // Returns what poll() has to wait for before the next try.
    short waitsFor() const { return waits_for_; }

    enum class Result { kDone, kLater, kOver };
    // Does nothing in plain.
    Result handshake() { return session_ ? resultOf(session_->handshake()) : Result::kDone; }
    // Sends all of it or nothing: on a fresh connection there is room.
    bool sendAll(std::string_view bytes) {
        if (session_) return session_->write({bytes.data(), bytes.size()}).bytes == bytes.size();
        return ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT) == static_cast<ssize_t>(bytes.size());
    }
    // `got`: how many came.
    Result read(std::span<char> into, std::size_t& got) {
        got = 0;
        if (session_) {
            const TlsSession::Moved moved = session_->read(into);
            got = moved.bytes;
            return moved.bytes > 0 ? Result::kDone : resultOf(moved.result);
        }
        while (true) {
            const ssize_t bytes = ::recv(socket_.get(), into.data(), into.size(), MSG_DONTWAIT);
            if (bytes < 0 && errno == EINTR) continue;
            if (bytes > 0) got = static_cast<std::size_t>(bytes);
            return bytes > 0 ? Result::kDone : bytes < 0 && errno == EAGAIN ? Result::kLater : Result::kOver;
        }
    }
    // Returns the socket that carries plain bytes from now on. Throws Error(kResourceExhausted).
    FileDescriptor release(TlsRelay* relay) {
        return session_ ? relay->carry(std::move(socket_), std::move(session_)) : std::move(socket_);
    }

private:
    Result resultOf(TlsSession::Result result) {
        waits_for_ = result == TlsSession::Result::kWantsWrite ? POLLOUT : POLLIN;
        switch (result) {
            case TlsSession::Result::kDone:
                return Result::kDone;
            case TlsSession::Result::kWantsRead:
            case TlsSession::Result::kWantsWrite:
                return Result::kLater;
            case TlsSession::Result::kClosed:
            case TlsSession::Result::kFailed:
                return Result::kOver;
        }
        return Result::kOver;
    }

    FileDescriptor socket_;
    std::unique_ptr<TlsSession> session_;
    short waits_for_ = POLLIN;
};

// A message of fixed length, read in pieces and not a byte further.
class FixedMessage {
public:
    explicit FixedMessage(std::size_t bytes) : bytes_(bytes, '\0') {}

    Wire::Result readFrom(Wire& wire) {
        while (have_ < bytes_.size()) {
            std::size_t got = 0;
            const Wire::Result result = wire.read(std::span(bytes_).subspan(have_), got);
            if (result != Wire::Result::kDone) return result;
            have_ += got;
        }
        return Wire::Result::kDone;
    }
    std::string_view bytes() const { return bytes_; }

private:
    std::string bytes_;
    std::size_t have_ = 0;
};

// Returns what tells gRPC's name of the other end apart: the port, and whether the relay calls for a task of another computer.
std::string callerKey(std::string_view host, std::string_view port) {
    return (host == TlsRelay::kRelayHost ? "relay " : "") + std::string(port);
}
std::string callerKey(const std::string& address) {
    const std::size_t colon = address.rfind(':');
    return callerKey(std::string_view(address).substr(0, colon), std::string_view(address).substr(colon + 1));
}

}  // namespace

struct ConnectionGate::Visitor {
    Wire wire;
    std::string where;  // "10.77.0.3:41231"
    Clock::time_point until;
    bool has_spoken = false;
    bool has_shaken_hands = false;  // or need not
    FixedMessage message{kOpeningBytes};
    Call call{};
    std::optional<CalledProof> proof{};  // once the opening was read
};

struct ConnectionGate::Dial {
    Call call;
    TaskPlace place;
    Clock::time_point due{};  // without a wire: when to call; with one: when to give up
    std::chrono::milliseconds pause = kFirstPause;
    std::optional<Wire> wire{};
    bool is_connected = false;
    bool has_opened = false;  // the opening was sent
    FixedMessage message{kChallengeBytes};
    std::optional<CallerProof> proof{};
};

ConnectionGate::ConnectionGate(Options options, Events events)
    : options_(std::move(options)),
      events_(std::move(events)),
      listener_(options_.address.empty() ? FileDescriptor() : listenAt(options_.address)),
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
    if (listener_) stopListening(listener_.get());
}

void ConnectionGate::wake() const {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t ignored = ::write(wake_.get(), &one, sizeof one);  // full means that it is awake
}

void ConnectionGate::dial(const Call& call, const TaskPlace& place) {
    ENGINE_CHECK(place.is_here || options_.secret.relay);  // resolveTasks() refuses other computers without one
    {
        const engine::MutexLock lock(mutex_);
        orders_.push_back({call, place});
    }
    wake();
}

std::vector<Connection> ConnectionGate::takeAnswered() {
    const engine::MutexLock lock(mutex_);
    return std::exchange(answered_, {});
}

std::optional<ProvenCall> ConnectionGate::calledBy(const std::string& peer) const {
    const std::string key = callerKey(peer.substr(peer.find(':') + 1));
    const engine::MutexLock lock(mutex_);
    const auto found = std::find_if(called_.rbegin(), called_.rend(), [&](const auto& entry) { return entry.first == key; });
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

std::string ConnectionGate::obstacleTo(int rank) const {
    const engine::MutexLock lock(mutex_);
    const auto found = obstacles_.find(rank);
    return found == obstacles_.end() ? std::string() : found->second;
}

std::optional<int> ConnectionGate::networkErrorTo(int rank) const {
    const engine::MutexLock lock(mutex_);
    const auto found = network_errors_.find(rank);
    return found == network_errors_.end() ? std::nullopt : std::optional(found->second);
}

std::string ConnectionGate::obstaclesTo(const std::vector<int>& ranks) const {
    constexpr int kMost = 3;
    std::string text;
    int told = 0;
    for (const int rank : ranks) {
        const std::string obstacle = obstacleTo(rank);
        if (obstacle.empty()) continue;
        if (told++ == kMost) return text + "; ...";
        text += "; " + obstacle;
    }
    return text;
}

std::size_t ConnectionGate::turnedAway() const {
    const engine::MutexLock lock(mutex_);
    return turned_away_;
}

std::optional<std::string> ConnectionGate::newsOfStrangers() {
    constexpr auto kPause = 10s;
    const auto now = Clock::now();
    if (now < tell_strangers_at_) return std::nullopt;
    const engine::MutexLock lock(mutex_);
    const std::size_t more = turned_away_ - std::exchange(strangers_told_, turned_away_);
    if (more == 0) return std::nullopt;
    tell_strangers_at_ = now + kPause;
    return "turned away " + std::to_string(more) + (more == 1 ? " caller that has" : " callers that have") + " not proven " +
           options_.secret.name + ", the last one " + last_stranger_;
}

ConnectionGate::Standing ConnectionGate::turnAway(const std::string& where, const std::string& why) {
    const engine::MutexLock lock(mutex_);
    ++turned_away_;
    last_stranger_ = where + ": " + why;
    return Standing::kOut;
}

bool ConnectionGate::isTask(const std::string& certified, int rank) const {
    return rank >= 0 && rank < static_cast<int>(options_.tasks.size()) && options_.tasks[static_cast<std::size_t>(rank)].task == certified;
}

void ConnectionGate::run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        takeOrders();
        const auto now = Clock::now();
        if (now >= accept_more_at_) {
            may_accept_ = options_.accepted_in_100_ms + options_.tasks.size();
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
    for (Order& order : std::exchange(orders_, {})) dials_.push_back({.call = order.call, .place = std::move(order.place)});
}

std::vector<pollfd> ConnectionGate::waitedFor() const {
    std::vector<pollfd> entries{{wake_.get(), POLLIN, 0}, {may_accept_ > 0 ? listener_.get() : -1, POLLIN, 0}};
    for (const Visitor& visitor : visitors_) entries.push_back({visitor.wire.get(), visitor.wire.waitsFor(), 0});
    for (const Dial& dial : dials_) {
        entries.push_back({dial.wire ? dial.wire->get() : -1, dial.wire && dial.is_connected ? dial.wire->waitsFor() : short{POLLOUT}, 0});
    }
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
        if (visitors_.size() >= options_.unproven + 2 * options_.tasks.size()) {
            turnAway(visitors_.front().where, "too many called at once");
            visitors_.pop_front();
        }
        const std::string where = otherEnd(socket.get());
        visitors_.push_back({.wire = Wire(std::move(socket)), .where = where, .until = Clock::now() + options_.prove_within});
    }
}

// Its first byte decides what it must show. Nobody of another computer is heard in plain.
ConnectionGate::Standing ConnectionGate::welcome(Visitor& visitor) {
    char first = 0;
    const ssize_t got = ::recv(visitor.wire.get(), &first, 1, MSG_PEEK | MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return Standing::kWaits;
    if (got <= 0) return turnAway(visitor.where, "it said nothing");
    const bool has_key = options_.secret.relay != nullptr;
    if (first == kTlsHandshake && has_key) {
        visitor.wire.secure(options_.secret.relay->context(), TlsSession::Side::kCalled);
    } else if (first == kTlsHandshake || !isFromHere(visitor.wire.get())) {
        return turnAway(visitor.where, has_key ? "it does not speak TLS" : "it is no task of this computer");
    }
    visitor.has_spoken = true;
    return Standing::kIn;
}

ConnectionGate::Standing ConnectionGate::serve(Visitor& visitor) {
    if (!visitor.has_spoken) {
        if (const Standing standing = welcome(visitor); standing != Standing::kIn) return standing;
    }
    if (!visitor.has_shaken_hands) {
        const Wire::Result result = visitor.wire.handshake();
        if (result == Wire::Result::kLater) return Standing::kWaits;
        if (result == Wire::Result::kOver) return turnAway(visitor.where, visitor.wire.session().failure());
        visitor.has_shaken_hands = true;
    }
    const Wire::Result read = visitor.message.readFrom(visitor.wire);
    if (read == Wire::Result::kLater) return Standing::kWaits;
    const std::string stranger = "it has not proven " + options_.secret.name;
    if (read == Wire::Result::kOver) return turnAway(visitor.where, stranger);
    if (!visitor.proof) {
        const auto call = CalledProof::read(visitor.message.bytes());
        const auto link = call ? boundTo(call->purpose, call->caller) : std::nullopt;
        if (!link) return turnAway(visitor.where, stranger);
        if (visitor.wire.isSecured() && !isTask(visitor.wire.session().peer(), call->caller)) {
            return turnAway(visitor.where, "it calls as another task than its certificate's, " + visitor.wire.session().peer());
        }
        visitor.call = *call;
        const std::string& address = visitor.wire.isSecured() ? clusterAddress(options_.rank) : options_.address;
        visitor.proof.emplace(options_.secret.key, visitor.message.bytes(), address, *link);
        visitor.message = FixedMessage(kAnswerBytes);
        return visitor.wire.sendAll(visitor.proof->challenge()) ? Standing::kWaits : turnAway(visitor.where, stranger);
    }
    if (!visitor.proof->isProvenBy(visitor.message.bytes())) return turnAway(visitor.where, stranger);
    letIn(visitor);
    return Standing::kIn;
}

void ConnectionGate::letIn(Visitor& visitor) {
    Connection connection{{visitor.call, visitor.proof->session(), visitor.wire.isSecured()}, {}};
    try {
        connection.socket = visitor.wire.release(options_.secret.relay.get());
    } catch (const engine::Error& error) {
        turnAway(visitor.where, error.what());
        return;
    }
    {
        const engine::MutexLock lock(mutex_);
        called_.emplace_back(callerKey(otherEnd(connection.socket.get())), connection.proven);
        if (called_.size() > 16 + 4 * options_.tasks.size()) called_.pop_front();
    }
    events_.called(std::move(connection));
}

void ConnectionGate::serveVisitors(const pollfd* entry) {
    const auto now = Clock::now();
    for (auto visitor = visitors_.begin(); visitor != visitors_.end(); ++entry) {
        auto standing = Standing::kWaits;
        if (entry->revents != 0) {
            standing = serve(*visitor);
        } else if (now >= visitor->until) {
            standing = turnAway(visitor->where, "it did not prove in time what it is");
        }
        visitor = standing == Standing::kWaits ? std::next(visitor) : visitors_.erase(visitor);
    }
}

void ConnectionGate::serveDials(const pollfd* entry) {
    const auto now = Clock::now();
    for (auto dial = dials_.begin(); dial != dials_.end(); ++entry) {
        bool answered = false;
        if (dial->wire && entry->fd == dial->wire->get() && entry->revents != 0) {
            answered = continueDial(*dial);
        } else if (now >= dial->due && dial->wire) {
            if (dial->is_connected) {
                dialLater(*dial, notProven(*dial, ""));
            } else {
                dialLater(*dial, ETIMEDOUT);
            }
        } else if (now >= dial->due) {
            startDial(*dial);
        }
        dial = answered ? dials_.erase(dial) : std::next(dial);
    }
}

std::string ConnectionGate::notProven(const Dial& dial, const std::string& why) const {
    return "what answers at " + clusterAddress(dial.call.called) + " has not proven " + options_.secret.name +
           (why.empty() ? "" : " (" + why + ")");
}

void ConnectionGate::startDial(Dial& dial) {
    FileDescriptor socket = connectTo(dial.place.target);
    if (!socket) return dialLater(dial, errno);
    dial.wire.emplace(std::move(socket));
    dial.is_connected = dial.has_opened = false;
    dial.due = Clock::now() + options_.prove_within;
}

void ConnectionGate::dialLater(Dial& dial, const std::string& obstacle) {
    dial.wire.reset();
    dial.pause = !obstacle.empty() ? options_.dial_again : std::min(dial.pause * 4 / 3, options_.dial_again);
    dial.due = Clock::now() + dial.pause;
    const engine::MutexLock lock(mutex_);
    if (obstacle.empty()) {
        obstacles_.erase(dial.call.called);
    } else {
        obstacles_[dial.call.called] = obstacle;
    }
}

void ConnectionGate::dialLater(Dial& dial, int network_error) {
    const bool nobody_listens = network_error == 0 || network_error == ECONNREFUSED;
    {
        const engine::MutexLock lock(mutex_);
        network_errors_[dial.call.called] = nobody_listens ? ECONNREFUSED : network_error;
    }
    dialLater(dial, nobody_listens ? std::string() : clusterAddress(dial.call.called) + " is not reached: " + std::strerror(network_error));
}

// False: it is dialled again, or the handshake goes on.
bool ConnectionGate::sayOpening(Dial& dial) {
    const Wire::Result result = dial.wire->handshake();
    if (result == Wire::Result::kLater) return false;
    if (result == Wire::Result::kOver) {
        dialLater(dial, notProven(dial, dial.wire->session().failure()));
        return false;
    }
    if (dial.wire->isSecured() && !isTask(dial.wire->session().peer(), dial.call.called)) {
        dialLater(dial, notProven(dial, "its certificate is that of " + dial.wire->session().peer()));
        return false;
    }
    dial.message = FixedMessage(kChallengeBytes);
    const auto link = boundTo(dial.call.purpose, dial.call.called);
    ENGINE_CHECK(link);  // Data is dialled over a Link
    const std::string& address = dial.wire->isSecured() ? clusterAddress(dial.call.called) : dial.place.target;
    dial.proof.emplace(options_.secret.key, dial.call, address, *link);
    dial.has_opened = dial.wire->sendAll(dial.proof->opening());
    if (!dial.has_opened) dialLater(dial, notProven(dial, ""));
    return dial.has_opened;
}

bool ConnectionGate::continueDial(Dial& dial) {
    if (!dial.is_connected) {
        const int socket = dial.wire->get();
        int error = 0;
        socklen_t length = sizeof error;
        if (::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &length) != 0 || error != 0 || isConnectedToItself(socket)) {
            dialLater(dial, error);
            return false;
        }
        dial.is_connected = true;
        if (!dial.place.is_here) dial.wire->secure(options_.secret.relay->context(), TlsSession::Side::kCaller);
    }
    if (!dial.has_opened && !sayOpening(dial)) return false;
    const Wire::Result result = dial.message.readFrom(*dial.wire);
    if (result == Wire::Result::kLater) return false;
    const auto answer = result == Wire::Result::kDone ? dial.proof->answer(dial.message.bytes()) : std::nullopt;
    if (!answer || !dial.wire->sendAll(*answer)) {
        // In TLS 1.3 the first bytes of the other side bring its word on our certificate.
        const std::string why = dial.wire->isSecured() && result == Wire::Result::kOver ? dial.wire->session().failure() : "";
        dialLater(dial, notProven(dial, why));
        return false;
    }
    Connection connection{{dial.call, dial.proof->session(), dial.wire->isSecured()}, {}};
    try {
        connection.socket = dial.wire->release(options_.secret.relay.get());
    } catch (const engine::Error& failure) {
        dialLater(dial, failure.what());
        return false;
    }
    {
        const engine::MutexLock lock(mutex_);
        obstacles_.erase(dial.call.called);
        answered_.push_back(std::move(connection));
    }
    events_.answered();
    return true;
}

std::unique_ptr<ConnectionGate> openGate(const ConnectionGate::Options& options, ConnectionGate::Events events) {
    try {
        return std::make_unique<ConnectionGate>(options, std::move(events));
    } catch (const engine::Error& error) {
        throw engine::Error(error.code(), options.tasks[static_cast<std::size_t>(options.rank)].task + ": port " +
                                              options.address.substr(options.address.rfind(':') + 1) + " " + error.what());
    }
}

}  // namespace agent::worker
