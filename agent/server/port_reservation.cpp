#include "agent/server/port_reservation.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "engine/spec/error.h"

namespace agent::server {

using convert::FileDescriptor;
namespace fs = std::filesystem;

namespace {

// Both families behind one socket where the host has IPv6, as gRPC's servers do.
struct BoundSocket {
    FileDescriptor socket;
    int error = 0;
};

void allowReuse(const FileDescriptor& socket) {
    const int on = 1;
    ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
}

int bindEverywhere(const FileDescriptor& socket, int family, int port) {
    if (family == AF_INET6) {
        const int off = 0;
        ::setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
        sockaddr_in6 address{};
        address.sin6_family = AF_INET6;
        address.sin6_port = htons(static_cast<std::uint16_t>(port));
        return ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ? 0 : errno;
    }
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    return ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ? 0 : errno;
}

// The system must not hand out a port that another reservation holds: SO_REUSEADDR goes on before the bind only for a port by number, where
// it is needed against connections of an earlier run that linger in TIME_WAIT.
BoundSocket bindPort(int port) {
    BoundSocket bound;
    for (const int family : {AF_INET6, AF_INET}) {
        bound.socket = FileDescriptor(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
        if (!bound.socket) {
            bound.error = errno;
            continue;
        }
        if (port != 0) {
            allowReuse(bound.socket);
        }
        bound.error = bindEverywhere(bound.socket, family, port);
        if (port == 0) {
            allowReuse(bound.socket);
        }
        if (bound.error != EADDRNOTAVAIL && bound.error != EAFNOSUPPORT) {
            break;
        }
    }
    return bound;
}

int boundPort(const FileDescriptor& socket) {
    sockaddr_storage address{};
    socklen_t length = sizeof address;
    ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &length);
    return ntohs(address.ss_family == AF_INET6 ? reinterpret_cast<const sockaddr_in6&>(address).sin6_port
                                               : reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

// Inodes of the sockets that listen on a port. A line of /proc/net/tcp: "sl local:PORT remote:PORT state tx:rx tr:tm retr uid timeout
// inode".
std::set<std::string> listeningInodes(int port) {
    std::set<std::string> inodes;
    for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
        std::ifstream file(table);
        std::string line;
        std::getline(file, line);
        while (std::getline(file, line)) {
            std::istringstream fields(line);
            std::string slot, local, remote, state, queues, timer, retransmits, user, timeout, inode;
            fields >> slot >> local >> remote >> state >> queues >> timer >> retransmits >> user >> timeout >> inode;
            const std::size_t colon = local.rfind(':');
            if (state == "0A" && colon != std::string::npos && std::stoi(local.substr(colon + 1), nullptr, 16) == port) {
                inodes.insert("socket:[" + inode + "]");
            }
        }
    }
    return inodes;
}

bool holdsOneOf(const fs::path& process, const std::set<std::string>& sockets) {
    std::error_code error;
    for (fs::directory_iterator descriptor(process / "fd", error), end; !error && descriptor != end; descriptor.increment(error)) {
        std::error_code ignored;
        if (sockets.contains(fs::read_symlink(descriptor->path(), ignored).string())) {
            return true;
        }
    }
    return false;
}

}  // namespace

std::string portHolder(int port) {
    const std::set<std::string> sockets = listeningInodes(port);
    if (sockets.empty()) {
        return {};
    }
    std::error_code error;
    for (fs::directory_iterator process("/proc", error), end; !error && process != end; process.increment(error)) {
        const std::string pid = process->path().filename();
        if (pid.find_first_not_of("0123456789") == std::string::npos && holdsOneOf(process->path(), sockets)) {
            std::string name;
            std::getline(std::ifstream(process->path() / "comm") >> std::ws, name);
            return name + " (pid " + pid + ")";
        }
    }
    return {};
}

PortReservation PortReservation::anyPort() {
    BoundSocket bound = bindPort(0);
    if (bound.error != 0) {
        throw engine::Error(engine::ErrorCode::kResourceExhausted,
                            std::string("ports: expected a free one, got none: ") + std::strerror(bound.error));
    }
    const int port = boundPort(bound.socket);
    return {std::move(bound.socket), port};
}

void PortReservation::holdAgain() {
    if (port_ != 0 && !socket_) {
        *this = thisPort(port_);
    }
}

PortReservation PortReservation::thisPort(int port) {
    BoundSocket bound = bindPort(port);
    if (bound.error == EADDRINUSE) {
        const std::string holder = portHolder(port);
        throw engine::Error(engine::ErrorCode::kAlreadyExists, "port " + std::to_string(port) + ": expected a free one, got one that " +
                                                                   (holder.empty() ? "another process" : holder) + " uses");
    }
    if (bound.error != 0) {
        throw engine::Error(bound.error == EACCES ? engine::ErrorCode::kPermissionDenied : engine::ErrorCode::kInternal,
                            "port " + std::to_string(port) + ": can't be bound: " + std::strerror(bound.error));
    }
    return {std::move(bound.socket), port};
}

}  // namespace agent::server
