#include "agent/server/process/port_reservation.h"

#include <cerrno>
#include <cstring>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "engine/launch/port_holder.h"
#include "engine/spec/error.h"

namespace agent::server {

using convert::FileDescriptor;

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

}  // namespace

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
        const auto holder = engine::launch::findPortHolder(port);
        throw engine::Error(engine::ErrorCode::kAlreadyExists, "port " + std::to_string(port) + ": expected a free one, got one that " +
                                                                   (holder ? toString(*holder) : "another process") + " uses");
    }
    if (bound.error != 0) {
        throw engine::Error(bound.error == EACCES ? engine::ErrorCode::kPermissionDenied : engine::ErrorCode::kInternal,
                            "port " + std::to_string(port) + ": can't be bound: " + std::strerror(bound.error));
    }
    return {std::move(bound.socket), port};
}

}  // namespace agent::server
