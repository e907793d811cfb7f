#include "agent/local/folder_claim.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/spec/error.h"

namespace agent::convert {

namespace fs = std::filesystem;

namespace {

engine::ErrorCode codeOf(int error) {
    switch (error) {
        case ENOENT:
        case ENOTDIR:
            return engine::ErrorCode::kNotFound;
        case ENOSPC:
        case EDQUOT:
            return engine::ErrorCode::kResourceExhausted;
        default:
            return engine::ErrorCode::kPermissionDenied;
    }
}

[[noreturn]] void failClaim(const fs::path& path, const char* what, int error) {
    throw engine::Error(codeOf(error), path.string() + ": " + what + ": " + std::strerror(error));
}

// Returns one line, as far as it is text.
std::string readHolder(int file) {
    std::array<char, 256> bytes{};
    const ssize_t size = ::pread(file, bytes.data(), bytes.size(), 0);
    std::string holder(bytes.data(), static_cast<std::size_t>(size > 0 ? size : 0));
    holder.resize(std::min(holder.find('\n'), holder.size()));
    return holder.empty() ? "another program" : holder;
}

}  // namespace

FolderClaim FolderClaim::take(const fs::path& folder, const std::string& holder) {
    std::error_code error;
    fs::path real = fs::canonical(folder, error);
    if (error) {
        failClaim(folder, "can't be used as a run's folder", error.value());
    }
    const FileDescriptor opened(::open(real.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!opened) {
        failClaim(real, "can't be used as a run's folder", errno);
    }
    FileDescriptor lock(::openat(opened.get(), kFolderLock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600));
    struct stat status {};
    if (!lock || ::fstat(lock.get(), &status) != 0) {
        failClaim(real / kFolderLock, "can't be opened", errno);
    }
    if (!S_ISREG(status.st_mode)) {
        throw engine::Error(engine::ErrorCode::kPermissionDenied, (real / kFolderLock).string() + ": expected a file, got something else");
    }
    struct flock whole {};
    whole.l_type = F_WRLCK;
    if (::fcntl(lock.get(), F_OFD_SETLK, &whole) != 0) {
        if (errno == EAGAIN || errno == EACCES) {
            throw engine::Error(engine::ErrorCode::kAlreadyExists, real.string() + ": " + readHolder(lock.get()) + " is using this folder");
        }
        if (errno != ENOLCK && errno != EOPNOTSUPP && errno != EINVAL) {
            failClaim(real / kFolderLock, "can't be locked", errno);
        }
    }
    const std::string line = holder + "\n";
    // A failed write is ignored: only what others are told depends on it, and the lock holds on a full disk all the same.
    [[maybe_unused]] const bool written = ::ftruncate(lock.get(), 0) == 0 && ::pwrite(lock.get(), line.data(), line.size(), 0) > 0;
    return {std::move(lock), std::move(real)};
}

bool FolderClaim::isHeld(const fs::path& folder) {
    const FileDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!opened) return false;
    const FileDescriptor lock(::openat(opened.get(), kFolderLock, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct flock whole {};
    whole.l_type = F_WRLCK;
    return lock && ::fcntl(lock.get(), F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
}

}  // namespace agent::convert
