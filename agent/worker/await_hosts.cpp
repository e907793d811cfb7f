#include "agent/worker/await_hosts.h"

#include <sstream>
#include <thread>

#include "agent/local/socket_address.h"
#include "engine/spec/error.h"

namespace agent::worker {
namespace {

using engine::Error;
using engine::ErrorCode;
namespace spec = engine::spec;

constexpr std::chrono::milliseconds kLookForHosts{200};

// Returns why there is no address; empty when there is one.
std::string lookUp(const std::string& host, const AwaitOptions& options) {
    try {
        if (options.resolve) {
            options.resolve(host);
        } else {
            convert::resolveHost(host, 0);
        }
        return {};
    } catch (const Error& error) {
        const std::string reason = error.what();
        return reason.empty() ? "unknown" : reason;
    }
}

void awaitHost(const spec::TaskId& task, const std::string& host, std::chrono::steady_clock::time_point end, const AwaitOptions& options) {
    const std::string whose = "host of " + toString(task) + ", " + host;
    bool told = false;
    for (std::string reason = lookUp(host, options); !reason.empty(); reason = lookUp(host, options)) {
        if (options.is_cancelled && options.is_cancelled()) throw Error(ErrorCode::kCancelled, "before the first step");
        if (std::chrono::steady_clock::now() >= end) {
            const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(options.deadline).count();
            std::ostringstream text;
            text << toString(task) << ": expected an address of its host " << host << " within " << seconds << " s, got none: " << reason;
            throw Error(ErrorCode::kDeadlineExceeded, text.str());
        }
        if (!told && options.on_waiting) options.on_waiting(std::string("waiting for the ").append(whose).append(": ").append(reason));
        told = true;
        std::this_thread::sleep_for(kLookForHosts);
    }
}

}  // namespace

void awaitHosts(const spec::ClusterSpec& cluster, const AwaitOptions& options) {
    const auto end = std::chrono::steady_clock::now() + options.deadline;
    for (const spec::Job& job : cluster.jobs) {
        for (const auto& [index, address] : job.tasks) {
            const auto place = spec::parseHostPort(address);
            if (place && !place->host.empty()) awaitHost({job.name, index}, place->host, end, options);
        }
    }
}

}  // namespace agent::worker
