#include "agent/local/secret_file.h"

#include <cerrno>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/local/address_file.h"
#include "agent/local/file_descriptor.h"
#include "engine/spec/error.h"

namespace agent::convert {

namespace fs = std::filesystem;
using engine::Error;
using engine::ErrorCode;

namespace {

constexpr const char* kName = "tasks.secret";

[[noreturn]] void failSecret(const fs::path& path, const char* what, int error) {
    const ErrorCode code = error == ENOSPC || error == EDQUOT                    ? ErrorCode::kResourceExhausted
                           : error == EACCES || error == EPERM || error == EROFS ? ErrorCode::kPermissionDenied
                                                                                 : ErrorCode::kInternal;
    throw Error(code, path.string() + ": " + what + ": " + std::strerror(error));
}

[[noreturn]] void refuseSecret(const fs::path& path, const std::string& expected, const std::string& got) {
    throw Error(ErrorCode::kPermissionDenied, path.string() + ": expected " + expected + ", got " + got);
}

std::string octal(mode_t mode) {
    std::string text;
    for (const int shift : {9, 6, 3, 0}) {
        text += static_cast<char>('0' + (mode >> shift & 7));
    }
    return text;
}

// The folder, made if need be, opened so that what is done in it can't be led elsewhere.
FileDescriptor openFolder(const fs::path& path) {
    std::error_code ignored;  // open says what is wrong
    fs::create_directories(path.parent_path(), ignored);
    if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) {
        failSecret(path, "create", errno);
    }
    FileDescriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!folder && (errno == ELOOP || errno == ENOTDIR)) {
        refuseSecret(path, "a folder of this user", "a link or a file");
    }
    struct stat status {};
    if (!folder || ::fstat(folder.get(), &status) != 0) {
        failSecret(path, "open", errno);
    }
    if (status.st_uid != ::geteuid()) {
        refuseSecret(path, "a folder of this user", "one of user " + std::to_string(status.st_uid));
    }
    if ((status.st_mode & 07777) != 0700 && ::fchmod(folder.get(), 0700) != 0) {
        failSecret(path, "chmod", errno);
    }
    return folder;
}

FileDescriptor openSecret(const FileDescriptor& folder, const fs::path& path) {
    // O_NONBLOCK: a pipe of that name is refused, not waited for.
    FileDescriptor file(::openat(folder.get(), kName, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!file && errno == ELOOP) {
        refuseSecret(path, "a file", "a link; remove it to have a new secret made");
    }
    if (!file && errno != ENOENT) {
        failSecret(path, "open", errno);
    }
    return file;
}

Secret readSecret(const FileDescriptor& file, const fs::path& path) {
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) {
        failSecret(path, "read", errno);
    }
    if (!S_ISREG(status.st_mode)) {
        refuseSecret(path, "a file", "something else; remove it to have a new secret made");
    }
    if (status.st_uid != ::geteuid()) {
        refuseSecret(path, "a file of this user", "one of user " + std::to_string(status.st_uid));
    }
    if ((status.st_mode & 07777) != 0600) {
        refuseSecret(path, "mode 0600",
                     octal(status.st_mode & 07777) + ": others may know the secret; remove the file to have a new one made");
    }
    char text[66];
    const ssize_t size = ::read(file.get(), text, sizeof text);
    if (size < 0) {
        failSecret(path, "read", errno);
    }
    const auto secret = size == 65 && text[64] == '\n' ? secretFromHex({text, 64}) : std::nullopt;
    if (!secret) {
        throw Error(ErrorCode::kDataLoss,
                    path.string() + ": expected a line of 64 hexadecimal digits; remove the file to have a new secret made");
    }
    return *secret;
}

// Writes the file aside and links it to its name. That fails when another task was first: then that task's file counts.
void makeSecretFile(const FileDescriptor& folder, const fs::path& path) {
    const std::string aside = std::string(kName) + "." + toHex(makeSecret()).substr(0, 16);
    const std::string line = toHex(makeSecret()) + "\n";
    FileDescriptor file(::openat(folder.get(), aside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file) {
        failSecret(path, "create", errno);
    }
    // fchmod: a umask may take bits away that the owner needs.
    int error = ::fchmod(file.get(), 0600) != 0 ? errno : 0;
    if (error == 0) {
        const ssize_t written = ::write(file.get(), line.data(), line.size());
        error = written == static_cast<ssize_t>(line.size()) ? 0 : written < 0 ? errno : ENOSPC;
    }
    if (error == 0 && ::fsync(file.get()) != 0) {
        error = errno;
    }
    if (error == 0 && ::linkat(folder.get(), aside.c_str(), folder.get(), kName, 0) != 0 && errno != EEXIST) {
        error = errno;
    }
    ::unlinkat(folder.get(), aside.c_str(), 0);
    if (error != 0) {
        failSecret(path, "create", error);
    }
}

}  // namespace

fs::path secretFile() {
    return stateFolder() / kName;
}

Secret userSecret() {
    const fs::path path = secretFile();
    const FileDescriptor folder = openFolder(path.parent_path());
    FileDescriptor file = openSecret(folder, path);
    if (!file) {
        makeSecretFile(folder, path);
        file = openSecret(folder, path);
    }
    if (!file) {
        failSecret(path, "open", ENOENT);
    }
    return readSecret(file, path);
}

}  // namespace agent::convert
