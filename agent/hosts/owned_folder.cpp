#include "agent/hosts/owned_folder.h"

#include <cerrno>
#include <cstring>
#include <string>

#include <stdlib.h>

#include "agent/local/address_file.h"
#include "engine/spec/error.h"

namespace agent::hosts {

namespace fs = std::filesystem;
using engine::Error;
using engine::ErrorCode;

namespace {

constexpr const char* kOwnerLock = "owner.lock";
constexpr std::string_view kNew = "new-";

// Removes the folders whose owners were killed: their names begin with the prefix, and nobody holds their locks.
void removeLeftBehind(const fs::path& parent, std::string_view prefix) {
    std::error_code ended, ignored;
    for (fs::directory_iterator entry(parent, ended); !ended && entry != fs::directory_iterator(); entry.increment(ended)) {
        if (!entry->path().filename().string().starts_with(prefix)) {
            continue;
        }
        try {
            if (const auto lock = convert::takeLock(entry->path() / kOwnerLock, convert::LockKind::kAlone)) {
                fs::remove_all(entry->path(), ignored);
            }
        } catch (const Error&) {  // another process was quicker
        }
    }
}

}  // namespace

OwnedFolder::OwnedFolder(std::string_view prefix) {
    const fs::path parent = convert::makeAgentFolder();
    removeLeftBehind(parent, prefix);
    std::string pattern = (parent / (std::string(kNew) + std::string(prefix) + "XXXXXX")).string();
    if (::mkdtemp(pattern.data()) == nullptr) {
        throw Error(ErrorCode::kPermissionDenied, parent.string() + ": expected to make a folder there, got: " + std::strerror(errno));
    }
    // Nobody looks at it before it is locked: others look for the name that it gets then.
    const fs::path fresh = pattern;
    std::error_code failed, ignored;
    try {
        lock_ = convert::takeLock(fresh / kOwnerLock, convert::LockKind::kAlone);
    } catch (const Error&) {
        fs::remove_all(fresh, ignored);
        throw;
    }
    path_ = parent / fresh.filename().string().substr(kNew.size());
    fs::rename(fresh, path_, failed);
    if (failed) {
        fs::remove_all(fresh, ignored);
        throw Error(ErrorCode::kPermissionDenied, path_.string() + ": expected to make a folder there, got: " + failed.message());
    }
}

OwnedFolder::~OwnedFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

}  // namespace agent::hosts
