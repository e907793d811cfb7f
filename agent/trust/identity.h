// The identity of this user on this computer, towards computers that are reached directly: a certificate of its own, which others know
// again by its fingerprint. One PEM file with certificate and private key, of mode 0600, made by whoever needs it first:
//   $XDG_DATA_HOME/tandem/identity.pem, else ~/.local/share/tandem/identity.pem
#pragma once

#include <filesystem>
#include <string>

namespace agent::trust {

struct Identity {
    std::string certificate_pem, key_pem;
    std::string fingerprint;  // SHA-256 of the certificate in DER, 64 hexadecimal digits
};

// Throws Error(kFailedPrecondition) when no variable of the environment says where.
std::filesystem::path identityFile();

// Makes an identity in memory alone. Its certificate is good for a hundred years: who knows its fingerprint asks for nothing else.
Identity makeIdentity();

// Makes the file where there is none: of several programs that do so at once all get the same one. Safe from any thread and process. Throws
// Error, naming the file: as readKeyFile(), kInvalidArgument for a damaged file.
Identity ownIdentity(const std::filesystem::path& file = identityFile());

}  // namespace agent::trust
