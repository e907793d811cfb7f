#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "agent/local/address_file.h"
#include "agent/server/rpc/local_door.h"
#include "engine/spec/error.h"
#include "engine/thread/mutex.h"

namespace agent::server {

using convert::FileDescriptor;

namespace {

constexpr int kBacklog = 512;
constexpr int kAcceptsAtOnce = 256;
constexpr std::chrono::milliseconds kNoRoomPause{50};
constexpr std::chrono::milliseconds kLongestSleep{1000};
// A turn that comes this much later than it should means that this very process was stopped: nobody was slow but the door itself.
constexpr std::chrono::milliseconds kOwnStop{1000};
// RFC 9113, 3.4: what every client sends first.
constexpr std::string_view kHttp2First = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
constexpr std::string_view kPeerScheme = "fd:";

[[noreturn]] void fail(const std::filesystem::path& socket, const char* what) {
    throw engine::Error(engine::ErrorCode::kUnavailable,
                        socket.string() + ": expected a socket to listen on, " + what + ": " + std::strerror(errno));
}

FileDescriptor spareDescriptor() {
    return FileDescriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
}

// Listens by way of the opened folder, so that neither the length of its path nor a change of it matters.
FileDescriptor listenAt(const FileDescriptor& folder, const std::string& name, const std::filesystem::path& socket) {
    FileDescriptor listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = convert::shortPath(folder, name).string();
    if (!listener || path.size() >= sizeof address.sun_path) {
        fail(socket, "it can't be made");
    }
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    ::unlinkat(folder.get(), name.c_str(), 0);
    ::fchmod(listener.get(), 0600);  // which the name in the folder gets
    if (::bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(listener.get(), kBacklog) != 0) {
        fail(socket, "it can't be bound");
    }
    return listener;
}

}  // namespace

LocalDoor::LocalDoor(std::filesystem::path folder, std::string name, LocalDoorOptions options)
    : folder_path_(std::move(folder)),
      name_(std::move(name)),
      options_(options),
      folder_(convert::openPrivateFolder(folder_path_)),
      listener_(listenAt(folder_, name_, folder_path_ / name_)),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      spare_(spareDescriptor()) {}

LocalDoor::~LocalDoor() {
    close();
}

void LocalDoor::close() {
    thread_.request_stop();
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t ignored = ::write(wake_.get(), &one, sizeof one);
    if (thread_.joinable()) {
        thread_.join();
    }
    ::unlinkat(folder_.get(), name_.c_str(), 0);
}

void LocalDoor::open(Enter enter) {
    ENGINE_CHECK(!thread_.joinable());
    enter_ = std::move(enter);
    thread_ = std::jthread([this](const std::stop_token& stop) { loop(stop); });
}

void LocalDoor::proven(std::string_view peer) {
    if (!peer.starts_with(kPeerScheme)) {
        return;
    }
    const std::string number(peer.substr(kPeerScheme.size()));
    const engine::MutexLock lock(mutex_);
    std::erase_if(guests_,
                  [&](const Guest& guest) { return guest.state == State::kHandedOver && std::to_string(guest.handed_as) == number; });
}

std::size_t LocalDoor::unproven() const {
    const engine::MutexLock lock(mutex_);
    return guests_.size();
}

bool LocalDoor::isOwn(int connection) {
    ucred peer{};
    socklen_t length = sizeof peer;
    return ::getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.uid == ::geteuid();
}

LocalDoor::First LocalDoor::firstBytes(int connection) {
    std::array<char, kHttp2First.size()> bytes{};
    const ssize_t received = ::recv(connection, bytes.data(), bytes.size(), MSG_PEEK | MSG_DONTWAIT);
    if (received < 0) {
        return errno == EAGAIN || errno == EINTR ? First::kNone : First::kOther;
    }
    // A client sends them in one piece; who sends less would keep this thread awake.
    return std::string_view(bytes.data(), static_cast<std::size_t>(received)) == kHttp2First ? First::kHttp2 : First::kOther;
}

void LocalDoor::accept(Clock::time_point now) {
    for (int i = 0; i < kAcceptsAtOnce; ++i) {
        FileDescriptor connection(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (connection) {
            admit(std::move(connection), now);
        } else if (errno == EMFILE && spare_) {
            // This one is taken in the spare's place. It is sent away when there is still no room for a spare, so that it does not wait
            // for good and those behind it are seen; somebody may have made room since.
            spare_.reset();
            connection = FileDescriptor(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
            spare_ = spareDescriptor();
            if (!spare_) {
                connection.reset();
                spare_ = spareDescriptor();
            } else if (connection) {
                admit(std::move(connection), now);
            }
        } else if (errno != EINTR && errno != ECONNABORTED) {
            if (errno != EAGAIN) {  // ENFILE, ENOMEM, and EMFILE when another thread took the spare one
                accept_again_ = now + kNoRoomPause;
                spare_ = spare_ ? std::move(spare_) : spareDescriptor();
            }
            return;
        }
    }
}

void LocalDoor::admit(FileDescriptor connection, Clock::time_point now) {
    if (!isOwn(connection.get())) {
        return;
    }
    const engine::MutexLock lock(mutex_);
    if (guests_.size() >= options_.most_unproven) {
        const auto silent = std::find_if(guests_.begin(), guests_.end(), [](const Guest& guest) { return guest.state == State::kSilent; });
        const auto leaving = silent != guests_.end() ? silent : guests_.begin();
        ::shutdown(leaving->connection.get(), SHUT_RDWR);
        guests_.erase(leaving);
    }
    guests_.push_back({std::move(connection), State::kSilent, -1, now});
}

std::vector<pollfd> LocalDoor::descriptors() const {
    std::vector<pollfd> entries{{wake_.get(), POLLIN, 0}, {Clock::now() < accept_again_ ? -1 : listener_.get(), POLLIN, 0}};
    const engine::MutexLock lock(mutex_);
    for (const Guest& guest : guests_) {
        const bool silent = guest.state == State::kSilent;
        entries.push_back({guest.connection.get(), static_cast<short>(silent ? POLLIN | POLLRDHUP : POLLRDHUP), 0});
    }
    return entries;
}

int LocalDoor::timeout(Clock::time_point now) const {
    Clock::time_point next = now + kLongestSleep;
    if (accept_again_ > now) {
        next = std::min(next, accept_again_);
    }
    const engine::MutexLock lock(mutex_);
    if (!guests_.empty()) {
        next = std::min(next, guests_.front().since + options_.unproven_for);
    }
    return static_cast<int>(std::max<std::int64_t>(0, std::chrono::ceil<std::chrono::milliseconds>(next - now).count()));
}

// Those that have something to say go in, those that have gone are forgotten. `entries` are of those that waited when it was polled.
void LocalDoor::look(const std::vector<pollfd>& entries) {
    std::vector<FileDescriptor> entering;
    {
        const engine::MutexLock lock(mutex_);
        for (auto guest = guests_.begin(); guest != guests_.end();) {
            const auto entry =
                std::find_if(entries.begin(), entries.end(), [&](const pollfd& e) { return e.fd == guest->connection.get(); });
            const bool spoke = entry != entries.end() && entry->revents != 0;
            if (!spoke) {
                ++guest;
                continue;
            }
            const First first = guest->state == State::kSilent ? firstBytes(guest->connection.get()) : First::kOther;
            FileDescriptor duplicate(first == First::kHttp2 ? ::fcntl(guest->connection.get(), F_DUPFD_CLOEXEC, 0) : -1);
            if (duplicate) {
                guest->state = State::kHandedOver;
                guest->handed_as = guest->connection.get();
                entering.push_back(std::exchange(guest->connection, std::move(duplicate)));
                ++guest;
            } else if (first == First::kNone) {
                ++guest;
            } else {
                guest = guests_.erase(guest);
            }
        }
    }
    for (FileDescriptor& connection : entering) {
        enter_(std::move(connection));
    }
}

void LocalDoor::sendAway(Clock::time_point now) {
    const engine::MutexLock lock(mutex_);
    while (!guests_.empty() && now - guests_.front().since >= options_.unproven_for) {
        ::shutdown(guests_.front().connection.get(), SHUT_RDWR);
        guests_.pop_front();
    }
}

void LocalDoor::forgive(Clock::duration own_stop) {
    const engine::MutexLock lock(mutex_);
    for (Guest& guest : guests_) {
        guest.since += own_stop;
    }
}

void LocalDoor::loop(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        std::vector<pollfd> entries = descriptors();
        const Clock::time_point before = Clock::now();
        const int sleep_ms = timeout(before);
        ::poll(entries.data(), entries.size(), sleep_ms);
        const Clock::time_point now = Clock::now();
        if (const auto late = now - before - std::chrono::milliseconds(sleep_ms); late > kOwnStop) {
            forgive(now - before);
        }
        if (stop.stop_requested()) {
            return;
        }
        look(entries);
        if (entries[1].revents != 0) {
            accept(now);
        }
        sendAway(now);
    }
}

}  // namespace agent::server
