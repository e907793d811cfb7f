#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "engine/data/folder_lock.h"
#include "engine/spec/error.h"

namespace engine::data {

FolderLock::FolderLock(const std::filesystem::path& folder, const FolderLockWait& wait) {
    const std::filesystem::path file = folder / ".lock";
    descriptor_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor_ < 0) {
        throw Error(errno == EACCES ? ErrorCode::kPermissionDenied : ErrorCode::kInternal,
                    file.string() + ": cannot be opened: " + std::strerror(errno));
    }
    // Polled, so that whoever waits can be told to stop.
    constexpr std::chrono::milliseconds kPoll{50};
    for (bool told = false; flock(descriptor_, LOCK_EX | LOCK_NB) != 0; told = true) {
        if (errno != EWOULDBLOCK && errno != EINTR) {
            const int reason = errno;
            close(descriptor_);
            throw Error(ErrorCode::kInternal, file.string() + ": cannot be locked: " + std::strerror(reason));
        }
        if (wait.is_cancelled && wait.is_cancelled()) {
            close(descriptor_);
            throw Error(ErrorCode::kCancelled, folder.string() + ": the wait for another program's download was cancelled");
        }
        if (!told && wait.log) {
            wait.log("another program fetches into " + folder.string() + ", waiting for it");
        }
        std::this_thread::sleep_for(kPoll);
    }
}

FolderLock::~FolderLock() {
    close(descriptor_);
}

}  // namespace engine::data
