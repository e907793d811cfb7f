// The doctor's questions to the system: sockets, clock, files, the worker program.
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <future>
#include <memory>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/timex.h>
#include <unistd.h>

#include "agent/local/file_descriptor.h"
#include "agent/server/doctor/doctor.h"
#include "agent/server/process/port_reservation.h"
#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/error.h"

namespace agent::server {

namespace spec = engine::spec;
using convert::FileDescriptor;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

namespace {

constexpr auto kDeadline = 2s;
constexpr int kRoundTrips = 101, kSmallMessage = 64;
constexpr std::size_t kLargeMessage = 16U << 20, kPiece = 256U << 10;

struct Resolved {
    bool found = false;
    sockaddr_storage address{};
    socklen_t length = 0;
    std::string problem;
};

Resolved resolveNow(const std::string& host, int port) {
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* list = nullptr;
    Resolved resolved;
    const int failed = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &list);
    if (failed != 0 || list == nullptr) {
        resolved.problem = failed != 0 ? ::gai_strerror(failed) : "the name has no address";
        return resolved;
    }
    resolved.found = true;
    resolved.length = list->ai_addrlen;
    std::memcpy(&resolved.address, list->ai_addr, list->ai_addrlen);
    ::freeaddrinfo(list);
    return resolved;
}

// A name server may take its time: the thread that waits for it is left to itself after the deadline.
Resolved resolve(const std::string& host, int port) {
    auto answer = std::make_shared<std::promise<Resolved>>();
    std::future<Resolved> waiting = answer->get_future();
    std::thread([answer, host, port] { answer->set_value(resolveNow(host, port)); }).detach();
    if (waiting.wait_for(kDeadline) != std::future_status::ready) {
        return {false, {}, 0, "the name server did not answer within 2 s"};
    }
    return waiting.get();
}

// The interface whose address a connected or refused socket was given.
std::string interfaceOf(const FileDescriptor& socket) {
    sockaddr_storage own{};
    socklen_t length = sizeof own;
    ifaddrs* list = nullptr;
    if (::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&own), &length) != 0 || ::getifaddrs(&list) != 0) {
        return {};
    }
    std::string name;
    for (const ifaddrs* entry = list; entry != nullptr && name.empty(); entry = entry->ifa_next) {
        if (entry->ifa_addr == nullptr || entry->ifa_addr->sa_family != own.ss_family) {
            continue;
        }
        const bool same = own.ss_family == AF_INET
                              ? reinterpret_cast<const sockaddr_in*>(entry->ifa_addr)->sin_addr.s_addr ==
                                    reinterpret_cast<const sockaddr_in&>(own).sin_addr.s_addr
                              : std::memcmp(&reinterpret_cast<const sockaddr_in6*>(entry->ifa_addr)->sin6_addr,
                                            &reinterpret_cast<const sockaddr_in6&>(own).sin6_addr, sizeof(in6_addr)) == 0;
        name = same ? entry->ifa_name : "";
    }
    ::freeifaddrs(list);
    return name;
}

bool waitFor(int descriptor, short events, Clock::time_point until) {
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
        pollfd entry{descriptor, events, 0};
        const int ready = left.count() > 0 ? ::poll(&entry, 1, static_cast<int>(left.count())) : 0;
        if (ready >= 0 || errno != EINTR) {
            return ready > 0;
        }
    }
}

// 0 or an errno; ETIMEDOUT at the deadline.
int connectUntil(const FileDescriptor& socket, const Resolved& to, Clock::time_point until) {
    if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&to.address), to.length) == 0) {
        return 0;
    }
    if (errno != EINPROGRESS) {
        return errno;
    }
    if (!waitFor(socket.get(), POLLOUT, until)) {
        return ETIMEDOUT;
    }
    int error = 0;
    socklen_t length = sizeof error;
    ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &length);
    return error;
}

FileDescriptor newSocket(int family) {
    return FileDescriptor(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

// A refusal is an answer: the host is there, and nobody has taken the port yet.
HostAnswer reach(const std::string& host, int port) {
    constexpr int kSomePort = 22;  // when the cluster names none yet
    HostAnswer answer;
    const Resolved to = resolve(host, port > 0 ? port : kSomePort);
    answer.resolved = to.found;
    answer.problem = to.problem;
    if (!to.found) {
        return answer;
    }
    const FileDescriptor socket = newSocket(to.address.ss_family);
    const auto start = Clock::now();
    const int error = connectUntil(socket, to, start + kDeadline);
    answer.round_trip_ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    answer.answers = error == 0 || error == ECONNREFUSED;
    answer.interface = interfaceOf(socket);
    answer.problem = answer.answers ? "" : error == ETIMEDOUT ? "nothing came back within 2 s" : std::strerror(error);
    return answer;
}

bool sendAll(int descriptor, const char* data, std::size_t size, Clock::time_point until) {
    while (size > 0) {
        const ssize_t sent = ::send(descriptor, data, size, MSG_NOSIGNAL);
        if (sent > 0) {
            data += sent;
            size -= static_cast<std::size_t>(sent);
        } else if ((errno != EAGAIN && errno != EINTR) || !waitFor(descriptor, POLLOUT, until)) {
            return false;
        }
    }
    return true;
}

bool receiveAll(int descriptor, char* data, std::size_t size, Clock::time_point until) {
    while (size > 0) {
        const ssize_t received = ::recv(descriptor, data, size, 0);
        if (received > 0) {
            data += received;
            size -= static_cast<std::size_t>(received);
        } else if (received == 0 || (errno != EAGAIN && errno != EINTR) || !waitFor(descriptor, POLLIN, until)) {
            return false;
        }
    }
    return true;
}

// The other end of the measurement: sends small messages back, then swallows the large one and says so.
void echo(const FileDescriptor& listener, Clock::time_point until) {
    if (!waitFor(listener.get(), POLLIN, until)) {
        return;
    }
    const FileDescriptor peer(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    const int on = 1;
    ::setsockopt(peer.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    std::vector<char> buffer(kPiece);
    for (int i = 0; i < kRoundTrips; ++i) {
        if (!receiveAll(peer.get(), buffer.data(), kSmallMessage, until) || !sendAll(peer.get(), buffer.data(), kSmallMessage, until)) {
            return;
        }
    }
    for (std::size_t done = 0; done < kLargeMessage; done += kPiece) {
        if (!receiveAll(peer.get(), buffer.data(), kPiece, until)) {
            return;
        }
    }
    sendAll(peer.get(), buffer.data(), 1, until);
}

LinkMeasure timeMessages(const FileDescriptor& socket, Clock::time_point until) {
    LinkMeasure measure;
    measure.problem = "the measurement took more than 2 s";
    std::vector<char> buffer(kPiece, 'x');
    std::array<double, kRoundTrips> trips{};
    for (double& trip : trips) {
        const auto start = Clock::now();
        if (!sendAll(socket.get(), buffer.data(), kSmallMessage, until) || !receiveAll(socket.get(), buffer.data(), kSmallMessage, until)) {
            return measure;
        }
        trip = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
    }
    const auto start = Clock::now();
    for (std::size_t done = 0; done < kLargeMessage; done += kPiece) {
        if (!sendAll(socket.get(), buffer.data(), kPiece, until)) {
            return measure;
        }
    }
    if (!receiveAll(socket.get(), buffer.data(), 1, until)) {
        return measure;
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    std::nth_element(trips.begin(), trips.begin() + kRoundTrips / 2, trips.end());
    return {trips[kRoundTrips / 2] / 2, static_cast<double>(kLargeMessage) / seconds, ""};
}

// Between the hosts of two addresses, both of this computer; on a port of the system's choice, as the tasks' own are reserved.
LinkMeasure measure(const std::string& from, const std::string& to) {
    const Resolved source = resolve(spec::hostOf(from), 0);
    Resolved target = resolve(spec::hostOf(to), 0);
    if (!source.found || !target.found) {
        return {0, 0, source.found ? target.problem : source.problem};
    }
    const auto until = Clock::now() + kDeadline;
    const FileDescriptor listener = newSocket(target.address.ss_family);
    if (::bind(listener.get(), reinterpret_cast<const sockaddr*>(&target.address), target.length) != 0 ||
        ::listen(listener.get(), 1) != 0 ||
        ::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&target.address), &target.length) != 0) {
        return {0, 0, std::strerror(errno)};
    }
    const std::jthread other([&] { echo(listener, until); });
    const FileDescriptor socket = newSocket(target.address.ss_family);
    const int error = connectUntil(socket, target, until);
    if (error != 0) {
        return {0, 0, std::strerror(error)};
    }
    const int on = 1;
    ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return timeMessages(socket, until);
}

std::string portProblem(int port) {
    try {
        PortReservation::thisPort(port);
        return {};
    } catch (const engine::Error& error) {
        return error.what();
    }
}

bool clockIsSynchronised() {
    timex state{};
    return ::adjtimex(&state) != TIME_ERROR && (state.status & STA_UNSYNC) == 0;
}

// Returns what `tandem-worker --version` prints; empty when it could not be started or said nothing in time.
std::string versionOf(ProcessLauncher& launcher, ProcessSpec worker) {
    worker.arguments = {"--version"};
    try {
        const std::unique_ptr<Process> process = launcher.launch(worker);
        const auto until = Clock::now() + kDeadline;
        std::string text;
        std::array<char, 256> buffer{};
        while (waitFor(process->outputDescriptor(), POLLIN, until)) {
            const ssize_t got = ::read(process->outputDescriptor(), buffer.data(), buffer.size());
            if (got <= 0) {
                break;
            }
            text.append(buffer.data(), static_cast<std::size_t>(got));
        }
        return text.substr(0, text.find_first_of("\r\n"));
    } catch (const engine::Error&) {
        return {};
    }
}

}  // namespace

DoctorWorld realWorld(engine::run::HostInfo host, std::string agent_version, ProcessLauncher& launcher, ProcessSpec worker) {
    DoctorWorld world;
    world.host = std::move(host);
    world.agent_version = std::move(agent_version);
    world.worker_version = [&launcher, worker = std::move(worker)] { return versionOf(launcher, worker); };
    world.is_this_host = isThisHost;
    world.port_problem = portProblem;
    world.reach = reach;
    world.clock_is_synchronised = clockIsSynchronised;
    world.is_readable = [](const std::string& path) { return ::access(path.c_str(), R_OK) == 0; };
    world.measure = measure;
    return world;
}

}  // namespace agent::server
