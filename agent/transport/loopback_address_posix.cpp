#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>

#include "agent/transport/loopback_address.h"
#include "engine/spec/error.h"
#include "engine/spec/project/cluster_spec.h"

namespace agent::worker {
namespace {

using engine::Error;
using engine::ErrorCode;

constexpr std::string_view kIpv4 = "ipv4:";
constexpr std::string_view kIpv6 = "ipv6:";
constexpr int kBacklog = 1024;  // the system has a limit of its own

bool isLoopback(const sockaddr* address) {
    if (address->sa_family == AF_INET) {
        return (ntohl(reinterpret_cast<const sockaddr_in*>(address)->sin_addr.s_addr) >> 24) == 127;
    }
    return address->sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr);
}

std::string numeric(const sockaddr* address, int port) {
    char text[INET6_ADDRSTRLEN] = "";
    if (address->sa_family == AF_INET) {
        inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(address)->sin_addr, text, sizeof text);
        return std::string(kIpv4) + text + ":" + std::to_string(port);
    }
    inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr, text, sizeof text);
    return std::string(kIpv6) + "[" + text + "]:" + std::to_string(port);
}

struct SocketAddress {
    sockaddr_storage storage{};
    socklen_t length = 0;
};

std::optional<SocketAddress> parseTarget(const std::string& target) {
    const auto host_port = engine::spec::parseHostPort(target.substr(kIpv4.size()));
    if (!host_port) return std::nullopt;
    SocketAddress address;
    std::string host = host_port->host;
    if (target.starts_with(kIpv4)) {
        auto& v4 = reinterpret_cast<sockaddr_in&>(address.storage);
        v4.sin_family = AF_INET;
        v4.sin_port = htons(static_cast<std::uint16_t>(host_port->port));
        address.length = sizeof v4;
        if (inet_pton(AF_INET, host.c_str(), &v4.sin_addr) != 1) return std::nullopt;
    } else {
        if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
        auto& v6 = reinterpret_cast<sockaddr_in6&>(address.storage);
        v6.sin6_family = AF_INET6;
        v6.sin6_port = htons(static_cast<std::uint16_t>(host_port->port));
        address.length = sizeof v6;
        if (inet_pton(AF_INET6, host.c_str(), &v6.sin6_addr) != 1) return std::nullopt;
    }
    return address;
}

}  // namespace

std::string loopbackTarget(const engine::distribute::TaskName& task) {
    const auto host_port = engine::spec::parseHostPort(task.address);
    if (!host_port || host_port->port < 1 || host_port->port > 65535) {
        throw Error(ErrorCode::kInvalidArgument,
                    task.task + ": expected an address \"host:port\" with a port from 1 to 65535, got \"" + task.address + "\"");
    }
    std::string host = host_port->host.empty() ? "localhost" : host_port->host;
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* raw = nullptr;
    if (const int error = getaddrinfo(host.c_str(), nullptr, &hints, &raw); error != 0) {
        throw Error(ErrorCode::kNotFound, toString(task) + ": the host does not resolve: " + gai_strerror(error));
    }
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> found(raw, &freeaddrinfo);
    const addrinfo* chosen = nullptr;
    for (const addrinfo* entry = raw; entry != nullptr; entry = entry->ai_next) {
        if (!isLoopback(entry->ai_addr)) {
            throw Error(
                ErrorCode::kUnimplemented,
                toString(task) +
                    ": the host is not this computer's loopback; tasks of several hosts need an encrypted connection, which this version "
                    "of tandem-worker does not have");
        }
        if (chosen == nullptr || (chosen->ai_family != AF_INET && entry->ai_family == AF_INET)) chosen = entry;
    }
    return numeric(chosen->ai_addr, host_port->port);
}

convert::FileDescriptor listenAt(const std::string& target) {
    const auto address = parseTarget(target);
    if (!address) throw Error(ErrorCode::kAlreadyExists, "is not an address");
    convert::FileDescriptor socket(::socket(address->storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const int on = 1;
    if (!socket || setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(socket.get(), reinterpret_cast<const sockaddr*>(&address->storage), address->length) != 0 ||
        listen(socket.get(), kBacklog) != 0) {
        throw Error(ErrorCode::kAlreadyExists,
                    errno == EADDRINUSE ? "is in use by another program" : std::string("cannot be used: ") + std::strerror(errno));
    }
    return socket;
}

void stopListening(int socket) {
    shutdown(socket, SHUT_RDWR);  // it stays bound
    const int off = 0;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &off, sizeof off);
}

convert::FileDescriptor connectTo(const std::string& target) {
    const auto address = parseTarget(target);
    if (!address) return {};
    convert::FileDescriptor socket(::socket(address->storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket) return {};
    sendAtOnce(socket.get());
    const int result = connect(socket.get(), reinterpret_cast<const sockaddr*>(&address->storage), address->length);
    if (result != 0 && errno != EINPROGRESS) return {};
    return socket;
}

bool isConnectedToItself(int socket) {
    sockaddr_storage own{}, peer{};
    socklen_t own_length = sizeof own, peer_length = sizeof peer;
    return getsockname(socket, reinterpret_cast<sockaddr*>(&own), &own_length) == 0 &&
           getpeername(socket, reinterpret_cast<sockaddr*>(&peer), &peer_length) == 0 && own_length == peer_length &&
           std::memcmp(&own, &peer, own_length) == 0;
}

void sendAtOnce(int socket) {
    const int on = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

}  // namespace agent::worker
