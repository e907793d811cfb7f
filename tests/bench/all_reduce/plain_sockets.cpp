#include "plain_sockets.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <system_error>

#include "agent/local/file_descriptor.h"

namespace bench {
namespace {

using agent::convert::FileDescriptor;

constexpr std::size_t kPieceBytes = 512 * 1024;  // as the streams of gradients have it

int checked(int result, const char* what) {
    if (result < 0) throw std::system_error(errno, std::generic_category(), what);
    return result;
}

// A connection for each direction, as between tasks.
struct Ways {
    FileDescriptor out, in;
};

Ways connectWays(const sockaddr_in& address, int listener, bool calls) {
    Ways ways;
    for (FileDescriptor* way : calls ? std::array{&ways.out, &ways.in} : std::array{&ways.in, &ways.out}) {
        if (calls) {
            *way = FileDescriptor(checked(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket"));
            checked(::connect(way->get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), "connect");
        } else {
            *way = FileDescriptor(checked(::accept(listener, nullptr, nullptr), "accept"));
        }
        const int on = 1;
        checked(::setsockopt(way->get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), "TCP_NODELAY");
        checked(::fcntl(way->get(), F_SETFL, O_NONBLOCK), "O_NONBLOCK");
    }
    return ways;
}

std::size_t movedOf(ssize_t result, const char* what) {
    if (result > 0) return static_cast<std::size_t>(result);
    if (result < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    throw std::system_error(result == 0 ? ECONNRESET : errno, std::generic_category(), what);
}

double exchangeSeconds(const Ways& ways, const std::vector<std::byte>& bytes, std::vector<std::byte>& room) {
    const auto start = std::chrono::steady_clock::now();
    std::size_t sent = 0, received = 0;
    while (sent < bytes.size() || received < bytes.size()) {
        if (sent < bytes.size()) {
            const std::size_t piece = std::min(kPieceBytes, bytes.size() - sent);
            sent += movedOf(::send(ways.out.get(), bytes.data() + sent, piece, MSG_NOSIGNAL), "send");
        }
        if (received < bytes.size()) {
            const std::size_t piece = std::min(room.size(), bytes.size() - received);
            received += movedOf(::recv(ways.in.get(), room.data(), piece, 0), "recv");
        }
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

void measurePlainSockets(const std::vector<std::size_t>& kib, int warmup, int repeats) {
    const FileDescriptor listener(checked(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket"));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    checked(::bind(listener.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), "bind");
    checked(::listen(listener.get(), 2), "listen");
    checked(::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &length), "getsockname");
    const pid_t child = checked(::fork(), "fork");
    const Ways ways = connectWays(address, listener.get(), child == 0);
    std::vector<std::byte> room(2 * kPieceBytes);
    for (const std::size_t one : kib) {
        const std::vector<std::byte> bytes(one * 1024);
        std::vector<double> times;
        for (int k = 0; k < warmup + (one <= 1024 ? repeats * 10 : repeats); ++k) {
            const double seconds = exchangeSeconds(ways, bytes, room);
            if (k >= warmup) times.push_back(seconds);
        }
        std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
        const double median = times[times.size() / 2];
        if (child == 0) continue;
        std::printf("{\"transport\": \"sockets\", \"workers\": 2, \"kib\": %zu, \"median_s\": %.9f, \"bus_gb_per_s\": %.4f}\n", one, median,
                    static_cast<double>(bytes.size()) / median / 1e9);
        std::fflush(stdout);
    }
    if (child == 0) ::_exit(0);
    ::waitpid(child, nullptr, 0);
}

}  // namespace bench
