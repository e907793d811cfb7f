#include "engine/export/atomic_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <string>
#include <utility>

#include "engine/files/regular_file.h"
#include "engine/spec/error.h"

namespace engine::exporter {
namespace {

constexpr std::string_view kAside = ".tmp";  // between the file's name and the writer's process id

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

std::filesystem::path folderOf(const std::filesystem::path& path) {
    return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

bool isAside(std::string_view name, std::string_view of) {
    if (!name.starts_with(of) || !name.substr(of.size()).starts_with(kAside)) {
        return false;
    }
    const std::string_view process = name.substr(of.size() + kAside.size());
    return !process.empty() && std::all_of(process.begin(), process.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool isBeingWritten(const std::filesystem::path& aside) {
    const FileDescriptor file(::open(aside.c_str(), O_RDONLY | O_CLOEXEC));
    return file.get() < 0 || ::flock(file.get(), LOCK_EX | LOCK_NB) != 0;
}

}  // namespace

void removeLeftovers(const std::filesystem::path& path) noexcept {
    try {
        const std::string name = path.filename().string();
        std::error_code ignored;
        for (const auto& entry : std::filesystem::directory_iterator(folderOf(path), ignored)) {
            if (isAside(entry.path().filename().string(), name) && !isBeingWritten(entry.path())) {
                ::unlink(entry.path().c_str());
            }
        }
    } catch (const std::exception&) {
        // They cost space only; the next writer tries again.
    }
}

void writeFileAtomically(const std::filesystem::path& path, std::string_view bytes) {
    const std::string aside = path.string() + std::string(kAside) + std::to_string(::getpid());
    FileDescriptor file(::open(aside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (file.get() < 0) {
        fail(path, "create", errno);
    }
    Leftover leftover(aside);
    ::flock(file.get(), LOCK_EX | LOCK_NB);  // says "at work" to removeLeftovers; a file system without locks has no such word
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
    removeLeftovers(path);
    const FileDescriptor directory(::open(folderOf(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.get() >= 0) {
        ::fsync(directory.get());
    }
}

std::string readFile(const std::filesystem::path& path) {
    return files::readWhole(path);
}

}  // namespace engine::exporter
