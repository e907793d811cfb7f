// Connections to other computers, encrypted. gRPC, and the gate of a task, see plain sockets; a thread moves the bytes between them and the
// network:
//
//   gRPC <-> plain socket of this process <-> relay: TLS 1.3 <-> network <-> relay there <-> plain socket <-> gRPC
//
// What a connection holds is bounded: when one side takes nothing, nothing is read from the other.
#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "agent/local/file_descriptor.h"
#include "agent/trust/cluster_key.h"
#include "agent/trust/tls_session.h"
#include "engine/thread/mutex.h"

namespace agent::trust {

// Owned by a task or an agent, shared by all that connect it to others; it outlives their connections. Every function may be called from
// any thread.
class TlsRelay {
public:
    // Throws Error(kInvalidArgument) for credentials that can't be used.
    explicit TlsRelay(const TaskCredentials& credentials) : TlsRelay(TlsContext(credentials)) {}
    explicit TlsRelay(TlsContext context);
    // Ends every connection.
    ~TlsRelay();
    TlsRelay(const TlsRelay&) = delete;
    TlsRelay& operator=(const TlsRelay&) = delete;

    const TlsContext& context() const { return context_; }

    // Takes a connection over once its handshake is done, and returns this process' end of it: a non-blocking socket that carries what is
    // said in plain, and that is closed when the connection ends. The other end of that socket is an address of kRelayHost, so that a
    // server knows such a caller by its port. Throws Error(kResourceExhausted) when no descriptor is left.
    convert::FileDescriptor carry(convert::FileDescriptor network, std::unique_ptr<TlsSession> session);

    // Carries the connection to a plain socket that exists, of any kind: both are closed when the connection ends.
    void join(convert::FileDescriptor network, std::unique_ptr<TlsSession> session, convert::FileDescriptor plain);

    // Returns how many connections each peer has, by TlsSession::peer(). A connection counts until the thread has seen its end.
    std::map<std::string, std::size_t> peers() const;
    // Ends all that the peer has by now, soon after the call.
    void end(const std::string& peer);

    static constexpr const char* kRelayHost = "127.0.0.2";

private:
    class Way;

    void run(const std::stop_token& stop);
    void takeNews();
    void forget(const Way& way);
    void wake() const;

    const TlsContext context_;
    const convert::FileDescriptor wake_;

    mutable engine::Mutex mutex_;
    std::vector<std::unique_ptr<Way>> arrived_ TANDEM_GUARDED_BY(mutex_);
    std::map<std::string, std::size_t> peers_ TANDEM_GUARDED_BY(mutex_);
    std::set<std::string> unwanted_ TANDEM_GUARDED_BY(mutex_);  // peers to end, until the thread has done it

    std::list<std::unique_ptr<Way>> ways_;  // the thread's own
    std::jthread thread_;                   // last: it uses the others
};

}  // namespace agent::trust
