#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/local/file_descriptor.h"
#include "agent/local/secret.h"
#include "agent/trust/key_file.h"
#include "engine/spec/error.h"

namespace agent::trust {
namespace {

namespace fs = std::filesystem;
using convert::FileDescriptor;
using engine::Error;
using engine::ErrorCode;

constexpr off_t kMostBytes = 64 * 1024;

[[noreturn]] void refuse(const fs::path& path, ErrorCode code, const std::string& why) {
    throw Error(code, path.string() + ": " + why);
}

[[noreturn]] void fail(const fs::path& path, const std::string& expected, int error) {
    ErrorCode code = ErrorCode::kInternal;
    if (error == ENOENT || error == ENOTDIR) code = ErrorCode::kNotFound;
    if (error == EACCES || error == EPERM || error == EROFS) code = ErrorCode::kPermissionDenied;
    if (error == ENOSPC || error == EDQUOT) code = ErrorCode::kResourceExhausted;
    refuse(path, code, "expected " + expected + ": " + std::strerror(error));
}

}  // namespace

std::string readKeyFile(const fs::path& path, std::string_view kind) {
    const std::string whose(kind);
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!file && errno == ELOOP) refuse(path, ErrorCode::kPermissionDenied, "expected the file of " + whose + ", got a link");
    if (!file) fail(path, "to read " + whose, errno);
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) fail(path, "to read " + whose, errno);
    if (!S_ISREG(status.st_mode)) {
        refuse(path, ErrorCode::kInvalidArgument,
               "expected the file of " + whose + (S_ISDIR(status.st_mode) ? ", got a folder" : ", got a pipe or a device"));
    }
    if (status.st_uid != ::geteuid()) {
        refuse(path, ErrorCode::kPermissionDenied, "expected a file of this user, got one of user " + std::to_string(status.st_uid));
    }
    if ((status.st_mode & 077) != 0) {
        refuse(path, ErrorCode::kPermissionDenied,
               "expected a key that its user alone can read, got one that others can; \"chmod 600\" mends that");
    }
    if (status.st_size > kMostBytes) {
        refuse(path, ErrorCode::kInvalidArgument, "expected the file of " + whose + ", got " + std::to_string(status.st_size) + " bytes");
    }
    std::string text(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t have = 0;
    while (have < text.size()) {
        const ssize_t got = ::read(file.get(), text.data() + have, text.size() - have);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail(path, "to read " + whose, errno);
        if (got == 0) break;
        have += static_cast<std::size_t>(got);
    }
    text.resize(have);
    return text;
}

void writeKeyFile(const fs::path& path, const std::string& text, std::string_view kind) {
    const std::string expected = "to write " + std::string(kind);
    const fs::path aside = path.string() + "." + convert::toHex(convert::makeSecret()).substr(0, 16);
    FileDescriptor file(::open(aside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file) fail(path, expected, errno);
    // A umask may take bits away that the owner needs.
    int error = ::fchmod(file.get(), 0600) != 0 ? errno : 0;
    for (std::size_t done = 0; error == 0 && done < text.size();) {
        const ssize_t wrote = ::write(file.get(), text.data() + done, text.size() - done);
        if (wrote >= 0) {
            done += static_cast<std::size_t>(wrote);
        } else if (errno != EINTR) {
            error = errno;
        }
    }
    if (error == 0 && ::fsync(file.get()) != 0) error = errno;
    if (error == 0 && ::link(aside.c_str(), path.c_str()) != 0) error = errno;  // fails where a file is, as a renaming would not
    ::unlink(aside.c_str());
    if (error == EEXIST)
        refuse(path, ErrorCode::kAlreadyExists, "expected a new file, since a key is never overwritten, got one that exists");
    if (error != 0) fail(path, expected, error);
}

}  // namespace agent::trust
