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

// Of processes that were killed.
void removeLeftBehind(const fs::path& parent, std::string_view prefix) {
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(parent, ignored)) {
        if (!entry.path().filename().string().starts_with(prefix)) {
            continue;
        }
        try {
            if (const auto lock = convert::takeLock(entry.path() / kOwnerLock, convert::LockKind::kAlone)) {
                fs::remove_all(entry.path(), ignored);
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
    lock_ = convert::takeLock(fresh / kOwnerLock, convert::LockKind::kAlone);
    path_ = parent / fresh.filename().string().substr(kNew.size());
    fs::rename(fresh, path_);
}

OwnedFolder::~OwnedFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

}  // namespace agent::hosts
