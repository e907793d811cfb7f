#include <array>
#include <cerrno>
#include <cstring>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "agent/direct/direct_forward.h"
#include "agent/local/address_file.h"

namespace agent::direct {

namespace fs = std::filesystem;
using convert::FileDescriptor;
using engine::Error;
using engine::ErrorCode;
using trust::TlsSession;

namespace {

constexpr int kBacklog = 64;
constexpr int kNoRoomMs = 50;                     // without a descriptor for who connects
constexpr std::chrono::seconds kReachWithin{10};  // for each connection, as ssh's ConnectTimeout here

FileDescriptor listenBelow(const FileDescriptor& folder, const fs::path& socket) {
    FileDescriptor listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = convert::shortPath(folder, socket.filename()).string();
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    if (!listener || path.size() >= sizeof address.sun_path || ::fchmod(listener.get(), 0600) != 0 ||
        ::bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(listener.get(), kBacklog) != 0) {
        throw Error(ErrorCode::kUnavailable, socket.string() + ": expected a socket to listen on, got: " + std::strerror(errno));
    }
    return listener;
}

}  // namespace

DirectForward::DirectForward(fs::path socket, CallOptions options, const trust::Identity& identity)
    : options_(std::move(options)),
      socket_(std::move(socket)),
      relay_(trust::TlsContext(identity)),
      located_(locateDirectly(options_, relay_.context())),
      folder_(convert::openPrivateFolder(socket_.parent_path())),
      listener_(listenBelow(folder_, socket_)),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      thread_([this](const std::stop_token& stop) { loop(stop); }) {}

DirectForward::~DirectForward() {
    thread_.request_stop();
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t ignored = ::write(wake_.get(), &one, sizeof one);
    thread_.join();
    ::unlinkat(folder_.get(), socket_.filename().c_str(), 0);
}

std::optional<Error> DirectForward::lost() const {
    const engine::MutexLock lock(mutex_);
    return lost_;
}

void DirectForward::lose(const Error& why) {
    const engine::MutexLock lock(mutex_);
    if (!lost_) {
        lost_ = why;
    }
}

// True when the connection by which the agent was located has ended.
bool DirectForward::isCut() {
    char byte = 0;
    const TlsSession::Moved moved = located_.connection.session->read({&byte, 1});
    return moved.result == TlsSession::Result::kClosed || moved.result == TlsSession::Result::kFailed;
}

// False when there is no descriptor for who waits: there may be one a little later.
bool DirectForward::take(const std::stop_token& stop) {
    FileDescriptor guest(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!guest) {
        return errno == EAGAIN || errno == EINTR || errno == ECONNABORTED;
    }
    CallOptions options = options_;
    options.until = std::chrono::steady_clock::now() + kReachWithin;
    options.is_cancelled = [&stop] { return stop.stop_requested(); };
    try {
        DirectConnection connection = enterDirectly(options, relay_.context());
        relay_.join(std::move(connection.socket), std::move(connection.session), std::move(guest));
    } catch (const Error& error) {
        if (error.code() != ErrorCode::kResourceExhausted) {  // else this one ends alone
            lose(error);
        }
    }
    return true;
}

void DirectForward::loop(const std::stop_token& stop) {
    bool has_room = true;
    while (!stop.stop_requested() && !lost()) {
        std::array<pollfd, 3> entries{
            {{wake_.get(), POLLIN, 0}, {has_room ? listener_.get() : -1, POLLIN, 0}, {located_.connection.socket.get(), POLLIN, 0}}};
        ::poll(entries.data(), entries.size(), has_room ? -1 : kNoRoomMs);
        if (stop.stop_requested()) {
            return;
        }
        if (entries[2].revents != 0 && isCut()) {
            lose(Error(ErrorCode::kUnavailable,
                       options_.name + ": expected an agent that listens at " + options_.peer.address + ", the connection was cut"));
        }
        has_room = entries[1].revents == 0 || take(stop);
    }
}

}  // namespace agent::direct
