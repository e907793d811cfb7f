// One program at a time in a folder, over all programs of a computer.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace engine::data {

struct FolderLockWait {
    std::function<void(const std::string&)> log;  // told once, when another program holds the lock; may be empty
    std::function<bool()> is_cancelled;           // asked every 50 ms while waiting; empty: never
};

// Holds an exclusive lock on <folder>/.lock while it lives; the kernel lets go of it when the process ends, however it does. Throws Error:
// kCancelled while waiting, kPermissionDenied or kInternal when the lock file cannot be made.
class FolderLock {
public:
    FolderLock(const std::filesystem::path& folder, const FolderLockWait& wait);
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

private:
    int descriptor_ = -1;
};

}  // namespace engine::data
