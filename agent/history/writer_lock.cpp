#include "agent/history/writer_lock.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/files/safe_folder.h"
#include "engine/spec/error.h"

namespace agent::history {

namespace fs = std::filesystem;
using engine::Error;
using engine::ErrorCode;
using engine::files::FileDescriptor;

namespace {

constexpr int kMostRounds = 100;  // against another process that makes and removes the file all the time

struct flock wholeFile() {
    struct flock whole {};
    whole.l_type = F_WRLCK;
    return whole;
}

// What the names of this computer's writers end in.
std::string ownPlace() {
    std::array<char, 256> host{};
    if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
    return " on " + (host[0] == '\0' ? std::string("this computer") : std::string(host.data())) + ")";
}

std::string ownName() {
    return std::string(::program_invocation_short_name) + " (process " + std::to_string(::getpid()) + ownPlace();
}

// Returns the first line, as far as it is plain text: whoever may write the folder may have put anything there. Empty: there is none.
std::string lineIn(int file) {
    std::array<char, 512> bytes{};
    const ssize_t size = ::pread(file, bytes.data(), bytes.size(), 0);
    const auto end = bytes.begin() + std::max<ssize_t>(size, 0);
    return {bytes.begin(), std::find_if(bytes.begin(), end, [](char c) { return c < 0x20 || c > 0x7E; })};
}

std::string nameIn(int file) {
    const std::string line = lineIn(file);
    return line.empty() ? "another program" : line;
}

// What fcntl says where the file system has no locks; Lustre says the last of them.
bool meansNoLocks(int error) {
    return error == ENOLCK || error == EOPNOTSUPP || error == EINVAL || error == ENOSYS;
}

// True when the path still leads to the open file: who ends its writing takes the file away.
bool isStillAt(const fs::path& path, const struct stat& opened) {
    struct stat found {};
    return ::lstat(path.c_str(), &found) == 0 && found.st_dev == opened.st_dev && found.st_ino == opened.st_ino;
}

[[noreturn]] void failToLock(const fs::path& path, const char* what, int error) {
    throw Error(engine::files::codeOfErrno(error), path.string() + ": " + what + ": " + std::strerror(error));
}

}  // namespace

WriterLock WriterLock::take(const fs::path& journal) {
    const fs::path path = journal.string() + kWriterLockSuffix;
    for (int round = 0; round < kMostRounds; ++round) {
        // As SQLite makes its files: who may write the journal may take its lock.
        FileDescriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666));
        struct stat status {};
        if (!file || ::fstat(file.get(), &status) != 0) failToLock(path, "could not open", errno);
        if (!S_ISREG(status.st_mode)) {
            throw Error(ErrorCode::kPermissionDenied, path.string() + ": expected a file, got something else");
        }
        struct flock whole = wholeFile();
        if (::fcntl(file.get(), F_OFD_SETLK, &whole) != 0) {
            if (errno == EAGAIN || errno == EACCES) {
                throw Error(ErrorCode::kAlreadyExists, journal.string() + ": expected a journal that nobody else writes, got one that " +
                                                           nameIn(file.get()) + " writes");
            }
            if (!meansNoLocks(errno)) failToLock(path, "cannot be locked", errno);
        }
        if (!isStillAt(path, status)) continue;
        const std::string line = ownName() + "\n";
        // A failed write is ignored: only what others are told depends on it, and the lock holds on a full disk all the same.
        [[maybe_unused]] const bool written = ::ftruncate(file.get(), 0) == 0 && ::pwrite(file.get(), line.data(), line.size(), 0) > 0;
        return {std::move(file), path};
    }
    failToLock(path, "cannot be locked", EAGAIN);
}

WriterLock& WriterLock::operator=(WriterLock&& other) noexcept {
    if (this != &other) {
        letGo();
        file_ = std::move(other.file_);
        path_ = std::move(other.path_);
    }
    return *this;
}

// Closing alone would leave the lock to a child that has the file open until it executes its program.
void WriterLock::letGo() noexcept {
    if (!file_) return;
    struct flock whole = wholeFile();
    whole.l_type = F_UNLCK;
    ::fcntl(file_.get(), F_OFD_SETLK, &whole);
    file_.reset();
}

void WriterLock::end() {
    if (!file_) return;
    struct stat status {};
    // Removed before it is let go, so that nobody takes a file that is about to vanish for the one that counts.
    if (::fstat(file_.get(), &status) == 0 && isStillAt(path_, status)) {
        std::error_code ignored;
        fs::remove(path_, ignored);
    }
    letGo();
}

JournalWriter writerOf(const fs::path& journal) {
    const FileDescriptor file(::open((journal.string() + kWriterLockSuffix).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct flock whole = wholeFile();
    if (!file || ::fcntl(file.get(), F_OFD_GETLK, &whole) != 0) return {};
    if (whole.l_type == F_UNLCK) {
        const bool was_here = lineIn(file.get()).ends_with(ownPlace());
        return {.state = was_here ? JournalWriter::State::kGone : JournalWriter::State::kUnknown};
    }
    return {.state = JournalWriter::State::kWrites, .name = nameIn(file.get())};
}

}  // namespace agent::history
