// The computers that may reach this agent directly, as ssh's authorized_keys: a file each, of mode 0600, in
//   $XDG_DATA_HOME/tandem/paired, else ~/.local/share/tandem/paired
// named after the SHA-256 of the computer's certificate (64 hexadecimal digits), with the name that it gave itself as its only line.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace agent::direct {

struct PairedPeer {
    std::string fingerprint, name;
    friend bool operator==(const PairedPeer&, const PairedPeer&) = default;
};

// Throws Error(kFailedPrecondition) when no variable of the environment says where.
std::filesystem::path pairedFolder();

// Reads the folder anew with every call, so that what another program of the user changes counts at once. Safe from any thread and process.
// Calls throw what engine::files::SafeFolder throws, naming the file; so they do where the folder is there and can't be looked into.
class PairedPeers {
public:
    explicit PairedPeers(std::filesystem::path folder = pairedFolder()) : folder_(std::move(folder)) {}

    // Adds a computer; one that is paired already gets the new name.
    void add(const PairedPeer& peer) const;
    bool has(const std::string& fingerprint) const;
    std::vector<PairedPeer> list() const;
    // Removes the computers of that name, or the one whose fingerprint begins with it, from eight digits on, and returns how many went.
    int remove(const std::string& name_or_fingerprint) const;

private:
    std::filesystem::path folder_;
};

}  // namespace agent::direct
