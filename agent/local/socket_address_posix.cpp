#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/tcp.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "agent/local/socket_address.h"
#include "engine/spec/error.h"
#include "engine/spec/project/cluster_spec.h"

namespace agent::convert {
namespace {

using engine::Error;
using engine::ErrorCode;

constexpr std::string_view kIpv4 = "ipv4:";
constexpr std::string_view kIpv6 = "ipv6:";
constexpr int kBacklog = 1024;  // the system has a limit of its own

std::optional<SocketAddress> addressOf(int socket, int (*ask)(int, sockaddr*, socklen_t*)) {
    SocketAddress address{.length = sizeof address.storage};
    if (ask(socket, reinterpret_cast<sockaddr*>(&address.storage), &address.length) != 0) return std::nullopt;
    return address;
}

}  // namespace

bool isLoopback(const SocketAddress& address) {
    return address.isIpv4() ? (ntohl(address.v4().sin_addr.s_addr) >> 24) == 127 : IN6_IS_ADDR_LOOPBACK(&address.v6().sin6_addr);
}

bool isAny(const SocketAddress& address) {
    return address.isIpv4() ? address.v4().sin_addr.s_addr == INADDR_ANY : IN6_IS_ADDR_UNSPECIFIED(&address.v6().sin6_addr);
}

bool sameHost(const SocketAddress& a, const SocketAddress& b) {
    if (a.storage.ss_family != b.storage.ss_family) return false;
    return a.isIpv4() ? a.v4().sin_addr.s_addr == b.v4().sin_addr.s_addr : IN6_ARE_ADDR_EQUAL(&a.v6().sin6_addr, &b.v6().sin6_addr);
}

int portOf(const SocketAddress& address) {
    return ntohs(address.isIpv4() ? address.v4().sin_port : address.v6().sin6_port);
}

void setPort(SocketAddress& address, int port) {
    const in_port_t in_network_order = htons(static_cast<std::uint16_t>(port));
    if (address.isIpv4()) {
        reinterpret_cast<sockaddr_in&>(address.storage).sin_port = in_network_order;
    } else {
        reinterpret_cast<sockaddr_in6&>(address.storage).sin6_port = in_network_order;
    }
}

std::string hostTextOf(const SocketAddress& address) {
    char text[INET6_ADDRSTRLEN] = "";
    if (address.isIpv4()) {
        inet_ntop(AF_INET, &address.v4().sin_addr, text, sizeof text);
    } else {
        inet_ntop(AF_INET6, &address.v6().sin6_addr, text, sizeof text);
    }
    return text;
}

std::string textOf(const SocketAddress& address) {
    const std::string host = hostTextOf(address);
    return (address.isIpv4() ? host : "[" + host + "]") + ":" + std::to_string(portOf(address));
}

std::string targetOf(const SocketAddress& address) {
    return std::string(address.isIpv4() ? kIpv4 : kIpv6) + textOf(address);
}

std::optional<SocketAddress> parseTarget(const std::string& target) {
    if (!target.starts_with(kIpv4) && !target.starts_with(kIpv6)) return std::nullopt;
    const auto host_port = engine::spec::parseHostPort(target.substr(kIpv4.size()));
    if (!host_port) return std::nullopt;
    SocketAddress address;
    std::string host = host_port->host;
    if (target.starts_with(kIpv4)) {
        auto& v4 = reinterpret_cast<sockaddr_in&>(address.storage);
        v4.sin_family = AF_INET;
        address.length = sizeof v4;
        if (inet_pton(AF_INET, host.c_str(), &v4.sin_addr) != 1) return std::nullopt;
    } else {
        if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
        auto& v6 = reinterpret_cast<sockaddr_in6&>(address.storage);
        v6.sin6_family = AF_INET6;
        address.length = sizeof v6;
        if (inet_pton(AF_INET6, host.c_str(), &v6.sin6_addr) != 1) return std::nullopt;
    }
    setPort(address, host_port->port);
    return address;
}

bool isOwnAddress(SocketAddress address) {
    setPort(address, 0);
    const FileDescriptor socket(::socket(address.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    return socket && bind(socket.get(), address.get(), address.length) == 0;
}

SocketAddress resolveHost(const std::string& host, int port) {
    const bool in_brackets = host.starts_with('[') && host.ends_with(']');
    const std::string name = in_brackets ? host.substr(1, host.size() - 2) : host;
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* raw = nullptr;
    if (const int error = getaddrinfo(name.c_str(), nullptr, &hints, &raw); error != 0) {
        throw Error(ErrorCode::kNotFound, gai_strerror(error));
    }
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> all(raw, &freeaddrinfo);
    const addrinfo* chosen = raw;
    for (const addrinfo* entry = raw; entry != nullptr; entry = entry->ai_next) {
        if (chosen->ai_family != AF_INET && entry->ai_family == AF_INET) chosen = entry;
    }
    SocketAddress address{.length = chosen->ai_addrlen};
    std::memcpy(&address.storage, chosen->ai_addr, chosen->ai_addrlen);
    setPort(address, port);
    return address;
}

FileDescriptor listenAt(const std::string& target) {
    const auto address = parseTarget(target);
    if (!address) throw Error(ErrorCode::kAlreadyExists, "is not an address");
    FileDescriptor socket(::socket(address->storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const int on = 1;
    if (!socket || setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(socket.get(), address->get(), address->length) != 0 || listen(socket.get(), kBacklog) != 0) {
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

FileDescriptor connectTo(const std::string& target) {
    const auto address = parseTarget(target);
    if (!address) return {};
    FileDescriptor socket(::socket(address->storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket) return {};
    sendAtOnce(socket.get());
    const int result = connect(socket.get(), address->get(), address->length);
    if (result != 0 && errno != EINPROGRESS) return {};
    return socket;
}

bool isConnectedToItself(int socket) {
    const auto own = ownEnd(socket), peer = farEnd(socket);
    return own && peer && own->length == peer->length && std::memcmp(&own->storage, &peer->storage, own->length) == 0;
}

std::optional<SocketAddress> ownEnd(int socket) {
    return addressOf(socket, &getsockname);
}

std::optional<SocketAddress> farEnd(int socket) {
    return addressOf(socket, &getpeername);
}

bool isFromHere(int socket) {
    const auto own = ownEnd(socket), other = farEnd(socket);
    return own && other && (isLoopback(*other) || sameHost(*own, *other));
}

std::string otherEnd(int socket) {
    const auto other = farEnd(socket);
    return other ? textOf(*other) : "an unknown address";
}

void keepAlive(int socket) {
    constexpr int kOn = 1, kEverySeconds = 5, kTimes = 3;
    constexpr unsigned kUnansweredMs = 15'000;  // of what was sent
    setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &kOn, sizeof kOn);
    setsockopt(socket, IPPROTO_TCP, TCP_KEEPIDLE, &kEverySeconds, sizeof kEverySeconds);
    setsockopt(socket, IPPROTO_TCP, TCP_KEEPINTVL, &kEverySeconds, sizeof kEverySeconds);
    setsockopt(socket, IPPROTO_TCP, TCP_KEEPCNT, &kTimes, sizeof kTimes);
    setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &kUnansweredMs, sizeof kUnansweredMs);
}

void sendAtOnce(int socket) {
    const int on = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

}  // namespace agent::convert
