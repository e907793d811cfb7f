#include "engine/files/safe_folder.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace engine::files {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kPrivateFolder = 0700, kPrivateFile = 0600, kOrdinaryFile = 0644;
constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
constexpr int kWayFlags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;  // to the last name of a path

int openByKernel(int folder, const char* path, int flags, unsigned mode) {
    constexpr int kAttempts = 8;  // EAGAIN: something was renamed on the way
    open_how how{};
    how.flags = static_cast<std::uint64_t>(flags);
    how.mode = (flags & O_CREAT) != 0 ? mode : 0;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
    long opened = -1;
    for (int i = 0; i < kAttempts && opened < 0; ++i) {
        opened = ::syscall(SYS_openat2, folder, path, &how, sizeof how);
        if (opened < 0 && errno != EAGAIN && errno != EINTR) {
            break;
        }
    }
    return static_cast<int>(opened);
}

// "a/./b/" as a, b. Throws for a path that may lead out.
std::vector<std::string> namesOf(const fs::path& folder, const fs::path& below) {
    std::vector<std::string> names;
    bool leads_out = below.is_absolute() || below.native().find('\0') != std::string::npos;
    for (const fs::path& name : below) {
        leads_out = leads_out || name == "..";
        if (!name.empty() && name != ".") {
            names.push_back(name.string());
        }
    }
    if (leads_out || names.empty()) {
        throw Error(ErrorCode::kPermissionDenied, std::string(below.c_str()) + ": expected a path below " + folder.string());
    }
    return names;
}

std::string joined(const std::vector<std::string>& names, std::size_t count) {
    std::string path;
    for (std::size_t i = 0; i < count; ++i) {
        path += (i == 0 ? "" : "/") + names[i];
    }
    return path;
}

// The last of `count` names, opened one after the other.
int openByNames(int folder, const std::vector<std::string>& names, std::size_t count, int flags, unsigned mode) {
    FileDescriptor at;
    for (std::size_t i = 0; i + 1 < count; ++i) {
        at = FileDescriptor(::openat(at ? at.get() : folder, names[i].c_str(), kWayFlags));
        if (!at) {
            return -1;
        }
    }
    return ::openat(at ? at.get() : folder, names[count - 1].c_str(), flags | O_NOFOLLOW, mode);
}

int openNames(SafeFolder::OpenBelow open_below, int folder, const std::vector<std::string>& names, std::size_t count, int flags,
              unsigned mode) {
    const int opened = open_below(folder, joined(names, count).c_str(), flags, mode);
    const bool is_missing = opened < 0 && (errno == ENOSYS || errno == EPERM || errno == EAGAIN);  // EPERM: what a sandbox says
    return is_missing ? openByNames(folder, names, count, flags, mode) : opened;
}

// The first of the names that is a link; empty when none is. Used for messages only.
std::string linkAmong(int folder, const std::vector<std::string>& names) {
    FileDescriptor at;
    for (std::size_t i = 0; i < names.size(); ++i) {
        struct stat status {};
        if (::fstatat(at ? at.get() : folder, names[i].c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
            return {};
        }
        if (S_ISLNK(status.st_mode)) {
            return joined(names, i + 1);
        }
        at = FileDescriptor(::openat(at ? at.get() : folder, names[i].c_str(), kWayFlags));
        if (!at) {
            return {};
        }
    }
    return {};
}

[[noreturn]] void failAt(const fs::path& path, const char* action, int error) {
    throw Error(codeOfErrno(error), path.string() + ": could not " + action + ": " + std::strerror(error));
}

struct CloseFolder {
    void operator()(DIR* folder) const { ::closedir(folder); }
};

}  // namespace

ErrorCode codeOfErrno(int error) {
    switch (error) {
        case ENOSPC:
        case EDQUOT:
        case EFBIG:
            return ErrorCode::kResourceExhausted;
        case EACCES:
        case EPERM:
        case EROFS:
        case ELOOP:
        case EXDEV:
            return ErrorCode::kPermissionDenied;
        case ENOENT:
        case ENOTDIR:
            return ErrorCode::kNotFound;
        default:
            return ErrorCode::kInternal;
    }
}

SafeFolder::SafeFolder(FileDescriptor descriptor, fs::path path, OpenBelow open_below)
    : descriptor_(std::move(descriptor)), path_(std::move(path)), open_below_(open_below == nullptr ? &openByKernel : open_below) {}

SafeFolder SafeFolder::open(const fs::path& folder, OpenBelow open_below) {
    FileDescriptor opened(::open(folder.empty() ? "." : folder.c_str(), kFolderFlags));
    if (!opened) {
        failAt(folder, "open", errno);
    }
    return {std::move(opened), folder, open_below};
}

SafeFolder SafeFolder::make(const fs::path& folder, OpenBelow open_below) {
    // Begins at the nearest folder above that is there, which may be reached through links.
    fs::path above = fs::absolute(folder).lexically_normal();
    std::vector<fs::path> missing;
    for (;;) {
        FileDescriptor opened(::open(above.c_str(), kFolderFlags));
        if (opened) {
            SafeFolder base(std::move(opened), above, open_below);
            if (missing.empty()) {
                base.path_ = folder;
                return base;
            }
            fs::path below;
            std::for_each(missing.rbegin(), missing.rend(), [&](const fs::path& name) { below /= name; });
            SafeFolder made = base.makeFolder(below);
            made.path_ = folder;
            return made;
        }
        if (errno != ENOENT || !above.has_relative_path()) {
            failAt(folder, "make the folder", errno);
        }
        if (above.has_filename()) {
            missing.push_back(above.filename());
        }
        above = above.parent_path();
    }
}

void SafeFolder::fail(const fs::path& below, const char* action, int error) const {
    const fs::path whole = path_ / below;
    if (const std::string link = linkAmong(descriptor_.get(), namesOf(path_, below)); !link.empty()) {
        throw Error(ErrorCode::kPermissionDenied,
                    whole.string() + ": expected no link below " + path_.string() + ", which is not left, got one: " + link);
    }
    failAt(whole, action, error);
}

int SafeFolder::openBelow(const fs::path& below, int flags, unsigned mode) const {
    const std::vector<std::string> names = namesOf(path_, below);
    return openNames(open_below_, descriptor_.get(), names, names.size(), flags | O_CLOEXEC, mode);
}

SafeFolder::Parent SafeFolder::parentOf(const fs::path& below) const {
    const std::vector<std::string> names = namesOf(path_, below);
    Parent parent{{}, names.back()};
    if (names.size() > 1) {
        parent.folder =
            FileDescriptor(openNames(open_below_, descriptor_.get(), names, names.size() - 1, O_PATH | O_DIRECTORY | O_CLOEXEC, 0));
        if (!parent.folder) {
            fail(joined(names, names.size() - 1), "open", errno);
        }
    }
    return parent;
}

SafeFolder SafeFolder::again() const {
    FileDescriptor opened(::fcntl(descriptor_.get(), F_DUPFD_CLOEXEC, 0));
    if (!opened) {
        failAt(path_, "open", errno);
    }
    return {std::move(opened), path_, open_below_};
}

SafeFolder SafeFolder::openFolder(const fs::path& below) const {
    FileDescriptor opened(openBelow(below, kFolderFlags, 0));
    if (!opened) {
        fail(below, "open the folder", errno);
    }
    return {std::move(opened), path_ / below, open_below_};
}

SafeFolder SafeFolder::makeFolder(const fs::path& below) const {
    FileDescriptor at;
    for (const std::string& name : namesOf(path_, below)) {
        const int folder = at ? at.get() : descriptor_.get();
        const bool is_new = ::mkdirat(folder, name.c_str(), kPrivateFolder) == 0;
        if (!is_new && errno != EEXIST) {
            fail(below, "make the folder", errno);
        }
        FileDescriptor next(::openat(folder, name.c_str(), kFolderFlags | O_NOFOLLOW));
        if (!next || (is_new && ::fchmod(next.get(), kPrivateFolder) != 0)) {
            fail(below, "make the folder", errno);
        }
        at = std::move(next);
    }
    return {std::move(at), path_ / below, open_below_};
}

FileDescriptor SafeFolder::openToRead(const fs::path& below) const {
    FileDescriptor opened(openBelow(below, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0));
    if (!opened) {
        fail(below, "open", errno);
    }
    return opened;
}

FileDescriptor SafeFolder::create(const fs::path& below, Access access) const {
    const Parent parent = parentOf(below);
    const bool is_private = access == Access::kPrivate;
    FileDescriptor made;
    for (int attempt = 0; attempt < 2 && !made; ++attempt) {
        made = FileDescriptor(::openat(descriptorOf(parent), parent.name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                                       is_private ? kPrivateFile : kOrdinaryFile));
        if (!made && (errno != EEXIST || ::unlinkat(descriptorOf(parent), parent.name.c_str(), 0) != 0)) {
            fail(below, "create", errno);
        }
    }
    if (!made || (is_private && ::fchmod(made.get(), kPrivateFile) != 0)) {
        fail(below, "create", errno);
    }
    return made;
}

FileDescriptor SafeFolder::openToAppend(const fs::path& below, Access access) const {
    const mode_t mode = access == Access::kPrivate ? kPrivateFile : kOrdinaryFile;
    FileDescriptor opened(openBelow(below, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_NOCTTY, mode));
    struct stat found {};
    if (!opened || ::fstat(opened.get(), &found) != 0) {
        fail(below, "open", errno);
    }
    if (!S_ISREG(found.st_mode) || found.st_nlink > 1) {
        throw Error(ErrorCode::kPermissionDenied, (path_ / below).string() + ": expected a file that has no other name, got " +
                                                      (S_ISREG(found.st_mode) ? "one with several" : "something else"));
    }
    return opened;
}

std::optional<struct stat> SafeFolder::status(const fs::path& below) const {
    try {
        const Parent parent = parentOf(below);
        struct stat found {};
        if (::fstatat(descriptorOf(parent), parent.name.c_str(), &found, AT_SYMLINK_NOFOLLOW) == 0) {
            return found;
        }
        if (errno != ENOENT) {
            fail(below, "look at it", errno);
        }
    } catch (const Error& error) {
        if (error.code() != ErrorCode::kNotFound) {
            throw;
        }
    }
    return std::nullopt;
}

bool SafeFolder::isFile(const fs::path& below) const {
    const std::optional<struct stat> found = status(below);
    return found && S_ISREG(found->st_mode);
}

std::vector<SafeFolder::Entry> SafeFolder::list() const {
    FileDescriptor own(::openat(descriptor_.get(), ".", kFolderFlags));  // with a position of its own
    const std::unique_ptr<DIR, CloseFolder> folder(own ? ::fdopendir(own.get()) : nullptr);
    if (folder == nullptr) {
        failAt(path_, "list", errno);
    }
    own.release();
    std::vector<Entry> entries;
    while (const dirent* entry = ::readdir(folder.get())) {
        const std::string name = entry->d_name;
        struct stat found {};
        if (name != "." && name != ".." && ::fstatat(descriptor_.get(), name.c_str(), &found, AT_SYMLINK_NOFOLLOW) == 0) {
            entries.push_back({name, S_ISDIR(found.st_mode)});
        }
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.name < b.name; });
    return entries;
}

bool SafeFolder::remove(const fs::path& below) const {
    if (!status(below)) {
        return false;
    }
    const Parent parent = parentOf(below);
    if (::unlinkat(descriptorOf(parent), parent.name.c_str(), 0) == 0) {
        return true;
    }
    if (errno != ENOENT) {
        failAt(path_ / below, "remove", errno);
    }
    return false;
}

bool SafeFolder::removeEmptyFolder(const fs::path& below) const {
    if (!status(below)) {
        return false;
    }
    const Parent parent = parentOf(below);
    return ::unlinkat(descriptorOf(parent), parent.name.c_str(), AT_REMOVEDIR) == 0;
}

void SafeFolder::rename(const fs::path& from, const fs::path& to) const {
    const Parent source = parentOf(from), target = parentOf(to);
    if (::renameat(descriptorOf(source), source.name.c_str(), descriptorOf(target), target.name.c_str()) != 0) {
        failAt(path_ / to, "rename into place", errno);
    }
}

void SafeFolder::link(const fs::path& from, const fs::path& to) const {
    remove(to);
    const Parent source = parentOf(from), target = parentOf(to);
    if (::linkat(descriptorOf(source), source.name.c_str(), descriptorOf(target), target.name.c_str(), 0) != 0) {
        fail(to, "link", errno);
    }
}

void SafeFolder::sync() const noexcept {
    ::fsync(descriptor_.get());
}

}  // namespace engine::files
