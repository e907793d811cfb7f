// A coordinator's ways to its workers. The other side: function_service.h.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <variant>

#include "agent/transport/function_values.h"
#include "agent/transport/link_secret.h"
#include "agent/transport/parameter_service.h"
#include "engine/spec/error.h"

namespace agent::worker {

struct FunctionLinksOptions {
    ParameterCluster cluster;
    int rank = 0;  // of the coordinator in it
    LinkSecret secret;
    std::uint64_t program = 0;                         // what the workers must have defined, too
    std::chrono::milliseconds lost_after{10000};       // a worker that gives no sign of life for so long is lost
    std::chrono::milliseconds call_deadline{3600000};  // of one function
};

// One worker that has answered. Owned by whoever asked for it; one thread.
class FunctionLink {
public:
    virtual ~FunctionLink() = default;

    // The result of a call: the function's values, or the error that it threw; kDeadlineExceeded when it took too long, kCancelled when
    // `stop` was asked for: nothing more may be called then. The call throws Error(kUnavailable) when the worker is lost: nobody knows then
    // whether it has run the function.
    using Outcome = std::variant<FunctionValues, engine::Error>;
    virtual Outcome call(const std::string& function, const FunctionValues& arguments, const std::stop_token& stop) = 0;

    virtual bool isOver() const = 0;
    // Tells the worker that it may end. Returns when it has heard that, after two seconds at the most.
    virtual void sayGoodbye() = 0;
};

// Owned by the coordinator; thread-safe: each worker may have a thread. Outlives its links.
class FunctionLinks {
public:
    // Takes the coordinator's port, where nobody calls it. Throws Error(kAlreadyExists) when another program has it.
    explicit FunctionLinks(const FunctionLinksOptions& options);
    ~FunctionLinks();

    // Calls the worker of that rank until it answers: null when it has not by `deadline`; the next call goes on where this one ended. Each
    // worker has one thread. Throws Error(kFailedPrecondition) when it refuses, with its reason.
    std::unique_ptr<FunctionLink> connect(int rank, std::chrono::steady_clock::time_point deadline);

    // "worker 0 at localhost:2223"
    std::string placeOf(int rank) const;
    // Returns why the worker is not met, for the end of a message: "; what answers at localhost:2223 has not proven the user's secret".
    // Else empty.
    std::string obstacleTo(int rank) const;

private:
    class Impl;
    const std::unique_ptr<Impl> impl_;
};

}  // namespace agent::worker
