// A socket of this user's here that leads to the agent of another computer, over direct connections: what ssh -L is for the other way.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <thread>

#include "agent/direct/direct_call.h"
#include "agent/trust/tls_relay.h"
#include "engine/spec/error.h"
#include "engine/thread/mutex.h"

namespace agent::direct {

// Each connection to the socket gets one of its own to the agent there. Does not come back once the way was lost: make another one. Safe
// from any thread.
class DirectForward {
public:
    // Locates the agent there, then listens at `socket`, which lies in a folder of mode 0700. `until` and `is_cancelled` of `options` count
    // for that alone. Throws Error as locateDirectly() does.
    DirectForward(std::filesystem::path socket, CallOptions options, const trust::Identity& identity);
    // Ends its connections and removes the socket.
    ~DirectForward();
    DirectForward(const DirectForward&) = delete;
    DirectForward& operator=(const DirectForward&) = delete;

    const convert::LocatedAgent& agent() const { return located_.agent; }
    // The two ends, as the agent there sees them.
    const std::string& farAddress() const { return located_.far_address; }
    const std::string& ownAddress() const { return located_.own_address; }
    // Returns why the way is lost; nullopt while it stands.
    std::optional<engine::Error> lost() const;

private:
    void loop(const std::stop_token& stop);
    void lose(const engine::Error& why);
    bool isCut();
    bool take(const std::stop_token& stop);

    const CallOptions options_;
    const std::filesystem::path socket_;
    trust::TlsRelay relay_;
    const LocatedPeer located_;
    const convert::FileDescriptor folder_, listener_, wake_;
    mutable engine::Mutex mutex_;
    std::optional<engine::Error> lost_ TANDEM_GUARDED_BY(mutex_);
    std::jthread thread_;  // last: it uses the others
};

}  // namespace agent::direct
