#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <future>
#include <span>
#include <thread>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent/direct/direct_call.h"
#include "agent/direct/direct_wire.h"
#include "agent/local/socket_address.h"
#include "engine/spec/error.h"
#include "engine/spec/project/cluster_spec.h"

namespace agent::direct {

using convert::FileDescriptor;
using engine::Error;
using engine::ErrorCode;
using trust::TlsContext;
using trust::TlsSession;
using Clock = std::chrono::steady_clock;
using Result = TlsSession::Result;

namespace {

constexpr std::chrono::milliseconds kSlice{100};
constexpr std::size_t kShownDigits = 16;  // of a fingerprint

// One call, from the name of the host to the answer.
class DirectCall {
public:
    DirectCall(const CallOptions& options, const TlsContext& context) : options_(options) {
        connect();
        session_ = std::make_unique<TlsSession>(context, TlsSession::Side::kCaller, socket_.get());
        for (Result result = session_->handshake(); result != Result::kDone; result = session_->handshake()) {
            if (!waitFor(result)) {
                fail(ErrorCode::kUnavailable, "expected an agent of Tandem that listens at " + options_.peer.address +
                                                  ", got something else (" +
                                                  (session_->failure().empty() ? "it closed its connection" : session_->failure()) + ")");
            }
        }
        if (session_->peer() != options_.peer.fingerprint) {
            fail(ErrorCode::kPermissionDenied, "expected the certificate that begins with " + shortened(options_.peer.fingerprint) +
                                                   ", got one that begins with " + shortened(session_->peer()) +
                                                   ": another agent listens there, or somebody is in between");
        }
    }

    const TlsSession& session() const { return *session_; }
    DirectConnection release() { return {std::move(socket_), std::move(session_)}; }

    void say(Request request) {
        std::array<char, 256> own_name{};
        ::gethostname(own_name.data(), own_name.size() - 1);
        request.version = options_.version;
        request.name = own_name.data();
        const std::string bytes = toBytes(request);
        for (std::size_t done = 0; done < bytes.size();) {
            const TlsSession::Moved moved = session_->write(std::span(bytes).subspan(done));
            done += moved.bytes;
            if (moved.bytes == 0 && !waitFor(moved.result)) {
                throwNotLetIn();
            }
        }
    }

    struct Answer {
        Outcome outcome = Outcome::kDone;
        std::string text;
    };
    Answer hear() {
        const auto header = answerHeaderIn(read(kAnswerHeaderBytes));
        if (!header) {
            fail(ErrorCode::kUnavailable,
                 "expected an agent of Tandem that listens at " + options_.peer.address + ", it answers otherwise");
        }
        return {header->outcome, read(header->length)};
    }

    [[noreturn]] void fail(ErrorCode code, const std::string& what) const { throw Error(code, options_.name + ": " + what); }

private:
    static std::string shortened(const std::string& fingerprint) { return fingerprint.substr(0, kShownDigits); }

    // The agent there tells a stranger nothing: it ends the connection.
    [[noreturn]] void throwNotLetIn() const {
        fail(
            ErrorCode::kPermissionDenied,
            "expected to be let in, the agent there closed the connection: it does not know this computer, unless it has just ended; a new "
            "line of tandem-agent invite pairs the two again");
    }

    void poll(short events) const {
        checkTime();
        const auto left =
            std::max(std::chrono::milliseconds(1), std::chrono::ceil<std::chrono::milliseconds>(options_.until - Clock::now()));
        pollfd entry{socket_.get(), events, 0};
        ::poll(&entry, 1, static_cast<int>(std::min(left, kSlice).count()));
    }

    bool waitFor(Result result) const {
        if (result != Result::kWantsRead && result != Result::kWantsWrite) {
            return false;
        }
        poll(result == Result::kWantsWrite ? POLLOUT : POLLIN);
        return true;
    }

    std::string read(std::size_t size) {
        std::string bytes(size, '\0');
        for (std::size_t done = 0; done < size;) {
            const TlsSession::Moved moved = session_->read(std::span(bytes).subspan(done));
            done += moved.bytes;
            if (moved.bytes == 0 && !waitFor(moved.result)) {
                throwNotLetIn();
            }
        }
        return bytes;
    }

    void checkTime() const {
        if (options_.is_cancelled && options_.is_cancelled()) {
            fail(ErrorCode::kCancelled, "cancelled");
        }
        if (Clock::now() >= options_.until) {
            fail(ErrorCode::kDeadlineExceeded, "expected an answer of " + options_.peer.address + " in time, got none");
        }
    }

    // A name server may take its time: the thread that waits for it is left to itself when nobody waits for this call any more.
    convert::SocketAddress resolve() const {
        const auto answer = std::make_shared<std::promise<convert::SocketAddress>>();
        std::future<convert::SocketAddress> waiting = answer->get_future();
        std::thread([answer, host = hostOfAddress(options_.peer.address), port = engine::spec::parseHostPort(options_.peer.address)->port] {
            try {
                answer->set_value(convert::resolveHost(host, port));
            } catch (...) {
                answer->set_exception(std::current_exception());
            }
        }).detach();
        while (waiting.wait_for(kSlice) != std::future_status::ready) {
            checkTime();
        }
        return waiting.get();
    }

    void connect() {
        convert::SocketAddress address;
        try {
            address = resolve();
        } catch (const Error& error) {
            if (error.code() == ErrorCode::kCancelled || error.code() == ErrorCode::kDeadlineExceeded) {
                throw;
            }
            fail(ErrorCode::kUnavailable, std::string("expected a name that is known here, no computer goes by it (") + error.what() + ")");
        }
        socket_ = convert::connectTo(convert::targetOf(address));
        int error = socket_ ? 0 : errno;
        bool is_connected = false;
        while (error == 0 && !is_connected) {
            poll(POLLOUT);
            pollfd entry{socket_.get(), POLLOUT, 0};
            is_connected = ::poll(&entry, 1, 0) > 0;
            socklen_t length = sizeof error;
            ::getsockopt(socket_.get(), SOL_SOCKET, SO_ERROR, &error, &length);
        }
        if (error == 0 && convert::isConnectedToItself(socket_.get())) {
            error = ECONNREFUSED;
        }
        if (error != 0) {
            fail(ErrorCode::kUnavailable, "expected an agent that listens at " + options_.peer.address + ", " + reasonOf(error));
        }
        convert::keepAlive(socket_.get());
    }

    static std::string reasonOf(int error) {
        switch (error) {
            case ECONNREFUSED:
                return "the connection was refused: tandem-agent --listen starts one there";
            case EHOSTUNREACH:
                return "no route leads to the host";
            case ENETUNREACH:
                return "no route leads to its network";
            case ETIMEDOUT:
                return "it did not answer in time";
            default:
                return std::string("it can't be reached (") + std::strerror(error) + ")";
        }
    }

    const CallOptions& options_;
    FileDescriptor socket_;
    std::unique_ptr<TlsSession> session_;
};

void expectDone(const DirectCall& call, const DirectCall::Answer& answer, ErrorCode too_many = ErrorCode::kUnavailable) {
    if (answer.outcome == Outcome::kTooMany) {
        call.fail(too_many, "expected at most " + answer.text + " connections of this computer at once, the agent there takes no more");
    }
    if (answer.outcome != Outcome::kDone) {
        call.fail(ErrorCode::kUnavailable, "expected the agent there to let this computer in, it answers otherwise");
    }
}

}  // namespace

LocatedPeer locateDirectly(const CallOptions& options, const TlsContext& context) {
    DirectCall call(options, context);
    call.say({.verb = Verb::kLocate});
    const DirectCall::Answer answer = call.hear();
    expectDone(call, answer);
    const std::size_t first = answer.text.find('\n'), second = answer.text.find('\n', first + 1);
    const auto agent = convert::locatedAgentIn(answer.text.substr(0, first));
    if (!agent || second == std::string::npos) {
        call.fail(ErrorCode::kUnavailable, "expected the agent there to say how it is reached, it says something else");
    }
    return {*agent, answer.text.substr(first + 1, second - first - 1), answer.text.substr(second + 1), call.release()};
}

DirectConnection enterDirectly(const CallOptions& options, const TlsContext& context) {
    DirectCall call(options, context);
    call.say({.verb = Verb::kEnter});
    expectDone(call, call.hear(), ErrorCode::kResourceExhausted);
    return call.release();
}

std::string inviteDirectly(const CallOptions& options, const trust::Identity& identity) {
    DirectCall call(options, TlsContext(identity));
    call.say({.verb = Verb::kInvite});
    const DirectCall::Answer answer = call.hear();
    expectDone(call, answer);
    return answer.text;
}

void joinDirectly(const CallOptions& options, const trust::Identity& identity, const InviteSecret& secret) {
    DirectCall call(options, TlsContext(identity));
    const JoinClaim claim{call.session().exported(kJoinExporter), identity.fingerprint, options.peer.fingerprint};
    call.say({.verb = Verb::kJoin, .proof = joinProof(secret, claim)});
    const auto refuse = [&](const std::string& got) {
        call.fail(ErrorCode::kFailedPrecondition,
                  "expected a pairing line that is good, got one that " + got + ": tandem-agent invite there prints another");
    };
    DirectCall::Answer answer;
    try {
        answer = call.hear();
    } catch (const Error& error) {
        if (error.code() == ErrorCode::kPermissionDenied) {
            call.fail(error.code(),
                      "expected a pairing line of the agent there, it knows none with this secret: tandem-agent invite there "
                      "prints another");
        }
        throw;
    }
    switch (answer.outcome) {
        case Outcome::kDone:
            return;
        case Outcome::kUsed:
            refuse("was used before");
            break;
        case Outcome::kExpired:
            refuse("has expired, since it is good for ten minutes and until the next one is made");
            break;
        case Outcome::kTried:
            refuse("three wrong tries have ended");
            break;
        case Outcome::kOtherVersion:
            call.fail(ErrorCode::kFailedPrecondition, "expected Tandem " + options.version +
                                                          " as on this computer, got an agent of version " + answer.text +
                                                          ": update Tandem on either computer; the line stays good");
        case Outcome::kTooMany:
            expectDone(call, answer);
    }
}

}  // namespace agent::direct
