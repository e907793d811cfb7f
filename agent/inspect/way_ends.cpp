#include "agent/inspect/way_ends.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <thread>
#include <utility>

#include "agent/local/secret.h"
#include "agent/transport/connection_gate.h"
#include "agent/trust/tls_relay.h"
#include "engine/spec/error.h"
#include "engine/thread/mutex.h"

namespace agent::worker {

namespace spec = engine::spec;
using engine::Error;
using engine::ErrorCode;
using spec::WayOutcome;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

namespace {

constexpr auto kLook = 5ms;
constexpr std::size_t kMostServed = 128;  // calls at the same time

std::vector<TaskName> tasksOf(const spec::WayGroup& group) {
    std::vector<TaskName> tasks;
    for (const spec::WayTask& task : group.tasks) {
        tasks.push_back({task.task, task.address});
    }
    return tasks;
}

LinkSecret secretOf(const spec::WayGroup& group, const spec::WayIdentity& own) {
    const auto key = convert::secretFromBytes(group.secret);
    if (!key) {
        throw Error(ErrorCode::kInvalidArgument, "ways: expected a secret of 32 bytes, got " + std::to_string(group.secret.size()));
    }
    return {*key, "the secret of this measurement",
            std::make_shared<trust::TlsRelay>(trust::TaskCredentials{group.authority_pem, own.certificate_pem, own.key_pem})};
}

bool isCancelled(const WaySurroundings& surroundings) {
    return surroundings.is_cancelled && surroundings.is_cancelled();
}

// Those who were let in at any of the ports, each answered by a thread of its own.
class Callers {
public:
    explicit Callers(const WaySurroundings& surroundings) : surroundings_(surroundings) {}

    // Called on the gates' threads.
    void arrived(Connection&& connection) {
        if (connection.proven.call.purpose == Purpose::kMeasure) {
            const engine::MutexLock lock(mutex_);
            arrived_.push_back(std::move(connection.socket));
        }
    }
    // Called on the thread that serves, a few times a second.
    void serve() {
        answers_.remove_if([](const Answer& one) { return one.is_over->load(); });
        std::deque<convert::FileDescriptor> arrived;
        {
            const engine::MutexLock lock(mutex_);
            arrived.swap(arrived_);
        }
        for (convert::FileDescriptor& socket : arrived) {
            ++calls_;
            if (answers_.size() < kMostServed) {
                answers_.emplace_back(std::move(socket), surroundings_);
            }
        }
    }
    std::int64_t calls() const { return calls_; }

private:
    struct Answer {
        Answer(convert::FileDescriptor given, const WaySurroundings& surroundings)
            : socket(std::move(given)), thread([this, &surroundings](const std::stop_token& stop) {
                  echoWay(socket.get(), surroundings.limits, [&] { return stop.stop_requested() || isCancelled(surroundings); });
                  socket.reset();
                  *is_over = true;
              }) {}

        convert::FileDescriptor socket;
        std::unique_ptr<std::atomic<bool>> is_over = std::make_unique<std::atomic<bool>>(false);
        std::jthread thread;  // last: it uses the others
    };

    const WaySurroundings& surroundings_;
    engine::Mutex mutex_;
    std::deque<convert::FileDescriptor> arrived_ TANDEM_GUARDED_BY(mutex_);
    std::list<Answer> answers_;
    std::int64_t calls_ = 0;
};

// Returns what the system says of a call that found no connection.
WayOutcome outcomeOf(int network_error) {
    switch (network_error) {
        case ECONNREFUSED:
            return WayOutcome::kRefused;
        case ETIMEDOUT:
            return WayOutcome::kTimedOut;
        default:
            return WayOutcome::kNoRoute;
    }
}

// The calls of one task.
class Calls {
public:
    Calls(const spec::CallWaysQuestion& asked, const WaySurroundings& surroundings)
        : asked_(asked), surroundings_(surroundings), secret_(secretOf(asked.group, asked.own)) {
        const std::vector<TaskName> tasks = tasksOf(asked.group);
        const std::vector<TaskPlace> places = resolveTasks(tasks, static_cast<std::size_t>(asked.own.rank), Reach::kNetwork);
        gate_ = std::make_unique<ConnectionGate>(ConnectionGate::Options{.secret = secret_,
                                                                         .address = "",
                                                                         .tasks = tasks,
                                                                         .rank = asked.own.rank,
                                                                         .prove_within = surroundings.call_within,
                                                                         .dial_again = 10 * surroundings.call_within},
                                                 ConnectionGate::Events{.called = [](Connection&&) {}, .answered = [] {}});
        for (const int rank : asked.called) {
            gate_->dial({Purpose::kMeasure, asked.own.rank, rank}, places[static_cast<std::size_t>(rank)]);
        }
    }

    spec::CalledWays make() {
        const auto until = Clock::now() + 2 * surroundings_.call_within;
        while (Clock::now() < until && !areDecided()) {
            if (isCancelled(surroundings_)) {
                throw Error(ErrorCode::kCancelled, "ways: nobody waits for the answer any more");
            }
            std::this_thread::sleep_for(kLook);
        }
        spec::CalledWays answer;
        for (const int rank : asked_.called) {
            answer.ways.push_back(wayTo(rank));
        }
        return answer;
    }

private:
    bool areDecided() {
        for (Connection& connection : gate_->takeAnswered()) {
            sockets_[connection.proven.call.called] = std::move(connection.socket);
        }
        return std::all_of(asked_.called.begin(), asked_.called.end(), [&](int rank) {
            return sockets_.contains(rank) || gate_->networkErrorTo(rank) || !gate_->obstacleTo(rank).empty();
        });
    }

    spec::CalledWay wayTo(int rank) {
        spec::CalledWay way{.rank = rank};
        const auto socket = sockets_.find(rank);
        if (socket == sockets_.end()) {
            const std::optional<int> error = gate_->networkErrorTo(rank);
            way.outcome = error ? outcomeOf(*error) : WayOutcome::kNotProven;
            way.detail = error ? std::strerror(*error) : gate_->obstacleTo(rank);
            return way;
        }
        way.outcome = WayOutcome::kReached;
        if (asked_.measures) {
            try {
                const WayNumbers numbers = measureWay(socket->second.get(), surroundings_.limits);
                way.round_trip_us = numbers.round_trip_us;
                way.bytes_per_s = numbers.bytes_per_s;
            } catch (const Error& error) {
                way.detail = error.what();
            }
        }
        socket->second.reset();
        return way;
    }

    const spec::CallWaysQuestion& asked_;
    const WaySurroundings& surroundings_;
    const LinkSecret secret_;
    std::map<int, convert::FileDescriptor> sockets_;  // by rank
    std::unique_ptr<ConnectionGate> gate_;            // the first to go
};

}  // namespace

spec::ServedWays serveWays(const spec::ServeWaysQuestion& asked, const WaySurroundings& surroundings) {
    const auto until = Clock::now() + std::chrono::seconds(asked.within_s);
    const std::vector<TaskName> tasks = tasksOf(asked.group);
    Callers callers(surroundings);
    std::vector<LinkSecret> secrets;
    std::vector<std::unique_ptr<ConnectionGate>> gates;
    for (const spec::WayIdentity& own : asked.own) {
        const auto rank = static_cast<std::size_t>(own.rank);
        secrets.push_back(secretOf(asked.group, own));
        const std::vector<TaskPlace> places = resolveTasks(tasks, rank, Reach::kNetwork);
        gates.push_back(
            openGate({.secret = secrets.back(), .address = places[rank].target, .tasks = tasks, .rank = own.rank},
                     {.called = [&callers](Connection&& connection) { callers.arrived(std::move(connection)); }, .answered = [] {}}));
    }
    if (surroundings.listens) {
        surroundings.listens();
    }
    while (Clock::now() < until && !isCancelled(surroundings)) {
        callers.serve();
        std::this_thread::sleep_for(kLook);
    }
    gates.clear();
    callers.serve();  // those who came last
    return {callers.calls()};
}

spec::CalledWays callWays(const spec::CallWaysQuestion& asked, const WaySurroundings& surroundings) {
    return Calls(asked, surroundings).make();
}

}  // namespace agent::worker
