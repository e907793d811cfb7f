// The right to write into a run's folder: one holder at a time, whatever the folder is called and whoever asks.
#pragma once

#include <filesystem>
#include <string>

#include "agent/local/file_descriptor.h"

namespace agent::convert {

// Holds an open file description lock on FOLDER/lock, which says who that is ("run 20261121-143205-7f3a"): it goes with the process,
// however that ends. A folder is known by what it is, so that a slash at the end, a symbolic link to it and another mount of it mean the
// same one. Movable; freed by the destructor.
class FolderClaim {
public:
    FolderClaim() = default;  // none

    // Claims the folder. `holder` is what the next one who asks is told. On a file system that has no locks the claim holds nothing. Throws
    // Error: kAlreadyExists naming who uses the folder, kNotFound, kPermissionDenied, kResourceExhausted.
    static FolderClaim take(const std::filesystem::path& folder, const std::string& holder);

    // True while somebody has claimed the folder. False for one that can't be looked into, and on a file system that has no locks.
    static bool isHeld(const std::filesystem::path& folder);

    // Returns the folder, absolute, without links, "." or a slash at the end; empty without a claim.
    const std::filesystem::path& folder() const { return folder_; }

private:
    FolderClaim(FileDescriptor lock, std::filesystem::path folder) : lock_(std::move(lock)), folder_(std::move(folder)) {}

    FileDescriptor lock_;
    std::filesystem::path folder_;
};

// The lock's name in the folder.
inline constexpr const char* kFolderLock = "lock";

}  // namespace agent::convert
