#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "engine/files/regular_file.h"
#include "engine/spec/error.h"

namespace engine::files {
namespace {

[[noreturn]] void fail(const std::filesystem::path& file, const char* what, int reason) {
    const ErrorCode code = reason == ENOENT || reason == ENOTDIR ? ErrorCode::kNotFound
                           : reason == EACCES || reason == EPERM ? ErrorCode::kPermissionDenied
                                                                 : ErrorCode::kInternal;
    throw Error(code, file.string() + ": " + what + ": " + std::strerror(reason));
}

void requireMode(const std::filesystem::path& file, mode_t mode) {
    if (S_ISREG(mode)) {
        return;
    }
    const char* kind = S_ISDIR(mode) ? "a folder" : S_ISFIFO(mode) ? "a pipe" : S_ISSOCK(mode) ? "a socket" : "a device";
    throw Error(ErrorCode::kInvalidArgument, file.string() + ": expected a file, got " + kind);
}

std::uint64_t sizeOf(int descriptor, const std::filesystem::path& file) {
    struct stat facts {};
    if (::fstat(descriptor, &facts) != 0) {
        fail(file, "cannot be opened", errno);
    }
    requireMode(file, facts.st_mode);
    return static_cast<std::uint64_t>(facts.st_size);
}

}  // namespace

RegularFile::RegularFile(const std::filesystem::path& file) {
    // Asked before it is opened, since opening a device may do something, and again after, since it may be another file by then.
    struct stat facts {};
    if (::stat(file.c_str(), &facts) != 0) {
        fail(file, "cannot be opened", errno);
    }
    requireMode(file, facts.st_mode);
    descriptor_ = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor_ < 0) {
        fail(file, "cannot be opened", errno);
    }
    try {
        size_ = sizeOf(descriptor_, file);
    } catch (...) {
        ::close(descriptor_);
        throw;
    }
}

RegularFile::~RegularFile() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
}

int RegularFile::release() {
    return std::exchange(descriptor_, -1);
}

void requireRegular(int descriptor, const std::filesystem::path& file) {
    sizeOf(descriptor, file);
}

std::string readWhole(const std::filesystem::path& file, std::uint64_t most) {
    return readWhole(RegularFile(file).descriptor(), file, most);
}

std::string readWhole(int descriptor, const std::filesystem::path& file, std::uint64_t most) {
    constexpr std::size_t kAtOnce = std::size_t{1} << 16;
    constexpr std::uint64_t kMostReserved = std::uint64_t{1} << 26;
    std::string bytes;
    // The size is a hint alone: files of /proc have none, others may grow, and one with holes may claim more than any memory.
    bytes.reserve(static_cast<std::size_t>(std::min({sizeOf(descriptor, file), most, kMostReserved})));
    char part[kAtOnce];
    for (;;) {
        const ssize_t got = ::read(descriptor, part, sizeof part);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            fail(file, "cannot be read", errno);
        }
        if (got == 0) {
            return bytes;
        }
        if (static_cast<std::uint64_t>(got) > most - bytes.size()) {
            throw Error(ErrorCode::kResourceExhausted, file.string() + ": expected at most " + std::to_string(most) + " bytes, got more");
        }
        bytes.append(part, static_cast<std::size_t>(got));
    }
}

}  // namespace engine::files
