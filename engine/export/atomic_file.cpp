#include "engine/export/atomic_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "engine/files/regular_file.h"
#include "engine/spec/error.h"

namespace engine::exporter {
namespace {

constexpr std::string_view kAside = ".tmp";  // between the file's name and the writer's process id

[[noreturn]] void fail(const std::filesystem::path& path, const char* action, int error) {
    throw Error(files::codeOfErrno(error), path.string() + ": could not " + action + ": " + std::strerror(error));
}

// Removes the file unless it was renamed away.
class Leftover {
public:
    Leftover(const files::SafeFolder& folder, const std::string& name) : folder_(folder), name_(name) {}
    Leftover(const Leftover&) = delete;
    Leftover& operator=(const Leftover&) = delete;
    ~Leftover() {
        if (!is_kept_) {
            ::unlinkat(folder_.descriptor(), name_.c_str(), 0);
        }
    }
    void keep() { is_kept_ = true; }

private:
    const files::SafeFolder& folder_;
    const std::string& name_;
    bool is_kept_ = false;
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

bool isAside(std::string_view name, std::string_view of) {
    if (!name.starts_with(of) || !name.substr(of.size()).starts_with(kAside)) {
        return false;
    }
    const std::string_view process = name.substr(of.size() + kAside.size());
    return !process.empty() && std::all_of(process.begin(), process.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Tells by the file's lock; what can't be opened, a link too, counts as being written.
bool isBeingWritten(const files::SafeFolder& folder, const std::string& aside) {
    const files::FileDescriptor file(::openat(folder.descriptor(), aside.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    return !file || ::flock(file.get(), LOCK_EX | LOCK_NB) != 0;
}

void removeLeftovers(const files::Place::Holder& at) {
    for (const files::SafeFolder::Entry& entry : at.folder.list()) {
        if (isAside(entry.name, at.name) && !isBeingWritten(at.folder, entry.name)) {
            ::unlinkat(at.folder.descriptor(), entry.name.c_str(), 0);
        }
    }
}

}  // namespace

void removeLeftovers(const files::Place& file) noexcept {
    try {
        removeLeftovers(file.holder());
    } catch (const std::exception&) {
        // They cost space only; the next writer tries again.
    }
}

namespace {

// A file that is written and synced beside its place; gone with this object, unless it took the place.
class AsideFile {
public:
    AsideFile(const files::Place& file, std::string_view bytes)
        : file_(file),
          at_(file.holder()),
          name_(at_.name + std::string(kAside) + std::to_string(::getpid())),
          written_(at_.folder.create(name_, at_.access)),
          leftover_(at_.folder, name_) {
        ::flock(written_.get(), LOCK_EX | LOCK_NB);  // says "at work" to removeLeftovers; a file system without locks has no such word
        writeAll(written_.get(), bytes, file_.path());
        if (::fsync(written_.get()) != 0) {
            fail(file_.path(), "sync", errno);
        }
        if (::close(written_.release()) != 0) {
            fail(file_.path(), "close", errno);
        }
    }
    AsideFile(const AsideFile&) = delete;
    AsideFile& operator=(const AsideFile&) = delete;

    void takePlace() {
        at_.folder.rename(name_, at_.name);
        leftover_.keep();
    }
    void settle() {
        exporter::removeLeftovers(file_);
        at_.folder.sync();
    }

private:
    const files::Place file_;
    const files::Place::Holder at_;
    const std::string name_;
    files::FileDescriptor written_;
    Leftover leftover_;
};

}  // namespace

void writeFileAtomically(const files::Place& file, std::string_view bytes) {
    AsideFile aside(file, bytes);
    aside.takePlace();
    aside.settle();
}

void writeTwoFiles(const files::Place& first, std::string_view first_bytes, const files::Place& second, std::string_view second_bytes) {
    AsideFile first_aside(first, first_bytes), second_aside(second, second_bytes);
    first_aside.takePlace();
    second_aside.takePlace();
    first_aside.settle();
    second_aside.settle();
}

std::string readFile(const files::Place& place) {
    const files::FileDescriptor file = place.openToRead();
    files::requireRegular(file.get(), place.path());
    return files::readWhole(file.get(), place.path());
}

}  // namespace engine::exporter
