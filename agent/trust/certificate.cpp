#include "agent/trust/certificate.h"

#include <array>
#include <ctime>

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include "engine/spec/error.h"

namespace agent::trust {
namespace {

using engine::Error;
using engine::ErrorCode;

constexpr std::string_view kScheme = "tandem:";
constexpr std::size_t kRunDigits = 32;
constexpr int kSerialBits = 127;
constexpr long kVersion3 = 2;  // as X.509 counts

void require(bool done, const char* what) {
    if (!done) throw Error(ErrorCode::kInternal, std::string("certificate: ") + what + ": " + takeOpensslError());
}

int refusePassword(char* /*buffer*/, int /*size*/, int /*writes*/, void* /*user*/) {
    return -1;
}

Handle<BIO> reading(std::string_view text) {
    Handle<BIO> source(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
    require(source != nullptr, "memory");
    return source;
}

std::string contentOf(BIO* bytes) {
    char* data = nullptr;
    const long size = BIO_get_mem_data(bytes, &data);
    return {data, static_cast<std::size_t>(size)};
}

void setSerial(X509* certificate) {
    const Handle<BIGNUM> number(BN_new());
    require(number && BN_rand(number.get(), kSerialBits, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) == 1 &&
                BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate)) != nullptr,
            "serial number");
}

void setValidity(X509* certificate, const Validity& validity) {
    const std::time_t from = std::chrono::system_clock::to_time_t(validity.from),
                      until = std::chrono::system_clock::to_time_t(validity.until);
    require(ASN1_TIME_set(X509_getm_notBefore(certificate), from) != nullptr &&
                ASN1_TIME_set(X509_getm_notAfter(certificate), until) != nullptr,
            "validity");
}

void setName(X509_NAME* name, const std::string& text) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
    require(X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, bytes, static_cast<int>(text.size()), -1, 0) == 1, "name");
}

void addExtension(X509* certificate, X509* issuer, int kind, const std::string& value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
    const Handle<X509_EXTENSION> extension(X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str()));
    require(extension && X509_add_ext(certificate, extension.get(), -1) == 1, "extension");
}

Handle<X509> unsignedCertificate(EVP_PKEY* key, const std::string& name, X509* issuer, const Validity& validity) {
    Handle<X509> certificate(X509_new());
    require(certificate && X509_set_version(certificate.get(), kVersion3) == 1 && X509_set_pubkey(certificate.get(), key) == 1, "begin");
    setSerial(certificate.get());
    setValidity(certificate.get(), validity);
    setName(X509_get_subject_name(certificate.get()), name);
    X509* const signed_by = issuer == nullptr ? certificate.get() : issuer;
    require(X509_set_issuer_name(certificate.get(), X509_get_subject_name(signed_by)) == 1, "issuer");
    return certificate;
}

void sign(X509* certificate, EVP_PKEY* key) {
    require(X509_sign(certificate, key, EVP_sha256()) > 0, "signature");
}

std::string runOf(X509* authority) {
    return fingerprintOf(authority).substr(0, kRunDigits);
}

// "worker 0" as "worker/0".
std::string uriOf(const std::string& task, X509* authority) {
    const std::size_t space = task.rfind(' ');
    const bool is_task = space != std::string::npos && space > 0 && space + 1 < task.size() &&
                         task.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == space &&
                         task.find_first_not_of("0123456789", space + 1) == std::string::npos;
    if (!is_task) {
        throw Error(ErrorCode::kInvalidArgument, "certificate: expected a task such as \"worker 0\", got \"" + task + "\"");
    }
    return std::string(kScheme) + runOf(authority) + "/" + task.substr(0, space) + "/" + task.substr(space + 1);
}

struct NamesDeleter {
    void operator()(GENERAL_NAMES* names) const { GENERAL_NAMES_free(names); }
};

}  // namespace

std::string takeOpensslError() {
    std::array<char, 256> text{};
    const unsigned long code = ERR_peek_last_error();
    ERR_error_string_n(code, text.data(), text.size());
    ERR_clear_error();
    return code == 0 ? "no reason" : text.data();
}

Handle<EVP_PKEY> makeKey() {
    Handle<EVP_PKEY> key(EVP_EC_gen("P-256"));
    require(key != nullptr, "key");
    return key;
}

Handle<X509> makeAuthority(EVP_PKEY* key, const Validity& validity) {
    Handle<X509> authority = unsignedCertificate(key, "Tandem cluster", nullptr, validity);
    addExtension(authority.get(), authority.get(), NID_basic_constraints, "critical,CA:TRUE,pathlen:0");
    addExtension(authority.get(), authority.get(), NID_key_usage, "critical,keyCertSign");
    addExtension(authority.get(), authority.get(), NID_subject_key_identifier, "hash");
    sign(authority.get(), key);
    return authority;
}

Handle<X509> makeTaskCertificate(EVP_PKEY* task_key, const std::string& task, EVP_PKEY* authority_key, X509* authority,
                                 const Validity& validity) {
    const std::string uri = uriOf(task, authority);
    Handle<X509> certificate = unsignedCertificate(task_key, "Tandem " + task, authority, validity);
    addExtension(certificate.get(), authority, NID_basic_constraints, "critical,CA:FALSE");
    addExtension(certificate.get(), authority, NID_key_usage, "critical,digitalSignature");
    addExtension(certificate.get(), authority, NID_ext_key_usage, "clientAuth,serverAuth");
    addExtension(certificate.get(), authority, NID_subject_key_identifier, "hash");
    addExtension(certificate.get(), authority, NID_authority_key_identifier, "keyid");
    addExtension(certificate.get(), authority, NID_subject_alt_name, "URI:" + uri);
    sign(certificate.get(), authority_key);
    return certificate;
}

Handle<X509> makeOwnCertificate(EVP_PKEY* key, const Validity& validity) {
    Handle<X509> certificate = unsignedCertificate(key, "Tandem", nullptr, validity);
    addExtension(certificate.get(), certificate.get(), NID_basic_constraints, "critical,CA:FALSE");
    addExtension(certificate.get(), certificate.get(), NID_key_usage, "critical,digitalSignature");
    addExtension(certificate.get(), certificate.get(), NID_ext_key_usage, "clientAuth,serverAuth");
    sign(certificate.get(), key);
    return certificate;
}

std::string fingerprintOf(X509* certificate) {
    convert::Secret digest{};
    unsigned int size = 0;
    require(X509_digest(certificate, EVP_sha256(), digest.data(), &size) == 1 && size == digest.size(), "digest");
    return convert::toHex(digest);
}

bool isAuthority(X509* certificate) {
    return X509_check_ca(certificate) == 1;
}

std::chrono::system_clock::time_point timeOf(const ASN1_TIME* time) {
    std::tm parts{};
    require(ASN1_TIME_to_tm(time, &parts) == 1, "time");
    return std::chrono::system_clock::from_time_t(::timegm(&parts));
}

std::optional<std::string> taskOf(X509* certificate, X509* authority) {
    const std::unique_ptr<GENERAL_NAMES, NamesDeleter> names(
        static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)));
    if (!names || sk_GENERAL_NAME_num(names.get()) != 1) return std::nullopt;
    const GENERAL_NAME* const name = sk_GENERAL_NAME_value(names.get(), 0);
    if (name->type != GEN_URI) return std::nullopt;
    const ASN1_IA5STRING* const bytes = name->d.uniformResourceIdentifier;
    const std::string uri(reinterpret_cast<const char*>(ASN1_STRING_get0_data(bytes)), static_cast<std::size_t>(ASN1_STRING_length(bytes)));
    const std::string prefix = std::string(kScheme) + runOf(authority) + "/";
    const std::size_t slash = uri.rfind('/');
    if (!uri.starts_with(prefix) || slash < prefix.size()) return std::nullopt;
    const std::string task = uri.substr(prefix.size(), slash - prefix.size()) + " " + uri.substr(slash + 1);
    try {
        return uriOf(task, authority) == uri ? std::optional(task) : std::nullopt;
    } catch (const Error&) {
        return std::nullopt;
    }
}

std::string toPem(X509* certificate) {
    const Handle<BIO> bytes(BIO_new(BIO_s_mem()));
    require(bytes && PEM_write_bio_X509(bytes.get(), certificate) == 1, "PEM");
    return contentOf(bytes.get());
}

std::string toPem(EVP_PKEY* key) {
    const Handle<BIO> bytes(BIO_new(BIO_s_secmem()));
    require(bytes && PEM_write_bio_PrivateKey(bytes.get(), key, nullptr, nullptr, 0, nullptr, nullptr) == 1, "PEM");
    return contentOf(bytes.get());
}

Handle<X509> certificateFromPem(std::string_view text) {
    Handle<X509> certificate(PEM_read_bio_X509(reading(text).get(), nullptr, &refusePassword, nullptr));
    ERR_clear_error();
    return certificate;
}

Handle<EVP_PKEY> keyFromPem(std::string_view text) {
    Handle<EVP_PKEY> key(PEM_read_bio_PrivateKey(reading(text).get(), nullptr, &refusePassword, nullptr));
    ERR_clear_error();
    return key;
}

}  // namespace agent::trust
