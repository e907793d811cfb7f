#include "agent/trust/tls_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>

#include "agent/local/file_descriptor.h"
#include "agent/trust/certificate.h"
#include "engine/spec/error.h"

namespace {

using namespace agent::trust;
using namespace std::chrono_literals;
using agent::convert::FileDescriptor;
using Result = TlsSession::Result;

// Two ends of a connection, each with credentials of its own.
class Pair {
public:
    Pair(const TaskCredentials& caller, const TaskCredentials& called, std::uint64_t records_per_key = TlsSession::kRecordsPerKey)
        : caller_context_(caller), called_context_(called) {
        int ends[2] = {-1, -1};
        EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends), 0);
        caller_socket_ = FileDescriptor(ends[0]);
        called_socket_ = FileDescriptor(ends[1]);
        caller_.emplace(caller_context_, TlsSession::Side::kCaller, caller_socket_.get(), records_per_key);
        called_.emplace(called_context_, TlsSession::Side::kCalled, called_socket_.get(), records_per_key);
    }

    // What both have come to. The caller then reads once, since only that tells it of a refusal.
    void shakeHands() {
        for (int round = 0; round < 100 && (isOpen(caller_result) || isOpen(called_result)); ++round) {
            if (isOpen(caller_result)) caller_result = caller_->handshake();
            if (isOpen(called_result)) called_result = called_->handshake();
            if (called_result == Result::kFailed) called_socket_.reset();
            if (caller_result == Result::kFailed) caller_socket_.reset();
        }
        char byte = 0;
        if (caller_result == Result::kDone && called_result == Result::kFailed) caller_result = caller_->read({&byte, 1}).result;
    }
    static bool isOpen(Result result) { return result == Result::kWantsRead || result == Result::kWantsWrite; }

    TlsSession& caller() { return *caller_; }
    TlsSession& called() { return *called_; }
    void cutCaller() { caller_socket_.reset(); }

    Result caller_result = Result::kWantsWrite, called_result = Result::kWantsRead;

private:
    const TlsContext caller_context_, called_context_;
    FileDescriptor caller_socket_, called_socket_;
    std::optional<TlsSession> caller_, called_;
};

const ClusterKey& key() {
    static const ClusterKey made = ClusterKey::make();
    return made;
}

TEST(TlsSession, BothSidesLearnWhoTheOtherIs) {
    Pair pair(key().issue("worker 1"), key().issue("ps 0"));
    pair.shakeHands();
    ASSERT_EQ(pair.caller_result, Result::kDone) << pair.caller().failure();
    ASSERT_EQ(pair.called_result, Result::kDone) << pair.called().failure();
    EXPECT_EQ(pair.caller().peer(), "ps 0");
    EXPECT_EQ(pair.called().peer(), "worker 1");
}

// With and without a new key every few records.
class ManyBytes : public testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(RecordsPerKey, ManyBytes, testing::Values(TlsSession::kRecordsPerKey, 3U));

TEST_P(ManyBytes, TravelInPieces) {
    Pair pair(key().issue("worker 1"), key().issue("ps 0"), GetParam());
    pair.shakeHands();
    std::string sent(10'000'000, '\0'), received;
    for (std::size_t i = 0; i < sent.size(); ++i) sent[i] = static_cast<char>(i * 2654435761U >> 13);
    std::size_t written = 0;
    std::string piece(100'000, '\0');
    while (received.size() < sent.size()) {
        if (written < sent.size()) {
            const std::string copy = sent.substr(written, 50'000);  // the same bytes may be offered from another place
            const TlsSession::Moved moved = pair.caller().write({copy.data(), copy.size()});
            ASSERT_TRUE(moved.result == Result::kDone || moved.result == Result::kWantsWrite) << pair.caller().failure();
            written += moved.bytes;
        }
        const TlsSession::Moved moved = pair.called().read({piece.data(), piece.size()});
        ASSERT_TRUE(moved.result == Result::kDone || moved.result == Result::kWantsRead) << pair.called().failure();
        received.append(piece, 0, moved.bytes);
    }
    EXPECT_TRUE(received == sent);
    EXPECT_EQ(pair.caller().read({piece.data(), piece.size()}).result, Result::kWantsRead);
}

TEST(TlsSession, AnEndInOrderIsToldFromOneThatIsNot) {
    char byte = 0;
    {
        Pair pair(key().issue("worker 1"), key().issue("ps 0"));
        pair.shakeHands();
        EXPECT_EQ(pair.caller().write({"x", 1}).bytes, 1U);
        EXPECT_EQ(pair.caller().close(), Result::kDone);
        EXPECT_EQ(pair.called().read({&byte, 1}).bytes, 1U);
        EXPECT_EQ(pair.called().read({&byte, 1}).result, Result::kClosed);
        EXPECT_EQ(pair.called().write({"y", 1}).bytes, 1U) << "the other way is still open";
        EXPECT_EQ(pair.caller().read({&byte, 1}).bytes, 1U);
        EXPECT_EQ(byte, 'y');
    }
    Pair pair(key().issue("worker 1"), key().issue("ps 0"));
    pair.shakeHands();
    pair.cutCaller();
    EXPECT_EQ(pair.called().read({&byte, 1}).result, Result::kFailed);
    EXPECT_EQ(pair.called().failure(), "it closed its connection");
    EXPECT_EQ(pair.called().write({"y", 1}).result, Result::kFailed) << "and no signal ends this process";
    EXPECT_EQ(pair.called().read({&byte, 1}).result, Result::kFailed);
    EXPECT_EQ(pair.called().failure(), "it closed its connection") << "the first reason stays";
}

struct Stranger {
    const char* name;
    TaskCredentials credentials;
    std::string failure;
};

std::vector<Stranger> strangers() {
    const auto now = std::chrono::system_clock::now();
    const ClusterKey another = ClusterKey::make();
    std::vector<Stranger> all{
        {"of another run", another.issue("worker 1"), "its certificate belongs to another run"},
        {"expired", key().issue("worker 1", {now - 48h, now - 1h}), "its certificate has expired"},
        {"not yet valid", key().issue("worker 1", {now + 1h, now + 48h}), "its certificate is not valid yet; are the clocks right?"},
    };
    // A task of the run that plays the authority.
    const TaskCredentials member = key().issue("worker 1");
    const auto member_key = keyFromPem(member.key_pem);
    const auto member_certificate = certificateFromPem(member.certificate_pem), authority = certificateFromPem(member.authority_pem);
    const auto own_key = makeKey();
    const auto forged = makeTaskCertificate(own_key.get(), "ps 0", member_key.get(), member_certificate.get(), {now - 1h, now + 1h});
    all.push_back(
        {"signed by a task", {member.authority_pem, toPem(forged.get()), toPem(own_key.get())}, "its certificate belongs to another run"});
    return all;
}

TEST(TlsSession, StrangersAreRefusedOnBothSides) {
    for (Stranger& stranger : strangers()) {
        SCOPED_TRACE(stranger.name);
        // It trusts the run, as one who listened would.
        stranger.credentials.authority_pem = key().issue("worker 1").authority_pem;
        Pair calls(stranger.credentials, key().issue("ps 0"));
        calls.shakeHands();
        EXPECT_EQ(calls.called_result, Result::kFailed);
        EXPECT_EQ(calls.called().failure(), stranger.failure);
        EXPECT_NE(calls.caller_result, Result::kDone);
        Pair is_called(key().issue("worker 0"), stranger.credentials);
        is_called.shakeHands();
        EXPECT_EQ(is_called.caller_result, Result::kFailed);
        EXPECT_EQ(is_called.caller().failure(), stranger.failure);
    }
}

// A peer that does not use this library.
struct Foreign {
    explicit Foreign(const SSL_METHOD* method, int version) : context(SSL_CTX_new(method)) {
        SSL_CTX_set_min_proto_version(context.get(), version);
        SSL_CTX_set_max_proto_version(context.get(), version);
        int ends[2] = {-1, -1};
        EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends), 0);
        ours = FileDescriptor(ends[0]);
        theirs = FileDescriptor(ends[1]);
        ssl.reset(SSL_new(context.get()));
        SSL_set_fd(ssl.get(), theirs.get());
        SSL_set_connect_state(ssl.get());
    }
    std::string failureOfCalled() {
        const TlsContext own(key().issue("ps 0"));
        TlsSession called(own, TlsSession::Side::kCalled, ours.get());
        for (int round = 0; round < 20; ++round) {
            SSL_do_handshake(ssl.get());
            if (called.handshake() == Result::kFailed) return called.failure();
        }
        return "none";
    }
    Handle<SSL_CTX> context;
    Handle<SSL> ssl;
    FileDescriptor ours, theirs;
};

TEST(TlsSession, OldVersionsAndCallersWithoutACertificateAreRefused) {
    EXPECT_EQ(Foreign(TLS_client_method(), TLS1_2_VERSION).failureOfCalled(), "it does not speak TLS 1.3");
    EXPECT_EQ(Foreign(TLS_client_method(), TLS1_3_VERSION).failureOfCalled(), "it has no certificate");
}

TEST(TlsSession, NoiseIsRefused) {
    const std::string noise[] = {std::string(200, '\0'), "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
                                 "\x16\x03\x01\x02\x10\x01" + std::string(600, 'x'), "tandem 1" + std::string(48, 'x')};
    for (const std::string& said : noise) {
        for (const auto side : {TlsSession::Side::kCaller, TlsSession::Side::kCalled}) {
            int ends[2] = {-1, -1};
            ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends), 0);
            const FileDescriptor ours(ends[0]), theirs(ends[1]);
            const TlsContext own(key().issue("ps 0"));
            TlsSession session(own, side, ours.get());
            EXPECT_EQ(::send(theirs.get(), said.data(), said.size(), 0), static_cast<ssize_t>(said.size()));
            Result result = Result::kWantsRead;
            for (int round = 0; round < 20 && Pair::isOpen(result); ++round) result = session.handshake();
            EXPECT_EQ(result, Result::kFailed) << said.substr(0, 8);
            EXPECT_NE(session.failure(), "");
            EXPECT_EQ(session.peer(), "");
        }
    }
}

TEST(TlsSession, CredentialsThatDoNotFitAreRefused) {
    TaskCredentials mixed = key().issue("worker 0");
    mixed.key_pem = key().issue("worker 0").key_pem;
    EXPECT_THROW(TlsContext{mixed}, engine::Error);
    EXPECT_THROW(TlsContext(TaskCredentials{}), engine::Error);
}

TEST(Certificate, NamesOneTaskOfItsRun) {
    const auto now = std::chrono::system_clock::now();
    const TaskCredentials own = key().issue("worker 12"), other = ClusterKey::make().issue("worker 12");
    const auto authority = certificateFromPem(own.authority_pem), certificate = certificateFromPem(own.certificate_pem);
    EXPECT_EQ(taskOf(certificate.get(), authority.get()), "worker 12");
    EXPECT_EQ(taskOf(authority.get(), authority.get()), std::nullopt);
    EXPECT_EQ(taskOf(certificateFromPem(other.certificate_pem).get(), authority.get()), std::nullopt);
    EXPECT_FALSE(isAuthority(certificate.get()));
    EXPECT_TRUE(isAuthority(authority.get()));
    EXPECT_LT(timeOf(X509_get0_notBefore(certificate.get())), now - 23h) << "the clocks of hosts differ";
}

}  // namespace
