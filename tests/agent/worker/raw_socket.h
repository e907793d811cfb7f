// What a stranger has: a connection to a port of this machine, and bytes.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "agent/local/file_descriptor.h"
#include "agent/transport/connection_gate.h"

namespace tests::support {

inline std::string targetOf(int port) {
    return "ipv4:127.0.0.1:" + std::to_string(port);
}

class RawSocket {
public:
    explicit RawSocket(agent::convert::FileDescriptor socket) : socket_(std::move(socket)) {}
    explicit RawSocket(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        if (::connect(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) throw std::runtime_error("no connection");
    }

    // False once the other side has closed.
    bool send(std::string_view bytes) const {
        while (!bytes.empty()) {
            const ssize_t sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (sent <= 0) return false;
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        }
        return true;
    }
    // Up to so many bytes: fewer when the other side closes or says nothing for that long.
    std::string receive(std::size_t size, std::chrono::milliseconds patience = std::chrono::minutes(3)) const {
        setPatience(patience);
        std::string bytes(size, '\0');
        std::size_t have = 0;
        while (have < size) {
            const ssize_t got = ::recv(socket_.get(), bytes.data() + have, size - have, 0);
            if (got <= 0) break;
            have += static_cast<std::size_t>(got);
        }
        bytes.resize(have);
        return bytes;
    }
    // The other side ends the connection in that time, and says nothing more.
    bool isClosed(std::chrono::milliseconds patience = std::chrono::minutes(3)) const {
        setPatience(patience);
        char byte = 0;
        const ssize_t got = ::recv(socket_.get(), &byte, 1, 0);
        return got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK);
    }
    agent::convert::FileDescriptor take() { return std::move(socket_); }

private:
    void setPatience(std::chrono::milliseconds patience) const {
        const timeval limit{patience.count() / 1000, patience.count() % 1000 * 1000};
        ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    }

    agent::convert::FileDescriptor socket_;
};

// A connection that a member of the run has made: both ends have proven the secret. Throws when the port does not prove it.
inline std::pair<RawSocket, agent::worker::Session> provenSocket(int port, const agent::convert::Secret& secret,
                                                                 const agent::worker::Call& call, const agent::worker::Session& link = {}) {
    RawSocket socket(port);
    agent::worker::CallerProof proof(secret, call, targetOf(port), link);
    socket.send(proof.opening());
    const auto answer = proof.answer(socket.receive(agent::worker::kChallengeBytes));
    if (!answer) throw std::runtime_error("the port has not proven the secret");
    socket.send(*answer);
    return {std::move(socket), proof.session()};
}

}  // namespace tests::support
