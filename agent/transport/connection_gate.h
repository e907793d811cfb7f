// A task's port, and its calls to the ports of others. No connection gets any further before both its ends have proven the run's secret;
// until then each costs a descriptor and some 200 bytes, for a few seconds. What is said first: connection_proof.h. Between two computers
// the same is said inside TLS, after both certificates were checked against the run and the task (tls_session.h).
//
//   called:   accepted -> [TLS handshake] -> opening read -> challenge sent -> answer proven -> Events::called
//   caller:   connected -> [TLS handshake] -> opening sent -> challenge proven -> answer sent -> takeAnswered()
//             any failure -> again after a pause, until close()
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "agent/local/file_descriptor.h"
#include "agent/transport/connection_proof.h"
#include "agent/transport/link_secret.h"
#include "agent/transport/task_address.h"
#include "engine/thread/mutex.h"

struct pollfd;

namespace agent::worker {

// A call of which both ends have proven the secret.
struct ProvenCall {
    Call call;
    Session session{};
    bool is_encrypted = false;  // it comes from another computer
};
struct Connection {
    ProvenCall proven;
    convert::FileDescriptor socket;  // non-blocking, in plain; nothing beyond the proof was read
};

// A task of the run as everyone knows it: "worker 0" and its address in the cluster.
using engine::distribute::TaskName;

// Owned by PeerLinks; a thread of its own does the work. Every function may be called from any thread.
class ConnectionGate {
public:
    struct Options {
        LinkSecret secret{};
        std::string address;          // where this task listens: TaskPlace::target; empty: it only calls
        std::vector<TaskName> tasks;  // by rank: the certificate of each names it; so many may come at once
        int rank = 0;                 // this task's
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

    // Calls until it is answered, once. Another computer is called with TLS.
    void dial(const Call& call, const TaskPlace& place);
    std::vector<Connection> takeAnswered();
    // The call behind a connection that Events::called had, by gRPC's name for its other end ("ipv4:127.0.0.1:41231"); nullopt when there
    // is none.
    std::optional<ProvenCall> calledBy(const std::string& peer) const;
    // Data between this task and `rank` is bound to the Link of this session.
    void setLink(int rank, const Session& session);

    // Returns why that task was not met when it was last called: "what answers at node2:2222 has not proven the secret of this run", or
    // "node2:2222 is not reached: No route to host". Empty where simply nobody listens yet.
    std::string obstacleTo(int rank) const;
    // Returns what the system said of the last call to that task that found no connection, an errno; nullopt while there was none.
    std::optional<int> networkErrorTo(int rank) const;
    // Returns the obstacles to some tasks, for the end of a message: each with "; " before it, the first few of many.
    std::string obstaclesTo(const std::vector<int>& ranks) const;
    // Returns how many callers have not proven to be of the run, so far.
    std::size_t turnedAway() const;
    // Returns what a log should say of such callers: "turned away 3 callers that have not proven the secret of this run, the last one
    // 10.77.0.3:41231: its certificate has expired". The first news comes at once, further ones from time to time, so that no caller can
    // fill the log; nullopt: no news. Used by one thread.
    std::optional<std::string> newsOfStrangers();

    // Nobody is let in any more and nothing is dialled; the port stays taken. No event comes once this has returned.
    void close();

private:
    using Clock = std::chrono::steady_clock;
    struct Visitor;
    struct Dial;
    struct Order {
        Call call;
        TaskPlace place;
    };

    void run(const std::stop_token& stop);
    void takeOrders();
    std::vector<pollfd> waitedFor() const;
    Clock::time_point nextDeadline() const;
    void acceptVisitors();
    enum class Standing { kWaits, kIn, kOut };  // of a visitor
    Standing serve(Visitor& visitor);
    Standing welcome(Visitor& visitor);
    Standing turnAway(const std::string& where, const std::string& why);
    void letIn(Visitor& visitor);
    void serveVisitors(const pollfd* entry);
    void serveDials(const pollfd* entry);
    void startDial(Dial& dial);
    bool continueDial(Dial& dial);  // true: answered
    bool sayOpening(Dial& dial);
    std::string notProven(const Dial& dial, const std::string& why) const;
    void dialLater(Dial& dial, const std::string& obstacle);  // empty: nobody is there yet
    void dialLater(Dial& dial, int network_error);
    bool isTask(const std::string& certified, int rank) const;
    const std::string& clusterAddress(int rank) const { return options_.tasks[static_cast<std::size_t>(rank)].address; }
    // Returns the session that a connection's proof is bound to. A connection for Data is bound to the task's Link: nullopt while there is
    // none. All others are bound to zeros.
    std::optional<Session> boundTo(Purpose purpose, int rank) const;
    void wake() const;

    const Options options_;
    const Events events_;
    const convert::FileDescriptor listener_, wake_;

    mutable engine::Mutex mutex_;
    std::vector<Order> orders_ TANDEM_GUARDED_BY(mutex_);
    std::vector<Connection> answered_ TANDEM_GUARDED_BY(mutex_);
    std::vector<std::pair<int, Session>> links_ TANDEM_GUARDED_BY(mutex_);             // by rank
    std::deque<std::pair<std::string, ProvenCall>> called_ TANDEM_GUARDED_BY(mutex_);  // by the other end, the newest last
    std::map<int, std::string> obstacles_ TANDEM_GUARDED_BY(mutex_);                   // by rank
    std::map<int, int> network_errors_ TANDEM_GUARDED_BY(mutex_);                      // the same
    std::size_t turned_away_ TANDEM_GUARDED_BY(mutex_) = 0;
    std::string last_stranger_ TANDEM_GUARDED_BY(mutex_);  // "10.77.0.3:41231: its certificate has expired"

    // Used by the one thread that calls newsOfStrangers().
    std::size_t strangers_told_ = 0;
    Clock::time_point tell_strangers_at_{};

    // Only the gate's thread uses these.
    std::list<Visitor> visitors_;  // the oldest first
    std::list<Dial> dials_;
    std::size_t may_accept_ = 0;
    Clock::time_point accept_more_at_{};

    std::jthread thread_;  // last: it uses the others
};

// Makes a gate and throws as its constructor; the message names the task and its port ("worker 0: port 2222 is in use by another program").
std::unique_ptr<ConnectionGate> openGate(const ConnectionGate::Options& options, ConnectionGate::Events events);

}  // namespace agent::worker
