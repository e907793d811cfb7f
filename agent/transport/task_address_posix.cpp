#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>

#include "agent/transport/task_address.h"
#include "engine/spec/error.h"
#include "engine/spec/project/cluster_spec.h"

namespace agent::worker {
namespace {

using engine::Error;
using engine::ErrorCode;
using engine::distribute::TaskName;

constexpr std::string_view kIpv4 = "ipv4:";
constexpr std::string_view kIpv6 = "ipv6:";
constexpr int kBacklog = 1024;  // the system has a limit of its own

struct SocketAddress {
    sockaddr_storage storage{};
    socklen_t length = 0;

    const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
    bool isIpv4() const { return storage.ss_family == AF_INET; }
    const sockaddr_in& v4() const { return reinterpret_cast<const sockaddr_in&>(storage); }
    const sockaddr_in6& v6() const { return reinterpret_cast<const sockaddr_in6&>(storage); }
};

bool isLoopback(const SocketAddress& address) {
    return address.isIpv4() ? (ntohl(address.v4().sin_addr.s_addr) >> 24) == 127 : IN6_IS_ADDR_LOOPBACK(&address.v6().sin6_addr);
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

SocketAddress copyOf(const sockaddr* address, socklen_t length) {
    SocketAddress copy{.length = length};
    std::memcpy(&copy.storage, address, length);
    return copy;
}

// "10.77.0.3:41231" or "[fd77::3]:41231"
std::string textOf(const SocketAddress& address) {
    char text[INET6_ADDRSTRLEN] = "";
    if (address.isIpv4()) {
        inet_ntop(AF_INET, &address.v4().sin_addr, text, sizeof text);
        return std::string(text) + ":" + std::to_string(portOf(address));
    }
    inet_ntop(AF_INET6, &address.v6().sin6_addr, text, sizeof text);
    return "[" + std::string(text) + "]:" + std::to_string(portOf(address));
}

std::optional<SocketAddress> parseTarget(const std::string& target) {
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

// A socket can be bound to it.
bool isOwnAddress(SocketAddress address) {
    setPort(address, 0);
    const convert::FileDescriptor socket(::socket(address.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    return socket && bind(socket.get(), address.get(), address.length) == 0;
}

// The address of this computer from which the system would send to `other`; nullopt without a way there.
std::optional<SocketAddress> addressTowards(const SocketAddress& other, int port) {
    const convert::FileDescriptor socket(::socket(other.storage.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    SocketAddress own{.length = sizeof own.storage};
    // Connecting a datagram socket chooses the way and sends nothing.
    if (!socket || connect(socket.get(), other.get(), other.length) != 0 ||
        getsockname(socket.get(), reinterpret_cast<sockaddr*>(&own.storage), &own.length) != 0) {
        return std::nullopt;
    }
    setPort(own, port);
    return own;
}

// What a task's address has turned out to be.
struct Found {
    SocketAddress address;
    bool is_here = false;
    bool is_loopback_by_name = false;  // it says "localhost" or a number of the loopback
};

std::string targetOf(const Found& found) {
    return std::string(found.address.isIpv4() ? kIpv4 : kIpv6) + textOf(found.address);
}

std::string withoutScheme(const std::string& target) {
    return target.substr(kIpv4.size());
}

using AddressList = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

Found resolve(const TaskName& task) {
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
    const AddressList all(raw, &freeaddrinfo);
    // Every task must choose the same one: IPv4 where there is one.
    const addrinfo* chosen = raw;
    for (const addrinfo* entry = raw; entry != nullptr; entry = entry->ai_next) {
        if (chosen->ai_family != AF_INET && entry->ai_family == AF_INET) chosen = entry;
    }
    Found found{.address = copyOf(chosen->ai_addr, chosen->ai_addrlen)};
    setPort(found.address, host_port->port);
    found.is_here = isLoopback(found.address) || isOwnAddress(found.address);
    const bool is_number = parseTarget(std::string(kIpv4) + host + ":1") || parseTarget(std::string(kIpv6) + "[" + host + "]:1");
    found.is_loopback_by_name = isLoopback(found.address) && (is_number || host == "localhost");
    return found;
}

[[noreturn]] void throwNeedsKey(const TaskName& task) {
    throw Error(ErrorCode::kFailedPrecondition,
                toString(task) +
                    " is on another computer, to which the way must be encrypted: expected tandem-worker's --cluster-key FILE, got none "
                    "(\"tandem-cli cluster-key --out FILE\" makes such a file; each computer of the cluster needs a copy)");
}

}  // namespace

std::vector<TaskPlace> resolveTasks(const std::vector<TaskName>& tasks, std::size_t own, Reach reach) {
    std::vector<Found> found;
    found.reserve(tasks.size());
    for (const TaskName& task : tasks) found.push_back(resolve(task));
    if (!found[own].is_here) {
        throw Error(ErrorCode::kInvalidArgument, toString(tasks[own]) + ": expected an address of this computer, got " +
                                                     withoutScheme(targetOf(found[own])) + ", which is another's");
    }
    const auto elsewhere = std::find_if(found.begin(), found.end(), [](const Found& one) { return !one.is_here; });
    if (elsewhere != found.end()) {
        if (reach == Reach::kThisComputer) throwNeedsKey(tasks[static_cast<std::size_t>(elsewhere - found.begin())]);
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (!found[i].is_here || !isLoopback(found[i].address)) continue;
            if (found[i].is_loopback_by_name) {
                throw Error(ErrorCode::kInvalidArgument,
                            toString(tasks[i]) + ": expected a name or an address that other computers know, since " +
                                toString(tasks[static_cast<std::size_t>(elsewhere - found.begin())]) + " is on one");
            }
            found[i].address = addressTowards(elsewhere->address, portOf(found[i].address)).value_or(found[i].address);
        }
    }
    std::vector<TaskPlace> places;
    places.reserve(found.size());
    for (const Found& one : found) places.push_back({targetOf(one), one.is_here});
    return places;
}

convert::FileDescriptor listenAt(const std::string& target) {
    const auto address = parseTarget(target);
    if (!address) throw Error(ErrorCode::kAlreadyExists, "is not an address");
    convert::FileDescriptor socket(::socket(address->storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
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

convert::FileDescriptor connectTo(const std::string& target) {
    const auto address = parseTarget(target);
    if (!address) return {};
    convert::FileDescriptor socket(::socket(address->storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket) return {};
    sendAtOnce(socket.get());
    const int result = connect(socket.get(), address->get(), address->length);
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

namespace {

// Of the two ends of a connection.
std::optional<SocketAddress> addressOf(int socket, int (*ask)(int, sockaddr*, socklen_t*)) {
    SocketAddress address{.length = sizeof address.storage};
    if (ask(socket, reinterpret_cast<sockaddr*>(&address.storage), &address.length) != 0) return std::nullopt;
    return address;
}

}  // namespace

bool isFromHere(int socket) {
    const auto own = addressOf(socket, &getsockname), other = addressOf(socket, &getpeername);
    return own && other && (isLoopback(*other) || sameHost(*own, *other));
}

std::string otherEnd(int socket) {
    const auto other = addressOf(socket, &getpeername);
    return other ? textOf(*other) : "an unknown address";
}

void sendAtOnce(int socket) {
    const int on = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

}  // namespace agent::worker
