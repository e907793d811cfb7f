#include "agent/local/address_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <nlohmann/json.hpp>

#include "engine/spec/error.h"

namespace agent::convert {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxAddressBytes = 64u << 10;

// An environment variable that holds an absolute path; the XDG rules ignore any other.
std::optional<fs::path> absolutePathIn(const char* variable) {
    const char* value = std::getenv(variable);
    return value != nullptr && value[0] == '/' ? std::optional<fs::path>(value) : std::nullopt;
}

fs::path homeFolder(const char* variable, const char* below_home) {
    if (const auto path = absolutePathIn(variable)) {
        return *path;
    }
    if (const auto home = absolutePathIn("HOME")) {
        return *home / below_home;
    }
    throw engine::Error(engine::ErrorCode::kFailedPrecondition,
                        std::string("environment: expected HOME or ") + variable + " to name a folder, got neither");
}

[[noreturn]] void fail(const fs::path& path, const char* what, int error) {
    const engine::ErrorCode code = error == ENOSPC                     ? engine::ErrorCode::kResourceExhausted
                                   : error == EACCES || error == EPERM ? engine::ErrorCode::kPermissionDenied
                                                                       : engine::ErrorCode::kInternal;
    throw engine::Error(code, path.string() + ": " + what + ": " + std::strerror(error));
}

void writeAll(const fs::path& path, int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno != EINTR) {
            fail(path, "write", errno);
        }
        text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
}

std::string readSome(int descriptor, std::size_t most) {
    std::string text(most, '\0');
    std::size_t length = 0;
    while (length < most) {
        const ssize_t received = ::read(descriptor, text.data() + length, most - length);
        if (received <= 0 && !(received < 0 && errno == EINTR)) {
            break;
        }
        length += static_cast<std::size_t>(std::max<ssize_t>(received, 0));
    }
    text.resize(length);
    return text;
}

struct flock wholeFile(short type) {
    struct flock lock {};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    return lock;
}

// True when somebody holds a lock that one of `type` would wait for.
bool inTheWay(const fs::path& file, short type) {
    const FileDescriptor opened(::open(file.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct flock query = wholeFile(type);
    return opened && ::fcntl(opened.get(), F_OFD_GETLK, &query) == 0 && query.l_type != F_UNLCK;
}

}  // namespace

fs::path agentFolder() {
    const auto runtime = absolutePathIn("XDG_RUNTIME_DIR");
    return (runtime ? *runtime : homeFolder("XDG_STATE_HOME", ".local/state")) / "tandem";
}

fs::path makeAgentFolder() {
    const fs::path folder = agentFolder();
    std::error_code error;
    fs::create_directories(folder.parent_path(), error);
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
        fail(folder, "create", errno);
    }
    const FileDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!opened && errno != EACCES) {
        fail(folder, "open", errno);
    }
    struct stat status {};
    if ((opened ? ::fstat(opened.get(), &status) : ::lstat(folder.c_str(), &status)) != 0) {
        fail(folder, "read", errno);
    }
    if (status.st_uid != ::geteuid()) {
        throw engine::Error(engine::ErrorCode::kPermissionDenied,
                            folder.string() + ": expected a folder of this user, got one of another user");
    }
    // The path is used where the mode itself forbids to open the folder: nobody else can exchange a folder of this user's then.
    if ((status.st_mode & 0777) != 0700 && (opened ? ::fchmod(opened.get(), 0700) : ::chmod(folder.c_str(), 0700)) != 0) {
        fail(folder, "chmod", errno);
    }
    return folder;
}

FileDescriptor openPrivateFolder(const fs::path& folder) {
    FileDescriptor opened(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    struct stat status {};
    if (!opened || ::fstat(opened.get(), &status) != 0) {
        const bool missing = errno == ENOENT;
        throw engine::Error(missing ? engine::ErrorCode::kNotFound : engine::ErrorCode::kPermissionDenied,
                            folder.string() + ": expected a folder of this user, got: " + std::strerror(errno));
    }
    if (status.st_uid != ::geteuid() || (status.st_mode & 0077) != 0) {
        throw engine::Error(engine::ErrorCode::kPermissionDenied,
                            folder.string() + ": expected a folder that this user alone can open, got one " +
                                (status.st_uid != ::geteuid() ? "of another user" : "that others may open, too"));
    }
    return opened;
}

fs::path shortPath(const FileDescriptor& folder, const fs::path& name) {
    return fs::path("/proc/self/fd") / std::to_string(folder.get()) / name;
}

std::optional<fs::path> socketOf(const AgentAddress& address) {
    constexpr std::string_view kScheme = "unix:";
    if (!address.address.starts_with(kScheme)) {
        return std::nullopt;
    }
    return fs::path(address.address.substr(kScheme.size()));
}

void writeAgentAddress(const fs::path& runs_dir, const AgentAddress& address) {
    nlohmann::json json{
        {"address", address.address}, {"token", address.token}, {"pid", address.pid}, {"version", address.version}, {"host", address.host}};
    if (!address.listen.empty()) {
        json["listen"] = address.listen;
    }
    const fs::path target = addressFile(runs_dir);
    const fs::path aside = runs_dir / "agent.json.new";
    ::unlink(aside.c_str());  // one of an agent that was killed here; only the holder of the lock writes
    const FileDescriptor file(::open(aside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file) {
        fail(aside, "create", errno);
    }
    writeAll(aside, file.get(), json.dump() + "\n");
    if (::rename(aside.c_str(), target.c_str()) != 0) {
        fail(target, "rename", errno);
    }
}

std::optional<AgentAddress> readAgentAddress(const fs::path& runs_dir) {
    const FileDescriptor file(::open(addressFile(runs_dir).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat status {};
    if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_uid != ::geteuid() ||
        (status.st_mode & 0077) != 0) {
        return std::nullopt;
    }
    const nlohmann::json json = nlohmann::json::parse(readSome(file.get(), kMaxAddressBytes), nullptr, false);
    const auto isText = [&](const char* key) { return json.contains(key) && json[key].is_string(); };
    if (!json.is_object() || !isText("address") || !isText("token") || !json.contains("pid") || !json["pid"].is_number_integer()) {
        return std::nullopt;
    }
    return AgentAddress{json["address"].get<std::string>(),
                        json["token"].get<std::string>(),
                        json["pid"].get<std::int64_t>(),
                        isText("version") ? json["version"].get<std::string>() : std::string(),
                        isText("host") ? json["host"].get<std::string>() : std::string(),
                        isText("listen") ? json["listen"].get<std::string>() : std::string()};
}

fs::path addressFile(const fs::path& runs_dir) {
    return runs_dir / "agent.json";
}

fs::path lockFile(const fs::path& runs_dir) {
    return runs_dir / "agent.lock";
}

fs::path logFile(const fs::path& agent_folder) {
    return agent_folder / "agent.log";
}

bool agentLives(const fs::path& runs_dir) {
    return inTheWay(lockFile(runs_dir), F_WRLCK);
}

bool earlierAgentLives(const fs::path& agent_folder) {
    return inTheWay(lockFile(agent_folder), F_RDLCK);
}

std::optional<FileDescriptor> takeLock(const fs::path& file, LockKind kind) {
    FileDescriptor opened(::open(file.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!opened) {
        throw engine::Error(engine::ErrorCode::kPermissionDenied, file.string() + ": can't be opened: " + std::strerror(errno));
    }
    struct flock lock = wholeFile(kind == LockKind::kAlone ? F_WRLCK : F_RDLCK);
    if (::fcntl(opened.get(), F_OFD_SETLK, &lock) == 0) {
        return opened;
    }
    if (errno == EAGAIN || errno == EACCES) {
        return std::nullopt;
    }
    throw engine::Error(engine::ErrorCode::kUnimplemented,
                        file.string() + ": can't be locked: " + std::strerror(errno) +
                            "; expected a file system with locks on open files, choose a folder on another one with TANDEM_RUNS_DIR");
}

fs::path stateFolder() {
    return homeFolder("XDG_STATE_HOME", ".local/state") / "tandem";
}

fs::path dataFolder() {
    return homeFolder("XDG_DATA_HOME", ".local/share") / "tandem";
}

fs::path defaultRunsDir() {
    const auto chosen = absolutePathIn("TANDEM_RUNS_DIR");
    return chosen ? *chosen : dataFolder() / "runs";
}

}  // namespace agent::convert
