// X.509 certificates: of a run, which has an authority and one for each task that it has signed, and of a computer, which has one of its
// own. Pure functions, safe from any thread.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "agent/local/secret.h"
#include "agent/trust/openssl_handles.h"

namespace agent::trust {

struct Validity {
    std::chrono::system_clock::time_point from, until;
};

// A fresh key on the curve P-256. Throws Error(kInternal), as all of these do when OpenSSL refuses what is always possible.
Handle<EVP_PKEY> makeKey();
// The authority's own certificate, signed by itself. It may sign tasks, and no further authority.
Handle<X509> makeAuthority(EVP_PKEY* key, const Validity& validity);
// A task's certificate for both ends of a connection, signed by the authority. It names its run and its task in one URI:
//
//   tandem:RUN/TYPE/INDEX     RUN: the first 32 hexadecimal digits of the authority's fingerprint
Handle<X509> makeTaskCertificate(EVP_PKEY* task_key, const std::string& task, EVP_PKEY* authority_key, X509* authority,
                                 const Validity& validity);

// A certificate of a computer's user, signed by its own key: whoever has its fingerprint knows it again.
Handle<X509> makeOwnCertificate(EVP_PKEY* key, const Validity& validity);

// SHA-256 of the certificate in DER, 64 hexadecimal digits.
std::string fingerprintOf(X509* certificate);
bool isAuthority(X509* certificate);
std::chrono::system_clock::time_point timeOf(const ASN1_TIME* time);
// "worker 0": the task that a certificate of that authority's run names; nullopt when it names none, several, or one of another run.
std::optional<std::string> taskOf(X509* certificate, X509* authority);

std::string toPem(X509* certificate);
std::string toPem(EVP_PKEY* key);
// Null for a text without one. A key that asks for a password is none.
Handle<X509> certificateFromPem(std::string_view text);
Handle<EVP_PKEY> keyFromPem(std::string_view text);

// The newest error of this thread as OpenSSL words it, and no error afterwards.
std::string takeOpensslError();

}  // namespace agent::trust
