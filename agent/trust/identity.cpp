#include "agent/trust/identity.h"

#include <chrono>

#include "agent/local/address_file.h"
#include "agent/trust/certificate.h"
#include "agent/trust/key_file.h"
#include "engine/files/safe_folder.h"
#include "engine/spec/error.h"

namespace agent::trust {
namespace {

namespace fs = std::filesystem;
using engine::Error;
using engine::ErrorCode;
using Clock = std::chrono::system_clock;

constexpr auto kOwnClocksDiffer = std::chrono::hours(24);
constexpr auto kOwnValidFor = std::chrono::hours(24) * 365 * 100;

Identity identityIn(const fs::path& file, const std::string& text) {
    const Handle<X509> certificate = certificateFromPem(text);
    const Handle<EVP_PKEY> key = keyFromPem(text);
    if (!certificate || !key || X509_check_private_key(certificate.get(), key.get()) != 1) {
        takeOpensslError();
        throw Error(ErrorCode::kInvalidArgument,
                    file.string() +
                        ": expected a certificate and its key, got another file, or a damaged one; without it a new one is made, "
                        "and each computer has to be paired anew");
    }
    return {toPem(certificate.get()), toPem(key.get()), fingerprintOf(certificate.get())};
}

}  // namespace

fs::path identityFile() {
    return convert::dataFolder() / "identity.pem";
}

Identity makeIdentity() {
    const Clock::time_point now = Clock::now();
    const Handle<EVP_PKEY> key = makeKey();
    const Handle<X509> certificate = makeOwnCertificate(key.get(), {now - kOwnClocksDiffer, now + kOwnValidFor});
    return {toPem(certificate.get()), toPem(key.get()), fingerprintOf(certificate.get())};
}

Identity ownIdentity(const fs::path& file) {
    std::error_code ignored;
    if (!fs::exists(fs::symlink_status(file, ignored))) {
        engine::files::SafeFolder::make(file.parent_path());
        const Identity made = makeIdentity();
        try {
            writeKeyFile(file, made.certificate_pem + made.key_pem, kComputersKey);
        } catch (const Error& error) {
            if (error.code() != ErrorCode::kAlreadyExists) throw;  // another program was first: its one counts
        }
    }
    return identityIn(file, readKeyFile(file, kComputersKey));
}

}  // namespace agent::trust
