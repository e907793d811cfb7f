#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include "agent/trust/certificate.h"
#include "agent/trust/tls_session.h"
#include "engine/spec/error.h"

namespace agent::trust {
namespace {

using engine::Error;
using engine::ErrorCode;

// A socket without signals: OpenSSL's own BIO writes in a way that raises SIGPIPE.
int socketOf(BIO* bio) {
    return *static_cast<const int*>(BIO_get_data(bio));
}

bool isForLater(ssize_t moved) {
    return moved < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
}

int writeBytes(BIO* bio, const char* bytes, std::size_t size, std::size_t* written) {
    BIO_clear_retry_flags(bio);
    const ssize_t sent = ::send(socketOf(bio), bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (isForLater(sent)) BIO_set_retry_write(bio);
    *written = sent > 0 ? static_cast<std::size_t>(sent) : 0;
    return sent > 0 ? 1 : 0;
}

int readBytes(BIO* bio, char* bytes, std::size_t size, std::size_t* read) {
    BIO_clear_retry_flags(bio);
    const ssize_t got = ::recv(socketOf(bio), bytes, size, MSG_DONTWAIT);
    if (isForLater(got)) BIO_set_retry_read(bio);
    if (got == 0) BIO_set_flags(bio, BIO_FLAGS_IN_EOF);
    *read = got > 0 ? static_cast<std::size_t>(got) : 0;
    return got > 0 ? 1 : 0;
}

long control(BIO* bio, int command, long /*number*/, void* /*pointer*/) {
    if (command == BIO_CTRL_EOF) return BIO_test_flags(bio, BIO_FLAGS_IN_EOF) != 0 ? 1 : 0;
    return command == BIO_CTRL_FLUSH ? 1 : 0;
}

int prepare(BIO* bio) {
    BIO_set_init(bio, 1);
    return 1;
}

const BIO_METHOD* socketMethod() {
    static const Handle<BIO_METHOD> method = [] {
        Handle<BIO_METHOD> made(BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "tandem socket"));
        const bool done = made && BIO_meth_set_write_ex(made.get(), &writeBytes) == 1 &&
                          BIO_meth_set_read_ex(made.get(), &readBytes) == 1 && BIO_meth_set_ctrl(made.get(), &control) == 1 &&
                          BIO_meth_set_create(made.get(), &prepare) == 1;
        if (!done) throw Error(ErrorCode::kInternal, "TLS: " + takeOpensslError());
        return made;
    }();
    return method.get();
}

void requireOfTls(bool done, const char* what) {
    if (!done) throw Error(ErrorCode::kInvalidArgument, std::string("TLS: ") + what + ": " + takeOpensslError());
}

// Returns why a certificate was not accepted.
std::string whyUntrusted(long verdict) {
    switch (verdict) {
        case X509_V_ERR_CERT_HAS_EXPIRED:
            return "its certificate has expired";
        case X509_V_ERR_CERT_NOT_YET_VALID:
            return "its certificate is not valid yet; are the clocks right?";
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
        case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
        case X509_V_ERR_CERT_SIGNATURE_FAILURE:
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
        case X509_V_ERR_AKID_ISSUER_SERIAL_MISMATCH:
        case X509_V_ERR_SUBJECT_ISSUER_MISMATCH:
        case X509_V_ERR_AKID_SKID_MISMATCH:
            return "its certificate belongs to another run";
        default:
            return std::string("its certificate is refused: ") + X509_verify_cert_error_string(verdict);
    }
}

// Returns why OpenSSL has ended a connection, by the reason that it gives.
std::string whyEnded(int reason) {
    switch (reason) {
        case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE:
            return "it has no certificate";
        case SSL_R_UNSUPPORTED_PROTOCOL:
        case SSL_R_TLSV1_ALERT_PROTOCOL_VERSION:
            return "it does not speak TLS 1.3";
        case SSL_R_SSLV3_ALERT_BAD_CERTIFICATE:
        case SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED:
        case SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN:
        case SSL_R_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE:
        case SSL_R_TLSV1_ALERT_UNKNOWN_CA:
        case SSL_R_TLSV1_ALERT_DECRYPT_ERROR:
        case SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED:
            return "it refuses the certificate of this side";
        case SSL_R_UNEXPECTED_EOF_WHILE_READING:
            return "it closed its connection";
        default: {
            const char* const text = ERR_reason_error_string(ERR_PACK(ERR_LIB_SSL, 0, static_cast<unsigned>(reason)));
            return std::string("it does not speak TLS as Tandem does") + (text == nullptr ? "" : std::string(": ") + text);
        }
    }
}

}  // namespace

struct TlsContext::Parts {
    Handle<SSL_CTX> context;
    Handle<X509> authority;  // null: certificates count for their fingerprints
};

namespace {

constexpr long kMostCertificateBytes = 16 * 1024;  // that a stranger may send

Handle<SSL_CTX> contextWith(const std::string& certificate_pem, const std::string& key_pem) {
    const Handle<X509> certificate = certificateFromPem(certificate_pem);
    const Handle<EVP_PKEY> key = keyFromPem(key_pem);
    requireOfTls(certificate && key, "expected a certificate and a key in PEM");
    Handle<SSL_CTX> made(SSL_CTX_new(TLS_method()));
    SSL_CTX* const context = made.get();
    requireOfTls(context != nullptr, "context");
    requireOfTls(SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) == 1 && SSL_CTX_set_max_proto_version(context, TLS1_3_VERSION) == 1,
                 "version");
    requireOfTls(SSL_CTX_set_ciphersuites(context, "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256") == 1,
                 "ciphers");
    requireOfTls(SSL_CTX_set1_groups_list(context, "X25519:P-256") == 1, "groups");
    requireOfTls(SSL_CTX_use_certificate(context, certificate.get()) == 1 && SSL_CTX_use_PrivateKey(context, key.get()) == 1 &&
                     SSL_CTX_check_private_key(context) == 1,
                 "the certificate and its key");
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
    SSL_CTX_set_max_cert_list(context, kMostCertificateBytes);
    SSL_CTX_set_options(context, SSL_OP_NO_TICKET | SSL_OP_NO_COMPRESSION);
    SSL_CTX_set_num_tickets(context, 0);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_read_ahead(context, 1);
    SSL_CTX_set_default_read_buffer_len(context, 64 * 1024);
    return made;
}

// Accepts any certificate. The handshake itself proves that the other side has its key; the fingerprint decides whose certificate it is.
int takeAnyCertificate(X509_STORE_CTX* /*store*/, void* /*user*/) {
    return 1;
}

}  // namespace

TlsContext::TlsContext(const TaskCredentials& credentials) {
    auto parts = std::make_shared<Parts>();
    parts->authority = certificateFromPem(credentials.authority_pem);
    requireOfTls(parts->authority != nullptr, "expected the certificate of an authority in PEM");
    parts->context = contextWith(credentials.certificate_pem, credentials.key_pem);
    requireOfTls(X509_STORE_add_cert(SSL_CTX_get_cert_store(parts->context.get()), parts->authority.get()) == 1, "the authority");
    SSL_CTX_set_verify_depth(parts->context.get(), 1);
    parts_ = std::move(parts);
}

TlsContext::TlsContext(const Identity& identity) {
    auto parts = std::make_shared<Parts>();
    parts->context = contextWith(identity.certificate_pem, identity.key_pem);
    SSL_CTX_set_cert_verify_callback(parts->context.get(), &takeAnyCertificate, nullptr);
    parts_ = std::move(parts);
}

struct TlsSession::Parts {
    std::shared_ptr<const TlsContext::Parts> context;
    int socket = -1;
    std::uint64_t records_per_key = 0, records = 0;  // written under the present key
    Handle<SSL> ssl;                                 // it reads and writes there
};

TlsSession::TlsSession(const TlsContext& context, Side side, int socket, std::uint64_t records_per_key)
    : parts_(std::make_unique<Parts>()) {
    parts_->context = context.parts_;
    parts_->ssl.reset(SSL_new(context.parts_->context.get()));
    BIO* const bio = BIO_new(socketMethod());
    if (!parts_->ssl || bio == nullptr) {
        BIO_free(bio);
        throw Error(ErrorCode::kInternal, "TLS: " + takeOpensslError());
    }
    parts_->socket = socket;
    parts_->records_per_key = records_per_key;
    BIO_set_data(bio, &parts_->socket);
    SSL_set_bio(parts_->ssl.get(), bio, bio);
    if (side == Side::kCaller) {
        SSL_set_connect_state(parts_->ssl.get());
    } else {
        SSL_set_accept_state(parts_->ssl.get());
    }
}

TlsSession::~TlsSession() = default;

TlsSession::Result TlsSession::fail(const std::string& why) {
    ERR_clear_error();
    failure_ = why;
    return Result::kFailed;
}

TlsSession::Result TlsSession::resultOf(int returned) {
    SSL* const ssl = parts_->ssl.get();
    switch (SSL_get_error(ssl, returned)) {
        case SSL_ERROR_NONE:
            return Result::kDone;
        case SSL_ERROR_WANT_READ:
            return Result::kWantsRead;
        case SSL_ERROR_WANT_WRITE:
            return Result::kWantsWrite;
        case SSL_ERROR_ZERO_RETURN:
            return Result::kClosed;
        case SSL_ERROR_SYSCALL:
            return fail("it closed its connection");
        default:
            break;
    }
    const int reason = ERR_GET_REASON(ERR_peek_error());
    const long verdict = SSL_get_verify_result(ssl);
    return fail(reason == SSL_R_CERTIFICATE_VERIFY_FAILED && verdict != X509_V_OK ? whyUntrusted(verdict) : whyEnded(reason));
}

TlsSession::Result TlsSession::handshake() {
    if (!failure_.empty()) return Result::kFailed;
    ERR_clear_error();
    SSL* const ssl = parts_->ssl.get();
    const Result result = resultOf(SSL_do_handshake(ssl));
    if (result != Result::kDone || !peer_.empty()) return result;
    const Handle<X509> certificate(SSL_get1_peer_certificate(ssl));
    if (!parts_->context->authority) {
        if (!certificate) return fail("it has no certificate");
        peer_ = fingerprintOf(certificate.get());
        return Result::kDone;
    }
    const auto task = certificate ? taskOf(certificate.get(), parts_->context->authority.get()) : std::nullopt;
    if (!task) return fail("its certificate names no task of this run");
    peer_ = *task;
    return Result::kDone;
}

convert::Secret TlsSession::exported(std::string_view label) const {
    convert::Secret bytes{};
    if (SSL_export_keying_material(parts_->ssl.get(), bytes.data(), bytes.size(), label.data(), label.size(), nullptr, 0, 0) != 1) {
        throw Error(ErrorCode::kInternal, "TLS: " + takeOpensslError());
    }
    return bytes;
}

TlsSession::Moved TlsSession::read(std::span<char> into) {
    if (!failure_.empty()) return {};
    ERR_clear_error();
    std::size_t bytes = 0;
    const int returned = SSL_read_ex(parts_->ssl.get(), into.data(), into.size(), &bytes);
    return returned == 1 ? Moved{Result::kDone, bytes} : Moved{resultOf(returned), 0};
}

TlsSession::Moved TlsSession::write(std::span<const char> bytes) {
    if (!failure_.empty()) return {};
    ERR_clear_error();
    std::size_t taken = 0;
    const int returned = SSL_write_ex(parts_->ssl.get(), bytes.data(), bytes.size(), &taken);
    if (returned != 1) return {resultOf(returned), 0};
    // One call writes one record (SSL_MODE_ENABLE_PARTIAL_WRITE). The new key is told before the next one.
    if (++parts_->records >= parts_->records_per_key && SSL_key_update(parts_->ssl.get(), SSL_KEY_UPDATE_NOT_REQUESTED) == 1) {
        parts_->records = 0;
    }
    return {Result::kDone, taken};
}

TlsSession::Result TlsSession::close() {
    if (!failure_.empty()) return Result::kFailed;
    ERR_clear_error();
    const int returned = SSL_shutdown(parts_->ssl.get());
    return returned >= 0 ? Result::kDone : resultOf(returned);
}

}  // namespace agent::trust
