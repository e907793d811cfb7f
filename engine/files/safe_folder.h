// A folder that was opened once, and everything below it. The folder's header to read first.
//
// The path to the folder is the user's own: links on it are followed, once, when it is opened. Below it no link is followed, neither as the
// last name nor on the way, and no path leads out, whoever renames things meanwhile: paths are resolved by the kernel against the open
// folder (openat2 with RESOLVE_BENEATH and RESOLVE_NO_SYMLINKS) or, where it lacks that, name by name with O_NOFOLLOW.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <sys/stat.h>

#include "engine/files/file_descriptor.h"
#include "engine/spec/error.h"

namespace engine::files {

// kResourceExhausted (disk full), kPermissionDenied (a link or a way out among them), kNotFound, else kInternal.
ErrorCode codeOfErrno(int error);

// Who may use a file that is made: its user alone whatever the umask, or whom the umask lets.
enum class Access { kPrivate, kByUmask };

// Owned by whoever writes there; movable. Const calls may come from any thread: the open folder never changes. Every `below` is a relative
// path without ".."; any other is Error(kPermissionDenied), as is a link on the way. Errors name the whole path.
class SafeFolder {
public:
    // Opens `path` below the open folder; -1 and errno on failure. The tests give one that fails as an old kernel does.
    using OpenBelow = int (*)(int folder, const char* path, int flags, unsigned mode);

    // A folder that is there. Throws Error: kNotFound, kPermissionDenied.
    static SafeFolder open(const std::filesystem::path& folder, OpenBelow open_below = nullptr);
    // The same, made where it is missing, and the folders above it: all of them for their user alone (mode 0700) whatever the umask. One
    // that is there keeps its mode.
    static SafeFolder make(const std::filesystem::path& folder, OpenBelow open_below = nullptr);

    // The path as it was given, for messages.
    const std::filesystem::path& path() const { return path_; }
    int descriptor() const { return descriptor_.get(); }

    // The same one, opened a second time.
    SafeFolder again() const;
    // A folder below, and one that is made where it is missing (as make() does it).
    SafeFolder openFolder(const std::filesystem::path& below) const;
    SafeFolder makeFolder(const std::filesystem::path& below) const;

    // Whatever is there, opened without waiting (a FIFO has no writer).
    FileDescriptor openToRead(const std::filesystem::path& below) const;
    // A new file in place of what has the name, which may be a link or another name of a file elsewhere: that one is not touched.
    FileDescriptor create(const std::filesystem::path& below, Access access = Access::kPrivate) const;
    // A file to go on in, made where it is missing. kPermissionDenied for one that has another name too, and for what is no file.
    FileDescriptor openToAppend(const std::filesystem::path& below, Access access = Access::kPrivate) const;

    // The status of the name itself, and so of a link and not of what it leads to. nullopt where there is nothing.
    std::optional<struct stat> status(const std::filesystem::path& below) const;
    bool isFile(const std::filesystem::path& below) const;  // a file, no link to one
    struct Entry {
        std::string name;
        bool is_folder = false;  // a link to one is none
    };
    std::vector<Entry> list() const;  // sorted by name

    // The name goes, not what a link points to. False where there was nothing.
    bool remove(const std::filesystem::path& below) const;
    // False for one that holds something, or is not there.
    bool removeEmptyFolder(const std::filesystem::path& below) const;
    void rename(const std::filesystem::path& from, const std::filesystem::path& to) const;
    // A second name for the same file; what had it goes.
    void link(const std::filesystem::path& from, const std::filesystem::path& to) const;
    // Makes names that were changed in the folder last through a power cut, as far as the file system does it.
    void sync() const noexcept;

private:
    SafeFolder(FileDescriptor descriptor, std::filesystem::path path, OpenBelow open_below);
    struct Parent {
        FileDescriptor folder;  // none: this one
        std::string name;
    };
    int descriptorOf(const Parent& parent) const { return parent.folder ? parent.folder.get() : descriptor_.get(); }
    int openBelow(const std::filesystem::path& below, int flags, unsigned mode) const;
    Parent parentOf(const std::filesystem::path& below) const;
    [[noreturn]] void fail(const std::filesystem::path& below, const char* action, int error) const;

    FileDescriptor descriptor_;
    std::filesystem::path path_;
    OpenBelow open_below_;
};

}  // namespace engine::files
