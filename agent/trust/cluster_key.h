// The key of a cluster of several computers: a certificate authority of its own, by which the tasks of one run know each other over a
// network. An agent makes one for each run, in memory; a user who starts tasks by hand makes one as a file and copies it to each computer.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "agent/local/secret.h"

namespace agent::trust {

// What a task shows to others, in PEM: the authority's certificate, its own, and its private key. It goes over pipes, never in arguments,
// environment or files.
struct TaskCredentials {
    std::string authority_pem, certificate_pem, key_pem;
};

// Immutable; copies share the same key. Safe from any thread.
class ClusterKey {
public:
    struct Validity {
        std::chrono::system_clock::time_point from, until;
    };

    // Makes a key in memory. It is valid from a day ago, since the clocks of hosts differ, for 365 days.
    static ClusterKey make();
    static ClusterKey make(const Validity& validity);
    // Reads one PEM file with certificate and private key. Throws Error, naming the file: as readKeyFile(), kInvalidArgument for another
    // file, a damaged one, and a key that does not belong to its certificate; kFailedPrecondition for a key that is not valid now.
    static ClusterKey read(const std::filesystem::path& path);
    // Throws Error as writeKeyFile().
    void write(const std::filesystem::path& path) const;

    // SHA-256 of the certificate in DER, 64 hexadecimal digits.
    std::string fingerprint() const;
    // Follows from the private key: what tasks of the cluster prove to each other beside their certificates.
    convert::Secret secret() const;
    std::chrono::system_clock::time_point expires() const;

    // A certificate and a fresh private key for a task ("worker 0"), valid as long as the authority. Throws Error(kInvalidArgument) for
    // what is no task's name.
    TaskCredentials issue(const std::string& task) const;
    TaskCredentials issue(const std::string& task, const Validity& validity) const;

private:
    struct Parts;
    explicit ClusterKey(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}

    std::shared_ptr<const Parts> parts_;
};

}  // namespace agent::trust
