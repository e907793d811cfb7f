#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <span>

#include "agent/local/socket_address.h"
#include "agent/trust/tls_relay.h"
#include "engine/spec/error.h"

namespace agent::trust {
namespace {

using convert::FileDescriptor;
using convert::sendAtOnce;
using engine::Error;
using engine::ErrorCode;
using namespace std::chrono_literals;
using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t kBufferBytes = 256 * 1024;  // a direction
constexpr int kRounds = 16;                       // of one connection before the next has its turn
constexpr auto kEndsWithin = 5s;                  // a connection that only one side has ended, once nothing more goes over it

[[noreturn]] void throwNoSocket() {
    throw Error(ErrorCode::kResourceExhausted, std::string("a socket of this process can't be made: ") + std::strerror(errno));
}

FileDescriptor streamSocket(int flags) {
    FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | flags, 0));
    if (!socket) throwNoSocket();
    return socket;
}

sockaddr_in relayAddress() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    inet_pton(AF_INET, TlsRelay::kRelayHost, &address.sin_addr);
    return address;
}

void setNonBlocking(int socket) {
    ::fcntl(socket, F_SETFL, ::fcntl(socket, F_GETFL) | O_NONBLOCK);
}

struct SocketPair {
    FileDescriptor ours, relays;
};

// Two ends of one connection of this process to itself. Others of this computer may call the port meanwhile: they are let go.
SocketPair makePair() {
    constexpr int kFewCallers = 16;
    const FileDescriptor listener = streamSocket(0);
    sockaddr_in address = relayAddress();
    socklen_t length = sizeof address;
    if (::bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), length) != 0 || ::listen(listener.get(), kFewCallers) != 0 ||
        ::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &length) != 0) {
        throwNoSocket();
    }
    SocketPair pair{.ours = {}, .relays = streamSocket(0)};
    const sockaddr_in any_port = relayAddress();
    sockaddr_in called_from{};
    if (::bind(pair.relays.get(), reinterpret_cast<const sockaddr*>(&any_port), sizeof any_port) != 0 ||
        ::connect(pair.relays.get(), reinterpret_cast<const sockaddr*>(&address), length) != 0 ||
        ::getsockname(pair.relays.get(), reinterpret_cast<sockaddr*>(&called_from), &length) != 0) {
        throwNoSocket();
    }
    while (true) {
        sockaddr_in caller{};
        socklen_t caller_length = sizeof caller;
        FileDescriptor called(::accept4(listener.get(), reinterpret_cast<sockaddr*>(&caller), &caller_length, SOCK_CLOEXEC));
        if (!called) throwNoSocket();
        if (caller.sin_port != called_from.sin_port || caller.sin_addr.s_addr != called_from.sin_addr.s_addr) continue;
        pair.ours = std::move(called);
        break;
    }
    for (const FileDescriptor* end : {&pair.ours, &pair.relays}) {
        setNonBlocking(end->get());
        sendAtOnce(end->get());
    }
    return pair;
}

// Bytes that one side has given and the other has not taken yet.
class Pending {
public:
    std::span<char> room() { return bytes_; }
    std::span<const char> rest() const { return {bytes_.data() + begin_, end_ - begin_}; }
    bool empty() const { return begin_ == end_; }
    void filled(std::size_t bytes) {
        begin_ = 0;
        end_ = bytes;
    }
    void taken(std::size_t bytes) { begin_ += bytes; }

private:
    std::vector<char> bytes_ = std::vector<char>(kBufferBytes);
    std::size_t begin_ = 0, end_ = 0;
};

}  // namespace

// One connection.
class TlsRelay::Way {
public:
    Way(FileDescriptor network, std::unique_ptr<TlsSession> session, FileDescriptor plain)
        : network_(std::move(network)), plain_(std::move(plain)), session_(std::move(session)) {}

    pollfd networkEntry() const {
        // A write may wait for bytes of the other side, and a read for room: the library says which.
        const bool reads = (to_plain_.empty() && !network_ended_) || write_waits_for_ == POLLIN;
        const bool writes = (!to_network_.empty() || says_goodbye_) && write_waits_for_ == POLLOUT;
        return entryOf(network_, reads, writes || read_waits_for_ == POLLOUT);
    }
    pollfd plainEntry() const { return entryOf(plain_, to_network_.empty() && !plain_ended_, !to_plain_.empty()); }

    SteadyClock::time_point deadline() const { return until_; }
    const std::string& peer() const { return session_->peer(); }

    // Moves what can be moved. False: the connection is over.
    bool move(SteadyClock::time_point now) {
        bool moved_any = false;
        for (int round = 0; round < kRounds; ++round) {
            const bool sent = send(), received = receive();
            if (failed_) return false;
            moved_any = moved_any || sent || received;
            if (!sent && !received) {
                may_go_on_ = false;
                break;
            }
            may_go_on_ = true;
        }
        const bool half_over = plain_ended_ || network_ended_;
        // The side that has not ended may still have a long answer for the other one, as long as that takes it.
        if (half_over && (until_ == SteadyClock::time_point::max() || (moved_any && !is_unheard_))) until_ = now + kEndsWithin;
        const bool told_plain = network_ended_ && to_plain_.empty();
        if (told_plain && !plain_told_) {
            plain_told_ = true;
            ::shutdown(plain_.get(), SHUT_WR);
        }
        return !(plain_ended_ && network_ended_ && to_plain_.empty() && to_network_.empty()) && now < until_;
    }
    // It had more to move than its turn allowed.
    bool mayGoOn() const { return may_go_on_; }

private:
    static pollfd entryOf(const FileDescriptor& socket, bool reads, bool writes) {
        const auto events = static_cast<short>((reads ? POLLIN : 0) | (writes ? POLLOUT : 0));
        // A socket of which nothing is wanted must not wake the thread by its end.
        return {events != 0 ? socket.get() : -1, events, 0};
    }

    // Moves bytes from this process to the network. True when bytes moved.
    bool send() {
        if (to_network_.empty() && !plain_ended_) {
            const ssize_t got = ::recv(plain_.get(), to_network_.room().data(), to_network_.room().size(), MSG_DONTWAIT);
            if (got > 0) {
                to_network_.filled(static_cast<std::size_t>(got));
            } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
                plain_ended_ = says_goodbye_ = true;
            }
        }
        if (to_network_.empty()) {
            if (says_goodbye_) sayGoodbye();
            return false;
        }
        const TlsSession::Moved moved = session_->write(to_network_.rest());
        to_network_.taken(moved.bytes);
        write_waits_for_ = waitsFor(moved.result, POLLOUT);
        return moved.bytes > 0;
    }

    void sayGoodbye() {
        const TlsSession::Result result = session_->close();
        write_waits_for_ = waitsFor(result, POLLOUT);
        if (result == TlsSession::Result::kWantsRead || result == TlsSession::Result::kWantsWrite) return;
        says_goodbye_ = false;
        ::shutdown(network_.get(), SHUT_WR);
    }

    // Moves bytes from the network to this process. True when bytes moved.
    bool receive() {
        bool moved_any = false;
        if (to_plain_.empty() && !network_ended_) {
            const TlsSession::Moved moved = session_->read(to_plain_.room());
            if (moved.bytes > 0) to_plain_.filled(moved.bytes);
            read_waits_for_ = waitsFor(moved.result, POLLIN);
            if (moved.result == TlsSession::Result::kClosed) network_ended_ = true;
            moved_any = moved.bytes > 0;
        }
        if (to_plain_.empty()) return moved_any;
        const ssize_t gave = ::send(plain_.get(), to_plain_.rest().data(), to_plain_.rest().size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (gave > 0) {
            to_plain_.taken(static_cast<std::size_t>(gave));
        } else if (gave < 0 && errno != EAGAIN && errno != EINTR) {
            to_plain_.filled(0);  // nobody wants them any more
            is_unheard_ = true;
            plain_ended_ = says_goodbye_ = true;
        }
        return moved_any || gave > 0;
    }

    // Returns what the network's socket must be ready for before the same is tried again.
    short waitsFor(TlsSession::Result result, short usually) {
        switch (result) {
            case TlsSession::Result::kWantsRead:
                return POLLIN;
            case TlsSession::Result::kWantsWrite:
                return POLLOUT;
            case TlsSession::Result::kFailed:
                failed_ = true;
                return usually;
            case TlsSession::Result::kDone:
            case TlsSession::Result::kClosed:
                return usually;
        }
        return usually;
    }

    const FileDescriptor network_, plain_;
    const std::unique_ptr<TlsSession> session_;
    Pending to_network_, to_plain_;
    SteadyClock::time_point until_ = SteadyClock::time_point::max();
    short write_waits_for_ = POLLOUT, read_waits_for_ = POLLIN;
    bool plain_ended_ = false, network_ended_ = false;
    bool says_goodbye_ = false;  // close_notify is due
    bool is_unheard_ = false;    // the plain side takes nothing any more
    bool plain_told_ = false;
    bool may_go_on_ = false;
    bool failed_ = false;
};

TlsRelay::TlsRelay(TlsContext context)
    : context_(std::move(context)),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

TlsRelay::~TlsRelay() {
    thread_.request_stop();
    wake();
    thread_.join();
}

void TlsRelay::wake() const {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t ignored = ::write(wake_.get(), &one, sizeof one);  // full means that it is awake
}

FileDescriptor TlsRelay::carry(FileDescriptor network, std::unique_ptr<TlsSession> session) {
    SocketPair pair = makePair();
    join(std::move(network), std::move(session), std::move(pair.relays));
    return std::move(pair.ours);
}

void TlsRelay::join(FileDescriptor network, std::unique_ptr<TlsSession> session, FileDescriptor plain) {
    {
        const engine::MutexLock lock(mutex_);
        arrived_.push_back(std::make_unique<Way>(std::move(network), std::move(session), std::move(plain)));
        ++peers_[arrived_.back()->peer()];
    }
    wake();
}

std::map<std::string, std::size_t> TlsRelay::peers() const {
    const engine::MutexLock lock(mutex_);
    return peers_;
}

void TlsRelay::end(const std::string& peer) {
    {
        const engine::MutexLock lock(mutex_);
        unwanted_.insert(peer);
    }
    wake();
}

void TlsRelay::takeNews() {
    std::set<std::string> unwanted;
    {
        const engine::MutexLock lock(mutex_);
        for (std::unique_ptr<Way>& way : arrived_) ways_.push_back(std::move(way));
        arrived_.clear();
        unwanted.swap(unwanted_);
    }
    if (unwanted.empty()) return;
    std::erase_if(ways_, [&](const std::unique_ptr<Way>& way) {
        const bool ends = unwanted.contains(way->peer());
        if (ends) forget(*way);
        return ends;
    });
}

void TlsRelay::forget(const Way& way) {
    const engine::MutexLock lock(mutex_);
    const auto at = peers_.find(way.peer());
    if (--at->second == 0) peers_.erase(at);
}

void TlsRelay::run(const std::stop_token& stop) {
    std::vector<pollfd> entries;
    while (!stop.stop_requested()) {
        takeNews();
        const auto now = SteadyClock::now();
        auto wait = 60'000ms;
        std::erase_if(ways_, [&](const std::unique_ptr<Way>& way) {
            if (way->move(now)) return false;
            forget(*way);
            return true;
        });
        entries.assign({{wake_.get(), POLLIN, 0}});
        for (const std::unique_ptr<Way>& way : ways_) {
            entries.push_back(way->networkEntry());
            entries.push_back(way->plainEntry());
            if (way->mayGoOn()) wait = 0ms;
            if (way->deadline() != SteadyClock::time_point::max()) {
                wait = std::min(wait, std::max(0ms, std::chrono::ceil<std::chrono::milliseconds>(way->deadline() - now)));
            }
        }
        ::poll(entries.data(), entries.size(), static_cast<int>(wait.count()));
        std::uint64_t ignored = 0;
        [[maybe_unused]] const ssize_t drained = ::read(wake_.get(), &ignored, sizeof ignored);
    }
    ways_.clear();
}

}  // namespace agent::trust
