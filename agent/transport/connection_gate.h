// A task's port, and its calls to the ports of others. No connection gets any further before both its ends have proven the run's secret;
// until then each costs a descriptor and some 200 bytes, for a few seconds. What is said first: connection_proof.h.
//
//   called:   accepted -> opening read -> challenge sent -> answer proven -> Events::called
//   caller:   connected -> opening sent -> challenge proven -> answer sent -> takeAnswered()
//             any failure -> again after a pause, until close()
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <list>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "agent/local/file_descriptor.h"
#include "agent/transport/connection_proof.h"
#include "engine/thread/mutex.h"

struct pollfd;

namespace agent::worker {

// A call of which both ends have proven the secret.
struct ProvenCall {
    Call call;
    Session session{};
};
struct Connection {
    ProvenCall proven;
    convert::FileDescriptor socket;  // non-blocking; nothing beyond the proof was read
};

// Owned by PeerLinks; a thread of its own does the work. Every function may be called from any thread.
class ConnectionGate {
public:
    struct Options {
        convert::Secret secret{};
        std::string address;  // where this task listens: loopbackTarget()
        int tasks = 2;        // of the run: so many may come at once
        // Limits on callers that have not proven the secret. The oldest goes when there are more than so many and two for each task: one
        // that has the secret needs milliseconds.
        std::size_t unproven = 64;
        std::size_t accepted_in_100_ms = 50;  // and one for each task
        std::chrono::milliseconds prove_within{5000};
        std::chrono::milliseconds dial_again{500};  // a port where nobody, or a stranger, listens; at first sooner
    };
    struct Events {                                // from the gate's thread
        std::function<void(Connection&&)> called;  // by another task
        std::function<void()> answered;            // takeAnswered() has something
    };

    // Listens from now on. Throws Error(kAlreadyExists) when the port is taken; the message is the reason alone ("is in use by ...").
    ConnectionGate(Options options, Events events);
    ~ConnectionGate();

    // Calls until it is answered, once.
    void dial(const Call& call, const std::string& target);
    std::vector<Connection> takeAnswered();
    // The call behind a connection that Events::called had, by gRPC's name for its other end ("ipv4:127.0.0.1:41231"); nullopt when there
    // is none.
    std::optional<ProvenCall> calledBy(const std::string& peer) const;
    // Data between this task and `rank` is bound to the Link of this session.
    void setLink(int rank, const Session& session);

    // Whoever listens at that task's port has not proven the secret when it was last called.
    bool strangerAnswers(int rank) const;
    // Callers that have not proven it, so far.
    std::size_t turnedAway() const;

    // Nobody is let in any more and nothing is dialled; the port stays taken. No event comes once this has returned.
    void close();

private:
    using Clock = std::chrono::steady_clock;
    struct Visitor;
    struct Dial;
    struct Order {
        Call call;
        std::string target;
    };

    void run(const std::stop_token& stop);
    void takeOrders();
    std::vector<pollfd> waitedFor() const;
    Clock::time_point nextDeadline() const;
    void acceptVisitors();
    bool serve(Visitor& visitor);  // false: it is over
    void serveVisitors(const pollfd* entry);
    void serveDials(const pollfd* entry);
    void startDial(Dial& dial);
    bool continueDial(Dial& dial);  // true: answered
    void dialLater(Dial& dial, bool stranger);
    // Of a Link and of parameters: zeros. Of Data: nullopt while there is no Link with that task.
    std::optional<Session> boundTo(Purpose purpose, int rank) const;
    void wake() const;

    const Options options_;
    const Events events_;
    const convert::FileDescriptor listener_, wake_;

    mutable engine::Mutex mutex_;
    std::vector<Order> orders_ TANDEM_GUARDED_BY(mutex_);
    std::vector<Connection> answered_ TANDEM_GUARDED_BY(mutex_);
    std::vector<std::pair<int, Session>> links_ TANDEM_GUARDED_BY(mutex_);     // by rank
    std::deque<std::pair<int, ProvenCall>> called_ TANDEM_GUARDED_BY(mutex_);  // by the other end's port, the newest last
    std::set<int> strangers_ TANDEM_GUARDED_BY(mutex_);                        // ranks
    std::size_t turned_away_ TANDEM_GUARDED_BY(mutex_) = 0;

    // The thread's own.
    std::list<Visitor> visitors_;  // the oldest first
    std::list<Dial> dials_;
    std::size_t may_accept_ = 0;
    Clock::time_point accept_more_at_{};

    std::jthread thread_;  // last: it uses the others
};

}  // namespace agent::worker
