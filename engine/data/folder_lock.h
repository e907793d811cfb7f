// One program at a time in a folder, over all programs of a computer.
#pragma once

#include <filesystem>

#include "engine/data/download.h"

namespace engine::data {

// Holds an exclusive lock on <folder>/.lock while it lives; the kernel lets go of it when the process ends, however it does. Waiting is
// told to hooks.log once. Throws Error: kCancelled while waiting, kPermissionDenied or kInternal when the lock file cannot be made.
class FolderLock {
public:
    FolderLock(const std::filesystem::path& folder, const DownloadHooks& hooks);
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

private:
    int descriptor_ = -1;
};

}  // namespace engine::data
