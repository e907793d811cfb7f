#include "agent/trust/cluster_key.h"

#include <ctime>
#include <iomanip>
#include <sstream>

#include <openssl/kdf.h>

#include "agent/trust/certificate.h"
#include "agent/trust/key_file.h"
#include "engine/spec/error.h"

namespace agent::trust {
namespace {

using engine::Error;
using engine::ErrorCode;
using Clock = std::chrono::system_clock;

constexpr auto kClocksDiffer = std::chrono::hours(24);
constexpr auto kValidFor = std::chrono::hours(24 * 365);
constexpr std::string_view kSecretOf = "tandem cluster secret 1";

trust::Validity plain(const ClusterKey::Validity& validity) {
    return {validity.from, validity.until};
}

std::string dayOf(Clock::time_point time) {
    const std::time_t seconds = Clock::to_time_t(time);
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    std::ostringstream text;
    text << std::put_time(&parts, "%Y-%m-%d %H:%M UTC");
    return text.str();
}

}  // namespace

struct ClusterKey::Parts {
    Handle<EVP_PKEY> key;
    Handle<X509> certificate;
};

ClusterKey ClusterKey::make() {
    const Clock::time_point now = Clock::now();
    return make({now - kClocksDiffer, now + kValidFor});
}

ClusterKey ClusterKey::make(const Validity& validity) {
    auto parts = std::make_shared<Parts>();
    parts->key = makeKey();
    parts->certificate = makeAuthority(parts->key.get(), plain(validity));
    return ClusterKey(std::move(parts));
}

ClusterKey ClusterKey::read(const std::filesystem::path& path) {
    const std::string text = readKeyFile(path);
    const auto refuse = [&path](ErrorCode code, const std::string& got) {
        throw Error(code, path.string() + ": expected a key that \"tandem-cli cluster-key\" made, got " + got);
    };
    auto parts = std::make_shared<Parts>();
    parts->certificate = certificateFromPem(text);
    parts->key = keyFromPem(text);
    if (!parts->certificate || !parts->key) refuse(ErrorCode::kInvalidArgument, "another file, or a damaged one");
    if (X509_check_private_key(parts->certificate.get(), parts->key.get()) != 1) {
        takeOpensslError();
        refuse(ErrorCode::kInvalidArgument, "a certificate with the key of another");
    }
    // The check above compares public halves alone.
    const Handle<EVP_PKEY_CTX> whole_key(EVP_PKEY_CTX_new(parts->key.get(), nullptr));
    if (!whole_key || EVP_PKEY_pairwise_check(whole_key.get()) != 1) {
        takeOpensslError();
        refuse(ErrorCode::kInvalidArgument, "a damaged one");
    }
    if (!isAuthority(parts->certificate.get())) refuse(ErrorCode::kInvalidArgument, "a certificate that can sign no others");
    const Clock::time_point from = timeOf(X509_get0_notBefore(parts->certificate.get()));
    const Clock::time_point until = timeOf(X509_get0_notAfter(parts->certificate.get()));
    if (Clock::now() > until) refuse(ErrorCode::kFailedPrecondition, "one that has expired at " + dayOf(until) + "; make a new one");
    if (Clock::now() < from) refuse(ErrorCode::kFailedPrecondition, "one that is good from " + dayOf(from) + " on; is the clock right?");
    return ClusterKey(std::move(parts));
}

void ClusterKey::write(const std::filesystem::path& path) const {
    writeKeyFile(path, toPem(parts_->certificate.get()) + toPem(parts_->key.get()));
}

std::string ClusterKey::fingerprint() const {
    return fingerprintOf(parts_->certificate.get());
}

convert::Secret ClusterKey::secret() const {
    const std::string key = toPem(parts_->key.get());
    const Handle<EVP_PKEY_CTX> context(EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, nullptr));
    convert::Secret secret{};
    std::size_t size = secret.size();
    const auto bytes = [](std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); };
    const bool done = context && EVP_PKEY_derive_init(context.get()) == 1 && EVP_PKEY_CTX_set_hkdf_md(context.get(), EVP_sha256()) == 1 &&
                      EVP_PKEY_CTX_set1_hkdf_key(context.get(), bytes(key), static_cast<int>(key.size())) == 1 &&
                      EVP_PKEY_CTX_add1_hkdf_info(context.get(), bytes(kSecretOf), static_cast<int>(kSecretOf.size())) == 1 &&
                      EVP_PKEY_derive(context.get(), secret.data(), &size) == 1 && size == secret.size();
    if (!done) throw Error(ErrorCode::kInternal, "the cluster's key: HKDF-SHA256: " + takeOpensslError());
    return secret;
}

Clock::time_point ClusterKey::expires() const {
    return timeOf(X509_get0_notAfter(parts_->certificate.get()));
}

TaskCredentials ClusterKey::issue(const std::string& task) const {
    return issue(task, {timeOf(X509_get0_notBefore(parts_->certificate.get())), expires()});
}

TaskCredentials ClusterKey::issue(const std::string& task, const Validity& validity) const {
    const Handle<EVP_PKEY> key = makeKey();
    const Handle<X509> certificate = makeTaskCertificate(key.get(), task, parts_->key.get(), parts_->certificate.get(), plain(validity));
    return {toPem(parts_->certificate.get()), toPem(certificate.get()), toPem(key.get())};
}

}  // namespace agent::trust
