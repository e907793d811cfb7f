// A TCP port of loopback that a test keeps for one of its tasks.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>

namespace tests::support {

// Binds to a port that the system chooses and keeps it bound, not listening, as the agent does: the task may listen, nobody else is given
// it.
class ReservedPort {
public:
    ReservedPort() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t length = sizeof address;
        if (socket_ < 0 || bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
            getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &length) != 0) {
            throw std::runtime_error("no free port");
        }
        const int on = 1;  // after the bind: before it, the system could give one port twice
        setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        port_ = ntohs(address.sin_port);
    }
    ReservedPort(ReservedPort&& other) noexcept : socket_(other.socket_), port_(other.port_) { other.socket_ = -1; }
    ReservedPort& operator=(ReservedPort&&) = delete;
    ~ReservedPort() {
        if (socket_ >= 0) close(socket_);
    }
    int port() const { return port_; }
    int socket() const { return socket_; }

private:
    int socket_;
    int port_ = 0;
};

}  // namespace tests::support
