#include <sys/socket.h>

#include <algorithm>
#include <optional>

#include "agent/local/socket_address.h"
#include "agent/transport/task_address.h"
#include "engine/spec/error.h"
#include "engine/spec/project/cluster_spec.h"

namespace agent::worker {
namespace {

using convert::SocketAddress;
using engine::Error;
using engine::ErrorCode;
using engine::distribute::TaskName;

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

std::string withoutScheme(const std::string& target) {
    return target.substr(target.find(':') + 1);
}

Found resolve(const TaskName& task) {
    const auto host_port = engine::spec::parseHostPort(task.address);
    if (!host_port || host_port->port < 1 || host_port->port > 65535) {
        throw Error(ErrorCode::kInvalidArgument,
                    task.task + ": expected an address \"host:port\" with a port from 1 to 65535, got \"" + task.address + "\"");
    }
    const std::string host = host_port->host.empty() ? "localhost" : host_port->host;
    Found found;
    try {
        found.address = convert::resolveHost(host, host_port->port);
    } catch (const Error& error) {
        throw Error(error.code(), toString(task) + ": the host does not resolve: " + error.what());
    }
    const std::string bare = host.starts_with('[') && host.ends_with(']') ? host.substr(1, host.size() - 2) : host;
    const bool is_number = convert::parseTarget("ipv4:" + bare + ":1") || convert::parseTarget("ipv6:[" + bare + "]:1");
    found.is_here = isLoopback(found.address) || convert::isOwnAddress(found.address);
    found.is_loopback_by_name = isLoopback(found.address) && (is_number || bare == "localhost");
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
                                                     withoutScheme(targetOf(found[own].address)) + ", which is another's");
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
    for (const Found& one : found) places.push_back({targetOf(one.address), one.is_here});
    return places;
}

}  // namespace agent::worker
