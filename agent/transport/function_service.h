// A worker's port for its program's coordinator, which calls functions of the program by name. The other side: function_links.h.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "agent/transport/function_values.h"
#include "agent/transport/link_secret.h"
#include "agent/transport/parameter_service.h"

namespace agent::worker {

struct FunctionServiceOptions {
    ParameterCluster cluster;
    int rank = 0;  // of the worker in it
    LinkSecret secret;
    std::uint64_t program = 0;                         // what the coordinator must have defined, too
    std::chrono::milliseconds start_timeout{600000};   // how long no coordinator may be there
    std::chrono::milliseconds lost_after{10000};       // a coordinator that gives no sign of life for so long is lost; another may come
    std::function<void()> on_listening{};              // the task's port is ours
    std::function<void(const std::string&)> on_log{};  // who came, was lost or was refused; from threads of the service
    std::function<bool()> is_cancelled{};              // asked some 20 times a second between functions
};

// Owned by the task; threads of its own wait for the coordinator.
class FunctionService {
public:
    // Throws Error for a function that failed; anything else that it throws is told as kInternal.
    using Run = std::function<FunctionValues(const std::string& function, const FunctionValues& arguments)>;

    explicit FunctionService(FunctionServiceOptions options);
    ~FunctionService();

    // Listens, runs on the caller's thread what the coordinator asks for, one function after another, and returns when it has said
    // goodbye. A coordinator that is lost in the middle of a function is not told its result. Throws Error: kAlreadyExists (the port is in
    // use), kDeadlineExceeded (none came within start_timeout), PeerLost (one was lost, and none came back within it), kCancelled; both
    // name it.
    void serve(const Run& run);

private:
    class Impl;
    const std::unique_ptr<Impl> impl_;
};

}  // namespace agent::worker
