#include "agent/direct/paired_peers.h"

#include <system_error>

#include "agent/direct/pairing_line.h"
#include "agent/local/address_file.h"
#include "agent/local/secret.h"
#include "engine/files/output_file.h"
#include "engine/files/regular_file.h"
#include "engine/files/safe_folder.h"
#include "engine/spec/error.h"

namespace agent::direct {

namespace fs = std::filesystem;
using engine::Error;
using engine::ErrorCode;
using engine::files::SafeFolder;

namespace {

constexpr std::uint64_t kMostBytes = 256;
constexpr std::size_t kLeastDigits = 8;  // of a fingerprint that is cut

// False where nobody was paired yet. Throws Error where it can't be looked.
bool isThere(const fs::path& folder) {
    std::error_code failed;
    const fs::file_status status = fs::status(folder, failed);
    if (status.type() == fs::file_type::not_found) {
        return false;
    }
    if (failed) {
        throw Error(engine::files::codeOfErrno(failed.value()), folder.string() + ": could not open: " + failed.message());
    }
    if (status.type() != fs::file_type::directory) {
        throw Error(ErrorCode::kFailedPrecondition, folder.string() + ": expected a folder, got another kind of file");
    }
    return true;
}

}  // namespace

fs::path pairedFolder() {
    return convert::dataFolder() / "paired";
}

void PairedPeers::add(const PairedPeer& peer) const {
    ENGINE_CHECK(isFingerprint(peer.fingerprint));
    const SafeFolder folder = SafeFolder::make(folder_);
    const std::string aside = convert::toHex(convert::makeSecret()).substr(0, 16) + ".new";
    engine::files::OutputFile out(folder.create(aside));
    out.write(peer.name + "\n");
    if (const int error = out.finish(); error != 0) {
        folder.remove(aside);
        throw Error(engine::files::codeOfErrno(error), (folder_ / peer.fingerprint).string() + ": expected to write it to its end, got: " +
                                                           std::generic_category().message(error));
    }
    out.close();
    folder.rename(aside, peer.fingerprint);
    folder.sync();
}

bool PairedPeers::has(const std::string& fingerprint) const {
    return isFingerprint(fingerprint) && isThere(folder_) && SafeFolder::open(folder_).isFile(fingerprint);
}

std::vector<PairedPeer> PairedPeers::list() const {
    std::vector<PairedPeer> peers;
    if (!isThere(folder_)) {
        return peers;
    }
    const SafeFolder folder = SafeFolder::open(folder_);
    for (const SafeFolder::Entry& entry : folder.list()) {
        if (!isFingerprint(entry.name) || !folder.isFile(entry.name)) {
            continue;
        }
        const convert::FileDescriptor file = folder.openToRead(entry.name);
        const std::string text = engine::files::readWhole(file.get(), folder_ / entry.name, kMostBytes);
        peers.push_back({entry.name, text.substr(0, text.find('\n'))});
    }
    return peers;
}

int PairedPeers::remove(const std::string& name_or_fingerprint) const {
    int removed = 0;
    for (const PairedPeer& peer : list()) {
        const bool is_meant = peer.name == name_or_fingerprint ||
                              (name_or_fingerprint.size() >= kLeastDigits && peer.fingerprint.starts_with(name_or_fingerprint));
        if (is_meant && SafeFolder::open(folder_).remove(peer.fingerprint)) {
            ++removed;
        }
    }
    return removed;
}

}  // namespace agent::direct
