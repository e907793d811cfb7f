// TLS 1.3 over a connected socket, without threads of its own: whoever owns the socket polls it and calls again. Both sides show a
// certificate. Tasks of a run accept one that the run's authority has signed, and peer() is the task that it names. Computers that know
// each other directly accept any, since each made its own, and peer() is its fingerprint. The caller has to check whether that peer is
// meant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "agent/local/secret.h"
#include "agent/trust/cluster_key.h"
#include "agent/trust/identity.h"

namespace agent::trust {

// The parts that all connections of a task, or of a computer, have in common. Thread-safe once made; copies share it.
class TlsContext {
public:
    // Throws Error(kInvalidArgument) for credentials that can't be used, as the next does.
    explicit TlsContext(const TaskCredentials& credentials);
    // The other side's certificate counts for its fingerprint alone.
    explicit TlsContext(const Identity& identity);

private:
    friend class TlsSession;
    struct Parts;
    std::shared_ptr<const Parts> parts_;
};

// One connection, used by one thread at a time.
class TlsSession {
public:
    enum class Side { kCaller, kCalled };

    // Records of at most 16 KiB that are encrypted under one key before it is replaced. RFC 8446, 5.5, bounds them to 2^24.5 for AES-GCM,
    // which a long training passes.
    static constexpr std::uint64_t kRecordsPerKey = std::uint64_t{1} << 23;

    // `socket` is non-blocking; it stays the owner's and outlives the session. Throws Error(kInternal) when there is no memory.
    TlsSession(const TlsContext& context, Side side, int socket, std::uint64_t records_per_key = kRecordsPerKey);
    ~TlsSession();
    TlsSession(const TlsSession&) = delete;
    TlsSession& operator=(const TlsSession&) = delete;

    enum class Result { kDone, kWantsRead, kWantsWrite, kClosed, kFailed };

    // Goes on with the handshake; call it again whenever the socket is ready for what the result wants. As TLS 1.3 has it, the caller is
    // done before the called side has looked at its certificate: a refusal comes with the caller's first read.
    Result handshake();
    // Valid after handshake(): "worker 1", as the other side's certificate says, or the certificate's fingerprint (of
    // TlsContext(Identity)).
    const std::string& peer() const { return peer_; }
    // Called after handshake(): returns 32 bytes that both sides of this very connection get for the same label, and nobody else (RFC 8446,
    // 7.5). Throws Error(kInternal).
    convert::Secret exported(std::string_view label) const;
    // Returns why a call failed, as a part of a sentence: "its certificate has expired", "it does not speak TLS 1.3". Every later call
    // fails, too.
    const std::string& failure() const { return failure_; }

    struct Moved {
        Result result = Result::kFailed;
        std::size_t bytes = 0;  // above 0 with kDone alone
    };
    // Reads what has come. kClosed after the other side's close_notify; a connection that ends without one has failed.
    Moved read(std::span<char> into);
    // Writes the bytes or the first of them. The bytes may lie elsewhere when the same ones are offered again.
    Moved write(std::span<const char> bytes);
    // Says that nothing more comes from here. Reading may go on.
    Result close();

private:
    Result resultOf(int returned);
    Result fail(const std::string& why);

    struct Parts;
    const std::unique_ptr<Parts> parts_;
    std::string peer_, failure_;
};

}  // namespace agent::trust
