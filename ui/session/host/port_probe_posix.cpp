// SPDX-License-Identifier: GPL-3.0-or-later
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include "ui/session/host/port_probe.h"

namespace ui::session {
namespace {

constexpr int kFirstUsualPort = 12345, kUsualStride = 11111, kUsualCount = 5, kNextTurn = 10;

// Returns the bound port, 0 when `port` could not be bound. `port` 0 asks for any.
int tryBind(int port) {
    const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return 0;
    const int reuse = 1;  // a port in TIME_WAIT is free; one that another listens on is not
    ::setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof reuse);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    socklen_t size = sizeof address;
    int bound = 0;
    if (::bind(descriptor, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
        ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) == 0) {
        bound = ntohs(address.sin_port);
    }
    ::close(descriptor);
    return bound;
}

}  // namespace

bool isLoopbackPortFree(int port) {
    return port > 0 && port <= 65535 && tryBind(port) == port;
}

std::vector<int> usualPorts(int count) {
    std::vector<int> ports;
    for (int i = 0; i < count; ++i) ports.push_back(kFirstUsualPort + i % kUsualCount * kUsualStride + i / kUsualCount * kNextTurn);
    return ports;
}

std::vector<int> freeLoopbackPorts(int count) {
    std::vector<int> ports;
    for (int port : usualPorts(count)) {
        while (!isLoopbackPortFree(port) || std::find(ports.begin(), ports.end(), port) != ports.end()) {
            port = tryBind(0);
            if (port == 0) return ports;
        }
        ports.push_back(port);
    }
    return ports;
}

}  // namespace ui::session
