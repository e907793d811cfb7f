#include "engine/export/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "engine/spec/error.h"

namespace engine::exporter {
namespace {

ErrorCode codeOf(int error) {
    switch (error) {
        case ENOSPC:
        case EDQUOT:
        case EFBIG:
            return ErrorCode::kResourceExhausted;
        case EACCES:
        case EPERM:
        case EROFS:
            return ErrorCode::kPermissionDenied;
        case ENOENT:
        case ENOTDIR:
            return ErrorCode::kNotFound;
        default:
            return ErrorCode::kInternal;
    }
}

[[noreturn]] void fail(const std::filesystem::path& path, const char* action, int error) {
    throw Error(codeOf(error), path.string() + ": could not " + action + ": " + std::strerror(error));
}

class FileDescriptor {
public:
    explicit FileDescriptor(int fd) : fd_(fd) {}
    FileDescriptor(const FileDescriptor&) = delete;
    FileDescriptor& operator=(const FileDescriptor&) = delete;
    ~FileDescriptor() {
        if (fd_ >= 0) {
            ::close(fd_);
        }
    }
    int get() const { return fd_; }
    int close() { return ::close(std::exchange(fd_, -1)); }

private:
    int fd_;
};

// Removes the file unless it was renamed away.
class Leftover {
public:
    explicit Leftover(std::string path) : path_(std::move(path)) {}
    Leftover(const Leftover&) = delete;
    Leftover& operator=(const Leftover&) = delete;
    ~Leftover() {
        if (!path_.empty()) {
            ::unlink(path_.c_str());
        }
    }
    void keep() { path_.clear(); }

private:
    std::string path_;
};

void writeAll(int fd, std::string_view bytes, const std::filesystem::path& path) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written < 0) {
            if (errno == EINTR) {
                continue;
            }
            fail(path, "write", errno);
        }
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

}  // namespace

void writeFileAtomically(const std::filesystem::path& path, std::string_view bytes) {
    const std::string aside = path.string() + ".tmp" + std::to_string(::getpid());
    FileDescriptor file(::open(aside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (file.get() < 0) {
        fail(path, "create", errno);
    }
    Leftover leftover(aside);
    writeAll(file.get(), bytes, path);
    if (::fsync(file.get()) != 0) {
        fail(path, "sync", errno);
    }
    if (file.close() != 0) {
        fail(path, "close", errno);
    }
    if (::rename(aside.c_str(), path.c_str()) != 0) {
        fail(path, "rename into place", errno);
    }
    leftover.keep();
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    const FileDescriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.get() >= 0) {
        ::fsync(directory.get());
    }
}

std::string readFile(const std::filesystem::path& path) {
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0) {
        fail(path, "open", errno);
    }
    std::string bytes;
    char buffer[1 << 16];
    while (true) {
        const ssize_t got = ::read(file.get(), buffer, sizeof buffer);
        if (got < 0) {
            if (errno == EINTR) {
                continue;
            }
            fail(path, "read", errno);
        }
        if (got == 0) {
            return bytes;
        }
        bytes.append(buffer, static_cast<std::size_t>(got));
    }
}

}  // namespace engine::exporter
